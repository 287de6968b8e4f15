"""Strict reading: two readers must not be able to disagree on what a record says."""

from __future__ import annotations

import base64
import contextlib
import copy
import json
import time
import zlib
from collections.abc import Iterator
from typing import Any

import pytest

import pybadge
from pybadge.errors import RecordError, SchemaError
from pybadge.record import MAX_BYTES, is_arxiv_id, load, read_canonical_record, read_json
from tests.support.documents import REAL, RECORD, RECORDS, SHARED, needs_conformance, to_bytes


def suite() -> Iterator[tuple[str, bytes]]:
    if SHARED is None:
        return
    with (SHARED / "conformance/json/jsontestsuite.jsonl").open(encoding="utf-8") as stream:
        for line in stream:
            case = json.loads(line)
            packed = case.get("b64")
            data = (
                base64.b64decode(packed)
                if packed is not None
                else zlib.decompress(base64.b64decode(case["zb64"]))
            )
            assert len(data) == case["len"]
            yield case["name"], data


def accepted(data: bytes) -> bool:
    try:
        read_json(data)
    except RecordError as error:
        fault = str(error)
    else:
        fault = ""
    assert "\n" not in fault
    return not fault


@needs_conformance
def test_json_test_suite() -> None:
    """All that must be refused is, all that must be accepted is but for duplicate keys; nothing
    else is ever raised."""
    cases = list(suite())
    assert len(cases) == 340
    wrong = {
        name
        for name, data in cases
        if name.split("/")[1].startswith(("y_", "n_"))
        and accepted(data) != name.split("/")[1].startswith("y_")
    }
    assert wrong == {
        "test_parsing/y_object_duplicated_key.json",
        "test_parsing/y_object_duplicated_key_and_value.json",
    }
    for _name, data in cases:
        accepted(data)  # the i_ and transform cases: either way, but in an orderly one


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xef\xbb\xbf{}", "json.encoding"),
        ("{}".encode("utf-16"), "json.encoding"),
        ("{}".encode("utf-16-le"), "json.syntax"),
        (b'{"a": "\xff"}', "json.encoding"),
        (b'{"a": NaN}', "json.constant"),
        (b'{"a": Infinity}', "json.constant"),
        (b'{"a": -Infinity}', "json.constant"),
        (b'{"a": 1e999}', "json.number"),
        (b'{"a": 9007199254740992}', "json.integer"),
        (b'{"a": -9007199254740992}', "json.integer"),
        (b'{"a": ' + b"9" * 5000 + b"}", "json.integer"),
        (rb'{"a": "\ud800"}', "json.surrogate"),
        (rb'{"\uDFFF": 1}', "json.surrogate"),
        (b'{"a": 1, "a": 1}', "json.duplicate_key"),
        (b'{"a": 1, "\\u0061": 2}', "json.duplicate_key"),
        (b"[" * 65 + b"]" * 65, "json.depth"),
        (b"{}x", "json.syntax"),
        (b"", "json.syntax"),
        (b'{"a": "\n"}', "json.syntax"),
        (b" " * (MAX_BYTES + 1), "json.size"),
    ],
)
def test_refused(data: bytes, code: str) -> None:
    with pytest.raises(RecordError) as caught:
        read_json(data, "somewhere")
    assert caught.value.code == code
    assert str(caught.value).startswith("somewhere: ")
    assert pybadge.verify(data).exit_code == 2


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 9007199254740991, "b": -9007199254740991, "c": 0.5}',
        rb'{"a": "\ud83d\ude00"}',
        b"[" * 64 + b"]" * 64,
        b'["' + b"[" * 100_000 + b'"]',
        b'["\\\\", "\\"' + b"[" * 1000 + b'"]',
        b" \t\r\n{} \t\r\n",
    ],
)
def test_accepted(data: bytes) -> None:
    assert read_json(data) == json.loads(data)


@pytest.mark.parametrize(
    "data", [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 100_000 + b"]" * 100_000, b"[]" * 500_000]
)
def test_brackets_by_the_hundred_thousand_are_refused_at_once(data: bytes) -> None:
    """As fast as a readable file of the same length, give or take: a ratio, since machines
    differ."""
    flat = b"[" + b"1," * (len(data) // 2 - 1) + b"1]"

    def cost(read: bytes) -> float:
        started = time.process_time()
        with contextlib.suppress(RecordError):
            read_json(read)
        return time.process_time() - started

    with pytest.raises(RecordError):
        read_json(data)
    assert min(cost(data) for _ in range(3)) < 10 * max(cost(flat) for _ in range(3))


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from objects(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, (*path, index))


def with_duplicate(value: Any, path: tuple[Any, ...]) -> str:
    """JSON text in which the first key of the object at ``path`` stands twice."""
    if isinstance(value, dict):
        inner = {
            key: with_duplicate(item, path[1:] if path and path[0] == key else ("not here",))
            for key, item in value.items()
        }
        pairs = [f"{json.dumps(key)}: {text}" for key, text in inner.items()]
        if path == () and pairs:
            pairs.append(pairs[0])
        elif path == ():
            pairs = ['"a": 1', '"a": 1']
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return (
            "["
            + ", ".join(
                with_duplicate(item, path[1:] if path and path[0] == index else ("not here",))
                for index, item in enumerate(value)
            )
            + "]"
        )
    return json.dumps(value)


@pytest.mark.parametrize(
    "path", list(objects(REAL)), ids=lambda path: ".".join(map(str, path)) or "top"
)
def test_a_duplicate_key_in_any_object_of_a_real_record_is_refused(path: tuple[Any, ...]) -> None:
    report = pybadge.verify(with_duplicate(REAL, path).encode())
    assert report["parse"].code == "json.duplicate_key"
    assert report.verdict == "invalid"


def test_without_the_duplicate_that_text_verifies() -> None:
    assert pybadge.verify(with_duplicate(REAL, ("not here",)).encode()).verdict == "verified"


def changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(REAL["canonical_record"])
    *parents, last = path.split(".")
    target = document
    for parent in parents:
        target = target[parent]
    if value is KeyError:
        del target[last]
    else:
        target[last] = value
    return document


@pytest.mark.parametrize("record", RECORDS, ids=lambda line: line["suffix"][:8])
def test_every_real_canonical_record_fits_the_schema(record: dict[str, Any]) -> None:
    assert read_canonical_record(record["canonical_record"]).document is record["canonical_record"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("schema_version", "1.1"),
        ("schema_version", 1.0),
        ("source", []),
        ("extra", 1),
        ("metadata.extra", None),
        ("source.extra", 1),
        ("metadata.license", KeyError),
        ("metadata.license", None),
        ("metadata.primary_cat", "cs LG"),
        ("metadata.primary_cat", ""),
        ("metadata.primary_cat", "cs.LG\n"),
        ("metadata.cross_cats_sorted", "cs.DC"),
        ("metadata.cross_cats_sorted", [["cs.DC"]]),
        ("metadata.title_canon_sha256", "A" * 64),
        ("metadata.title_canon_sha256", "a" * 63),
        ("metadata.title_canon_sha256", "a" * 64 + "\n"),
        ("metadata.submitted_at", "2024-02-23T22:10:59"),
        ("metadata.submitted_at", "2024-02-30T22:10:59Z"),
        ("metadata.submitted_at", "2023-02-29T22:10:59Z"),
        ("metadata.submitted_at", "2024-02-23T24:10:59Z"),
        ("metadata.submitted_at", "２０24-02-23T22:10:59Z"),
        ("metadata.submitted_at", "0000-02-23T22:10:59Z"),
        ("metadata.submitted_at", "2024-02-23T22:10:59Z\n"),
        ("source.id", "2402.15627v1"),
        ("source.id", "٢402.15627"),
        ("source.id", "../etc"),
        ("source.kind", "doi"),
        ("source.version", 0),
        ("source.version", True),
        ("source.version", 1.0),
        ("source.version", "1"),
        ("source.version", 2**53),
    ],
)
def test_the_schema_is_closed(path: str, value: Any) -> None:
    with pytest.raises(SchemaError) as caught:
        read_canonical_record(changed(path, value))
    assert path.split(".")[-1] in str(caught.value)
    assert caught.value.exit_code == 1
    document = {**REAL, "canonical_record": changed(path, value)}
    assert pybadge.verify(document).verdict == "invalid"


@pytest.mark.parametrize(
    "value", ["2024-02-29T00:00:00Z", "2016-12-31T23:59:60Z", "1991-10-14T14:19:40Z"]
)
def test_times_that_the_calendar_has(value: str) -> None:
    assert read_canonical_record(changed("metadata.submitted_at", value)).submitted_at == value


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("2402.15627", True),
        ("0704.0001", True),
        ("hep-lat/0305021", True),
        ("math.GT/0309136", True),
        ("2402.156", False),
        ("2402.156278", False),
        ("24021.5627", False),
        ("hep-lat/030502", False),
        ("HEP-LAT/0305021", False),
        ("math.gt/0309136", False),
        ("math.G/0309136", False),
        ("math./0309136", False),
        ("a/b/0309136", False),
        ("", False),
        (".", False),
        ("/", False),
        ("２402.15627", False),
    ],
)
def test_arxiv_ids(text: str, is_one: bool) -> None:
    assert is_arxiv_id(text) is is_one


def test_load_takes_bytes_and_paths(tmp_path: Any) -> None:
    assert load(RECORD) == load(str(RECORD))
    assert load(RECORD.read_bytes()).document == load(RECORD).document
    with pytest.raises(RecordError, match="No such file"):
        load(tmp_path / "missing.json")
    (tmp_path / "big.json").write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(RecordError, match="larger than"):
        load(tmp_path / "big.json")
    with pytest.raises(RecordError, match="an array"):
        load(b"[]")
    with pytest.raises(SchemaError):
        load(to_bytes({"canonical_record": None}))
