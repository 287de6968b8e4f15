"""Where a long run's work is done: ``--engine``, ``--jobs``, ``--scheduler``."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

from pybadge.cli.output import complain
from pybadge.errors import UsageError

__all__ = ["ENGINES", "executor_of", "workers_of"]

ENGINES = ("process", "thread", "serial", "dask")
_DASK_TIMEOUT = 8  # seconds to reach a scheduler


def workers_of(jobs: str | None) -> int:
    """How many workers ``--jobs`` asks for; without it, one for each processor.

    Raises:
        UsageError: no whole number, or too many.
    """
    if jobs is None:
        return (
            len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count() or 1
        )
    if not (jobs.isascii() and jobs.isdigit() and 1 <= int(jobs[:6]) <= 1024):
        raise UsageError(f"--jobs {jobs!a}: must be a whole number, 1 to 1024")
    return int(jobs)


def executor_of(
    engine: str | None, workers: int, scheduler: str | None
) -> Callable[[], Any] | None:
    """What makes the executor that ``--engine``, ``--jobs`` and ``--scheduler`` ask for; None for
    none.

    Raises:
        UsageError: there is no such engine, or the scheduler is not for it. Making it: dask is
            missing or can't be reached.
    """
    engine = engine or "process"
    if engine not in ENGINES:
        raise UsageError(f"--engine {engine!a}: the engines are {', '.join(ENGINES)}")
    if scheduler is not None and engine != "dask":
        raise UsageError("--scheduler is for --engine dask")
    if engine == "serial" or (engine in ("process", "thread") and workers == 1):
        return None
    if engine == "dask":
        return lambda: _dask(workers, scheduler)
    return lambda: _local(engine, workers)


def _local(engine: str, workers: int) -> Executor:
    if engine == "thread":
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(workers, initializer=_ignore_interrupts)


def _ignore_interrupts() -> None:
    """Ctrl-C goes to every process of the terminal; only the one that talks to the user should
    answer it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def _dask(workers: int, scheduler: str | None) -> Iterator[Executor]:
    try:
        import distributed
    except ImportError:
        raise UsageError("--engine dask needs the extra: pip install 'pith-badge[dask]'") from None
    make: Any = distributed.Client  # without types
    local: dict[str, Any] = {
        "n_workers": workers,
        "threads_per_worker": 1,
        "processes": True,
        "dashboard_address": None,
    }
    # What dask has to say about its own workers is for those who run it, not for the reader of a
    # report.
    local["silence_logs"] = logging.CRITICAL
    try:
        client = make(scheduler, timeout=_DASK_TIMEOUT) if scheduler else make(**local)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--scheduler {scheduler}: can't be reached: {error}", code="batch.scheduler"
        ) from None
    with client:
        complain(f"dask: {client.scheduler.address if client.scheduler else scheduler}")
        with client.get_executor() as pool:
            yield pool
