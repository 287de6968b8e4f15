"""The commands of docs/derive.md, run in order in one folder."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.arxiv_papers import (
    DATA,
    REAL,
    REAL_NUMBER,
    RECORDS,
    bulk_line,
    oai_answer,
    raw_element,
    toml,
)

PAGE = (DATA.parents[1] / "docs" / "derive.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    (tmp_path / "arxivraw.xml").write_bytes(oai_answer(raw_element(REAL)))
    (tmp_path / "bulk.jsonl").write_bytes(b"".join(bulk_line(record) for record in RECORDS))
    (tmp_path / "paper.toml").write_text(toml(REAL), encoding="utf-8")
    shutil.copy(DATA / "record-XR2UHLWN.json", tmp_path / "record.json")
    commands = [
        line
        for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
        for line in block.splitlines()
    ]
    assert len(commands) == 11
    for line in commands:
        words = shlex.split(line, comments=True)
        if words[0] == "pybadge":
            words = [sys.executable, "-m", *words]
        done = subprocess.run(
            words,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            env=_offline(),
            check=False,
        )
        assert done.returncode == 0, (line, done.stderr)
        if "--json" in words or "derive" in words[2:4]:
            assert (
                REAL_NUMBER in done.stdout or "-o numbers.jsonl" in line or "--collisions" in line
            ), line


def _offline() -> dict[str, str]:
    return {**os.environ, "PYBADGE_OFFLINE": "1", "PYBADGE_CONFIG": ""}


def test_every_option_of_the_page_is_there() -> None:
    helps = "".join(
        subprocess.run(
            [sys.executable, "-m", "pybadge", name, "--help"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for name in ("derive", "verify")
    )
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", PAGE)):
        assert option in helps, option
