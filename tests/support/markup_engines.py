"""The real engines of the places that snippets go to: each turns a text into HTML."""

from __future__ import annotations

import html
import subprocess
import unicodedata
from pathlib import Path

import lxml.html

from pybadge.embed import placement_of
from tests.support.data import RECORD_URL as LINK

__all__ = ["LABELS", "LINK", "folded", "images", "labels_for", "run", "unescaped"]

# What each engine looks for: smart quotes and dashes, links, mails, emoji, templates, tags.
MARKS = """|][*_`<&"'\\(){}#+-!~^$@=:;%?/>,"""
LABELS = (
    'pith | ] [ * _ ` < & " \n end',
    *(f"a{mark}b" for mark in MARKS),
    *(f"{mark}a{mark}" for mark in MARKS),
    *(f"a {mark}{mark}b{mark}{mark} c" for mark in MARKS),
    *(f"{mark} a" for mark in MARKS),
    "]]|](javascript:alert(1))[[",
    '"><script>alert(1)</script>',
    "{{ 7 * 7 }} {% raw %} {{< x >}} <%= 1 %>",
    "http://example.org www.example.org a@example.org mailto:a@example.org",
    ":smile: (c) (TM) ... -- --- 1. a 'q' \"q\" &amp; &#60; &lt;b&gt;",
    "@@ @@html:<b>@@ [[File:x]] {{Template}} '''b''' ==x== <nowiki>",
    "[url=javascript:x]y[/url] [b]z[/b]",
    '!x! "t":http://example.org %{color:red}x% @c@ ??c?? -d- +i+ ^s^ ~s~',
    (
        "image::x[] link:x[y] <<x>> {asciidoctor-version} ifdef::x[] (((i))) [[a]] "
        "pass:[<b>] +++<b>+++"
    ),
    "|x| `x`_ x_ :role:`x` [1]_ ..",
    "1986. year",
    "Ünïcödé 数 ابج क्ष 🙂",
)


def labels_for(report: object) -> list[str]:
    """The labels with the alternative text that each must give."""
    return [placement_of(report, label=label).alt for label in LABELS]


def images(markup: str) -> list[tuple[str, str]]:
    """The linked images of some HTML: (where the link leads, the alternative text)."""
    tree = lxml.html.fromstring(f"<div>{markup}</div>")
    found = []
    for image in tree.iter("img"):
        link = next(image.iterancestors("a"), None)
        found.append(("" if link is None else link.get("href"), _words_of(image)))
    return found


def _words_of(image: lxml.html.HtmlElement) -> str:
    """What is said in the image's place. Pandoc 3 leaves the alternative text of a figure to its
    caption."""
    figure = next(image.iterancestors("figure"), None)
    if image.get("alt") is None and figure is not None:
        return str(figure.find("figcaption").text_content()).replace("\n", " ")
    return image.get("alt") or ""


def folded(text: str) -> str:
    """Full-width letters back to what they stand for."""
    return unicodedata.normalize("NFKC", text)


def run(arguments: list[str], text: str, cwd: Path | None = None) -> str:
    """A program's output; it must end well and say nothing on stderr."""
    done = subprocess.run(
        arguments, input=text.encode(), capture_output=True, timeout=120, cwd=cwd, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    assert done.stderr == b"", done.stderr.decode()
    return done.stdout.decode()


def unescaped(text: str) -> str:
    return html.unescape(text)
