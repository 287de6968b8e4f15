"""``pybadge derive``: each paper of a source, one after the other."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from pybadge.arxiv import ArxivId
from pybadge.cli.oai import arxiv_server
from pybadge.cli.output import complain, out_line
from pybadge.derive.diagnosis import Diagnosis, derive_expecting, read_expected
from pybadge.derive.issue import Signer, issue, read_signer, save_record
from pybadge.derive.rules import SCHEMA, Derivation
from pybadge.derive.select import Harvest, Selected, Selection, TexFile, parse_paper, select
from pybadge.derive.sources.arxiv import how_to_go_on
from pybadge.derive.sources.tex import tex_files
from pybadge.derive.typed import NO_LICENSE, typed_categories, typed_license, typed_time
from pybadge.errors import (
    INVALID,
    VALID,
    MetadataError,
    NotFoundError,
    OutputError,
    PybadgeError,
    UnreachableError,
    UsageError,
    reason,
    worst,
)
from pybadge.escape.lines import one_line
from pybadge.input import read_file
from pybadge.output import refuse_precious, write_file

__all__ = ["check_outputs", "execute_papers", "option_name"]

_UNEXPLAINED = (
    "is not the expected number, and no known variant of any field, nor any two, makes it fit"
)
# Options whose files are read, so that nothing is written over them.
_INPUTS = ("arxiv_raw", "metadata", "snapshot", "tex", "sign", "expect")
# What a number is made of and no TeX file says.
_OF_TEX = ("id", "categories", "license", "submitted_at")


def option_name(name: str) -> str:
    """An option as it stands on the command line."""
    return f"--{name.replace('_', '-')}"


# --- what is written


def check_outputs(options: argparse.Namespace) -> None:
    """Refuse to write over a private key, a file that is read, or the other output, before any work
    is done.

    Raises:
        OutputError: naming the file.
    """
    outputs = [path for path in (options.public_key, options.output) if path is not None]
    if not outputs:
        return
    inputs = _inputs(options)
    for path in outputs:
        try:
            refuse_precious(path, inputs)
        except (OSError, ValueError) as error:
            raise OutputError(f"{path}: can't be written: {reason(error)}") from None
    if len(outputs) == 2 and os.path.realpath(outputs[0]) == os.path.realpath(outputs[1]):
        raise OutputError(f"{outputs[0]}: is both -o and --public-key; write to two files")


def _inputs(options: argparse.Namespace) -> list[str]:
    """The files that this run reads, those that a TeX file inputs included."""
    found = [getattr(options, name) for name in _INPUTS]
    if options.tex is not None:
        with contextlib.suppress(MetadataError):  # said when its turn comes
            found += tex_files(options.tex)
    return [path for path in found if path is not None]


def _signer(options: argparse.Namespace) -> Signer | None:
    if options.sign is None:
        for name in ("registry", "key_id", "public_key"):
            if getattr(options, name) is not None:
                raise UsageError(f"{option_name(name)} goes with --sign")
        return None
    if options.registry is None:
        raise UsageError("--sign needs --registry NAME, which verifiers will show in Pith's place")
    signer = read_signer(read_file(options.sign), options.registry, options.key_id, options.sign)
    if options.public_key is not None:
        published = json.dumps(signer.key_document, indent=2) + "\n"
        write_file(options.public_key, published.encode("ascii"), inputs=_inputs(options))
    return signer


# --- what is read


class _Page:
    """The page of a list of OAI-PMH that a harvest is at."""

    def __init__(self) -> None:
        self._token: str | None = None

    def reach(self, token: str | None) -> None:
        """Note that a page is asked for."""
        self._token = token

    def tell(self, further: str = "") -> None:
        """Say how to go on from it, perhaps with a further option."""
        advice = how_to_go_on(self._token)
        if advice:
            complain(f"stopped{advice}{further}")


def _selection(options: argparse.Namespace, page: _Page) -> Selection:
    """The papers and the source that the options name."""
    papers = tuple(parse_paper(what) for what in options.what)
    harvest = None
    if options.harvest:
        harvest = Harvest(options.first, options.last, options.subset, options.token, page.reach)
    version = _whole_number(options.paper_version, "--paper-version")
    return Selection(
        papers,
        version,
        oai_file=options.arxiv_raw,
        metadata_file=options.metadata,
        bulk_metadata=options.snapshot,
        tex=_tex_file(options, version),
        harvest=harvest,
        server=arxiv_server(options),
    )


def _tex_file(options: argparse.Namespace, version: int | None) -> TexFile | None:
    """The TeX file and what was typed about it, held against arXiv's lists."""
    if options.tex is None:
        for name in ("id", "categories", "license"):
            if getattr(options, name) is not None:
                raise UsageError(f"{option_name(name)} goes with --tex")
        return None
    _check_all_there(options)
    paper = parse_paper(options.id)
    if version is not None and paper.version not in (None, version):
        raise UsageError(f"--id {options.id} and --paper-version {version} are two versions")
    try:
        categories, doubts = typed_categories(options.categories)
    except MetadataError as error:
        raise UsageError(f"--categories: {error}", code=error.code) from None
    try:
        license, more_doubts = typed_license(options.license)
    except MetadataError as error:
        raise UsageError(f"--license: {error}", code=error.code) from None
    return TexFile(
        options.tex,
        ArxivId(paper.id, paper.version or version),
        " ".join(categories),
        _submitted_at(options) or "",
        license,
        (*doubts, *more_doubts),
    )


def _check_all_there(options: argparse.Namespace) -> None:
    missing = [option_name(name) for name in _OF_TEX if getattr(options, name) is None]
    if not missing:
        return
    listed = " and ".join([", ".join(missing[:-1]), missing[-1]] if missing[1:] else missing)
    hint = f" (--license {NO_LICENSE} where there is none)" if "--license" in missing else ""
    raise UsageError(
        f"--tex needs {listed}{hint}: the number is made of it too, and no TeX file has it"
    )


def _submitted_at(options: argparse.Namespace) -> str | None:
    if options.submitted_at is None:
        return None
    try:
        return typed_time(options.submitted_at)
    except MetadataError as error:
        raise UsageError(f"--submitted-at: {error}", code=error.code) from None


def _whole_number(text: str | None, option: str) -> int | None:
    if text is None:
        return None
    digits = text.isascii() and text.isdigit() and len(text) <= 9
    if not digits or int(text) < 1:
        raise UsageError(f"{option} {text!a}: must be a whole number from 1")
    return int(text)


# --- each paper


def execute_papers(options: argparse.Namespace) -> int:
    """Derive, print and, where asked, sign each paper of the source."""
    page = _Page()
    selected = select(_selection(options, page))
    run = _Run(options)
    codes = set()
    try:
        for item in selected:
            try:
                codes.add(run.derive(item))
            except (MetadataError, NotFoundError, UnreachableError) as error:
                _print_error(error, options)
                codes.add(error.exit_code)
                if not options.keep_going:
                    page.tell(" --keep-going")
                    break
    except KeyboardInterrupt:
        page.tell()
        raise
    return worst(codes)


class _Run:
    """What the options ask for of each paper."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._submitted_at = _submitted_at(options)
        self._expected = None if options.expect is None else read_expected(options.expect)
        self._signer = _signer(options)
        self._count = 0

    def derive(self, item: Selected) -> int:
        """Derive one paper, print it, and write its record.

        Returns:
            The exit code that it alone would have.

        Raises:
            PybadgeError: it can't be derived or written.
        """
        if isinstance(item, PybadgeError):
            raise item
        paper, version = item
        derivation, diagnosis = derive_expecting(
            paper, self._expected, version=version, submitted_at=self._submitted_at
        )
        record = None
        if self._signer is not None:
            record = self._issued(derivation, self._signer)
        self._count += 1
        _print(derivation, diagnosis, record, self._options)
        return VALID if diagnosis is None or diagnosis.equal else INVALID

    def _issued(self, derivation: Derivation, signer: Signer) -> dict[str, Any]:
        record = issue(derivation, signer, datetime.now(timezone.utc))
        if self._options.output is not None:
            save_record(
                record,
                self._options.output,
                is_first=self._count == 0,
                inputs=_inputs(self._options),
            )
        return record


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
