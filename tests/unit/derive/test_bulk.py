"""All of arXiv: the same numbers on any executor, in flat memory, resumable, sorted,
searchable."""

from __future__ import annotations

import gzip
import json
import os
import pickle
import subprocess
import sys
import tempfile
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybadge.derive import derive
from pybadge.derive.bulk.run import Progress, Summary, derive_bulk, derive_bytes, derive_range
from pybadge.derive.sources.bulk_metadata import from_object
from pybadge.errors import MetadataError, OutputError, UsageError
from tests.support.arxiv_papers import (
    REAL,
    RECORDS,
    WITH_ABSTRACT,
    bulk_line,
    name_of,
)
from tests.support.bulk_files import made, real, written

SMALL = 4096  # bytes of a range, so that a small file has many


def expected(data: bytes) -> list[str]:
    return sorted(
        derive(from_object(json.loads(line))).number.suffix
        for line in data.splitlines()
        if line.strip()
    )


@pytest.fixture
def bulk(tmp_path: Path) -> Path:
    path = tmp_path / "bulk.jsonl"
    path.write_bytes(real())
    return path


def test_the_real_papers_are_among_the_numbers(bulk: Path, tmp_path: Path) -> None:
    output = tmp_path / "numbers.jsonl"
    summary = derive_bulk(str(bulk), str(output), range_bytes=SMALL)
    assert summary == Summary(
        len(RECORDS), len(RECORDS), len(RECORDS), (), 0, ((8, 0), (12, 0), (16, 0))
    )
    entries = written(output)
    assert [entry["suffix"] for entry in entries] == expected(real())
    by_id = {entry["arxiv"]: entry for entry in entries}
    for record in WITH_ABSTRACT:
        assert by_id[name_of(record)]["number"] == record["pith_number"]
        assert by_id[name_of(record)]["version"] == record["canonical_record"]["source"]["version"]
    data = bulk.read_bytes()
    for entry in entries:
        assert json.loads(data[entry["offset"] :].partition(b"\n")[0])["id"] == entry["arxiv"]
    assert not (tmp_path / "numbers.jsonl.parts").exists()
    assert sorted(os.listdir(tmp_path)) == ["bulk.jsonl", "numbers.jsonl"]


@settings(max_examples=15, deadline=None)
@given(st.integers(400, 20_000), st.booleans(), st.booleans())
def test_no_cut_loses_or_doubles_a_line(size: int, windows: bool, last_end: bool) -> None:
    data = real()[:25_000].rpartition(b"\n")[0] + b"\n" * last_end
    data = data.replace(b"\n", b"\r\n") if windows else data
    with tempfile.TemporaryDirectory() as folder:
        path, output = Path(folder, "s"), Path(folder, "n")
        path.write_bytes(data)
        derive_bulk(str(path), str(output), range_bytes=size)
        assert [entry["suffix"] for entry in written(output)] == expected(data)


class Backwards(Executor):
    """Runs each task only when its result is wanted and the later ones first: the worst order there
    is."""

    def __init__(self) -> None:
        self.tasks: list[tuple[Future[Any], Any, Any]] = []
        self.most = 0

    def submit(self, function: Any, /, *arguments: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.tasks.append((future, function, arguments))
        self.most = max(self.most, len(self.tasks))
        inner = future.result

        def result(timeout: float | None = None) -> Any:
            while self.tasks and not future.done():
                waiting, work, values = self.tasks.pop()
                waiting.set_result(work(*values))
            return inner(timeout)

        future.result = result  # type: ignore[method-assign]
        return future


def test_any_executor_gives_the_same_file(bulk: Path, tmp_path: Path) -> None:
    derive_bulk(str(bulk), str(tmp_path / "alone"), range_bytes=SMALL)
    alone = (tmp_path / "alone").read_bytes()
    backwards = Backwards()
    executors: list[Executor] = [ThreadPoolExecutor(3), ProcessPoolExecutor(2), backwards]
    for number, executor in enumerate(executors):
        with executor:
            derive_bulk(
                str(bulk),
                str(tmp_path / "many"),
                executor=executor,
                workers=2,
                range_bytes=SMALL,
            )
        assert (tmp_path / "many").read_bytes() == alone, number
    assert backwards.most <= 4


def test_dask_gives_the_same_file(bulk: Path, tmp_path: Path) -> None:
    """Through the command, so that its own processes come and go with it."""
    derive_bulk(str(bulk), str(tmp_path / "alone"))
    command = [
        sys.executable,
        "-m",
        "pybadge",
        "derive",
        "--snapshot",
        str(bulk),
        "-o",
        str(tmp_path / "many"),
    ]
    done = subprocess.run(
        [*command, "--executor", "dask", "--jobs", "1"],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "many").read_bytes() == (tmp_path / "alone").read_bytes()


@pytest.mark.parametrize("size", [SMALL, 200, 1 << 20])
def test_compressed_gives_the_same_file(size: int, bulk: Path, tmp_path: Path) -> None:
    derive_bulk(str(bulk), str(tmp_path / "plain"), range_bytes=SMALL)
    packed = tmp_path / "bulk.jsonl.gz"
    packed.write_bytes(gzip.compress(bulk.read_bytes()))
    seen: list[Progress] = []
    derive_bulk(str(packed), str(tmp_path / "packed"), range_bytes=size, progress=seen.append)
    assert (tmp_path / "packed").read_bytes() == (tmp_path / "plain").read_bytes()
    assert seen[-1].done == seen[-1].total == packed.stat().st_size
    assert seen[-1].papers == len(RECORDS)


def test_the_work_can_be_pickled_and_is_pure(bulk: Path) -> None:
    data = bulk.read_bytes()
    derived = derive_range(str(bulk), 0, len(data))
    assert pickle.loads(pickle.dumps(derived)) == derived == derive_bytes(data, 0)


def test_a_run_that_was_stopped_goes_on(bulk: Path, tmp_path: Path) -> None:
    output = tmp_path / "numbers.jsonl"

    class StopError(Exception):
        pass

    def stop(progress: Progress) -> None:
        if progress.papers > 40:
            raise StopError

    with pytest.raises(StopError):
        derive_bulk(str(bulk), str(output), range_bytes=SMALL, progress=stop)
    assert not output.exists()
    done = len(list((tmp_path / "numbers.jsonl.parts").glob("*.numbers")))
    assert done > 5
    started = []

    class Counting(ThreadPoolExecutor):
        def submit(self, function: Any, /, *arguments: Any, **named: Any) -> Future[Any]:
            started.append(arguments)
            return super().submit(function, *arguments, **named)

    with Counting(1) as executor:
        derive_bulk(str(bulk), str(output), range_bytes=SMALL, executor=executor)
    assert len(started) == -(-bulk.stat().st_size // SMALL) - done
    assert [entry["suffix"] for entry in written(output)] == expected(real())


def test_a_process_killed_half_way_leaves_what_it_had(tmp_path: Path) -> None:
    bulk, output = tmp_path / "s.jsonl", tmp_path / "n.jsonl"
    bulk.write_bytes(made(6_000))
    script = (
        "from pybadge.derive.bulk.run import derive_bulk;"
        f"derive_bulk({str(bulk)!r}, {str(output)!r}, range_bytes=1 << 16)"
    )
    command = [sys.executable, "-c", script]
    running = subprocess.Popen(command)
    checkpoints = tmp_path / "n.jsonl.parts"
    while running.poll() is None and len(list(checkpoints.glob("*.json"))) < 4:
        time.sleep(0.005)
    running.kill()
    running.wait()
    assert not output.exists()
    assert subprocess.run(command, timeout=120, check=False).returncode == 0
    assert len(written(output)) == 6_000


def test_checkpoints_of_another_file_are_not_used(bulk: Path, tmp_path: Path) -> None:
    output = tmp_path / "numbers.jsonl"

    def stop(_: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        derive_bulk(str(bulk), str(output), range_bytes=SMALL, progress=stop)
    with pytest.raises(UsageError, match="remove it"):
        derive_bulk(str(bulk), str(output), range_bytes=SMALL, all_versions=True)
    bulk.write_bytes(made(3))
    with pytest.raises(UsageError, match="remove it"):
        derive_bulk(str(bulk), str(output), range_bytes=SMALL)


def test_all_versions_mark_what_is_assumed(bulk: Path, tmp_path: Path) -> None:
    output = tmp_path / "numbers.jsonl"
    summary = derive_bulk(str(bulk), str(output), all_versions=True)
    entries = [entry for entry in written(output) if entry["arxiv"] == "1005.1684"]
    assert sorted(entry["version"] for entry in entries) == list(range(1, 13))
    assert [entry["version"] for entry in entries if "assumed" not in entry] == [12]
    assert summary.numbers > summary.papers == len(RECORDS)


def test_text_beyond_ascii_is_marked(tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_bytes(bulk_line(REAL, title="Über alles") + bulk_line(RECORDS[0]))
    derive_bulk(str(path), str(tmp_path / "n"))
    marks = {entry["arxiv"]: entry.get("non_ascii") for entry in written(tmp_path / "n")}
    assert marks == {"2402.15627": True, name_of(RECORDS[0]): None}


# --- faults

FAULTY = real().splitlines(keepends=True)
FAULTY.insert(70, b'{"id":"2402.15627"}\n')
FAULTY.insert(30, b"{broken\n")
FAULTY.insert(31, b"\n")
FAULTY.insert(32, b'{"abstract":"' + b"a" * (1 << 20) + b'"}\n')


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("size", [SMALL, 8 << 20])
def test_faulty_lines_stop_the_run_with_their_number(
    packed: bool, size: int, tmp_path: Path
) -> None:
    path, output = tmp_path / "s.jsonl", tmp_path / "n.jsonl"
    data = b"".join(FAULTY)
    path.write_bytes(gzip.compress(data) if packed else data)
    with pytest.raises(MetadataError) as caught:
        derive_bulk(str(path), str(output), range_bytes=size)
    assert str(caught.value).startswith(f"{path}:31: the line: not JSON")
    assert not output.exists()
    summary = derive_bulk(str(path), str(output), range_bytes=size, go_on=True)
    assert [(fault.line, fault.code) for fault in summary.faults] == [
        (31, "json.syntax"),
        (33, "json.size"),
        (74, "metadata.title"),
    ]
    assert summary.fault_count == 3
    assert summary.papers == len(RECORDS)
    assert [entry["suffix"] for entry in written(output)] == expected(real())


@pytest.mark.parametrize("size", [SMALL, 8 << 20])
def test_papers_that_occur_twice_are_named_with_both_lines(size: int, tmp_path: Path) -> None:
    lines = real().splitlines(keepends=True)
    lines.insert(100, bulk_line(RECORDS[3], title="Changed since"))
    lines.append(bulk_line(RECORDS[3]))
    path, output = tmp_path / "s.jsonl", tmp_path / "n.jsonl"
    path.write_bytes(b"".join(lines))
    with pytest.raises(MetadataError) as caught:
        derive_bulk(str(path), str(output), range_bytes=size)
    name = name_of(RECORDS[3])
    assert str(caught.value) == f"{path}:101: {name} again; it stands on line 4 already"
    summary = derive_bulk(str(path), str(output), range_bytes=size, go_on=True)
    assert [fault.line for fault in summary.faults] == [101, len(lines)]
    assert [entry["suffix"] for entry in written(output)] == expected(real())
    assert summary.papers == len(RECORDS) == summary.numbers


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_without_end_is_one_fault(packed: bool, end: bytes, tmp_path: Path) -> None:
    """20 MB, a few kB when compressed; what comes after it keeps its line and its place."""
    data = bulk_line(RECORDS[0]) + b"x" * 20_000_000 + end + bulk_line(REAL) * bool(end)
    path, output = tmp_path / "s", tmp_path / "n"
    path.write_bytes(gzip.compress(data, 1) if packed else data)
    summary = derive_bulk(str(path), str(output), range_bytes=1 << 18, go_on=True)
    assert [(fault.line, fault.code) for fault in summary.faults] == [(2, "json.size")]
    offsets = {entry["arxiv"]: entry["offset"] for entry in written(output)}
    assert offsets == {
        name_of(RECORDS[0]): 0,
        **({"2402.15627": data.index(b'{"id": "2402.15627"')} if end else {}),
    }
    assert summary.lines == 2 + bool(end)


def test_ids_that_begin_alike_are_not_the_same(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(
        bulk_line(REAL, id="1501.0001")
        + bulk_line(REAL, id="1501.00010")
        + bulk_line(REAL, id="1501.0002")
    )
    assert derive_bulk(str(path), str(tmp_path / "n")).papers == 3


def test_a_damaged_archive_stops_the_run(tmp_path: Path) -> None:
    path = tmp_path / "s.gz"
    path.write_bytes(gzip.compress(real())[:-2000])
    with pytest.raises(MetadataError, match="damaged"):
        derive_bulk(str(path), str(tmp_path / "n"), go_on=True)


def test_nothing_there_and_nowhere_to_write(tmp_path: Path) -> None:
    with pytest.raises(MetadataError, match="No such file"):
        derive_bulk(str(tmp_path / "none"), str(tmp_path / "n"))
    with pytest.raises(MetadataError, match="not a regular file"):
        derive_bulk(str(tmp_path), str(tmp_path / "n"))
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    assert derive_bulk(str(empty), str(tmp_path / "n")).numbers == 0
    for place in (tmp_path / "no" / "folder", tmp_path / "a\0b", empty / "n"):
        with pytest.raises(OutputError):
            derive_bulk(str(empty), str(place))
    assert sorted(os.listdir(tmp_path)) == ["empty", "n"]


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    """The peak of a process that derives 20,000 papers is that of one that derives 4,000, within a
    few MiB."""
    peaks = []
    for count in (4_000, 20_000):
        path = tmp_path / f"{count}.jsonl"
        path.write_bytes(made(count))
        script = (
            "from pybadge.derive.bulk.run import derive_bulk;"
            f"derive_bulk({str(path)!r}, {str(tmp_path / 'n')!r}, range_bytes=1 << 20);"
            # Not ru_maxrss, which a child takes over from whoever started it.
            "print(next(l for l in open('/proc/self/status') if l.startswith('VmHWM')).split()[1])"
        )
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, timeout=300, check=True
        )
        peaks.append(int(done.stdout))
    assert peaks[1] - peaks[0] < 6_000, peaks  # KiB
