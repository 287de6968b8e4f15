"""How fast badges are drawn: as SVG beside badge-maker (npm), pybadges, anybadge and genbadge
(PyPI), as PNG beside resvg-py; how many bytes a badge has, and that memory doesn't grow.

Everything varies from badge to badge: number, label, message, link, and the facts where there are
any. The tools take turns in short rounds, so that a busy machine slows all of them alike; a tool's
figure is the CPU time of its best round. The other tools are installed into build/bench, never into
.venv. Run by `make bench`; ends with 1 where a limit is missed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import resvg_py

import pybadge
from pybadge.badge import badge_png, badge_svg
from pybadge.badge.fonts.data import FONT_FILES
from pybadge.badge.options import BadgeKeywords
from pybadge.number import PithNumber

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "data" / "record-XR2UHLWN.json"
PLACE = ROOT / "build" / "bench"
ROUNDS = 30
COUNT = 400  # badges a round
SLOW = 20  # how many fewer of what is slow
PNGS = 8
CODES = 32  # numbers whose QR code is computed beforehand

NPM = ["badge-maker@6.0.0"]
PYPI = ["anybadge==1.16.0", "genbadge==1.1.3", "pybadges==3.0.1", "setuptools==80.9.0"]

_NODE = """
const { makeBadge } = require('badge-maker')
const count = Number(process.argv[2])
const draw = index => makeBadge({
  label: `label ${index % 977}`,
  message: 'N' + String(index).padStart(7, '0'),
  color: '#1a7f41',
  style: 'flat',
  links: [`https://pith.science/pith/${String(index).padStart(26, 'A')}`],
})
for (let index = 0; index < 30000; index++) draw(index)
require('readline').createInterface({ input: process.stdin }).on('line', line => {
  const before = process.cpuUsage()
  for (let index = 0; index < count; index++) draw(index + Number(line) * count)
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ seconds: (user + system) / 1e6, bytes: Buffer.byteLength(draw(0)) }))
})
"""

_PYTHON = """
import json, sys, time
name, count = sys.argv[1], int(sys.argv[2])
if name == "pybadges":
    import pybadges
    def draw(label, text, link):
        return pybadges.badge(
            left_text=label, right_text=text, right_color="#1a7f41", whole_link=link
        )
elif name == "anybadge":
    import anybadge
    def draw(label, text, link):
        return anybadge.Badge(label, text, default_color="#1a7f41").badge_svg_text
else:
    from genbadge import Badge
    def draw(label, text, link):
        return Badge(label, text, color="#1a7f41").as_svg(use_shields=False)
def badge(index):
    link = f"https://pith.science/pith/{index:0>26}"
    return draw(f"label {index % 977}", f"N{index:07d}", link)
badge(0)
for line in sys.stdin:
    start = time.process_time()
    for index in range(count):
        badge(index + int(line) * count)
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "bytes": len(badge(0).encode())}), flush=True)
"""

missed: list[str] = []


def limited(name: str, value: float, limit: float, *, at_least: bool = True) -> None:
    """One line: a figure, its limit, and whether it keeps to it."""
    kept = value >= limit if at_least else value <= limit
    if not kept:
        missed.append(name)
    bound = f"{'at least' if at_least else 'at most'} {limit:g}"
    print(f"  {name:<60} {value:8.2f}   {bound:<14} {'ok' if kept else 'MISSED'}")


def install() -> Path:
    """Install the other tools once; returns their Python."""
    for command in ("node", "npm"):
        if shutil.which(command) is None:
            sys.exit(f"bench: badge-maker needs the command {command}")
    python = PLACE / "venv" / "bin" / "python"
    wanted = "\n".join([*NPM, *PYPI])
    installed = PLACE / "installed"
    if not installed.exists() or installed.read_text() != wanted:
        print("Installing badge-maker, pybadges, anybadge and genbadge into build/bench")
        PLACE.mkdir(parents=True, exist_ok=True)
        (PLACE / "package.json").write_text('{"private": true}\n')
        npm = ["npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
        subprocess.run([*npm, *NPM], cwd=PLACE, check=True, stdout=subprocess.DEVNULL)
        venv.create(PLACE / "venv", with_pip=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *PYPI], check=True, stderr=subprocess.DEVNULL)
        installed.write_text(wanted)
    (PLACE / "badge-maker.js").write_text(_NODE)
    (PLACE / "peers.py").write_text(_PYTHON)
    return python


class Peer:
    """Another tool, in a process of its own, which draws when told to."""

    def __init__(self, command: list[str], count: int) -> None:
        self.count = count
        self.bytes = 0
        self.process = subprocess.Popen(
            [*command, str(count)],
            cwd=PLACE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def round(self, index: int) -> float:
        """CPU seconds a badge in one round."""
        assert self.process.stdin is not None and self.process.stdout is not None  # noqa: PT018  no test: it tells the type checker that both are pipes
        self.process.stdin.write(f"{index}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        self.bytes = answer["bytes"]
        seconds: float = answer["seconds"]
        return seconds / self.count

    def close(self) -> None:
        self.process.communicate()


class Own:
    """One way to draw with pybadge."""

    def __init__(self, draw: Callable[[int], str | bytes], count: int = COUNT) -> None:
        self.draw = draw
        self.count = count

    @property
    def bytes(self) -> int:
        made = self.draw(0)
        return len(made) if isinstance(made, bytes) else len(made.encode())

    def round(self, index: int) -> float:
        """CPU seconds a badge in one round."""
        start = time.process_time()
        for number in range(index * self.count, (index + 1) * self.count):
            self.draw(number)
        return (time.process_time() - start) / self.count


def in_turn(tools: dict[str, Own | Peer], rounds: int = ROUNDS) -> dict[str, float]:
    """CPU seconds a badge of each tool's best round; the first one warms up."""
    times: dict[str, list[float]] = {name: [] for name in tools}
    for index in range(rounds + 1):
        for name, tool in tools.items():
            times[name].append(tool.round(index))
    return {name: min(found[1:]) for name, found in times.items()}


def reports() -> list[pybadge.Report]:
    """As many reports as badges in a round, each of another number with other citations."""
    found = []
    for index in range(COUNT):
        document = json.loads(RECORD.read_bytes())
        document["inbound_citations"]["count"] = index + 1
        report = pybadge.verify(document)
        found.append(replace(report, number=PithNumber(f"{index:A>26}", 2024)))
    return found


PLAIN: BadgeKeywords = {}


def options(index: int, more: BadgeKeywords = PLAIN) -> BadgeKeywords:
    """A label and a message of its own, and more."""
    return {**more, "label": f"label {index % 977}", "message": f"N{index:07d}"}


def svg_speed(python: Path, known: list[pybadge.Report]) -> None:
    """SVG against the field, through the public function."""

    def drawn(more: BadgeKeywords, count: int = COUNT, numbers: int = COUNT) -> Own:
        return Own(lambda index: badge_svg(known[index % numbers], **options(index, more)), count)

    ours: dict[str, Own | Peer] = {
        "flat": drawn({"link": True}),
        "flat, with a fact": drawn({"link": True, "facts": ["cited"]}),
        "card": drawn({"link": True, "facts": ["cited"], "style": "card"}, COUNT // SLOW),
        "flat, with a given QR code": drawn({"link": True, "qr": True}, COUNT // SLOW, CODES),
    }
    theirs: dict[str, Own | Peer] = {"badge-maker": Peer(["node", "badge-maker.js"], COUNT)}
    for name in ("pybadges", "anybadge", "genbadge"):
        theirs[name] = Peer([str(python), "peers.py", name], COUNT // SLOW)
    for index in range(CODES):
        badge_svg(known[index], qr=True)  # the matrix is kept
    tools = {**ours, **theirs}
    best = in_turn(tools)
    print(f"SVG, CPU time, best of {ROUNDS} rounds\n  {'':<28}{'a second':>10}{'bytes':>8}")
    for name, seconds in best.items():
        print(f"  {name:<28}{1 / seconds:>10,.0f}{tools[name].bytes:>8}")
    rival = best["badge-maker"]
    limited("flat: speed / badge-maker", rival / best["flat"], 0.7)
    limited("flat, with a fact: speed / badge-maker", rival / best["flat, with a fact"], 0.4)
    limited("card: badges a second", 1 / best["card"], 800)
    code = best["flat, with a given QR code"]
    limited("flat, with a given QR code: badges a second", 1 / code, 800)
    for tool in theirs.values():
        if isinstance(tool, Peer):
            tool.close()


def png_speed(known: list[pybadge.Report]) -> None:
    """PNG against resvg-py, which is given the finished SVG."""
    font = str(ROOT / "pybadge" / "badge" / "fonts" / FONT_FILES["regular"])
    svgs = [badge_svg(known[index], **options(index)) for index in range(COUNT)]

    def resvg(index: int) -> bytes:
        svg = svgs[index % COUNT]
        made = resvg_py.svg_to_bytes(
            svg_string=svg, zoom=2, skip_system_fonts=True, font_files=[font]
        )
        return bytes(made)

    tools: dict[str, Own | Peer] = {
        "pybadge": Own(lambda index: badge_png(known[index % COUNT], **options(index)), PNGS),
        "resvg-py, the same SVG": Own(resvg, PNGS),
    }
    best = in_turn(tools)
    print(f"\nPNG, flat, 2x, CPU time, best of {ROUNDS} rounds\n  {'':<28}{'ms':>10}{'bytes':>8}")
    for name, seconds in best.items():
        print(f"  {name:<28}{seconds * 1e3:>10.2f}{tools[name].bytes:>8}")
    limited("flat PNG: speed / resvg-py", best["resvg-py, the same SVG"] / best["pybadge"], 1)


def resident() -> int:
    """Resident memory in kB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1])
    return 0


def memory(known: list[pybadge.Report]) -> None:
    """10,000 PNGs."""
    for index in range(500):
        badge_png(known[index % COUNT], **options(index))
    before = resident()
    for index in range(500, 10_500):
        badge_png(known[index % COUNT], **options(index))
    print("\nMemory")
    limited("10,000 PNGs: growth, MB", (resident() - before) / 1024, 10, at_least=False)


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    python = install()
    known = reports()
    svg_speed(python, known)
    png_speed(known)
    memory(known)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
