"""Conformance data that others publish and that is not copied into this repository.

It is found in the folder that the environment variable PITH_CONFORMANCE names, and nowhere else.
Every rule that this data tests is tested by vectors of our own in tests/data as well.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

__all__ = ["conformance", "conformance_folder", "needs_conformance"]

_FOLDER = os.environ.get("PITH_CONFORMANCE", "")
needs_conformance = pytest.mark.skipif(
    not _FOLDER,
    reason="set PITH_CONFORMANCE to a folder with the conformance data of others "
    "(CONTRIBUTING.md says where each set is published)",
)


def conformance_folder(name: str) -> Path:
    """A folder of the conformance data."""
    return Path(_FOLDER) / name


def conformance(name: str) -> Any:
    """A JSON file of the conformance data."""
    return json.loads((Path(_FOLDER) / name).read_text(encoding="utf-8"))
