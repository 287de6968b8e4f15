"""The badge as a box and a link, wherever an author puts it."""

from __future__ import annotations

import re

import pytest

from tests.support.data import SUFFIX
from tests.support.latex.build import BADGE, LOAD, SNIPPET, Source, build
from tests.support.latex.documents import BY_NAME
from tests.support.latex.papercase import (
    every_route,
    only,
    paper,
)
from tests.support.latex.papers import VISIBLE, Paper


@every_route
def test_a_badge_in_the_text_brings_no_space_along(route: str) -> None:
    body = (
        f"\\newdimen\\one\\newdimen\\two\\setbox0\\hbox{{A{BADGE}B}}\\one=\\wd0 "
        f"\\setbox0\\hbox{{A}}\\two=\\wd0 \\setbox0\\hbox{{{BADGE}}}\\advance\\two\\wd0 "
        "\\setbox0\\hbox{B}\\advance\\two\\wd0 "
        "\\typeout{WIDTHS \\the\\one\\space\\the\\two}"
    )
    ours = build(Source(paper(before=LOAD, body=body).replace("%PITH%", "%"), route=route))
    found = re.search(r"WIDTHS (\S+)pt (\S+)pt", ours.log)
    assert found
    assert float(found[1]) == pytest.approx(float(found[2]), abs=0.001)


def test_the_setup_commands_leave_no_space() -> None:
    body = f"\\setbox0\\hbox{{\\pithsetup{{style=pill}}\\pithnumber{{{SUFFIX}}}}}\\typeout{{DONE}}"
    ours = build(Source(paper(body=body).replace("%PITH%", SNIPPET)))
    assert ours.ok
    begin = "\\documentclass{article}\\usepackage{pith}\\begin{document}"
    main = (
        begin + "\\setbox0\\hbox{\\pithsetup{style=pill}}\\typeout{WIDTH \\the\\wd0}\\end{document}"
    )
    assert "WIDTH 0.0pt" in build(Source(main)).log


@pytest.mark.parametrize("lines", range(40, 48))
def test_no_link_breaks_over_a_page_or_column(lines: int) -> None:
    body = (
        "\\newpage "
        + "Line.\\par " * lines
        + f"Words and {BADGE} words. {BADGE}{BADGE}{BADGE}{BADGE}{BADGE}{BADGE}{BADGE}"
    )
    for class_line in ("\\documentclass{article}", "\\documentclass[twocolumn]{article}"):
        main = paper(
            before=LOAD + "\\usepackage{hyperref}\\sloppy",
            body=body,
            class_line=class_line,
            amount=1,
        ).replace("%PITH%", "%")
        with only(main) as sheet:
            links = sheet.record_links()
            assert len(links) == 8
            assert all(sheet.text_in(link.page, link.rect) == VISIBLE for link in links)


def test_a_badge_inside_boxes_is_one_link() -> None:
    main = paper(before=LOAD, body=f"\\setbox0\\hbox{{\\vbox{{\\hbox{{{BADGE}}}}}}}\\box0").replace(
        "%PITH%", "%"
    )
    with only(main) as sheet:
        assert len(sheet.record_links()) == 1


@every_route
def test_a_badge_fits_into_a_column(route: str) -> None:
    ours = build(BY_NAME["IEEEtran-conference"].source(route).with_pith())
    with Paper(ours.pdf) as sheet:
        (link,) = sheet.record_links()
        assert link.rect.width < 252  # \columnwidth of IEEEtran in two columns, 3.5 inch
    narrow = paper(
        before=LOAD,
        body=f"\\noindent{BADGE}",
        class_line="\\documentclass[twocolumn,a5paper]{article}",
    ).replace("%PITH%", "%")
    result = build(Source(narrow, route=route))
    assert not [line for line in result.warnings if line.startswith("Overfull \\hbox")]


def test_a_badge_inside_a_picture_keeps_its_link() -> None:
    """In an externalised picture a link can't live; in one that is not, it does."""
    body = f"\\begin{{tikzpicture}}\\node {{{BADGE}}};\\end{{tikzpicture}}"
    main = paper(after="\\usepackage{tikz}", body=body).replace("%PITH%", SNIPPET)
    with only(main) as sheet:
        assert len(sheet.record_links()) == 2
        assert all(sheet.text_in(link.page, link.rect) == VISIBLE for link in sheet.record_links())


@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_a_badge_works_in_footnotes_titles_captions_and_boxes(loaded: str) -> None:
    front = f"\\title{{T\\thanks{{{BADGE}}}}}\\author{{Ada {BADGE}}}\\maketitle"
    body = (
        f"\\section{{S {BADGE}}}Text\\footnote{{{BADGE}}}"
        f"\\begin{{minipage}}{{4cm}}{BADGE}\\end{{minipage}}"
        f"\\begin{{figure}}[h]{BADGE}\\caption{{C {BADGE}}}\\end{{figure}}"
    )
    with only(paper(before=LOAD + loaded, front=front, body=body).replace("%PITH%", "%")) as sheet:
        assert len(sheet.record_links()) == 7
