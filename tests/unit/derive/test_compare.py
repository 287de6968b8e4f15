"""The source check: a record against the paper's own metadata."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.derive import Metadata
from pybadge.derive.compare import SourceCheck, SourceOutcome, check_source, source_outcome
from pybadge.derive.sources.bulk_metadata import from_object
from pybadge.derive.word_diff import word_diff
from pybadge.errors import MetadataError, NotFoundError, PybadgeError, UnreachableError
from pybadge.record import Record, read_record
from tests.support.arxiv_papers import (
    BY_ID,
    DATA,
    REAL,
    TITLED,
    bulk_object,
    http_time,
    name_of,
)

RECORD = json.loads((DATA / "record-XR2UHLWN.json").read_bytes())


def record_of(line: dict[str, Any], **paper: Any) -> Record:
    return read_record(
        {
            "canonical_record": copy.deepcopy(line["canonical_record"]),
            "paper": {"title": line["title"], **paper},
        }
    )


def paper_of(line: dict[str, Any], **changes: Any) -> Metadata:
    return from_object(bulk_object(line, **changes), "source")


def statuses(check: SourceCheck) -> dict[str, str]:
    return {field.field: field.status for field in check.fields}


def detail(check: SourceCheck, field: str) -> str:
    return next(item.detail for item in check.fields if item.field == field)


def test_the_real_record_describes_the_real_paper() -> None:
    check = check_source(read_record(RECORD), [paper_of(REAL)])
    assert check.status == "valid"
    assert check.exit_code == 0
    assert set(statuses(check).values()) == {"valid"}
    assert check.notes == ()


@pytest.mark.parametrize("line", TITLED, ids=name_of)
def test_titles_of_real_records_fit(line: dict[str, Any]) -> None:
    check = check_source(record_of(line), [paper_of(line)])
    found = statuses(check)
    abstract = found.pop("abstract")
    assert set(found.values()) == {"valid"}
    assert abstract == ("valid" if line["abstract"] else "invalid")


@pytest.mark.parametrize(
    ("change", "field", "word"),
    [
        (
            {"title": "MegaScale: Scaling Small Language Model Training to Fewer Than 10,000 GPUs"},
            "title",
            "another hash",
        ),
        ({"abstract": REAL["abstract"].replace("present", "invent")}, "abstract", "another hash"),
        ({"categories": "cs.DC cs.LG"}, "primary_cat", "cs.LG in the record, cs.DC in the source"),
        (
            {"categories": "cs.LG cs.DC cs.AI"},
            "cross_cats",
            "cs.DC in the record, cs.AI, cs.DC in the source",
        ),
        (
            {"license": "http://creativecommons.org/licenses/by/4.0/"},
            "license",
            "nonexclusive-distrib",
        ),
        ({"license": ""}, "license", "empty in the source"),
        (
            {"versions": [http_time("2024-02-23T22:11:00Z")]},
            "submitted_at",
            "2024-02-23T22:10:59Z in the record",
        ),
    ],
)
def test_each_field_that_differs_is_named(change: dict[str, Any], field: str, word: str) -> None:
    check = check_source(read_record(RECORD), [paper_of(REAL, **change)])
    assert check.status == "invalid"
    assert check.exit_code == 1
    assert statuses(check)[field] == "invalid"
    assert word in detail(check, field)


def test_the_title_is_shown_as_a_readable_diff() -> None:
    title = "MegaScale: Scaling Large Language Model Inference to More Than 20,000 GPUs"
    check = check_source(read_record(RECORD), [paper_of(REAL, title=title)])
    diff = next(item.diff for item in check.fields if item.field == "title")
    assert diff == (
        "MegaScale: Scaling Large Language Model [-Training-] {+Inference+} to More Than "
        "[-10,000-] {+20,000+} GPUs"
    )


def test_an_abstract_is_diffed_where_its_text_is_known() -> None:
    changed = REAL["abstract"].replace("We present", "We imagine")
    silent = check_source(read_record(RECORD), [paper_of(REAL, abstract=changed)])
    assert next(item.diff for item in silent.fields if item.field == "abstract") is None
    assert "has no text with the signed hash" in detail(silent, "abstract")
    shown = check_source(
        read_record(RECORD), [paper_of(REAL, abstract=changed)], abstract=REAL["abstract"]
    )
    diff = next(item.diff for item in shown.fields if item.field == "abstract") or ""
    assert diff.startswith("We [-present-] {+imagine+} the design, implementation and …")


def test_a_served_title_without_the_signed_hash_is_never_diffed() -> None:
    forged = copy.deepcopy(RECORD)
    forged["paper"]["title"] = "Another title altogether"
    check = check_source(read_record(forged), [paper_of(REAL, title="Something else")])
    assert next(item.diff for item in check.fields if item.field == "title") is None


def test_known_causes_are_named() -> None:
    forged = copy.deepcopy(RECORD)
    forged["canonical_record"]["metadata"]["license"] = (
        "http://arxiv.org/licenses/nonexclusive-distrib/1.0"
    )
    forged["canonical_record"]["metadata"]["cross_cats_sorted"] = ["cs.DC", "cs.LG"]
    check = check_source(read_record(forged), [paper_of(REAL)])
    assert "without the slash" in detail(check, "license")
    assert "primary category left in" in detail(check, "cross_cats")


def test_a_source_of_a_later_version_can_confirm_but_not_refute() -> None:
    times = [http_time("2024-02-23T22:10:59Z"), http_time("2024-05-23T22:10:59Z")]
    same = check_source(read_record(RECORD), [paper_of(REAL, versions=times)])
    assert same.status == "valid"
    assert "nothing that the number is made of has changed since" in same.notes[0]
    later = check_source(
        read_record(RECORD),
        [paper_of(REAL, versions=times, title="A new title", categories="cs.DC")],
    )
    assert later.status == "not_checked"
    assert later.exit_code == 3
    assert statuses(later)["title"] == "not_checked"
    assert statuses(later)["submitted_at"] == "valid"
    assert "describes v2 and not v1" in later.notes[0]


def test_a_wrong_time_of_v1_is_wrong_whatever_version_is_described() -> None:
    times = [http_time("2024-02-22T22:10:59Z"), http_time("2024-02-23T22:10:59Z")]
    check = check_source(read_record(RECORD), [paper_of(REAL, versions=times)])
    assert statuses(check)["submitted_at"] == "invalid"
    assert "the time of v2 instead of v1's" in detail(check, "submitted_at")


def test_another_versions_metadata_that_fits_is_pointed_out() -> None:
    """A record that claims to be of v2 but is made of v1's metadata."""
    forged = copy.deepcopy(RECORD)
    forged["canonical_record"]["source"]["version"] = 2
    first = paper_of(REAL)
    times = [http_time("2024-02-23T22:10:59Z"), http_time("2024-05-23T22:10:59Z")]
    second = replace(paper_of(REAL, versions=times, title="A new title"), origin="second")
    check = check_source(read_record(forged), [first, second])
    assert check.origin == "second"
    assert statuses(check)["title"] == "invalid"
    assert any("the metadata of v1 (source) fits in every field" in note for note in check.notes)


def test_a_version_that_arxiv_does_not_have_is_invalid() -> None:
    forged = copy.deepcopy(RECORD)
    forged["canonical_record"]["source"]["version"] = 2
    check = check_source(read_record(forged), [paper_of(REAL)])
    assert statuses(check)["version"] == "invalid"
    assert "v1 at most" in detail(check, "version")


def test_a_source_that_knows_only_the_day() -> None:
    paper = replace(paper_of(REAL), versions=(), described=None, day="2024-02-23", kind="arXiv")
    check = check_source(read_record(RECORD), [paper])
    assert statuses(check)["submitted_at"] == "not_checked"
    assert "the day agrees" in detail(check, "submitted_at")
    assert check.status == "not_checked"
    wrong = check_source(read_record(RECORD), [replace(paper, day="2024-02-24")])
    assert statuses(wrong)["submitted_at"] == "invalid"
    silent = check_source(read_record(RECORD), [replace(paper, day=None)])
    assert statuses(silent)["submitted_at"] == "not_checked"


def test_a_source_without_the_paper_says_so() -> None:
    with pytest.raises(NotFoundError, match=r"2402\.15627"):
        check_source(read_record(RECORD), [paper_of(BY_ID["1005.1684"])])


WORDS = st.lists(st.sampled_from(["a", "b", "GPU", "gpu", "the"]), max_size=12).map(" ".join)


@given(WORDS, WORDS)
def test_a_diff_has_marks_exactly_where_the_texts_differ(old: str, new: str) -> None:
    differs = old.lower().split() != new.lower().split()
    assert ("[-" in word_diff(old, new) or "{+" in word_diff(old, new)) == differs


def test_what_the_source_does_not_say_is_not_checked() -> None:
    paper = replace(paper_of(REAL), title=None, categories=None)
    check = check_source(read_record(RECORD), [paper])
    assert {field for field, status in statuses(check).items() if status == "not_checked"} == {
        "title",
        "primary_cat",
        "cross_cats",
    }
    assert "does not give the title" in detail(check, "title")
    assert check.exit_code == 3


def test_the_outcome_of_a_comparison_is_the_comparisons() -> None:
    outcome = source_outcome(read_record(RECORD), lambda _: [paper_of(REAL)])
    check = check_source(read_record(RECORD), [paper_of(REAL)])
    assert outcome == SourceOutcome(check)
    assert outcome.exit_code == 0
    assert outcome.as_dict() == check.as_dict()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MetadataError("rubbish", code="xml.syntax"), 2),
        (NotFoundError("gone"), 3),
        (UnreachableError("offline"), 3),
    ],
)
def test_an_error_of_the_source_is_an_outcome(error: PybadgeError, code: int) -> None:
    def papers_on(source_id: str) -> list[Metadata]:
        assert source_id == "2402.15627"
        raise error

    outcome = source_outcome(read_record(RECORD), papers_on)
    assert outcome.exit_code == code
    assert outcome.as_dict() == {
        "status": "not_checked",
        "code": error.code,
        "detail": str(error),
        "fields": [],
        "notes": [],
    }


def test_without_a_record_nothing_is_compared() -> None:
    outcome = source_outcome(None, lambda _: [paper_of(REAL)])
    assert outcome.exit_code == 3
    assert outcome.as_dict()["code"] == "record.unread"
