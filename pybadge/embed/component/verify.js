/*! MIT licence */
// Verifies records of Pith Numbers: the checks of `pybadge verify --json`, with the same outcome for every file.
// Needs WebCrypto and nothing else of the place where it runs: a page, a worker, Node, Deno.
//
// What it gets is text from anywhere. It is read as strictly as pybadge reads it, so that the two can't be made to
// disagree on what a file says. Sections in brackets are those of docs/spec.

import { base64, holds } from "./ed25519.js";
import {
  derive,
  digestOf,
  hashOf,
  hex,
  matchingForm,
  numberText,
  parseNumber,
  parsedOrNull,
  sha256,
  short,
} from "./forms.js";
import {
  ALGORITHM,
  ARXIV_ID,
  BUNDLE_TYPE,
  CATEGORY,
  CHECK_IDS,
  CLAIMS,
  DOI_PREFIX,
  EXCERPT_CUT,
  EXCERPT_LENGTH,
  FINGERPRINT_LENGTH,
  HASH,
  METADATA_KEYS,
  PINNED,
  RECEIPT_FIXED,
  RECEIPT_VERSION,
  RECORD_CREATED,
  RECORD_KEYS,
  REPORT_SCHEMA,
  REQUIRED,
  SCHEMA_VERSION,
  SHORT_LENGTHS,
  SNAPSHOT_PARTS,
  SOURCE_KEYS,
  SOURCE_KIND,
  TIME,
  UNAMBIGUOUS_LENGTH,
  UNREAD,
} from "./rules.js";
import {
  PithError,
  canonical,
  isObject,
  isText,
  leniently,
  listOrEmpty,
  objectOrEmpty,
  parse,
  textOrNull,
} from "./strict-json.js";

export { hashOf, numberOf, parseNumber, textForm } from "./forms.js";
export { PithError, canonical, parse } from "./strict-json.js";

// --- the closed schema [2.1, 2.2]

const isWhole = (form) => {
  const whole = RegExp(`^(?:${form})$`);
  return (value) => isText(value) && whole.test(value);
};
const [isHash, isCategory, isArxivId] = [HASH, CATEGORY, ARXIV_ID].map(isWhole);

const isTime = (value) => {
  const found = isText(value) && RegExp(`^(?:${TIME})$`).exec(value);
  if (!found) return false;
  const [year, month, day] = found.slice(1).map(Number);
  // The calendar repeats after 400 years, and Date takes years below 100 for those of 1900.
  const date = new Date(Date.UTC(2000 + (year % 400), month - 1, day));
  return year > 0 && date.getUTCMonth() == month - 1 && date.getUTCDate() == day;
};

const hasKeys = (value, keys) =>
  isObject(value) && Object.keys(value).length == keys.length && keys.every((key) => key in value);

/** Whether a value from `parse` is a canonical record. */
export function isCanonicalRecord(value) {
  if (!hasKeys(value, RECORD_KEYS)) return false;
  const { metadata, source } = value;
  return (
    value.schema_version === SCHEMA_VERSION &&
    hasKeys(metadata, METADATA_KEYS) &&
    hasKeys(source, SOURCE_KEYS) &&
    isHash(metadata.abstract_canon_sha256) &&
    isHash(metadata.title_canon_sha256) &&
    isCategory(metadata.primary_cat) &&
    Array.isArray(metadata.cross_cats_sorted) &&
    metadata.cross_cats_sorted.every(isCategory) &&
    isText(metadata.license) &&
    isTime(metadata.submitted_at) &&
    source.kind === SOURCE_KIND &&
    isArxivId(source.id) &&
    Number.isInteger(source.version) &&
    source.version >= 1
  );
}

// --- the checks [7.1]

/** The outcome of one check. */
export const outcome = (id, status, code, detail, source = "computed") => ({ id, status, code, detail, source });

const hashCheck = (document, hash) => {
  const id = "canonical_hash";
  const stated = textOrNull(document.canonical_sha256);
  if (stated == null) return outcome(id, "absent", "hash.absent", "the record states no canonical_sha256");
  if (stated != hash) return outcome(id, "invalid", "hash.mismatch", `the canonical record hashes to ${hash}`);
  return outcome(id, "valid", "hash.ok", hash);
};

const numberCheck = (document, derived, asked) => {
  const text = numberText(derived);
  const give = (status, code, detail) => outcome("number", status, `number.${code}`, detail);
  if (asked && !derived.suffix.startsWith(asked.suffix))
    return give("invalid", "mismatch", `asked for ${numberText(asked)}, but the record is ${text}`);
  const stated = textOrNull(document.pith_number);
  const brief = textOrNull(document.short_pith_number);
  if (
    (stated != null && parsedOrNull(stated)?.suffix != derived.suffix) ||
    (brief != null && parsedOrNull(brief)?.suffix != derived.suffix.slice(0, SHORT_LENGTHS[0]))
  )
    return give("invalid", "mismatch", `the canonical record gives ${text}, the record states another`);
  const partly = asked && !asked.full;
  if (stated == null && (partly || !asked)) return give("absent", "absent", "the record states no pith_number");
  if (!partly) return give("valid", "ok", text);
  if (asked.suffix.length < UNAMBIGUOUS_LENGTH)
    return give("not_checked", "short_ambiguous", `other records may share ${short(derived)}`);
  return give("valid", "short", `${text}, asked for by a short form`);
};

const yearCheck = (document, derived, asked) => {
  const claims = [asked, isText(document.pith_number) && parsedOrNull(document.pith_number)];
  const wrong = claims.find((claim) => claim && claim.year != null && claim.year != derived.year);
  const v1 = `version 1 was submitted in ${derived.year}`;
  return wrong
    ? outcome("year", "invalid", "year.mismatch", `${v1}, not in ${wrong.year}`)
    : outcome("year", "valid", "year.ok", v1);
};

const aliasesCheck = (served, { source }, { suffix }) => {
  const give = (status, code, detail) => outcome("aliases", status, `aliases.${code}`, detail);
  const expected = new Map([
    ["arxiv", source.id],
    ["arxiv_version", `${source.id}v${source.version}`],
    ["doi", (DOI_PREFIX + source.id).toLowerCase()],
    ...SHORT_LENGTHS.map((length) => [`pith_short_${length}`, suffix.slice(0, length)]),
  ]);
  const known = listOrEmpty(served).filter(
    (alias) => isObject(alias) && expected.has(alias.alias_kind) && isText(alias.alias_value),
  );
  const wrong = known.find((alias) => alias.alias_value != expected.get(alias.alias_kind));
  if (wrong) return give("invalid", "mismatch", `${wrong.alias_kind} is not ${wrong.alias_value.slice(0, 80)}`);
  if (!known.length) return give("absent", "absent", "no alias that could be checked");
  return give("valid", "ok", `${known.length} follow from the canonical record`);
};

// The key of a receipt, if it is known, and the check of it [4.2].
const keyCheck = async (receipt, keys, digest) => {
  const give = (status, code, detail, key) => [outcome("receipt_key", status, `receipt.${code}`, detail), key];
  if (receipt == null) return give("absent", "absent", "the record has no receipt");
  if (!isObject(receipt)) return give("invalid", "malformed", "the receipt is not an object");
  const [name, stated] = [receipt.key_id, receipt.public_key_fingerprint].map(textOrNull);
  const named = keys.filter((key) => key.key_id != null && key.key_id === name);
  let candidates = named;
  if (stated != null) candidates = keys.filter((key) => key.fingerprint == stated);
  else if (!named.length) {
    const signature = signatureOf(receipt);
    candidates = [];
    for (const key of keys)
      if (signature && key.key_id == null && (await holds(key.raw, digest, signature))) candidates.push(key);
  }
  const key = candidates.find(({ key_id }) => key_id == null || name == null || name == key_id);
  if (key) return give("valid", "key_ok", `${key.registry} ${key.fingerprint}`, key);
  if (candidates.length || named.length)
    return give("invalid", "key_mismatch", "name and fingerprint are those of different keys");
  return give("not_checked", "key_unknown", "made with a key that is neither pinned nor trusted");
};

// 64 bytes, which take 88 characters.
const signatureOf = ({ signature_b64: text }) => {
  const raw = isText(text) && text.length == 88 && base64(text);
  return raw?.length == 64 ? raw : null;
};

const signatureCheck = async (receipt, key, digest, hash) => {
  const give = (status, code, detail, source) => outcome("receipt_signature", status, `receipt.${code}`, detail, source);
  if (receipt == null) return give("absent", "absent", "the record has no receipt, so nobody vouches for it");
  if (!isObject(receipt)) return give("invalid", "malformed", "the receipt is not an object");
  if (receipt.algorithm !== ALGORITHM) return give("not_checked", "algorithm_unsupported", `not ${ALGORITHM}`);
  for (const name in RECEIPT_FIXED)
    if (receipt[name] !== RECEIPT_FIXED[name]) return give("invalid", name, `${name} is not ${RECEIPT_FIXED[name]}`);
  if (receipt.receipt_version !== RECEIPT_VERSION) return give("not_checked", "version_unsupported", "unknown version");
  if (isText(receipt.canonical_sha256) && receipt.canonical_sha256 != hash)
    return give("invalid", "hash_mismatch", "the receipt is for another canonical hash");
  const signature = signatureOf(receipt);
  if (!signature) return give("invalid", "signature_malformed", "not standard base64 of 64 bytes");
  if (!key) return give("not_checked", "key_unknown", "no trusted key to check the signature with");
  const sound = await holds(key.raw, digest, signature);
  if (sound == null) return give("not_checked", "no_ed25519", "there is no Ed25519 here");
  return sound
    ? give("valid", "signature_ok", `Ed25519, by ${key.registry} over the canonical hash`, "signed")
    : give("invalid", "signature_invalid", `not ${key.registry}'s signature over this record`);
};

const titleCheck = async (title, hash) => {
  const give = (status, code, detail) => outcome("title", status, `title.${code}`, detail, "served");
  if (!isText(title)) return give("absent", "absent", "the record gives no title");
  const form = await matchingForm(title, hash);
  return form == null
    ? give("invalid", "mismatch", "the served title does not have the signed hash")
    : give("valid", "ok", title + form);
};

const abstractCheck = async (excerpt, hash) => {
  const give = (status, code, detail) => outcome("abstract", status, `abstract.${code}`, detail, "served");
  if (!isText(excerpt) || !excerpt) return give("absent", "absent", "the record gives no abstract");
  const { length } = [...excerpt];
  if (length > EXCERPT_LENGTH) return give("invalid", "too_long", `${length} characters, more than ${EXCERPT_LENGTH}`);
  const form = await matchingForm(excerpt, hash);
  if (form != null) return give("valid", "ok", `the served abstract has the signed hash${form}`);
  return length >= EXCERPT_LENGTH - EXCERPT_CUT
    ? give("not_checked", "excerpt", `only the first ${length} characters are served`)
    : give("invalid", "mismatch", "the served abstract does not have the signed hash");
};

const countsNothing = (part, section) => section[part == "formal_canon" ? "evidence_count" : "count"] === 0;

// What a part's hash covers, null where nobody knows, and whether a mismatch proves anything [5.4].
const payloadOf = (part, section) => {
  const { detectors_run: detectors, findings, items } = section;
  if (part == "integrity") {
    const known = Array.isArray(detectors) && Array.isArray(findings);
    return [known ? { detectors, findings } : null, known];
  }
  if (countsNothing(part, section)) return [[], true];
  return [Array.isArray(items) ? items : null, false];
};

const snapshotsCheck = async (graph) => {
  const give = (status, code, detail) => outcome("snapshots", status, `snapshots.${code}`, detail, "served");
  if (!isObject(graph)) return give("absent", "absent", "the record has no graph snapshot");
  const [holding, unknown] = [[], []];
  for (const part of SNAPSHOT_PARTS) {
    const section = graph[part];
    if (!isObject(section) || !isText(section.snapshot_sha256)) continue;
    if (countsNothing(part, section) && listOrEmpty(section.items).length)
      return give("invalid", "mismatch", `${part} counts nothing but lists items`);
    const [payload, certain] = payloadOf(part, section);
    if (payload && (await hashOf(canonical({ payload }))) == section.snapshot_sha256) holding.push(part);
    else if (certain) return give("invalid", "mismatch", `${part} does not have the hash it states`);
    else unknown.push(part);
  }
  if (unknown.length) return give("not_checked", "unknown_payload", `unknown what is hashed: ${unknown.join(", ")}`);
  if (!holding.length) return give("absent", "absent", "the graph snapshot states no hashes");
  return give("valid", "ok", `hashes hold: ${holding.join(", ")}`);
};

// Claims about the world outside the record, which nobody signed: none is ever valid here.
const claimChecks = ({ verification_status, events }) => {
  const flags = objectOrEmpty(verification_status);
  const types = listOrEmpty(events).map((event) => objectOrEmpty(event).event_type);
  return Object.entries(CLAIMS).map(([id, [flag, type]]) => {
    if (types.includes(type)) return outcome(id, "not_checked", `${id}.event`, "an event is there", "served");
    if (isFlag(flags[flag])) return outcome(id, "not_checked", `${id}.claimed`, "the server claims it", "served");
    return outcome(id, "absent", `${id}.absent`, "nothing of the kind is in the record", "served");
  });
};
const isFlag = (value) => value === true || (typeof value == "number" && value > 0);

// --- the report [7.3, 7.4]

/** The report on something that was no record, or could not be had: what `check` says, and nothing else. */
export const unread = (verdict, check, input = "") => ({
  schema: REPORT_SCHEMA,
  input,
  number: null,
  verdict,
  checks: CHECK_IDS.map((id) => {
    if (id == "parse" && check.id != id) return outcome(id, "valid", "parse.ok", "strict JSON");
    return id == check.id ? check : outcome(id, "not_checked", UNREAD, "there is no record to check");
  }),
});

// The document in some bytes, or what they are instead: [document] or [null, verdict, check].
const recordIn = (bytes) => {
  const other = (code, detail) => [null, "unreadable", outcome("parse", "not_checked", code, detail)];
  const noRecord = "record.other_document";
  let document;
  try {
    document = parse(bytes);
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    const { code, message } = error;
    const meant = leniently(bytes);
    // A fault in what is a record even to a lenient reader is the record's.
    if (isObject(meant) && "canonical_record" in meant)
      return [null, "invalid", outcome("parse", "invalid", code, message)];
    const start = bytes.find((byte) => !IGNORED.includes(byte));
    const damaged = !(meant && typeof meant == "object") && (start == 0x7b || start == 0x5b);
    return damaged || code == "json.size" ? other(code, message) : other(noRecord, "not a record");
  }
  if (!isObject(document)) return other("record.type", "a record is a JSON object");
  if (!("canonical_record" in document)) return other(noRecord, "there is no canonical_record");
  if (!isCanonicalRecord(document.canonical_record))
    return [null, "invalid", outcome("schema", "invalid", "schema.violated", "not the closed schema")];
  return [document];
};
// Blanks, and the bytes of a byte order mark.
const IGNORED = [0x20, 0x09, 0x0d, 0x0a, 0xef, 0xbb, 0xbf];

const receiptOf = (document) => {
  if (document.bundle_type !== BUNDLE_TYPE) return document.receipt;
  const first = listOrEmpty(document.events).find((event) => objectOrEmpty(event).event_type === RECORD_CREATED);
  return objectOrEmpty(objectOrEmpty(first).payload).receipt;
};

const verdictOf = (checks) => {
  if (checks.some(({ status }) => status == "invalid")) return "invalid";
  const required = checks.filter(({ id }) => REQUIRED.includes(id));
  return required.every(({ status }) => status == "valid") ? "verified" : "not_checked";
};

const withFingerprint = async ({ raw, key_id = null, registry = "your key" }) => {
  const bytes = isText(raw) ? base64(raw) : raw;
  if (bytes?.length != 32) throw new TypeError("a key has 32 bytes");
  return { raw: bytes, key_id, registry, fingerprint: hex(await sha256(bytes)).slice(0, FINGERPRINT_LENGTH) };
};

/**
 * Verify a record's bytes: {report, record}, where `record` is the canonical record, or null.
 *
 * `asked`: the number that was wanted, in any form; a text that is none throws a PithError. `keys`: keys that the user
 * trusts besides the pinned ones: {raw, key_id, registry}, `raw` 32 bytes or their base64. `input`: what to call it in the report.
 */
export async function examine(bytes, { asked = null, keys = [], input = "" } = {}) {
  const wanted = asked == null ? null : parseNumber(asked);
  // Not instanceof: the bytes may come from another frame.
  if (bytes?.[Symbol.toStringTag] != "Uint8Array") throw new TypeError("a record is given as a Uint8Array");
  if (!globalThis.crypto?.subtle) {
    const check = outcome("parse", "not_checked", "program.no_webcrypto", "no WebCrypto here, as on pages without https");
    return { report: unread("not_checked", check, input), record: null };
  }
  const [document, verdict, check] = recordIn(bytes);
  if (!document) return { report: unread(verdict, check, input), record: null };
  const record = document.canonical_record;
  const digest = await digestOf(canonical(record));
  const hash = hex(digest);
  const derived = derive(record, digest);
  const isBundle = document.bundle_type === BUNDLE_TYPE;
  const receipt = receiptOf(document);
  const known = await Promise.all([...PINNED, ...keys].map(withFingerprint));
  const [receiptKey, key] = await keyCheck(receipt, known, digest);
  const paper = objectOrEmpty(document.paper);
  const checks = [
    outcome("parse", "valid", "parse.ok", `strict JSON, a ${isBundle ? "bundle" : "record"}`),
    outcome("schema", "valid", "schema.ok", "the canonical record has its closed schema"),
    hashCheck(document, hash),
    numberCheck(document, derived, wanted),
    yearCheck(document, derived, wanted),
    aliasesCheck(document[isBundle ? "source_aliases" : "aliases"], record, derived),
    receiptKey,
    await signatureCheck(receipt, key, digest, hash),
    await titleCheck(paper.title, record.metadata.title_canon_sha256),
    await abstractCheck(paper.abstract_excerpt, record.metadata.abstract_canon_sha256),
    await snapshotsCheck(document.graph_snapshot),
    ...claimChecks(document),
  ];
  const report = { schema: REPORT_SCHEMA, input, number: numberText(derived), verdict: verdictOf(checks), checks };
  return { report, record };
}

/** The report of `examine`, which is that of `pybadge verify --json`. */
export const verify = async (bytes, options) => (await examine(bytes, options)).report;
