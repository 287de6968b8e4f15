"""JSON read so strictly that two readers can't disagree on what a file says, and with nothing that could stall."""

from __future__ import annotations

from pybadge.errors import RecordError
from pybadge.lean import reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["MAX_BYTES", "MAX_DEPTH", "MAX_INTEGER", "read_json"]

MAX_BYTES = 1 << 20
MAX_DEPTH = 64
MAX_INTEGER = (1 << 53) - 1
_SAFE_DIGITS = 16  # fewer can't reach 2^53

_BRACKETS = b"[]{}"
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in _BRACKETS)


def read_json(data: bytes, where: str = "record") -> Any:
    """Parse JSON strictly.

    Refused: a byte order mark, anything but UTF-8, duplicate keys, NaN and Infinity, half surrogate pairs, integers beyond
    2^53, more than 64 levels, more than 1 MiB.

    Args:
        data: the bytes.
        where: what they are, for the message.

    Raises:
        RecordError: naming the first fault.
    """
    if len(data) > MAX_BYTES:
        raise RecordError(f"{where}: larger than {MAX_BYTES} bytes, which no record is", code="json.size")
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise RecordError(f"{where}: begins with a byte order mark; records are UTF-8 without one", code="json.encoding")
    if len(data.translate(None, _NO_BRACKETS)) > 2 * MAX_DEPTH:  # else there are too few to be too deep
        _check_depth(data, where)
    try:
        value = _read(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordError(f"{where}: not UTF-8 at byte {error.start}", code="json.encoding") from None
    except RecordError as error:
        raise RecordError(f"{where}: {error}", code=error.code) from None
    except ValueError as error:
        raise RecordError(f"{where}: not JSON: {_fault(error)}", code="json.syntax") from None
    if b"\\" in data and (b"\\ud" in data or b"\\uD" in data):
        _check_surrogates(value, where)
    return value


def _fault(error: ValueError) -> str:
    """What json.JSONDecodeError says, which is not imported here since that would load `json`."""
    line, column = getattr(error, "lineno", None), getattr(error, "colno", None)
    return f"{getattr(error, 'msg', error)} at line {line}, column {column}" if line is not None else str(error)


def _check_depth(data: bytes, where: str) -> None:
    """Count levels before parsing, so that no parser's own limit matters. Only the brackets outside strings count."""
    outside = b"".join(data.replace(b"\\\\", b"").replace(b'\\"', b"").split(b'"')[::2])
    brackets = outside.translate(None, _NO_BRACKETS)
    # Each round takes away the innermost level everywhere, at the speed of bytes.replace.
    for _ in range(MAX_DEPTH):
        if not brackets:
            return
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
    # What is left is too deep, or doesn't match and so is no JSON; neither may reach a parser that recurses.
    if brackets:
        raise RecordError(f"{where}: nested deeper than {MAX_DEPTH} levels, or brackets don't match", code="json.depth")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) == len(pairs):
        return unique
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise RecordError(f"the key {key!a} stands twice in one object", code="json.duplicate_key")
        seen.add(key)
    return unique


def _integer(digits: str) -> int:
    if len(digits) < _SAFE_DIGITS:
        return int(digits)
    # The length first: int() itself refuses, or takes long, beyond 4,300 digits.
    if len(digits) > 17 or not -MAX_INTEGER <= int(digits) <= MAX_INTEGER:
        raise RecordError(f"the integer {digits[:20]} is beyond 2^53, where readers disagree", code="json.integer")
    return int(digits)


def _float(digits: str) -> float:
    value = float(digits)
    if value - value != 0:
        raise RecordError(f"the number {digits[:20]} is too large", code="json.number")
    return value


def _constant(name: str) -> float:
    raise RecordError(f"{name} is not JSON", code="json.constant")


_read = reader(object_pairs_hook=_unique_keys, parse_int=_integer, parse_float=_float, parse_constant=_constant)


def _check_surrogates(value: Any, where: str) -> None:
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            raise RecordError(f"{where}: a string holds half a surrogate pair", code="json.surrogate") from None
    elif isinstance(value, list):
        for item in value:
            _check_surrogates(item, where)
    elif isinstance(value, dict):
        for key, item in value.items():
            _check_surrogates(key, where)
            _check_surrogates(item, where)
