"""The rules from metadata to the number (docs/spec, 10), on real records."""

from __future__ import annotations

import string
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.canonical import text_form
from pybadge.derive import Metadata, canonical_record, derive
from pybadge.derive.rules import utc_time
from pybadge.errors import MetadataError
from pybadge.number import from_record
from pybadge.schema import read_canonical_record
from tests.support.arxiv_papers import (
    BY_ID,
    REAL,
    REAL_NUMBER,
    RECORDS,
    WITH_ABSTRACT,
    facts,
    name_of,
    only_known,
)


def arguments(record: dict[str, Any]) -> dict[str, Any]:
    paper, source = facts(record), record["canonical_record"]["source"]
    return {
        "title": paper["title"],
        "abstract": paper["abstract"],
        "categories": paper["categories"],
        "license": paper["license"],
        "submitted_at": paper["versions"][0],
        "source_id": source["id"],
        "version": source["version"],
    }


@pytest.mark.parametrize("record", WITH_ABSTRACT, ids=name_of)
def test_records_with_their_texts_give_the_real_number(record: dict[str, Any]) -> None:
    derived = canonical_record(**arguments(record))
    assert derived == record["canonical_record"]
    assert from_record(derived).text == record["pith_number"]


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_every_real_record_but_for_the_texts_nobody_gave(record: dict[str, Any]) -> None:
    derived = canonical_record(**arguments(record))
    assert from_record(only_known(record, derived)).text == record["pith_number"]
    read_canonical_record(derived)


def test_twelve_versions_keep_the_time_of_the_first() -> None:
    record = BY_ID["1005.1684"]
    derived = canonical_record(**arguments(record))
    assert derived["source"]["version"] == 12
    assert derived["metadata"]["submitted_at"] == "2010-05-10T22:41:10Z"


def test_no_license_is_the_empty_text() -> None:
    record = BY_ID["hep-th/9312120"]
    assert canonical_record(**{**arguments(record), "license": None})["metadata"]["license"] == ""
    assert record["canonical_record"]["metadata"]["license"] == ""


def test_the_year_is_that_of_v1_and_not_of_the_id() -> None:
    # 1701.00053 is pith:2016:…; its title and abstract are not at hand, so only the year is known.
    derived = canonical_record(
        "T", "A", "math.CO", "", "Sat, 31 Dec 2016 01:02:03 GMT", "1701.00053", 1
    )
    assert from_record(derived).text.startswith("pith:2016:")


def test_tex_accents_stay_as_they_are() -> None:
    record = BY_ID["0809.2938"]
    assert "Poincar\\'e" in record["title"]
    derived = canonical_record(**arguments(record))
    real = record["canonical_record"]["metadata"]["title_canon_sha256"]
    assert derived["metadata"]["title_canon_sha256"] == real
    unicode = canonical_record(
        **{**arguments(record), "title": record["title"].replace("\\'e", "é")}
    )
    assert unicode["metadata"]["title_canon_sha256"] != real


def test_primary_comes_first_and_the_cross_list_is_sorted_by_code_point() -> None:
    derived = canonical_record(
        "T",
        "A",
        ["math-ph", "math.MP", "math.GT", "math.AT"],
        "",
        "2016-10-09T11:34:36Z",
        "1410.2429",
        2,
    )
    assert derived["metadata"]["primary_cat"] == "math-ph"
    assert derived["metadata"]["cross_cats_sorted"] == ["math.AT", "math.GT", "math.MP"]
    shuffled = canonical_record(
        "T",
        "A",
        "hep-th quant-ph math-ph math.MP gr-qc",
        "",
        "2003-10-17T15:59:58Z",
        "hep-th/0310166",
        2,
    )
    assert shuffled["metadata"]["cross_cats_sorted"] == ["gr-qc", "math-ph", "math.MP", "quant-ph"]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": " \n "}, "title"),
        ({"title": None}, "title"),
        ({"abstract": 3}, "abstract"),
        ({"abstract": "\ud800"}, "abstract"),
        ({"categories": []}, "categories"),
        ({"categories": "cs.LG <script>"}, "categories"),
        ({"categories": ["cs.LG", None]}, "categories"),
        ({"license": 4}, "license"),
        ({"submitted_at": "2024-02-23"}, "submitted_at"),
        ({"submitted_at": "Fri, 30 Feb 2024 22:10:59 GMT"}, "submitted_at"),
        ({"submitted_at": "Fri, 23 Feb 2024 24:10:59 GMT"}, "submitted_at"),
        ({"submitted_at": "Fri, 23 Feb 2024 22:10:59 +0200"}, "submitted_at"),
        ({"submitted_at": datetime(2024, 2, 23)}, "submitted_at"),
        ({"submitted_at": None}, "submitted_at"),
        ({"source_id": "2402.15627v1"}, "id"),
        ({"source_id": "../etc"}, "id"),
        ({"version": 0}, "version"),
        ({"version": True}, "version"),
        ({"version": "1"}, "version"),
    ],
)
def test_a_faulty_field_is_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(MetadataError) as caught:
        canonical_record(**{**arguments(REAL), **change})
    assert caught.value.code == f"metadata.{field}"
    assert str(caught.value).startswith(field)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    "source_id", ["hep-lat/0305021", "math.GT/0309136", "0704.0001", "2605.07855", "cmp-lg/9404001"]
)
def test_ids_of_every_age_are_read(source_id: str) -> None:
    derived = canonical_record(
        "T", "A", "hep-lat", "", "Tue, 20 May 2003 00:00:01 GMT", source_id, 1
    )
    assert read_canonical_record(derived).source_id == source_id


def test_times_in_each_form_are_read() -> None:
    expected = "2024-02-23T22:10:59Z"
    for form in (
        expected,
        "Fri, 23 Feb 2024 22:10:59 GMT",
        "23 Feb 2024 22:10:59 GMT",
        "2024-02-23T22:10:59+00:00",
    ):
        assert utc_time(form) == expected
    eastern = timezone(timedelta(hours=-5))
    assert utc_time(datetime(2024, 2, 23, 17, 10, 59, tzinfo=eastern)) == expected
    assert utc_time("Mon, 2 Apr 2007 19:18:42 GMT") == "2007-04-02T19:18:42Z"
    assert utc_time("Thu, 29 Feb 2024 00:00:00 GMT") == "2024-02-29T00:00:00Z"


@given(st.datetimes(min_value=datetime(1991, 1, 1), max_value=datetime(2099, 12, 31)))
def test_any_time_survives_the_form_of_arxiv(moment: datetime) -> None:
    iso = f"{moment.replace(microsecond=0).isoformat()}Z"
    from tests.support.arxiv_papers import http_time

    assert utc_time(http_time(iso)) == iso == utc_time(iso)


@given(
    st.text(
        alphabet=st.one_of(
            st.sampled_from(string.whitespace + "\x1c\x1d\x1e\x1f aB"), st.characters(codec="utf-8")
        )
    )
)
def test_the_fast_way_through_ascii_is_the_rule(text: str) -> None:
    assert text_form(text) == " ".join(text.split()).lower()


def test_text_beyond_ascii_is_said_to_be_unconfirmed() -> None:
    paper = Metadata(
        "2402.15627", "Über", "Abstract", ("cs.LG",), "", ((1, "2024-02-23T22:10:59Z"),), 1
    )
    derivation = derive(paper)
    assert [code for code, _ in derivation.notes] == ["derive.non_ascii"]
    assert "rule not confirmed for non-ASCII text" in derivation.notes[0][1]
    assert not derive(replace(paper, title="Uber")).notes


def test_what_is_missing_is_named_with_its_place() -> None:
    paper = Metadata(
        "2402.15627",
        "T",
        "A",
        ("cs.LG",),
        "",
        ((1, "2024-02-23T22:10:59Z"),),
        1,
        None,
        "own",
        "my.toml",
    )
    for change, word in (
        ({"title": None}, "title"),
        ({"abstract": None}, "abstract"),
        ({"categories": None}, "categories"),
        ({"described": None}, "version"),
        ({"versions": ()}, "time of v1"),
        ({"versions": (), "day": "2024-02-23"}, "arXivRaw"),
    ):
        with pytest.raises(MetadataError, match=word) as caught:
            derive(replace(paper, **change))
        assert str(caught.value).startswith("my.toml: ")


def test_another_version_than_the_one_described_is_noted() -> None:
    times = ((1, "2024-02-23T22:10:59Z"), (2, "2024-03-23T22:10:59Z"))
    paper = Metadata("2402.15627", "T", "A", ("cs.LG",), "", times, 2)
    assert [code for code, _ in derive(paper, version=1).notes] == ["derive.other_version"]
    assert [code for code, _ in derive(paper, version=3).notes] == [
        "derive.other_version",
        "derive.no_such_version",
    ]
    assert derive(paper, version=1).number.suffix != derive(paper).number.suffix


def test_the_main_record() -> None:
    assert from_record(canonical_record(**arguments(REAL))).text == REAL_NUMBER


def test_the_public_names_are_sorted_and_all_there() -> None:
    import pybadge.derive as package

    assert package.__all__ == sorted(package.__all__)
    for name in package.__all__:
        assert callable(getattr(package, name)), name
        assert getattr(package, name).__module__.startswith("pybadge.derive.")
    with pytest.raises(AttributeError):
        package.nothing  # noqa: B018  asking is the test
