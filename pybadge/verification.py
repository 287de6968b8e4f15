"""From WHAT to a Report: the one way from what was asked to a verdict.

Every command, the batch, the embeds and the Sphinx directive come through here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pybadge.arxiv import ArxivId
from pybadge.canonical import canonical_digest
from pybadge.checks import identity, receipt, served
from pybadge.checks.report import (
    CHECK_IDS,
    UNREAD,
    Check,
    Report,
    Verdict,
    required_ids,
    verdict_of,
)
from pybadge.errors import (
    USAGE,
    NotFoundError,
    NumberError,
    PybadgeError,
    RecordError,
    RuleError,
    SchemaError,
    UnreachableError,
    UsageError,
)
from pybadge.keys import PINNED, PublicKey
from pybadge.number import FULL_LENGTH, PithNumber, from_hash, parse_number
from pybadge.record import Record, load, read_bytes, read_record
from pybadge.resolve.locator import Locator, locate
from pybadge.resolve.resolver import Candidate, Resolver

__all__ = [
    "NO_EXPECTATIONS",
    "Expectations",
    "bundle_of",
    "report_and_bytes",
    "report_from_folder",
    "report_on",
    "unreadable",
    "verify",
    "verify_expecting",
]

_SCHEMA_OK = Check("schema", "valid", "schema.ok", "the canonical record has its closed schema")


@dataclass(frozen=True, slots=True)
class Expectations:
    """What the user knows or demands beside the record.

    Attributes:
        title: the title the caller expects, compared with the signed title hash instead of the
            served one.
        abstract: the full abstract, compared with its signed hash.
        trusted: keys that the user vouches for, besides the pinned ones.
        require: ids of checks that must be valid for ``verified``, besides the usual ones.
        distrusted: fingerprints of keys that are not to be believed, pinned or not.
        allow_short: take a short form that other records may share.
    """

    title: str | None = None
    abstract: str | None = None
    trusted: tuple[PublicKey, ...] = ()
    require: tuple[str, ...] = ()
    distrusted: frozenset[str] = frozenset()
    allow_short: bool = False

    @property
    def keys(self) -> tuple[PublicKey, ...]:
        """The pinned and trusted keys, without those that are distrusted."""
        if not self.distrusted:  # as nearly always: no fingerprint need be computed
            return self._all_keys
        return tuple(key for key in self._all_keys if key.fingerprint not in self.distrusted)

    @property
    def distrusted_keys(self) -> tuple[PublicKey, ...]:
        """The pinned and trusted keys that are distrusted."""
        if not self.distrusted:
            return ()
        return tuple(key for key in self._all_keys if key.fingerprint in self.distrusted)

    @property
    def _all_keys(self) -> tuple[PublicKey, ...]:
        return (*PINNED, *self.trusted)


NO_EXPECTATIONS = Expectations()


def verify(
    record: Record | bytes | Mapping[str, Any],
    *,
    asked: PithNumber | str | None = None,
    title: str | None = None,
    abstract: str | None = None,
    trusted: Sequence[PublicKey] = (),
    require: Iterable[str] = (),
    distrusted: Iterable[str] = (),
    allow_short: bool = False,
    input: str = "",
    origin: str = "",
) -> Report:
    """Check everything about a record that can be checked from its bytes.

    Args:
        record: a `Record`, the bytes of one, or a parsed JSON object. Bytes that are not a record
            give a report with the verdict ``unreadable``.
        asked: the number the caller wanted; compared with the one derived from the record.
        title: the title the caller expects, compared with the signed title hash instead of the
            served one.
        abstract: the full abstract, compared with its signed hash.
        trusted: keys that the user vouches for, besides the pinned ones.
        require: ids of checks that must be valid for ``verified``, besides `REQUIRED`.
        distrusted: fingerprints of keys that are not to be believed, pinned or not.
        allow_short: take a short form that other records may share.
        input: what was asked for, for the report.
        origin: where the bytes came from, for messages; "" to call it the record.

    Raises:
        UsageError: ``record`` is something else, such as a number or a path: see `pybadge.fetch`
            and `pybadge.load`; or ``require`` names no check.
        NumberError: ``asked`` is a text that is not a Pith Number.
    """
    if not isinstance(record, (Record, bytes, bytearray, dict)):
        raise UsageError(
            f"verify() takes a Record, its bytes or a JSON object, not {type(record).__name__}; "
            "pybadge.fetch() finds a record by its number, pybadge.load() reads a file"
        )
    expected = Expectations(
        title, abstract, tuple(trusted), tuple(require), frozenset(distrusted), allow_short
    )
    wanted = parse_number(asked) if isinstance(asked, str) else asked
    return verify_expecting(record, expected, number=wanted, input=input, origin=origin)


def verify_expecting(
    record: Record | bytes | Mapping[str, Any],
    expected: Expectations,
    *,
    number: PithNumber | None = None,
    paper: ArxivId | None = None,
    input: str = "",
    origin: str = "",
    notes: Sequence[str] = (),
) -> Report:
    """As `verify`, also for an arXiv paper that was asked for.

    Args:
        record: as for `verify`.
        expected: what the user knows or demands.
        number, paper: what was asked for.
        input, origin: as for `verify`.
        notes: what to say of where the bytes came from.
    """
    required = required_ids(expected.require)
    try:
        known = _read(record, origin)
        digest = canonical_digest(known.canonical.document)
    except RecordError as error:
        return unreadable(error, input=input, asked=number)
    except ValueError:
        fault = SchemaError("canonical_record holds a text that is not Unicode")
        return unreadable(fault, input=input, asked=number)
    derived = from_hash(digest, known.canonical.year)
    key, key_check = receipt.receipt_key(known, expected.keys, digest, expected.distrusted_keys)
    signature_check = receipt.receipt_signature(known, digest, key)
    facts = known.served
    checks = (
        _parsed(known.kind, notes),
        _SCHEMA_OK,
        identity.canonical_hash(known, digest),
        identity.number(known, derived, number, paper, allow_short=expected.allow_short),
        identity.year(derived, number, identity.stated_number(known, derived)),
        identity.aliases(known, derived),
        key_check,
        signature_check,
        identity.title(known, expected.title),
        identity.abstract(known, expected.abstract),
        served.snapshots(facts),
        *served.claims(facts),
    )
    signer = key.registry if key is not None and signature_check.status == "valid" else None
    return Report(
        input,
        verdict_of(checks, required),
        checks,
        derived,
        known,
        signer,
        required,
        asked=number,
    )


def _read(record: Record | bytes | Mapping[str, Any], origin: str) -> Record:
    if isinstance(record, Record):
        return record
    try:
        if isinstance(record, (bytes, bytearray)):
            return read_bytes(bytes(record), origin)
        return read_record(record, origin)
    except RecursionError:
        raise RuleError("record: nested too deeply", code="json.depth") from None


def _parsed(kind: str, notes: Sequence[str]) -> Check:
    remark = f" ({'; '.join(notes)})" if notes else ""
    return Check("parse", "valid", "parse.ok", f"strict JSON, a {kind}{remark}")


def unreadable(error: PybadgeError, *, input: str = "", asked: PithNumber | None = None) -> Report:
    """The report of what was asked for where there was no record to check.

    The verdict is that of the error's exit code: ``invalid`` for a record that breaks a rule of
    reading or its schema, ``not_checked`` where none could be had, else ``unreadable``.

    Args:
        error: what kept it from being read.
        input: what was asked for, as given.
        asked: the number that was asked for.
    """
    unread = "there is no record to check"
    found = {check_id: Check(check_id, "not_checked", UNREAD, unread) for check_id in CHECK_IDS}
    if isinstance(error, SchemaError):
        found["parse"] = Check("parse", "valid", "parse.ok", "strict JSON")
        found["schema"] = Check("schema", "invalid", error.code, str(error))
    elif isinstance(error, RuleError):
        found["parse"] = Check("parse", "invalid", error.code, str(error))
    else:
        found["parse"] = Check("parse", "not_checked", error.code, str(error))
    checks = tuple(found.values())
    verdict = verdict_of(checks)
    if error.exit_code == USAGE:
        verdict = "unreadable"
    return Report(input, verdict, checks, asked=asked)


def report_on(what: str, resolver: Resolver, expected: Expectations = NO_EXPECTATIONS) -> Report:
    """Find and verify one record; what goes wrong on the way is in the report, not raised.

    Args:
        what: as on the command line.
        resolver: who to ask.
        expected: what the user knows or demands.

    Raises:
        UsageError: ``expected`` makes no sense.
    """
    return report_and_bytes(what, resolver, expected)[0]


def report_and_bytes(
    what: str, resolver: Resolver, expected: Expectations = NO_EXPECTATIONS
) -> tuple[Report, bytes | None]:
    """As `report_on`, with the bytes the report is about; None where there are none.

    Sources are asked until one has a record that verifies; else the best answer counts. A source
    that hands out a wrong record is named.
    """
    required_ids(expected.require)
    try:
        locator = locate(what)
    except (UsageError, NumberError) as error:
        return unreadable(error, input=what), None
    best: tuple[Report, Candidate] | None = None
    wrong: Report | None = None
    try:
        for candidate in resolver.candidates(locator):
            report = _of_candidate(locator, candidate, expected, wrong)
            if _is_better(report, best):
                best = report, candidate
            if report.verdict == "verified":
                break
            if report.verdict == "invalid":
                resolver.reject(locator, candidate)
                wrong = wrong or report
    except PybadgeError as error:
        if best is None:
            return unreadable(error, input=what, asked=locator.number), None
    if best is None:
        raise AssertionError("a resolver gave neither bytes nor an error")
    return _settled(locator, resolver, *best)


# The best first: what no source could give may not hide what one of them did.
_RANKS: tuple[Verdict, ...] = ("verified", "not_checked", "invalid", "unreadable")


def _is_better(report: Report, best: tuple[Report, Candidate] | None) -> bool:
    return best is None or _RANKS.index(report.verdict) < _RANKS.index(best[0].verdict)


def _settled(
    locator: Locator, resolver: Resolver, report: Report, candidate: Candidate
) -> tuple[Report, bytes]:
    """What to answer, after the sources were asked."""
    if report.verdict in ("verified", "not_checked"):
        resolver.keep(locator, candidate, verified=report.verdict == "verified")
    if report.verdict == "unreadable" and candidate.url is not None:
        # What a server answers beside the point is a fault on the way, and says nothing of the
        # record that was asked for.
        fault = UnreachableError(report.reason, code="resolve.other_answer")
        return unreadable(fault, input=locator.text, asked=locator.number), candidate.data
    return report, candidate.data


def _of_candidate(
    locator: Locator, candidate: Candidate, expected: Expectations, wrong: Report | None
) -> Report:
    notes = []
    if candidate.cached_at is not None:
        notes.append(f"from {candidate.origin}")
    if wrong is not None:
        notes.append(f"another source gave a wrong record: {wrong.failed[0].code}")
    return verify_expecting(
        candidate.data,
        expected,
        number=locator.number,
        # An arXiv id that was asked for must be the record's; a server's word for it is not enough.
        paper=locator.paper,
        input=locator.text,
        origin=candidate.origin,
        notes=notes,
    )


def bundle_of(
    what: str, resolver: Resolver, expected: Expectations = NO_EXPECTATIONS
) -> tuple[Report, bytes | None]:
    """As `report_and_bytes`, for the open graph bundle of a record.

    Only a number leads to a bundle; an arXiv id leads to a record, which has the number.
    """
    if locate(what).kind == "arxiv":
        found, _ = report_and_bytes(what, resolver, expected)
        if found.number is None or found.verdict == "invalid":
            return found, None
        what = found.number.text
    resolver.bundle = True
    return report_and_bytes(what, resolver, expected)


def report_from_folder(
    text: str, *, folder: str | None = None, record: str | None = None
) -> Report:
    """The report for a builder of documents: from a record file where there is one, else of the
    bare number. Never the network.

    Args:
        text: a full Pith Number, in any of its forms.
        folder: where records lie, as ``<26 characters>.json``.
        record: the record's own file, instead.

    Returns:
        What the record's file gives; without a file, a report in which nothing was checked.

    Raises:
        NumberError: the text is no full number.
        PybadgeError: ``record`` names a file that can't be read.
    """
    number = parse_number(text)
    if not number.is_full:
        raise NumberError(
            f"{number.text} is a short form, which can't be verified; give {FULL_LENGTH} characters"
        )
    path = record
    if path is None and folder is not None:
        path = os.path.join(folder, f"{number.suffix}.json")
        path = path if os.path.exists(path) else None
    if path is None:
        error = NotFoundError("no record is at hand, so nothing was checked", code="record.none")
        return unreadable(error, input=text, asked=number)
    try:
        return verify(load(path), asked=number, input=text)
    except PybadgeError as error:
        raise type(error)(f"{number.short}: {error}", code=error.code) from None
