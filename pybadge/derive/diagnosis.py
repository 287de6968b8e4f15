"""Why a derived number is not the one expected: the field that differs, and what makes it fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from pybadge.canonical import canonical_digest
from pybadge.derive.metadata import Metadata
from pybadge.derive.rules import FIELDS, Derivation, derive, flatten, unflatten
from pybadge.derive.variants import Change, variants
from pybadge.errors import UsageError
from pybadge.number import PithNumber, suffix_of
from pybadge.record import Record, load
from pybadge.resolve.locator import locate

__all__ = [
    "Diagnosis",
    "Difference",
    "derive_expecting",
    "diagnose",
    "diagnose_number",
    "read_expected",
    "with_time_found",
]

_SECONDS_A_DAY = 86400


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that keeps a derived number from being the expected one.

    Attributes:
        field: one of `pybadge.derive.rules.FIELDS`.
        cause: the thing that the expected number was made with, a noun; None where no known variant
            explains it.
        derived, expected: the two values; expected is None where only the number is known and no
            variant fits.
    """

    field: str
    cause: str | None
    derived: Any
    expected: Any

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of the report."""
        return {name: getattr(self, name) for name in ("field", "cause", "derived", "expected")}

    @property
    def sentence(self) -> str:
        """One line for people."""
        if self.cause is not None:
            return f"{self.field}: the expected number was made with {self.cause}"
        if self.field in ("title", "abstract"):
            return f"{self.field}: another text; no known variant of this one has the expected hash"
        return f"{self.field}: {_shown(self.derived)} here, {_shown(self.expected)} expected"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The outcome: which fields differ.

    Attributes:
        explained: True where changing exactly these fields gives the expected number.
        differences: empty where the numbers are equal, or where nothing known explains them.
    """

    explained: bool
    differences: tuple[Difference, ...]

    @property
    def equal(self) -> bool:
        """Whether the numbers are the same."""
        return self.explained and not self.differences

    def as_dict(self) -> dict[str, Any]:
        """The JSON object of the report."""
        return {
            "equal": self.equal,
            "explained": self.explained,
            "differences": [item.as_dict() for item in self.differences],
        }


def _shown(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return text or "none"


def diagnose(derivation: Derivation, expected: Mapping[str, Any]) -> Diagnosis:
    """Compare a derivation with a canonical record that it should equal.

    Args:
        derivation: what was derived.
        expected: the schema-checked canonical record.
    """
    derived, wanted = flatten(derivation.canonical_record), flatten(expected)
    differing = [name for name in FIELDS if derived[name] != wanted[name]]
    causes = _causes(derivation.metadata, derived, wanted) if differing else {}
    return Diagnosis(
        True,
        tuple(
            Difference(name, causes.get(name), derived[name], wanted[name]) for name in differing
        ),
    )


def _causes(
    metadata: Metadata, derived: dict[str, Any], wanted: Mapping[str, Any]
) -> dict[str, str]:
    """For each field the first known variant that gives the value wanted."""
    causes: dict[str, str] = {}
    for _, cause, change in variants(metadata, derived):
        if all(wanted[name] == value for name, value in change.items()):
            for name in change:
                causes.setdefault(name, cause)
    return causes


def diagnose_number(derivation: Derivation, expected: PithNumber) -> Diagnosis:
    """Find the field by trying: one known variant, then each two of different fields.

    A hash tells nothing about what is inside it, so that a difference of an unknown kind stays
    unexplained.

    Args:
        derivation: what was derived.
        expected: the number it should have, full or short.
    """
    derived = flatten(derivation.canonical_record)
    if _fits(derived, expected):
        return Diagnosis(True, ())
    known = list(variants(derivation.metadata, derived))
    for one in known:
        if _fits({**derived, **one[2]}, expected):
            return _explained(derived, one)
    for one, other in combinations(known, 2):
        apart = not one[2].keys() & other[2].keys()
        if apart and _fits({**derived, **one[2], **other[2]}, expected):
            return _explained(derived, one, other)
    return Diagnosis(False, ())


def _fits(fields: dict[str, Any], expected: PithNumber) -> bool:
    return suffix_of(canonical_digest(unflatten(fields))).startswith(expected.suffix)


def _explained(derived: dict[str, Any], *found: tuple[str, str, Change]) -> Diagnosis:
    return Diagnosis(
        True,
        tuple(
            Difference(field, cause, derived[field], change[field])
            for field, cause, change in found
        ),
    )


def with_time_found(paper: Metadata, version: int | None, expected: PithNumber) -> str | None:
    """The second at which v1 must have been submitted, for a source that knows its day only.

    Args:
        paper: what the source says.
        version: the version wanted; None for the one described.
        expected: the number; found is the second of that day that gives it, so nothing but the time
            may be missing.

    Returns:
        The time; None where the source knows the time itself or not even the day, where the number
        is a short form, which would fit by chance, or where no second fits.
    """
    if paper.submitted_at is not None or paper.day is None or not expected.is_full:
        return None
    midnight = f"{paper.day}T00:00:00Z"
    fields = flatten(derive(paper, version=version, submitted_at=midnight).canonical_record)
    for second in range(_SECONDS_A_DAY):
        time = f"{paper.day}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
        if _fits({**fields, "submitted_at": time}, expected):
            return time
    return None


def read_expected(text: str) -> PithNumber | Record:
    """Read the value of ``--expect``: a number, or the path of a record.

    Raises:
        UsageError, NumberError: it is neither.
        RecordError: the file can't be read as a record.
    """
    locator = locate(text)
    if locator.kind == "file":
        return load(locator.address)
    if locator.number is None:
        raise UsageError(f"--expect {text}: must be a Pith Number or the path of a record")
    return locator.number


def derive_expecting(
    paper: Metadata,
    expected: PithNumber | Record | None,
    *,
    version: int | None = None,
    submitted_at: str | None = None,
) -> tuple[Derivation, Diagnosis | None]:
    """Derive a number and compare it with the one that it should be.

    Args:
        paper: what a source says.
        expected: a number, or a record whose canonical part is compared; None for nothing.
        version: which version; None for the one that the metadata describes.
        submitted_at: v1's time, where the source has none; where it knows the day and a full number
            is expected, the second is found by trying.

    Returns:
        The derivation, and the diagnosis where something is expected.

    Raises:
        MetadataError: as `pybadge.derive.rules.derive`.
    """
    if isinstance(expected, PithNumber) and submitted_at is None:
        submitted_at = with_time_found(paper, version, expected)
    derivation = derive(paper, version=version, submitted_at=submitted_at)
    if expected is None:
        return derivation, None
    if isinstance(expected, PithNumber):
        return derivation, diagnose_number(derivation, expected)
    return derivation, diagnose(derivation, expected.canonical.document)
