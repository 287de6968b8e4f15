"""A progress bar on stderr where that is a terminal; nothing elsewhere."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["bar", "on_terminal"]


def bar(**look: Any) -> Any:
    """A `tqdm` bar as a context manager; only to be called where `on_terminal`.

    Args:
        look: tqdm's ``total``, ``unit`` and the like.
    """
    from tqdm import tqdm

    # tqdm's monitor thread could hold a lock while a pool forks its workers: a deadlock in them.
    tqdm.monitor_interval = 0
    return tqdm(file=sys.stderr, leave=False, unit_scale=True, **look)


def on_terminal() -> bool:
    """Whether anybody would see a bar."""
    return sys.stderr.isatty()
