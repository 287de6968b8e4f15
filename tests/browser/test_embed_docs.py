"""docs/embeds.md and its pictures: made here, by the engine of each place, and checked to be what
it makes today.

``make pictures`` writes them anew.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pybadge
from pybadge.embed import FORMATS, WHERE, snippet
from tests.support.browsing import COMPONENT, difference
from tests.support.data import RECORD, RECORD_BYTES, ROOT, SUFFIX
from tests.support.page_engines import ENGINES, WITH_FOLDER, run

WRITE = os.environ.get("PITH_WRITE_PICTURES") == "1"
DOCS = ROOT / "docs"
PICTURES = DOCS / "embeds"
REPORT = pybadge.verify(pybadge.load(RECORD))
IMAGE = "https://example.org/badge.svg"
# Nothing to see in them: programs read them.
UNSEEN = ("citation-cff", "codemeta", "json-ld", "signposting", "shields", "shields-static")


PAPERS = ("bibtex", "latex")
DARK = ("html-picture", "markdown-dark")

CSS = """
body { margin: 12px; font: 14px/1.5 "DejaVu Sans", sans-serif }
body { background: #fff; color: #1f2328; width: 476px }
p, figure { margin: 0 } p + p { margin-top: 6px } a { color: #0a58ca }
img { vertical-align: middle } figcaption { display: none }
@media (prefers-color-scheme: dark) { body { background: #0d1117; color: #f0f3f6 } }
"""


def page_picture(server, browse, body, *, scheme="light", ready=None, click=None):
    """A page as a picture, two pixels per unit, cut at the end of what is on it."""
    server.put("/badge.svg", pybadge.badge_svg(REPORT), "image/svg+xml")
    server.put("/badge-dark.svg", pybadge.badge_svg(REPORT, theme="dark"), "image/svg+xml")
    server.put("/badge-2x.png", pybadge.badge_png(REPORT), "image/png")
    server.put("/pith-badge.js", (COMPONENT / "pith-badge.min.js").read_bytes(), "text/javascript")
    server.put(f"/{SUFFIX}.json", RECORD_BYTES)
    server.put("/page.css", CSS, "text/css")
    sources = "img-src 'self' data:; style-src 'self' 'unsafe-inline'"
    policy = {"Content-Security-Policy": f"default-src 'self'; {sources}"}
    url = server.html("/", body, '<link rel="stylesheet" href="/page.css">', headers=policy)
    page = browse(
        url, color_scheme=scheme, device_scale_factor=2, viewport={"width": 500, "height": 400}
    ).page
    if ready:
        page.wait_for_selector(ready)
    if click:
        page.click(click)
    page.evaluate("document.fonts.ready.then(() => true)")
    ends = """Math.max(
        ...[...document.querySelectorAll('body *')].map(one => one.getBoundingClientRect().bottom),
        ...[...document.querySelectorAll('pith-badge')].map(one => one.shadowRoot.lastChild)
            .map(panel => panel.getBoundingClientRect().bottom))"""
    height = page.evaluate(f"Math.ceil({ends}) + 12")
    return page.screenshot(clip={"x": 0, "y": 0, "width": 500, "height": height})


def paper_picture(folder, format):
    """The top of a paper with the snippet in its place, at two pixels per CSS pixel."""
    from PIL import Image, ImageChops

    (folder / "pith.sty").write_bytes((ROOT / "pith.sty").read_bytes())
    text = snippet(REPORT, format=format)
    head = (
        "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\\pagestyle{empty}\n"
        "\\usepackage[paperwidth=375pt,paperheight=300pt,margin=9pt]{geometry}\n"
    )
    if format == "latex":
        title = "\\title{A paper}\\author{An Author}\\date{}"
        body = (
            f"{text}{title}\\begin{{document}}\\maketitle The text of the paper.\\end{{document}}"
        )
    else:
        (folder / "x.bib").write_text(text)
        body = (
            "\\begin{document}\\nocite{*}\\sloppy"
            "\\bibliographystyle{plain}\\bibliography{x}\\end{document}"
        )
    (folder / "x.tex").write_text(head + body)
    for command in (["pdflatex"], ["bibtex"] if format == "bibtex" else None, ["pdflatex"]):
        if command:
            run(
                [*command, *(["-interaction=batchmode"] if command[0] == "pdflatex" else []), "x"],
                cwd=folder,
            )
    run(
        ["pdftoppm", "-r", "192", "-f", "1", "-l", "1", "-singlefile", "-png", "x.pdf", "x"],
        cwd=folder,
    )
    with Image.open(folder / "x.png") as image:
        image = image.convert("RGB")
        box = ImageChops.difference(image, Image.new("RGB", image.size, "#fff")).getbbox()
        # A paper's picture keeps its height where the badge's moves a little.
        image = image.crop(
            (0, max(0, box[1] - 24), image.width, 440 if format == "latex" else box[3] + 24)
        )
        out = io.BytesIO()
        image.save(out, "PNG", optimize=True)
    return out.getvalue()


def keep(name, picture):
    """Write a picture, or compare it with the committed one."""
    from PIL import Image

    path = PICTURES / f"{name}.png"
    if WRITE:
        PICTURES.mkdir(exist_ok=True)
        with Image.open(io.BytesIO(picture)) as image:
            image.convert("RGB").quantize(64).save(path, optimize=True)
        return
    assert path.exists(), "run make pictures"
    committed = path.read_bytes()
    assert difference(committed, picture) < 4, (
        f"{path} is not what the embed looks like today: run make pictures and look"
    )


@pytest.mark.parametrize("format", [name for name in FORMATS if name not in UNSEEN])
def test_the_picture_of_a_format_is_what_it_looks_like_today(server, browse, tmp_path, format):
    if format in PAPERS:
        keep(format, paper_picture(tmp_path, format))
        return
    text = snippet(REPORT, format=format)
    body = WITH_FOLDER[format](text, tmp_path) if format in WITH_FOLDER else ENGINES[format](text)
    if format == "html-component":
        opened = {"ready": "pith-badge[state=verified]", "click": "pith-badge button"}
        keep(format, page_picture(server, browse, body, **opened))
        keep(f"{format}-dark", page_picture(server, browse, body, scheme="dark", **opened))
        return
    if format == "mediawiki":
        # The wiki would have the file under its own address.
        body = f'<a href="#">{body}</a>'
    keep(format, page_picture(server, browse, body))
    if format in DARK:
        keep(f"{format}-dark", page_picture(server, browse, body, scheme="dark"))


def test_the_picture_of_every_state_of_the_component_is_what_it_looks_like_today(server, browse):
    """The six states in one picture, from six records and one browser without Ed25519."""
    record = RECORD_BYTES
    server.put("/verified.json", record)
    server.put("/invalid.json", record.replace(b'_sorted":["cs.DC"]', b'_sorted":["cs.DD"]'))
    server.put("/unsigned.json", record.replace(b'"receipt":{', b'"receipt_":{'))
    rows = "".join(
        f'<p><pith-badge number="{SUFFIX}" src="/{name}.json"></pith-badge> {words}</p>'
        for name, words in (
            ("verified", "hash, number and signature hold"),
            ("invalid", "the record was changed"),
            ("unsigned", "no receipt, so nobody vouches for it"),
        )
    )
    body = rows + '<script type="module" src="/pith-badge.js"></script>'
    keep(
        "component-states",
        page_picture(server, browse, body, ready="p:nth-child(3) pith-badge[state=not-checked]"),
    )


def sheet():
    """All pictures on one, each under its format's name, in two columns."""
    from PIL import Image, ImageDraw, ImageFont

    names = [name for name in FORMATS if name not in UNSEEN]
    names = [one for name in names for one in ([name, f"{name}-dark"] if name in DARK else [name])]
    font = ImageFont.truetype(str(ROOT / "pybadge/badge/fonts/DejaVuSans.ttf"), 26)
    heights = {}
    for name in names:
        with Image.open(PICTURES / f"{name}.png") as image:
            heights[name] = image.height + 60
    half = sum(heights.values()) / 2
    columns, filled = ([], []), 0
    for name in names:
        columns[filled >= half].append(name)
        filled += heights[name]
    made = Image.new(
        "RGB", (2040, max(sum(heights[name] for name in column) for column in columns)), "#fff"
    )
    pen = ImageDraw.Draw(made)
    for left, column in zip((0, 1040), columns, strict=True):
        top = 0
        for name in column:
            words = name if name in FORMATS else name.removesuffix("-dark") + " on a dark page"
            pen.text((left + 24, top + 18), words, fill="#57606a", font=font)
            with Image.open(PICTURES / f"{name}.png") as image:
                made.paste(image.convert("RGB"), (left, top + 54))
            top += heights[name]
    out = io.BytesIO()
    made.save(out, "PNG")
    return out.getvalue()


def test_the_sheet_of_all_pictures_is_up_to_date():
    keep("all", sheet())


def document():
    """docs/embeds.md: what is written by hand, then every format with its source and picture."""
    parts = [(DOCS / "embeds.in.md").read_text(encoding="utf-8").rstrip() + "\n"]
    for name in FORMATS:
        source = snippet(REPORT, format=name, image_url=IMAGE).strip("\n")
        lines = source.split("\n")
        if len(lines) > 24:
            source = "\n".join([*lines[:22], "…"])
        elif len(source) > 1500:
            source = source[:700] + "…"
        where = f"{WHERE[name][0].upper()}{WHERE[name][1:]}."
        parts.append(f"\n### {name}\n\n{where}\n\n````text\n{source}\n````\n")
        pictures = [name, f"{name}-dark"] if name in (*DARK, "html-component") else [name]
        if name not in UNSEEN:
            for picture in pictures:
                words = (
                    f"{name} on a dark page"
                    if picture.endswith("-dark") and picture != name
                    else f"{name}, rendered"
                )
                parts.append(f'\n<img src="embeds/{picture}.png" alt="{words}" width="500">\n')
    return "".join(parts)


def test_the_page_is_what_the_package_makes_of_it():
    path = DOCS / "embeds.md"
    if WRITE:
        path.write_text(document(), encoding="utf-8")
    assert path.read_text(encoding="utf-8") == document(), "run make pictures"


def test_the_page_has_no_stray_picture():
    text = (DOCS / "embeds.md").read_text(encoding="utf-8") + (ROOT / "README.md").read_text(
        encoding="utf-8"
    )
    for picture in PICTURES.iterdir():
        assert f"embeds/{picture.name}" in text


def test_the_help_of_the_page_is_the_commands():
    done = subprocess.run(
        [sys.executable, "-m", "pybadge", "embed", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    for option in (
        "--list",
        "--format",
        "--image-url",
        "--png",
        "--dark",
        "--size",
        "--label",
        "--style",
        "--files",
    ):
        assert option in done.stdout
        assert option in (DOCS / "embeds.md").read_text(encoding="utf-8")


def test_the_example_of_the_component_is_valid_json_and_runs():
    assert json.loads(RECORD_BYTES)["pith_number"].endswith(SUFFIX)
    assert Path(COMPONENT / "pith-badge.d.ts").exists()
