"""Lock files: records saved beside a paper, so that a later check needs no network and finds the
same bytes.

    {"schema": "pybadge-lock/1",
     "records": [{"asked": ["arxiv:2402.15627"], "number": "pith:2024:XR2U…", "canonical_sha256":
     hex,
                  "source": "2402.15627v1", "file_sha256": hex, "saved_at":
                  "YYYY-MM-DDTHH:MM:SSZ"}]}

The record itself lies beside the lock file as ``<suffix>.json``. A lock file is a convenience, not
evidence: the record is verified each time.
"""

from __future__ import annotations

import json
import os
import time
from hashlib import sha256
from typing import Any

from pybadge.arxiv import parse_arxiv_id
from pybadge.errors import OutputError, RecordError
from pybadge.input import MAX_BYTES, read_file
from pybadge.number import PithNumber, parse_number
from pybadge.output import locked_folder, write_file
from pybadge.record import Record
from pybadge.resolve.locator import Locator
from pybadge.strict_json import read_json

__all__ = ["SCHEMA", "add_to_lock", "locked", "read_lock"]

SCHEMA = "pybadge-lock/1"


def read_lock(path: str) -> list[dict[str, Any]]:
    """The entries of a lock file.

    Raises:
        RecordError: it can't be read, or is no lock file.
    """
    document = read_json(read_file(path), path)
    known = type(document) is dict and document.get("schema") == SCHEMA
    records = document.get("records") if known else None
    if type(records) is not list or not all(_is_entry(entry) for entry in records):
        raise RecordError(
            f"{path}: not a lock file; pybadge fetch --lock {path} WHAT writes one",
            code="lock.malformed",
        )
    return records


def _is_entry(value: Any) -> bool:
    return type(value) is dict and type(value.get("number")) is str


def locked(path: str, locator: Locator) -> bytes | None:
    """The bytes that a lock file has for what was asked for; None if it lists nothing of the kind.

    Raises:
        RecordError: the lock file or the record beside it can't be read, the record was changed
            since, or several fit.
    """
    found = {}
    for entry in read_lock(path):
        number = parse_number(entry["number"])
        if _is_for(entry, number, locator):
            found[number.suffix] = (number, entry)
    if not found:
        return None
    if len(found) > 1:
        listed = " and ".join(number.text for number, _ in found.values())
        raise RecordError(
            f"{locator.text.strip()}: {path} has {listed}; write the full number",
            code="lock.ambiguous",
        )
    ((number, entry),) = found.values()
    beside = record_path(path, number)
    data = read_file(beside)
    if sha256(data).hexdigest() != entry.get("file_sha256"):
        raise RecordError(f"{beside}: was changed after {path} was written", code="lock.changed")
    return data


def _is_for(entry: dict[str, Any], number: PithNumber, locator: Locator) -> bool:
    if locator.number is not None and locator.kind == "number":
        return number.suffix.startswith(locator.number.suffix)
    asked, source = entry.get("asked"), entry.get("source")
    if type(asked) is list and locator.key in asked:
        return True
    if locator.paper is None or locator.paper.version is None or type(source) is not str:
        return False
    saved = parse_arxiv_id(source)
    return saved is not None and locator.paper.names(saved.id, saved.version or 0)


def record_path(lock_path: str, number: PithNumber) -> str:
    """Where the record of a number lies beside a lock file."""
    return os.path.join(os.path.dirname(lock_path), f"{number.suffix}.json")


def add_to_lock(
    path: str, locator: Locator, record: Record, number: PithNumber, data: bytes
) -> str:
    """Save a verified record beside a lock file and enter it there.

    An entry whose bytes did not change keeps its date, so that fetching again changes no file.

    Returns:
        The path of the record.

    Raises:
        RecordError: the lock file that is there can't be read.
        OutputError: the files can't be written.
    """
    with locked_folder(os.path.dirname(path)):
        return _add(path, locator, record, number, data)


def _add(path: str, locator: Locator, record: Record, number: PithNumber, data: bytes) -> str:
    entries = read_lock(path) if os.path.exists(path) else []
    old = next((entry for entry in entries if entry["number"] == number.text), {})
    asked = old.get("asked")
    digest = sha256(data).hexdigest()
    saved_at = old.get("saved_at") if old.get("file_sha256") == digest else None
    entry = {
        "asked": sorted({*(asked if type(asked) is list else ()), locator.key}),
        "number": number.text,
        "canonical_sha256": record.canonical_sha256,
        "source": record.canonical.arxiv_version,
        "file_sha256": digest,
        "saved_at": saved_at or time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }
    others = [other for other in entries if other["number"] != number.text]
    document = {
        "schema": SCHEMA,
        "records": sorted([*others, entry], key=lambda item: str(item["number"])),
    }
    text = (json.dumps(document, indent=2) + "\n").encode("utf-8")
    if len(text) > MAX_BYTES:
        raise OutputError(
            f"{path}: would be larger than {MAX_BYTES} bytes, which can't be read again; begin "
            "another lock file"
        )
    beside = record_path(path, number)
    write_file(beside, data)
    write_file(path, text)
    return beside
