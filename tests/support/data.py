"""The real records in tests/data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = [
    "DATA",
    "NUMBER",
    "REAL",
    "RECORD",
    "RECORDS",
    "RECORD_BYTES",
    "RECORD_URL",
    "ROOT",
    "SIGNATURES",
    "SUFFIX",
    "read_lines",
]

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


def read_lines(name: str) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file in tests/data."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


SUFFIX = "XR2UHLWNHHFSD4ZJJXWRU6R6QP"
NUMBER = f"pith:2024:{SUFFIX}"
RECORD_URL = f"https://pith.science/pith/{SUFFIX}"
RECORD = DATA / "record-XR2UHLWN.json"
"""The one complete real record at hand."""
RECORD_BYTES = RECORD.read_bytes()
REAL: dict[str, Any] = json.loads(RECORD_BYTES)
"""The same, parsed; see `documents.real` for a copy that may be changed."""
RECORDS = read_lines("records.jsonl")
"""The canonical records of many papers, with their hashes and numbers."""
SIGNATURES = [line for line in (*RECORDS, *read_lines("signatures.jsonl")) if line["signature_b64"]]
"""The real receipts at hand."""
