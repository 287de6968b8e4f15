"""The badge at the foot of page 1: centred under the folio, and on the sheet, however the page is
set up."""

from __future__ import annotations

import pytest

from tests.support.latex.build import COMMAND
from tests.support.latex.papercase import every_route, only, paper
from tests.support.latex.papers import Paper, Rect

BOTTOM = f"\\usepackage[place=bottom]{{pith}}{COMMAND}"


def rect_under_folio(sheet: Paper, folio: str) -> Rect:
    """The badge's rectangle, after the check that it stands right below the folio."""
    (link,) = sheet.record_links()
    found = [box for box in sheet.find(0, folio) if box.top < 200 and not box.touches(link.rect)]
    above = min(found, key=lambda box: box.bottom)
    assert abs((link.rect.left + link.rect.right) - (above.left + above.right)) < 2
    assert 2 < above.bottom - link.rect.top < 12
    return link.rect


@pytest.mark.parametrize("page", [141, 142])
def test_the_badge_stands_below_the_folio_of_an_even_first_page(page: int) -> None:
    main = paper(
        class_line="\\documentclass[twoside]{article}",
        before=f"\\usepackage[inner=2cm,outer=6cm]{{geometry}}{BOTTOM}",
        after=f"\\setcounter{{page}}{{{page}}}",
    )
    with only(main.replace("%PITH%", "%")) as sheet:
        rect_under_folio(sheet, str(page))


@every_route
def test_the_badge_stands_below_the_folio_of_a_page_moved_by_offsets(route: str) -> None:
    moved = "\\hoffset=-1in \\voffset=-1in \\oddsidemargin=1.6in \\topmargin=1in "
    with only(paper(before=BOTTOM, after=moved).replace("%PITH%", "%"), route) as sheet:
        rect_under_folio(sheet, "1")


@pytest.mark.parametrize("route", ["pdflatex", "xelatex", "lualatex"])
def test_the_badge_stays_on_a_sheet_that_is_shorter_than_latex_thinks(route: str) -> None:
    """Old classes set A4 for LaTeX and leave the engine with letter paper."""
    height = "\\pageheight" if route == "lualatex" else "\\pdfpageheight"
    low = (
        f"\\paperheight=330mm {height}=279mm \\textheight=262mm \\topmargin=-10mm "
        "\\headheight=0pt \\headsep=0pt "
    )
    with only(paper(before=BOTTOM, after=low, amount=1).replace("%PITH%", "%"), route) as sheet:
        (link,) = sheet.record_links()
        assert Rect(0, 0, *sheet.page_size(0)).contains(link.rect)
