"""The canonical record: its closed schema."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import pybadge
from pybadge.errors import SchemaError
from pybadge.schema import read_canonical_record
from tests.support.data import REAL, RECORDS

MISSING = object()


def changed(path: str, value: Any) -> dict[str, Any]:
    """The real canonical record with another value at a path, or without it."""
    document = copy.deepcopy(REAL["canonical_record"])
    *parents, last = path.split(".")
    target = document
    for parent in parents:
        target = target[parent]
    if value is MISSING:
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
        ("schema_version", MISSING),
        ("source", []),
        ("source", MISSING),
        ("metadata", None),
        ("metadata", MISSING),
        ("extra", 1),
        ("metadata.extra", None),
        ("source.extra", 1),
        ("metadata.license", MISSING),
        ("metadata.license", None),
        ("metadata.license", ["x"]),
        ("metadata.primary_cat", "cs LG"),
        ("metadata.primary_cat", ""),
        ("metadata.primary_cat", "cs.LG\n"),
        ("metadata.primary_cat", None),
        ("metadata.cross_cats_sorted", "cs.DC"),
        ("metadata.cross_cats_sorted", None),
        ("metadata.cross_cats_sorted", [["cs.DC"]]),
        ("metadata.cross_cats_sorted", ["cs.DC", "cs DC"]),
        ("metadata.title_canon_sha256", "A" * 64),
        ("metadata.title_canon_sha256", "a" * 63),
        ("metadata.title_canon_sha256", "a" * 65),
        ("metadata.title_canon_sha256", "g" * 64),
        ("metadata.title_canon_sha256", "a" * 64 + "\n"),
        ("metadata.abstract_canon_sha256", "A" * 64),
        ("metadata.abstract_canon_sha256", None),
        ("metadata.submitted_at", "2024-02-23T22:10:59"),
        ("metadata.submitted_at", "2024-02-23 22:10:59Z"),
        ("metadata.submitted_at", "2024-02-23T22:10:59+00:00"),
        ("metadata.submitted_at", "2024-02-23T22:10:59.0Z"),
        ("metadata.submitted_at", "2024-02-30T22:10:59Z"),
        ("metadata.submitted_at", "2023-02-29T22:10:59Z"),
        ("metadata.submitted_at", "2024-04-31T22:10:59Z"),
        ("metadata.submitted_at", "2024-13-23T22:10:59Z"),
        ("metadata.submitted_at", "2024-00-23T22:10:59Z"),
        ("metadata.submitted_at", "2024-02-00T22:10:59Z"),
        ("metadata.submitted_at", "2024-02-23T24:10:59Z"),
        ("metadata.submitted_at", "2024-02-23T22:60:59Z"),
        ("metadata.submitted_at", "2024-02-23T22:10:61Z"),
        ("metadata.submitted_at", "２０24-02-23T22:10:59Z"),
        ("metadata.submitted_at", "0000-02-23T22:10:59Z"),
        ("metadata.submitted_at", "2024-02-23T22:10:59Z\n"),
        ("metadata.submitted_at", 1708726259),
        ("source.id", "2402.15627v1"),
        ("source.id", "٢402.15627"),
        ("source.id", "../etc"),
        ("source.id", 2402.15627),
        ("source.kind", "doi"),
        ("source.kind", MISSING),
        ("source.version", 0),
        ("source.version", -1),
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
    assert len(str(caught.value)) < 200
    assert caught.value.exit_code == 1
    report = pybadge.verify({**REAL, "canonical_record": changed(path, value)})
    assert (report.verdict, report.exit_code) == ("invalid", 1)
    assert report["schema"].status == "invalid"


@pytest.mark.parametrize("value", [None, 7, "x", [], [REAL["canonical_record"]]])
def test_a_canonical_record_is_an_object(value: Any) -> None:
    with pytest.raises(SchemaError, match="must be an object"):
        read_canonical_record(value)


@pytest.mark.parametrize(
    "value", ["2024-02-29T00:00:00Z", "2016-12-31T23:59:60Z", "1991-10-14T14:19:40Z"]
)
def test_a_time_is_one_that_the_calendar_has(value: str) -> None:
    read = read_canonical_record(changed("metadata.submitted_at", value))
    assert read.submitted_at == value
    assert read.year == int(value[:4])


def test_a_canonical_record_is_read_field_by_field() -> None:
    read = read_canonical_record(REAL["canonical_record"])
    metadata = REAL["canonical_record"]["metadata"]
    assert read.source_id == "2402.15627"
    assert read.version == 1
    assert read.arxiv_version == "2402.15627v1"
    assert read.primary_category == metadata["primary_cat"]
    assert read.cross_categories == tuple(metadata["cross_cats_sorted"])
    assert read.license == metadata["license"]
    assert read.submitted_at == metadata["submitted_at"]
    assert read.title_sha256 == metadata["title_canon_sha256"]
    assert read.abstract_sha256 == metadata["abstract_canon_sha256"]
    assert read_canonical_record(changed("metadata.license", "")).license == ""
    assert read_canonical_record(changed("source.version", 2**53 - 1)).version == 2**53 - 1
