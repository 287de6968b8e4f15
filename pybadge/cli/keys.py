"""``pybadge keys``."""

from __future__ import annotations

import argparse
import json
from binascii import b2a_base64

from pybadge.cli.context import trusted_keys
from pybadge.cli.output import out_line
from pybadge.escape.lines import one_line
from pybadge.keys import PINNED

DESCRIPTION = """List the keys that ship with this package, and those of --trust-key.
No key is ever taken from a server."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--json",
        action="store_true",
        help="one JSON object a key, in a form that --trust-key reads",
    )


def execute(options: argparse.Namespace) -> int:
    for key in (*PINNED, *trusted_keys(options, quiet=True)):
        public = b2a_base64(key.raw, newline=False).decode("ascii")
        if options.json:
            facts = {
                "key_id": key.key_id,
                "algorithm": "ed25519",
                "public_key_b64": public,
                "public_key_fingerprint": key.fingerprint,
                "registry": key.registry,
                "pinned": key.pinned,
            }
            out_line(json.dumps(facts))
        else:
            out_line(
                f"{one_line(key.key_id or '(no id)')}  {key.registry}, {'pinned' if key.pinned else 'trusted by you'}"
            )
            out_line(f"  public key   {public}")
            out_line(f"  fingerprint  {key.fingerprint}")
    return 0
