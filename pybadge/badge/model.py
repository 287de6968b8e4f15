"""What a badge says, apart from how it is drawn."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pybadge.badge.text import clean, elide
from pybadge.checks.report import Report
from pybadge.errors import NumberError, UsageError
from pybadge.keys import PINNED
from pybadge.number import PithNumber, parse_number
from pybadge.address import record_url

__all__ = ["FACTS", "STATES", "WORDS", "Badge", "Fact", "State", "allowed_states", "badge_of"]

State = Literal["verified", "invalid", "not_checked", "offline", "unknown"]
STATES: tuple[State, ...] = get_args(State)

WORDS: dict[State, str] = {
    "verified": "verified",
    "invalid": "invalid",
    "not_checked": "not checked",
    "offline": "offline",
    "unknown": "unknown",
}
FACTS = ("attested", "anchored", "stored", "cited", "refs")
# What the pinned keys' registry is called: its records, and no others, are at the resolver and
# carry its mark.
_OURS = frozenset(key.registry for key in PINNED)
_FACT_CHECKS = {"attested": "author", "anchored": "timestamp", "stored": "storage"}
_DATE = re.compile("[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])")
# What a badge that is not verified may not have in its own words, in any disguise that folds to it.
_PRETENCE = re.compile("verif|certified|✓|✔|☑|✅|🗸|🗹")


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
class Paper:
    """What a card adds: title (only where it has the signed hash), authors as served, the failed
    checks."""

    title: str | None = None
    authors: str | None = None
    source: str | None = None
    failed: tuple[str, ...] = ()


_NO_PAPER = Paper()


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
        paper: what a card adds.
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
    paper: Paper = _NO_PAPER
    ours: bool = True

    def __post_init__(self) -> None:
        if not self.label or not self.message:
            raise UsageError("a badge needs a label and a message")
        if self.state not in WORDS:
            raise UsageError(f"{self.state!a:.40} is no state; there are {', '.join(WORDS)}")

    @property
    def word(self) -> str:
        """The state in words, with the date where the state is one of a day."""
        return (
            f"{WORDS[self.state]} {self.date}"
            if self.state == "offline" and self.date
            else WORDS[self.state]
        )


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
    if report.verdict != "not_checked" or report.record is not None:
        return report.verdict
    codes = {check.code for check in report.checks if check.status == "not_checked"}
    return (
        "unknown"
        if "resolve.not_found" in codes
        else "offline"
        if "resolve.unreachable" in codes
        else "not_checked"
    )


def badge_of(
    report: Report,
    *,
    label: str | None = None,
    message: str | None = None,
    state: str | None = None,
    date: str | None = None,
    facts: Iterable[str] = (),
    paper: bool = True,
) -> Badge:
    """The badge that a report earns.

    Args:
        report: from `pybadge.verify`.
        label: the left part; "pith" by default, or the name of the registry where that is another
            which the user trusts.
        message: the right part; the 8-character short form by default, or the state's word where
            there is no number.
        state: a state that claims less than the report does, see `allowed_states`; None for the
            report's own.
        date: the day of the check, ``YYYY-MM-DD``; drawn with ``offline`` and on cards, and told in
            the title.
        facts: which of `FACTS` to draw where the record has them.
        paper: take over what only a card shows.

    Raises:
        UsageError: an option that makes no sense, a state that the report doesn't earn, or a label
            or message that says "verified" where the report doesn't.
    """
    if not (label is message is state is date is None):
        _check_texts(label=label, message=message, state=state, date=date)
    own = _state_of(report) if state is None else _chosen_state(state, report)
    number = report.number
    shown = number if number is not None else _asked(report)
    ours = report.registry is None or report.registry in _OURS
    shown_label = "pith" if ours else elide(clean(report.registry or ""), 30)
    if label is not None and label != "pith":
        shown_label = clean(label)
        if not ours and "pith" in _folded(shown_label):
            raise UsageError(
                f"a badge can't be labelled {elide(shown_label, 40)!a}: Pith did not sign this record"
            )
    custom = message is not None
    text = (
        clean(message)
        if message is not None
        else shown.suffix[:8]
        if shown is not None
        else WORDS[own]
    )
    if own != "verified" and (custom or label is not None):
        _refuse_pretence(shown_label, text)
    if date is not None and not _DATE.fullmatch(date):
        raise UsageError(f"{date!a:.40} is no date; give YYYY-MM-DD")
    known = _facts(report, tuple(facts), own) if facts else ()
    name = shown.text if shown is not None else "no Pith Number"
    said = f"{shown_label}: {f'{text}, ' if custom else ''}{name}, {WORDS[own]}"
    if date is not None:
        said += f" {date}"
    if known:
        said += "".join(f", {fact.words}" for fact in known)
    link = record_url(shown.suffix) if shown is not None and shown.is_full else None
    full = None if shown is None else shown.text
    return Badge(
        shown_label,
        text,
        own,
        said,
        link,
        full,
        date,
        known,
        _paper(report, own) if paper else _NO_PAPER,
        ours,
    )


def _check_texts(**options: object) -> None:
    for name, value in options.items():
        if value is not None and not isinstance(value, str):
            raise UsageError(f"the {name} must be a text, not {value!a:.40}")


def _asked(report: Report) -> PithNumber | None:
    """The number that was asked for, where nothing came back that could give one."""
    if report.record is not None or _state_of(report) == "invalid":
        return None
    try:
        return parse_number(report.input)
    except NumberError:
        return None


def _chosen_state(state: str, report: Report) -> State:
    if state not in WORDS:
        raise UsageError(f"{state!a:.40} is no state; there are {', '.join(WORDS)}")
    allowed = allowed_states(report)
    for candidate in allowed:
        if candidate == state:
            return candidate
    raise UsageError(
        f"this report is {WORDS[allowed[0]]}: its badge can't say {WORDS[state]}, only {', '.join(allowed)}"
    )


def _folded(text: str) -> str:
    """What a reader takes a text for: without width variants, letter case, accents and joiners."""
    letters = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in letters if unicodedata.category(letter) not in ("Mn", "Cf"))


def _refuse_pretence(*texts: str) -> None:
    for text in texts:
        if _PRETENCE.search(_folded(text)):
            raise UsageError(f"a badge can't say {elide(text, 40)!a}: its report is not verified")


def _facts(report: Report, wanted: tuple[str, ...], state: State) -> tuple[Fact, ...]:
    for name in wanted:
        if name not in FACTS:
            raise UsageError(f"{name!a:.40} is no fact; there are {', '.join(FACTS)}")
    if report.record is None or state == "invalid":
        return ()
    found = (_fact(name, report, report.record.document) for name in FACTS if name in wanted)
    return tuple(fact for fact in found if fact is not None)


def _fact(name: str, report: Report, document: Any) -> Fact | None:
    flags = document.get("verification_status")
    flags = flags if type(flags) is dict else {}
    if name == "cited":
        served = document.get("inbound_citations")
        count = served.get("count") if type(served) is dict else None
        return (
            Fact(name, f"cited by {count}", True)
            if type(count) is int and 0 < count < 10**6
            else None
        )
    if name == "refs":
        return (
            Fact(name, "refs resolved", True) if flags.get("references_resolved") is True else None
        )
    status = report[_FACT_CHECKS[name]].status
    if status in ("valid", "not_checked"):
        return Fact(name, name, status != "valid")
    return None


def _paper(report: Report, state: State) -> Paper:
    if report.record is None or state in ("offline", "unknown"):
        return Paper()
    if state == "invalid":
        # What the server says of a record that doesn't hold is not passed on; which checks failed
        # is.
        return Paper(failed=tuple(check.id for check in report.checks if check.status == "invalid"))
    served, canonical = report.record.paper, report.record.canonical
    title = served.title if report["title"].status == "valid" else None
    day = canonical.submitted_at[:10]
    return Paper(
        title,
        served.authors,
        f"arXiv:{canonical.arxiv_version} · {canonical.primary_category} · {day}",
    )
