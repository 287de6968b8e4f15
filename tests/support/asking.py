"""Looking records up at a server on this machine."""

from __future__ import annotations

from typing import Any

from pybadge.checks import Report
from pybadge.resolve import Resolver
from pybadge.verification import report_on
from tests.support.data import SUFFIX
from tests.support.http_server import Server

__all__ = ["PATH", "ask", "refused"]

PATH = f"/pith/{SUFFIX}.json"
"""Where a server has the real record."""


def ask(server: Server, what: str = SUFFIX, **named: Any) -> Report:
    """The report of what a server gives; further arguments are those of `Resolver`."""
    return report_on(what, Resolver(server.url, **named))


def refused(server: Server, code: str, **named: Any) -> Report:
    """The report of a look-up that fails with this code, by no fault of the record's."""
    report = ask(server, **named)
    assert report.verdict == "not_checked"
    assert report.exit_code == 3
    assert report["parse"].code == code, report["parse"].detail
    assert report["parse"].detail.isprintable()
    return report
