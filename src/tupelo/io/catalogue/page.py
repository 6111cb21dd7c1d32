"""The catalogue as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from tupelo.io.catalogue import DATASETS, DataFile, Dataset

_INTRODUCTION = """\
# Datasets

<!-- Made by `tupelo data list --markdown`; change the tables in src/tupelo/io/catalogue instead. -->

Tupelo knows where {count} public datasets are, what they are for, under which licence they come and whom to cite.
It ships none of them: `tupelo data get` downloads them from their sources into a cache on your machine.

```console
$ tupelo data list --task open-ie
$ tupelo data info carb
$ tupelo data get carb --split dev
$ tupelo data get carb --from ~/downloads     # on a machine without a network
```

Downloads go on where they were cut, and a file gets its name only when it is whole and its checksum is right. The
cache is your platform's; `TUPELO_CACHE` or `--cache` names another.

Test splits are listed so that you can report results on them. Never train or tune on them.

A checksum is stated where it is known for the file at that address. An address marked *not verified* was neither
found in a public index nor named by the source or another project when the entry was written. The licence is the one
that the source states.
"""


def markdown_page() -> str:
    """The whole of `docs/datasets.md`."""
    overview = markdown_table(
        ("name", "what it is", "for", "licence"),
        ((f"[{e.name}](#{e.name})", e.title, ", ".join(e.tasks), e.licence) for e in DATASETS.values()),
    )
    sections = [_section(entry) for entry in DATASETS.values()]
    return "\n".join([_INTRODUCTION.format(count=len(DATASETS)), overview, *sections])


def markdown_table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"

    return line(header) + line(("---",) * len(header)) + "".join(map(line, rows))


def _section(entry: Dataset) -> str:
    files = markdown_table(("file", "split", "format", "bytes", "checksum", "notes"), _rows(entry))
    facts = [
        f"- Home: <{entry.homepage}>, version {entry.version}",
        f"- Licence: {entry.licence}",
        *(f"- Cite: {citation}" for citation in entry.citation),
    ]
    note = [entry.note, ""] if entry.note else []
    return "\n".join([f"## {entry.name}", "", f"**{entry.title}.** {entry.purpose}", "", *facts, "", *note, files])


def _rows(entry: Dataset) -> Iterator[tuple[str, ...]]:
    for split, group in groupby(entry.files, key=lambda file: file.split):
        files = list(group)
        if entry.choose:
            name = f"`{files[0].path}` to `{files[-1].path}` ({len(files)} files)"
            yield _row(name, split, files[0])
        else:
            for file in files:
                yield _row(f"`{file.path}`", split, file)


def _row(name: str, split: str, file: DataFile) -> tuple[str, ...]:
    notes = [
        file.note,
        f"unpacked into `{file.unpack.into}/`" if file.unpack else "",
        "only with `--file`" if file.optional else "",
        "" if file.verified else "address not verified",
    ]
    return (
        name,
        split,
        f"`{file.format}`" if file.format else "",
        f"{file.size:,}" if file.size is not None else "",
        "yes" if file.sha256 else "",
        "; ".join(filter(None, notes)),
    )
