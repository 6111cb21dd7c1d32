"""One small file per format, parsed in the tests and shown by `tupelo formats` and in the documentation."""

from __future__ import annotations

from importlib.resources import files

from tupelo.io.formats.base import Format


def sample_bytes(chosen: Format) -> bytes:
    """The content of the sample of a format."""
    return files(__name__).joinpath(chosen.sample).read_bytes()
