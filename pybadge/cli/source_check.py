"""``pybadge verify --against FILE`` and ``--source arxiv``: does the record truly describe that
paper?"""

from __future__ import annotations

import argparse
from typing import Any

from pybadge.checks.report import Report
from pybadge.cli.derive import fetched
from pybadge.cli.output import can_print, colour, out_line
from pybadge.derive.compare import SourceCheck
from pybadge.derive.rules import Metadata
from pybadge.errors import MetadataError, NotFoundError, PybadgeError, UnreachableError, UsageError
from pybadge.escape.lines import one_line
from pybadge.reporting import ASCII_SIGNS, SIGNS

__all__ = ["Outcome", "configure_against", "source_outcome"]

_HUES = {"valid": "green", "invalid": "red", "not_checked": "yellow"}
_WORDS = {
    "valid": "the record describes this paper",
    "invalid": "the record does NOT describe this paper",
    "not_checked": "not all could be compared",
}


def configure_against(parser: argparse.ArgumentParser) -> None:
    """Add the options to ``verify``."""
    group = parser.add_argument_group(
        "the paper's own metadata: does the record truly describe it?"
    )
    group.add_argument(
        "--against", metavar="FILE", help="arXivRaw XML, a snapshot, or your own TOML or JSON"
    )
    group.add_argument("--source", metavar="SOURCE", help="arxiv: ask arXiv for the metadata")
    group.add_argument(
        "--oai",
        metavar="URL",
        help="where OAI-PMH is spoken (default https://oaipmh.arxiv.org/oai)",
    )


class Outcome:
    """The source check of one record, or why there is none.

    Attributes:
        check: the comparison, None where it could not be made.
        error: why not.
        exit_code: 0 describes the paper, 1 does not, 2 unreadable, 3 could not be told.
    """

    def __init__(self, check: SourceCheck | None, error: PybadgeError | None = None) -> None:
        self.check = check
        self.error = error
        self.exit_code = (
            check.exit_code if check is not None else error.exit_code if error is not None else 3
        )

    def as_dict(self) -> dict[str, Any]:
        """The JSON object under ``source_check``."""
        if self.check is not None:
            return self.check.as_dict()
        code, message = (
            (self.error.code, str(self.error))
            if self.error is not None
            else ("record.unread", "no record")
        )
        return {"status": "not_checked", "code": code, "detail": message, "fields": [], "notes": []}

    def print(self) -> None:
        """The comparison for people, below the report."""
        if self.check is None:
            if self.error is not None:
                out_line(
                    f"  {colour('source', 'bold')}       not compared: {one_line(str(self.error))}"
                )
            return
        check = self.check
        signs = SIGNS if can_print("✓✗–") else ASCII_SIGNS
        out_line(
            f"  source       {one_line(check.origin)} ({check.kind}): {colour(_WORDS[check.status], _HUES[check.status])}"
        )
        for field in check.fields:
            out_line(
                f"  {colour(signs[field.status], _HUES[field.status])} {field.field:<18} {one_line(field.detail)}"
            )
            if field.diff:
                out_line(f"      {one_line(field.diff)}")
        for note in check.notes:
            out_line(f"    {one_line(note)}")


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
    if options.source not in (None, "arxiv"):
        raise UsageError(f"--source {options.source!a}: only arxiv is known")
    if options.source is not None and options.against is not None:
        raise UsageError(
            "--against and --source exclude each other: the metadata comes from a file or from arXiv"
        )
    if options.source is None and options.against is None:
        return None
    if report.record is None:
        return Outcome(None)
    from pybadge.derive.compare import check_source

    try:
        papers = _papers(report.record.canonical.source_id, options)
        return Outcome(check_source(report.record, papers, title=title, abstract=abstract))
    except (MetadataError, NotFoundError, UnreachableError) as error:
        return Outcome(None, error)


def _papers(source_id: str, options: argparse.Namespace) -> list[Metadata]:
    """What the source holds on one paper.

    Raises:
        NotFoundError, MetadataError, UnreachableError: nothing; then also what kept a part of it
            from being read.
    """
    if options.source is not None:
        return [fetched(source_id, options)]
    from pybadge.derive.sources import read_papers

    found, faults = [], []
    for item in read_papers(options.against):
        if isinstance(item, PybadgeError):
            faults.append(item)
        elif item.source_id == source_id:
            found.append(item)
    if not found and faults:
        raise faults[0]
    return found
