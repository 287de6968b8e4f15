"""What arXiv's preflight reads into the text of a .sty file, asked of the generated pith.sty.

It looks for strings with regular expressions, comments removed, and chooses engine and files by
them: ``\\ifnum\\pdfoutput=0`` anywhere makes it compile the paper with latex and dvips."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.data import ROOT
from tests.support.latex.build import PITH_STY, Source, build
from tests.support.latex.papercase import paper

CODE = "\n".join(
    re.sub(r"(?<!\\)%.*", "", line) for line in PITH_STY.read_text("utf-8").splitlines()
)

# rule -> the pattern that arXiv's parser looks for, and an example of what it stands for
RULES = {
    "pdfoutput test or assignment": (r"\\pdfoutput\b", "\\ifnum\\pdfoutput=0"),
    "the plain TeX end": (r"\bbye\b", "\\bye"),
    "a document class": (
        r"\\documentclass(?![A-Za-z])|\\documentstyle",
        "\\documentclass{article}",
    ),
    "a package by macro": (
        r"\\(RequirePackage|usepackage)(\[[^\]]*\])?\{[^}]*[#\\]",
        "\\RequirePackage{#1}",
    ),
    "an input of a file": (
        r"\\(input|include|@input|subfile|import)(?![A-Za-z@])",
        "\\input{pith.cfg}",
    ),
    "a graphic": (r"\\includegraphics|\\epsfbox|\\psfig", "\\includegraphics{x.pdf}"),
    "a package for one engine": (
        (
            r"\{[^{}]*\b(fontspec|polyglossia|unicode-math|xeCJK|luatexja|luacode|minted|pstricks"
            r"|psfrag|auto-pst-pdf)\b"
        ),
        "\\RequirePackage{fontspec}",
    ),
    "a shell": (r"\\write18|\\ShellEscape|--shell-escape", "\\write18{ls}"),
    "a bibliography": (
        r"\\(bibliography|addbibresource|printbibliography)(?![A-Za-z])",
        "\\bibliography{x}",
    ),
    "the start of a document": (
        r"\\begin\s*\{document\}|\\end\s*\{document\}",
        "\\begin{document}",
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_the_preflight_finds_nothing(rule: str) -> None:
    pattern, example = RULES[rule]
    assert re.search(pattern, example), "the rule finds not even its own example"
    assert re.findall(pattern, CODE) == []


def test_required_packages_are_few() -> None:
    """No dependency but iftex; what else is named is loaded only on request or for HTML."""
    always = CODE.split("\\endinput")
    required = {
        name.strip()
        for found in re.findall(r"\\RequirePackage(?:\[[^\]]*\])?\{([^}]*)\}", CODE)
        for name in found.split(",")
    }
    assert required <= {"iftex", "qrcode", "hyperref", "color"}, required
    assert len(always) >= 2, (
        "hyperref and color belong to the branch for LaTeXML, which ends with \\endinput"
    )


@pytest.mark.parametrize("route", ["pdflatex", "dvips", "xelatex", "lualatex"])
def test_nothing_but_iftex_is_loaded(route: str) -> None:
    """The .fls file tells which files TeX read: with pith no more than pith.sty and iftex."""
    source = Source(paper(), route=route)
    read = []
    for version in (source.without_pith(), source.with_pith()):
        lines = build(version).text(".fls").splitlines()
        read.append(
            {
                line.split("/")[-1]
                for line in lines
                if line.startswith("INPUT")
                and line.endswith((".sty", ".def", ".cfg", ".tex", ".lua"))
            }
        )
    new = {name.removeprefix("INPUT ") for name in read[1] - read[0]}
    assert new <= {"pith.sty", "iftex.sty"}, new


@pytest.mark.host
def test_the_committed_package_is_the_generated_one(tmp_path: Path) -> None:
    """The committed pith.sty is what DocStrip makes of pith.dtx."""
    shutil.copy(ROOT / "pith.dtx", tmp_path)
    subprocess.run(
        ["tex", "-interaction=batchmode", "pith.dtx"],
        cwd=tmp_path,
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert (tmp_path / "pith.sty").read_bytes() == (ROOT / "pith.sty").read_bytes()


def test_the_package_is_ascii_only() -> None:
    """inputenc latin1 and every editor read it alike."""
    PITH_STY.read_text("ascii")


def test_lines_of_the_package_are_short() -> None:
    """arXiv and mail programs break long lines."""
    assert max(len(line) for line in PITH_STY.read_text("utf-8").splitlines()) <= 132
