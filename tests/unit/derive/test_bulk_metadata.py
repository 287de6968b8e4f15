"""arXiv's bulk metadata, and files of metadata written by hand."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.derive import Metadata, canonical_record, derive
from pybadge.derive.sources import read_papers
from pybadge.derive.sources.bulk_metadata import _zstd as zstd_module
from pybadge.derive.sources.bulk_metadata import from_line, read_bulk_metadata
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.sources.oai import read_oai
from pybadge.errors import MetadataError, PybadgeError
from pybadge.number import from_record
from tests.support.arxiv_papers import (
    BY_ID,
    REAL,
    REAL_NUMBER,
    RECORDS,
    WITH_ABSTRACT,
    bulk_line,
    bulk_object,
    name_of,
    oai_answer,
    only_known,
    raw_element,
    toml,
)


@pytest.mark.parametrize("record", WITH_ABSTRACT, ids=name_of)
def test_a_line_of_the_bulk_metadata_gives_the_real_number(record: dict[str, Any]) -> None:
    assert derive(from_line(bulk_line(record))).number.text == record["pith_number"]


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_a_line_of_the_bulk_metadata_of_every_real_record(record: dict[str, Any]) -> None:
    derived = derive(from_line(bulk_line(record))).canonical_record
    assert from_record(only_known(record, derived)).text == record["pith_number"]


@pytest.mark.parametrize("record", WITH_ABSTRACT, ids=name_of)
def test_toml_and_json_by_hand_give_the_real_number(record: dict[str, Any], tmp_path: Path) -> None:
    by_hand = tmp_path / "paper.toml"
    by_hand.write_text(toml(record), encoding="utf-8")
    (paper,) = read_metadata_file(str(by_hand))
    assert derive(paper).number.text == record["pith_number"]
    fields = {
        "id": paper.source_id,
        "title": paper.title,
        "abstract": paper.abstract,
        "version": paper.described,
    }
    fields |= {
        "categories": list(paper.categories or ()),
        "license": paper.license,
        "submitted_at": paper.submitted_at,
    }
    as_json = tmp_path / "paper.json"
    as_json.write_text(json.dumps(fields, indent=1), encoding="utf-8")
    (paper,) = read_metadata_file(str(as_json))
    assert derive(paper).number.text == record["pith_number"]


zstd = zstd_module()


def bulk_bytes() -> bytes:
    return b"".join(bulk_line(record) for record in RECORDS)


def zipped(data: bytes, *names: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, data)
    return buffer.getvalue()


PACKED = {
    "plain": lambda data: data,
    "gz": gzip.compress,
    "gz in two members": lambda data: gzip.compress(data[:5000]) + gzip.compress(data[5000:]),
    "zst": lambda data: zstd.compress(data),
    "zst in two frames": lambda data: b"".join(
        zstd.compress(part) for part in (data[:5000], data[5000:])
    ),
    "zip": lambda data: zipped(data, "arxiv-metadata-oai-snapshot.json"),
    "no line end": lambda data: data.rstrip(b"\n"),
    "windows": lambda data: data.replace(b"\n", b"\r\n"),
}


@pytest.mark.parametrize("packing", PACKED)
def test_the_bulk_metadata_in_each_packing(packing: str, tmp_path: Path) -> None:
    path = tmp_path / "bulk"  # without an ending: the first bytes tell
    path.write_bytes(PACKED[packing](bulk_bytes()))
    found = list(read_bulk_metadata(str(path)))
    assert [item.source_id for item in found if isinstance(item, Metadata)] == [
        name_of(record) for record in RECORDS
    ]


@pytest.mark.parametrize("packing", ["gz", "zst", "zip"])
def test_damaged_files_say_after_which_line(packing: str, tmp_path: Path) -> None:
    whole = PACKED[packing](bulk_bytes() * 20)
    path = tmp_path / "bulk"
    path.write_bytes(
        whole[: len(whole) // 2] if packing != "zip" else whole[:2000] + bytes(50) + whole[2050:]
    )
    *_, last = read_bulk_metadata(str(path))
    assert isinstance(last, MetadataError)
    assert "damaged after line" in str(last) or "can be read" in str(last)


@pytest.mark.parametrize("names", [(), ("a.txt",), ("a.json", "b.json")])
def test_a_zip_needs_one_member(names: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "bulk.zip"
    path.write_bytes(zipped(b"{}", *names) if names else b"PK\x03\x04rubbish")
    (error,) = read_bulk_metadata(str(path))
    assert isinstance(error, MetadataError)


def changed(**changes: Any) -> bytes:
    value = {**bulk_object(REAL), **changes}
    return json.dumps({name: item for name, item in value.items() if item is not ...}).encode()


@pytest.mark.parametrize(
    ("line", "word"),
    [
        (b"{", "not JSON"),
        (b"[1]", "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"id":"2402.15627","id":"2402.15628"}', "stands twice"),
        (b"\xff\xfe{", "byte order mark"),
        (b'{"id":"\xe9"}', "not UTF-8"),
        (b'{"a":NaN}', "NaN"),
        (b"[" * 100_000, "nested deeper"),
        (changed(title="\ud800"), "surrogate"),
        (changed(id=...), "'id' is missing"),
        (changed(title=...), "'title' is missing"),
        (changed(abstract=None), "'abstract' is not a text"),
        (changed(categories=["cs.LG"]), "'categories' is not a text"),
        (changed(license=3), "'license'"),
        (changed(versions=...), "'versions'"),
        (changed(versions=[]), "'versions'"),
        (changed(versions=[{"version": "v1"}]), "time created"),
        (changed(versions=[{"version": "1", "created": "x"}]), "version like v1"),
        (changed(versions=[{"version": "v1", "created": "x"}] * 2), "stands twice"),
        (changed(versions=[3]), "version like v1"),
        (b'{"abstract":"' + b"a" * (1 << 20) + b'"}', "1 MiB"),
    ],
)
def test_faulty_lines_are_named_with_their_number_and_passed_over(
    line: bytes, word: str, tmp_path: Path
) -> None:
    path = tmp_path / "bulk.jsonl"
    path.write_bytes(bulk_line(RECORDS[0]) + b"\n" + line + b"\n" + bulk_line(REAL))
    first, error, last = read_bulk_metadata(str(path))
    assert isinstance(first, Metadata)
    assert isinstance(error, MetadataError)
    assert isinstance(last, Metadata)
    assert str(error).startswith(f"{path}:3: ")
    assert word in str(error)
    assert error.exit_code == 2


def outcome(line: bytes) -> str:
    """The number, or the one error that may stand in its place."""
    try:
        return derive(from_line(line)).number.text
    except MetadataError as error:
        return str(error)


@given(st.binary(max_size=200))
def test_any_bytes_are_metadata_or_one_error(data: bytes) -> None:
    assert "\n" not in outcome(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["version", "created", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["id", "title", "abstract", "categories", "license", "versions"]), JSON
    )
)
def test_any_object_is_derived_or_one_error(changes: dict[str, Any]) -> None:
    assert "\n" not in outcome(changed(**changes))


def test_the_unused_fields_do_not_matter() -> None:
    derived = derive(
        from_line(changed(authors=..., comments="x" * 1000, update_date=None, doi="10.1/x"))
    )
    assert derived.number.text == REAL_NUMBER


# --- by hand


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('id = "2402.15627"\ntitel = "T"\n', "unknown field 'titel'"),
        ("title = 3\n", "title must be a text"),
        ('title = "T"\n', "id is missing"),
        ('id = "2402.15627"\nversion = "1"\n', "version must be"),
        ('id = "2402.15627"\ncategories = [1]\n', "categories must be"),
        ('id = "2402.15627"\nsubmitted_at = 2024-02-23\n', "submitted_at"),
        ('id = "2402.15627"\nsubmitted_at = 2024-02-23T22:10:59\n', "time zone"),
        ('id = "2402.15627"\nsubmitted_at = "yesterday"\n', "submitted_at"),
        ("id = \n", "not TOML"),
        ('a = "\xff"', "not UTF-8"),
        ("paper = []\n", "no paper"),
        ("paper = [1]\n", "a paper is an object"),
    ],
)
def test_faults_in_toml_are_one_line(text: str, word: str, tmp_path: Path) -> None:
    path = tmp_path / "paper.toml"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(MetadataError, match=word) as caught:
        read_metadata_file(str(path))
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_several_papers_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "papers.toml"
    path.write_text(
        "".join(f"[[paper]]\n{toml(record)}\n" for record in WITH_ABSTRACT), encoding="utf-8"
    )
    assert [derive(paper).number.text for paper in read_metadata_file(str(path))] == [
        record["pith_number"] for record in WITH_ABSTRACT
    ]


def test_the_id_may_have_the_name_that_the_function_gives_it(tmp_path: Path) -> None:
    path = tmp_path / "paper.toml"
    path.write_text(toml(REAL).replace("id = ", "source_id = "), encoding="utf-8")
    assert derive(read_metadata_file(str(path))[0]).number.text == REAL_NUMBER


def test_an_offset_of_toml_is_turned_to_utc(tmp_path: Path) -> None:
    path = tmp_path / "paper.toml"
    path.write_text(
        toml(REAL).replace("2024-02-23T22:10:59Z", "2024-02-23T17:10:59-05:00"), encoding="utf-8"
    )
    assert derive(read_metadata_file(str(path))[0]).number.text == REAL_NUMBER


def test_zst_without_its_package_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "bulk.zst"
    path.write_bytes(zstd.compress(bulk_bytes()))
    monkeypatch.setattr("pybadge.derive.sources.bulk_metadata._zstd", lambda: None)
    (error,) = read_bulk_metadata(str(path))
    assert isinstance(error, MetadataError)
    assert "pip install 'pith-badge[zstd]'" in str(error)


# What XML 1.0 can carry; a carriage return comes back as a line feed, which is white space all the
# same.
TEXTS = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff", codec="utf-8")
    | st.sampled_from("\n\t "),
    min_size=1,
    max_size=60,
).filter(lambda text: text.strip() != "")


@given(TEXTS, TEXTS)
def test_any_paper_has_one_number_whatever_the_source(title: str, abstract: str) -> None:
    raw = raw_element({**REAL, "title": title, "abstract": abstract})
    (from_xml,) = read_oai(io.BytesIO(oai_answer(raw)), "x")
    assert isinstance(from_xml, Metadata), from_xml
    from_json = from_line(bulk_line({**REAL, "title": title, "abstract": abstract}))
    assert derive(from_xml).number == derive(from_json).number
    license = REAL["canonical_record"]["metadata"]["license"]
    by_hand = canonical_record(
        title, abstract, "cs.LG cs.DC", license, "2024-02-23T22:10:59Z", "2402.15627", 1
    )
    assert from_record(by_hand) == derive(from_json).number


def test_each_kind_of_file_is_told_by_itself(tmp_path: Path) -> None:
    files: dict[str, bytes] = {
        "a.xml": oai_answer(raw_element(REAL)),
        "a.toml": toml(REAL).encode(),
        "one.json": json.dumps(bulk_object(REAL), indent=2).encode(),
        "arxiv-metadata-oai-snapshot.json": bulk_line(BY_ID["1005.1684"]) + bulk_line(REAL),
        "line.json": bulk_line(REAL),
        "a.jsonl.gz": gzip.compress(bulk_line(REAL)),
    }
    for name, data in files.items():
        path = tmp_path / name
        path.write_bytes(data)
        papers: list[Metadata | PybadgeError] = list(read_papers(str(path)))
        assert isinstance(papers[-1], Metadata), (name, papers)
        assert derive(papers[-1]).number.text == REAL_NUMBER, name
