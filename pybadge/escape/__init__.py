"""Text made safe for each output format: `lines` for terminals, logs and CSV; `markup` for the
rest.

Every text of a record, signed or not, is hostile input.
"""

from __future__ import annotations

__all__: list[str] = []
