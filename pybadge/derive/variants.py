"""What people and programs get wrong about each field: the known ways in which a derived number
misses the real one."""

from __future__ import annotations

import hashlib
import html
import re
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Literal

from pybadge.canonical import text_form
from pybadge.derive.rules import Metadata, utc_time
from pybadge.errors import MetadataError

__all__ = ["FIELDS", "flatten", "unflatten", "variants"]

FIELDS = (
    "id",
    "version",
    "title",
    "abstract",
    "primary_cat",
    "cross_cats",
    "license",
    "submitted_at",
)

# Categories that arXiv lists under two names (https://arxiv.org/category_taxonomy)
_ALIASES = (
    ("math.MP", "math-ph"),
    ("math.IT", "cs.IT"),
    ("math.ST", "stat.TH"),
    ("math.NA", "cs.NA"),
    ("cs.SY", "eess.SY"),
    ("q-fin.EC", "econ.GN"),
)
_LICENSES = (
    "",
    "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
    "http://arxiv.org/licenses/assumed-1991-2003/",
    "http://creativecommons.org/licenses/by/4.0/",
    "http://creativecommons.org/licenses/by-sa/4.0/",
    "http://creativecommons.org/licenses/by-nc-sa/4.0/",
    "http://creativecommons.org/licenses/by-nc-nd/4.0/",
    "http://creativecommons.org/publicdomain/zero/1.0/",
    "http://creativecommons.org/licenses/by/3.0/",
    "http://creativecommons.org/licenses/by-nc-sa/3.0/",
    "http://creativecommons.org/licenses/publicdomain/",
)
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
    r"""\{?\\(?:(?P<sign>[`'^~"=.])\s*|(?P<name>[uvHckr])(?:\s+|(?=\{)))(?:\{\\?(?P<braced>[A-Za-z])\}|\\?(?P<bare>[A-Za-z]))\}?"""
)


def flatten(record: dict[str, Any]) -> dict[str, Any]:
    """The hashed fields of a canonical record, one level deep, under the names of `FIELDS`."""
    metadata, source = record["metadata"], record["source"]
    return {
        "id": source["id"],
        "version": source["version"],
        "title": metadata["title_canon_sha256"],
        "abstract": metadata["abstract_canon_sha256"],
        "primary_cat": metadata["primary_cat"],
        "cross_cats": metadata["cross_cats_sorted"],
        "license": metadata["license"],
        "submitted_at": metadata["submitted_at"],
    }


def unflatten(fields: dict[str, Any]) -> dict[str, Any]:
    """The canonical record of such fields."""
    return {
        "metadata": {
            "abstract_canon_sha256": fields["abstract"],
            "cross_cats_sorted": fields["cross_cats"],
            "license": fields["license"],
            "primary_cat": fields["primary_cat"],
            "submitted_at": fields["submitted_at"],
            "title_canon_sha256": fields["title"],
        },
        "schema_version": "1.0",
        "source": {"id": fields["id"], "kind": "arxiv", "version": fields["version"]},
    }


def variants(
    metadata: Metadata, fields: dict[str, Any]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each known way to get one field otherwise.

    Args:
        metadata: what the number is derived from.
        fields: the fields derived by the rules.

    Yields:
        (field, what was done otherwise, the fields that replace those derived). No two replacements
        are alike, and none leaves the fields as they are.
    """
    seen: list[dict[str, Any]] = []
    for field, sentence, change in _all(metadata, fields):
        if change not in seen and any(fields[name] != value for name, value in change.items()):
            seen.append(change)
            yield field, sentence, change


def _all(metadata: Metadata, fields: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for sentence, version in _versions(metadata, fields["version"]):
        yield "version", sentence, {"version": version}
    for sentence, time in _times(metadata, fields["submitted_at"]):
        yield "submitted_at", sentence, {"submitted_at": time}
    for name in ("title", "abstract"):
        for sentence, text in _texts(getattr(metadata, name) or ""):
            try:
                digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
            except UnicodeEncodeError:
                continue
            yield name, sentence, {name: digest}
    for field, sentence, primary, cross in _categories(
        fields["primary_cat"], fields["cross_cats"], metadata.categories or ()
    ):
        yield field, sentence, {"primary_cat": primary, "cross_cats": cross}
    for sentence, license in _licenses(fields["license"]):
        yield "license", sentence, {"license": license}
    for sentence, source_id in _ids(fields["id"], fields["version"]):
        yield "id", sentence, {"id": source_id}


def _versions(metadata: Metadata, version: int) -> Iterator[tuple[str, int]]:
    last = metadata.versions[-1][0] if metadata.versions else version
    for number in range(1, min(max(last, version) + 4, 100)):
        yield f"version {number} instead of {version}", number


def _times(metadata: Metadata, submitted_at: str) -> Iterator[tuple[str, Any]]:
    for number, text in metadata.versions[1:]:
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


def _texts(text: str) -> Iterator[tuple[str, str]]:
    form = text_form(text)
    yield "hashed as it stands, neither white space collapsed nor lower case", text
    yield "lower case, but white space not collapsed", text.lower()
    yield "lower case and trimmed, but inner white space not collapsed", text.strip().lower()
    yield "white space collapsed, but not lower case", " ".join(text.split())
    yield "trimmed, but not lower case", text.strip()
    yield "a trailing newline", f"{form}\n"
    yield "a trailing newline and not lower case", " ".join(text.split()) + "\n"
    yield (
        "line breaks kept",
        "\n".join(" ".join(line.split()) for line in text.strip().splitlines()).lower(),
    )
    yield (
        "line breaks taken out without a blank in their place",
        text_form(re.sub(r"\s*\n\s*", "", text)),
    )
    yield "case folded instead of lower case", " ".join(text.split()).casefold()
    forms: tuple[Literal["NFC", "NFD", "NFKC", "NFKD"], ...] = ("NFC", "NFD", "NFKC", "NFKD")
    for name in forms:
        yield f"Unicode normalised to {name}", text_form(unicodedata.normalize(name, text))
    yield "TeX accents instead of which Unicode was hashed", text_form(_tex_to_unicode(text))
    for style in ("\\{0}{1}", "\\{0}{{{1}}}", "{{\\{0}{1}}}", "{{\\{0}{{{1}}}}}"):
        yield (
            "Unicode letters instead of which TeX accents were hashed",
            text_form(_unicode_to_tex(text, style)),
        )
    yield "character references of HTML decoded", text_form(html.unescape(text))
    yield "character references of HTML left in", text_form(html.escape(text))
    yield "character references of HTML left in", text_form(html.escape(text, quote=False))
    yield "the dollar signs left out", text_form(text.replace("$", ""))
    yield "the braces left out", text_form(text.replace("{", "").replace("}", ""))
    yield "the backslashes left out", text_form(text.replace("\\", ""))
    straight = text.translate(
        {0x2018: "'", 0x2019: "'", 0x201C: '"', 0x201D: '"', 0x2013: "-", 0x2014: "-", 0xA0: " "}
    )
    yield "typographic quotes and dashes made plain", text_form(straight)
    yield "without the full stop at the end", form.rstrip(".")
    yield "with a full stop at the end", f"{form}."
    yield "only the first 600 characters", text_form(text)[:600]


def _tex_to_unicode(text: str) -> str:
    def accent(match: re.Match[str]) -> str:
        mark = _MARKS[match["sign"] or match["name"]]
        return unicodedata.normalize("NFC", (match["braced"] or match["bare"]) + mark)

    letters = {name: letter for letter, name in _LETTERS.items()}
    return _TEX_LETTER.sub(lambda match: letters[match[1]], _TEX_ACCENT.sub(accent, text))


def _unicode_to_tex(text: str, style: str) -> str:
    def one(character: str) -> str:
        if character.isascii():
            return character
        if character in _LETTERS:
            return f"\\{_LETTERS[character]} "
        parts = unicodedata.normalize("NFD", character)
        if len(parts) != 2 or parts[1] not in _COMBINING:
            return character
        accent = _COMBINING[parts[1]]
        letter = f"\\{parts[0]}" if parts[0] in "ij" and not accent.isalpha() else parts[0]
        if accent.isalpha() and "{{{1}}}" not in style:
            accent += " "
        return style.format(accent, letter)

    return "".join(one(character) for character in text)


def _categories(
    primary: str, cross: list[str], given: tuple[str, ...]
) -> Iterator[tuple[str, str, str, list[str]]]:
    yield (
        "cross_cats",
        "the primary category left in the cross list",
        primary,
        sorted([*cross, primary]),
    )
    yield (
        "cross_cats",
        "the primary category left in the cross list, in front",
        primary,
        [primary, *cross],
    )
    yield (
        "cross_cats",
        "the cross list not sorted",
        primary,
        [name for name in given if name != primary],
    )
    yield "cross_cats", "all categories in their own order in the cross list", primary, list(given)
    yield (
        "cross_cats",
        "the cross list sorted without regard to case",
        primary,
        sorted(cross, key=str.lower),
    )
    yield "cross_cats", "no cross list", primary, []
    for name in cross:
        yield (
            "cross_cats",
            f"{name} missing in the cross list",
            primary,
            [other for other in cross if other != name],
        )
        others = sorted({*cross, primary} - {name})
        yield "primary_cat", f"{name} taken for the primary category", name, others
    for pair in _ALIASES:
        for one, other in (pair, pair[::-1]):
            if one == primary or one in cross:
                both = sorted(({*cross, other}) - {primary})
                yield (
                    "cross_cats",
                    f"{other}, the other name of {one}, added to the cross list",
                    primary,
                    both,
                )
            if one == primary:
                yield (
                    "primary_cat",
                    f"{other} instead of its other name {one} as primary",
                    other,
                    sorted({*cross} - {other}),
                )
                yield (
                    "primary_cat",
                    f"{other} instead of its other name {one} as primary",
                    other,
                    sorted({*cross, one} - {other}),
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
    for known in _LICENSES:
        yield f"the licence {known or '(none)'} instead of {license or '(none)'}", known


def _ids(source_id: str, version: int) -> Iterator[tuple[str, str]]:
    yield "the id with its version", f"{source_id}v{version}"
    yield "the id with arXiv: in front", f"arXiv:{source_id}"
    yield "the id in lower case", source_id.lower()
    archive, slash, digits = source_id.partition("/")
    if slash:
        yield "the old id without its archive", digits
        yield "the old id without its subject class", f"{archive.split('.')[0]}/{digits}"
