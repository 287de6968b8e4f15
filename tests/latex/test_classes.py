"""Every class on every route it supports, with the two-line snippet and without."""

from __future__ import annotations

import pytest

from tests.support.latex import checks, contact_sheet
from tests.support.latex.build import SNIPPET, release
from tests.support.latex.documents import BY_NAME, DOCUMENTS, Document
from tests.support.latex.papercase import pair
from tests.support.latex.papers import Paper

# The short set looks at each class on the two routes arXiv uses most and at the common ones on all.
EVERYWHERE = {
    "article", "article-twocolumn", "article-titlepage", "amsart", "scrartcl", "memoir",
    "IEEEtran-conference", "acmart-sigconf", "revtex4-2-prl", "llncs", "elsarticle-5p", "cas-dc",
    "beamer-maketitle", "neurips-like", "icml-like",
}  # fmt: skip
SHORT_ROUTES = ("pdflatex", "dvips")


def complaints_about(
    document: Document, route: str, snippet: str = SNIPPET, keep: str = ""
) -> list[str]:
    bare_build, our_build = pair(document.source(route), snippet)
    complaints = checks.compiled(bare_build, our_build)
    if not (bare_build.pdf.exists() and our_build.pdf.exists()):
        return [*complaints, "there is no PDF"]
    with Paper(bare_build.pdf) as bare, Paper(our_build.pdf) as ours:
        if keep:
            contact_sheet.keep(keep, ours)
        complaints += checks.pages_unchanged(bare, ours) + checks.badge(document, bare, ours)
        if document.place != "none":
            complaints += checks.metadata(bare, ours)
    return complaints


def _cases() -> list[object]:
    cases = []
    for document in DOCUMENTS:
        for route in document.routes:
            short = route in SHORT_ROUTES or document.name in EVERYWHERE
            cases.append(
                pytest.param(
                    document.name,
                    route,
                    id=f"{document.name}-{route}",
                    marks=() if short else pytest.mark.full,
                )
            )
    return cases


@pytest.mark.parametrize(("name", "route"), _cases())
def test_a_paper_of_a_class_is_as_it_was_but_for_the_badge(name: str, route: str) -> None:
    document = BY_NAME[name]
    if release() < document.since:
        pytest.skip(f"TeX Live {release()} has no {name}")
    checks.settle(complaints_about(document, route, keep=f"{name}-{route}"))


# The kernel's date is what pith goes by, so the way it works without hooks in commands is tested
# under every release.
OLD_KERNEL = SNIPPET.replace(
    "\\usepackage{pith}",
    "\\let\\kernelsdate\\fmtversion\\def\\fmtversion{2020/10/01}\\usepackage{pith}"
    "\\let\\fmtversion\\kernelsdate",
)


@pytest.mark.parametrize("name", sorted(EVERYWHERE))
def test_a_kernel_without_hooks_in_commands_places_the_badge_too(name: str) -> None:
    checks.settle(complaints_about(BY_NAME[name], "pdflatex", OLD_KERNEL))
