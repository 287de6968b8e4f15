"""The main job as a user runs it: the installed command, in a process of its own, on the real
record."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageStat

import pybadge as package
from pybadge.checks import CHECK_IDS
from tests.support.command import HANG, pybadge, report_of
from tests.support.data import DATA, NUMBER, RECORD, RECORD_BYTES, RECORD_URL, SUFFIX
from tests.support.documents import signed, to_bytes

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")
HOSTILE = (
    "</text><script>alert(1)</script>\x00\x1b]52;c;AAAA\x07\u202e^^5cinput{x}"
    "]](javascript:alert(1)) \"'`&|"
)


def test_verify_prints_a_report_and_exits_0() -> None:
    done = pybadge(
        "verify", str(RECORD), "--offline", "--abstract-file", str(DATA / "abstract-2402.15627.txt")
    )
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert NUMBER in text
    assert "verified" in text
    assert done.stderr == b""


def test_verify_json_is_one_object_of_the_fixed_shape() -> None:
    done = pybadge("verify", str(RECORD), "--offline", "--json")
    report = report_of(done)
    assert report["schema"] == "pybadge-report/1"
    assert report["input"] == str(RECORD)
    assert report["number"] == NUMBER
    assert report["verdict"] == "verified"
    assert [check["id"] for check in report["checks"]] == list(CHECK_IDS)
    assert all(
        set(check) == {"id", "status", "code", "detail", "source"} for check in report["checks"]
    )


@pytest.mark.parametrize(
    ("arguments", "stdin", "exit_code", "verdict"),
    [
        (["-"], RECORD_BYTES, 0, "verified"),
        (["-"], CHANGED, 1, "invalid"),
        (["-"], b'{"canonical_record": 1}', 1, "invalid"),
        (["-"], b"no json", 2, "unreadable"),
        (["-"], b'{"a": 1, "a": 1}', 2, "unreadable"),
        (["missing/file.json"], b"", 2, "unreadable"),
        (["not-a-number"], b"", 2, "unreadable"),
        ([SUFFIX, "--offline"], b"", 3, "not_checked"),
    ],
    ids=[
        "stdin",
        "changed",
        "no record",
        "no json",
        "duplicate key",
        "no file",
        "no number",
        "offline",
    ],
)
def test_exit_codes_and_one_json_object_in_every_case(
    arguments: list[str], stdin: bytes, exit_code: int, verdict: str
) -> None:
    done = pybadge("verify", "--json", *arguments, stdin=stdin)
    assert done.returncode == exit_code
    assert b"Traceback" not in done.stderr
    assert report_of(done)["verdict"] == verdict


def test_of_several_records_the_worst_decides(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(CHANGED)
    done = pybadge("verify", "--json", "--offline", str(RECORD), SUFFIX, str(bad))
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == [
        "verified",
        "not_checked",
        "invalid",
    ]
    assert done.returncode == 1


def test_show_says_what_the_record_says() -> None:
    text = pybadge("show", str(RECORD), "--offline").stdout.decode()
    for expected in (
        SUFFIX,
        "MegaScale",
        "2402.15627v1",
        "10.48550/arxiv.2402.15627",
        "Bitcoin timestamp",
        "2405.14430",
        "as served",
    ):
        assert expected in text


def test_latex_prints_the_two_lines() -> None:
    done = pybadge("latex", str(RECORD), "--offline")
    assert done.stdout.decode() == f"\\usepackage{{pith}}\n\\pithnumber{{{SUFFIX}}}\n"


def test_the_html_snippet_is_a_linked_image() -> None:
    text = pybadge("embed", str(RECORD), "--offline", "--format", "html").stdout.decode()
    link = ElementTree.fromstring(text.replace('">\n', '"/>').replace('"></a>', '"/></a>'))
    assert link.tag == "a"
    assert link.attrib["href"] == RECORD_URL
    (image,) = link
    assert {"src", "alt", "width", "height"} <= set(image.attrib)
    assert SUFFIX in image.attrib["alt"]
    assert "verified" in image.attrib["alt"]


def test_the_badge_draws_alike_in_chromium_librsvg_and_pillow(tmp_path: Path) -> None:
    svg, png = tmp_path / "badge.svg", tmp_path / "badge.png"
    assert pybadge("badge", str(RECORD), "--offline", "-o", str(svg)).returncode == 0
    assert (
        pybadge("badge", str(RECORD), "--offline", "-o", str(png), "--scale", "2").returncode == 0
    )
    root = ElementTree.fromstring(svg.read_text(encoding="utf-8"))
    width, height = (round(float(root.attrib[name])) for name in ("width", "height"))
    ours = on_white(Image.open(png))
    assert ours.size == (2 * width, 2 * height)
    subprocess.run(
        ["rsvg-convert", "--zoom", "2", "-o", str(tmp_path / "rsvg.png"), str(svg)], check=True
    )
    chromium_screenshot(svg, tmp_path / "chromium.png", width, height)
    # librsvg does not heed textLength and kerns by itself, so its letters stand a little
    # differently
    for name, limit in (("rsvg.png", 10), ("chromium.png", 10)):
        theirs = on_white(Image.open(tmp_path / name)).crop((0, 0, 2 * width, 2 * height))
        difference = max(ImageStat.Stat(ImageChops.difference(ours, theirs)).mean)
        assert difference < limit, (name, difference)
    assert len(ours.getcolors(maxcolors=1 << 16)) > 20, "there is text on it"


def on_white(image: Image.Image) -> Image.Image:
    image = image.convert("RGBA")
    return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image).convert("RGB")


def chromium_screenshot(svg: Path, target: Path, width: int, height: int) -> None:
    page = svg.with_suffix(".html")
    page.write_text(
        f'<!doctype html><body style="margin:0"><img src="{svg.name}" style="display:block">',
        encoding="utf-8",
    )
    profile = svg.parent / "profile"
    quiet = (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
    )
    subprocess.run(
        [
            "chromium",
            *quiet,
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--force-device-scale-factor=2",
            f"--user-data-dir={profile}",
            f"--window-size={max(width, 500)},{max(height, 200)}",
            f"--screenshot={target}",
            page.as_uri(),
        ],
        check=True,
        capture_output=True,
        timeout=HANG,
    )


def test_a_hostile_title_stays_inert_everywhere() -> None:
    document, key = signed(title=HOSTILE, authors=HOSTILE)
    report = package.verify(document, trusted=[key])
    assert report.verdict == "verified"
    svg = package.badge_svg(report)
    for element in ElementTree.fromstring(svg).iter():
        assert element.tag.split("}")[1] in {"svg", "title", "path", "g", "text", "rect", "circle"}
        assert not any(name.startswith("on") or "href" in name for name in element.attrib)
    for format in ("html", "markdown"):
        text = package.snippet(report, format=format)
        assert "<script" not in text
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)
        assert "javascript" not in text
    assert package.snippet(report, format="latex").count("\n") == 2
    assert "input" not in package.snippet(report, format="latex")


def test_a_hostile_title_is_printed_without_what_a_terminal_obeys() -> None:
    document, _ = signed(title=HOSTILE, authors=HOSTILE)
    done = pybadge("show", "-", "--offline", stdin=to_bytes(document))
    text = done.stdout.decode()
    assert "alert(1)" in text, "it is shown"
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text)
