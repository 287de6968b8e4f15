"""A paper's metadata written by hand: one JSON object or TOML table, or several.

Fields: ``id`` (or ``source_id``, as `canonical_record` calls it), ``title``, ``abstract``,
``categories`` (a list, or one text, primary first), ``submitted_at`` (v1's time), ``version`` and,
where there is one, ``license``. A JSON object that has ``versions`` is taken for a snapshot's.
"""

from __future__ import annotations

import sys
from typing import Any

from pybadge.derive.rules import Metadata, utc_time
from pybadge.derive.sources.bulk_metadata import from_snapshot
from pybadge.errors import MetadataError, PybadgeError
from pybadge.output import read_file
from pybadge.strict_json import read_json

__all__ = ["read_own"]

_FIELDS = ("id", "title", "abstract", "categories", "license", "submitted_at", "version")


def read_own(path: str) -> list[Metadata]:
    """The papers of a ``.json`` or ``.toml`` file: one object, a JSON array of them, or TOML's
    ``[[paper]]``.

    Raises:
        MetadataError: the file can't be read, a field is missing, unknown or of another type.
    """
    try:
        data = read_file(path)
        value = _toml(data, path) if path.lower().endswith(".toml") else read_json(data, path)
    except PybadgeError as error:
        raise MetadataError(str(error), code=error.code) from None
    if type(value) is dict and value.keys() == {"paper"} and type(value["paper"]) is list:
        value = value["paper"]
    papers = value if type(value) is list else [value]
    if not papers:
        raise MetadataError(f"{path}: holds no paper", code="metadata.missing")
    several = len(papers) > 1
    return [
        _paper(paper, f"{path}: paper {index}" if several else path)
        for index, paper in enumerate(papers, start=1)
    ]


def _toml(data: bytes, path: str) -> Any:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise MetadataError(
            f"{path}: not UTF-8 at byte {error.start}", code="toml.encoding"
        ) from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise MetadataError(f"{path}: not TOML: {error}", code="toml.syntax") from None


def _paper(value: Any, origin: str) -> Metadata:
    if type(value) is not dict:
        raise MetadataError(
            f"{origin}: a paper is an object with the fields {', '.join(_FIELDS)}",
            code="metadata.type",
        )
    if "versions" in value:
        return from_snapshot(value, origin)
    if "source_id" in value and "id" not in value:
        value = {**value, "id": value["source_id"]}
        del value["source_id"]
    for name in value:
        if name not in _FIELDS:
            raise MetadataError(
                f"{origin}: unknown field {ascii(name)[:60]}; the fields are {', '.join(_FIELDS)}",
                code="metadata.unknown",
            )
    for name in ("id", "title", "abstract", "license"):
        if (
            name in value
            and type(value[name]) is not str
            and not (name == "license" and value[name] is None)
        ):
            raise MetadataError(f"{origin}: {name} must be a text", code=f"metadata.{name}")
    if "id" not in value:
        raise MetadataError(f"{origin}: the id is missing", code="metadata.id")
    return Metadata(
        value["id"],
        value.get("title"),
        value.get("abstract"),
        _categories(value.get("categories"), origin),
        value.get("license") or "",
        _first_version(value.get("submitted_at"), origin),
        _version(value.get("version"), origin),
        None,
        "own",
        origin,
    )


def _categories(value: Any, origin: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    if type(value) is str:
        return tuple(value.split())
    if type(value) is list and all(type(item) is str for item in value):
        return tuple(value)
    raise MetadataError(
        f"{origin}: categories must be a list of texts, or one text", code="metadata.categories"
    )


def _version(value: Any, origin: str) -> int | None:
    if value is not None and (type(value) is not int or value < 1):
        raise MetadataError(
            f"{origin}: version must be a whole number from 1", code="metadata.version"
        )
    return value


def _first_version(value: Any, origin: str) -> tuple[tuple[int, str], ...]:
    if value is None:
        return ()
    try:
        return ((1, utc_time(value)),)
    except MetadataError as error:
        raise MetadataError(f"{origin}: {error}", code=error.code) from None
