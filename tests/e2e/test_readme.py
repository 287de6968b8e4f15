"""The README's commands work as written, against a server on this machine that has the real
record."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.command import HANG
from tests.support.data import NUMBER, RECORD, RECORD_BYTES, ROOT, SUFFIX
from tests.support.http_server import Server, answer

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def resolver() -> Iterator[str]:
    page = answer(RECORD_BYTES)
    with Server({f"/pith/{SUFFIX}": page, f"/pith/{SUFFIX}.json": page}) as server:
        yield server.url


def test_the_commands_run_in_order_in_an_empty_folder(resolver: str, tmp_path: Path) -> None:
    assert len(COMMANDS) >= 9
    environment = {
        **os.environ,
        "PYBADGE_RESOLVER": resolver,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    folder = tmp_path / "empty"
    folder.mkdir()
    for command in COMMANDS:
        assert command.startswith("pybadge "), command
        done = subprocess.run(
            shlex.split(command),
            cwd=folder,
            env=environment,
            capture_output=True,
            timeout=HANG,
            check=False,
        )
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        assert done.stdout or " -o " in command or " --all " in command
    (program,) = blocks("python")
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HANG,
        check=True,
    )
    assert done.stdout == f"verified {NUMBER}\n"


def test_the_latex_lines_are_the_ones_the_command_prints() -> None:
    assert blocks("latex") == [f"\\usepackage{{pith}}\n\\pithnumber{{{SUFFIX}}}\n"]


def test_links_and_pictures_are_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert target.startswith("https://") or (ROOT / target).exists(), target


def test_every_room_is_on_the_map() -> None:
    for path in (ROOT / "pybadge").iterdir():
        name = f"{path.name}/" if path.is_dir() else path.name
        if not name.startswith("_") and name not in {"py.typed"}:
            assert name in README, name


def test_the_badge_at_the_top_is_the_one_that_is_drawn_today() -> None:
    import pybadge

    report = pybadge.verify(pybadge.load(RECORD))
    assert (ROOT / "docs" / "badge.svg").read_text(encoding="utf-8").rstrip(
        "\n"
    ) == pybadge.badge_svg(report)
    assert README.splitlines()[2].startswith(f"![pith: {NUMBER}, verified]")
