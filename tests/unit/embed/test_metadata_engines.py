"""The snippets for machines, read by what reads them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pybadge
from pybadge import snippet
from pybadge.errors import InvalidRecordError
from pybadge.escape.lines import one_line
from tests.support.data import NUMBER
from tests.support.documents import signed
from tests.support.markup_engines import LINK, run

TITLE = "MegaScale: Scaling Large Language Model Training to More Than 10,000 GPUs"

HOSTILE = (
    'A {title} with \\input{/etc/passwd} ^^5cinput{x} % # & ~ _ $x$ "q" @string{a=1} } { | ] [ * `'
    " <b> \\write18{x} "
    "</script><script>alert(1)</script> \u202e \u2028 --- 'y'"
)


@pytest.fixture(scope="session")
def hostile_report():
    """A validly signed record, by a key that the user trusts, with a hostile title and hostile
    authors."""
    authors = 'A. and B, {C}, "D" \\E, F <script>, G} and {H, Ünï, ,'
    record, key = signed(title=HOSTILE, authors=authors)
    made = pybadge.verify(record, trusted=[key])
    assert made.verdict == "verified"
    return made


def shown(text):
    """The text as it may be shown: hostile characters replaced."""
    return one_line(text)


def bibliography(folder, entry, encoding="\\usepackage[T1]{fontenc}\\usepackage{lmodern}"):
    """What BibTeX and then pdfLaTeX make of an entry: the .bbl and the text of the page."""
    (folder / "x.bib").write_text(entry)
    key = re.match(r"@misc\{([^,]+),", entry)[1]
    (folder / "x.tex").write_text(
        "\\documentclass{article}\\usepackage[utf8]{inputenc}"
        + encoding
        + "\\begin{document}\\sloppy"
        f"\\nocite{{{key}}}\\bibliographystyle{{plain}}\\bibliography{{x}}\\end{{document}}"
    )

    def tex():
        command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "x.tex"]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120, check=False)
        assert done.returncode == 0, (folder / "x.log").read_text(errors="replace")[-1500:]

    tex()
    log = run(["bibtex", "x"], "", folder)
    assert "Warning" not in log
    tex()
    text = run(["pdftotext", "-layout", "x.pdf", "-"], "", folder)
    return (folder / "x.bbl").read_text(), re.sub(r"-\n\s*", "-", text)


def joined(text):
    return re.sub(r"[\s-]+", "", text)


def test_bibtex_takes_the_entry(report, tmp_path):
    entry = snippet(report, format="bibtex")
    bbl, page = bibliography(tmp_path, entry)
    assert TITLE in re.sub(r"\s+", " ", bbl)
    assert joined(NUMBER) in joined(page)
    assert joined("arXiv:2402.15627v1") in joined(page)
    assert joined("Cong Xie, Ding Zhou") in joined(page)
    assert f"pith          = {{{NUMBER}}}" in entry
    assert "eprint        = {2402.15627}" in entry


def test_bibtex_takes_the_entry_in_the_old_font_encoding(hostile_report, tmp_path):
    """LaTeX's default encoding lacks straight quotes and braces as letters; nothing may need more
    than it has."""
    bibliography(tmp_path, snippet(hostile_report, format="bibtex"), encoding="")


def test_bibtex_prints_a_hostile_record_as_it_is(hostile_report, tmp_path):
    _, page = bibliography(tmp_path, snippet(hostile_report, format="bibtex"))
    words = joined(page)
    assert joined(r"\input{/etc/passwd}") in words
    assert joined(r"^^5cinput{x}") in words
    assert joined(r"@string{a=1} } { | ] [ *") in words
    assert joined("<script>alert(1)</script>") in words
    assert "root:" not in page
    assert "A.andB" in words  # one author, not two


def test_pandoc_cites_from_csl_json(report, tmp_path):
    (tmp_path / "x.json").write_text(snippet(report, format="csl-json"))
    text = "---\nbibliography: x.json\nnocite: '@*'\n---\n"
    page = run(["pandoc", "--citeproc", "-t", "plain", "--wrap=none"], text, tmp_path)
    assert TITLE in page
    assert "Cong Xie, Ding Zhou" in page
    assert "https://doi.org/10.48550/arXiv.2402.15627" in page
    assert "2024" in page
    (item,) = json.loads(snippet(report, format="csl-json"))
    assert item["custom"]["pith"] == NUMBER


def test_pandoc_cites_a_hostile_record_as_it_is(hostile_report, tmp_path):
    (tmp_path / "x.json").write_text(snippet(hostile_report, format="csl-json"))
    page = run(
        ["pandoc", "--citeproc", "-t", "html"],
        "---\nbibliography: x.json\nnocite: '@*'\n---\n",
        tmp_path,
    )
    assert "<script" not in page
    (item,) = json.loads((tmp_path / "x.json").read_text())
    assert item["title"] == shown(HOSTILE)


@pytest.mark.parametrize("place", ["top", "preferred-citation"])
def test_the_citation_file_passes_its_validator(report, tmp_path, place):
    """Validated by cffconvert against the schema of the Citation File Format."""
    part = snippet(report, format="citation-cff")
    head = 'cff-version: 1.2.0\nmessage: "Cite it."\ntitle: "Code"\nauthors:\n  - name: "A"\n'
    if place == "top":
        text = head + part
    else:
        inner = "".join(f"  {line}\n" for line in part.splitlines())
        text = (
            head
            + 'preferred-citation:\n  type: article\n  title: "P"\n  authors:\n    - name: "A"\n'
            + inner
        )
    (tmp_path / "CITATION.cff").write_text(text)
    # In its own process: it still imports pkg_resources, which warns.
    command = [
        Path(sys.executable).parent / "cffconvert",
        "--validate",
        "-i",
        tmp_path / "CITATION.cff",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Citation metadata are valid" in done.stdout
    assert NUMBER in text


def test_citation_cff_that_is_wrong_is_refused(report, tmp_path):
    """The validator is not asleep."""
    part = snippet(report, format="citation-cff").replace("type: doi", "type: pith")
    (tmp_path / "CITATION.cff").write_text(
        'cff-version: 1.2.0\nmessage: "x"\ntitle: "x"\nauthors:\n  - name: "A"\n' + part
    )
    command = [
        Path(sys.executable).parent / "cffconvert",
        "--validate",
        "-i",
        tmp_path / "CITATION.cff",
    ]
    assert subprocess.run(command, capture_output=True, timeout=60, check=False).returncode != 0


def loader(url, _options=None):
    """schema.org's and CodeMeta's contexts as they bear on these terms; the tests ask no
    network."""
    assert url.rstrip("/") in ("https://schema.org", "https://w3id.org/codemeta/3.0")
    terms = {"@vocab": "http://schema.org/", "type": "@type", "id": "@id"}
    for name in ("url", "license"):
        terms[name] = {"@id": f"http://schema.org/{name}", "@type": "@id"}
    return {
        "contentType": "application/ld+json",
        "contextUrl": None,
        "documentUrl": url,
        "document": {"@context": terms},
    }


def expanded(text):
    from pyld import jsonld

    return jsonld.expand(json.loads(text), {"documentLoader": loader})


def script_text(markup):
    """The JSON-LD as a browser's parser finds it."""
    import lxml.html

    (script,) = lxml.html.fromstring(f"<html><head>{markup}</head></html>").xpath("//script")
    assert script.get("type") == "application/ld+json"
    return script.text


def identifiers(article):
    pairs = article["http://schema.org/identifier"]
    return {
        one["http://schema.org/propertyID"][0]["@value"]: one["http://schema.org/value"][0][
            "@value"
        ]
        for one in pairs
    }


def test_json_ld_expands_as_linked_data(report):
    (article,) = expanded(script_text(snippet(report, format="json-ld")))
    assert article["@type"] == ["http://schema.org/ScholarlyArticle"]
    assert article["@id"] == "https://doi.org/10.48550/arXiv.2402.15627"
    assert article["http://schema.org/name"] == [{"@value": TITLE}]
    assert len(article["http://schema.org/author"]) == 32
    assert identifiers(article)["Pith Number"] == NUMBER
    assert article["http://schema.org/license"] == [
        {"@id": "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"}
    ]


def test_json_ld_of_a_hostile_record_is_inert(hostile_report):
    markup = snippet(hostile_report, format="json-ld")
    assert markup.count("<") == 2  # the element's own
    (article,) = expanded(script_text(markup))
    assert article["http://schema.org/name"] == [{"@value": shown(HOSTILE)}]


def test_the_codemeta_file_expands_as_linked_data(report):
    (code,) = expanded(snippet(report, format="codemeta"))
    assert code["@type"] == ["http://schema.org/SoftwareSourceCode"]
    (article,) = code["http://schema.org/referencePublication"]
    assert identifiers(article)["Pith Number"] == NUMBER


def test_the_signposting_links_are_read(report):
    import lxml.html

    text = snippet(report, format="signposting")
    assert "the one page that is the landing page of arXiv:2402.15627v1" in text
    links = lxml.html.fromstring(f"<html><head>{text}</head></html>").xpath("//link")
    assert [(link.get("rel"), link.get("href")) for link in links] == [
        ("cite-as", "https://doi.org/10.48550/arXiv.2402.15627"),
        ("describedby", f"{LINK}.json"),
        ("type", "https://schema.org/ScholarlyArticle"),
        ("license", "http://arxiv.org/licenses/nonexclusive-distrib/1.0/"),
    ]


def read_by_shields(part):
    """shields.io's rule for one part of the path: a lone underscore is a blank, doubled ones and
    dashes are single."""
    from urllib.parse import unquote

    text = unquote(part)
    text = re.sub(r"(?<!_)_(?!_)", " ", text)
    return text.replace("__", "_").replace("--", "-")


def test_a_static_shields_address_gives_back_its_words():
    from pybadge.escape.markup import shields_path

    for text in (
        "a-b",
        "a_b",
        "a b",
        "a--b",
        "a__b",
        "a - b",
        "a _ b",
        "100%",
        "a/b?c#d",
        "a%20b",
        "ü–x",
        "-a",
        "a-",
        "_a_",
        "_",
    ):
        encoded = shields_path(text)
        assert re.fullmatch(r"[A-Za-z0-9._~%-]+", encoded)
        assert read_by_shields(encoded) == text


def test_the_shields_endpoint_is_the_badges_json_beside_the_picture(report):
    from urllib.parse import parse_qs, urlsplit

    address = snippet(
        report, format="shields", image_url="https://example.org/a b/x_y-z%20/badge.svg?v=1"
    ).strip()
    parts = urlsplit(address)
    assert (parts.scheme, parts.netloc, parts.path) == ("https", "img.shields.io", "/endpoint")
    assert parse_qs(parts.query) == {"url": ["https://example.org/a%20b/x_y-z%20/badge.json"]}
    with pytest.raises(pybadge.PybadgeError, match="--image-url"):
        snippet(report, format="shields")


def test_the_static_shields_address_holds_the_badges_words(report):
    assert (
        snippet(report, format="shields-static")
        == "https://img.shields.io/badge/pith-%E2%9C%93%20XR2UHLWN-1a7f41\n"
    )


MACHINE_FORMATS = ["bibtex", "csl-json", "citation-cff", "codemeta", "json-ld", "signposting"]


@pytest.mark.parametrize("format", MACHINE_FORMATS)
def test_nothing_is_stated_from_an_invalid_record(real_record, format):
    real_record["canonical_record"]["metadata"]["license"] = "http://example.org/"
    with pytest.raises(InvalidRecordError) as caught:
        snippet(pybadge.verify(real_record), format=format)
    assert caught.value.exit_code == 1


@pytest.mark.parametrize("format", MACHINE_FORMATS)
@pytest.mark.parametrize(
    "licence",
    [
        "javascript:alert(1)",
        "data:text/html,x",
        "",
        'http://x.org/"><script>',
        "http://[",
        "HTTP:x",
    ],
)
def test_a_licence_that_is_no_web_address_is_left_out(real_record, format, licence):
    real_record["canonical_record"]["metadata"]["license"] = licence
    for name in ("canonical_sha256", "pith_number", "short_pith_number", "receipt", "aliases"):
        del real_record[name]
    report = pybadge.verify(real_record)
    assert report.verdict == "not_checked"
    text = snippet(report, format=format)
    assert "javascript:" not in text
    assert "data:text" not in text
    assert text.count("<script") == (format == "json-ld")
