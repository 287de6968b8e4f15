"""JSON and SHA-256 straight from the C code of the standard library, without what importing its front doors costs.

`import json` brings in `re`, which takes half as long as starting Python; `import hashlib` loads OpenSSL. A hook that runs
``pybadge verify FILE`` needs neither. The standard library does the same where it counts (`random` takes its SHA-512
this way). The names used here are not public, so each has its public twin as a fallback, and the tests compare both.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["base32", "encode", "encode_ascii", "quoted_ascii", "reader", "sha256"]

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        if sys.version_info >= (3, 12):
            from _sha2 import sha256
        else:
            from _sha256 import sha256
    except ImportError:  # a Python built without its own hashes, or another than CPython
        from hashlib import sha256

_json: Any
try:
    import _json
except ImportError:  # another Python than CPython
    _json = None

_BLANKS = " \t\n\r"
_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def _not_json(value: object) -> Any:
    raise TypeError(f"Object of type {type(value).__name__} is not JSON serializable")


def _encoder(ascii_only: bool, sort_keys: bool, separators: tuple[str, str]) -> Callable[[Any], str]:
    if _json is None:
        import json

        return json.JSONEncoder(sort_keys=sort_keys, separators=separators, ensure_ascii=ascii_only, allow_nan=False).encode
    item_separator, key_separator = separators
    quoted = _json.encode_basestring_ascii if ascii_only else _json.encode_basestring
    # markers, default, encoder, indent, key_separator, item_separator, sort_keys, skipkeys, allow_nan
    chunks = _json.make_encoder(None, _not_json, quoted, None, key_separator, item_separator, sort_keys, False, False)

    def encode(value: Any) -> str:
        return "".join(chunks(value, 0))

    return encode


encode = _encoder(False, True, (",", ":"))
"""The text of `canonical_bytes`: what ``json.dumps`` gives with sorted keys, no blanks, Unicode unescaped, no NaN."""

encode_ascii = _encoder(True, False, (", ", ": "))
"""What ``json.dumps`` gives by default, but no NaN: one line of ASCII, so that no text of a record can end the line."""


def _quoting() -> Callable[[str], str]:
    if _json is None:
        import json

        return json.dumps
    quote: Callable[[str], str] = _json.encode_basestring_ascii
    return quote


quoted_ascii = _quoting()
"""A text as a JSON string in ASCII, quotes included."""


def reader(**hooks: Callable[..., Any]) -> Callable[[str], Any]:
    """A function that reads JSON text like ``json.JSONDecoder(**hooks).decode``.

    Args:
        hooks: ``object_pairs_hook``, ``parse_int``, ``parse_float`` and ``parse_constant``, all four.

    The function raises json.JSONDecodeError, RecursionError, and whatever the hooks raise.
    """
    if _json is None:
        return _public_reader(hooks)
    # What json.JSONDecoder offers the scanner as attributes.
    context = {"strict": True, "object_hook": None, **{name: staticmethod(hook) for name, hook in hooks.items()}}
    scan = _json.make_scanner(type("Context", (), context))

    def read(text: str) -> Any:
        try:
            value, end = scan(text, len(text) - len(text.lstrip(_BLANKS)))
        except (StopIteration, SystemError):
            # SystemError: CPython 3.11 and older look for the class of their errors in `json`, which may not be loaded.
            end = -1
        if end != len(text) and (end < 0 or text[end:].strip(_BLANKS)):
            return _public_reader(hooks)(text)  # which says what is wrong, and where
        return value

    return read


def _public_reader(hooks: dict[str, Callable[..., Any]]) -> Callable[[str], Any]:
    import json

    return json.JSONDecoder(**hooks).decode  # type: ignore[arg-type]


def base32(digest: bytes, length: int) -> str:
    """The first characters of the RFC 4648 base32 of a digest, as `base64.b32encode` gives them.

    Args:
        digest: at least ``length`` times 5 bits.
        length: how many characters.
    """
    bits = int.from_bytes(digest, "big") >> (8 * len(digest) - 5 * length)
    return "".join([_ALPHABET[bits >> shift & 31] for shift in range(5 * (length - 1), -1, -5)])
