"""Knowledge-invariant cliques: build them from a gold standard, filter, measure and analyse them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import Annotated, Any, TypeAlias, cast

from tupelo.api.resources import open_support, open_wordnet, read_paraphrases
from tupelo.api.scoring import name_systems, score
from tupelo.api.text import load
from tupelo.api.tuples import Tuples, read, write
from tupelo.core import Analysis, Clique, InputError, Record, Sentence
from tupelo.core.clique import gather_cliques
from tupelo.core.parameters import Among, At, Count, Format, ParserName, PathLike, Settings, Spelled, Workers
from tupelo.core.progress import Progress, track
from tupelo.core.protocols import Extractor
from tupelo.core.spec import split_spec
from tupelo.io.analyses import read_analyses, read_parallel
from tupelo.io.files import InputFile, Source, is_source, open_output
from tupelo.io.folders import make_folder
from tupelo.io.tuples import AUTO
from tupelo.robustness import build_measure
from tupelo.robustness.candidates import Paraphraser
from tupelo.robustness.cliques import CliqueBuild, looks_tokenized, originals
from tupelo.robustness.cliques import CliqueOptions as CliqueOptions
from tupelo.robustness.cliques import build as make_cliques
from tupelo.robustness.diversity import DEFAULT_KEEP, ORDERS, PAPER, FilteredCliques, diversify_cliques
from tupelo.robustness.measures import CliqueDistances, SyntaxMeasure, within_cliques
from tupelo.robustness.paraphrase import PARAPHRASERS as PARAPHRASERS
from tupelo.robustness.paraphrase import Tools
from tupelo.robustness.rewrite import RULES as RULES
from tupelo.robustness.sample import SyntaxSampler
from tupelo.robustness.study import CliqueStudy, study
from tupelo.robustness.study import StudyOptions as StudyOptions
from tupelo.robustness.trees import ConstituencyTree, tree_of

# A file of cliques (`-` is standard input), or cliques or their tuples in memory.
Cliques: TypeAlias = Source | Iterable[Clique] | Iterable[Record]
# Output of a system: a file, whose name may carry its format (`tab:predictions.txt`), or records in memory.
Predictions: TypeAlias = Source | Iterable[Record]

# Source of the trees of sentences.
Trees: TypeAlias = Annotated[
    PathLike | Sequence[Analysis] | None,
    At.INPUT,
    Spelled.of("FILE"),
    "Bracketed trees of all sentences, in the order of the cliques, instead of parsing.",
]


def build(
    gold: Source | Iterable[Record],
    options: CliqueOptions | None = None,
    *,
    format: Annotated[Format, "Format of GOLD; `tupelo formats` lists them."] = AUTO,
    paraphraser: Annotated[
        str | Paraphraser,
        Spelled.of("NAME"),
        "syntactic, rewrite, rewrite:RULE,RULE, seq2seq:FOLDER, llm:MODEL or another of --list.",
    ] = "syntactic",
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


def filter(
    cliques: Cliques,
    *,
    keep: Annotated[Count, "Paraphrases to keep."] = DEFAULT_KEEP,
    order: Annotated[str, Among(ORDERS), "As the paper describes it, or as the released program does it."] = PAPER,
    format: str = AUTO,
    progress: Progress | None = None,
) -> FilteredCliques:
    """Keep the paraphrases of each clique that are worded most differently.

    `order` is `paper`, or `released` for the behaviour of the published program.
    """
    found = read_cliques(cliques, format)
    return diversify_cliques(found, keep=keep, order=order, advance=track(progress, "comparing", len(found)))


def distances(
    cliques: Cliques,
    measure: Annotated[
        str | SyntaxMeasure,
        Spelled.of("NAME"),
        "hws, the HWS distance, or kernel, the similarity by the convolution tree kernel.",
    ] = "hws",
    *,
    input: Annotated[
        str,
        Among(("cliques", "lines", "trees")),
        "Cliques (ROBUST JSON or tuples with groups), sentences one a line, or bracketed trees.",
    ] = "cliques",
    trees: Trees = None,
    parser: ParserName = "en",
    workers: Annotated[Workers, "Processes that parse."] = 1,
    progress: Progress | None = None,
    **options: Any,
) -> CliqueDistances:
    """The syntactic distance (`hws`) or similarity (`kernel`) of the sentences of each clique.

    With `input="lines"` or `input="trees"`, `cliques` is a file of sentences or of bracketed trees, which count as
    one clique. `trees` are parses of all sentences in the order of the cliques, instead of parsing. `options` are
    those of the measure, such as `discount=0.3`.
    """
    chosen = build_measure(measure, **options) if isinstance(measure, str) else measure
    if input == "cliques":
        found = read_cliques(cliques)
    else:
        if input == "trees" and trees is not None:
            raise InputError(f"{cliques} holds trees already; --trees goes with cliques and lines")
        found, trees = _one_clique(cast(PathLike, cliques), input, trees)
    forest = _trees(found, trees, parser, workers, progress)
    syntax = within_cliques(forest, chosen, track(progress, "comparing", len(found)))
    return CliqueDistances(chosen, tuple(found), tuple(syntax))


def analyze(
    cliques: Cliques,
    predictions: Sequence[Predictions] | Mapping[str, Predictions] = (),
    options: StudyOptions | None = None,
    *,
    trees: Trees = None,
    parser: ParserName = "en",
    workers: Annotated[Workers, "Processes that parse."] = 1,
    progress: Progress | None = None,
) -> CliqueStudy:
    """The analyses of the ROBUST paper for any cliques and systems."""
    options = options or StudyOptions()
    gold = clique_records(cliques, "robust")
    found = read_cliques(gold)
    signatures: list[str] = []

    def run(source: Predictions, format: str) -> Any:
        result = score("robust", gold, source, format=format, fixes=options.fixes, progress=progress)
        signatures.append(result.signature)
        return result.evaluation

    systems = {name: run(source, format) for name, source, format in name_systems(predictions, AUTO)}
    forest = _trees(found, trees, parser, workers, progress)
    advance = track(progress, "comparing", 2 * len(options.weights))
    return study(found, forest, systems, options, advance, name=PurePath(gold.name).name, signatures=signatures)


def read_cliques(cliques: Cliques, format: str = AUTO) -> list[Clique]:
    """The cliques of a file: ROBUST's JSON, or any format that keeps groups. Cliques in memory pass through."""
    records = clique_records(cliques, format)
    found = list(gather_cliques(records))
    if not found:
        raise InputError(f"{records.name}: no cliques, expected at least one")
    return found


def write_cliques(result: CliqueBuild | FilteredCliques, target: PathLike) -> None:
    """Write cliques as ROBUST's JSON; `-` is standard output."""
    write(result.records(), target, "robust")


def write_study_figures(study: CliqueStudy, folder: PathLike) -> None:
    """Write every figure of an analysis as PNG and SVG."""
    from tupelo.show.clique_study import figure_files

    make_folder(folder)
    for name, content in figure_files(study):
        with open_output(Path(folder) / name) as stream:
            stream.write(content)


def clique_records(cliques: Cliques, format: str) -> Tuples:
    if is_source(cliques) or isinstance(cliques, Tuples):
        return read(cliques, format)
    given = cast("Iterable[Clique | Record]", cliques)
    return read([record for each in given for record in (each.records() if isinstance(each, Clique) else [each])])


def _one_clique(
    file: PathLike, input: str, trees: PathLike | Sequence[Analysis] | None
) -> tuple[list[Clique], PathLike | Sequence[Analysis] | None]:
    """The sentences or trees of a file as a clique without tuples."""
    if input == "trees":
        trees = read_analyses(file, "brackets")
        sentences = [analysis.text for analysis in trees]
    else:
        with InputFile(file) as stream:
            sentences = [line for _, line in stream.lines() if line.strip()]
    if not sentences:
        raise InputError(f"{file}: nothing to compare, expected two sentences or more")
    return [Clique(str(file), tuple(map(Sentence, sentences)), ((),) * len(sentences))], trees


def _trees(
    cliques: Sequence[Clique],
    trees: PathLike | Sequence[Analysis] | None,
    parser: str,
    workers: int,
    progress: Progress | None,
) -> list[list[ConstituencyTree]]:
    """One tree per sentence and clique: from a file of trees, from parses in memory, or parsed here."""
    sentences = [sentence.text for clique in cliques for sentence in clique.sentences]
    if trees is None:
        advance = track(progress, "parsing", len(sentences))
        made = []
        # The parser expects one sentence per line, so other whitespace is replaced.
        lines = [" ".join(sentence.split()) for sentence in sentences]
        for analysis in load(parser, workers=workers).parser.analyze(lines, lines=True):
            made.append(tree_of(analysis))
            advance(1)
    else:
        found = read_analyses(trees, "brackets") if isinstance(trees, str | os.PathLike) else trees
        if len(found) != len(sentences):
            raise InputError(f"{trees}: {len(found)} trees, expected one for each of {len(sentences)} sentences")
        made = [tree_of(analysis) for analysis in found]
    remaining = iter(made)
    return [[next(remaining) for _ in clique.sentences] for clique in cliques]
