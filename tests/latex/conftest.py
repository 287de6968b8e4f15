"""Fixtures and settings of the tests of built papers."""

from __future__ import annotations

import pytest

from tests.support.latex import contact_sheet
from tests.support.latex.build import PITH_STY, TEXROOT


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "host: looks with a tool of this machine, so not for another TeX Live in a chroot",
    )
    if not PITH_STY.exists():
        raise pytest.UsageError(f"{PITH_STY} is missing: generate it from pith.dtx (make)")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    # Under PITH_TEXROOT only TeX itself is another one; what checks this machine's own tools has
    # been run without it.
    if TEXROOT:
        host = [item for item in items if item.get_closest_marker("host")]
        config.hook.pytest_deselected(items=host)
        items[:] = [item for item in items if item not in host]


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not hasattr(session.config, "workerinput"):
        contact_sheet.write_sheets()
