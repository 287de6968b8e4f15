"""``pybadge keys``."""

from __future__ import annotations

import base64
import json

from pybadge.cli.output import out_line
from pybadge.escape import terminal
from pybadge.keys import PINNED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object a key")


def execute(options: argparse.Namespace) -> int:
    for key in PINNED:
        public = base64.b64encode(key.raw).decode("ascii")
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
            out_line(f"{terminal(key.key_id or '(no id)')}  {key.registry}, {'pinned' if key.pinned else 'trusted by you'}")
            out_line(f"  public key   {public}")
            out_line(f"  fingerprint  {key.fingerprint}")
    return 0
