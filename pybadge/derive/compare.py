"""Does a record truly describe that paper? Its signed fields against what arXiv's metadata says,
one by one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from pybadge.canonical import abstract_sha256, title_sha256
from pybadge.checks.report import Status
from pybadge.derive.diagnosis import Difference, diagnose
from pybadge.derive.rules import Derivation, Metadata, derive
from pybadge.derive.variants import FIELDS
from pybadge.errors import MetadataError, NotFoundError
from pybadge.record import CanonicalRecord, Record

__all__ = ["FieldCheck", "SourceCheck", "check_source", "word_diff"]

_CONTEXT = 4
_MOST_WORDS = 3000
_LABELS = {
    "primary_cat": "primary category",
    "cross_cats": "cross list",
    "license": "licence",
    "submitted_at": "submission of v1",
}


@dataclass(frozen=True, slots=True)
class FieldCheck:
    """One signed field against the source.

    Attributes:
        field: one of `pybadge.derive.variants.FIELDS`.
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
        fields: in the order of `pybadge.derive.variants.FIELDS`.
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
        return (
            "invalid"
            if "invalid" in statuses
            else "valid"
            if statuses == {"valid"}
            else "not_checked"
        )

    @property
    def exit_code(self) -> int:
        """0 the record describes the paper, 1 it does not, 3 the source doesn't suffice to say."""
        return {"valid": 0, "invalid": 1}.get(self.status, 3)

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
    whole = paper.replace(
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
    derivation, silent = _derived(canonical, paper), _silent(paper)
    differing = {item.field: item for item in diagnose(derivation, canonical.document).differences}
    other = None if paper.described in (None, canonical.version) else paper.described
    found = []
    for field in FIELDS:
        if field == "version":
            found.append(_version(canonical, paper))
        elif field in silent:
            found.append(
                FieldCheck(field, "not_checked", f"the source does not give the {_label(field)}")
            )
        elif field == "submitted_at" and paper.submitted_at is None:
            found.append(_day(canonical, paper))
        elif field in differing:
            found.append(_differs(differing[field], paper, other, texts))
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
        if paper.kind == "own":
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
    item: Difference, paper: Metadata, other: int | None, texts: dict[str, str]
) -> FieldCheck:
    field, label = item.field, _label(item.field)
    diff = None
    if field in ("title", "abstract"):
        sentence = f"the {label} has another hash than the source's"
        if field in texts:
            diff = word_diff(texts[field], getattr(paper, field) or "")
        else:
            sentence += "; the record has no text with the signed hash to compare"
    else:
        sentence = f"the {label} is {_shown(item.expected)} in the record, {_shown(item.derived)} in the source"
    if item.cause is not None:
        sentence += f": the record was made with {item.cause}"
    if other is not None and field not in ("id", "submitted_at"):
        sentence += (
            f"; the source describes v{other}, so that of the record's version may have been so"
        )
        return FieldCheck(field, "not_checked", sentence, diff)
    return FieldCheck(field, "invalid", sentence, diff)


def _shown(value: Any) -> str:
    return ", ".join(value) or "empty" if isinstance(value, list) else str(value)[:200] or "empty"


def _notes(
    canonical: CanonicalRecord,
    paper: Metadata,
    same: Sequence[Metadata],
    fields: Sequence[FieldCheck],
) -> Iterable[str]:
    fits = all(check.status == "valid" for check in fields)
    if paper.described not in (None, canonical.version):
        if fits:
            yield (
                f"the source describes v{paper.described}, the record v{canonical.version}: "
                "nothing that the number is made of has changed since"
            )
        else:
            yield f"the source describes v{paper.described} and not v{canonical.version}, which the record is of"
    for another in same:
        if another is paper or fits:
            continue
        try:
            derivation = _derived(canonical, another)
        except MetadataError:
            continue
        if not (_silent(another) or diagnose(derivation, canonical.document).differences):
            yield f"the metadata of v{another.described or '?'} ({another.origin}) fits in every field"
    for name in ("title", "abstract"):
        if not (getattr(paper, name) or "").isascii():
            yield f"the {name} is beyond ASCII, where the rule is not publicly confirmed"


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


def _has_hash(text: str, sha256: Any, expected: str) -> bool:
    try:
        return bool(sha256(text) == expected)
    except ValueError:
        return False


def word_diff(old: str, new: str) -> str:
    """What changed between two texts, as one line: ``… Training to [-Less-] {+More+} Than …``.

    Letter case and white space are passed over, since the hashes don't see them. Long unchanged
    parts are left out.
    """
    before, after = old.split()[:_MOST_WORDS], new.split()[:_MOST_WORDS]
    matcher = SequenceMatcher(
        None, [word.lower() for word in before], [word.lower() for word in after], autojunk=False
    )
    pieces: list[str] = []
    changes = matcher.get_opcodes()
    for index, (kind, i1, i2, j1, j2) in enumerate(changes):
        if kind == "equal":
            pieces += _context(before[i1:i2], first=index == 0, last=index == len(changes) - 1)
            continue
        if i2 > i1:
            pieces.append(f"[-{' '.join(before[i1:i2])}-]")
        if j2 > j1:
            pieces.append(f"{{+{' '.join(after[j1:j2])}+}}")
    return " ".join(pieces)


def _context(words: list[str], *, first: bool, last: bool) -> list[str]:
    head = [] if first else words[:_CONTEXT]
    tail = [] if last else words[-_CONTEXT:]
    # An ellipsis in the place of a word or two would save nothing.
    if len(words) <= len(head) + len(tail) + 2:
        return words
    return [*head, "…", *tail]
