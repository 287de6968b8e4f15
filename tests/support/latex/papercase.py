"""Small papers for tests of one feature: write the preamble, get the builds and the looked-at
PDF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from tests.support.latex import checks
from tests.support.latex.build import MARK, SNIPPET, Build, Source, build
from tests.support.latex.documents import BODY, TITLE, Document, paragraphs
from tests.support.latex.papers import Paper

ROUTES = ("pdflatex", "dvips", "xelatex", "lualatex")
every_route = pytest.mark.parametrize("route", ROUTES)


def paper(
    *,
    before: str = "",
    after: str = "",
    body: str = "",
    front: str = "\\maketitle",
    class_line: str = "\\documentclass{article}",
    first: str = "",
    amount: int = 4,
    title: str = TITLE,
    author: str = "Ada Author",
) -> str:
    """The source of an article with the snippet's mark between the preamble's parts `before` and
    `after`."""
    return "\n".join([
        first or "%", class_line, before, MARK, after,
        f"\\title{{{title}}}\\author{{{author}}}\\date{{May 2024}}", "\\begin{document}", front,
        f"{BODY.capitalize()}. {paragraphs(amount)}", body, "\\end{document}", "",
    ])  # fmt: skip


def pair(source: Source, snippet: str = SNIPPET) -> tuple[Build, Build]:
    """The document without and with pith."""
    return build(source.without_pith()), build(source.with_pith(snippet))


@contextmanager
def both(source: Source, snippet: str = SNIPPET) -> Iterator[tuple[Paper, Paper]]:
    """The PDFs without and with pith, after the check that both compile and nothing new is
    complained of."""
    bare, ours = pair(source, snippet)
    checks.settle(checks.compiled(bare, ours))
    with Paper(bare.pdf) as first, Paper(ours.pdf) as second:
        yield first, second


@contextmanager
def only(
    main: str,
    route: str = "pdflatex",
    files: Mapping[str, str | bytes] | None = None,
    **more: object,
) -> Iterator[Paper]:
    """The PDF of a source that has its snippet written out, after the check that it compiles
    without errors."""
    ours = build(Source(main, route=route, files=files or {}, **more))  # type: ignore[arg-type]  # the names are Source's own
    checks.settle(
        []
        if ours.ok and not ours.errors
        else [f"exit codes {ours.exit_codes}, errors {ours.errors[:3]}"]
    )
    with Paper(ours.pdf) as opened:
        yield opened


def whole(
    source: Source,
    snippet: str = SNIPPET,
    *,
    place: str = "title",
    title: str = TITLE,
    others: bool = False,
    year: str = "",
) -> None:
    """All checks of a paper whose badge belongs to the title."""
    document = Document("case", source.main, place=place, title=title)
    with both(source, snippet) as (bare, ours):
        complaints = checks.pages_unchanged(bare, ours) + checks.badge(document, bare, ours)
        if place != "none":
            complaints += checks.metadata(bare, ours, others=others, year=year)
        checks.settle(complaints)
