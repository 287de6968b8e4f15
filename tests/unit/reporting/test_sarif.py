"""SARIF logs: one result for each check that is invalid, or required and open."""

from __future__ import annotations

import json

from pybadge._version import __version__
from pybadge.checks import CHECK_IDS, REQUIRED
from pybadge.reporting import sarif_log
from pybadge.verification import verify
from tests.support.data import REAL, RECORD_BYTES

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")


def test_a_log_has_a_rule_for_each_check_and_a_result_for_each_fault() -> None:
    reports = [
        verify(REAL, input="good.json"),
        verify(CHANGED, input="bad name.json"),
        verify(b"{", input="x\ny.json"),
    ]
    log = json.loads(sarif_log(reports))
    assert log["version"] == "2.1.0"
    assert set(log) == {"$schema", "version", "runs"}
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["version"] == __version__
    rules = [rule["id"] for rule in driver["rules"]]
    assert rules == list(CHECK_IDS)
    found = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"].isprintable()
        place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        found.add((place, result["ruleId"], result["level"], result["kind"]))
    assert found == {
        ("bad%20name.json", "title", "error", "fail"),
        ("x%0Ay.json", "parse", "none", "open"),
    }


def test_a_required_check_that_is_open_is_no_failure() -> None:
    log = json.loads(sarif_log([verify(REAL, input="r.json")], (*REQUIRED, "timestamp")))
    (result,) = log["runs"][0]["results"]
    assert (result["ruleId"], result["level"], result["kind"]) == ("timestamp", "none", "open")


def test_what_stays_the_same_has_the_same_fingerprint() -> None:
    def prints(name: str) -> list[str]:
        log = json.loads(sarif_log([verify(CHANGED, input=name)]))
        return [result["partialFingerprints"] for result in log["runs"][0]["results"]]

    assert prints("a.json") == prints("a.json") == [{"pybadge/code": "a.json:title.mismatch"}]
    assert prints("a.json") != prints("b.json")
