"""Damaged, hostile and unreadable files: one line each, never a traceback."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from hypothesis import given, settings
from hypothesis import strategies as st

from pybadge.derive import derive
from pybadge.derive.bulk.run import derive_lines
from pybadge.derive.bulk.search import find_in_numbers, shared_short_forms
from pybadge.derive.diagnosis import derive_expecting
from pybadge.derive.issue import read_signer
from pybadge.derive.rules import MAX_INTEGER, canonical_record
from pybadge.derive.sources.bulk_metadata import from_line
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.sources.tex import read_tex, tex_files
from pybadge.errors import MetadataError, UsageError
from pybadge.number import parse_number
from tests.support.arxiv_papers import REAL, REAL_NUMBER, bulk_line, bulk_object, toml

ABSTRACT = r"\begin{abstract}A\end{abstract}"


# --- LaTeX


def test_an_input_with_a_nul_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_bytes(b"\\title{a}\\input{b\x00c}\\begin{abstract}x\\end{abstract}")
    assert read_tex(str(path)) == ("a", "x")


@pytest.mark.parametrize("name", ["\x7f", "é", "ж" * 190, "." * 199, "a/" * 99, "/", "..", "~"])
def test_an_input_of_any_name_is_no_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(rf"\title{{a}}\input{{{name}}}" + ABSTRACT, encoding="utf-8")
    assert read_tex(str(path)) == ("a", "A")


def test_an_input_whose_name_the_system_cannot_write_is_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "paper.tex"
    path.write_text(r"\title{a}\input{ж}" + ABSTRACT, encoding="utf-8")
    real_path = os.path.realpath

    def in_latin_1(name: str) -> str:
        name.encode("latin-1")
        return real_path(name)

    monkeypatch.setattr("pybadge.derive.sources.tex.os.path.realpath", in_latin_1)
    assert read_tex(str(path)) == ("a", "A")


def test_what_a_tex_file_inputs_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.tex").write_text(r"\input{b}\input{none}\input{a}", encoding="utf-8")
    (tmp_path / "b.tex").write_text("x", encoding="utf-8")
    assert tex_files(str(tmp_path / "a.tex")) == [
        str(tmp_path / name) for name in ("a.tex", "b.tex")
    ]
    with pytest.raises(MetadataError, match="No such file"):
        tex_files(str(tmp_path / "none.tex"))


# --- by hand


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("version = " + "9" * 4400, "a number or key of more than 400"),
        ("version = 0x" + "f" * 4000, "a number or key of more than 400"),
        ("version = 0x" + "f" * 300, "version must be a whole number"),
        ("version = 9007199254740992", "version must be a whole number"),
        ("version = -1", "version must be a whole number"),
        ("version = true", "version must be a whole number"),
        ("a = " + "[" * 30_000, "nested deeper than 64"),
        ("a = " + "{a=" * 30_000, "nested deeper than 64"),
        ("a." * 30_000 + "b = 1", "a key of more than 64 parts"),
        ("[" + '"a".' * 30_000 + "b]", "a key of more than 64 parts"),
        ("submitted_at = 0001-01-01T00:00:00+14:00", "a time that exists"),
        ("submitted_at = 9999-12-31T23:59:59-14:00", "a time that exists"),
        ("submitted_at = 2024-02-23T22:10:59.5Z", "whole seconds"),
        ('license = "' + "a" * 5000 + '"', "not one of arXiv's licences"),
        ("license = 3", "license must be a text"),
        ("title = nan", "title must be a text"),
        ("a = 2024-13-45", "not TOML"),
        ("a = '\x00'", "not TOML"),
    ],
    ids=lambda text: text[:30],
)
def test_toml_beyond_all_bounds(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.toml"
    path.write_text(f'id = "2402.15627"\n{text}\n', encoding="utf-8")
    with pytest.raises(MetadataError, match=word) as caught:
        read_metadata_file(str(path))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_what_is_in_texts_and_comments_is_no_shape(tmp_path: Path) -> None:
    path = tmp_path / "paper.toml"
    dots = "Dots, brackets [[[ {{{ and words. " * 300
    text = toml({**REAL, "abstract": dots})
    text += "# " + "a." * 1000 + "[" * 1000 + "x" * 1000 + "\n"
    path.write_text(text, encoding="utf-8")
    assert read_metadata_file(str(path))[0].abstract == dots
    for quoted in ('"""', "'''"):
        multiline = f"abstract = {quoted}\n{dots}\n{quoted}\n"
        path.write_text(toml(REAL).replace("abstract =", "#") + multiline, encoding="utf-8")
        assert read_metadata_file(str(path))[0].abstract == f"{dots}\n"


@pytest.mark.parametrize(
    "value",
    ["[" * 30_000, '{"id":' * 30_000, "1" * 5000, "1e999", "NaN"],
    ids=lambda value: value[:10],
)
def test_json_beyond_all_bounds(value: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.json"
    path.write_text(f'{{"id":"2402.15627","version":{value}}}', encoding="utf-8")
    with pytest.raises(MetadataError) as caught:
        read_metadata_file(str(path))
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    "version",
    [1 << 20_000, MAX_INTEGER + 1, -(1 << 20_000), True, 1.5, "1", None],
    ids=["huge", "large", "negative", "true", "fraction", "text", "none"],
)
def test_a_version_of_any_kind_is_named(version: Any) -> None:
    with pytest.raises(MetadataError, match="version must be a whole number from 1"):
        canonical_record("T", "A", "cs.LG", "", "2024-02-23T22:10:59Z", "2402.15627", version)


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"categories": "cs.LG " * 65}, "more than 64 categories"),
        ({"license": "a" * 2001}, "2000 characters at most"),
    ],
)
def test_a_paper_larger_than_any_is_one_fault(changes: dict[str, str], word: str) -> None:
    derived = derive_lines([(0, bulk_line(REAL, **changes))])
    assert [word in message for _, _, message in derived.faults] == [True]
    with pytest.raises(MetadataError, match=word):
        derive_expecting(from_line(bulk_line(REAL, **changes)), parse_number("A" * 26))


def test_sixty_four_categories_are_still_diagnosed() -> None:
    names = [f"cs.A{chr(65 + n // 8)}{chr(65 + n % 8)}" for n in range(64)]
    paper = from_line(bulk_line(REAL, categories=" ".join(names)))
    fewer = derive(from_line(bulk_line(REAL, categories=" ".join(names[:-1]))))
    _, diagnosis = derive_expecting(paper, fewer.number)
    assert diagnosis is not None
    assert [item.cause for item in diagnosis.differences] == [
        f"{names[-1]} missing in the cross list"
    ]


def test_a_reference_of_thousands_of_digits_is_no_crash() -> None:
    paper = from_line(bulk_line(REAL, title="&#" + "9" * 5000 + ";"))
    _, diagnosis = derive_expecting(paper, parse_number(REAL_NUMBER))
    assert diagnosis is not None
    assert not diagnosis.explained


# --- what a bulk run wrote, or somebody else

START = b'{"suffix":"' + b"A" * 26


@pytest.mark.parametrize(
    "line",
    [
        START + b'"\n',
        START + b'"}\n',
        START + b'","number":1,"arxiv":"a","version":1}\n',
        START + b'","number":"a","arxiv":"a","version":"1"}\n',
        START + b'","number":"a","arxiv":"a","version":' + b"1" * 3000 + b"}\n",
        START + b"\xff\n",
        START + b'","a":' + b"[" * 2000 + b"\n",
        START + b'","a":"' + b"a" * 5000 + b'"}\n',
        START + b'","suffix":"B"}\n',
    ],
)
def test_a_numbers_file_that_is_not_ours_is_refused(line: bytes, tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_bytes(line)
    with pytest.raises(UsageError, match="did not write"):
        list(find_in_numbers(str(path), parse_number("A" * 26)))
    path.write_bytes(line.rstrip(b"\n") + b"\n" + START[:-1] + b'B"}\n')
    with pytest.raises(UsageError, match=r"did not write|not sorted"):
        list(shared_short_forms(str(path), 8))


def test_a_numbers_file_that_was_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_bytes(START + b'"}')
    with pytest.raises(UsageError, match="did not write"):
        list(find_in_numbers(str(path), parse_number("A" * 26)))


def test_a_group_larger_than_any_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    with path.open("wb") as stream:
        for n in range(10_002):
            suffix = "A" * 13 + "".join(
                chr(65 + n // 16**place % 16) for place in range(12, -1, -1)
            )
            stream.write(json.dumps({"suffix": suffix}, separators=(",", ":")).encode() + b"\n")
    with pytest.raises(UsageError, match="did not write"):
        list(shared_short_forms(str(path), 8))


# --- keys


def test_whatever_a_key_library_raises_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class InternalError(Exception):
        pass

    def load(*_: object, **__: object) -> None:
        raise InternalError("Unknown OpenSSL error: secret bytes")

    monkeypatch.setattr(serialization, "load_pem_private_key", load)
    with pytest.raises(UsageError, match=r"k\.pem: not an unencrypted Ed25519") as caught:
        read_signer(b"-----BEGIN PRIVATE KEY-----", "Mine", where="k.pem")
    assert "secret" not in str(caught.value)


# --- whole lines of any kind

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(
    st.dictionaries(
        st.sampled_from(["id", "title", "abstract", "categories", "license", "versions"]), VALUES
    )
)
def test_any_line_gives_a_number_or_a_fault(changes: dict[str, Any]) -> None:
    line = json.dumps({**bulk_object(REAL), **changes}).encode()
    derived = derive_lines([(0, line)], all_versions=True)
    assert len(derived.faults) + derived.papers == 1


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_number_or_a_fault(data: bytes) -> None:
    derived = derive_lines([(0, data)])
    assert len(derived.faults) + derived.papers == (0 if data.isspace() else 1)
