"""``[pith:NUMBER]`` in Python-Markdown."""

from __future__ import annotations

from pathlib import Path

import markdown
import pytest

from tests.support.markup_engines import LINK, images

DATA = Path(__file__).parents[2] / "data"
NUMBER = "XR2UHLWNHHFSD4ZJJXWRU6R6QP"


@pytest.fixture
def records(tmp_path):
    (tmp_path / f"{NUMBER}.json").write_bytes((DATA / "record-XR2UHLWN.json").read_bytes())
    return str(tmp_path)


def convert(text, **options):
    # By its entry point, as MkDocs loads it.
    return markdown.markdown(
        text, extensions=["pith", "extra"], extension_configs={"pith": options}
    )


@pytest.mark.parametrize(
    "written", [f"pith:{NUMBER}", f"pith:2024:{NUMBER}", f"pith:{NUMBER.lower()}"]
)
def test_verified_from_the_folder(records, written):
    page = convert(f"Before [{written}] after.", records=records)
    assert images(page) == [(LINK, f"pith: pith:2024:{NUMBER}, verified")]
    assert page.startswith("<p>Before <a")
    assert page.endswith("</a> after.</p>")


def test_without_a_record_it_says_so():
    assert images(convert(f"[pith:{NUMBER}]")) == [(LINK, f"pith: pith:{NUMBER}, not checked")]


def test_another_year_is_invalid(records):
    ((_, words),) = images(convert(f"[pith:2023:{NUMBER}]", records=records))
    assert words.endswith("invalid")


def test_table_cell_heading_and_emphasis(records):
    text = f"# x [pith:{NUMBER}]\n\n| a | b |\n|---|---|\n| [pith:{NUMBER}] | *[pith:{NUMBER}]* |\n"
    assert len(images(convert(text, records=records))) == 3


@pytest.mark.parametrize(
    "text",
    [
        "[pith:XR2UHLWN]",
        f"`[pith:{NUMBER}]`",
        f"\\[pith:{NUMBER}]",
        f"    [pith:{NUMBER}]",
        f"[pith:{NUMBER}A]",
        f"[pith:{NUMBER[:-1]}0]",
        f"[pith:{NUMBER}](https://example.org)",
        "[pith](https://example.org)",
    ],
)
def test_everything_else_stays_as_it_is(records, text):
    assert convert(text, records=records) == markdown.markdown(text, extensions=["extra"])


def test_style_and_label(records):
    page = convert(f"[pith:{NUMBER}]", records=records, style="for-the-badge", label='<b> & "x"')
    assert images(page) == [(LINK, f'<b> & "x": pith:2024:{NUMBER}, verified')]
    assert 'height="28"' in page


def test_broken_record_file_is_a_clear_error(tmp_path):
    from pybadge import PybadgeError

    (tmp_path / f"{NUMBER}.json").write_text("{")
    with pytest.raises(PybadgeError, match=r"pith:XR2UHLWN: .*not JSON"):
        convert(f"[pith:{NUMBER}]", records=str(tmp_path))
