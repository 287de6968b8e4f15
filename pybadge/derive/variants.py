"""Known mistakes in each field: the ways in which a derived number misses the real one."""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Literal

from pybadge.canonical import text_form
from pybadge.derive.arxiv_lists import LICENSES, SAME_CATEGORIES
from pybadge.derive.metadata import Metadata
from pybadge.derive.rules import utc_time
from pybadge.errors import MetadataError
from pybadge.record import EXCERPT_LENGTH

__all__ = ["Change", "variants"]

Change = dict[str, Any]
"""The values that replace those of some fields."""

_MOST_VERSIONS = 100  # more than any paper has
# A run of combining marks costs Unicode's normalisation time that grows with its square. Unicode's
# own stream-safe form (UAX 15) has 30 at most.
_MOST_MARKS = 30
# int() refuses, or takes long, where a character reference has thousands of digits.
_LONG_REFERENCE = re.compile(r"&#[0-9]{9}")
_COMBINING = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0327": "c",
    "\u0328": "k",
}
_MARKS = {accent: mark for mark, accent in _COMBINING.items()}
_LETTERS = {
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "æ": "ae",
    "Æ": "AE",
    "å": "aa",
    "Å": "AA",
    "œ": "oe",
    "Œ": "OE",
    "ı": "i",
}
_TEX_LETTER = re.compile(r"\{?\\(ss|o|O|l|L|ae|AE|aa|AA|oe|OE|i)(?:\{\}|\s+|(?![A-Za-z]))\}?")
_TEX_ACCENT = re.compile(
    r"""\{?\\(?:(?P<mark>[`'^~"=.])\s*|(?P<name>[uvHckr])(?:\s+|(?=\{)))"""
    r"""(?:\{\\?(?P<braced>[A-Za-z])\}|\\?(?P<bare>[A-Za-z]))\}?"""
)
# How an accent and its letter are written in TeX: \'e, \'{e}, {\'e}, {\'{e}}.
_TEX_STYLES = ("\\{0}{1}", "\\{0}{{{1}}}", "{{\\{0}{1}}}", "{{\\{0}{{{1}}}}}")
_STRAIGHT = {
    ord("‘"): "'",
    ord("’"): "'",
    ord("“"): '"',
    ord("”"): '"',
    ord("–"): "-",
    ord("—"): "-",
    ord("\N{NO-BREAK SPACE}"): " ",
}


def variants(metadata: Metadata, fields: dict[str, Any]) -> Iterator[tuple[str, str, Change]]:
    """Each known way to get one field otherwise.

    Args:
        metadata: what the number is derived from.
        fields: the fields derived by the rules.

    Yields:
        (field, the thing that a number was then made with, the fields that replace those derived).
        The thing is a noun with what goes with it, to stand behind "the number was made with". No
        two replacements are alike, and none leaves the fields as they are.
    """
    seen: set[str] = set()
    for field, cause, change in _all(metadata, fields):
        key = repr(change)
        if key not in seen and any(fields[name] != value for name, value in change.items()):
            seen.add(key)
            yield field, cause, change


def _all(metadata: Metadata, fields: dict[str, Any]) -> Iterator[tuple[str, str, Change]]:
    for cause, version in _versions(metadata, fields["version"]):
        yield "version", cause, {"version": version}
    for cause, time in _times(metadata, fields["submitted_at"]):
        yield "submitted_at", cause, {"submitted_at": time}
    yield from _hashes("title", metadata.title or "")
    yield from _hashes("abstract", metadata.abstract or "")
    yield from _categories(fields["primary_cat"], fields["cross_cats"], metadata.categories or ())
    for cause, license in _licenses(fields["license"]):
        yield "license", cause, {"license": license}
    for cause, source_id in _ids(fields["id"], fields["version"]):
        yield "id", cause, {"id": source_id}


def _versions(metadata: Metadata, version: int) -> Iterator[tuple[str, int]]:
    last = metadata.versions[-1][0] if metadata.versions else version
    for number in range(1, min(max(last, version) + 4, _MOST_VERSIONS)):
        yield f"version {number} instead of {version}", number


def _times(metadata: Metadata, submitted_at: str) -> Iterator[tuple[str, Any]]:
    for number, text in metadata.versions[1:_MOST_VERSIONS]:
        try:
            time = utc_time(text)
        except MetadataError:
            continue
        yield f"the time of v{number} instead of v1's", time
    yield "midnight instead of the time of day", f"{submitted_at[:10]}T00:00:00Z"
    yield "no time of day", submitted_at[:10]
    yield "the offset +00:00 instead of Z", f"{submitted_at[:-1]}+00:00"
    yield "no Z", submitted_at[:-1]
    yield "fractions of a second", f"{submitted_at[:-1]}.000000Z"
    moment = datetime.fromisoformat(submitted_at[:-1])
    for hours in range(-12, 15):
        try:
            shifted = (moment + timedelta(hours=hours)).isoformat()
        except OverflowError:
            continue
        yield f"local time ({hours:+d} h) instead of UTC", f"{shifted}Z"


def _hashes(field: str, text: str) -> Iterator[tuple[str, str, Change]]:
    for cause, other in _texts(text):
        try:
            digest = hashlib.sha256(other.encode("utf-8")).hexdigest()
        except UnicodeEncodeError:
            continue
        yield field, cause, {field: digest}


def _texts(text: str) -> Iterator[tuple[str, str]]:
    yield from _spacings(text)
    yield from _writings(text)
    form = text_form(text)
    yield "no full stop at the end", form.rstrip(".")
    yield "a full stop at the end", f"{form}."
    yield f"only the first {EXCERPT_LENGTH} characters", form[:EXCERPT_LENGTH]


def _spacings(text: str) -> Iterator[tuple[str, str]]:
    """White space and letter case treated otherwise."""
    line = " ".join(text.split())
    yield "the text as it stands, white space not collapsed and letter case kept", text
    yield "the text in lower case, but with white space not collapsed", text.lower()
    yield (
        "the text in lower case and trimmed, but with inner white space not collapsed",
        text.strip().lower(),
    )
    yield "the text with white space collapsed, but letter case kept", line
    yield "the text trimmed, but letter case kept", text.strip()
    yield "a trailing newline", f"{text_form(text)}\n"
    yield "a trailing newline and letter case kept", f"{line}\n"
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    yield "the line breaks kept", "\n".join(lines).lower()
    yield (
        "the line breaks taken out and no blank put in their place",
        text_form("".join(line.strip() for line in text.split("\n"))),
    )
    yield "the text case-folded instead of in lower case", line.casefold()


def _writings(text: str) -> Iterator[tuple[str, str]]:
    """Characters written otherwise."""
    forms: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
    for name in forms if _has_few_marks(text) else ():
        yield f"Unicode normalised to {name}", text_form(unicodedata.normalize(name, text))
    yield "Unicode letters in place of TeX accents", text_form(_tex_to_unicode(text))
    for style in _TEX_STYLES:
        yield "TeX accents in place of Unicode letters", text_form(_unicode_to_tex(text, style))
    if not _LONG_REFERENCE.search(text):
        yield "character references of HTML decoded", text_form(html.unescape(text))
    yield "character references of HTML put in", text_form(html.escape(text))
    yield "character references of HTML put in", text_form(html.escape(text, quote=False))
    yield "the dollar signs left out", text_form(text.replace("$", ""))
    yield "the braces left out", text_form(text.replace("{", "").replace("}", ""))
    yield "the backslashes left out", text_form(text.replace("\\", ""))
    yield "typographic quotes and dashes made straight", text_form(text.translate(_STRAIGHT))


def _has_few_marks(text: str) -> bool:
    """Whether no character of a text carries more marks than Unicode's stream-safe form allows."""
    if text.isascii():
        return True
    marks = 0
    for character in text:
        marks = marks + 1 if _is_mark(character) else 0
        if marks > _MOST_MARKS:
            return False
    return True


@lru_cache(maxsize=4096)
def _is_mark(character: str) -> bool:
    """Whether a character is, or decomposes to, a mark on the one before it."""
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) != 0


def _tex_to_unicode(text: str) -> str:
    def accent(match: re.Match[str]) -> str:
        mark = _MARKS[match["mark"] or match["name"]]
        return unicodedata.normalize("NFC", (match["braced"] or match["bare"]) + mark)

    letters = {name: letter for letter, name in _LETTERS.items()}
    return _TEX_LETTER.sub(lambda match: letters[match[1]], _TEX_ACCENT.sub(accent, text))


def _unicode_to_tex(text: str, style: str) -> str:
    return "".join(_letter_to_tex(character, style) for character in text)


def _letter_to_tex(character: str, style: str) -> str:
    if character.isascii():
        return character
    if character in _LETTERS:
        return f"\\{_LETTERS[character]} "
    apart = unicodedata.normalize("NFD", character)
    if len(apart) != 2 or apart[1] not in _COMBINING:
        return character
    letter, accent = apart[0], _COMBINING[apart[1]]
    # An accent takes the place of the dot, so TeX has letters without one: \i and \j.
    if letter in "ij" and not accent.isalpha():
        letter = f"\\{letter}"
    if accent.isalpha() and "{{{1}}}" not in style:
        accent += " "
    return style.format(accent, letter)


def _categories(
    primary: str, cross: list[str], given: tuple[str, ...]
) -> Iterator[tuple[str, str, Change]]:
    for cause, other in _cross_lists(primary, cross, given):
        yield "cross_cats", cause, {"primary_cat": primary, "cross_cats": other}
    for name in cross:
        fewer = [other for other in cross if other != name]
        yield (
            "cross_cats",
            f"{name} missing in the cross list",
            {"primary_cat": primary, "cross_cats": fewer},
        )
        yield (
            "primary_cat",
            f"{name} taken for the primary category",
            {"primary_cat": name, "cross_cats": sorted({*fewer, primary})},
        )
    for pair in SAME_CATEGORIES:
        yield from _other_names(primary, cross, *pair)
        yield from _other_names(primary, cross, *reversed(pair))


def _cross_lists(
    primary: str, cross: list[str], given: tuple[str, ...]
) -> Iterator[tuple[str, list[str]]]:
    yield "the primary category left in the cross list", sorted([*cross, primary])
    yield "the primary category left in the cross list, in front", [primary, *cross]
    yield "the cross list not sorted", [name for name in given if name != primary]
    yield "all categories in their own order in the cross list", list(given)
    yield "the cross list sorted without regard to case", sorted(cross, key=str.lower)
    yield "no cross list", []


def _other_names(
    primary: str, cross: list[str], name: str, alias: str
) -> Iterator[tuple[str, str, Change]]:
    """A category that arXiv lists under two names, listed under both or the other one."""
    if name == primary or name in cross:
        yield (
            "cross_cats",
            f"{alias}, the other name of {name}, added to the cross list",
            {"primary_cat": primary, "cross_cats": sorted({*cross, alias} - {primary})},
        )
    if name == primary:
        for others in ({*cross}, {*cross, name}):
            yield (
                "primary_cat",
                f"{alias} instead of its other name {name} as primary",
                {"primary_cat": alias, "cross_cats": sorted(others - {alias})},
            )


def _licenses(license: str) -> Iterator[tuple[str, Any]]:
    yield "the licence with a slash at its end", f"{license}/"
    yield "the licence without the slash at its end", license.rstrip("/")
    yield "null instead of an empty licence", license or None
    for one, other in (("http://", "https://"), ("https://", "http://")):
        if license.startswith(one):
            swapped = other + license[len(one) :]
            yield f"the licence with {other} instead of {one}", swapped
            yield (
                f"the licence with {other} instead of {one} and without the slash",
                swapped.rstrip("/"),
            )
    for known in ("", *LICENSES):
        yield f"the licence {known or '(none)'} instead of {license or '(none)'}", known


def _ids(source_id: str, version: int) -> Iterator[tuple[str, str]]:
    yield "the id with its version", f"{source_id}v{version}"
    yield "the id with arXiv: in front", f"arXiv:{source_id}"
    yield "the id in lower case", source_id.lower()
    archive, slash, digits = source_id.partition("/")
    if slash:
        yield "the old id without its archive", digits
        yield "the old id without its subject class", f"{archive.split('.')[0]}/{digits}"
