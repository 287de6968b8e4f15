"""Reports: their form, the rule from checks to a verdict, and exit codes told from a report."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest

from pybadge.checks import CHECK_IDS, REQUIRED, Check, Report
from pybadge.checks.report import (
    Status,
    exit_code_of,
    parse_check_list,
    required_ids,
    verdict_of,
)
from pybadge.errors import (
    NotFoundError,
    NumberError,
    RecordError,
    SchemaError,
    UnreachableError,
    UsageError,
)
from pybadge.verification import unreadable, verify
from tests.support.data import NUMBER, REAL
from tests.support.documents import put


def checks(status: Status, **others: Status) -> list[Check]:
    """All checks of one status, but for some."""
    return [Check(name, others.get(name, status), "x", "") for name in CHECK_IDS]


@pytest.mark.parametrize("check_id", CHECK_IDS)
def test_one_invalid_check_decides_whatever_the_others_are(check_id: str) -> None:
    for status in ("valid", "not_checked", "absent"):
        assert verdict_of(checks(status, **{check_id: "invalid"})) == "invalid"


@pytest.mark.parametrize("check_id", CHECK_IDS)
@pytest.mark.parametrize("status", ["not_checked", "absent"])
def test_a_required_check_must_be_valid_and_no_other(check_id: str, status: Status) -> None:
    made = checks("valid", **{check_id: status})
    assert verdict_of(made) == ("not_checked" if check_id in REQUIRED else "verified")
    assert verdict_of(made, (*REQUIRED, check_id)) == "not_checked"


def test_the_required_checks_are_the_documented_ones() -> None:
    assert REQUIRED == (
        "parse",
        "schema",
        "canonical_hash",
        "number",
        "year",
        "receipt_key",
        "receipt_signature",
    )


def test_a_check_that_must_be_valid_is_one_of_the_checks() -> None:
    assert required_ids(["title"]) == (*REQUIRED, "title")
    assert parse_check_list("receipt_signature,title, year") == (
        "receipt_signature",
        "title",
        "year",
    )
    for text in ("nonsense", "title,nonsense"):
        with pytest.raises(UsageError, match="nonsense"):
            parse_check_list(text)
    with pytest.raises(UsageError, match=r"did you mean receipt_signature\?"):
        required_ids(["reciept_signature"])


def test_more_required_checks_can_only_make_a_verdict_weaker() -> None:
    assert verify(REAL, require=["title", "snapshots"]).exit_code == 0
    for check_id in ("timestamp", "author", "citations"):
        report = verify(REAL, require=[check_id])
        assert (report.verdict, report.exit_code) == ("not_checked", 3)
    swapped = put(REAL, ("paper", "title"), "Another title")
    assert verify(swapped, require=["timestamp"]).verdict == "invalid"


def test_a_report_is_one_line_of_json_in_the_documented_form() -> None:
    report = verify(REAL, input="línea\n\u2028")
    text = report.as_json()
    assert text.isascii()
    assert len(text.splitlines()) == 1
    read = json.loads(text)
    assert list(read) == ["schema", "input", "number", "verdict", "checks"]
    assert read["schema"] == "pybadge-report/1"
    assert read["input"] == "línea\n\u2028"
    assert read["number"] == NUMBER
    for check in read["checks"]:
        assert list(check) == ["id", "status", "code", "detail", "source"]
    assert verify(b"{").as_dict()["number"] is None


def test_a_check_is_found_by_its_id() -> None:
    report = verify(REAL)
    assert [report[check_id].id for check_id in CHECK_IDS] == list(CHECK_IDS)
    with pytest.raises(KeyError):
        report["nonsense"]


def test_the_failed_checks_are_the_invalid_ones() -> None:
    assert verify(REAL).failed == ()
    made = put(put(REAL, ("paper", "title"), "Another"), ("canonical_sha256",), "0" * 64)
    assert [check.id for check in verify(made).failed] == ["canonical_hash", "title"]


def test_a_report_keeps_what_was_asked_for() -> None:
    asked = verify(REAL, asked=NUMBER[:18]).asked
    assert asked is not None
    assert asked.text == NUMBER[:18]
    assert verify(REAL).asked is None
    broken = verify(b"{", asked=NUMBER)
    assert broken.asked is not None
    assert broken.asked.text == NUMBER
    assert broken.number is None


def test_checks_that_could_not_begin_say_so() -> None:
    report = verify(b"{")
    assert [check.id for check in report.checks if not check.is_unread] == ["parse"]
    assert not any(check.is_unread for check in verify(REAL).checks)


def test_a_report_crosses_between_processes() -> None:
    report = verify(REAL)
    assert pickle.loads(pickle.dumps(report)) == report


def test_a_report_cannot_be_changed() -> None:
    report = verify(REAL)
    with pytest.raises(AttributeError):
        report.verdict = "verified"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        report.checks[0].status = "valid"  # type: ignore[misc]


ERRORS = (
    NotFoundError("x"),
    UnreachableError("x"),
    UnreachableError("x", code="resolve.offline"),
    NumberError("x"),
    UsageError("x"),
    RecordError("x", code="file.unreadable"),
    SchemaError("x"),
)
REPORTS = [
    verify(REAL),
    verify(put(REAL, ("canonical_sha256",), "0" * 64)),
    verify(put(REAL, ("receipt",), None)),
    verify(b"{"),
    verify({}),
    verify(b"[]"),
    verify(b'{"canonical_record": {}, "canonical_record": {}}'),
    *(unreadable(error) for error in ERRORS),
]


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report["parse"].code)
def test_the_exit_code_can_be_told_from_the_report_alone(report: Report) -> None:
    assert exit_code_of(json.loads(report.as_json())) == report.exit_code


@pytest.mark.parametrize("value", [[], {}, {"verdict": "fine"}, {"verdict": 7}, {"verdict": []}, 7])
def test_what_is_no_report_has_no_exit_code(value: Any) -> None:
    with pytest.raises((KeyError, TypeError)):
        exit_code_of(value)


def test_the_exit_code_goes_by_the_verdict_alone() -> None:
    report = verify(REAL)
    for verdict, code in (("verified", 0), ("invalid", 1), ("unreadable", 2), ("not_checked", 3)):
        assert replace(report, verdict=verdict).exit_code == code
        assert exit_code_of({"verdict": verdict}) == code


def test_the_reason_is_that_of_the_first_check_that_decided() -> None:
    assert verify(REAL).reason == ""
    assert verify({**REAL, "receipt": None}).reason == "the record has no receipt"
    made = put(put(REAL, ("paper", "title"), "Another"), ("receipt",), None)
    assert verify(made).reason == "the served title does not have the signed hash"
    assert verify(REAL, require=["timestamp"]).reason == verify(REAL)["timestamp"].detail
    assert verify(b"").reason == "record: not a record but an empty file"


def test_a_report_says_which_checks_were_required() -> None:
    assert verify(REAL).required == REQUIRED
    assert verify(REAL, require=["title"]).required == (*REQUIRED, "title")
    assert verify(b"{").required == REQUIRED
