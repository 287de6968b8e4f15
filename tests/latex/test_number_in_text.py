"""`\\pithnumber` where authors put it without a plan: before the title, in text that is set twice, in moving arguments."""

from __future__ import annotations

import checks
import pytest
from documents import BY_NAME, TITLE
from papercase import only, pair, paper
from papers import VISIBLE, Paper

from build import RECORD_URL, SUFFIX, Source, build

NUMBER = f"\\pithnumber{{{SUFFIX}}}"
LOAD = "\\usepackage{pith}"


@pytest.mark.parametrize(
    "name",
    ["article", "article-twocolumn", "article-titlepage", "report", "amsart", "scrartcl", "memoir", "IEEEtran-conference",
     "llncs", "elsarticle-preprint", "acmart-sigconf", "revtex4-2-prl"],
)  # fmt: skip
def test_before_the_title_in_the_text(name: str) -> None:
    """The number is the first thing in the document, and even `\\title` comes after it: it waits for the title."""
    document = BY_NAME[name]
    begin = "\\begin{document}"
    before, after = document.main.split(begin)
    titling = [line for line in before.splitlines() if line.startswith(("\\title", "\\author", "\\date", "\\institute"))]
    kept = "\n".join(line for line in before.splitlines() if line not in titling)
    main = "\n".join([kept.rstrip(), begin, "%NUMBER%", *titling, after.lstrip()])
    bare, ours = pair(Source(main), LOAD)
    with_number = build(Source(main.replace("%PITH%", LOAD).replace("%NUMBER%", NUMBER)))
    checks.settle(checks.compiled(bare, ours) + checks.compiled(bare, with_number))
    with Paper(bare.pdf) as first, Paper(with_number.pdf) as second:
        checks.settle(checks.pages_unchanged(first, second) + checks.badge(document, first, second))


def test_first_thing_in_a_paper_without_a_title() -> None:
    with only(paper(front=NUMBER).replace("%PITH%", LOAD)) as sheet:
        (link,) = sheet.record_links()
        assert link.page == 0
        assert link.rect.top < min(glyph.box.bottom for glyph in sheet.glyphs(0) if not glyph.box.touches(link.rect)) + 30


TWICE = {
    "tabularx": f"\\begin{{tabularx}}{{8cm}}{{lX}}a & {NUMBER}\\end{{tabularx}}",
    "long-caption": f"\\begin{{figure}}[h]X\\caption{{A caption longer than one line, for it is set on trial. {NUMBER} "
    "It goes on and on until the end of the line has been passed for good.}\\end{figure}",
    "text-in-math": f"\\begin{{align}}x &= 1 \\text{{ by {NUMBER}}}\\end{{align}}",
}


@pytest.mark.parametrize("place", TWICE)
def test_text_that_is_set_twice(place: str) -> None:
    main = paper(before=f"{LOAD}\\usepackage{{tabularx,amsmath}}", body=TWICE[place]).replace("%PITH%", "%")
    with only(main) as sheet:
        (link,) = sheet.record_links()
        assert sheet.text_in(link.page, link.rect) == VISIBLE


def test_every_overlay_of_a_frame() -> None:
    frame = f"\\begin{{frame}}{NUMBER}\\pause More\\end{{frame}}"
    main = f"\\documentclass{{beamer}}{LOAD}\\begin{{document}}{frame}\\end{{document}}"
    with only(main) as sheet:
        assert [link.page for link in sheet.record_links()] == [0, 1]


@pytest.mark.parametrize("place", ["title", "author"])
@pytest.mark.parametrize("class_line", ["\\documentclass{article}", "\\documentclass[conference]{IEEEtran}"])
def test_in_the_preamble_and_in_the_title_prints_once(place: str, class_line: str) -> None:
    data = {"title": TITLE, "author": "Ada Author"}
    data[place] += f" {NUMBER}"
    with only(paper(class_line=class_line, **data).replace("%PITH%", LOAD + NUMBER)) as sheet:
        assert len(sheet.record_links()) == 1


@pytest.mark.parametrize("option", ["hide", "anonymous"])
def test_hidden_leaves_no_bookmark_and_no_title(option: str) -> None:
    body = f"\\section{{Our record \\pithbadge{{{SUFFIX}}}}}"
    main = paper(
        before=f"\\usepackage[{option}]{{pith}}\\usepackage[pdfusetitle]{{hyperref}}", body=body, title=f"{TITLE} {NUMBER}"
    )
    with only(main.replace("%PITH%", "%")) as sheet:
        checks.settle(checks.no_trace(sheet))


@pytest.mark.parametrize("route", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize("others", ["", "\\usepackage{hyperref}\\usepackage{hyperxmp}"], ids=["alone", "hyperxmp"])
def test_metadata_is_written_once_from_the_begin_of_the_document(others: str, route: str) -> None:
    main = paper(before=LOAD, after=f"{others}\\AtBeginDocument{{{NUMBER}}}").replace("%PITH%", "%")
    with only(main, route) as sheet:
        assert sheet.info["/PithNumber"] == f"pith:{SUFFIX}"
        assert sheet.xmp.count("<pith:number") == 1
        assert sheet.path.read_bytes().count(b"/PithNumber") <= 1


KEYS = {
    "acmart-shown": ("\\documentclass[sigconf,anonymous]{acmart}", "\\usepackage[hide=false]{pith}" + NUMBER),
    "article-shown": ("\\documentclass[anonymous]{article}", "\\usepackage[hide=false]{pith}" + NUMBER),
    "number-shown": ("\\documentclass[anonymous]{article}", f"{LOAD}\\pithnumber[hide=false]{{{SUFFIX}}}"),
    "number-metadata": (
        "\\documentclass{article}",
        f"\\usepackage[metadata=false]{{pith}}\\pithnumber[metadata]{{{SUFFIX}}}",
    ),
}


@pytest.mark.parametrize("case", KEYS)
def test_the_key_nearest_to_the_number_holds(case: str) -> None:
    """Badge and metadata go by the same keys: what is shown is written."""
    class_line, snippet = KEYS[case]
    with only(paper(class_line=class_line).replace("%PITH%", snippet)) as sheet:
        assert len(sheet.record_links()) == 1
        assert sheet.info["/PithURL"] == RECORD_URL


def test_link_and_metadata_name_the_same_server() -> None:
    resolver = "https://mirror.example.org"
    with only(paper(before=LOAD + NUMBER, after=f"\\pithsetup{{resolver={resolver}}}").replace("%PITH%", "%")) as sheet:
        assert sheet.info["/PithURL"] == f"{resolver}/pith/{SUFFIX}"
        assert len(sheet.links(sheet.info["/PithURL"])) == 1


HARMLESS = {
    "bracket-in-a-key": f"\\pithnumber[style={{x]y}}]{{{SUFFIX}}}",
    "huge-grey": f"\\pithnumber[color=99999999999]{{{SUFFIX}}}",
    "blank-line-in-keys": f"\\pithnumber[mono,\n\ncolor=teal]{{{SUFFIX}}}",
    "address": f"\\pithnumber{{{RECORD_URL}}}",
    "macro": f"\\newcommand\\ours{{pith:2024:{SUFFIX}}}\\pithnumber{{ \\ours }}",
}


@pytest.mark.parametrize("case", HARMLESS)
def test_no_error_but_for_a_wrong_number(case: str) -> None:
    with only(paper(before=LOAD, after=HARMLESS[case]).replace("%PITH%", "%")) as sheet:
        assert len(sheet.record_links()) == 1


def test_a_blank_line_in_the_number_is_one_error() -> None:
    ours = build(Source(paper(before=LOAD, after=f"\\pithnumber{{{SUFFIX}\n\n}}").replace("%PITH%", "%"), runs=1))
    assert len(ours.errors) == 1
    assert "Package pith Error" in ours.errors[0]


@pytest.mark.parametrize("page", [141, 142])
def test_foot_of_an_even_first_page(page: int) -> None:
    main = paper(
        class_line="\\documentclass[twoside]{article}",
        before="\\usepackage[inner=2cm,outer=6cm]{geometry}\\usepackage[place=bottom]{pith}" + NUMBER,
        after=f"\\setcounter{{page}}{{{page}}}",
    )
    with only(main.replace("%PITH%", "%")) as sheet:
        (link,) = sheet.record_links()
        (folio,) = (box for box in sheet.find(0, str(page)) if box.top < 200)
        assert abs((link.rect.left + link.rect.right) - (folio.left + folio.right)) < 2


def test_class_option_after_the_package() -> None:
    """`\\RequirePackage` before `\\documentclass` knows nothing of the class's options yet."""
    main = paper(first="\\RequirePackage{pith}", class_line="\\documentclass[anonymous]{article}", after=NUMBER)
    with only(main.replace("%PITH%", "%")) as sheet:
        checks.settle(checks.no_trace(sheet))


@pytest.mark.parametrize("content", ["x", "\\rule{1cm}{1mm}"])
def test_standalone_with_low_content(content: str) -> None:
    main = f"\\documentclass{{standalone}}\n%PITH%\n\\begin{{document}}\n{content}\n\\end{{document}}\n"
    checks.settle(checks.compiled(*pair(Source(main))))
