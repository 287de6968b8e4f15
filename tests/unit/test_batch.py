"""Many records on any executor: the same results in order, bounded memory, and resuming."""

from __future__ import annotations

import io
import json
import os
import pickle
import threading
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from pybadge.batch import (
    Finished,
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
from pybadge.output import lock
from pybadge.verification import Expectations
from tests.support.batches import SMALL, line, mixed
from tests.support.command import HANG, pybadge
from tests.support.data import NUMBER, RECORD, RECORDS, SUFFIX
from tests.support.documents import signed
from tests.support.http_server import Server, answer

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


TAGGED = Work("list", {"offline": True}, tagged=True)


def reports_of(items: list[Item], work: Work = TAGGED) -> bytes:
    return b"".join(result.text.encode() + b"\n" for result in verify_items(items, work))


def finished_in(data: bytes) -> Finished:
    return finished_reports(io.BytesIO(data), "out.jsonl")


ITEMS = [Item(1, line(SMALL).strip()), Item(2, SUFFIX.encode()), Item(3, b"0R2UHLWN")]


def test_a_torn_last_line_is_left_out_and_done_again() -> None:
    whole = reports_of(ITEMS[:2])
    third = reports_of(ITEMS[2:])
    for cut in (1, 12, 40, len(third) - 1):
        finished = finished_in(whole + third[:cut])
        assert finished.length == len(whole)
        assert finished.exit_codes == (0, 3)
        assert list(without_finished(ITEMS, finished, TAGGED)) == ITEMS[2:]


def test_an_empty_file_has_nothing_finished() -> None:
    finished = finished_in(b"")
    assert list(without_finished(ITEMS, finished, TAGGED)) == ITEMS
    assert (finished.exit_codes, finished.length) == ((), 0)


@pytest.mark.parametrize(
    "data",
    [
        b"my diary\n",
        b"my diary",
        b"{}\n",
        b"[]\n",
        b"7\n",
        b'{"verdict": "verified", "checks": 7}\n',
        b'{"verdict": "verified", "item": 7}',
        reports_of(ITEMS[2:], WORK),
    ],
)
def test_a_file_of_something_else_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match=r"^out\.jsonl: line 1 is not a report"):
        finished_in(data)
    with pytest.raises(UsageError, match=r"^out\.jsonl: line 2 is not a report"):
        finished_in(reports_of(ITEMS[:1]) + data)


def test_reports_of_another_list_are_refused() -> None:
    finished = finished_in(reports_of(ITEMS))
    assert list(without_finished(ITEMS, finished, TAGGED)) == []
    for other in (ITEMS[::-1], ITEMS[:2], [ITEMS[0], Item(2, b"x"), ITEMS[2]]):
        with pytest.raises(UsageError, match="of this list with these options"):
            list(without_finished(other, finished, TAGGED))


def test_reports_that_were_made_with_other_options_are_refused() -> None:
    _, key = signed()
    finished = finished_in(reports_of(ITEMS[:2]))
    for work in (
        Work("list", {"offline": False}, tagged=True),
        Work("list", {"offline": True, "lock": "a.json"}, tagged=True),
        Work("list", {"offline": True}, Expectations(trusted=(key,)), tagged=True),
        Work("list", {"offline": True}, Expectations(require=("title",)), tagged=True),
        Work("list", {"offline": True}, Expectations(allow_short=True), tagged=True),
        Work("list", {"offline": True}, Expectations(distrusted=frozenset("a")), tagged=True),
    ):
        with pytest.raises(UsageError, match="report 1 is not on item 1"):
            list(without_finished(ITEMS, finished, work))


def test_a_report_has_a_tag_only_where_it_is_asked_for() -> None:
    (plain,), (tagged,) = verify_items(ITEMS[:1], WORK), verify_items(ITEMS[:1], TAGGED)
    facts = json.loads(tagged.text)
    assert facts.pop("item") == TAGGED.tag(ITEMS[0])
    assert facts == json.loads(plain.text)


def test_two_runs_at_once_do_not_write_one_file(tmp_path: Path) -> None:
    listed = tmp_path / "list.txt"
    listed.write_bytes(b"".join(item.data + b"\n" for item in ITEMS))
    path = tmp_path / "out.jsonl"
    path.write_bytes(reports_of(ITEMS[:1]))
    before = path.read_bytes()
    arguments = ("verify", "--batch", str(listed), "-o", str(path), "--resume", "--offline")
    with path.open("a+b") as stream:
        lock(stream, str(path))
        done = pybadge(*arguments)
    assert done.returncode == 2
    assert b"another process is writing it" in done.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize("data", [b"my diary", b"my diary\n"])
def test_a_foreign_file_of_one_line_is_left_as_it_is(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "out.jsonl"
    path.write_bytes(data)
    listed = tmp_path / "list.txt"
    listed.write_bytes(SUFFIX.encode())
    for more in (("--resume",), ()):
        done = pybadge("verify", "--batch", str(listed), "-o", str(path), "--offline", *more)
        assert done.returncode == 2
        assert path.read_bytes() == data


# --- what is shared and what is refused


def test_a_key_that_is_distrusted_is_distrusted_in_every_kind_of_item() -> None:
    expected = Expectations(distrusted=frozenset({PINNED[0].fingerprint}))
    items = [Item(1, line(SMALL).strip()), Item(2, str(RECORD).encode())]
    found = verify_items(items, Work("list", {"offline": True}, expected))
    assert all(result.exit_code != 0 for result in found)
    assert {result.exit_code for result in verify_items(items, WORK)} == {0}


@pytest.mark.parametrize("status", [429, 503])
def test_a_host_that_asks_for_a_pause_is_left_alone_by_all_items(status: int) -> None:
    busy = answer(b"", status=status, headers={"Retry-After": "3600"})
    with Server({"*": busy}) as server:
        work = Work("list", {"base": server.url})
        items = [
            Item(number, str(record["suffix"]).encode())
            for number, record in enumerate(RECORDS[:5], start=1)
        ]
        found = [json.loads(result.text) for result in verify_items(items, work)]
        found += [json.loads(result.text) for result in verify_items(items[:1], work)]
        assert len(server.asked) == 1
    codes = [report["checks"][0]["code"] for report in found]
    assert codes[1:] == ["resolve.resting"] * 5
    assert {report["verdict"] for report in found} == {"not_checked"}


def test_a_server_that_stalls_is_waited_for_once() -> None:
    stop = threading.Event()
    with Server({"*": lambda _request: bool(stop.wait(HANG))}) as server:
        work = Work("list", {"base": server.url, "timeout": 0.5})
        items = [
            Item(number, str(record["suffix"]).encode())
            for number, record in enumerate(RECORDS[:5], start=1)
        ]
        found = [json.loads(result.text) for result in verify_items(items, work)]
        stop.set()
        assert len(server.asked) == 1
    codes = [report["checks"][0]["code"] for report in found]
    assert codes == ["resolve.deadline"] + ["resolve.resting"] * 4


def test_a_pipe_in_a_list_is_refused_and_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for what in (str(pipe), "/dev/stdin", "/dev/zero"):
        (result,) = verify_items([Item(1, what.encode())], WORK)
        assert result.exit_code == 2
