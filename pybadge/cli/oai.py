"""The option ``--oai``, and arXiv's server with the limits of every command."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from pybadge.cli.context import resolver_arguments

if TYPE_CHECKING:  # a plain `verify` starts without all that derives
    from pybadge.derive.select import ArxivServer

__all__ = ["add_oai", "arxiv_server"]


def add_oai(group: Any) -> None:
    """Add the option to a parser or to a group of its options."""
    group.add_argument(
        "--oai",
        metavar="URL",
        help="where OAI-PMH is spoken (default https://oaipmh.arxiv.org/oai)",
    )


def arxiv_server(options: argparse.Namespace) -> ArxivServer:
    """arXiv's server, with the address and limits that the options give.

    Raises:
        UsageError: as `resolver_arguments`.
    """
    from pybadge.derive.select import ArxivServer
    from pybadge.derive.sources.arxiv import ARXIV_OAI

    limits = resolver_arguments(options)
    return ArxivServer(
        options.oai or ARXIV_OAI, options.offline, limits["timeout"], limits["allowed_hosts"]
    )
