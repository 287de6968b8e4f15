"""Bounds of a TOML text, checked before it is parsed: the time of Python's reader grows with the
square of the parts of a dotted key, and it is recursive."""

from __future__ import annotations

import re

__all__ = ["check_shape"]

MAX_DEPTH = 64  # brackets inside each other, and parts of a dotted key
MAX_WORD = 400  # characters of a number or bare key

# What begins a comment or a string, and what ends it; strings of two kinds have escapes.
_OPENING = re.compile("#|\"\"\"|'''|[\"']")
_ENDS = {
    '"""': re.compile(r'"""|\\.', re.DOTALL),
    '"': re.compile(r'"|(?=\n)|\\.'),
    "'''": re.compile("'''"),
    "'": re.compile("'|(?=\n)"),
    "#": re.compile("(?=\n)"),
}
_BRACKET = re.compile(r"[\[\]{}]")
_BESIDE_KEYS = re.compile(r"[\[\]{}=,\n]")
_LONG_WORD = re.compile(rf"[0-9A-Za-z_]{{{MAX_WORD}}}")


def check_shape(text: str) -> None:
    """Refuse a text that would take long to parse.

    Raises:
        ValueError: brackets are nested too deep, a key has too many parts, or a key or number is
            too long.
    """
    bare = _without_strings(text)
    depth = 0
    for match in _BRACKET.finditer(bare):
        depth += 1 if match[0] in "[{" else -1
        if depth > MAX_DEPTH:
            raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if any(piece.count(".") > MAX_DEPTH for piece in _BESIDE_KEYS.split(bare)):
        raise ValueError(f"a key of more than {MAX_DEPTH} parts")
    if _LONG_WORD.search(bare):
        raise ValueError(f"a number or key of more than {MAX_WORD} characters")


def _without_strings(text: str) -> str:
    """The text with a quotation mark in place of each string, and without comments."""
    kept, position = [], 0
    while (match := _OPENING.search(text, position)) is not None:
        kept.append(text[position : match.start()])
        position = _end(text, match)
    kept.append(text[position:])
    return '"'.join(kept)


def _end(text: str, opening: re.Match[str]) -> int:
    """Where the string or comment ends that begins with a match."""
    ending = _ENDS[opening[0]]
    position = opening.end()
    while (found := ending.search(text, position)) is not None:
        position = found.end()
        if not found[0].startswith("\\"):
            return position
    return len(text)
