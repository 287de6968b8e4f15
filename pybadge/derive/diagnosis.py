"""Why a derived number is not the one expected: the field that differs, and what makes it fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pybadge.canonical import canonical_digest
from pybadge.derive.rules import Derivation, Metadata, derive
from pybadge.derive.variants import FIELDS, flatten, unflatten, variants
from pybadge.number import PithNumber, suffix_of

__all__ = ["Diagnosis", "Difference", "diagnose", "diagnose_number", "with_time_found"]


@dataclass(frozen=True, slots=True)
class Difference:
    """One field that keeps a derived number from being the expected one.

    Attributes:
        field: one of ``id``, ``version``, ``title``, ``abstract``, ``primary_cat``, ``cross_cats``,
            ``license``, ``submitted_at``.
        cause: what the expected number was made with, in words; None where no known variant
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


def _shown(value: Any) -> str:
    return ", ".join(value) or "none" if isinstance(value, list) else str(value) or "none"


def diagnose(derivation: Derivation, expected: Mapping[str, Any]) -> Diagnosis:
    """Compare a derivation with a canonical record that it should equal.

    Args:
        derivation: what was derived.
        expected: the schema-checked canonical record.
    """
    derived, wanted = flatten(derivation.canonical_record), flatten(dict(expected))
    differing = [name for name in FIELDS if derived[name] != wanted[name]]
    causes: dict[str, str] = {}
    if differing:
        for _, sentence, change in variants(derivation.metadata, derived):
            for name in change:
                if name in differing and all(
                    wanted[other] == value for other, value in change.items()
                ):
                    causes.setdefault(name, sentence)
    return Diagnosis(
        True,
        tuple(
            Difference(name, causes.get(name), derived[name], wanted[name]) for name in differing
        ),
    )


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
    for index, one in enumerate(known):
        for other in known[index + 1 :]:
            if not one[2].keys() & other[2].keys() and _fits(
                {**derived, **one[2], **other[2]}, expected
            ):
                return _explained(derived, one, other)
    return Diagnosis(False, ())


def _fits(fields: dict[str, Any], expected: PithNumber) -> bool:
    return suffix_of(canonical_digest(unflatten(fields))).startswith(expected.suffix)


def _explained(derived: dict[str, Any], *found: tuple[str, str, dict[str, Any]]) -> Diagnosis:
    return Diagnosis(
        True,
        tuple(
            Difference(field, sentence, derived[field], change[field])
            for field, sentence, change in found
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
        is a short form, which would fit by chance, or where no second fits. Takes a second at most.
    """
    if paper.submitted_at is not None or paper.day is None or not expected.is_full:
        return None
    midnight = f"{paper.day}T00:00:00Z"
    fields = flatten(derive(paper, version=version, submitted_at=midnight).canonical_record)
    for second in range(86400):
        time = f"{paper.day}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z"
        if _fits({**fields, "submitted_at": time}, expected):
            return time
    return None
