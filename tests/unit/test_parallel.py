"""Ordered work on any executor."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from pybadge.errors import PybadgeError
from pybadge.parallel import map_in_order
from tests.support.command import HANG


def square(number: int) -> int:
    time.sleep(0.002 * (number % 3))
    return number * number


def die(_: int) -> int:
    os._exit(9)


def tasks(count: int) -> Iterator[tuple[str, object, tuple[int]]]:
    for number in range(count):
        yield f"task {number}", square, (number,)


EXPECTED = [(f"task {number}", number * number) for number in range(40)]


def test_here_and_on_executors_the_order_is_that_of_the_tasks() -> None:
    assert list(map_in_order(tasks(40), None, 4)) == EXPECTED  # type: ignore[arg-type]
    with ThreadPoolExecutor(3) as pool:
        assert list(map_in_order(tasks(40), pool, 4)) == EXPECTED  # type: ignore[arg-type]
    with ProcessPoolExecutor(2) as pool:
        assert list(map_in_order(tasks(40), pool, 4)) == EXPECTED  # type: ignore[arg-type]
        assert list(map_in_order([], pool, 4)) == []


def test_tasks_are_read_only_as_far_as_the_window_reaches() -> None:
    read: list[int] = []

    def watched() -> Iterator[tuple[int, object, tuple[int]]]:
        for number in range(100):
            read.append(number)
            yield number, square, (number,)

    with ThreadPoolExecutor(2) as pool:
        for key, _ in map_in_order(watched(), pool, 5):  # type: ignore[arg-type]
            assert len(read) <= key + 6


def test_an_error_stands_in_its_place_and_cancels_the_rest() -> None:
    begun: list[int] = []
    gate = threading.Event()

    def work(number: int) -> int:
        begun.append(number)
        if number == 1:
            raise ValueError("one")
        if number > 1:
            gate.wait(HANG)
        return number

    with ThreadPoolExecutor(1) as pool:
        results = map_in_order(((n, work, (n,)) for n in range(100)), pool, 10)
        assert next(results) == (0, 0)
        with pytest.raises(ValueError, match="one"):
            next(results)
        gate.set()
    assert set(begun) <= {0, 1, 2}, "the third may have begun before the second failed"


def test_results_that_nobody_takes_are_cancelled() -> None:
    gate = threading.Event()
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number:
            gate.wait(HANG)
        return number

    with ThreadPoolExecutor(1) as pool:
        results = map_in_order(((n, work, (n,)) for n in range(100)), pool, 10)
        assert next(results) == (0, 0)
        results.close()  # type: ignore[attr-defined]
        gate.set()
    assert set(begun) <= {0, 1}


def test_an_error_is_raised_in_this_process_too() -> None:
    results = map_in_order([("a", int, ("1",)), ("b", int, ("x",))], None, 1)
    assert next(results) == ("a", 1)
    with pytest.raises(ValueError, match="invalid literal"):
        next(results)


def test_a_worker_that_dies_is_one_line_and_no_traceback() -> None:
    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(PybadgeError, match="a worker died") as caught,
    ):
        list(map_in_order(((n, die, (n,)) for n in range(3)), pool, 2))
    assert caught.value.exit_code == 2
