"""``pybadge derive``: one paper, or a file of some."""

from __future__ import annotations

import argparse

from pybadge.cli.derive_bulk import execute_bulk
from pybadge.cli.derive_papers import check_outputs, execute_papers, option_name
from pybadge.cli.oai import add_oai
from pybadge.errors import UsageError

__all__ = ["DESCRIPTION", "EXAMPLES", "configure", "execute"]

DESCRIPTION = """Recompute Pith Numbers from arXiv's own metadata: nobody needs to be asked. Title,
abstract, categories, licence, v1's time and the version determine a number. Takes
one paper, a file of some, or the bulk metadata of all of arXiv; names the field
where a number is not the expected one; writes records under your own key."""

# Options that make sense for the whole of the bulk metadata only.
_BULK_OPTIONS = ("find", "collisions", "all_versions", "jobs", "executor", "scheduler")

EXAMPLES = """  pybadge derive 2402.15627v1
  pybadge derive --arxiv-raw record.xml --json
  pybadge derive --metadata paper.toml --expect XR2UHLWNHHFSD4ZJJXWRU6R6QP
  pybadge derive --snapshot arxiv-metadata.jsonl -o numbers.jsonl"""


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
        "--categories", metavar="C", help='for --tex: "cs.LG, cs.DC", the primary one first'
    )
    paper.add_argument(
        "--license",
        metavar="L",
        help='for --tex: its address or name, such as "CC BY 4.0"; "none" where there is none',
    )
    paper.add_argument(
        "--submitted-at",
        metavar="T",
        help="when v1 was submitted: 2024-02-23T22:10:59Z, or copied from the paper's page",
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
    check_outputs(options)
    if _is_whole(options):
        if any(value is not None for value in (options.find, options.collisions, options.output)):
            return execute_bulk(options)
        return execute_papers(options)
    for name in _BULK_OPTIONS:
        if getattr(options, name) not in (None, False):
            raise UsageError(f"{option_name(name)} needs --snapshot FILE, without ids")
    if options.output is not None and options.sign is None:
        raise UsageError("-o needs --sign KEYFILE, or --snapshot FILE without ids")
    return execute_papers(options)


def _is_whole(options: argparse.Namespace) -> bool:
    """Whether the whole of the bulk metadata is asked for, to derive or to search it."""
    return (
        options.snapshot is not None
        and not options.what
        and options.sign is None
        and options.expect is None
    )
