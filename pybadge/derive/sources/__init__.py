"""Sources of metadata, and the reader of a file of any of their formats."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from typing import BinaryIO

from pybadge.derive.metadata import Metadata
from pybadge.derive.sources.bulk_metadata import read_bulk_metadata
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.sources.oai import read_oai
from pybadge.errors import MetadataError, PybadgeError, reason

__all__ = ["read_oai_file", "read_papers"]

_FIRST_BYTES = 256
_LONGEST_LINE = 1 << 20


def read_oai_file(path: str) -> Iterator[Metadata | PybadgeError]:
    """The papers of an OAI-PMH answer saved in a file, or on standard input for ``-``; see
    `read_oai`."""
    name = "standard input" if path == "-" else path
    try:
        with _opened(path) as stream:
            yield from read_oai(stream, name)
    except (OSError, ValueError) as error:
        yield MetadataError(f"{name}: {reason(error)}", code="file.unreadable")


@contextlib.contextmanager
def _opened(path: str) -> Iterator[BinaryIO]:
    if path != "-":
        with open(path, "rb") as stream:
            yield stream
    elif sys.stdin is None:  # the program was started with it closed
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    else:
        yield sys.stdin.buffer


def read_papers(path: str) -> Iterator[Metadata | PybadgeError]:
    """The papers of a file: OAI-PMH's XML, TOML or JSON written by hand, or arXiv's bulk metadata;
    told by its ending and first bytes.

    Yields:
        A paper's metadata, or the error that stands in its place.
    """
    try:
        with open(path, "rb") as stream:
            start = stream.read(_FIRST_BYTES).lstrip(b"\xef\xbb\xbf \t\r\n")
        by_hand = _is_written_by_hand(path)
    except (OSError, ValueError) as error:
        yield MetadataError(f"{path}: {reason(error)}", code="file.unreadable")
        return
    if start.startswith(b"<"):
        yield from read_oai_file(path)
    elif by_hand:
        try:
            yield from read_metadata_file(path)
        except MetadataError as error:
            yield error
    else:
        yield from read_bulk_metadata(path)


def _is_written_by_hand(path: str) -> bool:
    ending = path.lower()
    if ending.endswith(".toml"):
        return True
    return ending.endswith(".json") and _is_one_document(path)


def _is_one_document(path: str) -> bool:
    """Whether a .json file is one document; arXiv's bulk metadata has that ending too, but an
    object on each line."""
    with open(path, "rb") as stream:
        first = stream.readline(_LONGEST_LINE).strip()
        is_object = first.startswith(b"{") and first.endswith(b"}")
        return not is_object or not stream.read(1)
