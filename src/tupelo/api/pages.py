"""What pages are made of: files of the package, files that several pages share, one script of several modules."""

from __future__ import annotations

from tupelo.io.folders import packaged_files
from tupelo.io.web import bundle, shared_files

__all__ = ["bundle", "packaged_files", "shared_files"]
