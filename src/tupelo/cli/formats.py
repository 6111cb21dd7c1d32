"""`tupelo formats`: every tuple format with its layout, what it keeps, and a sample."""

from __future__ import annotations

import json
from typing import Any

import click

from tupelo.io.formats import FIELDS, FORMATS, BinaryFormat, Format, sample_bytes


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON document.")
def formats(name: str | None, as_json: bool) -> None:
    """List the tuple formats, or describe the one called NAME.

    \b
    Examples:
      tupelo formats
      tupelo formats openie5
      tupelo formats --json
    """
    if name is None:
        described = [describe(FORMATS.get(known)) for known in FORMATS]
        click.echo(as_document(described) if as_json else _table(described), nl=not as_json)
    else:
        chosen = FORMATS.get(name)
        click.echo(as_document(describe(chosen)) if as_json else _page(chosen), nl=not as_json)


def describe(chosen: Format) -> dict[str, Any]:
    """Everything that is known about a format, as plain values."""
    return {
        "name": chosen.name,
        "aliases": FORMATS.aliases(chosen.name),
        "title": chosen.title,
        "layout": chosen.layout,
        "notes": chosen.notes,
        "keeps": [field for field in FIELDS if field in chosen.keeps],
        "min_arguments": chosen.min_arguments,
        "max_arguments": chosen.max_arguments,
        "log_confidence": chosen.log_confidence,
        "sample": None if isinstance(chosen, BinaryFormat) else sample_bytes(chosen).decode("utf-8"),
    }


def as_document(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def _table(described: list[dict[str, Any]]) -> str:
    width = max(len(each["name"]) for each in described)
    rows = [f"{each['name']:<{width}}  {each['title']}" for each in described]
    return "\n".join([*rows, "", "tupelo formats NAME shows the layout of one, with a sample.", ""])


def _page(chosen: Format) -> str:
    described = describe(chosen)
    arguments = f"{chosen.min_arguments} to {'any number' if chosen.max_arguments is None else chosen.max_arguments}"
    lines = [f"{chosen.name}: {chosen.title}", "", f"Layout     {chosen.layout}"]
    if described["aliases"]:
        lines.append(f"Also       {', '.join(described['aliases'])}")
    lines.append(f"Arguments  {arguments}")
    lines.append(f"Keeps      {', '.join(described['keeps']) or 'the words of relation and arguments only'}")
    if chosen.notes:
        lines += ["", *click.wrap_text(chosen.notes, width=100).splitlines()]
    sample = "A binary file." if described["sample"] is None else described["sample"].rstrip("\n")
    return "\n".join([*lines, "", "Sample:", sample, ""])
