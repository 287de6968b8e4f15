"""Contact sheets: the title pages of what the tests built, side by side, for somebody to look
at."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

from tests.support.latex.build import BUILDS, TEXROOT
from tests.support.latex.papers import Paper

SHEETS = BUILDS.parent / "contact-sheets" if not TEXROOT else BUILDS / "contact-sheets"
PAGES = SHEETS / "pages"
BADGES = SHEETS / "badges"
CELL = (320, 420)
COLUMNS, ROWS = 6, 3


def keep(name: str, paper: Paper) -> None:
    """Keep the picture of the page with the badge (else page 1), and the badge by itself at eight
    times its size."""
    links = paper.record_links()
    page = links[0].page if links else 0
    PAGES.mkdir(parents=True, exist_ok=True)
    width, height = paper.page_size(page)
    scale = min((CELL[0] - 8) / width, (CELL[1] - 24) / height)
    paper.picture(page, scale * 2).save(PAGES / f"{name}.png")
    BADGES.mkdir(parents=True, exist_ok=True)
    (BADGES / f"{name}.png").unlink(missing_ok=True)
    if links:
        paper.picture(page, 4.0, links[0].rect.grown(4)).save(BADGES / f"{name}.png")


def write_sheets() -> list[Path]:
    """Put all kept pictures on sheets; returns the files written."""
    written = []
    for folder, columns, rows, cell in ((PAGES, COLUMNS, ROWS, CELL), (BADGES, 5, 12, (400, 100))):
        pictures = sorted(folder.glob("*.png")) if folder.exists() else []
        for old in SHEETS.glob(f"{folder.name}-*.png"):
            old.unlink()
        for number in range(0, len(pictures), columns * rows):
            sheet = Image.new("RGB", (columns * cell[0], rows * cell[1]), "#dddddd")
            draw = ImageDraw.Draw(sheet)
            for index, path in enumerate(pictures[number : number + columns * rows]):
                left, top = index % columns * cell[0], index // columns * cell[1]
                picture = Image.open(path)
                picture.thumbnail((cell[0] - 8, cell[1] - 24))
                sheet.paste(picture, (left + 4, top + 18))
                draw.text((left + 4, top + 3), path.stem, fill="black")
            target = SHEETS / f"{folder.name}-{number // (columns * rows) + 1:02}.png"
            sheet.save(target)
            written.append(target)
    return written
