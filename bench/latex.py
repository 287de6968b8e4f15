"""What pith costs a pdflatex run: CPU time of whole processes, in shuffled rounds, as ratios.

A busy machine only adds to a process, so each paper is judged by the mean of its fastest third of
rounds.

Usage: python tests/latex/bench.py [--rounds 30]. Ratios are of one run on one machine; only they
are to be trusted.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support.data import RECORD_URL, SUFFIX
from tests.support.latex.build import ENVIRONMENT, PITH_STY

NUMBER = f"\\pithnumber{{{SUFFIX}}}"
_TITLE = "\\title{A title}\\author{Ada Author}\\date{May 2024}"
_BODY = "\\maketitle\n" + "Some words of a paper that nobody reads. " * 60 + "\n\\end{document}\n"


def _paper(preamble: str, extra: str = "") -> str:
    return f"\\documentclass{{article}}\n{preamble}\n{_TITLE}\\begin{{document}}{extra}{_BODY}"


PAPERS = {
    "article": _paper(""),
    "article + pith": _paper(f"\\usepackage{{pith}}{NUMBER}"),
    "article + hyperref": _paper("\\usepackage{hyperref}"),
    "article + hyperref + pith": _paper(f"\\usepackage{{hyperref}}\\usepackage{{pith}}{NUMBER}"),
    "article + orcidlink": _paper("\\usepackage{orcidlink}", "\\orcidlink{0000-0001-2345-6789}"),
    "article + qrcode": _paper("\\usepackage{qrcode}", f"\\qrcode{{{RECORD_URL}}}"),
    "article + pith with qr": _paper(f"\\usepackage[qr]{{pith}}{NUMBER}"),
}
# (paper, compared with, the most it may cost; None where it only stands for comparison)
RATIOS: tuple[tuple[str, str, float | None], ...] = (
    ("article + pith", "article", 1.08),
    ("article + hyperref + pith", "article + hyperref", 1.06),
    ("article + orcidlink", "article", None),
    ("article + qrcode", "article", None),
    ("article + pith with qr", "article + qrcode", 1.05),
)


def measure(rounds: int, folder: Path) -> dict[str, float]:
    """CPU seconds of a pdflatex run of each paper; the first, unmeasured round warms the caches."""
    environment = {**os.environ, **ENVIRONMENT}
    samples: dict[str, list[float]] = {name: [] for name in PAPERS}
    for name, source in PAPERS.items():
        home = folder / name.replace(" ", "_")
        home.mkdir()
        shutil.copy(PITH_STY, home / "pith.sty")
        (home / "main.tex").write_text(source)
    for turn in range(rounds + 1):
        order = list(PAPERS)
        random.shuffle(order)
        for name in order:
            before = _children()
            subprocess.run(
                ["pdflatex", "-interaction=batchmode", "main.tex"],
                cwd=folder / name.replace(" ", "_"),
                env=environment,
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True,
            )  # fmt: skip
            if turn:
                samples[name].append(_children() - before)
    return {
        name: statistics.mean(sorted(values)[: -(-len(values) // 3)])
        for name, values in samples.items()
    }


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = measure(arguments.rounds, Path(folder))
    print(
        "pdflatex, CPU time of the process, the fastest third of "
        f"{arguments.rounds} shuffled rounds"
    )
    for name, seconds in times.items():
        print(f"  {name:28} {seconds * 1000:7.0f} ms")
    failed = False
    print(f"\n  {'':28} {'ratio':>6}  {'limit':>5}")
    for name, base, limit in RATIOS:
        ratio = times[name] / times[base]
        verdict = "" if limit is None else "ok" if ratio <= limit else "TOO SLOW"
        failed = failed or verdict == "TOO SLOW"
        print(f"  {name:28} {ratio:6.2f}  {limit or '-':>5}  of {base} {verdict}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
