"""Work on any `concurrent.futures.Executor`, results in the order of the tasks, bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any, TypeVar

from pybadge.errors import PybadgeError

__all__ = ["map_in_order"]

Key = TypeVar("Key")
Outcome = TypeVar("Outcome")


def map_in_order(
    tasks: Iterable[tuple[Key, Callable[..., Outcome], tuple[Any, ...]]],
    executor: Executor | None,
    window: int,
) -> Iterator[tuple[Key, Outcome]]:
    """Run tasks and give their results in the tasks' order, as soon as they are there.

    Args:
        tasks: (what names it, module-level function, its arguments); read only as far as the window
            reaches.
        executor: where they run; None for this process, one after the other.
        window: how many are under way or waiting for one before them.

    Raises:
        PybadgeError: a worker died, as when the machine has no memory left.
        And whatever a task raises, in its place; the tasks that have not begun are then cancelled.
    """
    if executor is None:
        for key, function, arguments in tasks:
            yield key, function(*arguments)
        return
    pending: deque[tuple[Key, Future[Outcome]]] = deque()
    try:
        for key, function, arguments in tasks:
            if len(pending) >= window:
                first, future = pending.popleft()
                yield first, future.result()
            pending.append((key, executor.submit(function, *arguments)))
        while pending:
            first, future = pending.popleft()
            yield first, future.result()
    except BrokenExecutor:
        raise PybadgeError(
            "a worker died, perhaps for want of memory; try again with fewer --jobs",
            code="worker.died",
        ) from None
    finally:
        for _, future in pending:
            future.cancel()
