"""Labelled lines: within the terminal's width, and no more work than the text is long."""

from __future__ import annotations

import pytest
from wcwidth import width

from pybadge.escape.lines import one_line
from pybadge.reporting import Palette, labelled
from tests.support.cost import grows_at_most

TEXT = "the canonical hash is a sum over 漢字 and words of many lengths, which go on"


@pytest.mark.parametrize("columns", range(24, 100, 7))
def test_a_text_goes_on_under_itself(columns: int) -> None:
    lines = list(labelled("  label   ", TEXT, 10, Palette(width=columns)))
    assert lines[0].startswith("  label   the ")
    for line in lines[1:]:
        assert line.startswith(" " * 10)
        assert line[10] != " "
    assert all(width(line) <= columns for line in lines)
    assert " ".join(line[10:] for line in lines) == TEXT


def test_without_a_width_there_is_one_line() -> None:
    assert list(labelled("  label  ", TEXT * 50, 9)) == [f"  label  {TEXT * 50}"]
    assert list(labelled("  label  ", "", 9, Palette(width=40))) == ["  label"]


def test_a_word_that_fits_nowhere_stays_whole() -> None:
    lines = list(labelled("  label   ", f"a {'f' * 64} b", 10, Palette(width=40)))
    assert lines == ["  label", "      a", f"      {'f' * 64}", "      b"]


def test_a_text_without_a_label_begins_in_the_first_line() -> None:
    lines = list(labelled("", f"{'f' * 64} b", 0, Palette(width=40)))
    assert lines == ["f" * 64, "b"]


def test_colours_take_no_columns() -> None:
    painted = " ".join(f"\x1b[1m{word}\x1b[0m" for word in TEXT.split())
    plain = list(labelled("", TEXT, 0, Palette(width=40)))
    shown = list(labelled("", painted, 0, Palette(width=40)))
    assert [line.replace("\x1b[1m", "").replace("\x1b[0m", "") for line in shown] == plain


@pytest.mark.parametrize(
    "unit", ["\u0301", "ab ", "a", "\U0001f469\u200d", "\x1b[2J", "漢", "\U0001f1e9", "\x1b[1m "]
)
def test_wrapping_takes_no_more_work_than_the_length(unit: str) -> None:
    def wrap(text: str) -> None:
        assert list(labelled("  title  ", text, 9, Palette(width=80)))

    assert grows_at_most(wrap, one_line("x" + unit * 2_000), one_line("x" + unit * 20_000), 15)
