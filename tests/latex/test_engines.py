"""Engines, kernels and ways to run them: what TeX itself and its drivers differ in."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace

import pytest

from tests.support.latex import checks
from tests.support.latex.build import BUILDS, PITH_STY, SNIPPET, Source, build, release, run
from tests.support.latex.cases import Case
from tests.support.latex.documents import BY_NAME, Document
from tests.support.latex.papercase import (
    every_route,
    only,
    pair,
    paper,
    whole,
)
from tests.support.latex.papers import VISIBLE, Paper


def test_every_name_that_the_package_defines_begins_with_pith() -> None:
    """What TeX's table of names holds after a paper with pith that it does not hold after the paper
    without."""
    if release() < 2021:
        pytest.skip("LuaTeX's list of names leaves most of them out in this release")
    listing = (
        "\\AtEndDocument{\\directlua{for _,name in pairs(tex.hashtokens()) do if "
        "token.is_defined(name) then "
        "texio.write_nl('log','NAME '..name) end end}}"
    )
    bare, ours = pair(Source(paper(before="\\usepackage{iftex}" + listing), route="lualatex"))
    before, after = (set(re.findall(r"^NAME (.*)$", version.log, re.M)) for version in (bare, ours))
    assert {"pithnumber", "pithbadge", "pithlink", "pithsetup"} <= after - before
    # Not pith's: the names that LaTeX makes for a hook or for a font, and its scratch macros.
    others = r"(OT1|T1|TU|OMS|OML|OMX|U)[/+]|<|TU|@temp[abc]$|.*hook|\\|environment .* end aux"
    strange = {name for name in after - before if "pith" not in name and not re.match(others, name)}
    assert strange == set()


def test_maketitle_is_not_redefined() -> None:
    main = paper(
        before="\\let\\Before\\maketitle",
        after="\\typeout{SAME \\ifx\\Before\\maketitle yes\\else no\\fi}",
    ).replace("%PITH%", SNIPPET)
    assert "SAME yes" in build(Source(main)).log


@pytest.mark.parametrize("name", ["jss-like", "statsoc-like"])
@every_route
def test_a_title_that_is_made_as_the_document_begins_gets_its_badge(name: str, route: str) -> None:
    document = BY_NAME[name]
    whole(document.source(route), place=document.place)


def test_a_title_command_that_cannot_be_patched_leaves_the_badge_to_the_foot() -> None:
    """The hook has no place in it, so the foot of the page takes the badge."""
    odd = (
        "\\makeatletter\\catcode`\\!=3 "
        "\\def\\maketitle#1!{\\begin{center}#1\\end{center}}\\makeatother"
    )
    main = paper(before=odd, front="\\maketitle Pith Test Title!").replace("%PITH%", SNIPPET)
    with only(main) as sheet:
        (link,) = sheet.record_links()
        assert link.page == 0


def test_the_hooks_of_newer_kernels_are_not_needed() -> None:
    """What came into the kernel in 2021 and later is taken away."""
    newer = ("ActivateGenericHook", "DeclareKeys", "ProcessKeyOptions")
    without = (
        "\\makeatletter" + "".join(f"\\let\\{name}\\@undefined" for name in newer) + "\\makeatother"
    )
    whole(Case(before=without).source("pdflatex"))


def test_luatex_needs_no_primitives_of_pdftex() -> None:
    whole(Source(paper(), route="lualatex"))


def test_plain_tex_gets_one_clear_line() -> None:
    source = Source("\\input pith.sty\nHello\n\\end\n", engine="pdftex", runs=1, after=())
    ours = build(source)
    said = [
        line for line in ours.log.splitlines() if "pith" in line.lower() and "plain" in line.lower()
    ]
    assert len(said) == 1
    assert not ours.errors
    with Paper(ours.pdf) as sheet:
        assert sheet.text(0).replace("1", "") == "Hello"


DRIVERLESS = ("latex", "dvilualatex")


@pytest.mark.parametrize("engine", DRIVERLESS)
def test_dvi_without_a_driver_is_no_error(engine: str) -> None:
    bare, ours = pair(Source(paper(), route="dvips", engine=engine, after=()))
    assert not any(bare.exit_codes)
    assert not any(ours.exit_codes)
    assert not ours.errors
    assert set(ours.warnings) <= set(bare.warnings)


def test_a_badge_is_shown_by_dvipdfmx() -> None:
    bare, ours = pair(Source(paper(), route="dvipdfmx"))
    checks.settle(checks.compiled(bare, ours))
    with Paper(ours.pdf) as sheet:
        assert VISIBLE in sheet.text(0)


@pytest.mark.parametrize("driver", ["\\documentclass[dvipdfmx]{article}"])
def test_dvipdfmx_is_known_by_its_global_option(driver: str) -> None:
    whole(Source(paper(class_line=driver), route="dvipdfmx"))


@every_route
def test_the_aux_file_is_that_of_the_paper_without_the_package(route: str) -> None:
    source = Source(
        paper(after="\\usepackage{hyperref}", body="\\section{One}\\label{a}\\ref{a}"), route=route
    )
    bare, ours = pair(source)
    assert ours.runs == bare.runs
    assert ours.aux == bare.aux
    assert ours.aux_hashes[-1] == ours.aux_hashes[-2]


@every_route
def test_no_side_files_are_written(route: str) -> None:
    bare, ours = pair(Source(paper(), route=route))
    new = {path.name for path in ours.folder.iterdir()} - {
        path.name for path in bare.folder.iterdir()
    }
    assert new == {"pith.sty"}


@pytest.mark.parametrize("flag", ["-pdf", "-pdfps", "-pdfxe", "-pdflua"])
def test_latexmk_runs_as_often_as_without(flag: str) -> None:
    counts = []
    source = Case(
        after="\\usepackage{hyperref}", body="\\section{One}\\label{one}\\ref{one}"
    ).source("pdflatex")
    for name, main in {"bare": source.without_pith().main, "ours": source.with_pith().main}.items():
        folder = BUILDS / f"latexmk{flag}-{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "main.tex").write_text(main)
        shutil.copy(PITH_STY, folder / "pith.sty")
        assert (
            run(["latexmk", flag, "-interaction=batchmode", "main.tex"], folder, "latexmk.txt") == 0
        )
        text = (folder / "latexmk.txt").read_text("utf-8", "replace")
        counts.append(text.lower().count("run number"))
    assert counts[0] == counts[1] > 0


@every_route
def test_spaces_in_the_path_do_no_harm(route: str) -> None:
    whole(replace(Case().source(route), folder="a folder/with spaces"))


@pytest.mark.parametrize("route", ["pdflatex", "xelatex", "lualatex"])
def test_an_output_directory_does_no_harm(route: str) -> None:
    source = Case(files={"out/keep": ""}).source(route)
    whole(replace(source, options=("-output-directory=out",), jobname="out/main"))


def test_another_jobname_does_no_harm() -> None:
    """Overleaf's job is called `output`; nothing may depend on the name."""
    whole(replace(Case().source("pdflatex"), options=("-jobname=output",), jobname="output"))


def test_the_checks_complain_of_a_paper_without_a_badge() -> None:
    """The harness itself: a paper without a badge is complained of, so the checks above can
    fail."""
    bare, _ = pair(Source(paper()))
    with Paper(bare.pdf) as sheet:
        complaints = checks.badge(Document("none", "", place="title"), sheet, sheet)
        assert complaints == ["0 links to the record instead of one"]
        assert checks.metadata(sheet, sheet)
        assert SNIPPET
