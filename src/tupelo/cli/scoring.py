"""Names under which commands imported what is in `cli.options` now."""

from __future__ import annotations

from tupelo.cli.options import print_json
from tupelo.cli.score import fix_option

__all__ = ["fix_option", "print_json"]
