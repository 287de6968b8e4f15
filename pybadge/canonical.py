"""Canonical bytes and the hashes made of them (docs/spec, 2.3 and 3)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import lru_cache
from hashlib import sha256
from typing import Any

__all__ = [
    "LONGEST_RUN",
    "LOWERED",
    "MARKS",
    "WHITE_SPACE",
    "abstract_sha256",
    "canonical_bytes",
    "canonical_digest",
    "canonical_sha256",
    "is_composable",
    "snapshot_sha256",
    "text_form",
    "title_sha256",
]

# The sets of characters of docs/spec, 3: ranges of code points, first and last.
WHITE_SPACE = (
    (0x9, 0xD),
    (0x1C, 0x20),
    (0x85, 0x85),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
)
"""White space: Unicode's, and U+001C to U+001F."""
LOWERED = ((0x0, 0x52F), (0x1E00, 0x206F))
"""The code points that have a lower case here: their mappings are the same since Unicode 8."""
MARKS = ((0x300, 0x36F), (0x483, 0x487))
"""The combining marks among `LOWERED`."""
LONGEST_RUN = 30
"""Combining marks in a row that are still normalised: it takes the square of their number."""

_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


def canonical_bytes(obj: Any) -> bytes:
    """The one byte string that stands for a JSON value: keys sorted by code point, no blanks, UTF-8
    unescaped.

    Args:
        obj: a JSON value (dict, list, str, int, bool, None).

    Raises:
        ValueError: NaN, Infinity, a lone surrogate, or a value that is circular or nested hundreds
            of levels deep.
        TypeError: a value JSON can't express.
    """
    try:
        return _encode(obj).encode("utf-8")
    except RecursionError:
        raise ValueError("a circular or too deeply nested value has no canonical form") from None


def canonical_digest(obj: Any) -> bytes:
    """The 32 raw bytes of SHA-256 over `canonical_bytes`, which a receipt signs
    (docs/spec, 2.4 and 4.1)."""
    return sha256(canonical_bytes(obj)).digest()


def canonical_sha256(obj: Any) -> str:
    """The canonical hash: 64 lower-case hex digits."""
    return canonical_digest(obj).hex()


def text_form(text: str) -> str:
    """The form of a title or abstract that is hashed: white space runs to one blank, ends trimmed,
    lower case.

    TeX is kept as arXiv's metadata has it. For text beyond ASCII the rule is ours
    (docs/spec, 3.2): `WHITE_SPACE` is white space, and each character of `LOWERED` is put in
    lower case by itself. So no version of Unicode matters, nor a sigma's place in its word.
    """
    if text.isascii():
        # The same result as below in a third of the time; whole snapshots of arXiv pass through
        # here.
        line = text.replace("\n", " ").strip()
        for blank in "\t\r\x0b\x0c\x1c\x1d\x1e\x1f":
            if blank in line:
                break
        else:
            while "  " in line:
                line = line.replace("  ", " ")
            return line.lower()
    return " ".join(text.split()).translate(_lower_case())  # split() knows `WHITE_SPACE`


@lru_cache(maxsize=1)
def _lower_case() -> dict[int, str]:
    characters = [chr(code) for first, last in LOWERED for code in range(first, last + 1)]
    return {ord(c): c.lower() for c in characters if c.lower() != c}


def is_composable(text: str) -> bool:
    """Whether a text's form NFC is the same in every version of Unicode, and takes linear time:
    all its characters are of `LOWERED`, and no run of `MARKS` is longer than `LONGEST_RUN`."""
    return _COMPOSABLE.fullmatch(text) is not None and _LONG_RUN.search(text) is None


def _class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


_COMPOSABLE = re.compile(f"[{_class(LOWERED)}]*")
_LONG_RUN = re.compile(f"[{_class(MARKS)}]{{{LONGEST_RUN + 1}}}")


def title_sha256(text: str) -> str:
    """The ``title_canon_sha256`` of a title: 64 hex digits.

    Raises:
        ValueError: the text has a lone surrogate.
    """
    return sha256(text_form(text).encode("utf-8")).hexdigest()


def abstract_sha256(text: str) -> str:
    """The ``abstract_canon_sha256`` of a full abstract; the rule is the title's."""
    return title_sha256(text)


def snapshot_sha256(payload: Any) -> str:
    """The ``snapshot_sha256`` inside ``graph_snapshot``: the hash of ``{"payload": payload}``
    (docs/spec, 5.4)."""
    return canonical_sha256({"payload": payload})
