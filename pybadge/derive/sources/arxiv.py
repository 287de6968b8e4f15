"""arXiv's metadata over the network: OAI-PMH as https://oaipmh.arxiv.org/oai speaks it.

Terms of use: one connection, at most one request in three seconds
(https://info.arxiv.org/help/api/tou.html).
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from pybadge.derive.metadata import Metadata
from pybadge.derive.sources.oai import read_oai_page
from pybadge.errors import MetadataError, NotFoundError, PybadgeError, UnreachableError

if TYPE_CHECKING:  # it loads requests
    from pybadge.resolve.http import Transport

__all__ = ["ARXIV_OAI", "PAUSE", "fetch_metadata", "harvest", "how_to_go_on"]

ARXIV_OAI = "https://oaipmh.arxiv.org/oai"
PAUSE = 3.0
"""Seconds between two requests, as arXiv's terms of use ask."""

_LONGEST_TOKEN = 2000
# How often a page is asked for that can't be used; before each further time 2, 4 and 8 pauses.
_TRIES = 4

_Page = tuple[list[Metadata | PybadgeError], str | None]
"""The papers of a page and the errors that stand in their place, and the token of the next one."""


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
    reached: Callable[[str | None], None] | None = None,
) -> Iterator[Metadata | PybadgeError]:
    """All papers whose metadata changed between two days, page by page.

    A page that is empty, cut short, no XML, or refused for its token is asked for again a few
    times.

    Args:
        transport: asks, within its limits of size and time, which hold for each page.
        base: where OAI-PMH is spoken.
        first, last: days, ``YYYY-MM-DD``, both included; None for no limit.
        subset: an OAI set such as ``cs`` or ``physics:hep-th``; None for all of arXiv.
        token: the resumption token to go on with, from the message of a harvest that broke off.
        pause: seconds between two requests; arXiv asks for three.
        reached: told the token of each page, None for the first, before it is asked for.

    Yields:
        A paper's metadata, or the error that stands in its place.

    Raises:
        PybadgeError: a page could not be had, can't be read, or the server repeats itself; the
            message has the token to go on with.
    """
    question = {"verb": "ListRecords"}
    for name, value in {"from": first, "until": last, "set": subset}.items():
        if value is not None:
            question[name] = value
    seen: set[str] = set()
    while True:
        if token is not None:
            question = {"verb": "ListRecords", "resumptionToken": token}
        if reached is not None:
            reached(token)
        try:
            items, following = _page(transport, base, question, pause)
        except PybadgeError as error:
            raise type(error)(f"{error}{how_to_go_on(token)}", code=error.code) from None
        yield from items
        if following is None:
            return
        if following in seen or len(following) > _LONGEST_TOKEN:
            raise MetadataError(
                f"{base}: the resumption token comes again or is too long; stopped"
                f"{how_to_go_on(token)}",
                code="oai.token",
            )
        seen.add(following)
        token = following
        time.sleep(pause)


def how_to_go_on(token: str | None) -> str:
    """The end of a message: how to go on with a harvest from a page; "" from the first one."""
    if token is None:
        return ""
    return f"; to go on from here: --token {shlex.quote(token)}"


def _page(transport: Transport, base: str, question: dict[str, str], pause: float) -> _Page:
    """A page of a list, asked for again where it can't be used.

    Raises:
        PybadgeError: it still can't.
    """
    for attempt in range(_TRIES):
        if attempt > 0:
            time.sleep(pause * 2**attempt)
        outcome = _attempt(transport, base, question)
        if not isinstance(outcome, PybadgeError):
            return outcome
        fault = outcome
    raise type(fault)(f"{fault} (tried {_TRIES} times)", code=fault.code)


def _attempt(transport: Transport, base: str, question: dict[str, str]) -> _Page | PybadgeError:
    """A page, or the fault that may be gone next time."""
    try:
        items, following = _ask(transport, base, question)
    except MetadataError as error:
        return error
    except UnreachableError as error:
        # All others were tried again by the transport.
        if error.code != "resolve.content_type":
            raise
        return error
    first = items[0] if len(items) == 1 else None
    if isinstance(first, PybadgeError) and first.code == "oai.badResumptionToken":
        return first
    return items, following


def _ask(transport: Transport, base: str, question: dict[str, str]) -> _Page:
    if "resumptionToken" not in question:  # an exclusive argument of OAI-PMH
        question = {**question, "metadataPrefix": "arXivRaw"}
    url = f"{base}?{urlencode(question)}"
    response = transport.get(url, accept="text/xml, application/xml", content="xml")
    return read_oai_page(response.body, base)
