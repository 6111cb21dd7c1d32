"""A document as it was read, before anything was made of it."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.core.stages import fingerprint


@dataclass(frozen=True, slots=True)
class Document:
    """The text of a document. `source` says where it comes from and makes its id.

    `published` is the day that the document gives for itself, as `YYYY-MM-DD`.
    """

    source: str
    text: str
    media_type: str = "text/plain"
    title: str | None = None
    published: str | None = None

    @property
    def id(self) -> str:
        """The same as long as the source is, whatever becomes of the text."""
        return fingerprint("document", self.source)[:24]
