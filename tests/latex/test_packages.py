"""The package together with what else stands in people's preambles."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests.support.latex import checks
from tests.support.latex.build import BADGE, LOAD, PITH_STY, SNIPPET, Source, build, release
from tests.support.latex.cases import HYPERREF, PACKAGES, Case, check, every_case
from tests.support.latex.documents import BY_NAME, TITLE
from tests.support.latex.papercase import (
    both,
    every_route,
    pair,
    paper,
    whole,
)
from tests.support.latex.papers import Paper


@every_case(HYPERREF)
def test_a_paper_with_hyperref_is_as_it_was_but_for_the_badge(case: Case, route: str) -> None:
    check(case, route)


@every_case(PACKAGES)
def test_a_paper_with_a_package_is_as_it_was_but_for_the_badge(case: Case, route: str) -> None:
    check(case, route)


@pytest.mark.parametrize("order", ["before", "after"])
def test_hyperref_with_options_of_the_users_does_not_clash(order: str) -> None:
    whole(Case(**{order: "\\usepackage[colorlinks,linktocpage]{hyperref}"}).source("pdflatex"))


def test_beamer_takes_options_of_hyperref() -> None:
    document = BY_NAME["beamer-maketitle"]
    source = Source(document.main.replace("\\title{", "\\hypersetup{colorlinks}\\title{", 1))
    bare, ours = pair(source)
    checks.settle(checks.compiled(bare, ours))


@pytest.mark.parametrize(
    "order", ["\\usepackage{hyperref}\\usepackage{cleveref}", "\\usepackage{cleveref}"]
)
@pytest.mark.parametrize("place", ["before", "after"])
def test_cleveref_works_before_and_after_the_package(order: str, place: str) -> None:
    whole(Case(**{place: order}, body="\\section{One}\\label{one}\\cref{one}").source("pdflatex"))


def test_acmart_works_with_cleveref_before_and_after_the_package() -> None:
    document = BY_NAME["acmart-sigconf"]
    for order in ("\\usepackage{cleveref}\n%PITH%", "%PITH%\n\\usepackage{cleveref}"):
        bare, ours = pair(Source(document.main.replace("%PITH%", order)))
        checks.settle(checks.compiled(bare, ours))
        with Paper(ours.pdf) as sheet:
            assert len(sheet.record_links()) == 1


def test_silence_with_hyperxmp_comes_to_an_end() -> None:
    silence = (
        "\\usepackage{silence}\\WarningFilter{latex}{x}\\usepackage{hyperref}\\usepackage{hyperxmp}"
    )
    whole(Case(before=silence).source("pdflatex"), others=True)


def test_a_class_may_have_commands_named_badge_link_qr_and_orcid() -> None:
    taken = "\\newcommand\\badge{}\\newcommand\\link{}\\newcommand\\qr{}\\newcommand\\orcid{}"
    whole(Case(before=taken).source("pdflatex"))


@every_route
def test_names_that_were_only_asked_for_are_not_taken_for_loaded_packages(route: str) -> None:
    r"""`\@ifclassloaded` and its like leave `\relax` behind for what is not there: that is no
    beamer, pdfx or TeX4ht."""
    names = set(re.findall(r"\\pith@known\{([\w@.:]+)\}", PITH_STY.read_text("utf-8")))
    assert {"ver@beamer.cls", "ver@pdfx.sty", "HCode", "LaTeXMLversion"} <= names
    names |= {f"ver@{name}.cls" for name in ("acmart", "cas-dc", "mnras", "tufte-book")} | {
        r"\string\color@teal"
    }
    ask = r"\makeatletter\def\ask#1{\expandafter\let\expandafter\asked\csname#1\endcsname}"
    asked = ask + "".join(f"\\ask{{{name}}}" for name in sorted(names)) + r"\makeatother"
    whole(Source(paper(before=asked), route=route), SNIPPET.replace("{pith}", "[color=teal]{pith}"))


@every_route
def test_active_punctuation_means_nothing_while_the_package_is_read(route: str) -> None:
    """Whatever punctuation means when the package is read (underscore, babel, csquotes), it means
    it again afterwards."""
    usual = dict.fromkeys([33, 34, *range(39, 48), *range(58, 64), 91, 93, 96, 124], 12) | {
        36: 3,
        38: 4,
        94: 7,
        95: 8,
        126: 13,
    }
    active = "".join(f"\\catcode{code} 13 " for code in usual)
    check = "".join(f"\\ifnum\\catcode{code}=13 \\else\\errmessage{{{code}}}\\fi" for code in usual)
    back = "".join(f"\\catcode{code} {category} " for code, category in usual.items())
    before, after = (
        ("package/before/pith", "package/after/pith")
        if release() < 2022
        else ("package/pith/before", "package/pith/after")
    )
    hooks = f"\\AddToHook{{{before}}}{{{active}}}\\AddToHook{{{after}}}{{{check}{back}}}"
    whole(Source(paper(before=hooks), route=route))


def test_no_picture_is_made_of_the_badge_below_the_title() -> None:
    """No picture is made of the badge: externalised pictures lose their links."""
    case = Case(
        after="\\usepackage{tikz}\\usetikzlibrary{external}\\tikzexternalize",
        body="\\begin{tikzpicture}\\draw (0,0)--(1,1);\\end{tikzpicture}",
    )
    source = replace(case.source("pdflatex"), options=("-shell-escape",))
    with both(source) as (_, ours):
        assert len(ours.record_links()) == 1
    folder = build(source.with_pith()).folder
    assert sorted(path.name for path in folder.glob("main-figure*.pdf")) == ["main-figure0.pdf"]


def test_no_picture_is_made_of_a_badge_in_the_text() -> None:
    main = paper(
        before=f"{LOAD}\\usepackage{{tikz}}\\usetikzlibrary{{external}}\\tikzexternalize",
        body=f"{BADGE} \\begin{{tikzpicture}}\\draw (0,0)--(1,1);\\end{{tikzpicture}}",
    ).replace("%PITH%", "%")
    source = Source(main, options=("-shell-escape",))
    ours = build(source)
    assert ours.ok
    assert [path.name for path in ours.folder.glob("main-figure*.pdf")] == ["main-figure0.pdf"]


def test_a_standalone_page_has_no_badge_beyond_its_edge() -> None:
    """A class without a title and with a page as small as its content: no error, and no badge off
    the page."""
    main = "\\documentclass{standalone}\n%PITH%\n\\begin{document}\nA formula.\n\\end{document}\n"
    bare, ours_build = pair(Source(main))
    checks.settle(checks.compiled(bare, ours_build))
    with Paper(ours_build.pdf) as ours:
        width, height = ours.page_size(0)
        assert all(
            link.rect.right <= width and link.rect.top <= height for link in ours.record_links()
        )
        checks.settle(checks.metadata(Paper(bare.pdf), ours))


def test_classes_without_a_title_give_no_error() -> None:
    for name in ("letter", "minimal", "proc", "slides"):
        main = f"\\documentclass{{{name}}}\n%PITH%\n\\begin{{document}}\nText.\n\\end{{document}}\n"
        bare, ours_build = pair(Source(main))
        checks.settle(checks.compiled(bare, ours_build))


def test_a_standalone_figure_in_a_paper_gets_no_badge_of_its_own() -> None:
    figure = "\\documentclass{standalone}\n\\begin{document}\nFigure.\n\\end{document}\n"
    case = Case(
        before="\\usepackage{standalone}",
        body="\\input{figure}",
        files={"figure.tex": figure},
    )
    whole(case.source("pdflatex"))


def test_a_subfile_gets_no_badge_of_its_own() -> None:
    part = (
        f"\\documentclass[main.tex]{{subfiles}}\n\\begin{{document}}\n{TITLE} "
        f"part.\n\\end{{document}}\n"
    )
    case = Case(before="\\usepackage{subfiles}", body="\\subfile{part}", files={"part.tex": part})
    whole(case.source("pdflatex"))


def test_includeonly_works() -> None:
    case = Case(
        after="\\includeonly{two}",
        body="\\include{one}\\include{two}",
        files={"one.tex": "One.\n", "two.tex": "Two.\n"},
    )
    whole(case.source("pdflatex"))
