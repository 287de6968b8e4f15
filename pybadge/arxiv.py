"""arXiv's identifiers of papers, and its categories."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = [
    "CATEGORY",
    "IDENTIFIER",
    "ArxivId",
    "is_arxiv_id",
    "is_category",
    "parse_arxiv_id",
    "same_paper",
]

IDENTIFIER = re.compile(r"[0-9]{4}\.[0-9]{4,5}|[a-z-]{2,20}(?:\.[A-Z]{2})?/[0-9]{7}")
"""New ids, and old ones: an archive, perhaps a subject class, and a serial number."""
CATEGORY = re.compile(r"[A-Za-z][A-Za-z0-9-]{0,30}(?:\.[A-Za-z][A-Za-z0-9-]{0,30})?")


@dataclass(frozen=True, slots=True)
class ArxivId:
    """A paper on arXiv, or one version of it.

    Attributes:
        id: without version, ``2402.15627`` or ``hep-lat/0305021``.
        version: from 1; None for the paper as a whole.
    """

    id: str
    version: int | None = None

    @property
    def text(self) -> str:
        """``2402.15627v1``, or the bare id where no version was named."""
        return self.id if self.version is None else f"{self.id}v{self.version}"

    def names(self, source_id: str, version: int) -> bool:
        """Whether a version of a paper, as a record has it, is what this names."""
        return same_paper(self.id, source_id) and self.version in (None, version)


def parse_arxiv_id(text: str) -> ArxivId | None:
    """Read an id with or without version, in any letter case; None where it is none."""
    identifier, version = text, None
    stem, mark, digits = text.lower().rpartition("v")
    if mark and digits.isascii() and digits.isdigit() and len(digits) <= 4 and digits[0] != "0":
        identifier, version = text[: len(stem)], int(digits)
    archive, slash, serial = identifier.partition("/")
    if slash:
        # Archives are lower case, their subject classes upper case: math.GT/0309136.
        name, dot, subject = archive.partition(".")
        identifier = f"{name.lower()}{dot}{subject.upper()}/{serial}"
    return ArxivId(identifier, version) if is_arxiv_id(identifier) else None


def is_arxiv_id(text: str) -> bool:
    """Whether a text is an arXiv id as records have it, without version: ``2402.15627``,
    ``hep-lat/0305021``."""
    return IDENTIFIER.fullmatch(text) is not None


def same_paper(one: str, other: str) -> bool:
    """Whether two arXiv ids without version are the same: the subject class of an old id
    (math.GT/…) names nothing."""
    return _without_subject(one) == _without_subject(other)


def _without_subject(identifier: str) -> str:
    archive, slash, serial = identifier.lower().partition("/")
    return f"{archive.partition('.')[0]}/{serial}" if slash else archive


def is_category(text: str) -> bool:
    """Whether a text has the form of an arXiv category: ``cs.LG``, ``hep-th``."""
    return CATEGORY.fullmatch(text) is not None
