"""What a record says around its canonical record, and typed what is only served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pybadge
from pybadge.errors import RecordError, SchemaError
from pybadge.input import MAX_BYTES
from pybadge.number import parse_number
from pybadge.record import Alias, Citation, alias_values, load, read_record
from tests.support.data import NUMBER, REAL, RECORD, RECORD_BYTES
from tests.support.documents import bundle, put, to_bytes

# --- the record around it


def test_a_record_is_loaded_from_bytes_or_a_path(tmp_path: Path) -> None:
    assert load(RECORD) == load(str(RECORD))
    assert load(RECORD).origin == str(RECORD)
    for same in (RECORD_BYTES, bytearray(RECORD_BYTES), memoryview(RECORD_BYTES)):
        assert load(same).document == REAL
    with pytest.raises(RecordError, match="No such file"):
        load(tmp_path / "missing.json")
    (tmp_path / "big.json").write_bytes(b" " * (MAX_BYTES + 1))
    with pytest.raises(RecordError, match="larger than"):
        load(tmp_path / "big.json")
    with pytest.raises(SchemaError):
        load(to_bytes({"canonical_record": None}))
    with pytest.raises(RecordError, match=r"^record: not a record but an empty file$"):
        load(b"")


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ([], "an array"),
        ("x", "a string"),
        (True, "a boolean"),
        (None, "null"),
        (7, "a number"),
        (7.5, "a number"),
    ],
)
def test_what_is_no_object_is_no_record(value: Any, named: str) -> None:
    with pytest.raises(RecordError, match=f"^here: a record is a JSON object, this is {named}$"):
        read_record(value, "here")


def test_an_object_without_a_canonical_record_has_nothing_to_verify() -> None:
    with pytest.raises(RecordError, match=r"^here: not a record but a JSON object: ") as caught:
        read_record({"pith_number": NUMBER}, "here")
    assert caught.value.exit_code == 2
    assert caught.value.code == "record.other_document"


@pytest.mark.parametrize("field", ["canonical_sha256", "pith_number", "short_pith_number"])
def test_a_claim_that_is_no_text_counts_as_absent(field: str) -> None:
    assert getattr(read_record(REAL), field) == REAL[field]
    for value in (None, 7, ["x"], {"a": 1}):
        assert getattr(read_record({**REAL, field: value}), field) is None


def test_the_receipt_of_a_bundle_is_in_the_event_of_its_creation() -> None:
    read = read_record(bundle())
    assert read.kind == "bundle"
    assert read.receipt == read_record(REAL).receipt
    assert read_record(REAL).kind == "record"
    made = bundle()
    made["receipt"] = made["events"][0]["payload"]["receipt"]
    for events in (
        None,
        [],
        {},
        [7],
        [{"event_type": "other"}],
        [{"event_type": "record_created"}],
    ):
        assert read_record({**made, "events": events}).receipt is None
        assert pybadge.verify({**made, "events": events}).verdict == "not_checked"


def test_the_first_creation_of_a_bundle_counts() -> None:
    made = bundle()
    wrong = {"event_type": "record_created", "payload": {"receipt": {}}}
    assert pybadge.verify({**made, "events": [*made["events"], wrong]}).verdict == "verified"
    assert pybadge.verify({**made, "events": [wrong, *made["events"]]}).verdict == "not_checked"


def test_a_receipt_that_is_no_object_is_told_from_a_missing_one() -> None:
    for value, malformed in ((None, False), ("x", True), ([], True), (0, True)):
        read = read_record({**REAL, "receipt": value})
        assert (read.receipt, read.receipt_malformed) == (None, malformed)


def test_aliases_are_read_where_they_have_a_kind_and_a_value() -> None:
    aliases = [
        {"alias_kind": "doi", "alias_value": "10.1/x"},
        {"alias_kind": "doi"},
        {"alias_kind": 7, "alias_value": "x"},
        "x",
        None,
    ]
    assert read_record({**REAL, "aliases": aliases}).aliases == (Alias("doi", "10.1/x"),)
    made = {**bundle(), "source_aliases": aliases[:1], "aliases": []}
    assert read_record(made).aliases == (Alias("doi", "10.1/x"),)


def test_the_aliases_of_a_record_follow_from_it() -> None:
    expected = {alias["alias_kind"]: alias["alias_value"] for alias in REAL["aliases"]}
    assert alias_values("2402.15627", 1, parse_number(NUMBER)) == expected
    old = alias_values("math.GT/0309136", 12, parse_number(NUMBER))
    assert old["arxiv_version"] == "math.GT/0309136v12"
    assert old["doi"] == "10.48550/arxiv.math.gt/0309136"


@pytest.mark.parametrize("paper", [None, 7, [], "x", {}, {"title": 7, "authors_text": None}])
def test_a_paper_without_texts_is_empty(paper: Any) -> None:
    read = read_record({**REAL, "paper": paper}).paper
    assert (read.title, read.authors, read.abstract_excerpt) == (None, None, None)


def test_a_paper_is_read_as_served() -> None:
    read = read_record(REAL).paper
    assert read.title == REAL["paper"]["title"]
    assert read.authors == REAL["paper"]["authors_text"]
    assert read.abstract_excerpt == REAL["paper"]["abstract_excerpt"]


# --- what is only served, in types that can be relied on


def test_flags_are_booleans_and_counts_and_nothing_else() -> None:
    status = {"a": True, "b": 3, "c": "yes", "d": 1.5, "e": None, "f": [1], "g": False, "h": -1}
    served = read_record({**REAL, "verification_status": status}).served
    assert served.flags == {"a": True, "b": 3, "g": False, "h": -1}
    claimed = {name for name in status if served.claims(name)}
    assert claimed == {"a", "b"}
    assert not served.claims("unknown")


@pytest.mark.parametrize("value", [None, 7, "x", [], [1]])
def test_served_parts_of_another_type_are_empty(value: Any) -> None:
    names = ("verification_status", "events", "graph_snapshot", "inbound_citations")
    served = read_record({**REAL, **dict.fromkeys(names, value)}).served
    assert served.flags == {}
    assert served.event_types == frozenset()
    assert served.graph == {}
    assert not served.has_graph
    assert served.citation_count is None
    assert served.citations == ()


def test_an_empty_graph_is_told_from_none() -> None:
    served = read_record({**REAL, "graph_snapshot": {}}).served
    assert (served.graph, served.has_graph) == ({}, True)
    assert read_record(REAL).served.graph == REAL["graph_snapshot"]


def test_event_types_are_texts() -> None:
    events = [{"event_type": "a"}, {"event_type": "a"}, {"event_type": 7}, {}, None, "x"]
    assert read_record({**REAL, "events": events}).served.event_types == {"a"}


@pytest.mark.parametrize(
    ("count", "read"), [(3, 3), (0, 0), (True, None), ("3", None), (3.0, None), (None, None)]
)
def test_the_number_of_citations_is_a_whole_number(count: Any, read: int | None) -> None:
    served = read_record(put(REAL, ("inbound_citations",), {"count": count})).served
    assert served.citation_count == read


def test_citations_have_an_arxiv_id_and_perhaps_a_title() -> None:
    sample = [
        {"citing_arxiv_id": "2405.14430", "citing_title": "A title"},
        {"citing_arxiv_id": "2405.14431", "citing_title": 7},
        {"citing_arxiv_id": "2405.14432"},
        {"citing_title": "No id"},
        {"citing_arxiv_id": 7},
        "x",
        None,
    ]
    served = read_record({**REAL, "inbound_citations": {"sample": sample}}).served
    assert served.citations == (
        Citation("2405.14430", "A title"),
        Citation("2405.14431", ""),
        Citation("2405.14432", ""),
    )
    real = read_record(REAL).served
    assert real.citation_count is not None
    assert 0 < len(real.citations) <= real.citation_count
