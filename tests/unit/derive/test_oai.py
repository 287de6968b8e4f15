"""OAI-PMH answers: real papers in arXivRaw, and what hostile XML gets."""

from __future__ import annotations

import collections
import io
import re
import resource
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.derive import Metadata, derive
from pybadge.derive.diagnosis import with_time_found
from pybadge.derive.sources import read_oai_file
from pybadge.derive.sources.oai import MAX_XML_BYTES, read_oai
from pybadge.errors import MetadataError, NotFoundError, PybadgeError
from pybadge.number import from_record, parse_number
from tests.support.arxiv_papers import (
    BY_ID,
    REAL,
    REAL_NUMBER,
    RECORDS,
    TITLED,
    WITH_ABSTRACT,
    facts,
    http_time,
    name_of,
    oai_answer,
    only_known,
    raw_element,
)


def items(data: bytes) -> list[Metadata | PybadgeError]:
    return list(read_oai(io.BytesIO(data), "answer.xml"))


def one(data: bytes) -> Metadata:
    found = items(data)
    assert len(found) == 1
    assert isinstance(found[0], Metadata), found
    return found[0]


def fault(data: bytes) -> PybadgeError:
    """The one error of an answer that has nothing else."""
    found = items(data)
    assert len(found) == 1, found
    assert isinstance(found[0], PybadgeError)
    assert "\n" not in str(found[0])
    return found[0]


@pytest.mark.parametrize("record", WITH_ABSTRACT, ids=name_of)
def test_arxiv_raw_gives_the_real_number(record: dict[str, Any]) -> None:
    assert derive(one(oai_answer(raw_element(record)))).number.text == record["pith_number"]


@pytest.mark.parametrize("record", RECORDS, ids=name_of)
def test_arxiv_raw_of_every_real_record(record: dict[str, Any]) -> None:
    derived = derive(one(oai_answer(raw_element(record)))).canonical_record
    assert from_record(only_known(record, derived)).text == record["pith_number"]


@pytest.mark.parametrize("record", TITLED, ids=name_of)
def test_line_wrapped_titles_hold(record: dict[str, Any]) -> None:
    derived = derive(one(oai_answer(raw_element(record)))).canonical_record["metadata"]
    assert (
        derived["title_canon_sha256"]
        == record["canonical_record"]["metadata"]["title_canon_sha256"]
    )


def test_a_long_title_really_is_wrapped() -> None:
    paper = one(oai_answer(raw_element(BY_ID["1507.01944"])))
    assert "\n  " in (paper.title or "")


def test_old_ids_twelve_versions_and_no_license() -> None:
    old = one(oai_answer(raw_element(BY_ID["hep-lat/0608005"])))
    assert old.source_id == "hep-lat/0608005"
    assert old.license == ""
    many = one(oai_answer(raw_element(BY_ID["1005.1684"])))
    assert len(many.versions) == 12
    assert many.described == 12
    assert derive(many).canonical_record["metadata"]["submitted_at"] == "2010-05-10T22:41:10Z"


def test_versions_in_any_order_and_with_gaps() -> None:
    element = raw_element(BY_ID["1005.1684"])
    blocks = re.findall(r"<version.*?</version>\n", element, re.DOTALL)
    assert len(blocks) == 12
    backwards = element.replace("".join(blocks), "".join(reversed(blocks)))
    assert one(oai_answer(backwards)).versions == one(oai_answer(element)).versions
    without_first = element.replace(blocks[0], "")
    with pytest.raises(MetadataError, match="time of v1"):
        derive(one(oai_answer(without_first)))


def test_a_bare_element_is_shown_too() -> None:
    element = re.search(r"<arXivRaw.*</arXivRaw>", raw_element(REAL), re.DOTALL)
    assert element is not None
    assert derive(one(element[0].encode())).number.text == REAL_NUMBER


def test_many_records_come_one_by_one_with_their_lines() -> None:
    answer = oai_answer(*(raw_element(record) for record in RECORDS), verb="ListRecords", token="x")
    found = items(answer)
    assert [item.source_id for item in found if isinstance(item, Metadata)] == [
        name_of(record) for record in RECORDS
    ]
    lines = [int(item.origin.rpartition(":")[2]) for item in found if isinstance(item, Metadata)]
    text = answer.decode().splitlines()
    assert all("<arXivRaw" in text[line - 1] for line in lines)


def arxiv_format(record: dict[str, Any]) -> bytes:
    """The `arXiv` format: no versions, the day of v1 only."""
    paper = facts(record)
    day = record["canonical_record"]["metadata"]["submitted_at"][:10]
    return oai_answer(
        f"""<record><header><identifier>oai:arXiv.org:{paper["id"]}</identifier></header><metadata>
<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>{paper["id"]}</id><created>{day}</created>
<authors><author><keyname>One</keyname><forenames>A.</forenames></author></authors>
<title>{paper["title"]}</title><categories>{paper["categories"]}</categories>
<license>{paper["license"]}</license><abstract>{paper["abstract"]}</abstract>
</arXiv></metadata></record>"""
    )


def test_the_arxiv_format_suffices_with_a_time_or_with_the_number() -> None:
    paper = one(arxiv_format(REAL))
    assert paper.day == "2024-02-23"
    with pytest.raises(MetadataError, match="version is missing"):
        derive(paper)
    with pytest.raises(MetadataError, match="only the day of v1"):
        derive(paper, version=1)
    assert derive(paper, version=1, submitted_at="2024-02-23T22:10:59Z").number.text == REAL_NUMBER
    expected = parse_number(REAL_NUMBER)
    assert with_time_found(paper, 1, expected) == "2024-02-23T22:10:59Z"
    assert with_time_found(paper, 2, expected) is None
    assert with_time_found(paper, 1, parse_number(expected.suffix[:8])) is None


# --- what the server says instead of a record


def oai_error(code: str) -> bytes:
    return (
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        "<responseDate>2026-07-06T12:00:00Z</responseDate>"
        "<request>http://oaipmh.arxiv.org/oai</request>"
        f'<error code="{code}">Says why.</error></OAI-PMH>'
    ).encode()


@pytest.mark.parametrize("code", ["idDoesNotExist", "noRecordsMatch"])
def test_nothing_there_is_not_found(code: str) -> None:
    error = fault(oai_error(code))
    assert isinstance(error, NotFoundError)
    assert error.exit_code == 3
    assert "Says why." in str(error)


@pytest.mark.parametrize(
    "code", ["badArgument", "badVerb", "cannotDisseminateFormat", "badResumptionToken"]
)
def test_other_errors_are_errors(code: str) -> None:
    error = fault(oai_error(code))
    assert error.exit_code == 2
    assert error.code == f"oai.{code}"


def test_deleted_records_are_told_and_passed_over() -> None:
    deleted = (
        '<record><header status="deleted">'
        "<identifier>oai:arXiv.org:1234.5678</identifier></header></record>"
    )
    found = items(oai_answer(deleted, raw_element(REAL), verb="ListRecords"))
    assert isinstance(found[0], MetadataError)
    assert "1234.5678: deleted" in str(found[0])
    assert isinstance(found[1], Metadata)


def test_poor_formats_are_refused_with_advice() -> None:
    dublin = (
        b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><GetRecord><record><metadata>'
        b'<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/"/>'
        b"</metadata></record></GetRecord></OAI-PMH>"
    )
    assert "metadataPrefix=arXivRaw" in str(fault(dublin))
    assert "licence" in str(fault(b'<feed xmlns="http://www.w3.org/2005/Atom"><entry/></feed>'))
    assert "neither an OAI-PMH answer" in str(fault(b"<html><body/></html>"))


# --- hostile XML

BOMB = (
    b'<?xml version="1.0"?>\n<!DOCTYPE lolz [<!ENTITY a "'
    + b"x" * 1000
    + b'">'
    + b"".join(
        b'<!ENTITY b%d "%s">' % (n, b"&b%d;" % (n - 1) * 10 if n else b"&a;" * 10) for n in range(9)
    )
    + b']>\n<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>&b8;</id></arXivRaw>'
)


@pytest.mark.parametrize(
    "data",
    [
        BOMB,
        (
            b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
            b'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>&x;</id></arXivRaw>'
        ),
        (
            b'<!DOCTYPE a SYSTEM "http://127.0.0.1:1/evil.dtd">'
            b'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"/>'
        ),
        b"<!DOCTYPE a><a/>",
    ],
    ids=["billion laughs", "file", "external", "plain"],
)
def test_a_document_type_is_refused_at_once(data: bytes) -> None:
    error = fault(data)
    assert error.code == "xml.doctype"
    assert re.match(r"answer\.xml:[12]: ", str(error))


def test_entities_without_a_definition_are_no_xml() -> None:
    assert (
        fault(b'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>&nbsp;</id></arXivRaw>').code
        == "xml.syntax"
    )


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (oai_answer(raw_element(REAL)).decode().encode("utf-16"), "xml.encoding"),
        (oai_answer(raw_element(REAL)).replace(b"UTF-8", b"ISO-8859-1", 1), "xml.encoding"),
        (oai_answer(raw_element(REAL)).replace(b"UTF-8", b"UTF-7", 1), "xml.encoding"),
        (oai_answer(raw_element(REAL)).replace(b"MegaScale", b"Mega\xe9cale"), "xml.syntax"),
        (oai_answer(raw_element(REAL)).replace(b"MegaScale", b"Mega\x00cale"), "xml.syntax"),
        (oai_answer(raw_element(REAL)).replace(b"MegaScale", b"Mega&#0;cale"), "xml.syntax"),
        (b"\x1f\x8b\x08\x00rubbish", "xml.syntax"),
        (b"", "xml.syntax"),
        (b"{}", "xml.syntax"),
    ],
)
def test_wrong_encodings_are_refused(data: bytes, code: str) -> None:
    assert fault(data).code == code


def test_namespaces_that_are_missing_are_named() -> None:
    element = raw_element(REAL).replace('xmlns="http://arxiv.org/OAI/arXivRaw/" ', "")
    error = fault(oai_answer(element))
    assert error.code == "xml.namespace"
    assert "<arXivRaw> lacks its namespace http://arxiv.org/OAI/arXivRaw/" in str(error)
    bare = fault(b"<arXivRaw><id>2402.15627</id></arXivRaw>")
    assert bare.code == "xml.namespace"
    root = fault(
        oai_answer(raw_element(REAL)).replace(b'xmlns="http://www.openarchives.org/OAI/2.0/" ', b"")
    )
    assert root.code == "xml.namespace"


def test_a_truncated_answer_gives_what_came_before_the_break() -> None:
    whole = oai_answer(raw_element(RECORDS[0]), raw_element(REAL), verb="ListRecords")
    found = items(whole[: whole.index(b"MegaScale")])
    assert isinstance(found[0], Metadata)
    assert isinstance(found[1], MetadataError)
    assert len(found) == 2


def test_too_deep_is_refused() -> None:
    assert (
        fault(b"<OAI-PMH xmlns='http://www.openarchives.org/OAI/2.0/'>" + b"<a>" * 100_000).code
        == "xml.depth"
    )


def test_a_hundred_megabytes_are_refused_in_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "huge.xml"
    element = raw_element(REAL).encode()
    with path.open("wb") as stream:
        stream.write(oai_answer(verb="ListRecords").partition(b"</ListRecords>")[0])
        block = element * 200
        for _ in range(100_000_000 // len(block) + 1):
            stream.write(block)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    count, last = collections.deque(enumerate(read_oai_file(str(path))), maxlen=1).pop()
    assert isinstance(last, MetadataError)
    assert last.code == "xml.size"
    assert count > MAX_XML_BYTES // len(element) - 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30_000  # KiB


def test_one_text_without_end_is_refused() -> None:
    error = fault(
        b'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><abstract>' + b"a " * 2_000_000
    )
    assert error.code == "xml.size"


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (("<id>2402.15627</id>", ""), "without an <id>"),
        (("<id>2402.15627</id>", "<id>2402.15627</id><id>2402.15628</id>"), "second <id>"),
        (('version="v1"', 'version="1"'), "not of the form v1"),
        (('version="v1"', 'version="v0"'), "not of the form v1"),
        (('version="v1"', 'version="v１"'), "not of the form v1"),
    ],
)
def test_faults_inside_a_record_have_its_line(change: tuple[str, str], word: str) -> None:
    error = fault(oai_answer(raw_element(REAL).replace(*change)))
    assert word in str(error)
    assert re.match(r"answer\.xml:\d+: ", str(error))


def test_a_fault_inside_a_record_does_not_hide_the_others() -> None:
    wrong = raw_element(REAL).replace("<id>2402.15627</id>", "<id>2402.15627</id><id>1</id>")
    found = items(oai_answer(wrong, raw_element(RECORDS[0]), verb="ListRecords"))
    assert isinstance(found[0], MetadataError)
    assert isinstance(found[1], Metadata)


def test_the_same_version_twice_is_no_history() -> None:
    times = [http_time("2024-02-23T22:10:59Z")] * 2
    element = raw_element(REAL, versions=times).replace('version="v2"', 'version="v1"')
    assert "every version once" in str(fault(oai_answer(element)))


WHOLE = oai_answer(raw_element(REAL), raw_element(RECORDS[0]), verb="ListRecords")


@given(
    st.lists(
        st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 40), st.binary(max_size=6)),
        min_size=1,
        max_size=4,
    )
)
def test_damage_anywhere_gives_papers_or_errors_of_one_line(
    damages: list[tuple[int, int, bytes]],
) -> None:
    data = WHOLE
    for place, length, bytes_ in damages:
        data = data[:place] + bytes_ + data[place + length :]
    for item in items(data):
        assert "\n" not in (number_of(item) if isinstance(item, Metadata) else str(item))


def number_of(paper: Metadata) -> str:
    """The number, or the one error that may stand in its place."""
    try:
        return derive(paper).number.text
    except MetadataError as error:
        return str(error)


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    found = list(read_oai_file(str(tmp_path / "none.xml")))
    assert len(found) == 1
    assert "No such file" in str(found[0])
