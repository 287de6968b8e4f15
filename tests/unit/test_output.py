"""The one door out: files written whole or not at all."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import NoReturn

import pytest

from pybadge import output
from pybadge.errors import OutputError
from pybadge.output import write_file


def test_a_file_is_written_or_replaced_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "file"
    for data in (b"old", b"newer", b""):
        write_file(str(target), data)
        assert target.read_bytes() == data
        assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_another_program_holds_open_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows os.replace fails as long as another program has the old file open."""
    target = tmp_path / "file"
    target.write_bytes(b"old")
    replace, refusals = os.replace, [PermissionError(13, "in use")] * 3
    waits: list[float] = []

    def busy(source: str, destination: str) -> None:
        if refusals:
            raise refusals.pop()
        replace(source, destination)

    monkeypatch.setattr(output, "_REPLACE_TRIES", 6)
    monkeypatch.setattr(output.os, "replace", busy)
    monkeypatch.setattr(output.time, "sleep", waits.append)
    write_file(str(target), b"new")
    assert target.read_bytes() == b"new"
    assert waits == sorted(set(waits))
    assert len(waits) == 3
    refusals[:] = [PermissionError(13, "in use")] * 99
    write_file(str(target), b"newer")
    assert target.read_bytes() == b"newer", "what can't be replaced is written in place"
    assert list(tmp_path.iterdir()) == [target]


def test_a_new_file_gets_the_mode_of_the_umask_and_a_replaced_one_keeps_its_own(
    tmp_path: Path,
) -> None:
    target = tmp_path / "new"
    before = os.umask(0o027)
    try:
        write_file(str(target), b"x")
        assert stat.S_IMODE(target.stat().st_mode) == 0o640
        target.chmod(0o604)
        write_file(str(target), b"y")
        assert stat.S_IMODE(target.stat().st_mode) == 0o604
    finally:
        os.umask(before)


@pytest.mark.parametrize("place", ["no/file", "folder", "nul\x00", "n" * 300])
def test_what_cannot_be_written_is_one_error_and_leaves_nothing(tmp_path: Path, place: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OutputError, match="can't be written") as caught:
        write_file(f"{tmp_path}/{place}", b"x")
    assert caught.value.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_a_disk_that_is_full_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "file"
    target.write_bytes(b"old")

    def full(_descriptor: int) -> NoReturn:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(output.os, "fsync", full)
    with pytest.raises(OutputError, match="No space left on device"):
        write_file(str(target), b"new")
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_many_writers_of_one_file_leave_one_of_their_files_whole(tmp_path: Path) -> None:
    target = tmp_path / "file"
    datas = [bytes([number]) * 100_000 for number in range(8)]
    threads = [threading.Thread(target=write_file, args=(str(target), data)) for data in datas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert target.read_bytes() in datas
    assert list(tmp_path.iterdir()) == [target]
