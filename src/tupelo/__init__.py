"""Plain text to open knowledge, with a yardstick for every step."""

from tupelo.core import Analysis, Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError, Word
from tupelo.load import load

__version__ = "0.1.0"

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
