"""What pages are made of and show: files of the package, one script of several modules, documents of a folder."""

from __future__ import annotations

from tupelo.io.documents.below import document_below
from tupelo.io.folders import packaged_files
from tupelo.web.static import bundle, shared_files

__all__ = ["bundle", "document_below", "packaged_files", "shared_files"]
