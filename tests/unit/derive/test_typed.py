"""What a person types of a paper, against arXiv's closed lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from pybadge.arxiv import is_arxiv_id, is_category
from pybadge.derive import derive
from pybadge.derive.arxiv_lists import CATEGORIES, LICENSES, OLD_ARCHIVES, SAME_CATEGORIES
from pybadge.derive.select import parse_paper
from pybadge.derive.sources.metadata_file import read_metadata_file
from pybadge.derive.typed import id_fault, typed_categories, typed_license, typed_time
from pybadge.errors import MetadataError, UsageError
from tests.support.arxiv_papers import REAL, REAL_NUMBER, RECORDS, facts, toml

BY = "http://creativecommons.org/licenses/by/4.0/"
ARXIV = "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"


# --- the lists


def test_the_lists_hold_all_that_real_records_have() -> None:
    for record in RECORDS:
        metadata = record["canonical_record"]["metadata"]
        assert {metadata["primary_cat"], *metadata["cross_cats_sorted"]} <= {*CATEGORIES}
        assert metadata["license"] in ("", *LICENSES)


def test_the_lists_are_sound() -> None:
    assert len(CATEGORIES) == len(set(CATEGORIES)) == len({name.lower() for name in CATEGORIES})
    assert len(CATEGORIES) == 155 + 21
    assert all(is_category(name) for name in CATEGORIES)
    assert all(name in CATEGORIES for pair in SAME_CATEGORIES for name in pair)
    assert {"cs.LG", "eess.SY", "econ.GN", "astro-ph", "cmp-lg", "q-bio"} <= {*CATEGORIES}
    for address, names in LICENSES.items():
        assert address.startswith("http://")
        assert address.endswith("/")
        for name in names:
            assert typed_license(name)[0] == address
    for record in RECORDS:
        archive, slash, _ = record["canonical_record"]["source"]["id"].partition("/")
        assert not slash or archive in OLD_ARCHIVES


# --- categories


@pytest.mark.parametrize(
    "text",
    [
        "cs.LG cs.DC",
        "cs.LG, cs.DC",
        "cs.LG; cs.DC",
        "cs.LG,cs.DC,",
        " cs.LG\n cs.DC ",
        "cs.LG cs.DC cs.LG",
        "Machine Learning (cs.LG); Distributed, Parallel, and Cluster Computing (cs.DC)",
    ],
)
def test_categories_are_read_as_they_are_typed_or_copied(text: str) -> None:
    assert typed_categories(text) == (("cs.LG", "cs.DC"), ())


def test_letter_case_is_mended_with_a_note() -> None:
    categories, notes = typed_categories("cs.lg MATH-PH q-bio.qm")
    assert categories == ("cs.LG", "math-ph", "q-bio.QM")
    assert [text for _, text in notes] == [
        "cs.lg is read as cs.LG",
        "MATH-PH is read as math-ph",
        "q-bio.qm is read as q-bio.QM",
    ]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("", "no category"),
        (" ,;", "no category"),
        ("()", "no category"),
        ("cs.LGG", r"did you mean cs\.LG\?"),
        ("cs", r"did you mean cs\.AI\?"),
        ("quantph", r"did you mean quant-ph\?"),
        ("foo", "category_taxonomy"),
        ("cs.LG foo", "'foo' is not an arXiv category"),
        ("cs.LG " * 65, "more than 64"),
        ("x" * 3000, "3000 characters"),
        ("\x1b[31m", "not an arXiv category"),
    ],
)
def test_other_categories_are_refused_with_the_nearest_one(text: str, word: str) -> None:
    with pytest.raises(MetadataError, match=word) as caught:
        typed_categories(text)
    assert str(caught.value).isprintable()


# --- licences


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("CC BY 4.0", BY),
        ("cc-by-4.0", BY),
        ("CC-BY 4.0 ", BY),
        ("https://creativecommons.org/licenses/by/4.0/", BY),
        ("https://creativecommons.org/licenses/by/4.0/deed.en", BY),
        ("http://creativecommons.org/licenses/by/4.0", BY),
        ("www.creativecommons.org/licenses/by/4.0", BY),
        ("Creative Commons Attribution 4.0 International", BY),
        ("CC BY: Creative Commons Attribution", BY),
        ("CC BY-NC-SA 4.0", "http://creativecommons.org/licenses/by-nc-sa/4.0/"),
        ("cc by-nc-sa 3.0", "http://creativecommons.org/licenses/by-nc-sa/3.0/"),
        ("CC0", "http://creativecommons.org/publicdomain/zero/1.0/"),
        ("https://arxiv.org/licenses/nonexclusive-distrib/1.0/", ARXIV),
        ("http://arxiv.org/licenses/nonexclusive-distrib/1.0/license.html", ARXIV),
        ("arXiv.org perpetual, non-exclusive licence to distribute this article", ARXIV),
        ("nonexclusive-distrib/1.0", ARXIV),
        ("arXiv", ARXIV),
    ],
)
def test_licences_are_read_as_they_are_typed_or_copied(text: str, address: str) -> None:
    found, ((code, note),) = typed_license(text)
    assert found == address
    assert code == "derive.license"
    assert address in note


def test_arxivs_own_addresses_and_none_need_no_note() -> None:
    for address in LICENSES:
        assert typed_license(address) == (address, ())
    assert typed_license("none") == typed_license("None") == ("", ())


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("CC BY", r"the nearest is CC BY 4\.0, http://creativecommons"),
        ("CC BY-NC 4.0", r"the nearest is CC BY-NC-SA 4\.0"),
        ("MIT", "which are CC BY 4"),
        ("foo", "or none, where the paper has none"),
        ("", "which are CC BY 4"),
        ("https://example.org/", "arXiv's licences"),
        ("x" * 10_000, "arXiv's licences"),
        ("\u202eCC BY 4.0", "arXiv's licences"),
    ],
)
def test_other_licences_are_refused_with_the_nearest_one(text: str, word: str) -> None:
    with pytest.raises(MetadataError, match=word) as caught:
        typed_license(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400


# --- times


@pytest.mark.parametrize(
    "text",
    [
        "[v1] Fri, 23 Feb 2024 22:10:59 UTC (1,234 KB)",
        "[v1] Fri, 23 Feb 2024 22:10:59 UTC (1.2 MB)",
        "Fri, 23 Feb 2024 22:10:59 GMT (87kb)",
        "Fri, 23 Feb 2024 22:10:59 UTC",
        "23 Feb 2024 22:10:59 UTC",
        "2024-02-23T22:10:59Z",
    ],
)
def test_times_are_read_as_arxiv_writes_them(text: str) -> None:
    assert typed_time(text) == "2024-02-23T22:10:59Z"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[v2] Fri, 23 Feb 2024 22:10:59 UTC (1,234 KB)", "the time of v1, not of v2"),
        ("[v1]", "must be a UTC time"),
        ("Fri, 23 Feb 2024", "must be a UTC time"),
        ("yesterday", "must be a UTC time"),
        ("[v1] Fri, 30 Feb 2024 22:10:59 UTC (1 KB)", "a time that exists"),
        ("x" * 10_000, "must be a UTC time"),
    ],
)
def test_other_times_are_refused(text: str, word: str) -> None:
    with pytest.raises(MetadataError, match=word):
        typed_time(text)


# --- ids


@pytest.mark.parametrize("record", RECORDS[::3], ids=lambda record: str(record["pith_number"]))
def test_the_ids_of_real_papers_can_be(record: dict[str, str]) -> None:
    name = facts(record)["id"]
    for text in (name, f"{name}v1", f"arXiv:{name}v2", f"https://arxiv.org/pdf/{name}v3.pdf"):
        assert id_fault(text) is None
        assert parse_paper(text).id == name


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("2402.15627v0", "versions begin at v1"),
        ("2402.15627v01", "versions begin at v1"),
        ("2402.15627v", "the version's number is missing"),
        ("2402.15627v12345", "no paper has so many versions"),
        ("arXiv:2402.15627v0", "versions begin at v1"),
        ("https://arxiv.org/abs/2402.15627v0", "versions begin at v1"),
        ("2413.15627", "there is no month 13"),
        ("2400.15627", "there is no month 00"),
        ("https://arxiv.org/abs/2413.15627", "there is no month 13"),
        ("10.48550/arXiv.2413.15627", "there is no month 13"),
        ("2402.1562", "5 digits after the point, this has 4"),
        ("2402.99999999", "5 digits after the point, this has 8"),
        ("1412.12345", "4 digits after the point, this has 5"),
        ("0703.0001", "begin with 0704, April 2007"),
        ("hep-lat/0313021", "there is no month 13"),
        ("hep-lat/030502", "7 digits after it, this has 6"),
        ("hep-lat/0305021v0", "versions begin at v1"),
        ("hep-lat/1205021", "of the years 1991 to 2007"),
        ("hep-latt/0305021", "no archive hep-latt; did you mean hep-lat"),
        ("foo", "ids look like 2402.15627v1 or hep-lat/0305021"),
        ("foo bar", "ids look like"),
        ("", "ids look like"),
        ("paper.json", "--metadata"),
        ("./paper", "--metadata"),
        ("-", "--metadata"),
        ("XR2UHLWN", "a number can't be turned back into a paper, but see --find"),
        (REAL_NUMBER, "--find"),
    ],
)
def test_what_is_no_arxiv_id_is_called_so(text: str, word: str) -> None:
    with pytest.raises(UsageError, match=word) as caught:
        parse_paper(text)
    message = str(caught.value)
    assert "not an arXiv id" in message
    assert "Pith Number" not in message


def test_every_id_that_is_refused_for_its_form_is_none_of_arxivs() -> None:
    """The other direction: the stricter rule refuses nothing that the looser one does not take."""
    for text in ("2402.15627", "0704.0001", "1412.9999", "1501.00001", "math.GT/0309136"):
        assert is_arxiv_id(text)
        assert id_fault(text) is None


# --- a file written by hand


def notes_of(text: str, folder: Path) -> tuple[str, list[str]]:
    path = folder / "paper.toml"
    path.write_text(text, encoding="utf-8")
    derivation = derive(read_metadata_file(str(path))[0])
    return derivation.number.text, [f"{code}: {note}" for code, note in derivation.notes]


def test_a_file_by_hand_takes_names_of_licences_too(tmp_path: Path) -> None:
    by = toml(REAL).replace(ARXIV, BY)
    expected, nothing = notes_of(by, tmp_path)
    assert nothing == []
    number, (note,) = notes_of(toml(REAL).replace(ARXIV, "CC BY 4.0"), tmp_path)
    assert number == expected
    assert "read as" in note
    with pytest.raises(MetadataError, match=r"paper\.toml: license 'foo' is not one of arXiv's"):
        notes_of(toml(REAL).replace(ARXIV, "foo"), tmp_path)


def test_addresses_in_a_file_by_hand_are_hashed_as_they_stand(tmp_path: Path) -> None:
    number, (note,) = notes_of(toml(REAL).replace("http://arxiv", "https://arxiv"), tmp_path)
    assert number != REAL_NUMBER
    assert ARXIV in note
    _, (note,) = notes_of(toml(REAL).replace(ARXIV, "https://example.org/mine"), tmp_path)
    assert "is not one of arXiv's licences" in note


def test_no_licence_in_a_file_by_hand_must_be_said(tmp_path: Path) -> None:
    without = "\n".join(line for line in toml(REAL).splitlines() if not line.startswith("license"))
    number, (note,) = notes_of(without, tmp_path)
    assert 'license = "none"' in note
    for value in ("", "none"):
        assert notes_of(toml(REAL).replace(ARXIV, value), tmp_path) == (number, [])


def test_categories_and_time_in_a_file_by_hand(tmp_path: Path) -> None:
    text = toml(REAL).replace('["cs.LG", "cs.DC"]', '"cs.LG, cs.DC"')
    assert text != toml(REAL)
    assert notes_of(text, tmp_path) == (REAL_NUMBER, [])
    number, notes = notes_of(toml(REAL).replace("cs.DC", "cs.dc"), tmp_path)
    assert number != REAL_NUMBER
    assert notes == ["derive.category: 'cs.dc' is not an arXiv category; did you mean cs.DC?"]
    page = '"[v1] Fri, 23 Feb 2024 22:10:59 UTC (1,234 KB)"'
    assert notes_of(toml(REAL).replace("2024-02-23T22:10:59Z", page), tmp_path) == (REAL_NUMBER, [])


def test_a_later_version_by_hand_is_not_called_unknown(tmp_path: Path) -> None:
    _, notes = notes_of(toml(REAL).replace("version = 1", "version = 2"), tmp_path)
    assert notes == []
