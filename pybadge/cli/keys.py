"""``pybadge keys``."""

from __future__ import annotations

import argparse
import json
from base64 import b64encode

from pybadge.cli.context import trusted_keys
from pybadge.cli.output import out_line
from pybadge.ed25519 import ALGORITHM
from pybadge.escape.lines import one_line
from pybadge.keys import PINNED, PublicKey

__all__ = ["DESCRIPTION", "configure", "execute"]

DESCRIPTION = """List the keys that ship with this package, and those of --trust-key.
No key is ever taken from a server."""

EXAMPLES = """  pybadge keys
  pybadge keys --json > pith-key.json
  pybadge keys --trust-key journal-key.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json",
        action="store_true",
        help="one JSON object a key, in a form that --trust-key reads",
    )


def execute(options: argparse.Namespace) -> int:
    for key in (*PINNED, *trusted_keys(options, quiet=True)):
        if options.json:
            out_line(json.dumps(_as_dict(key)))
            continue
        standing = "pinned" if key.pinned else "trusted by you"
        out_line(f"{one_line(key.key_id or '(no id)')}  {key.registry}, {standing}")
        out_line(f"  public key   {_base64(key)}")
        out_line(f"  fingerprint  {key.fingerprint}")
    return 0


def _base64(key: PublicKey) -> str:
    return b64encode(key.raw).decode("ascii")


def _as_dict(key: PublicKey) -> dict[str, object]:
    return {
        "key_id": key.key_id,
        "algorithm": ALGORITHM,
        "public_key_b64": _base64(key),
        "public_key_fingerprint": key.fingerprint,
        "registry": key.registry,
        "pinned": key.pinned,
    }
