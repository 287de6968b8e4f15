"""What can go wrong, each with the exit code of the command: 1 invalid, 2 usage or unreadable, 3
not checked."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "CUT_SHORT",
    "FAILED",
    "INTERRUPTED",
    "INVALID",
    "NOT_CHECKED",
    "USAGE",
    "VALID",
    "InvalidRecordError",
    "MetadataError",
    "NotFoundError",
    "NumberError",
    "OutputError",
    "PybadgeError",
    "RecordError",
    "RuleError",
    "SchemaError",
    "UnreachableError",
    "UsageError",
    "invalid_choice",
    "reason",
    "worst",
]

VALID = 0
INVALID = 1
USAGE = 2
NOT_CHECKED = 3
INTERRUPTED = 130  # 128 + SIGINT, as shells count
CUT_SHORT = 141  # 128 + SIGPIPE
FAILED = 70  # EX_SOFTWARE of sysexits.h: the program failed, which says nothing of the record
_WORST_FIRST = (FAILED, INVALID, USAGE, NOT_CHECKED, VALID)


def worst(codes: Iterable[int]) -> int:
    """The exit code of many runs together: 70 over 1 over 2 over 3 over 0; 0 for none."""
    found = set(codes)
    return next((code for code in _WORST_FIRST if code in found), VALID)


def reason(error: Exception) -> str:
    """What an error of the system says, in words: ``No such file or directory``."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


class PybadgeError(Exception):
    """Base of all errors that pybadge raises on purpose.

    Args:
        message: one line: what is wrong, where, and what to do.
        code: a stable dotted word for machines, e.g. ``json.duplicate_key``.

    Attributes:
        exit_code: what the command line exits with.
        code: the stable word.
    """

    exit_code = USAGE
    default_code = "error"

    def __init__(self, message: str, *, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code or self.default_code


class UsageError(PybadgeError):
    """The call itself makes no sense: an unknown option value, a file that can't be named."""

    default_code = "usage"


class NumberError(PybadgeError):
    """A text that should name a Pith Number does not."""

    default_code = "number.malformed"


class RecordError(PybadgeError):
    """Bytes that can't be read as a record at all: no JSON, or JSON outside the strict form."""

    default_code = "record.unreadable"


class RuleError(RecordError):
    """A record that breaks a rule of strict reading (docs/spec, 6), so it is invalid."""

    exit_code = INVALID
    default_code = "record.rule"


class SchemaError(RuleError):
    """Readable JSON whose canonical record is not of the closed schema (docs/spec, 2.1), so
    it is invalid."""

    default_code = "schema.violated"


class InvalidRecordError(PybadgeError):
    """What was asked for can't be made from a record that is invalid."""

    exit_code = INVALID
    default_code = "record.invalid"


class MetadataError(PybadgeError):
    """A paper's metadata can't be read, or lacks what its number is made of."""

    default_code = "metadata.unreadable"


class OutputError(PybadgeError):
    """A result can't be written."""

    default_code = "output.failed"


class NotFoundError(PybadgeError):
    """Nobody asked knows the record."""

    exit_code = NOT_CHECKED
    default_code = "resolve.not_found"


class UnreachableError(PybadgeError):
    """The record could not be fetched: offline, timed out, refused."""

    exit_code = NOT_CHECKED
    default_code = "resolve.unreachable"


def invalid_choice(value: object, choices: Iterable[str], what: str = "") -> UsageError:
    """The error for a value that is none of a closed list, in argparse's words.

    Args:
        value: what was given.
        choices: what could have been.
        what: the option or argument, e.g. ``--style``; "" where the caller names it.
    """
    from difflib import get_close_matches  # only a fault needs it

    listed = [str(choice) for choice in choices]
    near = get_close_matches(str(value).lower(), listed, 1) if isinstance(value, str) else []
    hint = f"; did you mean {near[0]}?" if near else ""
    place = f"{what}: " if what else ""
    return UsageError(
        f"{place}invalid choice: {value!a:.40} (choose from {', '.join(listed)}){hint}"
    )
