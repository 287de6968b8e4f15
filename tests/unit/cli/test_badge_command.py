"""``pybadge badge`` in a process of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import pybadge
from pybadge.badge import STATES, STYLES, THEMES
from pybadge.checks import Report
from tests.support.badge_cases import DATE
from tests.support.data import NUMBER, RECORD, ROOT, SUFFIX
from tests.support.documents import real


def badge(
    *arguments: str, what: str = str(RECORD), **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pybadge", "badge", what, "--offline", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        check=False,
        timeout=120,
    )


def size(png: bytes) -> tuple[int, int]:
    return Image.open(io.BytesIO(png)).size


@pytest.fixture
def tampered(tmp_path: Path) -> str:
    own = real()
    own["receipt"]["signature_b64"] = "A" * 86 + "=="
    path = tmp_path / "tampered.json"
    path.write_text(json.dumps(own))
    return str(path)


@pytest.fixture
def unsigned(tmp_path: Path) -> str:
    own = real()
    del own["receipt"]
    path = tmp_path / "unsigned.json"
    path.write_text(json.dumps(own))
    return str(path)


def test_without_a_file_svg_goes_to_stdout(verified: Report) -> None:
    done = badge()
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == pybadge.badge_svg(verified) + "\n"


def test_the_options_reach_the_drawing(verified: Report) -> None:
    words = "--style plastic --theme dark --message <x> --color teal --label-color #123 --scale 1.5"
    more = "--facts cited --word --no-mark --link --qr --qr-mark --qr-color navy"
    done = badge("--label", "L & M", *words.split(), *more.split())
    assert (done.returncode, done.stderr) == (0, b"")
    expected = pybadge.badge_svg(
        verified, style="plastic", theme="dark", label="L & M", message="<x>", color="teal",
        label_color="#123", scale=1.5, facts=("cited",), word=True, mark=False, link=True, qr=True,
        qr_mark=True, qr_color="navy",
    )  # fmt: skip
    assert done.stdout.decode() == expected + "\n"
    assert badge("--height", "30").stdout.decode() == pybadge.badge_svg(verified, height=30) + "\n"
    assert (
        badge("--facts", "all").stdout.decode()
        == pybadge.badge_svg(verified, facts=pybadge.badge.FACTS) + "\n"
    )
    assert (
        badge("--text-as-paths").stdout.decode()
        == pybadge.badge_svg(verified, text_as_paths=True) + "\n"
    )


def test_files_are_written_by_their_ending(verified: Report, tmp_path: Path) -> None:
    for name in ("a.svg", "a.png", "a.json", "A.SVG", "b.PNG"):
        assert badge("-o", str(tmp_path / name)).returncode == 0
    assert (
        (tmp_path / "a.svg").read_text()
        == pybadge.badge_svg(verified) + "\n"
        == (tmp_path / "A.SVG").read_text()
    )
    assert (tmp_path / "a.png").read_bytes() == pybadge.badge_png(verified)
    assert json.loads((tmp_path / "a.json").read_bytes()) == pybadge.badge.badge_shields(verified)
    assert (
        badge("-o", str(tmp_path / "r.png"), "--renderer", "resvg", "--scale", "3").returncode == 0
    )
    assert size((tmp_path / "r.png").read_bytes()) == size(pybadge.badge_png(verified, scale=3))


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["-o", "x.gif"], "must end in .svg, .png, .json"),
        (["-o", "x.svg", "--all", "y"], "not both"),
        (["--style", "flatt"], "--style: invalid choice: 'flatt' (choose from flat, flat-square"),
        (["--theme", "blue"], "--theme: invalid choice"),
        (["--color", "javascript:"], "color: invalid choice"),
        (["--state", "unknwon"], "did you mean unknown?"),
        (["--state", "invalid"], "can't say invalid"),
        (["--date", "today"], "give YYYY-MM-DD"),
        (["--facts", "famous"], "--facts: invalid choice"),
        (["--label", ""], "needs a label"),
        (["--scale", "0"], "scale must be a number"),
        (["--scale", "nan"], "must be a number"),
        (["--scale", "1_0"], "must be a number"),
        (["--scale", "٣"], "must be a number"),
        (["--scale", "2", "--height", "30"], "not both"),
        (["--qr", "--qr-color", "yellow"], "less than 4.5:1"),
        (["-o", "x.png", "--scale", "1.5"], "whole number"),
        (["-o", "x.png", "--qr", "--scale", "1"], "at least 2"),
        (["-o", "x.png", "--height", "30"], "a height is for SVG"),
        (["-o", "x.png", "--link"], "a link is for SVG"),
        (["-o", "x.json", "--style", "card"], "takes a label"),
        (["-o", "x.json", "--facts", "all"], "takes a label"),
        (["--all", "y", "--style", "card"], "--all draws every style"),
        (["--renderer", "resvg"], "--renderer is for PNG"),
        (["-o", "x.png", "--renderer", "cairo"], "--renderer: invalid choice"),
        (["-o", "/nonexistent/x.svg"], "can't be written"),
    ],
)
def test_what_makes_no_sense_is_one_line_and_code_2(
    arguments: list[str], fault: str, tmp_path: Path
) -> None:
    done = badge(*arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    line = done.stderr.decode()
    assert line.count("\n") == 1
    assert line.startswith("pybadge: ")
    assert fault in line
    assert not (ROOT / "x.png").exists()


@pytest.mark.parametrize(
    "arguments",
    [["--style", "x"], ["--color", "x"], ["--facts", "x"], ["--scale", "x"], ["-o", "x.gif"]],
)
def test_a_slip_is_told_before_anybody_is_asked_for_the_record(arguments: list[str]) -> None:
    assert badge(what=NUMBER).returncode == 3, "nobody has it"
    assert badge(*arguments, what=NUMBER).returncode == 2


def test_an_invalid_record_gets_its_badge_and_code_1(tampered: str) -> None:
    done = badge(what=tampered)
    assert done.returncode == 1
    assert b"INVALID" in done.stderr
    assert "invalid" in ElementTree.fromstring(done.stdout.decode()).attrib["aria-label"]
    for state in ("verified", "not_checked", "offline", "unknown"):
        refused = badge("--state", state, what=tampered)
        assert (refused.returncode, refused.stdout) == (2, b"")


def test_an_unchecked_record_gets_its_badge_and_code_3(unsigned: str) -> None:
    done = badge(what=unsigned)
    assert done.returncode == 3
    assert b"not checked" in done.stdout
    refused = badge("--state", "verified", what=unsigned)
    assert (refused.returncode, refused.stdout) == (2, b"")


def test_a_record_that_can_not_be_had_is_drawn_only_when_asked_for(tmp_path: Path) -> None:
    done = badge(what=NUMBER)
    assert (done.returncode, done.stdout) == (3, b"")
    drawn = badge("--state", "offline", "--date", DATE, what=NUMBER)
    assert drawn.returncode == 3
    assert f"offline {DATE}".encode() in drawn.stdout
    assert SUFFIX[:8].encode() in drawn.stdout
    assert badge("--state", "verified", what=NUMBER).stdout == b""


def test_offline_takes_todays_date_or_that_of_the_build() -> None:
    dated = badge("--state", "offline", SOURCE_DATE_EPOCH="1700000000")
    assert b"offline 2023-11-14" in dated.stdout
    import re

    assert re.search(rb"offline 20\d\d-\d\d-\d\d", badge("--state", "offline").stdout)


def test_a_missing_glyph_is_told_on_stderr(tmp_path: Path) -> None:
    done = badge("--message", "中", "-o", str(tmp_path / "x.png"))
    assert done.returncode == 0
    assert "no U+4E2D" in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_all_writes_every_style_theme_and_state_and_a_page(
    tmp_path: Path, verified: Report
) -> None:
    folder = tmp_path / "deep" / "gallery"
    assert badge("--all", str(folder)).returncode == 0
    for style in STYLES:
        for theme in THEMES:
            for state in STATES:
                svg = (folder / f"{style}-{theme}-{state.replace('_', '-')}.svg").read_text()
                name = ElementTree.fromstring(svg).attrib["aria-label"]
                if state == "invalid":
                    assert "specimen" in name, "the record is not invalid: this only shows the look"
                    assert SUFFIX[:8] not in svg
                else:
                    assert NUMBER in name
    assert (folder / "flat-light-verified.svg").read_text() == pybadge.badge_svg(verified)
    page = (folder / "index.html").read_text()
    assert "<script" not in page
    from lxml import html

    sources = [image.get("src") for image in html.fromstring(page).iter("img")]
    assert len(sources) == len(STYLES) * (len(STATES) * len(THEMES) + 2)
    assert all((folder / source).is_file() for source in sources)
    assert badge("--all", str(folder)).returncode == 0, "again into the same folder"


def test_a_gallery_never_holds_a_verified_badge_of_another_record(
    tampered: str, unsigned: str, tmp_path: Path
) -> None:
    for what, code in ((tampered, 1), (unsigned, 3)):
        folder = tmp_path / str(code)
        assert badge("--all", str(folder), what=what).returncode == code
        for path in folder.iterdir():
            assert "verified" not in path.name
            if path.suffix == ".svg":
                assert "verified" not in path.read_text(), path.name
    assert not list((tmp_path / "1").glob("*not-checked-qr*"))


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    target = tmp_path / "badge.svg"
    target.write_text("old")
    assert badge("--style", "nope", "-o", str(target)).returncode == 2
    assert target.read_text() == "old"
    assert badge("-o", str(target)).returncode == 0
    assert target.read_text().startswith("<svg")
    assert [path.name for path in tmp_path.iterdir()] == ["badge.svg"]


def test_the_badge_of_the_readme_is_up_to_date(verified: Report) -> None:
    # tools/gallery-picture draws it, and the gallery beside it.
    assert (ROOT / "docs" / "badge.svg").read_text(encoding="utf-8") == pybadge.badge_svg(
        verified
    ) + "\n"
    assert "docs/gallery.png" in (ROOT / "README.md").read_text(encoding="utf-8")
    width, height = size((ROOT / "docs" / "gallery.png").read_bytes())
    assert width > 2 * height
