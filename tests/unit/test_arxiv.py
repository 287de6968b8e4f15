"""arXiv's identifiers: their forms, what names the same paper, and categories."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.arxiv import ArxivId, is_arxiv_id, is_category, parse_arxiv_id, same_paper


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("2402.15627", True),
        ("0704.0001", True),
        ("hep-lat/0305021", True),
        ("math.GT/0309136", True),
        ("2402.15627v1", False),
        ("2402.156", False),
        ("2402.156278", False),
        ("24021.5627", False),
        ("2402.15627\n", False),
        ("hep-lat/030502", False),
        ("hep-lat/03050211", False),
        ("HEP-LAT/0305021", False),
        ("math.gt/0309136", False),
        ("math.G/0309136", False),
        ("math./0309136", False),
        ("a/b/0309136", False),
        ("", False),
        (".", False),
        ("/", False),
        ("２402.15627", False),
        ("٢402.15627", False),
        ("../etc", False),
    ],
)
def test_an_arxiv_id_is_one_in_the_form_of_records_only(text: str, is_one: bool) -> None:
    assert is_arxiv_id(text) is is_one


@pytest.mark.parametrize(
    ("text", "identifier", "version"),
    [
        ("2402.15627", "2402.15627", None),
        ("2402.15627v1", "2402.15627", 1),
        ("2402.15627V12", "2402.15627", 12),
        ("2402.15627v9999", "2402.15627", 9999),
        ("HEP-LAT/0305021v2", "hep-lat/0305021", 2),
        ("MATH.gt/0309136", "math.GT/0309136", None),
        ("solv-int/9701001", "solv-int/9701001", None),
    ],
)
def test_an_id_is_read_in_any_letter_case_with_its_version(
    text: str, identifier: str, version: int | None
) -> None:
    paper = parse_arxiv_id(text)
    assert paper == ArxivId(identifier, version)
    assert paper is not None
    assert parse_arxiv_id(paper.text) == paper


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v",
        "v1",
        "2402.15627v",
        "2402.15627v0",
        "2402.15627v01",
        "2402.15627v10000",
        "2402.15627v-1",
        "2402.15627v²",
        "2402.15627v١",
        "2402.15627v1v1",
        " 2402.15627",
        "arxiv:2402.15627",
        "hep-lat/0305021/x",
    ],
)
def test_what_is_no_id_is_none(text: str) -> None:
    assert parse_arxiv_id(text) is None


@given(st.text(max_size=40) | st.text(alphabet="0123456789.v/mathGT-", max_size=20))
def test_whatever_is_read_as_an_id_is_one(text: str) -> None:
    paper = parse_arxiv_id(text)
    if paper is not None:
        assert is_arxiv_id(paper.id)
        assert paper.version is None or 1 <= paper.version <= 9999


def test_the_subject_class_of_an_old_id_names_nothing() -> None:
    assert same_paper("math.GT/0309136", "math/0309136")
    assert same_paper("2402.15627", "2402.15627")
    assert not same_paper("math/0309136", "math-ph/0309136")
    assert not same_paper("math/0309136", "math/0309137")
    assert not same_paper("2402.15627", "2402.15628")


def test_a_paper_is_named_with_or_without_its_version() -> None:
    assert ArxivId("2402.15627").names("2402.15627", 3)
    assert ArxivId("2402.15627", 3).names("2402.15627", 3)
    assert not ArxivId("2402.15627", 2).names("2402.15627", 3)
    assert not ArxivId("2402.15628", 3).names("2402.15627", 3)
    assert ArxivId("math/0309136").names("math.GT/0309136", 1)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("cs.LG", True),
        ("hep-th", True),
        ("math-ph", True),
        ("cond-mat.mes-hall", True),
        ("q-bio.QM", True),
        ("", False),
        ("cs.", False),
        (".LG", False),
        ("cs LG", False),
        ("cs.LG\n", False),
        ("cs.L.G", False),
        ("1s.LG", False),
        ("cś.LG", False),
        ("a" * 32, False),
    ],
)
def test_a_category_has_the_form_of_arxivs(text: str, is_one: bool) -> None:
    assert is_category(text) is is_one
