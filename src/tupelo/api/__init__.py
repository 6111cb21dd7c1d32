"""The public API: every common task as one call. The only package that combines the others.

`import tupelo` exposes all of these names; each is imported on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tupelo.api.annotation import ANNOTATION_TASKS, AnnotationProject, serve_annotation
    from tupelo.api.bench import BenchCard, bench, benchmarks
    from tupelo.api.canonical import canonicalize
    from tupelo.api.checking import Checker, check, check_collection, check_pairs
    from tupelo.api.cliques import (
        CliqueOptions,
        analyze_cliques,
        build_cliques,
        clique_distances,
        cliques,
        filter_cliques,
    )
    from tupelo.api.data import dataset_info, datasets, get_dataset
    from tupelo.api.facts import build_fact_dataset, build_triple_dataset, facts, train_facts
    from tupelo.api.graph import Document, Filters, Graph
    from tupelo.api.inference import infer
    from tupelo.api.pretraining import pretrain_encoder
    from tupelo.api.rules import mine_rules
    from tupelo.api.scoring import SCORERS, compare, leaderboard, score
    from tupelo.api.text import Toolkit, load
    from tupelo.api.text_files import extractors, parsers
    from tupelo.api.triples import TripleReader
    from tupelo.api.tuples import FORMATS, Tuples, column_format, convert, formats, open_records, read, write

# Name -> the module of this package that defines it.
PLACES = {
    "ANNOTATION_TASKS": "annotation",
    "AnnotationProject": "annotation",
    "BenchCard": "bench",
    "bench": "bench",
    "benchmarks": "bench",
    "CliqueOptions": "cliques",
    "FORMATS": "tuples",
    "SCORERS": "scoring",
    "Checker": "checking",
    "Document": "graph",
    "Filters": "graph",
    "Graph": "graph",
    "Toolkit": "text",
    "TripleReader": "triples",
    "Tuples": "tuples",
    "build_fact_dataset": "facts",
    "build_triple_dataset": "facts",
    "canonicalize": "canonical",
    "check": "checking",
    "check_collection": "checking",
    "check_pairs": "checking",
    "analyze_cliques": "cliques",
    "build_cliques": "cliques",
    "clique_distances": "cliques",
    "cliques": "cliques",
    "column_format": "tuples",
    "compare": "scoring",
    "convert": "tuples",
    "dataset_info": "data",
    "datasets": "data",
    "extractors": "text_files",
    "facts": "facts",
    "filter_cliques": "cliques",
    "formats": "tuples",
    "get_dataset": "data",
    "infer": "inference",
    "leaderboard": "scoring",
    "load": "text",
    "mine_rules": "rules",
    "open_records": "tuples",
    "parsers": "text_files",
    "pretrain_encoder": "pretraining",
    "read": "tuples",
    "score": "scoring",
    "serve_annotation": "annotation",
    "train_facts": "facts",
    "write": "tuples",
}

__all__ = [
    "ANNOTATION_TASKS",
    "FORMATS",
    "SCORERS",
    "AnnotationProject",
    "BenchCard",
    "Checker",
    "CliqueOptions",
    "Document",
    "Filters",
    "Graph",
    "Toolkit",
    "TripleReader",
    "Tuples",
    "analyze_cliques",
    "bench",
    "benchmarks",
    "build_cliques",
    "build_fact_dataset",
    "build_triple_dataset",
    "canonicalize",
    "check",
    "check_collection",
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
    "mine_rules",
    "open_records",
    "parsers",
    "pretrain_encoder",
    "read",
    "score",
    "serve_annotation",
    "train_facts",
    "write",
]


def everyday_call(name: str) -> Any:
    """The function or class of this name; `api.facts` may also be the module that defines it."""
    return getattr(import_module(f"tupelo.api.{PLACES[name]}"), name)


def __getattr__(name: str) -> Any:
    if name not in PLACES:
        raise AttributeError(f"module 'tupelo.api' has no attribute '{name}'")
    return everyday_call(name)
