"""Build LaTeX documents the way arXiv does, each in a folder of its own, and remember the result by
content.

A build is named by the SHA-256 of everything that goes into it, so a document that several tests
look at is built once, and a second run of the tests builds only what changed. With `PITH_TEXROOT`
in the environment every command runs through `chroot` in that folder (another TeX Live, see
`tests/latex/texlives`).
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from pathlib import Path

from tests.support.data import ROOT, SUFFIX

STYLES = ROOT / "tests" / "latex" / "styles"
TEXROOT = os.environ.get("PITH_TEXROOT", "")
BUILDS = Path(TEXROOT) / "pith-builds" if TEXROOT else ROOT / "build" / "latex"
PITH_STY = Path(os.environ.get("PITH_STY", ROOT / "pith.sty"))

LOAD = "\\usepackage{pith}"
COMMAND = f"\\pithnumber{{{SUFFIX}}}"
BADGE = f"\\pithbadge{{{SUFFIX}}}"
LINK = f"\\pithlink{{{SUFFIX}}}"
SNIPPET = f"{LOAD}\n{COMMAND}"
MARK = "%PITH%"  # stands in a document's source where the snippet goes
BARE = "%\n%"  # as many lines as the snippet, so that the line numbers of warnings agree

# The options of arXiv's own runs of TeX.
FLAGS = (
    "-interaction=batchmode",
    "-recorder",
    "-no-parse-first-line",
    "-file-line-error",
    "-no-shell-escape",
)
RUNS = 5
TIMEOUT = 595  # seconds for one program; arXiv's limit for all of them
ENVIRONMENT = {
    "SOURCE_DATE_EPOCH": "1700000000",
    "FORCE_SOURCE_DATE": "1",
    "max_print_line": "1000",  # unwrapped log lines can be compared
    "error_line": "254",
    "half_error_line": "238",
    "openout_any": "p",
    "MKTEXTFM": "0",  # a font that is missing is not drawn anew by Metafont, glyph by glyph
    "TZ": "UTC",
    "LC_ALL": "C.UTF-8",
}

#: route -> the TeX engine and what makes a PDF of its output
ROUTES: dict[str, tuple[str, tuple[str, ...]]] = {
    "pdflatex": ("pdflatex", ()),
    "dvips": ("latex", ("dvips", "ps2pdf")),
    "xelatex": ("xelatex", ()),
    "lualatex": ("lualatex", ()),
    "dvipdfmx": ("latex", ("dvipdfmx",)),
}


@dataclass(frozen=True)
class Source:
    """What is built: the main file, the files beside it, and the route."""

    main: str
    route: str = "pdflatex"
    files: Mapping[str, str | bytes] = field(default_factory=dict)
    styles: tuple[str, ...] = ()
    jobname: str = "main"
    folder: str = "."
    options: tuple[str, ...] = ()
    engine: str = ""
    after: tuple[str, ...] | None = None
    runs: int = RUNS
    package: bool = True
    # Let Metafont make the metrics that are missing: the Cyrillic ones are shipped as its sources.
    metafont: bool = False

    def without_pith(self) -> Source:
        """The same document as it was before the snippet was pasted in."""
        if MARK not in self.main:
            raise ValueError(f"the document has no {MARK}")
        return Source(**{**self._fields(), "main": self.main.replace(MARK, BARE), "package": False})

    def with_pith(self, snippet: str = SNIPPET) -> Source:
        """The same document with `snippet` in the marked place."""
        if MARK not in self.main:
            raise ValueError(f"the document has no {MARK}")
        return Source(**{**self._fields(), "main": self.main.replace(MARK, snippet)})

    def _fields(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass
class Build:
    """What came of it. `exit_codes` holds one code a command, in their order."""

    folder: Path
    jobname: str
    exit_codes: list[int]
    runs: int
    aux_hashes: list[str]
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """True if every run and every later step ended well and there is a PDF.

        arXiv lets the first run fail as long as it made output; a later one fails the paper."""
        return bool(self.exit_codes) and not any(self.exit_codes) and self.pdf.exists()

    @property
    def pdf(self) -> Path:
        return self.folder / f"{self.jobname}.pdf"

    @property
    def log(self) -> str:
        return self.text(".log")

    @property
    def aux(self) -> str:
        return self.text(".aux")

    def text(self, suffix: str) -> str:
        """The text of the side file with this suffix, empty where there is none."""
        path = self.folder / f"{self.jobname}{suffix}"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    @property
    def errors(self) -> list[str]:
        """TeX's error lines, as `-file-line-error` prints them."""
        return [
            line
            for line in self.log.splitlines()
            if re.match(r"(\./|/|[\w.-]+/)?[^\s:()]+:\d+: ", line) or line.startswith("! ")
        ]

    @property
    def warnings(self) -> list[str]:
        """Warnings and boxes that are too full, without the line and page numbers that move when
        text moves."""
        found = []
        lines = self.log.splitlines()
        for number, line in enumerate(lines):
            if re.search(r"\bWarning: |^(pdfTeX|LuaTeX|xdvipdfmx:)? ?warning|^Overfull ", line):
                following = 1
                while number + following < len(lines) and re.match(
                    r"\(\w[\w-]*\) {5,}", lines[number + following]
                ):
                    line += " " + lines[number + following].split(")", 1)[1].strip()
                    following += 1
                found.append(_without_positions(line))
        return found


def _without_positions(line: str) -> str:
    line = re.sub(r"(on|at|in) (input )?lines? \d+(--\d+)?\.?", "", line)
    line = re.sub(r"\[\d+[^\]]*\]|on page \d+|has occurred while \\output is active", "", line)
    line = re.sub(r"^Overfull \\([hv])box.*", r"Overfull \\\1box", line)
    return re.sub(r"\s+", " ", line).strip()


def run(
    command: list[str],
    folder: Path,
    log: str | None = None,
    environment: Mapping[str, str] | None = None,
) -> int:
    """Run one command in `folder`, inside `PITH_TEXROOT` where that is set; its output goes to the
    file `log`.

    Returns the exit code, 124 when the time is up.
    """
    variables = {**ENVIRONMENT, **(environment or {})}
    inherited = dict(os.environ)
    if TEXROOT:
        inner = "/" + str(folder.resolve().relative_to(Path(TEXROOT).resolve()))
        command = ["chroot", TEXROOT, "env", "-C", inner, *command]
        inherited = {
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
        }
    with open(folder / log if log else os.devnull, "wb") as output:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**inherited, **variables},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                timeout=TIMEOUT,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return 124
    return done.returncode


@cache
def have(engine: str) -> bool:
    """True if the TeX Live under test has this program."""
    if TEXROOT:
        return any((Path(TEXROOT) / place / engine).exists() for place in ("usr/bin", "bin"))
    return shutil.which(engine) is not None


@cache
def release() -> int:
    """The TeX Live under test, by the year in pdfTeX's banner."""
    command = ["chroot", TEXROOT] if TEXROOT else []
    banner = subprocess.run(
        [*command, "pdftex", "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"TeX Live (\d{4})", banner)
    if not found:
        raise RuntimeError(f"pdftex names no TeX Live: {banner.splitlines()[:1]}")
    return int(found[1])


def build(source: Source) -> Build:
    """Build `source`, or take the result of the same build from before."""
    files = dict(source.files)
    for name in source.styles:
        files[name] = (STYLES / name).read_bytes()
    if source.package:
        files["pith.sty"] = PITH_STY.read_bytes()
    named = (
        source.main, source.route, source.jobname, source.folder, source.options, source.engine,
        source.after, source.runs, source.metafont, FLAGS, release(),
    )  # fmt: skip
    digest = hashlib.sha256(repr(named).encode())
    for name in sorted(files):
        content = files[name]
        digest.update(
            name.encode()
            + b"\0"
            + (content if isinstance(content, bytes) else content.encode())
            + b"\0"
        )
    folder = BUILDS / digest.hexdigest()[:24]
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder / "lock"):
        remembered = folder / "build.json"
        if remembered.exists():
            return Build(folder=folder / source.folder, **json.loads(remembered.read_text()))
        for name, content in files.items():
            path = folder / source.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        work = folder / source.folder
        work.mkdir(parents=True, exist_ok=True)
        (work / "main.tex").write_text(source.main, "utf-8")
        result = _run_all(source, work)
        kept = {name: value for name, value in asdict(result).items() if name != "folder"}
        if 124 not in result.exit_codes:  # a machine too busy says nothing about the paper
            beside = folder / "build.json.new"
            beside.write_text(json.dumps(kept))
            beside.replace(remembered)
        return result


def _run_all(source: Source, work: Path) -> Build:
    before = os.times()
    engine, after = ROUTES[source.route]
    engine = source.engine or engine
    if source.after is not None:
        after = source.after
    codes: list[int] = []
    hashes: list[str] = []
    for _ in range(source.runs):
        command = [engine, *FLAGS, *source.options, "main.tex"]
        codes.append(
            run(command, work, "terminal.txt", {"MKTEXTFM": "1"} if source.metafont else None)
        )
        written = b"".join(
            path.read_bytes()
            for suffix in ("aux", "out", "toc")
            for path in sorted(work.rglob(f"*.{suffix}"))
        )
        hashes.append(hashlib.sha256(written).hexdigest())
        if codes[-1] == 124 or (len(codes) > 1 and codes[-1]):
            break
        settled = len(hashes) > 1 and hashes[-1] == hashes[-2]
        log = (
            (work / f"{source.jobname}.log").read_text("utf-8", "replace")
            if (work / f"{source.jobname}.log").exists()
            else ""
        )
        if not re.search(r"Rerun to get|rerun LaTeX|Please rerun", log) and (
            settled or _says_nothing(written)
        ):
            break
    if len(codes) > 1:
        codes[0] = 0  # what arXiv forgives
    for program in after:
        commands = {
            "dvips": [
                "dvips",
                "-R2",
                "-q",
                "-z",
                "-o",
                f"{source.jobname}.ps",
                f"{source.jobname}.dvi",
            ],
            "ps2pdf": ["ps2pdf", f"{source.jobname}.ps", f"{source.jobname}.pdf"],
            "dvipdfmx": ["dvipdfmx", "-q", "-o", f"{source.jobname}.pdf", f"{source.jobname}.dvi"],
        }
        if codes[-1] == 0:
            codes.append(run(commands[program], work, f"{program}.txt"))
    after_all = os.times()
    seconds = after_all.children_user + after_all.children_system
    seconds -= before.children_user + before.children_system
    return Build(work, source.jobname, codes, len(hashes), hashes, seconds)


def _says_nothing(written: bytes) -> bool:
    """True if the side files hold nothing that a second run would read."""
    text = re.sub(
        rb"\\relax|\\gdef ?\\@abspage@last\{\d+\}|\\providecommand.*|\\immediate.*|\s", b"", written
    )
    return not text


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with open(path, "w") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
