"""QR codes: the matrix, its drawings, and that scanners read them."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

import pybadge
from pybadge.badge import STYLES
from pybadge.badge.qr import QUIET, matrix, path, terminal_lines
from pybadge.checks import Report
from pybadge.errors import NotFoundError, UsageError
from pybadge.number import parse_number
from pybadge.verification import unreadable
from tests.support.data import NUMBER, RECORD, RECORD_URL, ROOT, SUFFIX

BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def zbar(image: Image.Image) -> list[str]:
    """What zbar reads in a picture: every code it finds."""
    data = io.BytesIO()
    image.convert("RGB").save(data, "PNG")
    # -q keeps it from counting; it exits with 4 where it finds no code.
    done = subprocess.run(
        ["zbarimg", "-q", "--raw", "-Sdisable", "-Sqrcode.enable", "-"],
        input=data.getvalue(),
        capture_output=True,
        check=False,
    )
    return done.stdout.decode().splitlines()


def on(background: str, png: bytes) -> Image.Image:
    """A badge on a page of some colour, with some of the page around it."""
    badge = Image.open(io.BytesIO(png)).convert("RGBA")
    page = Image.new("RGBA", (badge.width + 40, badge.height + 40), background)
    page.alpha_composite(badge, (20, 20))
    return page


def picture(rows: tuple[tuple[bool, ...], ...], pixels: int = 4) -> Image.Image:
    side = len(rows) + 2 * QUIET
    image = Image.new("L", (side, side), 255)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            if dark:
                image.putpixel((x + QUIET, y + QUIET), 0)
    return image.resize((side * pixels, side * pixels), Image.Resampling.NEAREST)


def test_the_code_is_version_4_at_level_q_and_never_micro() -> None:
    rows = matrix(RECORD_URL)
    assert len(rows) == 17 + 4 * 4
    assert all(len(row) == len(rows) for row in rows)
    for text in ("A", "0", "https://a.example/B"):
        assert len(matrix(text)) >= 21, "Micro QR has at most 17 modules a side"
    finder = [[rows[y][x] for x in range(7)] for y in range(7)]
    assert finder[0] == [True] * 7
    assert finder[1] == [True, False, False, False, False, False, True]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("background", ["white", "black"])
@pytest.mark.parametrize("mark", [False, True])
def test_codes_in_png_are_read(
    verified: Report, style: str, theme: str, background: str, mark: bool
) -> None:
    png = pybadge.badge_png(verified, style=style, theme=theme, qr=True, qr_mark=mark)
    assert zbar(on(background, png)) == [RECORD_URL]


def test_codes_in_other_states_are_read(by_state: dict[str, Report]) -> None:
    for state, report in by_state.items():
        assert zbar(on("white", pybadge.badge_png(report, qr=True))) == [RECORD_URL], state


@given(suffix=st.text(alphabet=BASE32, min_size=26, max_size=26))
@settings(max_examples=40, deadline=None)
def test_any_number_is_read_back(suffix: str) -> None:
    url = f"https://pith.science/pith/{suffix}"
    assert zbar(picture(matrix(url))) == [url]


@given(
    text=st.text(
        alphabet=st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=300
    )
)
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_the_encoder(text: str) -> None:
    rows = matrix(text)
    assert (len(rows) - 17) % 4 == 0


@pytest.mark.parametrize("text", ["", "é", "\n", "x" * 301, "a\x00b"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="printable ASCII"):
        matrix(text)


def test_the_line_draws_exactly_the_modules() -> None:
    """Follow the path with its dash pattern, and compare with the matrix."""
    import re

    for url in (RECORD_URL, "https://pith.science/pith/" + "A7" * 13, "x"):
        rows = matrix(url)
        d, dashes = path(rows)
        lengths = [int(length) for length in dashes.split()]
        assert len(lengths) % 2 == 0
        pattern = [index % 2 == 0 for index, length in enumerate(lengths) for _ in range(length)]
        start, steps = d[:5], re.findall(r"([hv])(-?\d+)", d[5:])
        across = start == "M0 .5"
        assert across or start == "M.5 0"
        x, y = (0, 0)
        dark = set()
        position = 0
        for axis, amount in steps:
            sign = 1 if int(amount) > 0 else -1
            for _ in range(abs(int(amount))):
                along = (axis == "h") == across
                if pattern[position]:
                    assert along, "no step between lines is dark"
                    cell = (x - (sign < 0), y) if across else (x, y - (sign < 0))
                    dark.add(cell)
                x, y = (x + sign, y) if axis == "h" else (x, y + sign)
                position += 1
        assert position <= len(pattern), "the pattern does not run out, so it is not repeated"
        assert dark == {
            (x, y) for y, row in enumerate(rows) for x, module in enumerate(row) if module
        }


def test_the_quiet_zone_and_whole_modules(verified: Report) -> None:
    """Four modules of light on each side, modules of whole pixels, at least four of them in PNG."""
    for style in STYLES:
        for scale in (2, 3):
            image = on(
                "black",
                pybadge.badge_png(verified, style=style, theme="dark", qr=True, scale=scale),
            ).convert("L")
            box, unit = code_box(image)
            assert unit >= 4
            assert unit == int(unit)
            left, top, right, bottom = box
            margin = image.crop(
                (left - 4 * unit, top - 4 * unit, right + 4 * unit, bottom + 4 * unit)
            )
            assert margin.getextrema()[0] == 0
            for strip in (
                (0, 0, margin.width, 4 * unit),
                (0, margin.height - 4 * unit, margin.width, margin.height),
                (0, 0, 4 * unit, margin.height),
                (margin.width - 4 * unit, 0, margin.width, margin.height),
            ):
                assert margin.crop(strip).getextrema() == (255, 255), (style, scale, strip)


def code_box(image: Image.Image) -> tuple[tuple[int, int, int, int], int]:
    """Where the code is, found by its upper left finder pattern: 7 dark modules, framed by
    light."""
    rows = matrix(RECORD_URL)
    for unit in range(2, 20):
        small = picture(rows, unit).crop((QUIET * unit,) * 2 + ((QUIET + len(rows)) * unit,) * 2)
        probe = small.crop((0, 0, small.width, unit))
        data, wide = probe.tobytes(), small.width
        for y in range(image.height - small.height):
            line = image.crop((0, y, image.width, y + 1)).tobytes()
            x = line.find(data[:wide])
            if (
                x >= 0
                and image.crop((x, y, x + small.width, y + small.height)).tobytes()
                == small.tobytes()
            ):
                return (x, y, x + small.width, y + small.height), unit
    raise AssertionError("no code found, or its modules are not of whole pixels")


@pytest.mark.parametrize(
    ("dark", "light", "message"),
    [
        ("#fff", "#000", "dark on light"),
        ("#777", "#fff", "less than 4.5:1"),
        ("yellow", "#fff", "less than 4.5:1"),
        ("#000", "#666", "less than 4.5:1"),
        ("#fff", "#fff", "dark on light"),
    ],
)
def test_colours_that_scanners_can_not_read_are_refused(
    verified: Report, dark: str, light: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        pybadge.badge_svg(verified, qr=True, qr_color=dark, qr_background=light)


def test_chosen_colours_are_read(verified: Report) -> None:
    for dark, light in (("navy", "#fff"), ("#0b6e75", "#fff"), ("black", "yellow")):
        assert zbar(
            on("black", pybadge.badge_png(verified, qr=True, qr_color=dark, qr_background=light))
        ) == [RECORD_URL]


@pytest.mark.parametrize("style", STYLES)
def test_the_centre_mark_covers_at_most_a_fifth(verified: Report, style: str) -> None:
    plain = on("white", pybadge.badge_png(verified, style=style, qr=True)).convert("L")
    marked = on("white", pybadge.badge_png(verified, style=style, qr=True, qr_mark=True)).convert(
        "L"
    )
    (left, _, right, _), _ = code_box(plain)
    box = ImageChops.difference(plain, marked).getbbox()
    assert box is not None, "the mark is drawn"
    assert box[2] - box[0] <= 0.2 * (right - left)
    assert box[3] - box[1] <= 0.2 * (right - left)


def test_only_levels_that_bear_a_mark_are_used() -> None:
    assert len(matrix(RECORD_URL)) == len(matrix(RECORD_URL, level="Q"))
    assert len(matrix(RECORD_URL, level="H")) > len(matrix(RECORD_URL, level="Q"))
    with pytest.raises(UsageError, match="error correction level: invalid choice"):
        matrix(RECORD_URL, level="L")


def test_a_code_needs_a_full_number_and_enough_pixels(by_state: dict[str, Report]) -> None:
    short = unreadable(NotFoundError("no"), asked=parse_number(SUFFIX[:8]))
    for style in STYLES:
        with pytest.raises(UsageError, match="full Pith Number"):
            pybadge.badge_svg(short, style=style, qr=True)
    with pytest.raises(UsageError, match="scale of at least 2"):
        pybadge.badge_png(by_state["verified"], qr=True, scale=1)


def test_an_svg_with_a_code_is_small(verified: Report) -> None:
    assert len(pybadge.badge_svg(verified, qr=True).encode()) <= 2300
    assert len(pybadge.badge_svg(verified).encode()) <= 1100
    for theme in ("light", "dark", "auto"):
        assert len(pybadge.badge_svg(verified, theme=theme).encode()) <= 1100


# In the terminal


def picture_of_lines(lines: list[str], unicode: bool) -> Image.Image:
    """What a light-on-dark terminal shows of the lines."""
    width = len(lines[0]) if unicode else len(lines[0]) // 2
    height = 2 * len(lines) if unicode else len(lines)
    image = Image.new("L", (width, height), 0)
    for y, line in enumerate(lines):
        for x in range(width):
            character = line[x] if unicode else line[2 * x]
            if unicode:
                image.putpixel((x, 2 * y), 255 if character in "█▀" else 0)
                image.putpixel((x, 2 * y + 1), 255 if character in "█▄" else 0)
            else:
                image.putpixel((x, y), 255 if character == "#" else 0)
    return image.resize((width * 4, height * 4), Image.Resampling.NEAREST)


@pytest.mark.parametrize("unicode", [True, False])
def test_codes_in_the_terminal_are_read(unicode: bool) -> None:
    lines = terminal_lines(matrix(RECORD_URL), unicode=unicode, color=False)
    assert len({len(line) for line in lines}) == 1
    assert zbar(picture_of_lines(lines, unicode)) == [RECORD_URL]


def test_colours_are_set_where_the_terminal_takes_them() -> None:
    plain = terminal_lines(matrix(RECORD_URL), unicode=True, color=False)
    colored = terminal_lines(matrix(RECORD_URL), unicode=True, color=True)
    assert [
        line.removeprefix("\x1b[38;5;231;48;5;16m").removesuffix("\x1b[0m") for line in colored
    ] == plain


def show(*options: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pybadge", "show", str(RECORD), "--offline", "--qr", *options],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_show_prints_the_code() -> None:
    done = show(PYTHONIOENCODING="utf-8")
    assert (done.returncode, done.stderr) == (0, b"")
    lines = [
        line for line in done.stdout.decode().splitlines() if line and set(line) <= set("█▀▄ ")
    ]
    assert zbar(picture_of_lines(lines, True)) == [RECORD_URL]


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1"])
def test_a_console_without_blocks_gets_ascii(encoding: str) -> None:
    done = show(PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, b"")
    lines = [
        line
        for line in done.stdout.decode(encoding).splitlines()
        if len(line) > 60 and set(line) <= set("# ")
    ]
    assert zbar(picture_of_lines(lines, False)) == [RECORD_URL]


def test_show_takes_json_or_a_code() -> None:
    done = show("--json")
    assert done.returncode == 2
    assert b"not both" in done.stderr
    assert NUMBER.encode() not in done.stdout


def test_the_code_is_one_element(verified: Report) -> None:
    root = ElementTree.fromstring(pybadge.badge_svg(verified, qr=True))
    lines = [
        element
        for element in root.iter()
        if "stroke-dasharray" in element.attrib and element.tag.endswith("path")
    ]
    assert len(lines) == 1
    assert lines[0].attrib["shape-rendering"] == "crispEdges"


def test_a_matrix_is_kept_but_not_shared(tmp_path: Path) -> None:
    rows: Any = matrix(RECORD_URL)
    with pytest.raises(TypeError):
        rows[0][0] = False
