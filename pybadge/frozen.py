"""Immutable records with named fields, like a frozen dataclass but without the cost of importing `dataclasses`.

`pybadge verify FILE` is run by hooks and shell loops, where the time to start Python is the time to run.
Importing `dataclasses` (which pulls in `inspect`) takes as long again as starting the interpreter, so
the floors that every verification passes through use this class instead.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_options: object) -> object:
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Frozen:
    """Base of value types: fields are the annotations, in order, with class attributes as defaults.

    Equality and hash are by type and field values. Subclasses of subclasses are not supported.

    Raises:
        TypeError: missing, unknown or repeated arguments on construction.
        AttributeError: an assignment after construction.
    """

    _fields: tuple[str, ...] = ()

    def __init_subclass__(cls) -> None:
        cls._fields = tuple(name for name in cls.__annotations__ if not name.startswith("_"))
        # Written out as code, as `collections.namedtuple` does it: a batch makes twenty of these a record, and a loop over
        # the fields took longer than the hashing. What is pasted in are names of fields, which are ours.
        defaults = {f"_{name}": cls.__dict__[name] for name in cls._fields if name in cls.__dict__}
        parameters = "".join(f", {name}=_{name}" if f"_{name}" in defaults else f", {name}" for name in cls._fields)
        lines = "".join(f"\n    state[{name!r}] = {name}" for name in cls._fields)
        namespace: dict[str, Any] = defaults
        exec(f"def __init__(self{parameters}):\n    state = self.__dict__{lines}", namespace)  # noqa: S102  see above
        cls.__init__ = namespace["__init__"]  # type: ignore[method-assign]

    if TYPE_CHECKING:

        def __init__(self, *values: Any, **named: Any) -> None: ...

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def _values(self) -> tuple[Any, ...]:
        state = self.__dict__
        return tuple(state[name] for name in self._fields)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._fields)
        return f"{type(self).__name__}({inside})"

    def replace(self, **changes: Any) -> Any:
        """A copy with some fields changed."""
        return type(self)(**{**dict(zip(self._fields, self._values(), strict=True)), **changes})
