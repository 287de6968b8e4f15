"""What a text names: a number, an arXiv id, a DOI, an address, a file, or standard input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pybadge.arxiv import ArxivId
from pybadge.errors import NumberError, PybadgeError, UsageError
from pybadge.resolve import Resolver, locate
from pybadge.verification import report_on
from tests.support.data import NUMBER, RECORD_BYTES, SUFFIX


@pytest.mark.parametrize(
    ("text", "kind", "detail"),
    [
        (NUMBER, "number", SUFFIX),
        (SUFFIX.lower(), "number", SUFFIX),
        (f" {SUFFIX}\n", "number", SUFFIX),
        ("pith:XR2UHLWN", "number", "XR2UHLWN"),
        ("2402.15627", "arxiv", ("2402.15627", None)),
        ("2402.15627v3", "arxiv", ("2402.15627", 3)),
        ("arXiv:2402.15627V12", "arxiv", ("2402.15627", 12)),
        ("arxiv: 2402.15627", "arxiv", ("2402.15627", None)),
        ("hep-lat/0305021", "arxiv", ("hep-lat/0305021", None)),
        ("HEP-LAT/0305021v1", "arxiv", ("hep-lat/0305021", 1)),
        ("math.gt/0309136", "arxiv", ("math.GT/0309136", None)),
        ("solv-int/9701001", "arxiv", ("solv-int/9701001", None)),
        ("https://arxiv.org/abs/2402.15627v1", "arxiv", ("2402.15627", 1)),
        ("http://arxiv.org/pdf/2402.15627v1.pdf", "arxiv", ("2402.15627", 1)),
        ("arxiv.org/abs/hep-lat/0305021", "arxiv", ("hep-lat/0305021", None)),
        ("https://www.arxiv.org/abs/2402.15627?context=cs#top", "arxiv", ("2402.15627", None)),
        ("https://export.arxiv.org/html/2402.15627v2/", "arxiv", ("2402.15627", 2)),
        ("10.48550/arXiv.2402.15627", "arxiv", ("2402.15627", None)),
        ("doi:10.48550/ARXIV.2402.15627", "arxiv", ("2402.15627", None)),
        ("https://doi.org/10.48550/arXiv.hep-lat/0305021", "arxiv", ("hep-lat/0305021", None)),
        ("https://dx.doi.org/10.48550%2FarXiv.2402.15627", "arxiv", ("2402.15627", None)),
        ("doi.org/10.48550/arXiv.2402.15627", "arxiv", ("2402.15627", None)),
        (f"https://pith.science/pith/{SUFFIX}", "url", SUFFIX),
        (f"https://pith.science/pith/{SUFFIX}.json", "url", SUFFIX),
        ("https://pith.science/pith/xr2uhlwn", "url", "XR2UHLWN"),
        ("https://pith.science/paper/XR2UHLWN", "url", "XR2UHLWN"),
        (f"https://mirror.example/.well-known/pith/{SUFFIX}/bundle.json", "url", SUFFIX),
        ("record.json", "file", None),
        (f"saved/{SUFFIX}.json", "file", SUFFIX),
        (f"saved/{SUFFIX[:8]}.json", "file", None),
        ("./2402.15627", "file", None),
        ("-", "stdin", None),
    ],
)
def test_a_text_names_what_it_looks_like(text: str, kind: str, detail: Any) -> None:
    located = locate(text)
    assert located.kind == kind
    assert located.text == text
    if kind == "arxiv":
        assert located.paper == ArxivId(*detail)
    else:
        assert (located.number.suffix if located.number else None) == detail


@pytest.mark.parametrize(
    ("texts", "key"),
    [
        ([SUFFIX, NUMBER, SUFFIX.lower(), f"pith:{SUFFIX}"], f"pith:{SUFFIX}"),
        (["2402.15627", "arXiv:2402.15627", "10.48550/arXiv.2402.15627"], "arxiv:2402.15627"),
        (["2402.15627v2", "https://arxiv.org/abs/2402.15627v2"], "arxiv:2402.15627v2"),
        (["math.GT/0309136", "MATH.gt/0309136"], "arxiv:math.gt/0309136"),
        (["record.json", " record.json"], "record.json"),
        (["-"], "-"),
    ],
)
def test_ways_of_asking_for_the_same_thing_have_the_same_key(texts: list[str], key: str) -> None:
    assert {locate(text).key for text in texts} == {key}


def test_an_address_of_a_record_leads_to_its_json() -> None:
    for page in ("pith", "paper"):
        located = locate(f"https://mirror.example/{page}/{SUFFIX.lower()}")
        assert located.address == f"https://mirror.example/pith/{SUFFIX}.json"
    bundle = f"https://mirror.example/pith/{SUFFIX}/bundle.json"
    assert locate(bundle).address == bundle


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "missing"),
        ("hello", "characters"),
        ("0R2UHLWN", "letter O"),
        ("ХR2UHLWN", "CYRILLIC CAPITAL LETTER HA"),
        ("XR2UHLWN\nXR2UHLWN", "line break"),
        ("XR2UHLWN\x00", "NUL"),
        ("a" * 5000, "5000 characters"),
        ("10.1000/182", "arXiv's own DOIs"),
        ("https://doi.org/10.1000/182", "arXiv's own DOIs"),
        ("doi:10.48550/arXiv.nonsense", "not an arXiv id"),
        ("arxiv:nonsense", "not an arXiv id"),
        ("arxiv:2402.15627v0", "not an arXiv id"),
        ("arxiv:../../etc/passwd", "not an arXiv id"),
        ("https://arxiv.org/list/cs.LG", "address of a paper"),
        ("https://pith.science/about", "record's address"),
        ("https://pith.science/pith/../../etc", "record's address"),
        (f"https://pith.science/pith/{SUFFIX}/other.json", "record's address"),
        ("https://pith.science/pith/0R2UHLWN", "letter O"),
        ("http://pith.science/pith/XR2UHLWN", "plain http"),
        ("file:///etc/passwd", "only https"),
        ("ftp://pith.science/pith/XR2UHLWN", "only https"),
        ("data://pith/pith/XR2UHLWN", "only https"),
        ("https://pith.science@evil.example/pith/XR2UHLWN", "user name"),
        ("https://pith.science:8443/pith/XR2UHLWN", "port"),
        ("https://pith.science./pith/XR2UHLWN", "dot"),
        ("https://pіth.science/pith/XR2UHLWN", "ASCII"),
        ("https:///pith/XR2UHLWN", "host"),
        ("https://[::1/pith/XR2UHLWN", "not an address"),
    ],
)
def test_what_names_nothing_says_why(text: str, reason: str) -> None:
    with pytest.raises(PybadgeError, match=reason) as caught:
        locate(text)
    assert isinstance(caught.value, (UsageError, NumberError))
    assert caught.value.exit_code == 2
    assert str(caught.value).isprintable()
    assert report_on(text, Resolver(offline=True)).exit_code == 2


@given(st.text(max_size=60) | st.text(alphabet="arxiv:dohtps/.0123456789v%", max_size=60))
def test_no_text_does_anything_but_be_located_or_refused(text: str) -> None:
    try:
        located = locate(text)
    except (UsageError, NumberError):
        return
    assert located.kind in ("number", "arxiv", "file", "stdin", "url")
    assert isinstance(located.key, str)


@pytest.mark.parametrize(
    "text",
    [
        "a" * 1_000_000,
        "1." * 500_000,
        "2402." + "1" * 1_000_000,
        "https://" + "a." * 500_000,
        "10.48550/arxiv." + "1" * 1_000_000,
        "v" * 1_000_000,
        "/" * 1_000_000,
    ],
    ids=lambda text: text[:15],
)
def test_a_long_text_is_refused_by_its_length_alone(text: str) -> None:
    with pytest.raises(UsageError, match=f"{len(text)} characters name nothing"):
        locate(text)


def test_a_stray_file_stands_in_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (SUFFIX, "2402.15627", "2402.15627v1", "record", "record.dat"):
        Path(name).write_bytes(RECORD_BYTES)
    assert locate(SUFFIX).kind == "number"
    assert locate("2402.15627v1").kind == "arxiv"
    assert locate("record.dat").kind == "file"
    with pytest.raises(NumberError, match=r"the file of that name is \./record"):
        locate("record")
