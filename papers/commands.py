"""The commands of the papers: `tupelo reproduce` and `tupelo cliques study` find them in a clone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import click

from papers import carb as carb_paper
from papers import combo as combo_paper
from papers import combo_grid, factual_accuracy, few_shot
from papers import robust as robust_paper
from tupelo.api.files import write_text
from tupelo.api.scoring import write_plot
from tupelo.cli.options import Json, print_json, print_result, warn
from tupelo.cli.progress import progress_bar
from tupelo.cli.signature import Run, command
from tupelo.core.canonical import TASKS
from tupelo.core.parameters import Among, At, Count, Fixes, Output, Seed, Settings, Spelled

File = Annotated[str, At.INPUT]
Place = Annotated[str, At.FOLDER, Spelled.of("DIR")]


@command(carb_paper.reproduce)
def carb(
    run: Run[carb_paper.CarbTables],
    figures: Annotated[Place | None, "Draw Figures 1 and 2 into this folder (SVG)."] = None,
    as_json: Json = False,
) -> None:
    """CaRB: Tables 2 and 3 (examples), 4 and 5 (gold standards), 6 (systems), and both figures.

    Needs the datasets `carb` and `oie2016`; the paper's Table 6 is on the test
    split. Rows whose files are not there stay empty and are named, and so is
    what does not come out as printed.

    \b
    Example:
      tupelo data get carb && tupelo data get oie2016 && tupelo reproduce carb
    """
    found = run()
    if figures:
        carb_paper.write_figures(found, figures)
    print_result(found, as_json)
    for name in found.missing:
        warn(f"not found: {name}")


@command()
def robust(
    gold: Annotated[File | None, Spelled.of("[GOLD]")] = None,
    predictions: Annotated[Sequence[File], Spelled.of("[PREDICTIONS]...")] = (),
    *,
    as_json: Json = False,
    markdown: Annotated[Output | None, "Write the table as Markdown ('-' for standard output)."] = None,
    fixes: Fixes = (),
) -> None:
    """ROBUST: Table 2 (systems on CaRB and ROBUST, and the drop) for any systems.

    GOLD is a file of cliques, PREDICTIONS are the output of systems on it. A system whose file has
    the name of one in the paper (openie4, clausie, openie5, rnnoie, spanoie, openie6) stands beside its
    printed figures; without files, the printed table is shown.

    \b
    Example:
      tupelo reproduce robust cliques.json openie4.json openie6.json ours.tsv
    """
    found = robust_paper.reproduce(gold, predictions, fixes=fixes)
    if markdown:
        write_text(markdown, found.table().markdown())
    if as_json or markdown != "-":
        print_result(found, as_json)


@dataclass(frozen=True, slots=True)
class Combo:
    """How methods run on COMBO."""

    tune_on: Annotated[
        File | None,
        Spelled.of("OTHER"),
        "Search the thresholds on this file. [default: those that ship; with --grid the other half of FILE]",
    ] = None
    tasks: Annotated[Sequence[str], Spelled.of("--task"), Among(tuple(TASKS)), "Only this one; repeat."] = ()
    settings: Annotated[Settings, "An option of the method, such as layer=5 or form=triple; repeat."] = None
    word_vectors: Annotated[
        File | None, Spelled.of("FILE"), "Static word vectors: GloVe or word2vec, text or binary."
    ] = None
    paraphrases: Annotated[File | None, Spelled.of("FILE"), "PPDB clusters for side information."] = None
    wordnet: Annotated[File | None, Spelled.of("FOLDER"), "WordNet's database files for side information."] = None
    seed: Annotated[Seed, "For methods that draw random numbers."] = 0
    seeds: Annotated[
        Count | None,
        Spelled.of("N"),
        "Run with N seeds and show means and standard deviations. [default: 1; with --grid 4, as in the paper]",
    ] = None

    def values(self) -> dict[str, Any]:
        given = {name: getattr(self, name) for name in self.__slots__}
        return {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Grid:
    """The grid of encoders."""

    grid: Annotated[bool, "Encoders by input form, pooling and layer: Figures 9 to 12."] = False
    figures: Annotated[Place | None, "With --grid: draw the figures into this folder (SVG)."] = None
    cells: Annotated[
        Place | None,
        "With --grid: where finished cells are kept; a later run continues there. [default: the cache]",
    ] = None


@command()
def combo(
    file: File,
    *,
    methods: Annotated[
        Sequence[str],
        Spelled.of("--method"),
        "A method of `tupelo canonicalize`, or 'all'; repeat. [default: tupelo; with --grid random and words]",
    ] = (),
    axes: Grid,
    options: Combo,
    encoders: Annotated[
        Sequence[File],
        Spelled.of("--encoder", "FOLDER"),
        "A BERT-like model instead of the shipped encoder; repeat with --grid.",
    ] = (),
    as_json: Json = False,
) -> None:
    """COMBO: Tables 5, 8 and 9, entities, relations and types.

    FILE is COMBO's JSON or CESI's JSON lines. Nothing is tuned on FILE: the thresholds are
    those that ship, or those that a search on another file finds. The paper's
    figures are for a part of COMBO that is not public.

    With --grid, encoders are compared by input form, pooling and layer (Figures 9 to 12, and Tables 1 and 4). --set
    form=sentence, pooling=mean or layer=3 leaves one value of an axis. Thresholds come from --tune-on, or each half
    of FILE is measured with those of the other half. Finished cells are kept: what was stopped goes on from there.

    \b
    Examples:
      tupelo reproduce combo combo.dev.json
      tupelo reproduce combo test.json --method all --tune-on combo.dev.json
      tupelo reproduce combo combo.dev.json --grid --figures figures
    """
    if not axes.grid and (axes.figures or axes.cells or len(encoders) > 1):
        raise click.UsageError("--figures, --cells and a second --encoder belong to --grid.")
    found: combo_paper.ComboTables | combo_grid.ComboGrid
    with progress_bar() as progress:
        given: Mapping[str, Any] = {**options.values(), "progress": progress}
        if axes.grid:
            rows = methods or combo_grid.BASELINES
            found = combo_grid.reproduce(file, rows, encoders=encoders, cells=axes.cells, **given)
        else:
            encoder = encoders[0] if encoders else None
            found = combo_paper.reproduce(file, methods or ("tupelo",), encoder=encoder, **given)
    if axes.figures and isinstance(found, combo_grid.ComboGrid):
        combo_grid.write_figures(found, axes.figures)
    print_result(found, as_json)


@command()
def facts(options: factual_accuracy.FactualAccuracyOptions, *, as_json: Json = False) -> None:
    """Factual accuracy: Tables 2 to 8 of Goodrich et al. (2019), and Krippendorff's alpha.

    The paper's articles and judgements are not public, so each experiment takes a file: texts in which names are
    swapped, texts with known facts, texts that people judged. Its printed figures stand beside ours.

    \b
    Examples:
      tupelo reproduce facts --texts articles.jsonl --count 1000
      tupelo reproduce facts --gold dev_revised.json.gz --gold-format redocred --method classifier
      tupelo reproduce facts --gold examples/end_to_end.jsonl.gz --method reduced --model reduced=my-writer
      tupelo reproduce facts --gold examples/end_to_end.jsonl.gz --method end-to-end --collect wrong.jsonl
      tupelo reproduce facts --collected wrong.jsonl --annotated answers.jsonl
      tupelo reproduce facts --marked examples/classifier.jsonl.gz --model sentence=my-classifier
      tupelo reproduce facts --judged mturk_cnndm.jsonl --format qags --method openie
      tupelo reproduce facts --judged hallucinations.csv --format xsum-faithful --sources AggreFact-Unified-val.csv
    """
    if all(getattr(options, name) is None for name in ("texts", "gold", "annotated", "marked", "judged")):
        raise click.UsageError("give at least one of --texts, --gold, --annotated, --marked and --judged")
    with progress_bar() as progress:
        tables = factual_accuracy.reproduce(options, progress)
    print_result(tables, as_json)


@command(few_shot.reproduce, options=("extractor",))
def study(
    run: Run[few_shot.FewShotStudy],
    cliques: File,
    extractor: Annotated[str, Spelled.of("NAME"), "llm:MODEL, or another one that takes examples."],
    table: Annotated[Output | None, Spelled.of("--csv", "CSV"), "Write a line for every run."] = None,
    plot: Annotated[Output | None, Spelled.of("SVG"), "Draw Figures 6a, 6b and 9 (.svg, .png or .pdf)."] = None,
    as_json: Annotated[Json, "One JSON document with all figures."] = False,
) -> None:
    """Ask a language model about all sentences of CLIQUES, with more and more demonstrations.

    \b
    Examples:
      tupelo cliques study cliques.json --extractor llm:some-model --sample 100 --plot study.svg
      tupelo cliques study cliques.json --extractor llm:some-model --choose random,similar,kernel --csv runs.csv
      tupelo cliques study cliques.json --extractor llm:some-model --set base-url=http://localhost:8000/v1

    Prints Table 1 of the ROBUST paper and the numbers of Figures 6a, 6b and 9: F1 on the originals, over all
    sentences and on the worst ones, the drop, and how F1 goes with syntactic distance. What says the same as a
    sentence is not shown for it. Answers are kept on disk: a run that was stopped goes on where it was.
    """
    result = run()
    if table:
        write_text(table, result.csv())
    if plot:
        write_plot(plot, result)
    if as_json:
        print_json(result.to_dict())
    elif table != "-" and plot != "-":
        click.echo(result)
    for line in result.notes:
        warn(line)
