"""What must hold for a paper with pith, seen beside the same paper without it. Each check returns
its complaints."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.support.data import RECORD_URL, SUFFIX
from tests.support.latex.build import TEXROOT, Build, release
from tests.support.latex.documents import Document
from tests.support.latex.papers import VISIBLE, Link, Paper, Rect

NUMBER = f"pith:{SUFFIX}"
STAMP = 36.0  # points: arXiv prints its stamp at x <= 32 on page 1


def settle(complaints: list[str]) -> None:
    """Fail the test with all complaints, a line each."""
    __tracebackhide__ = True
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)


def need(bare: Build) -> None:
    """Skip the test where another TeX Live fails on the document as it is without pith."""
    if TEXROOT and not bare.ok:
        pytest.skip(f"TeX Live {release()} fails on it without pith too: {bare.errors[:1]}")


def compiled(bare: Build, ours: Build) -> list[str]:
    """No failed run, and no error, warning or full box that was not there before."""
    need(bare)
    complaints = []
    if not bare.ok:
        complaints.append(
            f"the document fails without pith: exit codes {bare.exit_codes}, {bare.errors[:3]}"
        )
    if not ours.ok:
        complaints.append(f"exit codes {ours.exit_codes}, errors {ours.errors[:3]}")
    complaints += [f"new error: {line}" for line in ours.errors if line not in bare.errors][:3]
    new = Counter(ours.warnings) - Counter(bare.warnings)
    complaints += [f"new warning: {line} ({count} times)" for line, count in new.items()]
    # The qrcode package keeps the matrices it has computed there.
    written = "".join(
        line
        for line in ours.aux.splitlines()
        if not line.startswith(("\\qr@savematrix", "\\gdef\\qr@"))
    )
    if "pith" in written.replace("pith.sty", "").lower() and "Pith Test" not in written:
        complaints.append("the .aux has something of pith in it")
    if ours.runs > max(bare.runs, 2):
        complaints.append(f"{ours.runs} runs instead of {bare.runs}")
    return complaints


def pages_unchanged(bare: Paper, ours: Paper) -> list[str]:
    return [] if bare.pages == ours.pages else [f"{ours.pages} pages instead of {bare.pages}"]


def badge(document: Document, bare: Paper, ours: Paper) -> list[str]:
    """Exactly one badge, where it belongs, with its link, its text and nothing under or over it."""
    links = ours.record_links()
    if document.place == "none":
        return no_trace(ours)
    if len(links) != 1:
        return [f"{len(links)} links to the record instead of one"]
    link = links[0]
    complaints = _link(link) + _drawn(bare, ours, link) + _position(document, bare, ours, link)
    new = (
        Counter(ours.colors_outside(link.page, link.rect)).keys()
        - Counter(bare.colors_outside(link.page, None)).keys()
    )
    if new:
        complaints.append(f"text outside the badge has the new colours {sorted(new)}")
    return complaints


def _link(link: Link) -> list[str]:
    complaints = []
    if link.uri != RECORD_URL:
        complaints.append(f"the link goes to {link.uri}")
    if any(link.border):
        complaints.append(f"the link has the border {link.border}")
    return complaints


def _drawn(bare: Paper, ours: Paper, link: Link) -> list[str]:
    complaints = []
    text = ours.text_in(link.page, link.rect)
    if text != VISIBLE:
        complaints.append(f"the text in and under the badge is {text!r}")
    complaints += [
        f"the badge {link.rect} overprints {thing}" for thing in overprinted(bare, ours, link)
    ]
    drawn = ours.drawn(link.page, link.rect)
    if drawn is None:
        complaints.append(f"nothing is drawn at {link.rect}")
    elif drawn.distance(link.rect) > 1:
        complaints.append(f"the link is {link.rect}, the drawing {drawn}")
    return complaints


def overprinted(bare: Paper, ours: Paper, link: Link) -> list[Rect]:
    """What stands half under the badge and can be seen: what a class draws and clips away can't."""
    crossed = ours.crossed(link.page, link.rect)
    return [] if crossed and ours.only_adds(bare, link.page, link.rect) else crossed


def _position(document: Document, bare: Paper, ours: Paper, link: Link) -> list[str]:
    complaints = []
    page = bare.page_with(document.title)
    if page is None:
        return [f"the title {document.title!r} is not found in the paper without pith"]
    if link.page != page:
        return [f"the badge is on page {link.page + 1}, the title on page {page + 1}"]
    rect = link.rect
    width, height = ours.page_size(page)
    if rect.left < STAMP:
        complaints.append(f"the badge {rect} is in the place of arXiv's stamp")
    if rect.right > width or rect.bottom < 0 or rect.top > height:
        complaints.append(f"the badge {rect} leaves the page {width:.0f} by {height:.0f}")
    if document.place == "page":
        return complaints
    titles = ours.find(page, document.title)
    if not titles:
        return [*complaints, "the title is gone"]
    title = titles[0]
    if (
        title.height > title.width
    ):  # a landscape page that this release of dvips leaves lying on its side
        return complaints
    if rect.top > title.bottom:
        complaints.append(f"the badge {rect} is not under the title {title}")
    filler = ours.find(page, "lorem ipsum") if document.spans else ours.find(page, document.body)
    above = [box for box in filler if box.top > rect.bottom]
    below = [box for box in filler if box.bottom < rect.top]
    if document.place == "title" and above:
        complaints.append(
            f"{len(above)} pieces of the body, first at {above[0]}, stand above the badge {rect}"
        )
    if document.place == "foot" and below:
        complaints.append(
            f"{len(below)} pieces of the body stand below the badge at the foot {rect}"
        )
    return complaints


def metadata(bare: Paper, ours: Paper, *, year: str = "", others: bool = False) -> list[str]:
    """Info and XMP with the documented names, in one packet, and the rest of Info as it was.

    `others` is true where another package writes the packet, which then must hold our number too or
    be left as it was.
    """
    number = f"pith:{year}:{SUFFIX}" if year else NUMBER
    complaints = []
    expected = {"/PithNumber": number, "/PithURL": RECORD_URL}
    for key, value in expected.items():
        if ours.info.get(key) != value:
            complaints.append(f"Info {key} is {ours.info.get(key)!r}")
    for key in ("/Title", "/Author", "/Subject", "/Keywords"):
        if ours.info.get(key) != bare.info.get(key):
            complaints.append(f"Info {key} became {ours.info.get(key)!r}")
    if ours.metadata_streams != 1 and not (
        others and ours.metadata_streams == bare.metadata_streams
    ):
        complaints.append(f"{ours.metadata_streams} XMP packets instead of one")
    if not others:
        for wanted in (
            number,
            RECORD_URL,
            "https://pith.science/ns/1.0/",
            "http://ns.adobe.com/xap/1.0/",
            "http://ns.adobe.com/pdfx/1.3/",
        ):
            if wanted not in ours.xmp:
                complaints.append(f"the XMP packet lacks {wanted}")
    for unwanted in ("dc:identifier", "prism:doi"):
        if unwanted in ours.xmp and unwanted not in bare.xmp:
            complaints.append(f"the XMP packet has {unwanted}")
    if "/OutputIntents" in ours.catalog and "/OutputIntents" not in bare.catalog:
        complaints.append("the catalogue has /OutputIntents: arXiv would not stamp this")
    return complaints


def no_trace(ours: Paper) -> list[str]:
    """Nothing of pith is in the file, however deep."""
    complaints = []
    everything = ours.everything
    for word in (SUFFIX.encode(), b"pith.science", b"PithNumber", b"PithURL"):
        if word in everything:
            complaints.append(f"the PDF has {word.decode()} in it")
    complaints += [
        f"the PDF has the text {text!r}"
        for text in ours.strings
        if SUFFIX in text or "pith.science" in text
    ]
    if any(VISIBLE in ours.text(page) for page in range(ours.pages)):
        complaints.append("a badge is drawn")
    return complaints
