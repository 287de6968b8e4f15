"""Pith Numbers: parse, normalise, shorten, derive from a hash (PROTOCOL.md 1).

A number is compared by *encoding* a digest to base32, never by decoding the number: the last of the 26 characters
carries two bits more than 128, which a decoder would drop.
"""

from __future__ import annotations

import base64
import re

from pybadge.canonical import canonical_digest
from pybadge.errors import NumberError
from pybadge.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

__all__ = ["FULL_LENGTH", "SHORT_LENGTHS", "PithNumber", "from_hash", "from_record", "parse_number"]

FULL_LENGTH = 26
SHORT_LENGTHS = (8, 12, 16)
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
_LONGEST = 64  # "pith:2024:" + 26 characters with room for blanks around it
_SHAPE = re.compile(r"(?:(?P<scheme>pith):(?:(?P<year>[0-9]{4}):)?)?(?P<suffix>[^:]*)", re.IGNORECASE)
_TYPING_HELP = {"0": "the letter O", "1": "the letter I or L", "8": "the letter B", "9": "no base32 character"}


class PithNumber(Frozen):
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
        text: ``XR2U…``, ``pith:XR2U…``, ``pith:2024:XR2U…``; 26, 16, 12 or 8 characters after the scheme.

    Raises:
        NumberError: naming the fault and the offending character.
    """
    stripped = text.strip(" \t\r\n")
    if not stripped:
        raise NumberError("a Pith Number is missing: write 26 characters of A-Z and 2-7", code="number.empty")
    if len(stripped) > _LONGEST:
        raise NumberError(
            f"not a Pith Number: {len(stripped)} characters are too many, a number has {FULL_LENGTH}",
            code="number.length",
        )
    match = _SHAPE.fullmatch(stripped)
    if match is None:
        raise NumberError(
            f"not a Pith Number: {_quoted(stripped)} is not of the form pith:2024:XR2U… or XR2U…",
            code="number.malformed",
        )
    suffix = match["suffix"]
    for position, character in enumerate(suffix, start=1):
        # Checked before upper(): 'ı'.upper() is 'I' and 'ſ'.upper() is 'S'.
        if not character.isascii() or character.upper() not in _ALPHABET:
            raise NumberError(
                f"not a Pith Number: character {position} of {_quoted(suffix)} is {_named(character)}; "
                "only A-Z and 2-7 occur",
                code="number.character",
            )
    if len(suffix) != FULL_LENGTH and len(suffix) not in SHORT_LENGTHS:
        raise NumberError(
            f"not a Pith Number: {_quoted(suffix)} has {len(suffix)} characters; a number has {FULL_LENGTH}, "
            "a short form 8, 12 or 16",
            code="number.length",
        )
    year = match["year"]
    return PithNumber(suffix.upper(), int(year) if year else None)


def _quoted(text: str) -> str:
    return ascii(text) if len(text) <= 40 else ascii(text[:40]) + "…"


def _named(character: str) -> str:
    if character in _TYPING_HELP:
        return f"{character!r} (did you mean {_TYPING_HELP[character]}?)" if character != "9" else "'9'"
    if character.isascii() and character.isprintable():
        return f"{character!r}"
    import unicodedata

    return f"U+{ord(character):04X} {unicodedata.name(character, 'an unnamed character')}"


def from_hash(digest: bytes, year: int | None = None) -> PithNumber:
    """The number of a canonical record's SHA-256 (PROTOCOL.md 1: base32 of the whole digest, first 26 characters).

    Args:
        digest: the 32 raw bytes.
        year: the year of ``metadata.submitted_at``.

    Raises:
        ValueError: ``digest`` is not 32 bytes.
    """
    if len(digest) != 32:
        raise ValueError(f"a SHA-256 digest has 32 bytes, not {len(digest)}")
    return PithNumber(base64.b32encode(digest)[:FULL_LENGTH].decode("ascii"), year)


def from_record(canonical_record: Mapping[str, Any]) -> PithNumber:
    """The full number, with year, of a canonical record.

    Args:
        canonical_record: the ``canonical_record`` object; its schema is the caller's to check (`pybadge.record`).

    Raises:
        KeyError, TypeError, ValueError: the object is not a canonical record.
    """
    year = int(canonical_record["metadata"]["submitted_at"][:4])
    return from_hash(canonical_digest(canonical_record), year)
