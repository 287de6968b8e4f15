"""Nothing that was changed comes out verified, and nothing unsigned changes a verdict."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pybadge.verification import verify
from tests.support.data import NUMBER, REAL
from tests.support.documents import put, to_bytes

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values, inner ones included."""
    if path:
        yield path
    inner: Any = ()
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)
    for key, item in inner:
        yield from paths(item, (*path, key))


def at(path: tuple[Any, ...]) -> Any:
    value: Any = REAL
    for step in path:
        value = value[step]
    return value


LEAVES = [path for path in paths(REAL) if not isinstance(at(path), (dict, list))]
CANONICAL = [path for path in LEAVES if path[0] == "canonical_record"]
# Fields of the receipt that nothing is made of, and those that may be missing.
FREE = ("signed_at", "builder_version", "last_reissued_at", "first_computed_at")
MAY_BE_MISSING = ("key_id", "public_key_fingerprint", "canonical_sha256")


def mutations(value: Any) -> list[Any]:
    if isinstance(value, str):
        middle = len(value) // 2
        flipped = "b" if value[middle : middle + 1] != "b" else "c"
        return [
            value[:middle] + flipped + value[middle + 1 :],
            value + "0",
            value[:-1],
            value.swapcase(),
            None,
            [value],
            1,
        ]
    return [value + 1, str(value), float(value), None, [value], True]


@pytest.mark.parametrize("path", CANONICAL, ids=lambda path: ".".join(map(str, path)))
def test_any_change_to_a_field_of_the_canonical_record_is_invalid(path: tuple[Any, ...]) -> None:
    value = at(path)
    for new in mutations(value):
        if new != value or type(new) is not type(value):
            assert verify(put(REAL, path, new)).verdict == "invalid", new


@pytest.mark.parametrize(
    "place", [(), ("metadata",), ("source",)], ids=["top", "metadata", "source"]
)
def test_a_key_more_or_less_in_the_canonical_record_is_invalid(place: tuple[str, ...]) -> None:
    whole = ("canonical_record", *place)
    for key in at(whole):
        fewer = {name: item for name, item in at(whole).items() if name != key}
        assert verify(put(REAL, whole, fewer)).verdict == "invalid"
    assert verify(put(REAL, whole, {**at(whole), "extra": "x"})).verdict == "invalid"


def test_the_order_of_keys_means_nothing() -> None:
    def backwards(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: backwards(value[key]) for key in reversed(value)}
        return value

    assert verify(backwards(REAL)).verdict == "verified"


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(path=st.sampled_from(list(paths(REAL))), new=json_values, as_bytes=st.booleans())
def test_any_json_value_anywhere_in_the_real_record_changes_what_it_may(
    path: tuple[Any, ...], new: Any, as_bytes: bool
) -> None:
    changed = put(REAL, path, new)
    report = verify(to_bytes(changed) if as_bytes else changed)
    if repr(changed) == repr(REAL):
        return
    if path[0] == "canonical_record":
        assert report.verdict == "invalid"
    if path[0] == "receipt":
        assert report.verdict != "verified" or path[-1] in (*FREE, *MAY_BE_MISSING)


@settings(max_examples=200)
@given(data=st.data())
def test_no_mutation_of_the_bytes_of_the_real_record_gives_another_record_that_verifies(
    data: st.DataObject,
) -> None:
    """Whatever bytes verify as Pith's must have the very canonical record that was signed."""
    text = bytearray(to_bytes(REAL))
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["change", "insert", "delete", "copy"]))
        if kind == "change":
            text[position] = data.draw(st.integers(0, 255))
        elif kind == "insert":
            text.insert(position, data.draw(st.integers(0, 255)))
        elif kind == "delete":
            del text[position]
        else:
            length = data.draw(st.integers(1, 40))
            text[position:position] = text[position : position + length]
    report = verify(bytes(text))
    if report.verdict == "verified":
        assert report.record is not None
        assert report.record.canonical.document == REAL["canonical_record"]
        assert report.number is not None
        assert report.number.text == NUMBER


def test_verifying_changes_nothing_in_the_document() -> None:
    document = copy.deepcopy(REAL)
    verify(document)
    assert document == REAL
