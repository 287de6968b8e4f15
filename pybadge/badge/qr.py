"""QR codes. The library ``qrcode`` makes the matrix; everything drawn is ours."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

from pybadge.badge.drawing import Rows
from pybadge.errors import UsageError, invalid_choice

__all__ = ["QUIET", "Rows", "matrix", "path", "terminal_lines"]

QUIET = 4  # modules of light around the code, as the standard asks for
_ALPHANUMERIC: Literal[2] = 2  # segment modes, ISO/IEC 18004 table 2
_BYTES: Literal[4] = 4
# An alphanumeric segment of its own saves more than its head costs from 6 characters on.
_LEAST_ALPHANUMERIC = 6
_MAX_LENGTH = 300  # a code of more modules is too fine for a badge


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
        raise invalid_choice(level, levels, "error correction level")
    if not 1 <= len(text) <= _MAX_LENGTH or not text.isascii() or not text.isprintable():
        raise UsageError(f"a QR code holds 1 to {_MAX_LENGTH} printable ASCII characters")
    code: QRCode[Any] = QRCode(error_correction=levels[level], border=0)
    head, slash, tail = text.rpartition("/")
    if len(tail) >= _LEAST_ALPHANUMERIC and tail.isalnum() and tail.isupper():
        code.add_data(QRData((head + slash).encode("ascii"), mode=_BYTES), optimize=0)
        code.add_data(QRData(tail.encode("ascii"), mode=_ALPHANUMERIC), optimize=0)
    else:
        code.add_data(QRData(text.encode("ascii"), mode=_BYTES), optimize=0)
    code.make(fit=True)
    return tuple(tuple(bool(module) for module in row) for row in code.get_matrix())


def path(rows: Rows) -> tuple[str, str]:
    """The dark modules as one boustrophedon path: it runs forth and back over the code, line by
    line, and its dashes are the dark modules.

    That takes a third fewer bytes than the outlines, and there is but one element.

    Args:
        rows: from `matrix`.

    Returns:
        The path, in units of a module, for a stroke one unit wide with butt ends; and its
        ``stroke-dasharray``. The line runs along rows or columns, whichever is shorter to write.
    """
    side = len(rows)
    dashes, turned = _dashes(rows), _dashes(tuple(zip(*rows, strict=True)))
    if len(turned) < len(dashes):
        dashes, forth, back, step, start = turned, "v", "v-", "h1", "M.5 0"
    else:
        forth, back, step, start = "h", "h-", "v1", "M0 .5"
    lines = [f"{forth if index % 2 == 0 else back}{side}" for index in range(side)]
    return start + step.join(lines), dashes


def _dashes(rows: Rows) -> str:
    """The lengths of dark and light pieces in turn, the first one dark."""
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

    if unicode:
        blocks = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): " "}
        lines = [
            "".join(blocks[light(x, y), light(x, y + 1)] for x in range(size))
            for y in range(0, size, 2)
        ]
    else:
        lines = ["".join("##" if light(x, y) else "  " for x in range(size)) for y in range(size)]
    if not color:
        return lines
    # 256-colour codes: the named black and white of many terminal themes are two greys.
    return [f"\x1b[38;5;231;48;5;16m{line}\x1b[0m" for line in lines]
