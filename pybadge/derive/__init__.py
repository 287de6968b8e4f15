"""Derive Pith Numbers from arXiv's own metadata: anybody can, and nobody needs to be asked (PROTOCOL.md 1).

``rules`` holds the rules; ``oai``, ``snapshot``, ``own`` and ``tex`` read what others wrote; ``compare`` and ``diagnose``
say what differs from a record or number; ``bulk`` is for all of arXiv, ``issue`` for one's own registry.
"""

from __future__ import annotations

from pybadge.derive.rules import Derivation, Metadata, canonical_record, derive

__all__ = ["Derivation", "Metadata", "canonical_record", "derive"]
