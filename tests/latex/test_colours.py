"""Colours: the badge keeps its own, and the paper goes on in those it had."""

from __future__ import annotations

import pikepdf
import pytest

from tests.support.latex.build import BADGE, LOAD, SNIPPET, Source
from tests.support.latex.papercase import (
    every_route,
    only,
    pair,
    paper,
)
from tests.support.latex.papers import Paper


@every_route
@pytest.mark.parametrize(
    "options", ["", "colorlinks,allcolors=magenta", "pdfborder={0 0 3},urlbordercolor={1 0 0}"]
)
def test_the_colours_of_links_stay_off_the_badge(options: str, route: str) -> None:
    pictures = []
    for loaded in ("", f"\\usepackage[{options}]{{hyperref}}"):
        with only(paper(after=loaded).replace("%PITH%", SNIPPET), route) as sheet:
            (link,) = sheet.record_links()
            assert link.border == (0, 0, 0)
            pictures.append(sheet.picture(0, 4.0, link.rect))
    first, second = (
        {color for _, color in sorted(picture.getcolors(1 << 20), reverse=True)[:3]}
        for picture in pictures
    )
    assert first == second


def fill_colours(page: pikepdf.Page) -> list[str]:
    """Every operator of the page that sets a fill colour, with its operands."""
    found = []
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) in ("g", "rg", "k", "sc", "scn"):
            found.append(
                " ".join(
                    f"{float(value):g}" for value in operands if not isinstance(value, pikepdf.Name)
                )
                + f" {operator}"
            )
    return found


@every_route
def test_the_page_ends_in_the_colour_it_has_without_the_badge(route: str) -> None:
    """The colour in force at the end of the page is the one it has without pith, in the same colour
    space."""
    for before in ("", "\\usepackage{xcolor}", "\\usepackage{color}"):
        bare, ours = pair(Source(paper(before=before), route=route))
        with Paper(bare.pdf) as first, Paper(ours.pdf) as second:
            plain, drawn = fill_colours(first.page_object(0)), fill_colours(second.page_object(0))
            black = {"0 g", "0 0 0 rg"}
            assert drawn, "the badge sets no colour at all"
            assert drawn[-1] in black | set(plain), drawn
        assert "color stack" not in ours.log.lower()
        assert "Color stack" not in ours.text(".ps")


@every_route
def test_coloured_text_goes_on_in_its_colour_after_a_badge(route: str) -> None:
    body = f"\\textcolor{{red}}{{Before {BADGE} after}} black {BADGE} end"
    main = paper(before=LOAD + "\\usepackage{xcolor}", body=body).replace("%PITH%", "%")
    with only(main, route) as sheet:
        rects = [link.rect for link in sheet.record_links()]
        assert len(rects) == 2
        colours = {}
        for word in ("after", "black", "end"):
            place = sheet.find(0, word)[-1]
            assert not any(place.touches(rect) for rect in rects)
            colours[word] = {
                glyph.color[:3]
                for glyph in sheet.glyphs(0)
                if glyph.box.touches(place) and glyph.text in word
            }
        assert colours["after"] == {(255, 0, 0)}
        assert colours["black"] == colours["end"] == {(0, 0, 0)}
