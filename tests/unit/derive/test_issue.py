"""Records under one's own key: they verify for those who trust the key, and never show as
Pith's."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import pybadge
from pybadge.derive import derive
from pybadge.derive.issue import Signer, issue, read_signer
from pybadge.derive.sources.bulk_metadata import from_object
from pybadge.errors import UsageError
from pybadge.keys import PINNED, PublicKey, read_key
from tests.support.arxiv_papers import REAL, REAL_NUMBER, TITLED, bulk_object, name_of

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
NOW = datetime(2026, 7, 6, 12, 0, 0, 123456, tzinfo=timezone(timedelta(hours=2)))


def pem(key: Any = KEY, form: str = "PKCS8", password: bytes | None = None) -> bytes:
    encryption = (
        serialization.BestAvailableEncryption(password)
        if password
        else serialization.NoEncryption()
    )
    return bytes(
        key.private_bytes(
            serialization.Encoding.PEM, getattr(serialization.PrivateFormat, form), encryption
        )
    )


SIGNER = read_signer(pem(), "Journal of Examples")
TRUSTED = read_key(json.dumps(SIGNER.key_document).encode())


def issued(line: dict[str, Any] = REAL) -> dict[str, Any]:
    return issue(derive(from_object(bulk_object(line))), SIGNER, NOW)


def test_it_verifies_for_those_who_trust_the_key() -> None:
    report = pybadge.verify(json.dumps(issued()).encode(), trusted=[TRUSTED], asked=REAL_NUMBER)
    assert report.verdict == "verified"
    assert report.registry == "Journal of Examples"
    assert [check.id for check in report.checks if check.status == "invalid"] == []
    assert report["title"].status == "valid"
    assert report["aliases"].status == "valid"


def test_it_is_not_verified_for_all_others() -> None:
    report = pybadge.verify(issued())
    assert report.verdict == "not_checked"
    assert report["receipt_key"].status == "not_checked"
    assert report.registry is None
    other = PublicKey(Ed25519PrivateKey.generate().public_key().public_bytes_raw(), None, "Other")
    assert pybadge.verify(issued(), trusted=[other]).verdict == "not_checked"


def test_it_never_shows_as_piths() -> None:
    report = pybadge.verify(issued(), trusted=[TRUSTED])
    for text in (json.dumps(report.as_dict()), pybadge.badge_svg(report)):
        assert "Pith key" not in text
        assert "by Pith" not in text
    assert "Journal of Examples" in report["receipt_key"].detail
    forged = issued()
    forged["receipt"]["key_id"] = PINNED[0].key_id
    assert pybadge.verify(forged, trusted=[TRUSTED]).verdict == "invalid"
    forged["receipt"]["public_key_fingerprint"] = PINNED[0].fingerprint
    assert pybadge.verify(forged, trusted=[TRUSTED])["receipt_signature"].status == "invalid"


@pytest.mark.parametrize("line", TITLED[::7], ids=name_of)
def test_issued_records_of_real_papers_verify(line: dict[str, Any]) -> None:
    document = issued(line)
    report = pybadge.verify(document, trusted=[TRUSTED])
    assert report.verdict == "verified"
    assert (
        document["canonical_record"]["metadata"]["license"]
        == line["canonical_record"]["metadata"]["license"]
    )
    if line["abstract"]:
        assert document["pith_number"] == line["pith_number"]


def test_any_change_is_noticed() -> None:
    for change in ("title_canon_sha256", "license", "submitted_at"):
        forged = issued()
        forged["canonical_record"]["metadata"][change] = {
            "title_canon_sha256": "0" * 64,
            "license": "x",
        }.get(change, "2024-02-23T22:10:58Z")
        assert pybadge.verify(forged, trusted=[TRUSTED]).verdict == "invalid"


def test_times_are_utc_and_need_a_zone() -> None:
    assert issued()["receipt"]["signed_at"] == "2026-07-06T10:00:00.123456Z"
    with pytest.raises(ValueError, match="time zone"):
        issue(derive(from_object(bulk_object(REAL))), SIGNER, datetime(2026, 7, 6))


def test_the_private_key_is_nowhere_in_what_is_written_or_shown() -> None:
    secret = bytes(range(32))
    import base64

    for text in (repr(SIGNER), str(SIGNER), json.dumps(issued()), json.dumps(SIGNER.key_document)):
        assert secret.hex() not in text
        assert base64.b64encode(secret).decode() not in text


def test_keys_made_by_openssl_and_ssh_are_read() -> None:
    for form in ("PKCS8", "OpenSSH"):
        assert read_signer(pem(form=form), "Mine").public_key == KEY.public_key().public_bytes_raw()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"-----BEGIN PRIVATE KEY-----\nrubbish\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN OPENSSH PRIVATE KEY-----\nrubbish\n-----END OPENSSH PRIVATE KEY-----\n",
        pem(password=b"secret"),
        pem(generate_private_key(SECP256R1())),
        bytes(1 << 17),
    ],
)
def test_other_keys_are_refused_without_quoting_them(data: bytes) -> None:
    with pytest.raises(UsageError, match="openssl genpkey") as caught:
        read_signer(data, "Mine", where="key.pem")
    assert str(caught.value).startswith("key.pem: ")
    assert "rubbish" not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    [
        "Pith",
        "pith.science",
        "P I T H",
        "The Pith Registry",
        "",
        " ",
        "Jörg",
        "a\nb",
        "x" * 200,
        "\u202eabc",
    ],
)
def test_names_that_are_not_ones_own_are_refused(name: str) -> None:
    with pytest.raises(UsageError):
        read_signer(pem(), name)


@pytest.mark.parametrize(
    "key_id", ["pith-v1-2026-05", "PITH-V1-2026-05", "", "a b", "ü", "x" * 100, "a\x1b[0m"]
)
def test_key_ids_that_are_not_ones_own_are_refused(key_id: str) -> None:
    with pytest.raises(UsageError, match="--key-id"):
        read_signer(pem(), "Mine", key_id)


def test_the_key_id_follows_from_the_name() -> None:
    assert isinstance(SIGNER, Signer)
    assert SIGNER.key_id == f"journal-of-examples-{TRUSTED.fingerprint[:8]}"


def test_the_command_writes_a_record_that_the_command_verifies(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_bytes(pem())
    (tmp_path / "s.jsonl").write_text(json.dumps(bulk_object(REAL)), encoding="utf-8")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pybadge", *arguments]
        return subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )

    made = run(
        "derive",
        "--metadata",
        "s.jsonl",
        "--sign",
        "key.pem",
        "--registry",
        "Mine",
        "--public-key",
        "mine.json",
        "-o",
        "r.json",
    )
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == f"{REAL_NUMBER}  2402.15627v1\n"
    assert run("verify", "r.json", "--offline").returncode == 3
    trusted = run("verify", "r.json", "--offline", "--trust-key", "mine.json")
    assert trusted.returncode == 0, trusted.stderr
    assert "by Mine" in trusted.stdout
    printed = run("derive", "--metadata", "s.jsonl", "--sign", "key.pem", "--registry", "Mine")
    assert json.loads(printed.stdout)["pith_number"] == REAL_NUMBER
    folder = run(
        "derive", "--metadata", "s.jsonl", "--sign", "key.pem", "--registry", "Mine", "-o", "."
    )
    assert folder.returncode == 0
    assert (tmp_path / f"{REAL['suffix']}.json").exists()
    for wrong in (
        ("--sign", "key.pem"),
        ("--registry", "Mine"),
        ("--sign", "none.pem", "--registry", "Mine"),
        ("--sign", "s.jsonl", "--registry", "Mine"),
    ):
        refused = run("derive", "--metadata", "s.jsonl", *wrong)
        assert refused.returncode == 2
        assert refused.stdout == ""
        assert len(refused.stderr.splitlines()) == 1
