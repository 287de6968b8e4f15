"""A file of metadata in whatever form it has."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from pybadge.derive.rules import Metadata
from pybadge.derive.sources.bulk_metadata import read_snapshot
from pybadge.derive.sources.metadata_file import read_own
from pybadge.derive.sources.oai import read_oai
from pybadge.errors import MetadataError, PybadgeError

__all__ = ["read_oai_file", "read_papers"]


def read_oai_file(path: str) -> Iterator[Metadata | PybadgeError]:
    """The papers of an OAI-PMH answer saved in a file, or on standard input for ``-``; see
    `read_oai`."""
    if path == "-":
        yield from read_oai(sys.stdin.buffer, "standard input")
        return
    try:
        with open(path, "rb") as stream:
            yield from read_oai(stream, path)
    except (OSError, ValueError) as error:
        yield MetadataError(
            f"{path}: {getattr(error, 'strerror', None) or error}", code="file.unreadable"
        )


def read_papers(path: str) -> Iterator[Metadata | PybadgeError]:
    """The papers of a file: OAI-PMH's XML, one's own TOML or JSON, or a snapshot; told by its
    ending and first bytes.

    Yields:
        A paper's metadata, or the error that stands in its place.
    """
    try:
        with open(path, "rb") as stream:
            start = stream.read(256).lstrip(b"\xef\xbb\xbf \t\r\n")
    except (OSError, ValueError) as error:
        yield MetadataError(
            f"{path}: {getattr(error, 'strerror', None) or error}", code="file.unreadable"
        )
        return
    if start.startswith(b"<"):
        yield from read_oai_file(path)
    elif path.lower().endswith(".toml") or (
        path.lower().endswith(".json") and _is_one_document(path)
    ):
        try:
            yield from read_own(path)
        except MetadataError as error:
            yield error
    else:
        yield from read_snapshot(path)


def _is_one_document(path: str) -> bool:
    """Whether a .json file is one document; arXiv's snapshot has that ending too, but an object on
    each line."""
    with open(path, "rb") as stream:
        first = stream.readline(1 << 20).strip()
        return not (first.startswith(b"{") and first.endswith(b"}")) or not stream.read(1)
