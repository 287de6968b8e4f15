"""Sphinx builds with real projects: the snippets, and the directive."""

from __future__ import annotations

import io
import re

import pytest

import pybadge
from pybadge import snippet
from tests.support.data import RECORD_BYTES, SUFFIX
from tests.support.markup_engines import LINK, images

LABEL = 'pith | ] [ * _ ` < & " end'


def build(folder, builder, text, name="index.rst", config="", **files):
    """The output folder of a build that says nothing: any warning is an error."""
    from sphinx.application import Sphinx
    from sphinx.util.console import strip_colors
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    source, out = folder / "source", folder / f"out-{builder}"
    source.mkdir(exist_ok=True)
    (source / "conf.py").write_text(f"project = 'Test'\n{config}\n")
    (source / name).write_text(text)
    for file, data in files.items():
        (source / file.replace("__", ".").replace("_", "-")).write_bytes(data)
    warnings = io.StringIO()
    trees = folder / f"trees-{builder}"
    with patch_docutils(str(source)), docutils_namespace():
        app = Sphinx(
            source, source, out, trees, builder, status=None, warning=warnings, freshenv=True
        )
        app.build()
    assert strip_colors(warnings.getvalue()) == ""
    assert app.statuscode == 0
    return out


@pytest.fixture
def pictures(report):
    return {
        "badge__svg": pybadge.badge_svg(report).encode(),
        "badge_2x__png": pybadge.badge_png(report, scale=2),
    }


def expected(report, label=LABEL):
    from pybadge.embed import placement_of

    return placement_of(report, label=label).alt


def badges(page):
    return [found for found in images(page) if found[0] == LINK]


@pytest.mark.parametrize("format", ["rst", "rst-substitution", "rst-sphinx"])
def test_the_html_builder_shows_the_badge_with_its_text(report, tmp_path, pictures, format):
    text = f"Title\n=====\n\nBefore.\n{snippet(report, format=format, label=LABEL)}After.\n"
    out = build(tmp_path, "html", text, **pictures)
    assert badges((out / "index.html").read_text()) == [(LINK, expected(report))]
    assert (out / "_images/badge.svg").read_bytes() == pictures["badge__svg"]


def test_the_latex_builder_gets_the_png(report, tmp_path, pictures):
    text = f"Title\n=====\n\nBefore.\n{snippet(report, format='rst-sphinx', label=LABEL)}After.\n"
    out = build(tmp_path, "latex", text, **pictures)
    tex = (out / "test.tex").read_text()
    assert "{badge-2x}.png" in tex or "{{badge-2x}.png}" in tex
    assert f"\\sphinxhref{{{LINK}}}" in tex or f"\\href{{{LINK}}}" in tex
    assert (out / "badge-2x.png").read_bytes() == pictures["badge_2x__png"]
    assert not list(out.glob("*.svg"))


def test_the_plain_form_is_what_fails_in_a_pdf(report, tmp_path, pictures):
    """Under the LaTeX builder the plain form asks LaTeX for an SVG, which it can't read: what the
    reports are about."""
    out = build(tmp_path, "latex", f"Title\n=====\n\n{snippet(report, format='rst')}", **pictures)
    assert "{badge}.svg" in (out / "test.tex").read_text()


def test_myst_shows_the_badge_with_its_text(report, tmp_path, pictures):
    text = f"# Title\n\nBefore.\n\n{snippet(report, format='myst', label=LABEL)}\nAfter.\n"
    out = build(tmp_path, "html", text, "index.md", "extensions = ['myst_parser']", **pictures)
    assert badges((out / "index.html").read_text()) == [(LINK, expected(report))]


DIRECTIVE = "Title\n=====\n\nBefore.\n\n.. pith:: {number}\n{options}\nAfter.\n"
EXTENSION = "extensions = ['pybadge.embed.sphinx_directive']"


@pytest.fixture
def record():
    return RECORD_BYTES


def test_the_directive_shows_the_badge_in_html(tmp_path, record, report):
    text = DIRECTIVE.format(
        number=f"pith:2024:{SUFFIX}",
        options="   :record: r.json\n   :size: 24\n   :style: flat-square\n",
    )
    out = build(tmp_path, "html", text, config=EXTENSION, r__json=record)
    page = (out / "index.html").read_text()
    assert badges(page) == [(LINK, f"pith: pith:2024:{SUFFIX}, verified")]
    assert 'height="24"' in page
    assert "data:image/svg+xml," in page


def test_directive_finds_records_in_the_configured_folder(tmp_path, record):
    (tmp_path / "source/records").mkdir(parents=True)
    (tmp_path / f"source/records/{SUFFIX}.json").write_bytes(record)
    text = DIRECTIVE.format(number=SUFFIX.lower(), options="")
    out = build(tmp_path, "html", text, config=EXTENSION + "\npith_records = 'records'")
    assert badges((out / "index.html").read_text()) == [
        (LINK, f"pith: pith:2024:{SUFFIX}, verified")
    ]


def test_directive_without_a_record_says_not_checked(tmp_path, monkeypatch):
    def no_network(*_):
        raise AssertionError("a document build must not use the network")

    monkeypatch.setattr("socket.socket.connect", no_network)
    out = build(tmp_path, "html", DIRECTIVE.format(number=SUFFIX, options=""), config=EXTENSION)
    assert badges((out / "index.html").read_text()) == [(LINK, f"pith: pith:{SUFFIX}, not checked")]


def test_directive_tampered_record_is_drawn_invalid(tmp_path, record):
    text = DIRECTIVE.format(number=SUFFIX, options="   :record: r.json\n")
    out = build(
        tmp_path,
        "html",
        text,
        config=EXTENSION,
        r__json=record.replace(b"MegaScale", b"NanoScale"),
    )
    page = (out / "index.html").read_text()
    assert "invalid" in page
    assert "verified" not in page


def test_the_record_of_another_paper_is_an_error_and_not_drawn(tmp_path, record):
    text = DIRECTIVE.format(number=SUFFIX, options="   :record: r.json\n")
    other = record.replace(b'_sorted":["cs.DC"]', b'_sorted":["cs.DD"]', 1)
    with pytest.raises(AssertionError, match="another record was served: asked for"):
        build(tmp_path, "html", text, config=EXTENSION, r__json=other)
    page = (tmp_path / "out-html" / "index.html").read_text()
    assert "pith-badge" not in page


@pytest.mark.parametrize(
    ("builder", "file"),
    [("latex", "test.tex"), ("text", "index.txt"), ("man", "test.1"), ("texinfo", "test.texi")],
)
def test_the_directive_works_with_other_builders(tmp_path, record, builder, file):
    text = DIRECTIVE.format(number=SUFFIX, options="   :record: r.json\n")
    out = build(tmp_path, builder, text, config=EXTENSION, r__json=record)
    words = re.sub(r"\\-|\\|@:|\n", "", (out / file).read_text())
    assert SUFFIX in words
    assert words.count("verified") == 1
    assert "<img" not in words


@pytest.mark.parametrize(
    ("number", "options", "fault"),
    [
        ("XR2UHLWN", "", "short form"),
        ("XR2U0LWNHHFSD4ZJJXWRU6R6QP", "", "character 5"),
        (SUFFIX, "   :record: missing.json\n", "missing.json"),
        (SUFFIX, "   :style: baroque\n", "baroque"),
        (SUFFIX, "   :label: verified\n", "verified"),
    ],
)
def test_the_directive_says_what_is_wrong(tmp_path, number, options, fault):
    with pytest.raises(AssertionError, match=fault):
        build(tmp_path, "html", DIRECTIVE.format(number=number, options=options), config=EXTENSION)


def test_the_directive_works_in_plain_docutils(tmp_path, record):
    """Without Sphinx, at halt level warning."""
    from docutils.core import publish_string

    from pybadge.embed.sphinx_directive import register

    register()
    (tmp_path / "r.json").write_bytes(record)
    text = DIRECTIVE.format(number=SUFFIX, options="   :record: r.json\n")
    settings = {
        "halt_level": 2,
        "output_encoding": "unicode",
        "use_latex_citations": True,
        "legacy_column_widths": False,
    }
    for writer in ("html5", "latex"):
        page = publish_string(
            text, source_path=str(tmp_path / "x.rst"), writer=writer, settings_overrides=settings
        )
        assert page.count(f"pith:2024:{SUFFIX}, verified") >= 1
        assert LINK in page
