"""From a paper's metadata to its canonical record and number (docs/spec, 10): the rules, and
nothing else."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from pybadge.arxiv import is_arxiv_id, is_category
from pybadge.canonical import canonical_digest, text_form
from pybadge.derive.arxiv_lists import MOST_CATEGORIES
from pybadge.derive.metadata import METADATA_FILE, TEX, Metadata, Note
from pybadge.errors import MetadataError
from pybadge.number import PithNumber, from_hash
from pybadge.strict_json import MAX_INTEGER

__all__ = [
    "FIELDS",
    "SCHEMA",
    "Derivation",
    "canonical_record",
    "derive",
    "flatten",
    "record_of",
    "split_categories",
    "unflatten",
    "utc_time",
]

SCHEMA = "pybadge-derive/1"
"""The name of the JSON that ``pybadge derive`` prints."""

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
"""The names of the hashed values, in the order in which differences are listed."""

_NON_ASCII = "rule not confirmed for non-ASCII text"
_MONTHS = {
    "Jan": "01",
    "Feb": "02",
    "Mar": "03",
    "Apr": "04",
    "May": "05",
    "Jun": "06",
    "Jul": "07",
    "Aug": "08",
    "Sep": "09",
    "Oct": "10",
    "Nov": "11",
    "Dec": "12",
}
_HTTP_TIME = re.compile(
    r"(?:[A-Z][a-z]{2}, *)?(?P<day>[0-9]{1,2}) (?P<month>[A-Z][a-z]{2}) (?P<year>[0-9]{4}) "
    r"(?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2}) (?:GMT|UTC|[+-]0000)"
)
_ISO_TIME = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})"
    r"(?:\.0+)?(?:Z|[+-]00:?00)"
)
_LONGEST_SHOWN = 60
# Characters; the longest licence of arXiv's has 58.
_LONGEST_LICENSE = 2000


@dataclass(frozen=True, slots=True)
class Derivation:
    """A number derived from metadata, and what to know about it.

    Attributes:
        metadata: what it was derived from.
        canonical_record: the object that is hashed.
        canonical_sha256: 64 hex digits.
        number: with year.
        notes: everything that makes the number less than certain.
    """

    metadata: Metadata
    canonical_record: dict[str, Any]
    canonical_sha256: str
    number: PithNumber
    notes: tuple[Note, ...] = ()

    @property
    def arxiv_version(self) -> str:
        """``2402.15627v1``."""
        source = self.canonical_record["source"]
        return f"{source['id']}v{source['version']}"

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of the report."""
        return {
            "schema": SCHEMA,
            "input": self.metadata.origin or self.arxiv_version,
            "number": self.number.text,
            "canonical_sha256": self.canonical_sha256,
            "canonical_record": self.canonical_record,
            "notes": [{"code": code, "message": text} for code, text in self.notes],
        }


def canonical_record(
    title: str,
    abstract: str,
    categories: str | Iterable[str],
    license: str | None,
    submitted_at: str | datetime,
    source_id: str,
    version: int,
) -> dict[str, Any]:
    """The canonical record of one version of an arXiv paper (docs/spec, 2.1 and 10).

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
        raise _malformed(
            "id",
            "must be an arXiv id without version, like 2402.15627 or hep-lat/0305021",
            source_id,
        )
    # type(), since True is an int
    if type(version) is not int or not 1 <= version <= MAX_INTEGER:
        raise _malformed("version", "must be a whole number from 1", version)
    if license is None:
        license = ""
    if type(license) is not str:
        raise _malformed("license", "must be a URL, or empty", license)
    if len(license) > _LONGEST_LICENSE:
        raise _malformed("license", f"must have {_LONGEST_LICENSE} characters at most", license)
    primary, *others = split_categories(categories)
    return unflatten(
        {
            "id": source_id,
            "version": version,
            "primary_cat": primary,
            "cross_cats": sorted({*others} - {primary}),
            "license": license,
            "abstract": _hashed("abstract", abstract),
            "submitted_at": utc_time(submitted_at),
            "title": _hashed("title", title),
        }
    )


def flatten(record: Mapping[str, Any]) -> dict[str, Any]:
    """The hashed values of a canonical record, one level deep, under the names of `FIELDS`."""
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


def unflatten(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The canonical record of such fields; the inverse of `flatten`."""
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


def _malformed(field: str, expected: str, value: object) -> MetadataError:
    try:
        shown = ascii(value)
    except ValueError:  # an integer of thousands of digits
        shown = f"a {type(value).__name__} beyond all bounds"
    if len(shown) > _LONGEST_SHOWN:
        shown = f"{shown[:_LONGEST_SHOWN]}…"
    return MetadataError(f"{field} {expected}, not {shown}", code=f"metadata.{field}")


def _hashed(field: str, text: str) -> str:
    form = text_form(text) if type(text) is str else ""
    if not form:
        raise _malformed(field, "must be a text", text)
    try:
        return hashlib.sha256(form.encode("utf-8")).hexdigest()
    except UnicodeEncodeError:
        raise MetadataError(
            f"{field} holds half a surrogate pair, which is no text", code=f"metadata.{field}"
        ) from None


def split_categories(categories: str | Iterable[str]) -> list[str]:
    """Categories one by one, the primary first.

    Raises:
        MetadataError: there is none, there are more than any paper has, or one is not of the form
            ``cs.LG`` or ``hep-th``.
    """
    if isinstance(categories, str):
        found = categories.split(None, MOST_CATEGORIES)
    else:
        found = list(categories or ())
    if not found:
        raise MetadataError(
            "categories must name at least the primary one", code="metadata.categories"
        )
    if len(found) > MOST_CATEGORIES:
        raise MetadataError(
            f"more than {MOST_CATEGORIES} categories, which no paper has",
            code="metadata.categories",
        )
    for category in found:
        if type(category) is not str or not is_category(category):
            raise _malformed("categories", "must be arXiv categories like cs.LG", category)
    return found


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
            return _existing(f"{year}-{_MONTHS[month]}-{int(day):02}T{time}", value)
    match = _ISO_TIME.fullmatch(text)
    if match is None:
        raise _malformed(
            "submitted_at",
            "must be a UTC time like 2024-02-23T22:10:59Z or Fri, 23 Feb 2024 22:10:59 GMT",
            value,
        )
    return _existing(f"{match['date']}T{match['time']}", value)


def _existing(time: str, value: str) -> str:
    try:
        datetime.fromisoformat(time)
    except ValueError:
        exists = False
    else:
        # Newer Pythons read 24:00:00 as the next day's midnight.
        exists = time[11:13] != "24"
    if not exists:
        raise _malformed("submitted_at", "must be a time that exists", value)
    return f"{time}Z"


def _from_datetime(value: Any) -> str:
    if not isinstance(value, datetime):
        raise _malformed("submitted_at", "must be a text or a datetime", value)
    if value.utcoffset() is None:
        raise _malformed("submitted_at", "must have a time zone", value.isoformat())
    if value.microsecond:
        raise _malformed("submitted_at", "must have whole seconds", value.isoformat())
    try:
        moment = value.astimezone(timezone.utc)
    except OverflowError:  # before the year 1 or after 9999, once in UTC
        raise _malformed("submitted_at", "must be a time that exists", value.isoformat()) from None
    return moment.replace(tzinfo=None).isoformat() + "Z"


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
    if version is None:
        version = metadata.described
    if submitted_at is None:
        submitted_at = metadata.submitted_at
    try:
        record = record_of(metadata, version, submitted_at)
    except MetadataError as error:
        origin = metadata.origin or metadata.source_id
        raise MetadataError(f"{origin}: {error}", code=error.code) from None
    digest = canonical_digest(record)
    number = from_hash(digest, int(record["metadata"]["submitted_at"][:4]))
    notes = tuple(_notes(metadata, record["source"]["version"]))
    return Derivation(metadata, record, digest.hex(), number, notes)


def record_of(metadata: Metadata, version: int | None, submitted_at: str | None) -> dict[str, Any]:
    """The canonical record of one version of a paper.

    Args:
        metadata: what a source says of it.
        version: which version.
        submitted_at: v1's time.

    Raises:
        MetadataError: a field is missing or not of its form.
    """
    if metadata.title is None:
        raise _missing("the title is missing, without which there is no number")
    if metadata.abstract is None:
        raise _missing("the abstract is missing, without which there is no number")
    if metadata.categories is None:
        raise _missing("the categories are missing, without which there is no number")
    if version is None:
        raise _missing("the version is missing; name it as in 2402.15627v1 or with --paper-version")
    if submitted_at is None:
        raise _without_time(metadata)
    return canonical_record(
        metadata.title,
        metadata.abstract,
        metadata.categories,
        metadata.license,
        submitted_at,
        metadata.source_id,
        version,
    )


def _missing(message: str) -> MetadataError:
    return MetadataError(message, code="metadata.missing")


def _without_time(metadata: Metadata) -> MetadataError:
    if metadata.day is None:
        return _missing("the time of v1 is missing; give --submitted-at")
    return _missing(
        f"only the day of v1 ({metadata.day}) is known, and the number needs its second: "
        "use the arXivRaw format, or give --submitted-at"
    )


def _notes(metadata: Metadata, version: int) -> Iterator[Note]:
    yield from metadata.notes
    for name, text in (("title", metadata.title), ("abstract", metadata.abstract)):
        if text is not None and not text.isascii():
            yield "derive.non_ascii", f"{_NON_ASCII}: the {name} is lowered with Unicode's lower()"
    if metadata.described is not None and version != metadata.described:
        sentence = (
            f"title, abstract, categories and licence are those of v{metadata.described}, "
            f"assumed to be v{version}'s too"
        )
        yield "derive.other_version", sentence
    # What a person writes of a paper lists no versions; it only has the time of v1.
    lists_versions = metadata.kind not in (METADATA_FILE, TEX) or len(metadata.versions) > 1
    if lists_versions and metadata.versions and version > metadata.versions[-1][0]:
        sentence = f"the metadata knows versions up to v{metadata.versions[-1][0]} only"
        yield "derive.no_such_version", sentence
    if metadata.kind == TEX:
        sentence = (
            "read from the TeX source: "
            "what is typed into arXiv's submission form decides, not this file"
        )
        yield "derive.unsubmitted", sentence
