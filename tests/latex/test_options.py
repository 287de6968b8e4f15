"""Every key of the package on every route: what it changes and what it leaves alone."""

from __future__ import annotations

import pytest
from PIL import ImageChops, ImageStat

from tests.support.data import RECORD_URL, SUFFIX
from tests.support.latex import checks
from tests.support.latex.build import COMMAND, SNIPPET, Source, build
from tests.support.latex.documents import TITLE, Document
from tests.support.latex.papercase import both, every_route, only, pair, paper, whole
from tests.support.latex.papers import VISIBLE, Paper

STYLES = ("badge", "pill", "outline", "text")


def loaded(options: str, number: str = COMMAND) -> str:
    """The snippet with package options."""
    return f"\\usepackage[{options}]{{pith}}\n{number}"


def glyph_places(sheet: Paper, page: int, without: object = None) -> list[tuple[str, int, int]]:
    """Each character with its place in tenths of a unit, leaving out those in the rectangle
    `without`."""
    return [
        (glyph.text, round(glyph.box.left * 10), round(glyph.box.bottom * 10))
        for glyph in sheet.glyphs(page)
        if without is None or not glyph.box.touches(without)  # type: ignore[arg-type]
    ]


@every_route
@pytest.mark.parametrize(
    "class_line",
    ["\\documentclass{article}", "\\documentclass[twocolumn]{article}"],
    ids=["one", "two"],
)
def test_place_bottom_moves_no_line(route: str, class_line: str) -> None:
    source = Source(paper(class_line=class_line, amount=16), route=route)
    with both(source, loaded("place=bottom")) as (bare, ours):
        document = Document("bottom", source.main, place="foot")
        checks.settle(
            checks.badge(document, bare, ours)
            + checks.metadata(bare, ours)
            + checks.pages_unchanged(bare, ours)
        )
        (link,) = ours.record_links()
        assert glyph_places(ours, 0, link.rect) == glyph_places(bare, 0)


@every_route
def test_place_none_writes_only_metadata(route: str) -> None:
    with both(Source(paper(), route=route), loaded("place=none")) as (bare, ours):
        assert ours.record_links() == []
        assert glyph_places(ours, 0) == glyph_places(bare, 0)
        checks.settle(checks.metadata(bare, ours))


@every_route
@pytest.mark.parametrize("options", ["hide", "hide=true"])
def test_hide_leaves_no_trace(route: str, options: str) -> None:
    source = Source(paper(body=f"\\pithbadge{{{SUFFIX}}}\\pithlink{{{SUFFIX}}}"), route=route)
    bare = Source(paper(), route=route).without_pith()
    hidden, plain = build(source.with_pith(loaded(options))), build(bare)
    assert hidden.ok
    assert not hidden.errors
    with Paper(plain.pdf) as before, Paper(hidden.pdf) as ours:
        checks.settle(checks.no_trace(ours))
        assert glyph_places(ours, 0) == glyph_places(before, 0)


@every_route
def test_anonymous_class_option_hides(route: str) -> None:
    source = Source(paper(class_line="\\documentclass[anonymous]{article}"), route=route)
    bare, ours_build = pair(source)
    assert ours_build.ok
    with Paper(bare.pdf) as before, Paper(ours_build.pdf) as ours:
        checks.settle(checks.no_trace(ours))
        assert glyph_places(ours, 0) == glyph_places(before, 0)


@every_route
def test_metadata_false_leaves_metadata_alone(route: str) -> None:
    with both(Source(paper(), route=route), loaded("metadata=false")) as (bare, ours):
        checks.settle(checks.badge(Document("metadata", "", place="title"), bare, ours))
        assert "/PithNumber" not in ours.info
        assert "/PithURL" not in ours.info
        assert "pith" not in ours.xmp
        assert ours.metadata_streams == bare.metadata_streams


@every_route
def test_link_false_draws_without_annotation(route: str) -> None:
    with both(Source(paper(), route=route), loaded("link=false")) as (bare, ours):
        assert ours.links() == bare.links() == []
        assert "/Annots" not in ours.page_object(0).obj
        assert VISIBLE in ours.text(0)
        checks.settle(checks.metadata(bare, ours))


@every_route
@pytest.mark.parametrize("style", STYLES)
def test_each_style_is_placed_below_the_title(route: str, style: str) -> None:
    whole(Source(paper(), route=route), loaded(f"style={style}"))


@pytest.mark.parametrize("style", STYLES)
def test_style_looks_alike_on_all_routes(style: str) -> None:
    """What is drawn differs by less than the smoothing of edges."""
    pictures = {}
    for route in ("pdflatex", "dvips", "xelatex", "lualatex", "dvipdfmx"):
        ours = build(Source(paper(), route=route).with_pith(loaded(f"style={style}")))
        assert ours.ok, route
        with Paper(ours.pdf) as sheet:
            if not sheet.record_links():
                assert route == "dvipdfmx", (
                    route
                )  # nobody told LaTeX of this driver: no link, but the same drawing
                (place,) = sheet.find(0, VISIBLE)
                assert place
                continue
            (link,) = sheet.record_links()
            pictures[route] = sheet.picture(0, 6.0, link.rect).resize((480, 96))
    first = pictures.pop("pdflatex")
    for route, picture in pictures.items():
        difference = ImageStat.Stat(ImageChops.difference(first, picture)).mean
        assert max(difference) < 16, f"{route} differs from pdflatex by {difference} of 255"


@every_route
@pytest.mark.parametrize("color", ["mono", "color=1A7F5A", "color=blue"])
def test_each_colour_is_placed_below_the_title(route: str, color: str) -> None:
    whole(Source(paper(before="\\usepackage{xcolor}"), route=route), loaded(color))


def test_color_changes_the_drawing() -> None:
    pictures = []
    for color in ("mono", "color=C00000"):
        with only(paper().replace("%PITH%", loaded(color))) as sheet:
            (link,) = sheet.record_links()
            pictures.append(sheet.picture(0, 4.0, link.rect))
    red, green, blue = ImageStat.Stat(pictures[0]).mean
    assert max(red, green, blue) - min(red, green, blue) < 2, "mono is not grey"
    red, green, blue = ImageStat.Stat(pictures[1]).mean
    assert red > green + 30
    assert red > blue + 30


@every_route
def test_a_year_as_an_option_is_written_to_the_metadata(route: str) -> None:
    whole(Source(paper(), route=route), loaded("year=2024"), year="2024")


@every_route
def test_a_year_in_the_number_is_written_to_the_metadata(route: str) -> None:
    whole(
        Source(paper(), route=route),
        f"\\usepackage{{pith}}\n\\pithnumber{{pith:2024:{SUFFIX}}}",
        year="2024",
    )


@every_route
def test_a_hash_is_written_to_the_metadata(route: str) -> None:
    digest = "bd28f3cf4a6b7c5f3ab7bd4d1ab2fcaf5d1c2f00aa11bb22cc33dd44ee55ff66"
    with both(
        Source(paper(), route=route),
        f"\\usepackage{{pith}}\n\\pithnumber[sha256={digest}]{{{SUFFIX}}}",
    ) as (
        bare,
        ours,
    ):
        checks.settle(checks.metadata(bare, ours))
        assert digest in ours.xmp


@every_route
def test_another_resolver_is_linked_and_written_to_the_metadata(route: str) -> None:
    with both(Source(paper(), route=route), loaded("resolver=https://mirror.example.org")) as (
        _,
        ours,
    ):
        (link,) = ours.links("https://mirror.example.org")
        assert link.uri == f"https://mirror.example.org/pith/{SUFFIX}"
        assert ours.info["/PithURL"] == link.uri


@every_route
def test_a_qr_code_is_read_back(route: str) -> None:
    import zxingcpp

    with both(Source(paper(), route=route), loaded("qr")) as (bare, ours):
        codes = [code.text for code in zxingcpp.read_barcodes(ours.picture(0, 5.0))]
        assert codes == [RECORD_URL]
        assert len(ours.record_links()) >= 1
        assert all(link.uri == RECORD_URL for link in ours.record_links())
        checks.settle(checks.metadata(bare, ours))


@pytest.mark.parametrize(
    "text",
    [
        SUFFIX, SUFFIX.lower(), f"pith:{SUFFIX}", f"pith:2024:{SUFFIX}", f"Pith:{SUFFIX}",
        f" {SUFFIX} ", SUFFIX[:8], f"pith:{SUFFIX[:12]}",
        SUFFIX[:16],
    ],
)  # fmt: skip
def test_every_form_of_a_number_is_taken(text: str) -> None:
    main = paper().replace("%PITH%", f"\\usepackage{{pith}}\n\\pithnumber{{{text}}}")
    with only(main) as sheet:
        (link,) = sheet.links("https://pith.science/pith/")
        assert RECORD_URL.startswith(link.uri)
        assert VISIBLE in sheet.text(0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "XR2UHLW",
        "XR2UHLWNHHFSD4ZJJXWRU6R6Q1",
        "XR2UHLWNHHFSD4ZJJXWRU6R6QPA",
        "2402.15627",
        "\\foo",
        "a#b",
        "é",
        "%",
    ],
)
def test_what_is_no_number_is_one_clear_error(text: str) -> None:
    main = paper().replace("%PITH%", f"\\usepackage{{pith}}\n\\pithnumber{{{text}}}")
    ours = build(Source(main, runs=1))
    pith_errors = [line for line in ours.errors if "Package pith Error" in line]
    assert len(pith_errors) == 1 if text != "%" else True, ours.errors
    if text not in ("%", "a#b", "\\foo"):  # TeX has a word of its own to say about these
        assert len(ours.errors) == 1, ours.errors
    if ours.pdf.exists():
        with Paper(ours.pdf) as sheet:
            checks.settle(checks.no_trace(sheet))


POSITIONS = {
    "before-title": (SNIPPET, "", "\\maketitle", ""),
    "after-begin-document": ("\\usepackage{pith}", "", f"{COMMAND}\\maketitle", ""),
    "after-maketitle": ("\\usepackage{pith}", "", f"\\maketitle\n{COMMAND}", ""),
    "twice-preamble": (SNIPPET + COMMAND, "", "\\maketitle", ""),
    "preamble-and-body": (SNIPPET, "", f"\\maketitle\n{COMMAND}", ""),
    "twice-body": ("\\usepackage{pith}", "", f"\\maketitle\n{COMMAND}\n{COMMAND}", ""),
}


@every_route
@pytest.mark.parametrize("position", POSITIONS)
def test_the_badge_is_printed_once_wherever_the_command_stands(route: str, position: str) -> None:
    snippet, after, front, body = POSITIONS[position]
    source = Source(paper(front=front, body=body, after=after), route=route)
    bare = build(Source(paper(), route=route).without_pith())
    ours_build = build(source.with_pith(snippet))
    assert ours_build.ok
    assert not ours_build.errors
    with Paper(bare.pdf) as before, Paper(ours_build.pdf) as ours:
        links = ours.record_links()
        assert len(links) == 1
        text = ours.text_in(0, links[0].rect)
        assert text == VISIBLE
        assert before.pages == ours.pages
        checks.settle(checks.metadata(before, ours))
        if position != "after-begin-document":
            assert links[0].rect.top <= ours.find(0, TITLE)[0].bottom


@every_route
def test_a_second_number_is_a_warning(route: str) -> None:
    other = "RVFV5Z2OI2J3ZUO7ERDEBCYNKS"
    main = paper().replace("%PITH%", f"{SNIPPET}\\pithnumber{{{other}}}")
    ours = build(Source(main, route=route))
    assert ours.ok
    assert any("Package pith Warning" in line for line in ours.warnings)
    with Paper(ours.pdf) as sheet:
        assert [link.uri for link in sheet.links("https://pith.science/")] == [RECORD_URL]
        assert sheet.info["/PithNumber"] == checks.NUMBER


@every_route
def test_the_log_names_the_number(route: str) -> None:
    """The log holds the number in a line that other programs can read."""
    ours = build(Source(paper(), route=route).with_pith())
    assert f"pith: number pith:{SUFFIX}" in ours.log


def test_an_unknown_key_is_no_error() -> None:
    """A number that isn't one is the package's only error."""
    ours = build(Source(paper().replace("%PITH%", loaded("colour=blue,nonsense"))))
    assert ours.ok
    assert not ours.errors
    assert any("pith" in line for line in ours.warnings)


@every_route
@pytest.mark.parametrize("size", ["\\tiny", "\\normalsize", "\\Huge"])
def test_a_badge_in_the_text_grows_with_the_font(route: str, size: str) -> None:
    main = paper(body=f"\n\n{{{size} xx\\pithbadge{{{SUFFIX}}}xx}}\n").replace(
        "%PITH%", "\\usepackage{pith}"
    )
    with only(main, route) as sheet:
        (link,) = sheet.record_links()
        assert (
            sheet.text_in(link.page, link.rect.grown(-0.2)) == VISIBLE
        )  # pdfTeX rounds where letters go
        height = {"\\tiny": 5, "\\normalsize": 10, "\\Huge": 24.88}[size]
        assert 0.9 * height <= link.rect.height <= 1.6 * height
