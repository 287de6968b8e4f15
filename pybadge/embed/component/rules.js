/*! MIT licence */
// The rules that verify.js shares with the Python package. Made by tools/rules.py.

export const REPORT_SCHEMA = "pybadge-report/1";
export const CHECK_IDS = ["parse", "schema", "canonical_hash", "number", "year", "aliases", "receipt_key", "receipt_signature", "title", "abstract", "snapshots", "timestamp", "storage", "author", "citations", "replications"]; // in the report's order
export const REQUIRED = ["parse", "schema", "canonical_hash", "number", "year", "receipt_key", "receipt_signature"]; // for the verdict `verified`
export const UNREAD = "record.unread"; // the code of a check that could not begin
export const EXIT_CODES = { verified: 0, invalid: 1, not_checked: 3, unreadable: 2, failed: 70 };
export const MAX_BYTES = 1048576;
export const MAX_DEPTH = 64;
export const MAX_INTEGER = 9007199254740991;
export const LENIENT_DEPTH = 256; // for telling what a file is meant to be
export const RECORD_KEYS = ["metadata", "schema_version", "source"]; // the closed schema
export const METADATA_KEYS = ["abstract_canon_sha256", "cross_cats_sorted", "license", "primary_cat", "submitted_at", "title_canon_sha256"];
export const SOURCE_KEYS = ["id", "kind", "version"];
export const SCHEMA_VERSION = "1.0";
export const SOURCE_KIND = "arxiv";
export const HASH = "[0-9a-f]{64}"; // a pattern
export const TIME = "([0-9]{4})-([0-9]{2})-([0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)Z"; // a pattern; its groups are year, month and day
export const ARXIV_ID = "[0-9]{4}\\.[0-9]{4,5}|[a-z-]{2,20}(?:\\.[A-Z]{2})?/[0-9]{7}"; // a pattern
export const CATEGORY = "[A-Za-z][A-Za-z0-9-]{0,30}(?:\\.[A-Za-z][A-Za-z0-9-]{0,30})?"; // a pattern
export const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"; // of base32
export const FULL_LENGTH = 26; // characters of a whole number
export const SHORT_LENGTHS = [8, 12, 16];
export const UNAMBIGUOUS_LENGTH = 12;
export const LONGEST_NUMBER = 64; // in any of its forms
export const DOI_PREFIX = "10.48550/arxiv."; // before the arXiv id
export const BUNDLE_TYPE = "pith_open_graph_bundle";
export const RECORD_CREATED = "record_created"; // the event that has a bundle's receipt
export const EXCERPT_LENGTH = 600; // the abstract's, in code points
export const EXCERPT_CUT = 10; // blanks that an excerpt may have lost at its end
export const WHITE_SPACE = "\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028-\\u2029\\u202f\\u205f\\u3000"; // a class of characters
export const LOWERED = "\\u0000-\\u052f\\u1e00-\\u206f"; // a class: what has a lower case here
export const MARKS = "\\u0300-\\u036f\\u0483-\\u0487"; // a class: combining marks
export const LONGEST_RUN = 30; // of combining marks that are composed
export const ALGORITHM = "ed25519";
export const RECEIPT_FIXED = { kind: "pith_receipt", signed_message: "canonical_sha256_bytes", signature_status: "signed_v1" }; // fields that every receipt has
export const RECEIPT_VERSION = "0.3";
export const PINNED = [{ key_id: "pith-v1-2026-05", registry: "Pith", raw: "stVStoiQhXFxp4s2pdzPNoqVNBMojDU/fJ2db5S3CbM=" }]; // the keys of the registry
export const FINGERPRINT_LENGTH = 32; // hex digits of SHA-256 of the raw key
export const FIELD = 0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffedn; // the prime 2^255 - 19
export const ORDER = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn; // of the base point
export const SMALL_ORDER_Y = [0n, 1n, 2707385501144840649318225287225658788936804267575313519463743609750303402022n, 55188659117513257062467267217118295137698188065244968500265048394206261417927n, 57896044618658097711785492504343953926634992332820282019728792003956564819948n]; // of the points of small order
export const SNAPSHOT_PARTS = ["claims", "references", "author_claims", "formal_canon", "integrity"];
export const CLAIMS = { timestamp: ["externally_anchored", "timestamp_anchor"], storage: ["storage_verified", "storage_attestation"], author: ["author_attested", "author_attestation"], citations: ["citation_signatures", "citation_signature"], replications: ["replication_records", "replication_record"] }; // check: the flag in verification_status, the type of event
export const RESOLVER = "https://pith.science"; // where records have their pages
