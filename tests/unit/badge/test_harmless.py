"""What a badge never does, wherever it is shown: clash with another, ask the network, refer to
anything outside itself, run anything, or need more than Pillow."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any
from xml.etree import ElementTree

import pytest

import pybadge
from pybadge.badge import STYLES, THEMES
from pybadge.checks import Report
from pybadge.keys import PublicKey
from tests.support.badge_cases import pictures
from tests.support.data import RECORD, RECORD_URL, ROOT
from tests.support.documents import signed

PICTURES = dict(pictures())
HOSTILE = (
    "</text><script>alert(1)</script><a href='javascript:x'>\x00\x1b]52;c;x\x07\u202e&{{7*7}}"
    '" onload="x'
)


def test_badges_have_no_ids_so_they_can_share_a_page() -> None:
    for name, svg in PICTURES.items():
        for element in ElementTree.fromstring(svg).iter():
            assert "id" not in element.attrib, name
        assert "url(" not in svg, name
        assert "xlink" not in svg, name


def test_class_names_mean_the_same_in_every_badge() -> None:
    """Classes are as global as ids: the auto theme's must have one meaning on a page of many
    badges."""
    meanings: dict[str, set[str]] = {}
    for name, svg in PICTURES.items():
        for style in re.findall("<style>(.*?)</style>", svg):
            assert "-auto-" in name
            assert re.fullmatch(
                r"@media\(prefers-color-scheme:dark\)\{"
                r"(\.p[0-9a-f]{6}\{(fill|stroke):#[0-9a-f]{3,6}\})+\}",
                style,
            )
            for class_name, rule in re.findall(r"\.(\w+)\{([^}]*)\}", style):
                meanings.setdefault(class_name, set()).add(rule)
    assert meanings
    assert all(len(rules) == 1 for rules in meanings.values())


def test_drawing_opens_no_socket_and_reads_package_data_only() -> None:
    code = """
import sys
seen = []
def hook(event, arguments):
    if event.startswith(("socket", "urllib", "subprocess", "os.system")):
        seen.append(event)
    if event == "open" and not str(arguments[0]).endswith((".py", ".pyc", ".so")):
        seen.append(str(arguments[0]))
import pybadge, PIL.Image, PIL.PngImagePlugin
report = pybadge.verify(pybadge.load(sys.argv[1]))
sys.addaudithook(hook)
for style in pybadge.badge.STYLES:
    pybadge.badge_svg(report, style=style, qr=True, theme="auto")
    pybadge.badge_png(report, style=style, qr=True)
print("\\n".join(seen))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(RECORD)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    package = str(ROOT / "pybadge" / "badge")
    touched = [
        line
        for line in done.stdout.splitlines()
        if "site-packages" not in line and "/lib/python" not in line
    ]
    assert touched
    assert all(line.startswith(package) for line in touched), touched


def test_no_reference_leaves_the_file() -> None:
    for svg in PICTURES.values():
        outside = svg.replace('xmlns="http://www.w3.org/2000/svg"', "").replace(
            f'href="{RECORD_URL}"', ""
        )
        assert not re.search("https?:|//|data:|@import|<image|<use|<foreignObject", outside)


def test_styles_stand_in_attributes_but_for_auto() -> None:
    for name, svg in PICTURES.items():
        assert " style=" not in svg, name
        assert ("<style" in svg) == ("-auto-" in name), name


def test_there_are_no_filters_gradients_or_clips() -> None:
    for name, svg in PICTURES.items():
        tags = {element.tag.split("}")[1] for element in ElementTree.fromstring(svg).iter()}
        assert tags <= {"svg", "title", "style", "g", "a", "path", "rect", "circle", "text"}, name


def test_a_link_works_where_the_badge_is_inlined(verified: Report) -> None:
    for style in STYLES:
        root = ElementTree.fromstring(pybadge.badge_svg(verified, style=style, link=True))
        (link,) = root.iter("{http://www.w3.org/2000/svg}a")
        assert link.attrib == {"href": RECORD_URL, "target": "_top"}
        assert len(list(link.iter())) > 4, "the whole badge is in the link"
        plain = ElementTree.fromstring(pybadge.badge_svg(verified, style=style))
        assert not list(plain.iter("{http://www.w3.org/2000/svg}a")), (
            "in an <img> it would be inert"
        )


def signed_hostile() -> tuple[dict[str, Any], PublicKey]:
    """A record whose title is hostile and whose receipt is good: a signature says nothing about
    what a text does."""
    authors = f"{HOSTILE}, {HOSTILE}"
    own, key = signed(title=HOSTILE, authors=authors, registry="</title><script>Registry")
    own["inbound_citations"] = {"count": "<script>"}
    return own, key


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("theme", THEMES)
def test_a_signed_hostile_record_is_inert(style: str, theme: str) -> None:
    own, key = signed_hostile()
    report = pybadge.verify(own, trusted=[key])
    assert report.verdict == "verified"
    svg = pybadge.badge_svg(report, style=style, theme=theme, facts=pybadge.badge.FACTS, qr=True)
    for element in ElementTree.fromstring(svg).iter():
        assert element.tag.split("}")[1] in {
            "svg",
            "title",
            "style",
            "g",
            "path",
            "rect",
            "circle",
            "text",
        }
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
    assert "<script" not in svg
    assert "49" not in re.sub(r'="[^"]*"', "", svg).replace("2490", ""), (
        "no template runs in a text"
    )
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", svg)
    if style == "card":
        assert "&lt;/text&gt;" in svg, "it is shown as what it is"


def test_nothing_deprecated_is_used() -> None:
    """Import everything and draw everything with warnings as errors."""
    code = """
import sys, pkgutil, importlib, warnings
import pybadge, pybadge.badge
for module in pkgutil.walk_packages(pybadge.badge.__path__, "pybadge.badge."):
    importlib.import_module(module.name)
report = pybadge.verify(pybadge.load(sys.argv[1]))
for style in pybadge.badge.STYLES:
    pybadge.badge_png(report, style=style, qr=True)
    pybadge.badge_svg(report, style=style, qr=True)
    pybadge.badge_svg(report, style=style, text_as_paths=True)
print("imghdr" in sys.modules, "pkg_resources" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, str(RECORD)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "False"]


def test_no_system_library_is_needed() -> None:
    """What drawing loads beyond Python and wheels: nothing such as libcairo."""
    code = """
import sys, pybadge
report = pybadge.verify(pybadge.load(sys.argv[1]))
pybadge.badge_png(report, style="card", qr=True)
libraries = {line.split()[-1] for line in open("/proc/self/maps") if ".so" in line}
print("\\n".join(sorted(libraries)))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(RECORD)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = done.stdout.split()
    assert any("_imaging" in name for name in names), "Pillow was loaded"
    assert not [name for name in names if re.search("cairo|pango|rsvg|Magick|gobject|gtk", name)]
