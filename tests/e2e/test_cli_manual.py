"""The man page and the README's help blocks say what ``--help`` says."""

from __future__ import annotations

import shlex
import subprocess

import pytest

from pybadge.cli.commands import COMMANDS, EXIT_CODES
from pybadge.cli.program import parse
from pybadge.cli.settings import GLOBALS
from tests.support.command import environment, pybadge
from tests.support.data import ROOT
from tools.manual import help_blocks, help_of, man_page, with_current_help

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readmes_help_blocks_are_current() -> None:
    for command, text in help_blocks(README):
        assert text == help_of(command), f"{command}: run python tools/manual.py --write"


def test_every_help_marker_of_the_readme_has_a_block() -> None:
    assert README.count("<!-- help:") == len(help_blocks(README))


def test_a_block_is_found_compared_and_mended() -> None:
    text = "# X\n\n<!-- help: pybadge keys -->\n```text\nold\n```\n\nmore\n"
    assert help_blocks(text) == [("pybadge keys", "old\n")]
    mended = with_current_help(text)
    assert help_blocks(mended) == [("pybadge keys", help_of("pybadge keys"))]
    assert with_current_help(mended) == mended
    assert mended.endswith("```\n\nmore\n")


@pytest.mark.parametrize("command", ["pybadge", *(f"pybadge {name}" for name in COMMANDS)])
def test_help_of_is_what_the_command_prints(command: str) -> None:
    done = pybadge(*command.split()[1:], "--help", env=environment(COLUMNS="88"))
    assert done.returncode == 0
    assert done.stdout.decode() == help_of(command)
    assert max(map(len, done.stdout.decode().splitlines())) <= 100


def test_the_man_page_is_well_formed_and_complete() -> None:
    page = man_page()
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-z"],
        input=page.encode(),
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    for name in COMMANDS:
        assert f".SS pybadge {name}\n" in page
    for option in GLOBALS:
        assert f"\\fB\\-\\-{option.replace('-', chr(92) + '-')}\\fR" in page
        assert f"PYBADGE_{option.replace('-', '_').upper()}" in page
    for code in EXIT_CODES:
        assert f".B {code}\n" in page


def test_the_man_page_lists_the_options_of_every_command_once() -> None:
    page = man_page()
    for option in GLOBALS:
        if option != "color":  # which is also an option of badge
            assert page.count(f"\\fB\\-\\-{option.replace('-', chr(92) + '-')}\\fR") == 1
    for section in ("FILES", "EXAMPLES", "BUGS", "ENVIRONMENT", "EXIT STATUS"):
        assert f"\n.SH {section}\n" in page


def test_the_examples_of_the_man_page_are_understood() -> None:
    shown = man_page().partition(".SH EXAMPLES\n")[2].partition(".SH ")[0]
    lines = [line for line in shown.replace("\\-", "-").splitlines() if line[:1] != "."]
    assert len(lines) > len(COMMANDS)
    for line in lines:
        program, *arguments = shlex.split(line.partition(" >")[0])
        assert program == "pybadge"
        parse(arguments)


def test_the_committed_man_page_is_current() -> None:
    committed = (ROOT / "docs" / "pybadge.1").read_text(encoding="utf-8")
    assert committed == man_page(), "run python tools/manual.py --write"
