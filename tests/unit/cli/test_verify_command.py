"""``pybadge verify``: formats, files, and what goes together."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from tests.support.asking import PATH
from tests.support.command import environment, pybadge, report_of
from tests.support.data import DATA, NUMBER, RECORD, RECORD_BYTES, SUFFIX
from tests.support.documents import real, signed, to_bytes
from tests.support.http_server import Server, answer, in_turn

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")


def test_each_format_prints_each_report() -> None:
    arguments = ["verify", str(RECORD), "-", "--offline"]
    for form, words in (
        ("text", [b"  verified\n", b"  INVALID: "]),
        ("json", [b'"verdict": "verified"', b'"verdict": "invalid"']),
        ("github", [b"::notice file=", b"::error file=-"]),
        ("sarif", [b'"kind": "fail"']),
    ):
        done = pybadge(*arguments, "--format", form, stdin=CHANGED)
        assert done.returncode == 1
        assert done.stderr == b""
        assert all(word in done.stdout for word in words), form
    sarif = json.loads(done.stdout)
    assert len(sarif["runs"][0]["results"]) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["--format", "sarf", "X"],
        ["--resume", "X"],
        ["--jobs", "2", "X"],
        ["-o", "out.jsonl", "X"],
        ["--executor", "serial", "X"],
        [],
    ],
    ids=" ".join,
)
def test_options_that_do_not_go_together_are_refused(arguments: list[str]) -> None:
    done = pybadge("verify", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1


def test_a_warning_is_given_for_a_required_check_that_is_open() -> None:
    required = ["--require", "timestamp"]
    done = pybadge("verify", str(RECORD), "--offline", "--format", "github", *required)
    assert done.returncode == 3
    assert b"::warning " in done.stdout
    assert b"timestamp" in done.stdout
    assert b"verified" not in done.stdout


def test_title_and_abstract_are_compared_with_their_hashes(tmp_path: Path) -> None:
    abstract = str(DATA / "abstract-2402.15627.txt")
    title = real()["paper"]["title"].upper()
    given = ["--title", title, "--abstract-file", abstract, "--require", "title,abstract"]
    done = pybadge("verify", str(RECORD), *given, "--json")
    assert done.returncode == 0
    statuses = {check["id"]: check["status"] for check in report_of(done)["checks"]}
    assert statuses["title"] == statuses["abstract"] == "valid"
    assert pybadge("verify", str(RECORD), "--title", "Another").returncode == 1
    odd = tmp_path / "abstract.txt"
    odd.write_bytes(b"\xff")
    refused = pybadge("verify", str(RECORD), "--abstract-file", str(odd))
    assert refused.returncode == 2
    assert b"not UTF-8" in refused.stderr


def test_a_file_is_opened_once(tmp_path: Path) -> None:
    """What is hashed is what is shown: a pipe gives its bytes once, and a second look would wait
    for ever."""
    pipe = tmp_path / "record.json"
    os.mkfifo(pipe)
    threading.Thread(target=lambda: pipe.write_bytes(RECORD_BYTES), daemon=True).start()
    done = pybadge("verify", str(pipe), "--offline")
    assert done.returncode == 0
    assert NUMBER.encode() in done.stdout


def test_a_line_of_json_cannot_be_forged() -> None:
    made = real()
    made["canonical_sha256"] = (
        'x"}\n{"schema": "pybadge-report/1", "verdict": "verified"}\u2028\u2029\x85'
    )
    done = pybadge("verify", "-", "--json", stdin=to_bytes(made))
    assert len(done.stdout.decode().splitlines()) == 1
    assert report_of(done)["verdict"] == "invalid"


def test_a_server_that_recovers_is_no_failure() -> None:
    with Server({PATH: in_turn(answer(b"", status=502), answer(RECORD_BYTES))}) as server:
        done = pybadge("verify", SUFFIX, "--resolver", server.url, "--cache", "off")
        assert done.returncode == 0


def test_a_server_that_asks_for_a_day_is_not_waited_for() -> None:
    busy = answer(b"", status=503, headers={"Retry-After": "86400"})
    with Server({"*": busy}) as server:
        done = pybadge("verify", SUFFIX, "--resolver", server.url, "--cache", "off")
        assert done.returncode == 3
        assert len(server.asked) == 1


@pytest.mark.parametrize("command", ["verify", "show", "badge", "latex", "embed"])
def test_a_file_needs_no_server(command: str) -> None:
    with Server() as server:
        env = environment(PYBADGE_RESOLVER=server.url, PYBADGE_CACHE="off")
        assert pybadge(command, str(RECORD), env=env).returncode == 0
        assert server.asked == []


@pytest.mark.parametrize("command", ["badge", "embed", "latex"])
def test_a_record_that_calls_itself_another_is_invalid_for_every_command(command: str) -> None:
    other, _ = signed(title="Another paper")
    swapped = to_bytes({**real(), "pith_number": other["pith_number"]})
    assert pybadge(command, "-", "--offline", stdin=swapped).returncode == 1
