r"""Title and abstract of an unsubmitted paper."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from pybadge.derive import Metadata, derive
from pybadge.derive.sources.tex import read_tex
from pybadge.errors import MetadataError
from tests.support.arxiv_papers import REAL, REAL_NUMBER
from tests.support.cost import grows_at_most

TITLE = REAL["title"]
ABSTRACT = REAL["abstract"]

LAYOUTS = {
    "article": r"""\documentclass{article}
\title{%(title)s}\author{A}
\begin{document}\maketitle
\begin{abstract}
%(abstract)s
\end{abstract}
\end{document}""",
    "short form, comments, line breaks": r"""\documentclass{article}
%% \title{An old one}
\title[MegaScale]{%% a comment
  MegaScale: Scaling Large Language Model Training \\[2pt]
  to More Than~10,000 GPUs\thanks{Supported by \textbf{nobody} [sic].}}
\begin{document}
\begin{abstract} %(abstract)s %% and so on
\end{abstract}\end{document}""",
    "bold and braces": r"""\title{\bf \Large {%(title)s}}
\begin{abstract}\noindent %(abstract)s\footnote{No.}\end{abstract}""",
    "styled": r"""\title{\textbf{MegaScale}: \emph{Scaling \textit{Large} Language} Model Training
 to More Than 10,000 GPUs\label{t}}
\abstract{%(abstract)s}""",
    "hidden decoys": r"""\begin{comment}\title{Decoy}\begin{abstract}no\end{abstract}\end{comment}
\verb|\title{Decoy 3}| \newcommand{\mytitle}[1]{\title{#1}} \titlerunning{Decoy 4}
\title{%(title)s}
\iffalse \hspace{\fill} \title{Decoy 2} \fi
\begin{verbatim}\title{Decoy 5}\end{verbatim}
\begin{abstract}%(abstract)s\end{abstract}""",
    "windows line ends": "\\title{%(title)s}\r\n\\begin{abstract}\r\n%(abstract)s\r\n"
    "\\end{abstract}\r\n",
    "starred": r"""\title {%(title)s} \begin{abstract*}%(abstract)s\end{abstract*}""",
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_title_and_abstract_are_picked_out(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    text = LAYOUTS[layout] % {"title": TITLE, "abstract": ABSTRACT.replace("%", "\\%")}
    path.write_bytes(text.encode())
    title, abstract = read_tex(str(path))
    assert title == TITLE
    assert abstract == ABSTRACT


def test_the_real_paper_gives_the_number_it_would_have(tmp_path: Path) -> None:
    assert "%" in ABSTRACT
    path = tmp_path / "paper.tex"
    path.write_text(
        LAYOUTS["article"] % {"title": TITLE, "abstract": ABSTRACT.replace("%", "\\%")},
        encoding="utf-8",
    )
    title, abstract = read_tex(str(path))
    paper = Metadata(
        "2402.15627",
        title,
        abstract,
        ("cs.LG", "cs.DC"),
        "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
        ((1, "2024-02-23T22:10:59Z"),),
        1,
        None,
        "tex",
        str(path),
    )
    derivation = derive(paper)
    assert derivation.number.text == REAL_NUMBER
    assert "submission form decides" in derivation.notes[0][1]


def test_mathematics_and_accents_stay_tex(tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(
        r"\title{Poincar\'e and $\tau$~leptons: {\'E}cole \~n}"
        r"\begin{abstract}We show $a \le b$, 50\% of it.\end{abstract}",
        encoding="utf-8",
    )
    assert read_tex(str(path)) == (
        r"Poincar\'e and $\tau$ leptons: {\'E}cole \~n",
        r"We show $a \le b$, 50% of it.",
    )


def test_inputs_are_followed_within_the_folder_only(tmp_path: Path) -> None:
    folder = tmp_path / "paper"
    (folder / "parts").mkdir(parents=True)
    (tmp_path / "outside.tex").write_text(r"\title{Outside}", encoding="utf-8")
    (folder / "parts" / "abstract.tex").write_text(
        r"\begin{abstract}Inside.\end{abstract}\input{main}", encoding="utf-8"
    )
    (folder / "link.tex").symlink_to(tmp_path / "outside.tex")
    main = folder / "main.tex"
    main.write_text(
        r"\title{Mine}\input{../outside}\input{/etc/passwd}\input{link}\include{parts/abstract}",
        encoding="utf-8",
    )
    assert read_tex(str(main)) == ("Mine", "Inside.")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "tex.no_title"),
        (r"\title{T}", "tex.no_abstract"),
        (r"\title{T", "tex.no_title"),
        (r"\title{}\begin{abstract}A\end{abstract}", "tex.no_title"),
        (r"\title{T}\begin{abstract}A", "tex.no_abstract"),
        (r"\title{T}\begin{abstract}%A" + "\n" + r"\end{abstract}", "tex.no_abstract"),
    ],
)
def test_what_is_missing_is_named(text: str, code: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(MetadataError) as caught:
        read_tex(str(path))
    assert caught.value.code == code


@pytest.mark.parametrize(
    "piece",
    [
        "\\title{",
        "\\iffalse ",
        "\\title[",
        "{",
        "\\verb|",
        "\\begin{abstract}",
        "%",
        "\\\\",
        "\\thanks[",
    ],
)
def test_the_time_grows_with_the_file_and_no_faster(piece: str, tmp_path: Path) -> None:
    def read(size: int) -> None:
        path = tmp_path / f"{size}.tex"
        if not path.exists():
            text = r"\title{T}\begin{abstract}A\end{abstract}" + piece * (size // len(piece))
            path.write_text(text, encoding="utf-8")
        with contextlib.suppress(MetadataError):
            read_tex(str(path))

    # Eight times the size: some 8 times the time, where a quadratic reader takes 64.
    assert grows_at_most(read, 50_000, 400_000, 32)
