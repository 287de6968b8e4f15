"""Fallback servers, and the mirror manifest that lists them (docs/spec, 8.2).

A mirror is asked, never trusted: its answers are verified like all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pybadge.address import LOOPBACK, checked_url
from pybadge.errors import UsageError
from pybadge.strict_json import read_json

__all__ = ["Mirror", "read_manifest"]

_PLACEHOLDERS = (
    "{suffix}",
    "{pith_number}",
    "{number}",
    "{pith}",
    "{S}",
    "<suffix>",
    ":suffix",
)
_LONGEST_LIST = 32
# Any other status, known here or not, means that the mirror may be asked.
_OUT_OF_USE = ("disabled", "down", "inactive", "offline", "retired")


@dataclass(frozen=True, slots=True)
class Mirror:
    """A server that keeps records.

    Attributes:
        base: its address without a slash at the end.
        pattern: the path of a record or bundle with a placeholder, where a manifest gives one.
    """

    base: str
    pattern: str | None = None

    def addresses(self, suffix: str, *, bundle: bool = False) -> tuple[str, ...]:
        """Where a mirror may have a record, best first: the record, its page asked for JSON, its
        bundle (docs/spec, 8.1).

        Args:
            suffix: the number's.
            bundle: only the bundle will do.
        """
        page = f"{self.base}/pith/{suffix}"
        well_known = f"{self.base}/.well-known/pith/{suffix}/bundle.json"
        ours = (f"{page}/bundle.json", well_known) if bundle else (f"{page}.json", page, well_known)
        if self.pattern is None:
            return ours
        path = self.pattern
        for placeholder in _PLACEHOLDERS:
            path = path.replace(placeholder, suffix)
        named = path if "://" in path else f"{self.base}/{path.lstrip('/')}"
        return (ours[0], named) if suffix in named else ours


def read_manifest(data: bytes, where: str, *, local: bool) -> tuple[Mirror, ...]:
    """The mirrors that a manifest (``/pith-mirrors.json``) lists, in its order (docs/spec,
    8.2).

    The public keys it holds are not used: they come from the server whose records they would vouch
    for.

    Args:
        data: the manifest's bytes.
        where: its name or address, for messages.
        local: whether it is the user's own file; only such a manifest may name loopback addresses.

    Raises:
        RecordError: no strict JSON.
        UsageError: it lists no mirror that may be asked.
    """
    document = read_json(data, where)
    listed: Any = document.get("mirrors") if type(document) is dict else None
    found = []
    for item in listed if type(listed) is list else ():
        mirror = _mirror(item, local) if type(item) is dict else None
        if mirror is not None and mirror not in found:
            found.append(mirror)
    if not found:
        raise UsageError(f"{where}: lists no mirror that can be asked", code="mirrors.empty")
    return tuple(found[:_LONGEST_LIST])


def _mirror(item: dict[str, Any], local: bool) -> Mirror | None:
    """The mirror of one entry; None where it can't or mustn't be asked."""
    base = item.get("base_url")
    if type(base) is not str or item.get("status") in _OUT_OF_USE:
        return None
    try:
        host = urlsplit(checked_url(base)).hostname
    except UsageError:
        return None
    if host in LOOPBACK and not local:
        return None
    base = base.rstrip("/")
    return Mirror(base, _pattern(item, base))


def _pattern(item: dict[str, Any], base: str) -> str | None:
    for name in ("well_known_pattern", "bundle_pattern"):
        pattern = item.get(name)
        if type(pattern) is str and any(mark in pattern for mark in _PLACEHOLDERS):
            # It must not lead to another host than the one listed.
            return pattern if "://" not in pattern or pattern.startswith(f"{base}/") else None
    return None
