"""``pybadge derive`` and ``pybadge verify --against`` as a user runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pybadge.cli import main
from tests.support.arxiv_papers import (
    BY_ID,
    DATA,
    REAL,
    REAL_NUMBER,
    RECORDS,
    TITLED,
    bulk_line,
    facts,
    oai_answer,
    raw_element,
    toml,
)

RECORD = str(DATA / "record-XR2UHLWN.json")
HOSTILE = "\x1b]52;c;AAAA\x07\u202e</text><script>"


class Done:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


class Command:
    """Runs the command line in this process."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self.capture = capture

    def __call__(self, *arguments: str) -> Done:
        self.capture.readouterr()
        code = main([*arguments, "--offline"])
        out, err = self.capture.readouterr()
        assert "Traceback" not in err
        return Done(code, out, err)


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYBADGE_CONFIG", "")
    files = {
        "raw.xml": oai_answer(raw_element(REAL)),
        "many.xml": oai_answer(*(raw_element(record) for record in TITLED), verb="ListRecords"),
        "paper.toml": toml(REAL).encode(),
        "s.jsonl": b"".join(bulk_line(record) for record in RECORDS),
        "bomb.xml": b'<!DOCTYPE a [<!ENTITY b "c">]><a/>',
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    return Command(capsys)


@pytest.mark.parametrize(
    "source",
    [
        ("--arxiv-raw", "raw.xml"),
        ("--metadata", "paper.toml"),
        ("--snapshot", "s.jsonl", "2402.15627"),
    ],
)
def test_the_real_paper_from_each_source(source: tuple[str, ...], run: Command) -> None:
    done = run("derive", *source)
    assert (done.code, done.out, done.err) == (0, f"{REAL_NUMBER}  2402.15627v1\n", "")
    as_json = json.loads(run("derive", *source, "--json").out)
    assert as_json["schema"] == "pybadge-derive/1"
    assert as_json["number"] == REAL_NUMBER
    assert as_json["canonical_record"] == REAL["canonical_record"]
    assert as_json["canonical_sha256"] == REAL["canonical_sha256"]
    assert as_json["notes"] == []


def test_the_tex_file_and_its_warning(run: Command, tmp_path: Path) -> None:
    escaped = REAL["abstract"].replace("%", "\\%")
    text = f"\\title{{{REAL['title']}}}\\begin{{abstract}}{escaped}\\end{{abstract}}"
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    flags = [
        "--id",
        "2402.15627",
        "--categories",
        "cs.LG cs.DC",
        "--submitted-at",
        "2024-02-23T22:10:59Z",
    ]
    done = run("derive", "--tex", "paper.tex", *flags, "--license", facts(REAL)["license"])
    assert (done.code, done.out) == (0, f"{REAL_NUMBER}  2402.15627v1\n")
    assert "what is typed into arXiv's submission form decides" in done.err
    refused = run("derive", "--tex", "paper.tex", *flags[:4])
    assert refused.code == 2
    assert "--submitted-at" in refused.err


def test_papers_are_picked_by_id_and_version(run: Command) -> None:
    done = run(
        "derive",
        "--arxiv-raw",
        "many.xml",
        "2402.15627v1",
        "arXiv:1005.1684v3",
        "https://arxiv.org/abs/hep-th/9312120",
    )
    assert done.code == 0
    assert [line.split()[1] for line in done.out.splitlines()] == [
        "hep-th/9312120v1",
        "1005.1684v3",
        "2402.15627v1",
    ]
    assert "those of v12, assumed to be v3's too" in done.err
    missing = run("derive", "--arxiv-raw", "many.xml", "2402.15628")
    assert (missing.code, missing.out) == (3, "")
    assert "2402.15628: not in the source" in missing.err


def test_an_expected_number_is_diagnosed(run: Command) -> None:
    assert run("derive", "--arxiv-raw", "raw.xml", "--expect", REAL_NUMBER).code == 0
    assert run("derive", "--arxiv-raw", "raw.xml", "--expect", "pith:XR2UHLWN").out.endswith(
        "is the expected number\n"
    )
    assert run("derive", "--arxiv-raw", "raw.xml", "--expect", RECORD).code == 0
    wrong = run("derive", "--arxiv-raw", "raw.xml", "--paper-version", "2", "--expect", REAL_NUMBER)
    assert wrong.code == 1
    assert "version: the expected number was made with version 1 instead of 2" in wrong.out
    facts_ = json.loads(
        run(
            "derive", "--arxiv-raw", "raw.xml", "--paper-version", "2", "--expect", RECORD, "--json"
        ).out
    )
    assert facts_["expected"]["equal"] is False
    assert [item["field"] for item in facts_["expected"]["differences"]] == ["version"]
    unknown = run("derive", "--arxiv-raw", "raw.xml", "--expect", "A" * 26)
    assert unknown.code == 1
    assert "no known variant" in unknown.out


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ((), "name a source"),
        (("--arxiv-raw", "none.xml"), "No such file"),
        (("--arxiv-raw", "bomb.xml"), "document type"),
        (("--metadata", "none.toml"), "No such file"),
        (("--metadata", "raw.xml"), "not JSON"),
        (("--snapshot", "raw.xml"), "raw.xml:1:"),
        (("--snapshot", "none.jsonl", "-o", "x"), "No such file"),
        (
            (
                "--tex",
                "none.tex",
                "--id",
                "2402.15627",
                "--categories",
                "cs.LG",
                "--submitted-at",
                "2024-02-23T22:10:59Z",
                "--license",
                "none",
            ),
            "No such file",
        ),
        (("--arxiv-raw", "raw.xml", "--paper-version", "x"), "--paper-version"),
        (("--arxiv-raw", "raw.xml", "--paper-version", "0"), "--paper-version"),
        (("--arxiv-raw", "raw.xml", "--submitted-at", "noon"), "submitted_at"),
        (("--arxiv-raw", "raw.xml", "--expect", "nonsense!"), "not a Pith Number"),
        (("--arxiv-raw", "raw.xml", "--expect", "2402.15627"), "--expect"),
        (("--arxiv-raw", "raw.xml", "XR2UHLWN"), "--find"),
        (("--arxiv-raw", "raw.xml", "--find", "XR2UHLWN"), "--find needs --snapshot"),
        (("--arxiv-raw", "raw.xml", "--jobs", "2"), "--jobs needs --snapshot"),
        (("--snapshot", "s.jsonl", "-o", "x", "--jobs", "no"), "--jobs"),
        (("--snapshot", "s.jsonl", "-o", "x", "--executor", "steam"), "choose from process"),
        (("--snapshot", "s.jsonl", "--find", "0"), "not a Pith Number"),
        (("--snapshot", "s.jsonl", "--collisions", "9"), "choose from 8, 12, 16"),
        (("--snapshot", "s.jsonl", "--collisions"), "needs the output"),
        (("--snapshot", "s.jsonl", "-o", "no/such/folder"), "can't be written"),
    ],
)
def test_usage_errors_are_one_line_and_exit_2(
    arguments: tuple[str, ...], word: str, run: Command
) -> None:
    done = run("derive", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert word in done.err


def test_standard_input_is_read(
    run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with (tmp_path / "raw.xml").open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert run("derive", "--arxiv-raw", "-").out == f"{REAL_NUMBER}  2402.15627v1\n"


def test_two_sources_exclude_each_other(run: Command) -> None:
    assert run("derive", "--arxiv-raw", "raw.xml", "--snapshot", "s.jsonl").code == 2


def test_faults_stop_unless_told_to_go_on(run: Command, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"{broken\n" + bulk_line(REAL))
    stopped = run("derive", "--snapshot", "s.jsonl")
    assert (stopped.code, stopped.out) == (2, "")
    assert stopped.err.startswith("pybadge: s.jsonl:1: ")
    gone_on = run("derive", "--snapshot", "s.jsonl", "--keep-going")
    assert gone_on.code == 2
    assert REAL_NUMBER in gone_on.out
    as_json = [
        json.loads(line)
        for line in run(
            "derive", "--snapshot", "s.jsonl", "--keep-going", "--json"
        ).out.splitlines()
    ]
    assert as_json[0]["error"]["code"] == "json.syntax"
    assert as_json[1]["number"] == REAL_NUMBER


def test_all_of_arxiv_and_looking_into_it(run: Command) -> None:
    done = run("derive", "--snapshot", "s.jsonl", "-o", "n.jsonl", "--jobs", "1")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[0] == f"{len(RECORDS)} numbers of {len(RECORDS)} papers in n.jsonl"
    found = run("derive", "--snapshot", "n.jsonl", "--find", "pith:XR2UHLWN")
    assert (found.code, found.out) == (0, f"{REAL_NUMBER}  2402.15627v1\n")
    assert (
        json.loads(run("derive", "--snapshot", "n.jsonl", "--find", REAL_NUMBER, "--json").out)[
            "arxiv"
        ]
        == "2402.15627"
    )
    assert (
        run("derive", "--snapshot", "s.jsonl", "--find", REAL_NUMBER).out
        == f"{REAL_NUMBER}  2402.15627v1\n"
    )
    nothing = run("derive", "--snapshot", "n.jsonl", "--find", "A" * 26)
    assert (nothing.code, nothing.out) == (3, "")
    shared = run("derive", "--snapshot", "n.jsonl", "--collisions", "12")
    assert (shared.code, shared.out) == (0, "")
    assert "0 short forms of 12 characters" in shared.err
    summary = json.loads(
        run("derive", "--snapshot", "s.jsonl", "-o", "n2.jsonl", "--jobs", "2", "--json").out
    )
    assert summary["numbers"] == len(RECORDS)
    assert summary["shared_short_forms"] == {"8": 0, "12": 0, "16": 0}


def test_the_older_name_of_the_executor_still_works(run: Command) -> None:
    for option in ("--executor", "--engine"):
        done = run("derive", "--snapshot", "s.jsonl", "-o", f"n{option}.jsonl", option, "serial")
        assert (done.code, done.err) == (0, "")


def test_bulk_metadata_with_faults_says_what_it_left_out(run: Command, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"{broken\n" * 120 + bulk_line(REAL) * 2)
    done = run("derive", "--snapshot", "s.jsonl", "-o", "n.jsonl", "--keep-going", "--jobs", "1")
    assert done.code == 2
    assert "121 of 122 lines left out" in done.out
    lines = done.err.splitlines()
    assert lines[0].startswith("pybadge: s.jsonl:1: ")
    assert lines[-1] == "pybadge: and 21 more lines left out"
    assert len(lines) == 101


# --- verify --against


def test_the_record_against_each_kind_of_file(run: Command) -> None:
    for name in ("raw.xml", "many.xml", "s.jsonl", "paper.toml"):
        done = run("verify", RECORD, "--against", name)
        assert done.code == 0, (name, done.out)
        assert "the record describes this paper" in done.out
    report = json.loads(run("verify", RECORD, "--against", "raw.xml", "--json").out)
    assert report["verdict"] == "verified"
    assert report["source_check"]["status"] == "valid"
    assert len(report["source_check"]["fields"]) == 8


def test_what_differs_is_shown_and_exits_1(run: Command, tmp_path: Path) -> None:
    other = (
        raw_element(REAL).replace("Training to More", "Inference to More").replace("cs.LG", "cs.AI")
    )
    (tmp_path / "other.xml").write_bytes(oai_answer(other))
    done = run("verify", RECORD, "--against", "other.xml")
    assert done.code == 1
    assert "does NOT describe this paper" in done.out
    assert "[-Training-] {+Inference+}" in done.out
    assert "cs.LG in the record, cs.AI in the source" in done.out
    assert (
        json.loads(run("verify", RECORD, "--against", "other.xml", "--json").out)["source_check"][
            "status"
        ]
        == "invalid"
    )


def test_sources_that_cannot_say_exit_3_or_2(run: Command, tmp_path: Path) -> None:
    (tmp_path / "else.xml").write_bytes(oai_answer(raw_element(BY_ID["1005.1684"])))
    assert run("verify", RECORD, "--against", "else.xml").code == 3
    assert run("verify", RECORD, "--against", "bomb.xml").code == 2
    assert run("verify", RECORD, "--against", "none.xml").code == 2
    assert run("verify", RECORD, "--source", "arxiv").code == 3
    for wrong in (
        ("--source", "elsewhere"),
        ("--source", "arxiv", "--against", "raw.xml"),
        ("--against", "raw.xml", "--format", "sarif"),
    ):
        assert run("verify", RECORD, *wrong).code == 2
    assert run("verify", "--batch", "s.jsonl", "--against", "raw.xml").code == 2


def test_a_record_that_is_invalid_stays_invalid(run: Command, tmp_path: Path) -> None:
    forged = json.loads(Path(RECORD).read_bytes())
    forged["canonical_sha256"] = "0" * 64
    (tmp_path / "forged.json").write_text(json.dumps(forged), encoding="utf-8")
    done = run("verify", "forged.json", "--against", "raw.xml")
    assert done.code == 1
    assert "the record describes this paper" in done.out
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    broken = json.loads(run("verify", "broken.json", "--against", "raw.xml", "--json").out)
    assert broken["source_check"]["status"] == "not_checked"


def test_hostile_metadata_reaches_no_terminal(run: Command, tmp_path: Path) -> None:
    (tmp_path / "h.jsonl").write_bytes(bulk_line(REAL, title=f"{REAL['title']} {HOSTILE}"))
    done = run("verify", RECORD, "--against", "h.jsonl")
    assert done.code == 1
    for text in (done.out, done.err):
        assert not any(ord(character) < 32 and character != "\n" for character in text)
        assert "\u202e" not in text
    (tmp_path / "i.jsonl").write_bytes(bulk_line(REAL, id=HOSTILE))
    refused = run("derive", "--snapshot", "i.jsonl")
    assert refused.code == 2
    assert not any(ord(character) < 32 and character != "\n" for character in refused.err)
