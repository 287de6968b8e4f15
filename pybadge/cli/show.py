"""``pybadge show``."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from typing import Any

from pybadge.address import record_url
from pybadge.checks.report import Report
from pybadge.cli.commands import WHAT_HELP
from pybadge.cli.context import verified_report
from pybadge.cli.output import can_print, out_line, wants_colour
from pybadge.errors import UsageError
from pybadge.escape.lines import one_line
from pybadge.number import PithNumber
from pybadge.record import Record
from pybadge.reporting import WORDS

__all__ = ["configure", "execute"]

COMPLETENESS = {
    "timestamp": "Bitcoin timestamp",
    "storage": "Internet Archive",
    "author": "author claim",
    "citations": "citation signatures",
    "replications": "replications",
}


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="WHAT", help=WHAT_HELP)
    parser.add_argument(
        "--json", action="store_true", help="one JSON object: the report, and what the record says"
    )
    parser.add_argument(
        "--qr", action="store_true", help="also draw the QR code of the record's address"
    )


def execute(options: argparse.Namespace) -> int:
    if options.json and options.qr:
        raise UsageError("give --json or --qr, not both")
    report, record, number = verified_report(options.what, options)
    if options.json:
        out_line(json.dumps({**report.as_dict(), "record": _facts(record)}))
        return report.exit_code
    for name, value in _lines(report, record, number):
        out_line(f"{name:<20} {one_line(value)}")
    if options.qr:
        _draw_code(record_url(number.suffix))
    return report.exit_code


def _draw_code(url: str) -> None:
    from pybadge.badge.qr import matrix, terminal_lines

    out_line("")
    for line in terminal_lines(matrix(url), unicode=can_print("█▀▄"), color=wants_colour()):
        out_line(line)


def _facts(record: Record) -> dict[str, Any]:
    return {
        "canonical_record": record.canonical.document,
        "title": record.paper.title,
        "authors": record.paper.authors,
        "aliases": [
            {"alias_kind": alias.kind, "alias_value": alias.value} for alias in record.aliases
        ],
        "cited_by": [
            {"arxiv_id": citing.arxiv_id, "title": citing.title}
            for citing in record.served.citations
        ],
    }


def _lines(report: Report, record: Record, number: PithNumber) -> Iterator[tuple[str, str]]:
    canonical = record.canonical
    yield "number", f"{number.text}  ({WORDS[report.verdict]})"
    yield "short form", f"{number.short}  (names the record, can't prove it)"
    yield "page", record_url(number.suffix)
    if record.paper.title is not None:
        yield "title", f"{record.paper.title}  ({_said(report['title'].status)})"
    if record.paper.authors is not None:
        yield "authors", f"{record.paper.authors}  (as served; not signed)"
    yield "source", f"arXiv:{canonical.arxiv_version}"
    yield "submitted", f"{canonical.submitted_at}  (v1)"
    yield "categories", " ".join((canonical.primary_category, *canonical.cross_categories))
    yield "licence", canonical.license or "none"
    yield "hash", report["canonical_hash"].detail
    for check_id, name in COMPLETENESS.items():
        yield name, report[check_id].detail
    for alias in record.aliases:
        yield "alias", f"{alias.kind}: {alias.value}"
    for citing in record.served.citations:
        yield "cited by", f"arXiv:{citing.arxiv_id} {citing.title}  (as served)"


def _said(status: str) -> str:
    return {"valid": "has the signed hash", "invalid": "does NOT have the signed hash"}.get(
        status, "not checked"
    )
