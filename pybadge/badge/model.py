"""What a badge says, apart from how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pybadge.errors import UsageError
from pybadge.escape import plain
from pybadge.resolve import record_url

if TYPE_CHECKING:
    from pybadge.checks import Report

__all__ = ["Badge", "badge_of"]

State = Literal["verified", "invalid", "not_checked"]

WORDS = {"verified": "verified", "invalid": "INVALID", "not_checked": "not checked"}


@dataclass(frozen=True)
class Badge:
    """A badge before drawing.

    Attributes:
        label: the left part.
        message: the right part.
        state: the verdict of the report it was made from.
        title: the accessible name: what the badge says, in words.
        link: where a click should lead; None where there is no number.
    """

    label: str
    message: str
    state: State
    title: str
    link: str | None

    def __post_init__(self) -> None:
        if not self.label or not self.message:
            raise UsageError("a badge needs a label and a message")


def badge_of(report: Report, *, label: str = "pith") -> Badge:
    """The badge that a report earns. Its state is the report's verdict and can't be set from outside.

    Raises:
        UsageError: the label is empty once hostile characters are taken away.
    """
    word = WORDS[report.verdict]
    number = report.number
    message = number.suffix[:8] if number is not None else word
    name = number.text if number is not None else "no Pith Number"
    link = record_url(number.suffix) if number is not None else None
    label = plain(label)
    return Badge(label, message, report.verdict, f"{label}: {name}, {word}", link)
