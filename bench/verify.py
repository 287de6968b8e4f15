"""How fast records are verified: one file in a process of its own, and many at once. Ratios, each
within one run.

Run by `make bench`. On a machine that does other things too, the ratios hold better than the times.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from pybadge.batch import Work, read_items, run
from pybadge.keys import PINNED

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "data" / "record-XR2UHLWN.json"
BIN = Path(sys.executable).parent
ROUNDS = 31
RECORDS = 3000
# What the record's page tells people to run; it checks the hash alone.
RECIPE = (
    "import sys,json,hashlib; b=json.dumps(json.loads(sys.stdin.read()), sort_keys=True, separators=(',',':'), "
    "ensure_ascii=False).encode(); print(hashlib.sha256(b).hexdigest())"
)
# Byte code is what an installed package has; without it every start compiles the sources anew.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}


def report(name: str, value: float, limit: float, *, at_least: bool = False) -> None:
    """One line: a ratio, its limit, and whether it keeps to it."""
    kept = value >= limit if at_least else value <= limit
    print(
        f"  {name:<58} {value:6.2f}   {'at least' if at_least else 'at most'} {limit:.2f}   {'ok' if kept else 'OVER'}"
    )


def processes() -> None:
    """Whole processes, in turn, so that a busy moment hits all alike."""
    python = str(BIN / "python")
    script = str(BIN / "pybadge")
    commands = {
        "bare": [python, "-c", "pass"],
        "version": [script, "--version"],
        "verify": [script, "verify", str(RECORD), "--offline"],
        "module": [python, "-m", "pybadge", "verify", str(RECORD), "--offline"],
    }
    if shutil.which("jq"):
        commands["pipeline"] = [
            "sh",
            "-c",
            'jq -c .canonical_record < "$0" | "$1" -c "$2"',
            str(RECORD),
            python,
            RECIPE,
        ]
    times: dict[str, list[float]] = {name: [] for name in commands}
    for round_number in range(ROUNDS + 1):
        for name, command in commands.items():
            started = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=ENVIRONMENT)
            if round_number:  # the first round writes the byte code
                times[name].append(time.perf_counter() - started)
    medians = {name: statistics.median(values) for name, values in times.items()}
    print(
        f"Whole processes, medians of {ROUNDS} (python3 -c pass: {1000 * medians['bare']:.1f} ms)"
    )
    report("pybadge --version / python3 -c pass", medians["version"] / medians["bare"], 1.3)
    report(
        "pybadge verify FILE --offline / python3 -c pass", medians["verify"] / medians["bare"], 1.8
    )
    if "pipeline" in medians:
        report(
            "pybadge verify FILE --offline / the page's jq | python3",
            medians["verify"] / medians["pipeline"],
            1.6,
        )
        print(
            f"  {'the page’s jq | python3 / python3 -c pass':<58} {medians['pipeline'] / medians['bare']:6.2f}"
        )
    else:
        print("  jq is not installed: the page's own pipeline was not measured")
    print(
        f"  {'python3 -m pybadge verify FILE / python3 -c pass':<58} {medians['module'] / medians['bare']:6.2f}"
    )


def bare_minimum(lines: list[bytes]) -> Callable[[], None]:
    """What any verifier has to do at least: parse, hash, check a signature with `cryptography`."""
    key = Ed25519PublicKey.from_public_bytes(PINNED[0].raw)
    data = b"".join(lines)

    def work() -> None:
        for line in io.BytesIO(data):
            record = json.loads(line)
            hashlib.sha256(line).digest()
            signature = base64.b64decode(record["receipt"]["signature_b64"])
            key.verify(signature, bytes.fromhex(record["canonical_sha256"]))

    return work


def ours(lines: list[bytes]) -> Callable[[], None]:
    """The batch, from lines to written reports."""
    data = b"".join(lines)
    work_order = Work("bench", {"offline": True})

    def work() -> None:
        with open(os.devnull, "w", encoding="ascii") as out:
            for result in run(read_items(io.BytesIO(data)), work_order):
                out.write(result.text)

    return work


def batch() -> None:
    """On one core, CPU time, in turn."""
    document = json.loads(RECORD.read_bytes())
    small = {
        name: document[name]
        for name in ("canonical_record", "canonical_sha256", "pith_number", "receipt")
    }
    print(f"\nBatch on one core, {RECORDS} JSON Lines, CPU time, median of 5")
    for name, value in (("small records (1.2 kB)", small), ("whole pages (9 kB)", document)):
        lines = [json.dumps(value).encode() + b"\n"] * RECORDS
        rivals = {"bare": bare_minimum(lines), "ours": ours(lines)}
        times: dict[str, list[float]] = {rival: [] for rival in rivals}
        for _ in range(5):
            for rival, work in rivals.items():
                started = time.process_time()
                work()
                times[rival].append(time.process_time() - started)
        bare, own = (statistics.median(times[rival]) for rival in ("bare", "ours"))
        print(
            f"  {name}: bare minimum {RECORDS / bare:,.0f} a second, pybadge {RECORDS / own:,.0f}"
        )
        report(f"{name}: speed / bare minimum", bare / own, 0.85, at_least=True)


def workers_and_memory() -> None:
    """The command itself: two worker processes against one, and the memory of a long list against
    that of a short one."""
    document = json.loads(RECORD.read_bytes())
    small = {
        name: document[name]
        for name in ("canonical_record", "canonical_sha256", "pith_number", "receipt")
    }
    line = json.dumps(small).encode() + b"\n"
    code = (
        "import sys\nfrom pybadge.cli import main\ncode = main(sys.argv[1:])\n"
        # Not ru_maxrss, which begins with what the process was forked from.
        "print(next(line.split()[1] for line in open('/proc/self/status') if line.startswith('VmHWM')), file=sys.stderr)\n"
        "sys.exit(code)"
    )

    def once(count: int, jobs: int) -> tuple[float, int]:
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            for _ in range(count):
                file.write(line)
            file.flush()
            command = [
                sys.executable,
                "-c",
                code,
                "verify",
                "--batch",
                file.name,
                "--jobs",
                str(jobs),
            ]
            started = time.perf_counter()
            done = subprocess.run(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=True,
                env=ENVIRONMENT,
            )
            return time.perf_counter() - started, int(done.stderr)

    one, two = once(20_000, 1)[0], once(20_000, 2)[0]
    print(
        f"\nThe command on 20,000 records: one process {20_000 / one:,.0f} a second, two {20_000 / two:,.0f}"
    )
    print(f"  {'two worker processes / one':<58} {one / two:6.2f}")
    short, long = once(1_000, 2)[1], once(100_000, 2)[1]
    report("memory for 100,000 records less that for 1,000, MB", (long - short) / 1024, 50)


if __name__ == "__main__":
    processes()
    batch()
    workers_and_memory()
