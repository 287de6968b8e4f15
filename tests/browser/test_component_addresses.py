"""What the component fetches, and what it says of answers that are no record."""

from __future__ import annotations

import base64
import threading

import pytest

from tests.support.browsing import expect


def test_a_record_that_is_not_found_is_not_checked(component):
    watched = component.open()
    report = expect(component, watched.page, "not-checked", "parse")
    assert "404" in report["checks"][0]["detail"]
    # The browser itself logs a failed fetch; nothing else may stand there.
    assert all("404" in line for line in watched.complaints)
    watched.complaints.clear()


@pytest.mark.parametrize(
    "type", ["text/html", "text/plain", "application/octet-stream", "application/jsonp"]
)
def test_an_answer_of_another_type_is_not_checked(shipped, type):
    shipped.server.put("/record.json", shipped.record, type)
    report = expect(shipped, shipped.open().page, "not-checked", "parse")
    assert type in report["checks"][0]["detail"]


def test_a_slow_answer_is_not_waited_for(shipped):
    release = threading.Event()
    shipped.server.put("/record.json", shipped.record, release=release)
    expect(
        shipped, shipped.open(shipped.element(more='timeout="0.5"')).page, "not-checked", "parse"
    )
    patient = shipped.open().page
    assert shipped.shown(patient) == "◉pith…XR2UHLWN checking"
    release.set()
    assert shipped.report(patient)["state"] == "verified"


def test_a_huge_answer_is_unreadable(shipped):
    shipped.server.put("/record.json", b" " * (1 << 20), times=64)
    page = shipped.open().page
    report = expect(shipped, page, "unreadable", "parse")
    assert report["checks"][0]["code"] == "json.size"


def test_a_browser_that_is_offline_says_so(shipped):
    shipped.server.put("/record.json", shipped.record)
    watched = shipped.open("<p>")
    watched.page.context.set_offline(True)
    watched.page.evaluate("html => { document.body.innerHTML = html }", shipped.element())
    expect(shipped, watched.page, "offline", "parse")
    watched.complaints.clear()


def test_the_component_follows_no_redirects(shipped):
    shipped.server.put("/record.json", b"", status=302, headers={"Location": "/other.json"})
    shipped.server.put("/other.json", shipped.record)
    watched = shipped.open()
    expect(shipped, watched.page, "offline", "parse")
    assert "/other.json" not in shipped.server.asked
    watched.complaints.clear()


@pytest.mark.parametrize(
    "src",
    [
        "http://example.org/record.json",
        "javascript:alert(1)",
        "file:///etc/passwd",
        "blob:x",
        "ftp://127.0.0.1/x",
        "",
    ],
)
def test_an_address_of_another_kind_is_not_asked(shipped, src):
    expect(shipped, shipped.open(shipped.element(src=src)).page, "not-checked", "parse")


def test_a_data_address_is_not_taken(shipped):
    encoded = base64.b64encode(shipped.record).decode()
    expect(
        shipped,
        shipped.open(shipped.element(src=f"data:application/json;base64,{encoded}")).page,
        "not-checked",
        "parse",
    )
