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
from pybadge.cli.output import can_print, out_line, palette_of_stdout, wants_colour
from pybadge.errors import UsageError
from pybadge.escape.lines import one_line
from pybadge.number import PithNumber
from pybadge.record import Record
from pybadge.reporting import Palette, heading_lines, labelled

EXAMPLES = """  pybadge show 2402.15627
  pybadge show XR2UHLWNHHFSD4ZJJXWRU6R6QP --json
  pybadge show record.json --qr"""

__all__ = ["configure", "execute"]

COMPLETENESS = {
    "timestamp": "Bitcoin timestamp",
    "storage": "Internet Archive",
    "author": "author claim",
    "citations": "citation signatures",
    "replications": "replications",
}
_NAME = 12  # columns of a fact's name
_STANDING = {"valid": "has the signed hash", "invalid": "does NOT have the signed hash"}


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
    for line in _lines(report, record, number, palette_of_stdout()):
        out_line(line)
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


def _lines(report: Report, record: Record, number: PithNumber, palette: Palette) -> Iterator[str]:
    """What matters first: the paper, the verdict, who signed; then the rest."""
    if record.paper.title is not None:
        standing = _STANDING.get(report["title"].status, "not checked")
        title = palette.paint(one_line(record.paper.title), "bold")
        yield from labelled("", f"{title}  ({standing})", 0, palette)
    yield from heading_lines(report, palette)
    for name, value in _named(report, record, number):
        yield from labelled(f"  {name:<{_NAME}} ", one_line(value), _NAME + 3, palette)
    citations = record.served.citations
    if citations:
        yield "  cited by (as served)"
    for citing in citations:
        yield from labelled("    ", one_line(f"arXiv:{citing.arxiv_id} {citing.title}"), 4, palette)


def _named(report: Report, record: Record, number: PithNumber) -> Iterator[tuple[str, str]]:
    canonical = record.canonical
    yield "signed by", _signer(report, record)
    yield "source", f"arXiv:{canonical.arxiv_version}, v1 submitted {canonical.submitted_at}"
    if record.paper.authors is not None:
        yield "authors", f"{record.paper.authors}  (as served; not signed)"
    yield "categories", " ".join((canonical.primary_category, *canonical.cross_categories))
    yield "licence", canonical.license or "none"
    yield "page", record_url(number.suffix)
    yield "short form", f"{number.short}  (names the record, can't prove it)"
    yield "hash", report["canonical_hash"].detail
    if record.aliases:
        aliases = (f"{alias.kind} {alias.value}" for alias in record.aliases)
        yield "aliases", ", ".join(aliases)
    absent = []
    for check_id, name in COMPLETENESS.items():
        check = report[check_id]
        if check.status == "absent":
            absent.append(name)
        else:
            yield "claimed", f"{name}: {check.detail}"
    if absent:
        yield "nothing on", ", ".join(absent)


def _signer(report: Report, record: Record) -> str:
    if report.registry is None:
        return f"nobody: {report['receipt_signature'].detail}"
    signed_at = record.receipt.signed_at if record.receipt is not None else None
    when = f", who says: at {signed_at}" if signed_at else ""
    return f"{report.registry}, {report['receipt_key'].detail}{when}"
