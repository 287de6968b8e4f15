"""What people mistype: one line says what is wrong, by the right word and exit code; a slip is
never called INVALID, and no trace is shown."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.support.command import environment, pybadge
from tests.support.data import RECORD_BYTES

NOWHERE = "http://127.0.0.1:9"
"""A server that nobody runs."""

# The line after ``pybadge``; the exit code; words of what is said.
LINES = [
    ("verfy rec.json", 2, "did you mean verify?"),
    ("veri rec.json", 2, "did you mean verify?"),
    ("check paper.pdf", 2, "COMMAND: invalid choice: 'check'"),
    ("version", 2, "COMMAND: invalid choice: 'version'"),
    ("help verfy", 2, "did you mean verify?"),
    ("--offline", 2, "COMMAND"),
    ("help verify", 0, "usage: pybadge verify"),
    ("verify", 2, "name what to verify"),
    ("verify --help-me", 2, "did you mean --help?"),
    ("verify rec", 2, "not a Pith Number"),
    ("verify ./nofile.json", 2, "No such file or directory"),
    ("verify nofile.json", 2, "No such file or directory"),
    ("verify adir", 2, "not a Pith Number"),
    ("verify adir/", 2, "is a folder"),
    ("verify empty.json", 2, "an empty file"),
    ("verify zero.json", 2, "a file of bytes"),
    ("verify trunc.json", 2, "not JSON"),
    ("verify bin.json", 2, "a file of bytes"),
    ("verify x.pdf", 2, "a PDF file"),
    ("verify XR2UHLWNHHFSD4ZJJXWRU6R6Q", 2, "has 25 characters"),
    ("verify XR2UHLWNHHFSD4ZJJXWRU6R6QPP", 2, "has 27 characters"),
    ("verify XR2UHLWNHHFSD4ZJJXWRU6R6Q0", 2, "typed for the letter O?"),
    ("verify XR2UHLWNHHFSD4ZJJXWRU6R6Q1", 2, "typed for the letter I or L?"),
    ("verify xr2uhlwnhhfsd4zjjxwru6r6qp", 3, "not checked"),
    ("verify pith:2023:XR2UHLWNHHFSD4ZJJXWRU6R6QP", 3, "not checked"),
    ("verify pith:24:XR2UHLWNHHFSD4ZJJXWRU6R6QP", 2, "not a year of four digits"),
    ("verify pith:XR2UHLW", 2, "has 7 characters"),
    ("verify XR2UHLWNHHFSD4ZJJXWRU6R6Q\u0410", 2, "CYRILLIC CAPITAL LETTER A"),
    ("verify 2402.99999999", 2, "not an arXiv id"),
    ("verify 2402.15627v0", 2, "not an arXiv id"),
    ("verify arxiv.org/abs/2402.15627", 3, "not checked"),
    ("verify https://example.org/foo", 2, "not a record's address"),
    ("verify http://pith.science/pith/XR2UHLWNHHFSD4ZJJXWRU6R6QP", 2, "use https"),
    ("verify https://doi.org/10.1145/12345.6789", 2, "only arXiv's own DOIs"),
    ("verify 10.1038/nature12373", 2, "only arXiv's own DOIs"),
    ("verify 'MegaScale: Scaling Large Language'", 2, "not a Pith Number"),
    ("verify ''", 2, "a Pith Number is missing"),
    ("verify rec.json --formt json", 2, "did you mean --format?"),
    ("verify rec.json --format yaml", 2, "argument --format: invalid choice: 'yaml'"),
    ("verify rec.json --require titel", 2, "did you mean title?"),
    ("verify rec.json --timeout abc", 2, "--timeout 'abc'"),
    ("verify rec.json --timeout 0", 2, "--timeout '0'"),
    ("verify rec.json --deadline -1", 2, "--deadline"),
    ("verify rec.json --color sometimes", 2, "--color: invalid choice: 'sometimes'"),
    ("verify rec.json --trust-key nokey.pem", 2, "nokey.pem: No such file or directory"),
    ("verify rec.json --trust-key rec.json", 2, "not an Ed25519 public key"),
    ("verify rec.json --distrust nonsense", 2, "--distrust"),
    ("verify rec.json --abstract-file nofile.txt", 2, "nofile.txt: No such file or directory"),
    ("verify --batch nofile.jsonl", 2, "nofile.jsonl: No such file or directory"),
    ("verify --batch rec.json --jobs 0", 2, "--jobs '0'"),
    ("verify --batch rec.json --jobs 0010249999999", 2, "--jobs '0010249999999'"),
    ("verify --batch rec.json --shard 5/3", 2, "--shard '5/3'"),
    ("verify --batch rec.json --resume", 2, "--resume needs --output"),
    ("verify rec.json --batch rec.json", 2, "leave out WHAT"),
    ("badge rec.json -o badge.jpg", 2, "must end in .svg, .png"),
    ("badge rec.json -o badge", 2, "must end in .svg, .png"),
    ("badge rec.json -o nofolder/badge.svg", 2, "can't be written: No such file or directory"),
    ("badge rec.json --style flatt", 2, "did you mean flat?"),
    ("badge rec.json --color bleu", 2, "did you mean blue?"),
    ("badge rec.json --color '#12345'", 2, "color: invalid choice: '#12345'"),
    ("badge rec.json --scale 100 -o b.png", 2, "from 0.5 to 16"),
    ("badge rec.json --facts foo", 2, "--facts: invalid choice: 'foo'"),
    ("badge rec.json --date 2024-13-01", 2, "give YYYY-MM-DD"),
    ("badge rec.json --engine resvg -o b.png", 2, "unrecognized arguments: --engine"),
    ("badge rec.json --state verified", 0, "<svg"),
    ("badge rec.json --text-as-paths", 0, "<svg"),
    ("badge rec.json --message verified", 0, "<svg"),
    ("embed rec.json --format wordpress", 2, "--format: invalid choice: 'wordpress'"),
    ("embed rec.json --format Markdown", 2, "did you mean markdown?"),
    ("embed rec.json --format md", 2, "--format: invalid choice: 'md'"),
    ("embed rec.json --image-url badge", 2, "does not end in .svg"),
    ("embed rec.json --image-url http://example.org/b.svg", 2, "must be https"),
    ("embed rec.json --format email", 0, "use https"),
    ("embed rec.json --format shields", 2, "--image-url"),
    ("embed --format html", 2, "say what to embed"),
    ("latex rec.json -o x.tex", 2, "unrecognized arguments: -o"),
    ("show rec.json empty.json", 2, "unrecognized arguments: empty.json"),
    ("fetch rec.json -o adir", 0, ""),
    ("derive", 2, "name a source"),
    ("derive foo", 2, "not an arXiv id"),
    ("derive --metadata rec.json", 2, "unknown field"),
    ("derive --tex rec.json", 2, "--tex needs"),
    ("derive --snapshot nofile", 2, "nofile: No such file or directory"),
    ("derive --arxiv-raw rec.json", 2, "not XML"),
    ("completion nu", 2, "SHELL: invalid choice: 'nu'"),
    ("--resolver ftp://x verify 2402.15627", 2, "only https"),
    ("--resolver http://example.org verify 2402.15627", 2, "use https"),
    ("--verbose verify rec.json", 0, "verified"),
    ("-q verify rec.json", 0, "verified"),
    ("verify rec.json --lock nolock.json", 0, "verified"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("mistyped")
    (made / "adir").mkdir()
    for name, data in (
        ("rec.json", RECORD_BYTES),
        ("empty.json", b""),
        ("zero.json", b"\x00" * 4),
        ("trunc.json", RECORD_BYTES[:500]),
        ("bin.json", bytes(range(256)) * 3),
        ("x.pdf", b"%PDF-1.5\n%\xe2\xe3\xcf\xd3\n"),
    ):
        (made / name).write_bytes(data)
    return made


@pytest.mark.parametrize(("line", "code", "words"), LINES, ids=[line for line, _, _ in LINES])
def test_a_mistyped_line_is_told_what_is_wrong(
    folder: Path, line: str, code: int, words: str
) -> None:
    env = environment(PYBADGE_RESOLVER=NOWHERE, PYBADGE_CACHE="off")
    done = pybadge(*shlex.split(line), cwd=folder, env=env)
    said = (done.stdout + done.stderr).decode()
    assert done.returncode == code, said
    assert words in said
    assert "Traceback" not in said
    assert "INVALID" not in said
    if code == 2:
        assert said.count("\n") == 1, "one line"


def test_no_line_of_the_table_stands_twice() -> None:
    assert len({line for line, _, _ in LINES}) == len(LINES) >= 87
