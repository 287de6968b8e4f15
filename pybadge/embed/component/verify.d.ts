/** The checks, in the report's order. */
export type CheckId =
  | "parse"
  | "schema"
  | "canonical_hash"
  | "number"
  | "year"
  | "aliases"
  | "receipt_key"
  | "receipt_signature"
  | "title"
  | "abstract"
  | "snapshots"
  | "timestamp"
  | "storage"
  | "author"
  | "citations"
  | "replications";

export type Status = "valid" | "invalid" | "not_checked" | "absent";
export type Source = "computed" | "signed" | "served";
export type Verdict = "verified" | "invalid" | "not_checked" | "unreadable";

/** The outcome of one check. */
export interface Check {
  id: CheckId;
  status: Status;
  /** A stable word, such as `number.mismatch`. */
  code: string;
  /** For people. It may quote the record: show it as text only. */
  detail: string;
  source: Source;
}

/** What `pybadge verify --json` prints: verdict, codes and states are the same, details may differ. */
export interface Report {
  schema: "pybadge-report/1";
  input: string;
  /** `pith:2024:XR2U…`, as computed here; null where there was no record. */
  number: string | null;
  verdict: Verdict;
  checks: Check[];
}

/** A key that the user trusts; `raw` is 32 bytes, or their base64. */
export interface TrustedKey {
  raw: Uint8Array | string;
  key_id?: string | null;
  registry?: string;
}

export interface Options {
  /** The number that was wanted, in any of its forms. */
  asked?: string | null;
  /** Keys to trust besides the pinned ones. */
  keys?: TrustedKey[];
  /** What to call the record in the report. */
  input?: string;
}

/** What is wrong with an input, with its stable word in `code`. */
export class PithError extends Error {
  constructor(code: string, message: string);
  code: string;
}

export interface PithNumber {
  /** 26 characters of A-Z and 2-7, or 8, 12 or 16 of a short form. */
  suffix: string;
  /** Of the submission of version 1, where the text has it. */
  year: number | null;
  /** Whether it has 26 characters. */
  full: boolean;
}

/** The canonical record: what is hashed and signed. */
export interface CanonicalRecord {
  metadata: {
    abstract_canon_sha256: string;
    cross_cats_sorted: string[];
    license: string;
    primary_cat: string;
    submitted_at: string;
    title_canon_sha256: string;
  };
  schema_version: "1.0";
  source: { id: string; kind: "arxiv"; version: number };
}

/**
 * Verify the bytes of a record or bundle. What is wrong with them is in the report; only an `asked` that is no number
 * throws a PithError, and bytes or keys of another type a TypeError.
 */
export function verify(bytes: Uint8Array, options?: Options): Promise<Report>;

/** As `verify`, with the canonical record; null where there was none. */
export function examine(
  bytes: Uint8Array,
  options?: Options,
): Promise<{ report: Report; record: CanonicalRecord | null }>;

/** The report on something that was no record or could not be had. */
export function unread(verdict: Verdict, check: Check, input?: string): Report;

/** The outcome of one check, as an object. */
export function outcome(id: CheckId, status: Status, code: string, detail: string, source?: Source): Check;

/** Parse the bytes of a JSON text strictly. Throws a PithError where pybadge refuses them. */
export function parse(bytes: Uint8Array): unknown;

/** The canonical text of a value from `parse`; its UTF-8 is what is hashed. */
export function canonical(value: unknown): string;

/** The form of a title or abstract that is hashed. */
export function textForm(text: string): string;

/** SHA-256 of a text's UTF-8: 64 hex digits. */
export function hashOf(text: string): Promise<string>;

/** Read a Pith Number in any of its forms. Throws a PithError. */
export function parseNumber(text: string): PithNumber;

/** Whether a value from `parse` is a canonical record. */
export function isCanonicalRecord(value: unknown): value is CanonicalRecord;

/** The number of a canonical record, with its year. */
export function numberOf(record: CanonicalRecord): Promise<string>;
