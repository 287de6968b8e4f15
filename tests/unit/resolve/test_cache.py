"""The cache and lock files: never believed, whole or not there, whoever dies or writes at the same
time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from pybadge.checks import Report
from pybadge.errors import RecordError
from pybadge.lean import sha256
from pybadge.resolve import Resolver, fetch, locate
from pybadge.resolve.cache import Cache
from pybadge.resolve.lockfile import add_to_lock, read_lock
from pybadge.verification import report_on
from tests.support.documents import (
    NUMBER,
    RECORD,
    RECORDS,
    SUFFIX,
    document,
    environment,
    pybadge,
    signed,
    to_bytes,
)
from tests.support.http_lab import Lab, Request, answer, lab

RECORD_BYTES = RECORD.read_bytes()
PATH = f"/pith/{SUFFIX}.json"
KEY = f"pith:{SUFFIX}"
OTHER = RECORDS[0]


def ask(server: Lab, folder: Path, what: str = SUFFIX, **named: Any) -> Report:
    return report_on(what, Resolver(server.url, cache=str(folder), timeout=10.0, **named))


def offline(folder: Path, what: str = SUFFIX) -> Report:
    return report_on(what, Resolver(offline=True, cache=str(folder)))


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_what_was_fetched_is_there_offline(tmp_path: Path) -> None:
    assert offline(tmp_path)["parse"].code == "resolve.offline"
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        assert ask(server, tmp_path).verdict == "verified"
    report = offline(tmp_path)
    assert report.verdict == "verified"
    assert "from the cache" in report["parse"].detail
    assert fetch(SUFFIX, offline=True, cache=str(tmp_path)).canonical.source_id == "2402.15627"


def test_the_bytes_lie_under_their_own_hash_and_no_verdict_anywhere(tmp_path: Path) -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
    (name,) = [path for path in files(tmp_path) if path.parent.name == "names"]
    (stored,) = [path for path in files(tmp_path) if path.parent.parent.name == "objects"]
    assert stored.name == sha256(RECORD_BYTES).hexdigest()
    assert stored.read_bytes() == RECORD_BYTES
    assert name.stem == sha256(KEY.encode()).hexdigest()
    facts = json.loads(name.read_text())
    assert set(facts) == {"sha256", "etag", "url", "fetched_at"}
    assert "verified" not in name.read_text()


def etagged(body: bytes, tag: str) -> Any:
    def reply(request: Request) -> None:
        if request.headers.get("If-None-Match") == tag:
            answer(b"", status=304, headers={"ETag": tag})(request)
        else:
            answer(body, headers={"ETag": tag})(request)

    return reply


def test_an_etag_saves_the_body(tmp_path: Path) -> None:
    with lab({PATH: etagged(RECORD_BYTES, '"v1"')}) as server:
        assert ask(server, tmp_path).verdict == "verified"
        assert ask(server, tmp_path).verdict == "verified"
        assert server.headers_seen[1]["If-None-Match"] == '"v1"'
        assert len(server.seen) == 2


@pytest.mark.parametrize("etag", ["ä", "a\nb", '"' + "x" * 5000 + '"', 7, None, ["x"]])
def test_a_damaged_etag_is_not_sent(tmp_path: Path, etag: Any) -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        Cache(str(tmp_path)).put(KEY, RECORD_BYTES, f"{server.url}{PATH}", etag)
        assert ask(server, tmp_path).verdict == "verified"
        assert "If-None-Match" not in server.headers_seen[0]


def poison(folder: Path, data: bytes) -> None:
    """Put another record, whole and under its right hash, where this one's name points."""
    Cache(str(folder)).put(KEY, data, "https://pith.science/x", '"v1"')


def test_record_b_from_the_cache_under_as_key_is_found_out(tmp_path: Path) -> None:
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
    with lab({PATH: etagged(RECORD_BYTES, '"v1"' if tagged else '"v2"')}) as server:
        Cache(str(tmp_path)).put(KEY, to_bytes(other), f"{server.url}{PATH}", '"v1"')
        report = ask(server, tmp_path)
        assert report.verdict == "verified"
        assert len(server.seen) == (2 if tagged else 1)
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
        lambda path: (path.unlink(), path.symlink_to(RECORD)),
        lambda path: (path.unlink(), os.mkfifo(path)),
    ],
    ids=["torn", "changed", "empty", "huge", "gone", "folder", "link", "pipe"],
)
@pytest.mark.parametrize("which", ["names", "objects"])
def test_a_damaged_file_is_a_miss_and_is_mended(tmp_path: Path, damage: Any, which: str) -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
        (path,) = [path for path in files(tmp_path) if which in path.parts]
        damage(path)
        assert offline(tmp_path)["parse"].code == "resolve.offline"
        assert ask(server, tmp_path).verdict == "verified"


def test_an_invalid_answer_never_replaces_a_good_copy(tmp_path: Path) -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        ask(server, tmp_path)
        server.routes[PATH] = answer(RECORD_BYTES.replace(b"MegaScale", b"NanoScale"))
        report = ask(server, tmp_path)
        assert report.verdict == "verified"
        assert "another source gave a wrong record" in report["parse"].detail
    assert offline(tmp_path).verdict == "verified"


def test_with_the_network_down_the_copy_is_used_and_said_so(tmp_path: Path) -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
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
    with lab({"*": answer(RECORD_BYTES)}) as server:
        ask(server, folder, what)
    Cache(str(folder)).put(what, RECORD_BYTES, "https://x", None)
    for path in files(tmp_path):
        assert path.is_relative_to(folder)
        assert set(path.stem) <= set("0123456789abcdef")
    assert Cache(str(folder)).get(what) is not None


def test_a_folder_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with lab({PATH: answer(RECORD_BYTES)}) as server:
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
    try:
        deadline = time.monotonic() + 2
        reads = 0
        while time.monotonic() < deadline:
            entry = cache.get("shared")
            if entry is not None:
                reads += 1
                assert entry.data.startswith(b'{"n": ')
                assert entry.data.endswith(b"}")
        assert reads > 5
    finally:
        for process in processes:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def test_two_commands_at_once(tmp_path: Path) -> None:
    with lab({PATH: answer(RECORD_BYTES)}) as server:
        command = [
            sys.executable,
            "-m",
            "pybadge",
            "verify",
            SUFFIX,
            "--resolver",
            server.url,
            "--cache",
            str(tmp_path),
        ]
        running = [
            subprocess.Popen(command, stdout=subprocess.PIPE, env=environment()) for _ in range(4)
        ]
        for process in running:
            out, _ = process.communicate(timeout=60)
            assert process.returncode == 0
            assert b"verified" in out
    assert offline(tmp_path).verdict == "verified"


# --- lock files


def test_fetch_lock_saves_a_record_beside_a_paper(tmp_path: Path) -> None:
    lock = tmp_path / "pith.lock.json"
    with lab(
        {PATH: answer(RECORD_BYTES), "*": answer(to_bytes({"pith_number": NUMBER}))}
    ) as server:
        for what in (SUFFIX, "arxiv:2402.15627"):
            done = pybadge(
                "fetch", what, "--lock", str(lock), "--resolver", server.url, "--cache", "off"
            )
            assert done.returncode == 0, done.stderr
    assert (tmp_path / f"{SUFFIX}.json").read_bytes() == RECORD_BYTES
    (entry,) = read_lock(str(lock))
    assert entry["number"] == NUMBER
    assert entry["source"] == "2402.15627v1"
    assert entry["asked"] == ["arxiv:2402.15627", KEY]
    before = lock.read_bytes()
    for what in (
        SUFFIX,
        NUMBER,
        "XR2UHLWN",
        "2402.15627",
        "2402.15627v1",
        "10.48550/arXiv.2402.15627",
    ):
        done = pybadge("verify", what, "--lock", str(lock), "--offline", "--cache", "off")
        assert done.returncode == 0, (what, done.stdout)
    assert (
        pybadge(
            "verify", "2402.15628", "--lock", str(lock), "--offline", "--cache", "off"
        ).returncode
        == 3
    )
    assert (
        pybadge(
            "badge", SUFFIX, env=environment(PYBADGE_LOCK=str(lock), PYBADGE_OFFLINE="1")
        ).returncode
        == 0
    )
    located = locate(SUFFIX)
    record = fetch(str(tmp_path / f"{SUFFIX}.json"))
    time.sleep(1.1)  # another second, which must not change the file
    number = report_on(str(RECORD), Resolver()).number
    assert number is not None
    add_to_lock(str(lock), located, record, number, RECORD_BYTES)
    assert lock.read_bytes() == before


def test_a_changed_record_beside_a_lock_is_found_out(tmp_path: Path) -> None:
    lock = tmp_path / "pith.lock.json"
    assert pybadge("fetch", str(RECORD), "--lock", str(lock)).returncode == 0
    beside = tmp_path / f"{SUFFIX}.json"
    beside.write_bytes(RECORD_BYTES.replace(b"Cong Xie", b"Mallory "))
    done = pybadge("verify", SUFFIX, "--lock", str(lock), "--offline", "--json")
    assert done.returncode == 2
    assert b"lock.changed" in done.stdout
    beside.write_bytes(to_bytes(document(OTHER["canonical_record"], None)))
    facts = json.loads(lock.read_text())
    facts["records"][0]["file_sha256"] = sha256(beside.read_bytes()).hexdigest()
    lock.write_text(json.dumps(facts))
    done = pybadge("verify", SUFFIX, "--lock", str(lock), "--offline", "--json")
    assert done.returncode == 1, (
        "a lock file that fits is no evidence: the record is still verified"
    )
    assert b"number.mismatch" in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"schema": "pybadge-lock/1", "records": [1]}',
        '{"schema": "other", "records": []}',
    ],
)
def test_what_is_no_lock_file_is_said_so(tmp_path: Path, text: str) -> None:
    lock = tmp_path / "pith.lock.json"
    lock.write_text(text)
    with pytest.raises(RecordError):
        read_lock(str(lock))
    done = pybadge("verify", SUFFIX, "--lock", str(lock), "--offline")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr


def test_a_lock_entry_is_no_path(tmp_path: Path) -> None:
    lock = tmp_path / "pith.lock.json"
    lock.write_text(
        json.dumps({"schema": "pybadge-lock/1", "records": [{"number": "../../etc/passwd"}]})
    )
    assert pybadge("verify", SUFFIX, "--lock", str(lock), "--offline").returncode == 2


def test_an_invalid_record_is_not_locked(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(RECORD_BYTES.replace(b"MegaScale", b"NanoScale"))
    lock = tmp_path / "pith.lock.json"
    assert pybadge("fetch", str(bad), "--lock", str(lock)).returncode == 1
    assert not lock.exists()
