"""Every snippet that shows a badge, rendered by the real engine of its place: link and alternative
text survive."""

from __future__ import annotations

import io
import re

import pytest

from pybadge import snippet
from tests.support.markup_engines import LABELS, LINK, folded, images, labels_for, run

IMAGE = "https://example.org/p/badge.svg"
EXPECTED_LINKS = [LINK] * len(LABELS)


def document(report, format, separator="\n"):
    """One document with the snippet of every label."""
    return separator.join(
        snippet(report, format=format, image_url=IMAGE, label=label) for label in LABELS
    )


def check(report, markup, fold=False, link=LINK):
    expected = labels_for(report)
    found = images(markup)
    texts = [folded(text) if fold else text for _, text in found]
    assert texts == ([folded(text) for text in expected] if fold else expected)
    assert {target for target, _ in found} == {link}
    assert not re.search(r"<(script|b|em|strong|code|h\d|iframe)\b", markup)


@pytest.mark.parametrize(
    "format", ["html", "html-picture", "html-data-uri", "markdown-dark", "email"]
)
def test_html_shows_the_badge_with_its_text(report, format):
    check(report, document(report, format))


def test_inlined_html_shows_the_badge_with_its_text(report):
    import lxml.html

    tree = lxml.html.fromstring(f"<div>{document(report, 'html-inline')}</div>")
    drawings = list(tree.iter("svg"))
    assert [drawing.get("aria-label") for drawing in drawings] == labels_for(report)
    assert {drawing.getparent().get("href") for drawing in drawings} == {LINK}
    assert {drawing.getparent().get("target") for drawing in drawings} == {"_top"}
    assert not list(tree.iter("script"))


@pytest.mark.parametrize("format", ["html", "html-picture", "email", "markdown-dark"])
def test_nh3_lets_the_snippet_through(report, format):
    import nh3

    check(report, nh3.clean(document(report, format)))


@pytest.mark.parametrize("format", ["markdown", "markdown-dark", "html", "html-picture"])
def test_pypis_renderer_shows_the_badge_of_a_markdown_readme(report, format):
    """What PyPI does: GitHub's own cmark, then a strict sanitiser."""
    from readme_renderer.markdown import render

    check(report, render(document(report, format)))


@pytest.mark.parametrize("format", ["rst", "rst-substitution"])
def test_pypis_renderer_shows_the_badge_of_a_rst_readme(report, format):
    from readme_renderer.rst import render

    for label, expected in zip(LABELS, labels_for(report), strict=True):
        complaints = io.StringIO()
        text = snippet(report, format=format, image_url=IMAGE, label=label)
        rendered = render(text, stream=complaints)
        assert complaints.getvalue() == ""
        assert images(rendered) == [(LINK, expected)]


def test_cmark_gfm_with_all_of_githubs_extensions(report):
    import cmarkgfm

    check(report, cmarkgfm.github_flavored_markdown_to_html(document(report, "markdown")))


def test_a_snippet_stays_in_its_table_cell(report):
    """``|`` ends a cell unless it is escaped; GitHub's engine, markdown-it's port and
    Python-Markdown agree."""
    import cmarkgfm
    import markdown
    from markdown_it import MarkdownIt

    rows = "".join(
        f"| {line.strip()} | x |\n"
        for line in document(report, "markdown").splitlines()
        if line.strip()
    )
    table = f"| badge | y |\n|---|---|\n{rows}"
    check(report, cmarkgfm.github_flavored_markdown_to_html(table))
    check(report, MarkdownIt("gfm-like").render(table))
    check(report, markdown.markdown(table, extensions=["tables"]))


@pytest.mark.parametrize(
    "extensions",
    [[], ["extra", "smarty", "sane_lists", "toc", "admonition", "codehilite", "nl2br"]],
)
@pytest.mark.parametrize("format", ["markdown", "html"])
def test_python_markdown_shows_the_badge_with_its_text(report, format, extensions):
    import markdown

    check(report, markdown.markdown(document(report, format), extensions=extensions))


def test_markdown_it_with_typographer_shows_the_badge_with_its_text(report):
    from markdown_it import MarkdownIt

    engine = MarkdownIt("gfm-like", {"typographer": True}).enable(["replacements", "smartquotes"])
    check(report, engine.render(document(report, "markdown")))


KRAMDOWN = [
    "ruby",
    "-rkramdown",
    "-e",
    "puts Kramdown::Document.new(STDIN.read.force_encoding('UTF-8')).to_html",
]


def test_kramdown_shows_the_badge_with_its_text_and_size(report):
    """Jekyll's Markdown, with the size."""
    text = document(report, "jekyll")
    assert not re.search(r"\{[{%]", text)  # nothing that Liquid would take
    rendered = run(KRAMDOWN, text)
    check(report, rendered)
    assert rendered.count('height="20"') == len(LABELS)
    check(report, run(KRAMDOWN, document(report, "markdown")))


def test_pandoc_shows_the_badge_with_its_text_and_size_for_quarto(report):
    rendered = run(
        ["pandoc", "-f", "markdown+smart+emoji", "-t", "html"], document(report, "quarto")
    )
    check(report, rendered)
    assert rendered.count('height="20"') == len(LABELS)


def test_hugo_shows_the_badge_with_its_text(report, tmp_path):
    for folder in ("content", "layouts/_default"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "config.toml").write_text('baseURL = "https://example.org/"\ntitle = "x"\n')
    (tmp_path / "content/page.md").write_text(f"---\ntitle: x\n---\n\n{document(report, 'hugo')}")
    for name in ("single", "list"):
        (tmp_path / f"layouts/_default/{name}.html").write_text("<div>{{ .Content }}</div>")
    run(["hugo", "--quiet"], "", tmp_path)
    check(report, (tmp_path / "public/page/index.html").read_text(), fold=True)


@pytest.mark.parametrize("format", ["rst", "rst-substitution"])
def test_docutils_has_no_complaint_at_its_strictest(report, format):
    """Halt level warning, and a neighbour right before and after: nothing is glued together."""
    from docutils.core import publish_parts

    settings = {
        "halt_level": 2,
        "report_level": 1,
        "embed_stylesheet": False,
        "warning_stream": io.StringIO(),
    }
    for label, expected in zip(LABELS, labels_for(report), strict=True):
        text = f"Before.\n{snippet(report, format=format, image_url=IMAGE, label=label)}After."
        parts = publish_parts(text, writer="html5", settings_overrides=settings)
        assert settings["warning_stream"].getvalue() == ""
        assert images(parts["body"]) == [(LINK, expected)]
        assert "<p>Before.</p>" in parts["body"]
        assert "After.</p>" in parts["body"]


def test_asciidoctor_shows_the_badge_with_its_text(report):
    rendered = run(["asciidoctor", "-e", "-o", "-", "-"], document(report, "asciidoc", "\n\n"))
    check(report, rendered)


def test_asciidoctor_inside_a_line_and_a_table(report):
    rows = "".join(
        f"|before {line} after\n" for line in document(report, "asciidoc").splitlines() if line
    )
    check(report, run(["asciidoctor", "-e", "-o", "-", "-"], f"|===\n{rows}|===\n"))


def test_pandoc_reads_the_snippet_for_org(report):
    check(report, run(["pandoc", "-f", "org", "-t", "html"], document(report, "org", "\n\n")))


def test_pandoc_reads_the_link_for_org(report):
    rendered = run(["pandoc", "-f", "org", "-t", "html"], document(report, "org-link", "\n\n"))
    assert images(rendered) == [(LINK, "")] * len(LABELS)


def test_pandoc_reads_the_snippet_for_textile(report):
    check(
        report,
        run(["pandoc", "-f", "textile", "-t", "html"], document(report, "textile", "\n\n")),
        fold=True,
    )


def test_textile_shows_the_badge_with_its_text(report):
    import textile

    check(report, textile.textile(document(report, "textile", "\n\n")), fold=True)


def test_pandoc_reads_the_snippet_for_mediawiki(report):
    text = document(report, "mediawiki", "\n\n")
    # Pandoc knows neither link= nor alt=: the alternative text it shows is the caption, which
    # MediaWiki takes alike.
    check(report, run(["pandoc", "-f", "mediawiki", "-t", "html"], text), link="")
    assert text.count(f"|link={LINK}|") == len(LABELS)


def test_bbcode_shows_the_badge_with_its_text(report):
    import bbcode

    parser = bbcode.Parser(replace_links=False)
    parser.add_simple_formatter("img", '<img src="%(value)s">', replace_links=False)
    for label, expected in zip(LABELS, labels_for(report), strict=True):
        text = snippet(report, format="bbcode", image_url=IMAGE, label=label)
        import lxml.html

        tree = lxml.html.fromstring(f"<div>{parser.format(text)}</div>")
        picture, words = tree.iter("a")
        assert picture.get("href") == words.get("href") == LINK
        assert [image.get("src") for image in picture.iter("img")] == [
            "https://example.org/p/badge-2x.png"
        ]
        assert folded(words.text_content()) == folded(expected)
