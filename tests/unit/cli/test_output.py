"""Unfriendly surroundings: consoles without the icons, hostile texts, closed pipes, full disks."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import Any

import pytest

from tests.support.command import HANG, environment, on_a_terminal, program, pybadge
from tests.support.data import RECORD, RECORD_BYTES
from tests.support.documents import real, signed, to_bytes

CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")
HOSTILE = (
    "a\x1b[2J\x1b]52;c;AAAA\x07\x9b31m\rb\u202ec\u2066d\u200be"
    "%0A::error::forged\n::error::real\U000e0041"
)
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\U000e0041]")

# --- what a terminal obeys


def hostile() -> dict[str, Any]:
    made, _ = signed(title=HOSTILE, authors=HOSTILE)
    made["receipt"]["key_id"] = HOSTILE
    made["aliases"] = [{"alias_kind": "doi", "alias_value": HOSTILE}]
    made["pith_number"] = HOSTILE
    made["canonical_sha256"] = HOSTILE
    return made


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify"],
        ["show"],
        ["verify", "--json"],
        ["verify", "--format", "github"],
        ["verify", "--format", "sarif"],
    ],
    ids=" ".join,
)
def test_no_escape_sequence_of_an_invalid_record_reaches_a_terminal(arguments: list[str]) -> None:
    done = pybadge(*arguments, "-", "--offline", stdin=to_bytes(hostile()))
    assert done.returncode == 1
    text = done.stdout.decode()
    assert "\n::error::real" not in text
    assert not FORBIDDEN.search(text), FORBIDDEN.search(text)
    assert not FORBIDDEN.search(done.stderr.decode())


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
    ids=lambda title: ascii(title[:8]),
)
def test_a_validly_signed_title_is_shown_for_what_it_is(title: str) -> None:
    """A signature says who, not that the text is safe."""
    made, _ = signed(title=title)
    for arguments in (["show"], ["verify"], ["verify", "--format", "github"]):
        done = pybadge(*arguments, "-", "--offline", stdin=to_bytes(made))
        assert done.returncode == 3
        assert not FORBIDDEN.search(done.stdout.decode()), arguments
        assert not FORBIDDEN.search(done.stderr.decode()), arguments


# --- consoles


@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "latin-1", "cp437"])
def test_a_console_without_the_icons_gets_words(encoding: str) -> None:
    env = environment(PYTHONIOENCODING=encoding)
    made = real()
    made["paper"]["title"] = "Ж ✓ \U0001f600"
    for arguments in (["verify"], ["show"], ["verify", "--json"], ["verify", "--format", "github"]):
        done = pybadge(*arguments, "-", "--offline", stdin=to_bytes(made), env=env)
        assert done.returncode == 1
        assert done.stderr == b""
        done.stdout.decode(encoding)
    text = pybadge("verify", str(RECORD), "--offline", env=env).stdout.decode(encoding)
    assert "ok receipt_signature" in text
    for arguments in (["--help"], ["verify", "--help"], ["keys"]):
        assert pybadge(*arguments, env=env).returncode == 0
    assert pybadge("verify", "Ж", env=env).returncode == 2


@pytest.mark.parametrize(
    "encoding", ["ascii", "cp1252:strict", "latin-1:strict", "shift_jis", "utf-16"]
)
def test_whatever_stdout_cannot_encode_is_replaced(encoding: str) -> None:
    done = pybadge("verify", str(RECORD), "--offline", env=environment(PYTHONIOENCODING=encoding))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "receipt_signature" in done.stdout.decode(encoding.split(":")[0])


def test_colours_are_used_only_on_a_terminal_that_wants_them() -> None:
    arguments = ["verify", str(RECORD), "--offline"]
    assert "\x1b[32mverified\x1b[0m" in on_a_terminal(arguments, NO_COLOR="")
    assert "\x1b" not in on_a_terminal(arguments, NO_COLOR="1")
    assert "\x1b" not in on_a_terminal(arguments, TERM="dumb")
    assert b"\x1b" not in pybadge(*arguments).stdout


# --- pipes and disks


def into(stdout: Any, *arguments: str, stdin: bytes = b"", unbuffered: str = "") -> Any:
    """Run the command with its stdout in some place."""
    return subprocess.run(
        program(*arguments),
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        check=False,
        timeout=HANG,
        env=environment(PYTHONUNBUFFERED=unbuffered),
    )


def into_closed_pipe(*arguments: str, stdin: bytes = b"", unbuffered: str = "") -> Any:
    read, write = os.pipe()
    os.close(read)
    try:
        return into(write, *arguments, stdin=stdin, unbuffered=unbuffered)
    finally:
        os.close(write)


@pytest.mark.parametrize(
    "arguments",
    [
        ["verify", str(RECORD), "--offline"],
        ["show", str(RECORD), "--offline"],
        ["keys"],
        ["--help"],
        ["completion", "bash"],
    ],
    ids=lambda arguments: arguments[0],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_closed_pipe_is_quiet(arguments: list[str], unbuffered: str) -> None:
    done = into_closed_pipe(*arguments, unbuffered=unbuffered)
    assert done.stderr == b""
    assert done.returncode == 0, "what was checked was checked to the end"


def test_a_closed_pipe_hides_no_verdict() -> None:
    arguments = ["verify", "--offline", str(RECORD), "-"]
    done = into_closed_pipe(*arguments, stdin=CHANGED, unbuffered="1")
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize(
    "command",
    [
        f"verify {RECORD} --offline",
        f"show {RECORD}",
        "verify --help",
        "keys --json",
        "completion bash",
    ],
    ids=lambda command: command[:12],
)
def test_a_reader_that_stops_early_gets_no_complaint(command: str) -> None:
    for reader in ("head -1", "true"):
        for unbuffered in ("", "1"):
            done = subprocess.run(
                ["bash", "-c", f"{sys.executable} -m pybadge {command} | {reader}"],
                capture_output=True,
                check=True,
                timeout=HANG,
                env=environment(PYTHONUNBUFFERED=unbuffered),
            )
            assert done.stderr == b""


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "arguments",
    [["verify", str(RECORD), "--offline"], ["keys"], ["show", str(RECORD)], ["latex", str(RECORD)]],
    ids=lambda arguments: arguments[0],
)
def test_a_full_disk_is_one_line(arguments: list[str], unbuffered: str) -> None:
    with open("/dev/full", "wb") as full:
        done = into(full, *arguments, unbuffered=unbuffered)
    assert done.returncode == 2
    assert done.stderr == b"pybadge: standard output: can't be written: No space left on device\n"
