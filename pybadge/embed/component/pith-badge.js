/*! MIT licence */
// A badge that its reader's own browser verifies.

// What the page gets is text from anywhere; it is read as strictly as pybadge reads it, so that the two can't be made
// to disagree on what a file says. Text of a record only ever becomes a text node.

const KEY = { key_id: "pith-v1-2026-05", public_key_fingerprint: "8d4b5ee74e4693bcd1df2446408b0d54" };
const RAW_KEY = "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM=";
const MAX_BYTES = 1 << 20;
const MAX_DEPTH = 64;
const RESOLVER = "https://pith.science/pith/";
// Of strings alone: a pattern would take a list of one string for that string.
const match = (form, value) => typeof value == "string" && form.exec(value);
const NUMBER = /^(?:pith:(?:(\d{4}):)?)?([A-Z2-7]{26})$/;

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const EIGHTH = 0x5fc536d880238b13933c6d305acdfd5f098eff289f4c345b027b2c28f95e826n;

const INVALID = "invalid";
const UNSURE = "not-checked";

// Ends the checks; `state` is what the badge shows.
const stop = (state, why) => {
  throw [state, why];
};
const need = (sound, why) => sound || stop(INVALID, why);

/**
 * Parse JSON strictly: no duplicate keys, no half surrogate pairs, no integers beyond 2^53, at most 64 levels.
 * Objects have no prototype. A number with a dot or an exponent becomes a Number object, which `canonical` refuses.
 */
export function parse(text) {
  JSON.parse(text); // The grammar is the browser's to check; after that the tokens alone say what is where.
  const tokens = text.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s"[\]{}:,]+/g);
  let at = 0;
  const read = (levels) => {
    const token = tokens[at++];
    const list = token == "[";
    let value;
    if (list || token == "{") {
      need(levels, "too many levels");
      value = list ? [] : Object.create(null);
      while (!"]}".includes(tokens[at]))
        if (list) value.push(read(levels - 1));
        else {
          const key = read();
          need(!(key in value), "duplicate key");
          value[key] = read(levels - 1);
        }
      at++;
    } else {
      value = JSON.parse(token);
      // In the u mode a surrogate matches only where it is alone.
      need(typeof value != "string" || !/[\ud800-\udfff]/u.test(value), "lone surrogate");
      if (typeof value == "number") {
        const whole = /^-?\d+$/.test(token);
        need(whole ? Number.isSafeInteger(value) : isFinite(value), "number too large");
        if (!whole) value = Object(value);
      }
    }
    return value;
  };
  return read(MAX_DEPTH);
}

const isObject = (value) => value && typeof value == "object" && !Array.isArray(value) && !(value instanceof Number);

// UTF-16 order, which is JavaScript's own, puts characters beyond U+FFFF before U+E000; Python sorts by code point.
const byCodePoint = (a, b) => {
  let at = 0;
  while (at < a.length && a[at] == b[at]) at++;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
};

/** The canonical text of a parsed value: keys by code point, no blanks, nothing escaped that JSON lets stand. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (value instanceof Number) stop(INVALID, "not a whole number");
  if (!isObject(value)) return JSON.stringify(value);
  const pair = (key) => `${JSON.stringify(key)}:${canonical(value[key])}`;
  return `{${Object.keys(value).sort(byCodePoint).map(pair)}}`;
}

// The closed schema, read off the canonical text: its keys are in order and nothing in it is optional.
const CATEGORY = String.raw`"[A-Za-z][A-Za-z\d-]{0,30}(?:\.[A-Za-z][A-Za-z\d-]{0,30})?"`;
const SCHEMA = RegExp(
  String.raw`^\{"metadata":\{"abstract_canon_sha256":"[\da-f]{64}","cross_cats_sorted":\[(?:${CATEGORY}(?:,${CATEGORY})*)?],"license":"[^"\\]*(?:\\.[^"\\]*)*","primary_cat":${CATEGORY},"submitted_at":"((?!0000)(\d{4})-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)Z","title_canon_sha256":"([\da-f]{64})"},"schema_version":"1\.0","source":\{"id":"(\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/\d{7})","kind":"arxiv","version":([1-9]\d*)}}$`,
);

const sha256 = async (text) => new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
const digits = (bytes, base, width) => [...bytes].map((byte) => byte.toString(base).padStart(width, 0)).join("");
const hex = (bytes) => digits(bytes, 16, 2);
const base64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt());

// What RFC 8032 leaves to the caller and browsers do differently: R canonical and not of small order, S below the order.
const isStrict = (signature) => {
  const little = (bytes) => BigInt("0x" + hex(bytes.slice().reverse()));
  const y = little(signature.subarray(0, 32)) % 2n ** 255n;
  return y < P && ![0n, 1n, P - 1n, EIGHTH, P - EIGHTH].includes(y) && little(signature.subarray(32)) < ORDER;
};

/** Check a record's bytes against the number that was wanted. Never throws; the report says what was found. */
export async function check(bytes, wanted) {
  const report = { state: "verified", checks: [] };
  // The check that is being made: what goes wrong, goes wrong in it.
  let id = "number";
  const note = (status, detail) => report.checks.push({ id, status, detail });
  const pass = (detail, next) => {
    note("valid", detail);
    id = next;
  };
  try {
    const [, year, suffix] = match(NUMBER, wanted) || stop(UNSURE, "no full number");
    id = "parse";
    need(bytes.length <= MAX_BYTES, "too large");
    const record = parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    pass("strict JSON", "schema");
    const text = canonical(record.canonical_record);
    const [, day, v1, titleHash, paper, version] = SCHEMA.exec(text) ?? stop(INVALID, "not the schema");
    // A day that isn't in the calendar gives another day, or an error.
    need(new Date(day).toISOString().startsWith(day), "no such day");
    pass("1.0", "canonical_hash");

    const digest = await sha256(text);
    const hash = hex(digest);
    need(record.canonical_sha256 === hash, "not as stated");
    pass((report.hash = hash), "number");

    const derived = digits(digest, 2, 8)
      .slice(0, 130)
      .replace(/.{5}/g, (five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(five, 2)]);
    const stated = match(NUMBER, record.pith_number) || [];
    const short = "pith:" + derived.slice(0, 8);
    need(derived == suffix, "another record");
    need(stated[2] == derived && (record.short_pith_number ?? short) === short, "not as stated");
    pass((report.number = `pith:${v1}:${derived}`), "year");
    need((year ?? v1) == v1 && (stated[1] ?? v1) == v1, "not that of version 1");
    pass(v1, "title");
    report.arxiv = `${paper}v${version}`;

    const title = record.paper?.title;
    if (typeof title == "string") {
      const words = title.replace(/[\s\x1c-\x1f\x85]+/g, " ").trim();
      need(hex(await sha256(words.toLowerCase())) == titleHash, "not the hashed one");
      pass(title);
    }

    id = "receipt_key";
    const receipt = record.receipt ?? stop(UNSURE, "there is no receipt");
    need(isObject(receipt), "not a receipt");
    const names = Object.keys(KEY);
    const known = names.some((name) => receipt[name] === KEY[name]);
    // Another key is just unknown; but one that goes by half of the pinned key's names is a forgery.
    need(!known || names.every((name) => (receipt[name] ?? KEY[name]) === KEY[name]), "not that key");
    if (!known) stop(UNSURE, "unknown key");
    pass(KEY.public_key_fingerprint, "receipt_signature");

    if (receipt.algorithm !== "ed25519" || receipt.receipt_version !== "0.3") stop(UNSURE, "unknown kind");
    need(
      receipt.kind === "pith_receipt" &&
        receipt.signed_message === "canonical_sha256_bytes" &&
        receipt.signature_status === "signed_v1" &&
        (receipt.canonical_sha256 ?? hash) === hash &&
        // 64 bytes, in the one base64 text that stands for them
        match(/^[A-Za-z\d+/]{85}[AQgw]==$/, receipt.signature_b64),
      "not for this record",
    );
    const signature = base64(receipt.signature_b64);
    const key = await crypto.subtle
      .importKey("raw", base64(RAW_KEY), "Ed25519", false, ["verify"])
      .catch(() => stop("hash-only", "no Ed25519 in this browser"));
    need(isStrict(signature) && (await crypto.subtle.verify("Ed25519", key, signature, digest)), "does not hold");
    pass("Ed25519");
  } catch (error) {
    // What `stop` didn't throw is the parser's or the decoder's, or the browser has no WebCrypto (a page without https).
    const [state, why] = error.pop ? error : [/parse|schema/.test(id) ? INVALID : UNSURE, error.message];
    report.state = state;
    note(state == INVALID ? state : "not_checked", why);
  }
  return report;
}

// The bytes at an address: https or this page's own origin, no redirect, at most 1 MiB, within the time.
async function load(src, seconds) {
  const patience = new AbortController();
  const { signal } = patience;
  setTimeout(() => patience.abort(), seconds * 1000);
  try {
    const url = new URL(src, document.baseURI);
    if (!src || (url.protocol != "https:" && url.origin != location.origin)) stop(UNSURE, "no https address");
    const answer = await fetch(url, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", signal });
    const type = answer.headers.get("Content-Type");
    if (!answer.ok || !/\bjson\b/.test(type)) stop(UNSURE, `the answer is ${answer.status} ${type}`);
    const reader = answer.body.getReader();
    const parts = [];
    let length = 0;
    for (let part; length <= MAX_BYTES && !(part = await reader.read()).done; length += part.value.length)
      parts.push(part.value);
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  } catch (error) {
    throw signal.aborted ? [UNSURE, "too slow"] : error.pop ? error : ["offline", "unreachable"];
  } finally {
    patience.abort();
  }
}

const WORDS = {
  checking: "… checking",
  verified: "✓ verified",
  invalid: "✗ invalid",
  "hash-only": "≈ hash only",
  "not-checked": "– not checked",
  offline: "– offline",
};

// The panel's colours are the system's: they follow the reader's light or dark scheme and forced colours by themselves.
const STYLE = `
:host{display:inline-block;position:relative;vertical-align:middle;font:11px/20px "DejaVu Sans",Verdana,sans-serif;color-scheme:light dark;--state:#626b76}
:host([hidden]){display:none}
:host([state=verified]){--state:#1a7f41}
:host([state=invalid]){--state:#c1292e}
:host([state=hash-only]){--state:#8a5a00}
button{display:flex;padding:0;border:0;border-radius:4px;overflow:hidden;cursor:pointer;font:inherit;color:#fff;white-space:nowrap}
span{padding:0 6px 0 3px;background:#3d4650}
span+span{background:var(--state)}
div{position:absolute;z-index:9;top:24px;width:max-content;max-width:min(30em,84vw);padding:8px 12px;border:1px solid;border-radius:6px;background:Canvas;color:CanvasText;font-size:12px;white-space:normal;overflow-wrap:anywhere;outline:0}
p{margin:0;padding-left:1.6em;text-indent:-1.6em}
i{display:inline-block;width:1.6em;text-indent:0;font-style:normal}
a{color:LinkText;margin-left:1.6em}
@media(forced-colors:active){button{border:1px solid}}`;

let sheet;

const element = (tag, attributes, ...children) => {
  const made = document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.append(...children);
  return made;
};
const sign = (text) => element("i", { "aria-hidden": true }, text);

export class PithBadge extends HTMLElement {
  static observedAttributes = ["src", "number"];
  #run = 0;

  connectedCallback() {
    if (!this.shadowRoot) {
      if (!sheet) {
        // Made here, not when the module loads: where it can't be made, the plain badge inside the element stays.
        sheet = new CSSStyleSheet();
        sheet.replaceSync(STYLE);
      }
      this.attachShadow({ mode: "open" }).adoptedStyleSheets = [sheet];
      this.addEventListener("focusout", (event) => this.contains(event.relatedTarget) || this.#open(false));
      this.addEventListener("keydown", (event) => {
        const [button, panel] = this.shadowRoot.children;
        if (event.key == "Escape" && !panel.hidden) {
          button.focus();
          this.#open(false);
        }
      });
    }
    this.verify();
  }

  attributeChangedCallback() {
    if (this.shadowRoot) this.verify();
  }

  /** Fetch and check again. */
  async verify() {
    const run = ++this.#run;
    this.#draw({ state: "checking", checks: [] });
    let report;
    try {
      const bytes = await load(this.getAttribute("src"), this.getAttribute("timeout") || 15);
      report = await check(bytes, this.getAttribute("number"));
    } catch ([state, detail]) {
      report = { state, checks: [{ id: "record", status: "not_checked", detail }] };
    }
    // An older run that ends later must not draw over a newer one.
    if (run == this.#run) {
      this.#draw(report);
      this.dispatchEvent(new CustomEvent("pith-checked", { bubbles: true, composed: true, detail: report }));
    }
  }

  #open(open) {
    const [button, panel] = this.shadowRoot.children;
    panel.hidden = !open;
    button.setAttribute("aria-expanded", open);
    panel.style.left = 0;
    panel.style.left = Math.min(0, document.documentElement.clientWidth - 8 - panel.getBoundingClientRect().right) + "px";
  }

  #draw(report) {
    this.report = report;
    this.setAttribute("state", report.state);
    const suffix = NUMBER.exec(this.getAttribute("number"))?.[2];
    const [mark, ...words] = WORDS[report.state].split(" ");
    const button = element(
      "button",
      { part: "badge", "aria-expanded": false },
      element("span", { part: "label" }, sign("◉"), "pith"),
      element("span", { part: "message" }, sign(mark), `${suffix?.slice(0, 8) ?? ""} `, words.join(" ")),
    );
    const panel = element("div", { part: "panel", role: "group", "aria-label": "Checks", tabindex: -1, hidden: "" });
    for (const { id, status, detail } of report.checks) {
      const mark = { valid: "✓", invalid: "✗" }[status] ?? "–";
      panel.append(element("p", { part: "check " + status }, sign(mark), id.replace("_", " ") + ": " + detail));
    }
    const link = (text, href) => panel.append(element("a", { part: "link", href }, text));
    if (suffix) link("Record", RESOLVER + suffix);
    if (report.arxiv) link("arXiv", "https://arxiv.org/abs/" + report.arxiv);
    button.onclick = () => this.#open(panel.hidden);
    this.shadowRoot.replaceChildren(button, panel);
  }
}

// A page may load the module from two addresses.
if (!customElements.get("pith-badge")) customElements.define("pith-badge", PithBadge);
