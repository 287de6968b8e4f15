"""What the tests of look-ups share."""

from __future__ import annotations

import pytest

from pybadge.resolve import http


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries follow each other at once, nearly."""
    monkeypatch.setattr(http, "FIRST_WAIT", 0.01)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits before retries, in seconds; none is really waited for."""
    asked: list[float] = []
    monkeypatch.setattr(http.time, "sleep", asked.append)
    return asked
