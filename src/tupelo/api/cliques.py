"""Knowledge-invariant cliques: build them from a gold standard, filter them, measure how their sentences differ."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tupelo.api.text import load
from tupelo.api.tuples import AUTO, open_records, read, write
from tupelo.cliques import build_measure
from tupelo.cliques.build import CliqueBuild, CliqueOptions, build, looks_tokenized, originals
from tupelo.cliques.candidates import Paraphraser
from tupelo.cliques.filter import DEFAULT_KEEP, PAPER, FilteredCliques
from tupelo.cliques.filter import filter_cliques as filter_read_cliques
from tupelo.cliques.measures import CliqueDistances, SyntaxMeasure, within_cliques
from tupelo.cliques.paraphrase import PARAPHRASERS, Tools
from tupelo.cliques.rewrite import RULES
from tupelo.cliques.sample import SyntaxSampler
from tupelo.cliques.trees import ConstituencyTree, tree_of
from tupelo.core import Analysis, Clique, InputError, Record, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.core.progress import Progress, count, track
from tupelo.core.protocols import Extractor
from tupelo.io.analyses import read_analyses, read_parallel
from tupelo.io.files import InputFile, Source, is_source, write_text
from tupelo.io.services import LocalServices

Place: TypeAlias = str | os.PathLike[str]
# A file of cliques, or cliques or their tuples in memory.
Cliques: TypeAlias = Source | Iterable[Clique] | Iterable[Record]

__all__ = [
    "CliqueBuild",
    "CliqueDistances",
    "CliqueOptions",
    "FilteredCliques",
    "build_cliques",
    "clique_distances",
    "cliques",
    "filter_cliques",
    "paraphrasers",
    "read_cliques",
    "rewrite_rules",
    "write_cliques",
    "write_sheet",
]


def build_cliques(
    gold: Source | Iterable[Record],
    options: CliqueOptions | None = None,
    *,
    format: str = AUTO,
    paraphraser: str | Paraphraser = "rewrite",
    settings: Mapping[str, str] | None = None,
    parallel: Place | None = None,
    check_with: str | Extractor | None = "rules",
    parser: str = "en",
    progress: Progress | None = None,
) -> CliqueBuild:
    """Cliques from a gold standard: paraphrases of each sentence with their tuples.

    `paraphraser` is a registered name (`rewrite`, `rewrite:RULE,RULE`, `seq2seq:FOLDER`, `llm:MODEL`) with its
    `settings`, or an object of yours. `parallel` is a corpus from which target parses are drawn. `check_with` is the
    extractor that must still find the tuples, `None` for no such check.
    """
    options = options or CliqueOptions()
    if isinstance(paraphraser, str):
        # An unknown name is reported before any file is read.
        PARAPHRASERS.resolve(paraphraser.partition(":")[0])
    known = originals(read(gold, format))
    if options.limit is not None:
        known = dict([item for item in known.items() if item[1]][: options.limit])
    pretokenized = looks_tokenized(known) if options.pretokenized is None else options.pretokenized
    services = LocalServices(os.environ)
    nlp = load(parser, extractor="rules" if check_with is None else check_with)

    def analyze(sentences: Iterable[str]) -> Iterable[Analysis]:
        return nlp.parser.analyze(sentences, lines=True, constituents=True)

    sampler = None
    if parallel is not None:
        pairs = [(tree_of(one), tree_of(other)) for one, other in read_parallel(parallel, analyze)]
        sampler = SyntaxSampler(pairs, sources=options.sources, targets=options.targets, seed=options.seed)
    tools = Tools(nlp.parser, pretokenized, options.thresholds, sampler, services)
    try:
        return build(
            known,
            _open_paraphraser(paraphraser, settings or {}, tools),
            nlp.parser,
            options,
            extractor=None if check_with is None else nlp.extractor,
            usage=services.report,
            advance=track(progress, "paraphrasing", sum(map(bool, known.values()))),
        )
    finally:
        services.close()
        nlp.close()


# The everyday name.
cliques = build_cliques


def _open_paraphraser(chosen: str | Paraphraser, settings: Mapping[str, str], tools: Tools) -> Paraphraser:
    if not isinstance(chosen, str):
        return chosen
    name, _, argument = chosen.partition(":")
    return PARAPHRASERS.get(name)(argument, settings, tools)


def filter_cliques(
    cliques: Cliques,
    *,
    keep: int = DEFAULT_KEEP,
    order: str = PAPER,
    format: str = AUTO,
    progress: Progress | None = None,
) -> FilteredCliques:
    """Keep the paraphrases of each clique that are worded most differently.

    `order` is `paper`, or `released` for what the published program does.
    """
    found = read_cliques(cliques, format, progress=progress)
    return filter_read_cliques(found, keep=keep, order=order, advance=track(progress, "comparing", len(found)))


def clique_distances(
    cliques: Cliques,
    measure: str | SyntaxMeasure = "hws",
    *,
    input: str = "cliques",
    trees: Source | Sequence[Analysis] | None = None,
    parser: str = "en",
    processes: int = 1,
    progress: Progress | None = None,
    **options: Any,
) -> CliqueDistances:
    """How far apart (`hws`), or how similar (`kernel`), the syntax of the sentences of each clique is.

    With `input="lines"` or `input="trees"`, `cliques` is a file of sentences or of bracketed trees, which count as
    one clique. `trees` are parses of all sentences in the order of the cliques, instead of parsing. `options` are
    those of the measure, such as `discount=0.3`.
    """
    chosen = build_measure(measure, **options) if isinstance(measure, str) else measure
    if input == "cliques":
        found = read_cliques(cliques, progress=progress)
    else:
        if input == "trees":
            if trees is not None:
                raise InputError(f"{cliques} holds trees already; --trees goes with cliques and lines")
            trees = read_analyses(_file(cliques), "brackets")
            sentences = [analysis.text for analysis in trees]
        else:
            with InputFile(_file(cliques)) as file:
                sentences = [line for _, line in file.lines() if line.strip()]
        if not sentences:
            raise InputError(f"{cliques}: nothing to compare, expected two sentences or more")
        members = tuple(Sentence(text) for text in sentences)
        found = [Clique(str(cliques), members, ((),) * len(members))]
    forest = clique_trees(found, trees, parser=parser, processes=processes, progress=progress)
    syntax = within_cliques(forest, chosen, track(progress, "comparing", len(found)))
    return CliqueDistances(chosen, tuple(found), tuple(syntax))


def read_cliques(cliques: Cliques, format: str = AUTO, *, progress: Progress | None = None) -> list[Clique]:
    """The cliques of a file: ROBUST's JSON, or any format that keeps groups. Cliques in memory pass through."""
    if is_source(cliques):
        with open_records(cliques, format) as stream:
            found = list(gather_cliques(count(stream.records, track(progress, f"reading {stream.name}"))))
        name = stream.name
    else:
        given = list(cliques)
        found = [each for each in given if isinstance(each, Clique)]
        found = found or list(gather_cliques(each for each in given if not isinstance(each, Clique)))
        name = "<cliques>"
    if not found:
        raise InputError(f"{name}: no cliques, expected at least one")
    return found


def clique_trees(
    cliques: Sequence[Clique],
    trees: Source | Sequence[Analysis] | None = None,
    *,
    parser: str = "en",
    processes: int = 1,
    progress: Progress | None = None,
) -> list[list[ConstituencyTree]]:
    """A tree per sentence and clique: from a file of trees, from parses in memory, or parsed now."""
    sentences = [sentence.text for clique in cliques for sentence in clique.sentences]
    if trees is None:
        # A sentence is one line for a parser, whatever white space it contains.
        lines = [" ".join(sentence.split()) for sentence in sentences]
        advance = track(progress, "parsing", len(sentences))
        made = []
        for analysis in load(parser, processes=processes).parser.analyze(lines, lines=True):
            made.append(tree_of(analysis))
            advance(1)
    else:
        found = read_analyses(trees, "brackets") if is_source(trees) else list(trees)
        if len(found) != len(sentences):
            raise InputError(f"{trees}: {len(found)} trees, expected one for each of {len(sentences)} sentences")
        made = [tree_of(analysis) for analysis in found]
    remaining = iter(made)
    return [[next(remaining) for _ in clique.sentences] for clique in cliques]


def write_cliques(result: CliqueBuild | FilteredCliques, target: Place) -> None:
    """Write cliques as ROBUST's JSON; `-` is standard output."""
    write(result.records(), target, "robust")


def write_sheet(result: CliqueBuild, target: Place) -> None:
    """Write every paraphrase with its origin, scores and tuples as a tab-separated table, to be checked."""
    write_text(target, result.sheet())


def paraphrasers() -> dict[str, str]:
    """All paraphrasers with what they are."""
    return {name: PARAPHRASERS.title(name) for name in PARAPHRASERS}


def rewrite_rules() -> dict[str, str]:
    """All rules of the paraphraser `rewrite` with what they do."""
    return {name: RULES.title(name) for name in RULES}


def _file(source: Cliques) -> Source:
    if not is_source(source):
        raise InputError("sentences or trees in memory, expected a file of them")
    return source
