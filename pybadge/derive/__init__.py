"""Derive Pith Numbers from arXiv's own metadata: anybody can, and nobody needs to be asked
(docs/spec, 10).

``rules`` holds the rules, ``sources`` reads metadata in each of its forms, and ``select`` picks
papers from them; ``variants``, ``diagnosis`` and ``compare`` say what differs from a record or
number; ``bulk`` is for all of arXiv, ``issue`` for records under one's own key.
"""

from __future__ import annotations

from pybadge.derive.bulk.run import derive_bulk
from pybadge.derive.bulk.search import find_in_bulk_metadata, find_in_numbers
from pybadge.derive.compare import check_source
from pybadge.derive.diagnosis import diagnose, diagnose_number
from pybadge.derive.issue import issue, read_signer
from pybadge.derive.metadata import Metadata
from pybadge.derive.rules import Derivation, canonical_record, derive
from pybadge.derive.sources import read_papers
from pybadge.derive.sources.arxiv import fetch_metadata, harvest
from pybadge.derive.sources.tex import read_tex

__all__ = [
    "Derivation",
    "Metadata",
    "canonical_record",
    "check_source",
    "derive",
    "derive_bulk",
    "derive_snapshot",
    "diagnose",
    "diagnose_number",
    "fetch_metadata",
    "find_in_bulk_metadata",
    "find_in_numbers",
    "find_in_snapshot",
    "harvest",
    "issue",
    "read_papers",
    "read_signer",
    "read_tex",
]

# The names that these functions had before; programs call them.
derive_snapshot = derive_bulk
find_in_snapshot = find_in_bulk_metadata
