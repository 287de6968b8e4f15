#!/usr/bin/env python3
"""Badges a second, bytes and memory, side by side with badge-maker (npm), pybadges, anybadge and
genbadge (PyPI).

Every tool draws the same kind of badge: label ``pith``, a message that is different each time, a
colour. The tools take turns in short rounds, so that a busy machine slows all of them alike; the
figure of each is its best round, and what counts are the ratios. Run by `make bench`; the peers are
installed into build/bench, never into .venv.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path
from typing import TYPE_CHECKING

import pybadge
from pybadge.badge import Badge, paint_svg
from pybadge.badge.render.png_pillow import paint_png
from pybadge.badge.render.svg import render
from pybadge.number import PithNumber

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "bench"
ROUNDS = 40
SVGS, PNGS = 400, 8

_NODE = """
const { makeBadge } = require('badge-maker')
const count = Number(process.argv[2]), rounds = Number(process.argv[3])
const message = index => 'N' + String(index).padStart(7, '0')
const draw = index => makeBadge({ label: 'pith', message: message(index), color: '#1a7f41', style: 'flat' })
for (let index = 0; index < 30000; index++) draw(index)
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const start = process.hrtime.bigint()
  for (let index = 0; index < count; index++) draw(index + Number(line) * count)
  console.log(JSON.stringify({ seconds: Number(process.hrtime.bigint() - start) / 1e9, bytes: Buffer.byteLength(draw(0)) }))
})
"""

_PEERS = """
import json, sys, time
name, count = sys.argv[1], int(sys.argv[2])
if name == "pybadges":
    import pybadges
    draw = lambda text: pybadges.badge(left_text="pith", right_text=text, right_color="#1a7f41")
elif name == "anybadge":
    import anybadge
    draw = lambda text: anybadge.Badge("pith", text, default_color="#1a7f41").badge_svg_text
else:
    from genbadge import Badge
    draw = lambda text: Badge("pith", text, color="#1a7f41").as_svg(use_shields=False)
draw("warm up")
for line in sys.stdin:
    start = time.perf_counter()
    for index in range(count):
        draw(f"N{index + int(line) * count:07d}")
    found = {"seconds": time.perf_counter() - start, "bytes": len(draw("N0000000").encode())}
    print(json.dumps(found), flush=True)
"""


def install() -> Path:
    """Install the peers once; returns their Python."""
    PLACE.mkdir(parents=True, exist_ok=True)
    python = PLACE / "venv" / "bin" / "python"
    if not (PLACE / ".installed").exists():
        print("Installing badge-maker, pybadges, anybadge and genbadge into build/bench")
        if shutil.which("npm") is None:
            sys.exit("bench: badge-maker needs node and npm (Debian: apt-get install nodejs npm)")
        (PLACE / "package.json").write_text('{"private": true}\n')
        npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "badge-maker@6"]
        subprocess.run(npm, cwd=PLACE, check=True, stdout=subprocess.DEVNULL)
        venv.create(PLACE / "venv", with_pip=True)
        packages = ["pybadges", "anybadge", "genbadge", "setuptools<81"]
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", *packages],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        (PLACE / ".installed").touch()
    (PLACE / "badge-maker.js").write_text(_NODE)
    (PLACE / "peers.py").write_text(_PEERS)
    return python


class Peer:
    """Another tool, running in a process of its own and drawing when told to."""

    def __init__(self, command: list[str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=PLACE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.bytes = 0

    def round(self, index: int) -> float:
        assert self.process.stdin is not None and self.process.stdout is not None  # noqa: PT018  no test: it tells the type checker that both are pipes
        self.process.stdin.write(f"{index}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.bytes = answer["bytes"]
        seconds: float = answer["seconds"]
        return seconds

    def close(self) -> None:
        self.process.communicate()


def timed(draw: Callable[[int], object], count: int, index: int) -> float:
    start = time.perf_counter()
    for number in range(index * count, (index + 1) * count):
        draw(number)
    return time.perf_counter() - start


def message(index: int) -> str:
    return f"N{index:07d}"


def flat(index: int) -> str:
    text = message(index)
    return paint_svg(Badge("pith", text, "verified", f"pith: pith:2024:{text}, verified"))


def unframed(index: int) -> str:
    from pybadge.badge.options import DEFAULT_LOOK

    text = message(index)
    return render(
        Badge("pith", text, "verified", f"pith: pith:2024:{text}, verified"), DEFAULT_LOOK
    )


def svg_speed(python: Path, report: pybadge.Report) -> None:
    peers = {"badge-maker": Peer(["node", "badge-maker.js", str(SVGS), str(ROUNDS)])}
    for name in ("pybadges", "anybadge", "genbadge"):
        peers[name] = Peer([str(python), "peers.py", name, str(SVGS // 20)])
    # As many different reports as in one round: each badge has its own number.
    reports = [report.replace(number=PithNumber(f"{index:026d}", 2024)) for index in range(SVGS)]
    own: dict[str, Callable[[int], str]] = {
        "pybadge, from a badge": flat,
        "pybadge, from a report": lambda index: pybadge.badge_svg(reports[index % len(reports)]),
        "pybadge, no frame kept": unframed,
    }
    times: dict[str, list[float]] = {name: [] for name in (*own, *peers)}
    for index in range(ROUNDS):
        for name, draw in own.items():
            count = SVGS // 20 if draw is unframed else SVGS
            times[name].append(timed(draw, count, index) / count)
        for name, peer in peers.items():
            times[name].append(peer.round(index) / (SVGS if name == "badge-maker" else SVGS // 20))
    best = {name: min(found) for name, found in times.items()}
    print(f"{'flat SVG':<26}{'a second':>10}{'to badge-maker':>16}{'bytes':>8}")
    for name, seconds in best.items():
        size = peers[name].bytes if name in peers else len(own[name](0).encode())
        print(f"{name:<26}{1 / seconds:>10.0f}{best['badge-maker'] / seconds:>15.2f}x{size:>8}")
    for peer in peers.values():
        peer.close()
    print(f"{'with a QR code':<60}{len(pybadge.badge_svg(report, qr=True).encode()):>8}")


def png_speed(report: pybadge.Report) -> None:
    import resvg_py

    from pybadge.badge import badge_of
    from pybadge.badge.fonts.data import FONT_FILES

    font = str(ROOT / "pybadge" / "badge" / "fonts" / FONT_FILES["regular"])
    badges = [badge_of(report, message=message(index)) for index in range(PNGS)]
    svgs = [paint_svg(badge) for badge in badges]
    tools: dict[str, Callable[[int], bytes]] = {
        "pybadge": lambda index: paint_png(badges[index % PNGS]),
        "resvg-py, same SVG": lambda index: bytes(
            resvg_py.svg_to_bytes(
                svg_string=svgs[index % PNGS], zoom=2, skip_system_fonts=True, font_files=[font]
            )
        ),
    }
    times: dict[str, list[float]] = {name: [] for name in tools}
    for draw in tools.values():
        draw(0)
    for index in range(ROUNDS):
        for name, draw in tools.items():
            times[name].append(timed(draw, PNGS, index) / PNGS)
    best = {name: min(found) for name, found in times.items()}
    print(f"{'flat PNG, 2x':<26}{'ms':>10}{'to resvg-py':>16}{'bytes':>8}")
    for name, seconds in best.items():
        share = best["resvg-py, same SVG"] / seconds
        print(f"{name:<26}{seconds * 1e3:>10.2f}{share:>15.2f}x{len(tools[name](0)):>8}")


def resident() -> int:
    """Resident memory in kB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def memory(report: pybadge.Report) -> None:
    for index in range(500):
        pybadge.badge_png(report, message=message(index))
    before = resident()
    for index in range(500, 10_500):
        pybadge.badge_png(report, message=message(index))
    print(f"10,000 PNGs: memory grows by {(resident() - before) / 1024:.1f} MB")


def main() -> None:
    python = install()
    report = pybadge.verify(pybadge.load(ROOT / "tests" / "data" / "record-XR2UHLWN.json"))
    svg_speed(python, report)
    png_speed(report)
    memory(report)


if __name__ == "__main__":
    main()
