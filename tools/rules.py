"""The rules that the JavaScript verifier shares with the package, made from the package's own
constants, so that the two can't say anything else.

    python tools/rules.py           print pybadge/embed/component/rules.js
    python tools/rules.py --write   bring the file up to date
"""

from __future__ import annotations

import json
import sys
from base64 import b64encode
from collections.abc import Iterable, Sequence
from typing import Any

from pybadge import arxiv, canonical, ed25519, keys, number, receipt, record, schema, strict_json
from pybadge.address import DEFAULT_RESOLVER
from pybadge.checks import report, served
from pybadge.documents import LENIENT_DEPTH
from pybadge.errors import FAILED
from pybadge.input import MAX_BYTES
from pybadge.output import write_file

__all__ = ["RULES", "RULES_FILE", "rules_module"]

RULES_FILE = "pybadge/embed/component/rules.js"
_HEAD = """\
/*! MIT licence */
// The rules that verify.js shares with the Python package. Made by tools/rules.py.
"""


def _pinned() -> list[dict[str, Any]]:
    return [
        {"key_id": key.key_id, "registry": key.registry, "raw": b64encode(key.raw).decode("ascii")}
        for key in keys.PINNED
    ]


def _class(ranges: Iterable[tuple[int, int]]) -> str:
    """Ranges of code points as they stand between the brackets of a regular expression."""
    return "".join(
        f"\\u{first:04x}" + (f"-\\u{last:04x}" if last > first else "") for first, last in ranges
    )


# name -> (value, a comment). Patterns are the source of regular expressions that mean the same in
# both languages; they are matched against the whole text.
RULES: dict[str, tuple[Any, str]] = {
    "REPORT_SCHEMA": (report.SCHEMA, ""),
    "CHECK_IDS": (report.CHECK_IDS, "in the report's order"),
    "REQUIRED": (report.REQUIRED, "for the verdict `verified`"),
    "UNREAD": (report.UNREAD, "the code of a check that could not begin"),
    "EXIT_CODES": ({**report.EXIT_CODES, "failed": FAILED}, ""),
    "MAX_BYTES": (MAX_BYTES, ""),
    "MAX_DEPTH": (strict_json.MAX_DEPTH, ""),
    "MAX_INTEGER": (strict_json.MAX_INTEGER, ""),
    "LENIENT_DEPTH": (LENIENT_DEPTH, "for telling what a file is meant to be"),
    "RECORD_KEYS": (schema.RECORD_KEYS, "the closed schema"),
    "METADATA_KEYS": (schema.METADATA_KEYS, ""),
    "SOURCE_KEYS": (schema.SOURCE_KEYS, ""),
    "SCHEMA_VERSION": (schema.SCHEMA_VERSION, ""),
    "SOURCE_KIND": (schema.SOURCE_KIND, ""),
    "HASH": (schema.SHA256_HEX.pattern, "a pattern"),
    "TIME": (schema.UTC_TIME.pattern, "a pattern; its groups are year, month and day"),
    "ARXIV_ID": (arxiv.IDENTIFIER.pattern, "a pattern"),
    "CATEGORY": (arxiv.CATEGORY.pattern, "a pattern"),
    "ALPHABET": (number.ALPHABET, "of base32"),
    "FULL_LENGTH": (number.FULL_LENGTH, "characters of a whole number"),
    "SHORT_LENGTHS": (number.SHORT_LENGTHS, ""),
    "UNAMBIGUOUS_LENGTH": (number.UNAMBIGUOUS_LENGTH, ""),
    "LONGEST_NUMBER": (number.LONGEST_TEXT, "in any of its forms"),
    "DOI_PREFIX": (record.DOI_PREFIX, "before the arXiv id"),
    "BUNDLE_TYPE": (record.BUNDLE_TYPE, ""),
    "RECORD_CREATED": (record.RECORD_CREATED, "the event that has a bundle's receipt"),
    "EXCERPT_LENGTH": (record.EXCERPT_LENGTH, "the abstract's, in code points"),
    "EXCERPT_CUT": (record.EXCERPT_CUT, "blanks that an excerpt may have lost at its end"),
    "WHITE_SPACE": (_class(canonical.WHITE_SPACE), "a class of characters"),
    "LOWERED": (_class(canonical.LOWERED), "a class: what has a lower case here"),
    "MARKS": (_class(canonical.MARKS), "a class: combining marks"),
    "LONGEST_RUN": (canonical.LONGEST_RUN, "of combining marks that are composed"),
    "ALGORITHM": (ed25519.ALGORITHM, ""),
    "RECEIPT_FIXED": (receipt.FIXED, "fields that every receipt has"),
    "RECEIPT_VERSION": (receipt.VERSION, ""),
    "PINNED": (_pinned(), "the keys of the registry"),
    "FINGERPRINT_LENGTH": (keys.FINGERPRINT_LENGTH, "hex digits of SHA-256 of the raw key"),
    "FIELD": (ed25519.FIELD, "the prime 2^255 - 19"),
    "ORDER": (ed25519.ORDER, "of the base point"),
    "SMALL_ORDER_Y": (sorted(ed25519.SMALL_ORDER_Y), "of the points of small order"),
    "SNAPSHOT_PARTS": (served.PARTS, ""),
    "CLAIMS": (
        {name: [flag, event] for name, (flag, event, _) in served.CLAIMS.items()},
        "check: the flag in verification_status, the type of event",
    ),
    "RESOLVER": (DEFAULT_RESOLVER, "where records have their pages"),
}


def _literal(value: Any) -> str:
    """A value as a JavaScript literal; integers that a double can't hold become BigInts."""
    if isinstance(value, int) and value > strict_json.MAX_INTEGER:
        return f"0x{value:x}n"
    if isinstance(value, (list, tuple)):
        # 0n among BigInts: the two kinds of numbers are never equal in `includes`.
        big = any(isinstance(item, int) and item > strict_json.MAX_INTEGER for item in value)
        return f"[{', '.join(f'{item}n' if big else _literal(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name}: {_literal(item)}' for name, item in value.items())} }}"
    return json.dumps(value)


def rules_module() -> str:
    """The text of ``rules.js``."""
    lines = []
    for name, (value, comment) in RULES.items():
        remark = f" // {comment}" if comment else ""
        lines.append(f"export const {name} = {_literal(value)};{remark}\n")
    return _HEAD + "\n" + "".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Print the module, or write it with ``--write``."""
    if list(arguments) == ["--write"]:
        write_file(RULES_FILE, rules_module().encode("utf-8"))
    else:
        sys.stdout.write(rules_module())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
