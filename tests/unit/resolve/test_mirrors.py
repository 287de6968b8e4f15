"""Fallback servers and their manifest: asked in order, never trusted, never sent elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pybadge.errors import RecordError, UsageError
from pybadge.resolve.mirrors import Mirror, read_manifest
from tests.support.asking import PATH, ask
from tests.support.data import RECORD_BYTES, SUFFIX
from tests.support.documents import bundle, to_bytes
from tests.support.http_server import Server, answer


def manifest(*entries: dict[str, Any]) -> bytes:
    """A manifest as the registry publishes it."""
    usual = {"name": "m", "mirror_type": "static", "status": "active"}
    return to_bytes({"mirrors": [{**usual, **entry} for entry in entries]})


def bases(data: bytes, *, local: bool = True) -> list[str]:
    return [mirror.base for mirror in read_manifest(data, "m", local=local)]


# --- asking them


def test_the_next_mirror_is_asked_on_failure_and_verified_alike() -> None:
    with (
        Server({"*": answer(b"", status=500)}) as first,
        Server() as second,
        Server({PATH: answer(RECORD_BYTES)}) as third,
    ):
        mirrors = [second.url, third.url]
        assert ask(first, mirrors=mirrors).verdict == "verified"
        assert first.asked
        assert second.asked
        assert third.asked == [PATH]
        third.routes[PATH] = answer(RECORD_BYTES.replace(b"MegaScale", b"NanoScale"))
        assert ask(first, mirrors=mirrors).verdict == "invalid"


def test_a_mirror_may_have_only_the_bundle() -> None:
    routes = {f"/.well-known/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle()))}
    with Server(routes) as server:
        report = ask(server)
        assert report.verdict == "verified"
        assert report.record is not None
        assert report.record.kind == "bundle"


def test_everybody_who_failed_is_named() -> None:
    with Server() as first, Server({"*": answer(b"", status=500)}) as second:
        report = ask(first, mirrors=[second.url])
        assert first.url in report["parse"].detail
        assert second.url in report["parse"].detail
        assert report["parse"].code == "resolve.status"
        assert ask(first, mirrors=[first.url])["parse"].code == "resolve.not_found"


def test_the_mirrors_of_a_manifest_that_the_user_names_are_asked(tmp_path: Path) -> None:
    path = tmp_path / "pith-mirrors.json"
    with Server() as first, Server({PATH: answer(RECORD_BYTES)}) as second:
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


def test_a_manifest_is_fetched_from_an_address() -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        server.routes["/m.json"] = answer(manifest({"base_url": server.url}))
        faults: list[str] = []
        named = {"manifest": f"{server.url}/m.json", "on_fault": faults.append}
        assert ask(server, **named).verdict == "verified"
        assert (server.asked, faults) == ([PATH], []), "it is read only where it is needed"
        server.routes.pop(PATH)
        assert ask(server, **named)["parse"].code == "resolve.not_found"
        # Its only mirror is on the loopback, which no fetched manifest may name.
        (fault,) = faults
        assert fault.startswith("mirrors not asked: ")


@pytest.mark.parametrize("content", [b"", b"{}", b"<html>", b'{"mirrors": []}', None])
def test_a_broken_manifest_is_a_remark_and_hides_nothing(
    tmp_path: Path, content: bytes | None
) -> None:
    path = tmp_path / "pith-mirrors.json"
    if content is not None:
        path.write_bytes(content)
    faults: list[str] = []
    with Server() as first, Server({PATH: answer(RECORD_BYTES)}) as second:
        named = {"manifest": str(path), "on_fault": faults.append}
        assert ask(first, mirrors=[second.url], **named).verdict == "verified"
        assert faults == []
        assert ask(first, **named)["parse"].code == "resolve.not_found"
        assert len(faults) == 1


def test_a_mirror_that_is_listed_twice_is_asked_once(tmp_path: Path) -> None:
    path = tmp_path / "pith-mirrors.json"
    with Server() as first, Server() as second:
        twice = [{"base_url": second.url}, {"base_url": f"{second.url}/", "name": "again"}]
        path.write_bytes(manifest(*twice))
        ask(first, manifest=str(path))
        assert len(second.asked) == 3, "the record, its page and its bundle"


# --- reading a manifest


def test_mirrors_are_taken_in_their_order_and_each_once() -> None:
    names = [f"https://m{number}.example" for number in (2, 1, 3)]
    entries = [{"base_url": name} for name in (names[0], names[1], f"{names[0]}/", names[2])]
    assert bases(manifest(*entries)) == names
    patterns = [{"base_url": names[0], "bundle_pattern": f"/{x}/{{suffix}}"} for x in "aab"]
    assert len(read_manifest(manifest(*patterns), "m", local=True)) == 2


def test_a_manifest_of_a_thousand_mirrors_gives_the_first_32() -> None:
    entries = [{"base_url": f"https://m{number}.example"} for number in range(1000)]
    assert bases(manifest(*entries)) == [entry["base_url"] for entry in entries[:32]]


@pytest.mark.parametrize(
    ("status", "asked"),
    [
        ("active", True),
        (None, True),
        ("degraded", True),
        ("no such status", True),
        ("disabled", False),
        ("down", False),
        ("inactive", False),
        ("offline", False),
        ("retired", False),
    ],
)
def test_a_mirror_out_of_use_is_left_out(status: str | None, asked: bool) -> None:
    good = {"base_url": "https://good.example"}
    found = bases(manifest({"base_url": "https://m.example", "status": status}, good))
    assert ("https://m.example" in found) is asked


def test_a_fetched_manifest_cannot_lead_into_this_machine() -> None:
    loopback = [f"http://{host}:8080" for host in ("127.0.0.1", "localhost", "[::1]")]
    data = manifest(*({"base_url": url} for url in (*loopback, "https://mirror.example")))
    assert bases(data, local=False) == ["https://mirror.example"]
    assert len(bases(data)) == 4


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b"7",
        b'{"mirrors": {}}',
        b'{"mirrors": [1, "x", null, {}]}',
        manifest({"base_url": "http://mirror.example"}),
        manifest({"base_url": "file:///etc"}),
        manifest({"base_url": "https://a@b.example"}),
        manifest({"base_url": 7}),
        manifest({"base_url": "https://m.example", "status": "retired"}),
    ],
)
def test_a_manifest_without_a_usable_mirror_is_refused(data: bytes) -> None:
    with pytest.raises(UsageError, match=r"^here: lists no mirror"):
        read_manifest(data, "here", local=True)


def test_a_manifest_is_strict_json() -> None:
    with pytest.raises(RecordError, match=r"^here: .*twice"):
        read_manifest(b'{"mirrors": [], "mirrors": []}', "here", local=True)


# --- addresses


def test_a_record_is_asked_for_before_its_page_and_its_bundle() -> None:
    assert Mirror("https://m.example").addresses(SUFFIX) == (
        f"https://m.example/pith/{SUFFIX}.json",
        f"https://m.example/pith/{SUFFIX}",
        f"https://m.example/.well-known/pith/{SUFFIX}/bundle.json",
    )
    assert Mirror("https://m.example").addresses(SUFFIX, bundle=True) == (
        f"https://m.example/pith/{SUFFIX}/bundle.json",
        f"https://m.example/.well-known/pith/{SUFFIX}/bundle.json",
    )


@pytest.mark.parametrize(
    "mark",
    ["{suffix}", "{pith_number}", "{number}", "{pith}", "{S}", "<suffix>", ":suffix"],
)
def test_a_pattern_takes_the_place_of_the_bundles_address(mark: str) -> None:
    entry = {"base_url": "https://m.example", "bundle_pattern": f"/a/{mark}/b.json"}
    (mirror,) = read_manifest(manifest(entry), "m", local=True)
    assert mirror.addresses(SUFFIX) == (
        f"https://m.example/pith/{SUFFIX}.json",
        f"https://m.example/a/{SUFFIX}/b.json",
    )
    whole = {**entry, "bundle_pattern": f"https://m.example/a/{mark}"}
    (mirror,) = read_manifest(manifest(whole), "m", local=True)
    assert mirror.addresses(SUFFIX)[1] == f"https://m.example/a/{SUFFIX}"


@pytest.mark.parametrize(
    "pattern",
    [
        "https://evil.example/{suffix}",
        "https://m.example.evil.example/{suffix}",
        "https://m.example@evil.example/{suffix}",
        "//evil.example",
        "/all.json",
        "",
        7,
        None,
    ],
)
def test_a_pattern_cannot_lead_to_another_host_or_to_a_path_without_the_number(
    pattern: Any,
) -> None:
    entry = {"base_url": "https://m.example", "bundle_pattern": pattern}
    (mirror,) = read_manifest(manifest(entry), "m", local=True)
    assert mirror.pattern is None
    for address in mirror.addresses(SUFFIX):
        assert address.startswith("https://m.example/")
        assert SUFFIX in address


def test_a_pattern_that_gives_no_address_of_the_number_is_not_used() -> None:
    plain = Mirror("https://m.example")
    assert Mirror("https://m.example", "/all.json").addresses(SUFFIX) == plain.addresses(SUFFIX)
