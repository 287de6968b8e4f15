"""Looking numbers up in what a bulk run wrote, and in the bulk metadata itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pybadge.derive import derive
from pybadge.derive.bulk.run import derive_bulk
from pybadge.derive.bulk.search import (
    find_in_bulk_metadata,
    find_in_numbers,
    is_numbers_file,
    shared_short_forms,
)
from pybadge.derive.sources.bulk_metadata import from_object
from pybadge.errors import PybadgeError, UsageError
from pybadge.number import parse_number
from tests.support.arxiv_papers import (
    REAL,
    RECORDS,
    bulk_object,
)
from tests.support.bulk_files import made, real, written

SMALL = 4096  # bytes of a range, so that a small file has many


@pytest.fixture
def bulk(tmp_path: Path) -> Path:
    path = tmp_path / "bulk.jsonl"
    path.write_bytes(real())
    return path


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("numbers")
    (folder / "s.jsonl").write_bytes(made(3000) + real())
    derive_bulk(str(folder / "s.jsonl"), str(folder / "n.jsonl"))
    return folder / "n.jsonl"


def test_every_number_is_found_by_binary_search(numbers: Path) -> None:
    assert is_numbers_file(str(numbers))
    entries = written(numbers)
    for entry in [*entries[::37], entries[0], entries[-1]]:
        assert list(find_in_numbers(str(numbers), parse_number(entry["suffix"]))) == [entry]
        for length in (8, 12, 16):
            hits = list(find_in_numbers(str(numbers), parse_number(entry["suffix"][:length])))
            assert hits == [
                other for other in entries if other["suffix"].startswith(entry["suffix"][:length])
            ]


@pytest.mark.parametrize("suffix", ["A" * 26, "7" * 26, "2" * 26, "M" * 26, "A" * 8])
def test_what_is_not_there_is_not_found(suffix: str, numbers: Path) -> None:
    assert list(find_in_numbers(str(numbers), parse_number(suffix))) == []


def test_the_bulk_metadata_is_searched_too(bulk: Path) -> None:
    (found,) = find_in_bulk_metadata(str(bulk), parse_number(REAL["suffix"]))
    assert found == {
        "suffix": REAL["suffix"],
        "number": REAL["pith_number"],
        "arxiv": "2402.15627",
        "version": 1,
    }
    early = derive(from_object(bulk_object(RECORDS[6])), version=1)
    (found,) = find_in_bulk_metadata(str(bulk), early.number)
    assert found["assumed"] is True
    skipped: list[PybadgeError] = []
    bulk.write_bytes(b"{broken\n" + bulk.read_bytes())
    assert (
        list(find_in_bulk_metadata(str(bulk), parse_number("A" * 26), skipped=skipped.append)) == []
    )
    assert len(skipped) == 1


def line(suffix: str, name: str) -> str:
    return json.dumps(
        {
            "suffix": suffix,
            "number": f"pith:2024:{suffix}",
            "arxiv": name,
            "version": 1,
            "offset": 0,
        },
        separators=(",", ":"),
    )


def test_shared_short_forms_are_listed(tmp_path: Path) -> None:
    rows = ["A" * 26, "B" * 8 + "2" * 18, "B" * 8 + "C" * 18, "B" * 12 + "D" * 14, "C" * 26]
    path = tmp_path / "n.jsonl"
    path.write_text(
        "".join(f"{line(suffix, f'2402.0000{n}')}\n" for n, suffix in enumerate(sorted(rows))),
        encoding="ascii",
    )
    eight = list(shared_short_forms(str(path), 8))
    assert [(form, len(entries)) for form, entries in eight] == [("B" * 8, 3)]
    assert list(shared_short_forms(str(path), 12)) == []
    both = list(find_in_numbers(str(path), parse_number("BBBBBBBB")))
    assert len(both) == 3


def test_a_file_that_is_not_sorted_or_not_ours_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl"
    path.write_text(f"{line('B' * 26, 'x')}\n{line('A' * 26, 'y')}\n", encoding="ascii")
    with pytest.raises(UsageError, match="not sorted"):
        list(shared_short_forms(str(path), 8))
    path.write_text(f"{line('B' * 26, 'x')}\nrubbish\n", encoding="ascii")
    with pytest.raises(UsageError, match="did not write"):
        list(shared_short_forms(str(path), 8))


def test_shared_forms_are_counted_on_the_way(tmp_path: Path) -> None:
    """The counts of the summary come from the merge."""
    path = tmp_path / "s.jsonl"
    path.write_bytes(made(2000))
    summary = derive_bulk(str(path), str(tmp_path / "n"), range_bytes=1 << 16)
    forms = [entry["suffix"][:8] for entry in written(tmp_path / "n")]
    assert summary.shared[0] == (8, len(forms) - len(set(forms)))
