"""Papers with what else stands in people's preambles: a table for each kind of package."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from tests.support.latex.build import Source, release
from tests.support.latex.documents import TITLE
from tests.support.latex.papercase import ROUTES, paper, whole

__all__ = ["HYPERREF", "METADATA", "PACKAGES", "UNICODE", "Case", "check", "every_case"]

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
            before=self.before,
            after=self.after,
            body=self.body,
            front=self.front,
            class_line=self.class_line,
            first=self.first,
            amount=self.amount,
            title=self.title,
        )
        return Source(main, route=route, files=self.files)


_ABSTRACT = "\\maketitle\\begin{abstract}Quagga.\\end{abstract}"
_XMP_DATA = f"\\Title{{{TITLE}}}\n\\Author{{Ada Author}}\n\\Keywords{{test}}\n"
_XMP_INCLUDED = """<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:format>application/pdf</dc:format></rdf:Description>
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


def every_case(cases: dict[str, Case]) -> pytest.MarkDecorator:
    """Run a test with each case on each of its routes."""
    parameters = [
        pytest.param(case, route, id=f"{name}-{route}")
        for name, case in cases.items()
        for route in case.routes
    ]
    return pytest.mark.parametrize(("case", "route"), parameters)


def check(case: Case, route: str) -> None:
    """The paper is as it was without pith, but for the badge and the metadata."""
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} does not know this")
    whole(case.source(route), others=case.others, title=case.title)
