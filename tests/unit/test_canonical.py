"""Canonical bytes: the page's own recipe, byte for byte; and the form of texts that is hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge import canonical
from tests.support.conformance import conformance_folder, needs_conformance

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
json_values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=20,
)


def recipe(value: Any) -> bytes:
    """What the record's page tells people to run."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@given(json_values)
def test_canonical_bytes_are_those_of_the_pages_recipe(value: Any) -> None:
    assert canonical.canonical_bytes(value) == recipe(value)
    digest = hashlib.sha256(recipe(value))
    assert canonical.canonical_digest(value) == digest.digest()
    assert canonical.canonical_sha256(value) == digest.hexdigest()


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), {"a": float("-inf")}, "\ud800", {"\udfff": 1}],
    ids=["nan", "inf", "-inf", "surrogate", "key"],
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  json's own messages differ between Pythons
        canonical.canonical_bytes(value)


def test_circular_and_deep_and_unknown_values_are_refused() -> None:
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(ValueError, match=r"circular|Circular"):
        canonical.canonical_bytes(ring)
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="too deeply nested"):
        canonical.canonical_bytes(deep)
    with pytest.raises(TypeError):
        canonical.canonical_bytes({1, 2})


def test_keys_are_sorted_by_code_point() -> None:
    expected = '{"\uffee":2,"\U0001f600":1}'.encode()
    assert canonical.canonical_bytes({"\U0001f600": 1, "\uffee": 2}) == expected


@needs_conformance
def test_the_samples_of_rfc_8785_agree_where_the_two_forms_do() -> None:
    """Four of the six agree; structures.json has a float (56.0) and weird.json an astral key, where
    the two forms part."""
    folder = conformance_folder("jcs")
    agree = {
        path.stem: canonical.canonical_bytes(json.loads(path.read_bytes()))
        == (folder / "output" / path.name).read_bytes().rstrip(b"\n")
        for path in (folder / "input").iterdir()
    }
    assert {name for name, same in agree.items() if not same} == {"structures", "weird"}
    assert len(agree) == 6


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  A \t B\r\nC ", "a b c"),
        ("\x0bA\x0c\x1c\x1d\x1e\x1fB\x0b", "a b"),
        ("A  \n  B", "a b"),
        ("Poincar\\'e $\\tau$", "poincar\\'e $\\tau$"),
        ("", ""),
        (" \n ", ""),
        ("A\u00a0B", "a b"),
        ("Ä\u2003B\u2028C", "ä b c"),
        ("İ", "i\u0307"),
    ],
)
def test_a_text_is_hashed_in_lower_case_with_single_blanks(text: str, form: str) -> None:
    assert canonical.text_form(text) == form
    expected = hashlib.sha256(form.encode()).hexdigest()
    assert canonical.title_sha256(text) == canonical.abstract_sha256(text) == expected


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)) | st.text())
def test_the_hashed_form_is_that_of_split_and_join(text: str) -> None:
    lowered = [c.lower() if c in LOWERED else c for c in " ".join(text.split())]
    assert canonical.text_form(text) == "".join(lowered)
    assert canonical.text_form(f"  {text}\t") == canonical.text_form(text)


def characters_of(ranges: Iterable[tuple[int, int]]) -> frozenset[str]:
    return frozenset(chr(code) for first, last in ranges for code in range(first, last + 1))


LOWERED = characters_of(canonical.LOWERED)
ALL = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]


def test_white_space_is_the_named_set_and_what_split_takes() -> None:
    """29 characters; the zero-width space, the byte order mark and U+180E are none of them."""
    blank = characters_of(canonical.WHITE_SPACE)
    assert len(blank) == 29
    assert {c for c in ALL if not c.split()} == blank
    assert {c for c in ALL if canonical.text_form(c) == ""} == blank


def test_only_characters_of_the_named_set_have_a_lower_case() -> None:
    changed = {c for c in ALL if c not in characters_of(canonical.WHITE_SPACE)} - LOWERED
    assert [c for c in changed if canonical.text_form(c) != c] == []
    assert canonical.text_form("ΑΣ Σ. ꓐ Ꭰ 𐐀 Ａ") == "ας σ. ꓐ Ꭰ 𐐀 Ａ".replace("ς", "σ")


def test_lower_case_of_the_named_set_is_that_of_unicode_8() -> None:
    """The sum of the mappings, so that a Python of another Unicode is found out."""
    mappings = [f"{ord(c):x}:{c.lower()}" for c in sorted(LOWERED) if c.lower() != c]
    digest = hashlib.sha256("\n".join(mappings).encode()).hexdigest()
    assert (len(mappings), digest[:16]) == (651, "5687f56ded7f25dc")


@pytest.mark.parametrize(
    ("text", "composable"),
    [
        ("e\u0301", True),
        ("o" + "\u0301" * 30 + "o", True),
        ("o" + "\u0301" * 31, False),
        ("o" + "\u0487" * 31, False),
        ("\u1e9b\u0323", True),
        ("\u0530", False),
        ("\u1dff", False),
        ("\u2070", False),
        ("\u1100\u1161", False),
        ("\ud800", False),
    ],
)
def test_only_texts_whose_composition_no_unicode_changes_are_composed(
    text: str, composable: bool
) -> None:
    assert canonical.is_composable(text) is composable


def test_a_title_with_half_a_character_has_no_hash() -> None:
    with pytest.raises(ValueError, match="surrogates not allowed"):
        canonical.title_sha256("\ud800")


def test_the_hash_of_a_snapshot_wraps_its_payload() -> None:
    assert canonical.snapshot_sha256([]).startswith("258153158e38")
    findings = {"detectors": [], "findings": []}
    assert canonical.snapshot_sha256(findings).startswith("c28c3603d3b5")
    assert canonical.snapshot_sha256(7) == canonical.canonical_sha256({"payload": 7})
