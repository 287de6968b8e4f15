"""``pybadge derive``: one paper, or a file of some."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from pybadge.cli.derive_bulk import execute_bulk
from pybadge.cli.oai import add_oai, arxiv_server
from pybadge.cli.output import complain, out_line
from pybadge.derive.diagnosis import Diagnosis, derive_expecting, read_expected
from pybadge.derive.issue import Signer, issue, read_signer, save_record
from pybadge.derive.rules import SCHEMA, Derivation
from pybadge.derive.select import Harvest, Selection, TexFile, parse_paper, select
from pybadge.errors import (
    INVALID,
    VALID,
    MetadataError,
    NotFoundError,
    PybadgeError,
    UnreachableError,
    UsageError,
    worst,
)
from pybadge.escape.lines import one_line
from pybadge.input import read_file
from pybadge.output import write_file

__all__ = ["DESCRIPTION", "configure", "execute"]

DESCRIPTION = """Recompute Pith Numbers from arXiv's own metadata: nobody needs to be asked. Title,
abstract, categories, licence, v1's time and the version determine a number. Takes
one paper, a file of some, or the bulk metadata of all of arXiv; names the field
where a number is not the expected one; writes records under your own key."""

_UNEXPLAINED = (
    "is not the expected number, and no known variant of any field, nor any two, makes it fit"
)
# Options that make sense for the whole of the bulk metadata only.
_BULK_OPTIONS = ("find", "collisions", "all_versions", "jobs", "executor", "scheduler")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="*",
        metavar="ARXIV-ID",
        help="papers, with or without version: fetched from arXiv, or picked from the source below",
    )
    source = parser.add_argument_group(
        "where the metadata comes from; else from arXiv, by id"
    ).add_mutually_exclusive_group()
    source.add_argument(
        "--arxiv-raw",
        metavar="FILE",
        help="an OAI-PMH answer in the format arXivRaw (or arXiv); - for standard input",
    )
    source.add_argument(
        "--metadata",
        metavar="FILE",
        help="your own .json or .toml: "
        "id, title, abstract, categories, license, submitted_at, version",
    )
    source.add_argument(
        "--snapshot",
        metavar="FILE",
        help="arXiv's bulk metadata, one JSON object a line; also .gz, .zst, .zip",
    )
    source.add_argument(
        "--tex",
        metavar="FILE",
        help="a paper not yet submitted; the rest comes from --id, --categories, …",
    )
    source.add_argument(
        "--harvest", action="store_true", help="what OAI-PMH lists; see --from, --until, --set"
    )
    paper = parser.add_argument_group("what the source does not say")
    paper.add_argument("--id", metavar="ID", help="the arXiv id of --tex")
    paper.add_argument(
        "--categories", metavar="C", help='for --tex: "cs.LG cs.DC", the primary one first'
    )
    paper.add_argument(
        "--license", metavar="URL", default="", help="for --tex: the licence, verbatim"
    )
    paper.add_argument(
        "--submitted-at", metavar="T", help="when v1 was submitted, such as 2024-02-23T22:10:59Z"
    )
    paper.add_argument(
        "--paper-version", metavar="N", help="the version; by default the one the source describes"
    )
    result = parser.add_argument_group("what comes out")
    result.add_argument("--json", action="store_true", help="one JSON object a line for each paper")
    result.add_argument(
        "--expect", metavar="NUMBER|RECORD", help="what it should be; else say which field differs"
    )
    result.add_argument(
        "--keep-going",
        action="store_true",
        help="leave out what can't be derived instead of stopping",
    )
    result.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="with --sign a record or a folder, with --snapshot the numbers",
    )
    bulk = parser.add_argument_group("all of arXiv (with --snapshot)")
    bulk.add_argument("--jobs", metavar="N", help="processes (default: one for each processor)")
    bulk.add_argument(
        "--executor", metavar="EXECUTOR", help="process, thread, serial or dask (default process)"
    )
    # The former name of --executor; scripts use it.
    bulk.add_argument("--engine", dest="executor", help=argparse.SUPPRESS)
    bulk.add_argument(
        "--scheduler", metavar="ADDRESS", help="the dask scheduler; without it, a local cluster"
    )
    bulk.add_argument(
        "--all-versions",
        action="store_true",
        help="earlier versions too, assuming the same metadata",
    )
    bulk.add_argument(
        "--find",
        metavar="NUMBER",
        help="the paper of a number; FILE is the bulk metadata or the output of -o",
    )
    bulk.add_argument(
        "--collisions",
        metavar="8|12|16",
        nargs="?",
        const="8",
        help="short forms that name several; FILE is the output of -o",
    )
    sign = parser.add_argument_group("records under your own key")
    sign.add_argument(
        "--sign",
        metavar="KEYFILE",
        help="write records with a receipt under this Ed25519 private key (PEM)",
    )
    sign.add_argument(
        "--registry", metavar="NAME", help="the issuer's name, which verifiers will show"
    )
    sign.add_argument(
        "--key-id", metavar="ID", help="what receipts call the key (default: from the name)"
    )
    sign.add_argument(
        "--public-key", metavar="FILE", help="write what to publish: the file for --trust-key"
    )
    oai = parser.add_argument_group("OAI-PMH")
    add_oai(oai)
    oai.add_argument(
        "--from", dest="first", metavar="DAY", help="with --harvest: changed on YYYY-MM-DD or later"
    )
    oai.add_argument(
        "--until",
        dest="last",
        metavar="DAY",
        help="with --harvest: changed on YYYY-MM-DD or before",
    )
    oai.add_argument(
        "--set",
        dest="subset",
        metavar="SET",
        help="with --harvest: an OAI set such as cs or physics:hep-th",
    )
    oai.add_argument("--token", metavar="TOKEN", help="with --harvest: go on where one broke off")


def execute(options: argparse.Namespace) -> int:
    if _is_whole(options):
        if any(value is not None for value in (options.find, options.collisions, options.output)):
            return execute_bulk(options)
        return _derive_each(options)
    for name in _BULK_OPTIONS:
        if getattr(options, name) not in (None, False):
            raise UsageError(f"{_option(name)} needs --snapshot FILE, without ids")
    return _derive_each(options)


def _is_whole(options: argparse.Namespace) -> bool:
    """Whether the whole of the bulk metadata is asked for, to derive or to search it."""
    return (
        options.snapshot is not None
        and not options.what
        and options.sign is None
        and options.expect is None
    )


def _derive_each(options: argparse.Namespace) -> int:
    """Derive, print and, where asked, sign each paper of the source."""
    signer = _signer(options)
    expected = None if options.expect is None else read_expected(options.expect)
    codes = set()
    count = 0
    for item in select(_selection(options)):
        try:
            if isinstance(item, PybadgeError):
                raise item
            paper, version = item
            derivation, diagnosis = derive_expecting(
                paper, expected, version=version, submitted_at=options.submitted_at
            )
        except (MetadataError, NotFoundError, UnreachableError) as error:
            _print_error(error, options)
            codes.add(error.exit_code)
            if not options.keep_going:
                break
            continue
        record = None
        if signer is not None:
            record = issue(derivation, signer, datetime.now(timezone.utc))
            if options.output is not None:
                save_record(record, options.output, is_first=count == 0)
        count += 1
        _print(derivation, diagnosis, record, options)
        codes.add(VALID if diagnosis is None or diagnosis.equal else INVALID)
    return worst(codes)


def _signer(options: argparse.Namespace) -> Signer | None:
    if options.sign is None:
        for name in ("registry", "key_id", "public_key"):
            if getattr(options, name) is not None:
                raise UsageError(f"{_option(name)} goes with --sign")
        return None
    if options.registry is None:
        raise UsageError("--sign needs --registry NAME, which verifiers will show in Pith's place")
    signer = read_signer(read_file(options.sign), options.registry, options.key_id, options.sign)
    if options.public_key is not None:
        published = json.dumps(signer.key_document, indent=2) + "\n"
        write_file(options.public_key, published.encode("ascii"))
    return signer


def _selection(options: argparse.Namespace) -> Selection:
    """The papers and the source that the options name."""
    papers = tuple(parse_paper(what) for what in options.what)
    harvest = None
    if options.harvest:
        harvest = Harvest(options.first, options.last, options.subset, options.token)
    return Selection(
        papers,
        _whole_number(options.paper_version, "--paper-version"),
        oai_file=options.arxiv_raw,
        metadata_file=options.metadata,
        bulk_metadata=options.snapshot,
        tex=None if options.tex is None else _tex_file(options),
        harvest=harvest,
        server=arxiv_server(options),
    )


def _tex_file(options: argparse.Namespace) -> TexFile:
    for name in ("id", "categories", "submitted_at"):
        if getattr(options, name) is None:
            raise UsageError(
                f"--tex needs {_option(name)}: the number is made of it too, and no TeX file has it"
            )
    paper = parse_paper(options.id)
    return TexFile(options.tex, paper, options.categories, options.submitted_at, options.license)


def _option(name: str) -> str:
    """An option's name on the command line."""
    return f"--{name.replace('_', '-')}"


def _whole_number(text: str | None, option: str) -> int | None:
    if text is None:
        return None
    digits = text.isascii() and text.isdigit() and len(text) <= 9
    if not digits or int(text) < 1:
        raise UsageError(f"{option} {text!a}: must be a whole number from 1")
    return int(text)


def _print_error(error: PybadgeError, options: argparse.Namespace) -> None:
    if options.json:
        fault = {"code": error.code, "message": str(error)}
        out_line(json.dumps({"schema": SCHEMA, "error": fault}))
    else:
        complain(str(error))


def _print(
    derivation: Derivation,
    diagnosis: Diagnosis | None,
    record: dict[str, Any] | None,
    options: argparse.Namespace,
) -> None:
    name = derivation.arxiv_version
    if record is not None and options.output is None:
        out_line(json.dumps(record))
    elif options.json:
        facts = derivation.as_dict()
        if diagnosis is not None:
            facts["expected"] = diagnosis.as_dict()
        out_line(json.dumps(facts))
    else:
        out_line(f"{derivation.number.text}  {name}")
        for line in _lines(diagnosis):
            out_line(f"  {one_line(line)}")
    for _, text in derivation.notes:
        complain(f"note: {name}: {text}")


def _lines(diagnosis: Diagnosis | None) -> Sequence[str]:
    """The lines of a diagnosis for people."""
    if diagnosis is None:
        return ()
    if diagnosis.equal:
        return ("is the expected number",)
    if not diagnosis.explained:
        return (_UNEXPLAINED,)
    sentences = [item.sentence for item in diagnosis.differences]
    return ("is not the expected number:", *sentences)
