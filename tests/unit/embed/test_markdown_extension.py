"""``[pith:SUFFIX]`` in Python-Markdown."""

from __future__ import annotations

import markdown
import pytest

from tests.support.data import RECORD_BYTES, SUFFIX
from tests.support.markup_engines import LINK, images


@pytest.fixture
def records(tmp_path):
    (tmp_path / f"{SUFFIX}.json").write_bytes(RECORD_BYTES)
    return str(tmp_path)


def convert(text, **options):
    # By its entry point, as MkDocs loads it.
    return markdown.markdown(
        text, extensions=["pith", "extra"], extension_configs={"pith": options}
    )


@pytest.mark.parametrize(
    "written", [f"pith:{SUFFIX}", f"pith:2024:{SUFFIX}", f"pith:{SUFFIX.lower()}"]
)
def test_a_record_of_the_folder_is_verified(records, written):
    page = convert(f"Before [{written}] after.", records=records)
    assert images(page) == [(LINK, f"pith: pith:2024:{SUFFIX}, verified")]
    assert page.startswith("<p>Before <a")
    assert page.endswith("</a> after.</p>")


def test_without_a_record_it_says_so():
    assert images(convert(f"[pith:{SUFFIX}]")) == [(LINK, f"pith: pith:{SUFFIX}, not checked")]


def test_another_year_is_invalid(records):
    ((_, words),) = images(convert(f"[pith:2023:{SUFFIX}]", records=records))
    assert words.endswith("invalid")


def test_a_snippet_may_stand_in_a_cell_a_heading_and_emphasis(records):
    text = f"# x [pith:{SUFFIX}]\n\n| a | b |\n|---|---|\n| [pith:{SUFFIX}] | *[pith:{SUFFIX}]* |\n"
    assert len(images(convert(text, records=records))) == 3


@pytest.mark.parametrize(
    "text",
    [
        "[pith:XR2UHLWN]",
        f"`[pith:{SUFFIX}]`",
        f"\\[pith:{SUFFIX}]",
        f"    [pith:{SUFFIX}]",
        f"[pith:{SUFFIX}A]",
        f"[pith:{SUFFIX[:-1]}0]",
        f"[pith:{SUFFIX}](https://example.org)",
        "[pith](https://example.org)",
    ],
)
def test_everything_else_stays_as_it_is(records, text):
    assert convert(text, records=records) == markdown.markdown(text, extensions=["extra"])


def test_style_and_label_reach_the_snippet(records):
    page = convert(f"[pith:{SUFFIX}]", records=records, style="for-the-badge", label='<b> & "x"')
    assert images(page) == [(LINK, f'<b> & "x": pith:2024:{SUFFIX}, verified')]
    assert 'height="28"' in page


def test_broken_record_file_is_a_clear_error(tmp_path):
    from pybadge import PybadgeError

    (tmp_path / f"{SUFFIX}.json").write_text("{")
    with pytest.raises(PybadgeError, match=r"pith:XR2UHLWN: .*not JSON"):
        convert(f"[pith:{SUFFIX}]", records=str(tmp_path))
