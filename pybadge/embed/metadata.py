"""Snippets for machines: reference managers, indexers, harvesters.

What is written comes from the canonical record, which is hashed and signed; the title only where it
has the signed hash. Authors stand outside hash and signature, so they are given as served and each
form says so where it has a place to.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote, urlsplit

from pybadge.badge.render.shields import shields as endpoint
from pybadge.canonical import canonical_sha256
from pybadge.embed.placement import Placement
from pybadge.errors import INVALID, PybadgeError, UsageError
from pybadge.escape import markup as escape
from pybadge.escape.lines import one_line
from pybadge.schema import CanonicalRecord

__all__ = [
    "bibtex",
    "citation_cff",
    "codemeta",
    "csl_json",
    "json_ld",
    "shields",
    "shields_static",
    "signposting",
]


def _canonical(place: Placement) -> CanonicalRecord:
    """The canonical record of a report; nothing is stated for machines from a record that failed a
    check.

    Raises:
        PybadgeError: the record is invalid or was not read.
    """
    report = place.report
    if report.verdict == "invalid":
        error = PybadgeError(
            "the record is invalid, so nothing is stated from it; see pybadge verify",
            code="embed.invalid",
        )
        error.exit_code = INVALID
        raise error
    if report.record is None:
        raise UsageError("there is no record to state anything from: give its file or number")
    return report.record.canonical


def _title(place: Placement) -> str | None:
    """The title where it has the signed hash."""
    record = place.report.record
    if record is None or place.report["title"].status != "valid":
        return None
    return one_line(record.paper.title or "") or None


def _authors(place: Placement) -> list[str]:
    record = place.report.record
    if record is None or record.paper.authors is None:
        return []
    names = [one_line(part) for part in record.paper.authors.split(",")]
    return [name for name in names if name]


def _doi(canonical: CanonicalRecord) -> str:
    return f"10.48550/arXiv.{canonical.source_id}"


def _arxiv_url(canonical: CanonicalRecord) -> str:
    return f"https://arxiv.org/abs/{canonical.arxiv_version}"


def _license(canonical: CanonicalRecord) -> str | None:
    """The licence where it is a web address: it is signed, but signed text is hostile text all the
    same."""
    url = canonical.license
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return None
    if not url.isprintable() or " " in url:
        return None
    return quote(url, safe="/:?#@&=%.,~-_+;")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def bibtex(place: Placement) -> str:
    """An entry for BibTeX and biber; the ``pith`` field is ignored by styles that don't know it."""
    canonical = _canonical(place)
    number = place.number
    fields: list[tuple[str, str]] = []
    title, authors = _title(place), _authors(place)
    if authors:
        fields.append(("author", " and ".join(_bibtex_name(name) for name in authors)))
    if title:
        fields.append(("title", "{" + escape.bibtex(title) + "}"))
    fields += [
        ("year", canonical.submitted_at[:4]),
        ("eprint", canonical.source_id),
        ("archiveprefix", "arXiv"),
        ("primaryclass", canonical.primary_category),
        ("version", str(canonical.version)),
        ("doi", _doi(canonical)),
        ("url", _arxiv_url(canonical)),
        ("pith", number.text),
        ("note", f"arXiv:{canonical.arxiv_version}, {number.text}"),
    ]
    body = "".join(f"  {name:<13} = {{{value}}},\n" for name, value in fields)
    return f"@misc{{pith-{number.suffix[:8]},\n{body}}}\n"


def _bibtex_name(name: str) -> str:
    escaped = escape.bibtex(name)
    # BibTeX splits names at the word "and"; in braces it is part of the name.
    if "and" in name.lower().split() or escaped != name:
        return f"{{{escaped}}}"
    return escaped


def csl_json(place: Placement) -> str:
    """One item of CSL JSON, for Zotero, Pandoc and citeproc. Names are literal: nobody said which
    part is the family's."""
    canonical = _canonical(place)
    year, month, day = (int(part) for part in canonical.submitted_at[:10].split("-"))
    item: dict[str, Any] = {
        "id": f"pith-{place.number.suffix[:8]}",
        "type": "article",
        "title": _title(place),
        "author": [{"literal": name} for name in _authors(place)] or None,
        "issued": {"date-parts": [[year, month, day]]},
        "publisher": "arXiv",
        "number": f"arXiv:{canonical.arxiv_version}",
        "version": str(canonical.version),
        "DOI": _doi(canonical),
        "URL": _arxiv_url(canonical),
        "note": f"Pith Number: {place.number.text}",
        "custom": {
            "pith": place.number.text,
            "pith_url": place.link,
            "canonical_sha256": _sha256(canonical),
        },
    }
    return _json([{key: value for key, value in item.items() if value is not None}]) + "\n"


def _sha256(canonical: CanonicalRecord) -> str:
    return canonical_sha256(canonical.document)


def citation_cff(place: Placement) -> str:
    """The identifiers of a CITATION.cff, for the ``preferred-citation`` of a paper or the file's
    own top level."""
    canonical = _canonical(place)
    entries = (
        ("other", place.number.text, f"Pith Number of arXiv:{canonical.arxiv_version}"),
        ("url", place.link, "Its record, with hash and receipt"),
        ("doi", _doi(canonical), "The paper's DOI"),
    )
    lines = "".join(
        f"  - type: {kind}\n"
        f"    value: {escape.yaml(value)}\n"
        f"    description: {escape.yaml(description)}\n"
        for kind, value, description in entries
    )
    return f"identifiers:\n{lines}"


def _article(place: Placement) -> dict[str, Any]:
    canonical = _canonical(place)
    article: dict[str, Any] = {
        "@type": "ScholarlyArticle",
        "@id": f"https://doi.org/{_doi(canonical)}",
        "name": _title(place),
        "author": [{"@type": "Person", "name": name} for name in _authors(place)] or None,
        "datePublished": canonical.submitted_at[:10],
        "version": str(canonical.version),
        "url": _arxiv_url(canonical),
        "license": _license(canonical),
        "identifier": [
            {
                "@type": "PropertyValue",
                "propertyID": "Pith Number",
                "value": place.number.text,
                "url": place.link,
            },
            {
                "@type": "PropertyValue",
                "propertyID": "SHA-256 of the canonical record",
                "value": _sha256(canonical),
            },
            {"@type": "PropertyValue", "propertyID": "arXiv", "value": canonical.arxiv_version},
            {"@type": "PropertyValue", "propertyID": "DOI", "value": _doi(canonical)},
        ],
    }
    return {key: value for key, value in article.items() if value is not None}


def json_ld(place: Placement) -> str:
    """schema.org for a web page: search engines and reference managers read it."""
    document = {"@context": "https://schema.org", **_article(place)}
    return (
        f'<script type="application/ld+json">\n{escape.json_in_html(_json(document))}\n</script>\n'
    )


def codemeta(place: Placement) -> str:
    """A codemeta.json for the code behind the paper; its ``referencePublication`` is the paper with
    its number."""
    document = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "SoftwareSourceCode",
        "referencePublication": _article(place),
    }
    return _json(document) + "\n"


def signposting(place: Placement) -> str:
    """Typed links (RFC 8288, RFC 8574 for ``cite-as``) for the head of the paper's landing page."""
    canonical = _canonical(place)
    licence = _license(canonical)
    record = f"{escape.html_attribute(place.link)}.json"
    links = [
        f'<link rel="cite-as" href="https://doi.org/{_doi(canonical)}">',
        f'<link rel="describedby" type="application/ld+json" href="{record}">',
        '<link rel="type" href="https://schema.org/ScholarlyArticle">',
    ]
    if licence is not None:
        links.append(f'<link rel="license" href="{escape.html_attribute(licence)}">')
    where = (
        "<!-- For the head of the one page that is the landing page of "
        f"arXiv:{canonical.arxiv_version} -->"
    )
    return "\n".join((where, *links)) + "\n"


def shields(place: Placement) -> str:
    """The address of a shields.io badge that reads the endpoint JSON beside the image
    (``badge.json`` for ``badge.svg``).

    Raises:
        UsageError: the image address is relative, which another service can't follow.
    """
    if not place.is_absolute:
        raise UsageError(
            "shields.io fetches the endpoint itself: give the badge's https address with "
            "--image-url"
        )
    stem = place.image.partition("?")[0].rpartition(".")[0]
    return f"https://img.shields.io/endpoint?url={quote(stem + '.json', safe='')}\n"


def shields_static(place: Placement) -> str:
    """The address of a shields.io badge that says the same and fetches nothing."""
    said = endpoint(place.badge)
    parts = (str(said["label"]), str(said["message"]), str(said["color"]).lstrip("#"))
    return f"https://img.shields.io/badge/{'-'.join(escape.shields_path(part) for part in parts)}\n"
