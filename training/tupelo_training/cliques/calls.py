"""The call behind `tupelo cliques build` and `tupelo.robustness.build`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Annotated, cast

from tupelo.api.resources import open_support, open_wordnet, read_paraphrases
from tupelo.api.text import load
from tupelo.api.tuples import read
from tupelo.core import Analysis, Record
from tupelo.core.parameters import Format, ParserName, Settings, Spelled
from tupelo.core.progress import Progress, track
from tupelo.core.protocols import Extractor
from tupelo.core.spec import split_spec
from tupelo.io import brackets
from tupelo.io.files import InputFile, Source
from tupelo.io.lines import Lines
from tupelo.io.tuples import AUTO
from tupelo.robustness.trees import tree_of
from tupelo_training.cliques.building import CliqueBuild, CliqueOptions, looks_tokenized, originals
from tupelo_training.cliques.building import build as make_cliques
from tupelo_training.cliques.candidates import Paraphraser
from tupelo_training.cliques.paraphrase import PARAPHRASERS, Tools
from tupelo_training.cliques.sample import SyntaxSampler


def build(
    gold: Source | Iterable[Record],
    options: CliqueOptions | None = None,
    *,
    format: Annotated[Format, "Format of GOLD; `tupelo formats` lists them."] = AUTO,
    paraphraser: Annotated[
        str | Paraphraser,
        Spelled.of("NAME"),
        "syntactic, rewrite, rewrite:RULE,RULE, seq2seq:FOLDER, llm:MODEL or another of --list.",
    ] = "rewrite",
    settings: Annotated[Settings, "A setting of the paraphraser; repeat for several."] = None,
    check_with: str | Extractor | None = "rules",
    parser: ParserName = "en",
    progress: Progress | None = None,
) -> CliqueBuild:
    """Build cliques from a gold standard: paraphrases of each sentence with their tuples.

    `paraphraser` is a registered name (`syntactic`, `rewrite`, `rewrite:RULE,RULE`, `seq2seq:FOLDER`, `llm:MODEL`)
    with its `settings`, or your own object. `check_with` is the extractor that must still find the tuples, or `None`
    for no check.
    """
    options = options or CliqueOptions()
    name, argument = split_spec(paraphraser) if isinstance(paraphraser, str) else (None, "")
    factory = None if name is None else PARAPHRASERS.get(name)
    known = originals(read(gold, format))
    if options.limit is not None:
        known = dict([item for item in known.items() if item[1]][: options.limit])
    pretokenized = looks_tokenized(known) if options.pretokenized is None else options.pretokenized
    with load(parser, extractor="rules" if check_with is None else check_with) as nlp:
        sample = partial(SyntaxSampler, sources=options.sources, targets=options.targets, seed=options.seed)
        sampler = None
        if options.parallel is not None:
            corpus = read_parallel(
                options.parallel, lambda texts: nlp.parser.analyze(texts, lines=True, constituents=True)
            )
            pairs = [(tree_of(one), tree_of(other)) for one, other in corpus]
            sampler = sample(pairs)
        tools = Tools(
            nlp.parser,
            pretokenized,
            options.thresholds,
            sampler,
            sample,
            nlp.services,
            support=open_support,
            wordnet=open_wordnet,
            clusters=read_paraphrases,
        )
        made = factory(argument, settings or {}, tools) if factory else cast(Paraphraser, paraphraser)
        return make_cliques(
            known,
            made,
            nlp.parser,
            options,
            extractor=None if check_with is None else nlp.extractor,
            usage=nlp.report,
            advance=track(progress, "paraphrasing", sum(map(bool, known.values()))),
        )


# Both sides of a line of a parallel corpus of paraphrases.
AnalysisPair = tuple[Analysis, Analysis]


def parallel_pairs(lines: Lines, analyze: Callable[[Iterable[str]], Iterable[Analysis]]) -> Iterator[AnalysisPair]:
    """Both sides of each line with their trees; sentences are parsed, trees are taken as they are."""
    sentences: list[str] = []
    trees: list[Analysis] = []
    for number, line in lines:
        fields = line.split("\t")
        if len(fields) != 2 or not all(field.strip() for field in fields):
            lines.fault(number, f"{len(fields)} field(s)", "a sentence, a tab and its paraphrase")
            continue
        if all(field.lstrip().startswith("(") for field in fields):
            pair = [tree for field in fields for tree in _tree(lines, number, field)]
            if len(pair) != 2:
                lines.fault(number, f"{len(pair)} tree(s)", "one tree before the tab and one behind it")
                continue
            trees.extend(pair)
        else:
            sentences.extend(field.strip() for field in fields)
    both = [*trees, *analyze(sentences)]
    yield from zip(both[::2], both[1::2], strict=True)


def _tree(lines: Lines, number: int, text: str) -> list[Analysis]:
    """The trees of one field; a fault in it is reported with the line of the corpus."""
    faults: list[tuple[str, str]] = []
    found = list(
        brackets.read(Lines([text], lines.source, lambda error: faults.append((error.found, error.expected))))
    )
    for what, expected in faults[:1]:
        lines.fault(number, what, expected)
    return found


def read_parallel(
    name: str | os.PathLike[str], analyze: Callable[[Iterable[str]], Iterable[Analysis]]
) -> list[AnalysisPair]:
    """A whole corpus; `-` is standard input, gzip is recognised by its content."""
    with InputFile(name) as file:
        return list(parallel_pairs(file.lines(), analyze))
