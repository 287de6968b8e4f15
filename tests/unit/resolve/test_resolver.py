"""Every way to name a record, and servers that lie, stall, flood and send elsewhere: all real, on
the loopback."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
import tracemalloc
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pybadge
from pybadge.checks import Report
from pybadge.errors import (
    NotFoundError,
    NumberError,
    PybadgeError,
    RecordError,
    UnreachableError,
    UsageError,
)
from pybadge.resolve import Resolver, fetch, locate
from pybadge.resolve import transport as transport_module
from pybadge.resolve.http import Transport
from pybadge.resolve.locator import checked_url, same_paper
from pybadge.resolve.mirrors import read_manifest
from pybadge.verification import report_on
from tests.support.documents import (
    NUMBER,
    RECORD,
    RECORDS,
    SUFFIX,
    document,
    real,
    signed,
    to_bytes,
)
from tests.support.http_lab import (
    Lab,
    Reply,
    Request,
    answer,
    bomb,
    in_turn,
    lab,
    missing,
    redirect,
)

RECORD_BYTES = RECORD.read_bytes()
PATH = f"/pith/{SUFFIX}.json"
OTHER = document(RECORDS[0]["canonical_record"], None)
OTHER_SUFFIX = RECORDS[0]["suffix"]


@pytest.fixture(autouse=True)
def _short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "FIRST_WAIT", 0.01)


def ask(server: Lab, what: str = SUFFIX, **named: Any) -> Report:
    return report_on(what, Resolver(server.url, **{"timeout": 10.0, **named}))


# --- names


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        (NUMBER, "number", SUFFIX),
        (SUFFIX.lower(), "number", SUFFIX),
        ("pith:XR2UHLWN", "number", "XR2UHLWN"),
        ("2402.15627", "arxiv", ("2402.15627", None)),
        ("2402.15627v3", "arxiv", ("2402.15627", 3)),
        ("arXiv:2402.15627V12", "arxiv", ("2402.15627", 12)),
        ("arxiv: 2402.15627", "arxiv", ("2402.15627", None)),
        ("hep-lat/0305021", "arxiv", ("hep-lat/0305021", None)),
        ("HEP-LAT/0305021v1", "arxiv", ("hep-lat/0305021", 1)),
        ("math.gt/0309136", "arxiv", ("math.GT/0309136", None)),
        ("solv-int/9701001", "arxiv", ("solv-int/9701001", None)),
        ("https://arxiv.org/abs/2402.15627v1", "arxiv", ("2402.15627", 1)),
        ("http://arxiv.org/pdf/2402.15627v1.pdf", "arxiv", ("2402.15627", 1)),
        ("arxiv.org/abs/hep-lat/0305021", "arxiv", ("hep-lat/0305021", None)),
        ("https://www.arxiv.org/abs/2402.15627?context=cs#top", "arxiv", ("2402.15627", None)),
        ("https://export.arxiv.org/html/2402.15627v2/", "arxiv", ("2402.15627", 2)),
        ("10.48550/arXiv.2402.15627", "arxiv", ("2402.15627", None)),
        ("doi:10.48550/ARXIV.2402.15627", "arxiv", ("2402.15627", None)),
        ("https://doi.org/10.48550/arXiv.hep-lat/0305021", "arxiv", ("hep-lat/0305021", None)),
        ("https://dx.doi.org/10.48550%2FarXiv.2402.15627", "arxiv", ("2402.15627", None)),
        ("doi.org/10.48550/arXiv.2402.15627", "arxiv", ("2402.15627", None)),
        (f"https://pith.science/pith/{SUFFIX}", "url", SUFFIX),
        (f"https://pith.science/pith/{SUFFIX}.json", "url", SUFFIX),
        ("https://pith.science/pith/xr2uhlwn", "url", "XR2UHLWN"),
        ("https://pith.science/paper/XR2UHLWN", "url", "XR2UHLWN"),
        (f"https://mirror.example/.well-known/pith/{SUFFIX}/bundle.json", "url", SUFFIX),
        ("record.json", "file", None),
        (f"saved/{SUFFIX}.json", "file", SUFFIX),
        ("./2402.15627", "file", None),
        ("-", "stdin", None),
    ],
)
def test_what_a_text_names(text: str, kind: str, detail: Any) -> None:
    located = locate(text)
    assert located.kind == kind
    if kind == "arxiv":
        assert (located.arxiv_id, located.version) == detail
    else:
        assert (located.number.suffix if located.number else None) == detail


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "missing"),
        ("hello", "characters"),
        ("0R2UHLWN", "letter O"),
        ("ХR2UHLWN", "CYRILLIC CAPITAL LETTER HA"),
        ("XR2UHLWN\nXR2UHLWN", "line break"),
        ("XR2UHLWN\x00", "NUL"),
        ("a" * 5000, "5000 characters"),
        ("10.1000/182", "arXiv's own DOIs"),
        ("https://doi.org/10.1000/182", "arXiv's own DOIs"),
        ("doi:10.48550/arXiv.nonsense", "not an arXiv id"),
        ("arxiv:nonsense", "not an arXiv id"),
        ("arxiv:2402.15627v0", "not an arXiv id"),
        ("arxiv:../../etc/passwd", "not an arXiv id"),
        ("https://arxiv.org/list/cs.LG", "address of a paper"),
        ("https://pith.science/about", "record's address"),
        ("https://pith.science/pith/../../etc", "record's address"),
        ("https://pith.science/pith/0R2UHLWN", "letter O"),
        ("http://pith.science/pith/XR2UHLWN", "plain http"),
        ("file:///etc/passwd", "only https"),
        ("ftp://pith.science/pith/XR2UHLWN", "only https"),
        ("data://pith/pith/XR2UHLWN", "only https"),
        ("https://pith.science@evil.example/pith/XR2UHLWN", "user name"),
        ("https://pith.science:8443/pith/XR2UHLWN", "port"),
        ("https://pith.science./pith/XR2UHLWN", "dot"),
        ("https://pіth.science/pith/XR2UHLWN", "ASCII"),
        ("https://pith.science／.evil.example/pith/XR2UHLWN", "ASCII"),
        ("https://pith.science\t.evil.example/pith/XR2UHLWN", "ASCII"),
        ("https:///pith/XR2UHLWN", "host"),
        ("https://[::1/pith/XR2UHLWN", "not an address"),
    ],
)
def test_what_names_nothing_says_why(text: str, reason: str) -> None:
    with pytest.raises(PybadgeError, match=reason) as caught:
        locate(text)
    assert isinstance(caught.value, (UsageError, NumberError))
    assert caught.value.exit_code == 2
    assert str(caught.value).isprintable()
    assert report_on(text, Resolver(offline=True)).exit_code == 2


@given(st.text(max_size=60) | st.text(alphabet="arxiv:dohtps/.0123456789v%", max_size=60))
def test_no_text_does_anything_but_be_located_or_refused(text: str) -> None:
    try:
        located = locate(text)
    except (UsageError, NumberError):
        return
    assert located.kind in ("number", "arxiv", "file", "stdin", "url")
    assert isinstance(located.key, str)


def test_a_stray_file_stands_in_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (SUFFIX, "2402.15627", "2402.15627v1", "record", "record.txt"):
        Path(name).write_bytes(RECORD_BYTES)
    assert locate(SUFFIX).kind == "number"
    assert locate("2402.15627v1").kind == "arxiv"
    assert locate("record.txt").kind == "file"
    with pytest.raises(NumberError, match=r"the file of that name is \./record"):
        locate("record")


def test_subject_classes_of_old_ids_name_nothing() -> None:
    assert same_paper("math.GT/0309136", "math/0309136")
    assert same_paper("2402.15627", "2402.15627")
    assert not same_paper("math/0309136", "math-ph/0309136")


# --- the way it should go


def test_a_number_is_fetched_and_verified() -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        report = ask(server)
        assert report.verdict == "verified"
        assert server.seen == [PATH]
        headers = server.headers_seen[0]
        assert headers["Accept"].startswith("application/ld+json")
        assert headers["User-Agent"].startswith("pybadge/")
        assert "Authorization" not in headers
        assert fetch(NUMBER, resolver=server.url).canonical.source_id == "2402.15627"
        assert ask(server, f"{server.url}/pith/{SUFFIX}").verdict == "verified"


@pytest.mark.parametrize(
    "asked",
    [
        "2402.15627",
        "arXiv:2402.15627v1",
        "10.48550/arXiv.2402.15627",
        "https://arxiv.org/abs/2402.15627",
    ],
)
def test_aliases_go_through_the_resolve_interface(asked: str) -> None:
    pointer = to_bytes({"pith_number": NUMBER, "html": "https://pith.science/"})
    with lab({"*": answer(pointer), PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server, asked).verdict == "verified"
        assert server.seen[0].startswith("/api/pith-number/resolve?arxiv=2402.15627")
        assert server.seen[0].endswith("&json=true")
        assert server.seen[1] == PATH
        server.routes["*"] = answer(RECORD_BYTES)
        assert ask(server, asked).verdict == "verified"


def test_old_ids_are_quoted_in_the_address() -> None:
    with lab({}) as server:
        assert ask(server, "hep-lat/0305021").exit_code == 3
        assert server.seen == ["/api/pith-number/resolve?arxiv=hep-lat%2F0305021&json=true"]


@pytest.mark.parametrize("asked", ["2402.15628", "2402.15627v2", "hep-lat/0305021"])
def test_the_resolvers_word_for_an_alias_is_not_enough(asked: str) -> None:
    with lab({"*": answer(RECORD_BYTES)}) as server:
        report = ask(server, asked)
        assert report.verdict == "invalid"
        assert report["number"].code == "number.other_paper"


def test_a_short_form_is_checked_against_the_full_number() -> None:
    with lab(
        {"/pith/XR2UHLWN.json": answer(RECORD_BYTES), "/pith/AAAAAAAA.json": answer(RECORD_BYTES)}
    ) as server:
        assert ask(server, "pith:XR2UHLWN")["number"].code == "number.short_ambiguous"
        assert ask(server, "AAAAAAAA")["number"].code == "number.mismatch"


# --- record B at A's place


def test_record_b_served_at_as_address_is_invalid() -> None:
    made, key = signed(title="Another paper")
    with lab({PATH: answer(to_bytes(made)), "*": answer(RECORD_BYTES)}) as server:
        report = report_on(SUFFIX, Resolver(server.url), trusted=[key])
        assert report.verdict == "invalid"
        assert report["number"].code == "number.mismatch"
        assert ask(server, OTHER_SUFFIX)["number"].code == "number.mismatch"
        assert ask(server, f"{server.url}/pith/{OTHER_SUFFIX}")["number"].code == "number.mismatch"


def test_record_b_under_as_file_name_is_invalid(tmp_path: Path) -> None:
    renamed = tmp_path / f"{OTHER_SUFFIX}.json"
    renamed.write_bytes(RECORD_BYTES)
    report = report_on(str(renamed), Resolver(offline=True))
    assert report.verdict == "invalid"
    assert report["number"].code == "number.mismatch"
    honest = tmp_path / f"{SUFFIX.lower()}.json"
    honest.write_bytes(RECORD_BYTES)
    assert report_on(str(honest), Resolver(offline=True)).verdict == "verified"


def test_a_server_with_its_own_key_document_is_never_asked_for_it() -> None:
    made, key = signed()
    suffix = made["pith_number"].split(":")[-1]
    keys = answer(to_bytes({"key_id": key.key_id, "public_key_hex": key.raw.hex()}))
    routes = {
        f"/pith/{suffix}.json": answer(to_bytes(made)),
        "/pith-signing-key.json": keys,
        "/pith-mirrors.json": keys,
    }
    with lab(routes) as server:
        report = ask(server, suffix)
        assert report.verdict == "not_checked"
        assert report["receipt_key"].code == "receipt.key_unknown"
        assert server.seen == [f"/pith/{suffix}.json"]


# --- servers that misbehave


def refused(
    server: Lab, code: str, *, exit_code: int = 3, within: float = 20.0, **named: Any
) -> Report:
    started = time.monotonic()
    report = ask(server, **named)
    took = time.monotonic() - started
    assert took < within, f"{took:.1f} s"
    assert report.verdict == "not_checked"
    assert report.exit_code == exit_code
    assert report["parse"].code == code, report["parse"].detail
    assert report["parse"].detail.isprintable()
    return report


def test_not_found() -> None:
    with lab({}) as server:
        refused(server, "resolve.not_found")
        with pytest.raises(NotFoundError):
            fetch(SUFFIX, resolver=server.url)
        assert len(server.seen) == 6, "the record, its page and its bundle, each once"


def test_a_page_that_answers_with_json_when_asked_for_it() -> None:
    def page(request: Request) -> None:
        asked_for_json = "application/ld+json" in request.headers["Accept"]
        answer(RECORD_BYTES if asked_for_json else b"<html>")(request)

    with lab({f"/pith/{SUFFIX}": page}) as server:
        assert ask(server).verdict == "verified"


def test_a_page_for_people_is_as_good_as_none() -> None:
    html = answer(b"<html>", content_type="text/html")
    with lab(
        {f"/pith/{SUFFIX}": html, f"/.well-known/pith/{SUFFIX}/bundle.json": answer(RECORD_BYTES)}
    ) as server:
        assert ask(server).verdict == "verified"


@pytest.mark.parametrize("status", [400, 401, 403, 418, 500, 501])
def test_other_statuses_are_not_tried_again(status: int) -> None:
    with lab({"*": answer(b"{}", status=status)}) as server:
        refused(server, "resolve.status")
        assert len(server.seen) == 1


@pytest.mark.parametrize("status", [429, 502, 503, 504])
def test_busy_servers_are_asked_four_times_in_all(status: int) -> None:
    with lab({"*": answer(b"", status=status)}) as server:
        refused(server, "resolve.busy")
        assert len(server.seen) == 4
    with lab(
        {
            PATH: in_turn(
                answer(b"", status=status), answer(b"", status=status), answer(RECORD_BYTES)
            )
        }
    ) as server:
        assert ask(server).verdict == "verified"
        assert len(server.seen) == 3


def hang_up(request: Request) -> None:
    request.connection.shutdown(socket.SHUT_RDWR)


def test_a_connection_that_breaks_is_tried_again() -> None:
    with lab({PATH: in_turn(hang_up, answer(RECORD_BYTES))}) as server:
        assert ask(server).verdict == "verified"
    with lab({"*": hang_up}) as server:
        refused(server, "resolve.unreachable")
        assert len(server.seen) == 4


def test_waits_grow_and_are_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport_module, "FIRST_WAIT", 0.5)
    for attempt in range(3):
        waits = [transport_module._growing_wait(attempt) for _ in range(200)]
        assert 0.25 * 2**attempt <= min(waits) < max(waits) <= 0.75 * 2**attempt
        assert len(set(waits)) > 100


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_retry_after_is_obeyed(form: str) -> None:
    def busy(request: Request) -> None:
        later = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=2), usegmt=True)
        answer(b"", status=503, headers={"Retry-After": "1" if form == "seconds" else later})(
            request
        )

    with lab({PATH: in_turn(busy, answer(RECORD_BYTES))}) as server:
        started = time.monotonic()
        assert ask(server, timeout=30.0).verdict == "verified"
        assert time.monotonic() - started > 0.5


@pytest.mark.parametrize("value", ["86400", "61", "9" * 400, "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_a_long_retry_after_ends_the_attempt(value: str) -> None:
    with lab({"*": answer(b"", status=429, headers={"Retry-After": value})}) as server:
        refused(server, "resolve.busy", within=20, timeout=3600.0)
        assert len(server.seen) == 1


@pytest.mark.parametrize("value", ["soon", "-1", "", "1e3", "²"])
def test_a_nonsense_retry_after_is_ignored(value: str) -> None:
    header = {"Retry-After": value.encode("latin-1", "replace").decode("latin-1")}
    with lab(
        {PATH: in_turn(answer(b"", status=503, headers=header), answer(RECORD_BYTES))}
    ) as server:
        assert ask(server).verdict == "verified"


def drip(first: bytes, piece: bytes) -> Reply:
    def reply(request: Request) -> None:
        request.wfile.write(first)
        while True:
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
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"1\r\n \r\n",
        ),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["body", "headers", "header value", "status line", "chunks", "continues"],
)
def test_a_slow_drip_cannot_stretch_the_deadline(first: bytes, piece: bytes) -> None:
    with lab({"*": drip(first, piece)}) as server:
        started = time.monotonic()
        report = ask(server, timeout=1.0)
        assert time.monotonic() - started < 10
        assert report.exit_code == 3


def test_a_silent_server_and_a_dead_one() -> None:
    with lab({"*": lambda _request: time.sleep(30)}) as server:
        refused(server, "resolve.deadline", timeout=1.0, within=10)
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
    started = time.monotonic()
    report = report_on(SUFFIX, Resolver(f"http://127.0.0.1:{port}", timeout=5.0))
    assert report["parse"].code == "resolve.unreachable"
    assert report.exit_code == 3
    assert time.monotonic() - started < 15


def test_a_name_lookup_that_hangs_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_arguments, **_named: time.sleep(20))
    started = time.monotonic()
    report = report_on(SUFFIX, Resolver("https://pith.science", timeout=0.5))
    assert report["parse"].code == "resolve.deadline"
    assert time.monotonic() - started < 10


def test_too_many_bytes() -> None:
    with lab({"*": answer(b" " * (1 << 21))}) as server:
        refused(server, "resolve.size")


def endless(request: Request) -> None:
    request.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        request.wfile.write(b" " * 65536)


def test_an_endless_body() -> None:
    with lab({"*": endless}) as server:
        refused(server, "resolve.size")


def peak_growth(server: Lab) -> int:
    """How many bytes of memory one refusal took, at most."""
    tracemalloc.start()
    try:
        refused(server, "resolve.size")
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
def test_a_gigabyte_in_a_megabyte_stops_at_the_limit(encoding: str) -> None:
    data = bomb(encoding)
    assert len(data) < 2 << 20
    with lab({"*": answer(data, headers={"Content-Encoding": encoding})}) as server:
        assert peak_growth(server) < 16 << 20


@pytest.mark.parametrize("encoding", ["gzip, gzip", "br", "zstd", "gzip,identity", "nonsense"])
def test_encodings_that_were_not_asked_for_are_refused(encoding: str) -> None:
    body = gzip.compress(gzip.compress(RECORD_BYTES))
    with lab({"*": answer(body, headers={"Content-Encoding": encoding})}) as server:
        refused(server, "resolve.encoding")
        assert server.headers_seen[0]["Accept-Encoding"] == "gzip"


def test_gzip_is_read() -> None:
    with lab(
        {PATH: answer(gzip.compress(RECORD_BYTES), headers={"Content-Encoding": "gzip"})}
    ) as server:
        assert ask(server).verdict == "verified"


def test_a_torn_gzip_or_short_body_is_no_answer() -> None:
    torn = gzip.compress(RECORD_BYTES)[:-20]
    with lab({"*": answer(torn, headers={"Content-Encoding": "gzip"})}) as server:
        refused(server, "resolve.incomplete")
    with lab({"*": answer(b"not gzip at all", headers={"Content-Encoding": "gzip"})}) as server:
        refused(server, "resolve.unreachable")

    def short(request: Request) -> None:
        request.wfile.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n{}"
        )
        request.connection.shutdown(socket.SHUT_RDWR)

    with lab({"*": short}) as server:
        assert ask(server).exit_code == 3


def test_html_is_no_answer_to_a_question_for_json() -> None:
    with lab({"*": answer(RECORD_BYTES, content_type="text/html; charset=utf-8")}) as server:
        refused(server, "resolve.content_type")


@pytest.mark.parametrize(
    "body",
    [b"", b"no json", b"[]", b"{}", b"null", b'{"canonical_record": {}}', b"\xff\xfe{\x00}\x00"],
)
def test_json_that_is_no_record_is_invalid(body: bytes) -> None:
    with lab({"*": answer(body)}) as server:
        report = ask(server)
        assert report.verdict == "invalid"
        assert report.exit_code in (1, 2)


# --- redirects


def test_redirects_within_the_host_are_followed_three_times() -> None:
    routes = {
        PATH: redirect("/a"),
        "/a": redirect("/b"),
        "/b": redirect("/c"),
        "/c": answer(RECORD_BYTES),
    }
    with lab(routes) as server:
        assert ask(server).verdict == "verified"
        server.routes["/c"] = redirect("/d")
        server.routes["/d"] = answer(RECORD_BYTES)
        refused(server, "resolve.redirects")


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
    with lab({PATH: redirect(target), "/pith/": answer(RECORD_BYTES)}) as server:
        refused(server, "resolve.redirects")


def test_the_body_of_a_redirect_is_not_read() -> None:
    headers = {"Location": "/a", "Content-Encoding": "gzip"}
    with lab(
        {PATH: answer(bomb("gzip", 64), status=302, headers=headers), "/a": answer(RECORD_BYTES)}
    ) as server:
        tracemalloc.start()
        try:
            assert ask(server).verdict == "verified"
            assert tracemalloc.get_traced_memory()[1] < 16 << 20
        finally:
            tracemalloc.stop()


def test_a_redirect_cannot_lead_into_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """An https server's name that comes to mean the loopback is refused before a byte is sent."""
    with lab({"*": answer(RECORD_BYTES)}) as server:
        port = server.server_address[1]
        resolve = socket.getaddrinfo

        def rebound(host: str, *arguments: Any, **named: Any) -> Any:
            return resolve(
                "127.0.0.1" if host == "pith.science" else host,
                port if host == "pith.science" else arguments[0],
                *arguments[1:],
                **named,
            )

        monkeypatch.setattr(socket, "getaddrinfo", rebound)
        report = report_on(SUFFIX, Resolver("https://pith.science", timeout=5.0))
        assert report["parse"].code == "resolve.private_address"
        assert "--allow-host pith.science" in report["parse"].detail
        assert server.seen == []
        allowed = report_on(
            SUFFIX, Resolver("https://pith.science", timeout=5.0, allowed_hosts=["pith.science"])
        )
        assert allowed["parse"].code == "resolve.certificate"


@pytest.mark.parametrize(
    ("address", "allowed"),
    [
        ("127.0.0.1", False),
        ("10.0.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("8.8.8.8", True),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("::ffff:8.8.8.8", True),
        ("2606:4700:4700::1111", True),
    ],
)
def test_only_public_addresses_are_connected_to(address: str, allowed: bool) -> None:
    class Peer:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET

        def getpeername(self) -> tuple[str, int]:
            return (address, 443)

    def check(host: str, names: tuple[str, ...] = ()) -> bool:
        try:
            transport_module._check_peer(Peer(), host, names)  # type: ignore[arg-type]
        except transport_module._PrivateAddressError:
            return False
        return True

    assert check("mirror.example") is allowed
    assert check("mirror.example", ("mirror.example",))
    assert check("localhost") is (address in ("127.0.0.1", "::1", "::ffff:127.0.0.1"))


# --- the environment


def test_a_proxy_from_the_environment_is_used_and_no_proxy_heeded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The proxy sees the CONNECT for the https host; loopback addresses never go through it."""
    asked: list[str] = []

    class Proxy(threading.Thread):
        def __init__(self) -> None:
            super().__init__(daemon=True)
            self.socket = socket.create_server(("127.0.0.1", 0))

        def run(self) -> None:
            while True:
                try:
                    connection, _ = self.socket.accept()
                except OSError:
                    return
                asked.append(connection.recv(1000).split(b"\r\n")[0].decode())
                connection.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                connection.close()

    proxy = Proxy()
    proxy.start()
    monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.socket.getsockname()[1]}")
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{proxy.socket.getsockname()[1]}")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    report = report_on(SUFFIX, Resolver("https://pith.science", timeout=10.0))
    assert report["parse"].code == "resolve.proxy"
    assert set(asked) == {"CONNECT pith.science:443 HTTP/1.1"} or set(asked) == {
        "CONNECT pith.science:443 HTTP/1.0"
    }
    asked.clear()
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server).verdict == "verified"
    monkeypatch.setenv("NO_PROXY", "pith.science")
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda *_a, **_n: (_ for _ in ()).throw(socket.gaierror("no such host")),
    )
    assert (
        report_on(SUFFIX, Resolver("https://pith.science", timeout=10.0))["parse"].code
        == "resolve.unreachable"
    )
    assert asked == []
    proxy.socket.close()


def test_no_password_of_netrc_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text(
        "machine 127.0.0.1 login me password secret\n", encoding="utf-8"
    )
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server).verdict == "verified"
        assert "Authorization" not in server.headers_seen[0]


# --- mirrors


def test_the_next_mirror_is_asked_on_failure_and_verified_alike() -> None:
    with (
        lab({"*": answer(b"", status=500)}) as first,
        lab({}) as second,
        lab({PATH: answer(RECORD_BYTES)}) as third,
    ):
        report = ask(first, mirrors=[second.url, third.url])
        assert report.verdict == "verified"
        assert first.seen
        assert second.seen
        assert third.seen == [PATH]
        changed = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")
        third.routes[PATH] = answer(changed)
        assert ask(first, mirrors=[second.url, third.url]).verdict == "invalid"


def test_a_lying_source_does_not_hide_an_honest_one_but_is_named() -> None:
    with lab({PATH: answer(to_bytes(OTHER))}) as liar, lab({PATH: answer(RECORD_BYTES)}) as honest:
        report = ask(liar, mirrors=[honest.url])
        assert report.verdict == "verified"
        assert "another source gave a wrong record: number.mismatch" in report["parse"].detail
        assert ask(liar).verdict == "invalid"


def test_a_mirror_may_have_only_the_bundle() -> None:
    bundle = {
        "bundle_type": "pith_open_graph_bundle",
        "pith_number": NUMBER,
        "canonical_record": real()["canonical_record"],
        "canonical_sha256": real()["canonical_sha256"],
        "events": [{"event_type": "record_created", "payload": {"receipt": real()["receipt"]}}],
    }
    with lab({f"/.well-known/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle))}) as server:
        report = ask(server)
        assert report.verdict == "verified"
        assert report.record is not None
        assert report.record.kind == "bundle"


def manifest(*entries: dict[str, Any]) -> bytes:
    return to_bytes(
        {
            "mirrors": [
                {"name": "m", "mirror_type": "static", "status": "active", **entry}
                for entry in entries
            ]
        }
    )


def test_a_manifest_the_user_names(tmp_path: Path) -> None:
    with lab({}) as first, lab({PATH: answer(RECORD_BYTES)}) as second:
        path = tmp_path / "pith-mirrors.json"
        path.write_bytes(
            manifest(
                {"base_url": "https://down.invalid", "status": "retired"},
                {"base_url": f"{second.url}/"},
            )
        )
        assert ask(first, manifest=str(path)).verdict == "verified"
        path.write_bytes(manifest({"base_url": second.url, "bundle_pattern": "/odd/{suffix}.json"}))
        second.routes = {f"/odd/{SUFFIX}.json": answer(RECORD_BYTES)}
        assert ask(first, manifest=str(path)).verdict == "verified"


def test_a_fetched_manifest_cannot_lead_into_this_machine() -> None:
    data = manifest({"base_url": "http://127.0.0.1:8080"}, {"base_url": "https://mirror.example"})
    (mirror,) = read_manifest(data, "m", local=False)
    assert mirror.base == "https://mirror.example"
    assert len(read_manifest(data, "m", local=True)) == 2


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b'{"mirrors": {}}',
        b'{"mirrors": [1, "x", null, {}]}',
        manifest({"base_url": "http://mirror.example"}),
        manifest({"base_url": "file:///etc"}),
        manifest({"base_url": "https://a@b.example"}),
        manifest({"base_url": "https://m.example", "status": "revoked"}),
    ],
)
def test_a_manifest_without_a_usable_mirror_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match="lists no mirror"):
        read_manifest(data, "m", local=True)


def test_a_pattern_cannot_lead_to_another_host_or_choose_a_path_without_the_number() -> None:
    (mirror,) = read_manifest(
        manifest(
            {"base_url": "https://m.example", "bundle_pattern": "https://evil.example/{suffix}"}
        ),
        "m",
        local=True,
    )
    assert all(address.startswith("https://m.example/") for address in mirror.addresses(SUFFIX))
    (mirror,) = read_manifest(
        manifest({"base_url": "https://m.example", "bundle_pattern": "/all.json"}), "m", local=True
    )
    assert all(SUFFIX in address for address in mirror.addresses(SUFFIX))


def test_everybody_who_failed_is_named() -> None:
    with lab({}) as first, lab({"*": answer(b"", status=500)}) as second:
        report = ask(first, mirrors=[second.url])
        assert first.url in report["parse"].detail
        assert second.url in report["parse"].detail
        assert report["parse"].code == "resolve.status"


# --- files and standard input


def test_a_file_is_read_once(tmp_path: Path) -> None:
    """What is hashed is what is shown: the file is opened once, so changing it in between changes
    nothing."""
    path = tmp_path / "record.json"
    path.write_bytes(RECORD_BYTES)
    located = locate(str(path))
    found = next(Resolver().candidates(located))
    path.write_bytes(b"{}")
    assert pybadge.verify(found.data).verdict == "verified"


@pytest.mark.parametrize("name", ["missing.json", "folder.json", "nul\x00.json"])
def test_a_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.json").mkdir()
    report = report_on(f"{tmp_path}/{name}", Resolver())
    assert report.exit_code == 2
    assert report["parse"].detail.isprintable()


def test_offline_asks_nobody() -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        refused(server, "resolve.offline", offline=True)
        assert server.seen == []
        with pytest.raises(UnreachableError, match="--offline"):
            fetch(SUFFIX, resolver=server.url, offline=True)


def test_addresses_that_may_be_asked() -> None:
    for good in (
        "https://pith.science",
        "http://127.0.0.1:8000/x",
        "http://localhost",
        "http://[::1]:9/x",
    ):
        assert checked_url(good) == good
    with pytest.raises(UsageError):
        Resolver("http://pith.science")
    with pytest.raises(UsageError):
        Transport().get("file:///etc/passwd")


def test_the_answers_of_many_threads_are_their_own() -> None:
    routes = {
        f"/pith/{line['suffix']}.json": answer(to_bytes(document(line["canonical_record"], None)))
        for line in RECORDS[:20]
    }
    with lab(routes) as server:
        resolver = Resolver(server.url)
        outcomes: dict[str, Report] = {}

        def work(suffix: str) -> None:
            outcomes[suffix] = report_on(suffix, resolver)

        threads = [threading.Thread(target=work, args=(line["suffix"],)) for line in RECORDS[:20]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {
        suffix: report.number.suffix for suffix, report in outcomes.items() if report.number
    } == {line["suffix"]: line["suffix"] for line in RECORDS[:20]}


def test_missing_is_a_reply() -> None:
    with lab({"*": missing}) as server, pytest.raises(NotFoundError):
        Transport().get(f"{server.url}/x")
    assert json.loads(b"{}") == {}
    with pytest.raises(RecordError):
        pybadge.load(b"")
