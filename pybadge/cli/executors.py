"""Where a long run's work is done: ``--executor``, ``--jobs``, ``--scheduler``."""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

from pybadge.cli.output import complain
from pybadge.errors import FAILED, UsageError, invalid_choice

__all__ = ["EXECUTORS", "executor_of", "workers_of"]

EXECUTORS = ("process", "thread", "serial", "dask")
_MOST_WORKERS = 1024
_DASK_TIMEOUT = 8  # seconds to reach a scheduler


def workers_of(jobs: str | None) -> int:
    """How many workers ``--jobs`` asks for; without it, one for each processor.

    Raises:
        UsageError: no whole number, or too many.
    """
    if jobs is None:
        return _processors()
    digits = jobs.isascii() and jobs.isdigit() and len(jobs) <= len(str(_MOST_WORKERS))
    if not digits or not 1 <= int(jobs) <= _MOST_WORKERS:
        raise UsageError(f"--jobs {jobs!a}: must be a whole number, 1 to {_MOST_WORKERS}")
    return int(jobs)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def executor_of(kind: str | None, workers: int, scheduler: str | None) -> Callable[[], Any] | None:
    """What makes the executor that ``--executor``, ``--jobs`` and ``--scheduler`` ask for; None for
    none.

    Raises:
        UsageError: there is no such executor, or the scheduler is not for it. Making it: dask is
            missing or can't be reached.
    """
    kind = kind or "process"
    if kind not in EXECUTORS:
        raise invalid_choice(kind, EXECUTORS, "--executor")
    if scheduler is not None and kind != "dask":
        raise UsageError("--scheduler is for --executor dask")
    if kind == "serial" or (kind in ("process", "thread") and workers == 1):
        return None
    if kind == "dask":
        return lambda: _dask(workers, scheduler)
    return lambda: _local(kind, workers)


def _local(kind: str, workers: int) -> Executor:
    if kind == "thread":
        return ThreadPoolExecutor(workers)
    return ProcessPoolExecutor(workers, initializer=_begin_worker)


def _begin_worker() -> None:
    """Ctrl-C goes to every process of the terminal; only the one that talks to the user should
    answer it. A worker whose parent was ended by any other signal ends too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(FAILED)


@contextlib.contextmanager
def _dask(workers: int, scheduler: str | None) -> Iterator[Executor]:
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "--executor dask needs the extra: pip install 'pith-badge[dask]'"
        ) from None
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
