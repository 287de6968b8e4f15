"""The sample documents that the classes of Debian's texlive-publishers ship, found where dpkg put
them."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from tests.support.latex.build import MARK, Source
from tests.support.latex.documents import BODY, TITLE, paragraphs

_CLASS_LINE = re.compile(
    r"^[^%\n]*\\documentclass\s*(?:%[^\n]*\n\s*)?(?:\[[^\]]*\]\s*)?\{\s*([\w-]+)\s*\}[^\n]*", re.M
)
_BIGGEST_FILE = 8_000_000
_BIGGEST_FOLDER = 60_000_000


@dataclass(frozen=True)
class Sample:
    """A document of the class `name`: its file, or None where the class ships none and a small
    paper stands in."""

    name: str
    path: Path | None

    def sources(self) -> list[Source]:
        """The sample for each engine worth a try, the likeliest first, then a small paper of the
        same class."""
        found = []
        if self.path is not None:
            main, files = _marked(_text(self.path)), _beside(self.path)
            found += [Source(main, route=route, files=files, runs=2) for route in _routes(main)]
        main = _plain(self.name)
        return found + [Source(main, route=route, runs=2) for route in ("pdflatex", "xelatex")]


def _routes(main: str) -> tuple[str, ...]:
    if re.search(r"lualatex|luatexja|\\directlua", main, re.I):
        return ("lualatex", "xelatex", "pdflatex")
    if re.search(r"xelatex|fontspec|xeCJK|ctex|polyglossia|xepersian|CJK", main, re.I):
        return ("xelatex", "lualatex", "pdflatex")
    if "pstricks" in main:
        return ("dvips", "pdflatex")
    return ("pdflatex", "xelatex", "dvips")


def _plain(name: str) -> str:
    return "\n".join([
        f"\\documentclass{{{name}}}", MARK,
        f"\\title{{{TITLE}}}\\author{{Ada Author}}\\date{{May 2024}}", "\\begin{document}",
        "\\maketitle", f"{BODY.capitalize()}. {paragraphs(1)}", "\\end{document}", "",
    ])  # fmt: skip


def _text(path: Path) -> str:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _marked(text: str) -> str:
    """The text with the snippet's mark on lines of its own after the line with the document
    class."""
    found = _CLASS_LINE.search(text)
    if not found:
        raise ValueError("no document class")
    return text[: found.end()] + "\n" + MARK + text[found.end() :]


def _beside(path: Path) -> dict[str, str | bytes]:
    """The files in the sample's folder and below, unpacked, which it may read."""
    files: dict[str, str | bytes] = {}
    total = 0
    for other in sorted(path.parent.rglob("*")):
        if not other.is_file() or other.stat().st_size > _BIGGEST_FILE or other.name == "pith.sty":
            continue
        data = other.read_bytes()
        name = str(other.relative_to(path.parent))
        if other.suffix == ".gz":
            data, name = gzip.decompress(data), name.removesuffix(".gz")
        total += len(data)
        if total > _BIGGEST_FOLDER:
            break
        files[name] = data
    # A PDF that is shipped with the sample must not pass for one that was built.
    for suffix in (".tex", ".pdf", ".aux"):
        files.pop(f"main{suffix}", None)
    return files


def _listed(package: str) -> list[str]:
    if (
        shutil.which("dpkg") is None
    ):  # not Debian: nobody says which classes belong to the list, so pytest reports it empty
        return []
    done = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@cache
def classes() -> tuple[str, ...]:
    """The names of the classes in texlive-publishers, in alphabetical order."""
    return tuple(
        sorted(
            {
                PurePosixPath(line).stem
                for line in _listed("texlive-publishers")
                if line.endswith(".cls")
            }
        )
    )


@cache
def _documents() -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for line in _listed("texlive-publishers-doc"):
        if not re.search(r"\.(tex|ltx)(\.gz)?$", line):
            continue
        text = _text(Path(line))
        match = _CLASS_LINE.search(text)
        if match and "\\begin{document}" in text:
            found.setdefault(match[1], []).append(Path(line))
    return found


def sample(name: str) -> Sample:
    """The sample of a class: the one whose file name speaks of a sample, a template or an example,
    the shortest first."""
    return Sample(name, min(_documents().get(name, []), key=_preference, default=None))


def _preference(path: Path) -> tuple[bool, int, str]:
    telling = re.search(
        r"sample|template|example|exemple|demo|main|article|paper|test", path.name, re.I
    )
    return (telling is None, len(path.name), str(path))
