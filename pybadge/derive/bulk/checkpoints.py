"""Checkpoints of a bulk run, kept beside its output, and their k-way merge.

Three files for each finished range: ``N.numbers`` (output lines), ``N.ids`` (``id TAB offset TAB
line in the range``) and, written last, ``N.json``, without which the checkpoint counts as missing.
"""

from __future__ import annotations

import heapq
import json
import os
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pybadge._version import __version__
from pybadge.derive.bulk.folder import PartsFolder, parts_folder
from pybadge.errors import MetadataError, OutputError, reason
from pybadge.number import SHORT_LENGTHS
from pybadge.output import write_file

__all__ = ["Checkpoint", "Checkpoints", "DerivedRange", "checkpoints_of"]

# Files open at once in a merge; systems allow 256 at least.
_FAN_IN = 128
_MOST_REPEATED = 100_000
# The form of the files below; a run goes on with checkpoints of its own form and version only.
_FORMAT = 2
_END_BYTES = 1 << 16
_SUFFIX_AT = len('{"suffix":"')


@dataclass(frozen=True, slots=True)
class DerivedRange:
    """The numbers of one range of lines, as bytes and tuples: they travel between processes and
    machines.

    Attributes:
        first: the offset of its first line; None where it has none.
        lines: how many lines the range has, blank and faulty ones included.
        papers: how many gave numbers.
        numbers: output lines, sorted.
        ids: sorted lines ``id TAB offset TAB line in the range``, for finding papers that occur
            twice.
        faults: (line in the range from 1, code, message).
    """

    first: int | None
    lines: int
    papers: int
    numbers: bytes
    ids: bytes
    faults: tuple[tuple[int, str, str], ...]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The facts kept of a finished range.

    Attributes:
        first, lines, papers, faults: as in `DerivedRange`.
    """

    first: int | None
    lines: int
    papers: int
    faults: tuple[tuple[int, str, str], ...]


class Checkpoints:
    """The checkpoints of one run, for use within `checkpoints_of`.

    Args:
        folder: where they are kept.
        path: the bulk metadata that they are made from.
        output: the file that they will become.
    """

    def __init__(self, folder: PartsFolder, path: str, output: str) -> None:
        self._folder = folder
        self._path = path
        self._output = output
        self._facts = _facts(path)

    @property
    def left(self) -> str | None:
        """The folder, where it stays in the end for the sake of other files in it; else None."""
        return self._folder.path if self._folder.left else None

    def has(self, index: int) -> bool:
        """Whether the checkpoint is complete."""
        return self._folder.has(_name(index, "json"))

    def write(self, index: int, derived: DerivedRange) -> None:
        """Keep a finished range.

        Raises:
            OutputError: the disk is full, say.
        """
        facts = {
            "first": derived.first,
            "lines": derived.lines,
            "papers": derived.papers,
            "faults": derived.faults,
            # A machine that lost its power may have kept the files' names but not their content.
            "sizes": {"numbers": len(derived.numbers), "ids": len(derived.ids)},
        }
        with _writing(self._folder.path):
            self._folder.put(_name(index, "numbers"), derived.numbers)
            self._folder.put(_name(index, "ids"), derived.ids)
            self._folder.put(_name(index, "json"), json.dumps(facts).encode("ascii"))

    def read(self, index: int) -> Checkpoint:
        """The facts kept of a finished range.

        Raises:
            OutputError: it was damaged since.
        """
        with self._reading():
            with open(self._folder.place(_name(index, "json")), "rb") as stream:
                facts = json.loads(stream.read())
            for ending, size in facts["sizes"].items():
                if os.path.getsize(self._folder.place(_name(index, ending))) != size:
                    raise ValueError(f"{_name(index, ending)} has not {size} bytes")
            faults = tuple((line, code, message) for line, code, message in facts["faults"])
            return Checkpoint(facts["first"], facts["lines"], facts["papers"], faults)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn what damaged checkpoints bring about into `OutputError`."""
        try:
            yield
        except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
            raise OutputError(
                f"{self._folder.path}: can't be read back ({reason(error)}); remove it"
            ) from None

    def count(self) -> int:
        """The number of checkpoints before the first one that is missing."""
        index = 0
        while self.has(index):
            index += 1
        return index

    def repeated(self) -> list[tuple[int, int, str]]:
        """Papers that occur more than once: (line, offset, message) of each occurrence but the
        first, by line.

        Raises:
            MetadataError: more than 100,000 of them, as when a file is joined to itself.
            OutputError: the checkpoints were damaged since.
        """
        with self._reading():
            return self._repeated()

    def _repeated(self) -> list[tuple[int, int, str]]:
        count = self.count()
        starts, bases, base = [], [], 0
        for index in range(count):
            checkpoint = self.read(index)
            if checkpoint.first is not None:
                starts.append(checkpoint.first)
                bases.append(base)
            base += checkpoint.lines

        def line_of(offset: int, within: int) -> int:
            return bases[bisect_right(starts, offset) - 1] + within

        found: list[tuple[int, int, str]] = []
        last, first_line = b"", 0
        for entry in self._merged("ids", count):
            name, offset_text, within = entry.split(b"\t")
            offset = int(offset_text)
            if name != last:
                last, first_place = name, (offset, int(within))
                continue
            first_line = line_of(*first_place)
            if len(found) >= _MOST_REPEATED:
                raise MetadataError(
                    f"more than {_MOST_REPEATED} papers occur twice; is the file joined to itself?",
                    code="snapshot.repeated",
                )
            message = f"{name.decode('ascii')} again; it stands on line {first_line} already"
            found.append((line_of(offset, int(within)), offset, message))
        return sorted(found)

    def finish(self, left_out: set[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Merge the checkpoints into the output and remove them.

        Args:
            left_out: offsets of lines whose numbers are left out.

        Returns:
            How many numbers were written, and for 8, 12 and 16 characters how many short forms name
            more than one.

        Raises:
            MetadataError: the bulk metadata changed while it was read.
            OutputError: the output can't be written, or the checkpoints were damaged since.
        """
        if _facts(self._path) != self._facts:
            raise MetadataError(
                f"{self._path}: changed while it was read; start again", code="snapshot.changed"
            )
        count = 0
        shared = _SharedForms()

        def lines() -> Iterator[bytes]:
            nonlocal count, shared
            count, shared = 0, _SharedForms()
            with self._reading():
                for line in self._merged("numbers", self.count()):
                    if left_out and json.loads(line)["offset"] in left_out:
                        continue
                    shared.add(line)
                    count += 1
                    yield line

        write_file(self._output, lines, inputs=[self._path])
        self._folder.remove()
        return count, tuple(shared.counts.items())

    def _merged(self, ending: str, count: int) -> Iterator[bytes]:
        """All lines of one kind, sorted, with a bounded number of files open."""
        names = [_name(index, ending) for index in range(count)]
        level = 0
        while len(names) > _FAN_IN:
            level += 1
            fewer = []
            for group in range(0, len(names), _FAN_IN):
                name = f"merge-{level}-{group:06}.{ending}"
                with _writing(self._folder.path), self._folder.create(name) as stream:
                    stream.writelines(self._merge(names[group : group + _FAN_IN]))
                fewer.append(name)
            names = fewer
        return self._merge(names)

    def _merge(self, names: Iterable[str]) -> Iterator[bytes]:
        with ExitStack() as stack:
            places = [self._folder.place(name) for name in names]
            yield from heapq.merge(*[stack.enter_context(open(place, "rb")) for place in places])


@contextmanager
def checkpoints_of(path: str, output: str, options: dict[str, Any]) -> Iterator[Checkpoints]:
    """The checkpoints of a run, or of an earlier one that it goes on with.

    Args:
        path: the bulk metadata that they are made from.
        output: the file that they will become.
        options: what must be the same for a checkpoint to be used again, beside the bulk metadata
            and our own version.

    Raises:
        UsageError: there are checkpoints of another file, or made with other options or by another
            version.
        OutputError: their folder can't be made, is not ours, or another process works on it.
        MetadataError: the bulk metadata can't be read.
    """
    state = {"format": _FORMAT, "pybadge": __version__, **_facts(path), **options}
    with parts_folder(output, state) as folder:
        yield Checkpoints(folder, path, output)


def _facts(path: str) -> dict[str, Any]:
    """What tells a file from another, or from itself after a change: size, time, and the hash of
    both ends."""
    try:
        with open(path, "rb") as stream:
            facts = os.fstat(stream.fileno())
            ends = sha256(stream.read(_END_BYTES))
            stream.seek(max(0, facts.st_size - _END_BYTES))
            ends.update(stream.read(_END_BYTES))
    except (OSError, ValueError) as error:
        raise MetadataError(f"{path}: {reason(error)}", code="file.unreadable") from None
    return {"size": facts.st_size, "modified": facts.st_mtime_ns, "ends": ends.hexdigest()}


def _name(index: int, ending: str) -> str:
    return f"{index:06}.{ending}"


class _SharedForms:
    """Counts, in sorted output lines, the short forms that name more than one number.

    Attributes:
        counts: length of a form -> how many such forms.
    """

    def __init__(self) -> None:
        self.counts = dict.fromkeys(SHORT_LENGTHS, 0)
        self._counted = dict.fromkeys(SHORT_LENGTHS, False)
        self._last = b""

    def add(self, line: bytes) -> None:
        """Take the next line into account."""
        for length in SHORT_LENGTHS:
            end = _SUFFIX_AT + length
            same = line[:end] == self._last[:end]
            if same and not self._counted[length]:
                self.counts[length] += 1
            self._counted[length] = same
        self._last = line


@contextmanager
def _writing(place: str) -> Iterator[None]:
    """Turn an error of the file system into `OutputError`."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{place}: can't be written: {reason(error)}") from None
