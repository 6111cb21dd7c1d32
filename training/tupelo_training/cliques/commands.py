"""`tupelo cliques build`."""

from __future__ import annotations

from typing import Annotated

from tupelo.api.files import write_text
from tupelo.cli.cliques import report_cliques
from tupelo.cli.options import Json, list_option, warn
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Input, Output, Spelled
from tupelo_training.cliques import calls
from tupelo_training.cliques.building import CliqueBuild
from tupelo_training.cliques.paraphrase import PARAPHRASERS
from tupelo_training.cliques.rewrite import RULES

Report = Annotated[Json, "Report the figures as JSON; with -o, besides the file."]


@command(
    calls.build,
    extra=[
        list_option(PARAPHRASERS.titles, "List the paraphrasers."),
        list_option(RULES.titles, "List the rules of `rewrite`.", "--list-rules"),
    ],
)
def build(
    run: Run[CliqueBuild],
    gold: Input,
    check_with: Annotated[
        str, Spelled.of("NAME"), "The extractor that must still find the tuples; none for no such check."
    ] = "rules",
    output: Output = "-",
    sheet: Annotated[
        Output | None, Spelled.of("TSV"), "Write every paraphrase with its origin, scores and tuples, to be checked."
    ] = None,
    as_json: Report = False,
) -> None:
    """Build cliques from GOLD: paraphrase each sentence, and carry its tuples over.

    \b
    Examples:
      tupelo cliques build gold.tsv -o cliques.json
      tupelo cliques build gold.tsv --format carb --max-sentences 5 --json -o cliques.json
      tupelo cliques build gold.tsv --all -o training-data.json
      tupelo cliques build gold.tsv --paraphraser syntactic --min-sentences 2 -o cliques.json
      tupelo cliques build gold.tsv --paraphraser rewrite:passive,cleft-subject --check-with none
      tupelo cliques build gold.tsv --paraphraser seq2seq:checkpoint --parallel pairs.tsv -o cliques.json

    Every paraphrase is parsed and scored; those below a threshold are dropped and counted. Of the
    rest, a clique takes those whose syntax differs most. Sentences with too few are left out. The
    output is ROBUST's JSON, for `tupelo score robust` and for a person to check.
    """
    result = run(check_with=None if check_with == "none" else check_with)
    if sheet is not None:
        write_text(sheet, result.sheet())
    report_cliques(result, output, as_json)
    for line in result.usage:
        warn(line)
