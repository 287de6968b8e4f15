"""Pith Numbers: every form, the help for typing slips, and base32 by encoding only."""

from __future__ import annotations

import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.errors import NumberError
from pybadge.number import PithNumber, from_hash, from_record, parse_number, suffix_of
from tests.support.data import NUMBER, REAL, SUFFIX


@pytest.mark.parametrize(
    ("text", "suffix", "year"),
    [
        (SUFFIX, SUFFIX, None),
        (SUFFIX.lower(), SUFFIX, None),
        (f"pith:{SUFFIX}", SUFFIX, None),
        (f"PITH:2024:{SUFFIX.lower()}", SUFFIX, 2024),
        (NUMBER, SUFFIX, 2024),
        (f" {NUMBER}\n", SUFFIX, 2024),
        ("pith:XR2UHLWN", "XR2UHLWN", None),
        ("pith:2024:XR2UHLWN", "XR2UHLWN", 2024),
        ("xr2uhlwnhhfs", "XR2UHLWNHHFS", None),
        ("XR2UHLWNHHFSD4ZJ", "XR2UHLWNHHFSD4ZJ", None),
    ],
)
def test_a_number_is_read_in_each_of_its_forms(text: str, suffix: str, year: int | None) -> None:
    assert parse_number(text) == PithNumber(suffix, year)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "missing"),
        (" \t", "missing"),
        ("0R2UHLWN", "'0' (typed for the letter O?)"),
        ("XR1UHLWN", "'1' (typed for the letter I or L?)"),
        ("XR8UHLWN", "'8' (typed for the letter B?)"),
        ("XR9UHLWN", "'9'"),
        ("XR2UHLW", "7 characters"),
        ("XR2UHLWNH", "9 characters"),
        (SUFFIX[:25], "25 characters"),
        (f"{SUFFIX}A", "27 characters"),
        ("ХR2UHLWN", "CYRILLIC CAPITAL LETTER HA"),
        ("XR2UHLWſ", "LATIN SMALL LETTER LONG S"),
        ("XR2UHLWı", "LATIN SMALL LETTER DOTLESS I"),
        ("ＸR2UHLWN", "FULLWIDTH LATIN CAPITAL LETTER X"),
        ("XR2UHLW\u200bN", "ZERO WIDTH SPACE"),
        ("XR2U HLWN", "character 5"),
        ("XR2UHLWN\x00", "U+0000"),
        ("pith:20२4:XR2UHLWN", "year"),
        ("pith:1_24:XR2UHLWN", "year"),
        ("pith:024:XR2UHLWN", "year"),
        ("pith:+024:XR2UHLWN", "year"),
        ("doi:XR2UHLWN", "form"),
        ("рith:XR2UHLWN", "CYRILLIC SMALL LETTER ER"),
        ("pith:", "form"),
        ("pith::XR2UHLWN", "form"),
        ("pith:2024:XR2U:HLWN", "form"),
        ("2024:XR2UHLWN", "form"),
        ("a" * 65, "65 characters are too many"),
    ],
)
def test_what_is_wrong_with_a_number_is_named(text: str, named: str) -> None:
    with pytest.raises(NumberError) as caught:
        parse_number(text)
    message = str(caught.value)
    assert named in message
    assert "\n" not in message
    assert message.isprintable()


def test_a_slip_is_named_with_the_number_that_was_meant_but_never_mended() -> None:
    with pytest.raises(NumberError, match=r"did you mean OBCDEFGH\?"):
        parse_number("0BCDEFGH")
    with pytest.raises(NumberError) as caught:
        parse_number("1BCDEFGH")  # I or L: no guess
    assert "did you mean" not in str(caught.value)


@given(st.binary(min_size=32, max_size=32))
def test_a_number_is_the_start_of_the_base32_of_the_whole_digest(digest: bytes) -> None:
    expected = base64.b32encode(digest).decode()[:26]
    assert suffix_of(digest) == from_hash(digest).suffix == expected
    assert parse_number(from_hash(digest, 1999).text) == from_hash(digest, 1999)


def test_a_canonical_record_gives_its_number() -> None:
    derived = from_record(REAL["canonical_record"])
    assert (derived.text, derived.short, derived.is_full) == (NUMBER, f"pith:{SUFFIX[:8]}", True)
    assert str(derived) == NUMBER
    assert from_hash(bytes.fromhex(REAL["canonical_sha256"])).text == f"pith:{SUFFIX}"
    assert not parse_number(SUFFIX[:16]).is_full


@given(st.text(max_size=80))
def test_no_text_does_anything_but_parse_or_be_refused(text: str) -> None:
    try:
        number = parse_number(text)
    except NumberError as error:
        fault = str(error)
    else:
        fault = "none"
        assert text.isascii()
        assert len(number.suffix) in (8, 12, 16, 26)
    assert fault.isprintable()


def test_a_hash_of_another_length_is_refused() -> None:
    for digest in (b"short", bytes(31), bytes(33)):
        with pytest.raises(ValueError, match="32 bytes"):
            from_hash(digest)


@pytest.mark.parametrize(
    "text",
    ["a" * 1_000_000, "1." * 500_000, "pith:" * 100_000, "pith:2024:" + "A" * 1_000_000],
    ids=lambda text: text[:10],
)
def test_a_long_text_is_refused_by_its_length_alone(text: str) -> None:
    with pytest.raises(NumberError, match="are too many") as caught:
        parse_number(text)
    assert len(str(caught.value)) < 100
