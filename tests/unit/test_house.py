"""The measures of the house: each names the places that break it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from radon.complexity import cc_visit

from tests.support.data import ROOT

PACKAGE = ROOT / "pybadge"
FOLDERS = ("pybadge", "tests", "tools", "bench")
MOST_COMPLEX = 12
WIDEST = 100
PRAGMA = re.compile(r"\s*#\s*(noqa|type:|fmt:).*")  # may stand beyond the edge, as for ruff
LONGEST = 400

# Libraries that are imported where they are used, since most runs need none of them.
HEAVY = frozenset(
    {
        "PIL",
        "backports",  # zstd, which is an extra
        "compression",  # zstd, from Python 3.14 on
        "cryptography",
        "distributed",
        "docutils",
        "fontTools",
        "jinja2",
        "lxml",
        "markdown",
        "nacl",
        "pikepdf",
        "platformdirs",
        "qrcode",
        "requests",
        "resvg_py",
        "shtab",
        "sphinx",
        "tomli",  # only there on Python 3.10
        "tqdm",
        "urllib3",
        "wcwidth",
    }
)

# Late imports of our own modules that load nothing heavy: (importer, imported) and why.
LATE = {
    ("pybadge.cli.output", "logging"): "only --verbose logs",
    ("pybadge.cli.program", "traceback"): "only a crash needs it",
    ("pybadge.errors", "difflib"): "only a fault names the nearest choice",
    ("pybadge.cli.parser", "difflib"): "only a fault names the nearest choice",
    ("pybadge.cli", "pybadge.cli.program"): "the version is answered before anything is loaded",
    ("pybadge.cli.verify", "pybadge.cli.batch"): "it loads multiprocessing",
    ("pybadge.cli.source_check", "pybadge.derive.compare"): "a plain verify derives nothing",
    ("pybadge.cli.oai", "pybadge.derive.sources.arxiv"): "a plain verify derives nothing",
    ("pybadge.cli.show", "pybadge.badge.qr"): "only --qr draws a code",
}
# Imports for annotations alone that load nothing heavy: (importer, imported) and why.
ANNOTATIONS = {
    ("pybadge", "*"): "the public names are loaded when they are first used",
    ("pybadge.badge", "typing_extensions"): "typing has Unpack from Python 3.11 on",
    ("pybadge.cli.source_check", "*"): "a plain verify derives nothing",
}


class Import(NamedTuple):
    """One imported module, with the names taken from it and where."""

    importer: str
    module: str
    names: tuple[str, ...]
    line: int
    late: bool
    for_annotations: bool

    @property
    def place(self) -> str:
        return f"{self.importer}:{self.line}: {self.module}"


def name_of(path: Path) -> str:
    """The name of a module of the package."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def modules() -> dict[str, Path]:
    return {name_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def scripts() -> Iterator[Path]:
    """The tools that are Python, whatever their names end in."""
    for path in sorted(path for path in (ROOT / "tools").iterdir() if path.is_file()):
        if path.suffix == ".py" or (
            not path.suffix and b"python" in path.read_bytes().partition(b"\n")[0]
        ):
            yield path


def is_guard(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def walk_imports(
    node: ast.AST, late: bool = False, guarded: bool = False
) -> Iterator[tuple[ast.Import | ast.ImportFrom, bool, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, late, guarded
        inside = late or isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        yield from walk_imports(child, inside, guarded or is_guard(child))


@cache
def imports() -> tuple[Import, ...]:
    """All imports of the package; ``from package import module`` counts as one of the module."""
    found = []
    for importer, path in modules().items():
        for node, late, guarded in walk_imports(tree(path)):
            if isinstance(node, ast.Import):
                pairs = [(alias.name, ()) for alias in node.names]
            else:
                assert node.level == 0, f"{importer}:{node.lineno}: imports are absolute"
                pairs = list(_split(str(node.module), [alias.name for alias in node.names]))
            for module, names in pairs:
                found.append(Import(importer, module, tuple(names), node.lineno, late, guarded))
    return tuple(found)


def _split(module: str, names: list[str]) -> Iterator[tuple[str, list[str]]]:
    inner = [name for name in names if f"{module}.{name}" in modules()]
    for name in inner:
        yield f"{module}.{name}", []
    others = [name for name in names if name not in inner]
    if others:
        yield module, others


@cache
def heavy_modules() -> frozenset[str]:
    """The modules of the package that load a heavy library when they are imported."""
    found: set[str] = set()
    while True:
        more = {
            one.importer
            for one in imports()
            if not (one.late or one.for_annotations) and is_heavy(one.module, found)
        }
        if more <= found:
            return frozenset(found)
        found |= more


def is_heavy(module: str, ours: set[str] | frozenset[str]) -> bool:
    return module.partition(".")[0] in HEAVY or module in ours


@cache
def public_names(module: str) -> tuple[str, ...] | None:
    """The ``__all__`` of a module; None where it has none."""
    for node in tree(modules()[module]).body:
        target = getattr(node, "target", None) or next(iter(getattr(node, "targets", ())), None)
        if isinstance(target, ast.Name) and target.id == "__all__":
            names: list[str] = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            return tuple(names)
    return None


def report(places: list[str]) -> None:
    """Fail with all places, a line each."""
    assert not places, "\n" + "\n".join(places)


# --- size and shape


def test_no_function_is_too_complex() -> None:
    places = []
    for path in (*modules().values(), *scripts()):
        for block in cc_visit(path.read_text(encoding="utf-8")):
            if block.complexity > MOST_COMPLEX and block.letter != "C":
                place = f"{path.relative_to(ROOT)}:{block.lineno} {block.name}"
                places.append(f"{place}: {block.complexity}")
    report(places)


def test_no_conditional_expression_holds_another() -> None:
    places = []
    for path in modules().values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.IfExp):
                inner = [one for one in ast.walk(node) if isinstance(one, ast.IfExp)]
                if len(inner) > 1:
                    places.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    report(places)


def test_no_line_is_too_wide() -> None:
    places = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "node_modules" in path.parts:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                width = len(PRAGMA.sub("", line))
                if width > WIDEST:
                    places.append(f"{path.relative_to(ROOT)}:{number}: {width} columns")
    report(places)


@pytest.mark.parametrize("folder", ["pybadge", "tests"])
def test_no_file_is_too_long(folder: str) -> None:
    places = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        length = len(path.read_text(encoding="utf-8").splitlines())
        if length > LONGEST and "node_modules" not in path.parts:
            places.append(f"{path.relative_to(ROOT)}: {length} lines")
    report(places)


# --- imports


def test_only_public_modules_are_imported() -> None:
    private = {name for name in sys.stdlib_module_names if name.startswith("_")}
    places = []
    for one in imports():
        parts = one.module.split(".")
        ours = parts[0] == "pybadge"
        hidden = [part for part in parts if part.startswith("_") and part != "__future__"]
        hidden += [name for name in one.names if name.startswith("_") and not ours]
        if parts[0] in private - {"__future__"} or (hidden and one.module != "pybadge._version"):
            places.append(one.place)
    report(places)


def test_imports_stand_at_the_top_but_for_heavy_libraries() -> None:
    places, used = [], set()
    for one in imports():
        if not one.late or is_heavy(one.module, heavy_modules()):
            continue
        used.add((one.importer, one.module))
        if (one.importer, one.module) not in LATE:
            places.append(one.place)
    report(places)
    assert set(LATE) - used == set(), "exceptions that are not used any more"


def test_imports_for_annotations_alone_are_of_heavy_libraries() -> None:
    places, used = [], set()
    for one in imports():
        if not one.for_annotations or is_heavy(one.module, heavy_modules()):
            continue
        keys = {(one.importer, one.module), (one.importer, "*")}
        used |= keys
        if not keys & set(ANNOTATIONS):
            places.append(one.place)
    report(places)
    assert set(ANNOTATIONS) - used == set(), "exceptions that are not used any more"


def test_no_import_tricks_are_played() -> None:
    calls = ("exec", "eval", "compile", "__import__")
    places = [
        f"{module}:{node.lineno}: {node.func.id}"
        for module, path in modules().items()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in calls
    ]
    report(places)


# --- public names


def test_every_module_says_which_of_its_names_are_public() -> None:
    places = []
    for module in modules():
        if module.rpartition(".")[2] in ("__main__", "_version"):
            continue
        if public_names(module) is None:
            places.append(module)
    report(places)


def test_every_public_name_is_there_and_listed_once() -> None:
    places = []
    for module, path in modules().items():
        listed = public_names(module) or ()
        bound = {"__version__"} | set(_bound(tree(path)))
        missing = [name for name in listed if name not in bound]
        if missing or len(set(listed)) != len(listed):
            places.append(f"{module}: {missing}")
    report(places)


def _bound(module: ast.Module) -> Iterator[str]:
    """The names that a module binds at its top level."""
    for node in ast.walk(module):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name


def test_lists_of_public_names_are_sorted() -> None:
    command = [sys.executable, "-m", "ruff", "check", "--select", "RUF022", "--quiet", "pybadge"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_modules_take_only_public_names_from_each_other() -> None:
    places = []
    for one in imports():
        if one.module.partition(".")[0] != "pybadge" or one.module not in modules():
            continue
        listed = public_names(one.module) or ()
        for name in one.names:
            if name not in listed and not name.startswith("__"):
                places.append(f"{one.place}.{name}")
    report(places)


def test_modules_use_only_public_names_of_the_modules_they_import() -> None:
    places = []
    for one in imports():
        if one.names or one.module not in modules():
            continue
        alias = one.module.rpartition(".")[2]
        listed = public_names(one.module) or ()
        for node in ast.walk(tree(modules()[one.importer])):
            used = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
            if not used or node.value.id != alias or f"{one.module}.{node.attr}" in modules():
                continue
            if node.attr not in listed:
                places.append(f"{one.importer}:{node.lineno}: {alias}.{node.attr}")
    report(places)
