"""The parts of the pages that only repeat what the code or an example file says.

A page holds such a part between two marks:

    <!-- begin generated: PART NAME -->
    …
    <!-- end generated -->

`python docs/generate.py` rewrites all of them; `make docs` does so first, and a test fails when one is stale. A part
that would only repeat what a command prints is one mark, and made in the copy from which the site is built:

    <!-- made with the site: PART -->
"""

from __future__ import annotations

import inspect
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

import click

import tupelo
from tupelo.cli import tupelo as root_command
from tupelo.core.analysis import MENTION_TYPES
from tupelo.core.limits import Limits
from tupelo.core.statement import MERGE_REASONS
from tupelo.extract.rules import RULES
from tupelo.graph.store.schema import TABLES, VIEWS
from tupelo.io.formats import FIELDS, FORMATS, BinaryFormat, Format
from tupelo.nlp.kinds import KINDS
from tupelo.scorers import SCORERS

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS.parent))
results = import_module("benchmarks.results")
_PART = re.compile(
    r"(?P<begin><!-- begin generated: (?P<part>[a-z-]+)(?: (?P<name>\S+))? -->)\n.*?(?P<end><!-- end generated -->)",
    re.DOTALL,
)
_SITE_PART = re.compile(r"<!-- made with the site: (?P<part>[a-z-]+) -->")
# The pages that the site is built from; see `docs_dir` in mkdocs.yml.
SITE_PAGES = DOCS.parent / "build" / "docs"
_TABLE_LINE = re.compile(r"^ *\|.*\|$", re.MULTILINE)
# A sample shows the look of a file, not all of it.
_SAMPLE_LINES = 12
_SAMPLE_WIDTH = 400
_NOUNS_SHOWN = 4


def fill(markdown: str) -> str:
    """The page with every generated part made anew."""

    def make(part: re.Match[str]) -> str:
        text = PARTS[part["part"]](*([part["name"]] if part["name"] else []))
        return f"{part['begin']}\n\n{text}\n\n{part['end']}"

    return _PART.sub(make, markdown)


def write_site_pages(folder: Path) -> None:
    """A copy of the pages and what they show, with the parts that only the site has."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder)
    for page in folder.rglob("*.md"):
        text = page.read_text("utf-8")
        page.write_text(_SITE_PART.sub(lambda part: SITE_PARTS[part["part"]](), text), "utf-8")


def pages() -> list[Path]:
    return sorted(DOCS.rglob("*.md"))


def limits() -> str:
    """Every limit with its default."""
    lines = [f"| `{name}` | {getattr(Limits(), name):,} | {meaning} |" for name, meaning in Limits.meanings().items()]
    return "\n".join(["| limit | default | counts |", "| --- | ---: | --- |", *lines])


def calls() -> str:
    """The front door, then the public submodules with the calls and classes of each."""
    modules = [("", tupelo), *((f"{name}.", getattr(tupelo, name)) for name in tupelo.SUBMODULES)]
    rows = []
    for prefix, module in modules:
        for name in sorted(dir(module), key=str.lower):
            found = getattr(module, name)
            if callable(found):
                first_line, _, _ = (inspect.getdoc(found) or "").partition("\n")
                rows.append([f"`{prefix}{name}`", cell(first_line)])
    return table(["call or class", "what it does or is"], rows)


def file(name: str) -> str:
    """A file beside the pages, as a block."""
    path = DOCS / name
    return fence("python" if path.suffix == ".py" else "text", path.read_text("utf-8").rstrip("\n"))


def model_card(model: str = "en") -> str:
    """The card beside the shipped weights, without its title."""
    card = DOCS.parent / "src/tupelo/models" / model / "MODEL_CARD.md"
    return card.read_text("utf-8").partition("\n")[2].strip()


def quirks(metric: str) -> str:
    """The defects of an original program, as `--fix` names them."""
    rows = [[f"`{name}`", explanation] for name, explanation in SCORERS.get(metric).quirks.items()]
    return table(["`--fix`", "what the original does"], rows)


def result(name: str) -> str:
    """The table of a result file of the benchmarks."""
    return results.load(name).markdown()


def headline(name: str) -> str:
    """A table of the overview of the benchmarks."""
    return results.headline(name).markdown()


def matchers(module: str) -> str:
    """The table of matchers in the docstring of a module."""
    documentation = inspect.getdoc(import_module(f"tupelo.scorers.{module}")) or ""
    return "\n".join(line.strip() for line in _TABLE_LINE.findall(documentation))


def rules() -> str:
    """What `--explain` names."""
    return table(["rule", "what it looks for"], [[f"`{name}`", meaning] for name, meaning in RULES.items()])


def mention_types() -> str:
    """What mentions can be about."""
    return table(["type", "what it takes in"], [[f"`{name}`", meaning] for name, meaning in MENTION_TYPES.items()])


def merge_reasons() -> str:
    """Why different mentions are taken for one thing."""
    return table(["reason", "meaning"], [[reason, meaning] for reason, meaning in MERGE_REASONS.items()])


def entity_types() -> str:
    """The finer types of entities, each with some of the nouns that tell it."""
    rows = [
        [f"`{kind.root}`", f"`{kind.name}`" + (f", a `{kind.parent}`" if kind.parent != kind.root else ""), nouns]
        for kind in KINDS.values()
        if (nouns := ", ".join(kind.nouns[:_NOUNS_SHOWN]))
    ]
    return table(["below", "type", "as in"], rows)


def graph_schema() -> str:
    """Every table of a graph file."""
    parts = []
    for item in TABLES:
        notes = f"Key: {', '.join(f'`{name}`' for name in item.key)}."
        notes += " Derived from the others." if item.derived else ""
        rows = [
            [
                f"`{column.name}`",
                f"`{column.type}`{'' if column.nullable else ' NOT NULL'}",
                cell(column.meaning + (f" → `{column.target}`" if column.target else "")),
            ]
            for column in item.columns
        ]
        parts += [f"### {item.name}", f"{item.meaning} {notes}", table(["column", "type", ""], rows)]
    views = []
    for name, sql in VIEWS.items():
        comments = " ".join(line[3:] for line in sql.splitlines() if line.startswith("-- "))
        views.append([f"`{name}`", cell(comments)])
    return "\n\n".join([*parts, "### Views and functions", table(["name", ""], views)])


def formats_overview() -> str:
    rows = []
    for name in FORMATS:
        chosen = FORMATS.get(name)
        confidence = "yes" if "confidence" in chosen.keeps else "no"
        rows.append([f"[`{name}`](#{name})", chosen.title, argument_limits(chosen), confidence])
    return table(["name", "what it is", "arguments", "confidence"], rows)


def formats_reference() -> str:
    return "\n\n".join(describe_format(FORMATS.get(name)) for name in FORMATS)


def describe_format(chosen: Format) -> str:
    """One section of the format reference."""
    aliases = FORMATS.aliases(chosen.name)
    facts = [f"- Arguments: {argument_limits(chosen)}.", f"- Keeps: {kept_fields(chosen)}."]
    if aliases:
        facts.append(f"- Other names: {', '.join(f'`{alias}`' for alias in aliases)}.")
    parts = [f"### {chosen.name}", f"{chosen.title}: {code(chosen.layout)}"]
    if chosen.notes:
        parts.append(chosen.notes)
    parts.append("\n".join(facts))
    if not isinstance(chosen, BinaryFormat):
        parts.append(fence("text", sample(chosen)))
    return "\n\n".join(parts)


def argument_limits(chosen: Format) -> str:
    least, most = chosen.min_arguments, chosen.max_arguments
    if most is None:
        return f"{least} or more" if least else "any number"
    return str(most) if least == most else f"{least} to {most}"


def kept_fields(chosen: Format) -> str:
    kept = [field for field in FIELDS if field in chosen.keeps]
    if len(kept) == len(FIELDS):
        return "every field"
    return ", ".join(kept) if kept else "the words of relation and arguments only"


def all_fields() -> str:
    return ", ".join(FIELDS)


def sample(chosen: Format) -> str:
    """The first lines of the bundled sample file."""
    text = chosen.sample_bytes().decode("utf-8")
    lines = text.rstrip("\n").split("\n")
    shown = [line if len(line) <= _SAMPLE_WIDTH else f"{line[:_SAMPLE_WIDTH]} …" for line in lines[:_SAMPLE_LINES]]
    return "\n".join([*shown, "…"] if len(lines) > _SAMPLE_LINES else shown)


def commands_reference() -> str:
    """Every command with its usage, help and options, groups before their members."""
    return "\n\n".join(describe_command(context) for context in walk(click.Context(root_command, info_name="tupelo")))


def walk(context: click.Context) -> Iterator[click.Context]:
    """A context for each command below, the group itself left out when it is the root."""
    command = context.command
    if context.parent is not None:
        yield context
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            member = command.get_command(context, name)
            assert member is not None, f"{name} is listed but cannot be loaded"
            yield from walk(click.Context(member, info_name=name, parent=context))


def describe_command(context: click.Context) -> str:
    command = context.command
    level = "##" if context.parent is not None and context.parent.parent is None else "###"
    parts = [
        f"{level} {context.command_path}",
        fence("text", " ".join([context.command_path, *command.collect_usage_pieces(context)])),
        help_text(command.help or ""),
    ]
    records = [record for option in command.get_params(context) if (record := option.get_help_record(context))]
    rows = [[code(cell(name)), cell(text)] for name, text in records if text and "--help" not in name]
    if rows:
        parts.append(table(["option", ""], rows))
    return "\n\n".join(part for part in parts if part)


def help_text(text: str) -> str:
    """Paragraphs as they are; what click must not wrap becomes a block."""
    paragraphs = []
    for paragraph in inspect.cleandoc(text).replace("\n\b\n", "\n\n\b\n").split("\n\n"):
        paragraph = paragraph.strip("\n")
        if paragraph.startswith("\b\n"):
            title, _, lines = paragraph.removeprefix("\b\n").partition("\n")
            paragraphs += [title, fence("text", inspect.cleandoc(f"\n{lines}"))]
        else:
            paragraphs.append(paragraph)
    return "\n\n".join(paragraphs)


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def cell(text: str) -> str:
    """Text that does not end the cell of a table."""
    return " ".join(text.split()).replace("|", "&#124;")


def code(text: str) -> str:
    """As code, unless the text marks its own code. Backticks would show an escaped character as it is written."""
    return text if "`" in text else f"<code>{text}</code>" if "&" in text else f"`{text}`"


def fence(language: str, text: str) -> str:
    return f"```{language}\n{text}\n```"


PARTS: dict[str, Callable[..., str]] = {
    "calls": calls,
    "all-fields": all_fields,
    "entity-types": entity_types,
    "file": file,
    "formats": formats_reference,
    "formats-overview": formats_overview,
    "graph-schema": graph_schema,
    "limits": limits,
    "merge-reasons": merge_reasons,
    "matchers": matchers,
    "mention-types": mention_types,
    "model-card": model_card,
    "headline": headline,
    "quirks": quirks,
    "result": result,
    "rules": rules,
}

SITE_PARTS: dict[str, Callable[[], str]] = {"commands": commands_reference}


if __name__ == "__main__":
    for page in pages():
        page.write_text(fill(page.read_text("utf-8")), "utf-8")
    write_site_pages(SITE_PAGES)
