"""Resolver: lock file, cache, servers, mirrors. Candidates in order of preference."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from pybadge.address import DEFAULT_RESOLVER, checked_url
from pybadge.errors import (
    NotFoundError,
    PybadgeError,
    RecordError,
    UnreachableError,
    UsageError,
    reason,
)
from pybadge.input import MAX_BYTES, read_file, standard_input
from pybadge.number import parse_number
from pybadge.record import Record, read_bytes
from pybadge.resolve.cache import Cache, Entry, default_folder
from pybadge.resolve.limits import DEADLINE, TOTAL_TIMEOUT
from pybadge.resolve.locator import Locator
from pybadge.resolve.lockfile import locked
from pybadge.resolve.mirrors import Mirror, read_manifest
from pybadge.strict_json import read_json

if TYPE_CHECKING:  # it loads requests
    from pybadge.resolve.http import Transport

__all__ = ["PLATFORM_CACHE", "Candidate", "Resolver"]

PLATFORM_CACHE = "<platform>"


@dataclass(frozen=True, slots=True)
class Candidate:
    """Bytes that somebody gave for a record, unverified.

    Attributes:
        data: the bytes.
        origin: the file, address or cache they came from, for people.
        url: the address, where a server answered.
        etag: its tag, where a server gave one.
        cached_at: when they were fetched, where they came from the cache.
    """

    data: bytes
    origin: str
    url: str | None = None
    etag: str | None = None
    cached_at: str | None = None


class Resolver:
    """Finds records. Holds no verdicts: whatever it returns must be verified.

    Args:
        base: where numbers are looked up.
        offline: use files, the lock file and the cache only.
        timeout: seconds that one question to one server may take in all.
        mirrors: base addresses to ask after ``base``, in this order.
        manifest: the path or address of a mirror manifest, whose mirrors are asked after those.
        cache: the folder of a cache, `PLATFORM_CACHE` for the platform's; None or "" for
            none.
        lock: a lock file whose records are taken first.
        allowed_hosts: hosts that may lead to addresses that are not public.
        deadline: seconds that one WHAT may take in all: files, servers, mirrors and retries.
        on_fault: is told of mirrors that can't be used, in words.

    Attributes:
        bundle: ask for open graph bundles instead of records.
    """

    def __init__(
        self,
        base: str = DEFAULT_RESOLVER,
        *,
        offline: bool = False,
        timeout: float = TOTAL_TIMEOUT,
        mirrors: Sequence[str] = (),
        manifest: str | None = None,
        cache: str | None = None,
        lock: str | None = None,
        allowed_hosts: Collection[str] = (),
        deadline: float = DEADLINE,
        on_fault: Callable[[str], None] | None = None,
    ) -> None:
        self.base = checked_url(base).rstrip("/")
        self.offline = offline
        self.timeout = timeout
        self.mirrors = tuple(checked_url(mirror).rstrip("/") for mirror in mirrors)
        self.manifest = manifest
        self.cache_folder = cache
        self.lock = lock
        self.allowed_hosts = tuple(allowed_hosts)
        self.deadline = deadline
        self.bundle = False
        self._on_fault = on_fault
        self._transport: Transport | None = None
        self._from_manifest: tuple[Mirror, ...] | None = None

    def candidates(self, locator: Locator) -> Iterator[Candidate]:
        """What the sources have for a text, in order of preference: file or standard input; else
        lock file, servers, cache. The caller verifies each and continues on failure.

        Raises:
            RecordError: the file or standard input can't be read.
            NotFoundError: none of those asked knows it.
            UnreachableError: offline and not in the cache, or nobody answered properly.
        """
        until = time.monotonic() + self.deadline
        if locator.kind == "stdin":
            yield Candidate(_standard_input(), "standard input")
        elif locator.kind == "file":
            yield Candidate(read_file(locator.address, until=until), locator.address)
        else:
            yield from self._locked(locator)
            entry = self._cached(locator)
            if self.offline:
                yield _offline(locator, entry)
            else:
                yield from self._online(locator, entry, until)

    def _locked(self, locator: Locator) -> Iterator[Candidate]:
        data = locked(self.lock, locator) if self.lock is not None else None
        if data is not None:
            yield Candidate(data, str(self.lock))

    def _cached(self, locator: Locator) -> Entry | None:
        cache = self._cache()
        return cache.get(self._key(locator)) if cache is not None else None

    def _online(self, locator: Locator, entry: Entry | None, until: float) -> Iterator[Candidate]:
        faults: list[PybadgeError] = []
        answered = False
        for addresses in self._questions(locator, until):
            try:
                for candidate in self._ask(addresses, entry, until):
                    answered = True
                    yield candidate
            except (NotFoundError, UnreachableError) as fault:
                faults.append(fault)
        if entry is not None:
            yield _from_cache(entry)
        elif not answered:
            raise _summary(faults)

    def keep(self, locator: Locator, candidate: Candidate, *, verified: bool) -> None:
        """Put bytes that were not found to be wrong into the cache. Only what was verified
        replaces what was there: less may not take the place of more."""
        if candidate.url is None or candidate.cached_at is not None:
            return
        cache = self._cache()
        key = self._key(locator)
        if cache is not None and (verified or cache.get(key) is None):
            cache.put(key, candidate.data, candidate.url, candidate.etag)

    def reject(self, locator: Locator, candidate: Candidate) -> None:
        """Forget a cached copy that was found to be wrong."""
        if candidate.cached_at is not None:
            cache = self._cache()
            if cache is not None:
                cache.forget(self._key(locator))

    def record(self, locator: Locator) -> Record:
        """The first candidate, read strictly but not verified.

        Raises:
            PybadgeError: the response is no record; and what `candidates` raises.
        """
        candidate = next(self.candidates(locator))
        return read_bytes(candidate.data, candidate.origin)

    def _key(self, locator: Locator) -> str:
        return f"bundle of {locator.key}" if self.bundle else locator.key

    def _cache(self) -> Cache | None:
        folder = self.cache_folder
        if folder == PLATFORM_CACHE:
            folder = default_folder()
        return Cache(folder) if folder else None

    def _get_transport(self) -> Transport:
        if self._transport is None:
            from pybadge.resolve.http import Transport

            self._transport = Transport(timeout=self.timeout, allowed_hosts=self.allowed_hosts)
        return self._transport

    def _questions(self, locator: Locator, until: float) -> Iterator[tuple[str, ...]]:
        """The addresses to try, grouped by server: within a group the next is for when the one
        before is not candidate."""
        if locator.kind == "url":
            yield (locator.address,)
            return
        for mirror in self._servers(until):
            if locator.number is not None:
                yield mirror.addresses(locator.number.suffix, bundle=self.bundle)
            elif locator.paper is not None:
                asked = quote(locator.paper.text, safe="")
                yield (f"{mirror.base}/api/pith-number/resolve?arxiv={asked}&json=true",)

    def _servers(self, until: float) -> Iterator[Mirror]:
        """The servers in order. The manifest is read only once those before it were asked."""
        for base in (self.base, *self.mirrors):
            yield Mirror(base)
        if self.manifest is not None:
            if self._from_manifest is None:
                self._from_manifest = self._listed(self.manifest, until)
            yield from self._from_manifest

    def _listed(self, manifest: str, until: float) -> tuple[Mirror, ...]:
        """The mirrors of a manifest; none where it can't be read, which must not hide what others
        have."""
        try:
            if "://" in manifest:
                data = self._get_transport().get(manifest, until=until).body
                return read_manifest(data, manifest, local=False)
            return read_manifest(read_file(manifest, until=until), manifest, local=True)
        except PybadgeError as fault:
            if self._on_fault is not None:
                self._on_fault(f"mirrors not asked: {fault}")
            return ()

    def _ask(
        self, addresses: Sequence[str], entry: Entry | None, until: float
    ) -> Iterator[Candidate]:
        for number, address in enumerate(addresses, start=1):
            try:
                yield from self._ask_one(address, entry, until)
                return
            except (NotFoundError, UnreachableError) as fault:
                # A page that is there only for people is as good as none.
                elsewhere = isinstance(fault, NotFoundError) or fault.code == "resolve.content_type"
                if number == len(addresses) or not elsewhere:
                    raise

    def _ask_one(self, address: str, entry: Entry | None, until: float) -> Iterator[Candidate]:
        transport = self._get_transport()
        etag = entry.etag if entry is not None and entry.url == address else None
        response = transport.get(address, etag=etag, until=until)
        if response.status == 304 and entry is not None:
            # Asked for the next, this copy was wrong: the server's word that it is current is not
            # enough.
            yield _from_cache(entry)
            response = transport.get(address, until=until)
        onward = _onward(response.body, address)
        if onward is not None:
            response = transport.get(onward, until=until)
        yield Candidate(
            response.body,
            response.url,
            address,
            response.etag if onward is None else None,
        )


def _standard_input() -> bytes:
    try:
        data = standard_input().read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise RecordError(f"standard input: {reason(error)}", code="file.unreadable") from None
    if len(data) > MAX_BYTES:
        raise RecordError(
            f"standard input: larger than {MAX_BYTES} bytes, which no record is",
            code="json.size",
        )
    return data


def _offline(locator: Locator, entry: Entry | None) -> Candidate:
    if entry is None:
        raise UnreachableError(
            f"{locator.text.strip()}: not looked up, since --offline was given, and not in the "
            "cache",
            code="resolve.offline",
        )
    return _from_cache(entry)


def _from_cache(entry: Entry) -> Candidate:
    return Candidate(
        entry.data,
        f"the cache ({entry.url}, {entry.fetched_at})",
        entry.url,
        entry.etag,
        entry.fetched_at,
    )


def _onward(body: bytes, address: str) -> str | None:
    """Where an response of the resolve interface sends us that names a record without holding it;
    None for a record."""
    if "/api/pith-number/resolve?" not in address or b'"canonical_record"' in body:
        return None
    try:
        document = read_json(body, address)
        number = parse_number(document["pith_number"])
    except (PybadgeError, KeyError, TypeError, AttributeError):
        return None
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}/pith/{number.suffix}.json"


def _summary(faults: Sequence[PybadgeError]) -> PybadgeError:
    """One error for many: not found only if everybody said so."""
    if len(faults) == 1:
        return faults[0]
    if not faults:
        return UsageError("there is nobody to ask")
    message = "; ".join(str(fault) for fault in faults)
    if all(isinstance(fault, NotFoundError) for fault in faults):
        return NotFoundError(message)
    first = next(fault for fault in faults if not isinstance(fault, NotFoundError))
    return UnreachableError(message, code=first.code)
