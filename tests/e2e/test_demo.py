"""`make demo`: what a newcomer runs first, and the paper it compiles."""

from __future__ import annotations

import fcntl
import io
import json
import os
import re
import subprocess
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.support.data import RECORD_URL, ROOT, SUFFIX


def test_the_demo_made_what_it_says(demo: Path) -> None:
    expected = [
        "badge.png",
        "badge.svg",
        "embed.html",
        "embed.md",
        "paper.pdf",
        "paper.png",
        "paper.tex",
        "report.json",
    ]
    assert set(expected) <= {path.name for path in demo.iterdir()}
    assert json.loads((demo / "report.json").read_bytes())["verdict"] == "verified"
    abstract = {
        check["id"]: check for check in json.loads((demo / "report.json").read_bytes())["checks"]
    }["abstract"]
    assert abstract["status"] == "valid"


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `make demo` makes; running it a second time installs nothing.

    It is made once for all of pytest-xdist's workers: another would write over what this one reads.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with open(shared / "demo.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared / "demo.made").exists():
            make_demo()
            assert "Installing" not in make_demo()
            (shared / "demo.made").touch()
    return ROOT / "build" / "demo"


def make_demo() -> str:
    """What `make demo` prints."""
    done = subprocess.run(
        ["make", "-s", "demo"], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "paper.pdf" in done.stdout
    return done.stdout + done.stderr


def test_the_demo_paper_carries_the_number(demo: Path) -> None:
    with pikepdf.open(demo / "paper.pdf") as pdf:
        page = pdf.pages[0]
        links = [
            (str(annotation.A.URI), [float(value) for value in annotation.Rect])
            for annotation in page.get("/Annots", [])
            if annotation.get("/Subtype") == "/Link" and "/URI" in annotation.get("/A", {})
        ]
        assert [link for link, _ in links] == [RECORD_URL]
        assert str(pdf.docinfo["/PithNumber"]) == f"pith:{SUFFIX}"
        height = float(page.mediabox[3])
    left, bottom, right, top = links[0][1]
    words = page_words(demo / "paper.pdf")
    title = min(word for word in words if word[4] == "MegaScale:")
    abstract = next(word for word in words if word[4] == "Abstract")
    badge_top, badge_bottom = height - top, height - bottom
    assert title[3] <= badge_top, "below the title"
    assert badge_bottom <= abstract[1] + 1, "above the abstract"
    inside = "".join(
        word[4] for word in words if word[1] >= badge_top - 2 and word[3] <= badge_bottom + 2
    )
    assert "pith:XR2UHLWN" in inside
    assert_the_badge_is_drawn(demo / "paper.pdf", (left, badge_top, right, badge_bottom))


def page_words(pdf: Path) -> list[tuple[float, float, float, float, str]]:
    """The words of page 1 with their boxes, origin at the top left, in bp."""
    text = subprocess.run(
        ["pdftotext", "-bbox", "-l", "1", str(pdf), "-"], capture_output=True, text=True, check=True
    ).stdout
    found = re.findall(
        r'<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</word>', text
    )
    return [(float(a), float(b), float(c), float(d), word) for a, b, c, d, word in found]


def assert_the_badge_is_drawn(pdf: Path, box: tuple[float, float, float, float]) -> None:
    """Two tones fill the link's box on the rendered page, and nothing of them lies outside it."""
    scale = 4
    command = ["pdftoppm", "-r", str(72 * scale), "-l", "1", "-png", str(pdf)]
    page = Image.open(
        io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout)
    ).convert("RGB")
    left, top, right, bottom = (value * scale for value in box)
    middle = round((top + bottom) / 2)
    tones = {
        page.getpixel((round(x), round(bottom - 2)))
        for x in (left + (right - left) * 0.15, left + (right - left) * 0.8)
    }
    assert len(tones) == 2
    assert all(min(tone) < 200 for tone in tones)
    assert page.getpixel((round(left) - 6, middle)) == (255, 255, 255)
    assert page.getpixel((round(right) + 6, middle)) == (255, 255, 255)
