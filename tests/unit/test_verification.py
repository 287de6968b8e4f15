"""From WHAT to a Report: every input has one, and nothing that was asked is lost on the way."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pybadge
from pybadge.checks import CHECK_IDS, REQUIRED, Report
from pybadge.errors import (
    NotFoundError,
    NumberError,
    PybadgeError,
    RecordError,
    RuleError,
    SchemaError,
    UnreachableError,
    UsageError,
)
from pybadge.number import parse_number
from pybadge.resolve import Resolver
from pybadge.verification import (
    Expectations,
    bundle_of,
    report_and_bytes,
    report_from_folder,
    report_on,
    unreadable,
    verify,
)
from tests.support.data import NUMBER, REAL, RECORD, RECORD_BYTES, RECORDS, SUFFIX
from tests.support.documents import PITH, bundle, document, put, real, signed, to_bytes
from tests.support.http_server import Server, answer

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
PATH = f"/pith/{SUFFIX}.json"


def orderly(report: Report) -> None:
    """What every report is, whatever it is about."""
    assert tuple(check.id for check in report.checks) == CHECK_IDS
    statuses = {"valid", "invalid", "not_checked", "absent"}
    assert {check.status for check in report.checks} <= statuses
    assert report.as_json() == json.dumps(report.as_dict())
    if report.verdict == "verified":
        assert all(report[check_id].status == "valid" for check_id in REQUIRED)
        assert report.exit_code == 0
    else:
        assert report.exit_code in (1, 2, 3)


# --- verify: bytes, values, records


def test_the_real_record_is_verified() -> None:
    report = verify(REAL, asked=NUMBER, input=SUFFIX)
    assert report.verdict == "verified"
    assert report.registry == "Pith"
    assert report["receipt_signature"].source == "signed"
    assert {check.id for check in report.checks if check.status == "absent"} == {
        "timestamp",
        "storage",
        "author",
        "citations",
        "replications",
    }


def test_bytes_values_and_records_give_the_same_report() -> None:
    expected = verify(REAL)
    for same in (RECORD_BYTES, bytearray(RECORD_BYTES), pybadge.load(RECORD_BYTES)):
        assert verify(same).as_dict() == expected.as_dict()


@given(st.dictionaries(st.text() | st.just("canonical_record"), json_values, max_size=4))
def test_verify_never_raises_on_a_json_object(value: dict[str, Any]) -> None:
    report = verify(value)
    orderly(report)
    expected = "invalid" if "canonical_record" in value else "unreadable"
    assert report.verdict == expected


@pytest.mark.parametrize("value", ["text", NUMBER, None, RECORD, [], [REAL], 7, 7.5, True])
def test_what_is_neither_record_nor_bytes_nor_object_is_the_callers_fault(value: Any) -> None:
    with pytest.raises(UsageError, match=r"verify\(\) takes a Record, its bytes or a JSON object"):
        verify(value)


def test_a_key_that_is_distrusted_is_not_believed_pinned_or_not() -> None:
    assert verify(REAL).verdict == "verified"
    report = verify(REAL, distrusted=[PITH.fingerprint])
    assert report.verdict != "verified"
    assert report["receipt_key"].status != "valid"
    assert report.registry is None
    made, key = signed()
    assert verify(made, trusted=[key], distrusted=[PITH.fingerprint]).verdict == "verified"
    assert verify(made, trusted=[key], distrusted=[key.fingerprint]).verdict != "verified"
    expected = Expectations(trusted=(key,), distrusted=frozenset({key.fingerprint}))
    assert expected.keys == (PITH,)
    assert expected.distrusted_keys == (key,)
    distrusting = Expectations(distrusted=frozenset({PITH.fingerprint}))
    assert report_on(str(RECORD), Resolver(offline=True), distrusting).verdict != "verified"


@given(st.binary(max_size=300) | json_values.map(lambda value: json.dumps(value).encode()))
def test_verify_never_raises_on_bytes(data: bytes) -> None:
    report = verify(data)
    orderly(report)
    assert report.verdict != "verified"


def test_a_record_nested_too_deeply_is_invalid() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for value in ({"canonical_record": deep}, put(REAL, ("canonical_record", "x"), deep)):
        orderly(verify(value))
        assert verify(value).verdict == "invalid"
    orderly(verify({"x": deep}))
    assert verify({"x": deep}).verdict == "unreadable"


def test_arguments_that_make_no_sense_are_the_callers_fault() -> None:
    with pytest.raises(NumberError):
        verify(REAL, asked="no number")
    with pytest.raises(UsageError, match="invalid choice: 'nonsense'"):
        verify(REAL, require=["nonsense"])
    with pytest.raises(UsageError, match="invalid choice: 'nonsense'"):
        report_on("missing.json", Resolver(), Expectations(require=("nonsense",)))


def test_text_that_is_no_unicode_has_no_hash() -> None:
    report = verify(put(REAL, ("canonical_record", "metadata", "license"), "\ud800"))
    assert report["schema"].status == "invalid"
    assert report.verdict == "invalid"


@pytest.mark.parametrize("kind", ["record", "bundle"])
def test_the_parse_check_says_what_was_read(kind: str) -> None:
    made = real() if kind == "record" else bundle()
    assert verify(made)["parse"].detail == f"strict JSON, a {kind}"


# --- unreadable


@pytest.mark.parametrize(
    ("error", "parse", "verdict", "exit_code"),
    [
        (RecordError("x"), "not_checked", "unreadable", 2),
        (RuleError("x"), "invalid", "invalid", 1),
        (SchemaError("x"), "valid", "invalid", 1),
        (NotFoundError("x"), "not_checked", "not_checked", 3),
        (UnreachableError("x"), "not_checked", "not_checked", 3),
        (NumberError("x"), "not_checked", "unreadable", 2),
        (UsageError("x"), "not_checked", "unreadable", 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_what_kept_a_record_from_being_read_decides_the_verdict(
    error: PybadgeError, parse: str, verdict: str, exit_code: int
) -> None:
    asked = parse_number(NUMBER)
    report = unreadable(error, input="here", asked=asked)
    orderly(report)
    assert report["parse"].status == parse
    assert (report.verdict, report.exit_code) == (verdict, exit_code)
    assert (report.input, report.asked) == ("here", asked)
    assert all(check.is_unread for check in report.checks[2:])


# --- report_on: through files and servers


def ask(server: Server, what: str = SUFFIX, **named: Any) -> Report:
    return report_on(what, Resolver(server.url, **named))


def test_what_was_asked_for_stays_with_the_report() -> None:
    for what in (NUMBER, SUFFIX[:8], f"https://pith.science/pith/{SUFFIX}"):
        report = report_on(what, Resolver(offline=True))
        assert report.input == what
        assert report.asked is not None
        assert SUFFIX.startswith(report.asked.suffix)
    assert report_on("2402.15627", Resolver(offline=True)).asked is None
    assert report_on(str(RECORD), Resolver()).asked is None


def test_expectations_reach_the_checks() -> None:
    made, key = signed(title="Another paper")
    suffix = made["pith_number"].split(":")[-1]
    with Server({f"/pith/{suffix}.json": answer(to_bytes(made))}) as server:
        resolver = Resolver(server.url)
        trusting = Expectations(trusted=(key,))
        assert report_on(suffix, resolver).verdict == "not_checked"
        assert report_on(suffix, resolver, trusting).verdict == "verified"
        titled = Expectations("another PAPER", trusted=(key,), require=("title",))
        assert report_on(suffix, resolver, titled).verdict == "verified"
        wrong = Expectations("A third paper", trusted=(key,))
        assert report_on(suffix, resolver, wrong).verdict == "invalid"
        assert report_on(suffix, resolver, Expectations(abstract="x")).verdict == "invalid"
        stricter = Expectations(trusted=(key,), require=("timestamp",))
        assert report_on(suffix, resolver, stricter).exit_code == 3


def test_the_bytes_that_a_report_is_about_come_with_it(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for data, verdict in ((RECORD_BYTES, "verified"), (b"{}", "unreadable")):
        path.write_bytes(data)
        report, found = report_and_bytes(str(path), Resolver())
        assert (report.verdict, found) == (verdict, data)
    for what in ("0R2UHLWN", SUFFIX):
        assert report_and_bytes(what, Resolver(offline=True))[1] is None


def test_a_record_at_another_ones_address_is_invalid() -> None:
    made, key = signed(title="Another paper")
    other = RECORDS[0]["suffix"]
    with Server({PATH: answer(to_bytes(made)), "*": answer(RECORD_BYTES)}) as server:
        report = report_on(SUFFIX, Resolver(server.url), Expectations(trusted=(key,)))
        assert report.verdict == "invalid"
        assert report["number"].code == "number.mismatch"
        assert ask(server, other)["number"].code == "number.mismatch"
        assert ask(server, f"{server.url}/pith/{other}")["number"].code == "number.mismatch"


def test_a_record_under_another_ones_file_name_is_invalid(tmp_path: Path) -> None:
    renamed = tmp_path / f"{RECORDS[0]['suffix']}.json"
    renamed.write_bytes(RECORD_BYTES)
    report = report_on(str(renamed), Resolver(offline=True))
    assert report.verdict == "invalid"
    assert report["number"].code == "number.mismatch"
    honest = tmp_path / f"{SUFFIX.lower()}.json"
    honest.write_bytes(RECORD_BYTES)
    assert report_on(str(honest), Resolver(offline=True)).verdict == "verified"


@pytest.mark.parametrize("asked", ["2402.15628", "2402.15627v2", "hep-lat/0305021"])
def test_the_resolvers_word_for_an_arxiv_id_is_not_enough(asked: str) -> None:
    with Server({"*": answer(RECORD_BYTES)}) as server:
        report = ask(server, asked)
        assert report.verdict == "invalid"
        assert report["number"].code == "number.other_paper"


def test_a_lying_source_does_not_hide_an_honest_one_but_is_named() -> None:
    lie = to_bytes(document(RECORDS[0]["canonical_record"], None))
    with Server({PATH: answer(lie)}) as liar, Server({PATH: answer(RECORD_BYTES)}) as honest:
        report = ask(liar, mirrors=[honest.url])
        assert report.verdict == "verified"
        assert report["parse"].detail == (
            "strict JSON, a record (another source gave a wrong record: number.mismatch)"
        )
        assert ask(liar).verdict == "invalid"


def test_the_best_answer_of_several_sources_counts() -> None:
    bare = to_bytes({key: value for key, value in REAL.items() if key != "receipt"})
    lie = to_bytes(document(RECORDS[0]["canonical_record"], None))
    good = RECORD_BYTES
    ranked = {b"{}": "not_checked", lie: "invalid", bare: "not_checked", good: "verified"}
    for first, second, verdict, found in (
        (bare, good, "verified", good),
        (lie, good, "verified", good),
        (b"{}", good, "verified", good),
        (good, lie, "verified", good),
        (bare, lie, "not_checked", bare),
        (lie, bare, "not_checked", bare),
        (b"{}", lie, "invalid", lie),
        (b"{}", bare, "not_checked", bare),
        (bare, b"{}", "not_checked", bare),
    ):
        with Server({PATH: answer(first)}) as one, Server({PATH: answer(second)}) as two:
            report, data = report_and_bytes(SUFFIX, Resolver(one.url, mirrors=[two.url]))
            assert (report.verdict, data) == (verdict, found), (ranked[first], ranked[second])
            assert two.asked == [] if first == good else two.asked


def test_of_two_lying_sources_the_first_is_reported() -> None:
    first = to_bytes(document(RECORDS[0]["canonical_record"], None))
    with Server({PATH: answer(first)}) as liar, Server({PATH: answer(b"{}")}) as another:
        report, found = report_and_bytes(SUFFIX, Resolver(liar.url, mirrors=[another.url]))
        assert report["number"].code == "number.mismatch"
        assert found == first


def test_an_empty_file_name_or_a_nul_is_refused() -> None:
    for what in ("", "nul\x00.json"):
        assert report_on(what, Resolver(offline=True)).exit_code == 2


@pytest.mark.parametrize(
    "name",
    [
        "../../x.json",
        "CON.json",
        "a/b.json",
        "nul\x00.json",
        "n" * 300 + ".json",
        "hep-th/9201013",
        "./-rf.json",
        "$(id).json",
    ],
)
def test_odd_names_are_read_or_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    before = sorted(os.listdir(tmp_path))
    report = report_on(name, Resolver(offline=True, cache=str(tmp_path / "cache")))
    assert report.exit_code in (2, 3)
    assert sorted(os.listdir(tmp_path)) == before


# --- bundles


def test_the_bundle_of_a_number_is_fetched_and_verified() -> None:
    routes = {f"/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle()))}
    with Server(routes) as server:
        report, data = bundle_of(SUFFIX, Resolver(server.url))
        assert report.verdict == "verified"
        assert report.record is not None
        assert report.record.kind == "bundle"
        assert data == to_bytes(bundle())


def test_the_bundle_of_an_arxiv_id_is_found_by_its_number() -> None:
    routes = {
        f"/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle())),
        PATH: answer(RECORD_BYTES),
        "*": answer(to_bytes({"pith_number": NUMBER})),
    }
    with Server(routes) as server:
        report, data = bundle_of("2402.15627", Resolver(server.url))
        assert report.verdict == "verified"
        assert data == to_bytes(bundle())
        server.routes[PATH] = answer(RECORD_BYTES.replace(b"MegaScale", b"NanoScale"))
        report, data = bundle_of("2402.15627", Resolver(server.url))
        assert (report.verdict, data) == ("invalid", None)


# --- report_from_folder


def test_a_record_of_the_folder_is_verified_under_its_number(tmp_path: Path) -> None:
    (tmp_path / f"{SUFFIX}.json").write_bytes(RECORD_BYTES)
    report = report_from_folder(NUMBER, folder=str(tmp_path))
    assert report.verdict == "verified"
    assert report.asked == parse_number(NUMBER)
    assert report_from_folder(SUFFIX.lower(), record=str(RECORD)).verdict == "verified"


def test_without_a_record_nothing_is_checked(tmp_path: Path) -> None:
    for report in (report_from_folder(NUMBER), report_from_folder(NUMBER, folder=str(tmp_path))):
        assert report.verdict == "not_checked"
        assert report["parse"].code == "record.none"
        assert report.asked == parse_number(NUMBER)


def test_a_file_of_the_folder_with_another_record_is_invalid(tmp_path: Path) -> None:
    other = RECORDS[0]["suffix"]
    (tmp_path / f"{other}.json").write_bytes(RECORD_BYTES)
    assert report_from_folder(other, folder=str(tmp_path)).verdict == "invalid"


def test_a_file_that_cannot_be_read_is_an_error_that_names_the_number(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"pith:XR2UHLWN: .*missing\.json") as caught:
        report_from_folder(SUFFIX, record=str(tmp_path / "missing.json"))
    assert caught.value.code == "file.unreadable"
    (tmp_path / f"{SUFFIX}.json").write_bytes(b"{")
    with pytest.raises(RecordError, match=r"pith:XR2UHLWN: .*not JSON"):
        report_from_folder(SUFFIX, folder=str(tmp_path))


def test_a_short_form_cannot_be_verified_from_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NumberError, match="give 26 characters"):
        report_from_folder(SUFFIX[:8], folder=str(tmp_path))
