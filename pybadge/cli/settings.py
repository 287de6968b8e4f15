"""The options of every command, and where their values come from: flag, else environment, else
configuration file."""

from __future__ import annotations

import argparse
import os
import stat
from collections.abc import Collection
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
        short: its short form, such as ``-q``.
        dest: the attribute that holds it, where its name is taken by an option of a command.
    """

    metavar: str | None
    help: str
    repeated: bool = False
    short: str | None = None
    dest: str | None = None

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
            return isinstance(value, list) and all(_is_text(item) for item in value)
        return _is_text(value)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\x00" not in value


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
    "distrust": Setting(
        "FINGERPRINT", "don't believe this key, pinned or not; may be repeated", True
    ),
    "offline": Setting(None, "use no network: files, lock file and cache only"),
    "timeout": Setting("S", "seconds that one question to one server may take in all (default 90)"),
    "deadline": Setting(
        "S", "seconds that one WHAT may take in all, over all servers (default 180)"
    ),
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
    "color": Setting(
        "WHEN",
        "colours on the terminal: auto, always or never (default auto)",
        dest="color_when",
    ),
    "quiet": Setting(None, "say nothing on stderr but errors", short="-q"),
    "verbose": Setting(None, "say on stderr what is asked of whom", short="-v"),
    "debug": Setting(None, "show where the program failed, if it does"),
}
VALUED = frozenset(f"--{name}" for name, setting in GLOBALS.items() if not setting.is_switch)
"""The options of every command that are followed by a value."""
_HEADING = "options of every command"
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("", "0", "false", "no", "off")
_CONFIG_BYTES = 1 << 16


def add_globals(
    parser: argparse.ArgumentParser, *, shown: bool = True, without: Collection[str] = ()
) -> None:
    """Add the options of every command to a parser. Their defaults stay None: `fill_in` resolves
    them later from the environment and the configuration file.

    Args:
        parser: of the whole line or of one command.
        shown: whether its help lists them.
        without: those whose names the command uses for something of its own; they can then be
            given before the command only.
    """
    group = parser.add_argument_group(_HEADING)
    for name, setting in GLOBALS.items():
        if name in without:
            continue
        flags = [flag for flag in (setting.short, f"--{name}") if flag is not None]
        facts: dict[str, Any] = {
            "dest": _dest(name),
            "default": None,
            "help": setting.help if shown else argparse.SUPPRESS,
        }
        if setting.is_switch:
            group.add_argument(*flags, action="store_true", **facts)
        else:
            action = "append" if setting.repeated else "store"
            group.add_argument(*flags, metavar=setting.metavar, action=action, **facts)


def _dest(name: str) -> str:
    return GLOBALS[name].dest or name.replace("-", "_")


def fill_in(options: argparse.Namespace) -> None:
    """Give each option of every command that was not on the command line its value from elsewhere.

    Raises:
        UsageError: the environment or the configuration file holds something that can't be meant.
    """
    config = _read_config()
    for name, setting in GLOBALS.items():
        key = name.replace("-", "_")
        if getattr(options, _dest(name), None) is not None:
            continue
        value = config.get(key)
        variable = f"PYBADGE_{key.upper()}"
        if variable in os.environ:
            value = _from_environment(variable, os.environ[variable], setting)
        setattr(options, _dest(name), setting.unset if value is None else value)


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


def config_path() -> str | None:
    """``PYBADGE_CONFIG``, else ``pybadge/config.toml`` in ``%APPDATA%``, ``$XDG_CONFIG_HOME`` or
    ``~/.config``; None where there is no such place.

    No file in the current folder is ever read: a paper's repository must not choose whom its reader
    trusts. So every path is absolute; without a home there is no configuration.

    Raises:
        UsageError: ``PYBADGE_CONFIG`` is not absolute.
    """
    named = os.environ.get("PYBADGE_CONFIG")
    if named is not None:
        if named and not os.path.isabs(named):
            raise UsageError(f"PYBADGE_CONFIG={named!a}: must be an absolute path")
        return named or None
    folder = os.environ.get("APPDATA" if os.name == "nt" else "XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):  # as the XDG specification wants it
        folder = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(folder, "pybadge", "config.toml") if os.path.isabs(folder) else None


def _read_config() -> dict[str, Any]:
    path = config_path()
    data = _config_bytes(path) if path is not None else b""
    if not data:
        return {}
    from pybadge.toml import loads  # most runs have no configuration

    try:
        values = loads(data.decode("utf-8"))
    except ValueError as error:
        raise UsageError(f"{path}: not TOML: {error}") from None
    return {
        name.replace("-", "_"): _checked(str(path), name, value) for name, value in values.items()
    }


def _config_bytes(path: str) -> bytes:
    """The configuration, if it is one that only this user or root can have written."""
    try:
        with open(path, "rb") as stream:
            status = os.fstat(stream.fileno())
            data = stream.read(_CONFIG_BYTES + 1)
    except (OSError, ValueError) as error:
        if "PYBADGE_CONFIG" in os.environ:
            raise UsageError(f"{path}: {reason(error)}, named by PYBADGE_CONFIG") from None
        return b""
    if hasattr(os, "geteuid") and status.st_uid not in (0, os.geteuid()):
        raise UsageError(f"{path}: belongs to another user, so it is not read")
    if os.name == "posix" and status.st_mode & stat.S_IWOTH:
        raise UsageError(f"{path}: everybody can write to it, so it is not read; chmod o-w it")
    if len(data) > _CONFIG_BYTES:
        raise UsageError(f"{path}: larger than {_CONFIG_BYTES} bytes, so it is not read")
    return data


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
