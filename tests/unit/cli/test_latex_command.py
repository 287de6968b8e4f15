"""``pybadge latex``: the two lines, and the package that they need."""

from __future__ import annotations

from pathlib import Path

from tests.support.command import environment, pybadge
from tests.support.data import RECORD_BYTES, ROOT, SUFFIX

LINES = f"\\usepackage{{pith}}\n\\pithnumber{{{SUFFIX}}}\n".encode()
CHANGED = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")


def test_a_full_number_needs_no_network() -> None:
    env = environment(PYBADGE_RESOLVER="http://127.0.0.1:9", PYBADGE_CACHE="off")
    for what in (SUFFIX, f"pith:2024:{SUFFIX}"):
        done = pybadge("latex", what, env=env)
        assert (done.returncode, done.stdout, done.stderr) == (0, LINES, b"")
    assert pybadge("latex", SUFFIX[:8], env=env).returncode == 3


def test_nothing_is_printed_for_an_invalid_record() -> None:
    done = pybadge("latex", "-", "--offline", stdin=CHANGED)
    assert (done.returncode, done.stdout) == (1, b"")


def test_the_package_is_written_into_a_folder(tmp_path: Path) -> None:
    assert pybadge("latex", "--sty", str(tmp_path)).returncode == 0
    assert (tmp_path / "pith.sty").read_bytes() == (ROOT / "pith.sty").read_bytes()
    assert pybadge("latex").returncode == 2
