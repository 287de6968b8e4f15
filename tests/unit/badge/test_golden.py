"""The same input gives the same bytes: golden files, and determinism across processes, orders,
threads and locales."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import pybadge
from pybadge.badge import STATES, STYLES, THEMES
from tests.support.badge_cases import GOLDEN, pictures, reports

HERE = Path(__file__).parent
PICTURES = dict(pictures())
_DIGEST = """
import locale, sys, hashlib, random
if len(sys.argv) > 2: locale.setlocale(locale.LC_ALL, sys.argv[2])
from tests.support.badge_cases import pictures, reports
import pybadge
order = list(pictures())
for name, svg in sorted(order):
    sys.stdout.write(hashlib.sha256(svg.encode()).hexdigest() + "\\n")
png = pybadge.badge_png(reports()["verified"], style="card", qr=True)
sys.stdout.write(hashlib.sha256(png).hexdigest() + "\\n")
if len(sys.argv) > 2: sys.stdout.write(f"{1.5:n}\\n")
"""


def test_there_is_a_golden_file_for_each_picture() -> None:
    assert {path.name for path in GOLDEN.glob("*.svg")} == set(PICTURES)
    assert len(PICTURES) >= 7 * 3 * 5


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_a_golden_picture_is_drawn_byte_for_byte(name: str) -> None:
    # If this change was meant: python -m tests.support.badge_cases, and look at the pictures.
    assert PICTURES[name] == (GOLDEN / name).read_text(encoding="utf-8")


def digests(*arguments: str, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", _DIGEST, "x", *arguments],
        cwd=HERE,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    return done.stdout.split("\n")


def test_the_same_bytes_in_every_process() -> None:
    here = [hashlib.sha256(PICTURES[name].encode()).hexdigest() for name in sorted(PICTURES)]
    png = pybadge.badge_png(reports()["verified"], style="card", qr=True)
    here.append(hashlib.sha256(png).hexdigest())
    for seed in ("0", "1", "4711"):
        assert digests(PYTHONHASHSEED=seed)[:-1] == here


def test_numbers_have_a_dot_in_a_locale_with_a_comma(
    german_locale: dict[str, str],
) -> None:
    plain = digests()
    german = digests("de_DE.UTF-8", **german_locale)
    assert german[-2] == "1,5", "the locale is really in force"
    assert german[:-2] == plain[:-1]


def test_the_same_bytes_in_any_order_and_thread() -> None:
    known = reports()
    jobs = [(state, style, theme) for state in STATES for style in STYLES for theme in THEMES]

    def draw(job: tuple[str, str, str]) -> str:
        state, style, theme = job
        return pybadge.badge_svg(known[state], style=style, theme=theme)

    first = {job: draw(job) for job in jobs}
    for seed in range(3):
        shuffled = jobs * 2
        random.Random(seed).shuffle(shuffled)
        with ThreadPoolExecutor(8) as pool:
            for job, found in zip(shuffled, pool.map(draw, shuffled), strict=True):
                assert found == first[job]
