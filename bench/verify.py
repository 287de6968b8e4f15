"""How fast records are verified: one file in a process of its own, and many at once. Ratios of CPU
time, each within one run, so that a busy machine changes them little.

Run by `make bench`; ends with 1 where a limit is missed.
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
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pybadge.batch import Work, read_items, run
from pybadge.canonical import canonical_sha256
from pybadge.keys import PublicKey
from pybadge.number import from_record
from pybadge.verification import Expectations

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "data" / "record-XR2UHLWN.json"
BIN = Path(sys.executable).parent
ROUNDS = 21
RECORDS = 2000
# What the record's page tells people to run; it checks the hash alone.
RECIPE = (
    "import sys,json,hashlib; b=json.dumps(json.loads(sys.stdin.read()), sort_keys=True, "
    "separators=(',',':'), ensure_ascii=False).encode(); print(hashlib.sha256(b).hexdigest())"
)
# Byte code is what an installed package has; without it every start compiles the sources anew.
ENVIRONMENT = {
    name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
}
SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = PublicKey(SIGNER.public_key().public_bytes_raw(), "bench-key", "Bench")

missed: list[str] = []


def report(name: str, value: float, limit: float, *, at_least: bool = False) -> None:
    """One line: a ratio, its limit, and whether it keeps to it."""
    kept = value >= limit if at_least else value <= limit
    if not kept:
        missed.append(name)
    bound = f"{'at least' if at_least else 'at most'} {limit:.2f}"
    print(f"  {name:<58} {value:6.2f}   {bound}   {'ok' if kept else 'MISSED'}")


def cpu_of(command: list[str]) -> float:
    """CPU seconds of a command and of the processes that it starts and waits for."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: {command} ended with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def processes() -> None:
    """Whole processes, in turn, so that a busy moment hits all alike."""
    if shutil.which("jq") is None:
        sys.exit("bench: the record page's pipeline needs the command jq")
    python, script = str(BIN / "python"), str(BIN / "pybadge")
    pipeline = 'jq -c .canonical_record < "$0" | "$1" -c "$2"'
    commands = {
        "bare": [python, "-c", "pass"],
        "version": [script, "--version"],
        "verify": [script, "verify", str(RECORD), "--offline"],
        "pipeline": ["sh", "-c", pipeline, str(RECORD), python, RECIPE],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for round_number in range(ROUNDS + 1):
        for name, command in commands.items():
            used = cpu_of(command)
            if round_number:  # the first round writes the byte code
                times[name].append(used)
    used_by = {name: statistics.median(values) for name, values in times.items()}
    bare = used_by["bare"]
    print(f"Whole processes, CPU time, medians of {ROUNDS} (python3 -c pass: {1000 * bare:.1f} ms)")
    report("pybadge --version / python3 -c pass", used_by["version"] / bare, 2.5)
    report("pybadge verify FILE --offline / python3 -c pass", used_by["verify"] / bare, 6)
    ratio = used_by["verify"] / used_by["pipeline"]
    report("pybadge verify FILE --offline / the page's jq | python3", ratio, 1.6)


def signed(document: dict[str, Any], version: int) -> dict[str, Any]:
    """The real record as that of another version of its paper, with a receipt of our own."""
    made: dict[str, Any] = json.loads(json.dumps(document))
    canonical = made["canonical_record"]
    canonical["source"]["version"] = version
    digest = canonical_sha256(canonical)
    number = from_record(canonical)
    made.update(canonical_sha256=digest, pith_number=number.text, aliases=[])
    made["short_pith_number"] = number.short
    signature = SIGNER.sign(bytes.fromhex(digest))
    made["receipt"].update(
        canonical_sha256=digest,
        key_id=KEY.key_id,
        public_key_fingerprint=KEY.fingerprint,
        signature_b64=base64.b64encode(signature).decode("ascii"),
    )
    return made


def bare_loop(data: bytes) -> Callable[[], None]:
    """What any verifier has to do at least: parse, hash, check a signature with `cryptography`."""
    key = SIGNER.public_key()

    def work() -> None:
        for line in io.BytesIO(data):
            record = json.loads(line)
            text = json.dumps(
                record["canonical_record"],
                sort_keys=True,
                separators=(",", ":"),
                ensure_ascii=False,
            )
            digest = hashlib.sha256(text.encode("utf-8")).digest()
            key.verify(base64.b64decode(record["receipt"]["signature_b64"]), digest)

    return work


def our_batch(data: bytes) -> Callable[[], None]:
    """The batch, from lines to written reports."""
    order = Work("bench", {"offline": True}, Expectations(trusted=(KEY,)))

    def work() -> None:
        with open(os.devnull, "w", encoding="ascii") as out:
            for result in run(read_items(io.BytesIO(data)), order):
                if result.exit_code:
                    sys.exit(f"bench: {result.text}")
                out.write(result.text)

    return work


def batch() -> None:
    """On one core, in turn; every record is another one."""
    document = json.loads(RECORD.read_bytes())
    kept = ("canonical_record", "canonical_sha256", "pith_number", "receipt")
    print(f"\nBatch on one core, {RECORDS} records, CPU time, medians of 7")
    for name, whole, limit in (("small records", False, 0.65), ("whole pages", True, 0.5)):
        lines = []
        for version in range(1, RECORDS + 1):
            made = signed(document, version)
            made = made if whole else {key: made[key] for key in kept}
            lines.append(json.dumps(made).encode() + b"\n")
        data = b"".join(lines)
        rivals = {"bare": bare_loop(data), "ours": our_batch(data)}
        times: dict[str, list[float]] = {rival: [] for rival in rivals}
        for _ in range(7):
            for rival, work in rivals.items():
                started = time.process_time()
                work()
                times[rival].append(time.process_time() - started)
        bare, own = (statistics.median(times[rival]) for rival in ("bare", "ours"))
        title = f"{name} ({len(data) / RECORDS / 1000:.1f} kB)"
        print(f"  {title}: bare loop {RECORDS / bare:,.0f} a second, pybadge {RECORDS / own:,.0f}")
        report(f"{title}: speed / bare loop", bare / own, limit, at_least=True)


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
        "status = open('/proc/self/status').read().splitlines()\n"
        "print(next(l.split()[1] for l in status if l.startswith('VmHWM')), file=sys.stderr)\n"
        "sys.exit(code)"
    )

    def once(count: int, jobs: int) -> tuple[float, int]:
        with tempfile.NamedTemporaryFile(suffix=".jsonl") as file:
            for _ in range(count):
                file.write(line)
            file.flush()
            options = ["verify", "--batch", file.name, "--jobs", str(jobs)]
            started = time.perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", code, *options],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=True,
                env=ENVIRONMENT,
            )
            return time.perf_counter() - started, int(done.stderr.splitlines()[-1])

    one, two = once(20_000, 1)[0], once(20_000, 2)[0]
    print("\nThe command on 20,000 records, on the clock, which shows only what is free")
    print(f"  {'two worker processes / one':<58} {one / two:6.2f}")
    short, long = once(1_000, 2)[1], once(100_000, 2)[1]
    report("memory for 100,000 records less that for 1,000, MB", (long - short) / 1024, 50)


def main() -> int:
    """Measure and print; 1 where a limit is missed."""
    processes()
    batch()
    workers_and_memory()
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
