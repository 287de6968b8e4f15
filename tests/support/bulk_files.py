"""Files like arXiv's bulk metadata, and the numbers written of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.support.arxiv_papers import REAL, RECORDS, bulk_line, bulk_object

__all__ = ["made", "real", "written"]


def made(count: int) -> bytes:
    """Lines like real ones, each with another id and title."""
    value = bulk_object(REAL)
    lines = []
    for number in range(count):
        value["id"] = f"{1000 + number // 90000:04}.{10000 + number % 90000:05}"
        value["title"] = f"Paper {number} on\n  something"
        lines.append(json.dumps(value).encode() + b"\n")
    return b"".join(lines)


def real() -> bytes:
    return b"".join(bulk_line(record) for record in RECORDS)


def written(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()]
