"""Nothing that ``pybadge derive`` reads, and no private key, is ever written over."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pybadge.cli import main
from tests.support.arxiv_papers import (
    DATA,
    REAL,
    RECORDS,
    bulk_line,
    facts,
    oai_answer,
    raw_element,
    toml,
)

Outcome = tuple[int, str, str]
Run = Callable[..., Outcome]

PEM = Ed25519PrivateKey.generate().private_bytes(
    serialization.Encoding.PEM,
    serialization.PrivateFormat.PKCS8,
    serialization.NoEncryption(),
)
SIGN = ("--sign", "key.pem", "--registry", "Mine")
TEX = (
    *("--tex", "paper.tex", "--id", "2402.15627", "--categories", "cs.LG"),
    *("--license", facts(REAL)["license"], "--submitted-at", "2024-02-23T22:10:59Z"),
)
FILES = {
    "key.pem": PEM,
    "paper.toml": toml(REAL).encode(),
    "raw.xml": oai_answer(raw_element(REAL)),
    "s.jsonl": b"".join(bulk_line(record) for record in RECORDS),
    "paper.tex": b"\\title{T}\\input{abstract}",
    "abstract.tex": b"\\begin{abstract}A\\end{abstract}",
    "record.json": (DATA / "record-XR2UHLWN.json").read_bytes(),
}


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYBADGE_CONFIG", "")
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)

    def call(*arguments: str) -> Outcome:
        capsys.readouterr()
        code = main(["derive", *arguments, "--offline"])
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize(
    "arguments",
    [
        ("--metadata", "paper.toml", *SIGN, "--public-key", "key.pem"),
        ("--metadata", "paper.toml", *SIGN, "--public-key", "./key.pem", "-o", "r.json"),
        ("--metadata", "paper.toml", *SIGN, "-o", "key.pem"),
        ("--metadata", "paper.toml", *SIGN, "-o", "link.pem"),
        ("--metadata", "paper.toml", *SIGN, "-o", "paper.toml"),
        ("--metadata", "paper.toml", *SIGN, "--public-key", "paper.toml"),
        ("--metadata", "paper.toml", *SIGN, "-o", "other.pem"),
        ("--arxiv-raw", "raw.xml", *SIGN, "-o", "raw.xml"),
        ("--arxiv-raw", "raw.xml", *SIGN, "-o", "record.json", "--expect", "record.json"),
        ("--snapshot", "s.jsonl", "2402.15627", *SIGN, "-o", "s.jsonl"),
        ("--snapshot", "s.jsonl", "-o", "s.jsonl"),
        ("--snapshot", "s.jsonl", "-o", "hard.jsonl"),
        ("--snapshot", "s.jsonl", "-o", "key.pem"),
        (*TEX, *SIGN, "-o", "paper.tex"),
        (*TEX, *SIGN, "-o", "abstract.tex"),
        (*TEX, *SIGN, "--public-key", "abstract.tex"),
    ],
)
def test_an_input_or_key_is_refused_as_output_before_any_work(
    arguments: tuple[str, ...], run: Run, tmp_path: Path
) -> None:
    (tmp_path / "link.pem").symlink_to("key.pem")
    os.link("s.jsonl", "hard.jsonl")
    shutil.copy("key.pem", "other.pem")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "is an input too" in err or "holds a private key" in err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_two_outputs_are_two_files(run: Run, tmp_path: Path) -> None:
    for other in ("new.json", "./new.json"):
        arguments = ("--public-key", "new.json", "-o", other)
        code, _, err = run("--metadata", "paper.toml", *SIGN, *arguments)
        assert code == 2
        assert "is both -o and --public-key" in err
    assert not (tmp_path / "new.json").exists()


def test_an_input_in_the_output_folder_is_not_written_over(run: Run, tmp_path: Path) -> None:
    """Its name is known only once the number is."""
    name = f"{REAL['suffix']}.json"
    (tmp_path / name).write_bytes(FILES["record.json"])
    code, _, err = run("--metadata", "paper.toml", *SIGN, "-o", ".", "--expect", f"./{name}")
    assert code == 2
    assert "is an input too" in err
    assert (tmp_path / name).read_bytes() == FILES["record.json"]


def test_the_public_key_is_written_only_where_all_else_is_well(run: Run, tmp_path: Path) -> None:
    for wrong in (("--paper-version", "x"), ("--submitted-at", "x"), ("foo",)):
        code, _, _ = run("--metadata", "paper.toml", *SIGN, "--public-key", "p.json", *wrong)
        assert code == 2
        assert not (tmp_path / "p.json").exists()
    assert run("--metadata", "paper.toml", *SIGN, "--public-key", "p.json")[0] == 0
    assert (tmp_path / "p.json").exists()


def test_an_output_that_nothing_is_written_to_is_refused(run: Run, tmp_path: Path) -> None:
    for source in (("--arxiv-raw", "raw.xml"), ("--snapshot", "s.jsonl", "2402.15627")):
        code, out, err = run(*source, "-o", "x.json")
        assert (code, out) == (2, "")
        assert "-o needs --sign KEYFILE" in err
    assert not (tmp_path / "x.json").exists()


def test_devices_are_written_in_place(run: Run) -> None:
    code, _, err = run("--metadata", "paper.toml", *SIGN, "-o", os.devnull)
    assert (code, err) == (0, "")
    assert run("--snapshot", "s.jsonl", "-o", os.devnull, "--jobs", "1")[0] == 0
    assert not os.path.isfile(os.devnull)


def test_what_stays_beside_the_output_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rmdir = os.rmdir

    def crowded(path: str) -> None:
        (Path(path) / "thesis.tex").write_text("x", encoding="utf-8")
        rmdir(path)

    monkeypatch.setattr("pybadge.derive.bulk.folder.os.rmdir", crowded)
    code, out, err = run("--snapshot", "s.jsonl", "-o", "n.jsonl", "--jobs", "1")
    assert code == 0
    assert f"{len(RECORDS)} papers" in out
    assert "n.jsonl.parts: can't be removed; are there other files in it?" in err
