"""Does a record truly describe that paper? Its signed fields against what arXiv's metadata says,
one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pybadge.canonical import abstract_sha256, title_sha256
from pybadge.checks.report import Status
from pybadge.derive.diagnosis import Difference, diagnose
from pybadge.derive.metadata import METADATA_FILE, Metadata
from pybadge.derive.rules import FIELDS, Derivation, derive
from pybadge.derive.word_diff import word_diff
from pybadge.errors import (
    INVALID,
    NOT_CHECKED,
    VALID,
    MetadataError,
    NotFoundError,
    PybadgeError,
    UnreachableError,
)
from pybadge.record import Record
from pybadge.schema import CanonicalRecord

__all__ = [
    "FieldCheck",
    "SourceCheck",
    "SourceOutcome",
    "check_source",
    "source_outcome",
]

_LABELS = {
    "primary_cat": "primary category",
    "cross_cats": "cross list",
    "license": "licence",
    "submitted_at": "submission of v1",
}
_LONGEST_SHOWN = 200
_EXIT_CODES = {"valid": VALID, "invalid": INVALID}


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """One signed field against the source.

    Attributes:
        field: one of `pybadge.derive.rules.FIELDS`.
        status: ``valid``, ``invalid``, or ``not_checked`` where the source doesn't say, or speaks
            of another version.
        detail: one sentence for people; hostile text until an output escapes it.
        diff: for a title or abstract whose two texts are known: the words taken out ``[-so-]`` and
            put in ``{+so+}`` on the way from the record's text to the source's; else None.
    """

    field: str
    status: Status
    detail: str
    diff: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of the report."""
        return {name: getattr(self, name) for name in ("field", "status", "detail", "diff")}


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """The outcome for one record.

    Attributes:
        origin: where the metadata came from.
        kind: its format.
        described: the version that it describes, None where it doesn't say.
        fields: in the order of `pybadge.derive.rules.FIELDS`.
        notes: sentences on the whole, such as which other version's metadata would fit.
    """

    origin: str
    kind: str
    described: int | None
    fields: tuple[FieldCheck, ...]
    notes: tuple[str, ...]

    @property
    def status(self) -> Status:
        """``invalid`` if any field is, ``valid`` if all are, else ``not_checked``."""
        statuses = {check.status for check in self.fields}
        if "invalid" in statuses:
            return "invalid"
        return "valid" if statuses == {"valid"} else "not_checked"

    @property
    def exit_code(self) -> int:
        """0 the record describes the paper, 1 it does not, 3 the source doesn't suffice to say."""
        return _EXIT_CODES.get(self.status, NOT_CHECKED)

    def as_dict(self) -> dict[str, Any]:
        """The JSON object that ``pybadge verify --against --json`` puts under ``source_check``."""
        return {
            "origin": self.origin,
            "format": self.kind,
            "describes_version": self.described,
            "status": self.status,
            "fields": [check.as_dict() for check in self.fields],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class SourceOutcome:
    """The source check of one record, or why there is none.

    Attributes:
        check: the comparison; None where it could not be made.
        error: why not; None where there was no record to compare.
    """

    check: SourceCheck | None
    error: PybadgeError | None = None

    @property
    def exit_code(self) -> int:
        """0 the record describes the paper, 1 it does not, 2 the metadata can't be read, 3 it can't
        be told."""
        if self.check is not None:
            return self.check.exit_code
        return self.error.exit_code if self.error is not None else NOT_CHECKED

    def as_dict(self) -> dict[str, Any]:
        """The JSON object under ``source_check``."""
        if self.check is not None:
            return self.check.as_dict()
        code, detail = "record.unread", "no record"
        if self.error is not None:
            code, detail = self.error.code, str(self.error)
        return {"status": "not_checked", "code": code, "detail": detail, "fields": [], "notes": []}


def source_outcome(
    record: Record | None,
    papers_on: Callable[[str], Iterable[Metadata]],
    *,
    title: str | None = None,
    abstract: str | None = None,
) -> SourceOutcome:
    """As `check_source`, with an error of the metadata as part of the outcome.

    Args:
        record: the record; None where there is none to compare.
        papers_on: gives what the source holds on one arXiv id.
        title, abstract: as for `check_source`.
    """
    if record is None:
        return SourceOutcome(None)
    try:
        papers = papers_on(record.canonical.source_id)
        return SourceOutcome(check_source(record, papers, title=title, abstract=abstract))
    except (MetadataError, NotFoundError, UnreachableError) as error:
        return SourceOutcome(None, error)


def check_source(
    record: Record,
    papers: Iterable[Metadata],
    *,
    title: str | None = None,
    abstract: str | None = None,
) -> SourceCheck:
    """Compare a record's signed fields with a paper's metadata.

    Args:
        record: the record; only its canonical part is compared. Its unsigned title and abstract
            serve to show what differs, and only where they have the signed hash.
        papers: what the source holds; the papers of other ids are passed over.
        title, abstract: texts to show the differences with, where the record has none.

    Raises:
        NotFoundError: the source holds nothing on this paper.
        MetadataError: what it holds can't be made into a canonical record.
    """
    canonical = record.canonical
    same = [paper for paper in papers if paper.source_id == canonical.source_id]
    if not same:
        raise NotFoundError(
            f"the source holds nothing on {canonical.source_id}", code="source.not_found"
        )
    # The one that speaks of the record's version, else the last one.
    paper = next((one for one in same if one.described in (None, canonical.version)), same[-1])
    fields = _fields(canonical, paper, _texts(record, title, abstract))
    return SourceCheck(
        paper.origin,
        paper.kind,
        paper.described,
        fields,
        tuple(_notes(canonical, paper, same, fields)),
    )


def _derived(canonical: CanonicalRecord, paper: Metadata) -> Derivation:
    """The record's version derived from the paper, with stand-ins for what the source does not say
    (see `_silent`)."""
    whole = replace(
        paper,
        title=paper.title or "?",
        abstract=paper.abstract or "?",
        categories=paper.categories or (canonical.primary_category, *canonical.cross_categories),
    )
    time = None if paper.submitted_at is not None else canonical.submitted_at
    return derive(whole, version=canonical.version, submitted_at=time)


def _silent(paper: Metadata) -> set[str]:
    """The fields that the source says nothing of."""
    fields = {name for name in ("title", "abstract") if not getattr(paper, name)}
    return fields if paper.categories else fields | {"primary_cat", "cross_cats"}


def _fields(
    canonical: CanonicalRecord, paper: Metadata, texts: dict[str, str]
) -> tuple[FieldCheck, ...]:
    differences = diagnose(_derived(canonical, paper), canonical.document).differences
    differing = {item.field: item for item in differences}
    silent = _silent(paper)
    found = []
    for field in FIELDS:
        if field == "version":
            found.append(_version(canonical, paper))
        elif field in silent:
            sentence = f"the source does not give the {_label(field)}"
            found.append(FieldCheck(field, "not_checked", sentence))
        elif field == "submitted_at" and paper.submitted_at is None:
            found.append(_day(canonical, paper))
        elif field in differing:
            found.append(_differs(differing[field], canonical, paper, texts))
        else:
            found.append(FieldCheck(field, "valid", f"the {_label(field)} is the source's"))
    return tuple(found)


def _label(field: str) -> str:
    return _LABELS.get(field, field)


def _version(canonical: CanonicalRecord, paper: Metadata) -> FieldCheck:
    last = paper.versions[-1][0] if paper.versions else paper.described
    if not paper.versions or last is None:
        if paper.described == canonical.version:
            return FieldCheck("version", "valid", f"the source describes v{canonical.version}")
        return FieldCheck("version", "not_checked", "the source does not list the versions")
    if canonical.version > last:
        return FieldCheck(
            "version",
            "invalid",
            f"the record is of v{canonical.version}, the source knows v{last} at most",
        )
    if all(number != canonical.version for number, _ in paper.versions):
        if paper.kind == METADATA_FILE:
            return FieldCheck("version", "not_checked", "the source does not list the versions")
        return FieldCheck("version", "invalid", f"the source knows no v{canonical.version}")
    return FieldCheck("version", "valid", f"v{canonical.version} of {last}")


def _day(canonical: CanonicalRecord, paper: Metadata) -> FieldCheck:
    if paper.day is None:
        return FieldCheck(
            "submitted_at", "not_checked", "the source does not say when v1 was submitted"
        )
    if canonical.submitted_at[:10] != paper.day:
        return FieldCheck(
            "submitted_at",
            "invalid",
            f"v1 is of {paper.day} in the source, of {canonical.submitted_at} in the record",
        )
    return FieldCheck(
        "submitted_at",
        "not_checked",
        f"the day agrees ({paper.day}); the source has no time of day",
    )


def _differs(
    item: Difference, canonical: CanonicalRecord, paper: Metadata, texts: dict[str, str]
) -> FieldCheck:
    field, label = item.field, _label(item.field)
    diff = None
    if field not in ("title", "abstract"):
        sentence = (
            f"the {label} is {_shown(item.expected)} in the record, "
            f"{_shown(item.derived)} in the source"
        )
    elif field in texts:
        sentence = f"the {label} has another hash than the source's"
        diff = word_diff(texts[field], getattr(paper, field) or "")
    else:
        sentence = (
            f"the {label} has another hash than the source's; "
            "the record has no text with the signed hash to compare"
        )
    if item.cause is not None:
        sentence += f": the record was made with {item.cause}"
    if _describes_another(canonical, paper) and field not in ("id", "submitted_at"):
        sentence += (
            f"; the source describes v{paper.described}, "
            "so that of the record's version may have been so"
        )
        return FieldCheck(field, "not_checked", sentence, diff)
    return FieldCheck(field, "invalid", sentence, diff)


def _describes_another(canonical: CanonicalRecord, paper: Metadata) -> bool:
    """Whether the metadata is that of another version than the record's."""
    return paper.described not in (None, canonical.version)


def _shown(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)[:_LONGEST_SHOWN]
    return text or "empty"


def _notes(
    canonical: CanonicalRecord,
    paper: Metadata,
    same: Sequence[Metadata],
    fields: Sequence[FieldCheck],
) -> Iterator[str]:
    fits = all(check.status == "valid" for check in fields)
    if _describes_another(canonical, paper):
        yield _note_on_version(canonical, paper, fits)
    if not fits:
        for another in same:
            if another is not paper and _fits(canonical, another):
                yield (
                    f"the metadata of v{another.described or '?'} ({another.origin}) "
                    "fits in every field"
                )
    for name, text in (("title", paper.title), ("abstract", paper.abstract)):
        if text is not None and not text.isascii():
            yield f"the {name} is beyond ASCII, where the rule is not publicly confirmed"


def _note_on_version(canonical: CanonicalRecord, paper: Metadata, fits: bool) -> str:
    if fits:
        return (
            f"the source describes v{paper.described}, the record v{canonical.version}: "
            "nothing that the number is made of has changed since"
        )
    return (
        f"the source describes v{paper.described} and not v{canonical.version}, "
        "which the record is of"
    )


def _fits(canonical: CanonicalRecord, paper: Metadata) -> bool:
    """Whether a source says all that the number is made of, and just what the record says."""
    try:
        derivation = _derived(canonical, paper)
    except MetadataError:
        return False
    return not (_silent(paper) or diagnose(derivation, canonical.document).differences)


def _texts(record: Record, title: str | None, abstract: str | None) -> dict[str, str]:
    """The record's texts whose hashes are the signed ones; others would show differences that
    aren't there."""
    canonical, paper = record.canonical, record.paper
    found = {}
    for text in (title, paper.title):
        if text is not None and _has_hash(text, title_sha256, canonical.title_sha256):
            found["title"] = text
    for text in (abstract, paper.abstract_excerpt):
        if text is not None and _has_hash(text, abstract_sha256, canonical.abstract_sha256):
            found["abstract"] = text
    return found


def _has_hash(text: str, sha256: Callable[[str], str], expected: str) -> bool:
    try:
        return sha256(text) == expected
    except ValueError:
        return False
