"""Plain text to open knowledge, with a yardstick for every step."""

from tupelo.core import Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError

__version__ = "0.1.0"

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
