"""`\\pithbadge` and `\\pithlink` wherever an author may put them: moving arguments,
footnotes, floats."""

from __future__ import annotations

import pytest

from tests.support.latex.build import BADGE, LINK, Source, build
from tests.support.latex.papercase import every_route, only, paper
from tests.support.latex.papers import VISIBLE

# place -> (front, body); the command under test stands for @
PLACES: dict[str, tuple[str, str]] = {
    "text": ("\\maketitle", "A sentence with @ in it"),
    "thanks": ("\\title{T\\thanks{See @}}\\maketitle", ""),
    "author": ("\\author{Ada @}\\maketitle", ""),
    "title": ("\\title{Title @}\\maketitle", ""),
    "date": ("\\date{@}\\maketitle", ""),
    "footnote": ("\\maketitle", "Text\\footnote{See @}"),
    "section": ("\\maketitle", "\\section{About @}"),
    "section-toc": ("\\maketitle\\tableofcontents", "\\section[Short]{About @}"),
    "caption": ("\\maketitle", "\\begin{figure}[h]X\\caption[Short]{See @}\\end{figure}"),
    "float": ("\\maketitle", "\\begin{table}[t]@\\end{table}"),
    "tabular": ("\\maketitle", "\\begin{tabular}{|l|r|}\\hline a & @\\\\\\hline\\end{tabular}"),
    "array": ("\\maketitle", "\\begin{tabular}{p{3cm}}@\\end{tabular}"),
    "minipage": ("\\maketitle", "\\begin{minipage}{4cm}@\\end{minipage}"),
    "parbox": ("\\maketitle", "\\parbox{4cm}{@}"),
    "fbox": ("\\maketitle", "\\fbox{@}"),
    "mbox": ("\\maketitle", "\\mbox{@}"),
    "item": ("\\maketitle", "\\begin{itemize}\\item @\\end{itemize}"),
    "description": ("\\maketitle", "\\begin{description}\\item[@] x\\end{description}"),
    "abstract": ("\\maketitle\\begin{abstract}@\\end{abstract}", ""),
    "center": ("\\maketitle", "\\begin{center}@\\end{center}"),
    "emph": ("\\maketitle", "\\emph{@} \\textbf{@}"),
    "marginpar": ("\\maketitle", "Text\\marginpar{@}"),
    "math": ("\\maketitle", "$x = \\mbox{@}$"),
    "bibliography": (
        "\\maketitle",
        "\\begin{thebibliography}{9}\\bibitem{a} Ada. @\\end{thebibliography}",
    ),
    "verse": ("\\maketitle", "\\begin{verse}@\\\\@\\end{verse}"),
    "start-of-page": ("\\maketitle", "\\newpage @"),
    "paragraph-end": (
        "\\maketitle",
        "Long words to the end of the line and over it again and again and again @",
    ),
}
SHORT_ROUTES = ("pdflatex", "dvips")


@every_route
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_a_badge_is_drawn_in_its_link_wherever_it_stands(
    place: str, loaded: str, route: str
) -> None:
    if route not in SHORT_ROUTES and loaded:
        loaded = "\\usepackage[colorlinks]{hyperref}"
    front, body = (part.replace("@", BADGE) for part in PLACES[place])
    main = paper(before=f"\\usepackage{{pith}}{loaded}", front=front, body=body).replace(
        "%PITH%", "%"
    )
    expected = (PLACES[place][0] + PLACES[place][1]).count("@")
    with only(main, route) as sheet:
        links = sheet.record_links()
        assert len(links) == expected
        for link in links:
            assert sheet.text_in(link.page, link.rect) == VISIBLE
            drawn = sheet.drawn(link.page, link.rect)
            assert drawn is not None
            if place not in ("fbox", "tabular"):  # there the neighbours' rules touch
                assert drawn.distance(link.rect) <= 1


@pytest.mark.parametrize("place", ["section", "caption", "thanks", "footnote"])
@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_a_badge_survives_a_moving_argument(place: str, loaded: str) -> None:
    """The argument is written to the .toc or .lof and comes back, and a bookmark gets text only."""
    moved = {
        "section": ("\\maketitle\\tableofcontents", "\\section{About @}"),
        "caption": (
            "\\maketitle\\listoffigures",
            "\\begin{figure}[h]X\\caption{See @}\\end{figure}",
        ),
        "thanks": ("\\title{T\\thanks{@ and @}}\\maketitle", ""),
        "footnote": ("\\maketitle", "\\section[One]{One\\protect\\footnote{@}}"),
    }
    front, body = (part.replace("@", BADGE) for part in moved[place])
    main = paper(before=f"\\usepackage{{pith}}{loaded}", front=front, body=body).replace(
        "%PITH%", "%"
    )
    ours = build(Source(main))
    assert ours.ok
    assert not ours.errors
    assert not [
        line for line in ours.warnings if "pith" in line.lower() or "Token not allowed" in line
    ]
    with only(main) as sheet:
        assert len(sheet.record_links()) == (1 if place == "footnote" else 2)


@every_route
def test_a_text_link_is_text(route: str) -> None:
    main = paper(before="\\usepackage{pith}", body=f"See {LINK}.").replace("%PITH%", "%")
    with only(main, route) as sheet:
        (link,) = sheet.record_links()
        assert "pith:XR2UHLWN" in sheet.text_in(link.page, link.rect)


@every_route
def test_a_beamer_frame_may_hold_badges_and_links(route: str) -> None:
    main = (
        "\\documentclass{beamer}\\usepackage{pith}\\begin{document}\n"
        f"\\begin{{frame}}{{About {BADGE}}}Text {BADGE}"
        f"\\begin{{block}}{{Block}}{LINK}\\end{{block}}\\end{{frame}}\n\\end{{document}}\n"
    )
    with only(main, route) as sheet:
        assert len(sheet.record_links()) == 3
