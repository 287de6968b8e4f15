"""`\\pithnumber` where authors put it without a plan: before the title, in text that is set twice,
in moving arguments."""

from __future__ import annotations

import pytest

from tests.support.data import RECORD_URL, SUFFIX
from tests.support.latex import checks
from tests.support.latex.build import COMMAND, LOAD, Source, build, release
from tests.support.latex.documents import BY_NAME, TITLE
from tests.support.latex.papercase import only, pair, paper
from tests.support.latex.papers import VISIBLE, Paper


@pytest.mark.parametrize(
    "name",
    ["article", "article-twocolumn", "article-titlepage", "report", "amsart", "scrartcl", "memoir",
     "IEEEtran-conference", "llncs", "elsarticle-preprint", "acmart-sigconf", "revtex4-2-prl"],
)  # fmt: skip
def test_a_number_before_the_title_waits_for_it(name: str) -> None:
    """The number is the first thing in the document, and even `\\title` comes after it: it waits
    for the title."""
    document = BY_NAME[name]
    begin = "\\begin{document}"
    before, after = document.main.split(begin)
    titling = [
        line
        for line in before.splitlines()
        if line.startswith(("\\title", "\\author", "\\date", "\\institute"))
    ]
    kept = "\n".join(line for line in before.splitlines() if line not in titling)
    main = "\n".join([kept.rstrip(), begin, "%NUMBER%", *titling, after.lstrip()])
    bare, ours = pair(Source(main), LOAD)
    with_number = build(Source(main.replace("%PITH%", LOAD).replace("%NUMBER%", COMMAND)))
    checks.settle(checks.compiled(bare, ours) + checks.compiled(bare, with_number))
    with Paper(bare.pdf) as first, Paper(with_number.pdf) as second:
        checks.settle(checks.pages_unchanged(first, second) + checks.badge(document, first, second))


def test_a_number_in_a_paper_without_a_title_is_printed_where_it_stands() -> None:
    with only(paper(front=COMMAND).replace("%PITH%", LOAD)) as sheet:
        (link,) = sheet.record_links()
        assert link.page == 0
        assert (
            link.rect.top
            < min(glyph.box.bottom for glyph in sheet.glyphs(0) if not glyph.box.touches(link.rect))
            + 30
        )


TWICE = {
    "tabularx": f"\\begin{{tabularx}}{{8cm}}{{lX}}a & {COMMAND}\\end{{tabularx}}",
    "long-caption": (
        "\\begin{figure}[h]X\\caption{A caption longer than one line, for it is set "
        f"on trial. {COMMAND} "
        "It goes on and on until the end of the line has been passed for good.}\\end{figure}"
    ),
    "text-in-math": f"\\begin{{align}}x &= 1 \\text{{ by {COMMAND}}}\\end{{align}}",
}


@pytest.mark.parametrize("place", TWICE)
def test_a_number_in_text_that_is_set_twice_counts_once(place: str) -> None:
    main = paper(before=f"{LOAD}\\usepackage{{tabularx,amsmath}}", body=TWICE[place]).replace(
        "%PITH%", "%"
    )
    with only(main) as sheet:
        (link,) = sheet.record_links()
        assert sheet.text_in(link.page, link.rect) == VISIBLE


def test_a_number_in_a_frame_is_on_every_overlay() -> None:
    frame = f"\\begin{{frame}}{COMMAND}\\pause More\\end{{frame}}"
    main = f"\\documentclass{{beamer}}{LOAD}\\begin{{document}}{frame}\\end{{document}}"
    with only(main) as sheet:
        assert [link.page for link in sheet.record_links()] == [0, 1]


@pytest.mark.parametrize("place", ["title", "author"])
@pytest.mark.parametrize(
    "class_line", ["\\documentclass{article}", "\\documentclass[conference]{IEEEtran}"]
)
def test_a_number_in_preamble_and_title_is_printed_once(place: str, class_line: str) -> None:
    data = {"title": TITLE, "author": "Ada Author"}
    data[place] += f" {COMMAND}"
    with only(paper(class_line=class_line, **data).replace("%PITH%", LOAD + COMMAND)) as sheet:
        assert len(sheet.record_links()) == 1


@pytest.mark.parametrize("option", ["hide", "anonymous"])
def test_hidden_leaves_no_bookmark_and_no_title(option: str) -> None:
    body = f"\\section{{Our record \\pithbadge{{{SUFFIX}}}}}"
    main = paper(
        before=f"\\usepackage[{option}]{{pith}}\\usepackage[pdfusetitle]{{hyperref}}",
        body=body,
        title=f"{TITLE} {COMMAND}",
    )
    with only(main.replace("%PITH%", "%")) as sheet:
        checks.settle(checks.no_trace(sheet))


@pytest.mark.parametrize("route", ["pdflatex", "xelatex", "lualatex"])
@pytest.mark.parametrize(
    "others", ["", "\\usepackage{hyperref}\\usepackage{hyperxmp}"], ids=["alone", "hyperxmp"]
)
def test_metadata_is_written_once_from_the_begin_of_the_document(others: str, route: str) -> None:
    main = paper(before=LOAD, after=f"{others}\\AtBeginDocument{{{COMMAND}}}").replace(
        "%PITH%", "%"
    )
    with only(main, route) as sheet:
        assert sheet.info["/PithNumber"] == f"pith:{SUFFIX}"
        assert sheet.xmp.count("<pith:number") == 1
        assert sheet.path.read_bytes().count(b"/PithNumber") <= 1


KEYS = {
    "acmart-shown": (
        "\\documentclass[sigconf,anonymous]{acmart}",
        "\\usepackage[hide=false]{pith}" + COMMAND,
    ),
    "article-shown": (
        "\\documentclass[anonymous]{article}",
        "\\usepackage[hide=false]{pith}" + COMMAND,
    ),
    "number-shown": (
        "\\documentclass[anonymous]{article}",
        f"{LOAD}\\pithnumber[hide=false]{{{SUFFIX}}}",
    ),
    "number-metadata": (
        "\\documentclass{article}",
        f"\\usepackage[metadata=false]{{pith}}\\pithnumber[metadata]{{{SUFFIX}}}",
    ),
}


@pytest.mark.parametrize("case", KEYS)
def test_the_key_nearest_to_the_number_holds(case: str) -> None:
    """Badge and metadata go by the same keys: what is shown is written."""
    class_line, snippet = KEYS[case]
    main = paper(class_line=class_line)
    checks.need(build(Source(main).without_pith()))
    with only(main.replace("%PITH%", snippet)) as sheet:
        assert len(sheet.record_links()) == 1
        assert sheet.info["/PithURL"] == RECORD_URL


def test_link_and_metadata_name_the_same_server() -> None:
    resolver = "https://mirror.example.org"
    with only(
        paper(before=LOAD + COMMAND, after=f"\\pithsetup{{resolver={resolver}}}").replace(
            "%PITH%", "%"
        )
    ) as sheet:
        assert sheet.info["/PithURL"] == f"{resolver}/pith/{SUFFIX}"
        assert len(sheet.links(sheet.info["/PithURL"])) == 1


HARMLESS = {
    "bracket-in-a-key": f"\\pithnumber[style={{x]y}}]{{{SUFFIX}}}",
    "huge-grey": f"\\pithnumber[color=99999999999]{{{SUFFIX}}}",
    "blank-line-in-keys": f"\\pithnumber[mono,\n\ncolor=teal]{{{SUFFIX}}}",
    "address": f"\\pithnumber{{{RECORD_URL}}}",
    "macro": f"\\newcommand\\ours{{pith:2024:{SUFFIX}}}\\pithnumber{{ \\ours }}",
}


@pytest.mark.parametrize("case", HARMLESS)
def test_no_error_but_for_a_wrong_number(case: str) -> None:
    with only(paper(before=LOAD, after=HARMLESS[case]).replace("%PITH%", "%")) as sheet:
        assert len(sheet.record_links()) == 1


def test_a_blank_line_in_the_number_is_one_error() -> None:
    ours = build(
        Source(
            paper(before=LOAD, after=f"\\pithnumber{{{SUFFIX}\n\n}}").replace("%PITH%", "%"), runs=1
        )
    )
    assert len(ours.errors) == 1
    assert "Package pith Error" in ours.errors[0]


def test_a_class_option_that_comes_after_the_package_counts() -> None:
    """`\\RequirePackage` before `\\documentclass` knows nothing of the class's options yet."""
    main = paper(
        first="\\RequirePackage{pith}",
        class_line="\\documentclass[anonymous]{article}",
        after=COMMAND,
    )
    with only(main.replace("%PITH%", "%")) as sheet:
        checks.settle(checks.no_trace(sheet))


@pytest.mark.parametrize("content", ["x", "\\rule{1cm}{1mm}"])
def test_a_standalone_page_lower_than_the_badge_has_none_beyond_its_edge(content: str) -> None:
    body = f"\\begin{{document}}\n{content}\n\\end{{document}}\n"
    main = f"\\documentclass{{standalone}}\n%PITH%\n{body}"
    checks.settle(checks.compiled(*pair(Source(main))))


@pytest.mark.parametrize("size", [480, 500, 510, 520, 540, 580])
@pytest.mark.parametrize("name", ["amsart", "amsproc"])
def test_an_abstract_that_fills_the_title_page_leaves_the_badge_to_the_foot(
    name: str, size: int
) -> None:
    front = f"\\begin{{abstract}}\\rule{{1pt}}{{{size}pt}}\\end{{abstract}}\\maketitle"
    main = paper(class_line=f"\\documentclass{{{name}}}", front=front, amount=1)
    bare, ours = pair(Source(main))
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        (link,) = after.record_links()
        assert checks.overprinted(before, after, link) == []
        assert after.pages <= before.pages + (size == 480)  # where the badge itself no longer fits


PULLED_UP = {
    "vspace": "\\maketitle\n\\vspace{-3em}\\begin{abstract}Quagga.\\end{abstract}",
    "vspace-section": "\\maketitle\n\\vspace{-0.5in}\\section{First}",
    "vskip-text": "\\maketitle\\vskip-30pt\n",
    "date": "\\date{\\vspace{-5ex}}\\maketitle\\begin{abstract}Quagga.\\end{abstract}",
}


@pytest.mark.parametrize("idiom", PULLED_UP)
@pytest.mark.parametrize(
    "class_line",
    ["\\documentclass{article}", "\\documentclass{scrartcl}", "\\documentclass{amsart}"],
)
def test_text_pulled_up_under_the_title_stays_clear_of_the_badge(
    class_line: str, idiom: str
) -> None:
    """Authors save room by a negative space below the title; the badge stays clear of what
    comes."""
    if release() < 2021:
        pytest.skip("the kernel has no hook in paragraphs")
    with only(
        paper(class_line=class_line, front=PULLED_UP[idiom]).replace("%PITH%", LOAD + COMMAND)
    ) as sheet:
        (link,) = sheet.record_links()
        assert sheet.text_in(0, link.rect) == VISIBLE


GRAPHICAL = (
    "\\begin{graphicalabstract}Picture\\end{graphicalabstract}"
    "\\begin{highlights}\\item One\\end{highlights}"
)


@pytest.mark.parametrize("name", ["elsarticle-preprint", "elsarticle-5p", "cas-sc", "cas-dc"])
def test_pages_before_the_title_get_no_badge(name: str) -> None:
    """Elsevier's classes print a graphical abstract and highlights on pages of their own first."""
    document = BY_NAME[name]
    main = document.main.replace("\\begin{abstract}", GRAPHICAL + "\\begin{abstract}")
    assert main != document.main
    bare, ours = pair(Source(main))
    checks.need(bare)
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        (link,) = after.record_links()
        assert link.page == before.page_with("Quagga abstract")
        assert link.rect.top < after.find(link.page, "Quagga abstract")[0].bottom
        assert before.pages == after.pages


@pytest.mark.parametrize("name", ["elsarticle-preprint", "cas-sc", "cas-dc"])
def test_a_double_blind_paper_has_no_trace_of_the_number(name: str) -> None:
    main = (
        BY_NAME[name]
        .main.replace("\\documentclass{", "\\documentclass[doubleblind]{")
        .replace("[preprint", "[doubleblind,preprint")
    )
    assert "doubleblind" in main
    with Paper(pair(Source(main))[1].pdf) as sheet:
        checks.settle(checks.no_trace(sheet))


@pytest.mark.parametrize(
    "class_line", ["\\documentclass{amsart}", "\\documentclass[nonacm]{acmart}"]
)
def test_a_qr_code_is_read_where_the_class_spreads_lines(class_line: str) -> None:
    import zxingcpp

    main = paper(class_line=class_line)
    checks.need(build(Source(main).without_pith()))
    with only(main.replace("%PITH%", f"\\usepackage[qr]{{pith}}{COMMAND}")) as sheet:
        assert [code.text for code in zxingcpp.read_barcodes(sheet.picture(0, 5.0))] == [RECORD_URL]


@pytest.mark.parametrize(
    "class_line", ["\\documentclass{beamer}", "\\documentclass[nonacm]{acmart}"]
)
@pytest.mark.parametrize("command", ["pithbadge", "pithnumber"])
def test_a_number_in_a_title_stays_out_of_the_title_of_the_pdf(
    class_line: str, command: str
) -> None:
    title = f"{TITLE} \\{command}{{{SUFFIX}}}"
    ours = build(
        Source(
            paper(class_line=class_line, before=LOAD, title=title, amount=1).replace("%PITH%", "%")
        )
    )
    assert not [line for line in ours.warnings if "PDF string" in line]


def test_a_number_may_stand_in_an_item() -> None:
    body = f"\\begin{{itemize}}\\item {COMMAND} is it.\\end{{itemize}}"
    with only(paper(before=LOAD, body=body).replace("%PITH%", "%")) as sheet:
        (link,) = sheet.record_links()
        (words,) = sheet.find(0, "is it.")
        assert abs(words.bottom - link.rect.bottom) < 5


def test_a_cas_paper_takes_the_number_after_its_title() -> None:
    main = BY_NAME["cas-dc"].main
    checks.need(build(Source(main).without_pith()))
    with only(
        main.replace("%PITH%", LOAD).replace("\\maketitle", f"\\maketitle{COMMAND}")
    ) as sheet:
        (link,) = sheet.record_links()
        assert link.rect.bottom > 200
