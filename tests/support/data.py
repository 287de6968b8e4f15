"""The real records in tests/data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

__all__ = ["DATA", "ROOT", "read_lines"]

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"


def read_lines(name: str) -> list[dict[str, Any]]:
    """The objects of a JSON Lines file in tests/data."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]
