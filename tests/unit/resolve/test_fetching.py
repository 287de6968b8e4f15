"""The public bug reports on fetching, caching, the command line and encodings, each named after its
row in the list."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import threading
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from pybadge import files
from pybadge.errors import OutputError
from pybadge.output import write_file
from pybadge.resolve import Resolver
from pybadge.resolve import transport as transport_module
from pybadge.verification import report_on
from tests.support.documents import RECORD, SUFFIX, environment, pybadge
from tests.support.http_lab import answer, bomb, in_turn, lab

PATH = f"/pith/{SUFFIX}.json"
RECORD_BYTES = RECORD.read_bytes()


@pytest.mark.parametrize("command", ["verify", "show", "keys", "--help"])
def test_report_b38(command: str) -> None:
    """Block characters and signs on a cp1252 console: a fallback, exit 0, no crash."""
    arguments = [command] if command in ("keys", "--help") else [command, str(RECORD), "--offline"]
    done = pybadge(*arguments, env=environment(PYTHONIOENCODING="cp1252"))
    assert done.returncode == 0
    assert done.stderr == b""
    done.stdout.decode("cp1252")


def test_report_b39() -> None:
    """All output can be encoded or is replaced, whatever stdout takes."""
    for encoding in ("ascii", "cp1252:strict", "latin-1:strict", "shift_jis", "utf-16"):
        done = pybadge(
            "verify", str(RECORD), "--offline", env=environment(PYTHONIOENCODING=encoding)
        )
        assert (done.returncode, done.stderr) == (0, b""), encoding
        assert "receipt_signature" in done.stdout.decode(encoding.split(":")[0])


def test_report_b43() -> None:
    """No request without a timeout: a dead server ends within the deadline."""
    with socket.create_server(
        ("127.0.0.1", 0), backlog=8
    ) as listening:  # accepts, and never says a word
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        started = time.monotonic()
        done = pybadge("verify", SUFFIX, "--resolver", url, "--timeout", "1", "--cache", "off")
        assert done.returncode == 3
        assert time.monotonic() - started < 30


def test_report_b45(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry-After of a day is given up on with code 3; waits are spread so that clients don't come
    back in a herd."""
    with lab({"*": answer(b"", status=503, headers={"Retry-After": "86400"})}) as server:
        started = time.monotonic()
        done = pybadge("verify", SUFFIX, "--resolver", server.url, "--cache", "off")
        assert done.returncode == 3
        assert time.monotonic() - started < 30
        assert len(server.seen) == 1
    waits: list[float] = []
    monkeypatch.setattr(transport_module.time, "sleep", waits.append)
    for _ in range(5):
        with lab({"*": answer(b"", status=503)}) as server:
            report_on(SUFFIX, Resolver(server.url))
    assert len(set(waits)) == len(waits) == 15


def test_report_b48(monkeypatch: pytest.MonkeyPatch) -> None:
    """HTTPS_PROXY, NO_PROXY and REQUESTS_CA_BUNDLE of the environment are heeded."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as proxy:

        def serve() -> None:
            while True:
                try:
                    connection, _ = proxy.accept()
                except OSError:
                    return
                asked.append(connection.recv(4000))
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        for name in ("HTTPS_PROXY", "https_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.getsockname()[1]}")
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setattr(transport_module, "FIRST_WAIT", 0.01)
        report_on(SUFFIX, Resolver("https://pith.science", timeout=5.0))
        assert asked
        assert all(request.startswith(b"CONNECT pith.science:443 ") for request in asked)
        asked.clear()
        monkeypatch.setenv("NO_PROXY", "pith.science")
        monkeypatch.setattr(socket, "getaddrinfo", _no_such_host)
        report_on(SUFFIX, Resolver("https://pith.science", timeout=5.0))
        assert asked == []
        monkeypatch.undo()
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", "/nowhere/ca.pem")
    report = report_on(SUFFIX, Resolver("https://pith.science", timeout=5.0))
    assert report.exit_code == 3
    assert report["parse"].code == "resolve.certificate"
    assert "/nowhere/ca.pem" in report["parse"].detail


def _no_such_host(*_arguments: Any, **_named: Any) -> Any:
    raise socket.gaierror("no such host")


def test_report_b50() -> None:
    """A megabyte of gzip that grows to a gigabyte stops at the limit, which counts what comes out,
    not what comes in."""
    with lab({"*": answer(bomb("gzip"), headers={"Content-Encoding": "gzip"})}) as server:
        tracemalloc.start()
        try:
            report = report_on(SUFFIX, Resolver(server.url))
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert report["parse"].code == "resolve.size"
    assert peak < 16 << 20


def test_report_b51(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """os.replace on a file that another program has open fails on Windows for a while: tried again,
    nothing left over."""
    target = tmp_path / "file"
    target.write_bytes(b"old")
    replace, refusals = os.replace, [PermissionError(13, "in use")] * 3

    def busy(source: str, destination: str) -> None:
        if refusals:
            raise refusals.pop()
        replace(source, destination)

    monkeypatch.setattr(files.os, "replace", busy)
    write_file(str(target), b"new")
    assert target.read_bytes() == b"new"
    refusals[:] = [PermissionError(13, "in use")] * 99
    with pytest.raises(OutputError, match="in use"):
        write_file(str(target), b"newer")
    assert target.read_bytes() == b"new"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_report_b52(tmp_path: Path) -> None:
    """A new file gets the mode that the umask asks for, an old one keeps its own."""
    before = os.umask(0o027)
    try:
        write_file(str(tmp_path / "new"), b"x")
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640
        (tmp_path / "new").chmod(0o604)
        write_file(str(tmp_path / "new"), b"y")
        assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o604
    finally:
        os.umask(before)
    assert pybadge("fetch", str(RECORD), "-o", str(tmp_path / "record.json")).returncode == 0
    umask = os.umask(0o022)
    os.umask(umask)
    assert stat.S_IMODE((tmp_path / "record.json").stat().st_mode) == 0o666 & ~umask


@pytest.mark.parametrize(
    "command",
    [
        "verify {record} --offline",
        "show {record}",
        "verify --help",
        "keys --json",
        "completion bash",
    ],
)
def test_report_b53(command: str) -> None:
    """`| head -1` and `| true`, buffered or not: no traceback, nothing on stderr at all."""
    line = command.format(record=RECORD)
    for reader in ("head -1", "true"):
        for unbuffered in ("", "1"):
            done = subprocess.run(
                ["bash", "-c", f"{sys.executable} -m pybadge {line} | {reader}"],
                capture_output=True,
                check=True,
                env=environment(PYTHONUNBUFFERED=unbuffered),
            )
            assert done.stderr == b""


def test_report_b7() -> None:
    """Nothing asks a server unless a record has to be found: a file is verified, shown and drawn
    without any."""
    env = environment(PYBADGE_RESOLVER="http://127.0.0.1:9", PYBADGE_CACHE="off")
    for command in ("verify", "show", "badge", "latex", "embed"):
        started = time.monotonic()
        assert pybadge(command, str(RECORD), env=env).returncode == 0
        assert time.monotonic() - started < 30


def test_a_server_that_recovers_is_not_a_failure() -> None:
    with lab({PATH: in_turn(answer(b"", status=502), answer(RECORD_BYTES))}) as server:
        assert pybadge("verify", SUFFIX, "--resolver", server.url, "--cache", "off").returncode == 0
