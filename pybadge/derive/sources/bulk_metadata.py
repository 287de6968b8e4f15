"""arXiv's public bulk metadata: one JSON object a line, as it is or compressed (.gz, .zst, .zip).

The fields used: ``id``, ``title``, ``abstract``, ``categories``, ``license`` and ``versions``
(``version``, ``created``).
"""

from __future__ import annotations

import gzip
import re
import struct
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

try:
    from lzma import LZMAError
except ImportError:  # a Python that was built without it
    LZMAError = OSError  # type: ignore[assignment, misc]

from pybadge.derive.arxiv_lists import MOST_CATEGORIES
from pybadge.derive.metadata import BULK_METADATA, Metadata
from pybadge.errors import MetadataError, PybadgeError, reason
from pybadge.input import MAX_BYTES
from pybadge.strict_json import read_json

__all__ = [
    "damage_errors",
    "from_line",
    "from_object",
    "is_compressed",
    "open_bulk_metadata",
    "read_bulk_metadata",
    "too_long",
]

_VERSION = re.compile(r"v([1-9][0-9]{0,3})")
# What reading a damaged or hostile archive may raise: the standard library checks little of what an
# archive says about itself.
_DAMAGE: tuple[type[Exception], ...] = (
    ArithmeticError,
    EOFError,
    LookupError,
    LZMAError,
    MemoryError,
    OSError,
    RuntimeError,
    ValueError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)
_GZIP, _ZSTD, _ZIP = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PK\x03\x04"


def from_line(line: bytes, origin: str = "") -> Metadata:
    """The metadata on one line.

    Raises:
        MetadataError: not a strict JSON object, or one without the fields of the bulk metadata.
    """
    try:
        value = read_json(line, "the line")
    except PybadgeError as error:
        raise _fault(origin, str(error), error.code) from None
    return from_object(value, origin)


def from_object(value: Any, origin: str = "") -> Metadata:
    """The metadata in one object of the bulk metadata.

    Raises:
        MetadataError: a field is missing or of another type.
    """
    if type(value) is not dict:
        raise _fault(origin, "not a JSON object", "metadata.type")
    source_id = _text(value, "id", origin)
    title = _text(value, "title", origin)
    abstract = _text(value, "abstract", origin)
    categories = _text(value, "categories", origin)
    license = value.get("license")
    if license is not None and type(license) is not str:
        raise _fault(origin, "'license' is neither a text nor null", "metadata.license")
    versions = _versions(value.get("versions"), origin)
    return Metadata(
        source_id,
        title,
        abstract,
        tuple(categories.split(None, MOST_CATEGORIES)) or None,
        license or "",
        versions,
        versions[-1][0],
        None,
        BULK_METADATA,
        origin,
    )


def _text(value: dict[str, Any], name: str, origin: str) -> str:
    text = value.get(name)
    if type(text) is str:
        return text
    if name in value:
        raise _fault(origin, f"{name!r} is not a text", f"metadata.{name}")
    raise _fault(origin, f"{name!r} is missing", f"metadata.{name}")


def _versions(served: Any, origin: str) -> tuple[tuple[int, str], ...]:
    if type(served) is not list or not served:
        raise _fault(origin, "'versions' is missing or empty", "metadata.version")
    versions = [_version(item, origin) for item in served]
    if len(versions) > 1:
        versions.sort()
        if len({number for number, _ in versions}) != len(versions):
            raise _fault(origin, "a version stands twice in 'versions'", "metadata.version")
    return tuple(versions)


def _version(item: Any, origin: str) -> tuple[int, str]:
    if type(item) is dict:
        label, created = item.get("version"), item.get("created")
        if type(label) is str and type(created) is str:
            match = _VERSION.fullmatch(label)
            if match is not None:
                return int(match[1]), created
    raise _fault(
        origin, "each of 'versions' needs a version like v1 and a time created", "metadata.version"
    )


def _fault(origin: str, message: str, code: str) -> MetadataError:
    return MetadataError(f"{origin}: {message}" if origin else message, code=code)


def _first_bytes(path: str) -> bytes:
    try:
        with open(path, "rb") as stream:
            return stream.read(4)
    except (OSError, ValueError) as error:
        raise MetadataError(f"{path}: {reason(error)}", code="file.unreadable") from None


def is_compressed(path: str) -> bool:
    """Whether the file must be read from its beginning; told by its first bytes, not its name.

    Raises:
        MetadataError: it can't be read.
    """
    return _first_bytes(path).startswith((_GZIP, _ZSTD, _ZIP))


@contextmanager
def open_bulk_metadata(path: str) -> Iterator[tuple[BinaryIO, Callable[[], int]]]:
    """The lines as a binary stream, decompressed on the way; and how many bytes of the file were
    read so far.

    Raises:
        MetadataError: the file can't be opened; for .zst also where the ``zstd`` extra is not
            installed.
    """
    start = _first_bytes(path)
    with open(path, "rb") as raw:
        stream: Any = raw
        if start.startswith(_GZIP):
            stream = gzip.GzipFile(fileobj=raw)
        elif start.startswith(_ZIP):
            stream = _open_zip(path, raw)
        elif start.startswith(_ZSTD):
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
    except damage_errors() as error:
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


def damage_errors() -> tuple[type[Exception], ...]:
    """The exceptions that reading a damaged compressed stream may raise."""
    errors = [*_DAMAGE]
    zstd = _zstd()
    if zstd is not None:
        errors.append(zstd.ZstdError)
    return tuple(errors)


def too_long(origin: str = "") -> MetadataError:
    """The fault of a line of more than `MAX_BYTES`."""
    return _fault(origin, "a line of more than 1 MiB, which no paper has", "json.size")


def read_bulk_metadata(path: str) -> Iterator[Metadata | PybadgeError]:
    """The papers of the bulk metadata, one at a time, in its order; blank lines are passed over.

    Yields:
        A paper's metadata, or the error that stands in its place, with file and line number. An
        error of the whole file is the last item.
    """
    number = 0
    try:
        with open_bulk_metadata(path) as (stream, _):
            while line := stream.readline(MAX_BYTES + 1):
                number += 1
                if len(line) > MAX_BYTES:
                    _skip_line(stream, line)
                    yield too_long(f"{path}:{number}")
                elif not line.isspace():
                    yield _paper_or_error(line, f"{path}:{number}")
    except MetadataError as error:
        yield error
    except damage_errors() as error:
        yield MetadataError(
            f"{path}: damaged after line {number}: {reason(error)}", code="snapshot.damaged"
        )


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    """Read on to the line's end without keeping it."""
    while line and not line.endswith(b"\n"):
        line = stream.readline(MAX_BYTES)


def _paper_or_error(line: bytes, origin: str) -> Metadata | MetadataError:
    try:
        return from_line(line, origin)
    except MetadataError as error:
        return error
