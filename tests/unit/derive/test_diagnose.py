"""Every change of every field changes the number, and the diagnosis names the field."""

from __future__ import annotations

import copy
import hashlib
import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pybadge.canonical import text_form
from pybadge.derive import Derivation, derive
from pybadge.derive.diagnosis import (
    derive_expecting,
    diagnose,
    diagnose_number,
    read_expected,
)
from pybadge.derive.rules import FIELDS, flatten, unflatten
from pybadge.derive.sources.bulk_metadata import from_object
from pybadge.derive.variants import variants
from pybadge.errors import UsageError
from pybadge.number import from_record, parse_number
from tests.support.arxiv_papers import BY_ID, REAL, REAL_NUMBER, TITLED, bulk_object, name_of

PAPERS = [derive(from_object(bulk_object(record))) for record in TITLED]
DERIVED = derive(from_object(bulk_object(REAL)))


def other_value(draw: Any, field: str, value: Any) -> Any:
    """Another value of a field, of the form that the field has."""
    if field == "version":
        return draw(st.integers(1, 50))
    if field in ("title", "abstract"):
        return draw(st.binary(min_size=32, max_size=32)).hex()
    if field == "submitted_at":
        moment = draw(st.datetimes())
        return f"{moment.replace(microsecond=0).isoformat()}Z"
    if field == "cross_cats":
        return sorted(
            draw(
                st.sets(
                    st.sampled_from(["cs.AI", "gr-qc", "math-ph", "math.MP", "quant-ph"]),
                    max_size=4,
                )
            )
        )
    if field == "primary_cat":
        return draw(st.sampled_from(["cs.AI", "gr-qc", "math-ph", "math.MP", "quant-ph"]))
    if field == "license":
        return draw(
            st.sampled_from(
                ["", value + "/", value[:-1], "http://creativecommons.org/licenses/by/4.0/"]
            )
        )
    return draw(st.sampled_from(["2402.15628", "hep-th/9201013", "0704.0001"]))


@settings(max_examples=300)
@given(st.data(), st.sampled_from(range(len(PAPERS))), st.sampled_from(FIELDS))
def test_any_change_of_any_field_changes_the_number_and_is_named(
    data: st.DataObject, index: int, field: str
) -> None:
    derivation = PAPERS[index]
    fields = flatten(derivation.canonical_record)
    value = other_value(data.draw, field, fields[field])
    assume(value != fields[field])
    expected = unflatten({**fields, field: value})
    assert from_record(expected).suffix != derivation.number.suffix
    found = diagnose(derivation, expected)
    assert [item.field for item in found.differences] == [field]
    assert found.differences[0].expected == value


@given(st.text(), st.integers(0, 10_000), st.sampled_from(["title", "abstract"]))
def test_any_letter_of_a_text_counts(letter: str, place: int, name: str) -> None:
    text = REAL[name]
    place %= len(text) + 1
    changed = text[:place] + letter + text[place:]
    assume(text_form(changed) != text_form(text))
    other = derive(replace(from_object(bulk_object(REAL)), **{name: changed}))
    assert other.number.suffix != DERIVED.number.suffix
    assert [item.field for item in diagnose(other, REAL["canonical_record"]).differences] == [name]


def all_variants(derivation: Derivation) -> list[tuple[str, str, dict[str, Any]]]:
    return list(variants(derivation.metadata, flatten(derivation.canonical_record)))


@pytest.mark.parametrize("derivation", PAPERS, ids=[name_of(record) for record in TITLED])
def test_each_known_variant_is_found_from_the_number_alone(derivation: Derivation) -> None:
    fields = flatten(derivation.canonical_record)
    for field, sentence, change in all_variants(derivation):
        expected = from_record(
            unflatten({**fields, **change, "submitted_at": fields["submitted_at"]})
        )
        if "submitted_at" in change:
            if not change["submitted_at"][:4].isdigit():
                continue
            expected = from_record(unflatten({**fields, **change}))
        found = diagnose_number(derivation, expected)
        assert found.explained
        assert (found.differences[0].field, found.differences[0].cause) == (field, sentence)


def test_two_causes_at_once_are_found_from_the_number_alone() -> None:
    derivation = derive(from_object(bulk_object(BY_ID["1005.1684"])))
    fields = flatten(derivation.canonical_record)
    known = all_variants(derivation)
    pick = random.Random(7)
    for _ in range(12):
        one, other = pick.sample(known, 2)
        if one[2].keys() & other[2].keys():
            continue
        expected = from_record(unflatten({**fields, **one[2], **other[2]}))
        found = diagnose_number(derivation, expected)
        assert found.explained
        assert {item.field for item in found.differences} == {one[0], other[0]}


def test_the_variants_of_the_issue_are_among_the_known_ones() -> None:
    derivation = derive(from_object(bulk_object(BY_ID["1005.1684"])))
    sentences = " / ".join(sentence for _, sentence, _ in all_variants(derivation))
    for part in (
        "the time of v2",
        "white space",
        "trailing newline",
        "primary category left in the cross list",
        "slash",
    ):
        assert part in sentences, part


def test_tex_accents_against_unicode_both_ways() -> None:
    record = BY_ID["0809.2938"]
    for written in ("é", "é"):  # composed and decomposed
        title = record["title"].replace("\\'e", written)
        derivation = derive(from_object(bulk_object(record, title=title)))
        assert derivation.number.suffix != record["suffix"]
        title_hash = record["canonical_record"]["metadata"]["title_canon_sha256"]
        found = diagnose(
            derivation, unflatten({**flatten(derivation.canonical_record), "title": title_hash})
        )
        assert [item.field for item in found.differences] == ["title"]
        assert "TeX accents" in (found.differences[0].cause or "")
    derivation = derive(from_object(bulk_object(record)))
    other = derive(from_object(bulk_object(record, title=record["title"].replace("\\'e", "é"))))
    found = diagnose_number(derivation, other.number)
    assert [item.field for item in found.differences] == ["title"]


@pytest.mark.parametrize(
    ("tex", "unicode"),
    [
        (r"Erd\H{o}s", "Erdős"),
        (r"G\"odel", "Gödel"),
        (r"G{\"o}del", "Gödel"),
        (r"Fran\c{c}ois", "François"),
        (r"Ko\v{s}ice", "Košice"),
        (r"\'{E}cole", "École"),
        (r"na\"{\i}ve", "naïve"),
        (r"Stra{\ss}e", "Straße"),
        (r"\AA rhus", "Århus"),
        (r"S\o ren", "Søren"),
        (r"\L{}\'od\'z", "Łódź"),
    ],
)
def test_accents_are_known(tex: str, unicode: str) -> None:
    plain = derive(from_object(bulk_object(REAL, title=f"On {tex} and more")))
    fancy = derive(from_object(bulk_object(REAL, title=f"On {unicode} and more")))
    assert [item.field for item in diagnose_number(plain, fancy.number).differences] == ["title"]


def test_an_unknown_difference_is_not_guessed() -> None:
    found = diagnose_number(DERIVED, parse_number("A" * 26))
    assert not found.explained
    assert found.differences == ()


def test_equal_metadata_has_no_differences() -> None:
    assert DERIVED.number.text == REAL_NUMBER
    assert diagnose_number(DERIVED, parse_number(REAL_NUMBER)).differences == ()
    assert diagnose_number(DERIVED, parse_number("XR2UHLWN")).explained
    assert diagnose(DERIVED, copy.deepcopy(REAL["canonical_record"])).differences == ()


def test_several_fields_are_all_named() -> None:
    expected = unflatten(
        {**flatten(DERIVED.canonical_record), "version": 3, "license": "", "cross_cats": ["cs.AI"]}
    )
    assert [item.field for item in diagnose(DERIVED, expected).differences] == [
        "version",
        "cross_cats",
        "license",
    ]


def test_every_cause_is_a_noun_so_that_sentences_are_whole() -> None:
    """They stand behind "the expected number was made with"."""
    texts = {
        "title": "An \u00e9 \u201ctitle\u201d & $x$\n{of} \\'e lines.",
        "categories": "math-ph cs.IT math.IT",
    }
    derivation = derive(from_object(bulk_object(BY_ID["1005.1684"], **texts)))
    causes = [cause for _, cause, _ in all_variants(derivation)]
    assert len(set(causes)) > 60
    for cause in causes:
        assert not re.match(r"(with|without|hashed|trimmed|lower|white|case|line|in) ", cause), (
            cause
        )
    title = derivation.metadata.title or ""
    fields = {
        **flatten(derivation.canonical_record),
        "title": hashlib.sha256(title.encode()).hexdigest(),
    }
    (found,) = diagnose_number(derivation, from_record(unflatten(fields))).differences
    assert found.sentence == (
        "title: the expected number was made with the text as it stands, "
        "white space not collapsed and letter case kept"
    )


def test_what_is_expected_may_be_a_number_a_record_or_nothing(tmp_path: Path) -> None:
    paper = from_object(bulk_object(REAL))
    record = tmp_path / "record.json"
    record.write_text(json.dumps({"canonical_record": REAL["canonical_record"]}), encoding="utf-8")
    for text in (REAL_NUMBER, "XR2UHLWN", str(record)):
        derivation, diagnosis = derive_expecting(paper, read_expected(text))
        assert derivation.number.text == REAL_NUMBER
        assert diagnosis is not None
        assert diagnosis.equal
    assert derive_expecting(paper, None)[1] is None
    later = derive_expecting(paper, parse_number(REAL_NUMBER), version=2)[1]
    assert later is not None
    assert not later.equal
    with pytest.raises(UsageError, match=r"--expect 2402\.15627: must be a Pith Number"):
        read_expected("2402.15627")


def test_the_second_is_found_where_the_source_knows_the_day() -> None:
    paper = replace(from_object(bulk_object(REAL)), versions=(), day="2024-02-23")
    derivation, diagnosis = derive_expecting(paper, parse_number(REAL_NUMBER))
    assert derivation.number.text == REAL_NUMBER
    assert diagnosis is not None
    assert diagnosis.equal
