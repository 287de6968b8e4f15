"""The paper as HTML: LaTeXML (arXiv's and ar5iv's way), make4ht and lwarp. All tools are this
machine's own."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from lxml import html

from tests.support.data import RECORD_URL, SUFFIX
from tests.support.latex.build import BUILDS, MARK, PITH_STY, SNIPPET
from tests.support.latex.documents import BY_NAME, TITLE
from tests.support.latex.papercase import paper
from tests.support.latex.papers import VISIBLE

pytestmark = pytest.mark.host

# Classes that LaTeXML has a binding for, and two it has not.
CLASSES = (
    "article", "article-twocolumn", "report", "book", "amsart", "revtex4-2-prl", "acmart-sigconf",
    "IEEEtran-conference", "llncs", "elsarticle-preprint", "aastex631", "quantumarticle",
    "scrartcl", "memoir-article", "extarticle", "article-notitle", "mnras",
)  # fmt: skip
SHORT = (
    "article",
    "amsart",
    "revtex4-2-prl",
    "IEEEtran-conference",
    "llncs",
    "elsarticle-preprint",
    "article-notitle",
)


def converted(main: str, folder: Path, *options: str) -> tuple[html.HtmlElement, str]:
    """The HTML that LaTeXML makes of `main`, and its log."""
    (folder / "main.tex").write_text(main)
    (folder / "pith.sty").write_bytes(PITH_STY.read_bytes())
    preload = options or ("--preload=[rawstyles]latexml.sty",)
    command = [
        "latexmlc",
        *preload,
        "--path=.",
        "--format=html5",
        "--dest=main.html",
        "--log=latexml.log",
        "main.tex",
    ]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )
    log = (folder / "latexml.log").read_text("utf-8", "replace") + done.stderr
    assert (folder / "main.html").exists(), log[-2000:]
    return html.parse(str(folder / "main.html"), html.HTMLParser(encoding="utf-8")).getroot(), log


def record_links(page: html.HtmlElement) -> list[html.HtmlElement]:
    return [link for link in page.iter("a") if str(link.get("href", "")).startswith(RECORD_URL)]


def text_of(element: html.HtmlElement) -> str:
    return re.sub(r"\s", "", element.text_content())


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in SHORT else pytest.mark.full) for name in CLASSES],
)
def test_latexml_shows_the_badge_once(name: str, tmp_path: Path) -> None:
    page, log = converted(BY_NAME[name].main.replace(MARK, SNIPPET), tmp_path)
    links = record_links(page)
    assert [link.get("href") for link in links] == [RECORD_URL]
    assert text_of(links[0]) == VISIBLE
    assert text_of(page).count(VISIBLE) == 1
    assert text_of(page).index(VISIBLE) < text_of(page).index("Zebrabody")
    assert not re.findall(r"^(?:Error|Fatal):.*pith.*", log, re.M)
    _keep(name, tmp_path)
    # The command's own name in the text is what an unknown macro leaves behind.
    assert "pithnumber" not in text_of(page)


def _keep(name: str, folder: Path) -> None:
    """Keep the page for looking at it in a browser."""
    target = BUILDS.parent / "html" / name
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for path in [*folder.glob("*.html"), *folder.glob("*.css")]:
        shutil.copy(path, target)


def test_every_public_command_is_defined_for_latexml(tmp_path: Path) -> None:
    body = (
        f"\\pithsetup{{style=pill}}\\pithbadge[style=text]{{{SUFFIX}}} "
        f"\\pithlink{{{SUFFIX}}} \\pithbadge{{{SUFFIX}}}"
    )
    for place, front in {
        "body": f"\\maketitle\\pithnumber[year=2024]{{{SUFFIX}}}",
        "preamble": "\\maketitle",
    }.items():
        folder = tmp_path / place
        folder.mkdir()
        snippet = "\\usepackage[style=pill,place=title]{pith}" + (
            f"\\pithnumber{{{SUFFIX}}}" if place == "preamble" else ""
        )
        page, log = converted(paper(front=front, body=body).replace(MARK, snippet), folder)
        assert len(record_links(page)) == 4
        assert (
            "undefined"
            not in "\n".join(line for line in log.splitlines() if "pith" in line).lower()
        )
        assert "ltx_ERROR" not in html.tostring(page, encoding="unicode")


def test_the_badges_colour_ends_with_it_in_html(tmp_path: Path) -> None:
    page, _ = converted(paper(body="Words afterwards.").replace(MARK, SNIPPET), tmp_path)
    after = next(
        element for element in page.iter("p") if "Words afterwards" in element.text_content()
    )
    chain = [after, *after.iterancestors(), *after.iter()]
    assert not [element for element in chain if "color" in str(element.get("style", ""))]


def test_the_badge_is_made_of_plain_boxes_in_html(tmp_path: Path) -> None:
    page, _ = converted(paper().replace(MARK, SNIPPET), tmp_path)
    (link,) = record_links(page)
    assert {element.tag for element in link.iter()} <= {"a", "span"}


@pytest.mark.parametrize("key", ["hide", "place=none"])
def test_a_hidden_badge_is_not_in_the_html(key: str, tmp_path: Path) -> None:
    page, _ = converted(
        paper().replace(MARK, f"\\usepackage[{key}]{{pith}}\n\\pithnumber{{{SUFFIX}}}"), tmp_path
    )
    assert record_links(page) == []
    assert VISIBLE not in text_of(page)


def test_an_anonymous_paper_has_no_badge_in_html(tmp_path: Path) -> None:
    page, _ = converted(
        paper(class_line="\\documentclass[anonymous]{article}").replace(MARK, SNIPPET), tmp_path
    )
    assert record_links(page) == []


def test_the_badge_of_latexml_looks_like_one_in_a_browser(tmp_path: Path) -> None:
    """Chromium lays the badge out under the title, on one line, with its two colours."""
    page, _ = converted(paper().replace(MARK, SNIPPET), tmp_path)
    script = (
        "<script>addEventListener('load',()=>{const a=document.querySelector('a[href^=\""
        + RECORD_URL
        + "\"]');const b=a.getBoundingClientRect(),"
        "t=document.querySelector('.ltx_title_document').getBoundingClientRect();"
        "const c=[...a.querySelectorAll('span')].map(s=>getComputedStyle(s).backgroundColor)"
        ".filter(s=>s!='rgba(0, 0, 0, 0)');document.body.setAttribute('data-seen',"
        "JSON.stringify([b.width>30,b.height<40,b.top>=t.bottom-1,new Set(c).size]))})</script>"
    )
    probe = tmp_path / "probe.html"
    probe.write_text(html.tostring(page, encoding="unicode").replace("</body>", script + "</body>"))
    command = [
        "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
        "--no-first-run", "--disable-background-networking", "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", probe.as_uri(),
    ]  # fmt: skip
    dumped = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    seen = re.search(r'data-seen="([^"]*)"', dumped)
    assert seen
    assert seen[1] == "[true,true,true,2]"


def test_make4ht_has_the_link(tmp_path: Path) -> None:
    (tmp_path / "main.tex").write_text(
        paper(body=f"\\pithbadge{{{SUFFIX}}} \\pithlink{{{SUFFIX}}}").replace(MARK, SNIPPET)
    )
    (tmp_path / "pith.sty").write_bytes(PITH_STY.read_bytes())
    done = subprocess.run(
        ["make4ht", "main.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    page = html.parse(str(tmp_path / "main.html")).getroot()
    links = record_links(page)
    assert len(links) == 3
    assert all(text_of(link) == VISIBLE for link in links)
    whole = text_of(page)
    assert whole.index(
        re.sub(r"\s", "", TITLE), whole.index("}") if "}" in whole else 0
    ) < whole.index(VISIBLE)


def test_lwarp_has_the_link(tmp_path: Path) -> None:
    main = paper(
        before="\\usepackage[T1]{fontenc}\\usepackage{lwarp}",
        body=f"\\section{{One}}\\pithbadge{{{SUFFIX}}} \\pithlink{{{SUFFIX}}}",
    )
    (tmp_path / "main.tex").write_text(main.replace(MARK, SNIPPET))
    (tmp_path / "pith.sty").write_bytes(PITH_STY.read_bytes())
    for command in (["pdflatex", "-interaction=batchmode", "main.tex"], ["lwarpmk", "html"]):
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:]
    links = record_links(html.parse(str(tmp_path / "main.html")).getroot())
    assert len(links) == 3
    assert all(text_of(link) == VISIBLE for link in links)


def test_a_text_badge_is_text_in_html_too(tmp_path: Path) -> None:
    page, _ = converted(
        paper().replace(MARK, f"\\usepackage[style=text]{{pith}}\n\\pithnumber{{{SUFFIX}}}"),
        tmp_path,
    )
    (link,) = record_links(page)
    assert text_of(link) == VISIBLE
    assert not any("background" in (element.get("style") or "") for element in link.iter())
