"""A reader for plain command lines, so that most runs need no argparse, whose import takes as long as starting Python.

It takes the same definitions as argparse and answers only where both would answer alike; whatever is not plain (help,
faults, abbreviations, values that begin with a dash, features used rarely) it leaves to argparse. The tests compare both.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["NotPlainError", "QuickParser"]


_UNSET = object()  # a switch without a default is False, with the default None it is None


class NotPlainError(Exception):
    """This command line, or this definition, is for argparse."""


class Options:
    """The values read, as attributes; the same face as argparse.Namespace."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


class QuickParser:
    """What `argparse.ArgumentParser` offers to the ``configure`` functions, as far as it goes."""

    def __init__(self) -> None:
        self._options: dict[str, tuple[str, str]] = {}
        self._positional: tuple[str, str | None] | None = None
        self._defaults: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        raise NotPlainError(name)

    def add_argument_group(self, *_title: str) -> QuickParser:
        """Groups only matter to the help."""
        return self

    def add_argument(
        self,
        *names: str,
        action: str = "store",
        nargs: str | None = None,
        default: Any = _UNSET,
        dest: str | None = None,
        help: str | None = None,
        metavar: Any = None,
        **rare: Any,
    ) -> None:
        """Define an option or the positional argument.

        Raises:
            NotPlainError: a feature of argparse that this reader lacks.
        """
        is_option = names[0].startswith("-")
        if rare or dest is not None or action not in ("store", "store_true", "append"):
            raise NotPlainError("definition")
        if not is_option:
            if self._positional is not None or nargs not in (None, "+", "*") or action != "store":
                raise NotPlainError("definition")
            self._positional = (names[0], nargs)
            return
        if nargs is not None:
            raise NotPlainError("definition")
        long = next((name for name in names if name.startswith("--")), names[0])
        key = long.lstrip("-").replace("-", "_")
        self._defaults[key] = default if default is not _UNSET else False if action == "store_true" else None
        for name in names:
            self._options[name] = (key, action)

    def parse(self, arguments: list[str]) -> Any:
        """The options that argparse would give.

        Raises:
            NotPlainError: the line is for argparse.
        """
        values = dict(self._defaults)
        positionals: list[str] = []
        closed = False  # whether an option came after the positionals
        pending = iter(arguments)
        for argument in pending:
            if not argument.startswith("-") or argument == "-":
                if closed:
                    raise NotPlainError(argument)
                positionals.append(argument)
                continue
            closed = bool(positionals)
            name, equals, value = argument.partition("=")
            if name not in self._options or (equals and not name.startswith("--")):
                raise NotPlainError(argument)
            key, action = self._options[name]
            if action == "store_true":
                if equals:
                    raise NotPlainError(argument)
                values[key] = True
                continue
            if not equals:
                value = next(pending, "-")
                if value.startswith("-"):
                    raise NotPlainError(argument)
            values[key] = [*(values[key] or ()), value] if action == "append" else value
        if self._positional is not None:
            name, nargs = self._positional
            if (not positionals and nargs != "*") or (nargs is None and len(positionals) != 1):
                raise NotPlainError("positionals")
            values[name] = positionals[0] if nargs is None else positionals
        elif positionals:
            raise NotPlainError("positionals")
        return Options(values)
