"""Plain text to open knowledge, with a yardstick for every step."""

from tupelo.core import Analysis, Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError, Word
from tupelo.core.version import __version__
from tupelo.load import load

__all__ = [
    "Analysis",
    "Argument",
    "Attribution",
    "Extraction",
    "Sentence",
    "Span",
    "Triple",
    "TupeloError",
    "Word",
    "__version__",
    "load",
]
