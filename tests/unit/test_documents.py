"""What is no record is named for what it is, and never called invalid."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.documents import (
    DAMAGED_JSON,
    LENIENT_DEPTH,
    has_canonical_record,
    kind_of,
    kind_of_document,
)
from pybadge.input import MAX_BYTES
from pybadge.resolve import Resolver
from pybadge.verification import report_on, verify
from tests.support.cost import grows_at_most
from tests.support.data import RECORD_BYTES, ROOT, read_lines
from tests.support.documents import PITH, key_json, to_bytes

KINDS: list[tuple[bytes, str]] = [
    (b"", "an empty file"),
    (b" \n\t\r\n", "a file of blanks"),
    (b"\xef\xbb\xbf", "a file of blanks"),
    (b"%PDF-1.7\n%\xe2\xe3", "a PDF file"),
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff\xe0", "a JPEG picture"),
    (b"GIF89a", "a GIF picture"),
    (b"PK\x03\x04", "a ZIP archive"),
    (gzip.compress(RECORD_BYTES), "a gzip file"),
    (b"BZh9", "a bzip2 file"),
    (b"\xfd7zXZ\x00", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\x7fELF\x02", "a program"),
    (b"-----BEGIN PRIVATE KEY-----\n", "a PEM file"),
    (b"\\documentclass{article}", "a LaTeX file"),
    (b"\n<?xml version='1.0'?>", "an XML file"),
    (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG picture"),
    (b"<!DOCTYPE html>\n<html>", "an HTML page"),
    (b"  <HTML>", "an HTML page"),
    (b"XR2UHLWN\n", "a text file"),
    (b"\x00\x01\x02", "a file of bytes"),
    (b"[]", "a JSON array"),
    (b"{}", "a JSON object"),
    (b"\xef\xbb\xbf{}", "a JSON object"),
    (b'{"number": 1' + b"0" * 9000 + b"}", "a JSON object"),
    (b"{", DAMAGED_JSON),
    (RECORD_BYTES[:-2], DAMAGED_JSON),
    (b"[" * 100_000, DAMAGED_JSON),
    (to_bytes({"mirrors": []}), "a mirror manifest"),
    (to_bytes({"manifest_type": "pith_mirrors"}), "a mirror manifest"),
    (to_bytes({"state_type": "pith_open_graph_state"}), "a merged state"),
    (to_bytes({"schema": "pybadge-lock/1"}), "a lock file"),
    (to_bytes({"schema": "pybadge-report/1"}), "a report of pybadge"),
    (to_bytes({"schema": "pybadge-other/1"}), "a file of pybadge's own"),
    (key_json(PITH).encode(), "a public key"),
    (to_bytes({"event_type": "record_created"}), "an event"),
    (to_bytes({"alias_kind": "doi", "alias_value": "10.1/x"}), "an alias"),
    (to_bytes({"$schema": "https://json-schema.org/draft/2020-12/schema"}), "a JSON Schema"),
]


@pytest.mark.parametrize(
    ("data", "kind"), KINDS, ids=lambda value: value if type(value) is str else ""
)
def test_a_file_of_another_kind_is_named_and_unreadable(
    tmp_path: Path, data: bytes, kind: str
) -> None:
    assert kind_of(data) == kind
    path = tmp_path / "file.json"
    path.write_bytes(data)
    for report in (verify(data, origin=str(path)), report_on(str(path), Resolver(offline=True))):
        assert (report.verdict, report.exit_code) == ("unreadable", 2)
        assert report["parse"].status == "not_checked"
        if kind == "a JSON array":
            assert report.reason == f"{path}: a record is a JSON object, this is an array"
        elif kind != DAMAGED_JSON:
            assert report.reason.startswith(f"{path}: not a record but {kind}")
    assert not has_canonical_record(data)


@pytest.mark.parametrize("value", [None, 7, True, ["pith_open_graph_state"], {}])
@pytest.mark.parametrize("key", ["state_type", "manifest_type", "schema", "public_key_b64"])
def test_a_key_of_another_type_tells_nothing(key: str, value: Any) -> None:
    assert kind_of_document({key: value}) == "a JSON object"


@pytest.mark.parametrize(
    "data",
    [
        RECORD_BYTES,
        b'{"canonical_record": 7}',
        b'\xef\xbb\xbf{"canonical_record": {}}',
        b'{"canonical_record": {}, "canonical_record": {}}',
        b'{"canonical_record": NaN}',
        b'{"canonical_record": 1' + b"0" * 9000 + b"}",
        b'{"canonical_record": "\\ud800"}',
    ],
    ids=range(7),
)
def test_an_object_with_a_canonical_record_is_a_record_even_to_a_lenient_reader(
    data: bytes,
) -> None:
    assert has_canonical_record(data)
    assert verify(data).verdict == ("verified" if data == RECORD_BYTES else "invalid")


@pytest.mark.parametrize(
    "data", [b'["canonical_record"]', b'"canonical_record"', b"{canonical_record}"]
)
def test_the_word_alone_makes_no_record(data: bytes) -> None:
    assert not has_canonical_record(data)
    assert verify(data).verdict == "unreadable"


@pytest.mark.parametrize("extra", [0, 1])
def test_a_lenient_reader_takes_256_levels_whatever_the_python(extra: int) -> None:
    """A verdict must not depend on how deep one Python reads and another doesn't."""
    levels = LENIENT_DEPTH - 1 + extra  # the record's own object is one more
    data = b'{"canonical_record":' + b"[" * levels + b"]" * levels + b"}"
    assert has_canonical_record(data) == (extra == 0)
    report = verify(data)
    assert report["parse"].code == "json.depth"
    assert report.verdict == ("unreadable" if extra else "invalid")


def test_what_is_longer_than_any_record_is_not_looked_at() -> None:
    data = RECORD_BYTES + b" " * MAX_BYTES
    assert not has_canonical_record(data)
    report = verify(data)
    assert (report.verdict, report["parse"].code) == ("unreadable", "json.size")


@given(st.binary(max_size=80))
def test_bytes_without_a_record_are_never_invalid(data: bytes) -> None:
    report = verify(data)
    assert report.verdict == "unreadable"
    assert report.reason.isprintable()


def files_of_the_project() -> list[Path]:
    """Good files of other kinds: sources, documents, pictures and data."""
    found = [
        path
        for folder in ("pybadge", "tests", "docs", "tools")
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and path.stat().st_size < 1 << 20 and "__pycache__" not in path.parts
    ]
    return [path for path in found if not has_canonical_record(path.read_bytes())]


def test_three_hundred_good_files_of_other_kinds_are_unreadable_and_never_invalid() -> None:
    found = files_of_the_project()[:600]
    assert len(found) >= 300
    for path in found:
        report = verify(path.read_bytes(), origin="here")
        assert (report.verdict, report.exit_code) == ("unreadable", 2), path


@pytest.mark.parametrize("name", ["records.jsonl", "signatures.jsonl"])
def test_a_list_of_records_is_no_record(name: str) -> None:
    data = b"\n".join(json.dumps(line).encode() for line in read_lines(name))
    assert verify(data).verdict == "unreadable"


@pytest.mark.parametrize("unit", [b"[", b'{"a":', b"{}", b"<", b" ", b"-----BEGIN", b'"\\'])
def test_naming_a_kind_takes_no_more_work_than_its_length(unit: bytes) -> None:
    assert grows_at_most(kind_of, unit * 2_000, unit * 20_000, 15)
