"""Errors: exit codes, the worst of several, the words of the system, and invalid choices."""

from __future__ import annotations

import inspect
from itertools import permutations
from pathlib import Path

import pytest

from pybadge import errors
from pybadge.errors import (
    FAILED,
    INVALID,
    NOT_CHECKED,
    USAGE,
    VALID,
    InvalidRecordError,
    PybadgeError,
    RecordError,
    RuleError,
    SchemaError,
    UsageError,
    invalid_choice,
    reason,
    worst,
)

CLASSES = [
    value
    for value in vars(errors).values()
    if inspect.isclass(value) and issubclass(value, PybadgeError)
]


def test_of_several_exit_codes_the_worst_counts() -> None:
    order = (FAILED, INVALID, USAGE, NOT_CHECKED, VALID)
    assert order == (70, 1, 2, 3, 0)
    for position, code in enumerate(order):
        for some in permutations(order[position:]):
            assert worst(some) == code
    assert worst([]) == 0
    assert worst(iter([3, 3, 0])) == 3


def test_the_reason_of_a_system_error_is_its_text_alone() -> None:
    with pytest.raises(FileNotFoundError) as caught:
        Path("/nowhere/at/all").read_bytes()
    assert reason(caught.value) == "No such file or directory"
    assert reason(OSError("a text only")) == "a text only"
    assert reason(ValueError("embedded null byte")) == "embedded null byte"
    assert reason(PermissionError(13, "in use")) == "in use"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("falt", "'falt' (choose from flat, plastic); did you mean flat?"),
        ("PLASTIC", "'PLASTIC' (choose from flat, plastic); did you mean plastic?"),
        ("xyz", "'xyz' (choose from flat, plastic)"),
        (7, "7 (choose from flat, plastic)"),
        (None, "None (choose from flat, plastic)"),
    ],
)
def test_an_invalid_choice_is_named_with_what_there_is(value: object, shown: str) -> None:
    error = invalid_choice(value, ["flat", "plastic"], "--style")
    assert isinstance(error, UsageError)
    assert error.exit_code == 2
    assert str(error) == f"--style: invalid choice: {shown}"


def test_an_invalid_choice_is_one_short_line_whatever_was_given() -> None:
    for value in ("x" * 5000, "a\nb\x1b[31m", "‮", "é" * 99):
        text = str(invalid_choice(value, ["flat"]))
        assert text.startswith("invalid choice: ")
        assert text.isascii()
        assert text.isprintable()
        assert len(text) < 100


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_error_has_an_exit_code_and_a_stable_code(kind: type[PybadgeError]) -> None:
    error = kind("a message")
    assert str(error) == "a message"
    assert error.exit_code in (1, 2, 3)
    assert error.code == kind.default_code
    assert kind("a message", code="other.code").code == "other.code"
    assert kind.__name__ in errors.__all__


def test_only_a_broken_rule_or_schema_makes_a_record_invalid() -> None:
    invalid = {kind for kind in CLASSES if kind.exit_code == INVALID}
    assert invalid == {RuleError, SchemaError, InvalidRecordError}
    assert issubclass(SchemaError, RuleError)
    assert issubclass(RuleError, RecordError)
    assert RecordError.exit_code == USAGE
