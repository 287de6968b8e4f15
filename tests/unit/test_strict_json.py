"""Strict reading of JSON: two readers must not be able to disagree on what a record says."""

from __future__ import annotations

import base64
import json
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pybadge
from pybadge.errors import RecordError
from pybadge.input import MAX_BYTES
from pybadge.strict_json import read_json
from tests.support.conformance import conformance_folder, needs_conformance
from tests.support.data import REAL, RECORD_BYTES, read_lines

VECTORS = read_lines("json.jsonl")


def data_of(vector: dict[str, Any]) -> bytes:
    if "hex" in vector:
        return bytes.fromhex(vector["hex"])
    return str(vector["text"]).encode("utf-8")


def is_json(data: bytes) -> bool:
    """Whether a lenient reader takes some bytes for JSON."""
    try:
        json.loads(data, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def fault_of(data: bytes) -> str | None:
    """The code of the error that some bytes raise; None where they are accepted."""
    try:
        read_json(data)
    except RecordError as error:
        fault, code = str(error), error.code
    else:
        fault, code = "", None
    assert "\n" not in fault
    assert len(fault) < 200
    return code


@pytest.mark.parametrize("vector", VECTORS, ids=lambda one: f"{one['rule']}: {one['name']}")
def test_a_vector_is_accepted_or_refused_as_it_says(vector: dict[str, Any]) -> None:
    data = data_of(vector)
    assert fault_of(data) == vector.get("code")
    if vector["accept"]:
        assert read_json(data) == json.loads(data)


def test_every_rule_has_vectors_of_both_kinds() -> None:
    counted = Counter((vector["rule"], vector["accept"]) for vector in VECTORS)
    for rule in {vector["rule"] for vector in VECTORS}:
        assert counted[rule, True] >= 2, rule
        assert counted[rule, False] >= 6, rule


@pytest.mark.parametrize(
    "vector",
    [vector for vector in VECTORS if not vector["accept"]],
    ids=lambda one: f"{one['rule']}: {one['name']}",
)
def test_what_is_refused_is_no_record(vector: dict[str, Any]) -> None:
    report = pybadge.verify(data_of(vector), origin="somewhere")
    assert (report.verdict, report.exit_code) == ("unreadable", 2)
    assert report["parse"].status == "not_checked"
    assert report["parse"].code in (vector["code"], "record.other_document")
    assert report["parse"].detail.startswith("somewhere: ")


LENIENTLY_READ = ("duplicate_key", "integer", "constant", "surrogate", "number", "depth")


@pytest.mark.parametrize(
    "vector",
    [
        vector
        for vector in VECTORS
        if not vector["accept"] and vector["rule"] in LENIENTLY_READ and is_json(data_of(vector))
    ],
    ids=lambda one: f"{one['rule']}: {one['name']}",
)
def test_a_record_that_holds_what_is_refused_is_invalid(vector: dict[str, Any]) -> None:
    data = RECORD_BYTES.strip()[:-1] + b', "more": ' + data_of(vector) + b"}"
    report = pybadge.verify(data, origin="somewhere")
    assert (report.verdict, report.exit_code) == ("invalid", 1)
    assert report["parse"].status == "invalid"
    assert report["parse"].code == vector["code"]
    assert report["parse"].detail.startswith("somewhere: ")


def test_a_mebibyte_is_read_and_no_more() -> None:
    longest = b'"' + b"x" * (MAX_BYTES - 2) + b'"'
    assert fault_of(longest) is None
    assert fault_of(longest + b" ") == "json.size"
    assert fault_of(b" " * (MAX_BYTES + 1)) == "json.size"


def test_the_place_of_a_syntax_fault_is_named() -> None:
    with pytest.raises(RecordError, match=r"^here: not JSON: Expecting value at line 2, column 3$"):
        read_json(b'{"a":\n  x}', "here")
    with pytest.raises(RecordError, match=r"^here: not UTF-8 at byte 2$"):
        read_json(b'"a\xff"', "here")


def test_a_byte_order_mark_is_called_one() -> None:
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        with pytest.raises(RecordError, match="begins with a byte order mark"):
            read_json(mark + b"{}")


def test_deep_nesting_is_found_before_the_parser_meets_it() -> None:
    """Whatever comes first in the text: a fault of another kind behind it is never seen."""
    for data in (b"[" * 200_000, b'{"a":' * 200_000, b"[" * 65 + b"\xff" + b"]" * 65):
        assert fault_of(data) == "json.depth"


@given(st.integers(1, 130), st.lists(st.booleans(), min_size=130, max_size=130))
def test_64_levels_are_read_and_65_are_not_whatever_they_are_made_of(
    depth: int, kinds: list[bool]
) -> None:
    text = ""
    for kind in kinds[:depth]:
        text = f"[{text}]" if kind else '{"k":' + (text or "0") + "}"
    assert fault_of(text.encode()) == (None if depth <= 64 else "json.depth")


@given(
    st.binary(max_size=60)
    | st.text(alphabet='{}[]",:\\ \n0123456789.eE+-truefalsnudD8').map(str.encode)
)
def test_whatever_is_accepted_is_what_any_reader_reads(data: bytes) -> None:
    if fault_of(data) is None:
        value = read_json(data)
        assert repr(value) == repr(json.loads(data))
        assert repr(json.loads(json.dumps(value))) == repr(value)


# --- duplicate keys in a whole record


def objects(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from objects(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from objects(item, (*path, index))


NOWHERE = ("not here",)


def inner(path: tuple[Any, ...], step: Any) -> tuple[Any, ...]:
    """The rest of a path behind one step, where it leads there."""
    return path[1:] if path and path[0] == step else NOWHERE


def with_duplicate(value: Any, path: tuple[Any, ...]) -> str:
    """JSON text in which the first key of the object at ``path`` stands twice."""
    if isinstance(value, list):
        items = [with_duplicate(item, inner(path, index)) for index, item in enumerate(value)]
        return f"[{', '.join(items)}]"
    if not isinstance(value, dict):
        return json.dumps(value)
    pairs = [
        f"{json.dumps(key)}: {with_duplicate(item, inner(path, key))}"
        for key, item in value.items()
    ]
    if path == ():
        pairs = [*pairs, pairs[0]] if pairs else ['"a": 1', '"a": 1']
    return "{" + ", ".join(pairs) + "}"


@pytest.mark.parametrize(
    "path", list(objects(REAL)), ids=lambda path: ".".join(map(str, path)) or "top"
)
def test_a_duplicate_key_in_any_object_of_the_real_record_is_refused(path: tuple[Any, ...]) -> None:
    report = pybadge.verify(with_duplicate(REAL, path).encode())
    assert report["parse"].code == "json.duplicate_key"
    assert report.verdict == "invalid"


def test_without_the_duplicate_that_text_verifies() -> None:
    assert pybadge.verify(with_duplicate(REAL, NOWHERE).encode()).verdict == "verified"


# --- what others publish


def suite() -> Iterator[tuple[str, bytes]]:
    file = conformance_folder("json") / "jsontestsuite.jsonl"
    for case in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        if "b64" in case:
            yield case["name"], base64.b64decode(case["b64"])
        else:
            yield case["name"], zlib.decompress(base64.b64decode(case["zb64"]))


@needs_conformance
def test_the_json_test_suite_is_read_as_it_says_but_for_duplicate_keys() -> None:
    cases = {name: fault_of(data) for name, data in suite()}
    assert len(cases) == 340
    expected = {name: name.split("/")[1][:2] for name in cases}
    wrong = {
        name
        for name, fault in cases.items()
        if (expected[name] == "y_" and fault) or (expected[name] == "n_" and not fault)
    }
    assert wrong == {
        "test_parsing/y_object_duplicated_key.json",
        "test_parsing/y_object_duplicated_key_and_value.json",
    }
