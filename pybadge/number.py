"""Pith Numbers: parse, normalise, shorten, derive from a hash (docs/spec, 1).

A number is compared by *encoding* a digest to base32, never by decoding the number: the last of the
26 characters carries two bits more than 128, which a decoder would drop.
"""

from __future__ import annotations

import unicodedata
from base64 import b32encode
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pybadge.canonical import canonical_digest
from pybadge.errors import NumberError

__all__ = [
    "ALPHABET",
    "FULL_LENGTH",
    "LONGEST_TEXT",
    "SHORT_LENGTHS",
    "UNAMBIGUOUS_LENGTH",
    "PithNumber",
    "from_hash",
    "from_record",
    "parse_number",
    "suffix_of",
]

FULL_LENGTH = 26
SHORT_LENGTHS = (8, 12, 16)
# Among the 2.8 million records of the registry, 8 characters are expected to collide (40 bits,
# birthday bound), 12 are not.
UNAMBIGUOUS_LENGTH = 12
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
LONGEST_TEXT = 64  # "pith:2024:" + 26 characters with room for blanks around it
_LETTERS = frozenset(ALPHABET)
_SLIPS = {"0": ("O",), "1": ("I", "L"), "8": ("B",)}


@dataclass(frozen=True, slots=True)
class PithNumber:
    """A Pith Number, normalised to upper case.

    Attributes:
        suffix: 26 characters of A-Z2-7, or 8, 12 or 16 for a short form.
        year: the year of v1's submission, where it is known.
    """

    suffix: str
    year: int | None = None

    @property
    def is_full(self) -> bool:
        """True for 26 characters. A short form names a record but can't prove it."""
        return len(self.suffix) == FULL_LENGTH

    @property
    def short(self) -> str:
        """The 8-character form with its scheme: ``pith:XR2UHLWN``."""
        return f"pith:{self.suffix[:8]}"

    @property
    def text(self) -> str:
        """``pith:2024:XR2U…`` with a year, ``pith:XR2U…`` without."""
        return f"pith:{self.year}:{self.suffix}" if self.year is not None else f"pith:{self.suffix}"

    def __str__(self) -> str:
        return self.text


def parse_number(text: str) -> PithNumber:
    """Read a Pith Number in any of its forms, in any letter case.

    Args:
        text: ``XR2U…``, ``pith:XR2U…``, ``pith:2024:XR2U…``; 26, 16, 12 or 8 characters after the
            scheme.

    Raises:
        NumberError: naming the fault and the offending character.
    """
    stripped = text.strip(" \t\r\n")
    if not stripped:
        raise NumberError(
            "a Pith Number is missing: write 26 characters of A-Z and 2-7",
            code="number.empty",
        )
    if len(stripped) > LONGEST_TEXT:
        raise NumberError(
            f"not a Pith Number: {len(stripped)} characters are too many, a number has "
            f"{FULL_LENGTH}",
            code="number.length",
        )
    scheme, year, suffix = _parts(stripped)
    _check_suffix(suffix)
    if year and not (scheme and len(year) == 4 and year.isascii() and year.isdigit()):
        raise NumberError(
            f"not a Pith Number: {_quoted(year)} is not a year of four digits 0-9",
            code="number.malformed",
        )
    return PithNumber(suffix.upper(), int(year) if year else None)


def _check_suffix(suffix: str) -> None:
    wrong = next((n for n, c in enumerate(suffix) if not _is_letter(c)), None)
    if wrong is not None:
        raise NumberError(
            f"not a Pith Number: character {wrong + 1} of {_quoted(suffix)} is "
            f"{_named(suffix[wrong])}; only A-Z and 2-7 occur{_suggestion(suffix)}",
            code="number.character",
        )
    if len(suffix) not in (FULL_LENGTH, *SHORT_LENGTHS):
        raise NumberError(
            f"not a Pith Number: {_quoted(suffix)} has {len(suffix)} characters; a number has "
            f"{FULL_LENGTH}, a short form 8, 12 or 16",
            code="number.length",
        )


def _is_letter(character: str) -> bool:
    # isascii() before upper(): 'ı'.upper() is 'I' and 'ſ'.upper() is 'S'.
    return character.isascii() and character.upper() in _LETTERS


def _parts(text: str) -> tuple[str, str, str]:
    """Scheme, year and suffix; "" for a part that isn't there.

    Raises:
        NumberError: more parts than a number has, or another scheme.
    """
    parts = text.split(":")
    scheme = parts[0] if len(parts) > 1 else ""
    if len(parts) > 3 or (scheme and scheme.lower() != "pith") or not all(parts):
        odd = next((c for c in text if not c.isascii()), None)
        hint = f"; it holds {_named(odd)}" if odd else ""
        raise NumberError(
            f"not a Pith Number: {_quoted(text)} is not of the form pith:2024:XR2U… or XR2U…{hint}",
            code="number.malformed",
        )
    return scheme, parts[1] if len(parts) == 3 else "", parts[-1]


def _quoted(text: str) -> str:
    return ascii(text) if len(text) <= 40 else ascii(text[:40]) + "…"


def _named(character: str) -> str:
    """What a wrong character is, so that a look-alike can be told from the letter it looks like."""
    if character in _SLIPS:
        return f"{character!r} (typed for the letter {' or '.join(_SLIPS[character])}?)"
    if character.isascii() and character.isprintable():
        return f"{character!r}"
    return f"U+{ord(character):04X} {unicodedata.name(character, 'an unnamed character')}"


def _suggestion(suffix: str) -> str:
    """The number that was meant, if typing slips of one reading are all that is wrong. It is named,
    never used."""
    mended = "".join(
        _SLIPS[c][0] if c in _SLIPS and len(_SLIPS[c]) == 1 else c for c in suffix
    ).upper()
    if (
        len(mended) in (FULL_LENGTH, *SHORT_LENGTHS)
        and suffix.isascii()
        and _LETTERS.issuperset(mended)
    ):
        return f"; did you mean {mended}?"
    return ""


def from_hash(digest: bytes, year: int | None = None) -> PithNumber:
    """The number of a canonical record's SHA-256: the first 26 characters of the base32 of the
    whole digest (docs/spec, 1.1).

    Args:
        digest: the 32 raw bytes.
        year: the year of ``metadata.submitted_at``.

    Raises:
        ValueError: ``digest`` is not 32 bytes.
    """
    return PithNumber(suffix_of(digest), year)


def suffix_of(digest: bytes) -> str:
    """The 26 characters of a canonical record's SHA-256, without building a `PithNumber`.

    Raises:
        ValueError: ``digest`` is not 32 bytes.
    """
    if len(digest) != 32:
        raise ValueError(f"a SHA-256 digest has 32 bytes, not {len(digest)}")
    return b32encode(digest)[:FULL_LENGTH].decode("ascii")


def from_record(canonical_record: Mapping[str, Any]) -> PithNumber:
    """The full number, with year, of a canonical record.

    Args:
        canonical_record: the ``canonical_record`` object; its schema is the caller's to check
            (`pybadge.record`).

    Raises:
        KeyError, TypeError, ValueError: the object is not a canonical record.
    """
    year = int(canonical_record["metadata"]["submitted_at"][:4])
    return from_hash(canonical_digest(canonical_record), year)
