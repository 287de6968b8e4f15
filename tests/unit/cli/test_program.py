"""The command line as a whole: exit codes, JSON in every case, where options may stand, help."""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

import pybadge as package
from pybadge.checks import CHECK_IDS
from pybadge.cli.commands import COMMANDS, EXIT_CODES, module_of
from pybadge.cli.parser import command_parser, full_parser
from pybadge.cli.program import parse, split_command
from pybadge.cli.settings import GLOBALS
from pybadge.errors import UsageError
from tests.support.command import HANG, environment, heed_ctrl_c, program, pybadge, report_of
from tests.support.data import RECORD, RECORD_BYTES, SUFFIX
from tests.support.http_server import Request, Server

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")

# --- exit codes


def test_exit_0_when_every_required_check_is_valid() -> None:
    done = pybadge("verify", str(RECORD), "--offline")
    assert done.returncode == 0
    assert done.stderr == b""


def test_exit_1_when_something_is_invalid() -> None:
    assert pybadge("verify", "-", "--offline", stdin=CHANGED).returncode == 1


def test_exit_2_for_a_usage_error() -> None:
    for arguments in (["verify", "--nonsense"], ["nonsense"], ["--offline"]):
        done = pybadge(*arguments)
        assert done.returncode == 2
        assert done.stdout == b""
        assert done.stderr.count(b"\n") == 1


def test_exit_2_for_input_that_cannot_be_read() -> None:
    assert pybadge("verify", "missing.json").returncode == 2
    assert pybadge("verify", "-", stdin=b"{").returncode == 2


def test_exit_3_when_a_required_check_could_not_be_made() -> None:
    assert pybadge("verify", SUFFIX, "--offline").returncode == 3
    for more, code in (("timestamp", 3), ("title", 0)):
        required = f"receipt_signature,{more}"
        done = pybadge("verify", str(RECORD), "--offline", "--require", required)
        assert done.returncode == code


def test_exit_130_after_ctrl_c() -> None:
    def stall(request: Request) -> None:
        time.sleep(HANG)

    with Server({"*": stall}) as server:
        process = subprocess.Popen(
            program("verify", SUFFIX, "--resolver", server.url, "--cache", "off"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            preexec_fn=heed_ctrl_c,
        )
        deadline = time.monotonic() + HANG
        while not server.asked and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=HANG)
    assert process.returncode == 130
    assert (out, err) == (b"", b"")


def test_of_several_records_the_worst_decides() -> None:
    for whats, code in (
        ([str(RECORD), SUFFIX], 3),
        ([str(RECORD), SUFFIX, "0R2UHLWN"], 2),
        (["0R2UHLWN", SUFFIX, "-", str(RECORD)], 1),
    ):
        done = pybadge("verify", *whats, "--offline", "--cache", "off", stdin=CHANGED)
        assert done.returncode == code


def test_the_exit_codes_are_in_the_main_help_only() -> None:
    assert sorted(EXIT_CODES) == [0, 1, 2, 3, 70, 130, 141]
    text = pybadge("--help").stdout.decode()
    for code in EXIT_CODES:
        assert f"\n  {code}" in text
    for name in COMMANDS:
        assert "\nexit codes:" not in pybadge(name, "--help").stdout.decode()


CRASH = """
import sys
from pybadge.cli import main
import pybadge.cli.keys
def crash(options):
    raise RuntimeError("a fault\\nof ours")
pybadge.cli.keys.execute = crash
sys.exit(main(sys.argv[1:]))
"""


def test_exit_70_and_one_line_when_the_program_fails() -> None:
    def crash(*arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-c", CRASH, *arguments],
            capture_output=True,
            check=False,
            env=environment(),
            timeout=HANG,
        )

    done = crash("keys")
    assert (done.returncode, done.stdout) == (70, b"")
    assert done.stderr.count(b"\n") == 1
    assert b"RuntimeError: a fault" in done.stderr
    assert b"--debug" in done.stderr
    for debugging in (crash("keys", "--debug"), crash("--debug", "keys")):
        assert debugging.returncode == 70
        assert b"Traceback" in debugging.stderr


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
def test_an_error_is_one_object_too(arguments: list[str], code: int, what: str) -> None:
    more = ["--cache", "off"] if arguments[0] in COMMANDS else []
    done = pybadge(*arguments, *more)
    assert done.returncode == code
    report = report_of(done)
    assert report["schema"] == "pybadge-report/1"
    assert [check["id"] for check in report["checks"]] == list(CHECK_IDS)
    assert report["verdict"] != "verified"
    if what:
        assert report["input"] == what
    assert b"Traceback" not in done.stderr


def test_the_detail_of_a_usage_error_is_in_the_parse_check() -> None:
    report = report_of(pybadge("verify", "--json", "--nonsense"))
    assert report["verdict"] == "unreadable"
    parsed = report["checks"][0]
    assert parsed["status"] == "not_checked"
    assert "--nonsense" in parsed["detail"]


# --- the parser


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["verify", "X"], ([], "verify", ["X"])),
        (["--offline", "verify", "X"], (["--offline"], "verify", ["X"])),
        (["-q", "verify", "-v"], (["-q"], "verify", ["-v"])),
        (["--resolver", "verify", "verify", "X"], (["--resolver", "verify"], "verify", ["X"])),
        (
            ["--resolver=u", "--trust-key", "k", "keys"],
            (["--resolver=u", "--trust-key", "k"], "keys", []),
        ),
        (["--offline"], (["--offline"], None, [])),
        (["--resolver"], (["--resolver"], None, [])),
        (["-", "verify"], ([], "-", ["verify"])),
        ([], ([], None, [])),
    ],
)
def test_options_of_every_command_may_stand_before_it(line: list[str], expected: Any) -> None:
    assert split_command(line) == expected


def test_both_places_of_a_repeated_option_count() -> None:
    line = ["--trust-key", "first.key", "verify", "-", "--trust-key", "second.key", "--offline"]
    command, options = parse(line)
    assert command == "verify"
    assert options.trust_key == ["first.key", "second.key"]
    assert options.what == ["-"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            ["verfy"],
            r"COMMAND: invalid choice: 'verfy' \(choose from verify, .*did you mean verify",
        ),
        (["verify", "--jsno"], "unrecognized arguments: --jsno; did you mean --json"),
        (["verify", "--js"], "unrecognized arguments: --js"),
        (["verify", "--title"], "expected one argument"),
        (["keys", "extra"], "unrecognized arguments: extra"),
    ],
)
def test_a_line_that_is_not_understood_says_what_was_meant(line: list[str], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        parse(line)


def test_version_and_help_are_answered_in_one_place() -> None:
    for arguments in (["--version"], ["-V"], ["--offline", "--version"]):
        done = pybadge(*arguments)
        assert (done.returncode, done.stdout.decode()) == (0, f"pybadge {package.__version__}\n")
    top = pybadge("--help").stdout.decode()
    for name, summary in COMMANDS.items():
        assert name in top
        assert summary in top
        done = pybadge(name, "--help")
        assert done.returncode == 0
        assert f"pybadge {name}" in done.stdout.decode()
        assert done.stdout == pybadge("help", name).stdout


def test_the_options_of_every_command_are_listed_once() -> None:
    top = pybadge("--help").stdout.decode()
    for option in GLOBALS:
        assert f"--{option}" in top
    assert pybadge().stdout.decode() == pybadge("help").stdout.decode() == top
    for name in COMMANDS:
        text = pybadge(name, "--help").stdout.decode()
        assert "--allow-host" not in text
        assert "options of every command:" not in text
        assert "\nexamples:\n  pybadge " in text
        assert text.splitlines()[-1].endswith("pybadge --help")


def test_options_of_every_command_are_taken_before_and_after_it_all_the_same() -> None:
    for line in (["--quiet", "keys"], ["keys", "-q"], ["--color", "never", "badge", "-"]):
        assert parse(line)[1].color_when in (None, "never")
    assert parse(["badge", "-", "--color", "red"])[1].color == "red"
    with pytest.raises(UsageError, match="unrecognized arguments: --jobs"):
        parse(["--jobs", "verify", "-"])


def test_help_wraps_to_the_terminal() -> None:
    for columns in ("40", "60", "100", "500"):
        text = pybadge("verify", "--help", env=environment(COLUMNS=columns)).stdout.decode()
        # Descriptions and exit codes are laid out by hand.
        options = text.partition("options:")[2].partition("examples:")[0]
        assert max(map(len, options.splitlines())) <= min(max(int(columns), 40), 100)


def test_every_command_has_a_parser_of_its_own_and_one_in_the_whole() -> None:
    whole = full_parser()
    for name in COMMANDS:
        module_of(name).configure(argparse.ArgumentParser())
        assert command_parser(name).prog == f"pybadge {name}"
        assert callable(module_of(name).execute)
    assert whole.prog == "pybadge"


# --- what a start costs

HEAVY = [
    "requests",
    "urllib3",
    "cryptography",
    "PIL",
    "jinja2",
    "qrcode",
    "tqdm",
    "shtab",
    "wcwidth",
]


def loaded_by(arguments: list[str]) -> set[str]:
    """The modules that a run loads."""
    code = (
        "import sys; from pybadge.cli import main; code = main(sys.argv[1:]); "
        "sys.stderr.write(' '.join(sys.modules)); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        check=True,
        env=environment(),
        timeout=HANG,
    )
    return set(done.stderr.decode().split())


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", str(RECORD), "--offline"],
        ["--offline", "verify", str(RECORD), "--json"],
        ["show", str(RECORD)],
        ["keys"],
        ["latex", str(RECORD)],
    ],
    ids=" ".join,
)
def test_no_heavy_library_is_loaded_for_a_file(arguments: list[str]) -> None:
    assert loaded_by(arguments) & set(HEAVY) == set()


def test_the_version_needs_no_module_of_the_package_but_its_own() -> None:
    modules = loaded_by(["--version"])
    ours = {name for name in modules if name.partition(".")[0] == "pybadge"}
    assert ours == {"pybadge", "pybadge._version", "pybadge.cli"}
    assert modules & {"argparse", "json", "hashlib", *HEAVY} == set()


def test_no_module_takes_the_place_of_main() -> None:
    """Importing a submodule sets its name in the package."""
    code = "import pybadge.cli, pybadge.cli.program; pybadge.cli.main(['--version'])"
    subprocess.run([sys.executable, "-c", code], check=True, env=environment(), timeout=HANG)
