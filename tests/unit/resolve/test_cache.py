"""The cache: never believed, whole or not there, whoever dies or writes at the same time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from shutil import copy
from typing import Any

import pytest

from pybadge.checks import Report
from pybadge.resolve import Resolver, fetch
from pybadge.resolve.cache import Cache, default_folder
from pybadge.verification import Expectations, report_on
from tests.support.asking import PATH
from tests.support.asking import ask as ask_server
from tests.support.command import HANG, environment, program
from tests.support.data import RECORD, RECORD_BYTES, SUFFIX
from tests.support.documents import bundle, signed, to_bytes
from tests.support.http_server import Reply, Request, Server, answer

KEY = f"pith:{SUFFIX}"


def ask(server: Server, folder: Path, what: str = SUFFIX) -> Report:
    return ask_server(server, what, cache=str(folder))


def offline(folder: Path, what: str = SUFFIX) -> Report:
    return report_on(what, Resolver(offline=True, cache=str(folder)))


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_fetched_is_there_offline(tmp_path: Path) -> None:
    assert offline(tmp_path)["parse"].code == "resolve.offline"
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server, tmp_path).verdict == "verified"
    report = offline(tmp_path)
    assert report.verdict == "verified"
    assert "from the cache" in report["parse"].detail
    assert fetch(SUFFIX, offline=True, cache=str(tmp_path)).canonical.source_id == "2402.15627"


def test_the_bytes_lie_under_their_own_hash_and_no_verdict_anywhere(tmp_path: Path) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
    (name,) = [path for path in files(tmp_path) if path.parent.name == "names"]
    (stored,) = [path for path in files(tmp_path) if path.parent.parent.name == "objects"]
    assert stored.name == sha256(RECORD_BYTES).hexdigest()
    assert stored.read_bytes() == RECORD_BYTES
    assert name.stem == sha256(KEY.encode()).hexdigest()
    facts = json.loads(name.read_text())
    assert set(facts) == {"sha256", "etag", "url", "fetched_at"}
    assert "verified" not in name.read_text()


def etagged(body: bytes, tag: str) -> Reply:
    def reply(request: Request) -> None:
        if request.headers.get("If-None-Match") == tag:
            answer(b"", status=304, headers={"ETag": tag})(request)
        else:
            answer(body, headers={"ETag": tag})(request)

    return reply


def test_a_copy_that_is_current_is_not_sent_again(tmp_path: Path) -> None:
    with Server({PATH: etagged(RECORD_BYTES, '"v1"')}) as server:
        assert ask(server, tmp_path).verdict == "verified"
        assert ask(server, tmp_path).verdict == "verified"
        assert server.headers_asked[1]["If-None-Match"] == '"v1"'
        assert len(server.asked) == 2


@pytest.mark.parametrize("etag", ["ä", "a\nb", '"' + "x" * 5000 + '"', 7, None, ["x"]])
def test_a_damaged_etag_is_not_sent(tmp_path: Path, etag: Any) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        Cache(str(tmp_path)).put(KEY, RECORD_BYTES, f"{server.url}{PATH}", etag)
        assert ask(server, tmp_path).verdict == "verified"
        assert "If-None-Match" not in server.headers_asked[0]


def poison(folder: Path, data: bytes) -> None:
    """Put another record, whole and under its right hash, where this one's name points."""
    Cache(str(folder)).put(KEY, data, "https://pith.science/x", '"v1"')


def test_another_record_under_this_ones_name_is_found_out(tmp_path: Path) -> None:
    other, _ = signed(title="Another paper")
    poison(tmp_path, to_bytes(other))
    report = offline(tmp_path)
    assert report.verdict == "invalid"
    assert report["number"].code == "number.mismatch"
    assert offline(tmp_path)["parse"].code == "resolve.offline", "it is forgotten"


@pytest.mark.parametrize("tagged", [True, False], ids=["304", "200"])
def test_a_poisoned_cache_is_fetched_again_even_if_the_server_calls_it_current(
    tmp_path: Path, tagged: bool
) -> None:
    other, _ = signed(title="Another paper")
    with Server({PATH: etagged(RECORD_BYTES, '"v1"' if tagged else '"v2"')}) as server:
        Cache(str(tmp_path)).put(KEY, to_bytes(other), f"{server.url}{PATH}", '"v1"')
        report = ask(server, tmp_path)
        assert report.verdict == "verified"
        assert len(server.asked) == (2 if tagged else 1)
        assert ("another source gave a wrong record" in report["parse"].detail) is tagged
    assert offline(tmp_path).verdict == "verified"


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(RECORD_BYTES[:-1]),
        lambda path: path.write_bytes(RECORD_BYTES.replace(b"MegaScale", b"NanoScale")),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(bytes(2 << 20)),
        lambda path: path.unlink(),
        lambda path: (path.unlink(), path.mkdir()),
        lambda path: (path.unlink(), path.symlink_to(copy(RECORD, path.with_name("copy")))),
        lambda path: (path.unlink(), os.mkfifo(path)),
    ],
    ids=["torn", "changed", "empty", "huge", "gone", "folder", "link", "pipe"],
)
@pytest.mark.parametrize("which", ["names", "objects"])
def test_a_damaged_file_is_a_miss_and_is_mended(tmp_path: Path, damage: Any, which: str) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
        (path,) = [path for path in files(tmp_path) if which in path.parts]
        damage(path)
        assert offline(tmp_path)["parse"].code == "resolve.offline"
        assert ask(server, tmp_path).verdict == "verified"
    # A folder in a file's place stays there, and the record is fetched each time.
    assert path.is_dir() or offline(tmp_path).verdict == "verified"


def test_a_pipe_is_no_copy_even_if_it_holds_the_right_bytes(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    cache.put(KEY, RECORD_BYTES, "https://x", None)
    (stored,) = [path for path in files(tmp_path) if path.parent.parent.name == "objects"]
    stored.unlink()
    os.mkfifo(stored)
    pipe = os.open(stored, os.O_RDWR)
    try:
        os.write(pipe, RECORD_BYTES)
        assert cache.get(KEY) is None
    finally:
        os.close(pipe)


def test_a_tag_is_sent_only_to_the_address_that_gave_it(tmp_path: Path) -> None:
    Cache(str(tmp_path)).put(KEY, RECORD_BYTES, "https://another.example/x", '"v1"')
    with Server({PATH: etagged(RECORD_BYTES, '"v1"')}) as server:
        assert ask(server, tmp_path).verdict == "verified"
        assert "If-None-Match" not in server.headers_asked[0]


def test_an_invalid_answer_never_replaces_a_good_copy(tmp_path: Path) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
        server.routes[PATH] = answer(RECORD_BYTES.replace(b"MegaScale", b"NanoScale"))
        report = ask(server, tmp_path)
        assert report.verdict == "verified"
        assert "another source gave a wrong record" in report["parse"].detail
    assert offline(tmp_path).verdict == "verified"


def test_with_the_network_down_the_copy_is_used_and_said_so(tmp_path: Path) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
        server.routes = {"*": answer(b"", status=500)}
        report = ask(server, tmp_path)
    assert report.verdict == "verified"
    assert "from the cache" in report["parse"].detail


@pytest.mark.parametrize(
    "what", ["../../x.json", "hep-th/9201013", "CON", "a" * 300 + ".json", f"{SUFFIX}\x00.json"]
)
def test_no_text_becomes_a_path(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "cache"
    with Server({"*": answer(RECORD_BYTES)}) as server:
        ask(server, folder, what)
    Cache(str(folder)).put(what, RECORD_BYTES, "https://x", None)
    for path in files(tmp_path):
        assert path.is_relative_to(folder)
        assert set(path.stem) <= set("0123456789abcdef")
    assert Cache(str(folder)).get(what) is not None


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server, tmp_path / "file").verdict == "verified"


WRITER = """
import sys
from pybadge.resolve.cache import Cache
cache = Cache(sys.argv[1])
print("ready", flush=True)
number = 0
while True:
    number += 1
    cache.put("shared", b'{"n": ' + str(number).encode() * 20000 + b"}", "https://x", None)
"""


def writer(folder: Path) -> subprocess.Popen[bytes]:
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(folder)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def test_kill_9_in_the_middle_of_a_write_leaves_whole_files(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    for round_number in range(12):
        process = writer(tmp_path)
        time.sleep(0.01 + 0.007 * round_number)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
        entry = cache.get("shared")
        assert entry is None or entry.data.endswith(b"}")
        for path in files(tmp_path):
            if path.parent.parent.name == "objects" and path.suffix != ".tmp":
                assert sha256(path.read_bytes()).hexdigest() == path.name
    cache.put("shared", b"{}", "https://x", None)
    entry = cache.get("shared")
    assert entry is not None
    assert entry.data == b"{}"


def test_what_killed_processes_left_is_swept_away(tmp_path: Path) -> None:
    cache = Cache(str(tmp_path))
    cache.put("a", b"{}", "https://x", None)
    names = next(path.parent for path in files(tmp_path) if path.parent.name == "names")
    old, new = names / "x.json.1.tmp", names / "y.json.2.tmp"
    old.write_text("")
    new.write_text("")
    os.utime(old, (1, 1))
    cache.put("b", b"{}", "https://x", None)
    assert not old.exists()
    assert new.exists(), "another process may still be writing it"


def test_two_processes_at_once_always_read_whole_entries(tmp_path: Path) -> None:
    processes = [writer(tmp_path), writer(tmp_path)]
    cache = Cache(str(tmp_path))
    seen: set[bytes] = set()
    deadline = time.monotonic() + HANG
    try:
        while len(seen) < 20 and time.monotonic() < deadline:
            entry = cache.get("shared")
            if entry is not None:
                seen.add(entry.data)
                assert entry.data.startswith(b'{"n": ')
                assert entry.data.endswith(b"}")
        assert len(seen) == 20
    finally:
        for process in processes:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def test_four_commands_at_once_share_a_cache(tmp_path: Path) -> None:
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        command = program("verify", SUFFIX, "--resolver", server.url, "--cache", str(tmp_path))
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) for _ in range(4)
        ]
        for process in running:
            out, _ = process.communicate(timeout=HANG)
            assert process.returncode == 0
            assert b"verified" in out
    assert offline(tmp_path).verdict == "verified"


def test_a_bundle_and_a_record_have_places_of_their_own(tmp_path: Path) -> None:
    routes = {PATH: answer(RECORD_BYTES), f"/pith/{SUFFIX}/bundle.json": answer(to_bytes(bundle()))}
    with Server(routes) as server:
        resolver = Resolver(server.url, cache=str(tmp_path))
        resolver.bundle = True
        assert report_on(SUFFIX, resolver).verdict == "verified"
        assert offline(tmp_path)["parse"].code == "resolve.offline"
        resolver.bundle = False
        assert report_on(SUFFIX, resolver).verdict == "verified"
    assert offline(tmp_path)["parse"].detail.startswith("strict JSON, a record")


def test_the_platforms_folder_is_the_users_own() -> None:
    assert default_folder() == os.path.join(os.environ["XDG_CACHE_HOME"], "pybadge")


def test_only_what_was_verified_replaces_a_copy(tmp_path: Path) -> None:
    bare = to_bytes({**json.loads(RECORD_BYTES), "receipt": None})
    with Server({PATH: answer(bare)}) as server:
        assert ask(server, tmp_path).verdict == "not_checked"
        assert offline(tmp_path).verdict == "not_checked", "better than nothing"
        server.routes[PATH] = answer(RECORD_BYTES)
        assert ask(server, tmp_path).verdict == "verified"
        for less in (bare, b"{}", b"", RECORD_BYTES.replace(b"MegaScale", b"NanoScale")):
            server.routes[PATH] = answer(less)
            assert ask(server, tmp_path).verdict == "verified", "the copy is the best answer"
            assert offline(tmp_path).verdict == "verified"


def test_an_empty_name_is_no_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Server({PATH: answer(RECORD_BYTES)}) as server:
        assert ask_server(server, cache="").verdict == "verified"
    assert files(tmp_path) == []


def test_a_copy_that_somebody_verified_is_not_replaced_by_one_of_less(tmp_path: Path) -> None:
    """Without the key both copies say the same, but one of them has the signature."""
    made, key = signed()
    suffix = made["pith_number"].split(":")[-1]
    trusting = Expectations(trusted=(key,))
    with Server({f"/pith/{suffix}.json": answer(to_bytes(made))}) as server:
        resolver = Resolver(server.url, cache=str(tmp_path))
        assert report_on(suffix, resolver, trusting).verdict == "verified"
        server.routes[f"/pith/{suffix}.json"] = answer(to_bytes({**made, "receipt": None}))
        assert report_on(suffix, resolver).verdict == "not_checked"
    kept = Resolver(offline=True, cache=str(tmp_path))
    assert report_on(suffix, kept, trusting).verdict == "verified"
