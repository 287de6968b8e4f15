"""arXiv's metadata over the network: OAI-PMH as https://oaipmh.arxiv.org/oai speaks it.

Terms of use: one connection, at most one request in three seconds
(https://info.arxiv.org/help/api/tou.html).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from pybadge.derive.metadata import Metadata
from pybadge.derive.sources.oai import OaiParser
from pybadge.errors import MetadataError, NotFoundError, PybadgeError, UnreachableError

if TYPE_CHECKING:  # it loads requests
    from pybadge.resolve.http import Transport

__all__ = ["ARXIV_OAI", "PAUSE", "fetch_metadata", "harvest"]

ARXIV_OAI = "https://oaipmh.arxiv.org/oai"
PAUSE = 3.0
"""Seconds between two requests, as arXiv's terms of use ask."""

_LONGEST_TOKEN = 2000


def fetch_metadata(transport: Transport, arxiv_id: str, *, base: str = ARXIV_OAI) -> Metadata:
    """One paper's ``arXivRaw`` metadata, by id.

    Args:
        transport: asks, within its limits of size and time.
        arxiv_id: without version.
        base: where OAI-PMH is spoken.

    Raises:
        NotFoundError: arXiv has no such paper.
        UnreachableError: nobody answered properly in time.
        MetadataError: the answer can't be read, or is about another paper.
    """
    items, _ = _ask(
        transport, base, {"verb": "GetRecord", "identifier": f"oai:arXiv.org:{arxiv_id}"}
    )
    for item in items:
        if isinstance(item, PybadgeError):
            raise item
        if item.source_id == arxiv_id:
            return item
        raise MetadataError(
            f"{base}: asked for {arxiv_id}, answered with {ascii(item.source_id)[:60]}",
            code="oai.other_paper",
        )
    raise NotFoundError(f"{base}: no metadata of {arxiv_id}", code="oai.empty")


def harvest(
    transport: Transport,
    *,
    base: str = ARXIV_OAI,
    first: str | None = None,
    last: str | None = None,
    subset: str | None = None,
    token: str | None = None,
    pause: float = PAUSE,
) -> Iterator[Metadata | PybadgeError]:
    """All papers whose metadata changed between two days, page by page.

    Args:
        transport: asks, within its limits of size and time, which hold for each page.
        base: where OAI-PMH is spoken.
        first, last: days, ``YYYY-MM-DD``, both included; None for no limit.
        subset: an OAI set such as ``cs`` or ``physics:hep-th``; None for all of arXiv.
        token: the resumption token to go on with, from the message of a harvest that broke off.
        pause: seconds between two requests; arXiv asks for three.

    Yields:
        A paper's metadata, or the error that stands in its place.

    Raises:
        UnreachableError: a page could not be had; the message has the token to go on with.
        MetadataError: a page can't be read, or the server repeats itself.
    """
    question = {"verb": "ListRecords"}
    for name, value in {"from": first, "until": last, "set": subset}.items():
        if value is not None:
            question[name] = value
    seen: set[str] = set()
    while True:
        if token is not None:
            question = {"verb": "ListRecords", "resumptionToken": token}
        try:
            items, following = _ask(transport, base, question)
        except UnreachableError as error:
            advice = f"; to go on from here: --token {token}" if token is not None else ""
            raise UnreachableError(f"{error}{advice}", code=error.code) from None
        yield from items
        if following is None:
            return
        if following in seen or len(following) > _LONGEST_TOKEN:
            raise MetadataError(
                f"{base}: the resumption token comes again or is too long; stopped",
                code="oai.token",
            )
        seen.add(following)
        token = following
        time.sleep(pause)


def _ask(
    transport: Transport, base: str, question: dict[str, str]
) -> tuple[list[Metadata | PybadgeError], str | None]:
    if "resumptionToken" not in question:  # an exclusive argument of OAI-PMH
        question = {**question, "metadataPrefix": "arXivRaw"}
    url = f"{base}?{urlencode(question)}"
    response = transport.get(url, accept="text/xml, application/xml", content="xml")
    parser = OaiParser(base)
    return parser.feed(response.body, final=True), parser.resumption_token
