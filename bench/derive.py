"""How fast numbers are derived from a snapshot, whether memory stays flat, and what a second
process gives.

Figures are CPU time of one process, best of several, so that a busy machine changes them little;
the gain of two processes is wall time and can only show where two processors are free.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from pybadge.derive.bulk.run import derive_range, derive_snapshot
from pybadge.derive.bulk.search import find_in_numbers
from pybadge.number import parse_number

TARGET = 20_000  # lines a second of one core
GAIN = 1.6  # of two processes over one, on two free processors
LINES = 40_000
DATA = Path(__file__).resolve().parents[1] / "tests" / "data"


def write_snapshot(path: Path, lines: int) -> None:
    """Lines of the size and make-up of arXiv's: a title of two lines, an abstract of 1,000
    characters, a few authors."""
    pick = random.Random(1)
    words = (DATA / "abstract-2402.15627.txt").read_text(encoding="utf-8").split()
    names = [
        ["Jiang", "Ziheng", ""],
        ["Lin", "Haibin", ""],
        ["Zhong", "Yinmin", ""],
        ["Huang", "Qi", ""],
    ]
    with path.open("w", encoding="ascii") as stream:
        for number in range(lines):
            chosen = pick.choices(words, k=pick.randint(90, 220))
            abstract = "".join(
                word + ("\n" if index % 12 == 11 else " ") for index, word in enumerate(chosen)
            )
            versions = pick.choice([1, 1, 1, 2, 3])
            value = {
                "id": f"{1000 + number // 90000:04}.{10000 + number % 90000:05}",
                "submitter": "Haibin Lin",
                "authors": ", ".join(f"{first} {last}" for last, first, _ in names),
                "title": " ".join(pick.choices(words, k=6))
                + "\n  "
                + " ".join(pick.choices(words, k=4)),
                "comments": "12 pages, 5 figures",
                "journal-ref": None,
                "doi": None,
                "report-no": None,
                "categories": pick.choice(["cs.LG cs.DC", "hep-th", "math-ph math.MP gr-qc"]),
                "license": "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
                "abstract": f"  {abstract.strip()}\n",
                "versions": [
                    {
                        "version": f"v{version}",
                        "created": f"Fri, {pick.randint(1, 28)} Feb {2009 + version} 22:10:59 GMT",
                    }
                    for version in range(1, versions + 1)
                ],
                "update_date": "2024-02-27",
                "authors_parsed": names[: pick.randint(1, 4)] * 2,
            }
            stream.write(json.dumps(value) + "\n")


def line_rate(path: Path) -> float:
    """Lines a second of CPU time: read, canonicalise, hash, encode."""
    best = 0.0
    for _ in range(5):
        start = time.process_time()
        derived = derive_range(str(path), 0, path.stat().st_size)
        best = max(best, derived.lines / (time.process_time() - start))
    return best


def cpu_seconds(who: int) -> float:
    """CPU seconds of this process, or of its children that have ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def gain_of_two(path: Path, output: Path) -> tuple[float, float]:
    """How many times as fast two processes are as one: on the clock, and by the CPU time that each
    side of them takes.

    The second figure is what two free processors would give: one process's time over the time of
    half the work plus what only the leading process does.
    """
    rounds = []
    for _ in range(3):
        start, used = time.perf_counter(), cpu_seconds(resource.RUSAGE_SELF)
        derive_snapshot(str(path), str(output))
        one, alone = time.perf_counter() - start, cpu_seconds(resource.RUSAGE_SELF) - used
        start, used, before = (
            time.perf_counter(),
            cpu_seconds(resource.RUSAGE_SELF),
            cpu_seconds(resource.RUSAGE_CHILDREN),
        )
        with ProcessPoolExecutor(2) as executor:
            derive_snapshot(str(path), str(output), executor=executor, workers=2)
        two, leading = time.perf_counter() - start, cpu_seconds(resource.RUSAGE_SELF) - used
        rounds.append((one, two, alone, leading, cpu_seconds(resource.RUSAGE_CHILDREN) - before))
    one, two, alone, leading, working = (min(column) for column in zip(*rounds, strict=True))
    return one / two, alone / (working / 2 + leading)


def peak(path: Path, output: Path) -> int:
    """KiB that a process with this snapshot needs at most."""
    script = (
        "from pybadge.derive.bulk.run import derive_snapshot;"
        f"derive_snapshot({str(path)!r}, {str(output)!r}, range_bytes=1 << 20);"
        "print(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1])"
    )
    return int(
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout
    )


def main() -> int:
    """Measure and print; 1 where the lines a second miss the target."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path, part, output = folder / "s.jsonl", folder / "part.jsonl", folder / "n.jsonl"
        write_snapshot(path, LINES)
        write_snapshot(part, LINES // 8)
        rate = line_rate(path)
        print(
            f"derive: {rate:,.0f} snapshot lines a second of one core (at least {TARGET:,}), "
            f"{path.stat().st_size // LINES} bytes each"
        )
        print(
            f"derive: all of arXiv, 2.8 million lines, in {2.8e6 / rate / 60:.1f} minutes of one core"
        )
        small, whole = peak(part, output), peak(path, output)
        print(
            f"derive: peak memory {small // 1024} MiB for {LINES // 8:,} lines, {whole // 1024} MiB for {LINES:,}"
        )
        large = folder / "large.jsonl"
        data = path.read_bytes()
        large.write_bytes(
            data
            + data.replace(b'"id": "10', b'"id": "11')
            + data.replace(b'"id": "10', b'"id": "12')
        )
        clock, by_cpu = gain_of_two(large, output)
        load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
        print(
            f"derive: two processes {clock:.2f} times one on the clock at a load of {load:.1f}, "
            f"{by_cpu:.2f} by CPU time (at least {GAIN} on two free cores)"
        )
        summary = derive_snapshot(str(path), str(output))
        with output.open("rb") as stream:
            wanted = [
                parse_number(json.loads(line)["suffix"])
                for _, line in zip(range(1000), stream, strict=False)
            ]
        start = time.process_time()
        for number in wanted:
            next(find_in_numbers(str(output), number))
        print(
            f"derive: a number among {summary.numbers:,} is found in {(time.process_time() - start) * 1000:.0f} µs"
        )
        return 0 if rate >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
