"""Answers of servers: statuses, retries, content, redirects. All real, on the loopback."""

from __future__ import annotations

import gzip
import socket
import threading
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest

from pybadge.errors import NotFoundError, UnreachableError, UsageError
from pybadge.resolve import Resolver, fetch, http
from pybadge.resolve.http import Transport
from pybadge.verification import report_on
from tests.support.asking import PATH, ask, refused
from tests.support.data import RECORD_BYTES, RECORDS, SUFFIX
from tests.support.documents import document, to_bytes
from tests.support.http_server import Request, Server, answer, in_turn, missing, redirect

# --- questions and answers


def test_a_question_says_who_asks_and_what_it_takes() -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        response = Transport().get(f"{server.url}{PATH}")
        assert (response.status, response.body, response.etag) == (200, RECORD_BYTES, None)
        assert response.url == f"{server.url}{PATH}"
        headers = server.headers_asked[0]
    assert headers["Accept"] == "application/ld+json, application/json"
    assert headers["Accept-Encoding"] == "gzip"
    assert headers["User-Agent"].startswith("pybadge/")
    assert "Authorization" not in headers
    assert "If-None-Match" not in headers


def test_an_etag_is_sent_and_the_answer_that_nothing_changed_is_taken() -> None:
    unchanged = answer(b"", status=304, headers={"ETag": '"v1"'})
    with Server({"*": unchanged}) as server:
        response = Transport().get(f"{server.url}/x", etag='"v1"')
        assert (response.status, response.body, response.etag) == (304, b"", '"v1"')
        assert server.headers_asked[0]["If-None-Match"] == '"v1"'
        with pytest.raises(UnreachableError, match="answered 304"):
            Transport().get(f"{server.url}/x")


@pytest.mark.parametrize("status", [404, 410])
def test_what_is_missing_is_not_found(status: int) -> None:
    with Server({"*": answer(b"", status=status)}) as server:
        refused(server, "resolve.not_found")
        with pytest.raises(NotFoundError):
            fetch(SUFFIX, resolver=server.url)
        assert len(server.asked) == 6, "the record, its page and its bundle, each once"
        with pytest.raises(NotFoundError):
            Transport().get(f"{server.url}/x")


@pytest.mark.parametrize("status", [201, 204, 400, 401, 403, 418, 500, 501])
def test_other_statuses_are_not_tried_again(status: int) -> None:
    with Server({"*": answer(b"{}", status=status)}) as server:
        refused(server, "resolve.status")
        assert len(server.asked) == 1


def test_an_address_that_may_not_be_asked_is_not_asked() -> None:
    for address in ("file:///etc/passwd", "http://pith.science/x"):
        with pytest.raises(UsageError):
            Transport().get(address)
        with pytest.raises(UsageError):
            Resolver(address)
        with pytest.raises(UsageError):
            Resolver(mirrors=[address])


def test_html_is_no_answer_to_a_question_for_json() -> None:
    with Server({"*": answer(RECORD_BYTES, content_type="text/html; charset=utf-8")}) as server:
        refused(server, "resolve.content_type")


@pytest.mark.parametrize(
    "body",
    [b"", b"no json", b"[]", b"{}", b"null", b"{", b"<html>", b"\xff\xfe{\x00}\x00"],
)
def test_an_answer_that_is_no_record_is_a_fault_on_the_way(body: bytes) -> None:
    with Server({"*": answer(body)}) as server:
        refused(server, "resolve.other_answer")


@pytest.mark.parametrize(
    "body", [b'{"canonical_record": {}}', b'{"canonical_record": 1, "canonical_record": 2}']
)
def test_an_answer_that_is_a_broken_record_is_invalid(body: bytes) -> None:
    with Server({"*": answer(body)}) as server:
        report = ask(server)
        assert (report.verdict, report.exit_code) == ("invalid", 1)


def test_the_answers_of_many_threads_are_their_own() -> None:
    lines = RECORDS[:20]
    routes = {
        f"/pith/{line['suffix']}.json": answer(to_bytes(document(line["canonical_record"], None)))
        for line in lines
    }
    outcomes: dict[str, str] = {}
    with Server(routes) as server:
        resolver = Resolver(server.url)

        def work(suffix: str) -> None:
            number = report_on(suffix, resolver).number
            outcomes[suffix] = number.suffix if number is not None else ""

        threads = [threading.Thread(target=work, args=(line["suffix"],)) for line in lines]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert outcomes == {line["suffix"]: line["suffix"] for line in lines}


# --- retries


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_busy_servers_are_asked_four_times_in_all(status: int) -> None:
    busy = answer(b"", status=status)
    with Server({"*": busy}) as server:
        report = refused(server, "resolve.busy")
        assert "tried 4 times" in report["parse"].detail
        assert len(server.asked) == 4
    with Server({PATH: in_turn(busy, busy, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
        assert len(server.asked) == 3


def hang_up(request: Request) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


def test_a_connection_that_breaks_is_tried_again() -> None:
    with Server({PATH: in_turn(hang_up, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
    with Server({"*": hang_up}) as server:
        refused(server, "resolve.unreachable")
        assert len(server.asked) == 4


def test_a_port_where_nobody_listens_is_unreachable() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    report = report_on(SUFFIX, Resolver(f"http://127.0.0.1:{port}"))
    assert report["parse"].code == "resolve.unreachable"
    assert report.exit_code == 3


def test_waits_grow_and_are_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http, "FIRST_WAIT", 0.5)
    for attempt in range(3):
        growing = [http._growing_wait(attempt) for _ in range(200)]
        assert 0.25 * 2**attempt <= min(growing) < max(growing) <= 0.75 * 2**attempt
        assert len(set(growing)) > 100


def test_many_clients_do_not_come_back_in_step(waits: list[float]) -> None:
    for _ in range(5):
        with Server({"*": answer(b"", status=503)}) as server:
            refused(server, "resolve.busy")
    assert len(set(waits)) == len(waits) == 15


def test_retry_after_is_obeyed_in_seconds(waits: list[float]) -> None:
    busy = answer(b"", status=503, headers={"Retry-After": " 7 "})
    with Server({PATH: in_turn(busy, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
    assert waits == [7.0]


def test_retry_after_is_obeyed_as_a_date(waits: list[float]) -> None:
    later = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=50), usegmt=True)
    busy = answer(b"", status=503, headers={"Retry-After": later})
    with Server({PATH: in_turn(busy, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
    assert len(waits) == 1
    assert 0 < waits[0] <= 50


def test_a_retry_after_that_has_passed_is_no_wait(waits: list[float]) -> None:
    busy = answer(b"", status=503, headers={"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"})
    with Server({PATH: in_turn(busy, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
    assert waits == [0.0]


@pytest.mark.parametrize("value", ["86400", "61", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_long_retry_after_ends_the_attempt(value: str, waits: list[float]) -> None:
    with Server({"*": answer(b"", status=429, headers={"Retry-After": value})}) as server:
        report = refused(server, "resolve.busy", timeout=3600.0)
        assert "not waited for" in report["parse"].detail
        assert len(server.asked) == 1
    assert waits == []


def test_a_wait_beyond_the_deadline_ends_the_attempt(waits: list[float]) -> None:
    with Server({"*": answer(b"", status=429, headers={"Retry-After": "50"})}) as server:
        refused(server, "resolve.busy", timeout=40.0)
        assert len(server.asked) == 1
    assert waits == []


@pytest.mark.parametrize("value", ["soon", "-1", "", "1e3", "²"])
def test_a_nonsense_retry_after_is_ignored(value: str, waits: list[float]) -> None:
    header = {"Retry-After": value.encode("latin-1", "replace").decode("latin-1")}
    busy = answer(b"", status=503, headers=header)
    with Server({PATH: in_turn(busy, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
    assert len(waits) == 1
    assert waits[0] < 1


# --- encodings


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "gzip,identity", "nonsense"])
def test_encodings_that_were_not_asked_for_are_refused(encoding: str) -> None:
    body = gzip.compress(gzip.compress(RECORD_BYTES))
    with Server({"*": answer(body, headers={"Content-Encoding": encoding})}) as server:
        refused(server, "resolve.encoding")


@pytest.mark.parametrize("encoding", ["gzip", "x-gzip", "GZIP", "identity", ""])
def test_the_usual_encodings_are_read(encoding: str) -> None:
    packed = "gzip" in encoding.lower()
    body = gzip.compress(RECORD_BYTES) if packed else RECORD_BYTES
    with Server({PATH: answer(body, headers={"Content-Encoding": encoding})}) as server:
        assert ask(server).verdict == "verified"


def test_a_torn_body_is_no_answer() -> None:
    packed = {"Content-Encoding": "gzip"}
    torn = gzip.compress(RECORD_BYTES)[:-20]
    with Server({"*": answer(torn, headers=packed)}) as server:
        refused(server, "resolve.incomplete")
    with Server({"*": answer(b"not gzip at all", headers=packed)}) as server:
        refused(server, "resolve.unreachable")

    def short(request: Request) -> None:
        head = (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n{}"
        )
        request.wfile.write(head)
        request.connection.shutdown(socket.SHUT_RDWR)

    with Server({"*": short}) as server:
        assert ask(server).exit_code == 3


# --- redirects


def test_redirects_within_the_host_are_followed_three_times() -> None:
    routes = {
        PATH: redirect("/a"),
        "/a": redirect("/b"),
        "/b": redirect("/c"),
        "/c": answer(RECORD_BYTES),
    }
    with Server(routes) as server:
        assert ask(server).verdict == "verified"
        server.routes["/c"] = redirect("/d")
        server.routes["/d"] = answer(RECORD_BYTES)
        refused(server, "resolve.redirects")
        assert "/d" not in server.asked


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.2/pith/x.json",
        "http://127.0.0.1:1/pith/x.json",
        "http://localhost/pith/x.json",
        "http://[::1]/x",
        "https://127.0.0.1/x",
        "https://evil.example/x",
        "//evil.example/x",
        "http://pith.science/x",
        "http://169.254.169.254/latest/meta-data/",
        "file:///etc/passwd",
        "ftp://127.0.0.1/x",
        "data:application/json,{}",
        "javascript:alert(1)",
        "https://user@127.0.0.1/x",
        "http://127.0.0.1\\@evil.example/",
        "",
    ],
)
def test_redirects_elsewhere_are_refused(target: str) -> None:
    with Server({PATH: redirect(target), "/pith/": answer(RECORD_BYTES)}) as server:
        refused(server, "resolve.redirects")


def test_a_redirect_to_the_same_host_by_another_scheme_is_refused() -> None:
    with Server() as server:
        server.routes["*"] = redirect(server.url.replace("http:", "https:"))
        refused(server, "resolve.redirects")


def test_a_redirect_to_what_is_missing_is_not_found() -> None:
    with Server({"/x": redirect("/y"), "*": missing}) as server, pytest.raises(NotFoundError):
        Transport().get(f"{server.url}/x")
