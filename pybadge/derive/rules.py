"""From a paper's metadata to its canonical record and number: the rules of PROTOCOL.md 1, and
nothing else."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date as calendar
from datetime import datetime, timezone
from typing import Any

from pybadge.canonical import canonical_digest, text_form
from pybadge.errors import MetadataError
from pybadge.number import PithNumber, from_hash
from pybadge.arxiv import is_arxiv_id, is_category
from pybadge.strict_json import MAX_INTEGER

__all__ = ["Derivation", "Metadata", "canonical_record", "derive", "split_categories", "utc_time"]

NON_ASCII = "rule not confirmed for non-ASCII text"

_MONTHS = {
    "Jan": 1,
    "Feb": 2,
    "Mar": 3,
    "Apr": 4,
    "May": 5,
    "Jun": 6,
    "Jul": 7,
    "Aug": 8,
    "Sep": 9,
    "Oct": 10,
    "Nov": 11,
    "Dec": 12,
}
_HTTP_TIME = re.compile(
    r"(?:[A-Z][a-z]{2}, *)?(?P<day>[0-9]{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>[0-9]{4}) "
    r"(?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}) (?:GMT|UTC|[+-]0000)"
)
_ISO_TIME = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.0+)?(?:Z|[+-]00:?00)"
)


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a source says of one paper.

    Attributes:
        source_id: arXiv id without version.
        title, abstract: as the source has them, TeX and line breaks kept; None where the source
            lacks them.
        categories: primary first; None where the source lacks them.
        license: a URL verbatim, or "" for none.
        versions: (number, time of submission as the source writes it), ascending; empty where the
            source has none.
        described: the version whose title, abstract, categories and licence these are; None where
            the source doesn't say.
        day: ``YYYY-MM-DD`` of v1 where the source gives no time of day.
        kind: ``arXivRaw``, ``arXiv``, ``snapshot``, ``own`` or ``tex``.
        origin: file and line, or address, for people.
    """

    source_id: str
    title: str | None
    abstract: str | None
    categories: tuple[str, ...] | None
    license: str
    versions: tuple[tuple[int, str], ...] = ()
    described: int | None = None
    day: str | None = None
    kind: str = "own"
    origin: str = ""

    @property
    def submitted_at(self) -> str | None:
        """The time of v1 as the source writes it; None where it has none."""
        return self.versions[0][1] if self.versions and self.versions[0][0] == 1 else None


@dataclass(frozen=True, slots=True)
class Derivation:
    """A number derived from metadata, and what to know about it.

    Attributes:
        metadata: what it was derived from.
        canonical_record: the object that is hashed.
        canonical_sha256: 64 hex digits.
        number: with year.
        notes: (code, sentence) of everything that makes the number less than certain.
    """

    metadata: Metadata
    canonical_record: dict[str, Any]
    canonical_sha256: str
    number: PithNumber
    notes: tuple[tuple[str, str], ...] = ()


def canonical_record(
    title: str,
    abstract: str,
    categories: str | Iterable[str],
    license: str | None,
    submitted_at: str | datetime,
    source_id: str,
    version: int,
) -> dict[str, Any]:
    """The canonical record of one version of an arXiv paper (PROTOCOL.md 1).

    Args:
        title, abstract: as arXiv's metadata has them, TeX kept; white space and letter case don't
            matter.
        categories: primary first; a list, or one text with blanks between.
        license: the URL verbatim; None or "" for none.
        submitted_at: when **v1** was submitted: ``2024-02-23T22:10:59Z``, ``Fri, 23 Feb 2024
            22:10:59 GMT``, or a datetime with a time zone.
        source_id: arXiv id without version.
        version: the version, from 1.

    Raises:
        MetadataError: naming the first field that is missing or not of its form.
    """
    if type(source_id) is not str or not is_arxiv_id(source_id):
        raise _fault(
            "id",
            "must be an arXiv id without version, like 2402.15627 or hep-lat/0305021",
            source_id,
        )
    # type(), since True is an int
    if type(version) is not int or not 1 <= version <= MAX_INTEGER:
        raise _fault("version", "must be a whole number from 1", version)
    if license is None:
        license = ""
    if type(license) is not str:
        raise _fault("license", "must be a URL, or empty", license)
    primary, *others = split_categories(categories)
    return {
        "metadata": {
            "abstract_canon_sha256": _hashed("abstract", abstract),
            "cross_cats_sorted": sorted({*others} - {primary}),
            "license": license,
            "primary_cat": primary,
            "submitted_at": utc_time(submitted_at),
            "title_canon_sha256": _hashed("title", title),
        },
        "schema_version": "1.0",
        "source": {"id": source_id, "kind": "arxiv", "version": version},
    }


def _fault(field: str, expected: str, value: object) -> MetadataError:
    shown = ascii(value)
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    return MetadataError(f"{field} {expected}, not {shown}", code=f"metadata.{field}")


def _hashed(field: str, text: str) -> str:
    if type(text) is not str or not text or text.isspace():
        raise _fault(field, "must be a text", text)
    try:
        # OpenSSL's SHA-256, which on an abstract is four times as fast as the one that loads
        # quickly
        return hashlib.sha256(text_form(text).encode("utf-8")).hexdigest()
    except UnicodeEncodeError:
        raise MetadataError(
            f"{field} holds half a surrogate pair, which is no text", code=f"metadata.{field}"
        ) from None


def split_categories(categories: str | Iterable[str]) -> list[str]:
    """Categories one by one, the primary first.

    Raises:
        MetadataError: there is none, or one is not of the form ``cs.LG`` or ``hep-th``.
    """
    found = categories.split() if isinstance(categories, str) else list(categories or ())
    if not found:
        raise MetadataError(
            "categories must name at least the primary one", code="metadata.categories"
        )
    for category in found:
        if type(category) is not str or not (category in _seen or _is_new_category(category)):
            raise _fault("categories", "must be arXiv categories like cs.LG", category)
    return found


# arXiv has some 170 categories, so that looking one up is faster than looking at its letters.
_seen: set[str] = set()


def _is_new_category(category: str) -> bool:
    if not is_category(category):
        return False
    if len(_seen) < 1000:
        _seen.add(category)
    return True


def utc_time(value: str | datetime) -> str:
    """A time as the canonical record writes it: ``YYYY-MM-DDTHH:MM:SSZ``.

    Args:
        value: ISO 8601 in UTC, the form of arXiv's metadata (``Fri, 23 Feb 2024 22:10:59 GMT``), or
            an aware datetime with whole seconds.

    Raises:
        MetadataError: another form, no time zone, another zone than UTC in a text, or a time that
            doesn't exist.
    """
    if not isinstance(value, str):
        return _from_datetime(value)
    text = value.strip()
    match = _HTTP_TIME.fullmatch(text)
    if match is not None:
        day, month, year, time = match.groups()
        if month in _MONTHS:
            return _existing(f"{year}-{_MONTHS[month]:02}-{int(day):02}", time, value)
    match = _ISO_TIME.fullmatch(text)
    if match is None:
        raise _fault(
            "submitted_at",
            "must be a UTC time like 2024-02-23T22:10:59Z or Fri, 23 Feb 2024 22:10:59 GMT",
            value,
        )
    return _existing(match["date"], match["time"], value)


def _existing(date: str, time: str, value: str) -> str:
    hour, minute, second = time[:2], time[3:5], time[6:]
    # Days up to 28 exist in every month; the calendar is asked for the few others only.
    if (
        hour < "24"
        and minute < "60"
        and second < "60"
        and date[:4] > "0000"
        and "01" <= date[5:7] <= "12"
    ):
        if "01" <= date[8:] <= "28":
            return f"{date}T{time}Z"
        try:
            calendar.fromisoformat(date)
        except ValueError:
            pass
        else:
            return f"{date}T{time}Z"
    raise _fault("submitted_at", "must be a time that exists", value)


def _from_datetime(value: Any) -> str:
    if not isinstance(value, datetime):
        raise _fault("submitted_at", "must be a text or a datetime", value)
    if value.utcoffset() is None:
        raise _fault("submitted_at", "must have a time zone", value.isoformat())
    if value.microsecond:
        raise _fault("submitted_at", "must have whole seconds", value.isoformat())
    return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat() + "Z"


def derive(
    metadata: Metadata, *, version: int | None = None, submitted_at: str | None = None
) -> Derivation:
    """Derive the number of one version of a paper.

    Args:
        metadata: what a source says of it.
        version: which version; None for the one that the metadata describes.
        submitted_at: v1's time, where the source has none.

    Raises:
        MetadataError: a field is missing or not of its form; the message begins with the metadata's
            origin.
    """
    wanted = metadata.described if version is None else version
    known = metadata.submitted_at if submitted_at is None else submitted_at
    try:
        missing = _missing(metadata, wanted, known)
        if missing:
            raise MetadataError(missing, code="metadata.missing")
        record = canonical_record(
            metadata.title or "",
            metadata.abstract or "",
            metadata.categories or (),
            metadata.license,
            known or "",
            metadata.source_id,
            wanted or 0,
        )
    except MetadataError as error:
        raise MetadataError(
            f"{metadata.origin or metadata.source_id}: {error}", code=error.code
        ) from None
    digest = canonical_digest(record)
    number = from_hash(digest, int(record["metadata"]["submitted_at"][:4]))
    return Derivation(metadata, record, digest.hex(), number, tuple(_notes(metadata, wanted or 0)))


def _missing(metadata: Metadata, version: int | None, submitted_at: str | None) -> str | None:
    for name in ("title", "abstract", "categories"):
        if getattr(metadata, name) is None:
            return f"the {name} is missing, without which there is no number"
    if version is None:
        return "the version is missing; name it as in 2402.15627v1 or with --paper-version"
    if submitted_at is None:
        if metadata.day is not None:
            return (
                f"only the day of v1 ({metadata.day}) is known, and the number needs its second: "
                "use the arXivRaw format, or give --submitted-at"
            )
        return "the time of v1 is missing; give --submitted-at"
    return None


def _notes(metadata: Metadata, version: int) -> Iterable[tuple[str, str]]:
    for name in ("title", "abstract"):
        text = getattr(metadata, name)
        if not text.isascii():
            yield "derive.non_ascii", f"{NON_ASCII}: the {name} is lowered with Unicode's lower()"
    if metadata.described is not None and version != metadata.described:
        yield (
            "derive.other_version",
            f"title, abstract, categories and licence are those of v{metadata.described}, assumed to be v{version}'s too",
        )
    if metadata.versions and version > metadata.versions[-1][0]:
        yield (
            "derive.no_such_version",
            f"the metadata knows versions up to v{metadata.versions[-1][0]} only",
        )
    if metadata.kind == "tex":
        yield (
            "derive.unsubmitted",
            "read from the TeX source: what is typed into arXiv's submission form decides, not this file",
        )
