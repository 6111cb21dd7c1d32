"""Plain text to open knowledge, with a yardstick for every step."""

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from tupelo import api
from tupelo.core import Analysis, Argument, Attribution, Extraction, Sentence, Span, Triple, TupeloError, Word
from tupelo.core.version import __version__

if TYPE_CHECKING:
    from tupelo.api import (
        ANNOTATION_TASKS,
        FORMATS,
        SCORERS,
        AnnotationProject,
        Checker,
        CliqueOptions,
        Document,
        Filters,
        Graph,
        Toolkit,
        Tuples,
        analyze_cliques,
        build_cliques,
        build_fact_dataset,
        canonicalize,
        check,
        check_pairs,
        clique_distances,
        cliques,
        column_format,
        compare,
        convert,
        dataset_info,
        datasets,
        extractors,
        facts,
        filter_cliques,
        formats,
        get_dataset,
        infer,
        leaderboard,
        load,
        open_records,
        parsers,
        read,
        score,
        train_facts,
        write,
    )

__all__ = [
    "ANNOTATION_TASKS",
    "FORMATS",
    "SCORERS",
    "Analysis",
    "AnnotationProject",
    "Argument",
    "Attribution",
    "Checker",
    "CliqueOptions",
    "Document",
    "Extraction",
    "Filters",
    "Graph",
    "Sentence",
    "Span",
    "Toolkit",
    "Triple",
    "TupeloError",
    "Tuples",
    "Word",
    "__version__",
    "analyze_cliques",
    "build_cliques",
    "build_fact_dataset",
    "canonicalize",
    "check",
    "check_pairs",
    "clique_distances",
    "cliques",
    "column_format",
    "compare",
    "convert",
    "dataset_info",
    "datasets",
    "extractors",
    "facts",
    "filter_cliques",
    "formats",
    "get_dataset",
    "infer",
    "leaderboard",
    "load",
    "open_records",
    "parsers",
    "read",
    "score",
    "train_facts",
    "write",
]


def __getattr__(name: str) -> Any:
    # Everyday calls are imported when they are first used, so that `import tupelo` stays quick.
    if name in api.PLACES:
        return api.everyday_call(name)
    raise AttributeError(f"module 'tupelo' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted({*globals(), *api.PLACES})


class _Room(ModuleType):
    """A room with the name of an everyday call, such as `score`: a package that can be called."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return api.everyday_call(self.__name__.rpartition(".")[2])(*arguments, **options)


class _Package(ModuleType):
    """Python binds a room to its name here when it is imported; the call of that name has to survive this."""

    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, ModuleType) and name in api.PLACES:
            value.__class__ = _Room
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
