"""What a record says: strict reading of bytes into frozen types (docs/spec, 2, 4 and 5).

Reading is strict because two readers that disagree on what a file says can be made to disagree on
whether it is genuine.
Only the canonical record has a closed schema: everything else in a record is the server's word and
is kept as it came.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pybadge.documents import (
    DAMAGED_JSON,
    has_canonical_record,
    kind_of,
    kind_of_document,
)
from pybadge.errors import RecordError, RuleError
from pybadge.input import read_file
from pybadge.number import SHORT_LENGTHS, PithNumber
from pybadge.receipt import Receipt, read_receipt
from pybadge.schema import CanonicalRecord, read_canonical_record
from pybadge.strict_json import read_json

__all__ = [
    "BUNDLE_TYPE",
    "DOI_PREFIX",
    "EXCERPT_CUT",
    "EXCERPT_LENGTH",
    "RECORD_CREATED",
    "Alias",
    "Citation",
    "Paper",
    "Record",
    "Served",
    "alias_values",
    "load",
    "read_bytes",
    "read_record",
]

EXCERPT_LENGTH = 600
"""Characters of the abstract that a record carries at most."""
EXCERPT_CUT = 10
"""A text that was cut may have lost so many blanks at its end."""
BUNDLE_TYPE = "pith_open_graph_bundle"
RECORD_CREATED = "record_created"
"""The type of the event in which a bundle has the receipt."""
DOI_PREFIX = "10.48550/arxiv."


@dataclass(frozen=True, slots=True)
class Alias:
    """Another name of the record, as served: kind such as ``arxiv_version``, value such as
    ``2402.15627v1``."""

    kind: str
    value: str


@dataclass(frozen=True, slots=True)
class Paper:
    """What the server says of the paper. Nothing here is signed; title and abstract can be compared
    with their hashes."""

    title: str | None = None
    authors: str | None = None
    abstract_excerpt: str | None = None


_NO_PAPER = Paper()


@dataclass(frozen=True, slots=True)
class Citation:
    """A paper that cites this one, as served.

    Attributes:
        arxiv_id: without version.
        title: "" where none is served.
    """

    arxiv_id: str
    title: str


@dataclass(frozen=True, slots=True)
class Served:
    """What the server says beside the paper, in types that can be relied on. All of it is outside
    hash and signature.

    Attributes:
        flags: ``verification_status`` as far as its values are booleans or counts.
        event_types: the types of the events in a bundle.
        graph: ``graph_snapshot``, its parts as they came; empty where there is none.
        has_graph: whether there is a ``graph_snapshot`` at all.
        citation_count: how many papers cite this one; None where nothing is said.
        citations: some of them.
    """

    flags: Mapping[str, int]
    event_types: frozenset[str]
    graph: Mapping[str, Any]
    has_graph: bool
    citation_count: int | None
    citations: tuple[Citation, ...]

    def claims(self, flag: str) -> bool:
        """Whether a flag is set: true, or a count above 0."""
        return self.flags.get(flag, 0) > 0


@dataclass(frozen=True, slots=True)
class Record:
    """A record or bundle, read strictly.

    Attributes:
        document: the whole JSON object, unknown keys included.
        kind: ``record`` or ``bundle``.
        canonical: the schema-checked canonical record.
        canonical_sha256, pith_number, short_pith_number: what the document claims; None where
            absent or no string.
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

    @property
    def served(self) -> Served:
        """Flags, events, graph and citations; read anew at each use."""
        return _served(self.document)


def alias_values(source_id: str, version: int, number: PithNumber) -> dict[str, str]:
    """The aliases that follow from a canonical record, by kind (docs/spec, 5.3).

    Args:
        source_id: the arXiv id without version.
        version: of the paper.
        number: the full number.
    """
    shorts = {f"pith_short_{length}": number.suffix[:length] for length in SHORT_LENGTHS}
    return {
        "arxiv": source_id,
        "arxiv_version": f"{source_id}v{version}",
        "doi": f"{DOI_PREFIX}{source_id}".lower(),
        **shorts,
    }


def read_record(document: Any, origin: str = "") -> Record:
    """Read a parsed JSON value as a record or bundle.

    Raises:
        RecordError: it is not a JSON object with a canonical record.
        SchemaError: the canonical record breaks its closed schema.
    """
    where = origin or "record"
    if type(document) is not dict:
        raise RecordError(
            f"{where}: a record is a JSON object, this is {_json_type(document)}",
            code="record.type",
        )
    if "canonical_record" not in document:
        raise RecordError(
            f"{where}: not a record but {kind_of_document(document)}: it has no canonical_record",
            code="record.other_document",
        )
    canonical = read_canonical_record(document["canonical_record"])
    bundle = document.get("bundle_type") == BUNDLE_TYPE
    served = _receipt_of_bundle(document) if bundle else document.get("receipt")
    return Record(
        document,
        "bundle" if bundle else "record",
        canonical,
        _text(document.get("canonical_sha256")),
        _text(document.get("pith_number")),
        _text(document.get("short_pith_number")),
        read_receipt(served) if type(served) is dict else None,
        served is not None and type(served) is not dict,
        _aliases(document.get("source_aliases" if bundle else "aliases")),
        _paper(document),
        origin,
    )


def _json_type(value: Any) -> str:
    names = {
        dict: "an object",
        list: "an array",
        str: "a string",
        bool: "a boolean",
        type(None): "null",
    }
    return names.get(type(value), "a number")


def _text(value: Any) -> str | None:
    return value if type(value) is str else None


def _receipt_of_bundle(document: Mapping[str, Any]) -> Any:
    events = document.get("events")
    for event in events if type(events) is list else ():
        if type(event) is dict and event.get("event_type") == RECORD_CREATED:
            payload = event.get("payload")
            return payload.get("receipt") if type(payload) is dict else None
    return None


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
    return Paper(
        _text(served.get("title")),
        _text(served.get("authors_text")),
        _text(served.get("abstract_excerpt")),
    )


def _object(value: Any) -> Mapping[str, Any]:
    return value if type(value) is dict else {}


def _list(value: Any) -> list[Any]:
    return value if type(value) is list else []


def _served(document: Mapping[str, Any]) -> Served:
    flags = _object(document.get("verification_status"))
    events = [_object(event).get("event_type") for event in _list(document.get("events"))]
    graph = document.get("graph_snapshot")
    citations = _object(document.get("inbound_citations"))
    count = citations.get("count")
    return Served(
        {name: value for name, value in flags.items() if type(value) in (bool, int)},
        frozenset(event for event in events if type(event) is str),
        _object(graph),
        type(graph) is dict,
        count if type(count) is int else None,
        tuple(_citations(_list(citations.get("sample")))),
    )


def _citations(sample: list[Any]) -> Iterator[Citation]:
    for item in sample:
        identifier = _text(_object(item).get("citing_arxiv_id"))
        if identifier is not None:
            yield Citation(identifier, _text(item.get("citing_title")) or "")


def read_bytes(data: bytes, origin: str = "") -> Record:
    """Read a record or bundle from its bytes.

    Args:
        data: the bytes.
        origin: where they came from, for messages.

    Raises:
        RecordError: they are not a record, but something else or nothing that can be read.
        RuleError: they are a record that breaks a rule of strict reading.
        SchemaError: the canonical record breaks its closed schema.
    """
    where = origin or "record"
    try:
        document = read_json(data, where)
    except RecordError as error:
        if has_canonical_record(data):
            raise RuleError(str(error), code=error.code) from None
        kind = kind_of(data)
        if kind == DAMAGED_JSON or error.code == "json.size":
            raise
        raise RecordError(
            f"{where}: not a record but {kind}", code="record.other_document"
        ) from None
    return read_record(document, origin)


def load(source: bytes | str | os.PathLike[str]) -> Record:
    """Read a record or bundle from its bytes or from a file.

    Args:
        source: the bytes, or the path of a file of at most 1 MiB.

    Raises:
        RecordError: the file can't be read, or is not a record.
        RuleError: the record breaks a rule of strict reading.
        SchemaError: the canonical record breaks its closed schema.
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        return read_bytes(bytes(source))
    where = os.fspath(source)
    return read_bytes(read_file(where), where)
