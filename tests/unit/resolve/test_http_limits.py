"""Servers that stall and flood: one deadline for everything, and a limit on what comes out."""

from __future__ import annotations

import socket
import time
import tracemalloc

import pytest

from pybadge.resolve import Resolver
from pybadge.verification import report_on
from tests.support.asking import PATH, ask, refused
from tests.support.command import pybadge
from tests.support.data import RECORD_BYTES, SUFFIX
from tests.support.http_server import Reply, Request, Server, answer, bomb

# A server that stalls gives up after so many seconds, which no deadline of the tests comes near.
# The look-up then fails with another code than `resolve.deadline`, and the test with it.
STALLED = 60


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


def drip(first: bytes, piece: bytes) -> Reply:
    def reply(request: Request) -> None:
        request.wfile.write(first)
        for _ in range(10 * STALLED):
            request.wfile.write(piece)
            request.wfile.flush()
            time.sleep(0.1)

    return reply


@pytest.mark.parametrize(
    ("first", "piece"),
    [
        (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
            b" ",
        ),
        (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n", b"X: y\r\n"),
        (b"HTTP/1.1 200 OK\r\nX: ", b"y"),
        (b"HTTP/1.1 200 ", b"O"),
        (
            CHUNKED,
            b"1\r\n \r\n",
        ),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["body", "headers", "header value", "status line", "chunks", "continues"],
)
def test_a_slow_drip_cannot_stretch_the_deadline(first: bytes, piece: bytes) -> None:
    with Server({"*": drip(first, piece)}) as server:
        refused(server, "resolve.deadline", timeout=1.0)


def test_a_server_that_says_nothing_ends_at_the_deadline() -> None:
    with Server({"*": lambda _request: time.sleep(STALLED)}) as server:
        report = refused(server, "resolve.deadline", timeout=1.0)
        assert "within 1 s" in report["parse"].detail


def test_a_port_that_accepts_and_never_answers_ends_at_the_deadline_of_the_command() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=8) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        done = pybadge(
            "verify", SUFFIX, "--resolver", url, "--timeout", "1", "--cache", "off", "--json"
        )
    assert done.returncode == 3
    assert b"resolve.deadline" in done.stdout


def test_a_name_lookup_that_hangs_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_named: time.sleep(STALLED))
    report = report_on(SUFFIX, Resolver("https://pith.science", timeout=0.5))
    assert report["parse"].code == "resolve.deadline"


def test_the_deadline_covers_all_retries(waits: list[float]) -> None:
    """Waits are only noted here, so the retries follow at once; the sum of waits would be over."""
    busy = answer(b"", status=503, headers={"Retry-After": "30"})
    with Server({"*": busy}) as server:
        refused(server, "resolve.busy", timeout=20.0)
        assert len(server.asked) == 1
    assert waits == []


# --- sizes


def test_more_than_a_mebibyte_is_refused() -> None:
    with Server({"*": answer(b" " * ((1 << 20) + 1))}) as server:
        refused(server, "resolve.size")
    padded = RECORD_BYTES + b" " * ((1 << 20) - len(RECORD_BYTES))
    with Server({PATH: answer(padded)}) as server:
        assert ask(server).verdict == "verified"


def endless(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        request.wfile.write(b" " * 65536)


def test_a_body_without_an_end_is_refused() -> None:
    with Server({"*": endless}) as server:
        refused(server, "resolve.size")


def test_a_gigabyte_in_a_megabyte_stops_at_the_limit() -> None:
    """The limit counts what comes out, not what comes in."""
    data = bomb("gzip")
    assert len(data) < 2 << 20
    with Server({"*": answer(data, headers={"Content-Encoding": "gzip"})}) as server:
        tracemalloc.start()
        try:
            refused(server, "resolve.size")
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peak < 16 << 20


def test_the_body_of_a_redirect_is_not_read() -> None:
    headers = {"Location": "/a", "Content-Encoding": "gzip"}
    onward = answer(bomb("gzip", 64), status=302, headers=headers)
    with Server({PATH: onward, "/a": answer(RECORD_BYTES)}) as server:
        tracemalloc.start()
        try:
            assert ask(server).verdict == "verified"
            assert tracemalloc.get_traced_memory()[1] < 16 << 20
        finally:
            tracemalloc.stop()
