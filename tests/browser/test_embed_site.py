"""What ``pybadge embed --files`` writes, opened in a browser; and the snippets on pages of their
own."""

from __future__ import annotations

import html
import subprocess

import pytest

import pybadge
from pybadge.embed import FORMATS, placement_of, site_files, snippet
from pybadge.embed.snippets import MACHINES
from tests.support.browsing import NODE_MODULES, difference, violations
from tests.support.command import HANG
from tests.support.command import pybadge as command
from tests.support.data import NUMBER, RECORD, SUFFIX
from tests.support.markup_engines import LABELS, LINK, images

REPORT = pybadge.verify(pybadge.load(RECORD))


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The folder as the command line writes it."""
    folder = tmp_path_factory.mktemp("site")
    image = ["--image-url", "https://example.org/papers/badge.svg"]
    done = command("embed", str(RECORD), "--offline", "--files", str(folder), *image)
    assert (done.returncode, done.stderr) == (0, b"")
    names = sorted(str(file) for file in folder.iterdir())
    assert sorted(done.stdout.decode().split()) == names
    return folder


@pytest.fixture
def site(written, server):
    server.folder(written)
    return server


def test_the_files_of_a_site_are_written(written):
    assert {file.name for file in written.iterdir()} == {
        "badge.svg",
        "badge-dark.svg",
        "badge.png",
        "badge-2x.png",
        "badge.json",
        f"{SUFFIX}.json",
        "pith-badge.js",
        "pith-badge.d.ts",
        "verify.d.ts",
        "index.html",
        "data-uri.html",
        "page.css",
        "page.js",
    }
    assert (written / "badge.svg").read_text() == pybadge.badge_svg(REPORT)
    assert (written / "badge-dark.svg").read_text() == pybadge.badge_svg(REPORT, theme="dark")
    from PIL import Image

    with Image.open(written / "badge.png") as small, Image.open(written / "badge-2x.png") as large:
        assert large.size == (2 * small.width, 2 * small.height)
    assert pybadge.verify(pybadge.load(written / f"{SUFFIX}.json")).verdict == "verified"


def test_the_index_works_under_the_strict_policy(site, browse):
    """Every embed live next to its source, no complaint, nobody else asked; the component
    verifies."""
    watched = browse(f"{site.url}/index.html")
    page = watched.page
    page.wait_for_selector(".hero pith-badge[state=verified]")
    assert page.locator("section").count() == len(FORMATS)
    for name in FORMATS:
        section = page.locator(f"section#{name}")
        source = snippet(REPORT, format=name, image_url="https://example.org/papers/badge.svg")
        # An HTML parser takes away the line break right after <pre>, where there is one.
        assert section.locator(".source code").text_content() in (source, source.removeprefix("\n"))
        if name not in (*MACHINES, "html-data-uri"):
            assert section.locator(".live img, .live svg, .live pith-badge").first.is_visible()
    broken = (
        "[...document.images].filter(image => image.offsetParent && !(image.complete && "
        "image.naturalWidth)).length"
    )
    assert page.evaluate(broken) == 0
    page.wait_for_selector("#html-component pith-badge[state=verified]")


def test_the_copy_button_copies_the_snippet(site, browse):
    page = browse(f"{site.url}/index.html", permissions=["clipboard-read", "clipboard-write"]).page
    page.get_by_role("button", name="Copy markdown", exact=True).click()
    page.wait_for_selector("#said:text('Copied')", state="attached")
    expected = snippet(REPORT, format="markdown", image_url="https://example.org/papers/badge.svg")
    assert page.evaluate("navigator.clipboard.readText()") == expected


def test_the_copy_button_selects_the_snippet_where_there_is_no_clipboard(site, browse):
    watched = browse()
    watched.page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"
    )
    watched.page.goto(f"{site.url}/index.html")
    watched.page.get_by_role("button", name="Copy html", exact=True).click()
    watched.page.wait_for_selector("#said:text('Selected')", state="attached")
    expected = snippet(REPORT, format="html", image_url="https://example.org/papers/badge.svg")
    assert watched.page.evaluate("getSelection().toString()").strip() == expected.strip()


def test_the_index_works_without_scripts(site, browse):
    page = browse(f"{site.url}/index.html", java_script_enabled=False).page
    assert page.locator(".hero").get_by_role("link").is_visible()
    assert page.locator(".copy:visible").count() == 0
    assert page.locator("#markdown code").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_index_is_accessible(site, browse, scheme):
    page = browse(f"{site.url}/index.html", color_scheme=scheme).page
    page.wait_for_selector(".hero pith-badge[state=verified]")
    assert violations(page) == []


def test_the_page_with_a_data_uri_shows_the_badge(written, site, browse):
    policy = "default-src 'self'; img-src data:"
    body = (written / "data-uri.html").read_bytes()
    headers = {"Content-Security-Policy": policy}
    site.put("/data-uri.html", body, "text/html; charset=utf-8", headers=headers)
    page = browse(f"{site.url}/data-uri.html").page
    image = page.locator("img")
    assert image.get_attribute("src").startswith("data:image/svg+xml,")
    assert page.evaluate("document.images[0].naturalWidth") == placement_of(REPORT).width


def test_a_hostile_label_is_inert_on_the_page(server, browse, tmp_path):
    record = pybadge.load(RECORD)
    label = '"><img src=x onerror=document.title=1><script>document.title=1</script>{{ 7*7 }}'
    for name, data in site_files(REPORT, record, label=label).items():
        (tmp_path / name).write_bytes(data)
    server.folder(tmp_path)
    page = browse(f"{server.url}/index.html").page
    page.wait_for_selector(".hero pith-badge[state=verified]")
    assert page.title() == f"Embeds of {NUMBER}"
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("main script:not([src])").count() == 0
    assert page.locator("#html img").get_attribute("alt") == placement_of(REPORT, label=label).alt


def test_ten_inline_badges_on_one_page_each_look_as_alone(server, browse):
    """Inlined ten times, each draws as it does alone; ids, if there were any, would be global."""
    styles = [
        "flat",
        "flat-square",
        "plastic",
        "for-the-badge",
        "mono",
        "card",
        "seal",
        "flat",
        "card",
        "seal",
    ]
    inline = [snippet(REPORT, format="html-inline", style=style) for style in styles]
    server.put("/page.css", "svg { display: block }", "text/css")
    head = '<link rel="stylesheet" href="/page.css">'
    page = browse(server.html("/", "".join(f"<p>{one}</p>" for one in inline), head)).page
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(one => one.id)")
    assert len(ids) == len(set(ids))
    together = [page.locator("svg").nth(at).screenshot() for at in range(10)]
    for at, one in enumerate(inline):
        alone = browse(server.html(f"/{at}", f"<p>{one}</p>", head)).page
        assert difference(alone.locator("svg").first.screenshot(), together[at]) < 0.5
    assert difference(together[0], together[7]) < 0.5
    assert difference(together[0], together[3]) > 5


def test_a_click_follows_the_link_in_a_frame_and_the_inline_form_leaves_it(server, browse):
    """The plain snippet's whole picture is the link; the inline form leaves the frame it stands
    in."""
    server.put("/pith", "", "text/html")
    for format in ("html", "html-inline"):
        text = snippet(
            REPORT, format=format, image_url=f"{server.url.replace('http', 'https')}/badge.svg"
        )
        text = text.replace(LINK, "/there").replace(server.url.replace("http", "https"), server.url)
        server.put("/badge.svg", pybadge.badge_svg(REPORT), "image/svg+xml")
        server.html("/there", "arrived")
        server.html("/frame", text)
        page = browse(
            server.html("/", '<iframe src="/frame" width="400" height="100"></iframe>')
        ).page
        page.frame_locator("iframe").locator("img, svg").first.click()
        if format == "html-inline":
            page.wait_for_url("**/there")
        else:
            page.frame_locator("iframe").get_by_text("arrived").wait_for()


def test_the_picture_follows_the_colour_scheme(server, browse):
    server.put("/badge.svg", pybadge.badge_svg(REPORT), "image/svg+xml")
    server.put("/badge-dark.svg", pybadge.badge_svg(REPORT, theme="dark"), "image/svg+xml")
    server.html("/", snippet(REPORT, format="html-picture"))
    for scheme, name in (("light", "badge.svg"), ("dark", "badge-dark.svg")):
        page = browse(server.url + "/", color_scheme=scheme).page
        assert page.evaluate("document.images[0].currentSrc") == f"{server.url}/{name}"


def test_the_picture_for_mail_has_two_pixels_for_each_of_the_page(server, browse):
    server.put("/badge-2x.png", pybadge.badge_png(REPORT, scale=2), "image/png")
    page = browse(server.html("/", snippet(REPORT, format="email"))).page
    width, natural = page.evaluate("[document.images[0].width, document.images[0].naturalWidth]")
    assert natural == 2 * width


def node(script, text):
    done = subprocess.run(
        ["node", "-e", script],
        input=text.encode(),
        capture_output=True,
        timeout=HANG,
        check=False,
        cwd=NODE_MODULES,
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")
    return done.stdout.decode()


MARKDOWN_IT = """
const engine = require("markdown-it")({ html: HTML, linkify: true, typographer: true });
process.stdout.write(engine.render(require("fs").readFileSync(0, "utf8")));
"""


@pytest.mark.parametrize("raw", ["true", "false"])
@pytest.mark.parametrize("format", ["markdown", "markdown-dark"])
def test_markdown_it_shows_the_alternative_text_of_any_label(format, raw):
    """With all that could harm the alternative text switched on: links, smart quotes, tables."""
    expected = [(LINK, placement_of(REPORT, label=label).alt) for label in LABELS]
    lines = [snippet(REPORT, format=format, label=label).strip() for label in LABELS]
    rendered = node(MARKDOWN_IT.replace("HTML", raw), "\n\n".join(lines))
    if format == "markdown":
        assert images(rendered) == expected
        table = "| a | b |\n|---|---|\n" + "".join(f"| {line} | x |\n" for line in lines)
        assert images(node(MARKDOWN_IT.replace("HTML", raw), table)) == expected
    elif raw == "true":
        assert images(rendered) == expected
    else:
        # An engine without raw HTML shows the source: dead, as --list says, but harmless.
        assert images(rendered) == []
        assert html.unescape(rendered).count("<picture>") == len(LABELS)
