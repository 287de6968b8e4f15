"""The options of every command, and where their values come from: flag, else environment, else
configuration file."""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from typing import Any

from pybadge.errors import UsageError, invalid_choice, reason

__all__ = ["GLOBALS", "VALUED", "Setting", "add_globals", "config_path", "fill_in"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One option of every command.

    Attributes:
        metavar: what stands for its value in the help; None for a switch.
        help: one line.
        repeated: whether it may be given several times.
    """

    metavar: str | None
    help: str
    repeated: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether it has no value."""
        return self.metavar is None

    @property
    def is_single(self) -> bool:
        """Whether it has one value."""
        return not (self.is_switch or self.repeated)

    @property
    def is_path(self) -> bool:
        """Whether its values are files."""
        return self.metavar == "FILE"

    @property
    def unset(self) -> Any:
        """Its value where nobody gave one."""
        if self.is_switch:
            return False
        return [] if self.repeated else None

    @property
    def wanted(self) -> str:
        """What the configuration file may hold, in words."""
        if self.is_switch:
            return "true or false"
        return "a list of strings" if self.repeated else "a string"

    def fits(self, value: object) -> bool:
        """Whether a value of the configuration file is of the right type."""
        if self.is_switch:
            return isinstance(value, bool)
        if self.repeated:
            return isinstance(value, list) and all(isinstance(item, str) for item in value)
        return isinstance(value, str)


GLOBALS = {
    "resolver": Setting("URL", "where numbers are looked up (default https://pith.science)"),
    "mirror": Setting(
        "URL", "another server to ask where the ones before it fail; may be repeated", True
    ),
    "mirrors": Setting(
        "FILE|URL", "a mirror manifest (pith-mirrors.json), whose mirrors are asked last"
    ),
    "trust-key": Setting(
        "FILE", "trust this key too: key JSON, PEM, raw, hex or base64; may be repeated", True
    ),
    "offline": Setting(None, "use no network: files, lock file and cache only"),
    "timeout": Setting("S", "seconds that one question to one server may take in all (default 90)"),
    "cache": Setting(
        "DIR",
        "where fetched records are kept (default: the platform's cache folder); 'off' for nowhere",
    ),
    "lock": Setting(
        "FILE", "records saved beside a paper by 'fetch --lock', used before any other source"
    ),
    "allow-host": Setting(
        "HOST", "let this host lead to an address that is not public; may be repeated", True
    ),
}
VALUED = frozenset(f"--{name}" for name, setting in GLOBALS.items() if not setting.is_switch)
_HEADING = "options of every command"
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("", "0", "false", "no", "off")
_CONFIG_BYTES = 1 << 16


def add_globals(parser: argparse.ArgumentParser) -> None:
    """Add the options of every command to a parser. Their defaults stay None: `fill_in` resolves
    them later from the environment and the configuration file."""
    group = parser.add_argument_group(_HEADING)
    for name, setting in GLOBALS.items():
        flag = f"--{name}"
        if setting.is_switch:
            group.add_argument(flag, action="store_true", default=None, help=setting.help)
        else:
            action = "append" if setting.repeated else "store"
            group.add_argument(
                flag, metavar=setting.metavar, action=action, default=None, help=setting.help
            )


def fill_in(options: argparse.Namespace) -> None:
    """Give each option of every command that was not on the command line its value from elsewhere.

    Raises:
        UsageError: the environment or the configuration file holds something that can't be meant.
    """
    config = _read_config()
    for name, setting in GLOBALS.items():
        key = name.replace("-", "_")
        if getattr(options, key, None) is not None:
            continue
        value = config.get(key)
        variable = f"PYBADGE_{key.upper()}"
        if variable in os.environ:
            value = _from_environment(variable, os.environ[variable], setting)
        setattr(options, key, setting.unset if value is None else value)


def _from_environment(variable: str, text: str, setting: Setting) -> Any:
    if setting.is_switch:
        if text.lower() not in _TRUE + _FALSE:
            raise UsageError(f"{variable}={text!a}: write 1 or 0")
        return text.lower() in _TRUE
    if not setting.repeated:
        return text or None
    # Files are separated as in PATH; addresses hold colons, so they are separated by blanks.
    parts = text.split(os.pathsep) if setting.is_path else text.split()
    return [part for part in parts if part]


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
            data = stream.read(_CONFIG_BYTES)
    except OSError as error:
        if "PYBADGE_CONFIG" in os.environ and path:
            raise UsageError(f"{path}: {reason(error)}, named by PYBADGE_CONFIG") from None
        return {}
    from pybadge.toml import loads  # most runs have no configuration

    try:
        values = loads(data.decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    return {name.replace("-", "_"): _checked(path, name, value) for name, value in values.items()}


def _checked(path: str, name: str, value: Any) -> Any:
    setting = GLOBALS.get(name.replace("_", "-"))
    if setting is None:
        raise invalid_choice(name, GLOBALS, f"{path}: setting")
    if setting.repeated and isinstance(value, str):
        value = [value]
    if setting.is_single and type(value) in (int, float):
        value = str(value)
    if not setting.fits(value):
        raise UsageError(f"{path}: {name} must be {setting.wanted}")
    return value
