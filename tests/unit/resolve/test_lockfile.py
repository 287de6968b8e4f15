"""Lock files: records beside a paper, found again without a network, and never believed."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from pybadge.errors import RecordError
from pybadge.resolve import Resolver, fetch, locate, lockfile
from pybadge.resolve.lockfile import add_to_lock, locked, read_lock
from pybadge.verification import report_on
from tests.support.asking import PATH
from tests.support.command import environment, pybadge
from tests.support.data import NUMBER, RECORD, RECORD_BYTES, RECORDS, SUFFIX
from tests.support.documents import document, real, to_bytes
from tests.support.http_server import Server, answer


def test_fetch_lock_saves_a_record_beside_a_paper(tmp_path: Path) -> None:
    lock = tmp_path / "pith.lock.json"
    with Server(
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
    assert entry["asked"] == ["arxiv:2402.15627", f"pith:{SUFFIX}"]
    for what in (
        SUFFIX,
        NUMBER,
        SUFFIX[:12],
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


def test_a_record_that_did_not_change_changes_no_lock_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tmp_path / "pith.lock.json"
    number = report_on(str(RECORD), Resolver()).number
    assert number is not None

    def add(data: bytes) -> bytes:
        add_to_lock(str(lock), locate(SUFFIX), fetch(str(RECORD)), number, data)
        return lock.read_bytes()

    first = add(RECORD_BYTES)
    monkeypatch.setattr(lockfile.time, "strftime", lambda *_arguments: "2099-01-01T00:00:00Z")
    assert add(RECORD_BYTES) == first
    changed = add(RECORD_BYTES + b"\n")
    assert b"2099-01-01T00:00:00Z" in changed
    (entry,) = read_lock(str(lock))
    assert entry["file_sha256"] == sha256(RECORD_BYTES + b"\n").hexdigest()


def test_a_version_that_was_locked_is_not_the_paper_as_a_whole(tmp_path: Path) -> None:
    """Which version a paper's own id leads to is the registry's to say, at the time."""
    lock = tmp_path / "pith.lock.json"
    record = fetch(str(RECORD))
    number = report_on(str(RECORD), Resolver()).number
    assert number is not None
    add_to_lock(str(lock), locate(SUFFIX), record, number, RECORD_BYTES)
    assert locked(str(lock), locate("2402.15627v1")) == RECORD_BYTES
    assert locked(str(lock), locate("2402.15627v2")) is None
    assert locked(str(lock), locate("2402.15627")) is None
    add_to_lock(str(lock), locate("2402.15627"), record, number, RECORD_BYTES)
    assert locked(str(lock), locate("2402.15627")) == RECORD_BYTES


def test_a_changed_record_beside_a_lock_is_found_out(tmp_path: Path) -> None:
    lock = tmp_path / "pith.lock.json"
    assert pybadge("fetch", str(RECORD), "--lock", str(lock)).returncode == 0
    beside = tmp_path / f"{SUFFIX}.json"
    beside.write_bytes(RECORD_BYTES.replace(b"Cong Xie", b"Mallory "))
    done = pybadge("verify", SUFFIX, "--lock", str(lock), "--offline", "--json")
    assert done.returncode == 2
    assert b"lock.changed" in done.stdout
    beside.write_bytes(to_bytes(document(RECORDS[0]["canonical_record"], None)))
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
def test_what_is_no_lock_file_is_refused(tmp_path: Path, text: str) -> None:
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


def test_an_output_name_is_the_users_alone(tmp_path: Path) -> None:
    made = real()
    made["paper"]["title"] = "../../evil"
    made["pith_number"] = "../../evil"
    done = pybadge("fetch", "-", "--lock", str(tmp_path / "pith.lock.json"), stdin=to_bytes(made))
    assert done.returncode == 1
    assert list(tmp_path.iterdir()) == []


def test_a_short_form_of_two_locked_records_takes_neither_unseen(tmp_path: Path) -> None:
    """Both are listed, and the full number is asked for. (Numbers that begin alike take 2^40
    hashes: the lock file lies.)"""
    lock = tmp_path / "pith.lock.json"
    numbers = [f"pith:2024:AAAAAAAA{letter * 18}" for letter in "BC"]
    entry = {"asked": ["arxiv:2402.15627"], "file_sha256": "0" * 64}
    records = [{**entry, "number": number} for number in numbers]
    lock.write_text(json.dumps({"schema": "pybadge-lock/1", "records": records}))
    resolver = Resolver(offline=True, lock=str(lock))
    for what in ("AAAAAAAA", "2402.15627"):
        report = report_on(what, resolver)
        assert report["parse"].code == "lock.ambiguous"
        assert report.exit_code == 2
        assert all(number in report["parse"].detail for number in numbers)
    assert report_on(numbers[0], resolver)["parse"].code == "file.unreadable"
