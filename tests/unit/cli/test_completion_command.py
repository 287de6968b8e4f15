"""``pybadge completion``: scripts with every command and option, run by the shells at hand."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pybadge.cli.commands import COMMANDS
from pybadge.cli.completion import SHELLS
from tests.support.command import pybadge


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_names_every_command_and_option(shell: str) -> None:
    done = pybadge("completion", shell)
    assert done.returncode == 0
    text = done.stdout.decode()
    for name in (*COMMANDS, "trust-key", "abstract-file"):
        assert name in text


def test_an_unknown_shell_is_an_invalid_choice() -> None:
    done = pybadge("completion", "cmd")
    assert done.returncode == 2
    assert b"invalid choice: 'cmd' (choose from bash, " in done.stderr


def test_bash_completes_a_command(tmp_path: Path) -> None:
    script = tmp_path / "pybadge"
    script.write_bytes(pybadge("completion", "bash").stdout)
    complete = (
        f"source {script}; COMP_WORDS=(pybadge ver); COMP_CWORD=1; _shtab_pybadge; "
        "echo ${COMPREPLY[@]}"
    )
    done = subprocess.run(["bash", "-c", complete], capture_output=True, check=True)
    assert done.stdout.split() == [b"verify"]


def test_fish_completes_a_command(tmp_path: Path) -> None:
    script = tmp_path / "pybadge.fish"
    script.write_bytes(pybadge("completion", "fish").stdout)
    complete = f"source {script}; complete --do-complete 'pybadge ver'"
    done = subprocess.run(
        ["fish", "--no-config", "--command", complete], capture_output=True, check=True
    )
    assert [line.split(b"\t")[0] for line in done.stdout.splitlines()] == [b"verify"]
