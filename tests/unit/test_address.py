"""Addresses: which may be asked, and where a record's page is."""

from __future__ import annotations

import pytest

from pybadge.address import DEFAULT_RESOLVER, LOOPBACK, checked_url, record_url
from pybadge.errors import UsageError
from tests.support.data import RECORD_URL, SUFFIX


@pytest.mark.parametrize(
    "url",
    [
        "https://pith.science",
        "https://pith.science:443/x",
        "https://pith.science/a?b=c#d",
        "http://127.0.0.1:8000/x",
        "http://localhost",
        "http://[::1]:9/x",
        "https://127.0.0.1:8443",
    ],
)
def test_an_address_that_may_be_asked_is_given_back(url: str) -> None:
    assert checked_url(url) == url


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://pith.science", "plain http"),
        ("http://127.0.0.2/", "plain http"),
        ("http://localhost.evil.example/", "plain http"),
        ("file:///etc/passwd", "only https"),
        ("ftp://pith.science/x", "only https"),
        ("javascript:alert(1)", "only https"),
        ("//pith.science/x", "only https"),
        ("pith.science", "only https"),
        ("", "only https"),
        ("https://pith.science@evil.example/", "user name"),
        ("https://:secret@pith.science/", "user name"),
        ("https://@pith.science/", "user name"),
        ("https://pith.science:8443/", "port"),
        ("https://pith.science:80/", "port"),
        ("https://pith.science:99999/", "not an address"),
        ("https://pith.science./", "dot"),
        ("https:///x", "host"),
        ("https://", "host"),
        ("https://[::1", "not an address"),
        ("https://pіth.science/", "ASCII"),
        ("https://pith.science／.evil.example/", "ASCII"),
        ("https://pith.science\t.evil.example/", "ASCII"),
        ("https://pith.science\\@evil.example/", "ASCII"),
        ("https://pith.science/a b", "ASCII"),
        ("https://pith.science/\x7f", "ASCII"),
        (" https://pith.science/", "ASCII"),
    ],
)
def test_an_address_that_may_not_be_asked_is_refused_with_its_reason(url: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as caught:
        checked_url(url)
    assert str(caught.value).isprintable()


def test_a_records_page_is_at_the_resolver() -> None:
    assert record_url(SUFFIX) == RECORD_URL == f"{DEFAULT_RESOLVER}/pith/{SUFFIX}"
    assert record_url("X", "https://mirror.example/") == "https://mirror.example/pith/X"


def test_this_machine_has_three_names() -> None:
    assert LOOPBACK == ("127.0.0.1", "localhost", "::1")
