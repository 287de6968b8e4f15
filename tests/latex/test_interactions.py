"""The package together with what else stands in people's preambles."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass, field, replace

import pytest

from tests.support.latex import checks
from tests.support.latex.build import BUILDS, PITH_STY, SNIPPET, SUFFIX, Source, build, release, run
from tests.support.latex.documents import TITLE, Document
from tests.support.latex.papercase import ROUTES, both, every_route, only, pair, paper, whole
from tests.support.latex.papers import VISIBLE, Paper

PDFTEX_ROUTES = ("pdflatex", "dvips")
UNICODE = ("xelatex", "lualatex")


@dataclass(frozen=True)
class Case:
    """What stands before and after the snippet, and in the body."""

    before: str = ""
    after: str = ""
    body: str = ""
    front: str = "\\maketitle"
    class_line: str = "\\documentclass{article}"
    first: str = ""
    routes: tuple[str, ...] = PDFTEX_ROUTES
    title: str = TITLE
    others: bool = False  # another package writes the XMP packet
    since: int = 2020
    amount: int = 4
    files: dict[str, str | bytes] = field(default_factory=dict)

    def source(self, route: str) -> Source:
        main = paper(
            before=self.before, after=self.after, body=self.body, front=self.front, class_line=self.class_line,
            first=self.first, amount=self.amount, title=self.title,
        )  # fmt: skip
        return Source(main, route=route, files=self.files)


_ABSTRACT = "\\maketitle\\begin{abstract}Quagga.\\end{abstract}"
_XMP_DATA = f"\\Title{{{TITLE}}}\n\\Author{{Ada Author}}\n\\Keywords{{test}}\n"
_XMP_INCLUDED = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:format>application/pdf</dc:format></rdf:Description>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>
"""

HYPERREF = {
    "before": Case(before="\\usepackage{hyperref}", routes=ROUTES),
    "after": Case(after="\\usepackage{hyperref}", routes=ROUTES),
    "options-after": Case(
        after="\\usepackage[colorlinks,allcolors=red,pdftitle={A title},pdfauthor={Ada}]{hyperref}",
        routes=ROUTES,
    ),
    "options-before": Case(
        before="\\usepackage[colorlinks,urlcolor=green,pdfkeywords={a,b}]{hyperref}", routes=ROUTES
    ),
    "draft": Case(before="\\usepackage[draft]{hyperref}", routes=ROUTES),
    "draft-after": Case(after="\\usepackage[draft]{hyperref}"),
    "class-draft": Case(
        class_line="\\documentclass[draft]{article}", after="\\usepackage{hyperref}"
    ),
    "hidelinks": Case(after="\\usepackage[hidelinks]{hyperref}"),
    "borders": Case(before="\\usepackage[pdfborder={0 0 2},urlbordercolor={1 0 0}]{hyperref}"),
    "late-setup": Case(
        after="\\usepackage{hyperref}\\hypersetup{pdfinfo={Venue=Somewhere},pdftitle={Late}}",
        routes=ROUTES,
    ),
    "setup-in-body": Case(
        after="\\usepackage{hyperref}", front="\\hypersetup{pdfsubject={Body}}\\maketitle"
    ),
    "usetitle": Case(after="\\usepackage[pdfusetitle]{hyperref}"),
    "cleveref-before": Case(before="\\usepackage{hyperref}\\usepackage{cleveref}"),
    "cleveref-after": Case(after="\\usepackage{hyperref}\\usepackage{cleveref}"),
    "cleveref-around": Case(before="\\usepackage{hyperref}", after="\\usepackage{cleveref}"),
    "url-breakurl": Case(
        before="\\usepackage{hyperref}\\usepackage[hyphenbreaks]{breakurl}", routes=("dvips",)
    ),
    "orcidlink": Case(after="\\usepackage{orcidlink}", title=TITLE),
    "bookmark": Case(after="\\usepackage{hyperref}\\usepackage{bookmark}"),
}

METADATA = {
    "hyperxmp-before": Case(
        before="\\usepackage{hyperref}\\usepackage{hyperxmp}", routes=ROUTES, others=True
    ),
    "hyperxmp-after": Case(
        after="\\usepackage[pdftitle={T}]{hyperref}\\usepackage{hyperxmp}",
        routes=ROUTES,
        others=True,
    ),
    "pdfx-before": Case(
        before="\\usepackage[a-1b]{pdfx}",
        files={"main.xmpdata": _XMP_DATA},
        routes=("pdflatex", "lualatex"),
        others=True,
    ),
    "pdfx-after": Case(
        after="\\usepackage[a-2b]{pdfx}",
        files={"main.xmpdata": _XMP_DATA},
        routes=("pdflatex",),
        others=True,
    ),
    "xmpincl": Case(
        before="\\usepackage{xmpincl}\\includexmp{packet}",
        files={"packet.xmp": _XMP_INCLUDED},
        routes=("pdflatex",),
        others=True,
    ),
    "document-metadata": Case(
        first="\\DocumentMetadata{}",
        routes=("pdflatex", "xelatex", "lualatex"),
        since=2022,
        others=True,
    ),
    "document-metadata-dvips": Case(
        first="\\DocumentMetadata{backend=dvips}", routes=("dvips",), since=2022, others=True
    ),
    "document-metadata-hyperref": Case(
        first="\\DocumentMetadata{pdfversion=1.7}",
        after="\\usepackage{hyperref}",
        routes=("pdflatex", "lualatex"),
        since=2022,
        others=True,
    ),
    "document-metadata-pdfa": Case(
        first="\\DocumentMetadata{pdfstandard=A-2b}",
        after="\\usepackage{hyperref}",
        routes=("pdflatex", "lualatex"),
        since=2022,
        others=True,
    ),
    "raw-info": Case(before="\\pdfinfo{/Subject (By hand) /Venue (Town)}", routes=("pdflatex",)),
    "raw-info-after": Case(after="\\pdfinfo{/Subject (By hand)}", routes=("pdflatex",)),
    "no-compression": Case(
        before="\\pdfcompresslevel=0 \\pdfobjcompresslevel=0", routes=("pdflatex",)
    ),
    "pdf-1.4": Case(before="\\pdfminorversion=4 ", routes=("pdflatex",)),
}

PACKAGES = {
    "csquotes": Case(before='\\usepackage{csquotes}\\MakeOuterQuote{"}', body='"quoted"'),
    "csquotes-after": Case(
        after='\\usepackage[autostyle]{csquotes}\\MakeOuterQuote{"}', body='"quoted"'
    ),
    "microtype": Case(before="\\usepackage{microtype}", routes=("pdflatex", "lualatex", "xelatex")),
    "xcolor-before": Case(before="\\usepackage[dvipsnames,table]{xcolor}", routes=ROUTES),
    "xcolor-after": Case(after="\\usepackage[dvipsnames,svgnames,x11names]{xcolor}", routes=ROUTES),
    "xcolor-cmyk": Case(before="\\usepackage[cmyk]{xcolor}", routes=ROUTES),
    "color": Case(after="\\usepackage{color}", routes=ROUTES),
    "coloured-page": Case(
        after="\\usepackage{xcolor}", front="\\color{blue}\\maketitle", routes=ROUTES
    ),
    "latin1": Case(before="\\usepackage[latin1]{inputenc}"),
    "T1": Case(before="\\usepackage[T1]{fontenc}\\usepackage{lmodern}"),
    "times": Case(before="\\usepackage{mathptmx}\\usepackage[scaled]{helvet}"),
    "fontspec": Case(before="\\usepackage{fontspec}", routes=UNICODE),
    "fontspec-font": Case(
        before="\\usepackage{fontspec}\\setmainfont{lmroman10-regular.otf}", routes=UNICODE
    ),
    "unicode-math": Case(after="\\usepackage{unicode-math}", routes=UNICODE),
    "silence": Case(before="\\usepackage{silence}\\WarningsOff*"),
    "silence-hyperxmp": Case(
        before="\\usepackage{silence}\\usepackage{hyperref}\\usepackage{hyperxmp}", others=True
    ),
    "authblk": Case(before="\\usepackage{authblk}"),
    "titling": Case(before="\\usepackage{titling}\\setlength{\\droptitle}{-2em}"),
    "titling-after": Case(after="\\usepackage{titling}"),
    "abstract": Case(before="\\usepackage{abstract}", front=_ABSTRACT, amount=3),
    "abstract-twocolumn": Case(
        class_line="\\documentclass[twocolumn]{article}",
        before="\\usepackage{abstract}",
        front="\\twocolumn[\\maketitle\\begin{onecolabstract}Quagga.\\end{onecolabstract}]",
        amount=16,
    ),
    "titlesec": Case(before="\\usepackage{titlesec}", body="\\section{A}"),
    "fancyhdr": Case(before="\\usepackage{fancyhdr}\\pagestyle{fancy}"),
    "geometry": Case(before="\\usepackage[margin=1in]{geometry}"),
    "geometry-after": Case(after="\\usepackage[a5paper,margin=1.5cm]{geometry}", amount=3),
    "multicol": Case(
        before="\\usepackage{multicol}",
        front="\\maketitle\\begin{multicols}{2}",
        body="\\end{multicols}",
    ),
    "lineno": Case(before="\\usepackage{lineno}\\linenumbers", amount=3),
    "setspace": Case(before="\\usepackage{setspace}\\doublespacing"),
    "parskip": Case(before="\\usepackage{parskip}"),
    "draft": Case(class_line="\\documentclass[draft]{article}", routes=ROUTES),
    "landscape": Case(
        class_line="\\documentclass[landscape]{article}", before="\\usepackage[landscape]{geometry}"
    ),
    "etoolbox-patch": Case(
        before="\\usepackage{etoolbox}\\makeatletter\\apptocmd{\\@maketitle}{}{}{}\\makeatother"
    ),
    "tikz": Case(
        after="\\usepackage{tikz}",
        body="\\begin{tikzpicture}\\draw (0,0)--(1,1);\\end{tikzpicture}",
        routes=ROUTES,
    ),
    "biblatex-free-cite": Case(before="\\usepackage{natbib}", body="\\cite{nobody}"),
    "nofiles": Case(before="\\nofiles"),
    "listings": Case(
        before="\\usepackage{listings}", body="\\begin{lstlisting}\nx = 1\n\\end{lstlisting}"
    ),
    "subcaption-float": Case(before="\\usepackage{float}\\usepackage{subcaption}"),
    "crop": Case(
        before="\\usepackage[cam,a4,center]{crop}",
        class_line="\\documentclass{article}\\usepackage[a5paper]{geometry}",
    ),
    "everyshi-draftwatermark": Case(
        before="\\usepackage{eso-pic}\\AddToShipoutPictureBG{\\put(90,90){BG}}"
    ),
    "textpos": Case(before="\\usepackage[absolute]{textpos}"),
    "ltxgrid": Case(before="\\usepackage{ragged2e}\\RaggedRight"),
    "todonotes": Case(after="\\usepackage{todonotes}", body="\\todo{later}"),
    "algorithm2e": Case(after="\\usepackage{algorithm2e}"),
    "minted-free-fancyvrb": Case(before="\\usepackage{fancyvrb}"),
    "siunitx": Case(after="\\usepackage{siunitx}", body="\\qty{3}{\\metre}", since=2022),
}

LANGUAGES = (
    "french", "ngerman", "austrian", "swissgerman", "spanish", "turkish", "magyar", "polish", "czech", "slovak",
    "portuguese",
    "brazilian", "italian", "catalan", "galician", "basque", "esperanto", "estonian", "finnish", "swedish", "danish",
    "norsk",
    "dutch", "afrikaans", "greek", "russian", "ukrainian", "bulgarian", "croatian", "slovene", "latin", "welsh", "breton",
    "icelandic", "latvian", "romanian", "vietnamese", "usorbian", "irish", "albanian",
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


def _table(cases: dict[str, Case]) -> list[object]:
    return [
        pytest.param(case, route, id=f"{name}-{route}")
        for name, case in cases.items()
        for route in case.routes
    ]


def _check(case: Case, route: str) -> None:
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} does not know this")
    whole(case.source(route), others=case.others, title=case.title)


@pytest.mark.parametrize(("case", "route"), _table(HYPERREF))
def test_hyperref(case: Case, route: str) -> None:
    _check(case, route)


@pytest.mark.parametrize(("case", "route"), _table(METADATA))
def test_metadata_writers(case: Case, route: str) -> None:
    _check(case, route)


@pytest.mark.parametrize(("case", "route"), _table(PACKAGES))
def test_package(case: Case, route: str) -> None:
    _check(case, route)


@pytest.mark.parametrize(
    "name", ["document-metadata", "document-metadata-hyperref", "document-metadata-pdfa"]
)
def test_management_writes_the_number_into_its_packet(name: str) -> None:
    case = METADATA[name]
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} does not know this")
    with both(case.source("pdflatex")) as (_, ours):
        assert [f"pith:{SUFFIX}" in ours.xmp, "pith.science/ns/1.0/" in ours.xmp] == [True, True]


def test_raw_info_survives() -> None:
    for name in ("raw-info", "raw-info-after"):
        with both(METADATA[name].source("pdflatex")) as (_, ours):
            assert ours.info["/Subject"] == "By hand"


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
def test_babel(language: str, order: str) -> None:
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
def test_babel_on_other_routes(language: str, route: str) -> None:
    whole(Case(before=f"\\usepackage[{language}]{{babel}}").source(route))


@pytest.mark.parametrize("route", UNICODE)
@pytest.mark.parametrize("language", ["french", "german", "turkish", "italian"])
def test_polyglossia(language: str, route: str) -> None:
    whole(Case(before=f"\\usepackage{{polyglossia}}\\setmainlanguage{{{language}}}").source(route))


@every_route
def test_names_that_were_only_asked_for(route: str) -> None:
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
def test_characters_made_active(route: str) -> None:
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


@pytest.mark.parametrize("order", ["before", "after"])
def test_bidi(order: str) -> None:
    whole(Case(**{order: "\\usepackage{bidi}"}).source("xelatex"))


def test_bidi_right_to_left() -> None:
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
def test_cjk(name: str, order: str) -> None:
    route, loading, text = CJK[name]
    whole(Case(**{order: loading}, body=text).source(route))


def test_tikzexternalize_leaves_the_badge_alone() -> None:
    """REPORTS.md L6, L48: no picture is made of the badge, and its link stays."""
    case = Case(
        after="\\usepackage{tikz}\\usetikzlibrary{external}\\tikzexternalize",
        body="\\begin{tikzpicture}\\draw (0,0)--(1,1);\\end{tikzpicture}",
    )
    source = replace(case.source("pdflatex"), options=("-shell-escape",))
    with both(source) as (_, ours):
        assert len(ours.record_links()) == 1
    folder = build(source.with_pith()).folder
    assert sorted(path.name for path in folder.glob("main-figure*.pdf")) == ["main-figure0.pdf"]


def test_standalone_class() -> None:
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


def test_letter_and_minimal_classes() -> None:
    for name in ("letter", "minimal", "proc", "slides"):
        main = f"\\documentclass{{{name}}}\n%PITH%\n\\begin{{document}}\nText.\n\\end{{document}}\n"
        bare, ours_build = pair(Source(main))
        checks.settle(checks.compiled(bare, ours_build))


def test_standalone_figures_in_a_paper() -> None:
    case = Case(
        before="\\usepackage{standalone}",
        body="\\input{figure}",
        files={
            "figure.tex": "\\documentclass{standalone}\n\\begin{document}\nFigure.\n\\end{document}\n"
        },
    )
    whole(case.source("pdflatex"))


def test_subfiles() -> None:
    part = f"\\documentclass[main.tex]{{subfiles}}\n\\begin{{document}}\n{TITLE} part.\n\\end{{document}}\n"
    case = Case(before="\\usepackage{subfiles}", body="\\subfile{part}", files={"part.tex": part})
    whole(case.source("pdflatex"))


def test_includeonly() -> None:
    case = Case(
        after="\\includeonly{two}",
        body="\\include{one}\\include{two}",
        files={"one.tex": "One.\n", "two.tex": "Two.\n"},
    )
    whole(case.source("pdflatex"))


@every_route
def test_spaces_in_the_path(route: str) -> None:
    whole(replace(Case().source(route), folder="a folder/with spaces"))


@pytest.mark.parametrize("route", ["pdflatex", "xelatex", "lualatex"])
def test_output_directory(route: str) -> None:
    source = Case(files={"out/keep": ""}).source(route)
    whole(replace(source, options=("-output-directory=out",), jobname="out/main"))


def test_another_jobname() -> None:
    """C.4: Overleaf's job is called `output`; nothing may depend on the name."""
    whole(replace(Case().source("pdflatex"), options=("-jobname=output",), jobname="output"))


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


DRIVERLESS = ("latex", "dvilualatex")


@pytest.mark.parametrize("engine", DRIVERLESS)
def test_dvi_without_a_driver_is_no_error(engine: str) -> None:
    bare, ours = pair(Source(paper(), route="dvips", engine=engine, after=()))
    assert not any(bare.exit_codes)
    assert not any(ours.exit_codes)
    assert not ours.errors
    assert set(ours.warnings) <= set(bare.warnings)


def test_dvipdfmx_compiles() -> None:
    bare, ours = pair(Source(paper(), route="dvipdfmx"))
    checks.settle(checks.compiled(bare, ours))
    with Paper(ours.pdf) as sheet:
        assert VISIBLE in sheet.text(0)


@pytest.mark.parametrize("driver", ["\\documentclass[dvipdfmx]{article}"])
def test_dvipdfmx_by_global_option(driver: str) -> None:
    whole(Source(paper(class_line=driver), route="dvipdfmx"))


TAGGED = "\\DocumentMetadata{tagging=on,pdfstandard=ua-2,lang=en}"


@pytest.mark.parametrize("route", ["pdflatex", "lualatex"])
def test_tagged(route: str) -> None:
    """C.6: under tagging the link sits in a Link structure and nothing is complained of."""
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


def test_document_is_the_same_twice() -> None:
    """SOURCE_DATE_EPOCH holds: two builds of a paper have the same bytes."""
    source = Case().source("pdflatex").with_pith()
    first = build(source)
    second = build(replace(source, files={"unused.txt": "another folder"}))
    assert first.pdf.read_bytes() == second.pdf.read_bytes()


def test_document_case_is_what_it_says() -> None:
    """The harness itself: a paper without a badge is complained of, so the checks above can
    fail."""
    bare, _ = pair(Source(paper()))
    with Paper(bare.pdf) as sheet:
        complaints = checks.badge(Document("none", "", place="title"), sheet, sheet)
        assert complaints == ["0 links to the record instead of one"]
        assert checks.metadata(sheet, sheet)
        assert SNIPPET
