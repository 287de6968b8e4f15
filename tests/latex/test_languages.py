"""Papers in other languages and scripts: babel, polyglossia, bidi, CJK."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.data import SUFFIX
from tests.support.latex import checks
from tests.support.latex.build import BADGE, COMMAND, LOAD
from tests.support.latex.cases import UNICODE, Case
from tests.support.latex.documents import TITLE
from tests.support.latex.papercase import (
    only,
    pair,
    paper,
    whole,
)
from tests.support.latex.papers import VISIBLE, Paper

LANGUAGES = (
    "french", "ngerman", "austrian", "swissgerman", "spanish", "turkish", "magyar", "polish",
    "czech", "slovak", "portuguese", "brazilian", "italian", "catalan", "galician", "basque",
    "esperanto", "estonian", "finnish", "swedish", "danish", "norsk", "dutch", "afrikaans",
    "greek", "russian", "ukrainian", "bulgarian", "croatian", "slovene", "latin", "welsh",
    "breton", "icelandic", "latvian", "romanian", "vietnamese", "usorbian", "irish", "albanian",
)  # fmt: skip


SHORT_LANGUAGES = (
    "french",
    "ngerman",
    "spanish",
    "turkish",
    "magyar",
    "greek",
    "russian",
    "esperanto",
    "czech",
    "portuguese",
)


@pytest.mark.parametrize(
    ("language", "order"),
    [
        pytest.param(
            language,
            order,
            id=f"{language}-{order}",
            marks=() if language in SHORT_LANGUAGES else pytest.mark.full,
        )
        for language in LANGUAGES
        for order in ("before", "after")
    ],
)
def test_a_paper_in_a_language_of_babel_is_as_it_was_but_for_the_badge(
    language: str, order: str
) -> None:
    encoding = {"russian": "T2A", "ukrainian": "T2A", "bulgarian": "T2A", "vietnamese": "T5"}.get(
        language, "T1"
    )
    loading = f"\\usepackage[{encoding}]{{fontenc}}\\usepackage[{language}]{{babel}}"
    if encoding == "T1" and language != "greek":
        loading = "\\usepackage{lmodern}" + loading
    # LGR makes Greek letters of Latin ones, so the paper says where it means Latin; the badge has
    # to know by itself.
    title = f"\\textlatin{{{TITLE}}}" if language == "greek" else TITLE
    cyrillic = encoding == "T2A"
    whole(replace(Case(**{order: loading}, title=title).source("pdflatex"), metafont=cyrillic))
    # The same commands where the language's active characters are active: in the body.
    inside = paper(
        front=f"\\pithnumber[year=2024]{{pith:2024:{SUFFIX}}}\\maketitle",
        body=f"\\pithlink{{{SUFFIX}}}",
        **{order: loading},
    )
    with only(inside.replace("%PITH%", "\\usepackage{pith}"), metafont=cyrillic) as sheet:
        assert len(sheet.record_links()) >= 2
        assert sheet.info["/PithNumber"] == f"pith:2024:{SUFFIX}"


@pytest.mark.parametrize("language", ["french", "ngerman", "spanish"])
@pytest.mark.parametrize("route", ["xelatex", "lualatex", "dvips"])
def test_babel_works_on_every_route(language: str, route: str) -> None:
    whole(Case(before=f"\\usepackage[{language}]{{babel}}").source(route))


@pytest.mark.parametrize("language", ["ngerman", "portuguese", "dutch", "spanish", "polish"])
def test_an_active_quotation_mark_means_nothing_to_the_package(language: str) -> None:
    loading = f"\\usepackage[T1]{{fontenc}}\\usepackage{{lmodern}}\\usepackage[{language}]{{babel}}"
    main = paper(
        before=loading + LOAD,
        front=f"{COMMAND}\\maketitle",
        body=f'{BADGE} \\pithlink{{{SUFFIX}}} "a',
    ).replace("%PITH%", "%")
    with only(main) as sheet:
        assert len(sheet.record_links()) == 3


@pytest.mark.parametrize("route", UNICODE)
@pytest.mark.parametrize("language", ["french", "german", "turkish", "italian"])
def test_polyglossia_works_in_each_language(language: str, route: str) -> None:
    whole(Case(before=f"\\usepackage{{polyglossia}}\\setmainlanguage{{{language}}}").source(route))


@pytest.mark.parametrize("order", ["before", "after"])
def test_bidi_and_polyglossia_work_before_and_after_the_package(order: str) -> None:
    for loading in ("\\usepackage{bidi}", "\\usepackage{polyglossia}\\setmainlanguage{english}"):
        whole(Case(**{order: loading}).source("xelatex"))


def test_a_badge_in_a_right_to_left_paper_is_drawn_in_its_link() -> None:
    case = Case(after="\\usepackage{bidi}\\setRTL")
    bare, ours_build = pair(case.source("xelatex"))
    checks.settle(checks.compiled(bare, ours_build))
    with Paper(ours_build.pdf) as ours:
        (link,) = ours.record_links()
        assert len(ours.text_in(0, link.rect)) == len(VISIBLE)
        drawn = ours.drawn(0, link.rect)
        assert drawn is not None
        assert drawn.distance(link.rect) <= 1


CJK = {
    "CJKutf8": ("pdflatex", "\\usepackage{CJKutf8}", "\\begin{CJK}{UTF8}{gkai}中文\\end{CJK}"),
    "CJKutf8-dvips": ("dvips", "\\usepackage{CJKutf8}", "\\begin{CJK}{UTF8}{gkai}中文\\end{CJK}"),
    "xeCJK": ("xelatex", "\\usepackage{xeCJK}\\setCJKmainfont{FandolSong-Regular.otf}", "中文"),
}


@pytest.mark.parametrize("name", CJK)
@pytest.mark.parametrize("order", ["before", "after"])
def test_chinese_text_works_before_and_after_the_package(name: str, order: str) -> None:
    route, loading, text = CJK[name]
    whole(Case(**{order: loading}, body=text).source(route))
