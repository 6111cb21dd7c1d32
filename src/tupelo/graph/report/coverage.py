"""Coverage: which sentences and tuples of documents are in a graph, and which are not, with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from tupelo.core.registry import Shown, view
from tupelo.core.results import printable
from tupelo.core.shipped import queries
from tupelo.graph.build.plan import file_of
from tupelo.graph.query.answers import PlainValue, quoted
from tupelo.graph.store.file import Store

_SQL = queries(__name__)
# The reason of a tuple whose sentence has another one with the same statement.
REPEATED = "another tuple says the same"
NOT_READ = "not in the graph"
_SHOWN = 20


@dataclass(frozen=True, slots=True)
class Covered(PlainValue):
    """Numbers of a document: sentences, those with a tuple and with a statement; tuples, those with a statement.

    `repeated` tuples say what another one of their sentence says.
    """

    source: str
    sentences: int = 0
    with_tuples: int = 0
    with_statements: int = 0
    tuples: int = 0
    stated: int = 0
    repeated: int = 0

    @property
    def share(self) -> float | None:
        """The share of the tuples that have a statement; `None` if there are no tuples."""
        return (self.stated + self.repeated) / self.tuples if self.tuples else None

    def __str__(self) -> str:
        share = "–" if self.share is None else f"{self.share:.1%}"
        return (
            f"{printable(self.source)}: {self.with_statements:,} of {self.sentences:,} sentences, "
            f"{self.with_tuples:,} with tuples; "
            f"{self.stated + self.repeated:,} of {self.tuples:,} tuples, {share}"
        )


@dataclass(frozen=True, slots=True)
class Uncovered(PlainValue):
    """A sentence without a tuple, or a tuple without a statement of its own, and why."""

    source: str
    position: int
    sentence: str
    tuple: str | None
    reason: str

    def __str__(self) -> str:
        said = quoted(self.sentence, self.source, self.position)
        return f"{self.reason}: {f'{self.tuple} in ' if self.tuple else ''}{said}"


@dataclass(frozen=True, slots=True)
class Coverage(Shown):
    """The coverage of documents, what is left out, and files of which the graph has no document."""

    documents: tuple[Covered, ...]
    left_out: tuple[Uncovered, ...]
    missing: tuple[str, ...] = ()

    @property
    def total(self) -> Covered:
        columns = zip(*((*one.to_dict().values(),)[1:] for one in self.documents), strict=True)
        return Covered("all", *map(sum, columns))

    @property
    def reasons(self) -> dict[str, int]:
        """The number of sentences and tuples left out for each reason, and of files that were not read."""
        found = Counter(item.reason for item in self.left_out)
        return dict(found.most_common()) | ({NOT_READ: len(self.missing)} if self.missing else {})

    def to_dict(self) -> dict[str, Any]:
        return {
            "total": {**self.total.to_dict(), "share": self.total.share},
            "reasons": self.reasons,
            "documents": [{**one.to_dict(), "share": one.share} for one in self.documents],
            "left_out": [item.to_dict() for item in self.left_out],
            "missing": list(self.missing),
        }

    def __str__(self) -> str:
        lines = [str(one) for one in (*self.documents, *([self.total] if len(self.documents) != 1 else []))]
        lines += (f"{printable(name)}: {NOT_READ}" for name in self.missing)
        lines += (f"{count:,} × {reason}" for reason, count in self.reasons.items())
        lines += (f"  {printable(str(item))}" for item in self.left_out[:_SHOWN])
        return "\n".join([*lines, *(["  …"] if len(self.left_out) > _SHOWN else [])])

    def page(self, title: str) -> str:
        """The same as one HTML document without script."""
        return view(self, "page", title)


def coverage(store: Store, files: Iterable[str] | None = None) -> Coverage:
    """The coverage of the documents in these files, or of all documents of the graph."""
    sources: Collection[str] | None = None
    missing: list[str] = []
    if files is not None:
        wanted = list(files)
        holders = {
            source: _holder(source, wanted) for source in store.column("SELECT source FROM documents ORDER BY source")
        }
        sources = [source for source, file in holders.items() if file]
        missing = [file for file in wanted if file not in holders.values()]
    given = {"sources": sources}
    documents = tuple(Covered(*row) for row in store.rows(_SQL["documents"], {**given, "repeated": REPEATED}))
    left_out = tuple(Uncovered(*row) for row in store.rows(_SQL["left_out"], given))
    return Coverage(documents, left_out, tuple(missing))


def _holder(source: str, files: Collection[str]) -> str:
    """The file of a document; it may have been read with its folder, and then has the name of that before its own."""
    return file_of(source, files) or next((file for file in files if source.endswith(f"/{file}")), "")
