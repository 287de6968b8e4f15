"""The commands as programs: exit codes, one object in every case, settings, formats, and unfriendly
surroundings."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge import escape
from pybadge.checks import CHECK_IDS, verify
from pybadge.cli.completion import SHELLS
from pybadge.cli.main import COMMANDS, EXIT_CODES, module_of, split_command
from pybadge.cli.parser import command_parser
from pybadge.cli.quick import NotPlainError, QuickParser
from pybadge.cli.settings import GLOBALS, add_globals
from pybadge.reporting import github_lines, report_sarif
from tests.support.documents import (
    NUMBER,
    PITH,
    REAL,
    RECORD,
    SUFFIX,
    environment,
    heed_ctrl_c,
    key_json,
    on_a_terminal,
    pybadge,
    real,
    signed,
    to_bytes,
)
from tests.support.http_lab import answer, lab

HOSTILE = "a\x1b[2J\x1b]52;c;AAAA\x07\x9b31m\rb\u202ec\u2066d\u200be%0A::error::forged\n::error::real\U000e0041"
CHANGED = RECORD.read_bytes().replace(b"MegaScale", b"NanoScale")


def report_of(done: subprocess.CompletedProcess[bytes]) -> dict[str, Any]:
    (line,) = done.stdout.splitlines()
    report: dict[str, Any] = json.loads(line)
    assert report["schema"] == "pybadge-report/1"
    assert [check["id"] for check in report["checks"]] == list(CHECK_IDS)
    return report


# --- exit codes, one test each


def test_exit_0_when_every_required_check_is_valid() -> None:
    done = pybadge("verify", str(RECORD), "--offline")
    assert done.returncode == 0
    assert done.stderr == b""


def test_exit_1_when_something_is_invalid() -> None:
    assert pybadge("verify", "-", "--offline", stdin=CHANGED).returncode == 1


def test_exit_2_for_a_usage_error() -> None:
    done = pybadge("verify", "--nonsense")
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1


def test_exit_2_for_input_that_cannot_be_read() -> None:
    assert pybadge("verify", "missing.json").returncode == 2
    assert pybadge("verify", "-", stdin=b"{").returncode == 2


def test_exit_3_when_a_required_check_could_not_be_made() -> None:
    assert pybadge("verify", SUFFIX, "--offline").returncode == 3
    assert (
        pybadge(
            "verify", str(RECORD), "--offline", "--require", "receipt_signature,timestamp"
        ).returncode
        == 3
    )
    assert (
        pybadge(
            "verify", str(RECORD), "--offline", "--require", "receipt_signature,title"
        ).returncode
        == 0
    )


def test_exit_130_after_ctrl_c() -> None:
    with lab({"*": lambda _request: time.sleep(30)}) as server:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "pybadge",
                "verify",
                SUFFIX,
                "--resolver",
                server.url,
                "--cache",
                "off",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            preexec_fn=heed_ctrl_c,
        )
        deadline = time.monotonic() + 20
        while not server.seen and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")


def test_the_worst_of_several_decides() -> None:
    for whats, code in (
        ([str(RECORD), SUFFIX], 3),
        ([str(RECORD), SUFFIX, "0R2UHLWN"], 2),
        (["0R2UHLWN", SUFFIX, "-", str(RECORD)], 1),
    ):
        assert (
            pybadge("verify", *whats, "--offline", "--cache", "off", stdin=CHANGED).returncode
            == code
        )


def test_the_documented_exit_codes_are_these() -> None:
    assert sorted(EXIT_CODES) == [0, 1, 2, 3, 130, 141]
    text = pybadge("verify", "--help").stdout.decode()
    for code in EXIT_CODES:
        assert f"\n  {code}" in text


# --- --json in every case


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [
        (["verify", "--json"], 2, ""),
        (["verify", "--json", "--nonsense", "X"], 2, "X"),
        (["verify", "--json", "X", "--require", "nonsense"], 2, "X"),
        (["verify", "--json", "X", "--timeout", "soon"], 2, "X"),
        (["verify", "--json", "X", "--timeout", "nan"], 2, "X"),
        (["verify", "--json", "X", "--resolver", "http://pith.science"], 2, "X"),
        (["verify", "--json", "X", "--trust-key", "missing"], 2, "X"),
        (["verify", "--json", "X", "--format", "sarif"], 2, "X"),
        (["verify", "--json", "X", "--abstract-file", "missing"], 2, "X"),
        (["verify", "--json", "X", "--shard", "1/2"], 2, "X"),
        (["verify", "--json", "0R2UHLWN"], 2, "0R2UHLWN"),
        (["show", "--json", "missing.json"], 2, "missing.json"),
        (["show", "--json", SUFFIX, "--offline"], 3, SUFFIX),
        (["show", "--json"], 2, ""),
        (["nonsense", "--json"], 2, ""),
        (["--json"], 2, ""),
        (["verify", "--format=json", "--nonsense", "X"], 2, "X"),
        (["verify", "--format", "json", "--nonsense"], 2, ""),
    ],
)
def test_errors_are_one_object_too(arguments: list[str], code: int, what: str) -> None:
    done = (
        pybadge(*arguments, "--cache", "off") if arguments[0] in COMMANDS else pybadge(*arguments)
    )
    assert done.returncode == code
    report = report_of(done)
    assert report["verdict"] != "verified"
    if what:
        assert report["input"] == what
    assert b"Traceback" not in done.stderr


def test_the_detail_of_a_usage_error_is_in_the_parse_check() -> None:
    report = report_of(pybadge("verify", "--json", "--nonsense"))
    assert report["verdict"] == "not_checked"
    parse = report["checks"][0]
    assert parse["status"] == "not_checked"
    assert "--nonsense" in parse["detail"]


# --- the quick reader and argparse


@st.composite
def command_lines(draw: st.DrawFn) -> list[str]:
    plain = [
        "--json",
        "--offline",
        "--title",
        "T",
        "--title=T",
        "--require=a,b",
        "-o",
        "FILE",
        "-",
        "WHAT",
        "a b",
        "",
    ]
    odd = [
        "--",
        "--js",
        "-x",
        "-oFILE",
        "--json=1",
        "--help",
        "-5",
        "--trust-key",
        "k",
        "--mirror=m",
        "--batch",
        "--lock=",
        "é",
    ]
    return draw(st.lists(st.sampled_from(plain) | st.sampled_from(odd), max_size=7))


@given(command=st.sampled_from(list(COMMANDS)), line=command_lines())
def test_what_the_quick_reader_answers_argparse_answers_alike(
    command: str, line: list[str]
) -> None:
    quick: Any = QuickParser()
    try:
        module_of(command).configure(quick)
        add_globals(quick)
        ours = vars(quick.parse(line))
    except NotPlainError:
        return
    theirs = vars(command_parser(command).parse_args(line))
    assert ours == theirs


def test_plain_lines_need_no_argparse() -> None:
    code = (
        "import sys; from pybadge.cli import main; code = main(sys.argv[1:]); "
        "slow = {'argparse', 're', 'json', 'hashlib', 'requests', 'cryptography', 'typing'} & set(sys.modules); "
        "sys.exit(f'{slow}' if slow else code)"
    )
    for arguments in (
        ["verify", str(RECORD), "--offline"],
        ["--offline", "verify", str(RECORD), "--json"],
        ["verify", str(RECORD), str(RECORD), "--offline", "--title=x", "--require", "title"],
        ["keys"],
        ["--version"],
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments],
            capture_output=True,
            check=False,
            env=environment(),
        )
        assert done.returncode in (0, 1), (arguments, done.stderr)
        assert not done.stderr, (arguments, done.stderr)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["verify", "X"], ("verify", ["X"])),
        (["--offline", "verify", "X"], ("verify", ["--offline", "X"])),
        (["--resolver", "verify", "verify", "X"], ("verify", ["--resolver", "verify", "X"])),
        (
            ["--resolver=u", "--trust-key", "k", "keys"],
            ("keys", ["--resolver=u", "--trust-key", "k"]),
        ),
        (["--offline"], (None, ["--offline"])),
        (["-", "verify"], ("-", ["verify"])),
        ([], (None, [])),
    ],
)
def test_options_of_every_command_may_stand_before_it(line: list[str], expected: Any) -> None:
    assert split_command(line) == expected


def test_both_places_of_a_repeated_option_count() -> None:
    made, key = signed()
    arguments = [
        "--trust-key",
        "first.key",
        "verify",
        "-",
        "--trust-key",
        "second.key",
        "--offline",
    ]
    command, rest = split_command(arguments)
    assert command == "verify"
    quick: Any = QuickParser()
    module_of("verify").configure(quick)
    add_globals(quick)
    assert quick.parse(rest).trust_key == ["first.key", "second.key"]
    assert verify(made, trusted=[key]).verdict == "verified"


def test_version_and_help() -> None:
    import pybadge as package

    for arguments in (["--version"], ["-V"], ["--offline", "--version"]):
        done = pybadge(*arguments)
        assert (done.returncode, done.stdout.decode()) == (0, f"pybadge {package.__version__}\n")
    top = pybadge("--help").stdout.decode()
    for name, (_, summary) in COMMANDS.items():
        assert name in top
        assert summary in top
        done = pybadge(name, "--help")
        assert done.returncode == 0
        assert f"pybadge {name}" in done.stdout.decode()
        for option in GLOBALS:
            assert f"--{option}" in done.stdout.decode()


# --- keys


def test_a_trusted_key_is_named_with_its_fingerprint_and_believed(tmp_path: Path) -> None:
    made, key = signed()
    path = tmp_path / "journal.json"
    path.write_text(key_json(key, registry="Journal of Tests"))
    record = tmp_path / "record.json"
    record.write_bytes(to_bytes(made))
    assert pybadge("verify", str(record), "--offline").returncode == 3
    done = pybadge("verify", str(record), "--offline", "--trust-key", str(path))
    assert done.returncode == 0
    assert key.fingerprint.encode() in done.stderr
    assert b"Journal of Tests key key-7 (trusted by you)" in done.stdout
    assert b"Pith key" not in done.stdout
    for command in ("badge", "embed", "show", "latex"):
        assert (
            pybadge(command, str(record), env=environment(PYBADGE_TRUST_KEY=str(path))).returncode
            == 0
        ), command


def test_keys_lists_pinned_and_trusted_ones_in_a_form_that_is_read_back(tmp_path: Path) -> None:
    _, key = signed()
    path = tmp_path / "own.json"
    path.write_text(key_json(key))
    done = pybadge("keys", "--json", "--trust-key", str(path))
    pinned, trusted = (json.loads(line) for line in done.stdout.splitlines())
    assert pinned["public_key_fingerprint"] == PITH.fingerprint
    assert pinned["pinned"] is True
    assert trusted["public_key_fingerprint"] == key.fingerprint
    path.write_text(json.dumps(trusted))
    assert pybadge("keys", "--trust-key", str(path)).returncode == 0
    text = pybadge("keys").stdout.decode()
    assert PITH.fingerprint in text
    assert "pinned" in text


def test_a_key_file_that_takes_the_pinned_name_is_refused(tmp_path: Path) -> None:
    _, key = signed()
    path = tmp_path / "evil.json"
    path.write_text(key_json(key, key_id=PITH.key_id))
    done = pybadge("verify", str(RECORD), "--trust-key", str(path))
    assert done.returncode == 2
    assert b"pinned key" in done.stderr


# --- fetch


def test_fetch_prints_or_saves_the_very_bytes(tmp_path: Path) -> None:
    with lab({f"/pith/{SUFFIX}.json": answer(RECORD.read_bytes())}) as server:
        base = ["fetch", SUFFIX, "--resolver", server.url, "--cache", "off"]
        assert pybadge(*base).stdout == RECORD.read_bytes()
        target = tmp_path / "saved.json"
        assert pybadge(*base, "-o", str(target)).returncode == 0
        assert target.read_bytes() == RECORD.read_bytes()
        assert pybadge(*base, "-o", str(tmp_path / "no" / "saved.json")).returncode == 2
        assert pybadge(*base, "-o", str(target), "--lock", str(tmp_path / "l.json")).returncode == 2
        server.routes[f"/pith/{SUFFIX}.json"] = answer(CHANGED)
        assert pybadge(*base, "-o", str(target)).returncode == 1
        assert target.read_bytes() == RECORD.read_bytes()


def test_fetch_saves_what_nobody_vouches_for_but_says_so(tmp_path: Path) -> None:
    made, _ = signed()
    target = tmp_path / "saved.json"
    done = pybadge("fetch", "-", "-o", str(target), stdin=to_bytes(made))
    assert done.returncode == 3
    assert b"not checked" in done.stderr
    assert target.read_bytes() == to_bytes(made)


def test_fetch_bundle(tmp_path: Path) -> None:
    bundle = {
        "bundle_type": "pith_open_graph_bundle",
        "pith_number": NUMBER,
        "canonical_record": REAL["canonical_record"],
        "canonical_sha256": REAL["canonical_sha256"],
        "events": [{"event_type": "record_created", "payload": {"receipt": REAL["receipt"]}}],
    }
    routes = {
        f"/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle)),
        f"/pith/{SUFFIX}.json": answer(RECORD.read_bytes()),
    }
    with lab({**routes, "*": answer(to_bytes({"pith_number": NUMBER}))}) as server:
        base = ["--resolver", server.url, "--cache", str(tmp_path)]
        assert pybadge("fetch", SUFFIX, *base).stdout == RECORD.read_bytes()
        for what in (SUFFIX, "2402.15627"):
            done = pybadge("fetch", what, "--bundle", *base)
            assert (done.returncode, done.stdout) == (0, to_bytes(bundle)), done.stderr
        offline = ["--offline", "--cache", str(tmp_path)]
        assert pybadge("fetch", SUFFIX, "--bundle", *offline).stdout == to_bytes(bundle)
        assert pybadge("fetch", SUFFIX, *offline).stdout == RECORD.read_bytes()


# --- settings


def test_flag_beats_environment_beats_file(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    with lab({"*": answer(RECORD.read_bytes())}) as server, lab({"*": answer(CHANGED)}) as liar:
        config.write_text(f'resolver = "{liar.url}"\ncache = "off"\n')
        env = environment(PYBADGE_CONFIG=str(config))
        assert pybadge("verify", SUFFIX, env=env).returncode == 1
        env["PYBADGE_RESOLVER"] = server.url
        assert pybadge("verify", SUFFIX, env=env).returncode == 0
        assert pybadge("verify", SUFFIX, "--resolver", liar.url, env=env).returncode == 1
        env["PYBADGE_OFFLINE"] = "1"
        assert pybadge("verify", SUFFIX, env=env).returncode == 3
        env["PYBADGE_OFFLINE"] = "0"
        assert pybadge("verify", SUFFIX, env=env).returncode == 0


def test_a_config_file_may_hold_every_setting(tmp_path: Path) -> None:
    made, key = signed()
    (tmp_path / "own.json").write_text(key_json(key))
    folder = tmp_path / "config" / "pybadge"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(
        f'trust-key = "{tmp_path}/own.json"\noffline = true\ntimeout = 5\nmirror = ["https://m.example"]\nallow-host = []\n'
    )
    env = environment(XDG_CONFIG_HOME=str(tmp_path / "config"))
    assert pybadge("verify", "-", stdin=to_bytes(made), env=env).returncode == 0
    assert pybadge("verify", SUFFIX, env=env).returncode == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("trustkey = 'x'", "no setting"),
        ("offline = 'yes'", "true or false"),
        ("trust-key = 7", "list of strings"),
        ("resolver = []", "a string"),
        ("x = ", "not TOML"),
        ("\udcff", "not TOML"),
    ],
)
def test_a_wrong_config_file_is_an_error_not_a_guess(
    tmp_path: Path, text: str, reason: str
) -> None:
    config = tmp_path / "config.toml"
    config.write_bytes(text.encode("utf-8", "surrogateescape"))
    done = pybadge("verify", str(RECORD), env=environment(PYBADGE_CONFIG=str(config)))
    assert done.returncode == 2
    assert reason in done.stderr.decode()
    missing = pybadge("keys", env=environment(PYBADGE_CONFIG=str(tmp_path / "none.toml")))
    assert missing.returncode == 2
    assert b"PYBADGE_CONFIG" in missing.stderr


def test_no_file_in_the_current_folder_decides_whom_to_trust(tmp_path: Path) -> None:
    made, key = signed()
    (tmp_path / "own.json").write_text(key_json(key))
    for name in ("config.toml", "pybadge.toml", ".pybadge.toml"):
        (tmp_path / name).write_text('trust-key = "own.json"\n')
    (tmp_path / "pyproject.toml").write_text('[tool.pybadge]\ntrust-key = "own.json"\n')
    done = subprocess.run(
        [sys.executable, "-m", "pybadge", "verify", "-", "--offline"],
        input=to_bytes(made),
        cwd=tmp_path,
        capture_output=True,
        check=False,
        env=environment(),
    )
    assert done.returncode == 3


def test_a_nonsense_switch_in_the_environment_is_said_so() -> None:
    done = pybadge("keys", env=environment(PYBADGE_OFFLINE="maybe"))
    assert done.returncode == 2
    assert b"PYBADGE_OFFLINE" in done.stderr


# --- formats


def hostile() -> dict[str, Any]:
    made, _ = signed(title=HOSTILE)
    made["receipt"]["key_id"] = HOSTILE
    made["paper"]["authors_text"] = HOSTILE
    made["aliases"] = [{"alias_kind": "doi", "alias_value": HOSTILE}]
    made["pith_number"] = HOSTILE
    made["canonical_sha256"] = HOSTILE
    return made


FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\U000e0041]")


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["show"],
        ["verify", "--json"],
        ["verify", "--format", "github"],
        ["verify", "--format", "sarif"],
    ],
)
def test_no_escape_sequence_reaches_a_terminal(arguments: list[str]) -> None:
    done = pybadge(*arguments, "-", "--offline", stdin=to_bytes(hostile()))
    assert done.returncode == 1
    text = done.stdout.decode()
    assert "\n::error::real" not in text
    assert not FORBIDDEN.search(text), FORBIDDEN.search(text)
    assert not FORBIDDEN.search(done.stderr.decode())


@given(st.text())
def test_terminal_text_is_one_harmless_line(text: str) -> None:
    shown = escape.one_line(text)
    assert not FORBIDDEN.search(shown)
    assert "\n" not in shown
    shown.encode()


@given(st.text())
def test_a_csv_cell_is_no_formula(text: str) -> None:
    cell = escape.csv_cell(text)
    assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    row = io.StringIO()
    csv.writer(row).writerow([cell, "x"])
    assert next(csv.reader([row.getvalue().rstrip("\r\n")])) == [cell, "x"]


def test_github_annotations() -> None:
    made = real()
    made["paper"]["title"] = "x%0A::error::forged"
    made["canonical_sha256"] = "y%0A::error::forged\n::error::real,file=z"
    lines = github_lines(verify(made, input="a,b:c\n.json"))
    assert [line.split(" ")[0] for line in lines] == ["::error", "::error"]
    for line in lines:
        assert line.startswith("::error file=a%2Cb%3Ac .json,title=pybadge ")
        assert len(line.splitlines()) == 1
        assert "%0A::" not in line.replace("%250A", "")
    assert github_lines(verify(REAL, input="r.json")) == [
        f"::notice file=r.json,title=pybadge::{NUMBER} verified"
    ]
    assert pybadge(
        "verify", SUFFIX, "--offline", "--format", "github", "--cache", "off"
    ).stdout.startswith(b"::warning file=")


def test_github_warns_of_a_required_check_that_is_open() -> None:
    done = pybadge(
        "verify", str(RECORD), "--offline", "--format", "github", "--require", "timestamp"
    )
    assert done.returncode == 3
    assert b"::warning " in done.stdout
    assert b"timestamp" in done.stdout
    assert b"verified" not in done.stdout


def test_sarif() -> None:
    reports = [
        verify(REAL, input="good.json"),
        verify(CHANGED, input="bad name.json"),
        verify(b"{", input="x.json"),
    ]
    log = json.loads(report_sarif(reports))
    assert log["version"] == "2.1.0"
    assert set(log) == {"$schema", "version", "runs"}
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == list(CHECK_IDS)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert (result["level"] == "none") is (result["kind"] != "fail")
        assert result["message"]["text"]
    places = {
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for result in run["results"]
    }
    assert places == {"bad%20name.json", "x.json"}
    assert {result["ruleId"] for result in run["results"] if result["kind"] == "fail"} == {
        "title",
        "parse",
    }
    done = pybadge("verify", str(RECORD), "-", "--offline", "--format", "sarif", stdin=CHANGED)
    assert done.returncode == 1
    assert len(json.loads(done.stdout)["runs"][0]["results"]) == 1


def test_the_report_for_people_says_what_is_signed_served_and_open() -> None:
    lines = pybadge("verify", str(RECORD), "--offline").stdout.decode().splitlines()
    assert lines[0] == f"{NUMBER}  verified"
    columns = {line[4:].split(" ")[0]: line for line in lines[1:] if line.startswith("  ✓")}
    assert set(columns) >= {"receipt_signature", "number", "title"}
    assert len({line.index(line.split(None, 2)[2]) for line in columns.values()}) == 1, "aligned"
    text = "\n".join(lines)
    assert "signed       arXiv:2402.15627v1" in text
    assert "only served  authors" in text
    assert "not checked  abstract" in text
    assert "--abstract-file" in text
    assert "nothing on   timestamp, storage, author, citations, replications" in text


# --- unfriendly surroundings


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437"])
def test_consoles_without_our_signs(encoding: str) -> None:
    env = environment(PYTHONIOENCODING=encoding)
    made = real()
    made["paper"]["title"] = "Ж ✓ \U0001f600"
    for arguments in (["verify"], ["show"], ["verify", "--json"], ["verify", "--format", "github"]):
        done = pybadge(*arguments, "-", "--offline", stdin=to_bytes(made), env=env)
        assert done.returncode == 1
        assert done.stderr == b""
        done.stdout.decode(encoding)
    text = pybadge("verify", str(RECORD), "--offline", env=env).stdout.decode(encoding)
    assert ("ok receipt_signature" in text) is (encoding != "cp437" or "ok" in text)
    assert pybadge("--help", env=env).returncode == 0
    assert pybadge("verify", "--help", env=env).returncode == 0
    assert pybadge("verify", "Ж", env=env).returncode == 2


@pytest.mark.parametrize("command", ["verify", "show", "keys", "help", "completion"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_is_quiet(command: str, unbuffered: str) -> None:
    arguments = {"help": ["--help"], "keys": ["keys"], "completion": ["completion", "bash"]}.get(
        command, [command, str(RECORD), "--offline"]
    )
    read, write = os.pipe()
    os.close(read)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pybadge", *arguments],
            stdout=write,
            stderr=subprocess.PIPE,
            check=False,
            env=environment(PYTHONUNBUFFERED=unbuffered),
        )
    finally:
        os.close(write)
    assert done.stderr == b""
    assert done.returncode == 0, "what was checked was checked to the end"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [["verify", str(RECORD), "--offline"], ["keys"], ["show", str(RECORD)], ["latex", str(RECORD)]],
)
def test_a_full_disk_is_one_line(arguments: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "pybadge", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=environment(PYTHONUNBUFFERED=unbuffered),
        )
    assert done.returncode == 2
    assert done.stderr == b"pybadge: standard output: can't be written: No space left on device\n"


def test_a_closed_pipe_hides_no_verdict() -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "pybadge", "verify", "--offline", str(RECORD), "-"],
        input=CHANGED,
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        env=environment(PYTHONUNBUFFERED="1"),
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (1, b"")


def test_colours_only_on_a_terminal_that_wants_them() -> None:
    arguments = ["verify", str(RECORD), "--offline"]
    env_without = {"NO_COLOR": ""}
    assert "\x1b[32mverified\x1b[0m" in on_a_terminal(arguments, **env_without)
    assert "\x1b" not in on_a_terminal(arguments, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(arguments, TERM="dumb")
    assert b"\x1b" not in pybadge(*arguments).stdout


# --- completion


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_scripts_name_every_command_and_option(shell: str) -> None:
    done = pybadge("completion", shell)
    assert done.returncode == 0
    text = done.stdout.decode()
    for name in (*COMMANDS, "trust-key", "abstract-file"):
        assert name in text
    assert pybadge("completion", "cmd").returncode == 2


def test_bash_completes(tmp_path: Path) -> None:
    script = tmp_path / "pybadge"
    script.write_bytes(pybadge("completion", "bash").stdout)
    complete = f"source {script}; COMP_WORDS=(pybadge ver); COMP_CWORD=1; _shtab_pybadge; echo ${{COMPREPLY[@]}}"
    done = subprocess.run(["bash", "-c", complete], capture_output=True, check=True)
    assert done.stdout.split() == [b"verify"]


def test_fish_completes(tmp_path: Path) -> None:
    script = tmp_path / "pybadge.fish"
    script.write_bytes(pybadge("completion", "fish").stdout)
    complete = f"source {script}; complete --do-complete 'pybadge ver'"
    done = subprocess.run(
        ["fish", "--no-config", "--command", complete], capture_output=True, check=True
    )
    assert [line.split(b"\t")[0] for line in done.stdout.splitlines()] == [b"verify"]


def test_configure_functions_take_argparse_itself() -> None:
    for name in COMMANDS:
        module_of(name).configure(argparse.ArgumentParser())
