"""Damaged archives, failing disks, closed descriptors: one line each, never a traceback."""

from __future__ import annotations

import builtins
import errno
import io
import os
import random
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pybadge.derive.bulk.run import derive_bulk
from pybadge.derive.metadata import Metadata
from pybadge.derive.sources import read_oai_file, read_papers
from pybadge.derive.sources.bulk_metadata import read_bulk_metadata
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.sources.tex import read_tex
from pybadge.errors import MetadataError, PybadgeError
from tests.support.arxiv_papers import REAL, bulk_line
from tests.support.bulk_files import real

# --- archives


def archive(compression: int, name: str = "bulk.json") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as packed:
        packed.writestr(name, real())
    return buffer.getvalue()


def damaged(data: bytes, place: int, length: int = 8) -> bytes:
    return (
        data[:place]
        + bytes(255 - byte for byte in data[place : place + length])
        + data[place + length :]
    )


KINDS = {
    "deflate": zipfile.ZIP_DEFLATED,
    "lzma": zipfile.ZIP_LZMA,
    "bzip2": zipfile.ZIP_BZIP2,
    "stored": zipfile.ZIP_STORED,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_member_is_one_line(kind: str, tmp_path: Path) -> None:
    data = archive(KINDS[kind])
    path = tmp_path / "bulk.zip"
    for place in (45, 60, len(data) // 3, len(data) // 2):
        path.write_bytes(damaged(data, place))
        last = list(read_bulk_metadata(str(path)))[-1]
        assert isinstance(last, MetadataError), place
        assert "\n" not in str(last)
        with pytest.raises(MetadataError):
            derive_bulk(str(path), str(tmp_path / "n.jsonl"))


@pytest.mark.parametrize("bad", [b"\xff\xfe\xfa", b"bulk\xff", b"\xed\xa0\x80."])
def test_a_member_whose_name_is_not_utf_8_is_one_line(bad: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bulk.zip"
    name = "ж" * 10 + ".json"
    data = archive(zipfile.ZIP_DEFLATED, name)
    path.write_bytes(data.replace(name.encode()[: len(bad)], bad))
    (error,) = read_bulk_metadata(str(path))
    assert isinstance(error, MetadataError)
    assert "not a zip archive that can be read" in str(error)


@pytest.mark.parametrize("kind", KINDS)
def test_any_damage_of_an_archive_is_one_line(kind: str, tmp_path: Path) -> None:
    data = archive(KINDS[kind])
    path = tmp_path / "bulk.zip"
    chance = random.Random(11)
    places = [*range(60), *range(len(data) - 120, len(data))]
    places += [chance.randrange(len(data)) for _ in range(100)]
    for place in places:
        wrong = bytearray(data)
        wrong[place] ^= 1 << chance.randrange(8)
        path.write_bytes(wrong)
        for item in read_bulk_metadata(str(path)):
            assert isinstance(item, Metadata) or "\n" not in str(item)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"]), st.binary(max_size=200))
def test_rubbish_that_begins_like_an_archive_is_one_line(start: bytes, rest: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "bulk")
        path.write_bytes(start + rest)
        found = list(read_bulk_metadata(str(path)))
        assert all(isinstance(item, MetadataError) for item in found)


# --- the file system


class Failing(io.RawIOBase):
    """A file whose disk fails after some bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._data.read(len(buffer))
        if not data:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        buffer[: len(data)] = data
        return len(data)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str, bytes], str]:
    """Makes a file that fails to be read beyond these bytes."""
    contents: dict[str, bytes] = {}
    opened = builtins.open

    def failing_open(name: Any, *arguments: Any, **named: Any) -> Any:
        if name in contents:
            return io.BufferedReader(Failing(contents[name]))
        return opened(name, *arguments, **named)

    def make(name: str, data: bytes) -> str:
        path = tmp_path / name
        path.write_bytes(data)
        contents[str(path)] = data
        return str(path)

    descriptors: set[int] = set()
    opened_low, read = os.open, os.read

    def failing_os_open(name: Any, *arguments: Any, **named: Any) -> int:
        descriptor = opened_low(name, *arguments, **named)
        if name in contents:
            descriptors.add(descriptor)
        return descriptor

    def failing_os_read(descriptor: int, length: int) -> bytes:
        data = read(descriptor, length)
        if not data and descriptor in descriptors:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        return data

    monkeypatch.setattr("builtins.open", failing_open)
    monkeypatch.setattr("os.open", failing_os_open)
    monkeypatch.setattr("os.read", failing_os_read)
    return make


READERS: dict[str, Callable[[str], object]] = {
    "a.xml": lambda path: list(read_papers(path))[-1],
    "b.xml": lambda path: list(read_oai_file(path))[-1],
    "c.jsonl": lambda path: list(read_papers(path))[-1],
    "d.jsonl": lambda path: list(read_bulk_metadata(path))[-1],
    "e.json": lambda path: list(read_papers(path))[-1],
    "f.toml": read_metadata_file,
    "g.tex": read_tex,
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("whole", [False, True])
def test_a_disk_that_fails_is_one_line(
    name: str, whole: bool, failing: Callable[[str, bytes], str]
) -> None:
    start = b"<a>" if name.endswith("xml") else bulk_line(REAL)
    path = failing(name, start if whole else b"")
    assert "Input/output error" in str(outcome_of(READERS[name], path))


def outcome_of(read: Callable[[str], object], path: str) -> object:
    try:
        return read(path)
    except PybadgeError as error:
        return error


def test_standard_input_that_is_closed_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    (error,) = read_oai_file("-")
    assert str(error) == "standard input: Bad file descriptor"


def test_a_folder_is_one_line(tmp_path: Path) -> None:
    for read in (read_papers, read_bulk_metadata, read_oai_file):
        (error,) = read(str(tmp_path))
        assert "Is a directory" in str(error)
    for reader in (read_tex, read_metadata_file):
        with pytest.raises(MetadataError, match="is a folder"):
            reader(str(tmp_path))
