"""Citations: what code and documents refer to is in this repository, and docs/spec states what
the code does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from pybadge.checks.report import CHECK_IDS, REQUIRED, SCHEMA
from pybadge.ed25519 import ALGORITHM
from pybadge.keys import PINNED
from pybadge.receipt import FIXED, VERSION
from tests.support.data import DATA, RECORDS, ROOT, SIGNATURES

FOLDERS = ("pybadge", "tests", "bench", "tools", "docs")
DOCUMENTS = (
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "spec").glob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
)
SUFFIXES = (
    "",
    ".css",
    ".dtx",
    ".html",
    ".js",
    ".lua",
    ".md",
    ".mjs",
    ".mk",
    ".py",
    ".sty",
    ".toml",
    ".ts",
)

HEADING = re.compile(r"^#+ ([0-9]+(?:\.[0-9]+)*) ", re.MULTILINE)
SECTIONS = r"[0-9]+(?:\.[0-9]+)*(?:(?:, | and |-|–)[0-9]+(?:\.[0-9]+)*)*"
CITATION = re.compile(rf"docs/(spec(?![\w/-])|[\w/-]+\.md)(?:, (?:§ ?)?({SECTIONS}))?")
RULE = re.compile(r"\[([0-9]+\.[0-9]+)-([0-9]+)(?:, client)?\]")
# Written so that the pattern doesn't find itself.
SHOUTED = re.compile(r"(?<![\w/.-])([A-Z]{4,}(?:-[A-Z]+)*[.]md)\b")
PRIVATE = re.compile(r"\b[Ii]ssues? [0-9]+|[.]{2}/shared")
LINK = re.compile(r"\]\(([^()\s]+)\)|\b(?:src|href)=\"([^\"]+)\"")
ROW_NUMBER = re.compile(r"\btest_\w*?(?:threat|report|row|issue)_[a-z]?[0-9]+\w*")
NAMED_TEST = re.compile(r"(tests/[\w/]+\.py)::(\w+)")


def texts() -> Iterator[tuple[str, str]]:
    """Name and text of every file that may cite something."""
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in FOLDERS:
        files += (ROOT / folder).rglob("*")
    for path in sorted(files):
        name = path.relative_to(ROOT).as_posix()
        others = name.startswith("tests/data/") or "node_modules/" in name
        if path.is_file() and path.suffix in SUFFIXES and not others:
            try:
                yield name, path.read_text(encoding="utf-8")
            except UnicodeDecodeError:  # a picture or an archive without an ending
                continue


def unwrapped(text: str) -> str:
    """The text with the line ends inside paragraphs and comments as blanks."""
    return re.sub(r"\s*\n[ \t]*(?:(?:#|//|%)+ )?", " ", text)


@cache
def specification() -> str:
    """The chapters of docs/spec, one after the other."""
    chapters = (ROOT / "docs" / "spec").glob("[0-9]*.md")
    ordered = sorted(chapters, key=lambda path: int(path.name.partition("-")[0]))
    return "\n".join(path.read_text("utf-8") for path in ordered)


def document_text(name: str, root: Path = ROOT) -> str | None:
    """A document that is cited by its name in docs; None where it isn't there."""
    if name == "spec":
        return specification()
    document = root / "docs" / name
    return document.read_text("utf-8") if document.exists() else None


def dangling(text: str, root: Path = ROOT) -> list[str]:
    """The citations in a text that lead to no document or no section."""
    found = []
    for match in CITATION.finditer(unwrapped(text)):
        cited_text = document_text(match[1], root)
        cited = re.findall(r"[0-9.]+", match[2] or "")
        there = HEADING.findall(cited_text or "")
        if cited_text is None or any(section not in there for section in cited):
            found.append(match[0])
    return found


def foreign(text: str, root: Path = ROOT) -> list[str]:
    """The mentions of documents that are not in the repository."""
    named = [name for name in SHOUTED.findall(text) if not (root / name).exists()]
    return named + PRIVATE.findall(text)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(docs/spec, 4.2).", []),
        ("as in docs/spec, 1-3 and 5.3)", []),
        ("see docs/spec for more", []),
        ("# the worst first (docs/spec,\n# 7.5).", []),
        ('    """One rule (docs/spec,\n    99.1)."""', ["docs/spec, 99.1"]),
        ("docs/spec, 4.2 and 4.99", ["docs/spec, 4.2 and 4.99"]),
        ("docs/nothing.md, 1", ["docs/nothing.md, 1"]),
        ("docs/nothing.md", ["docs/nothing.md"]),
    ],
)
def test_a_dangling_citation_is_found(text: str, found: list[str]) -> None:
    assert dangling(text) == found


@pytest.mark.parametrize("name", ["SOMEWHERE", "SOME-PLAN"])
def test_a_document_outside_the_repository_is_found(name: str) -> None:
    assert foreign(f"the rule of {name}.md 1") == [f"{name}.md"]
    assert foreign("see README.md and docs/spec") == []
    assert foreign("as Issue" + " 3 says") == ["Issue 3"]


def test_every_citation_leads_to_a_section_of_the_document() -> None:
    every = dict(texts())
    cited = {name for name, text in every.items() if CITATION.search(text)}
    assert {"pybadge/record.py", "pybadge/ed25519.py", "pybadge/keys.py"} <= cited
    found = {name: dangling(text) for name, text in every.items() if "test_citations" not in name}
    assert {name: where for name, where in found.items() if where} == {}


def test_no_file_cites_a_document_that_is_not_in_the_repository() -> None:
    found = {
        name: foreign(text)
        for name, text in texts()
        if "test_citations" not in name and name != "CHANGELOG.md"
    }
    assert {name: where for name, where in found.items() if where} == {}


def test_every_rule_that_the_threats_cite_is_a_section_of_the_protocol() -> None:
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    cited, count = re.subn(r"\(protocol,\s", "(docs/spec, ", text)
    assert count >= 15
    assert dangling(cited) == []


def test_no_test_is_named_by_the_row_of_a_list() -> None:
    assert ROW_NUMBER.findall("def test_report" + "_b38(): test_row" + "_12_of_it") != []
    found = {name: ROW_NUMBER.findall(text) for name, text in texts() if name.startswith("tests/")}
    assert {name: names for name, names in found.items() if names} == {}


def test_every_rule_is_named_once_and_after_its_section() -> None:
    named = []
    for part in re.split(r"(?m)^(?=#+ [0-9])", specification()):
        heading = HEADING.match(part)
        rules = RULE.findall(part)
        assert all(heading is not None and number == heading[1] for number, _ in rules), part[:40]
        assert [int(place) for _, place in rules] == list(range(1, len(rules) + 1)), part[:40]
        named += rules
    assert len(named) > 50


@pytest.mark.parametrize("name", ["spec", "threats.md"])
def test_sections_are_numbered_once_and_in_order(name: str) -> None:
    numbers = HEADING.findall(document_text(name) or "")
    order = [tuple(map(int, number.split("."))) for number in numbers]
    assert order == sorted(set(order))
    for number in order:
        before = (*number[:-1], number[-1] - 1)
        assert number[-1] == 1 or before in order, f"{number} has no predecessor"
        assert number[:-1] == () or number[:-1] in order, f"{number} has no parent"


def names_of_tests(path: Path) -> set[str]:
    """The names of the tests in a file."""
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    functions = (node.name for node in nodes if isinstance(node, ast.FunctionDef))
    return {name for name in functions if name.startswith("test_")}


def test_every_threat_names_tests_that_exist() -> None:
    text = (ROOT / "docs" / "threats.md").read_text("utf-8")
    threats = re.split(r"^#+ ", text, flags=re.MULTILINE)
    for threat in threats:
        if re.match(r"[0-9]+\.[0-9]+ ", threat):
            assert NAMED_TEST.search(threat), threat.splitlines()[0]
    named = NAMED_TEST.findall(text)
    assert len(named) >= 50
    missing = [
        f"{file}::{name}"
        for file, name in named
        if not (ROOT / file).exists() or name not in names_of_tests(ROOT / file)
    ]
    assert missing == []


def links(text: str) -> list[str]:
    """The relative links of a Markdown text, outside code."""
    prose = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"`[^`\n]+`", "", prose)
    found = (link or attribute for link, attribute in LINK.findall(prose))
    return [link for link in found if not re.match(r"[a-z]+:|#|//", link)]


def test_links_are_found_outside_code_only() -> None:
    text = '[a](b.md#c) `[d](e.md)`\n```\n[f](g.md)\n```\n<img src="h.png"> [i](https://j.example)'
    assert links(text) == ["b.md#c", "h.png"]


def anchors(text: str) -> set[str]:
    """The anchors that GitHub gives to the headings of a text."""
    headings = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_relative_link_leads_to_a_file(document: Path) -> None:
    text = document.read_text("utf-8")
    for link in links(text):
        file, _, anchor = link.partition("#")
        target = document.parent / file
        assert target.exists(), link
        assert not anchor or anchor in anchors(target.read_text("utf-8")), link


def section(number: str) -> str:
    """The text of one section of docs/spec, without those below it."""
    found = re.search(
        rf"^#+ {re.escape(number)} .*?(?=^#+ [0-9]|\Z)", specification(), re.MULTILINE | re.DOTALL
    )
    assert found is not None, number
    return found[0]


def first_column(text: str) -> list[str]:
    """The code words in the first column of a table, in order."""
    cells = re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE)
    return [word for cell in cells for word in re.findall(r"`([^`]+)`", cell)]


def test_the_protocol_lists_every_check_and_the_required_ones() -> None:
    assert tuple(first_column(section("7.1"))) == CHECK_IDS
    verdict = section("7.3")
    assert {word for word in re.findall(r"`(\w+)`", verdict) if word in CHECK_IDS} == set(REQUIRED)
    assert f'"schema": "{SCHEMA}"' in section("7.4")


def test_the_protocol_states_the_receipt_and_the_pinned_keys() -> None:
    receipt = section("4.1")
    for name, value in {**FIXED, "algorithm": ALGORITHM, "receipt_version": VERSION}.items():
        assert f"| `{name}` | `{value}` |" in receipt
    for key in PINNED:
        assert {str(key.key_id), key.raw.hex(), key.fingerprint} <= set(section("4.2").split())


def test_the_protocol_names_every_code_of_the_json_reader() -> None:
    code = (ROOT / "pybadge" / "strict_json.py").read_text("utf-8")
    assert set(re.findall(r"`(json\.\w+)`", section("6.1"))) == set(
        re.findall(r'"(json\.\w+)"', code)
    )


def test_the_protocol_counts_the_records_that_are_here() -> None:
    text = " ".join((ROOT / "docs" / "spec" / "README.md").read_text("utf-8").split())
    years = sorted(line["pith_number"][5:9] for line in RECORDS)
    titled = sum(bool(line["title"]) for line in RECORDS)
    whole = sum(bool(line["title"] and line["abstract"]) for line in RECORDS)
    assert (
        f"holds {len(RECORDS)} records from the years {years[0]} to {years[-1]}: {titled} with "
        f"their title, {whole} with title and abstract, {len(SIGNATURES)} with the signature"
    ) in text
    integrity = (DATA / "integrity.jsonl").read_text("utf-8")
    events, snapshots = (
        integrity.count(f'"integrity_{kind}"') for kind in ("event_signature", "snapshot")
    )
    assert f"{events} signatures of integrity events and {snapshots} integrity snapshots" in text
