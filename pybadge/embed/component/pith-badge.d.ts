/** The outcome of one check. */
export interface Check {
  id:
    | "record"
    | "parse"
    | "schema"
    | "canonical_hash"
    | "number"
    | "year"
    | "title"
    | "receipt_key"
    | "receipt_signature";
  status: "valid" | "invalid" | "not_checked";
  /** For people. It may quote the record: show it as text only. */
  detail: string;
}

export type State = "checking" | "verified" | "invalid" | "hash-only" | "not-checked" | "offline";

export interface Report {
  state: State;
  checks: Check[];
  /** SHA-256 of the canonical record, 64 hex digits, as computed here. */
  hash?: string;
  /** `pith:2024:XR2U…`, as computed here. */
  number?: string;
  /** arXiv id with version, from the hashed record. */
  arxiv?: string;
}

/** Parse JSON strictly. Throws where pybadge refuses a record. */
export function parse(text: string): unknown;

/** The canonical text of a value from `parse`; its UTF-8 is what is hashed. */
export function canonical(value: unknown): string;

/** Check a record's bytes against a number of 26 characters. Never throws. */
export function check(bytes: Uint8Array, wanted: string | null): Promise<Report>;

/** `<pith-badge src="RECORD.json" number="26 CHARACTERS" timeout="15">` */
export class PithBadge extends HTMLElement {
  report: Report;
  /** Fetch and check again; the state is in `report`, and in the event `pith-checked`. */
  verify(): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    "pith-badge": PithBadge;
  }
  interface HTMLElementEventMap {
    "pith-checked": CustomEvent<Report>;
  }
}
