"""The page on verifying: its commands are understood as written, its table is the program's, its
Python runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from pybadge.cli.commands import EXIT_CODES
from pybadge.cli.parser import command_parser
from pybadge.cli.program import split_command
from tests.support.command import environment, pybadge
from tests.support.data import RECORD, ROOT

PAGE = (ROOT / "docs" / "verifying.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.strip()]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_page_is_understood(line: str) -> None:
    program, *arguments = shlex.split(line)
    assert program == "pybadge"
    _, command, rest = split_command(arguments)
    assert command is not None
    command_parser(command).parse_args(rest)


def test_the_table_of_exit_codes_is_complete() -> None:
    table = re.findall(r"^\| ([0-9, ]+) \|", PAGE, re.MULTILINE)
    assert sorted(int(code) for cell in table for code in cell.split(",")) == sorted(EXIT_CODES)


def test_the_settings_of_the_page_are_read(tmp_path: Path) -> None:
    (settings,) = blocks("toml")
    config = tmp_path / "config.toml"
    config.write_text(
        "".join(line for line in settings.splitlines(keepends=True) if "trust-key" not in line)
    )
    assert pybadge("keys", env=environment(PYBADGE_CONFIG=str(config))).returncode == 0
    config.write_text(settings)
    missing = pybadge("keys", env=environment(PYBADGE_CONFIG=str(config)))
    assert missing.returncode == 2
    assert b"/home/me/journal-key.json" in missing.stderr


def test_the_python_of_the_page_runs(tmp_path: Path) -> None:
    (code,) = blocks("python")
    (tmp_path / "records.jsonl").write_bytes(f"{RECORD}\n{{}}\n".encode() * 300)
    (tmp_path / "example.py").write_text(
        f"if __name__ == '__main__':\n{re.sub('^', '    ', code, flags=re.MULTILINE)}\n"
    )
    done = subprocess.run(
        [sys.executable, "example.py"],
        cwd=tmp_path,
        capture_output=True,
        check=True,
        env=environment(),
    )
    assert done.stdout.splitlines()[:2] == [b"1 0", b"2 2"]
    assert len(done.stdout.splitlines()) == 600
