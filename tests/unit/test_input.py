"""The one door in: files read whole, once, and up to a limit."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pybadge.errors import RecordError
from pybadge.input import MAX_BYTES, read_file


def test_a_file_of_a_mebibyte_is_read_and_no_larger_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * MAX_BYTES)
    assert read_file(str(path)) == b"x" * MAX_BYTES
    path.write_bytes(b"x" * (MAX_BYTES + 1))
    with pytest.raises(RecordError, match="larger than") as caught:
        read_file(str(path))
    assert caught.value.code == "json.size"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing", "No such file or directory"),
        ("folder", "is a folder"),
        ("nul\x00", "null (byte|character)"),  # as the Python at hand says it
        ("n" * 300, "File name too long"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_reason(
    tmp_path: Path, name: str, words: str
) -> None:
    (tmp_path / "folder").mkdir()
    path = f"{tmp_path}/{name}"
    with pytest.raises(RecordError, match=words) as caught:
        read_file(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert caught.value.code == "file.unreadable"


def test_a_file_without_an_end_is_read_up_to_the_limit() -> None:
    with pytest.raises(RecordError, match="larger than"):
        read_file("/dev/zero")


def test_a_pipe_is_read_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    thread = threading.Thread(target=lambda: pipe.write_bytes(b"once"), daemon=True)
    thread.start()
    assert read_file(str(pipe)) == b"once"
    thread.join()
