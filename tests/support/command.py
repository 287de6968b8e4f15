"""The command as a process of its own: its environment, its terminal, its output."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

__all__ = ["HANG", "environment", "heed_ctrl_c", "on_a_terminal", "program", "pybadge", "report_of"]

HANG = 120.0
"""Seconds after which a process is taken to hang. No measure of speed: a busy machine is no
fault."""


def program(*arguments: str) -> list[str]:
    """The command line that runs pybadge with this Python."""
    return [sys.executable, "-m", "pybadge", *arguments]


def environment(**changes: str) -> dict[str, str]:
    """The environment without settings of ours, plus these."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYBADGE_")},
        **changes,
    }


def heed_ctrl_c() -> None:
    """For ``preexec_fn``: a job started in the background inherits that SIGINT is ignored, and
    would pass it on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def pybadge(
    *arguments: str,
    stdin: bytes = b"",
    env: dict[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = HANG,
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        program(*arguments),
        input=stdin,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=env if env is not None else environment(),
        cwd=cwd,
    )


def report_of(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    """The one report that a run with ``--json`` printed."""
    (line,) = done.stdout.splitlines()
    report: dict[str, Any] = json.loads(line)
    return report


def on_a_terminal(arguments: list[str], **changes: str) -> str:
    """What the command shows where stdout and stderr are a terminal of 80 columns; it must end with
    0."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        program(*arguments),
        stdout=theirs,
        stderr=theirs,
        env=environment(**{"TERM": "xterm", **changes}),
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # how Linux says that the other side has gone
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(HANG) == 0
    return shown.decode()
