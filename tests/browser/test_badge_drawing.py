"""Badges in headless Chromium: many on one page, text in its box, codes that are read, PNG alike,
the auto theme."""

from __future__ import annotations

import io
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

import pybadge
from pybadge.badge import FACTS, STATES, STYLES, THEMES, badge_size
from tests.support.badge_cases import DATE
from tests.support.data import NUMBER, RECORD_URL

# Each text in its script; the widths of most are estimates, since the viewer's own fonts draw them.
SCRIPTS = {
    "ascii": "pybadge 1.0 (x) [y] {z} ~!@#$%^&*",
    "wide": "MMMMMMMMMMMMMMMM",
    "narrow": "iiiiiiiiiiiiiiii",
    "polish": "Zażółć gęślą jaźń",
    "greek": "Ξεσκεπάζω την ψυχοφθόρα",
    "cyrillic": "Съешь же ещё этих мягких",
    "chinese": "可验证的论文标识符",
    "japanese": "検証できる論文識別子です",
    "korean": "검증 가능한 논문 식별자",
    "arabic": "معرف قابل للتحقق منه",
    "hebrew": "מזהה הניתן לאימות",
    "hindi": "सत्यापन योग्य पहचानकर्ता",
    "thai": "ตัวระบุที่ตรวจสอบได้",
    "emoji": "👩‍👩‍👧‍👦🏳️‍🌈👍🏽🇵🇱❤️🧑🏿‍🚀",
    "mixed": "abc 中文 שלום 👍🏽 हिन्दी",
}


class Canvas:
    """One browser page on which badges are put and photographed."""

    def __init__(self, chromium: Any, scale: int, **options: Any) -> None:
        viewport = {"width": 1400, "height": 1000}
        self.context = chromium.new_context(device_scale_factor=scale, viewport=viewport, **options)
        self.page = self.context.new_page()

    def show(self, body: str, background: str = "transparent") -> None:
        style = f"body{{margin:0;background:{background}}}svg{{display:block}}"
        self.page.set_content(f'<!doctype html><meta charset="utf-8"><style>{style}</style>{body}')
        self.page.evaluate("document.fonts.ready")

    def photo(self, clip: dict[str, float] | None = None) -> Image.Image:
        data = self.page.screenshot(clip=clip, omit_background=True)
        return Image.open(io.BytesIO(data)).convert("RGBA")

    def boxes(self) -> list[dict[str, float]]:
        """Where the badges are."""
        found: list[dict[str, float]] = self.page.evaluate(
            """Array.from(document.querySelectorAll('svg'), badge => {
              const {x, y, width, height} = badge.getBoundingClientRect()
              return {x, y: y + scrollY, width, height}
            })"""
        )
        return found

    def alone(self, svg: str, background: str = "transparent", around: int = 0) -> Image.Image:
        """A badge on a page of its own, with some of the page around it."""
        self.show(f'<div style="padding:{around}px">{svg}</div>', background)
        (box,) = self.boxes()
        return self.photo(
            {
                "x": 0,
                "y": 0,
                "width": box["width"] + 2 * around,
                "height": box["height"] + 2 * around,
            }
        )

    def text_boxes(self) -> list[list[float]]:
        """Left, top, right and bottom of each text, in the badge's units."""
        found: list[list[float]] = self.page.evaluate(
            """Array.from(document.querySelectorAll('text'), text => {
              const {x, y, width, height} = text.getBBox()
              return [x, y, x + width, y + height]
            })"""
        )
        return found


@pytest.fixture
def canvas(chromium):
    made = Canvas(chromium, 2)
    yield made
    made.context.close()


def difference(one: Image.Image, other: Image.Image, background: str = "white") -> float:
    """The mean difference of the worst channel, of 255, where both lie on a page of some colour."""
    assert one.size == other.size
    flat = [
        Image.alpha_composite(Image.new("RGBA", i.size, background), i).convert("RGB")
        for i in (one, other)
    ]
    return max(ImageStat.Stat(ImageChops.difference(*flat)).mean)


def ten_badges(by_state: dict[str, Any], seed: int) -> list[str]:
    """Ten badges that differ in everything that could clash."""
    pick = random.Random(seed)
    found = []
    for index in range(10):
        state = STATES[index % 5]
        options: dict[str, Any] = {
            "style": STYLES[(index + seed) % 7],
            "theme": THEMES[(index + seed) % 3],
        }
        if index % 4 == 0:
            options["qr"] = True
        if index % 3 == 0:
            options |= {
                "color": pick.choice(["teal", "#b0f", "yellow"]),
                "label_color": pick.choice(["white", "#300"]),
            }
        if index % 2:
            options |= {"facts": FACTS, "scale": 2}
        found.append(pybadge.badge_svg(by_state[state], date=DATE, **options))
    assert len(set(found)) == 10
    return found


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_ten_badges_on_one_page_look_as_each_alone(
    chromium, by_state, seed: int, scheme: str
) -> None:
    canvas = Canvas(chromium, 2, color_scheme=scheme)
    badges = ten_badges(by_state, seed)
    alone = [canvas.alone(svg) for svg in badges]
    # Rules that real pages have for their own pictures, too: they must not reach into a badge.
    rules = "<style>svg{fill:red;font-size:40px;color:red;font-family:serif}.a{fill:blue}</style>"
    canvas.show(rules + "".join(f"<p>{svg}</p>" for svg in badges))
    boxes = canvas.boxes()
    for index, (box, expected) in enumerate(zip(boxes, alone, strict=True)):
        data = canvas.page.screenshot(clip=box, omit_background=True, full_page=True)
        found = Image.open(io.BytesIO(data)).convert("RGBA")
        assert difference(found, expected) < 0.2, (index, badges[index])
    canvas.context.close()


@pytest.mark.parametrize("style", STYLES)
def test_text_stays_in_its_box(canvas, by_state, style: str) -> None:
    """Every text of a badge lies inside the badge, and keeps to its own part."""
    for script, text in SCRIPTS.items():
        options: dict[str, Any] = {"style": style, "label": text, "message": text, "word": True}
        canvas.show(pybadge.badge_svg(by_state["verified"], **options))
        boxes = canvas.text_boxes()
        width, height = badge_size(by_state["verified"], **options)
        assert len(boxes) >= 3
        for left, top, right, bottom in boxes:
            assert left >= 1, script
            assert right <= width - 1, script
            # The box of a font is taller than its letters.
            assert top >= -3, script
            assert bottom <= height + 3, script
        if style in ("card", "seal"):
            continue
        # Of the mono style the first shape is the frame, and the second the message's part.
        measure = "[1].getBBox().x" if style == "mono" else "[0].getBBox().width"
        seam = canvas.page.evaluate(f"document.querySelectorAll('path,rect'){measure}")
        assert boxes[0][2] <= seam <= boxes[1][0], (script, "the label keeps to its part")
        assert boxes[1][2] <= boxes[2][0] + 0.5, (script, "the message keeps clear of the word")


def test_the_boxes_are_not_much_too_wide(canvas, by_state) -> None:
    """Estimates from above, but not so far above that a badge looks empty."""
    for script, text in SCRIPTS.items():
        canvas.show(pybadge.badge_svg(by_state["verified"], message=text))
        drawn = canvas.page.evaluate("document.querySelectorAll('text')[1].getBBox().width")
        room = badge_size(by_state["verified"], message=text)[0] - 49 - 27
        assert room <= 1.75 * drawn + 12, (script, room, drawn)


def zbar(image: Image.Image) -> list[str]:
    data = io.BytesIO()
    image.convert("RGB").save(data, "PNG")
    command = ["zbarimg", "-q", "--raw", "-Sdisable", "-Sqrcode.enable", "-"]
    done = subprocess.run(command, input=data.getvalue(), capture_output=True, check=False)
    return done.stdout.decode().splitlines()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("theme", THEMES)
def test_codes_drawn_by_chromium_are_read(chromium, by_state, style: str, theme: str) -> None:
    canvas = Canvas(chromium, 3 if style == "flat" else 2)
    for background in ("white", "black"):
        for mark in (False, True):
            svg = pybadge.badge_svg(
                by_state["verified"], style=style, theme=theme, qr=True, qr_mark=mark
            )
            assert zbar(canvas.alone(svg, background, 20)) == [RECORD_URL], (background, mark)
    canvas.context.close()


def test_codes_are_read_at_odd_sizes(chromium, by_state) -> None:
    """Where an image is scaled by the page, no hairlines may run through the code."""
    canvas = Canvas(chromium, 1)
    for height in (201, 257, 333, 411):
        svg = pybadge.badge_svg(by_state["verified"], qr=True, height=height)
        assert zbar(canvas.alone(svg, "white", 20)) == [RECORD_URL], height
    canvas.context.close()


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_png_looks_as_chromium_draws_the_svg(canvas, by_state, style: str, theme: str) -> None:
    for state in STATES:
        svg = pybadge.badge_svg(by_state[state], style=style, theme=theme)
        png = Image.open(
            io.BytesIO(pybadge.badge_png(by_state[state], style=style, theme=theme))
        ).convert("RGBA")
        drawn = canvas.alone(svg)
        limit = 2.0 if style in ("flat", "flat-square", "for-the-badge", "mono", "card") else 3.0
        for background in ("white", "black"):
            assert difference(png, drawn, background) < limit, (state, background)


def test_a_png_with_a_code_looks_alike_too(canvas, by_state) -> None:
    for style in STYLES:
        svg = pybadge.badge_svg(by_state["verified"], style=style, qr=True)
        png = Image.open(
            io.BytesIO(pybadge.badge_png(by_state["verified"], style=style, qr=True))
        ).convert("RGBA")
        assert difference(png, canvas.alone(svg)) < 2.0, style


@pytest.mark.parametrize("style", STYLES)
def test_the_auto_theme_follows_the_viewer(chromium, by_state, style: str) -> None:
    for scheme in ("light", "dark"):
        canvas = Canvas(chromium, 2, color_scheme=scheme)
        for state in STATES:
            auto = canvas.alone(pybadge.badge_svg(by_state[state], style=style, theme="auto"))
            fixed = canvas.alone(pybadge.badge_svg(by_state[state], style=style, theme=scheme))
            assert difference(auto, fixed) < 0.01, (scheme, state)
        canvas.context.close()


def test_an_inlined_badge_links_to_the_record(canvas, by_state) -> None:
    canvas.show(pybadge.badge_svg(by_state["verified"], link=True))
    found = canvas.page.evaluate("document.elementFromPoint(80, 10).closest('a').href.baseVal")
    assert found == RECORD_URL


def test_an_image_is_announced_by_its_title(canvas, by_state) -> None:
    canvas.show(pybadge.badge_svg(by_state["verified"]))
    name = canvas.page.get_by_role("img").get_attribute("aria-label")
    assert name == f"pith: {NUMBER}, verified"


def test_letters_as_outlines_look_like_text(canvas, by_state) -> None:
    for style in STYLES:
        text = canvas.alone(pybadge.badge_svg(by_state["verified"], style=style))
        paths = canvas.alone(
            pybadge.badge_svg(by_state["verified"], style=style, text_as_paths=True)
        )
        assert difference(text, paths) < 3.5, style


def test_the_gallery_shows_every_picture(chromium, by_state, tmp_path: Path) -> None:
    from pybadge.badge.gallery import write_gallery
    from pybadge.output import write_file

    count = write_gallery(by_state["verified"], str(tmp_path), write_file, date=DATE)
    assert count == len(list(tmp_path.iterdir()))
    context = chromium.new_context(
        java_script_enabled=False, viewport={"width": 1500, "height": 900}
    )
    page = context.new_page()
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.on(
        "request",
        lambda request: None if request.url.startswith("file:") else failed.append(request.url),
    )
    page.goto((tmp_path / "index.html").as_uri())
    assert failed == []
    assert page.locator("img").count() == len(STYLES) * (len(STATES) * len(THEMES) + 2)
    context.close()
