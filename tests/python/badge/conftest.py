"""Reports in every state a badge can show."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from badge_cases import reports

if TYPE_CHECKING:
    from pybadge.checks import Report


@pytest.fixture(scope="session")
def by_state() -> dict[str, Report]:
    return reports()


@pytest.fixture(scope="session")
def verified(by_state: dict[str, Report]) -> Report:
    return by_state["verified"]


@pytest.fixture(scope="session")
def german_locale(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which de_DE.UTF-8, which has a decimal comma, is there: built here, since few machines have it."""
    folder = tmp_path_factory.mktemp("locales")
    # Its exit code is 1 for mere warnings; whether the locale works is seen where it is used.
    subprocess.run(
        ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True, check=False
    )
    return {"LOCPATH": str(folder)}
