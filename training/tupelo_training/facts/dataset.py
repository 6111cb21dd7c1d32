"""Build the facts dataset on an engine: from a knowledge base and articles to examples, in resumable partitions.

Reading is two stages, joining is SQL, and supervision, which parses every article, is a stage again. An article
belongs to the thing whose article title it has; if the knowledge base has no titles, to the only thing of that
name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tupelo.core.document import PassedOver
from tupelo.core.progress import Advance
from tupelo.core.protocols import Engine, Partition, Stage
from tupelo.core.stages import Failure, Step, Table, fingerprint
from tupelo.extract.pipeline import PipelineRecipe
from tupelo_training.facts.supervise import facts_of, supervise, topic_of

if TYPE_CHECKING:
    import pyarrow as pa

KINDS = ("classifier", "end_to_end", "reduced")
# Articles per partition of supervision, the unit that is repeated after a failure.
_ARTICLES = 20
# Separates the fields of a row; no name contains it.
_BAR = "\x1f"
_DIGITS = 6
_PROPERTIES_SHOWN = 10


def join_steps() -> list[Step]:
    """Steps from `knowledge` and `passages` to `work`: one row per article with a topic, and all facts about it."""
    return [
        Step("names", "select distinct id, value as name, kind from knowledge where property is null"),
        Step("facts", "select distinct id, property, value, kind from knowledge where property is not null"),
        Step(
            "articles",
            f"""
            select document_id, source, title,
                list(lpad(cast(number as varchar), {_DIGITS}, '0') || text) as passages
            from passages where title is not null group by document_id, source, title
            """,
        ),
        Step(
            "called",
            r"""
            select document_id, title as name, true as whole from articles
            union select document_id, regexp_replace(title, ' \([^()]*\)$', '') as name, false as whole from articles
            """,
        ),
        Step(
            "candidates",
            """
            select document_id, names.id,
                min(case when kind = 'title' then 0 when kind = 'label' then 1 else 2 end) as distance
            from called join names on names.name = called.name
            where called.whole or names.kind <> 'title'
            group by document_id, names.id
            """,
        ),
        Step("nearest", "select document_id, min(distance) as distance from candidates group by document_id"),
        Step(
            "topics",
            """
            select candidates.document_id, min(candidates.id) as id
            from candidates join nearest
                on nearest.document_id = candidates.document_id and nearest.distance = candidates.distance
            group by candidates.document_id having count(*) = 1
            """,
        ),
        Step(
            "about",
            """
            select topics.document_id,
                facts.property || $bar || facts.value || $bar || facts.kind || $bar || coalesce(names.name, '')
                    || $bar || coalesce(names.kind, '') as fact
            from topics join facts on facts.id = topics.id
            left join names on names.id = facts.value and facts.kind = 'thing'
            """,
            {"bar": _BAR},
        ),
        Step("all_facts", "select document_id, list(fact) as facts from about group by document_id"),
        Step(
            "topic_names",
            "select topics.document_id, list(names.name) as names from topics join names on names.id = topics.id "
            "group by topics.document_id",
        ),
        Step(
            "work",
            """
            select articles.document_id, articles.source, articles.title, articles.passages, topic_names.names,
                all_facts.facts
            from articles join topic_names on topic_names.document_id = articles.document_id
            left join all_facts on all_facts.document_id = articles.document_id
            order by articles.document_id
            """,
        ),
        Step(
            "sizes",
            """
            select 'articles' as name, count(*) as n from articles
            union all select 'articles with a topic', count(*) from topics
            union all select 'names', count(*) from names
            union all select 'facts', count(*) from facts
            order by name
            """,
        ),
    ]


def count_steps() -> list[Step]:
    """Steps that count the examples of each property."""
    return [
        Step(
            "counts",
            """
            select kind, coalesce(property, '') as property, count(*) as n, count(distinct article) as articles,
                sum(sentences) as sentences, sum(negatives) as negatives
            from examples group by kind, coalesce(property, '') order by kind, property
            """,
        )
    ]


@dataclass(frozen=True, slots=True)
class Supervise:
    """A stage over `work`: the examples of each article, as JSON, and one row of kind `article` with its counts."""

    parser: str = "en"
    negatives: float | None = None
    seed: int = 0
    name: str = "supervise"
    version: str = "1"
    key: str = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        return {"tupelo": __version__, "parser": self.parser, "negatives": self.negatives, "seed": self.seed}

    @property
    def input(self) -> pa.Schema:
        import pyarrow as pa

        texts = [(name, pa.string()) for name in ("document_id", "source", "title")]
        lists = [(name, pa.list_(pa.string())) for name in ("passages", "names", "facts")]
        return pa.schema([*texts, *lists])

    @property
    def output(self) -> pa.Schema:
        import pyarrow as pa

        texts = [(name, pa.string()) for name in ("article", "kind", "property", "row")]
        return pa.schema([*texts, ("sentences", pa.int64()), ("negatives", pa.int64())])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            rows = [made for row in batch.to_pylist() for made in self._rows(row)]
            yield pa.RecordBatch.from_pylist(rows, schema=self.output)

    def _rows(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        text = "".join(passage[_DIGITS:] for passage in sorted(row["passages"]))
        fields = ("property", "value", "kind", "name", "name_kind")
        facts = [dict(zip(fields, fact.split(_BAR), strict=True)) for fact in sorted(row["facts"] or ())]
        topic = topic_of(row["title"], sorted(row["names"]), facts_of(facts))
        # With coreference: *Her father was Lord Byron* mentions the topic too.
        analyses = tuple(PipelineRecipe(self.parser).pipeline().analyze(text, needs=()))
        found = supervise(topic, analyses, negatives=self.negatives, seed=f"{self.seed}:{row['document_id']}")
        article = row["source"]
        yield {
            "article": article,
            "kind": "article",
            "property": None,
            "row": "",
            "sentences": found.sentences,
            "negatives": found.negatives,
        }
        for kind, example in found.rows(article):
            yield {
                "article": article,
                "kind": kind,
                "property": example.get("property"),
                "row": json.dumps(example, ensure_ascii=False),
                "sentences": 0,
                "negatives": 0,
            }


@dataclass(frozen=True, slots=True)
class BuiltDataset:
    """What was made of articles: its rows and statistics; `output` is the folder they were written to."""

    rows: Table
    statistics: Mapping[str, Any]
    failures: tuple[Failure, ...]
    # Files that hold no article, by reason.
    passed_over: tuple[PassedOver, ...] = ()
    output: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The output of the command with `--json`."""
        failures = [{"record": failure.record, "reason": failure.reason} for failure in self.failures]
        return {
            **self.statistics,
            "failed": len(failures),
            "failures": failures,
            "passed_over": [group.to_dict() for group in self.passed_over],
            "output": self.output,
        }


class FactDataset(BuiltDataset):
    """All examples, in the order of the articles."""

    __slots__ = ()

    @property
    def examples(self) -> Table:
        return self.rows

    def __str__(self) -> str:
        counts = self.statistics
        properties = list(counts["properties"].items())[:_PROPERTIES_SHOWN]
        lines = [
            f"knowledge base: {counts['names']:,} names, {counts['facts']:,} facts",
            f"articles: {counts['articles']:,}, {counts['articles_with_topic']:,} with a topic, "
            f"{counts['sentences']:,} sentences",
            f"classifier: {counts['positive']:,} positive, {counts['negative']:,} negative "
            f"of {counts['negative_before_sampling']:,}",
            f"end to end: {counts['end_to_end']:,}",
            *(f"  {name}: {count:,}" for name, count in properties),
            *map(str, self.passed_over),
        ]
        return "\n".join(lines)


def build_dataset(
    engine: Engine,
    knowledge: tuple[Stage, Sequence[Partition]],
    articles: tuple[Stage, Sequence[Partition]],
    supervision: Supervise,
    advance: Advance | None = None,
    passed_over: Iterable[tuple[str, str]] = (),
) -> FactDataset:
    """Run all steps, skipping what an earlier run has finished. `advance` is called for supervised articles."""
    known = engine.run(*knowledge)
    passages = engine.run(*articles)
    joined = engine.query(join_steps(), {"knowledge": known, "passages": passages}, ["work", "sizes"])
    examples = engine.run(supervision, article_partitions(engine, joined["work"]), advance)
    counts = engine.query(count_steps(), {"examples": examples}, ["counts"])["counts"]
    statistics = _statistics(rows_of(joined["sizes"]), rows_of(counts))
    groups = PassedOver.by_reason([*passed_over, *((note.record, note.reason) for note in passages.notes)])
    return FactDataset(examples, statistics, (*known.failures, *passages.failures, *examples.failures), groups)


def article_partitions(engine: Engine, table: Table) -> list[Partition]:
    """Small partitions of articles, which bound the work that is lost when a process is killed."""
    import pyarrow.parquet as pq

    partitions = []
    for part in table.parts:
        for file in part.files:
            count = pq.read_metadata(file).num_rows
            for start in range(0, count, _ARTICLES):
                rows = pq.read_table(file, columns=["document_id"]).slice(start, _ARTICLES)
                key = fingerprint(part.name, start, rows.column("document_id").to_pylist())
                partitions.append(engine.rows(key, [(file, start, min(start + _ARTICLES, count))]))
    return partitions


def rows_of(table: Table) -> list[dict[str, Any]]:
    """All rows of a small table."""
    import pyarrow.parquet as pq

    return [row for file in table.files for row in pq.read_table(file).to_pylist()]


def _statistics(sizes: Sequence[Mapping[str, Any]], counts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    whole = {row["name"]: row["n"] for row in sizes}
    read = next((row for row in counts if row["kind"] == "article"), None)
    by_property = {row["property"]: row["n"] for row in counts if row["kind"] == "classifier" and row["property"]}
    negative = next((row["n"] for row in counts if row["kind"] == "classifier" and not row["property"]), 0)
    positive = sum(by_property.values())
    return {
        "names": whole["names"],
        "facts": whole["facts"],
        "articles": whole["articles"],
        "articles_with_topic": whole["articles with a topic"],
        "sentences": int(read["sentences"]) if read else 0,
        "positive": positive,
        "negative": negative,
        "negative_before_sampling": int(read["negatives"]) if read else 0,
        "negatives_per_positive": negative / positive if positive else None,
        "end_to_end": next((row["n"] for row in counts if row["kind"] == "end_to_end"), 0),
        "properties": dict(sorted(by_property.items(), key=lambda item: (-item[1], item[0]))),
    }


def example_lines(table: Table, kind: str) -> Iterator[str]:
    """The examples of one kind as JSON lines, file after file."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    for file in table.files:
        for batch in pq.ParquetFile(file).iter_batches(columns=["kind", "row"]):
            for row in batch.filter(pc.equal(batch.column("kind"), kind)).column("row").to_pylist():
                yield f"{row}\n"
