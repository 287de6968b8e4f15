"""Who is asked for a record, in which order, and what is kept."""

from __future__ import annotations

import sys

from pybadge.errors import NotFoundError, PybadgeError, RecordError, UnreachableError, UsageError
from pybadge.files import read_file
from pybadge.frozen import Frozen
from pybadge.record import Record, read_record
from pybadge.resolve.locate import Located, checked_url
from pybadge.strict_json import MAX_BYTES, read_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pybadge.resolve.cache import Cache, Entry
    from pybadge.resolve.mirrors import Mirror
    from pybadge.resolve.transport import Transport

__all__ = ["DEFAULT_RESOLVER", "PLATFORM_CACHE", "TOTAL_TIMEOUT", "Found", "Resolver", "record_url"]

DEFAULT_RESOLVER = "https://pith.science"
TOTAL_TIMEOUT = 90.0
PLATFORM_CACHE = "<platform>"


class Found(Frozen):
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


def record_url(suffix: str, resolver: str = DEFAULT_RESOLVER) -> str:
    """The page of a record; badges link here."""
    return f"{resolver.rstrip('/')}/pith/{suffix}"


class Resolver:
    """Finds records. Holds no verdicts: whatever it returns must be verified.

    Args:
        base: where numbers are looked up.
        offline: use files, the lock file and the cache only.
        timeout: seconds that one question to one server may take in all.
        mirrors: base addresses to ask after ``base``, in this order.
        manifest: the path or address of a mirror manifest, whose mirrors are asked after those.
        cache: the folder of a cache, `PLATFORM_CACHE` for the platform's; None for none.
        lock: a lock file whose records are taken first.
        allowed_hosts: hosts that may lead to addresses that are not public.

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
    ) -> None:
        # The default needs no check, and checking takes urllib.
        self.base = base if base == DEFAULT_RESOLVER else checked_url(base).rstrip("/")
        self.offline = offline
        self.timeout = timeout
        self.mirrors = tuple(checked_url(mirror).rstrip("/") for mirror in mirrors)
        self.manifest = manifest
        self.cache_folder = cache
        self.lock = lock
        self.allowed_hosts = tuple(allowed_hosts)
        self.bundle = False
        self._transport: Transport | None = None
        self._sources: tuple[Mirror, ...] | None = None

    def candidates(self, located: Located) -> Iterator[Found]:
        """What there is for a text, best source first; whoever finds one to be wrong asks for the next.

        Raises:
            RecordError: the file or standard input can't be read.
            NotFoundError: none of those asked knows it.
            UnreachableError: offline and not in the cache, or nobody answered properly.
        """
        if located.kind == "stdin":
            yield Found(_standard_input(), "standard input")
            return
        if located.kind == "file":
            yield Found(read_file(located.address or ""), located.address or "")
            return
        if self.lock is not None:
            from pybadge.resolve.lock import locked

            data = locked(self.lock, located)
            if data is not None:
                yield Found(data, self.lock)
        cache = self._cache()
        entry = cache.get(self._key(located)) if cache is not None else None
        if self.offline:
            if entry is None:
                raise UnreachableError(
                    f"{located.text.strip()}: not looked up, since --offline was given, and not in the cache",
                    code="resolve.offline",
                )
            yield _from_cache(entry)
            return
        faults: list[PybadgeError] = []
        answered = False
        for addresses in self._questions(located):
            try:
                for found in self._ask(addresses, entry):
                    answered = True
                    yield found
            except (NotFoundError, UnreachableError) as fault:
                faults.append(fault)
        if entry is not None:
            yield _from_cache(entry)
        elif not answered:
            raise _summary(faults)

    def keep(self, located: Located, found: Found) -> None:
        """Put bytes that were not found to be wrong into the cache."""
        if found.url is not None and found.cached_at is None:
            cache = self._cache()
            if cache is not None:
                cache.put(self._key(located), found.data, found.url, found.etag)

    def reject(self, located: Located, found: Found) -> None:
        """Forget a cached copy that was found to be wrong."""
        if found.cached_at is not None:
            cache = self._cache()
            if cache is not None:
                cache.forget(self._key(located))

    def bytes_of(self, located: Located) -> bytes:
        """The first candidate's bytes, unverified.

        Raises:
            PybadgeError: as `candidates`.
        """
        return next(self.candidates(located)).data

    def record(self, located: Located) -> Record:
        """The first candidate, read strictly but not verified.

        Raises:
            PybadgeError: the answer is no record; and what `candidates` raises.
        """
        found = next(self.candidates(located))
        return read_record(read_json(found.data, found.origin), found.origin)

    def _key(self, located: Located) -> str:
        return f"bundle of {located.key}" if self.bundle else located.key

    def _cache(self) -> Cache | None:
        if self.cache_folder is None:
            return None
        from pybadge.resolve.cache import Cache, default_folder

        return Cache(default_folder() if self.cache_folder == PLATFORM_CACHE else self.cache_folder)

    def _get_transport(self) -> Transport:
        if self._transport is None:
            from pybadge.resolve.transport import Transport

            self._transport = Transport(timeout=self.timeout, allowed_hosts=self.allowed_hosts)
        return self._transport

    def _questions(self, located: Located) -> Iterator[tuple[str, ...]]:
        """The addresses to try, grouped by server: within a group the next is for when the one before is not found."""
        if located.kind == "url":
            yield (located.address or "",)
            return
        for mirror in self._servers():
            if located.number is not None:
                yield mirror.addresses(located.number.suffix, bundle=self.bundle)
            else:
                from urllib.parse import quote

                version = f"v{located.version}" if located.version else ""
                asked = quote(f"{located.arxiv_id}{version}", safe="")
                yield (f"{mirror.base}/api/pith-number/resolve?arxiv={asked}&json=true",)

    def _servers(self) -> tuple[Mirror, ...]:
        if self._sources is None:
            from pybadge.resolve.mirrors import Mirror, read_manifest

            named = [Mirror(base) for base in (self.base, *self.mirrors)]
            if self.manifest is not None:
                local = "://" not in self.manifest
                data = read_file(self.manifest) if local else self._get_transport().get(self.manifest).body
                named += read_manifest(data, self.manifest, local=local)
            self._sources = tuple(named)
        return self._sources

    def _ask(self, addresses: Sequence[str], entry: Entry | None) -> Iterator[Found]:
        for number, address in enumerate(addresses, start=1):
            try:
                yield from self._ask_one(address, entry)
                return
            except (NotFoundError, UnreachableError) as fault:
                # A page that is there only for people is as good as none.
                elsewhere = isinstance(fault, NotFoundError) or fault.code == "resolve.content_type"
                if number == len(addresses) or not elsewhere:
                    raise

    def _ask_one(self, address: str, entry: Entry | None) -> Iterator[Found]:
        transport = self._get_transport()
        etag = entry.etag if entry is not None and entry.url == address else None
        answer = transport.get(address, etag=etag)
        if answer.status == 304 and entry is not None:
            # Asked for the next, this copy was wrong: the server's word that it is current is not enough.
            yield _from_cache(entry)
            answer = transport.get(address)
        onward = _onward(answer.body, address)
        if onward is not None:
            answer = transport.get(onward)
        yield Found(answer.body, answer.url, address, answer.etag if onward is None else None)


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise RecordError(f"standard input: larger than {MAX_BYTES} bytes, which no record is", code="json.size")
    return data


def _from_cache(entry: Entry) -> Found:
    return Found(entry.data, f"the cache ({entry.url}, {entry.fetched_at})", entry.url, entry.etag, entry.fetched_at)


def _onward(body: bytes, address: str) -> str | None:
    """Where an answer of the resolve interface sends us that names a record without holding it; None for a record."""
    if "/api/pith-number/resolve?" not in address or b'"canonical_record"' in body:
        return None
    from urllib.parse import urlsplit

    from pybadge.number import parse_number

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
