"""Many at once: the same results on every executor, in order, with bounded memory, and to be gone
on with."""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pybadge.batch import Item, Result, Work, exit_code_of, read_items, run, shard, verify_items
from pybadge.checks import unreadable, verify
from pybadge.errors import (
    NotFoundError,
    NumberError,
    RecordError,
    SchemaError,
    UnreachableError,
    UsageError,
)
from pybadge.keys import PINNED
from pybadge.strict_json import MAX_BYTES
from tests.support.documents import (
    NUMBER,
    REAL,
    RECORD,
    RECORDS,
    SUFFIX,
    document,
    environment,
    heed_ctrl_c,
    key_json,
    on_a_terminal,
    pybadge,
    signed,
)
from tests.support.http_lab import answer, lab

SMALL = {
    name: REAL[name] for name in ("canonical_record", "canonical_sha256", "pith_number", "receipt")
}
WORK = Work("list", {"offline": True})


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def changed() -> dict[str, Any]:
    return {**SMALL, "canonical_sha256": "0" * 64}


def mixed(folder: Path, count: int = 900) -> Path:
    """A list with a bit of everything, and its share of trouble."""
    own, _ = signed()
    kinds = [
        line(SMALL),
        f"{RECORD}\n".encode(),
        line(changed()),
        f"{SUFFIX}\n".encode(),
        b"0R2UHLWN\n",
        line(own),
        b"{broken\n",
        b'{"a": 1, "a": 1}\n',
        b"missing.json\r\n",
        b"\xff\xfe\n",
        b"-\n",
        b"[1]\n",
        line(document(RECORDS[3]["canonical_record"], None)),
    ]
    path = folder / "list.txt"
    path.write_bytes(
        b"# a comment\n\n" + b"".join(kinds[number % len(kinds)] for number in range(count))
    )
    return path


def results(path: Path, **named: Any) -> list[Result]:
    with path.open("rb") as stream:
        return list(run(read_items(stream), WORK, **named))


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Result]]:
    path = mixed(tmp_path_factory.mktemp("batch"))
    return path, results(path)


def test_each_line_has_its_report_in_order(listed: tuple[Path, list[Result]]) -> None:
    _, found = listed
    assert [result.line for result in found] == list(range(3, 903))
    assert [result.exit_code for result in found[:13]] == [0, 0, 1, 3, 2, 3, 2, 2, 2, 2, 2, 2, 3]
    reports = [json.loads(result.text) for result in found]
    assert reports[0]["input"] == "list:3"
    assert reports[0]["number"] == NUMBER
    assert reports[1]["input"] == str(RECORD)
    for report, result in zip(reports, found, strict=True):
        assert exit_code_of(report) == result.exit_code
        assert "\n" not in result.text


class Odd(Executor):
    """An executor that is nobody's: it pickles what goes in and out, and finishes out of order."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Any]] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        call = pickle.dumps((fn, args, kwargs))
        future: Future[Any] = Future()
        function, arguments, named = pickle.loads(call)
        future.set_result(pickle.loads(pickle.dumps(function(*arguments, **named))))
        return future


@pytest.mark.parametrize(
    "executor",
    [lambda: ThreadPoolExecutor(2), lambda: ProcessPoolExecutor(2), Odd],
    ids=["threads", "processes", "somebody's own"],
)
@pytest.mark.parametrize("chunk", [1, 7, 256])
def test_any_executor_gives_the_same(
    listed: tuple[Path, list[Result]], executor: Any, chunk: int
) -> None:
    path, expected = listed
    assert results(path, executor=executor, workers=2, chunk=chunk) == expected


def test_an_executor_that_is_there_is_used_and_left_open(listed: tuple[Path, list[Result]]) -> None:
    path, expected = listed
    with ThreadPoolExecutor(2) as pool:
        assert results(path, executor=pool, workers=2, chunk=50) == expected
        assert results(path, executor=pool, workers=2) == expected
        assert pool.submit(int).result() == 0


def test_dask_gives_the_same_line_for_line(tmp_path: Path) -> None:
    """A real local cluster: two worker processes."""
    path = mixed(tmp_path, 600)
    serial = pybadge(
        "verify", "--batch", str(path), "--offline", "--engine", "serial", "--cache", "off"
    )
    dask = pybadge(
        "verify",
        "--batch",
        str(path),
        "--offline",
        "--engine",
        "dask",
        "--jobs",
        "2",
        "--cache",
        "off",
        timeout=120,
    )
    assert dask.returncode == serial.returncode == 1
    assert dask.stdout == serial.stdout
    assert len(serial.stdout.splitlines()) == 600
    assert b"Traceback" not in dask.stderr


def test_dask_takes_a_scheduler_that_is_there(tmp_path: Path) -> None:
    path = mixed(tmp_path, 300)
    expected = pybadge(
        "verify", "--batch", str(path), "--offline", "--engine", "serial", "--cache", "off"
    ).stdout
    script = (
        "import sys, time\nfrom distributed import LocalCluster\n"
        "if __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:\n"
        "        print(cluster.scheduler_address, flush=True)\n        sys.stdin.read()\n"
    )
    file = tmp_path / "cluster.py"
    file.write_text(script)
    cluster = subprocess.Popen(
        [sys.executable, str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(),
    )
    assert cluster.stdout is not None
    address = cluster.stdout.readline().decode().strip()
    try:
        done = pybadge(
            "verify",
            "--batch",
            str(path),
            "--offline",
            "--engine",
            "dask",
            "--scheduler",
            address,
            "--cache",
            "off",
            timeout=120,
        )
        assert done.stdout == expected
        assert done.returncode == 1
    finally:
        cluster.communicate(b"", timeout=60)


def test_a_scheduler_that_is_not_there_is_one_line() -> None:
    done = pybadge(
        "verify",
        "--batch",
        "-",
        "--engine",
        "dask",
        "--scheduler",
        "tcp://127.0.0.1:9",
        "--offline",
        stdin=line(SMALL) * 600,
        timeout=120,
    )
    assert done.returncode == 2
    assert b"--scheduler" in done.stderr.splitlines()[-1]
    assert b"Traceback" not in done.stderr


def test_keys_and_options_reach_the_workers(tmp_path: Path) -> None:
    made, key = signed()
    path = tmp_path / "list.jsonl"
    path.write_bytes(line(made) * 600)
    key_file = tmp_path / "own.json"
    key_file.write_text(key_json(key))
    assert pickle.loads(pickle.dumps(PINNED[0])) == PINNED[0]
    assert pybadge("verify", "--batch", str(path), "--offline", "--jobs", "2").returncode == 3
    done = pybadge(
        "verify", "--batch", str(path), "--offline", "--jobs", "2", "--trust-key", str(key_file)
    )
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 600
    required = pybadge(
        "verify",
        "--batch",
        str(path),
        "--jobs",
        "2",
        "--trust-key",
        str(key_file),
        "--require",
        "timestamp",
    )
    assert required.returncode == 3


def test_lines_that_name_records_are_looked_up() -> None:
    with lab({f"/pith/{SUFFIX}.json": answer(RECORD.read_bytes())}) as server:
        listed = f"{SUFFIX}\npith:2024:{SUFFIX}\n{RECORDS[0]['suffix']}\n".encode()
        done = pybadge(
            "verify", "--batch", "-", "--resolver", server.url, "--cache", "off", stdin=listed
        )
    verdicts = [json.loads(text)["verdict"] for text in done.stdout.splitlines()]
    assert verdicts == ["verified", "verified", "not_checked"]
    assert done.returncode == 3


def test_shards_are_together_the_whole(listed: tuple[Path, list[Result]]) -> None:
    items = [Item(number, b"x") for number in range(1, 101)]
    parts = [list(shard(items, index, 7)) for index in range(1, 8)]
    assert sorted((item for part in parts for item in part), key=lambda item: item.line) == items
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    path, _ = listed
    whole = pybadge(
        "verify", "--batch", str(path), "--offline", "--cache", "off"
    ).stdout.splitlines()
    pieces = [
        pybadge(
            "verify", "--batch", str(path), "--offline", "--shard", f"{index}/3", "--cache", "off"
        ).stdout.splitlines()
        for index in (1, 2, 3)
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
        ["--engine", "ray"],
        ["--scheduler", "tcp://x:1"],
        ["--resume"],
        ["--title", "T"],
        ["--format", "sarif"],
        ["WHAT"],
    ],
)
def test_options_that_make_no_sense(arguments: list[str]) -> None:
    done = pybadge("verify", "--batch", "-", *arguments, stdin=b"")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1


def test_a_list_that_is_not_there() -> None:
    assert pybadge("verify", "--batch", "missing.txt").returncode == 2
    assert pybadge("verify", "--batch", "-", stdin=b"").returncode == 0


# --- resuming


def test_resume_goes_on_after_the_last_whole_line(tmp_path: Path) -> None:
    path = mixed(tmp_path, 400)
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    base = ["verify", "--batch", str(path), "--offline", "--cache", "off"]
    assert pybadge(*base, "-o", str(whole)).returncode == 1
    expected = whole.read_bytes()
    lines = expected.splitlines(keepends=True)
    assert len(lines) == 400
    for cut in (
        b"",
        b"".join(lines[:1]),
        b"".join(lines[:250]) + lines[250][:40],
        expected[:-1],
        expected,
    ):
        part.write_bytes(cut)
        assert pybadge(*base, "-o", str(part), "--resume").returncode == 1
        assert part.read_bytes() == expected
    part.write_bytes(
        b"".join(lines[:3])
    )  # the only invalid line of the first three is among what is done already
    short = tmp_path / "short.txt"
    short.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:5]))
    fresh = tmp_path / "fresh.jsonl"
    assert (
        pybadge(
            "verify", "--batch", str(short), "--offline", "--cache", "off", "-o", str(fresh)
        ).returncode
        == 1
    )
    assert (
        pybadge(
            "verify",
            "--batch",
            str(short),
            "--offline",
            "--cache",
            "off",
            "-o",
            str(fresh),
            "--resume",
        ).returncode
        == 1
    )


def test_resume_refuses_what_is_not_its_own(tmp_path: Path) -> None:
    path, out = tmp_path / "list.txt", tmp_path / "out.jsonl"
    path.write_bytes(f"{RECORD}\n{SUFFIX}\n".encode())
    base = ["verify", "--batch", str(path), "--offline", "--cache", "off", "-o", str(out)]
    assert pybadge(*base).returncode == 3
    before = out.read_bytes()
    assert pybadge(*base).returncode == 2, "an output that is there is not overwritten"
    path.write_bytes(f"{SUFFIX}\n{RECORD}\n".encode())
    assert pybadge(*base, "--resume").returncode == 2
    assert out.read_bytes() == before
    out.write_bytes(b"my diary\n")
    assert pybadge(*base, "--resume").returncode == 2
    assert out.read_bytes() == b"my diary\n"
    assert (
        pybadge("verify", "--batch", str(path), "-o", str(tmp_path / "no" / "out.jsonl")).returncode
        == 2
    )


def test_ctrl_c_leaves_whole_lines_to_go_on_with(tmp_path: Path) -> None:
    path, out = tmp_path / "list.jsonl", tmp_path / "out.jsonl"
    path.write_bytes(line(SMALL) * 60_000)
    command = [
        sys.executable,
        "-m",
        "pybadge",
        "verify",
        "--batch",
        str(path),
        "-o",
        str(out),
        "--jobs",
        "2",
    ]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
        preexec_fn=heed_ctrl_c,
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (out.exists() and out.stat().st_size > 1_000_000):
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert (stdout, stderr) == (b"", b"")
    done = out.read_bytes().splitlines(keepends=True)
    assert 0 < len(done) < 60_000
    assert all(text.endswith(b"\n") for text in done[:-1])


def test_a_closed_pipe_stops_a_batch_quietly(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_bytes(line(SMALL) * 20_000)
    shell = f"{sys.executable} -m pybadge verify --batch {path} --jobs 1 | head -1; exit ${{PIPESTATUS[0]}}"
    started = time.monotonic()
    done = subprocess.run(
        ["bash", "-c", shell], capture_output=True, check=False, env=environment()
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == b""
    assert done.returncode == 141, "nobody can take a batch that was cut short for one that passed"
    assert time.monotonic() - started < 30


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    path = tmp_path / "list.jsonl"
    path.write_bytes(line(SMALL) * 3000)
    shown = on_a_terminal(
        ["verify", "--batch", str(path), "--jobs", "2", "-o", str(tmp_path / "out.jsonl")]
    )
    assert (tmp_path / "out.jsonl").read_bytes().count(b"\n") == 3000
    assert "%" in shown
    assert "Warning" not in shown, "no thread may be there when the workers are forked"
    assert pybadge("verify", "--batch", str(path), "--jobs", "1").stderr == b""


# --- bounds


def test_memory_stays_where_it_is(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.jsonl"
        with path.open("wb") as stream:
            for _ in range(count):
                stream.write(line(SMALL))
        code = (
            "import sys\nfrom pybadge.cli import main\ncode = main(sys.argv[1:])\n"
            # Not ru_maxrss, which begins with what the process was forked from.
            "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
            "print(peak.split()[1], file=sys.stderr)\n"
            "sys.exit(code)"
        )
        command = [sys.executable, "-c", code, "verify", "--batch", str(path), "--jobs", "2"]
        done = subprocess.run(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=True,
            env=environment(),
        )
        path.unlink()
        return int(done.stderr)

    assert peak(20_000) - peak(1_000) < 10_000, "kilobytes; make bench has the run with 100,000"


def test_input_is_read_only_as_far_as_workers_are_free() -> None:
    taken = 0

    def items() -> Iterator[Item]:
        nonlocal taken
        for number in range(1, 100_001):
            taken += 1
            yield Item(number, b"{}")

    stream = run(items(), WORK, executor=lambda: ThreadPoolExecutor(2), workers=2, chunk=10)
    for _ in range(5):
        next(stream)
    assert taken <= 10 * (2 * 2 + 2)
    stream.close()


def test_a_line_longer_than_a_record_is_cut_and_said_so() -> None:
    data = b"{" + b" " * (3 * MAX_BYTES) + b"}\n" + line(SMALL)
    items = list(read_items(io.BytesIO(data)))
    assert [len(item.data) <= MAX_BYTES + 2 for item in items] == [True, True]
    first, second = verify_items(items, WORK)
    assert (first.exit_code, second.exit_code) == (2, 0)
    assert "json.size" in first.text
    assert second.line == 2


@pytest.mark.parametrize(
    "report",
    [
        verify(REAL),
        verify(changed()),
        verify(b"{"),
        verify({}),
        verify([]),
        verify({**SMALL, "receipt": None}),
        *(
            unreadable(error)
            for error in (
                NotFoundError("x"),
                UnreachableError("x"),
                UnreachableError("x", code="resolve.offline"),
                NumberError("x"),
                UsageError("x"),
                RecordError("x", code="file.unreadable"),
                SchemaError("x"),
            )
        ),
    ],
)
def test_the_exit_code_can_be_told_from_the_report_alone(report: Any) -> None:
    assert exit_code_of(json.loads(json.dumps(report.as_dict()))) == report.exit_code
