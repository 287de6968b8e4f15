"""The canonical record: its closed schema (docs/spec, 2.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pybadge.arxiv import is_arxiv_id, is_category
from pybadge.errors import SchemaError
from pybadge.strict_json import MAX_INTEGER

__all__ = [
    "METADATA_KEYS",
    "RECORD_KEYS",
    "SCHEMA_VERSION",
    "SHA256_HEX",
    "SOURCE_KEYS",
    "SOURCE_KIND",
    "UTC_TIME",
    "CanonicalRecord",
    "read_canonical_record",
]

RECORD_KEYS = ("metadata", "schema_version", "source")
METADATA_KEYS = (
    "abstract_canon_sha256",
    "cross_cats_sorted",
    "license",
    "primary_cat",
    "submitted_at",
    "title_canon_sha256",
)
SOURCE_KEYS = ("id", "kind", "version")
SCHEMA_VERSION = "1.0"
SOURCE_KIND = "arxiv"
SHA256_HEX = re.compile("[0-9a-f]{64}")
UTC_TIME = re.compile(
    "([0-9]{4})-([0-9]{2})-([0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60)Z"
)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class CanonicalRecord:
    """The hashed part of a record, checked against its closed schema.

    Attributes:
        document: the JSON object itself, the one thing that is hashed.
        source_id: arXiv id without version, ``2402.15627`` or ``hep-lat/0305021``.
        version: the paper's version, from 1.
        primary_category, cross_categories: arXiv categories.
        license: a URL verbatim, or "".
        submitted_at: ``YYYY-MM-DDTHH:MM:SSZ``, of v1.
        title_sha256, abstract_sha256: 64 hex digits.
    """

    document: Mapping[str, Any]
    source_id: str
    version: int
    primary_category: str
    cross_categories: tuple[str, ...]
    license: str
    submitted_at: str
    title_sha256: str
    abstract_sha256: str

    @property
    def year(self) -> int:
        """The year of the Pith Number: that of v1's submission, which the arXiv id need not
        show."""
        return int(self.submitted_at[:4])

    @property
    def arxiv_version(self) -> str:
        """``2402.15627v1``."""
        return f"{self.source_id}v{self.version}"


def _require(condition: bool, place: str, expected: str, value: Any) -> None:
    if not condition:
        shown = ascii(value)
        shown = shown if len(shown) <= 60 else shown[:60] + "…"
        raise SchemaError(f"canonical_record{place} must be {expected}, not {shown}")


def _keys(value: Any, place: str, keys: tuple[str, ...]) -> None:
    _require(type(value) is dict, place, "an object", value)
    if value.keys() != set(keys):
        missing = [key for key in keys if key not in value]
        extra = [key for key in value if key not in keys]
        fault = (
            f"misses {missing[0]!a}" if missing else f"has the unknown key {ascii(extra[0])[:60]}"
        )
        raise SchemaError(f"canonical_record{place} {fault}; its schema is closed")


def read_canonical_record(value: Any) -> CanonicalRecord:
    """Check a JSON value against the closed schema of the canonical record
    (docs/spec, 2.1).

    Raises:
        SchemaError: naming the first field that is missing, unknown or of the wrong type or form.
    """
    _keys(value, "", RECORD_KEYS)
    metadata, source = value["metadata"], value["source"]
    schema_version = value["schema_version"]
    _require(schema_version == SCHEMA_VERSION, ".schema_version", "'1.0'", schema_version)
    _keys(metadata, ".metadata", METADATA_KEYS)
    _keys(source, ".source", SOURCE_KEYS)
    for name in ("abstract_canon_sha256", "title_canon_sha256"):
        _match(_is_hash, metadata[name], f".metadata.{name}", "64 lower-case hex digits")
    _match(is_category, metadata["primary_cat"], ".metadata.primary_cat", "an arXiv category")
    categories = metadata["cross_cats_sorted"]
    _require(type(categories) is list, ".metadata.cross_cats_sorted", "a list", categories)
    for index, category in enumerate(categories):
        _match(is_category, category, f".metadata.cross_cats_sorted[{index}]", "an arXiv category")
    _require(type(metadata["license"]) is str, ".metadata.license", "a string", metadata["license"])
    _match(
        _is_time,
        metadata["submitted_at"],
        ".metadata.submitted_at",
        "a UTC time like 2024-02-23T22:10:59Z",
    )
    _require(source["kind"] == SOURCE_KIND, ".source.kind", "'arxiv'", source["kind"])
    _match(is_arxiv_id, source["id"], ".source.id", "an arXiv id without version")
    version = source["version"]
    # type(), since True is an int and would be hashed as `true`
    _require(
        type(version) is int and 1 <= version <= MAX_INTEGER,
        ".source.version",
        "a whole number from 1",
        version,
    )
    return CanonicalRecord(
        value,
        source["id"],
        version,
        metadata["primary_cat"],
        tuple(categories),
        metadata["license"],
        metadata["submitted_at"],
        metadata["title_canon_sha256"],
        metadata["abstract_canon_sha256"],
    )


def _is_hash(text: str) -> bool:
    return SHA256_HEX.fullmatch(text) is not None


def _is_time(text: str) -> bool:
    """A UTC time like 2024-02-23T22:10:59Z that the calendar has; leap seconds included."""
    match = UTC_TIME.fullmatch(text)
    if match is None:
        return False
    year, month, day = (int(part) for part in match.groups())
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return year > 0 and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] + leap


def _match(form: Callable[[str], bool], value: Any, place: str, expected: str) -> None:
    _require(type(value) is str and form(value), place, expected, value)
