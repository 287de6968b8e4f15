"""JSON read so strictly that two readers can't disagree on what a file says, and with nothing that
could stall."""

from __future__ import annotations

import json
from typing import Any

from pybadge.errors import RecordError
from pybadge.input import MAX_BYTES

__all__ = ["MAX_DEPTH", "MAX_INTEGER", "is_deeper_than", "read_json"]

MAX_DEPTH = 64
MAX_INTEGER = (1 << 53) - 1
_SAFE_DIGITS = 16  # fewer can't reach 2^53

_BRACKETS = b"[]{}"
_OPENING = b"[{"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)


def read_json(data: bytes, where: str = "record") -> Any:
    """Parse JSON strictly.

    Refused: a byte order mark, anything but UTF-8, duplicate keys, NaN and Infinity, half surrogate
    pairs, integers beyond 2^53, more than 64 levels, more than 1 MiB.

    Args:
        data: the bytes.
        where: what they are, for the message.

    Raises:
        RecordError: naming the first fault.
    """
    if len(data) > MAX_BYTES:
        raise RecordError(
            f"{where}: larger than {MAX_BYTES} bytes, which no record is",
            code="json.size",
        )
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise RecordError(
            f"{where}: begins with a byte order mark; records are UTF-8 without one",
            code="json.encoding",
        )
    if is_deeper_than(data, MAX_DEPTH):
        raise RecordError(f"{where}: nested deeper than {MAX_DEPTH} levels", code="json.depth")
    try:
        value = _read(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(
            f"{where}: not UTF-8 at byte {error.start}", code="json.encoding"
        ) from None
    except RecordError as error:
        raise RecordError(f"{where}: {error}", code=error.code) from None
    except json.JSONDecodeError as error:
        # Some of the messages end in "starting at".
        fault = f"{error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}"
        raise RecordError(f"{where}: not JSON: {fault}", code="json.syntax") from None
    if b"\\" in data and (b"\\ud" in data or b"\\uD" in data):
        _check_surrogates(value, where)
    return value


def is_deeper_than(data: bytes, levels: int) -> bool:
    """Whether objects and arrays are nested deeper, counted before parsing, so that no parser's own
    limit matters. Only the brackets outside strings count."""
    # With fewer brackets no JSON is too deep.
    if len(data.translate(None, _NO_BRACKETS)) <= 2 * levels:
        return False
    outside = b"".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    depth = 0
    for bracket in outside.translate(None, _NO_BRACKETS):
        depth += 1 if bracket in _OPENING else -1
        if depth > levels:
            return True
    return False


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) == len(pairs):
        return unique
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise RecordError(
                f"the key {key!a} stands twice in one object", code="json.duplicate_key"
            )
        seen.add(key)
    return unique


def _integer(digits: str) -> int:
    if len(digits) < _SAFE_DIGITS:
        return int(digits)
    # The length first: int() itself refuses, or takes long, beyond 4,300 digits.
    if len(digits) > 17 or not -MAX_INTEGER <= int(digits) <= MAX_INTEGER:
        raise RecordError(
            f"the integer {digits[:20]} is beyond 2^53, where readers disagree",
            code="json.integer",
        )
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        raise RecordError(f"the number {digits[:20]} is too large", code="json.number")
    return value


def _constant(name: str) -> float:
    raise RecordError(f"{name} is not JSON", code="json.constant")


_read = json.JSONDecoder(
    object_pairs_hook=_unique_keys,
    parse_int=_integer,
    parse_float=_float,
    parse_constant=_constant,
).decode


def _check_surrogates(value: Any, where: str) -> None:
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise RecordError(
                f"{where}: a string holds half a surrogate pair", code="json.surrogate"
            ) from None
    elif isinstance(value, list):
        for item in value:
            _check_surrogates(item, where)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_surrogates(key, where)
            _check_surrogates(item, where)
