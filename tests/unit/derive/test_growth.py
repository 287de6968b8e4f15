"""Ten times the input, at most fifteen times the work: every reader of untrusted text in derive,
with the pieces that a reader is slow on if it looks at anything twice."""

from __future__ import annotations

import contextlib
import gc
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pybadge.derive.bulk.ranges import lines_in
from pybadge.derive.bulk.run import derive_lines
from pybadge.derive.compare import word_diff
from pybadge.derive.diagnosis import derive_expecting
from pybadge.derive.rules import utc_time
from pybadge.derive.sources.bulk_metadata import from_line
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.sources.oai import read_oai, read_oai_page
from pybadge.derive.sources.tex import read_tex
from pybadge.derive.typed import id_fault, typed_categories, typed_license, typed_time
from pybadge.errors import PybadgeError
from pybadge.number import parse_number
from tests.support.arxiv_papers import REAL, bulk_object
from tests.support.cost import grows_at_most

SMALL, LARGE = 30_000, 300_000
MOST = 15
NOBODYS = parse_number("A" * 26)

Text = Callable[[int], str]


def repeated(piece: str, before: str = "", after: str = "") -> Text:
    """A text of a size, mostly one piece again and again."""
    return lambda size: before + piece * (size // len(piece)) + after


def numbered(piece: str, before: str = "", after: str = "") -> Text:
    """The same with another character or number in each piece."""

    def text(size: int) -> str:
        count = size // len(piece.format(n=10_000, c="x"))
        return before + "".join(piece.format(n=n, c=chr(0x20000 + n)) for n in range(count)) + after

    return text


def check(read: Callable[[str], object], text: Text) -> None:
    def quietly(data: str) -> None:
        with contextlib.suppress(PybadgeError):
            read(data)

    small, large = text(SMALL), text(LARGE)
    quietly(small)  # so that nothing is done for the first time within the measurement
    gc.disable()  # its work grows faster than the number of objects, whoever makes them
    try:
        assert grows_at_most(quietly, small, large, MOST)
    finally:
        gc.enable()


# --- LaTeX

ABSTRACT = r"\begin{abstract}A\end{abstract}"
TITLE = r"\title{T}" + ABSTRACT

IN_THE_TITLE = [
    "\\\\[",
    "\\\\",
    "\\\\ ",
    "\\\\*",
    "{",
    "{}",
    "[",
    "\\emph ",
    "\\emph{",
    "\\thanks[",
    "\\thanks{",
    "\\title{",
    "\\title[",
    "\\bf ",
    "\\%",
    "~",
    "\\ ",
    " ",
    "\n",
]
AFTER_IT = [
    "\\verb|",
    "\\verb",
    "\\begin{comment}",
    "\\begin{verbatim}",
    "\\begin{lstlisting}\\end{verbatim}",
    "\\begin{abstract}",
    "\\begin ",
    "\\end ",
    "\\begin{abstract}[",
    "\\abstract{",
    "\\abstract[",
    "\\iffalse ",
    "\\input ",
    "\\input{a",
    "\\title{#}",
    "\\title[]{",
    "%",
    "\\",
    "%\n",
]


@pytest.mark.parametrize("piece", IN_THE_TITLE)
def test_a_tex_title_of_one_piece(piece: str, tmp_path: Path) -> None:
    check(reader_of_tex(tmp_path), repeated(piece, r"\title{x", "}" + ABSTRACT))


@pytest.mark.parametrize("piece", AFTER_IT)
def test_tex_of_one_piece_after_the_title(piece: str, tmp_path: Path) -> None:
    check(reader_of_tex(tmp_path), repeated(piece, TITLE))


@pytest.mark.parametrize(
    "piece", ["\\verb{c}q", "\\verb{c}q\n", "\\input{{{n}}}", "\\title{{{n}}}", "\\begin{{{n}}}"]
)
def test_tex_of_pieces_that_all_differ(piece: str, tmp_path: Path) -> None:
    check(reader_of_tex(tmp_path), numbered(piece, TITLE))


def test_tex_of_nested_braces(tmp_path: Path) -> None:
    check(
        reader_of_tex(tmp_path),
        lambda size: r"\title" + "{" * (size // 2) + "x" + "}" * (size // 2) + ABSTRACT,
    )


def reader_of_tex(folder: Path) -> Callable[[str], object]:
    path = folder / "paper.tex"

    def read(text: str) -> object:
        path.write_text(text, encoding="utf-8")
        return read_tex(str(path))

    return read


def test_what_is_input_is_bounded_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "paper.tex").write_text(
        TITLE + "".join(rf"\input{{part{n}}}" for n in range(40)), encoding="utf-8"
    )
    for n in range(40):
        (tmp_path / f"part{n}.tex").write_text("x" * 1_000_000, encoding="utf-8")
    (tmp_path / "one.tex").write_text(TITLE + "x" * 1_000_000, encoding="utf-8")
    assert grows_at_most(lambda name: read_tex(str(tmp_path / name)), "one.tex", "paper.tex", MOST)


# --- OAI-PMH

OAI = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" '
RAW = '<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>2402.15627</id>'
XML = {
    "an attribute without end": repeated("A", OAI + 'a="'),
    "a comment without end": repeated("A", OAI + "><!-- "),
    "an instruction without end": repeated("A", OAI + "><?a "),
    "a CDATA section without end": repeated("A", RAW + "<title><![CDATA["),
    "a name without end": repeated("a", OAI + "><"),
    "attributes": numbered('a{n}="" ', OAI, ">"),
    "namespaces": numbered('xmlns:a{n}="b" ', OAI, ">"),
    "versions": numbered('<version version="v{n}"/>', RAW),
    "versions alike": repeated('<version version="v1"/>', RAW),
    "records": repeated(RAW + "</arXivRaw>", OAI + ">", "</OAI-PMH>"),
    "errors": repeated('<error code="x">y</error>', OAI + ">", "</OAI-PMH>"),
    "headers": repeated("<header><identifier>x</identifier></header>", OAI + ">", "</OAI-PMH>"),
    "references": repeated("&#65;", RAW + "<title>"),
    "blanks": repeated(" ", RAW + "<title>"),
    "elements": repeated("<a/>", OAI + ">", "</OAI-PMH>"),
}


@pytest.mark.parametrize("name", XML)
def test_oai_pmh_from_a_file(name: str) -> None:
    check(lambda text: list(read_oai(io.BytesIO(text.encode()), "x")), XML[name])


@pytest.mark.parametrize("name", XML)
def test_oai_pmh_from_the_network(name: str) -> None:
    check(lambda text: read_oai_page(text.encode(), "x"), XML[name])


# --- bulk metadata

LINES = {
    "a title": repeated("a"),
    "blanks": repeated(" ", "a", "b"),
    "line ends": repeated("\n", "a", "b"),
    "marks": repeated("\u0301\u0327", "a"),
    "marks of compatible characters": repeated("\u0301\uff9e", "a"),
    "accents in TeX": repeated("\\'{e}"),
    "accents without letter": repeated("\\' "),
    "letters in TeX": repeated("{\\ss"),
    "references": repeated("&amp;"),
    "a reference without end": repeated("9", "&#"),
    "letters beyond ASCII": repeated("\u00e9"),
    "sigmas": repeated("\u03a3\u0301"),
    "backslashes": repeated("\\"),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_of_the_bulk_metadata(name: str) -> None:
    check(lambda text: derive_lines([(0, line(title=text, abstract=text))]), LINES[name])


def line(**changes: str) -> bytes:
    """A paper's line, with texts as they are: `bulk_line` would wrap them."""
    return json.dumps({**bulk_object(REAL), **changes}).encode()


@pytest.mark.parametrize("name", LINES)
def test_a_number_that_is_looked_for(name: str) -> None:
    check(lambda text: derive_expecting(from_line(line(title=text)), NOBODYS), LINES[name])


def many_versions(size: int) -> str:
    versions = [
        {"version": f"v{n}", "created": "Fri, 23 Feb 2024 22:10:59 GMT"}
        for n in range(1, size // 60)
    ]
    return json.dumps(bulk_object(REAL, versions=versions))


BULK_OBJECTS: dict[str, Text] = {
    "categories": lambda size: json.dumps(bulk_object(REAL, categories="cs.LG " * (size // 6))),
    "a licence": lambda size: json.dumps(bulk_object(REAL, license="a" * size)),
    "an id": lambda size: json.dumps(bulk_object(REAL, id="1" * size)),
    "versions": many_versions,
    "other fields": lambda size: json.dumps(
        bulk_object(REAL, **{f"field {n}": n for n in range(size // 16)})
    ),
}


@pytest.mark.parametrize("all_versions", [False, True])
@pytest.mark.parametrize("name", BULK_OBJECTS)
def test_a_field_of_the_bulk_metadata(name: str, all_versions: bool) -> None:
    check(
        lambda text: derive_lines([(0, text.encode())], all_versions=all_versions),
        BULK_OBJECTS[name],
    )


@pytest.mark.parametrize("piece", ["\n", "a", "{}\n", "\r", "\x00"])
def test_the_lines_of_a_range(piece: str) -> None:
    def read(text: str) -> Iterator[object]:
        stream = io.BytesIO(text.encode())
        return iter([list(lines_in(stream, start, start + 4096)) for start in (1, len(text) // 2)])

    check(read, repeated(piece))


# --- by hand

TOML = {
    "a dotted key": repeated("a.", "", "b=1"),
    "dotted keys": repeated("a.b.c=1\n"),
    "a dotted table": repeated("a.", "[", "b]"),
    "quoted parts of a key": repeated('"a".', "", "b=1"),
    "parts with blanks": repeated("a . ", "", "b=1"),
    "nested arrays": repeated("[", "a="),
    "nested tables": repeated("{a=", "a="),
    "an array": repeated("1,", "a=[", "]"),
    "tables": numbered("[a{n}]\n"),
    "papers": repeated("[[paper]]\n"),
    "digits": repeated("1", "version="),
    "digits with underscores": repeated("1_1", "version="),
    "hexadecimal digits": repeated("f", "version=0x"),
    "a text": repeated("a", 'title="', '"'),
    "escapes": repeated("\\n", 'title="', '"'),
    "a text without end": repeated("a", 'title="""'),
    "escapes without end": repeated("\\", 'title="""'),
    "quotation marks": repeated('"', "a="),
    "apostrophes": repeated("'", "a="),
    "comments": repeated("#\n"),
    "one comment": repeated("#"),
    "blanks": repeated(" "),
    "keys": numbered("a{n}=1\n"),
}
JSON = {
    "arrays": repeated("["),
    "objects": repeated('{"a":'),
    "digits": repeated("1", '{"version":', "}"),
    "a fraction": repeated("1", '{"version":1.', "}"),
    "an exponent": repeated("1", '{"version":1e', "}"),
    "escapes": repeated("\\n", '{"title":"', '"}'),
    "surrogates": repeated("\\ud83d\\ude00", '{"title":"', '"}'),
    "a text without end": repeated("a", '{"title":"'),
    "backslashes": repeated("\\", '{"title":"'),
    "keys": numbered('"a{n}":1,', "{", '"b":1}'),
    "papers": repeated("{},", "[", "{}]"),
    "categories": repeated('"cs.LG",', '{"id":"2402.15627","categories":[', '"cs.LG"]}'),
    "one text of categories": repeated("cs.LG,", '{"id":"2402.15627","categories":"', '"}'),
    "categories in brackets": repeated("(cs", '{"id":"2402.15627","categories":"', '"}'),
    "a licence": repeated("a", '{"id":"2402.15627","license":"', '"}'),
    "an address": repeated("/", '{"id":"2402.15627","license":"http://', '"}'),
    "a time": repeated("(", '{"id":"2402.15627","submitted_at":"', '"}'),
}


def reader_of(path: Path) -> Callable[[str], object]:
    def read(text: str) -> object:
        path.write_text(text, encoding="utf-8")
        return read_metadata_file(str(path))

    return read


@pytest.mark.parametrize("name", TOML)
def test_toml_by_hand(name: str, tmp_path: Path) -> None:
    check(reader_of(tmp_path / "paper.toml"), TOML[name])


@pytest.mark.parametrize("name", JSON)
def test_json_by_hand(name: str, tmp_path: Path) -> None:
    check(reader_of(tmp_path / "paper.json"), JSON[name])


# --- single texts


@pytest.mark.parametrize("piece", [" ", "(", "[", "cs.LG ", "/", "-", ",", "1", "v", "."])
@pytest.mark.parametrize("read", [typed_categories, typed_license, typed_time, id_fault, utc_time])
def test_what_is_typed(read: Callable[[str], object], piece: str) -> None:
    check(read, repeated(piece, "a"))


@pytest.mark.parametrize(
    "words", [("a b ", "a c "), ("a ", "a "), ("a ", "b "), ("a b c ", "c b ")]
)
def test_the_words_of_two_texts(words: tuple[str, str]) -> None:
    old, new = (word * 30_000 for word in words)

    def compare(size: int) -> None:
        word_diff(old[:size], new[:size])

    assert grows_at_most(compare, 6_000, 60_000, MOST)
