"""The metadata of one paper, as a source gives it."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BULK_METADATA", "METADATA_FILE", "TEX", "Metadata", "Note"]

Note = tuple[str, str]
"""A stable dotted word for machines, and a sentence for people."""

# Kinds of metadata, beside the two formats of OAI-PMH. The values are part of the JSON of
# ``pybadge verify --against``, so they stay as they are.
BULK_METADATA = "snapshot"
METADATA_FILE = "own"
TEX = "tex"


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of one paper, as a source gives it.

    Attributes:
        source_id: arXiv id without version.
        title, abstract: as the source has them, TeX and line breaks kept; None where the source
            lacks them.
        categories: primary first; None where the source lacks them.
        license: a URL verbatim, or "" for none.
        versions: (number, time of submission as the source writes it), ascending; empty where the
            source has none.
        described: the version whose title, abstract, categories and licence these are; None where
            the source doesn't say.
        day: ``YYYY-MM-DD`` of v1 where the source gives no time of day.
        kind: ``arXivRaw`` or ``arXiv`` (the formats of OAI-PMH), `BULK_METADATA`, `METADATA_FILE`
            or `TEX`.
        origin: file and line, or address, for people.
        notes: what is doubtful about what a person wrote.
    """

    source_id: str
    title: str | None
    abstract: str | None
    categories: tuple[str, ...] | None
    license: str
    versions: tuple[tuple[int, str], ...] = ()
    described: int | None = None
    day: str | None = None
    kind: str = METADATA_FILE
    origin: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def submitted_at(self) -> str | None:
        """The time of v1 as the source writes it; None where it has none."""
        if self.versions and self.versions[0][0] == 1:
            return self.versions[0][1]
        return None
