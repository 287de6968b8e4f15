"""What a file or an answer is that is not a record, in words: for messages, never for a verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pybadge.input import MAX_BYTES
from pybadge.strict_json import is_deeper_than

__all__ = ["DAMAGED_JSON", "LENIENT_DEPTH", "has_canonical_record", "kind_of", "kind_of_document"]

DAMAGED_JSON = "a damaged or cut-off JSON file"
LENIENT_DEPTH = 256
"""Levels that a lenient reader takes. A number of our own: Python's limit changes from version to
version, and a verdict must not."""

# The first bytes of files that people name by mistake.
_MAGIC = (
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG\r\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1f\x8b", "a gzip file"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\x7fELF", "a program"),
    (b"-----BEGIN", "a PEM file"),
    (b"\\documentclass", "a LaTeX file"),
    (b"<?xml", "an XML file"),
    (b"<svg", "an SVG picture"),
    (b"<!doctype html", "an HTML page"),
    (b"<html", "an HTML page"),
)
# JSON documents of this field, by a key and the value it begins with.
_DOCUMENTS = (
    ("state_type", "pith_open_graph_state", "a merged state"),
    ("manifest_type", "", "a mirror manifest"),
    ("mirrors", None, "a mirror manifest"),
    ("schema", "pybadge-lock/", "a lock file"),
    ("schema", "pybadge-report/", "a report of pybadge"),
    ("schema", "pybadge-", "a file of pybadge's own"),
    ("public_key_b64", "", "a public key"),
    ("event_type", "", "an event"),
    ("alias_kind", "", "an alias"),
    ("$schema", "", "a JSON Schema"),
)


def kind_of(data: bytes) -> str:
    """What some bytes are, with its article: ``a PDF file``, ``an empty file``, ``a file``."""
    if not data:
        return "an empty file"
    start = data.lstrip(b" \t\r\n\xef\xbb\xbf")[:64]
    if not start:
        return "a file of blanks"
    lower = start.lower()
    for magic, kind in _MAGIC:
        if data.startswith(magic) or lower.startswith(magic):
            return kind
    if start[:1] in (b"{", b"["):
        return _json_kind(data)
    return "a file of bytes" if b"\x00" in data[:1024] else "a text file"


def _json_kind(data: bytes) -> str:
    document = _leniently(data)
    if type(document) is list:
        return "a JSON array"
    if type(document) is not dict:
        return DAMAGED_JSON
    return kind_of_document(document)


def kind_of_document(document: Mapping[str, Any]) -> str:
    """What a JSON object is, with its article: ``a mirror manifest``, ``a JSON object``."""
    for key, beginning, kind in _DOCUMENTS:
        value = document.get(key)
        if beginning is None:
            if value is not None:
                return kind
        elif type(value) is str and value.startswith(beginning):
            return kind
    return "a JSON object"


def _leniently(data: bytes) -> Any:
    """The value that a lenient reader takes the bytes for; None where it takes them for none.

    It takes a byte order mark, keys that stand twice, half surrogate pairs, NaN, Infinity and any
    number; in all else it keeps RFC 8259.
    """
    if len(data) > MAX_BYTES or is_deeper_than(data, LENIENT_DEPTH):
        return None
    try:
        # As text, since Python refuses to make very long numbers of it.
        return json.loads(data.decode("utf-8-sig"), parse_int=str)
    except (ValueError, RecursionError):
        return None


def has_canonical_record(data: bytes) -> bool:
    """Whether a lenient reader finds a JSON object with a ``canonical_record``: then a fault in it
    is the record's, and not a slip of the person who named the file."""
    document = _leniently(data)
    return type(document) is dict and "canonical_record" in document
