"""From what the user names to a record: files, standard input, a lock file, a cache, and servers
over https.

All HTTP of the package is in `pybadge.resolve.http`. Whatever answers is untrusted until
`pybadge.verify` said so.
"""

from __future__ import annotations

from pybadge.address import DEFAULT_RESOLVER
from pybadge.record import Record
from pybadge.resolve.limits import TOTAL_TIMEOUT
from pybadge.resolve.locator import Locator, locate
from pybadge.resolve.resolver import Resolver

__all__ = ["Locator", "Resolver", "fetch", "locate"]


def fetch(
    what: str,
    *,
    resolver: str = DEFAULT_RESOLVER,
    offline: bool = False,
    timeout: float = TOTAL_TIMEOUT,
    cache: str | None = None,
) -> Record:
    """The record that a text names, read strictly but not verified; pass it to `pybadge.verify`
    with ``asked=what``.

    Args:
        what: a number in any form, an arXiv id, a DOI, a record URL, a path, or ``-``.
        resolver: where numbers are looked up.
        offline: use no network.
        timeout: seconds in all.
        cache: a folder that keeps what was fetched; None for none.

    Raises:
        PybadgeError: it names nothing, can't be found, can't be reached, or is no record.
    """
    return Resolver(resolver, offline=offline, timeout=timeout, cache=cache).record(locate(what))
