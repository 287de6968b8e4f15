"""``pybadge verify --against FILE`` and ``--source arxiv``: does the record truly describe that
paper?"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pybadge.checks.report import Report
from pybadge.cli.oai import add_oai, arxiv_server
from pybadge.cli.output import can_print, colour, out_line
from pybadge.errors import UsageError, invalid_choice
from pybadge.escape.lines import one_line
from pybadge.reporting.text import ASCII_ICONS, ICONS

if TYPE_CHECKING:  # a plain `verify` starts without all that derives
    from pybadge.derive.compare import SourceCheck, SourceOutcome
    from pybadge.derive.metadata import Metadata

__all__ = ["Outcome", "configure_against", "source_outcome"]

_SOURCES = ("arxiv",)
_HUES = {"valid": "green", "invalid": "red", "not_checked": "yellow"}
_WORDS = {
    "valid": "the record describes this paper",
    "invalid": "the record does NOT describe this paper",
    "not_checked": "not all could be compared",
}
_KINDS = {"snapshot": "bulk metadata", "own": "metadata file"}


def configure_against(parser: argparse.ArgumentParser) -> None:
    """Add the options to ``verify``."""
    group = parser.add_argument_group("compare with the paper's own metadata")
    group.add_argument(
        "--against",
        metavar="FILE",
        help="arXivRaw XML, arXiv's bulk metadata, or your own TOML or JSON",
    )
    group.add_argument("--source", metavar="SOURCE", help="arxiv: ask arXiv for the metadata")
    add_oai(group)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A source check as ``verify`` shows it.

    Attributes:
        found: the comparison, or why there is none.
    """

    found: SourceOutcome

    @property
    def exit_code(self) -> int:
        """0 describes the paper, 1 does not, 2 unreadable, 3 could not be told."""
        return self.found.exit_code

    def as_dict(self) -> dict[str, Any]:
        """The JSON object under ``source_check``."""
        return self.found.as_dict()

    def print(self) -> None:
        """The comparison for people, below the report."""
        if self.found.check is not None:
            for line in _lines(self.found.check):
                out_line(line)
        elif self.found.error is not None:
            fault = one_line(str(self.found.error))
            out_line(f"  {colour('source', 'bold')}       not compared: {fault}")


def _lines(check: SourceCheck) -> Iterator[str]:
    icons = ICONS if can_print("✓✗–") else ASCII_ICONS
    kind = _KINDS.get(check.kind, check.kind)
    verdict = colour(_WORDS[check.status], _HUES[check.status])
    yield f"  source       {one_line(check.origin)} ({kind}): {verdict}"
    for field in check.fields:
        icon = colour(icons[field.status], _HUES[field.status])
        yield f"  {icon} {field.field:<18} {one_line(field.detail)}"
        if field.diff:
            yield f"      {one_line(field.diff)}"
    for note in check.notes:
        yield f"    {one_line(note)}"


def source_outcome(
    report: Report,
    options: argparse.Namespace,
    *,
    title: str | None = None,
    abstract: str | None = None,
) -> Outcome | None:
    """The comparison that the options ask for; None where they ask for none.

    Raises:
        UsageError: both a file and arXiv are asked for, or another source.
    """
    if options.source is None and options.against is None:
        return None
    if options.source is not None and options.source not in _SOURCES:
        raise invalid_choice(options.source, _SOURCES, "--source")
    if options.source is not None and options.against is not None:
        raise UsageError(
            "--against and --source exclude each other: "
            "the metadata comes from a file or from arXiv"
        )
    from pybadge.derive import compare

    papers_on = _papers_on(options)
    return Outcome(compare.source_outcome(report.record, papers_on, title=title, abstract=abstract))


def _papers_on(options: argparse.Namespace) -> Callable[[str], list[Metadata]]:
    """A function that gives what the source holds on one arXiv id."""
    from pybadge.derive import select

    if options.against is not None:
        return partial(select.papers_on, options.against)
    server = arxiv_server(options)
    return lambda source_id: [server.fetch(source_id)]
