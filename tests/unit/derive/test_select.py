"""Which papers are derived, in which versions: from Python, without a command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybadge.arxiv import ArxivId
from pybadge.derive.metadata import Metadata
from pybadge.derive.select import (
    ArxivServer,
    Harvest,
    Selected,
    Selection,
    TexFile,
    papers_on,
    parse_paper,
    select,
)
from pybadge.errors import (
    MetadataError,
    NotFoundError,
    PybadgeError,
    UnreachableError,
    UsageError,
)
from tests.support.arxiv_papers import (
    BY_ID,
    REAL,
    RECORDS,
    bulk_line,
    name_of,
    oai_answer,
    raw_element,
    toml,
)

PAPER = ArxivId("2402.15627")


@pytest.fixture
def bulk(tmp_path: Path) -> str:
    path = tmp_path / "bulk.jsonl"
    path.write_bytes(b"".join(bulk_line(record) for record in RECORDS))
    return str(path)


def names(items: list[Selected]) -> list[tuple[str, int | None]]:
    """Id and version wanted of each; a test fails on an error in its place."""
    found = []
    for item in items:
        assert not isinstance(item, PybadgeError), item
        paper, version = item
        found.append((paper.source_id, version))
    return found


def test_all_of_a_source_in_its_order(bulk: str) -> None:
    found = names(list(select(Selection(bulk_metadata=bulk))))
    assert found == [(name_of(record), None) for record in RECORDS]
    assert {
        version for _, version in names(list(select(Selection(version=2, bulk_metadata=bulk))))
    } == {2}


def test_papers_are_picked_with_their_versions(bulk: str) -> None:
    papers = (PAPER, ArxivId("1005.1684", 3), ArxivId("1005.1684", 4))
    found = names(list(select(Selection(papers, 7, bulk_metadata=bulk))))
    assert sorted(found) == [("1005.1684", 3), ("1005.1684", 4), ("2402.15627", 7)]


def test_papers_that_the_source_lacks_come_last(bulk: str) -> None:
    papers = (ArxivId("9912.99999"), PAPER, ArxivId("9911.99999"))
    found, *missing = select(Selection(papers, bulk_metadata=bulk))
    assert names([found]) == [("2402.15627", None)]
    assert [str(error) for error in missing] == [
        "9911.99999: not in the source",
        "9912.99999: not in the source",
    ]
    assert all(isinstance(error, NotFoundError) for error in missing)


def test_each_kind_of_source_is_read(bulk: str, tmp_path: Path) -> None:
    raw, by_hand, tex = tmp_path / "raw.xml", tmp_path / "paper.toml", tmp_path / "paper.tex"
    raw.write_bytes(oai_answer(raw_element(REAL)))
    by_hand.write_text(toml(REAL), encoding="utf-8")
    tex.write_text(r"\title{T}\begin{abstract}A\end{abstract}", encoding="utf-8")
    unsubmitted = TexFile(str(tex), PAPER, "cs.LG cs.DC", "2024-02-23T22:10:59Z")
    for selection in (
        Selection((PAPER,), bulk_metadata=bulk),
        Selection(oai_file=str(raw)),
        Selection(metadata_file=str(by_hand)),
        Selection(tex=unsubmitted),
    ):
        assert names(list(select(selection))) == [("2402.15627", None)]
    assert unsubmitted.read() == Metadata(
        "2402.15627",
        "T",
        "A",
        ("cs.LG", "cs.DC"),
        "",
        ((1, "2024-02-23T22:10:59Z"),),
        1,
        None,
        "tex",
        str(tex),
    )


def test_without_a_source_arxiv_is_asked_for_each_paper() -> None:
    found = list(select(Selection((PAPER, PAPER), server=ArxivServer(offline=True))))
    assert [type(item) for item in found] == [UnreachableError, UnreachableError]
    with pytest.raises(UnreachableError, match="--offline"):
        select(Selection(harvest=Harvest(), server=ArxivServer(offline=True)))


def test_without_a_source_and_a_paper_there_is_nothing_to_do() -> None:
    with pytest.raises(UsageError, match="name a source"):
        select(Selection())


def test_a_paper_is_named_in_each_form_of_its_id() -> None:
    for text in ("2402.15627v1", "arXiv:2402.15627v1", "https://arxiv.org/abs/2402.15627v1"):
        assert parse_paper(text) == ArxivId("2402.15627", 1)
    with pytest.raises(UsageError, match="can't be turned back into a paper"):
        parse_paper("XR2UHLWN")


def test_what_a_file_holds_on_one_paper(bulk: str, tmp_path: Path) -> None:
    assert [paper.source_id for paper in papers_on(bulk, "1005.1684")] == ["1005.1684"]
    assert papers_on(bulk, "9912.99999") == []
    faulty = tmp_path / "faulty.jsonl"
    faulty.write_bytes(b"{broken\n" + bulk_line(BY_ID["1005.1684"]))
    assert len(papers_on(str(faulty), "1005.1684")) == 1
    with pytest.raises(MetadataError, match=r"faulty\.jsonl:1: the line: not JSON"):
        papers_on(str(faulty), "2402.15627")
