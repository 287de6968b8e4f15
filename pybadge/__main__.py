"""``python -m pybadge``."""

from __future__ import annotations

import sys

from pybadge.cli import main

if __name__ == "__main__":
    sys.exit(main())
