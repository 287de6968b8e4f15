"""Text for lines: terminals, logs, CI, CSV. The escaping of every other format begins with
`one_line`."""

from __future__ import annotations

import re

__all__ = ["csv_cell", "github_message", "github_property", "one_line"]

_REPLACEMENT = "\ufffd"
# C0 and C1 controls, lone surrogates, non-characters; bidirectional controls; invisible characters,
# among them the tags block. U+200C and U+200D stay: Persian, Indic scripts and emoji need them, and
# they move no letter.
_NON_CHARACTERS = "".join(
    f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000)
)
_HOSTILE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff"
    f"\U000e0000-\U000e007f{_NON_CHARACTERS}]"
)
_BLANKS = re.compile("[\\s\u0085\u2028\u2029]+")


def one_line(text: str) -> str:
    """One line of text that shows what it holds, for terminals, logs and every other format: runs
    of white space become one blank, hostile characters U+FFFD.

    No escape sequence, bidirectional control or line break is left.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return _HOSTILE.sub(_REPLACEMENT, _BLANKS.sub(" ", text)).strip(" ")


def github_message(text: str) -> str:
    """The message of a GitHub workflow command (``::error::MESSAGE``)."""
    return one_line(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """A property value of a GitHub workflow command (``file=VALUE``)."""
    return github_message(text).replace(":", "%3A").replace(",", "%2C")


def csv_cell(text: str) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    cleaned = one_line(text)
    # Some spreadsheets skip blanks and full-width forms before they look for the sign.
    return f"'{cleaned}" if cleaned[:1] in tuple("=+-@＝＋－＠\ufffd") else cleaned
