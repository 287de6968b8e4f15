"""Lists of records for batches, as a user would write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.data import REAL, RECORD, RECORDS, SUFFIX
from tests.support.documents import document, signed

__all__ = ["SMALL", "line", "mixed"]

SMALL = {
    name: REAL[name] for name in ("canonical_record", "canonical_sha256", "pith_number", "receipt")
}
"""The real record with nothing in it that is only served."""


def line(value: Any) -> bytes:
    return json.dumps(value).encode() + b"\n"


def mixed(folder: Path, count: int = 900) -> Path:
    """A list with a bit of everything, and its share of trouble."""
    own, _ = signed()
    kinds = [
        line(SMALL),
        f"{RECORD}\n".encode(),
        line({**SMALL, "canonical_sha256": "0" * 64}),
        f"{SUFFIX}\n".encode(),
        b"0R2UHLWN\n",
        line(own),
        b"{broken\n",
        b'{"a": 1, "a": 1}\n',
        b"missing.json\r\n",
        b"\xff\xfe\n",
        b"-\n",
        b"[1]\n",
        line(document(RECORDS[3]["canonical_record"], None)),
    ]
    path = folder / "list.txt"
    lines = b"".join(kinds[number % len(kinds)] for number in range(count))
    path.write_bytes(b"# a comment\n\n" + lines)
    return path
