"""Complete documents made from the real records and receipts at hand, and the programs run on
them."""

from __future__ import annotations

import base64
import copy
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pybadge import keys, number
from pybadge.canonical import canonical_sha256, title_sha256
from tests.support.data import DATA, ROOT, read_lines

RECORD = DATA / "record-XR2UHLWN.json"
REAL: dict[str, Any] = json.loads(RECORD.read_bytes())
SUFFIX = "XR2UHLWNHHFSD4ZJJXWRU6R6QP"
NUMBER = f"pith:2024:{SUFFIX}"
RECORDS = read_lines("records.jsonl")
SIGNATURES = [line for line in (*RECORDS, *read_lines("signatures.jsonl")) if line["signature_b64"]]
PITH = keys.PINNED[0]
SHARED = next(
    (
        Path(place)
        for place in (
            os.environ.get("PITH_SHARED"),
            ROOT.parent / "shared",
            ROOT.parents[1] / "shared",
        )
        if place and Path(place).is_dir()
    ),
    None,
)
needs_conformance = pytest.mark.skipif(
    SHARED is None,
    reason="the conformance data of others, which may not be copied, is not beside the checkout (PITH_SHARED)",
)


def conformance(name: str) -> Any:
    """A JSON file of the conformance data."""
    if SHARED is None:  # collected, but skipped by `needs_conformance`
        return []
    return json.loads((SHARED / "conformance" / name).read_text(encoding="utf-8"))


def real() -> dict[str, Any]:
    """A fresh copy of the one complete real record."""
    return copy.deepcopy(REAL)


def receipt(stated: str, signature_b64: str, **changes: Any) -> dict[str, Any]:
    """A receipt of the pinned key."""
    return {
        **REAL["receipt"],
        "canonical_sha256": stated,
        "signature_b64": signature_b64,
        **changes,
    }


def document(canonical_record: dict[str, Any], signature_b64: str | None) -> dict[str, Any]:
    """A small record of a canonical record, with the pinned key's receipt where there is a
    signature."""
    stated = canonical_sha256(canonical_record)
    derived = number.from_record(canonical_record)
    made = {
        "record_type": "pith_number_record",
        "pith_number": derived.text,
        "short_pith_number": derived.short,
        "canonical_sha256": stated,
        "canonical_record": canonical_record,
    }
    if signature_b64 is not None:
        made["receipt"] = receipt(stated, signature_b64)
    return made


def signed(
    seed: int = 7, *, title: str | None = None, **metadata: Any
) -> tuple[dict[str, Any], keys.PublicKey]:
    """A record validly signed by a key of our own, and that key."""
    made = real()
    if title is not None:
        made["paper"]["title"] = title
        metadata["title_canon_sha256"] = title_sha256(title)
    made["canonical_record"]["metadata"].update(metadata)
    stated = canonical_sha256(made["canonical_record"])
    derived = number.from_record(made["canonical_record"])
    private = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
    key = keys.PublicKey(private.public_key().public_bytes_raw(), f"key-{seed}", "Somebody")
    made.update(canonical_sha256=stated, pith_number=derived.text, short_pith_number=derived.short)
    made["aliases"] = []
    made["receipt"].update(
        canonical_sha256=stated,
        key_id=key.key_id,
        public_key_fingerprint=key.fingerprint,
        signature_b64=base64.b64encode(private.sign(bytes.fromhex(stated))).decode(),
    )
    return made, key


def key_json(key: keys.PublicKey, **more: Any) -> str:
    """A key file in the registry's form."""
    return json.dumps(
        {
            "key_id": key.key_id,
            "algorithm": "ed25519",
            "public_key_b64": base64.b64encode(key.raw).decode(),
            "public_key_fingerprint": key.fingerprint,
            **more,
        }
    )


def to_bytes(value: Any) -> bytes:
    return json.dumps(value).encode()


def environment(**changes: str) -> dict[str, str]:
    """The environment without settings of ours, plus these."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYBADGE_")},
        **changes,
    }


def heed_ctrl_c() -> None:
    """For ``preexec_fn``: a job started in the background inherits that SIGINT is ignored, and
    would pass it on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def pybadge(
    *arguments: str, stdin: bytes = b"", env: dict[str, str] | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[bytes]:
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "pybadge", *arguments],
        input=stdin,
        capture_output=True,
        timeout=timeout,
        check=False,
        env=env if env is not None else environment(),
    )


def on_a_terminal(arguments: list[str], **changes: str) -> str:
    """What the command shows where stdout and stderr are a terminal of 80 columns; it must end with
    0."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "pybadge", *arguments],
        stdout=theirs,
        stderr=theirs,
        env=environment(**{"TERM": "xterm", **changes}),
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:  # how Linux says that the other side has gone
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    assert process.wait(60) == 0
    return shown.decode()
