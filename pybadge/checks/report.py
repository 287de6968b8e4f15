"""The report of a record: its checks, and the rule from check states to a verdict
(docs/spec, 7)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pybadge.errors import INVALID, NOT_CHECKED, USAGE, VALID, invalid_choice
from pybadge.number import PithNumber
from pybadge.record import Record

__all__ = [
    "CHECK_IDS",
    "EXIT_CODES",
    "REQUIRED",
    "SCHEMA",
    "UNREAD",
    "Check",
    "Report",
    "Source",
    "Status",
    "Verdict",
    "exit_code_of",
    "parse_check_list",
    "required_ids",
    "verdict_of",
]

Status = Literal["valid", "invalid", "not_checked", "absent"]
Source = Literal["computed", "signed", "served"]
Verdict = Literal["verified", "invalid", "not_checked", "unreadable"]

SCHEMA = "pybadge-report/1"
CHECK_IDS = (
    "parse",
    "schema",
    "canonical_hash",
    "number",
    "year",
    "aliases",
    "receipt_key",
    "receipt_signature",
    "title",
    "abstract",
    "snapshots",
    "timestamp",
    "storage",
    "author",
    "citations",
    "replications",
)
REQUIRED = (
    "parse",
    "schema",
    "canonical_hash",
    "number",
    "year",
    "receipt_key",
    "receipt_signature",
)
UNREAD = "record.unread"
"""The code of every check that could not begin, since there is no record."""

EXIT_CODES: dict[str, int] = {
    "verified": VALID,
    "invalid": INVALID,
    "not_checked": NOT_CHECKED,
    "unreadable": USAGE,
}


@dataclass(frozen=True, slots=True)
class Check:
    """The outcome of one check.

    Attributes:
        id: one of `CHECK_IDS`.
        status: ``valid``, ``invalid``, ``not_checked`` (possible, but not made) or ``absent`` (not
            in the record).
        code: a stable dotted word for machines, e.g. ``number.mismatch``.
        detail: one sentence for people. It may quote the record, so it is hostile text until an
            output escapes it.
        source: what the checked fact rests on: ``computed`` here, ``signed`` by the registry, or
            only ``served``.
    """

    id: str
    status: Status
    code: str
    detail: str
    source: Source = "computed"

    @property
    def is_unread(self) -> bool:
        """Whether the check could not begin, since there is no record."""
        return self.code == UNREAD

    def as_dict(self) -> dict[str, str]:
        """The JSON object of the report."""
        return {
            "id": self.id,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "source": self.source,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked on one record, and what follows.

    Attributes:
        input: what was asked for, as given.
        verdict: ``invalid`` if any check is, ``verified`` if all required ones are valid, else
            ``not_checked``; ``unreadable`` where there was no record to check.
        checks: in the order of `CHECK_IDS`.
        number: the number derived from the record, None where none could be.
        record: the record, for what a badge or a person is shown; None where it could not be read.
        registry: whose key signed, where the signature is valid: "Pith", or the name of a key the
            user trusts.
        required: ids of the checks that had to be valid for ``verified``.
        asked: the number that was asked for, None where something else was.
    """

    input: str
    verdict: Verdict
    checks: tuple[Check, ...]
    number: PithNumber | None = None
    record: Record | None = None
    registry: str | None = None
    required: tuple[str, ...] = REQUIRED
    asked: PithNumber | None = None

    def __getitem__(self, check_id: str) -> Check:
        """The check of that id.

        Raises:
            KeyError: no such check.
        """
        for check in self.checks:
            if check.id == check_id:
                return check
        raise KeyError(check_id)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that are invalid."""
        return tuple(check for check in self.checks if check.status == "invalid")

    @property
    def exit_code(self) -> int:
        """0 verified, 1 invalid, 2 unreadable, 3 a required check could not be made."""
        return EXIT_CODES[self.verdict]

    @property
    def reason(self) -> str:
        """Why the verdict is not ``verified``: the detail of the first check that decided it; ""
        where it is. Hostile text until an output escapes it."""
        if self.verdict == "verified":
            return ""
        if self.failed:
            return self.failed[0].detail
        required = (check for check in self.checks if check.id in self.required)
        return next((check.detail for check in required if check.status != "valid"), "")

    def as_dict(self) -> dict[str, Any]:
        """The JSON object that ``pybadge verify --json`` prints."""
        return {
            "schema": SCHEMA,
            "input": self.input,
            "number": self.number.text if self.number else None,
            "verdict": self.verdict,
            "checks": [check.as_dict() for check in self.checks],
        }

    def as_json(self) -> str:
        """`as_dict` as one line of JSON in ASCII."""
        return json.dumps(self.as_dict())


def required_ids(extra: Iterable[str] = ()) -> tuple[str, ...]:
    """`REQUIRED` and more.

    Raises:
        UsageError: an id is none.
    """
    ids = tuple(extra)
    for check_id in ids:
        if check_id not in CHECK_IDS:
            raise invalid_choice(check_id, CHECK_IDS, "check")
    return REQUIRED + ids


def parse_check_list(text: str) -> tuple[str, ...]:
    """Check ids from ``receipt_signature,title``.

    Raises:
        UsageError: an id is none.
    """
    ids = tuple(text.replace(",", " ").split())
    required_ids(ids)
    return ids


def verdict_of(checks: Sequence[Check], required: Sequence[str] = REQUIRED) -> Verdict:
    """The verdict that follows from the states of all checks (docs/spec, 7.3)."""
    statuses = {check.id: check.status for check in checks}
    if "invalid" in statuses.values():
        return "invalid"
    if all(statuses[check_id] == "valid" for check_id in required):
        return "verified"
    return "not_checked"


def exit_code_of(report: dict[str, Any]) -> int:
    """The exit code that belongs to a report read back from JSON; the same that `Report.exit_code`
    had.

    Raises:
        KeyError, TypeError: it is no report.
    """
    return EXIT_CODES[report["verdict"]]
