"""Checkpoints of a bulk run, kept beside its output, and their k-way merge.

Three files for each finished range: ``N.numbers`` (output lines), ``N.ids`` (``id TAB offset TAB
line in the range``) and, written last, ``N.json``, without which the checkpoint counts as missing.
"""

from __future__ import annotations

import heapq
import json
import os
import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from pybadge.errors import MetadataError, OutputError, UsageError, reason
from pybadge.number import SHORT_LENGTHS

__all__ = ["Checkpoint", "Checkpoints", "DerivedRange"]

# Files open at once in a merge; systems allow 256 at least.
_FAN_IN = 128
_MOST_REPEATED = 100_000
# The version of the files below; a run goes on with checkpoints of its own version only.
_FORMAT = 1
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
    """The checkpoints of one run.

    Args:
        path: the bulk metadata that they are made from.
        output: the file that they will become.
        options: what must be the same for a checkpoint to be used again.

    Raises:
        UsageError: there are checkpoints of another file, or made with other options.
        OutputError: the folder can't be made.
    """

    def __init__(self, path: str, output: str, options: dict[str, Any]) -> None:
        self.output = output
        # The name that the folder has always had, so that a run begun by an earlier version goes
        # on.
        self.folder = f"{output}.parts"
        facts = os.stat(path)
        state = {
            "format": _FORMAT,
            "size": facts.st_size,
            "modified": facts.st_mtime_ns,
            **options,
        }
        if "\0" in output:
            raise OutputError(f"{output!a}: a name with a NUL character can't be written")
        with _writing(self.folder):
            if not os.path.isdir(self.folder):
                os.mkdir(self.folder)
            place = os.path.join(self.folder, "state.json")
            if not os.path.exists(place):
                self._put("state.json", json.dumps(state).encode("ascii"))
            elif _read_json(place) != state:
                raise UsageError(
                    f"{self.folder}: left from other bulk metadata or other options; "
                    "remove it to start anew",
                    code="derive.parts",
                )

    def _put(self, name: str, data: bytes) -> None:
        place = os.path.join(self.folder, name)
        with open(f"{place}.tmp", "wb") as stream:
            stream.write(data)
        os.replace(f"{place}.tmp", place)

    def _place(self, index: int, ending: str) -> str:
        return os.path.join(self.folder, f"{index:06}.{ending}")

    def has(self, index: int) -> bool:
        """Whether the checkpoint is complete."""
        return os.path.exists(self._place(index, "json"))

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
        }
        with _writing(self.folder):
            self._put(f"{index:06}.numbers", derived.numbers)
            self._put(f"{index:06}.ids", derived.ids)
            self._put(f"{index:06}.json", json.dumps(facts).encode("ascii"))

    def read(self, index: int) -> Checkpoint:
        """The facts kept of a finished range.

        Raises:
            OutputError: it was damaged since.
        """
        try:
            facts = _read_json(self._place(index, "json"))
            faults = tuple((line, code, message) for line, code, message in facts["faults"])
            return Checkpoint(facts["first"], facts["lines"], facts["papers"], faults)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise OutputError(
                f"{self._place(index, 'json')}: can't be read back ({error}); remove {self.folder}"
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
        """
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
        """
        count = 0
        shared = _SharedForms()
        with _writing(self.output):
            temporary = f"{self.output}.{os.getpid()}.tmp"
            with open(temporary, "wb") as stream:
                for line in self._merged("numbers", self.count()):
                    if left_out and json.loads(line)["offset"] in left_out:
                        continue
                    shared.add(line)
                    count += 1
                    stream.write(line)
            os.replace(temporary, self.output)
            shutil.rmtree(self.folder)
        return count, tuple(shared.counts.items())

    def _merged(self, ending: str, count: int) -> Iterator[bytes]:
        """All lines of one kind, sorted, with a bounded number of files open."""
        paths = [self._place(index, ending) for index in range(count)]
        level = 0
        while len(paths) > _FAN_IN:
            level += 1
            fewer = []
            for group in range(0, len(paths), _FAN_IN):
                place = os.path.join(self.folder, f"merge-{level}-{group:06}.{ending}")
                with _writing(place), open(place, "wb") as stream:
                    stream.writelines(_merge(paths[group : group + _FAN_IN]))
                fewer.append(place)
            paths = fewer
        return _merge(paths)


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


def _merge(paths: Iterable[str]) -> Iterator[bytes]:
    with ExitStack() as stack:
        yield from heapq.merge(*[stack.enter_context(open(path, "rb")) for path in paths])


def _read_json(path: str) -> Any:
    with open(path, "rb") as stream:
        return json.loads(stream.read())


@contextmanager
def _writing(place: str) -> Iterator[None]:
    """Turn an error of the file system into `OutputError`."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{place}: can't be written: {reason(error)}") from None
