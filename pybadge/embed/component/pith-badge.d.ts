import type { Report } from "./verify.js";

export { canonical, parse, verify } from "./verify.js";

export type State =
  | "checking"
  | "verified"
  | "invalid"
  | "hash-only"
  | "not-checked"
  | "unreadable"
  | "offline";

/** The report of `verify`, and what the badge shows of it. */
export interface BadgeReport extends Report {
  state: State;
  /** arXiv id with version, from the hashed record; absent where there is none. */
  arxiv?: string;
}

/** `<pith-badge src="RECORD.json" number="26 CHARACTERS" timeout="15">` */
export class PithBadge extends HTMLElement {
  report: BadgeReport;
  /** Fetch and check again; the state is in `report`, and in the event `pith-checked`. */
  verify(): Promise<void>;
}

declare global {
  interface HTMLElementTagNameMap {
    "pith-badge": PithBadge;
  }
  interface HTMLElementEventMap {
    "pith-checked": CustomEvent<BadgeReport>;
  }
}
