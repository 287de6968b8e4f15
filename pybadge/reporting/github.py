"""A report as workflow commands of GitHub Actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pybadge.checks.report import REQUIRED, Check, Report
from pybadge.escape.lines import github_message, github_property

__all__ = ["github_lines"]


def github_lines(report: Report, required: Sequence[str] = REQUIRED) -> Iterator[str]:
    """An error for each invalid check, a warning for each required one that could not be made.

    Args:
        report: what was checked.
        required: ids of the checks that must be valid.
    """
    place = github_property(report.input)
    for check in report.checks:
        level = _level(check, required)
        if level is not None:
            title = github_property(f"pybadge {check.id} ({check.code})")
            yield f"::{level} file={place},title={title}::{github_message(check.detail)}"
    if report.verdict == "verified" and report.number is not None:
        message = github_message(f"{report.number.text} verified")
        yield f"::notice file={place},title=pybadge::{message}"


def _level(check: Check, required: Sequence[str]) -> str | None:
    if check.is_unread:
        return None
    if check.status == "invalid":
        return "error"
    if check.status in ("not_checked", "absent") and check.id in required:
        return "warning"
    return None
