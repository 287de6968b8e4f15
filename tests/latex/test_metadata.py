"""What is written into the PDF: Info, XMP, the structure; and nothing of anybody else's."""

from __future__ import annotations

from dataclasses import replace

import pikepdf
import pytest

from tests.support.data import RECORD_URL, SUFFIX
from tests.support.latex import checks
from tests.support.latex.build import COMMAND, LOAD, Source, build, release
from tests.support.latex.cases import METADATA, Case, check, every_case
from tests.support.latex.papercase import (
    both,
    every_route,
    only,
    pair,
    paper,
    whole,
)
from tests.support.latex.papers import Paper


@every_case(METADATA)
def test_a_paper_with_other_writers_of_metadata_has_the_number_too(case: Case, route: str) -> None:
    check(case, route)


@pytest.mark.parametrize(
    "name", ["document-metadata", "document-metadata-hyperref", "document-metadata-pdfa"]
)
def test_the_pdf_management_writes_the_number_into_its_packet(name: str) -> None:
    case = METADATA[name]
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} does not know this")
    with both(case.source("pdflatex")) as (_, ours):
        assert [f"pith:{SUFFIX}" in ours.xmp, "pith.science/ns/1.0/" in ours.xmp] == [True, True]


def test_entries_of_pdfinfo_survive() -> None:
    for name in ("raw-info", "raw-info-after"):
        with both(METADATA[name].source("pdflatex")) as (_, ours):
            assert ours.info["/Subject"] == "By hand"


def run_qpdf_check(path: object) -> list[str]:
    """What a strict reader says of the file's structure: a duplicated key is a warning there."""
    with pikepdf.open(str(path)) as opened:
        return [str(problem) for problem in opened.check_pdf_syntax()] + [
            str(warning) for warning in opened.get_warnings()
        ]


@pytest.mark.parametrize(
    "name",
    [
        "hyperxmp-before",
        "hyperxmp-after",
        "pdfx-before",
        "pdfx-after",
        "document-metadata",
        "xmpincl",
    ],
)
def test_the_pdf_has_one_metadata_packet_and_one_catalogue(name: str) -> None:
    case = METADATA[name]
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} does not know this")
    ours = build(case.source("pdflatex").with_pith())
    with Paper(ours.pdf) as sheet:
        assert sheet.metadata_streams == 1
    assert (
        ours.pdf.read_bytes().count(b"/Type/Catalog")
        + ours.pdf.read_bytes().count(b"/Type /Catalog")
        <= 1
    )
    assert run_qpdf_check(ours.pdf) == []


def test_nothing_raw_is_written_to_the_catalogue_under_the_pdf_management() -> None:
    case = METADATA["document-metadata"]
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} has no PDF management")
    ours = build(case.source("pdflatex").with_pith())
    assert ours.ok
    assert run_qpdf_check(ours.pdf) == []
    assert not [line for line in ours.warnings if "pdfcatalog" in line or "pdfmanagement" in line]


LATE = {
    "begin": f"{COMMAND}\\maketitle",
    "after-page-1": f"\\maketitle Text.\\newpage {COMMAND}",
    "after-page-2": f"\\maketitle Text.\\newpage Text. \\newpage {COMMAND}",
}


@every_route
@pytest.mark.parametrize("place", LATE)
@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_a_number_given_late_still_reaches_the_metadata(
    place: str, loaded: str, route: str
) -> None:
    main = paper(before=LOAD + loaded, front=LATE[place]).replace("%PITH%", "%")
    with only(main, route) as sheet:
        assert sheet.info.get("/PithNumber") == checks.NUMBER
        assert sheet.info.get("/PithURL") == RECORD_URL
        assert checks.NUMBER in sheet.xmp
        assert sheet.metadata_streams == 1
        assert len(sheet.record_links()) == 1


@every_route
@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_only_two_keys_are_added_to_the_info_dictionary(loaded: str, route: str) -> None:
    bare, ours = pair(Source(paper(before=loaded), route=route))
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        assert after.info.keys() - before.info.keys() == {"/PithNumber", "/PithURL"}
        assert before.info.keys() <= after.info.keys()


@pytest.mark.parametrize("order", ["before", "after"])
def test_title_and_author_are_left_alone(order: str) -> None:
    case = Case(**{order: "\\usepackage[pdfusetitle,pdfauthor={Someone Else}]{hyperref}"})
    bare, ours = pair(case.source("pdflatex"))
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        for key in ("/Title", "/Author"):
            assert after.info.get(key) == before.info.get(key)
            assert after.info.get(key)


@pytest.mark.parametrize(
    "text", ["\\textbf{X}", "a_b^c", "<&>", "((()", "X) /Evil (y", "]]>", "\\number\\year"]
)
def test_what_is_no_number_never_reaches_the_pdf(text: str) -> None:
    """What is not a number never reaches the PDF."""
    main = paper().replace("%PITH%", f"{LOAD}\n\\pithnumber{{{text}}}")
    ours = build(Source(main, runs=1))
    assert any("Package pith Error" in line for line in ours.errors)
    if ours.pdf.exists():
        with Paper(ours.pdf) as sheet:
            assert "/PithNumber" not in sheet.info
            assert "/Evil" not in sheet.info
            assert b"pith.science" not in sheet.everything


TAGGED = "\\DocumentMetadata{tagging=on,pdfstandard=ua-2,lang=en}"


@pytest.mark.parametrize("route", ["pdflatex", "lualatex"])
def test_a_tagged_paper_has_its_link_in_the_structure(route: str) -> None:
    """Under tagging the link sits in a Link structure and nothing is complained of."""
    if release() < 2026:
        pytest.skip(f"TeX Live {release()} has no tagging=on")
    # On pdfTeX the first link of any kind costs a tagged paper a third run, so the paper has one of
    # its own.
    case = Case(
        first=TAGGED,
        after="\\usepackage{hyperref}",
        body="\\href{https://example.org}{A link}.",
        others=True,
    )
    whole(case.source(route), others=True)
    with Paper(build(case.source(route).with_pith()).pdf) as ours:
        structure = ours.catalog["/StructTreeRoot"]
        assert structure is not None
        (annotation,) = [
            item
            for item in ours.page_object(0).obj["/Annots"]
            if "pith.science" in str(item.get("/A", {}).get("/URI", ""))
        ]
        assert "/StructParent" in annotation


def test_two_builds_of_a_paper_have_the_same_bytes() -> None:
    """SOURCE_DATE_EPOCH holds: two builds of a paper have the same bytes."""
    source = Case().source("pdflatex").with_pith()
    first = build(source)
    second = build(replace(source, files={"unused.txt": "another folder"}))
    assert first.pdf.read_bytes() == second.pdf.read_bytes()
