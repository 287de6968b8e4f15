"""The real record's report, for the embeds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import pybadge

sys.path.insert(0, str(Path(__file__).parent))

DATA = Path(__file__).parents[2] / "data"


@pytest.fixture(scope="session")
def report():
    return pybadge.verify(pybadge.load(DATA / "record-XR2UHLWN.json"))
