"""The real records of tests/data as arXiv's metadata would give them, in each of its forms."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from email.utils import format_datetime
from typing import Any
from xml.sax.saxutils import escape

from tests.support.data import DATA, NUMBER, RECORDS

__all__ = [
    "BY_ID",
    "DATA",
    "REAL",
    "REAL_NUMBER",
    "RECORDS",
    "TITLED",
    "WITH_ABSTRACT",
    "bulk_line",
    "bulk_object",
    "facts",
    "http_time",
    "name_of",
    "oai_answer",
    "only_known",
    "raw_element",
    "toml",
]

BY_ID = {record["canonical_record"]["source"]["id"]: record for record in RECORDS}
WITH_ABSTRACT = [record for record in RECORDS if record["abstract"]]
TITLED = [record for record in RECORDS if record["title"]]
REAL = BY_ID["2402.15627"]
REAL_NUMBER = NUMBER
STAND_IN = "No text is known of this one."


def name_of(record: dict[str, Any]) -> str:
    return str(record["canonical_record"]["source"]["id"])


def wrapped(text: str, width: int = 60) -> str:
    """A text broken into lines as arXiv's metadata breaks long ones: two blanks at the beginning of
    each further line."""
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n  ".join([*lines, line])


def http_time(iso: str, days: int = 0) -> str:
    """`Fri, 23 Feb 2024 22:10:59 GMT`."""
    moment = datetime.fromisoformat(iso.replace("Z", "+00:00")) + timedelta(days=days)
    return format_datetime(moment, usegmt=False).replace("+0000", "GMT")


def facts(record: dict[str, Any]) -> dict[str, Any]:
    """Title, abstract, categories, licence, times of all versions."""
    metadata, source = record["canonical_record"]["metadata"], record["canonical_record"]["source"]
    # Backwards, since the order of the others must not matter.
    categories = [metadata["primary_cat"], *reversed(metadata["cross_cats_sorted"])]
    return {
        "id": source["id"],
        "title": record["title"] or STAND_IN,
        "abstract": record["abstract"] or STAND_IN,
        "categories": " ".join(categories),
        "license": metadata["license"],
        "versions": [
            http_time(metadata["submitted_at"], 40 * number) for number in range(source["version"])
        ],
    }


def raw_element(record: dict[str, Any], **changes: Any) -> str:
    """One <record> in the format arXivRaw, laid out as oaipmh.arxiv.org does."""
    paper = {**facts(record), **changes}
    versions = "".join(
        f'<version version="v{number}"><date>{time}</date>'
        "<size>120kb</size><source_type>D</source_type></version>\n"
        for number, time in enumerate(paper["versions"], start=1)
    )
    license = f"<license>{escape(paper['license'])}</license>" if paper["license"] else ""
    return f"""<record>
<header><identifier>oai:arXiv.org:{paper["id"]}</identifier>\
<datestamp>2024-02-27</datestamp><setSpec>cs:cs:LG</setSpec></header>
<metadata>
<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://arxiv.org/OAI/arXivRaw/ http://arxiv.org/OAI/arXivRaw.xsd">
<id>{paper["id"]}</id><submitter>A Submitter</submitter>
{versions}<title>{escape(wrapped(paper["title"]))}</title>
<authors>A. One, B. Two</authors>
<categories>{paper["categories"]}</categories>
<comments>12 pages</comments>
{license}
<abstract>  {escape(wrapped(paper["abstract"], 78))}
</abstract>
</arXivRaw>
</metadata>
</record>
"""


def oai_answer(*elements: str, verb: str = "GetRecord", token: str | None = None) -> bytes:
    """An OAI-PMH answer around records."""
    end = "" if token is None else f"<resumptionToken>{token}</resumptionToken>"
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" \
xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ \
http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">
<responseDate>2026-07-06T12:00:00Z</responseDate>
<request verb="{verb}">http://oaipmh.arxiv.org/oai</request>
<{verb}>
{"".join(elements)}{end}</{verb}>
</OAI-PMH>
""".encode()


def bulk_object(record: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """One object of arXiv's bulk metadata."""
    paper = {**facts(record), **changes}
    return {
        "id": paper["id"],
        "submitter": "A Submitter",
        "authors": "A. One, B. Two",
        "title": wrapped(paper["title"]),
        "comments": "12 pages",
        "journal-ref": None,
        "doi": None,
        "report-no": None,
        "categories": paper["categories"],
        "license": paper["license"] or None,
        "abstract": f"  {wrapped(paper['abstract'], 78)}\n",
        "versions": [
            {"version": f"v{number}", "created": time}
            for number, time in enumerate(paper["versions"], start=1)
        ],
        "update_date": "2024-02-27",
        "authors_parsed": [["One", "A.", ""], ["Two", "B.", ""]],
    }


def bulk_line(record: dict[str, Any], **changes: Any) -> bytes:
    return json.dumps(bulk_object(record, **changes)).encode() + b"\n"


def toml(record: dict[str, Any]) -> str:
    """The same by hand."""
    paper = facts(record)
    metadata, source = record["canonical_record"]["metadata"], record["canonical_record"]["source"]
    categories = json.dumps(paper["categories"].split())
    return f"""id = "{paper["id"]}"
version = {source["version"]}
title = {json.dumps(paper["title"])}
abstract = {json.dumps(paper["abstract"])}
categories = {categories}
license = {json.dumps(paper["license"])}
submitted_at = {metadata["submitted_at"]}
"""


def only_known(record: dict[str, Any], derived: dict[str, Any]) -> dict[str, Any]:
    """A derived canonical record with the real hashes in place of those of stand-in texts."""
    real = record["canonical_record"]["metadata"]
    metadata = dict(derived["metadata"])
    for name in ("title", "abstract"):
        if not record[name]:
            metadata[f"{name}_canon_sha256"] = real[f"{name}_canon_sha256"]
    return {**derived, "metadata": metadata}
