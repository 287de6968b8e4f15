"""Hash, number, year, aliases, title and abstract: what the canonical record says of itself."""

from __future__ import annotations

import random
import string
from typing import Any
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.canonical import abstract_sha256
from pybadge.checks.identity import abstract, title
from pybadge.record import Record, read_record
from pybadge.verification import verify
from tests.support.cost import grows_at_most
from tests.support.data import DATA, NUMBER, REAL, RECORDS, SUFFIX
from tests.support.documents import put, real, signed

# --- the hash


def test_every_character_of_the_stated_hash_counts() -> None:
    stated = REAL["canonical_sha256"]
    for position, character in enumerate(stated):
        new = stated[:position] + ("0" if character != "0" else "1") + stated[position + 1 :]
        report = verify(put(REAL, ("canonical_sha256",), new))
        assert report["canonical_hash"].code == "hash.mismatch"
        assert report.verdict == "invalid"


@pytest.mark.parametrize("stated", [None, 7, ["x"]])
def test_without_a_stated_hash_nothing_is_verified(stated: Any) -> None:
    report = verify(put(REAL, ("canonical_sha256",), stated))
    assert report["canonical_hash"].code == "hash.absent"
    assert report.verdict == "not_checked"


def test_the_stated_hash_is_lower_case() -> None:
    report = verify(put(REAL, ("canonical_sha256",), REAL["canonical_sha256"].upper()))
    assert report["canonical_hash"].status == "invalid"


# --- the number


@pytest.mark.parametrize(
    ("asked", "verdict", "code"),
    [
        (NUMBER, "verified", "number.ok"),
        (SUFFIX.lower(), "verified", "number.ok"),
        (f"pith:2025:{SUFFIX}", "invalid", "number.ok"),
        (SUFFIX[:16], "verified", "number.short"),
        (SUFFIX[:12], "verified", "number.short"),
        (SUFFIX[:8], "not_checked", "number.short_ambiguous"),
        ("AAAAAAAA", "invalid", "number.mismatch"),
        (f"{SUFFIX[:25]}A", "invalid", "number.mismatch"),
        (f"{SUFFIX[:25]}Q", "invalid", "number.mismatch"),
        (RECORDS[0]["suffix"], "invalid", "number.mismatch"),
    ],
)
def test_the_number_that_was_asked_for_is_the_records(asked: str, verdict: str, code: str) -> None:
    report = verify(REAL, asked=asked)
    assert report.verdict == verdict
    assert report["number"].code == code


def test_eight_characters_are_called_ambiguous_and_the_full_number_is_named() -> None:
    detail = verify(REAL, asked=SUFFIX[:8])["number"].detail
    assert "ambiguous" in detail
    assert NUMBER in detail
    assert "--allow-short" in detail


def test_an_ambiguous_form_is_taken_where_that_is_allowed() -> None:
    report = verify(REAL, asked=SUFFIX[:8], allow_short=True)
    assert report.verdict == "verified"
    assert report["number"].code == "number.short_ambiguous"
    assert verify(REAL, asked="AAAAAAAA", allow_short=True).verdict == "invalid"
    made = real()
    del made["pith_number"]
    assert verify(made, asked=SUFFIX[:8], allow_short=True).verdict == "not_checked"


def test_every_bit_of_the_last_character_counts() -> None:
    """130 bits are compared: a decoder would drop the last two and take four characters for one."""
    for letter in string.ascii_uppercase + "234567":
        report = verify(REAL, asked=SUFFIX[:25] + letter)
        assert (report.verdict == "verified") is (letter == SUFFIX[25])


@given(st.sampled_from([8, 12, 16]))
def test_a_short_form_names_but_never_proves(length: int) -> None:
    report = verify(real(), asked=SUFFIX[:length])
    assert report["number"].code.startswith("number.short")
    assert report.number is not None
    assert report.number.is_full


@pytest.mark.parametrize(
    ("field", "new"),
    [
        ("pith_number", "pith:1991:EMH7WB73Y7ZWA2XA4G6RR2X64Y"),
        ("pith_number", "pith:2024:"),
        ("pith_number", "x"),
        ("pith_number", ""),
        ("pith_number", NUMBER[:-1] + "Q"),
        ("short_pith_number", "pith:EMH7WB73"),
        ("short_pith_number", "x"),
        ("short_pith_number", ""),
        ("short_pith_number", f"pith:{SUFFIX[:12]}"),
    ],
)
def test_a_record_that_calls_itself_something_else_is_invalid(field: str, new: str) -> None:
    for asked in (None, NUMBER, SUFFIX[:8]):
        report = verify(put(REAL, (field,), new), asked=asked)
        assert report["number"].code == "number.mismatch"
        assert report.verdict == "invalid"


def test_a_record_that_writes_its_own_number_otherwise_is_still_that_one() -> None:
    for same in (SUFFIX, NUMBER.lower(), f"pith:{SUFFIX}"):
        assert verify(put(REAL, ("pith_number",), same))["number"].code == "number.ok"
    assert verify(put(REAL, ("short_pith_number",), SUFFIX[:8].lower())).verdict == "verified"


@pytest.mark.parametrize(
    ("asked", "code", "verdict"),
    [
        (None, "number.absent", "not_checked"),
        (NUMBER, "number.ok", "verified"),
        (SUFFIX[:12], "number.absent", "not_checked"),
    ],
)
def test_a_record_that_states_no_number_needs_the_full_one_to_be_asked_for(
    asked: str | None, code: str, verdict: str
) -> None:
    made = real()
    del made["pith_number"]
    report = verify(made, asked=asked)
    assert report["number"].code == code
    assert report.verdict == verdict


def test_a_record_swapped_for_another_of_a_trusted_key_is_found_out() -> None:
    other, key = signed(title="Another paper")
    assert verify(other, trusted=[key]).verdict == "verified"
    assert verify(other, trusted=[key], asked=SUFFIX).verdict == "invalid"
    assert verify({**other, "pith_number": NUMBER}, trusted=[key]).verdict == "invalid"


# --- the year


@pytest.mark.parametrize("year", [1, 2023, 2025, 9999])
def test_another_year_is_invalid_whoever_names_it(year: int) -> None:
    wrong = f"pith:{year:04}:{SUFFIX}"
    for report in (verify(REAL, asked=wrong), verify(put(REAL, ("pith_number",), wrong))):
        assert report["year"].code == "year.mismatch"
        assert report.verdict == "invalid"
    assert verify(REAL, asked=SUFFIX)["year"].status == "valid"


# --- aliases


@pytest.mark.parametrize("index", range(len(REAL["aliases"])))
def test_an_alias_of_a_known_kind_that_is_not_the_records_is_invalid(index: int) -> None:
    path = ("aliases", index, "alias_value")
    value = REAL["aliases"][index]["alias_value"]
    swapped = value.swapcase() if value.swapcase() != value else value + "v1"
    for wrong in (value + "1", value[:-1], "", "x" * 5000, swapped):
        report = verify(put(REAL, path, wrong))
        assert report["aliases"].code == "aliases.mismatch"
        assert len(report["aliases"].detail) < 300
        assert report.verdict == "invalid"


@pytest.mark.parametrize(
    "aliases",
    [None, [], {}, "x", [7], [{"alias_kind": "isbn", "alias_value": "1"}], [{"alias_kind": "doi"}]],
)
def test_aliases_that_cannot_be_checked_count_as_none(aliases: Any) -> None:
    report = verify(put(REAL, ("aliases",), aliases))
    assert report["aliases"].status == "absent"
    assert report.verdict == "verified"


def test_the_number_of_aliases_that_were_checked_is_said() -> None:
    unknown = [{"alias_kind": "isbn", "alias_value": "1"}]
    report = verify(put(REAL, ("aliases",), REAL["aliases"] + unknown))
    assert report["aliases"].detail.startswith("6 aliases")


# --- the title


@pytest.mark.parametrize(
    "title",
    [
        "Another title",
        REAL["paper"]["title"] + "\u202e",
        REAL["paper"]["title"].replace("a", "а", 1),
        REAL["paper"]["title"].replace("a", "а"),
        "",
        "\ud800",
    ],
)
def test_a_swapped_title_is_found(title: str) -> None:
    report = verify(put(REAL, ("paper", "title"), title))
    assert report["title"].status == "invalid"
    assert report.verdict == "invalid"
    assert verify(REAL, title=title)["title"].status == "invalid"


def test_letter_case_and_spacing_of_the_title_are_free() -> None:
    shouted = "  " + REAL["paper"]["title"].upper().replace(" ", " \n ")
    for report in (verify(REAL, title=shouted), verify(put(REAL, ("paper", "title"), shouted))):
        assert report["title"].status == "valid"
        assert report.verdict == "verified"


def test_a_title_that_the_caller_gives_is_compared_instead_of_the_served_one() -> None:
    assert verify(REAL)["title"].source == "served"
    assert verify(REAL, title=REAL["paper"]["title"])["title"].source == "computed"
    swapped = put(REAL, ("paper", "title"), "Another title")
    assert verify(swapped, title=REAL["paper"]["title"])["title"].status == "valid"
    nameless = put(REAL, ("paper",), None)
    assert verify(nameless)["title"].status == "absent"
    assert verify(nameless, title=REAL["paper"]["title"])["title"].status == "valid"


def test_the_composed_form_of_a_title_is_that_title() -> None:
    made, key = signed(title="Erdős–Rényi graphs of Straße type, Åström")
    for given_title, status in (
        ("Erdo\u030bs–Re\u0301nyi graphs of Straße type, A\u030astro\u0308m", "valid"),
        ("ERDŐS–RÉNYI GRAPHS OF STRASSE TYPE, ÅSTRÖM", "invalid"),
        ("Erdos-Renyi graphs of Strasse type, Astrom", "invalid"),
    ):
        assert verify(made, trusted=[key], title=given_title)["title"].status == status


@pytest.mark.parametrize(
    ("hashed", "given_title", "status"),
    [
        ("erdo\u030bs", "Erdo\u030bs", "valid"),
        ("erd\u0151s", "Erdo\u030bs", "valid"),
        ("caf\u00e9 \u00b2", "cafe\u0301 \u00b2", "valid"),
        ("caf\u00e9 o\ufb03ce", "cafe\u0301 o\ufb03ce", "invalid"),
        ("erdo\u030bs", "Erd\u0151s", "invalid"),
        ("office", "o\ufb03ce", "invalid"),
        ("strasse", "Stra\u00dfe", "invalid"),
        ("cafe\u0301 o\ufb03ce", "caf\u00e9 o\ufb03ce", "invalid"),
        ("cafe\u0301 2", "caf\u00e9 \u00b2", "invalid"),
        ("caf\u00e9 2", "cafe\u0301 \u00b2", "invalid"),
        ("a bound of 105 steps", "A bound of 10\u2075 steps", "invalid"),
    ],
    ids=[
        "as it is",
        "composed",
        "NFC",
        "beyond the set",
        "decomposed",
        "compatible",
        "folded",
        "NFD",
        "NFKD",
        "NFKC",
        "superscript",
    ],
)
def test_a_title_matches_as_it_is_or_composed_and_in_no_form_that_says_something_else(
    hashed: str, given_title: str, status: str
) -> None:
    made, key = signed(title=hashed)
    check = verify(made, trusted=[key], title=given_title)["title"]
    assert check.status == status
    assert ("NFC" in check.detail) is (status == "valid" and hashed != given_title.lower())


@pytest.mark.parametrize("where", ["title", "abstract_excerpt"])
def test_a_text_of_combining_marks_takes_no_more_work_than_its_length(where: str) -> None:
    """Normalisation sorts each run of marks, which takes the square of the run's length."""

    def marked(count: int) -> Record:
        text = "a" + "\u0301\u0327" * count
        return read_record(put(REAL, ("paper", where), text))

    def check(record: Record) -> None:
        for given_text in (None, record.paper.title):
            assert title(record, given_text).status
            assert abstract(record, given_text).status

    assert grows_at_most(check, marked(2_000), marked(20_000), 15)


def test_a_run_of_thirty_marks_is_normalised_and_a_longer_one_is_not() -> None:
    for count, status in ((30, "valid"), (31, "invalid")):
        given_title = "o" + "\u0301" * count
        made, key = signed(title=normalize("NFC", given_title))
        assert verify(made, trusted=[key], title=given_title)["title"].status == status


# --- the abstract

WHOLE = (DATA / "abstract-2402.15627.txt").read_text(encoding="utf-8")


def with_abstract(served: str | None) -> Any:
    """The check of an abstract as served, where the signed one is the real paper's."""
    return verify(put(REAL, ("paper", "abstract_excerpt"), served))["abstract"]


def test_the_whole_abstract_has_the_signed_hash() -> None:
    report = verify(REAL, abstract=WHOLE)
    assert report["abstract"].status == "valid"
    assert report["abstract"].source == "computed"
    assert verify(REAL, abstract=f"{WHOLE}x")["abstract"].status == "invalid"
    assert verify(REAL, abstract=f"{WHOLE}x").verdict == "invalid"


@pytest.mark.parametrize("length", [1, 299, 300, 301, 400, 588, 589])
def test_a_served_abstract_too_short_to_have_been_cut_is_wrong(length: int) -> None:
    """The registry serves 600 characters; only the blanks at the end of those can be missing."""
    check = with_abstract(WHOLE[:length].rstrip().ljust(length, "x"))
    assert (check.status, check.code) == ("invalid", "abstract.mismatch")


@pytest.mark.parametrize("length", [590, 591, 599, 600])
def test_a_served_abstract_that_may_have_been_cut_is_not_checked(length: int) -> None:
    check = with_abstract((WHOLE[:580] + "x" * length)[:length])
    assert (check.status, check.code) == ("not_checked", "abstract.excerpt")
    assert f"first {length} characters" in check.detail


@pytest.mark.parametrize("length", [601, 602, 5000])
def test_a_served_excerpt_longer_than_the_server_makes_them_is_invalid(length: int) -> None:
    for text in (WHOLE[:length].ljust(length, "x"), "x" * length):
        check = with_abstract(text)
        assert (check.status, check.code) == ("invalid", "abstract.too_long")
        assert f"{length} characters" in check.detail
    assert with_abstract(WHOLE).code == "abstract.too_long", "even where the hash would hold"


@pytest.mark.parametrize("served", [None, "", 7, ["x"]])
def test_no_served_abstract_is_none(served: Any) -> None:
    assert with_abstract(served).status == "absent"


def test_the_real_record_has_an_excerpt_only() -> None:
    assert verify(REAL)["abstract"].code == "abstract.excerpt"
    assert verify(REAL, require=["abstract"]).exit_code == 3


def test_a_short_abstract_that_is_served_whole_is_checked() -> None:
    pick = random.Random(5)
    text = "".join(pick.choices(string.ascii_letters + " ", k=600))
    made, key = signed(abstract_canon_sha256=abstract_sha256(text))
    made["paper"]["abstract_excerpt"] = text
    assert verify(made, trusted=[key])["abstract"].code == "abstract.ok"
