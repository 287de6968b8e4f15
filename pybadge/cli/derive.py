"""``pybadge derive``: one paper, or a file of some."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator
from datetime import datetime, timezone
from typing import Any

from pybadge.cli.context import resolver_arguments
from pybadge.cli.derive_bulk import execute_bulk
from pybadge.cli.output import complain, out_line, write_file
from pybadge.derive.diagnosis import Diagnosis
from pybadge.derive.issue import Signer
from pybadge.derive.rules import Derivation, Metadata
from pybadge.errors import MetadataError, NotFoundError, PybadgeError, UnreachableError, UsageError
from pybadge.escape.lines import one_line
from pybadge.number import PithNumber
from pybadge.output import read_file
from pybadge.record import Record, load
from pybadge.resolve import locate
from pybadge.resolve.http import Transport

SCHEMA = "pybadge-derive/1"
SOURCES = ("arxiv_raw", "metadata", "snapshot", "tex", "harvest")


DESCRIPTION = """Recompute Pith Numbers from arXiv's own metadata: nobody needs to be asked. Title, abstract, categories,
licence, v1's time and the version determine a number. Takes one paper, a file of some, or a snapshot of all of arXiv;
names the field where a number is not the expected one; writes records under your own key."""


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
        help="your own .json or .toml: id, title, abstract, categories, license, submitted_at, version",
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
    bulk = parser.add_argument_group("a whole snapshot (with --snapshot)")
    bulk.add_argument("--jobs", metavar="N", help="processes (default: one for each processor)")
    bulk.add_argument(
        "--engine", metavar="ENGINE", help="process, thread, serial or dask (default process)"
    )
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
        help="the paper of a number; FILE is a snapshot or the output of -o",
    )
    bulk.add_argument(
        "--collisions",
        metavar="8|12|16",
        nargs="?",
        const="8",
        help="short forms that name several; FILE is the output of -o",
    )
    sign = parser.add_argument_group("your own registry")
    sign.add_argument(
        "--sign",
        metavar="KEYFILE",
        help="write records with a receipt under this Ed25519 private key (PEM)",
    )
    sign.add_argument(
        "--registry", metavar="NAME", help="your registry's name, which verifiers will show"
    )
    sign.add_argument(
        "--key-id", metavar="ID", help="what receipts call the key (default: from the name)"
    )
    sign.add_argument(
        "--public-key", metavar="FILE", help="write what to publish: the file for --trust-key"
    )
    oai = parser.add_argument_group("OAI-PMH")
    oai.add_argument(
        "--oai",
        metavar="URL",
        help="where OAI-PMH is spoken (default https://oaipmh.arxiv.org/oai)",
    )
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
    if (
        options.snapshot is not None
        and not options.what
        and options.sign is None
        and options.expect is None
    ):
        return execute_bulk(options)
    for name in ("find", "collisions", "all_versions", "jobs", "engine", "scheduler"):
        if getattr(options, name) not in (None, False):
            raise UsageError(f"--{name.replace('_', '-')} needs --snapshot FILE, without ids")
    return derive_all(options)


def derive_all(options: argparse.Namespace) -> int:
    """Derive, print and, where asked, sign each paper of the source."""
    signer = _signer(options)
    expected = _expected(options)
    codes = {0}
    count = 0
    for item in _wanted(options):
        try:
            if isinstance(item, PybadgeError):
                raise item
            paper, version = item
            derivation, diagnosis = _derive(paper, version, options, expected)
            record = _issue(derivation, signer, options, count)
        except (MetadataError, NotFoundError, UnreachableError) as error:
            codes.add(_failed(error, options))
            if not options.keep_going:
                break
            continue
        count += 1
        _print(derivation, diagnosis, record, options)
        codes.add(
            0 if diagnosis is None or (diagnosis.explained and not diagnosis.differences) else 1
        )
    return next(code for code in (1, 2, 3, 0) if code in codes)


def _failed(error: PybadgeError, options: argparse.Namespace) -> int:
    if options.json:
        out_line(
            json.dumps({"schema": SCHEMA, "error": {"code": error.code, "message": str(error)}})
        )
    else:
        complain(str(error))
    return error.exit_code


def _wanted(options: argparse.Namespace) -> Iterator[tuple[Metadata, int | None] | PybadgeError]:
    """The papers asked for, each with the version asked for."""
    asked = [_arxiv_id(what) for what in options.what]
    version = _whole_number(options.paper_version, "--paper-version")
    if all(not getattr(options, name) for name in SOURCES):
        if not asked:
            raise UsageError(
                "name a source (--arxiv-raw, --metadata, --snapshot, --tex, --harvest) or an arXiv id"
            )
        for source_id, one in asked:
            try:
                yield fetched(source_id, options), one or version
            except PybadgeError as error:
                yield error
        return
    missing = {source_id for source_id, _ in asked}
    for item in _papers(options):
        if isinstance(item, PybadgeError) or not asked:
            yield item if isinstance(item, PybadgeError) else (item, version)
            continue
        for source_id, one in asked:
            if item.source_id == source_id:
                missing.discard(source_id)
                yield item, one or version
    for source_id in sorted(missing):
        yield NotFoundError(f"{source_id}: not in the source", code="source.not_found")


def _arxiv_id(what: str) -> tuple[str, int | None]:
    located = locate(what)
    if located.arxiv_id is None:
        raise UsageError(
            f"{what}: not an arXiv id; a number can't be turned back into a paper, but see --find"
        )
    return located.arxiv_id, located.version


def _whole_number(text: str | None, option: str) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and int(text) >= 1):
        raise UsageError(f"{option} {text!a}: must be a whole number from 1")
    return int(text)


def _papers(options: argparse.Namespace) -> Iterable[Metadata | PybadgeError]:
    if options.arxiv_raw is not None:
        from pybadge.derive.sources import read_oai_file

        return read_oai_file(options.arxiv_raw)
    if options.metadata is not None:
        from pybadge.derive.sources.metadata_file import read_own

        return read_own(options.metadata)
    if options.snapshot is not None:
        from pybadge.derive.sources.bulk_metadata import read_snapshot

        return read_snapshot(options.snapshot)
    if options.tex is not None:
        return [_from_tex(options)]
    return _harvested(options)


def _from_tex(options: argparse.Namespace) -> Metadata:
    from pybadge.derive.rules import Metadata
    from pybadge.derive.sources.tex import read_tex

    for name in ("id", "categories", "submitted_at"):
        if getattr(options, name) is None:
            raise UsageError(
                f"--tex needs --{name.replace('_', '-')}: the number is made of it too, and no TeX file has it"
            )
    title, abstract = read_tex(options.tex)
    source_id, version = _arxiv_id(options.id)
    times = ((1, options.submitted_at),)
    categories = tuple(options.categories.split())
    return Metadata(
        source_id,
        title,
        abstract,
        categories,
        options.license,
        times,
        version or 1,
        None,
        "tex",
        options.tex,
    )


def fetched(source_id: str, options: argparse.Namespace) -> Metadata:
    """One paper's metadata from arXiv.

    Raises:
        PybadgeError: as `fetch_metadata`; offline it is not asked.
    """
    from pybadge.derive.sources.arxiv import ARXIV_OAI, fetch_metadata

    return fetch_metadata(transport_of(options), source_id, base=options.oai or ARXIV_OAI)


def _harvested(options: argparse.Namespace) -> Iterable[Metadata | PybadgeError]:
    from pybadge.derive.sources.arxiv import ARXIV_OAI, harvest

    return harvest(
        transport_of(options),
        base=options.oai or ARXIV_OAI,
        first=options.first,
        last=options.last,
        subset=options.subset,
        token=options.token,
    )


def transport_of(options: argparse.Namespace) -> Transport:
    """What asks arXiv, within the limits of the options."""
    from pybadge.derive.sources.oai import MAX_XML_BYTES
    from pybadge.resolve.http import Transport

    if options.offline:
        raise UnreachableError(
            "arXiv is not asked, since --offline was given", code="resolve.offline"
        )
    limits = resolver_arguments(options)
    return Transport(
        timeout=limits["timeout"], allowed_hosts=limits["allowed_hosts"], max_bytes=MAX_XML_BYTES
    )


def _expected(options: argparse.Namespace) -> PithNumber | Record | None:
    if options.expect is None:
        return None
    located = locate(options.expect)
    if located.kind == "file":
        return load(located.address or "")
    if located.number is None:
        raise UsageError(
            f"--expect {options.expect}: must be a Pith Number or the path of a record"
        )
    return located.number


def _derive(
    paper: Metadata,
    version: int | None,
    options: argparse.Namespace,
    expected: PithNumber | Record | None,
) -> tuple[Derivation, Diagnosis | None]:
    from pybadge.derive import derive
    from pybadge.derive.diagnosis import diagnose, diagnose_number, with_time_found

    submitted_at = options.submitted_at
    if isinstance(expected, PithNumber) and submitted_at is None:
        submitted_at = with_time_found(paper, version, expected)
    derivation = derive(paper, version=version, submitted_at=submitted_at)
    if expected is None:
        return derivation, None
    if isinstance(expected, PithNumber):
        return derivation, diagnose_number(derivation, expected)
    return derivation, diagnose(derivation, expected.canonical.document)


def _signer(options: argparse.Namespace) -> Signer | None:
    if options.sign is None:
        for name in ("registry", "key_id", "public_key"):
            if getattr(options, name) is not None:
                raise UsageError(f"--{name.replace('_', '-')} goes with --sign")
        return None
    if options.registry is None:
        raise UsageError("--sign needs --registry NAME, which verifiers will show in Pith's place")
    from pybadge.derive.issue import read_signer

    signer = read_signer(read_file(options.sign), options.registry, options.key_id, options.sign)
    if options.public_key is not None:
        write_file(
            options.public_key, (json.dumps(signer.key_document, indent=2) + "\n").encode("ascii")
        )
    return signer


def _issue(
    derivation: Derivation, signer: Signer | None, options: argparse.Namespace, count: int
) -> dict[str, Any] | None:
    if signer is None:
        return None

    from pybadge.derive.issue import issue

    record = issue(derivation, signer, datetime.now(timezone.utc))
    if options.output is None:
        return record
    place = options.output
    if os.path.isdir(place):
        place = os.path.join(place, f"{derivation.number.suffix}.json")
    elif count:
        raise UsageError(f"{place}: one file, but several papers; give a folder")
    write_file(place, (json.dumps(record, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))
    return record


def _print(
    derivation: Derivation,
    diagnosis: Diagnosis | None,
    record: dict[str, Any] | None,
    options: argparse.Namespace,
) -> None:
    source = derivation.canonical_record["source"]
    name = f"{source['id']}v{source['version']}"
    if record is not None and options.output is None:
        out_line(json.dumps(record))
    elif options.json:
        facts: dict[str, Any] = {
            "schema": SCHEMA,
            "input": derivation.metadata.origin or name,
            "number": derivation.number.text,
            "canonical_sha256": derivation.canonical_sha256,
            "canonical_record": derivation.canonical_record,
            "notes": [{"code": code, "message": text} for code, text in derivation.notes],
        }
        if diagnosis is not None:
            facts["expected"] = {
                "equal": diagnosis.explained and not diagnosis.differences,
                "explained": diagnosis.explained,
                "differences": [item.as_dict() for item in diagnosis.differences],
            }
        out_line(json.dumps(facts))
    else:
        out_line(f"{derivation.number.text}  {name}")
        if diagnosis is not None:
            _print_diagnosis(diagnosis)
    for _, text in derivation.notes:
        complain(f"note: {name}: {text}")


def _print_diagnosis(diagnosis: Diagnosis) -> None:
    if not diagnosis.explained:
        out_line(
            "  is not the expected number, and no known variant of any field, nor any two, makes it fit"
        )
    elif not diagnosis.differences:
        out_line("  is the expected number")
    else:
        out_line("  is not the expected number:")
        for item in diagnosis.differences:
            out_line(f"  {one_line(item.sentence)}")
