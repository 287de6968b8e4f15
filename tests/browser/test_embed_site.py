"""What ``pybadge embed --files`` writes, opened in a browser; and the snippets on pages of their
own."""

from __future__ import annotations

import html
import subprocess
import sys

import pytest
from test_component_page import violations

import pybadge
from pybadge.embed import FORMATS, placement_of, site_files, snippet
from pybadge.embed.snippets import MACHINES
from tests.support.browsing import DATA, NODE_MODULES, NUMBER

REPORT = pybadge.verify(pybadge.load(DATA / "record-XR2UHLWN.json"))


@pytest.fixture(scope="session")
def written(tmp_path_factory):
    """The folder as the command line writes it."""
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "pybadge",
        "embed",
        str(DATA / "record-XR2UHLWN.json"),
        "--offline",
        "--files",
        str(folder),
    ]
    command += ["--image-url", "https://example.org/papers/badge.svg"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(done.stdout.split()) == sorted(str(file) for file in folder.iterdir())
    return folder


@pytest.fixture
def site(written, server):
    server.folder(written)
    return server


def test_files(written):
    assert {file.name for file in written.iterdir()} == {
        "badge.svg",
        "badge-dark.svg",
        "badge.png",
        "badge-2x.png",
        "badge.json",
        f"{NUMBER}.json",
        "pith-badge.js",
        "pith-badge.d.ts",
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
    assert pybadge.verify(pybadge.load(written / f"{NUMBER}.json")).verdict == "verified"


def test_index_under_the_strict_policy(site, browse):
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
    broken = "[...document.images].filter(image => image.offsetParent && !(image.complete && image.naturalWidth)).length"
    assert page.evaluate(broken) == 0
    page.wait_for_selector("#html-component pith-badge[state=verified]")


def test_copy_button(site, browse):
    page = browse(f"{site.url}/index.html", permissions=["clipboard-read", "clipboard-write"]).page
    page.get_by_role("button", name="Copy markdown", exact=True).click()
    page.wait_for_selector("#said:text('Copied')", state="attached")
    expected = snippet(REPORT, format="markdown", image_url="https://example.org/papers/badge.svg")
    assert page.evaluate("navigator.clipboard.readText()") == expected


def test_copy_button_without_a_clipboard_selects(site, browse):
    watched = browse()
    watched.page.add_init_script(
        "Object.defineProperty(Navigator.prototype, 'clipboard', { get: () => undefined })"
    )
    watched.page.goto(f"{site.url}/index.html")
    watched.page.get_by_role("button", name="Copy html", exact=True).click()
    watched.page.wait_for_selector("#said:text('Selected')", state="attached")
    expected = snippet(REPORT, format="html", image_url="https://example.org/papers/badge.svg")
    assert watched.page.evaluate("getSelection().toString()").strip() == expected.strip()


def test_index_without_scripts(site, browse):
    page = browse(f"{site.url}/index.html", java_script_enabled=False).page
    assert page.locator(".hero").get_by_role("link").is_visible()
    assert page.locator(".copy:visible").count() == 0
    assert page.locator("#markdown code").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_index_is_accessible(site, browse, scheme):
    page = browse(f"{site.url}/index.html", color_scheme=scheme).page
    page.wait_for_selector(".hero pith-badge[state=verified]")
    assert violations(page) == []


def test_data_uri_page(site, browse):
    policy = "default-src 'self'; img-src data:"
    site.pages["/data-uri.html"].headers["Content-Security-Policy"] = policy
    page = browse(f"{site.url}/data-uri.html").page
    image = page.locator("img")
    assert image.get_attribute("src").startswith("data:image/svg+xml,")
    assert page.evaluate("document.images[0].naturalWidth") == placement_of(REPORT).width


def test_report_b21_hostile_label_is_inert_on_the_page(server, browse, tmp_path):
    record = pybadge.load(DATA / "record-XR2UHLWN.json")
    label = '"><img src=x onerror=document.title=1><script>document.title=1</script>{{ 7*7 }}'
    for name, data in site_files(REPORT, record, label=label).items():
        (tmp_path / name).write_bytes(data)
    server.folder(tmp_path)
    page = browse(f"{server.url}/index.html").page
    page.wait_for_selector(".hero pith-badge[state=verified]")
    assert page.title() == f"Embeds of pith:2024:{NUMBER}"
    assert page.locator("img[src=x]").count() == 0
    assert page.locator("main script:not([src])").count() == 0
    assert page.locator("#html img").get_attribute("alt") == placement_of(REPORT, label=label).alt


def difference(one, other):
    """The mean difference of two pictures, 0 to 255; a picture of another size differs in all."""
    import io

    from PIL import Image, ImageChops, ImageStat

    with Image.open(io.BytesIO(one)) as first, Image.open(io.BytesIO(other)) as second:
        if first.size != second.size:
            return 255
        return max(
            ImageStat.Stat(ImageChops.difference(first.convert("RGB"), second.convert("RGB"))).mean
        )


def test_report_b01_ten_inline_badges_on_one_page(server, browse):
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


def test_report_b17_the_link_leaves_a_frame(server, browse):
    """The plain snippet's whole picture is the link; the inline form leaves the frame it stands
    in."""
    server.put("/pith", "", "text/html")
    for format in ("html", "html-inline"):
        text = snippet(
            REPORT, format=format, image_url=f"{server.url.replace('http', 'https')}/badge.svg"
        )
        text = text.replace("https://pith.science/pith/" + NUMBER, "/there").replace(
            server.url.replace("http", "https"), server.url
        )
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


def test_picture_follows_the_scheme(server, browse):
    server.put("/badge.svg", pybadge.badge_svg(REPORT), "image/svg+xml")
    server.put("/badge-dark.svg", pybadge.badge_svg(REPORT, theme="dark"), "image/svg+xml")
    server.html("/", snippet(REPORT, format="html-picture"))
    for scheme, name in (("light", "badge.svg"), ("dark", "badge-dark.svg")):
        page = browse(server.url + "/", color_scheme=scheme).page
        assert page.evaluate("document.images[0].currentSrc") == f"{server.url}/{name}"


def test_report_b31_email_is_sharp_at_its_size(server, browse):
    """Two pixels of the file for each of the page."""
    server.put("/badge-2x.png", pybadge.badge_png(REPORT, scale=2), "image/png")
    page = browse(server.html("/", snippet(REPORT, format="email"))).page
    width, natural = page.evaluate("[document.images[0].width, document.images[0].naturalWidth]")
    assert natural == 2 * width


def node(script, text):
    done = subprocess.run(
        ["node", "-e", script],
        input=text.encode(),
        capture_output=True,
        timeout=60,
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
def test_report_b56_markdown_it_itself(format, raw):
    """With all that could harm the alternative text switched on: links, smart quotes, tables."""
    sys.path.insert(0, str(DATA.parent / "python/embed"))
    from tests.support.markup_engines import LABELS, LINK, images

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
