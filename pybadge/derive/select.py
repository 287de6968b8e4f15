"""Which papers to derive, in which versions, and where their metadata comes from."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pybadge.arxiv import ArxivId
from pybadge.derive.metadata import TEX, Metadata, Note
from pybadge.derive.sources import read_oai_file, read_papers
from pybadge.derive.sources.arxiv import ARXIV_OAI, PAUSE, fetch_metadata, harvest
from pybadge.derive.sources.bulk_metadata import read_bulk_metadata
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.sources.tex import read_tex
from pybadge.derive.typed import id_fault
from pybadge.errors import (
    NotFoundError,
    NumberError,
    PybadgeError,
    UnreachableError,
    UsageError,
)
from pybadge.resolve.limits import TOTAL_TIMEOUT
from pybadge.resolve.locator import locate

if TYPE_CHECKING:  # it loads requests
    from pybadge.resolve.http import Transport

__all__ = [
    "ArxivServer",
    "Harvest",
    "Selected",
    "Selection",
    "TexFile",
    "papers_on",
    "parse_paper",
    "select",
]


# Some times the longest page that arXiv sends. All of a page is held in memory.
_LARGEST_ANSWER = 16 << 20


@dataclass(frozen=True, slots=True)
class ArxivServer:
    """arXiv's OAI-PMH server, and the limits of a request.

    Attributes:
        address: where OAI-PMH is spoken.
        offline: it is not asked at all.
        timeout: seconds that one question may take in all.
        allowed_hosts: hosts that may lead to addresses that are not public.
    """

    address: str = ARXIV_OAI
    offline: bool = False
    timeout: float = TOTAL_TIMEOUT
    allowed_hosts: tuple[str, ...] = ()

    def fetch(self, source_id: str) -> Metadata:
        """One paper's metadata.

        Args:
            source_id: the arXiv id without version.

        Raises:
            PybadgeError: as `fetch_metadata`; `UnreachableError` offline.
        """
        return fetch_metadata(self._transport(), source_id, base=self.address)

    def harvest(self, wanted: Harvest) -> Iterator[Metadata | PybadgeError]:
        """The papers of a list.

        Raises:
            PybadgeError: as `pybadge.derive.sources.arxiv.harvest`; `UnreachableError` offline.
        """
        return harvest(
            self._transport(),
            base=self.address,
            first=wanted.first,
            last=wanted.last,
            subset=wanted.subset,
            token=wanted.token,
            reached=wanted.reached,
        )

    def _transport(self) -> Transport:
        from pybadge.resolve.http import Transport

        if self.offline:
            raise UnreachableError(
                "arXiv is not asked, since --offline was given", code="resolve.offline"
            )
        return Transport(
            timeout=self.timeout, allowed_hosts=self.allowed_hosts, max_bytes=_LARGEST_ANSWER
        )


@dataclass(frozen=True, slots=True)
class Harvest:
    """A list of OAI-PMH; see `pybadge.derive.sources.arxiv.harvest`.

    Attributes:
        first, last: days, ``YYYY-MM-DD``, both included; None for no limit.
        subset: an OAI set; None for all of arXiv.
        token: the resumption token to go on with.
        reached: told the token of each page, None for the first, before it is asked for.
    """

    first: str | None = None
    last: str | None = None
    subset: str | None = None
    token: str | None = None
    reached: Callable[[str | None], None] | None = None


@dataclass(frozen=True, slots=True)
class TexFile:
    """A paper not yet submitted, and what no TeX file says of it.

    Attributes:
        path: the LaTeX source.
        paper: the id that it will have; version 1 where none is named.
        categories: primary first, with blanks between.
        submitted_at: v1's time.
        license: a URL verbatim, or "" for none.
        notes: what is doubtful about them.
    """

    path: str
    paper: ArxivId
    categories: str
    submitted_at: str
    license: str = ""
    notes: tuple[Note, ...] = ()

    def read(self) -> Metadata:
        """The metadata that the paper would have.

        Raises:
            MetadataError: as `read_tex`.
        """
        title, abstract = read_tex(self.path)
        return Metadata(
            self.paper.id,
            title,
            abstract,
            tuple(self.categories.split()),
            self.license,
            ((1, self.submitted_at),),
            self.paper.version or 1,
            None,
            TEX,
            self.path,
            self.notes,
        )


@dataclass(frozen=True, slots=True)
class Selection:
    """Which papers are wanted, and from which source.

    Attributes:
        papers: the papers; empty for all that the source holds.
        version: the version of a paper that is named without one; None for the one that the
            metadata describes.
        oai_file: an OAI-PMH answer saved in a file; ``-`` for standard input.
        metadata_file: TOML or JSON written by hand.
        bulk_metadata: arXiv's bulk metadata.
        tex: a paper not yet submitted.
        harvest: a list to ask arXiv for.
        server: how arXiv is asked; without any of the sources above, for each paper by its id.
    """

    papers: tuple[ArxivId, ...] = ()
    version: int | None = None
    oai_file: str | None = None
    metadata_file: str | None = None
    bulk_metadata: str | None = None
    tex: TexFile | None = None
    harvest: Harvest | None = None
    server: ArxivServer = ArxivServer()


Selected = tuple[Metadata, int | None] | PybadgeError
"""A paper's metadata with the version wanted, or the error that stands in its place."""


def select(wanted: Selection) -> Iterator[Selected]:
    """The papers that are wanted, in the order of the source.

    Yields:
        A paper's metadata with its version, or the error that stands in its place.

    Raises:
        UsageError: neither a source nor a paper is named.
        PybadgeError: the source as a whole can't be read.
    """
    papers = _papers(wanted)
    if papers is not None:
        return _picked(papers, wanted)
    if not wanted.papers:
        raise UsageError(
            "name a source (--arxiv-raw, --metadata, --snapshot, --tex, --harvest) or an arXiv id"
        )
    return _asked_for(wanted)


def _papers(wanted: Selection) -> Iterable[Metadata | PybadgeError] | None:
    """The papers of the source; None where arXiv is asked for each by its id."""
    if wanted.oai_file is not None:
        return read_oai_file(wanted.oai_file)
    if wanted.metadata_file is not None:
        return read_metadata_file(wanted.metadata_file)
    if wanted.bulk_metadata is not None:
        return read_bulk_metadata(wanted.bulk_metadata)
    if wanted.tex is not None:
        return [wanted.tex.read()]
    if wanted.harvest is not None:
        return wanted.server.harvest(wanted.harvest)
    return None


def _picked(papers: Iterable[Metadata | PybadgeError], wanted: Selection) -> Iterator[Selected]:
    missing = {paper.id for paper in wanted.papers}
    for item in papers:
        if isinstance(item, PybadgeError):
            yield item
        elif not wanted.papers:
            yield item, wanted.version
        else:
            for paper in wanted.papers:
                if paper.id == item.source_id:
                    missing.discard(paper.id)
                    yield item, paper.version or wanted.version
    for source_id in sorted(missing):
        yield NotFoundError(f"{source_id}: not in the source", code="source.not_found")


def _asked_for(wanted: Selection) -> Iterator[Selected]:
    for index, paper in enumerate(wanted.papers):
        if index > 0 and not wanted.server.offline:
            time.sleep(PAUSE)
        try:
            yield wanted.server.fetch(paper.id), paper.version or wanted.version
        except PybadgeError as error:
            yield error


def parse_paper(text: str) -> ArxivId:
    """The paper that a text on the command line names.

    Raises:
        UsageError: it is not an arXiv id, in none of its forms, or one that can't be.
    """
    fault = id_fault(text)
    if fault is None:
        paper, fault = _located(text)
        if paper is not None:
            fault = id_fault(paper.id)
            if fault is None:
                return paper
    raise UsageError(f"{text!a:.60}: not an arXiv id: {fault}", code="arxiv.id")


def _located(text: str) -> tuple[ArxivId | None, str]:
    """The paper that a text names, and what is wrong where it names none."""
    try:
        locator = locate(text)
    except NumberError:
        return None, "ids look like 2402.15627v1 or hep-lat/0305021"
    if locator.number is not None:
        return None, "a number can't be turned back into a paper, but see --find"
    return locator.paper, "files are named with --metadata, --arxiv-raw, --snapshot or --tex"


def papers_on(path: str, source_id: str) -> list[Metadata]:
    """All that a file of metadata holds on one arXiv id.

    Args:
        path: as for `read_papers`.
        source_id: without version.

    Raises:
        PybadgeError: it holds nothing on the id, and this is what kept a part of it from being
            read.
    """
    found = []
    fault: PybadgeError | None = None
    for item in read_papers(path):
        if isinstance(item, PybadgeError):
            fault = fault or item
        elif item.source_id == source_id:
            found.append(item)
    if not found and fault is not None:
        raise fault
    return found
