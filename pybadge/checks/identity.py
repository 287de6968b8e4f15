"""Checks of what the canonical record says of itself: hash, number, year, aliases, title,
abstract (docs/spec, 1-3 and 5.3)."""

from __future__ import annotations

from dataclasses import replace
from unicodedata import normalize

from pybadge.arxiv import ArxivId
from pybadge.canonical import is_composable, title_sha256
from pybadge.checks.report import Check, Source, Status
from pybadge.errors import NumberError
from pybadge.number import UNAMBIGUOUS_LENGTH, PithNumber, parse_number
from pybadge.record import EXCERPT_CUT, EXCERPT_LENGTH, Record, alias_values

__all__ = [
    "abstract",
    "aliases",
    "canonical_hash",
    "number",
    "stated_number",
    "title",
    "year",
]

_NO_ALIAS = Check(
    "aliases",
    "absent",
    "aliases.absent",
    "the record lists no alias that could be checked",
)
_NO_TITLE = Check(
    "title",
    "absent",
    "title.absent",
    "the record gives no title; its hash is signed",
    "served",
)
_TITLE_OK = Check(
    "title",
    "valid",
    "title.ok",
    "the title has the signed hash, up to letter case and spacing",
    "served",
)
_NO_ABSTRACT = Check(
    "abstract",
    "absent",
    "abstract.absent",
    "the record gives no abstract; its hash is signed",
    "served",
)


def canonical_hash(record: Record, digest: bytes) -> Check:
    """Whether the stated hash is that of the canonical record.

    Args:
        record: the record.
        digest: the 32 bytes of SHA-256 of its canonical record.
    """
    stated = record.canonical_sha256
    if stated is None:
        detail = "the record states no canonical_sha256"
        return Check("canonical_hash", "absent", "hash.absent", detail)
    if stated != digest.hex():
        detail = f"the canonical record hashes to {digest.hex()}, the record states {stated[:80]}"
        return Check("canonical_hash", "invalid", "hash.mismatch", detail)
    detail = f"SHA-256 of the canonical record is {stated}"
    return Check("canonical_hash", "valid", "hash.ok", detail)


def stated_number(record: Record, derived: PithNumber) -> PithNumber | None:
    """The number that a record calls itself; None where it is none."""
    # Stated as it is derived, which is the rule, it needs no reading.
    if record.pith_number == derived.text:
        return derived
    return _number_or_none(record.pith_number)


def _number_or_none(stated: str | None) -> PithNumber | None:
    try:
        return parse_number(stated) if stated is not None else None
    except NumberError:
        return None


def number(
    record: Record,
    derived: PithNumber,
    asked: PithNumber | None,
    paper: ArxivId | None = None,
    *,
    allow_short: bool = False,
) -> Check:
    """Whether the record has the number that was asked for and the one it calls itself.

    Args:
        record: the record.
        derived: the number that its canonical record gives.
        asked: the number that was asked for, full or short.
        paper: the arXiv paper that was asked for instead.
        allow_short: take a short form that other records may share.
    """
    canonical = record.canonical
    if paper is not None and not paper.names(canonical.source_id, canonical.version):
        detail = f"asked for arXiv {paper.text}, the record is of {canonical.arxiv_version}"
        return Check("number", "invalid", "number.other_paper", detail)
    if asked is not None and not derived.suffix.startswith(asked.suffix):
        detail = f"asked for {asked.text}, but the record is {derived.text}"
        return Check("number", "invalid", "number.mismatch", detail)
    wrong = _wrong_name(record, derived)
    if wrong is not None:
        detail = f"the canonical record gives {derived.text}, the record calls itself {wrong[:80]}"
        return Check("number", "invalid", "number.mismatch", detail)
    if asked is not None and not asked.is_full:
        return _short_form(derived, asked, record.pith_number is None, allow_short)
    if record.pith_number is None and asked is None:
        return Check("number", "absent", "number.absent", "the record states no pith_number")
    return Check("number", "valid", "number.ok", f"the canonical record gives {derived.text}")


def _wrong_name(record: Record, derived: PithNumber) -> str | None:
    """The number or short form that the record states wrongly; None where it states none so."""
    stated, short = record.pith_number, record.short_pith_number
    if stated is not None:
        read = stated_number(record, derived)
        if read is None or read.suffix != derived.suffix:
            return stated
    if short is not None and short != derived.short:
        read = _number_or_none(short)
        if read is None or read.suffix != derived.suffix[: len(derived.short) - len("pith:")]:
            return short
    return None


def _short_form(derived: PithNumber, asked: PithNumber, nameless: bool, allow_short: bool) -> Check:
    if nameless:
        return Check("number", "absent", "number.absent", "the record states no pith_number")
    length = len(asked.suffix)
    if length < UNAMBIGUOUS_LENGTH:
        detail = (
            f"{length} characters are ambiguous: other records have them too; ask for "
            f"{derived.text}, or add --allow-short"
        )
        status: Status = "valid" if allow_short else "not_checked"
        return Check("number", status, "number.short_ambiguous", detail)
    detail = f"the record gives {derived.text}; {length} characters name it, but can't prove it"
    return Check("number", "valid", "number.short", detail)


def year(derived: PithNumber, asked: PithNumber | None, stated: PithNumber | None) -> Check:
    """Whether the years that were asked for and stated are that of v1's submission."""
    for what, claim in (("asked for", asked), ("stated", stated)):
        if claim is not None and claim.year is not None and claim.year != derived.year:
            detail = f"v1 was submitted in {derived.year}, the year {what} is {claim.year}"
            return Check("year", "invalid", "year.mismatch", detail)
    return Check("year", "valid", "year.ok", f"v1 was submitted in {derived.year}")


def aliases(record: Record, derived: PithNumber) -> Check:
    """Whether every alias of a known kind follows from the canonical record."""
    if not record.aliases:
        return _NO_ALIAS
    canonical = record.canonical
    expected = alias_values(canonical.source_id, canonical.version, derived)
    known = [alias for alias in record.aliases if alias.kind in expected]
    for alias in known:
        right = expected[alias.kind]
        if alias.value != right:
            value = alias.value[:80]
            detail = f"the alias {alias.kind} is {value}, the canonical record gives {right}"
            return Check("aliases", "invalid", "aliases.mismatch", detail)
    if not known:
        return _NO_ALIAS
    detail = f"{len(known)} aliases follow from the canonical record"
    return Check("aliases", "valid", "aliases.ok", detail)


def title(record: Record, given: str | None) -> Check:
    """Whether a title has the signed hash.

    Args:
        record: the record.
        given: the title the user expects; None for the one that is served.
    """
    text, source, what = record.paper.title, _SERVED, "the served title"
    if given is not None:
        text, source, what = given, _COMPUTED, "the title you gave"
    if text is None:
        return _NO_TITLE
    form = _matching_form(text, record.canonical.title_sha256)
    if form == "" and given is None:
        return _TITLE_OK
    if form is not None:
        return replace(_TITLE_OK, detail=f"{_TITLE_OK.detail}{form}", source=source)
    detail = f"{what} does not have the signed hash"
    return Check("title", "invalid", "title.mismatch", detail, source)


_SERVED: Source = "served"
_COMPUTED: Source = "computed"


def abstract(record: Record, given: str | None) -> Check:
    """Whether an abstract has the signed hash.

    Args:
        record: the record.
        given: the full abstract that the user has; None for the excerpt that is served.
    """
    expected = record.canonical.abstract_sha256
    if given is not None:
        form = _matching_form(given, expected)
        if form is not None:
            detail = f"the abstract you gave has the signed hash{form}"
            return Check("abstract", "valid", "abstract.ok", detail)
        detail = "the abstract you gave does not have the signed hash"
        return Check("abstract", "invalid", "abstract.mismatch", detail)
    excerpt = record.paper.abstract_excerpt
    if not excerpt:
        return _NO_ABSTRACT
    if len(excerpt) > EXCERPT_LENGTH:
        detail = (
            f"the served excerpt of the abstract has {len(excerpt)} characters, more than "
            f"{EXCERPT_LENGTH}"
        )
        return Check("abstract", "invalid", "abstract.too_long", detail, "served")
    form = _matching_form(excerpt, expected)
    if form is not None:
        detail = f"the served abstract has the signed hash{form}"
        return Check("abstract", "valid", "abstract.ok", detail, "served")
    if len(excerpt) >= EXCERPT_LENGTH - EXCERPT_CUT:
        detail = (
            f"only the first {len(excerpt)} characters are served; "
            "give the full text with --abstract-file"
        )
        return Check("abstract", "not_checked", "abstract.excerpt", detail, "served")
    detail = "the served abstract does not have the signed hash"
    return Check("abstract", "invalid", "abstract.mismatch", detail, "served")


def _matching_form(text: str, expected: str) -> str | None:
    """The form in which a title or abstract has a hash, as a remark: "" as it stands; None where it
    doesn't.

    What the registry does to text beyond ASCII is not publicly known (docs/spec, 3.2), so
    canonical composition is tried too. No compatibility form is: those change what a text says
    (10⁵ becomes 105).
    """
    try:
        if title_sha256(text) == expected:
            return ""
        if text.isascii() or not is_composable(text):
            return None
        if title_sha256(normalize("NFC", text)) == expected:
            return ", in Unicode's form NFC"
    except ValueError:  # a lone surrogate has no UTF-8 and so no hash
        pass
    return None
