"""Each check, the verdict and the report (PROTOCOL.md 1-3; ids and statuses as DESIGN.md fixes them).

Rules that keep a green verdict honest:

- The hash is always rebuilt from the schema-checked canonical record. A hash that the document states proves nothing,
  and the registry's key signs other things over 32 bare bytes too.
- Flags that the server sets (``verification_status``) never reach a status above "claimed".
- What could not be checked is ``not_checked``, never a pass and never a failure.
"""

from __future__ import annotations

from pybadge.canonical import canonical_digest, snapshot_sha256, title_sha256
from pybadge.errors import NumberError, PybadgeError, RecordError, SchemaError, UsageError
from pybadge.frozen import Frozen
from pybadge.keys import PINNED, PublicKey, base64_bytes, verify_ed25519
from pybadge.lean import quoted_ascii
from pybadge.number import PithNumber, from_hash, parse_number
from pybadge.record import Receipt, Record, read_json, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, Literal

    Status = Literal["valid", "invalid", "not_checked", "absent"]
    Source = Literal["computed", "signed", "served"]
    Verdict = Literal["verified", "invalid", "not_checked"]

__all__ = ["CHECK_IDS", "REQUIRED", "SCHEMA", "Check", "Report", "unreadable", "verify"]

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
REQUIRED = ("parse", "schema", "canonical_hash", "number", "year", "receipt_key", "receipt_signature")

_EXCERPT_LENGTH = 600
_UNAMBIGUOUS_LENGTH = 12


class Check(Frozen):
    """The outcome of one check.

    Attributes:
        id: one of `CHECK_IDS`.
        status: ``valid``, ``invalid``, ``not_checked`` (possible, but not made) or ``absent`` (not in the record).
        code: a stable dotted word for machines, e.g. ``number.mismatch``.
        detail: one sentence for people. It may quote the record, so it is hostile text until an output escapes it.
        source: what the checked fact rests on: ``computed`` here, ``signed`` by the registry, or only ``served``.
    """

    id: str
    status: Status
    code: str
    detail: str
    source: Source

    def as_dict(self) -> dict[str, str]:
        """The JSON object of the report."""
        return {
            "id": self.id,
            "status": self.status,
            "code": self.code,
            "detail": self.detail,
            "source": self.source,
        }

    def as_json(self) -> str:
        """`as_dict` as JSON text, kept: most checks of a batch are the same few values."""
        text: str | None = self.__dict__.get("_json")
        if text is None:
            # All but the detail are words of ours, which JSON takes as they are.
            text = self.__dict__["_json"] = (
                f'{{"id": "{self.id}", "status": "{self.status}", "code": "{self.code}", '
                f'"detail": {quoted_ascii(self.detail)}, "source": "{self.source}"}}'
            )
        return text


class Report(Frozen):
    """What was checked on one record, and what follows.

    Attributes:
        input: what was asked for, as given.
        verdict: ``invalid`` if any check is, ``verified`` if all required ones are valid, else ``not_checked``.
        checks: in the order of `CHECK_IDS`.
        number: the number derived from the record, None where none could be.
        record: the record, for what a badge or a person is shown; None where it could not be read.
        registry: whose key signed, where the signature is valid: "Pith", or the name of a key the user trusts.
        error_exit: the exit code of the error that stopped reading, None where the record was read.
    """

    input: str
    verdict: Verdict
    checks: tuple[Check, ...]
    number: PithNumber | None = None
    record: Record | None = None
    registry: str | None = None
    error_exit: int | None = None

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
    def exit_code(self) -> int:
        """0 verified, 1 invalid, 2 unreadable, 3 a required check could not be made."""
        if self.error_exit is not None:
            return self.error_exit
        return {"verified": 0, "invalid": 1, "not_checked": 3}[self.verdict]

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
        """`as_dict` as one line of JSON in ASCII, as ``json.dumps`` writes it."""
        number = f'"{self.number.text}"' if self.number else "null"
        checks = ", ".join([check.as_json() for check in self.checks])
        return (
            f'{{"schema": "{SCHEMA}", "input": {quoted_ascii(self.input)}, "number": {number}, '
            f'"verdict": "{self.verdict}", "checks": [{checks}]}}'
        )


def verify(
    record: Record | bytes | Any,
    *,
    asked: PithNumber | str | None = None,
    title: str | None = None,
    abstract: str | None = None,
    trusted: Sequence[PublicKey] = (),
    require: Iterable[str] = (),
    input: str = "",
    origin: str = "",
) -> Report:
    """Check everything about a record that can be checked from its bytes.

    Args:
        record: a `Record`, the bytes of one, or a parsed JSON value. A value that is no record gives an ``invalid`` report.
        asked: the number the caller wanted; compared with the one derived from the record.
        title: the title the caller expects, compared with the signed title hash instead of the served one.
        abstract: the full abstract, compared with its signed hash.
        trusted: keys that the user vouches for, besides the pinned ones.
        require: ids of checks that must be valid for ``verified``, besides `REQUIRED`.
        input: what was asked for, for the report.
        origin: where the bytes came from, for messages; "" to call it the record.

    Raises:
        UsageError: ``require`` names no check.
        NumberError: ``asked`` is a text that is no Pith Number.
    """
    required = _required(require)
    wanted = parse_number(asked) if isinstance(asked, str) else asked
    if not isinstance(record, Record):
        try:
            document = read_json(bytes(record), origin or "record") if isinstance(record, (bytes, bytearray)) else record
            record = read_record(document, origin)
        except RecordError as error:
            return unreadable(error, input=input)
        except RecursionError:
            return unreadable(RecordError("record: nested too deeply", code="json.depth"), input=input)
    try:
        digest = canonical_digest(record.canonical.document)
    except ValueError:
        return unreadable(SchemaError("canonical_record holds a text that is no Unicode"), input=input)
    number = from_hash(digest, record.canonical.year)
    # Stated as it is derived, which is the rule, it needs no reading.
    stated = number if record.pith_number == number.text else _number_or_none(record.pith_number)
    keys = (*PINNED, *trusted)
    key, key_check = _receipt_key(record, keys, digest)
    signature_check = _receipt_signature(record, digest, key)
    checks = (
        _PARSED[record.kind],
        _SCHEMA_OK,
        _canonical_hash(record, digest),
        _number(record, number, wanted, stated),
        _year(number, wanted, stated),
        _aliases(record, number),
        key_check,
        signature_check,
        _title(record, title),
        _abstract(record, abstract),
        _snapshots(record),
        *_external(record),
    )
    registry = key.registry if key is not None and signature_check.status == "valid" else None
    return Report(input, _verdict(checks, required), checks, number, record, registry)


# The outcomes that say the same of every record, made once.
_PARSED = {kind: Check("parse", "valid", "parse.ok", f"strict JSON, a {kind}", "computed") for kind in ("record", "bundle")}
_SCHEMA_OK = Check("schema", "valid", "schema.ok", "the canonical record has its closed schema", "computed")
_NO_ALIAS = Check("aliases", "absent", "aliases.absent", "the record lists no alias that could be checked", "computed")
_NO_TITLE = Check("title", "absent", "title.absent", "the record gives no title; its hash is signed", "served")
_TITLE_OK = Check("title", "valid", "title.ok", "the title has the signed hash, up to letter case and spacing", "served")
_NO_ABSTRACT = Check("abstract", "absent", "abstract.absent", "the record gives no abstract; its hash is signed", "served")
_NO_SNAPSHOTS = Check("snapshots", "absent", "snapshots.absent", "the record has no graph snapshot", "served")
_EMPTY_SNAPSHOT = snapshot_sha256([])


def _required(extra: Iterable[str]) -> tuple[str, ...]:
    ids = tuple(extra)
    if not ids:
        return REQUIRED
    for check_id in ids:
        if check_id not in CHECK_IDS:
            raise UsageError(f"there is no check {check_id!r}; the checks are {', '.join(CHECK_IDS)}")
    return REQUIRED + ids


def _verdict(checks: Sequence[Check], required: Sequence[str]) -> Verdict:
    statuses = {check.id: check.status for check in checks}
    if "invalid" in statuses.values():
        return "invalid"
    return "verified" if {statuses[check_id] for check_id in required} == {"valid"} else "not_checked"


def unreadable(error: PybadgeError, *, input: str = "") -> Report:
    """The report of a record that could not be read or fetched at all: nothing was checked."""
    failed = "schema" if isinstance(error, SchemaError) else "parse" if isinstance(error, RecordError) else None
    checks = []
    for check_id in CHECK_IDS:
        if check_id == failed:
            checks.append(Check(check_id, "invalid", error.code, str(error), "computed"))
        elif check_id == "parse" and failed == "schema":
            checks.append(Check(check_id, "valid", "parse.ok", "strict JSON", "computed"))
        elif check_id == "parse":
            checks.append(Check(check_id, "not_checked", error.code, str(error), "computed"))
        else:
            checks.append(Check(check_id, "not_checked", "record.unread", "there is no record to check", "computed"))
    return Report(input, _verdict(checks, REQUIRED), tuple(checks), error_exit=error.exit_code)


def _canonical_hash(record: Record, digest: bytes) -> Check:
    stated = record.canonical_sha256
    if stated is None:
        return Check("canonical_hash", "absent", "hash.absent", "the record states no canonical_sha256", "computed")
    if stated != digest.hex():
        return Check(
            "canonical_hash",
            "invalid",
            "hash.mismatch",
            f"the canonical record hashes to {digest.hex()}, the record states {stated[:80]}",
            "computed",
        )
    return Check("canonical_hash", "valid", "hash.ok", f"SHA-256 of the canonical record is {stated}", "computed")


def _number(record: Record, number: PithNumber, asked: PithNumber | None, stated: PithNumber | None) -> Check:
    def outcome(status: Status, code: str, detail: str) -> Check:
        return Check("number", status, code, detail, "computed")

    if asked is not None and not number.suffix.startswith(asked.suffix):
        return outcome("invalid", "number.mismatch", f"asked for {asked.text}, but the record is {number.text}")
    if record.pith_number is not None and (stated is None or stated.suffix != number.suffix):
        return outcome("invalid", "number.mismatch", _called_otherwise(number, record.pith_number))
    if record.short_pith_number is not None and record.short_pith_number != number.short:
        short = _number_or_none(record.short_pith_number)
        if short is None or short.suffix != number.suffix[:8]:
            return outcome("invalid", "number.mismatch", _called_otherwise(number, record.short_pith_number))
    if record.pith_number is None and (asked is None or not asked.is_full):
        return outcome("absent", "number.absent", "the record states no pith_number")
    if asked is not None and not asked.is_full:
        length = len(asked.suffix)
        # Among the 2.8 million records of the registry, 8 characters are expected to collide (40 bits, birthday bound).
        if length < _UNAMBIGUOUS_LENGTH:
            detail = f"the record gives {number.text}; {length} characters are ambiguous: other records have them too"
            return outcome("valid", "number.short_ambiguous", detail)
        detail = f"the record gives {number.text}; {length} characters name it, but can't prove it"
        return outcome("valid", "number.short", detail)
    return outcome("valid", "number.ok", f"the canonical record gives {number.text}")


def _called_otherwise(number: PithNumber, stated: str) -> str:
    return f"the canonical record gives {number.text}, the record calls itself {stated[:80]}"


def _number_or_none(stated: str | None) -> PithNumber | None:
    try:
        return parse_number(stated) if stated is not None else None
    except NumberError:
        return None


def _year(number: PithNumber, asked: PithNumber | None, stated: PithNumber | None) -> Check:
    for what, claim in (("asked for", asked), ("stated", stated)):
        if claim is not None and claim.year is not None and claim.year != number.year:
            detail = f"v1 was submitted in {number.year}, the year {what} is {claim.year}"
            return Check("year", "invalid", "year.mismatch", detail, "computed")
    return Check("year", "valid", "year.ok", f"v1 was submitted in {number.year}", "computed")


def _aliases(record: Record, number: PithNumber) -> Check:
    if not record.aliases:
        return _NO_ALIAS
    canonical = record.canonical
    expected = {
        "arxiv": canonical.source_id,
        "arxiv_version": canonical.arxiv_version,
        "doi": f"10.48550/arxiv.{canonical.source_id}".lower(),
        "pith_short_8": number.suffix[:8],
        "pith_short_12": number.suffix[:12],
        "pith_short_16": number.suffix[:16],
    }
    known = [alias for alias in record.aliases if alias.kind in expected]
    for alias in known:
        if alias.value != expected[alias.kind]:
            return Check(
                "aliases",
                "invalid",
                "aliases.mismatch",
                f"the alias {alias.kind} is {alias.value[:80]}, the canonical record gives {expected[alias.kind]}",
                "computed",
            )
    if not known:
        return _NO_ALIAS
    return Check("aliases", "valid", "aliases.ok", f"{len(known)} aliases follow from the canonical record", "computed")


def _receipt_key(record: Record, keys: Sequence[PublicKey], digest: bytes) -> tuple[PublicKey | None, Check]:
    def outcome(status: Status, code: str, detail: str) -> Check:
        return Check("receipt_key", status, code, detail, "computed")

    receipt = record.receipt
    if receipt is None:
        if record.receipt_malformed:
            return None, outcome("invalid", "receipt.malformed", "what stands in the receipt's place is no receipt")
        return None, outcome("absent", "receipt.absent", "the record has no receipt")
    hint, stated = receipt.key_id, receipt.public_key_fingerprint
    if stated is not None:
        candidates = [key for key in keys if key.fingerprint == stated]
    else:
        candidates = [key for key in keys if key.key_id is not None and key.key_id == hint]
        candidates = candidates or _nameless_signers(receipt, keys, digest)
    if not candidates:
        if any(key.key_id is not None and key.key_id == hint for key in keys):
            return None, outcome(
                "invalid",
                "receipt.key_mismatch",
                f"the receipt names the key {hint} but gives another key's fingerprint",
            )
        name = hint or stated or "without a name"
        return None, outcome(
            "not_checked", "receipt.key_unknown", f"signed by the key {name[:80]}, which is neither pinned nor trusted"
        )
    for key in candidates:
        if key.key_id is None or hint is None or key.key_id == hint:
            kind = "pinned" if key.pinned else "trusted by you"
            return key, outcome(
                "valid", "receipt.key_ok", f"{key.registry} key {key.key_id or ''} ({kind}) {key.fingerprint}"
            )
    return None, outcome(
        "invalid",
        "receipt.key_mismatch",
        f"the receipt calls the key {candidates[0].key_id} by the name {str(hint)[:80]}",
    )


def _nameless_signers(receipt: Receipt, keys: Sequence[PublicKey], digest: bytes) -> list[PublicKey]:
    """Keys trusted without a name that made a receipt which says nothing of its key: only the signature can tell."""
    signature = _signature(receipt.signature_b64)
    if signature is None:
        return []
    return [key for key in keys if key.key_id is None and verify_ed25519(key.raw, digest, signature)]


def _receipt_signature(record: Record, digest: bytes, key: PublicKey | None) -> Check:
    def outcome(status: Status, code: str, detail: str) -> Check:
        return Check("receipt_signature", status, code, detail, "signed" if status == "valid" else "computed")

    receipt = record.receipt
    if receipt is None:
        if record.receipt_malformed:
            return outcome("invalid", "receipt.malformed", "what stands in the receipt's place is no receipt")
        return outcome("absent", "receipt.absent", "the record has no receipt, so nobody vouches for it")
    if receipt.algorithm != "ed25519":
        return outcome(
            "not_checked",
            "receipt.algorithm_unsupported",
            f"the receipt's algorithm is {str(receipt.algorithm)[:40]}, not ed25519",
        )
    for name, constant in (
        ("kind", "pith_receipt"),
        ("signed_message", "canonical_sha256_bytes"),
        ("signature_status", "signed_v1"),
    ):
        value = getattr(receipt, name)
        if value != constant:
            return outcome("invalid", f"receipt.{name}", f"the receipt's {name} is {str(value)[:40]}, not {constant}")
    if receipt.receipt_version != "0.3":
        return outcome(
            "not_checked",
            "receipt.version_unsupported",
            f"receipt version {str(receipt.receipt_version)[:20]} is not known here",
        )
    if receipt.canonical_sha256 is not None and receipt.canonical_sha256 != digest.hex():
        return outcome("invalid", "receipt.hash_mismatch", "the receipt is for another canonical hash")
    signature = _signature(receipt.signature_b64)
    if signature is None:
        return outcome("invalid", "receipt.signature_malformed", "signature_b64 is not standard base64 of 64 bytes")
    if key is None:
        return outcome("not_checked", "receipt.key_unknown", "there is no trusted key to check the signature with")
    if not verify_ed25519(key.raw, digest, signature):
        return outcome("invalid", "receipt.signature_invalid", f"the signature is not {key.registry}'s over this record")
    return outcome("valid", "receipt.signature_ok", f"Ed25519 signature by {key.registry} over the canonical hash")


def _signature(text: str | None) -> bytes | None:
    raw = base64_bytes(text) if text is not None and len(text) == 88 else None
    return raw if raw is not None and len(raw) == 64 else None


def _title(record: Record, given: str | None) -> Check:
    title = record.paper.title if given is None else given
    if title is None:
        return _NO_TITLE
    source: Source = "served" if given is None else "computed"
    if _text_matches(title, record.canonical.title_sha256):
        return _TITLE_OK if given is None else _TITLE_OK.replace(source=source)
    what = "the title you gave" if given is not None else "the served title"
    return Check("title", "invalid", "title.mismatch", f"{what} does not have the signed hash", source)


def _text_matches(text: str, expected: str) -> bool:
    """Whether a title or abstract has a hash under the known rule or, beyond ASCII, any form that it may turn out to take.

    What the registry does to text beyond ASCII is not publicly known (PROTOCOL.md 1). A match under any Unicode
    normalisation proves the text all the same, since nobody can find another text for a given hash.
    """
    try:
        if title_sha256(text) == expected:
            return True
        if text.isascii():
            return False
        from unicodedata import normalize

        forms = [normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
        return any(title_sha256(form) == expected for text in (text, *forms) for form in (text, text.casefold()))
    except ValueError:  # a lone surrogate has no UTF-8 and so no hash
        return False


def _abstract(record: Record, given: str | None) -> Check:
    expected = record.canonical.abstract_sha256
    if given is not None:
        if _text_matches(given, expected):
            return Check("abstract", "valid", "abstract.ok", "the abstract you gave has the signed hash", "computed")
        return Check(
            "abstract",
            "invalid",
            "abstract.mismatch",
            "the abstract you gave does not have the signed hash",
            "computed",
        )
    excerpt = record.paper.abstract_excerpt
    if not excerpt:
        return _NO_ABSTRACT
    if _text_matches(excerpt, expected):
        return Check("abstract", "valid", "abstract.ok", "the served abstract has the signed hash", "served")
    # The server cuts at 600 characters; a cut text trimmed of blanks at its end may be a little shorter.
    if len(excerpt) >= _EXCERPT_LENGTH - 10:
        return Check(
            "abstract",
            "not_checked",
            "abstract.excerpt",
            f"only the first {len(excerpt)} characters are served; give the full text with --abstract-file",
            "served",
        )
    return Check("abstract", "invalid", "abstract.mismatch", "the served abstract does not have the signed hash", "served")


def _snapshots(record: Record) -> Check:
    """Recompute the snapshot hashes whose payload is known (PROTOCOL.md 3): empty lists, and integrity findings."""
    graph = record.document.get("graph_snapshot")
    if type(graph) is not dict:
        return _NO_SNAPSHOTS
    checked, open_parts = [], []
    for part in ("claims", "references", "author_claims", "formal_canon", "integrity"):
        section = graph.get(part)
        stated = section.get("snapshot_sha256") if type(section) is dict else None
        if type(section) is not dict or type(stated) is not str:
            continue
        payload, certain = _payload(part, section)
        if _snapshot_matches(payload, stated):
            checked.append(part)
        elif certain:
            return Check(
                "snapshots",
                "invalid",
                "snapshots.mismatch",
                f"the {part} snapshot does not have the hash it states",
                "served",
            )
        else:
            open_parts.append(part)
    if open_parts:
        return Check(
            "snapshots",
            "not_checked",
            "snapshots.unknown_payload",
            f"what is hashed for {', '.join(open_parts)} is not publicly known",
            "served",
        )
    if not checked:
        return Check("snapshots", "absent", "snapshots.absent", "the graph snapshot states no hashes", "served")
    return Check("snapshots", "valid", "snapshots.ok", f"hashes hold: {', '.join(checked)}", "served")


def _snapshot_matches(payload: Any, stated: str) -> bool:
    if payload == []:
        return stated == _EMPTY_SNAPSHOT
    try:
        return payload is not None and snapshot_sha256(payload) == stated
    except (ValueError, TypeError):
        return False


def _payload(part: str, section: Mapping[str, Any]) -> tuple[Any, bool]:
    """What a part's snapshot hash covers, and whether a mismatch would prove anything."""
    if part == "integrity":
        detectors, findings = section.get("detectors_run"), section.get("findings")
        known = type(detectors) is list and type(findings) is list
        return ({"detectors": detectors, "findings": findings}, True) if known else (None, False)
    count = section.get("evidence_count" if part == "formal_canon" else "count")
    if count == 0 and type(count) is int:
        return [], True
    items = section.get("items")
    return (items, False) if type(items) is list else (None, False)


# check id -> (flag in verification_status, event type, what it would take to check)
_EXTERNAL = {
    "timestamp": ("externally_anchored", "timestamp_anchor", "an OpenTimestamps proof and a block header"),
    "storage": ("storage_verified", "storage_attestation", "fetching the archived capture"),
    "author": ("author_attested", "author_attestation", "the author's own key or ORCID record"),
    "citations": ("citation_signatures", "citation_signature", "the citing authors' keys"),
    "replications": ("replication_records", "replication_record", "the replicators' keys"),
}


_NOTHING = {
    check_id: Check(check_id, "absent", f"{check_id}.absent", "nothing of the kind is in the record", "served")
    for check_id in _EXTERNAL
}


def _external(record: Record) -> list[Check]:
    """What is served about the world outside the record. It is outside hash and signature, so none is ever valid here."""
    flags = record.document.get("verification_status")
    events = record.document.get("events")
    types = {event.get("event_type") for event in events if _has_type(event)} if type(events) is list else set()
    checks = []
    for check_id, (flag, event_type, needed) in _EXTERNAL.items():
        claimed = flags.get(flag) if type(flags) is dict else None
        if event_type in types:
            checks.append(
                Check(
                    check_id,
                    "not_checked",
                    f"{check_id}.event",
                    f"an event is there; checking it takes {needed}",
                    "served",
                )
            )
        elif claimed is True or (type(claimed) is int and claimed > 0):
            checks.append(
                Check(
                    check_id,
                    "not_checked",
                    f"{check_id}.claimed",
                    f"the server claims it; checking it takes {needed}",
                    "served",
                )
            )
        else:
            checks.append(_NOTHING[check_id])
    return checks


def _has_type(event: Any) -> bool:
    return type(event) is dict and type(event.get("event_type")) is str


def parse_check_list(text: str) -> tuple[str, ...]:
    """Check ids from ``receipt_signature,title``.

    Raises:
        UsageError: an id is none.
    """
    ids = tuple(text.replace(",", " ").split())
    _required(ids)
    return ids
