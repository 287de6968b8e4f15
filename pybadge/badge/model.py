"""What a badge says, apart from how it is drawn."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

from pybadge.address import record_url
from pybadge.badge.options import DEFAULTS, BadgeOptions
from pybadge.badge.text import clean, elide
from pybadge.checks.report import Report
from pybadge.errors import NotFoundError, UnreachableError, UsageError, invalid_choice
from pybadge.keys import PINNED
from pybadge.number import PithNumber
from pybadge.record import Record

__all__ = [
    "FACTS",
    "STATES",
    "WORDS",
    "Badge",
    "Details",
    "Fact",
    "State",
    "allowed_states",
    "badge_of",
    "is_of_another_record",
    "number_of",
]

State = Literal["verified", "invalid", "not_checked", "offline", "unknown"]
STATES: tuple[State, ...] = get_args(State)
"""What can be said of a record: the three verdicts, and two reasons why there is none."""

WORDS: dict[State, str] = {
    "verified": "verified",
    "invalid": "invalid",
    "not_checked": "not checked",
    "offline": "offline",
    "unknown": "unknown",
}
_LABEL = "pith"
# The registry of the pinned keys: its records, and no others, are at the resolver and carry its
# mark.
_OURS = frozenset(key.registry for key in PINNED)
_MAX_REGISTRY = 30  # clusters: another registry's name must not push the number out of sight
_MAX_CITATIONS = 10**6  # more than any paper has: a server's slip, or a joke
# Words reserved for verified badges, in texts after case, width and accents are folded.
_RESERVED = re.compile("verif|certified|✓|✔|☑|✅|🗸|🗹")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing beyond the verdict.

    Attributes:
        name: one of `FACTS`.
        text: what the badge says, e.g. ``anchored`` or ``cited by 6``.
        claimed: True where it is only the server's word, which is drawn in the neutral style and
            says so.
    """

    name: str
    text: str
    claimed: bool

    @property
    def words(self) -> str:
        """The text with its standing."""
        return f"{self.text} (claimed)" if self.claimed else self.text


@dataclass(frozen=True, slots=True)
class Details:
    """What a card tells of the paper.

    Attributes:
        title: only where it has the signed hash.
        authors: as served.
        source: arXiv id, category and day.
        failed: the ids of the checks that failed.
    """

    title: str | None = None
    authors: str | None = None
    source: str | None = None
    failed: tuple[str, ...] = ()


_NO_DETAILS = Details()


@dataclass(frozen=True, slots=True)
class Badge:
    """A badge before drawing.

    Attributes:
        label: the left part.
        message: the right part.
        state: what may be said of the record; from the report, or less than it.
        title: the accessible name: what the badge says, in words.
        link: where a click should lead; None where there is no number.
        number: the full number with year, None where there is none.
        date: the day of the check, ``YYYY-MM-DD``.
        facts: what else is known or claimed.
        details: what a card tells of the paper.
        ours: False where another registry than Pith vouches: then the Pith mark is not drawn.
    """

    label: str
    message: str
    state: State
    title: str
    link: str | None = None
    number: str | None = None
    date: str | None = None
    facts: tuple[Fact, ...] = ()
    details: Details = _NO_DETAILS
    ours: bool = True

    def __post_init__(self) -> None:
        if not self.label or not self.message:
            raise UsageError("a badge needs a label and a message")
        if self.state not in WORDS:
            raise invalid_choice(self.state, STATES, "state")

    @property
    def word(self) -> str:
        """The state in words, with the date where the state is one of a day."""
        if self.state == "offline" and self.date:
            return f"{WORDS[self.state]} {self.date}"
        return WORDS[self.state]


def allowed_states(report: Report) -> tuple[State, ...]:
    """The states that a badge of this report may show: its own first, then those that claim less.

    A report that is invalid has no other: a failed check must not be hidden behind "not checked".
    And nothing but a verified report ever gives ``verified``.
    """
    own = _state_of(report)
    if own == "invalid":
        return ("invalid",)
    return (own, *(state for state in ("not_checked", "offline", "unknown") if state != own))


def _state_of(report: Report) -> State:
    """The verdict; where no record was had, the reason instead, if it is known."""
    if report.verdict in ("verified", "invalid"):
        return report.verdict
    if report.record is not None or report.verdict == "unreadable":
        return "not_checked"
    codes = {check.code for check in report.checks if check.status == "not_checked"}
    if NotFoundError.default_code in codes:
        return "unknown"
    if UnreachableError.default_code in codes:
        return "offline"
    return "not_checked"


def number_of(report: Report) -> PithNumber | None:
    """The number that a badge names: the one that was asked for, in full where the record completes
    it. A record that turned out to have another number is not named instead."""
    if report.number is None or is_of_another_record(report):
        return report.asked or report.number
    return report.number


def is_of_another_record(report: Report) -> bool:
    """Whether the record is not the one that was asked for."""
    return report.record is not None and report["number"].status == "invalid"


def badge_of(report: Report, options: BadgeOptions = DEFAULTS) -> Badge:
    """The badge that a report earns.

    Raises:
        UsageError: a state that the report doesn't earn, an unknown fact, or a label or message
            that says "verified" where the report doesn't.
    """
    state = _state_of(report) if options.state is None else _chosen_state(options.state, report)
    number = number_of(report)
    label = _label(report, options.label)
    message = _message(number, state, options.message)
    if state != "verified" and (options.label is not None or options.message is not None):
        _refuse_reserved(label)
        _refuse_reserved(message)
    facts = _facts(report, options.facts, state)
    return Badge(
        label,
        message,
        state,
        _title(label, message, state, number, facts, options, is_of_another_record(report)),
        link=record_url(number.suffix) if number is not None and number.is_full else None,
        number=None if number is None else number.text,
        date=options.date,
        facts=facts,
        details=_details(report, state),
        ours=_is_ours(report),
    )


def _is_ours(report: Report) -> bool:
    return report.registry is None or report.registry in _OURS


def _label(report: Report, chosen: str | None) -> str:
    ours = _is_ours(report)
    # To choose "pith" is to choose the default, which names another registry where there is one.
    if chosen is None or chosen == _LABEL:
        return _LABEL if ours else elide(clean(report.registry or ""), _MAX_REGISTRY)
    label = clean(chosen)
    if not ours and _LABEL in _folded(label):
        raise UsageError(
            f"a badge can't be labelled {elide(label, 40)!a}: Pith did not sign this record"
        )
    return label


def _message(number: PithNumber | None, state: State, chosen: str | None) -> str:
    if chosen is not None:
        return clean(chosen)
    return WORDS[state] if number is None else number.suffix[:8]


def _title(
    label: str,
    message: str,
    state: State,
    number: PithNumber | None,
    facts: tuple[Fact, ...],
    options: BadgeOptions,
    other_record: bool,
) -> str:
    """The accessible name. It holds the whole number, whatever the message says, and the state in
    words, which the drawing may tell by icon and colour alone."""
    said = [] if options.message is None else [message]
    said.append("no Pith Number" if number is None else number.text)
    said.append(WORDS[state] if options.date is None else f"{WORDS[state]} {options.date}")
    if other_record:
        said.append("another record was served")
    said += [fact.words for fact in facts]
    return f"{label}: {', '.join(said)}"


def _chosen_state(state: str, report: Report) -> State:
    allowed = allowed_states(report)
    for candidate in allowed:
        if candidate == state:
            return candidate
    for known in STATES:
        if known == state:
            raise UsageError(
                f"this report is {WORDS[allowed[0]]}: its badge can't say {WORDS[known]}, only "
                f"{', '.join(allowed)}"
            )
    raise invalid_choice(state, STATES, "state")


def _folded(text: str) -> str:
    """What a reader takes a text for: without width variants, letter case, accents and joiners."""
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in letters if unicodedata.category(letter) not in ("Mn", "Cf"))


def _refuse_reserved(text: str) -> None:
    if _RESERVED.search(_folded(text)):
        raise UsageError(f"a badge can't say {elide(text, 40)!a}: its report is not verified")


def _checked(name: str, check_id: str) -> Callable[[Report, Record], Fact | None]:
    """A fact that stands where its check is valid, and is a claim where it could not be made."""

    def fact(report: Report, _record: Record) -> Fact | None:
        status = report[check_id].status
        if status == "valid":
            return Fact(name, name, claimed=False)
        return Fact(name, name, claimed=True) if status == "not_checked" else None

    return fact


def _cited(_report: Report, record: Record) -> Fact | None:
    count = record.served.citation_count
    if count is None or not 0 < count < _MAX_CITATIONS:
        return None
    return Fact("cited", f"cited by {count}", claimed=True)


def _refs(_report: Report, record: Record) -> Fact | None:
    if record.served.claims("references_resolved"):
        return Fact("refs", "refs resolved", claimed=True)
    return None


_FACTS: dict[str, Callable[[Report, Record], Fact | None]] = {
    "attested": _checked("attested", "author"),
    "anchored": _checked("anchored", "timestamp"),
    "stored": _checked("stored", "storage"),
    "cited": _cited,
    "refs": _refs,
}
FACTS = tuple(_FACTS)
"""What a badge can say beyond the verdict, in the order in which it is drawn."""


def _facts(report: Report, wanted: Iterable[str], state: State) -> tuple[Fact, ...]:
    for name in wanted:
        if name not in _FACTS:
            raise invalid_choice(name, FACTS, "facts")
    # Nothing good is said of a record that failed a check.
    if not wanted or report.record is None or state == "invalid":
        return ()
    found = (make(report, report.record) for name, make in _FACTS.items() if name in wanted)
    return tuple(fact for fact in found if fact is not None)


def _details(report: Report, state: State) -> Details:
    if report.record is None or state in ("offline", "unknown"):
        return _NO_DETAILS
    if state == "invalid":
        # What the server says of a record that doesn't hold is not passed on; which checks failed
        # is.
        return Details(failed=tuple(check.id for check in report.failed))
    paper, canonical = report.record.paper, report.record.canonical
    day = canonical.submitted_at[:10]
    return Details(
        title=paper.title if report["title"].status == "valid" else None,
        authors=paper.authors,
        source=f"arXiv:{canonical.arxiv_version} · {canonical.primary_category} · {day}",
    )
