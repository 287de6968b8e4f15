"""What a built PDF holds: links, metadata, text with its place, and the drawn badge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from ctypes import c_uint
from dataclasses import dataclass
from pathlib import Path

import pikepdf
import pypdfium2
import pypdfium2.raw as pdfium
from PIL import Image

from tests.support.data import RECORD_URL, SUFFIX

VISIBLE = f"pith:{SUFFIX[:8]}"


@dataclass(frozen=True)
class Rect:
    """A rectangle in PDF units (1/72 inch), origin at the lower left."""

    left: float
    bottom: float
    right: float
    top: float

    def grown(self, by: float) -> Rect:
        return Rect(self.left - by, self.bottom - by, self.right + by, self.top + by)

    def touches(self, other: Rect) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def contains(self, other: Rect) -> bool:
        return (
            self.left <= other.left
            and self.bottom <= other.bottom
            and self.right >= other.right
            and self.top >= other.top
        )

    def union(self, other: Rect) -> Rect:
        return Rect(min(self.left, other.left), min(self.bottom, other.bottom),
                    max(self.right, other.right), max(self.top, other.top))  # fmt: skip

    def distance(self, other: Rect) -> float:
        """The largest difference of an edge."""
        return max(abs(self.left - other.left), abs(self.bottom - other.bottom),
                   abs(self.right - other.right), abs(self.top - other.top))  # fmt: skip

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.top - self.bottom

    def __str__(self) -> str:
        return f"[{self.left:.1f} {self.bottom:.1f} {self.right:.1f} {self.top:.1f}]"


@dataclass(frozen=True)
class Link:
    """A link annotation to a URI."""

    page: int
    uri: str
    rect: Rect
    border: tuple[float, ...]
    contents: str


@dataclass(frozen=True)
class Glyph:
    """A character on a page, with its box and its fill colour (red, green, blue, alpha of 255)."""

    text: str
    box: Rect
    color: tuple[int, int, int, int]


class Paper:
    """A PDF, opened for looking at. Use it as a context manager."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._pike = pikepdf.open(path)
        self._pdfium = pypdfium2.PdfDocument(path)
        self._glyphs: dict[int, list[Glyph]] = {}

    def __enter__(self) -> Paper:
        return self

    def __exit__(self, *_: object) -> None:
        self._pike.close()
        self._pdfium.close()

    @property
    def pages(self) -> int:
        return len(self._pike.pages)

    def page_size(self, page: int) -> tuple[float, float]:
        width, height = self._pdfium[page].get_size()
        return width, height

    def links(self, prefix: str = "") -> list[Link]:
        """Link annotations to a URI that begins with `prefix`, in page order."""
        found = []
        for number, page in enumerate(self._pike.pages):
            for annotation in page.obj.get("/Annots", []):
                action = annotation.get("/A")
                if annotation.get("/Subtype") != "/Link" or action is None or "/URI" not in action:
                    continue
                uri = str(action["/URI"])
                x0, y0, x1, y1 = (float(value) for value in annotation["/Rect"])
                border = (
                    tuple(float(value) for value in annotation["/Border"])
                    if "/Border" in annotation
                    else (0, 0, 1)
                )
                rect = Rect(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
                if uri.startswith(prefix):
                    found.append(
                        Link(
                            number,
                            uri,
                            rect,
                            tuple(border[:3]),
                            str(annotation.get("/Contents", "")),
                        )
                    )
        return found

    def record_links(self) -> list[Link]:
        return self.links(RECORD_URL)

    @property
    def info(self) -> dict[str, str]:
        information = self._pike.trailer.get("/Info", {})
        return {str(key): str(value) for key, value in information.items()}

    @property
    def xmp(self) -> str:
        """The document's XMP packet, empty where there is none."""
        metadata = self._pike.Root.get("/Metadata")
        return "" if metadata is None else metadata.read_bytes().decode("utf-8", "replace")

    @property
    def metadata_streams(self) -> int:
        """How many XMP packets the file holds that describe a document, the one in use or not."""
        raw = self.path.read_bytes()
        count = sum(
            1
            for item in self._pike.objects
            if isinstance(item, pikepdf.Stream)
            and item.get("/Type") == "/Metadata"
            and b"x:xmpmeta" in item.read_bytes()
        )
        return max(count, raw.count(b"<x:xmpmeta"))

    @property
    def catalog(self) -> pikepdf.Object:
        return self._pike.Root

    def page_object(self, page: int) -> pikepdf.Page:
        return self._pike.pages[page]

    @property
    def everything(self) -> bytes:
        """All objects of the file with their streams unpacked: to look for what must not be
        there."""
        parts = [self._pike.trailer.get("/Info", pikepdf.Dictionary()).unparse(resolved=True)]
        for item in self._pike.objects:
            if isinstance(item, pikepdf.Stream):
                try:
                    parts.append(item.read_bytes())
                except pikepdf.PdfError:  # an image or font format that is no text
                    continue
            if isinstance(item, pikepdf.Object):
                parts.append(item.unparse(resolved=False))
        return b"\n".join(parts)

    @property
    def strings(self) -> Iterator[str]:
        """All text strings of the file (Info, outlines, annotations), whatever their encoding."""
        waiting: list[object] = [self._pike.trailer.get("/Info"), *self._pike.objects]
        while waiting:
            item = waiting.pop()
            if isinstance(item, pikepdf.String):
                yield str(item)
            elif isinstance(item, pikepdf.Array):
                waiting += [part for part in item if not getattr(part, "is_indirect", False)]
            elif isinstance(item, (pikepdf.Dictionary, pikepdf.Stream)):
                waiting += [
                    item[key] for key in item if not getattr(item[key], "is_indirect", False)
                ]

    def glyphs(self, page: int) -> list[Glyph]:
        """The visible characters of a page, in reading order of the content."""
        if page not in self._glyphs:
            text = self._pdfium[page].get_textpage()
            found = []
            for index in range(text.count_chars()):
                code = pdfium.FPDFText_GetUnicode(text, index)
                if pdfium.FPDFText_IsGenerated(text, index) == 1 or code in (
                    0,
                    9,
                    10,
                    13,
                    32,
                    160,
                    0xFFFE,
                ):
                    continue
                channels = [c_uint() for _ in range(4)]
                pdfium.FPDFText_GetFillColor(text, index, *channels)
                left, bottom, right, top = text.get_charbox(index)
                red, green, blue, alpha = (channel.value for channel in channels)
                found.append(
                    Glyph(chr(code), Rect(left, bottom, right, top), (red, green, blue, alpha))
                )
            self._glyphs[page] = found
        return self._glyphs[page]

    def text(self, page: int) -> str:
        """The text of a page without any white space."""
        return "".join(glyph.text for glyph in self.glyphs(page))

    def text_in(self, page: int, rect: Rect, margin: float = 0.0) -> str:
        """The characters whose box touches the rectangle, without white space."""
        area = rect.grown(margin)
        return "".join(glyph.text for glyph in self.glyphs(page) if glyph.box.touches(area))

    def find(self, page: int, words: str) -> list[Rect]:
        """Where the letters of `words` stand one after another on the page."""
        glyphs = self.glyphs(page)
        text = "".join(glyph.text if len(glyph.text) == 1 else "?" for glyph in glyphs).lower()
        wanted = words.replace(" ", "").lower()
        found = []
        start = text.find(wanted)
        while start >= 0:
            box = glyphs[start].box
            for glyph in glyphs[start + 1 : start + len(wanted)]:
                box = box.union(glyph.box)
            found.append(box)
            start = text.find(wanted, start + 1)
        return found

    def page_with(self, words: str) -> int | None:
        """The first page that has these words."""
        return next((page for page in range(self.pages) if self.find(page, words)), None)

    def colors_outside(self, page: int, rect: Rect | None) -> Counter[tuple[int, int, int, int]]:
        """How many characters outside the rectangle have which fill colour."""
        return Counter(
            glyph.color
            for glyph in self.glyphs(page)
            if rect is None or not glyph.box.touches(rect.grown(0.5))
        )

    def drawn(self, page: int, rect: Rect, margin: float = 3.0) -> Rect | None:
        """The box around what is drawn (rules, paths, text) within `margin` of the rectangle; None
        where nothing is.

        Whatever reaches far beyond the rectangle (a page background, a frame, a line of text that
        is one object) belongs to the page, not to the badge.
        """
        area = rect.grown(margin)
        box: Rect | None = None
        for item in self._pdfium[page].get_objects(max_depth=8):
            bounds = Rect(*item.get_bounds()) if item.type != pdfium.FPDF_PAGEOBJ_FORM else None
            if bounds is None or bounds.left < area.left or bounds.right > area.right:
                continue
            if bounds.bottom < area.bottom or bounds.top > area.top:
                continue
            box = bounds if box is None else box.union(bounds)
        return box

    def crossed(self, page: int, rect: Rect) -> list[Rect]:
        """The rules, paths and images that stand half in the rectangle: neither part of the badge
        nor behind all of it."""
        found = []
        inner = rect.grown(-0.3)
        for item in self._pdfium[page].get_objects(max_depth=8):
            if item.type in (pdfium.FPDF_PAGEOBJ_FORM, pdfium.FPDF_PAGEOBJ_TEXT):
                continue
            bounds = Rect(*item.get_bounds())
            if (
                bounds.touches(inner)
                and not rect.grown(1).contains(bounds)
                and not bounds.contains(inner)
            ):
                found.append(bounds)
        return found

    def only_adds(self, bare: Paper, page: int, rect: Rect) -> bool:
        """True if this page is that of `bare` but for the rectangle, where `bare` shows nothing."""
        mine, other = self.picture(page, 2.0), bare.picture(page, 2.0)
        if mine.size != other.size:
            return False
        area = rect.grown(0.5)
        if any(low != high for low, high in bare.picture(page, 2.0, area).getextrema()):
            return False
        box = self._pixels(page, area, 2.0)
        for picture in (mine, other):
            picture.paste("white", box)
        return mine.tobytes() == other.tobytes()

    def picture(self, page: int, scale: float = 1.0, rect: Rect | None = None) -> Image.Image:
        """The page, or the part of it in `rect`, drawn at `scale` pixels a unit."""
        image: Image.Image = (
            self._pdfium[page].render(scale=scale, may_draw_forms=False).to_pil().convert("RGB")
        )
        return image if rect is None else image.crop(self._pixels(page, rect, scale))

    def _pixels(self, page: int, rect: Rect, scale: float) -> tuple[int, int, int, int]:
        _, height = self.page_size(page)
        return (round(rect.left * scale), round((height - rect.top) * scale),
                round(rect.right * scale), round((height - rect.bottom) * scale))  # fmt: skip
