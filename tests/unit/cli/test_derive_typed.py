"""``pybadge derive --tex`` with what a person types, and slips of the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from pybadge.cli import main
from tests.support.arxiv_papers import REAL, REAL_NUMBER, facts, oai_answer, raw_element

Outcome = tuple[int, str, str]
Run = Callable[..., Outcome]

LICENSE = facts(REAL)["license"]
WHOLE = {
    "--id": "2402.15627",
    "--categories": "cs.LG cs.DC",
    "--license": LICENSE,
    "--submitted-at": "2024-02-23T22:10:59Z",
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYBADGE_CONFIG", "")
    abstract = REAL["abstract"].replace("%", "\\%")
    text = f"\\title{{{REAL['title']}}}\\begin{{abstract}}{abstract}\\end{{abstract}}"
    (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
    (tmp_path / "raw.xml").write_bytes(oai_answer(raw_element(REAL)))

    def call(*arguments: str) -> Outcome:
        capsys.readouterr()
        code = main(["derive", *arguments, "--offline"])
        out, err = capsys.readouterr()
        return code, out, err

    return call


def tex(**changes: str | None) -> list[str]:
    """The options of a whole call, some changed or left out."""
    options = {**WHOLE, **{f"--{name.replace('_', '-')}": value for name, value in changes.items()}}
    given = [word for name, value in options.items() if value is not None for word in (name, value)]
    return ["--tex", "paper.tex", *given]


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({}, None),
        ({"categories": "cs.LG, cs.DC"}, None),
        ({"categories": "cs.LG; cs.DC"}, None),
        ({"categories": "cs.lg, CS.DC"}, "cs.lg is read as cs.LG"),
        ({"submitted_at": "[v1] Fri, 23 Feb 2024 22:10:59 UTC (1,234 KB)"}, None),
        ({"license": "https://arxiv.org/licenses/nonexclusive-distrib/1.0/"}, "is read as http:"),
        ({"license": "arXiv.org perpetual, non-exclusive license"}, "is read as http:"),
        ({"id": "arXiv:2402.15627v1"}, None),
        ({"id": "https://arxiv.org/abs/2402.15627"}, None),
    ],
)
def test_all_usual_ways_to_write_it_give_the_real_number(
    changes: dict[str, str], note: str | None, run: Run
) -> None:
    code, out, err = run(*tex(**changes))
    assert (code, out) == (0, f"{REAL_NUMBER}  2402.15627v1\n")
    assert "submission form decides" in err
    assert note is None or note in err
    code, out, _ = run(*tex(**changes), "--json")
    messages = " ".join(item["message"] for item in json.loads(out)["notes"])
    assert note is None or note in messages


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"license": "foo"}, ("--license: 'foo' is not one of arXiv's licences", "CC BY 4.0")),
        ({"license": "CC BY"}, ("the nearest is CC BY 4.0", "http://creativecommons")),
        ({"license": ""}, ("--license: ''", "or none")),
        ({"categories": "foo"}, ("--categories: 'foo' is not an arXiv category",)),
        ({"categories": "cs.LGX"}, ("did you mean cs.LG?",)),
        ({"categories": ""}, ("--categories: there is no category",)),
        ({"submitted_at": "yesterday"}, ("--submitted-at: submitted_at must be a UTC time",)),
        ({"submitted_at": "[v2] Fri, 23 Feb 2024 22:10:59 UTC"}, ("of v1, not of v2",)),
        ({"id": "2402.15627v0"}, ("not an arXiv id", "versions begin at v1")),
        ({"id": "2413.15627"}, ("not an arXiv id", "month 13")),
        ({"id": "foo"}, ("not an arXiv id",)),
        ({"id": "2402.15627v2", "paper_version": "3"}, ("--id 2402.15627v2", "two versions")),
        ({"id": None}, ("--tex needs --id:",)),
        ({"license": None}, ("--tex needs --license (--license none where there is none):",)),
        (
            {"id": None, "categories": None, "license": None, "submitted_at": None},
            ("--tex needs --id, --categories, --license and --submitted-at",),
        ),
    ],
)
def test_a_slip_is_one_line_and_no_number(
    changes: dict[str, str | None], words: tuple[str, ...], run: Run
) -> None:
    code, out, err = run(*tex(**changes))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    for word in words:
        assert word in err
    assert "Pith Number" not in err


def test_no_licence_must_be_said(run: Run) -> None:
    code, out, _ = run(*tex(license="none"), "--json")
    assert code == 0
    record = json.loads(out)["canonical_record"]
    assert record["metadata"]["license"] == ""


def test_the_coming_version_is_no_unknown_one(run: Run) -> None:
    for arguments in (tex(id="2402.15627v2"), tex(paper_version="2")):
        code, out, err = run(*arguments)
        assert code == 0
        assert out.endswith("  2402.15627v2\n")
        assert len(err.splitlines()) == 1  # that the form decides
        assert "assumed" not in err
        assert "up to v1" not in err


def test_options_of_tex_go_with_it(run: Run) -> None:
    for option in ("--id", "--categories", "--license"):
        code, out, err = run("--arxiv-raw", "raw.xml", option, WHOLE[option])
        assert (code, out) == (2, "")
        assert f"{option} goes with --tex" in err
    assert run("--arxiv-raw", "raw.xml", "--submitted-at", "[v1] " + facts(REAL)["versions"][0])[
        :2
    ] == (0, f"{REAL_NUMBER}  2402.15627v1\n")


@pytest.mark.parametrize(
    "text", ["foo", "2402.15627v0", "2413.15627", "2402.1562", "hep-latt/0305021", "rec.json", ""]
)
def test_what_is_no_arxiv_id_is_called_so(text: str, run: Run) -> None:
    for arguments in ((text,), ("--arxiv-raw", "raw.xml", text)):
        code, out, err = run(*arguments)
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert "not an arXiv id" in err
        assert "Pith Number" not in err
