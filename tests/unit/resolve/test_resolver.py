"""Who is asked, in which order: files, standard input, servers, and nobody offline."""

from __future__ import annotations

import io
import os
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

import pybadge
from pybadge.errors import NotFoundError, RecordError, UnreachableError
from pybadge.input import MAX_BYTES
from pybadge.resolve import Resolver, fetch, locate
from pybadge.verification import report_on
from tests.support.asking import PATH, ask, refused
from tests.support.command import HANG
from tests.support.data import NUMBER, RECORD, RECORD_BYTES, SUFFIX
from tests.support.documents import signed, to_bytes
from tests.support.http_server import Request, Server, answer


def test_a_number_is_fetched_and_verified() -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server).verdict == "verified"
        assert server.asked == [PATH]
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
def test_an_arxiv_id_goes_through_the_resolve_interface(asked: str) -> None:
    pointer = to_bytes({"pith_number": NUMBER, "html": "https://pith.science/"})
    with Server({"*": answer(pointer), PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server, asked).verdict == "verified"
        assert server.asked[0].startswith("/api/pith-number/resolve?arxiv=2402.15627")
        assert server.asked[0].endswith("&json=true")
        assert server.asked[1] == PATH
        server.asked.clear()
        server.routes["*"] = answer(RECORD_BYTES)
        assert ask(server, asked).verdict == "verified"
        assert len(server.asked) == 1, "the record itself needs no second question"


@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b"7", b'{"pith_number": 7}', b'{"pith_number": "x"}']
)
def test_a_pointer_that_names_no_number_leads_nowhere(body: bytes) -> None:
    with Server({"*": answer(body)}) as server:
        refused(server, "resolve.other_answer", what="2402.15627")
        assert len(server.asked) == 1


def test_a_pointer_leads_to_the_same_server_only() -> None:
    pointer = to_bytes({"pith_number": NUMBER, "json": "https://evil.example/x.json"})
    with Server({"*": answer(pointer)}) as server:
        ask(server, "2402.15627")
        assert server.asked[1] == PATH


def test_old_ids_are_quoted_in_the_address() -> None:
    with Server() as server:
        assert ask(server, "hep-lat/0305021").exit_code == 3
        assert server.asked == ["/api/pith-number/resolve?arxiv=hep-lat%2F0305021&json=true"]


def test_a_short_form_is_asked_for_as_it_is() -> None:
    routes = {f"/pith/{short}.json": answer(RECORD_BYTES) for short in ("XR2UHLWN", "AAAAAAAA")}
    with Server(routes) as server:
        assert ask(server, "pith:XR2UHLWN")["number"].code == "number.short_ambiguous"
        assert ask(server, "AAAAAAAA")["number"].code == "number.mismatch"


def test_a_page_that_answers_with_json_when_asked_for_it_is_read() -> None:
    def page(request: Request) -> None:
        asked_for_json = "application/ld+json" in request.headers["Accept"]
        answer(RECORD_BYTES if asked_for_json else b"<html>")(request)

    with Server({f"/pith/{SUFFIX}": page}) as server:
        assert ask(server).verdict == "verified"


def test_a_page_for_people_is_as_good_as_none() -> None:
    html = answer(b"<html>", content_type="text/html")
    bundle = f"/.well-known/pith/{SUFFIX}/bundle.json"
    with Server({f"/pith/{SUFFIX}": html, bundle: answer(RECORD_BYTES)}) as server:
        assert ask(server).verdict == "verified"


def test_a_server_is_never_asked_for_its_own_key() -> None:
    made, key = signed()
    suffix = made["pith_number"].split(":")[-1]
    keys = answer(to_bytes({"key_id": key.key_id, "public_key_hex": key.raw.hex()}))
    routes = {
        f"/pith/{suffix}.json": answer(to_bytes(made)),
        "/pith-signing-key.json": keys,
        "/pith-mirrors.json": keys,
    }
    with Server(routes) as server:
        report = ask(server, suffix)
        assert report.verdict == "not_checked"
        assert report["receipt_key"].code == "receipt.key_unknown"
        assert server.asked == [f"/pith/{suffix}.json"]


def test_offline_asks_nobody() -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        refused(server, "resolve.offline", offline=True)
        assert server.asked == []
        with pytest.raises(UnreachableError, match="--offline"):
            fetch(SUFFIX, resolver=server.url, offline=True)


def test_what_nobody_knows_is_not_found() -> None:
    with Server() as server, pytest.raises(NotFoundError):
        fetch("2402.15627", resolver=server.url)


# --- time


def test_the_deadline_is_one_for_all_servers() -> None:
    """The first server may use it up; those after it are then not asked at all."""
    stop = threading.Event()
    stall = {"*": lambda _request: bool(stop.wait(HANG))}
    with Server(stall) as first, Server(stall) as second, Server(stall) as third:
        report = ask(first, mirrors=[second.url, third.url], deadline=0.7)
        stop.set()
        assert (first.asked, second.asked, third.asked) == ([PATH], [], [])
    assert report.verdict == "not_checked"
    assert report["parse"].code == "resolve.deadline"
    assert report["parse"].detail.count("no time left to ask") == 2


def test_a_server_that_stalls_does_not_hide_the_next_one() -> None:
    stop = threading.Event()
    stall = {"*": lambda _request: bool(stop.wait(HANG))}
    with Server(stall) as first, Server({PATH: answer(RECORD_BYTES)}) as second:
        resolver = Resolver(first.url, mirrors=[second.url], timeout=0.5)
        for _ in range(3):
            assert report_on(SUFFIX, resolver).verdict == "verified"
        stop.set()
        assert first.asked == [PATH], "it rests after the first time"
        assert second.asked == [PATH] * 3


def test_the_deadline_holds_for_a_pipe_that_nobody_writes_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    writer = os.open(pipe, os.O_RDWR)
    try:
        report = report_on(str(pipe), Resolver(deadline=0.3))
    finally:
        os.close(writer)
    assert (report.verdict, report["parse"].code) == ("unreadable", "file.timeout")


# --- files and standard input


def test_what_was_read_is_what_is_verified_whatever_becomes_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(RECORD_BYTES)
    found = next(Resolver().candidates(locate(str(path))))
    path.write_bytes(b"{}")
    assert found.origin == str(path)
    assert pybadge.verify(found.data).verdict == "verified"


@pytest.mark.parametrize("name", ["missing.json", "folder.json"])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder.json").mkdir()
    report = report_on(f"{tmp_path}/{name}", Resolver())
    assert report.exit_code == 2
    assert report["parse"].code == "file.unreadable"
    assert name in report["parse"].detail
    assert report["parse"].detail.isprintable()


def test_standard_input_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def given(data: bytes) -> pybadge.checks.Report:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
        return report_on("-", Resolver())

    assert given(RECORD_BYTES).verdict == "verified"
    assert given(RECORD_BYTES + b" " * MAX_BYTES)["parse"].code == "json.size"


def test_a_record_is_read_strictly_but_not_verified() -> None:
    assert fetch(str(RECORD)).pith_number == NUMBER
    unsigned = RECORD_BYTES.replace(b"MegaScale", b"NanoScale")
    with Server({PATH: answer(unsigned)}) as server:
        assert fetch(SUFFIX, resolver=server.url).pith_number == NUMBER
        server.routes[PATH] = answer(b"{")
        with pytest.raises(RecordError, match="not JSON"):
            fetch(SUFFIX, resolver=server.url)
        server.routes[PATH] = answer(b"{}")
        with pytest.raises(RecordError, match="has no canonical_record"):
            fetch(SUFFIX, resolver=server.url)
