"""Canonical bytes: the page's own recipe, byte for byte, also where the lean reader and writer are
not available."""

from __future__ import annotations

import hashlib
import importlib
import json
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge import canonical, lean
from tests.support.documents import RECORDS, SHARED, needs_conformance

texts = st.text(alphabet=st.characters(exclude_categories=["Cs"]))
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(alphabet=st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.dictionaries(
            st.text(alphabet=st.characters(exclude_categories=["Cs"])), inner, max_size=5
        )
    ),
    max_leaves=20,
)


def recipe(value: Any) -> bytes:
    """What the record's page tells people to run."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@pytest.fixture(scope="module")
def public_twin() -> Iterator[ModuleType]:
    """The same module on a Python that lacks the private C modules."""
    hidden = ("_json", "_sha2", "_sha256")
    saved = {name: sys.modules.get(name) for name in (*hidden, "pybadge.lean")}
    sys.modules.update(dict.fromkeys(hidden))
    del sys.modules["pybadge.lean"]
    try:
        yield importlib.import_module("pybadge.lean")
    finally:
        for name, module in saved.items():
            if module is None:
                sys.modules.pop(name, None)
            else:
                sys.modules[name] = module
        sys.modules["pybadge"].lean = lean


@given(json_values)
def test_equals_the_recipe(value: Any) -> None:
    assert canonical.canonical_bytes(value) == recipe(value)
    assert canonical.canonical_sha256(value) == hashlib.sha256(recipe(value)).hexdigest()


@given(json_values)
def test_reports_are_written_as_json_dumps_does(value: Any) -> None:
    assert lean.encode_ascii(value) == json.dumps(value)


@given(value=json_values)
def test_the_public_twin_writes_and_hashes_alike(public_twin: ModuleType, value: Any) -> None:
    assert public_twin.encode(value) == lean.encode(value)
    assert public_twin.encode_ascii(value) == lean.encode_ascii(value)
    assert (
        public_twin.quoted_ascii(str(value))
        == lean.quoted_ascii(str(value))
        == json.dumps(str(value))
    )
    text = lean.encode(value).encode()
    assert (
        public_twin.sha256(text).digest()
        == lean.sha256(text).digest()
        == hashlib.sha256(text).digest()
    )


@given(
    text=st.text(alphabet='{}[]",:\\ \n\t0123456789.eE+-truefalsn"aud8', max_size=40)
    | json_values.map(json.dumps)
)
def test_the_public_twin_reads_alike(public_twin: ModuleType, text: str) -> None:
    hooks = {
        "object_pairs_hook": dict,
        "parse_int": int,
        "parse_float": float,
        "parse_constant": str,
    }

    def outcome(module: ModuleType) -> Any:
        try:
            return repr(module.reader(**hooks)(text))
        except json.JSONDecodeError as error:
            return ("fault", error.msg, error.pos)

    assert outcome(lean) == outcome(public_twin)


@pytest.mark.parametrize(
    "value",
    [float("nan"), float("inf"), {"a": float("-inf")}, "\ud800", {"\udfff": 1}],
    ids=["nan", "inf", "-inf", "surrogate", "key"],
)
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011  json's own messages differ between Pythons
        canonical.canonical_bytes(value)


def test_circular_and_unknown_values_are_refused() -> None:
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(ValueError, match="circular"):
        canonical.canonical_bytes(ring)
    with pytest.raises(TypeError):
        canonical.canonical_bytes({1, 2})


def test_keys_are_sorted_by_code_point() -> None:
    assert (
        canonical.canonical_bytes({"\U0001f600": 1, "\uffee": 2})
        == '{"\uffee":2,"\U0001f600":1}'.encode()
    )


def test_the_page_of_a_record_states_the_same_hash() -> None:
    for line in RECORDS:
        assert (
            hashlib.sha256(recipe(line["canonical_record"])).hexdigest() == line["canonical_sha256"]
        )
        assert canonical.canonical_sha256(line["canonical_record"]) == line["canonical_sha256"]


@needs_conformance
def test_rfc_8785_samples_agree_where_the_forms_do() -> None:
    """Four of the six agree; structures.json has a float (56.0) and weird.json an astral key, where
    the two forms part."""
    assert SHARED is not None
    folder = SHARED / "conformance" / "jcs"
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
        ("Poincar\\'e $\\tau$", "poincar\\'e $\\tau$"),
        ("", ""),
        ("A\u00a0B", "a b"),
    ],
)
def test_text_form(text: str, form: str) -> None:
    assert canonical.text_form(text) == form
    assert (
        canonical.title_sha256(text)
        == hashlib.sha256(form.encode()).hexdigest()
        == canonical.abstract_sha256(text)
    )


def test_known_snapshot_hash() -> None:
    assert canonical.snapshot_sha256([]).startswith("258153158e38")
    assert canonical.snapshot_sha256({"detectors": [], "findings": []}).startswith("c28c3603d3b5")
