"""QR codes. The library ``qrcode`` makes the matrix; everything drawn is ours."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from pybadge.errors import UsageError

__all__ = ["QUIET", "matrix", "path", "terminal_lines"]

QUIET = 4  # modules of light around the code, as the standard asks for
_ALPHANUMERIC: Literal[2] = 2  # segment modes, ISO/IEC 18004 table 2
_BYTES: Literal[4] = 4

Rows = tuple[tuple[bool, ...], ...]


@lru_cache(maxsize=64)
def matrix(text: str, *, level: str = "Q") -> Rows:
    """The modules of a QR code (never Micro QR), without the quiet zone; True is dark.

    A record's address takes version 4 at level Q: its host and path go into a byte segment, its
    number into an alphanumeric one, which packs two characters into 11 bits.

    Args:
        text: printable ASCII, at most 300 characters.
        level: error correction, ``M``, ``Q`` or ``H``.

    Raises:
        UsageError: another text or level.
    """
    from qrcode import constants
    from qrcode.main import QRCode
    from qrcode.util import QRData

    levels = {
        "M": constants.ERROR_CORRECT_M,
        "Q": constants.ERROR_CORRECT_Q,
        "H": constants.ERROR_CORRECT_H,
    }
    if level not in levels:
        raise UsageError(f"there is no error correction level {level!a:.20}; there are M, Q and H")
    if not 1 <= len(text) <= 300 or not text.isascii() or not text.isprintable():
        raise UsageError("a QR code holds 1 to 300 printable ASCII characters")
    code: QRCode[Any] = QRCode(error_correction=levels[level], border=0)
    head, slash, tail = text.rpartition("/")
    if len(tail) > 5 and tail.isalnum() and tail.isupper():
        code.add_data(QRData((head + slash).encode("ascii"), mode=_BYTES), optimize=0)
        code.add_data(QRData(tail.encode("ascii"), mode=_ALPHANUMERIC), optimize=0)
    else:
        code.add_data(QRData(text.encode("ascii"), mode=_BYTES), optimize=0)
    code.make(fit=True)
    return tuple(tuple(bool(module) for module in row) for row in code.get_matrix())


def path(rows: Rows) -> tuple[str, str]:
    """The dark modules as one line: it runs to and fro over the code, and its dash pattern is the
    code.

    That takes a third fewer bytes than telling the outlines, and there is but one element.

    Args:
        rows: from `matrix`.

    Returns:
        The path, in units of a module, for a stroke one unit wide with butt ends; and its
        ``stroke-dasharray``. The line runs along rows or columns, whichever is shorter to tell.
    """
    side = len(rows)
    along, back, step, start = "h", "h-", "v1", "M0 .5"
    dashes, turned = _dashes(rows), _dashes(tuple(zip(*rows, strict=True)))
    if len(turned) < len(dashes):
        dashes, along, back, step, start = turned, "v", "v-", "h1", "M.5 0"
    lines = [f"{along if index % 2 == 0 else back}{side}" for index in range(side)]
    return start + step.join(lines), dashes


def _dashes(rows: Rows) -> str:
    lengths = [0]
    dark = True
    for index, row in enumerate(rows):
        for module in row if index % 2 == 0 else reversed(row):
            if module != dark:
                lengths.append(0)
                dark = module
            lengths[-1] += 1
        if dark:
            lengths.append(0)
            dark = False
        # The step to the next line stands outside the code, and is never dark.
        lengths[-1] += 1
    if len(lengths) % 2:
        lengths.append(1)  # an odd pattern would be repeated with dark and light exchanged
    return " ".join(map(str, lengths))


def terminal_lines(rows: Rows, *, unicode: bool, color: bool) -> list[str]:
    """The code as lines of text, quiet zone included.

    Args:
        rows: from `matrix`.
        unicode: with half blocks, two modules a character; else two ASCII characters a module.
        color: with escape sequences for black on white; else for light text on a dark screen, where
            a block is light.
    """
    size = len(rows) + 2 * QUIET

    def light(x: int, y: int) -> bool:
        x, y = x - QUIET, y - QUIET
        return not (0 <= x < len(rows) and 0 <= y < len(rows) and rows[y][x])

    if not unicode:
        lines = ["".join("##" if light(x, y) else "  " for x in range(size)) for y in range(size)]
    else:
        blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
        lines = [
            "".join(blocks[light(x, y), light(x, y + 1)] for x in range(size))
            for y in range(0, size, 2)
        ]
    # 256-colour codes: the named black and white of many terminal themes are two greys.
    return [f"\x1b[38;5;231;48;5;16m{line}\x1b[0m" for line in lines] if color else lines
