"""What a record says: strict reading of bytes into frozen types (PROTOCOL.md 1-3 and 5).

Reading is strict because two readers that disagree on what a file says can be made to disagree on whether it is genuine.
Only the canonical record has a closed schema: everything else in a record is the server's word and is kept as it came.
"""

from __future__ import annotations

import os

from pybadge.errors import RecordError, SchemaError
from pybadge.files import read_file
from pybadge.frozen import Frozen
from pybadge.strict_json import MAX_BYTES, MAX_DEPTH, MAX_INTEGER, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = [
    "MAX_BYTES",
    "MAX_DEPTH",
    "Alias",
    "CanonicalRecord",
    "Paper",
    "Receipt",
    "Record",
    "is_arxiv_id",
    "is_category",
    "load",
    "read_canonical_record",
    "read_file",
    "read_json",
    "read_record",
]

_HEX = frozenset("0123456789abcdef")
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_LETTERS = frozenset(_LOWER + _LOWER.upper())
_CATEGORY_CHARACTERS = _LETTERS | frozenset("0123456789-")
_ARCHIVE_CHARACTERS = frozenset(_LOWER + "-")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


class CanonicalRecord(Frozen):
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
        """The year of the Pith Number: that of v1's submission, which the arXiv id need not show."""
        return int(self.submitted_at[:4])

    @property
    def arxiv_version(self) -> str:
        """``2402.15627v1``."""
        return f"{self.source_id}v{self.version}"


class Receipt(Frozen):
    """A receipt as served; None for a field that is absent or no string. Only the signature proves anything."""

    kind: str | None
    key_id: str | None
    algorithm: str | None
    signature_b64: str | None
    signed_message: str | None
    canonical_sha256: str | None
    public_key_fingerprint: str | None
    signature_status: str | None
    receipt_version: str | None
    signed_at: str | None


class Alias(Frozen):
    """Another name of the record, as served: kind such as ``arxiv_version``, value such as ``2402.15627v1``."""

    kind: str
    value: str


class Paper(Frozen):
    """What the server says of the paper. Nothing here is signed; title and abstract can be compared with their hashes."""

    title: str | None = None
    authors: str | None = None
    abstract_excerpt: str | None = None


_NO_PAPER = Paper()


class Record(Frozen):
    """A record or bundle, read strictly.

    Attributes:
        document: the whole JSON object, unknown keys included.
        kind: ``record`` or ``bundle``.
        canonical: the schema-checked canonical record.
        canonical_sha256, pith_number, short_pith_number: what the document claims; None where absent or no string.
        receipt: the receipt, or None where there is none.
        receipt_malformed: True where something stands in the receipt's place that is no object.
        aliases: the other names, as served.
        paper: title, authors and abstract excerpt, as served.
        origin: where the bytes came from, for people.
    """

    document: Mapping[str, Any]
    kind: str
    canonical: CanonicalRecord
    canonical_sha256: str | None
    pith_number: str | None
    short_pith_number: str | None
    receipt: Receipt | None
    receipt_malformed: bool
    aliases: tuple[Alias, ...]
    paper: Paper
    origin: str = ""


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
        fault = f"misses {missing[0]!a}" if missing else f"has the unknown key {ascii(extra[0])[:60]}"
        raise SchemaError(f"canonical_record{place} {fault}; its schema is closed")


def read_canonical_record(value: Any) -> CanonicalRecord:
    """Check a JSON value against the closed schema of the canonical record (PROTOCOL.md 1).

    Raises:
        SchemaError: naming the first field that is missing, unknown or of the wrong type or form.
    """
    _keys(value, "", ("metadata", "schema_version", "source"))
    metadata, source = value["metadata"], value["source"]
    _require(value["schema_version"] == "1.0", ".schema_version", "'1.0'", value["schema_version"])
    _keys(
        metadata,
        ".metadata",
        (
            "abstract_canon_sha256",
            "cross_cats_sorted",
            "license",
            "primary_cat",
            "submitted_at",
            "title_canon_sha256",
        ),
    )
    _keys(source, ".source", ("id", "kind", "version"))
    for name in ("abstract_canon_sha256", "title_canon_sha256"):
        _match(_is_hash, metadata[name], f".metadata.{name}", "64 lower-case hex digits")
    _match(is_category, metadata["primary_cat"], ".metadata.primary_cat", "an arXiv category")
    categories = metadata["cross_cats_sorted"]
    _require(type(categories) is list, ".metadata.cross_cats_sorted", "a list", categories)
    for index, category in enumerate(categories):
        _match(is_category, category, f".metadata.cross_cats_sorted[{index}]", "an arXiv category")
    _require(type(metadata["license"]) is str, ".metadata.license", "a string", metadata["license"])
    _match(_is_time, metadata["submitted_at"], ".metadata.submitted_at", "a UTC time like 2024-02-23T22:10:59Z")
    _require(source["kind"] == "arxiv", ".source.kind", "'arxiv'", source["kind"])
    _match(is_arxiv_id, source["id"], ".source.id", "an arXiv id without version")
    version = source["version"]
    # type(), since True is an int and would be hashed as `true`
    _require(type(version) is int and 1 <= version <= MAX_INTEGER, ".source.version", "a whole number from 1", version)
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


def is_arxiv_id(text: str) -> bool:
    """Whether a text is an arXiv id as records have it, without version: ``2402.15627``, ``hep-lat/0305021``."""
    archive, slash, serial = text.partition("/")
    if not text.isascii():
        return False
    if not slash:
        month, dot, serial = text.partition(".")
        return bool(dot) and month.isdigit() and serial.isdigit() and len(month) == 4 and 4 <= len(serial) <= 5
    archive, dot, subject = archive.partition(".")
    return (
        (serial.isdigit() and len(serial) == 7)
        and (2 <= len(archive) <= 20 and _ARCHIVE_CHARACTERS.issuperset(archive))
        and (not dot or (len(subject) == 2 and subject.isalpha() and subject.isupper()))
    )


def is_category(text: str) -> bool:
    """Whether a text has the form of an arXiv category: ``cs.LG``, ``hep-th``."""
    parts = text.split(".")
    return len(parts) <= 2 and all(
        1 <= len(part) <= 31 and part[0] in _LETTERS and _CATEGORY_CHARACTERS.issuperset(part) for part in parts
    )


def _is_hash(text: str) -> bool:
    return len(text) == 64 and _HEX.issuperset(text)


def _is_time(text: str) -> bool:
    """A UTC time like 2024-02-23T22:10:59Z that the calendar has; leap seconds included."""
    digits = text[:4] + text[5:7] + text[8:10] + text[11:13] + text[14:16] + text[17:19]
    marks = text[4:5] + text[7:8] + text[10:11] + text[13:14] + text[16:17] + text[19:]
    if marks != "--T::Z" or len(digits) != 14 or not (digits.isascii() and digits.isdigit()):
        return False
    year, month, day = int(digits[:4]), int(digits[4:6]), int(digits[6:8])
    leap = month == 2 and (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
    return (year > 0 and 1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] + leap) and (
        digits[8:10] <= "23" and digits[10:12] <= "59" and digits[12:] <= "60"
    )


def _match(form: Callable[[str], bool], value: Any, place: str, expected: str) -> None:
    _require(type(value) is str and form(value), place, expected, value)


def read_record(document: Any, origin: str = "") -> Record:
    """Read a parsed JSON value as a record or bundle.

    Raises:
        RecordError: it is no JSON object.
        SchemaError: the canonical record is missing or breaks its closed schema.
    """
    if type(document) is not dict:
        raise RecordError(
            f"{origin or 'record'}: a record is a JSON object, this is {_json_type(document)}", code="record.type"
        )
    if "canonical_record" not in document:
        raise SchemaError(f"{origin or 'record'}: has no canonical_record, so there is nothing to verify")
    canonical = read_canonical_record(document["canonical_record"])
    bundle = document.get("bundle_type") == "pith_open_graph_bundle"
    served = _receipt_of_bundle(document) if bundle else document.get("receipt")
    return Record(
        document,
        "bundle" if bundle else "record",
        canonical,
        _text(document.get("canonical_sha256")),
        _text(document.get("pith_number")),
        _text(document.get("short_pith_number")),
        _receipt(served) if type(served) is dict else None,
        served is not None and type(served) is not dict,
        _aliases(document.get("source_aliases" if bundle else "aliases")),
        _paper(document),
        origin,
    )


def _json_type(value: Any) -> str:
    names = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


def _receipt_of_bundle(document: Mapping[str, Any]) -> Any:
    events = document.get("events")
    for event in events if type(events) is list else ():
        if type(event) is dict and event.get("event_type") == "record_created":
            payload = event.get("payload")
            return payload.get("receipt") if type(payload) is dict else None
    return None


def _receipt(served: Mapping[str, Any]) -> Receipt:
    return Receipt(*[_text(served.get(name)) for name in Receipt._fields])


def _aliases(served: Any) -> tuple[Alias, ...]:
    found = []
    for item in served if type(served) is list else ():
        if type(item) is dict:
            kind, value = _text(item.get("alias_kind")), _text(item.get("alias_value"))
            if kind is not None and value is not None:
                found.append(Alias(kind, value))
    return tuple(found)


def _paper(document: Mapping[str, Any]) -> Paper:
    served = document.get("paper")
    if type(served) is not dict:
        return _NO_PAPER
    return Paper(_text(served.get("title")), _text(served.get("authors_text")), _text(served.get("abstract_excerpt")))


def load(source: bytes | str | os.PathLike[str]) -> Record:
    """Read a record or bundle from its bytes or from a file.

    Args:
        source: the bytes, or the path of a file of at most 1 MiB.

    Raises:
        RecordError: the file can't be read, or its bytes are no strict JSON.
        SchemaError: the canonical record breaks its closed schema.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return read_record(read_json(bytes(source)))
    where = os.fspath(source)
    return read_record(read_json(read_file(where), where), where)
