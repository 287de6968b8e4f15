"""Workflow commands: an error for what is invalid, a warning for what is required and open."""

from __future__ import annotations

from pybadge.checks import REQUIRED
from pybadge.errors import UnreachableError
from pybadge.reporting import github_lines
from pybadge.verification import unreadable, verify
from tests.support.data import NUMBER, REAL, SUFFIX
from tests.support.documents import real


def test_what_is_invalid_is_an_error_that_forges_nothing() -> None:
    made = real()
    made["paper"]["title"] = "x%0A::error::forged"
    made["canonical_sha256"] = "y%0A::error::forged\n::error::real,file=z"
    lines = list(github_lines(verify(made, input="a,b:c\n.json")))
    assert [line.split(" ")[0] for line in lines] == ["::error", "::error"]
    for line in lines:
        assert line.startswith("::error file=a%2Cb%3Ac .json,title=pybadge ")
        assert len(line.splitlines()) == 1
        assert "%0A::" not in line.replace("%250A", "")


def test_what_is_verified_is_one_notice() -> None:
    expected = f"::notice file=r.json,title=pybadge::{NUMBER} verified"
    assert list(github_lines(verify(REAL, input="r.json"))) == [expected]


def test_a_required_check_that_is_open_is_a_warning() -> None:
    required = (*REQUIRED, "timestamp")
    report = verify(REAL, input="r.json", require=["timestamp"])
    (line,) = github_lines(report, required)
    assert line.startswith("::warning file=r.json,title=pybadge timestamp (timestamp.absent)::")


def test_what_could_not_be_read_is_one_line() -> None:
    report = unreadable(UnreachableError("no network"), input=SUFFIX)
    (line,) = github_lines(report)
    assert line == f"::warning file={SUFFIX},title=pybadge parse (resolve.unreachable)::no network"
