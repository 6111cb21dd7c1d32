"""Plain text to open knowledge, with a yardstick for every step."""

import os
from typing import TYPE_CHECKING, Any

from tupelo import api
from tupelo.core import Analysis, Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError, Word
from tupelo.core.version import __version__
from tupelo.core.views import add_views
from tupelo.show import VIEWS

if TYPE_CHECKING:
    from tupelo.api import *  # noqa: F403

# onnxruntime reads this when it is loaded; without it, it stores a device id and reports to its vendor. Here, because
# every process that runs our code, or a part that somebody added, imports this package first.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# Values know the names of their views, not the functions that draw them.
add_views(VIEWS)

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
]
__all__ += api.__all__


if not TYPE_CHECKING:  # a type checker sees the names above, and nothing else

    def __getattr__(name: str) -> Any:
        # Everyday calls are imported when they are first used, so that `import tupelo` stays quick.
        if name in api.PLACES:
            return api.everyday_call(name)
        raise AttributeError(f"module 'tupelo' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *api.PLACES})
