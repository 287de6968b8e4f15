"""Each check of a record, in its room; the verdict on them is `pybadge.verification`'s.

Rules that keep a green verdict honest:

- The hash is always rebuilt from the schema-checked canonical record. A hash that the document
  states proves nothing, and the registry's key signs other things over 32 bare bytes too.
- Flags that the server sets (``verification_status``) never reach a status above "claimed".
- What could not be checked is ``not_checked``, never a pass and never a failure.
"""

from __future__ import annotations

from pybadge.checks.report import CHECK_IDS, REQUIRED, SCHEMA, Check, Report

__all__ = ["CHECK_IDS", "REQUIRED", "SCHEMA", "Check", "Report"]
