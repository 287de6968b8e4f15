"""One test for each LaTeX row of the list of public reports in this field, named after its row.

Rows with a test elsewhere: L28 is in test_preflight.py and L34, L35, L37 and L32 are in
test_html.py.
"""

from __future__ import annotations

import re

import pikepdf
import pytest
from test_interactions import METADATA, Case

from tests.support.latex import checks
from tests.support.latex.build import RECORD_URL, SNIPPET, SUFFIX, Source, build, release
from tests.support.latex.documents import BY_NAME
from tests.support.latex.papercase import every_route, only, pair, paper, whole
from tests.support.latex.papers import VISIBLE, Paper

BADGE = f"\\pithbadge{{{SUFFIX}}}"
LOAD = "\\usepackage{pith}"


@pytest.mark.parametrize("order", ["before", "after"])
def test_report_l1_no_option_clash_with_hyperref(order: str) -> None:
    whole(Case(**{order: "\\usepackage[colorlinks,linktocpage]{hyperref}"}).source("pdflatex"))


def test_report_l3_beamer_with_hyperref_options() -> None:
    document = BY_NAME["beamer-maketitle"]
    source = Source(document.main.replace("\\title{", "\\hypersetup{colorlinks}\\title{", 1))
    bare, ours = pair(source)
    checks.settle(checks.compiled(bare, ours))


def test_report_l6_externalize_sees_no_badge() -> None:
    main = paper(
        before=f"{LOAD}\\usepackage{{tikz}}\\usetikzlibrary{{external}}\\tikzexternalize",
        body=f"{BADGE} \\begin{{tikzpicture}}\\draw (0,0)--(1,1);\\end{{tikzpicture}}",
    ).replace("%PITH%", "%")
    source = Source(main, options=("-shell-escape",))
    ours = build(source)
    assert ours.ok
    assert [path.name for path in ours.folder.glob("main-figure*.pdf")] == ["main-figure0.pdf"]


@every_route
def test_report_l7_no_stray_space(route: str) -> None:
    body = (
        f"\\newdimen\\one\\newdimen\\two\\setbox0\\hbox{{A{BADGE}B}}\\one=\\wd0 "
        f"\\setbox0\\hbox{{A}}\\two=\\wd0 \\setbox0\\hbox{{{BADGE}}}\\advance\\two\\wd0 "
        "\\setbox0\\hbox{B}\\advance\\two\\wd0 "
        "\\typeout{WIDTHS \\the\\one\\space\\the\\two}"
    )
    ours = build(Source(paper(before=LOAD, body=body).replace("%PITH%", "%"), route=route))
    found = re.search(r"WIDTHS (\S+)pt (\S+)pt", ours.log)
    assert found
    assert float(found[1]) == pytest.approx(float(found[2]), abs=0.001)


def test_report_l7_preamble_commands_leave_no_space() -> None:
    body = f"\\setbox0\\hbox{{\\pithsetup{{style=pill}}\\pithnumber{{{SUFFIX}}}}}\\typeout{{DONE}}"
    ours = build(Source(paper(body=body).replace("%PITH%", SNIPPET)))
    assert ours.ok
    begin = "\\documentclass{article}\\usepackage{pith}\\begin{document}"
    main = (
        begin + "\\setbox0\\hbox{\\pithsetup{style=pill}}\\typeout{WIDTH \\the\\wd0}\\end{document}"
    )
    assert "WIDTH 0.0pt" in build(Source(main)).log


def test_report_l8_every_name_begins_with_pith() -> None:
    """What TeX's table of names holds after a paper with pith that it does not hold after the paper
    without."""
    if release() < 2021:
        pytest.skip("LuaTeX's list of names leaves most of them out in this release")
    listing = (
        "\\AtEndDocument{\\directlua{for _,name in pairs(tex.hashtokens()) do if token.is_defined(name) then "
        "texio.write_nl('log','NAME '..name) end end}}"
    )
    bare, ours = pair(Source(paper(before="\\usepackage{iftex}" + listing), route="lualatex"))
    before, after = (set(re.findall(r"^NAME (.*)$", version.log, re.M)) for version in (bare, ours))
    assert {"pithnumber", "pithbadge", "pithlink", "pithsetup"} <= after - before
    # Not pith's: the names that LaTeX makes for a hook or for a font, and its scratch macros.
    others = r"(OT1|T1|TU|OMS|OML|OMX|U)[/+]|<|TU|@temp[abc]$|.*hook|\\|environment .* end aux"
    strange = {name for name in after - before if "pith" not in name and not re.match(others, name)}
    assert strange == set()


def test_report_l8_a_class_with_names_of_its_own() -> None:
    taken = "\\newcommand\\badge{}\\newcommand\\link{}\\newcommand\\qr{}\\newcommand\\orcid{}"
    whole(Case(before=taken).source("pdflatex"))


@pytest.mark.parametrize(
    "order", ["\\usepackage{hyperref}\\usepackage{cleveref}", "\\usepackage{cleveref}"]
)
@pytest.mark.parametrize("place", ["before", "after"])
def test_report_l9_cleveref_in_both_orders(order: str, place: str) -> None:
    whole(Case(**{place: order}, body="\\section{One}\\label{one}\\cref{one}").source("pdflatex"))


@pytest.mark.parametrize(
    "name",
    [
        "hyperxmp-before",
        "hyperxmp-after",
        "pdfx-before",
        "pdfx-after",
        "document-metadata",
        "xmpincl",
    ],
)
def test_report_l13_one_packet(name: str) -> None:
    case = METADATA[name]
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} does not know this")
    ours = build(case.source("pdflatex").with_pith())
    with Paper(ours.pdf) as sheet:
        assert sheet.metadata_streams == 1
    assert (
        ours.pdf.read_bytes().count(b"/Type/Catalog")
        + ours.pdf.read_bytes().count(b"/Type /Catalog")
        <= 1
    )
    assert run_qpdf_check(ours.pdf) == []


def run_qpdf_check(path: object) -> list[str]:
    """What a strict reader says of the file's structure: a duplicated key is a warning there."""
    with pikepdf.open(str(path)) as opened:
        return [str(problem) for problem in opened.check_pdf_syntax()] + [
            str(warning) for warning in opened.get_warnings()
        ]


def test_report_l15_no_raw_catalogue_under_the_management() -> None:
    case = METADATA["document-metadata"]
    if release() < case.since:
        pytest.skip(f"TeX Live {release()} has no PDF management")
    ours = build(case.source("pdflatex").with_pith())
    assert ours.ok
    assert run_qpdf_check(ours.pdf) == []
    assert not [line for line in ours.warnings if "pdfcatalog" in line or "pdfmanagement" in line]


NUMBER = f"\\pithnumber{{{SUFFIX}}}"
LATE = {
    "begin": f"{NUMBER}\\maketitle",
    "after-page-1": f"\\maketitle Text.\\newpage {NUMBER}",
    "after-page-2": f"\\maketitle Text.\\newpage Text. \\newpage {NUMBER}",
}


@every_route
@pytest.mark.parametrize("place", LATE)
@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_report_l16_l17_metadata_from_a_late_command(place: str, loaded: str, route: str) -> None:
    main = paper(before=LOAD + loaded, front=LATE[place]).replace("%PITH%", "%")
    with only(main, route) as sheet:
        assert sheet.info.get("/PithNumber") == checks.NUMBER
        assert sheet.info.get("/PithURL") == RECORD_URL
        assert checks.NUMBER in sheet.xmp
        assert sheet.metadata_streams == 1
        assert len(sheet.record_links()) == 1


@every_route
@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_report_l18_only_our_keys_are_added(loaded: str, route: str) -> None:
    bare, ours = pair(Source(paper(before=loaded), route=route))
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        assert after.info.keys() - before.info.keys() == {"/PithNumber", "/PithURL"}
        assert before.info.keys() <= after.info.keys()


@pytest.mark.parametrize("order", ["before", "after"])
def test_report_l19_title_and_author_are_left_alone(order: str) -> None:
    case = Case(**{order: "\\usepackage[pdfusetitle,pdfauthor={Someone Else}]{hyperref}"})
    bare, ours = pair(case.source("pdflatex"))
    with Paper(bare.pdf) as before, Paper(ours.pdf) as after:
        for key in ("/Title", "/Author"):
            assert after.info.get(key) == before.info.get(key)
            assert after.info.get(key)


@pytest.mark.parametrize(
    "text", ["\\textbf{X}", "a_b^c", "<&>", "((()", "X) /Evil (y", "]]>", "\\number\\year"]
)
def test_report_l20_no_string_needs_escaping(text: str) -> None:
    """What is not a number never reaches the PDF."""
    main = paper().replace("%PITH%", f"{LOAD}\n\\pithnumber{{{text}}}")
    ours = build(Source(main, runs=1))
    assert any("Package pith Error" in line for line in ours.errors)
    if ours.pdf.exists():
        with Paper(ours.pdf) as sheet:
            assert "/PithNumber" not in sheet.info
            assert "/Evil" not in sheet.info
            assert b"pith.science" not in sheet.everything


def test_report_l22_luatex_has_no_pdftex_primitives() -> None:
    whole(Source(paper(), route="lualatex"))


def test_report_l23_lualatex_in_dvi_mode() -> None:
    for engine in ("dvilualatex",):
        bare, ours = pair(Source(paper(), route="dvips", engine=engine, after=()))
        assert not any(ours.exit_codes)
        assert not ours.errors
        assert set(ours.warnings) <= set(bare.warnings)


@pytest.mark.parametrize("language", ["ngerman", "portuguese", "dutch", "spanish", "polish"])
def test_report_l25_active_quote(language: str) -> None:
    loading = f"\\usepackage[T1]{{fontenc}}\\usepackage{{lmodern}}\\usepackage[{language}]{{babel}}"
    main = paper(
        before=loading + LOAD,
        front=f"{NUMBER}\\maketitle",
        body=f'{BADGE} \\pithlink{{{SUFFIX}}} "a',
    ).replace("%PITH%", "%")
    with only(main) as sheet:
        assert len(sheet.record_links()) == 3


@pytest.mark.parametrize("lines", range(40, 48))
def test_report_l26_no_link_breaks_over_a_page(lines: int) -> None:
    body = (
        "\\newpage "
        + "Line.\\par " * lines
        + f"Words and {BADGE} words. {BADGE}{BADGE}{BADGE}{BADGE}{BADGE}{BADGE}{BADGE}"
    )
    for class_line in ("\\documentclass{article}", "\\documentclass[twocolumn]{article}"):
        main = paper(
            before=LOAD + "\\usepackage{hyperref}\\sloppy",
            body=body,
            class_line=class_line,
            amount=1,
        ).replace("%PITH%", "%")
        with only(main) as sheet:
            links = sheet.record_links()
            assert len(links) == 8
            assert all(sheet.text_in(link.page, link.rect) == VISIBLE for link in links)


def test_report_l27_annotation_inside_a_box() -> None:
    main = paper(before=LOAD, body=f"\\setbox0\\hbox{{\\vbox{{\\hbox{{{BADGE}}}}}}}\\box0").replace(
        "%PITH%", "%"
    )
    with only(main) as sheet:
        assert len(sheet.record_links()) == 1


@every_route
def test_report_l30_badge_fits_into_a_column(route: str) -> None:
    ours = build(BY_NAME["IEEEtran-conference"].source(route).with_pith())
    with Paper(ours.pdf) as sheet:
        (link,) = sheet.record_links()
        assert link.rect.width < 252  # \columnwidth of IEEEtran in two columns, 3.5 inch
    narrow = paper(
        before=LOAD,
        body=f"\\noindent{BADGE}",
        class_line="\\documentclass[twocolumn,a5paper]{article}",
    ).replace("%PITH%", "%")
    result = build(Source(narrow, route=route))
    assert not [line for line in result.warnings if line.startswith("Overfull \\hbox")]


@every_route
@pytest.mark.parametrize(
    "options", ["", "colorlinks,allcolors=magenta", "pdfborder={0 0 3},urlbordercolor={1 0 0}"]
)
def test_report_l31_link_colours_stay_off_the_badge(options: str, route: str) -> None:
    pictures = []
    for loaded in ("", f"\\usepackage[{options}]{{hyperref}}"):
        with only(paper(after=loaded).replace("%PITH%", SNIPPET), route) as sheet:
            (link,) = sheet.record_links()
            assert link.border == (0, 0, 0)
            pictures.append(sheet.picture(0, 4.0, link.rect))
    first, second = (
        {color for _, color in sorted(picture.getcolors(1 << 20), reverse=True)[:3]}
        for picture in pictures
    )
    assert first == second


def fill_colours(page: pikepdf.Page) -> list[str]:
    """Every operator of the page that sets a fill colour, with its operands."""
    found = []
    for operands, operator in pikepdf.parse_content_stream(page):
        if str(operator) in ("g", "rg", "k", "sc", "scn"):
            found.append(
                " ".join(
                    f"{float(value):g}" for value in operands if not isinstance(value, pikepdf.Name)
                )
                + f" {operator}"
            )
    return found


@every_route
def test_report_l33_colours_are_balanced(route: str) -> None:
    """The colour in force at the end of the page is the one it has without pith, in the same colour
    space."""
    for before in ("", "\\usepackage{xcolor}", "\\usepackage{color}"):
        bare, ours = pair(Source(paper(before=before), route=route))
        with Paper(bare.pdf) as first, Paper(ours.pdf) as second:
            plain, drawn = fill_colours(first.page_object(0)), fill_colours(second.page_object(0))
            black = {"0 g", "0 0 0 rg"}
            assert drawn, "the badge sets no colour at all"
            assert drawn[-1] in black | set(plain), drawn
        assert "color stack" not in ours.log.lower()
        assert "Color stack" not in ours.text(".ps")


@every_route
def test_report_l33_coloured_text_goes_on_in_its_colour(route: str) -> None:
    body = f"\\textcolor{{red}}{{Before {BADGE} after}} black {BADGE} end"
    main = paper(before=LOAD + "\\usepackage{xcolor}", body=body).replace("%PITH%", "%")
    with only(main, route) as sheet:
        rects = [link.rect for link in sheet.record_links()]
        assert len(rects) == 2
        colours = {}
        for word in ("after", "black", "end"):
            place = sheet.find(0, word)[-1]
            assert not any(place.touches(rect) for rect in rects)
            colours[word] = {
                glyph.color[:3]
                for glyph in sheet.glyphs(0)
                if glyph.box.touches(place) and glyph.text in word
            }
        assert colours["after"] == {(255, 0, 0)}
        assert colours["black"] == colours["end"] == {(0, 0, 0)}


@pytest.mark.parametrize("order", ["before", "after"])
def test_report_l38_bidi_and_polyglossia(order: str) -> None:
    for loading in ("\\usepackage{bidi}", "\\usepackage{polyglossia}\\setmainlanguage{english}"):
        whole(Case(**{order: loading}).source("xelatex"))


def test_report_l39_maketitle_is_not_redefined() -> None:
    main = paper(
        before="\\let\\Before\\maketitle",
        after="\\typeout{SAME \\ifx\\Before\\maketitle yes\\else no\\fi}",
    ).replace("%PITH%", SNIPPET)
    assert "SAME yes" in build(Source(main)).log


@pytest.mark.parametrize("name", ["jss-like", "statsoc-like"])
@every_route
def test_report_l40_maketitle_when_the_document_begins(name: str, route: str) -> None:
    document = BY_NAME[name]
    whole(document.source(route), place=document.place)


def test_report_l41_a_title_command_that_cannot_be_patched() -> None:
    """The hook has no place in it, so the foot of the page takes the badge."""
    odd = "\\makeatletter\\catcode`\\!=3 \\def\\maketitle#1!{\\begin{center}#1\\end{center}}\\makeatother"
    main = paper(before=odd, front="\\maketitle Pith Test Title!").replace("%PITH%", SNIPPET)
    with only(main) as sheet:
        (link,) = sheet.record_links()
        assert link.page == 0


def test_report_l44_acmart_with_cleveref() -> None:
    document = BY_NAME["acmart-sigconf"]
    for order in ("\\usepackage{cleveref}\n%PITH%", "%PITH%\n\\usepackage{cleveref}"):
        bare, ours = pair(Source(document.main.replace("%PITH%", order)))
        checks.settle(checks.compiled(bare, ours))
        with Paper(ours.pdf) as sheet:
            assert len(sheet.record_links()) == 1


def test_report_l45_works_without_the_newer_hooks() -> None:
    """What came into the kernel in 2021 and later is taken away."""
    newer = ("ActivateGenericHook", "DeclareKeys", "ProcessKeyOptions")
    without = (
        "\\makeatletter" + "".join(f"\\let\\{name}\\@undefined" for name in newer) + "\\makeatother"
    )
    whole(Case(before=without).source("pdflatex"))


@every_route
def test_report_l46_aux_is_stable(route: str) -> None:
    source = Source(
        paper(after="\\usepackage{hyperref}", body="\\section{One}\\label{a}\\ref{a}"), route=route
    )
    bare, ours = pair(source)
    assert ours.runs == bare.runs
    assert ours.aux == bare.aux
    assert ours.aux_hashes[-1] == ours.aux_hashes[-2]


@every_route
def test_report_l47_no_side_files(route: str) -> None:
    bare, ours = pair(Source(paper(), route=route))
    new = {path.name for path in ours.folder.iterdir()} - {
        path.name for path in bare.folder.iterdir()
    }
    assert new == {"pith.sty"}


def test_report_l48_link_inside_a_picture() -> None:
    """In an externalised picture a link can't live; in one that is not, it does."""
    body = f"\\begin{{tikzpicture}}\\node {{{BADGE}}};\\end{{tikzpicture}}"
    main = paper(after="\\usepackage{tikz}", body=body).replace("%PITH%", SNIPPET)
    with only(main) as sheet:
        assert len(sheet.record_links()) == 2
        assert all(sheet.text_in(link.page, link.rect) == VISIBLE for link in sheet.record_links())


def test_report_l49_plain_tex_gets_one_clear_line() -> None:
    source = Source("\\input pith.sty\nHello\n\\end\n", engine="pdftex", runs=1, after=())
    ours = build(source)
    said = [
        line for line in ours.log.splitlines() if "pith" in line.lower() and "plain" in line.lower()
    ]
    assert len(said) == 1
    assert not ours.errors
    with Paper(ours.pdf) as sheet:
        assert sheet.text(0).replace("1", "") == "Hello"


@pytest.mark.parametrize("loaded", ["", "\\usepackage{hyperref}"], ids=["plain", "hyperref"])
def test_report_l50_fragile_places(loaded: str) -> None:
    front = f"\\title{{T\\thanks{{{BADGE}}}}}\\author{{Ada {BADGE}}}\\maketitle"
    body = (
        f"\\section{{S {BADGE}}}Text\\footnote{{{BADGE}}}\\begin{{minipage}}{{4cm}}{BADGE}\\end{{minipage}}"
        f"\\begin{{figure}}[h]{BADGE}\\caption{{C {BADGE}}}\\end{{figure}}"
    )
    with only(paper(before=LOAD + loaded, front=front, body=body).replace("%PITH%", "%")) as sheet:
        assert len(sheet.record_links()) == 7


def test_report_l51_silence_ends() -> None:
    silence = (
        "\\usepackage{silence}\\WarningFilter{latex}{x}\\usepackage{hyperref}\\usepackage{hyperxmp}"
    )
    whole(Case(before=silence).source("pdflatex"), others=True)
