"""Pith Numbers: every form, the help for typing slips, and base32 by encoding only."""

from __future__ import annotations

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.errors import NumberError
from pybadge.lean import base32
from pybadge.number import PithNumber, from_hash, parse_number
from tests.support.documents import NUMBER, SUFFIX, conformance, needs_conformance


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
        ("xr2uhlwnhhfs", "XR2UHLWNHHFS", None),
        ("XR2UHLWNHHFSD4ZJ", "XR2UHLWNHHFSD4ZJ", None),
    ],
)
def test_forms(text: str, suffix: str, year: int | None) -> None:
    assert parse_number(text) == PithNumber(suffix, year)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "missing"),
        ("0R2UHLWN", "'0' (typed for the letter O?)"),
        ("XR1UHLWN", "'1' (typed for the letter I or L?)"),
        ("XR8UHLWN", "'8' (typed for the letter B?)"),
        ("XR9UHLWN", "'9'"),
        ("XR2UHLW", "7 characters"),
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
        ("doi:XR2UHLWN", "form"),
        ("рith:XR2UHLWN", "CYRILLIC SMALL LETTER ER"),
        ("pith:", "form"),
        ("pith:2024:XR2U:HLWN", "form"),
    ],
)
def test_what_is_wrong_is_named(text: str, named: str) -> None:
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
    assert base32(digest, 26) == expected
    assert from_hash(digest).suffix == expected
    assert parse_number(from_hash(digest, 1999).text) == from_hash(digest, 1999)


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


@needs_conformance
def test_rfc_4648_vectors() -> None:
    data = conformance("base32/rfc4648_base32.json")
    vectors = data["vectors"] if isinstance(data, dict) else data
    assert vectors
    for vector in vectors:
        plain, encoded = (
            (vector[name] for name in vector) if not isinstance(vector, list) else vector
        )
        stripped = encoded.rstrip("=")
        bits = len(plain.encode()) * 8
        whole = bits // 5  # the characters that hold no padding bits
        assert base32(plain.encode(), whole) == stripped[:whole]


def test_hash_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        from_hash(b"short")


@pytest.mark.parametrize(
    "text", ["a" * 1_000_000, "1." * 500_000, "pith:" * 100_000, "pith:2024:" + "A" * 1_000_000]
)
def test_long_texts_are_refused_at_once(text: str) -> None:
    started = time.process_time()
    with pytest.raises(NumberError):
        parse_number(text)
    assert time.process_time() - started < 0.1
