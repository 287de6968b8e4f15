/*! MIT licence */
// A badge that its reader's own browser verifies. Text of a record only ever becomes a text node.

import { parsedOrNull } from "./forms.js";
import { MAX_BYTES, REQUIRED, RESOLVER, UNREAD } from "./rules.js";
import { examine, outcome, unread } from "./verify.js";

export { canonical, parse, verify } from "./verify.js";

// Ends the loading; `state` is what the badge shows.
const stop = (state, code, detail) => {
  throw { state, code, detail };
};

// The bytes at an address: https or this page's own origin, no redirect, at most 1 MiB, within the time.
async function load(src, seconds) {
  const patience = new AbortController();
  const { signal } = patience;
  setTimeout(() => patience.abort(), seconds * 1000);
  try {
    const url = new URL(src, document.baseURI);
    if (!src || (url.protocol != "https:" && url.origin != location.origin))
      stop("not-checked", "usage", "no https address");
    const answer = await fetch(url, { credentials: "omit", redirect: "error", referrerPolicy: "no-referrer", signal });
    const type = answer.headers.get("Content-Type");
    const said = `the answer is ${answer.status} ${type}`;
    if (!answer.ok) stop("not-checked", "resolve.status", said);
    if (!/\bjson\b/.test(type)) stop("not-checked", "resolve.content_type", said);
    const reader = answer.body.getReader();
    const parts = [];
    let length = 0;
    for (let part; length <= MAX_BYTES && !(part = await reader.read()).done; length += part.value.length)
      parts.push(part.value);
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  } catch (error) {
    if (signal.aborted) stop("not-checked", "resolve.deadline", "too slow");
    throw error.state ? error : { state: "offline", code: "resolve.unreachable", detail: "unreachable" };
  } finally {
    patience.abort();
  }
}

// What the badge shows of a report.
const stateOf = ({ verdict, checks }) => {
  const isOpen = ({ id, status }) => REQUIRED.includes(id) && status != "valid";
  const open = checks.filter(isOpen).map(({ code }) => code);
  if (verdict == "not_checked" && open.join() == "receipt.no_ed25519") return "hash-only";
  return verdict.replace("_", "-");
};

// The checks that a reader is told of: not those that could not begin, nor what the record need not have.
const isTold = ({ id, status, code }) => code != UNREAD && (status != "absent" || REQUIRED.includes(id));

const WORDS = {
  checking: "… checking",
  verified: "✓ verified",
  invalid: "✗ invalid",
  "hash-only": "≈ hash only",
  "not-checked": "– not checked",
  unreadable: "? unreadable",
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
    const report = await this.#found();
    // An older run that ends later must not draw over a newer one.
    if (run == this.#run) {
      this.#draw(report);
      this.dispatchEvent(new CustomEvent("pith-checked", { bubbles: true, composed: true, detail: report }));
    }
  }

  get #number() {
    return parsedOrNull(this.getAttribute("number") ?? "");
  }

  async #found() {
    try {
      const bytes = await load(this.getAttribute("src"), this.getAttribute("timeout") || 15);
      // A short form names a record and never proves it.
      if (!this.#number?.full) stop("not-checked", "number.malformed", "no full number");
      const { report, record } = await examine(bytes, { asked: this.getAttribute("number") });
      const arxiv = report.verdict != "invalid" && record && `${record.source.id}v${record.source.version}`;
      return { state: stateOf(report), ...(arxiv && { arxiv }), ...report };
    } catch ({ state = "not-checked", code = "program.failed", detail = "the program failed" }) {
      return { state, ...unread("not_checked", outcome("parse", "not_checked", code, detail)) };
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
    const suffix = this.#number?.full && this.#number.suffix;
    const [mark, ...words] = WORDS[report.state].split(" ");
    const button = element(
      "button",
      { part: "badge", "aria-expanded": false },
      element("span", { part: "label" }, sign("◉"), "pith"),
      element("span", { part: "message" }, sign(mark), `${suffix ? suffix.slice(0, 8) : ""} `, words.join(" ")),
    );
    const panel = element("div", { part: "panel", role: "group", "aria-label": "Checks", tabindex: -1, hidden: "" });
    for (const { id, status, detail } of report.checks.filter(isTold)) {
      const mark = { valid: "✓", invalid: "✗" }[status] ?? "–";
      const name = id == "parse" ? "record" : id.replace("_", " ");
      panel.append(element("p", { part: "check " + status }, sign(mark), `${name}: ${detail}`));
    }
    const link = (text, href) => panel.append(element("a", { part: "link", href }, text));
    if (suffix) link("Record", `${RESOLVER}/pith/${suffix}`);
    if (report.arxiv) link("arXiv", "https://arxiv.org/abs/" + report.arxiv);
    button.onclick = () => this.#open(panel.hidden);
    this.shadowRoot.replaceChildren(button, panel);
  }
}

// A page may load the module from two addresses.
if (!customElements.get("pith-badge")) customElements.define("pith-badge", PithBadge);
