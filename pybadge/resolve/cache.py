"""Fetched bytes kept under the hash of what they are. Never a verdict: what comes from here is
verified like any answer.

    objects/<first two hex digits>/<SHA-256 of the bytes>     the bytes
    names/<SHA-256 of what was asked for>.json                its object, ETag, address and time

File names are made from hashes alone, so no text of a user or server can become a path. Files are
written to a temporary file and renamed, so that two processes, or one killed half-way, leave whole
files.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pybadge.errors import OutputError, RecordError
from pybadge.input import MAX_BYTES
from pybadge.output import replace_file
from pybadge.strict_json import read_json

__all__ = ["Cache", "Entry", "default_folder"]

_VERSION = "1"
_STALE_TEMPORARY = 86400.0
_LONGEST_ETAG = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """A copy at hand.

    Attributes:
        data: the bytes, whose SHA-256 was just compared with their file's name.
        url: where they came from.
        etag: the server's tag for them, if it gave one.
        fetched_at: ``YYYY-MM-DDTHH:MM:SSZ``.
    """

    data: bytes
    url: str
    etag: str | None
    fetched_at: str


def default_folder() -> str | None:
    """The platform's folder for caches of this program: ``~/.cache/pybadge`` on Linux; None where
    there is no home."""
    from platformdirs import user_cache_dir

    try:
        folder = user_cache_dir("pybadge", False)
    except RuntimeError:
        return None
    return folder if os.path.isabs(folder) else None


class Cache:
    """A folder of fetched bytes. A fault in it is a miss, never an error: the cache is a
    convenience.

    Args:
        folder: made when something is first put into it.
    """

    def __init__(self, folder: str) -> None:
        self.folder = os.path.join(folder, _VERSION)

    def get(self, key: str) -> Entry | None:
        """The copy of what was asked for by ``key``; None if there is none, or if its bytes are not
        the ones put in."""
        name = _read_regular(self._name_path(key))
        if name is None:
            return None
        try:
            facts: Any = read_json(name, "cache")
        except RecordError:
            return None
        digest = facts.get("sha256") if type(facts) is dict else None
        if (
            type(digest) is not str
            or len(digest) != 64
            or not set(digest) <= set("0123456789abcdef")
        ):
            return None
        data = _read_regular(self._object_path(digest))
        if data is None or sha256(data).hexdigest() != digest:
            return None
        etag = facts.get("etag")
        return Entry(
            data,
            str(facts.get("url")),
            etag if _is_etag(etag) else None,
            str(facts.get("fetched_at")),
        )

    def put(self, key: str, data: bytes, url: str, etag: str | None) -> None:
        """Keep a copy; silently nothing where the folder can't be written."""
        digest = sha256(data).hexdigest()
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        facts = {"sha256": digest, "etag": etag, "url": url, "fetched_at": now}
        target = self._object_path(digest)
        try:
            for path in (target, self._name_path(key)):
                os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
                _sweep(os.path.dirname(path))
            # An object that is there but damaged is written again; the name comes last, so it never
            # points at nothing.
            if _read_regular(target) != data:
                replace_file(target, data)
            replace_file(self._name_path(key), json.dumps(facts).encode("ascii"))
        except (OSError, OutputError):
            pass  # a full disk or a read-only folder must not stop a verification

    def forget(self, key: str) -> None:
        """Drop the name of a copy that turned out to be wrong."""
        # It may be gone already; in a read-only folder the copy stays, and is not believed next
        # time either.
        with contextlib.suppress(OSError):
            os.unlink(self._name_path(key))

    def _name_path(self, key: str) -> str:
        return os.path.join(
            self.folder,
            "names",
            f"{sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}.json",
        )

    def _object_path(self, digest: str) -> str:
        return os.path.join(self.folder, "objects", digest[:2], digest)


def _is_etag(value: object) -> bool:
    return (
        type(value) is str
        and value.isascii()
        and value.isprintable()
        and len(value) < _LONGEST_ETAG
    )


def _read_regular(path: str) -> bytes | None:
    """The bytes of a regular file; None for a link, a pipe, a device or nothing, none of which this
    cache ever makes."""
    flags = (
        os.O_RDONLY
        | getattr(os, "O_NOFOLLOW", 0)
        | getattr(os, "O_NONBLOCK", 0)
        | getattr(os, "O_BINARY", 0)
    )
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with open(descriptor, "rb", closefd=False) as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return data if len(data) <= MAX_BYTES else None


def _sweep(folder: str) -> None:
    """Remove what killed processes left behind long ago."""
    limit = time.time() - _STALE_TEMPORARY
    for name in os.listdir(folder):
        if name.endswith(".tmp"):
            path = os.path.join(folder, name)
            try:
                if os.stat(path, follow_symlinks=False).st_mtime < limit:
                    os.unlink(path)
            except OSError:
                pass  # another process was faster
