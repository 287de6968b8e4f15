"""``pybadge keys`` and ``--trust-key``: who is trusted, by name and fingerprint."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import environment, pybadge
from tests.support.data import RECORD
from tests.support.documents import PITH, key_json, signed, to_bytes


def test_a_trusted_key_is_named_with_its_fingerprint_and_believed(tmp_path: Path) -> None:
    made, key = signed()
    path = tmp_path / "journal.json"
    path.write_text(key_json(key, registry="Journal of Tests"))
    record = tmp_path / "record.json"
    record.write_bytes(to_bytes(made))
    assert pybadge("verify", str(record), "--offline").returncode == 3
    done = pybadge("verify", str(record), "--offline", "--trust-key", str(path))
    assert done.returncode == 0
    assert key.fingerprint.encode() in done.stderr
    assert b"Journal of Tests key key-7 (trusted by you)" in done.stdout
    assert b"Pith key" not in done.stdout
    env = environment(PYBADGE_TRUST_KEY=str(path))
    for command in ("badge", "embed", "show", "latex"):
        assert pybadge(command, str(record), env=env).returncode == 0, command


def test_keys_lists_the_pinned_key() -> None:
    text = pybadge("keys").stdout.decode()
    assert "pith-v1-2026-05" in text
    assert "8d4b5ee74e4693bcd1df2446408b0d54" in text
    assert "pinned" in text


def test_the_list_is_read_back_as_key_files(tmp_path: Path) -> None:
    _, key = signed()
    path = tmp_path / "own.json"
    path.write_text(key_json(key))
    done = pybadge("keys", "--json", "--trust-key", str(path))
    pinned, trusted = (json.loads(line) for line in done.stdout.splitlines())
    assert pinned["public_key_fingerprint"] == PITH.fingerprint
    assert pinned["pinned"] is True
    assert trusted["public_key_fingerprint"] == key.fingerprint
    assert trusted["pinned"] is False
    path.write_text(json.dumps(trusted))
    assert pybadge("keys", "--trust-key", str(path)).returncode == 0


def test_a_key_file_that_takes_the_pinned_name_is_refused(tmp_path: Path) -> None:
    _, key = signed()
    path = tmp_path / "evil.json"
    path.write_text(key_json(key, key_id=PITH.key_id))
    done = pybadge("verify", str(RECORD), "--trust-key", str(path))
    assert done.returncode == 2
    assert b"pinned key" in done.stderr


def test_a_key_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = pybadge("keys", "--trust-key", str(tmp_path / "missing.json"))
    assert done.returncode == 2
    assert done.stderr.startswith(b"pybadge: --trust-key ")
    assert b"missing.json: No such file or directory" in done.stderr
