r"""Title and abstract of an author's own, not yet submitted, TeX source.

A guess by nature: only TeX can read TeX, and arXiv takes both from its submission form. The result
is what an author would paste into that form: comments, footnotes and line breaks gone, mathematics
and accents kept as TeX.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Sequence

from pybadge.errors import MetadataError, PybadgeError
from pybadge.input import read_file

__all__ = ["read_tex", "tex_files"]

_MAX_INPUTS = 50
# How often a file is looked for; each time asks the file system.
_MAX_LOOKS = 1000
# Characters of a source with all that it inputs; title and abstract stand near the beginning.
_MAX_CHARACTERS = 2 << 20
# TeX itself ends \verb with the line; this bounds what a hostile line costs.
_LONGEST_VERB = 1000
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
_HIDING = re.compile(
    r"\\begin\{(?P<environment>comment|verbatim\*?|lstlisting|filecontents\*?)\}|"
    r"\\iffalse(?![A-Za-z@])|"
    r"\\verb\*?(?P<delimiter>[^\sA-Za-z*])"
)
_FI = re.compile(r"\\fi(?![A-Za-z@])")
_INPUT = re.compile(r"\\(?:input|include|subfile)\s*\{([^{}]{1,200})\}")
_COMMAND_END = r"(?![A-Za-z@])"
_TITLE = re.compile(r"\\title" + _COMMAND_END)
_ABSTRACT = re.compile(r"\\abstract" + _COMMAND_END)
_ABSTRACT_BEGIN = re.compile(r"\\begin\s*\{(abstract\*?|onecolabstract)\}(?:\s*\[[^\]]*\])?")
# Commands whose argument does not belong to the title or abstract
_DROPPED = re.compile(
    r"\\(?:thanks|footnote|footnotetext|footnotemark|label|vspace\*?|hspace\*?|keywords|"
    r"titlerunning|tnotetext|tnoteref|thanksref|pithnumber|pithbadge|pithsetup)" + _COMMAND_END
)
_STYLED = re.compile(
    r"\\(?:textbf|textit|textsc|textrm|textsf|textnormal|emph|uppercase|mbox|textup|textmd|"
    r"MakeUppercase)\s*(?=\{)"
)
_SWITCH = re.compile(
    r"\\(?:bf|it|rm|sf|tt|sc|em|bfseries|itshape|scshape|rmfamily|sffamily|mdseries|normalfont|"
    r"tiny|scriptsize|small|footnotesize|normalsize|large|Large|LARGE|huge|Huge|noindent|centering|"
    r"protect|newline|linebreak|par|indent|smallskip|medskip|bigskip|boldmath|unboldmath|maketitle)"
    + _COMMAND_END
    + r"\s*"
)
_TIE = re.compile(r"(?<!\\)~|\\ ")
# TeX needs the backslash, the form does not: these are ordinary characters there.
_ESCAPED = re.compile(r"\\([%&#_])")
_DELIMITER = re.compile(r"\\.|[{}\[\]]", re.DOTALL)
# Its optional argument is a length and holds no bracket: else each bracket that is not closed would
# be followed to the end of the text.
_LINE_BREAK = re.compile(r"\\\\\*?(?:\s*\[[^\[\]]*\])?")


def read_tex(path: str) -> tuple[str, str]:
    r"""The title and the abstract of a LaTeX source.

    ``\input`` files are followed within the source's own folder. Read are ``\title``, with or
    without a short form, and the ``abstract`` environment or ``\abstract``.

    Raises:
        MetadataError: the file can't be read, or one of the two is not in it.
    """
    text = _Source(path).text
    title = _command(text, _TITLE)
    if title is None:
        raise MetadataError(
            f"{path}: has no \\title{{…}}; write the metadata as TOML instead", code="tex.no_title"
        )
    abstract = _abstract(text)
    if abstract is None:
        raise MetadataError(
            f"{path}: has no abstract environment; write the metadata as TOML instead",
            code="tex.no_abstract",
        )
    title, abstract = _as_typed(title), _as_typed(abstract)
    for name, value in (("title", title), ("abstract", abstract)):
        if not value:
            raise MetadataError(f"{path}: the {name} is empty", code=f"tex.no_{name}")
    return title, abstract


def tex_files(path: str) -> list[str]:
    r"""The files that `read_tex` reads: the source and what it inputs.

    Raises:
        MetadataError: the source can't be read.
    """
    return _Source(path).files


class _Source:
    r"""A source with its ``\input`` files in their places, and without what TeX would not typeset.

    Attributes:
        text: all of it.
        files: what was read, as absolute paths without links.
    """

    def __init__(self, path: str) -> None:
        self.files: list[str] = []
        self._folder = os.path.dirname(os.path.abspath(path))
        self._left = _MAX_CHARACTERS
        self._looks = 0
        self.text = self._read(path)

    def _read(self, path: str) -> str:
        try:
            data = read_file(path)
        except PybadgeError as error:
            raise MetadataError(str(error), code=error.code) from None
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        text = _visible(_COMMENT.sub(r"\1", text))
        self._left -= len(text)
        self.files.append(os.path.realpath(path))
        return _INPUT.sub(lambda match: self._input(match[1].strip()), text)

    def _input(self, name: str) -> str:
        """The text of an input file; "" for one that is missing, outside, or read before."""
        self._looks += 1
        done = len(self.files) >= _MAX_INPUTS or self._looks > _MAX_LOOKS or self._left <= 0
        if done or "\0" in name:
            return ""
        file_name = name if name.lower().endswith(".tex") else f"{name}.tex"
        try:
            real = os.path.realpath(os.path.join(self._folder, file_name))
            inside = real.startswith(os.path.realpath(self._folder) + os.sep)
            if not inside or real in self.files or not os.path.isfile(real):
                return ""
        except (OSError, ValueError):  # ValueError: characters that no file name here can have
            return ""
        return self._read(real)


def _visible(text: str) -> str:
    """The text without what TeX would not typeset or would show verbatim."""
    kept, position = [], 0
    unclosed: set[str] = set()  # looked for once only, so that a hostile file takes linear time
    for match in _HIDING.finditer(text):
        name = match["environment"] or "iffalse"
        if match.start() < position or (not match["delimiter"] and name in unclosed):
            continue
        end = _end_of_hiding(text, match)
        if end is None:
            if not match["delimiter"]:
                unclosed.add(name)
            continue
        kept.append(text[position : match.start()])
        position = end
    return "".join([*kept, text[position:]])


def _end_of_hiding(text: str, match: re.Match[str]) -> int | None:
    """Where the hidden text ends that begins with a match of `_HIDING`; None where it does not."""
    start = match.end()
    if match["delimiter"]:
        end = text.find("\n", start, start + _LONGEST_VERB)
        end = text.find(match["delimiter"], start, end if end >= 0 else start + _LONGEST_VERB)
        return end + 1 if end >= 0 else None
    if match["environment"]:
        closing = f"\\end{{{match['environment']}}}"
        end = text.find(closing, start)
        return end + len(closing) if end >= 0 else None
    found = _FI.search(text, start)
    return found.end() if found is not None else None


def _command(text: str, command: re.Pattern[str]) -> str | None:
    """The first mandatory argument of a command's last use that has one; an optional one before it
    is passed over."""
    pairs = _pairs(text)
    # From the end, since each use replaces the one before. What nests in itself is looked at once.
    start = len(text)
    for match in reversed(list(command.finditer(text))):
        position = _blanks(text, match.end())
        if text[position : position + 1] == "[" and pairs[position]:
            position = _blanks(text, pairs[position] + 1)
        if text[position : position + 1] != "{" or not 0 < pairs[position] <= start:
            continue
        start = match.start()
        argument = text[position + 1 : pairs[position]]
        # The class files and \newcommand lines that define \title have a # in it.
        if "#" not in argument.replace(r"\#", ""):
            return argument
    return None


def _abstract(text: str) -> str | None:
    match = _ABSTRACT_BEGIN.search(text)
    if match is not None:
        end = re.compile(r"\\end\s*\{" + re.escape(match[1]) + r"\}").search(text, match.end())
        return text[match.end() : end.start()] if end else None
    return _command(text, _ABSTRACT)


def _blanks(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _pairs(text: str) -> Sequence[int]:
    """For each position the one at which the brace or bracket there is closed; 0 where there is
    none, or it is not closed. Found in one pass, so that a hostile file takes linear time."""
    pairs = array("l", bytes(array("l").itemsize * len(text)))
    open_braces: list[int] = []
    open_brackets: list[int] = []
    for match in _DELIMITER.finditer(text):
        position, delimiter = match.start(), match[0]
        if delimiter == "{":
            open_braces.append(position)
        elif delimiter == "[":
            open_brackets.append(position)
        elif delimiter == "}" and open_braces:
            pairs[open_braces.pop()] = position
        elif delimiter == "]" and open_brackets:
            pairs[open_brackets.pop()] = position
    return pairs


def _as_typed(text: str) -> str:
    """The text as one would type it into arXiv's form: one line, no layout, TeX for mathematics and
    accents kept."""
    text = _unwrapped(_without_dropped(text))
    text = _SWITCH.sub(" ", _LINE_BREAK.sub(" ", text))
    text = _ESCAPED.sub(r"\1", _TIE.sub(" ", text))
    return _without_outer_braces(" ".join(text.split()))


def _without_dropped(text: str) -> str:
    pairs = _pairs(text)
    kept, position = [], 0
    for match in _DROPPED.finditer(text):
        if match.start() < position:
            continue
        kept.append(text[position : match.start()])
        position = match.end()
        for opening in "[{":
            start = _blanks(text, position)
            if text[start : start + 1] == opening and pairs[start]:
                position = pairs[start] + 1
    return "".join([*kept, text[position:]])


def _unwrapped(text: str) -> str:
    r"""`\emph{word}` to `word`, also where it is nested."""
    pairs = _pairs(text)
    gone: list[tuple[int, int]] = []
    for match in _STYLED.finditer(text):
        closing = pairs[match.end()]
        if closing:
            gone += [(match.start(), match.end() + 1), (closing, closing + 1)]
    kept, position = [], 0
    for start, end in sorted(gone):
        kept.append(text[position:start])
        position = end
    return "".join([*kept, text[position:]])


def _without_outer_braces(text: str) -> str:
    r"""`{\bf A title}` leaves braces around; those further inside belong to accents and stay."""
    pairs = _pairs(text)
    start, end = 0, len(text)
    while start < end and text[start] == "{" and pairs[start] == end - 1:
        start, end = start + 1, end - 1
        while start < end and text[start] == " ":
            start += 1
        while start < end and text[end - 1] == " ":
            end -= 1
    return text[start:end]
