"""The rows of the threat table that concern records, fetching and printing; rows tested elsewhere
are named at the end."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

import pybadge as package
from pybadge.canonical import text_form
from pybadge.checks import verify
from pybadge.errors import PybadgeError
from pybadge.escape import csv_cell, github_message, github_property, markdown, one_line
from pybadge.number import parse_number
from pybadge.resolve import Resolver, locate
from pybadge.verification import report_on
from tests.support.documents import (
    NUMBER,
    RECORD,
    SUFFIX,
    environment,
    pybadge,
    real,
    signed,
    to_bytes,
)

RECORD_BYTES = RECORD.read_bytes()


def test_threat_1_record_swapped() -> None:
    other, key = signed(title="Another paper")
    assert verify(other, trusted=[key]).verdict == "verified"
    assert verify(other, trusted=[key], asked=SUFFIX).verdict == "invalid"
    assert verify({**other, "pith_number": NUMBER}, trusted=[key]).verdict == "invalid"
    year = other["pith_number"].replace("2024", "2023")
    assert verify({**other, "pith_number": year}, trusted=[key]).verdict == "invalid"
    for command in ("badge", "embed", "latex"):
        done = pybadge(
            command,
            "-",
            "--offline",
            stdin=to_bytes({**real(), "pith_number": other["pith_number"]}),
        )
        assert done.returncode == 1, command


@pytest.mark.parametrize(
    "title",
    [
        "\u202e" + "x" * 20,
        "a\u2066b\u2069c",
        "zero\u200bwidth",
        "m" + "\u0300" * 25_000,
        "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07",
        "\x1b]52;c;ZXZpbA==\x07",
        "real\roverwritten",
        "\x9b31mred",
        "nul\x00nul",
        "line\nbreak",
    ],
)
def test_threat_9_and_17_hostile_titles_are_shown_for_what_they_are(title: str) -> None:
    made, key = signed(title=title)
    report = verify(made, trusted=[key])
    assert report.verdict == "verified", "a signature says who, not that the text is safe"
    for command in (["show"], ["verify"], ["verify", "--format", "github"]):
        done = pybadge(*command, "-", "--offline", stdin=to_bytes(made))
        text = done.stdout.decode()
        assert not set(text) & set("\x00\x07\x1b\r\x9b\u202e\u2066\u200b"), command
        assert not set(done.stderr.decode()) & set("\x00\x07\x1b\r\x9b\u202e\u2066\u200b")


def test_threat_9_letters_that_look_alike_are_not_alike() -> None:
    made = real()
    made["paper"]["title"] = made["paper"]["title"].replace("a", "а")
    assert verify(made)["title"].status == "invalid"
    assert verify(made).verdict == "invalid"


def test_threat_9_any_unicode_normalisation_of_the_signed_title_is_that_title() -> None:
    """What the registry does to text beyond ASCII is not known; a match under any form proves the
    text all the same."""
    made, key = signed(title="Erdős–Rényi graphs of Straße type, Åström")
    for title in (
        "Erdo\u030bs–Re\u0301nyi graphs of Straße type, A\u030astro\u0308m",
        "ERDŐS–RÉNYI GRAPHS OF STRASSE TYPE, ÅSTRÖM",
    ):
        outcome = verify(made, trusted=[key], title=title)["title"].status
        assert outcome == ("valid" if "STRASSE" not in title else "invalid")
    assert (
        verify(made, trusted=[key], title="Erdos-Renyi graphs of Strasse type, Astrom")[
            "title"
        ].status
        == "invalid"
    )


@given(st.text())
def test_threat_9_the_form_that_is_hashed_is_stable(text: str) -> None:
    assert text_form(f"  {text}\t") == text_form(text)


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
def test_threat_13_odd_names_are_read_or_refused_and_nothing_is_written(
    tmp_path: Path, name: str
) -> None:
    before = sorted(os.listdir(tmp_path))
    report = report_on(name, Resolver(offline=True, cache=str(tmp_path / "cache")))
    assert report.exit_code in (2, 3)
    assert sorted(os.listdir(tmp_path)) == before


def test_threat_13_an_output_name_is_the_users_alone(tmp_path: Path) -> None:
    made = real()
    made["paper"]["title"] = "../../evil"
    made["pith_number"] = "../../evil"
    done = pybadge("fetch", "-", "--lock", str(tmp_path / "pith.lock.json"), stdin=to_bytes(made))
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_threat_18_ci_annotations() -> None:
    assert (
        github_message("x%0A::error::forged\n::error::real")
        == "x%250A::error::forged ::error::real"
    )
    assert github_property("a:b,c%\n") == "a%3Ab%2Cc%25"


@given(st.text())
def test_threat_18_and_19_no_text_gets_out_of_its_line(text: str) -> None:
    for escaped in (github_message(text), github_property(text), one_line(text), csv_cell(text)):
        assert len(f"x{escaped}x".splitlines()) == 1
    assert ":" not in github_property(text)
    assert "," not in github_property(text)
    assert json.loads(verify(b"{", input=text).as_json())["input"] == text
    assert verify(b"{", input=text).as_json().isascii()


@pytest.mark.parametrize(
    "text", ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "\x00=1"]
)
def test_threat_19_formulas(text: str) -> None:
    assert csv_cell(text).startswith("'")


def test_threat_19_a_line_of_json_cannot_be_forged() -> None:
    forged = 'x"}\n{"schema": "pybadge-report/1", "verdict": "verified"}\u2028\u2029\x85'
    made = real()
    made["canonical_sha256"] = forged
    done = pybadge("verify", "-", "--json", stdin=to_bytes(made))
    assert len(done.stdout.decode().splitlines()) == 1
    assert json.loads(done.stdout)["verdict"] == "invalid"
    assert "](javascript:" not in markdown("](javascript:alert(1))")


def test_threat_21_a_file_is_opened_once(tmp_path: Path) -> None:
    """What is hashed is what is shown: a pipe gives its bytes once, and a second look would wait
    for ever."""
    pipe = tmp_path / "record.json"
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.write_bytes(RECORD_BYTES), daemon=True).start()
    done = pybadge("verify", str(pipe), "--offline", timeout=30)
    assert done.returncode == 0
    assert NUMBER.encode() in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "1." * 500_000,
        "pith:" * 100_000,
        "2402." + "1" * 1_000_000,
        "https://" + "a." * 500_000,
        "10.48550/arxiv." + "1" * 1_000_000,
        "v" * 1_000_000,
        "/" * 1_000_000,
    ],
)
def test_threat_25_long_texts_are_refused_at_once(text: str) -> None:
    started = time.process_time()
    for read in (parse_number, locate):
        with pytest.raises(PybadgeError):
            read(text)
    assert time.process_time() - started < 0.2
    started = time.process_time()
    one_line(text)
    assert time.process_time() - started < 0.5


@st.composite
def prefixes(draw: DrawFn) -> str:
    return SUFFIX[: draw(st.sampled_from([8, 12, 16]))]


@given(prefixes())
def test_threat_28_a_short_form_names_but_never_proves(prefix: str) -> None:
    report = verify(real(), asked=prefix)
    assert report["number"].code.startswith("number.short")
    assert report.number is not None
    assert report.number.is_full


def test_threat_28_a_short_form_of_two_locked_records_takes_neither_unseen(tmp_path: Path) -> None:
    """The tool lists both and asks for the full number. (Numbers that begin alike take 2^40 hashes:
    the lock file lies.)"""
    lock = tmp_path / "pith.lock.json"
    numbers = [f"pith:2024:AAAAAAAA{letter * 18}" for letter in "BC"]
    entry = {"asked": ["arxiv:2402.15627"], "file_sha256": "0" * 64}
    records = [{**entry, "number": number} for number in numbers]
    lock.write_text(json.dumps({"schema": "pybadge-lock/1", "records": records}))
    for what in ("AAAAAAAA", "2402.15627"):
        report = report_on(what, Resolver(offline=True, lock=str(lock)))
        assert report["parse"].code == "lock.ambiguous"
        assert report.exit_code == 2
        assert all(number in report["parse"].detail for number in numbers)
    assert (
        report_on(numbers[0], Resolver(offline=True, lock=str(lock)))["parse"].code
        == "file.unreadable"
    )


def test_the_environment_decides_nothing_about_trust_by_itself() -> None:
    made, _ = signed()
    done = pybadge(
        "verify", "-", stdin=to_bytes(made), env=environment(PITH_KEY="x", PYBADGE_KEYS="y")
    )
    assert done.returncode == 3
    assert package.verify(made).verdict == "not_checked"


# Threats 2, 3, 4, 6, 8: test_checks. 5: test_keys. 7: test_record. 14, 15, 16: test_resolve. 20:
# test_cache.
