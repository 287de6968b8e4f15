"""CPU time as ratios. No test asserts a time in seconds: machines differ, and they are busy."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["cost", "growth"]

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
