"""CPU time as ratios. No test asserts a time in seconds: machines differ, and they are busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["cost", "grows_at_most", "growth"]

Input = TypeVar("Input")


def cost(call: Callable[[], object], rounds: int = 5) -> float:
    """The CPU time of a call in seconds, at best."""
    times = []
    for _ in range(rounds):
        started = time.process_time()
        call()
        times.append(time.process_time() - started)
    return max(min(times), 1e-6)


def growth(call: Callable[[Input], object], small: Input, large: Input) -> float:
    """How many times as long a call takes on the larger input."""
    return cost(lambda: call(large)) / cost(lambda: call(small))


def grows_at_most(
    call: Callable[[Input], object], small: Input, large: Input, most: float, attempts: int = 4
) -> bool:
    """Whether a call takes at most so many times as long on the larger input, in one of a few
    attempts: a busy machine takes caches away and so time, but never makes a slow reader fast."""
    return any(growth(call, small, large) <= most for _ in range(attempts))
