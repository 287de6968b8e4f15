"""What tests share: the real records."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import tempfile
from typing import Any

import pytest
from hypothesis import settings

from tests.support.data import DATA

# No test sees the user's own configuration, cache or settings, nor leaves anything there.
_HOME = tempfile.TemporaryDirectory(prefix="pybadge-tests-")
os.environ.update(
    XDG_CACHE_HOME=f"{_HOME.name}/cache",
    XDG_CONFIG_HOME=f"{_HOME.name}/config",
    APPDATA=f"{_HOME.name}/config",
)
for _name in [name for name in os.environ if name.startswith("PYBADGE_")]:
    del os.environ[_name]

# A busy machine is no fault of the code; what must be fast has a test of its own.
settings.register_profile("tests", deadline=None)
settings.load_profile("tests")


@pytest.fixture(scope="session")
def real_record_bytes() -> bytes:
    return (DATA / "record-XR2UHLWN.json").read_bytes()


@pytest.fixture
def real_record(real_record_bytes: bytes) -> dict[str, Any]:
    """A fresh copy of the one complete real record, to be tampered with."""
    return copy.deepcopy(json.loads(real_record_bytes))


@pytest.fixture(scope="session")
def report(real_record_bytes: bytes) -> Any:
    """The verified report of the one complete real record."""
    import pybadge

    return pybadge.verify(real_record_bytes)


@pytest.fixture(scope="session")
def by_state() -> dict[str, Any]:
    """A report for each state that a badge can show."""
    from tests.support.badge_cases import reports

    return reports()


@pytest.fixture(scope="session")
def verified(by_state: dict[str, Any]) -> Any:
    """The report of the real record."""
    return by_state["verified"]


@pytest.fixture(scope="session")
def german_locale(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment in which de_DE.UTF-8, which has a decimal comma, is there: built here, since
    few machines have it."""
    folder = tmp_path_factory.mktemp("locales")
    command = ["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    # It exits with 1 for mere warnings; whether the locale works is seen where it is used.
    subprocess.run(command, capture_output=True, check=False)
    return {"LOCPATH": str(folder)}
