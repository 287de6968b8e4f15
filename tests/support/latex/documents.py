"""The papers that the tests build: a class or style each, with the routes it supports and where its
badge belongs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.support.latex.build import MARK, Source

ALL = ("pdflatex", "dvips", "xelatex", "lualatex")
PDFTEX = ("pdflatex", "dvips")

TITLE = "Pith Test Title"
# The two words that every body begins with; nothing of a title block holds them.
BODY = "zebra body"
_SENTENCE = (
    "Lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor "
    "incididunt ut labore et dolore. "
)


def paragraphs(count: int) -> str:
    """So much text, each paragraph about eighty words."""
    return "\n\n".join(_SENTENCE * 5 for _ in range(count))


@dataclass(frozen=True)
class Document:
    """A paper to build.

    `place` says what holds for the badge: "title" is below the title and above the body, "page"
    anywhere on the title's page (a title page has no body), "foot" at the bottom of it, "none" not
    there at all. `spans` is true where no column of the body may begin above the badge.
    """

    name: str
    main: str
    routes: tuple[str, ...] = ALL
    place: str = "title"
    spans: bool = True
    title: str = TITLE
    body: str = BODY
    styles: tuple[str, ...] = ()
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    since: int = 2020  # the first TeX Live that has the class

    def source(self, route: str) -> Source:
        return Source(self.main, route=route, files=self.files, styles=self.styles)


def article_like(
    name: str,
    class_line: str,
    *,
    preamble: str = "",
    front: str = (
        "\\maketitle\n\\begin{abstract}Quagga abstract in a few words of its own.\\end{abstract}"
    ),
    titling: str = f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n\\date{{1 May 2024}}",
    amount: int = 16,
    section: str = "\\section{Introduction}",
    routes: tuple[str, ...] = ALL,
    place: str = "title",
    spans: bool = True,
    styles: tuple[str, ...] = (),
    since: int = 2020,
) -> Document:
    """A document on the pattern of `article`: title data in the preamble, `front`, then the
    body."""
    main = "\n".join([
        class_line, preamble, MARK, titling, "\\begin{document}", front, section,
        f"{BODY.capitalize()}. {paragraphs(amount)}",
        "\\end{document}", "",
    ])  # fmt: skip
    return Document(name, main, routes=routes, place=place, spans=spans, styles=styles, since=since)


def _cls(options: str, name: str) -> str:
    return f"\\documentclass[{options}]{{{name}}}" if options else f"\\documentclass{{{name}}}"


_ACM = (
    f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n"
    "\\affiliation{\\institution{University}\\city{Town}\\country{Land}}"
    "\n\\email{ada@example.org}"
)
_ACM_FRONT = "\\begin{abstract}Quagga abstract.\\end{abstract}\n\\keywords{testing}\n\\maketitle"
_ACM_PREAMBLE = "\\acmConference[T '24]{Testing}{May 2024}{Town}\\settopmatter{printacmref=false}"
_REVTEX = (
    f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n\\affiliation{{University}}\n\\date{{1 May 2024}}"
)
_REVTEX_FRONT = (
    "\\begin{abstract}Quagga abstract in a few words of its own.\\end{abstract}\n\\maketitle"
)
_ABSTRACT = "\\begin{abstract}Quagga abstract in a few words of its own.\\end{abstract}"


def _revtex(name: str, class_line: str) -> Document:
    return Document(
        name,
        "\n".join([class_line, MARK, "\\begin{document}", _REVTEX, _REVTEX_FRONT,
                   "\\section{Introduction}", f"{BODY.capitalize()}. {paragraphs(16)}",
                   "\\end{document}", ""]),
    )  # fmt: skip


def _frontmatter(
    name: str, class_line: str, *, maketitle: str = "", routes: tuple[str, ...] = ALL
) -> Document:
    front = "\n".join([
        "\\begin{document}", "\\begin{frontmatter}", f"\\title{{{TITLE}}}", "\\author{Ada Author}",
        "\\affiliation{organization={University},city={Town}}", _ABSTRACT,
        "\\begin{keyword}testing\\end{keyword}",
        "\\maketitle" if maketitle == "inside" else "%", "\\end{frontmatter}",
        "\\maketitle" if maketitle == "after" else "%",
    ])  # fmt: skip
    body = f"\\section{{Introduction}}\n{BODY.capitalize()}. {paragraphs(16)}\n\\end{{document}}\n"
    return Document(name, "\n".join([class_line, MARK, front, body]), routes=routes)


def _cas(name: str) -> Document:
    front = "\n".join([
        "\\begin{document}", "\\shorttitle{Short}", "\\shortauthors{Author}",
        f"\\title[mode=title]{{{TITLE}}}", "\\author[1]{Ada Author}",
        "\\affiliation[1]{organization={University},city={Town},country={Land}}",
        _ABSTRACT, "\\begin{keywords}testing\\end{keywords}", "\\maketitle",
    ])  # fmt: skip
    body = f"\\section{{Introduction}}\n{BODY.capitalize()}. {paragraphs(16)}\n\\end{{document}}\n"
    return Document(
        name, "\n".join([_cls("", name), "\\usepackage[numbers]{natbib}", MARK, front, body])
    )


def _beamer(name: str, titleframe: str, theme: str = "default") -> Document:
    main = "\n".join([
        _cls("", "beamer") + f"\\usetheme{{{theme}}}", MARK,
        f"\\title{{{TITLE}}}", "\\author{Ada Author}", "\\institute{University}",
        "\\date{1 May 2024}", "\\begin{document}", titleframe,
        f"\\begin{{frame}}{{First}}{BODY.capitalize()}. Text.\\end{{frame}}",
        "\\end{document}", "",
    ])  # fmt: skip
    return Document(name, main, place="page")


_TITLE_ONLY = "\\maketitle"

DOCUMENTS: tuple[Document, ...] = (
    article_like("article", _cls("", "article")),
    article_like("article-twocolumn", _cls("twocolumn", "article")),
    article_like("article-titlepage", _cls("titlepage", "article"), place="page"),
    article_like("article-twoside", _cls("twoside,a4paper,12pt", "article")),
    article_like("article-noabstract", _cls("11pt", "article"), front=_TITLE_ONLY),
    article_like(
        "article-notitle", _cls("", "article"), front=f"\\section*{{{TITLE}}}", place="foot"
    ),
    article_like("article-mag", "\\mag=1440" + _cls("", "article")),
    article_like("article-legno-draft", _cls("draft", "article")),
    article_like("report", _cls("", "report"), section="\\chapter{One}", place="page"),
    article_like("report-notitlepage", _cls("notitlepage", "report"), section="\\chapter{One}"),
    article_like(
        "book", _cls("", "book"), front=_TITLE_ONLY, section="\\chapter{One}", place="page"
    ),
    article_like("amsart", _cls("", "amsart"), front=_ABSTRACT + "\n\\maketitle"),
    article_like("amsproc", _cls("", "amsproc"), front=_ABSTRACT + "\n\\maketitle"),
    article_like(
        "amsbook", _cls("", "amsbook"), front=_TITLE_ONLY, section="\\chapter{One}", place="page"
    ),
    article_like("scrartcl", _cls("", "scrartcl")),
    article_like("scrartcl-twocolumn", _cls("twocolumn", "scrartcl")),
    article_like(
        "scrreprt", _cls("", "scrreprt"), front=_TITLE_ONLY, section="\\chapter{One}", place="page"
    ),
    article_like("memoir", _cls("", "memoir"), front=_TITLE_ONLY, section="\\chapter{One}"),
    article_like("memoir-article", _cls("article", "memoir")),
    article_like(
        "memoir-titlingpage",
        _cls("", "memoir"),
        front="\\begin{titlingpage}\\maketitle\\end{titlingpage}",
        section="\\chapter{One}",
        place="page",
    ),
    article_like("extarticle", _cls("9pt", "extarticle")),
    article_like("IEEEtran-conference", _cls("conference", "IEEEtran")),
    article_like("IEEEtran-journal", _cls("journal", "IEEEtran")),
    article_like(
        "IEEEtran-titleabstractindextext",
        _cls("10pt,journal,compsoc", "IEEEtran"),
        front=f"\\IEEEtitleabstractindextext{{{_ABSTRACT}"
        "\\begin{IEEEkeywords}testing\\end{IEEEkeywords}}\n"
        "\\maketitle\n\\IEEEdisplaynontitleabstractindextext\n\\IEEEpeerreviewmaketitle",
    ),
    article_like(
        "acmart-sigconf",
        _cls("sigconf", "acmart"),
        preamble=_ACM_PREAMBLE,
        titling="%",
        front=_ACM + "\n" + _ACM_FRONT,
    ),
    article_like(
        "acmart-acmsmall", _cls("acmsmall", "acmart"), titling="%", front=_ACM + "\n" + _ACM_FRONT
    ),
    article_like(
        "acmart-manuscript",
        _cls("manuscript,review", "acmart"),
        titling="%",
        front=_ACM + "\n" + _ACM_FRONT,
    ),
    article_like(
        "acmart-anonymous",
        _cls("sigconf,anonymous,review", "acmart"),
        preamble=_ACM_PREAMBLE,
        titling="%",
        front=_ACM + "\n" + _ACM_FRONT,
        place="none",
    ),
    _revtex("revtex4-1-prl", _cls("aps,prl,reprint", "revtex4-1")),
    _revtex("revtex4-2-prl", _cls("aps,prl,reprint", "revtex4-2")),
    _revtex("revtex4-2-prx", _cls("aps,prx,reprint,superscriptaddress", "revtex4-2")),
    _revtex("revtex4-2-preprint", _cls("aps,prd,preprint", "revtex4-2")),
    _revtex("revtex4-2-twocolumn", _cls("aps,prb,twocolumn", "revtex4-2")),
    article_like(
        "llncs",
        _cls("", "llncs"),
        titling=f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n\\institute{{University}}",
    ),
    _frontmatter("elsarticle-preprint", _cls("preprint,12pt", "elsarticle")),
    _frontmatter("elsarticle-5p", _cls("final,5p,times,twocolumn", "elsarticle")),
    _frontmatter(
        "elsarticle-3p-maketitle", _cls("final,3p,times", "elsarticle"), maketitle="inside"
    ),
    _frontmatter("elsarticle-maketitle-after", _cls("review", "elsarticle"), maketitle="after"),
    _cas("cas-sc"),
    _cas("cas-dc"),
    article_like(
        "aastex631",
        _cls("twocolumn", "aastex631"),
        titling="%",
        front=(
            f"\\title{{{TITLE}}}\n\\author{{Ada "
            f"Author}}\n\\affiliation{{University}}\n{_ABSTRACT}\n"
            "\\keywords{testing}"
        ),
        since=2022,
    ),
    article_like(
        "aastex631-onecolumn",
        _cls("", "aastex631"),
        titling="%",
        front=(
            f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n\\affiliation{{University}}\n{_ABSTRACT}"
        ),
        since=2022,
    ),
    article_like("tufte-handout", _cls("nols", "tufte-handout"), routes=(*PDFTEX, "xelatex")),
    article_like(
        "mnras",
        _cls("", "mnras"),
        titling=f"\\title[Short]{{{TITLE}}}\n\\author[A. Author]{{Ada Author}}\n\\date{{May 2024}}",
    ),
    article_like(
        "quantumarticle",
        _cls("a4paper,twocolumn", "quantumarticle") + "\n\\pdfoutput=1",
        preamble="\\usepackage{hyperref}",
        routes=("pdflatex",),
        titling=f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n\\affiliation{{University}}",
    ),
    article_like(
        "jmlr",
        _cls("", "jmlr"),
        titling=(
            f"\\title[Short]{{{TITLE}}}\n\\author{{\\Name{{Ada Author}} "
            f"\\Email{{a@b.org}}\\\\ \\addr Town}}"
        ),
    ),
    _beamer("beamer-maketitle", "\\maketitle"),
    _beamer("beamer-titlepage", "\\begin{frame}\\titlepage\\end{frame}"),
    _beamer("beamer-frame-titlepage", "\\frame{\\titlepage}"),
    # A theme whose title page is a box as tall as the sheet, and one that shrinks the text area
    # from three sides.
    _beamer("beamer-metropolis", "\\maketitle", "metropolis"),
    _beamer("beamer-metropolis-frame", "\\begin{frame}\\titlepage\\end{frame}", "metropolis"),
    _beamer("beamer-Berkeley", "\\begin{frame}\\titlepage\\end{frame}", "Berkeley"),
    # The ways in which venues' styles make titles, by test styles of the project's own.
    article_like(
        "neurips-like",
        _cls("", "article"),
        preamble="\\usepackage{neuripslike}",
        styles=("neuripslike.sty",),
    ),
    article_like(
        "iclr-like",
        _cls("", "article"),
        preamble="\\usepackage{iclrlike}",
        styles=("iclrlike.sty",),
    ),
    article_like(
        "icml-like",
        _cls("", "article"),
        preamble="\\usepackage{icmllike}",
        titling="\\icmltitlerunning{Short}",
        front=f"\\twocolumn[\\icmltitle{{{TITLE}}}\\begin{{icmlauthorlist}}"
        "\\icmlauthor{Ada Author}\\end{icmlauthorlist}\\vskip 0.3in]\n" + _ABSTRACT,
        styles=("icmllike.sty",),
        place="title",
    ),
    article_like(
        "arxiv-like",
        _cls("", "article"),
        preamble="\\usepackage{arxivlike}",
        styles=("arxivlike.sty",),
    ),
    article_like(
        "jheppub-like",
        _cls("a4paper,11pt", "article"),
        preamble="\\usepackage{jheppublike}",
        titling=(
            f"\\title{{{TITLE}}}\n\\author{{Ada "
            f"Author}}\n\\affiliation{{University}}\n\\abstract{{Quagga abstract.}}"
        ),
        front="\\maketitle\n\\flushbottom",
        styles=("jheppublike.sty",),
        place="page",
    ),
    article_like(
        "iopart-like",
        _cls("", "iopartlike"),
        titling="%",
        front=(
            f"\\title{{{TITLE}}}\n\\author{{Ada "
            f"Author}}\n\\address{{University}}\n{_ABSTRACT}\n\\maketitle"
        ),
        styles=("iopartlike.cls",),
        place="page",
    ),
    Document(
        "imsart-like",
        f"{_cls('', 'imsartlike')}\n{MARK}\n\\begin{{document}}\n\\begin{{frontmatter}}\n"
        f"\\title{{{TITLE}}}\n"
        f"\\author{{Ada Author}}\n{_ABSTRACT}\n\\end{{frontmatter}}\n\\section{{Introduction}}\n"
        f"{BODY.capitalize()}. {paragraphs(16)}\n\\end{{document}}\n",
        styles=("imsartlike.cls",),
    ),
    article_like(
        "jss-like",
        _cls("", "jsslike"),
        titling=f"\\title{{{TITLE}}}\n\\author{{Ada Author}}\n\\Abstract{{Quagga abstract.}}",
        front="%",
        styles=("jsslike.cls",),
    ),
    article_like(
        "statsoc-like",
        _cls("", "statsoclike"),
        titling=f"\\title{{{TITLE}}}\n\\author{{Ada Author}}",
        front="%",
        styles=("statsoclike.cls",),
    ),
    article_like(
        "acl-like",
        _cls("11pt", "article"),
        preamble="\\usepackage{acllike}",
        styles=("acllike.sty",),
    ),
    # Titles within \twocolumn[...], as authors write them for a teaser or for an abstract across
    # both columns.
    article_like(
        "teaser",
        _cls("twocolumn", "article"),
        front=(
            "\\twocolumn[{\\renewcommand\\twocolumn[1][]{#1}\\maketitle\\begin{center}A "
            "teaser\\end{center}}]\n"
        )
        + _ABSTRACT,
    ),
    article_like(
        "abstract-across",
        _cls("twocolumn", "article"),
        front="\\twocolumn[\\begin{@twocolumnfalse}\\maketitle\n"
        f"{_ABSTRACT}\\end{{@twocolumnfalse}}]",
    ),
    # Pages with no room at the foot.
    article_like(
        "narrow-margins",
        _cls("", "article"),
        preamble="\\usepackage[margin=0.2in,nofoot,nohead]{geometry}",
        front=f"\\section*{{{TITLE}}}",
        place="foot",
    ),
    article_like(
        "tikzposter",
        _cls("", "tikzposter"),
        front="\\maketitle",
        section="",
        amount=0,
        place="page",
    ),
)

BY_NAME = {document.name: document for document in DOCUMENTS}
