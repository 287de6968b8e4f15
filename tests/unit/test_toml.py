"""TOML is read with one kind of error, whichever module reads it."""

from __future__ import annotations

import pytest

from pybadge.toml import loads


def test_a_table_is_read() -> None:
    assert loads('id = "2402.15627"\n[[paper]]\nversion = 1\n') == {
        "id": "2402.15627",
        "paper": [{"version": 1}],
    }


@pytest.mark.parametrize(
    "text", ["id = ", 'id = "a"\nid = "b"', "a = " + "[" * 20_000 + "]" * 20_000]
)
def test_all_that_can_be_wrong_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        loads(text)
