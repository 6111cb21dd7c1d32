"""`tupelo reproduce facts`: the experiments of Goodrich et al. (KDD 2019) on any data."""

from __future__ import annotations

from typing import Any

import click

from papers.factual_accuracy import FACT_FORMATS, JUDGEMENT_FORMATS, FactualAccuracyOptions, reproduce
from tupelo.cli.options import AT_LEAST_ONE, INPUT, OUTPUT, json_option, option_group, print_json, seed_option
from tupelo.cli.progress import progress_bar

data_options = option_group(
    click.option(
        "--texts",
        type=INPUT,
        metavar="FILE",
        help="Table 2: texts to corrupt: JSON lines with `text` and perhaps `subject`, the topic; KnowledgeNet.",
    ),
    click.option("--count", default=1000, show_default=True, type=AT_LEAST_ONE, help="How many of --texts."),
    click.option("--gold", type=INPUT, metavar="FILE", help="Tables 3 to 5: texts with their facts."),
    click.option(
        "--gold-format",
        type=click.Choice(FACT_FORMATS),
        default="examples",
        show_default=True,
        help="Of --gold; `examples` is what `facts dataset` writes.",
    ),
    click.option(
        "--collect",
        type=OUTPUT,
        metavar="FILE",
        help="Table 6: write the facts that were found but are not in --gold, as items of `annotate` (task claims).",
    ),
    click.option("--articles", default=30, show_default=True, type=AT_LEAST_ONE, help="How many texts to --collect."),
    click.option("--collected", type=INPUT, metavar="FILE", help="Table 6: what --collect wrote; with --annotated."),
    click.option(
        "--annotated", type=INPUT, metavar="FILE", help="Table 6: the answers, from `annotate export --what answers`."
    ),
    click.option(
        "--marked",
        type=INPUT,
        metavar="FILE",
        help="Tables 3 and 4 with the entities given: marked pairs, as `facts dataset` writes them.",
    ),
    click.option(
        "--judged", type=INPUT, metavar="FILE", help="Tables 7 and 8, and alpha: texts with human judgements."
    ),
    click.option(
        "--format", "judged_format", default="qags", show_default=True, type=click.Choice(JUDGEMENT_FORMATS)
    ),
    click.option(
        "--sources", type=INPUT, metavar="FILE", help="Sources of --judged by id: AggreFact's CSV, or JSON lines."
    ),
    click.option(
        "--summaries", type=INPUT, metavar="FILE", help="Texts of --judged by id: XSum's CSV, JSON lines (for FRANK)."
    ),
    click.option("--split", metavar="NAME", help="Only this part of --judged, such as `valid` of FRANK."),
    click.option("--limit", type=AT_LEAST_ONE, help="Only the first N texts of --gold and --judged."),
)


@click.command()
@data_options
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="openie, openie-canonical, classifier, sentence, binary, end-to-end, reduced or none; repeat. "
    "[default: all but end-to-end and reduced, whose weights know WebNLG's texts alone, for non-commercial use]",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME=FOLDER",
    help="A model of your own (`facts train`) for the method NAME; repeat.",
)
@seed_option(help="For the swaps and the intervals.")
@json_option()
def facts(as_json: bool, **options: Any) -> None:
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
    if all(options[name] is None for name in ("texts", "gold", "annotated", "marked", "judged")):
        raise click.UsageError("give at least one of --texts, --gold, --annotated, --marked and --judged")
    with progress_bar() as progress:
        tables = reproduce(FactualAccuracyOptions(**options), progress)
    if as_json:
        print_json(tables.to_dict())
    else:
        click.echo(str(tables))
