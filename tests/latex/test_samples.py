"""The two-line snippet pasted into the sample document of each class in texlive-publishers.

Debian leaves out many of the logos and fonts that samples ask for. Such a sample has errors of its
own: then pith must add none. Where no PDF comes of it at all, a small paper of the same class
stands in.
"""

from __future__ import annotations

import re
from collections import Counter

import pytest

from tests.support.latex import checks, contact_sheet
from tests.support.latex.build import SNIPPET, Build, Source, build
from tests.support.latex.papers import Paper, Rect
from tests.support.latex.samples import classes, sample

AT_THE_FOOT = SNIPPET.replace("{pith}", "[place=bottom]{pith}")

# What the package can't know of a page; the manual names the classes that take it out of TeX's
# hands altogether.
KNOWN = {
    "FUpowerdot": "powerdot turns its slides in PostScript, so TeX's page is not the sheet",
    "URbeamer": "the theme puts a logo on a full slide by its place on the sheet",
    "jourcl": (
        "the letter moves back up the page by a skip, so text stands below what TeX "
        "takes for its end"
    ),
    "tudaleaflet": (
        "leaflet takes the pages apart before they are shipped, and this one has no title"
    ),
}

pytestmark = [pytest.mark.full, pytest.mark.host]


def first_with_pdf(name: str) -> tuple[Source, Build] | None:
    """The first version of the sample of the class that gives a PDF without pith."""
    for source in sample(name).sources():
        bare = build(source.without_pith())
        # A template that is one error after another says nothing about what stands beside it.
        if bare.pdf.exists() and 124 not in bare.exit_codes and len(bare.errors) <= 10:
            try:
                Paper(bare.pdf).pages  # noqa: B018 # a run that ends early can leave half a file
            except Exception:  # whatever the PDF library calls it: no PDF
                continue
            return source, bare
    return None


def _kind(error: str) -> str:
    """An error without its place; a font that the machine lacks is one error at whatever size."""
    return re.sub(r"^\S+:\d+: |Font \S+ at \S+|Font .*(?= not loadable)", "", error).strip()


@pytest.mark.parametrize("name", classes())
def test_the_snippet_in_a_sample_document_adds_a_badge_and_no_error(
    name: str, request: pytest.FixtureRequest
) -> None:
    if name in KNOWN:
        request.applymarker(pytest.mark.xfail(reason=KNOWN[name], strict=True))
    found = first_with_pdf(name)
    if found is None:
        pytest.skip("neither the sample nor a small paper gives a PDF without pith")
    source, bare = found
    ours = build(source.with_pith())
    assert not Counter(map(_kind, ours.errors)) - Counter(map(_kind, bare.errors))
    assert ours.exit_codes == bare.exit_codes
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        contact_sheet.keep(f"sample-{name}", after)
        if after.pages != before.pages:
            # The sample fills a page to its last line, so any line more is a page more. The
            # manual's way out must work.
            assert after.pages == before.pages + 1
            assert Paper(build(source.with_pith(AT_THE_FOOT)).pdf).pages == before.pages
        links = after.record_links()
        anonymous = "anonymous" in source.main.split("%PITH%")[0]
        assert len(links) == (0 if anonymous else 1)
        for link in links:
            assert (
                link.page <= 2
            )  # Elsevier's sample begins with a graphical abstract and highlights
            assert after.text_in(link.page, link.rect) == "pith:XR2UHLWN"
            assert checks.overprinted(before, after, link) == []
            width, height = after.page_size(link.page)
            assert Rect(0, 0, width, height).contains(link.rect)
