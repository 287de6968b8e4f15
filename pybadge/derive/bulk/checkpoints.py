"""What a bulk run keeps beside its output: one range a part, sorted, complete or not there; and the
merge of all parts.

Three files a part: ``N.numbers`` (output lines), ``N.ids`` (``id TAB offset TAB line in the
range``) and, written last, ``N.json``, without which the part counts as missing.
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

from pybadge.errors import MetadataError, OutputError, UsageError

__all__ = ["Derived", "Part", "Parts"]

SHORT_LENGTHS = (8, 12, 16)
_FAN_IN = 128
_MOST_REPEATED = 100_000
_SUFFIX_AT = len('{"suffix":"')


@dataclass(frozen=True, slots=True)
class Derived:
    """What one range of lines gives. Plain bytes and tuples, since it travels between processes and
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
class Part:
    """What is remembered of a range that is done.

    Attributes:
        first, lines, papers, faults: as in `Derived`.
    """

    first: int | None
    lines: int
    papers: int
    faults: tuple[tuple[int, str, str], ...]


class Parts:
    """The parts of one run.

    Args:
        snapshot: the file they are made from.
        output: the file they will become.
        options: what must be the same for a part to be used again.

    Raises:
        UsageError: there are parts from another snapshot, or with other options.
        OutputError: the folder can't be made.
    """

    def __init__(self, snapshot: str, output: str, options: dict[str, Any]) -> None:
        self.output = output
        self.folder = f"{output}.parts"
        facts = os.stat(snapshot)
        state = {"format": 1, "size": facts.st_size, "modified": facts.st_mtime_ns, **options}
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
                    f"{self.folder}: left from another snapshot or other options; remove it to start anew",
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
        """Whether the part is complete."""
        return os.path.exists(self._place(index, "json"))

    def write(self, index: int, derived: Derived) -> None:
        """Keep a part.

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

    def read(self, index: int) -> Part:
        """What is remembered of a part.

        Raises:
            OutputError: it was damaged since.
        """
        try:
            facts = _read_json(self._place(index, "json"))
            faults = tuple((line, code, message) for line, code, message in facts["faults"])
            return Part(facts["first"], facts["lines"], facts["papers"], faults)
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise OutputError(
                f"{self._place(index, 'json')}: can't be read back ({error}); remove {self.folder}"
            ) from None

    def count(self) -> int:
        """How many parts there are, up to the first one that is missing."""
        index = 0
        while self.has(index):
            index += 1
        return index

    def repeated(self) -> list[tuple[int, int, str]]:
        """Papers that occur more than once: (line, offset, message) of each occurrence but the
        first, by line.

        Raises:
            MetadataError: more than 100,000 of them, as when a snapshot is joined to itself.
        """
        count = self.count()
        starts, bases, base = [], [], 0
        for index in range(count):
            part = self.read(index)
            if part.first is not None:
                starts.append(part.first)
                bases.append(base)
            base += part.lines

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
                    f"more than {_MOST_REPEATED} papers occur twice; is the snapshot joined to itself?",
                    code="snapshot.repeated",
                )
            message = f"{name.decode('ascii')} again; it stands on line {first_line} already"
            found.append((line_of(offset, int(within)), offset, message))
        return sorted(found)

    def finish(self, left_out: set[int]) -> tuple[int, tuple[tuple[int, int], ...]]:
        """Merge the parts into the output and remove them.

        Args:
            left_out: offsets of lines whose numbers are left out.

        Returns:
            How many numbers were written, and for 8, 12 and 16 characters how many short forms name
            more than one.
        """
        count = 0
        shared = dict.fromkeys(SHORT_LENGTHS, 0)
        in_run = dict.fromkeys(SHORT_LENGTHS, False)
        last = b""
        with _writing(self.output):
            temporary = f"{self.output}.{os.getpid()}.tmp"
            with open(temporary, "wb") as stream:
                for line in self._merged("numbers", self.count()):
                    if left_out and json.loads(line)["offset"] in left_out:
                        continue
                    for length in SHORT_LENGTHS:
                        if line[: _SUFFIX_AT + length] == last[: _SUFFIX_AT + length]:
                            shared[length] += not in_run[length]
                            in_run[length] = True
                        else:
                            in_run[length] = False
                    last = line
                    count += 1
                    stream.write(line)
            os.replace(temporary, self.output)
            shutil.rmtree(self.folder)
        return count, tuple(shared.items())

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


def _merge(paths: Iterable[str]) -> Iterator[bytes]:
    with ExitStack() as stack:
        yield from heapq.merge(*[stack.enter_context(open(path, "rb")) for path in paths])


def _read_json(path: str) -> Any:
    with open(path, "rb") as stream:
        return json.loads(stream.read())


@contextmanager
def _writing(place: str) -> Iterator[None]:
    """Turns what the file system says into our error."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{place}: can't be written: {error.strerror or error}") from None
