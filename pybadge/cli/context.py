"""What all commands share that take a WHAT: options to resolver and keys, and a verified record
from both."""

from __future__ import annotations

import argparse
from typing import Any

from pybadge.address import DEFAULT_RESOLVER
from pybadge.checks.report import Report
from pybadge.cli.output import remark
from pybadge.cli.progress import waiting
from pybadge.errors import PybadgeError, UsageError
from pybadge.input import read_file
from pybadge.keys import FINGERPRINT_LENGTH, PublicKey, read_key
from pybadge.number import PithNumber
from pybadge.record import Record
from pybadge.resolve.limits import DEADLINE, TOTAL_TIMEOUT
from pybadge.resolve.resolver import PLATFORM_CACHE, Resolver
from pybadge.verification import Expectations, report_on

__all__ = [
    "as_error",
    "expectations_of",
    "resolver_arguments",
    "resolver_of",
    "trusted_keys",
    "verified_report",
]

_LONGEST_TIMEOUT = 3600


def resolver_of(options: argparse.Namespace) -> Resolver:
    """The resolver that the options ask for.

    Raises:
        UsageError: as `resolver_arguments`, or an address that may not be asked.
    """
    return Resolver(**resolver_arguments(options), on_fault=remark)


def resolver_arguments(options: argparse.Namespace) -> dict[str, Any]:
    """The arguments of `Resolver` that the options ask for; plain values, which can be handed to
    other processes.

    Raises:
        UsageError: a timeout that is no number of seconds.
    """
    return {
        "base": options.resolver or DEFAULT_RESOLVER,
        "offline": options.offline,
        "timeout": _seconds("timeout", options.timeout, TOTAL_TIMEOUT),
        "deadline": _seconds("deadline", options.deadline, DEADLINE),
        "mirrors": tuple(options.mirror),
        "manifest": options.mirrors,
        "cache": _CACHES.get(options.cache, options.cache),
        "lock": options.lock,
        "allowed_hosts": tuple(options.allow_host),
    }


_CACHES = {None: PLATFORM_CACHE, "": None, "off": None}


def _seconds(name: str, text: str | None, default: float) -> float:
    if text is None:
        return default
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= _LONGEST_TIMEOUT:
        raise UsageError(
            f"--{name} {text!a}: must be a number of seconds, at most {_LONGEST_TIMEOUT}"
        )
    return seconds


def expectations_of(options: argparse.Namespace, **more: Any) -> Expectations:
    """Whom the options trust and distrust, and what else is expected.

    Args:
        options: of any command.
        more: further fields of `Expectations`.

    Raises:
        UsageError: a file holds no key, or a fingerprint is none.
    """
    return Expectations(
        trusted=trusted_keys(options),
        distrusted=frozenset(_fingerprint(text) for text in options.distrust),
        **more,
    )


def _fingerprint(text: str) -> str:
    lower = text.strip().lower()
    if len(lower) != FINGERPRINT_LENGTH or not set(lower) <= set("0123456789abcdef"):
        raise UsageError(
            f"--distrust {text!a:.60}: a fingerprint has {FINGERPRINT_LENGTH} hex digits; see "
            "pybadge keys"
        )
    return lower


def trusted_keys(options: argparse.Namespace, *, quiet: bool = False) -> tuple[PublicKey, ...]:
    """The keys of ``--trust-key``, each named on stderr with its fingerprint, so that nobody trusts
    one unawares.

    Raises:
        UsageError: a file holds no key.
    """
    if not options.trust_key:
        return ()
    keys = []
    for path in options.trust_key:
        key = read_key(_key_bytes(path), path)
        keys.append(key)
        if not quiet:
            remark(
                f"trusting {key.registry} ({key.key_id or 'no key id'}), "
                f"fingerprint {key.fingerprint}, from {path}"
            )
    return tuple(keys)


def _key_bytes(path: str) -> bytes:
    try:
        return read_file(path)
    except PybadgeError as error:
        raise UsageError(f"--trust-key {error}", code=error.code) from None


def verified_report(what: str, options: argparse.Namespace) -> tuple[Report, Record, PithNumber]:
    """The report, record and number for a command that draws or prints something of a record.

    Raises:
        PybadgeError: the record can't be had at all.
    """
    expected = expectations_of(options)
    with waiting(options.quiet):
        report = report_on(what, resolver_of(options), expected)
    if report.record is None or report.number is None:
        raise as_error(report)
    return report, report.record, report.number


def as_error(report: Report) -> PybadgeError:
    """The fault that kept a record from being read, as an error with its exit code."""
    fault = next(
        check
        for check in report.checks
        if check.status in ("invalid", "not_checked") and not check.is_unread
    )
    error = PybadgeError(fault.detail, code=fault.code)
    error.exit_code = report.exit_code
    return error
