"""``pybadge verify --batch``: executors, shards, resuming, interrupts, progress, memory."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.asking import PATH
from tests.support.batches import SMALL, line, mixed
from tests.support.command import HANG, environment, heed_ctrl_c, on_a_terminal, program, pybadge
from tests.support.data import RECORD, RECORD_BYTES, RECORDS, SUFFIX
from tests.support.documents import key_json, signed
from tests.support.http_server import Server, answer

QUIET = ["--offline", "--cache", "off"]


def batch(
    path: Path | str, *arguments: str, stdin: bytes = b"", timeout: float = HANG
) -> subprocess.CompletedProcess[bytes]:
    """Verify a list."""
    return pybadge("verify", "--batch", str(path), *arguments, stdin=stdin, timeout=timeout)


# --- executors


def test_dask_gives_the_same_line_for_line(tmp_path: Path) -> None:
    """A real local cluster: two worker processes."""
    path = mixed(tmp_path, 600)
    serial = batch(path, *QUIET, "--executor", "serial")
    dask = batch(path, *QUIET, "--executor", "dask", "--jobs", "2", timeout=4 * HANG)
    assert dask.returncode == serial.returncode == 1
    assert dask.stdout == serial.stdout
    assert len(serial.stdout.splitlines()) == 600
    assert b"Traceback" not in dask.stderr


CLUSTER = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        print(cluster.scheduler_address, flush=True)
        sys.stdin.read()
"""


def test_dask_takes_a_scheduler_that_is_there(tmp_path: Path) -> None:
    path = mixed(tmp_path, 300)
    expected = batch(path, *QUIET, "--executor", "serial").stdout
    script = tmp_path / "cluster.py"
    script.write_text(CLUSTER)
    cluster = subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert cluster.stdout is not None
    address = cluster.stdout.readline().decode().strip()
    try:
        there = ["--executor", "dask", "--scheduler", address]
        done = batch(path, *QUIET, *there, timeout=4 * HANG)
        assert done.stdout == expected
        assert done.returncode == 1
    finally:
        cluster.communicate(b"", timeout=HANG)


def test_a_scheduler_that_is_not_there_is_one_line() -> None:
    nowhere = ["--executor", "dask", "--scheduler", "tcp://127.0.0.1:9"]
    done = batch("-", *nowhere, "--offline", stdin=line(SMALL) * 600, timeout=4 * HANG)
    assert done.returncode == 2
    assert b"--scheduler" in done.stderr.splitlines()[-1]
    assert b"Traceback" not in done.stderr


def test_keys_and_options_reach_the_workers(tmp_path: Path) -> None:
    made, key = signed()
    path = tmp_path / "list.jsonl"
    path.write_bytes(line(made) * 600)
    key_file = tmp_path / "own.json"
    key_file.write_text(key_json(key))
    trusting = ["--offline", "--jobs", "2", "--trust-key", str(key_file)]
    assert batch(path, "--offline", "--jobs", "2").returncode == 3
    done = batch(path, *trusting)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 600
    assert batch(path, *trusting, "--require", "timestamp").returncode == 3


def test_lines_that_name_records_are_looked_up() -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        listed = f"{SUFFIX}\npith:2024:{SUFFIX}\n{RECORDS[0]['suffix']}\n".encode()
        done = batch("-", "--resolver", server.url, "--cache", "off", stdin=listed)
    verdicts = [json.loads(text)["verdict"] for text in done.stdout.splitlines()]
    assert verdicts == ["verified", "verified", "not_checked"]
    assert done.returncode == 3


def test_shards_are_together_the_whole(tmp_path: Path) -> None:
    path = mixed(tmp_path, 100)
    whole = batch(path, *QUIET).stdout.splitlines()
    pieces = [
        batch(path, *QUIET, "--shard", f"{index}/3").stdout.splitlines() for index in (1, 2, 3)
    ]
    assert [piece[0] for piece in pieces] == whole[:3]
    assert sorted(text for piece in pieces for text in piece) == sorted(whole)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--shard", "0/3"],
        ["--shard", "4/3"],
        ["--shard", "1"],
        ["--shard", "1/٣"],
        ["--jobs", "0"],
        ["--jobs", "many"],
        ["--jobs", "99999"],
        ["--executor", "ray"],
        ["--scheduler", "tcp://x:1"],
        ["--resume"],
        ["--title", "T"],
        ["--format", "sarif"],
        ["--against", "x"],
        ["WHAT"],
    ],
    ids=" ".join,
)
def test_options_that_make_no_sense_are_refused(arguments: list[str]) -> None:
    done = batch("-", *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1


def test_a_list_that_is_not_there_is_an_error_and_an_empty_one_is_none() -> None:
    assert batch("missing.txt").returncode == 2
    assert batch("-").returncode == 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_line_on_stderr_sums_a_batch_up_unless_quiet(tmp_path: Path, jobs: str) -> None:
    path = tmp_path / "list.jsonl"
    path.write_bytes(line(SMALL) * 3 + b"not-a-number\n" + f"{RECORD}\n{SUFFIX}\n".encode())
    done = batch(path, *QUIET, "--jobs", jobs)
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"6 records in ")
    for words in (b"unreadable", b"not checked", b"1 verified"):
        assert words in done.stderr or b"4 verified" in done.stderr
    quiet = batch(path, *QUIET, "--jobs", jobs, "--quiet")
    assert (quiet.stderr, quiet.stdout) == (b"", done.stdout)
    assert quiet.returncode == done.returncode


# --- resuming


def test_resume_goes_on_after_the_last_whole_line(tmp_path: Path) -> None:
    path = mixed(tmp_path, 400)
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    assert batch(path, *QUIET, "-o", str(whole)).returncode == 1
    expected = whole.read_bytes()
    lines = expected.splitlines(keepends=True)
    assert len(lines) == 400
    torn = b"".join(lines[:250]) + lines[250][:40]
    for cut in (b"", lines[0], torn, expected[:-1], expected):
        part.write_bytes(cut)
        assert batch(path, *QUIET, "-o", str(part), "--resume").returncode == 1
        assert part.read_bytes() == expected


def test_what_is_done_already_counts_for_the_exit_code(tmp_path: Path) -> None:
    path, out = tmp_path / "list.txt", tmp_path / "out.jsonl"
    invalid = line({**SMALL, "canonical_sha256": "0" * 64})
    path.write_bytes(invalid + line(SMALL))
    assert batch(path, *QUIET, "-o", str(out)).returncode == 1
    assert batch(path, *QUIET, "-o", str(out), "--resume").returncode == 1


def test_resume_refuses_what_is_not_its_own(tmp_path: Path) -> None:
    path, out = tmp_path / "list.txt", tmp_path / "out.jsonl"
    path.write_bytes(f"{RECORD}\n{SUFFIX}\n".encode())
    there = [*QUIET, "-o", str(out)]
    assert batch(path, *there).returncode == 3
    before = out.read_bytes()
    assert batch(path, *there).returncode == 2, "an output that is there is not overwritten"
    path.write_bytes(f"{SUFFIX}\n{RECORD}\n".encode())
    assert batch(path, *there, "--resume").returncode == 2
    assert out.read_bytes() == before
    out.write_bytes(b"my diary\n")
    assert batch(path, *there, "--resume").returncode == 2
    assert out.read_bytes() == b"my diary\n"
    assert batch(path, "-o", str(tmp_path / "no" / "out.jsonl")).returncode == 2


def test_a_saved_report_names_its_item_and_resume_checks_the_tag(tmp_path: Path) -> None:
    path, out = tmp_path / "list.txt", tmp_path / "out.jsonl"
    path.write_bytes(line(SMALL) + line(SMALL))
    there = [*QUIET, "-o", str(out)]
    assert batch(path, *there).returncode == batch(path, *QUIET).returncode
    before = out.read_bytes()
    assert all("item" in json.loads(text) for text in before.splitlines())
    assert "item" not in json.loads(batch(path, *QUIET).stdout.splitlines()[0])
    other = batch(path, *there, "--resume", "--require", "timestamp")
    assert other.returncode == 2, "reports by other options are none of this run"
    assert out.read_bytes() == before


# --- interrupts and pipes


def test_ctrl_c_leaves_whole_lines_to_go_on_with(tmp_path: Path) -> None:
    path, out = tmp_path / "list.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(line(SMALL) * 60_000)
    process = subprocess.Popen(
        program("verify", "--batch", str(path), "-o", str(out), "--jobs", "2"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    deadline = time.monotonic() + HANG
    while time.monotonic() < deadline and not (out.exists() and out.stat().st_size > 1_000_000):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert (stdout, stderr) == (b"", b"")
    done = out.read_bytes().splitlines(keepends=True)
    assert 0 < len(done) < 60_000
    assert all(text.endswith(b"\n") for text in done[:-1])


def test_a_closed_pipe_stops_a_batch_quietly(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_bytes(line(SMALL) * 20_000)
    run = f"{sys.executable} -m pybadge verify --batch {path} --jobs 1"
    done = subprocess.run(
        ["bash", "-c", f"{run} | head -1; exit ${{PIPESTATUS[0]}}"],
        capture_output=True,
        check=False,
        env=environment(),
        timeout=HANG,
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b""
    assert done.returncode == 141, "nobody can take a batch that was cut short for one that passed"


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    path, out = tmp_path / "list.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(line(SMALL) * 3000)
    shown = on_a_terminal(["verify", "--batch", str(path), "--jobs", "2", "-o", str(out)])
    assert out.read_bytes().count(b"\n") == 3000
    assert "%" in shown
    assert "Warning" not in shown, "no thread may be there when the workers are forked"
    assert batch(path, "--jobs", "1", "-q").stderr == b""


# --- memory

PEAK = """
import sys
from pybadge.cli import main
code = main(sys.argv[1:])
# Not ru_maxrss, which begins with what the process was forked from.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(peak.split()[1], file=sys.stderr)
sys.exit(code)
"""


def test_memory_stays_where_it_is(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.jsonl"
        path.write_bytes(line(SMALL) * count)
        done = subprocess.run(
            [sys.executable, "-c", PEAK, "verify", "--batch", str(path), "--jobs", "2", "-q"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
            env=environment(),
        )
        path.unlink()
        return int(done.stderr)

    assert peak(20_000) - peak(1_000) < 10_000, "kilobytes; make bench has the run with 100,000"
