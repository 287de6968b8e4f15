"""What a person types about a paper: categories, licence, time and id, as arXiv's pages and form
write them, held against arXiv's closed lists.

A number that is made of a slip is a wrong number, and nothing about it would look wrong.
"""

from __future__ import annotations

import re
from difflib import get_close_matches

from pybadge.derive.arxiv_lists import CATEGORIES, LICENSES, MOST_CATEGORIES, OLD_ARCHIVES
from pybadge.derive.metadata import Note
from pybadge.derive.rules import utc_time
from pybadge.errors import MetadataError

__all__ = [
    "NO_LICENSE",
    "category_notes",
    "id_fault",
    "license_notes",
    "split_typed",
    "typed_categories",
    "typed_license",
    "typed_time",
]

NO_LICENSE = "none"
"""What to write where a paper has no licence."""

_LONGEST = 200  # characters of a licence or time
_LONGEST_LIST = 2000  # characters of a list of categories
_CODE_IN_BRACKETS = re.compile(r"\(([A-Za-z][A-Za-z0-9.-]{1,60})\)")
_SEPARATORS = re.compile(r"[\s,;]+")
_BY_LOWER_CASE = {name.lower(): name for name in CATEGORIES}

_SCHEME = re.compile(r"^(?:https?://)?(?:www\.)?")
_PAGE = re.compile(r"/(?:deed|legalcode|license)(?:[.][a-z-]{2,8})?$")
_PUNCTUATION = re.compile(r"[\s/_:,()-]+")

# As an abstract's page has it: "[v1] Fri, 23 Feb 2024 22:10:59 UTC (1,234 KB)"
_PAGE_TIME = re.compile(
    r"(?:\[v(?P<version>[0-9]{1,4})\] *)?(?P<time>[^\[\]()]+?)(?: *\([0-9.,]+ ?[kKMG]?[bB]\))?"
)

_PREFIX = re.compile(
    r"(?:arxiv: *|(?:https?://)?(?:www\.|export\.)?arxiv\.org/(?:abs|pdf|html)/)", re.IGNORECASE
)
_NEW_ID = re.compile(
    r"(?P<month>[0-9]{4})\.(?P<serial>[0-9]{1,8})(?P<version>v[0-9]*)?", re.IGNORECASE
)
_OLD_ID = re.compile(
    r"(?P<archive>[a-z-]{2,20})(?:\.[a-z]{2})?/"
    r"(?P<month>[0-9]{4})(?P<serial>[0-9]{1,6})(?P<version>v[0-9]*)?",
    re.IGNORECASE,
)
# New ids begin in April 2007 and have five digits after the point since January 2015. Old ids begin
# in 1991, so that their months of the years from 2000 on are the smaller numbers.
_FIRST_NEW = 704
_FIRST_LONG = 1501
_FIRST_OLD = 9101
_OLD_SERIAL_DIGITS = 3


# --- categories


def split_typed(text: str) -> list[str]:
    """The categories of a text as one types or copies them: ``cs.LG cs.DC``, ``cs.LG, cs.DC``, or
    with their names as on an abstract's page, ``Machine Learning (cs.LG); …``."""
    if "(" in text:
        return _CODE_IN_BRACKETS.findall(text)
    return [name for name in _SEPARATORS.split(text) if name]


def typed_categories(text: str) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """The categories that a person typed, primary first.

    Returns:
        The categories as arXiv writes them, and a note for each whose letter case was mended.

    Raises:
        MetadataError: there is none, there are more than any paper has, or one is not arXiv's.
    """
    if len(text) > _LONGEST_LIST:
        raise _fault("categories", f"{len(text)} characters are no list of categories")
    typed = split_typed(text)
    if not typed:
        raise _fault("categories", "there is no category; name the primary one at least")
    if len(typed) > MOST_CATEGORIES:
        raise _fault("categories", f"more than {MOST_CATEGORIES} categories, which no paper has")
    found, notes = [], []
    for name in typed:
        known = _BY_LOWER_CASE.get(name.lower())
        if known is None:
            raise _fault("categories", _unknown_category(name, _near_category(name)))
        if known != name:
            notes.append(("derive.category", f"{name} is read as {known}"))
        found.append(known)
    return tuple(dict.fromkeys(found)), tuple(notes)


def category_notes(categories: tuple[str, ...]) -> tuple[Note, ...]:
    """A note for each category of a file written by hand that is not in arXiv's list; they are
    hashed as they stand."""
    return tuple(
        ("derive.category", _unknown_category(name, _BY_LOWER_CASE.get(name.lower())))
        for name in categories[:MOST_CATEGORIES]
        if name not in CATEGORIES
    )


def _near_category(name: str) -> str | None:
    """The category that was perhaps meant, or the first one of an archive."""
    lower = name.lower()[:60]
    near = get_close_matches(lower, _BY_LOWER_CASE, 1)
    if not near:
        near = [known for known in _BY_LOWER_CASE if known.startswith(f"{lower}.")]
    return _BY_LOWER_CASE[near[0]] if near else None


def _unknown_category(name: str, near: str | None) -> str:
    if near is not None:
        return f"{name!a:.40} is not an arXiv category; did you mean {near}?"
    return (
        f"{name!a:.40} is not an arXiv category; "
        "they are listed at https://arxiv.org/category_taxonomy"
    )


# --- licence


def _license_key(text: str) -> str:
    """A licence's name or address without what people write one way or the other."""
    plain = _PAGE.sub("", _SCHEME.sub("", text.strip().lower()).rstrip("/"))
    words = _PUNCTUATION.sub(" ", plain.replace("licence", "license")).split()
    return " ".join(words)


_BY_KEY = {
    _license_key(name): address for address, names in LICENSES.items() for name in (address, *names)
}


def typed_license(text: str) -> tuple[str, tuple[Note, ...]]:
    """The licence that a person typed, in any usual way: ``CC BY 4.0``, ``cc-by-4.0``, its address
    with ``https``, or ``none``.

    Returns:
        The address as arXiv records it, "" for none; and a note where another text was typed.

    Raises:
        MetadataError: it is not one of arXiv's; the message names the nearest one.
    """
    if text.strip().lower() == NO_LICENSE:
        return "", ()
    key = _license_key(text[:_LONGEST])
    address = _BY_KEY.get(key)
    if address is None:
        near = get_close_matches(key, _BY_KEY, 1)
        raise _fault("license", _unknown_license(text, _BY_KEY[near[0]] if near else None))
    if address == text:
        return address, ()
    return address, (("derive.license", f"the licence {text!a} is read as {address}"),)


def license_notes(address: str) -> tuple[Note, ...]:
    """A note on an address, in a file written by hand, that is not one of arXiv's licences; it is
    hashed as it stands."""
    if not address or address in LICENSES:
        return ()
    near = _BY_KEY.get(_license_key(address[:_LONGEST]))
    return (("derive.license", f"the licence {_unknown_license(address, near)}"),)


def _unknown_license(text: str, near: str | None) -> str:
    if near is None:
        usual = ", ".join(names[0] for names in LICENSES.values())
        return (
            f"{text!a:.60} is not one of arXiv's licences, which are {usual}; "
            f"or {NO_LICENSE}, where the paper has none"
        )
    return (
        f"{text!a:.60} is not one of arXiv's licences; the nearest is {LICENSES[near][0]}, {near}"
    )


# --- time


def typed_time(text: str) -> str:
    """The time of v1 that a person typed or copied from an abstract's page.

    Raises:
        MetadataError: it is no time in UTC, or that of another version.
    """
    match = None if len(text) > _LONGEST else _PAGE_TIME.fullmatch(text.strip())
    if match is None:
        return utc_time(text)
    if match["version"] not in (None, "1"):
        raise _fault(
            "submitted_at", f"submitted_at must be the time of v1, not of v{match['version']}"
        )
    return utc_time(match["time"])


# --- id


def id_fault(text: str) -> str | None:
    """Why a text that looks like an arXiv id is none; None where it is one, or looks like something
    else."""
    stripped = text.strip()[:_LONGEST]
    prefix = _PREFIX.match(stripped)
    name = (stripped[prefix.end() :] if prefix else stripped).removesuffix(".pdf")
    match = _NEW_ID.fullmatch(name)
    if match is not None:
        return _fault_of_new(match)
    match = _OLD_ID.fullmatch(name)
    if match is not None:
        return _fault_of_old(match)
    return None


def _fault_of_new(match: re.Match[str]) -> str | None:
    month, serial = int(match["month"]), match["serial"]
    if not 1 <= month % 100 <= 12:
        return f"there is no month {month % 100:02}"
    if month < _FIRST_NEW:
        return f"ids of this form begin with {_FIRST_NEW:04}, April 2007"
    digits = 5 if month >= _FIRST_LONG else 4
    if len(serial) != digits:
        return f"ids of that month have {digits} digits after the point, this has {len(serial)}"
    return _fault_of_version(match["version"])


def _fault_of_old(match: re.Match[str]) -> str | None:
    month, serial, archive = int(match["month"]), match["serial"], match["archive"].lower()
    if archive not in OLD_ARCHIVES:
        near = get_close_matches(archive, sorted(OLD_ARCHIVES), 1)
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"arXiv has no archive {archive}{hint}"
    if not 1 <= month % 100 <= 12:
        return f"there is no month {month % 100:02}"
    if _FIRST_NEW <= month < _FIRST_OLD:
        return "ids with a slash are of the years 1991 to 2007"
    if len(serial) != _OLD_SERIAL_DIGITS:
        return f"ids with a slash have 7 digits after it, this has {4 + len(serial)}"
    return _fault_of_version(match["version"])


def _fault_of_version(version: str | None) -> str | None:
    if version is None:
        return None
    digits = version[1:].lower()
    if not digits:
        return "the version's number is missing after the v"
    if digits.startswith("0"):
        return "versions begin at v1"
    return "no paper has so many versions" if len(digits) > 4 else None


def _fault(field: str, message: str) -> MetadataError:
    return MetadataError(message, code=f"metadata.{field}")
