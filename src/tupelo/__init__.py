"""Plain text to open knowledge, with a yardstick for every step."""

from tupelo.core import Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError
from tupelo.core.version import __version__

__all__ = [
    "Argument",
    "Attribution",
    "Extraction",
    "Sentence",
    "Span",
    "Triple",
    "TupeloError",
    "__version__",
]
