"""What a person at a terminal sees while waiting; nothing elsewhere."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Iterator
from typing import Any

__all__ = ["bar", "on_terminal", "waiting"]

_PATIENCE = 0.5  # seconds before anything is shown
_STEP = 0.15
_FRAMES = "|/-\\"


def on_terminal() -> bool:
    """Whether anybody would see it."""
    return sys.stderr.isatty()


def bar(**settings: Any) -> Any:
    """A `tqdm` bar as a context manager; only to be called where `on_terminal`.

    Args:
        settings: tqdm's ``total``, ``unit`` and the like.
    """
    from tqdm import tqdm

    # tqdm's monitor thread could hold a lock while a pool forks its workers: a deadlock in them.
    tqdm.monitor_interval = 0
    return tqdm(file=sys.stderr, leave=False, unit_scale=True, **settings)


@contextlib.contextmanager
def waiting(quiet: bool) -> Iterator[None]:
    """A turning bar while the block runs, from half a second on."""
    if quiet or not on_terminal():
        yield
        return
    done = threading.Event()
    turning = threading.Thread(target=_turn, args=(done,), daemon=True)
    turning.start()
    try:
        yield
    finally:
        done.set()
        turning.join()


def _turn(done: threading.Event) -> None:
    wait, frame = _PATIENCE, 0
    while not done.wait(wait):
        sys.stderr.write(f"\r{_FRAMES[frame % len(_FRAMES)]} asking …")
        sys.stderr.flush()
        wait, frame = _STEP, frame + 1
    if frame:
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()
