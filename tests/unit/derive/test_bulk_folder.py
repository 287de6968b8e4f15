"""The folder beside a bulk run's output: our own, marked, locked, and nothing else touched."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NoReturn

import pytest

from pybadge import output as output_room
from pybadge.derive.bulk import checkpoints, folder
from pybadge.derive.bulk.folder import MARK, parts_folder
from pybadge.derive.bulk.run import Progress, derive_bulk
from pybadge.errors import MetadataError, OutputError, UsageError
from tests.support.bulk_files import made, real, written

SMALL = 4096
STATE = {"a": 1}


class StopError(Exception):
    pass


def stop(progress: Progress) -> None:
    if progress.papers > 40:
        raise StopError


@pytest.fixture
def bulk(tmp_path: Path) -> Path:
    path = tmp_path / "bulk.jsonl"
    path.write_bytes(real())
    return path


def stopped(bulk: Path, output: Path) -> Path:
    """The folder that a run leaves which was stopped half-way."""
    with pytest.raises(StopError):
        derive_bulk(str(bulk), str(output), range_bytes=SMALL, progress=stop)
    return Path(f"{output}.parts")


def test_the_folder_is_open_to_us_alone_and_marked(bulk: Path, tmp_path: Path) -> None:
    parts = stopped(bulk, tmp_path / "n.jsonl")
    assert stat.S_IMODE(parts.stat().st_mode) == 0o700
    state = json.loads((parts / MARK).read_bytes())
    assert {"pybadge", "size", "modified", "ends", "all_versions", "range_bytes"} <= state.keys()
    for path in parts.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert not path.name.endswith(".tmp")


@pytest.mark.parametrize("content", [{}, {"thesis.tex": "precious"}, {"state.json": "{}"}])
def test_a_folder_that_is_not_ours_is_refused_and_left_alone(
    content: dict[str, str], bulk: Path, tmp_path: Path
) -> None:
    parts = tmp_path / "n.jsonl.parts"
    parts.mkdir()
    for name, text in content.items():
        (parts / name).write_text(text, encoding="utf-8")
    with pytest.raises(OutputError, match="not made by this version of pybadge derive"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"))
    assert {path.name: path.read_text(encoding="utf-8") for path in parts.iterdir()} == content
    assert not (tmp_path / "n.jsonl").exists()


def test_a_link_in_the_folders_place_is_refused(bulk: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(0o700)
    (elsewhere / MARK).write_bytes(b"")
    (tmp_path / "n.jsonl.parts").symlink_to(elsewhere)
    with pytest.raises(OutputError, match="not made by this version"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"))
    assert os.listdir(elsewhere) == [MARK]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_can_write_to_is_refused(
    mode: int, bulk: Path, tmp_path: Path
) -> None:
    parts = stopped(bulk, tmp_path / "n.jsonl")
    parts.chmod(mode)
    with pytest.raises(OutputError, match="not made by this version"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL)


def test_a_folder_of_somebody_else_is_refused(
    bulk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped(bulk, tmp_path / "n.jsonl")
    monkeypatch.setattr(folder.os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(OutputError, match="not made by this version"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL)


def test_planted_links_are_never_followed(bulk: Path, tmp_path: Path) -> None:
    """In a folder that is ours, so that only we could have planted them."""
    parts = stopped(bulk, tmp_path / "n.jsonl")
    victim = tmp_path / "victim"
    victim.write_text("precious", encoding="utf-8")
    index = sum(path.name.endswith(".json") for path in parts.iterdir()) - 1
    for name in (f"{index:06}.numbers", f"{index:06}.ids", "merge-1-000000.ids", "state.json.tmp"):
        (parts / name).unlink(missing_ok=True)
        (parts / name).symlink_to(victim)
    (tmp_path / f"n.jsonl.{os.getpid()}.tmp").symlink_to(victim)
    derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL)
    assert victim.read_text(encoding="utf-8") == "precious"


def test_a_mark_that_is_a_link_is_refused(tmp_path: Path) -> None:
    parts = tmp_path / "n.parts"
    parts.mkdir(0o700)
    (tmp_path / "victim").write_bytes(b"")
    (parts / MARK).symlink_to(tmp_path / "victim")
    with (
        pytest.raises(OutputError, match="can't be written"),
        parts_folder(str(tmp_path / "n"), STATE),
    ):
        pass
    assert (tmp_path / "victim").read_bytes() == b""


def test_only_our_own_files_are_removed(bulk: Path, tmp_path: Path) -> None:
    parts = stopped(bulk, tmp_path / "n.jsonl")
    (parts / "thesis.tex").write_text("precious", encoding="utf-8")
    (parts / "000000.numbers.bak").write_text("precious", encoding="utf-8")
    summary = derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL)
    assert summary.left == str(parts)
    assert sorted(os.listdir(parts)) == ["000000.numbers.bak", "thesis.tex"]
    assert len(written(tmp_path / "n.jsonl")) == summary.numbers


@pytest.mark.parametrize("change", ["version", "options", "content", "time", "ends"])
def test_parts_are_bound_to_all_that_they_are_made_of(
    change: str, bulk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = stopped(bulk, tmp_path / "n.jsonl")
    before = bulk.stat()
    options: dict[str, Any] = {"range_bytes": SMALL}
    if change == "version":
        monkeypatch.setattr(checkpoints, "__version__", "0.0.0")
    elif change == "options":
        options["all_versions"] = True
    elif change == "content":
        bulk.write_bytes(bulk.read_bytes() + b"\n")
    elif change == "time":
        os.utime(bulk, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
    else:
        bulk.write_bytes(bulk.read_bytes().replace(b"the", b"THE", 1))
        os.utime(bulk, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(UsageError, match="remove it to start anew"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), **options)
    assert len(os.listdir(parts)) > 5


def test_metadata_that_changes_under_a_run_is_noticed(bulk: Path, tmp_path: Path) -> None:
    def change(progress: Progress) -> None:
        if progress.done == progress.total:
            os.utime(bulk, ns=(0, 0))

    with pytest.raises(MetadataError, match="changed while it was read"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), progress=change)
    assert not (tmp_path / "n.jsonl").exists()


def test_a_second_run_on_one_output_is_refused(bulk: Path, tmp_path: Path) -> None:
    output = tmp_path / "n.jsonl"
    (tmp_path / "other").symlink_to(output)
    refused = []

    def second(_: Progress) -> None:
        for name in ("n.jsonl", "other"):
            with pytest.raises(OutputError, match="another process is writing it") as caught:
                derive_bulk(str(bulk), str(tmp_path / name), range_bytes=SMALL)
            refused.append(str(caught.value))

    summary = derive_bulk(str(bulk), str(output), range_bytes=SMALL, progress=second)
    assert len(refused) > 10
    assert len(written(output)) == summary.numbers
    assert summary.left is None


def test_of_many_at_once_each_succeeds_or_is_refused(bulk: Path, tmp_path: Path) -> None:
    outcomes: list[object] = []

    def run() -> None:
        try:
            outcomes.append(derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL))
        except OutputError as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = [outcome for outcome in outcomes if not isinstance(outcome, str)]
    assert len(outcomes) == 8
    assert done
    for outcome in outcomes:
        assert not isinstance(outcome, str) or "another process is writing it" in outcome
    assert len(written(tmp_path / "n.jsonl")) == len(real().splitlines())
    assert sorted(os.listdir(tmp_path)) == ["bulk.jsonl", "n.jsonl"]


def test_workers_of_a_killed_run_do_not_hold_its_lock(tmp_path: Path) -> None:
    bulk, output = tmp_path / "s.jsonl", tmp_path / "n.jsonl"
    bulk.write_bytes(made(6_000))
    script = (
        "import multiprocessing, os, sys\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from pybadge.derive.bulk.run import derive_bulk\n"
        "context = multiprocessing.get_context('fork')\n"
        "def tell(progress):\n"
        "    if progress.papers > 1000:\n"
        "        print(*executor._processes, flush=True)\n"
        "        sys.stdin.read()\n"
        "with ProcessPoolExecutor(2, mp_context=context) as executor:\n"
        f"    derive_bulk({str(bulk)!r}, {str(output)!r}, executor=executor, workers=2,\n"
        "                range_bytes=1 << 16, progress=tell)\n"
    )
    running = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert running.stdout is not None
    assert running.stdin is not None
    workers = [int(word) for word in running.stdout.readline().split()]
    assert len(workers) == 2
    running.kill()
    running.wait()
    running.stdout.close()
    running.stdin.close()
    try:
        summary = derive_bulk(str(bulk), str(output), range_bytes=1 << 16)
    finally:
        for worker in workers:
            with contextlib.suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
    assert summary.papers == 6_000


def test_devices_and_pipes_are_written_in_place(bulk: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    summary = derive_bulk(str(bulk), str(pipe))
    reader.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert received[0].count(b"\n") == summary.numbers
    assert derive_bulk(str(bulk), os.devnull).numbers == summary.numbers
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    assert sorted(os.listdir(tmp_path)) == ["bulk.jsonl", "pipe"]
    assert not os.path.exists(f"{os.devnull}.parts")


def test_a_device_leaves_nothing_behind_after_a_fault(
    bulk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(StopError):
        derive_bulk(str(bulk), os.devnull, range_bytes=SMALL, progress=stop)
    assert os.listdir(tmp_path) == ["bulk.jsonl"]


def test_a_link_is_followed_and_a_file_keeps_its_mode(bulk: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(b"old")
    target.chmod(0o640)
    (tmp_path / "link").symlink_to(target)
    summary = derive_bulk(str(bulk), str(tmp_path / "link"))
    assert (tmp_path / "link").is_symlink()
    assert len(written(target)) == summary.numbers
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


@pytest.mark.parametrize("length", [235, 249, 250, 255])
def test_names_may_be_as_long_as_names_can_be(length: int, bulk: Path, tmp_path: Path) -> None:
    output = tmp_path / ("n" * length)
    summary = derive_bulk(str(bulk), str(output))
    assert len(written(output)) == summary.numbers
    assert len(os.listdir(tmp_path)) == 2


def test_neither_its_input_nor_a_key_nor_a_folder_is_written_over(
    bulk: Path, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(bulk)
    os.link(bulk, tmp_path / "hard")
    for name in ("bulk.jsonl", "link", "hard"):
        with pytest.raises(OutputError, match="is an input too"):
            derive_bulk(str(bulk), str(tmp_path / name))
    key = tmp_path / "key.pem"
    key.write_bytes(b"-----BEGIN PRIVATE KEY-----\nMC4\n-----END PRIVATE KEY-----\n")
    with pytest.raises(OutputError, match="holds a private key"):
        derive_bulk(str(bulk), str(key))
    with pytest.raises(OutputError, match="is a folder"):
        derive_bulk(str(bulk), str(tmp_path))
    assert bulk.read_bytes() == real()
    assert sorted(os.listdir(tmp_path)) == ["bulk.jsonl", "hard", "key.pem", "link"]


def full(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_one_line_wherever_it_shows(
    bulk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "n.jsonl"
    parts = stopped(bulk, output)
    kept = len(os.listdir(parts))
    for room, name in ((folder.os, "replace"), (output_room.os, "fsync")):
        with monkeypatch.context() as patched:
            patched.setattr(room, name, full)
            with pytest.raises(OutputError, match="No space left on device"):
                derive_bulk(str(bulk), str(output), range_bytes=SMALL)
        assert not output.exists()
    assert len(os.listdir(parts)) >= kept
    assert derive_bulk(str(bulk), str(output), range_bytes=SMALL).left is None


@pytest.mark.parametrize("ending", ["json", "ids", "numbers"])
@pytest.mark.parametrize("data", [b"", b"rubbish\n", b"[]", b"\xff\n", b"{}", b"1\t2\t3\t4\n"])
def test_damaged_parts_are_one_line(ending: str, data: bytes, bulk: Path, tmp_path: Path) -> None:
    parts = stopped(bulk, tmp_path / "n.jsonl")
    (parts / f"000000.{ending}").write_bytes(data)
    with pytest.raises(OutputError, match=r"can't be read back .*; remove it"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL, go_on=True)


def test_a_part_that_is_gone_is_one_line(bulk: Path, tmp_path: Path) -> None:
    parts = stopped(bulk, tmp_path / "n.jsonl")
    (parts / "000000.numbers").unlink()
    with pytest.raises(OutputError, match="can't be read back"):
        derive_bulk(str(bulk), str(tmp_path / "n.jsonl"), range_bytes=SMALL)


def test_a_run_that_was_killed_while_it_made_the_folder_can_go_on(
    bulk: Path, tmp_path: Path
) -> None:
    """It leaves a mark without a state."""
    parts = tmp_path / "n.jsonl.parts"
    parts.mkdir(0o700)
    (parts / MARK).write_bytes(b"")
    assert derive_bulk(str(bulk), str(tmp_path / "n.jsonl")).left is None
