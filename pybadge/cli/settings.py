"""The options of every command, and where their values come from: flag, else environment, else
configuration file."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from pybadge.errors import UsageError

__all__ = ["GLOBALS", "VALUED", "add_globals", "config_path", "fill_in"]

# name -> (metavar or None for a switch, whether it may be repeated, help)
GLOBALS: dict[str, tuple[str | None, bool, str]] = {
    "resolver": ("URL", False, "where numbers are looked up (default https://pith.science)"),
    "mirror": ("URL", True, "another server to ask where the ones before it fail; may be repeated"),
    "mirrors": (
        "FILE|URL",
        False,
        "a mirror manifest (pith-mirrors.json), whose mirrors are asked last",
    ),
    "trust-key": (
        "FILE",
        True,
        "trust this key too: key JSON, PEM, raw, hex or base64; may be repeated",
    ),
    "offline": (None, False, "use no network: files, lock file and cache only"),
    "timeout": ("S", False, "seconds that one question to one server may take in all (default 90)"),
    "cache": (
        "DIR",
        False,
        "where fetched records are kept (default: the platform's cache folder); 'off' for nowhere",
    ),
    "lock": (
        "FILE",
        False,
        "records saved beside a paper by 'fetch --lock', used before any other source",
    ),
    "allow-host": (
        "HOST",
        True,
        "let this host lead to an address that is not public; may be repeated",
    ),
}
VALUED = frozenset(f"--{name}" for name, (metavar, _, _) in GLOBALS.items() if metavar is not None)
_HEADING = (
    "options of every command; each also PYBADGE_… in the environment and in the configuration file"
)
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("", "0", "false", "no", "off")


def add_globals(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command to a parser. Their defaults stay None: `fill_in` knows
    better ones."""
    group = parser.add_argument_group(_HEADING)
    for name, (metavar, repeated, text) in GLOBALS.items():
        if metavar is None:
            group.add_argument(f"--{name}", action="store_true", default=None, help=text)
        elif repeated:
            group.add_argument(
                f"--{name}", metavar=metavar, action="append", default=None, help=text
            )
        else:
            group.add_argument(f"--{name}", metavar=metavar, default=None, help=text)


def fill_in(options: argparse.Namespace) -> None:
    """Give each option of every command that was not on the command line its value from elsewhere.

    Raises:
        UsageError: the environment or the configuration file holds something that can't be meant.
    """
    config = _read_config()
    for name, (metavar, repeated, _) in GLOBALS.items():
        key = name.replace("-", "_")
        if getattr(options, key, None) is not None:
            continue
        variable = f"PYBADGE_{key.upper()}"
        if variable in os.environ:
            value: Any = _from_environment(variable, os.environ[variable], metavar, repeated)
        else:
            value = config.get(key)
        setattr(
            options,
            key,
            value
            if value is not None
            else (False if metavar is None else [] if repeated else None),
        )


def _from_environment(variable: str, text: str, metavar: str | None, repeated: bool) -> Any:
    if metavar is None:
        if text.lower() not in _TRUE + _FALSE:
            raise UsageError(f"{variable}={text!a}: write 1 or 0")
        return text.lower() in _TRUE
    if repeated:
        # Files are separated as in PATH; addresses hold colons, so they are separated by blanks.
        return [
            part for part in (text.split(os.pathsep) if metavar == "FILE" else text.split()) if part
        ]
    return text or None


def config_path() -> str:
    """``PYBADGE_CONFIG``, else ``pybadge/config.toml`` in ``%APPDATA%``, ``$XDG_CONFIG_HOME`` or
    ``~/.config``.

    No file in the current folder is ever read: a paper's repository must not choose whom its reader
    trusts.
    """
    named = os.environ.get("PYBADGE_CONFIG")
    if named is not None:
        return named
    variable = "APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME"
    folder = os.environ.get(variable) or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "pybadge", "config.toml")


def _read_config() -> dict[str, Any]:
    path = config_path()
    try:
        with open(path, "rb") as stream:
            data = stream.read(1 << 16)
    except OSError as error:
        if "PYBADGE_CONFIG" in os.environ and path:
            raise UsageError(
                f"{path}: {error.strerror or error}, named by PYBADGE_CONFIG"
            ) from None
        return {}
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        values = tomllib.loads(data.decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    return {name.replace("-", "_"): _checked(path, name, value) for name, value in values.items()}


def _checked(path: str, name: str, value: Any) -> Any:
    known = GLOBALS.get(name.replace("_", "-"))
    if known is None:
        raise UsageError(
            f"{path}: there is no setting {name!a:.40}; the settings are {', '.join(GLOBALS)}"
        )
    metavar, repeated, _ = known
    if metavar is None:
        fits, wanted = isinstance(value, bool), "true or false"
    elif repeated:
        value = [value] if isinstance(value, str) else value
        fits, wanted = (
            isinstance(value, list) and all(isinstance(item, str) for item in value),
            "a list of strings",
        )
    else:
        value = str(value) if type(value) in (int, float) else value
        fits, wanted = isinstance(value, str), "a string"
    if not fits:
        raise UsageError(f"{path}: {name} must be {wanted}")
    return value
