"""The report for people: what is signed, only served, open, and not there."""

from __future__ import annotations

import pytest
from wcwidth import width

from pybadge.errors import UnreachableError
from pybadge.number import parse_number
from pybadge.reporting import ICONS, WORDS, Palette, text_lines
from pybadge.reporting.text import ASCII_ICONS
from pybadge.verification import unreadable, verify
from tests.support.data import NUMBER, REAL, SUFFIX
from tests.support.documents import put, real, signed


def test_the_report_says_what_is_signed_served_open_and_missing() -> None:
    lines = list(text_lines(verify(REAL)))
    assert lines[0] == f"{NUMBER}  verified"
    valid = [line for line in lines if line.startswith("  ✓ ")]
    assert {line.split()[1] for line in valid} >= {"receipt_signature", "number", "title"}
    assert len({line.index(line.split(None, 2)[2]) for line in valid}) == 1, "aligned"
    text = "\n".join(lines)
    assert "  signed       arXiv:2402.15627v1" in text
    assert "(by Pith)" in text
    assert "  only served  authors, flags, links and counts: outside hash and signature" in text
    assert "  not checked  abstract" in text
    assert "--abstract-file" in text
    assert "  nothing on   timestamp, storage, author, citations, replications" in text


def test_a_title_that_was_not_found_valid_is_only_served() -> None:
    made = put(REAL, ("paper", "title"), "Another title")
    lines = list(text_lines(verify(made)))
    assert lines[0] == f"{NUMBER}  INVALID: the served title does not have the signed hash"
    assert "  only served  title, authors, flags, links and counts" in "\n".join(lines)


def test_without_a_valid_signature_the_facts_are_only_hashed() -> None:
    made, _ = signed()
    text = "\n".join(text_lines(verify(made)))
    assert "  hashed       arXiv:2402.15627v1" in text
    assert "nobody's signature was verified" in text
    assert "  – receipt_key " in text
    assert "signed      " not in text


def test_a_required_check_that_could_not_be_made_is_listed_and_no_other() -> None:
    report = verify({**real(), "receipt": None})
    marked = [line.split()[1] for line in text_lines(report) if line.startswith("  – ")]
    assert marked == ["receipt_key", "receipt_signature"]
    assert next(text_lines(report)) == f"{NUMBER}  not checked: the record has no receipt"


def test_without_a_record_there_is_one_line_with_the_reason() -> None:
    offline = unreadable(UnreachableError("no network"), input=SUFFIX)
    assert list(text_lines(offline)) == [f"{SUFFIX}  not checked: no network"]
    slip = verify(b"%PDF-1.7", input="a.pdf", origin="a.pdf")
    assert list(text_lines(slip)) == ["a.pdf  unreadable: not a record but a PDF file"]
    asked = parse_number(NUMBER)
    slip = unreadable(UnreachableError("no network"), input=SUFFIX, asked=asked)
    assert list(text_lines(slip)) == [f"{NUMBER}  not checked: no network"]


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal_but_one_of_a_single_long_word(columns: int) -> None:
    made = put(REAL, ("paper", "title"), "Another title")
    for record in (REAL, made, {**real(), "receipt": None}):
        for line in text_lines(verify(record), Palette(width=columns)):
            assert width(line) <= columns or len(line.split()) == 1


def test_places_without_the_icons_get_words() -> None:
    text = "\n".join(text_lines(verify(REAL), Palette(unicode=False)))
    assert "  ok receipt_signature" in text
    assert not set(ICONS.values()) - {" "} & set(text)
    assert set(ICONS) == set(ASCII_ICONS)


def test_colours_go_to_the_verdict_the_number_and_the_icons() -> None:
    painted = Palette(lambda text, colour: f"<{colour}>{text}</>")
    lines = list(text_lines(verify(REAL), painted))
    assert lines[0] == f"<bold>{NUMBER}</>  <green>verified</>"
    assert "  <green>✓</> number " in "\n".join(lines)
    assert set(WORDS) == {"verified", "invalid", "not_checked", "unreadable"}


def test_hostile_texts_stay_in_their_line() -> None:
    made = put(REAL, ("canonical_sha256",), "a\nb\x1b[2J\u202e")
    for line in text_lines(verify(made, input="x\ny\x1b")):
        assert line.isprintable()
