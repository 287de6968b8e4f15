"""What the escaping of every format begins with, and the formats that are plain lines: terminals, CI logs, CSV.

Kept apart from `pybadge.escape`, which offers these names too, since the patterns of the other formats need `re`, and
importing that takes half as long as starting Python.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re

__all__ = ["csv_cell", "github_message", "github_property", "plain", "terminal"]

_REPLACEMENT = "\ufffd"
# C0 and C1 controls, lone surrogates, non-characters; bidirectional controls; invisible characters, among them the tags
# block. U+200C and U+200D stay: Persian, Indic scripts and emoji need them, and they move no letter.
_HOSTILE_CHARACTERS = (
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ufdd0-\ufdef\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f"
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
    + "]"
)
_BLANK_CHARACTERS = "[\\s\u0085\u2028\u2029]+"
_patterns: list[re.Pattern[str]] = []


def plain(text: str) -> str:
    """One line of text that shows what it holds: runs of white space become one blank, hostile characters U+FFFD."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    if not _patterns:
        import re

        _patterns[:] = re.compile(_BLANK_CHARACTERS), re.compile(_HOSTILE_CHARACTERS)
    blanks, hostile = _patterns
    return hostile.sub(_REPLACEMENT, blanks.sub(" ", text)).strip(" ")


def terminal(text: str) -> str:
    """One line for a terminal or log: no escape sequence, no bidirectional control, no line break."""
    return plain(text)


def github_message(text: str) -> str:
    """The message of a GitHub workflow command (``::error::MESSAGE``)."""
    return plain(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def github_property(text: str) -> str:
    """A property value of a GitHub workflow command (``file=VALUE``)."""
    return github_message(text).replace(":", "%3A").replace(",", "%2C")


def csv_cell(text: str) -> str:
    """A CSV cell that no spreadsheet takes for a formula."""
    cleaned = plain(text)
    # Some spreadsheets skip blanks and full-width forms before they look for the sign.
    return f"'{cleaned}" if cleaned[:1] in tuple("=+-@＝＋－＠\ufffd") else cleaned
