"""The table of formats, and what a snippet needs."""

from __future__ import annotations

import re

import pytest

import pybadge
from pybadge.embed import FORMATS, WHERE, placement_of, snippet, travels_badly, write_site
from pybadge.embed.snippets import MACHINES, format_of
from pybadge.errors import NotFoundError, OutputError, UsageError
from pybadge.number import parse_number
from pybadge.output import write_file
from pybadge.verification import unreadable
from tests.support.data import NUMBER, RECORD, RECORD_URL, ROOT, SUFFIX


def test_the_documentation_has_a_section_for_every_format():
    text = (ROOT / "docs" / "embeds.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### (\S+)\n\n(.*)\.$", text, re.MULTILINE)
    assert sections == [(name, WHERE[name][:1].upper() + WHERE[name][1:]) for name in FORMATS]


def test_a_format_that_is_nearly_right_is_suggested(report):
    for function in (
        lambda: snippet(report, format="htlm"),
        lambda: travels_badly("htlm", "badge.svg"),
    ):
        with pytest.raises(UsageError, match=r"format: invalid choice: 'htlm'.*did you mean html"):
            function()


def test_pages_of_our_own_show_every_format_but_those_for_machines(report):
    place = placement_of(report)
    for name in FORMATS:
        live = format_of(name).live
        assert (live is None) == (name in MACHINES)
        if live is not None:
            assert RECORD_URL in live(place)


def test_without_a_record_the_number_that_was_asked_for_is_linked():
    missing = unreadable(NotFoundError("nobody knows it"), asked=parse_number(NUMBER))
    text = snippet(missing)
    assert f'href="{RECORD_URL}"' in text
    assert "unknown" in text
    for report in (
        unreadable(NotFoundError("nobody knows it")),
        unreadable(NotFoundError("nobody knows it"), asked=parse_number(SUFFIX[:8])),
    ):
        with pytest.raises(UsageError, match="no full number to link to"):
            snippet(report)


def test_a_site_is_written_whole_and_told(report, tmp_path):
    folder = tmp_path / "deep" / "site"
    record = pybadge.load(RECORD)
    paths = write_site(
        report, record, str(folder), write_file, image_url="https://example.org/x/badge.svg"
    )
    assert sorted(paths) == sorted(str(path) for path in folder.iterdir())
    page = (folder / "index.html").read_text(encoding="utf-8")
    assert "https://example.org/x/badge-dark.svg" in page
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="can't be made: "):
        write_site(report, record, str(tmp_path / "file" / "site"), write_file)
