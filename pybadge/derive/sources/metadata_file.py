"""A paper's metadata written by hand: one JSON object or TOML table, or several.

Fields: ``id`` (or ``source_id``, as `canonical_record` calls it), ``title``, ``abstract``,
``categories`` (a list, or one text, primary first), ``submitted_at`` (v1's time), ``version`` and
``license``: its address, a usual name such as ``CC BY 4.0``, or ``none``. A JSON object that has
``versions`` is taken for one of arXiv's bulk metadata.

Addresses and categories are hashed as they stand, with a note where they are not in arXiv's lists.
"""

from __future__ import annotations

from typing import Any

from pybadge.derive.metadata import METADATA_FILE, Metadata, Note
from pybadge.derive.rules import utc_time
from pybadge.derive.sources.bulk_metadata import from_object
from pybadge.derive.sources.toml_shape import check_shape
from pybadge.derive.typed import (
    category_notes,
    license_notes,
    split_typed,
    typed_license,
    typed_time,
)
from pybadge.errors import MetadataError, PybadgeError
from pybadge.input import read_file
from pybadge.strict_json import MAX_INTEGER, read_json
from pybadge.toml import loads

__all__ = ["read_metadata_file"]

_FIELDS = ("id", "title", "abstract", "categories", "license", "submitted_at", "version")
_LONGEST_SHOWN = 60
_NO_LICENSE: Note = (
    "derive.no_license",
    'no licence is named; the number is that of a paper without one: write license = "none" for it',
)


def read_metadata_file(path: str) -> list[Metadata]:
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
    if len(papers) == 1:
        return [_paper(papers[0], path)]
    return [_paper(paper, f"{path}: paper {index}") for index, paper in enumerate(papers, start=1)]


def _toml(data: bytes, path: str) -> Any:
    try:
        text = data.decode("utf-8")
        check_shape(text)
        return loads(text)
    except UnicodeDecodeError as error:
        raise MetadataError(
            f"{path}: not UTF-8 at byte {error.start}", code="toml.encoding"
        ) from None
    except ValueError as error:
        raise MetadataError(f"{path}: not TOML: {error}", code="toml.syntax") from None


def _paper(value: Any, origin: str) -> Metadata:
    if type(value) is not dict:
        raise MetadataError(
            f"{origin}: a paper is an object with the fields {', '.join(_FIELDS)}",
            code="metadata.type",
        )
    if "versions" in value:
        return from_object(value, origin)
    if "source_id" in value and "id" not in value:
        value = {**value, "id": value["source_id"]}
        del value["source_id"]
    _check_names(value, origin)
    source_id = _text(value, "id", origin)
    title = _text(value, "title", origin)
    abstract = _text(value, "abstract", origin)
    license, license_doubts = _license(value, origin)
    categories, category_doubts = _categories(value.get("categories"), origin)
    if source_id is None:
        raise MetadataError(f"{origin}: the id is missing", code="metadata.id")
    return Metadata(
        source_id,
        title,
        abstract,
        categories,
        license,
        _first_version(value.get("submitted_at"), origin),
        _version(value.get("version"), origin),
        None,
        METADATA_FILE,
        origin,
        (*license_doubts, *category_doubts),
    )


def _check_names(value: dict[str, Any], origin: str) -> None:
    for name in value:
        if name not in _FIELDS:
            raise MetadataError(
                f"{origin}: unknown field {ascii(name)[:_LONGEST_SHOWN]}; "
                f"the fields are {', '.join(_FIELDS)}",
                code="metadata.unknown",
            )


def _text(value: dict[str, Any], name: str, origin: str) -> str | None:
    """A field that holds a text; None where it is not there."""
    if name not in value:
        return None
    text = value[name]
    if type(text) is not str:
        raise MetadataError(f"{origin}: {name} must be a text", code=f"metadata.{name}")
    return text


def _license(value: dict[str, Any], origin: str) -> tuple[str, tuple[Note, ...]]:
    """The licence's address, "" for none, and what is doubtful about it."""
    if "license" not in value:
        return "", (_NO_LICENSE,)
    text = None if value["license"] is None else _text(value, "license", origin)
    if not text:
        return "", ()
    if "://" in text:
        return text, license_notes(text)
    try:
        return typed_license(text)
    except MetadataError as error:
        raise MetadataError(f"{origin}: license {error}", code=error.code) from None


def _categories(value: Any, origin: str) -> tuple[tuple[str, ...] | None, tuple[Note, ...]]:
    """The categories, None where the file has none, and what is doubtful about them."""
    if value is None:
        return None, ()
    if type(value) is str:
        value = split_typed(value)
    if type(value) is list and all(type(item) is str for item in value):
        categories = tuple(value)
        return categories, category_notes(categories)
    raise MetadataError(
        f"{origin}: categories must be a list of texts, or one text", code="metadata.categories"
    )


def _version(value: Any, origin: str) -> int | None:
    if value is not None and (type(value) is not int or not 1 <= value <= MAX_INTEGER):
        raise MetadataError(
            f"{origin}: version must be a whole number from 1", code="metadata.version"
        )
    return value


def _first_version(value: Any, origin: str) -> tuple[tuple[int, str], ...]:
    if value is None:
        return ()
    try:
        time = typed_time(value) if type(value) is str else utc_time(value)
    except MetadataError as error:
        raise MetadataError(f"{origin}: {error}", code=error.code) from None
    return ((1, time),)
