"""Any text as the badge's words, in the engines themselves: what goes in as text comes out as that
text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybadge.embed import markup
from pybadge.embed.placement import placement_of
from pybadge.escape.lines import one_line
from tests.support.markup_engines import LINK, folded, images, run

# Mostly marks: it is combinations of them that break out.
MARKS = "|][*_`<&\"'\\(){}#+-!~^$@=:;%?/>,. \n"
WORDS = [
    "a", "Z", "9", "é", "数", "www.", "http://", "tel:9", "pith:",
    "https://a.b", "mailto:", "@a.b", ":a:", "(c)", "...", "--", "&amp;", "&#42;", "<b>",
    "</a>", "<!--", "-->", "]]>", "{{", "}}", "{%", "%}", "{:", "::", "``", "**", "__", "[^1]",
    "[[", "]]", "|a|", "javascript:",
    "![a](b)",
    "image::a[]", "link:a[b]", "<<a>>", "+++", "pass:[", "((", "'''", "==",
    "{{<", ">}}", "$$", "^^", "~~", "1.", "#", "a_", "a__", "\t",
]  # fmt: skip
LETTERS = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Cf", "Cn"))
PIECES = st.one_of(st.sampled_from(MARKS), st.sampled_from(WORDS), LETTERS)
TEXTS = st.lists(PIECES, min_size=1, max_size=10).map("".join)


def said(report, words):
    """A placement whose alternative text is any text: what a custom label would give, without the
    badge's own cleaning."""
    from dataclasses import replace

    place = placement_of(report, image_url="https://example.org/badge.svg")
    return replace(place, badge=replace(place.badge, title=words))


def python_markdown(text):
    import markdown

    return markdown.markdown(text, extensions=["extra", "smarty", "nl2br"])


def cmark(text):
    import cmarkgfm

    return cmarkgfm.github_flavored_markdown_to_html(text)


def pypi(text):
    from readme_renderer.markdown import render

    return render(text)


def markdown_it(text):
    from markdown_it import MarkdownIt

    return (
        MarkdownIt("gfm-like", {"typographer": True})
        .enable(["replacements", "smartquotes"])
        .render(text)
    )


def docutils(text):
    from docutils.core import publish_parts

    return publish_parts(
        text, writer="html5", settings_overrides={"halt_level": 2, "embed_stylesheet": False}
    )["body"]


def textile(text):
    import textile as library

    return library.textile(text)


def identity(text):
    return text


IN_PROCESS = {
    "markdown-python": (markup.markdown, python_markdown, 60),
    "markdown-cmark": (markup.markdown, cmark, 400),
    "markdown-pypi": (markup.markdown, pypi, 200),
    "markdown-it": (markup.markdown, markdown_it, 100),
    "html": (markup.html, identity, 200),
    "rst": (markup.rst, docutils, 60),
    "rst-substitution": (markup.rst_substitution, docutils, 60),
    "textile": (markup.textile, textile, 100),
}


@pytest.mark.parametrize("name", IN_PROCESS)
def test_any_text_comes_out_of_the_markup_as_it_went_in(report, name):
    write, engine, examples = IN_PROCESS[name]

    @settings(max_examples=examples, deadline=None)
    @given(TEXTS)
    def check(words):
        expected = one_line(words)
        if not expected:
            return
        found = images(engine(write(said(report, words))))
        assert [(link, folded(alt)) for link, alt in found] == [(LINK, folded(expected))]
        if name != "textile":
            assert found[0][1] == expected

    check()


def made_texts(count, seed=3):
    pick = random.Random(seed)
    pieces = [*MARKS, *WORDS]
    texts = ("".join(pick.choices(pieces, k=pick.randint(1, 10))) for _ in range(count))
    return [text for text in texts if one_line(text)]


KRAMDOWN = "puts Kramdown::Document.new(STDIN.read.force_encoding('UTF-8')).to_html"
PROGRAMS = {
    "asciidoc": (markup.asciidoc, ["asciidoctor", "-e", "-o", "-", "-"], LINK, False),
    "jekyll": (markup.jekyll, ["ruby", "-rkramdown", "-e", KRAMDOWN], LINK, False),
    "quarto": (markup.quarto, ["pandoc", "-f", "markdown+smart+emoji", "-t", "html"], LINK, False),
    "markdown-pandoc": (markup.markdown, ["pandoc", "-f", "gfm", "-t", "html"], LINK, False),
    "org": (markup.org, ["pandoc", "-f", "org", "-t", "html"], LINK, False),
    "textile-pandoc": (markup.textile, ["pandoc", "-f", "textile", "-t", "html"], LINK, True),
    "mediawiki": (markup.mediawiki, ["pandoc", "-f", "mediawiki", "-t", "html"], "", False),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_many_texts_in_one_document(report, name):
    write, command, link, fold = PROGRAMS[name]
    texts = made_texts(400)
    rendered = run(command, "\n\n".join(write(said(report, words)) for words in texts))
    found = images(rendered)
    expected = [one_line(words) for words in texts]
    got = [folded(alt) if fold else alt for _, alt in found]
    assert got == ([folded(words) for words in expected] if fold else expected)
    assert {target for target, _ in found} == {link}
