"""`tupelo reproduce`: the tables of a paper from public data."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from tupelo.cli.reproduce_combo import combo
from tupelo.cli.reproduce_facts import facts
from tupelo.cli.scoring import GOLD_FORMATS, fix_option, measure, print_json, read_side
from tupelo.core import InputError, Record
from tupelo.io.fetch import cache_folder
from tupelo.io.files import write_text
from tupelo.io.folders import find_file


@click.group()
def reproduce() -> None:
    """Recompute the tables of a paper from public data.

    \b
    Example:
      tupelo reproduce carb --split dev
    """


reproduce.add_command(combo)
reproduce.add_command(facts)


@reproduce.command()
@click.option(
    "--data", type=click.Path(), help="Folder that holds 'carb' and 'oie2016'. [default: the download cache]"
)
@click.option("--split", type=click.Choice(["test", "dev"]), default="test", show_default=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
def carb(data: str | None, split: str, as_json: bool) -> None:
    """CaRB: Table 6 (systems), Tables 4 and 5 (quality of the gold standards).

    Needs the datasets `carb` and `oie2016`; the paper's Table 6 is on the test
    split. Rows whose files are not there stay empty and are named.

    \b
    Example:
      tupelo data get carb && tupelo data get oie2016 && tupelo reproduce carb
    """
    from tupelo.score.carb_paper import PRINTED_SYSTEMS, rate_gold_standards, rate_systems, rows_to_table

    root = Path(data) if data else cache_folder()
    missing: list[str] = []
    gold = _read(root, [f"carb/**/gold/{split}.tsv"], "carb", missing)
    systems = {}
    for name in (*PRINTED_SYSTEMS, "reverb", "stanford"):
        records = _read(root, system_patterns(name, split), "auto", missing)
        if records is not None:
            systems[name] = records
    expert = _read(root, ["carb/**/expert_gold.tsv"], "carb", missing)
    # The expert sentences are dev sentences.
    crowd = _read(root, ["carb/**/gold/dev.tsv"], "carb", missing)
    derived = _read(root, ["oie2016/**/dev.oie.orig", "oie2016/**/all.oie.orig"], "oie2016-orig", missing)
    if gold is None and expert is None:
        raise InputError(f"{root}: no CaRB data, expected the files of 'tupelo data get carb' or --data DIR")
    table_6 = rate_systems(gold, systems) if gold is not None else []
    standards = {name: records for name, records in (("OIE2016", derived), ("CaRB", crowd)) if records is not None}
    quality = rate_gold_standards(expert, standards) if expert is not None else {}
    if as_json:
        print_json(
            {
                "split": split,
                "table_6": [asdict(row) for row in table_6],
                "tables_4_and_5": {title: [asdict(row) for row in rows] for title, rows in quality.items()},
                "missing": missing,
            }
        )
    else:
        note = "" if split == "test" else " (the paper's figures are for test)"
        click.echo(f"Table 6: systems on CaRB {split}{note}\n{rows_to_table(table_6).text()}")
        for title, rows in quality.items():
            click.echo(f"Gold standards against the experts, {title}")
            click.echo(rows_to_table(rows, ("precision", "recall", "f1")).text())
    for name in missing:
        click.echo(f"not found: {name}", err=True)


def system_patterns(name: str, split: str) -> list[str]:
    """Where the output of a system may lie: by split first, the system's own format before the tabbed one."""
    folders = [f"carb/**/{split}", f"oie2016/**/{split}", "oie2016/**/systems_output", "carb/**/system_outputs"]
    endings = ("output.txt", "output.txt.gz", "tabbed.txt", "tabbed.txt.gz")
    return [f"{folder}/{name}_{ending}" for folder in folders for ending in endings]


def _read(root: Path, patterns: list[str], format_name: str, missing: list[str]) -> list[Record] | None:
    path = find_file(root, patterns)
    if path is None:
        missing.append(patterns[0])
        return None
    return read_side(path, format_name).kept_records


@reproduce.command()
@click.argument("gold", required=False)
@click.argument("predictions", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON document with full precision.")
@click.option("--markdown", metavar="FILE", help="Write the table as Markdown ('-' for standard output).")
@fix_option
def robust(
    gold: str | None, predictions: tuple[str, ...], as_json: bool, markdown: str | None, fixes: tuple[str, ...]
) -> None:
    """ROBUST: Table 2 (systems on CaRB and ROBUST, and the drop) for any systems.

    GOLD is a file of cliques, PREDICTIONS are the output of systems on it. A system whose file has
    the name of one in the paper (openie4, clausie, openie5, rnnoie, spanoie, openie6) stands beside its
    printed figures; without files, the printed table is shown.

    \b
    Example:
      tupelo reproduce robust cliques.json openie4.json openie6.json ours.tsv
    """
    from tupelo.cli.compare import split_format, unique_names
    from tupelo.io.tuples import AUTO
    from tupelo.score.robust_paper import NOTE, printed_figures, robust_table

    scores = {}
    if gold is not None:
        gold_side = read_side(gold, GOLD_FORMATS["robust"])
        files = [split_format(item, AUTO) for item in predictions]
        for name, (path, format_name) in zip(unique_names([path for path, _ in files]), files, strict=True):
            scores[name] = measure("robust", {"fixes": fixes}, gold_side, path, format_name=format_name).score
    table = robust_table({name: score.details for name, score in scores.items()})
    if markdown:
        write_text(markdown, table.markdown())
    if as_json:
        systems = [
            {"system": name, "printed": printed_figures(name), "signature": score.signature, **score.details}
            for name, score in scores.items()
        ]
        print_json({"table_2": systems, "note": NOTE})
    elif markdown != "-":
        click.echo("\n".join([table.text(), NOTE, *(score.signature for score in scores.values())]))
