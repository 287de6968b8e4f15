"""Mirrors: who else may have a record. A mirror is asked, never trusted; what it answers is verified like all else."""

from __future__ import annotations

from pybadge.errors import UsageError
from pybadge.frozen import Frozen
from pybadge.resolve.locate import LOOPBACK, checked_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Mirror", "read_manifest"]

_PLACEHOLDERS = ("{suffix}", "{pith_number}", "{number}", "{pith}", "{S}", "<suffix>", ":suffix")
_LONGEST_LIST = 32


class Mirror(Frozen):
    """A server that keeps records.

    Attributes:
        base: its address without a slash at the end.
        pattern: the path of a record or bundle with a placeholder, where a manifest gives one.
    """

    base: str
    pattern: str | None = None

    def addresses(self, suffix: str, *, bundle: bool = False) -> tuple[str, ...]:
        """Where a mirror may have a record, best first: the record, its page asked for JSON, its bundle (PROTOCOL.md 4).

        Args:
            suffix: the number's.
            bundle: only the bundle will do.
        """
        page, well_known = f"{self.base}/pith/{suffix}", f"{self.base}/.well-known/pith/{suffix}/bundle.json"
        ours = (f"{page}/bundle.json", well_known) if bundle else (f"{page}.json", page, well_known)
        if self.pattern is None:
            return ours
        path = self.pattern
        for placeholder in _PLACEHOLDERS:
            path = path.replace(placeholder, suffix)
        named = path if "://" in path else f"{self.base}/{path.lstrip('/')}"
        return (ours[0], named) if suffix in named else ours


def read_manifest(data: bytes, where: str, *, local: bool) -> tuple[Mirror, ...]:
    """The mirrors that a manifest (``/pith-mirrors.json``, PROTOCOL.md 4) lists, in its order.

    The public keys it holds are not used: they come from the server whose records they would vouch for.

    Args:
        data: the manifest's bytes.
        where: its name or address, for messages.
        local: whether it is the user's own file; only such a manifest may name loopback addresses.

    Raises:
        RecordError: no strict JSON.
        UsageError: it lists no mirror that may be asked.
    """
    from pybadge.strict_json import read_json

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
    base, status = item.get("base_url"), item.get("status", "active")
    if type(base) is not str or status not in ("active", "ok", "live", "up"):
        return None
    try:
        from urllib.parse import urlsplit

        if urlsplit(checked_url(base)).hostname in LOOPBACK and not local:
            return None
    except UsageError:
        return None
    patterns = [item.get(name) for name in ("well_known_pattern", "bundle_pattern")]
    pattern = next((p for p in patterns if type(p) is str and any(mark in p for mark in _PLACEHOLDERS)), None)
    if pattern is not None and "://" in pattern and not pattern.startswith(base.rstrip("/") + "/"):
        pattern = None  # a pattern must not lead to another host than the one listed
    return Mirror(base.rstrip("/"), pattern)
