"""Many records on any executor: the same results in order, bounded memory, and resuming."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pybadge.batch import (
    Item,
    Result,
    Work,
    finished_reports,
    read_items,
    run,
    shard,
    verify_items,
    without_finished,
)
from pybadge.checks.report import exit_code_of
from pybadge.errors import UsageError
from pybadge.input import MAX_BYTES
from pybadge.keys import PINNED
from pybadge.verification import Expectations
from tests.support.batches import SMALL, line, mixed
from tests.support.data import NUMBER, RECORD, SUFFIX
from tests.support.documents import signed

WORK = Work("list", {"offline": True})


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


def test_shards_are_together_the_whole() -> None:
    items = [Item(number, b"x") for number in range(1, 101)]
    parts = [list(shard(items, index, 7)) for index in range(1, 8)]
    assert sorted((item for part in parts for item in part), key=lambda item: item.line) == items
    assert max(map(len, parts)) - min(map(len, parts)) <= 1


def test_keys_and_requirements_reach_the_workers() -> None:
    made, key = signed()
    items = [Item(1, line(made).strip())]
    assert pickle.loads(pickle.dumps(PINNED[0])) == PINNED[0]
    for expected, code in (
        (Expectations(), 3),
        (Expectations(trusted=(key,)), 0),
        (Expectations(trusted=(key,), require=("timestamp",)), 3),
    ):
        work: Work = pickle.loads(pickle.dumps(Work("list", {"offline": True}, expected)))
        assert [result.exit_code for result in verify_items(items, work)] == [code]


def test_comments_and_empty_lines_are_no_items() -> None:
    data = b"# a\n\n  \nXR2UHLWN\r\n\t{}\n#\nlast"
    items = list(read_items(io.BytesIO(data)))
    assert items == [Item(4, b"XR2UHLWN"), Item(5, b"{}"), Item(7, b"last")]


def test_a_record_in_the_list_is_named_by_its_line_and_others_by_their_own_text() -> None:
    items = [
        Item(3, line(SMALL).strip()),
        Item(5, SUFFIX.encode()),
        Item(7, b"-"),
        Item(8, b"\xff"),
    ]
    inputs = [json.loads(result.text)["input"] for result in verify_items(items, WORK)]
    assert inputs == ["list:3", SUFFIX, "list:7", "list:8"]


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


# --- resuming


def reports_of(items: list[Item]) -> bytes:
    return b"".join(result.text.encode() + b"\n" for result in verify_items(items, WORK))


ITEMS = [Item(1, line(SMALL).strip()), Item(2, SUFFIX.encode()), Item(3, b"0R2UHLWN")]


def test_a_torn_last_line_is_cut_off_and_done_again(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    whole = reports_of(ITEMS[:2])
    path.write_bytes(whole + reports_of(ITEMS[2:])[:40])
    finished = finished_reports(str(path), resume=True)
    assert path.read_bytes() == whole
    assert finished.inputs == ("list:1", SUFFIX)
    assert finished.exit_codes == {0, 3}
    assert list(without_finished(ITEMS, finished)) == ITEMS[2:]


def test_a_file_that_is_not_there_has_nothing_finished(tmp_path: Path) -> None:
    for resume in (True, False):
        finished = finished_reports(str(tmp_path / "out.jsonl"), resume=resume)
        assert list(without_finished(ITEMS, finished)) == ITEMS
        assert finished.exit_codes == frozenset()


def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(b"")
    with pytest.raises(UsageError, match="--resume"):
        finished_reports(str(path), resume=False)


@pytest.mark.parametrize(
    "data", [b"my diary\n", b"{}\n", b"[]\n", b"7\n", b'{"verdict": "verified", "checks": 7}\n']
)
def test_a_file_of_something_else_is_refused_and_left_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(reports_of(ITEMS[:1]) + data)
    before = path.read_bytes()
    with pytest.raises(UsageError, match="line 2 is not a report"):
        finished_reports(str(path), resume=True)
    assert path.read_bytes() == before


def test_reports_of_another_list_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(reports_of(ITEMS))
    finished = finished_reports(str(path), resume=True)
    for other in (ITEMS[::-1], ITEMS[:2], [ITEMS[0], Item(2, b"x"), ITEMS[2]]):
        with pytest.raises(UsageError, match="which is not item"):
            list(without_finished(other, finished))
