"""Derive Pith Numbers from arXiv's own metadata: anybody can, and nobody needs to be asked
(PROTOCOL.md 1).

``rules`` holds the rules; ``oai``, ``arxiv``, ``snapshot``, ``own`` and ``tex`` read what others
wrote; ``compare`` and ``diagnosis`` say what differs from a record or number; ``bulk``, ``parts``
and ``lookup`` are for all of arXiv, ``registry`` for one's own numbers. All but the rules are
loaded when first used.
"""

from __future__ import annotations

from importlib import import_module

from pybadge.derive.bulk.run import derive_snapshot
from pybadge.derive.bulk.search import find_in_numbers, find_in_snapshot
from pybadge.derive.compare import check_source
from pybadge.derive.diagnosis import diagnose, diagnose_number
from pybadge.derive.issue import issue, read_signer
from pybadge.derive.rules import Derivation, Metadata, canonical_record, derive
from pybadge.derive.sources import read_papers
from pybadge.derive.sources.arxiv import fetch_metadata, harvest
from pybadge.derive.sources.tex import read_tex

__all__ = [
    "Derivation",
    "Metadata",
    "canonical_record",
    "check_source",
    "derive",
    "derive_snapshot",
    "diagnose",
    "diagnose_number",
    "fetch_metadata",
    "find_in_numbers",
    "find_in_snapshot",
    "harvest",
    "issue",
    "read_papers",
    "read_signer",
    "read_tex",
]

_HOMES = {
    "check_source": "compare",
    "derive_snapshot": "bulk",
    "diagnose": "diagnosis",
    "diagnose_number": "diagnosis",
    "fetch_metadata": "arxiv",
    "find_in_numbers": "lookup",
    "find_in_snapshot": "lookup",
    "harvest": "arxiv",
    "issue": "registry",
    "read_papers": "sources",
    "read_signer": "registry",
    "read_tex": "tex",
}


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"pybadge.derive.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'pybadge.derive' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
