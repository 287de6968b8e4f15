"""A report for builders of documents: from a record file where there is one, else of the bare number. Never the network."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pybadge.checks import unreadable, verify
from pybadge.errors import NumberError, PybadgeError
from pybadge.number import FULL_LENGTH, parse_number
from pybadge.record import load

if TYPE_CHECKING:
    from pybadge.checks import Report

__all__ = ["report_for"]


def report_for(text: str, *, folder: str | None = None, record: str | None = None) -> Report:
    """The report that a document's badge is drawn from.

    Args:
        text: a full Pith Number, in any of its forms.
        folder: where records lie, as ``<26 characters>.json``.
        record: the record's own file, instead.

    Returns:
        What the record's file gives; without a file, a report in which nothing was checked.

    Raises:
        NumberError: the text is no full number.
        PybadgeError: ``record`` names a file that can't be read.
    """
    number = parse_number(text)
    if not number.is_full:
        raise NumberError(f"{number.text} is a short form, which can't be verified; give {FULL_LENGTH} characters")
    path = record
    if path is None and folder is not None:
        path = os.path.join(folder, f"{number.suffix}.json")
        path = path if os.path.exists(path) else None
    if path is None:
        error = PybadgeError("no record is at hand, so nothing was checked", code="record.none")
        return unreadable(error, input=text).replace(number=number)  # type: ignore[no-any-return]
    try:
        return verify(load(path), asked=number, input=text)
    except PybadgeError as error:
        raise type(error)(f"{number.short}: {error}", code=error.code) from None
