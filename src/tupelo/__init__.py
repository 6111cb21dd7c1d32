"""Plain text to open knowledge, with a yardstick for every step."""

from typing import TYPE_CHECKING, Any

from tupelo import api
from tupelo.core import Analysis, Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError, Word
from tupelo.core.version import __version__

if TYPE_CHECKING:
    from tupelo.api import Toolkit, load

__all__ = [
    "Analysis",
    "Argument",
    "Attribution",
    "Extraction",
    "Sentence",
    "Span",
    "Toolkit",
    "Triple",
    "TupeloError",
    "Word",
    "__version__",
    "load",
]


def __getattr__(name: str) -> Any:
    # Everyday calls are imported when they are first used, so that `import tupelo` stays quick.
    if name in api.PLACES:
        return getattr(api, name)
    raise AttributeError(f"module 'tupelo' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *api.PLACES})
