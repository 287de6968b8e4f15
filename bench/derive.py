"""The speed and memory of deriving numbers from arXiv's bulk metadata, with one process and two.
Ratios of CPU time, each within one run, so that a busy machine changes them little.

Run by `make bench`; ends with 1 where a limit is missed.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from base64 import b32encode
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path

from pybadge.derive.bulk.run import derive_bulk, derive_range
from pybadge.derive.bulk.search import find_in_numbers
from pybadge.number import parse_number

LINES = 40_000
ROUNDS = 7
SEARCHES = 1000
PAPERS = 2.8e6  # of all arXiv
DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
ARCHIVES = ["astro-ph", "cond-mat", "cs", "econ", "eess", "gr-qc", "hep-ex", "hep-th", "math"]
CLASSES = ["AG", "AI", "AP", "CA", "CL", "CO", "CV", "DC", "DS", "GA", "GT", "LG", "NA", "PR", "ST"]
LICENSES = [
    "http://arxiv.org/licenses/nonexclusive-distrib/1.0/",
    "http://creativecommons.org/licenses/by/4.0/",
    "http://creativecommons.org/licenses/by-nc-sa/4.0/",
    "http://creativecommons.org/publicdomain/zero/1.0/",
    None,
]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

missed: list[str] = []


def report(name: str, value: float, limit: float, *, at_least: bool = False) -> None:
    """One line: a ratio, its limit, and whether it keeps to it."""
    kept = value >= limit if at_least else value <= limit
    if not kept:
        missed.append(name)
    bound = f"{'at least' if at_least else 'at most'} {limit:.2f}"
    print(f"  {name:<58} {value:6.2f}   {bound}   {'ok' if kept else 'MISSED'}")


def write_bulk_metadata(path: Path, lines: int) -> None:
    """Lines of the size and make-up of arXiv's, each field drawn anew for each line."""
    pick = random.Random(lines)
    words = (DATA / "abstract-2402.15627.txt").read_text(encoding="utf-8").split()
    words += [f"{word}s" for word in words] + ["$\\alpha_{s}$", "Poincar\\'e", 'K\\"ahler']

    def text(count: int) -> str:
        chosen = pick.choices(words, k=count)
        broken = [f"{word}\n" if n % 12 == 11 else f"{word} " for n, word in enumerate(chosen)]
        return "".join(broken).strip()

    def time_of(year: int) -> str:
        day, month = pick.randint(1, 28), pick.choice(MONTHS)
        clock = f"{pick.randrange(24):02}:{pick.randrange(60):02}:{pick.randrange(60):02}"
        return f"{pick.choice(['Mon', 'Wed', 'Fri'])}, {day} {month} {year} {clock} GMT"

    def categories() -> str:
        names = [f"{pick.choice(ARCHIVES)}.{pick.choice(CLASSES)}" for _ in range(3)]
        return " ".join(dict.fromkeys(names[: pick.randint(1, 3)]))

    with path.open("w", encoding="ascii") as stream:
        for number in range(lines):
            first = pick.randint(1992, 2020)
            value = {
                "id": f"{1000 + number // 90000:04}.{10000 + number % 90000:05}",
                "submitter": text(2),
                "authors": text(pick.randint(2, 20)),
                "title": text(pick.randint(4, 16)),
                "comments": f"{pick.randint(4, 60)} pages, {pick.randint(0, 9)} figures",
                "journal-ref": None,
                "doi": None,
                "report-no": None,
                "categories": categories(),
                "license": pick.choice(LICENSES),
                "abstract": f"  {text(pick.randint(60, 240))}\n",
                "versions": [
                    {"version": f"v{version}", "created": time_of(first + version)}
                    for version in range(1, pick.choice([2, 2, 2, 3, 4, 6]))
                ],
                "update_date": "2024-02-27",
                "authors_parsed": [[*text(2).split(), ""] for _ in range(pick.randint(1, 8))],
            }
            stream.write(json.dumps(value) + "\n")


def bare_loop(path: Path) -> list[str]:
    """The least that any program has to do: read, collapse white space, turn the date, hash title,
    abstract and record, and encode. Without a look at what it reads."""
    encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
    months = {name: f"{number:02}" for number, name in enumerate(MONTHS, start=1)}
    suffixes = []
    with path.open("rb") as stream:
        for line in stream:
            paper = json.loads(line)
            _, day, month, year, clock, _ = paper["versions"][0]["created"].split()
            primary, *others = paper["categories"].split()
            title = " ".join(paper["title"].split()).lower()
            abstract = " ".join(paper["abstract"].split()).lower()
            record = {
                "metadata": {
                    "abstract_canon_sha256": sha256(abstract.encode("utf-8")).hexdigest(),
                    "cross_cats_sorted": sorted(others),
                    "license": paper["license"] or "",
                    "primary_cat": primary,
                    "submitted_at": f"{year}-{months[month]}-{day:0>2}T{clock}Z",
                    "title_canon_sha256": sha256(title.encode("utf-8")).hexdigest(),
                },
                "schema_version": "1.0",
                "source": {
                    "id": paper["id"],
                    "kind": "arxiv",
                    "version": int(paper["versions"][-1]["version"][1:]),
                },
            }
            digest = sha256(encode(record).encode("utf-8")).digest()
            suffixes.append(b32encode(digest)[:26].decode("ascii"))
    return sorted(suffixes)


def our_loop(path: Path) -> list[str]:
    """The same with every check, as one range of a bulk run."""
    derived = derive_range(str(path), 0, path.stat().st_size)
    return [json.loads(line)["suffix"] for line in derived.numbers.splitlines()]


def cpu_of(call: Callable[[], object]) -> float:
    """CPU seconds of a call in this process."""
    start = time.process_time()
    call()
    return time.process_time() - start


def speed(path: Path) -> None:
    """Both loops in turn, the best round of each."""
    if our_loop(path) != bare_loop(path):
        sys.exit("bench: the loops don't derive the same numbers")
    size = path.stat().st_size
    ours, bare = [], []
    for _ in range(ROUNDS):
        ours.append(cpu_of(lambda: derive_range(str(path), 0, size)))
        bare.append(cpu_of(lambda: bare_loop(path)))
    rate = LINES / min(ours)
    print(f"{LINES:,} papers of {size // LINES:,} bytes, all different, CPU time, best of {ROUNDS}")
    print(f"  {rate:,.0f} a second; all of arXiv in {PAPERS / rate / 60:.1f} minutes of one core")
    report("lines a second, derive / bare loop", min(bare) / min(ours), 0.7, at_least=True)


def cpu_seconds(who: int) -> float:
    """CPU seconds of this process, or of its children that have ended."""
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def gain_of_two(path: Path, output: Path) -> float:
    """The speed of two processes over that of one on two free processors, by CPU time.

    That is one process's time over the time of half the work plus what only the leading process
    does; on the clock it can only show where two processors are free.
    """
    rounds = []
    for _ in range(3):
        used = cpu_seconds(resource.RUSAGE_SELF)
        derive_bulk(str(path), str(output))
        alone = cpu_seconds(resource.RUSAGE_SELF) - used
        used = cpu_seconds(resource.RUSAGE_SELF)
        before = cpu_seconds(resource.RUSAGE_CHILDREN)
        with ProcessPoolExecutor(2) as executor:
            derive_bulk(str(path), str(output), executor=executor, workers=2)
        leading = cpu_seconds(resource.RUSAGE_SELF) - used
        rounds.append((alone, leading, cpu_seconds(resource.RUSAGE_CHILDREN) - before))
    alone = min(one for one, _, _ in rounds)
    leading = min(part for _, part, _ in rounds)
    working = min(part for _, _, part in rounds)
    return alone / (working / 2 + leading)


def peak(path: Path, output: Path) -> int:
    """KiB that a process with this file needs at most."""
    script = (
        "from pybadge.derive.bulk.run import derive_bulk;"
        f"derive_bulk({str(path)!r}, {str(output)!r}, range_bytes=1 << 20);"
        "print(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1])"
    )
    return int(
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout
    )


def search(path: Path, output: Path) -> None:
    """Finding one number, against one pass over all of them."""
    derive_bulk(str(path), str(output))
    with output.open("rb") as stream:
        lines = [line for line, _ in zip(stream, range(SEARCHES), strict=False)]
    wanted = [parse_number(json.loads(line)["suffix"]) for line in lines]

    def find_all() -> None:
        for number in wanted:
            next(find_in_numbers(str(output), number))

    def read_all() -> None:
        with output.open("rb") as stream:
            for _ in stream:
                pass

    found, read = cpu_of(find_all) / SEARCHES, min(cpu_of(read_all) for _ in range(ROUNDS))
    report("finding a number / reading all of them once", found / read, 0.1)


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        whole, small, output = folder / "bulk.jsonl", folder / "small.jsonl", folder / "n.jsonl"
        write_bulk_metadata(whole, LINES)
        write_bulk_metadata(small, LINES // 8)
        speed(whole)
        report("two processes / one, by CPU time", gain_of_two(whole, output), 1.6, at_least=True)
        report(
            "peak memory, 8 times the papers / once", peak(whole, output) / peak(small, output), 1.2
        )
        search(whole, output)
    if missed:
        print(f"missed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
