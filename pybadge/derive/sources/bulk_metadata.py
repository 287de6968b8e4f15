"""arXiv's public bulk metadata: one JSON object a line, as it is or compressed (.gz, .zst, .zip).

The fields used: ``id``, ``title``, ``abstract``, ``categories``, ``license`` and ``versions``
(``version``, ``created``).
"""

from __future__ import annotations

import gzip
import re
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO
from zipfile import BadZipFile

from pybadge.derive.rules import Metadata
from pybadge.errors import MetadataError, PybadgeError
from pybadge.strict_json import MAX_BYTES, read_json

__all__ = [
    "damage",
    "from_line",
    "from_snapshot",
    "is_compressed",
    "open_snapshot",
    "read_snapshot",
]

_VERSION = re.compile(r"v([1-9][0-9]{0,3})")
_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"


def from_line(line: bytes, origin: str = "") -> Metadata:
    """The metadata on one line.

    Raises:
        MetadataError: no strict JSON object, or one without the fields of the snapshot.
    """
    try:
        value = read_json(line, "the line")
    except PybadgeError as error:
        raise MetadataError(
            f"{origin}: {error}" if origin else str(error), code=error.code
        ) from None
    return from_snapshot(value, origin)


def from_snapshot(value: Any, origin: str = "") -> Metadata:
    """The metadata in one object of the snapshot.

    Raises:
        MetadataError: a field is missing or of another type.
    """
    if type(value) is not dict:
        raise _fault(origin, "not a JSON object", "metadata.type")
    texts = []
    for name in ("id", "title", "abstract", "categories"):
        text = value.get(name)
        if type(text) is not str:
            raise _fault(
                origin,
                f"{name!r} is missing" if name not in value else f"{name!r} is no text",
                f"metadata.{name}",
            )
        texts.append(text)
    source_id, title, abstract, categories = texts
    license = value.get("license")
    if license is not None and type(license) is not str:
        raise _fault(origin, "'license' is neither a text nor null", "metadata.license")
    versions = _versions(value.get("versions"), origin)
    return Metadata(
        source_id,
        title,
        abstract,
        tuple(categories.split()) or None,
        license or "",
        versions,
        versions[-1][0],
        None,
        "snapshot",
        origin,
    )


def _versions(served: Any, origin: str) -> tuple[tuple[int, str], ...]:
    if type(served) is not list or not served:
        raise _fault(origin, "'versions' is missing or empty", "metadata.version")
    versions = []
    for item in served:
        label, created = (
            (item.get("version"), item.get("created")) if type(item) is dict else (None, None)
        )
        match = _VERSION.fullmatch(label) if type(label) is str else None
        if match is None or type(created) is not str:
            raise _fault(
                origin,
                "each of 'versions' needs a version like v1 and a time created",
                "metadata.version",
            )
        versions.append((int(match[1]), created))
    if len(versions) > 1:
        versions.sort()
        if len({number for number, _ in versions}) != len(versions):
            raise _fault(origin, "a version stands twice in 'versions'", "metadata.version")
    return tuple(versions)


def _fault(origin: str, message: str, code: str) -> MetadataError:
    return MetadataError(f"{origin}: {message}" if origin else message, code=code)


def _magic(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(4)
    except (OSError, ValueError) as error:
        raise MetadataError(f"{path}: {_reason(error)}", code="file.unreadable") from None


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def is_compressed(path: str) -> bool:
    """Whether the file must be read from its beginning; told by its first bytes, not its name.

    Raises:
        MetadataError: it can't be read.
    """
    return _magic(path).startswith((_GZIP, _ZSTD, _ZIP))


@contextmanager
def open_snapshot(path: str) -> Iterator[tuple[BinaryIO, Callable[[], int]]]:
    """The snapshot's lines as a binary stream, decompressed on the way; and how much of the file
    was read so far.

    Raises:
        MetadataError: the file can't be opened; for .zst also where the ``zstd`` extra is not
            installed.
    """
    magic = _magic(path)
    with open(path, "rb") as raw:
        stream: Any = raw
        if magic.startswith(_GZIP):
            stream = gzip.GzipFile(fileobj=raw)
        elif magic.startswith(_ZIP):
            stream = _open_zip(path, raw)
        elif magic.startswith(_ZSTD):
            stream = _open_zstd(path, raw)
        with stream:
            yield stream, raw.tell


def _open_zip(path: str, raw: BinaryIO) -> Any:
    try:
        archive = zipfile.ZipFile(raw)
        members = [
            name for name in archive.namelist() if name.lower().endswith((".json", ".jsonl"))
        ]
        if len(members) != 1:
            raise MetadataError(
                f"{path}: needs exactly one .json member, has {len(members)}",
                code="snapshot.members",
            )
        return archive.open(members[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError) as error:
        raise MetadataError(
            f"{path}: not a zip archive that can be read: {error}", code="snapshot.unreadable"
        ) from None


def _zstd() -> Any:
    """The module that reads .zst; None where it is not installed."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        return None
    return zstd


def _open_zstd(path: str, raw: BinaryIO) -> Any:
    zstd = _zstd()
    if zstd is None:
        raise MetadataError(
            f"{path}: reading .zst needs one more package: pip install 'pith-badge[zstd]'",
            code="snapshot.no_zstd",
        )
    return zstd.open(raw, "rb")


def damage() -> tuple[type[Exception], ...]:
    """What reading a damaged compressed stream may raise."""
    errors: list[type[Exception]] = [OSError, EOFError, zlib.error, BadZipFile]
    zstd = _zstd()
    if zstd is not None:
        errors.append(zstd.ZstdError)
    return tuple(errors)


def read_snapshot(path: str) -> Iterator[Metadata | PybadgeError]:
    """The papers of a snapshot, one at a time, in its order; blank lines are passed over.

    Yields:
        A paper's metadata, or the error that stands in its place, with file and line number. An
        error of the whole file is the last item.
    """
    try:
        number = 0
        with open_snapshot(path) as (stream, _):
            while True:
                line = stream.readline(MAX_BYTES + 1)
                if not line:
                    return
                number += 1
                if len(line) > MAX_BYTES:
                    while line and not line.endswith(b"\n"):
                        line = stream.readline(MAX_BYTES)
                    yield MetadataError(
                        f"{path}:{number}: a line of more than 1 MiB, which no paper has",
                        code="json.size",
                    )
                elif not line.isspace():
                    try:
                        yield from_line(line, f"{path}:{number}")
                    except MetadataError as error:
                        yield error
    except MetadataError as error:
        yield error
    except damage() as error:
        yield MetadataError(
            f"{path}: damaged after line {number}: {_reason(error)}", code="snapshot.damaged"
        )
