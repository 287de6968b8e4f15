"""The programs that turn a snippet in its place into HTML, for docs/embeds.md and its pictures."""

from __future__ import annotations

import subprocess

import pybadge
from tests.support.command import HANG
from tests.support.data import RECORD

__all__ = ["ENGINES", "WITH_FOLDER", "run"]

REPORT = pybadge.verify(pybadge.load(RECORD))


def run(arguments, text="", cwd=None):
    done = subprocess.run(
        arguments, input=text.encode(), capture_output=True, timeout=HANG, cwd=cwd, check=False
    )
    assert done.returncode == 0, done.stderr.decode() + done.stdout.decode()
    return done.stdout.decode()


def sphinx(text, folder, name="index.rst", config=""):
    from sphinx.application import Sphinx
    from sphinx.util.docutils import docutils_namespace, patch_docutils

    source = folder / "source"
    source.mkdir()
    (source / "conf.py").write_text(f"project = 'x'\nhtml_theme = 'basic'\n{config}\n")
    (source / name).write_text(text)
    for file, data in (
        ("badge.svg", pybadge.badge_svg(REPORT).encode()),
        ("badge-2x.png", pybadge.badge_png(REPORT)),
    ):
        (source / file).write_bytes(data)
    with patch_docutils(str(source)), docutils_namespace():
        Sphinx(
            source,
            source,
            folder / "out",
            folder / "trees",
            "html",
            status=None,
            warning=None,
            freshenv=True,
        ).build()
    import lxml.html

    page = lxml.html.parse(folder / "out/index.html").getroot()
    body = page.xpath("//div[@class='body']/section/*[not(self::h1)]")
    return "".join(lxml.html.tostring(one, encoding="unicode") for one in body).replace(
        "_images/", ""
    )


def docutils(text):
    from docutils.core import publish_parts

    return publish_parts(
        text, writer="html5", settings_overrides={"halt_level": 2, "embed_stylesheet": False}
    )["body"]


def bbcode(text):
    import bbcode as library

    parser = library.Parser(replace_links=False)
    parser.add_simple_formatter("img", '<img src="%(value)s" height="20">', replace_links=False)
    return parser.format(text)


def textile(text):
    import textile as library

    return library.textile(text)


def cmark(text):
    import cmarkgfm
    from cmarkgfm.cmark import Options

    return cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)


def hugo(text, folder):
    for name in ("content", "layouts/_default"):
        (folder / name).mkdir(parents=True)
    (folder / "config.toml").write_text('baseURL = "https://example.org/"\ntitle = "x"\n')
    (folder / "content/page.md").write_text(f"---\ntitle: x\n---\n\n{text}")
    for name in ("single", "list"):
        (folder / f"layouts/_default/{name}.html").write_text("<div>{{ .Content }}</div>")
    run(["hugo", "--quiet"], cwd=folder)
    return (folder / "public/page/index.html").read_text()


def kramdown(text):
    return run(
        [
            "ruby",
            "-rkramdown",
            "-e",
            "puts Kramdown::Document.new(STDIN.read.force_encoding('UTF-8')).to_html",
        ],
        text,
    )


def pandoc(format):
    return lambda text: run(["pandoc", "-f", format, "-t", "html"], text)


def citeproc(text, folder):
    (folder / "x.json").write_text(text)
    return run(
        ["pandoc", "--citeproc", "-t", "html"],
        "---\nbibliography: x.json\nnocite: '@*'\n---\n",
        folder,
    )


LINE = "A line of text with {} inside it.\n"

# format -> HTML, from the snippet in its place; those with a folder need files.
ENGINES = {
    "asciidoc": lambda text: run(["asciidoctor", "-e", "-o", "-", "-"], LINE.format(text.strip())),
    "bbcode": bbcode,
    "email": lambda text: text,
    "html": lambda text: LINE.format(text.strip()),
    "html-component": lambda text: text,
    "html-data-uri": lambda text: LINE.format(text.strip()),
    "html-inline": lambda text: LINE.format(text.strip()),
    "html-picture": lambda text: LINE.format(text.strip()),
    "jekyll": lambda text: kramdown(LINE.format(text.strip())),
    "markdown": lambda text: cmark(LINE.format(text.strip())),
    "markdown-dark": lambda text: cmark(LINE.format(text.strip())),
    "mediawiki": pandoc("mediawiki"),
    "org": lambda text: pandoc("org")(LINE.format(text.strip())),
    "org-link": lambda text: pandoc("org")(LINE.format(text.strip())),
    "quarto": lambda text: pandoc("markdown")(LINE.format(text.strip())),
    "rst": docutils,
    "rst-substitution": lambda text: docutils(
        text.replace("|pith-badge|\n", LINE.format("|pith-badge|"), 1)
    ),
    "textile": lambda text: textile(LINE.format(text.strip())),
}
WITH_FOLDER = {
    "csl-json": citeproc,
    "hugo": hugo,
    "myst": lambda text, folder: sphinx(
        f"# Title\n\n{text}", folder, "index.md", "extensions = ['myst_parser']"
    ),
    "rst-sphinx": lambda text, folder: sphinx(f"Title\n=====\n\n{text}", folder),
}
