"""Text for terminals, logs, CI and CSV: one harmless line, whatever it was."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.escape.lines import csv_cell, github_message, github_property, one_line
from tests.support.cost import grows_at_most

FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\U000e0041\ud800-\udfff]"
)


@given(st.text())
def test_no_text_gets_out_of_its_line(text: str) -> None:
    for escaped in (github_message(text), github_property(text), one_line(text), csv_cell(text)):
        assert len(f"x{escaped}x".splitlines()) == 1
        assert not FORBIDDEN.search(escaped)
        escaped.encode("utf-8")
    assert ":" not in github_property(text)
    assert "," not in github_property(text)


@given(st.text())
def test_a_line_that_is_escaped_again_stays_as_it_is(text: str) -> None:
    assert one_line(one_line(text)) == one_line(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("  a \t b\r\nc  ", "a b c"),
        ("a\u2028b\u2029c\x85d", "a b c d"),
        ("\x1b[31mred\x1b]52;c;x\x07", "\ufffd[31mred\ufffd]52;c;x\ufffd"),
        ("\x9b31mred", "\ufffd31mred"),
        ("a\u202eb", "a\ufffdb"),
        ("a\u200bb\ufeffc", "a\ufffdb\ufffdc"),
        ("tag\U000e0041", "tag\ufffd"),
        ("half\ud800", "half\ufffd"),
        ("non\uffffchar\U0010ffff", "non\ufffdchar\ufffd"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("é数", "é数"),
    ],
)
def test_hostile_characters_are_shown_as_replaced_and_others_stay(text: str, shown: str) -> None:
    assert one_line(text) == shown


def test_a_workflow_command_cannot_be_forged() -> None:
    forged = github_message("x%0A::error::forged\n::error::real")
    assert forged == "x%250A::error::forged ::error::real"
    assert github_property("a:b,c%\n") == "a%3Ab%2Cc%25"


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\x00=1"]
)
def test_no_spreadsheet_takes_a_cell_for_a_formula(text: str) -> None:
    assert csv_cell(text).startswith("'")


@given(st.text())
def test_a_cell_comes_out_of_csv_as_it_went_in(text: str) -> None:
    cell = csv_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    row = io.StringIO()
    csv.writer(row).writerow([cell, "x"])
    assert next(csv.reader([row.getvalue().rstrip("\r\n")])) == [cell, "x"]


@pytest.mark.parametrize("unit", ["a", "1.", "\x1b", " \n", "é\u202e", "::"])
def test_the_cost_grows_with_the_length_and_no_faster(unit: str) -> None:
    assert grows_at_most(one_line, unit * 20_000, unit * 200_000, 60)
