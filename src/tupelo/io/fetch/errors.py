"""Why a dataset could not be fetched."""

from __future__ import annotations

from tupelo.core import TupeloError


class FetchError(TupeloError, OSError):
    """A file that could not be fetched; nothing was installed under its name."""


class AddressError(FetchError):
    """The server answered, and the answer is no. Other files of the dataset may still be there."""


class UnreachableError(FetchError, ConnectionError):
    """No whole answer, however often we asked."""
