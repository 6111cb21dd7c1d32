"""A dataset for canonicalization, made from dumps as COMBO was from Wiki20 (Jiang et al., EACL 2023, section 4).

1. A link of an article, and a mention of its own title, is a noun phrase with a gold entity: the thing of the
   knowledge base whose article it is. Redirects are followed.
2. Two of them in one sentence of which the knowledge base knows exactly one relation have it as gold relation.
3. An extractor reads the sentence. A triple stays if its subject and object are the two phrases, an article aside,
   and its relation is a continuous run of words.
4. Relations are made alike: articles go, and the copula before one (*is the civil branch of* is *civil branch of*).
5. Gold types are the classes of a thing (P31). One without any is its own. A class whose name ends in that of a wider
   class (P279) brings that one along: a *big city* is a *city*.

COMBO's authors then checked every relation by hand, and found 5.5 % that do not say what the label does; nobody does
that here. Reading is a stage, joining is SQL, extraction a stage again, as for examples of facts (`dataset`).
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from tupelo.core import Analysis, Extraction
from tupelo.core.document import PassedOver
from tupelo.core.progress import Advance
from tupelo.core.protocols import Engine, Partition, Stage
from tupelo.core.stages import Step, Table, fingerprint
from tupelo.extract.pipeline import PipelineRecipe
from tupelo.nlp.languages.en.grammar import ARTICLES
from tupelo_training.facts.dataset import BuiltDataset, article_partitions, rows_of

if TYPE_CHECKING:
    import pyarrow as pa

INSTANCE, SUBCLASS = "P31", "P279"
# Separates the fields of a row; no name contains it.
_BAR = "\x1f"
_DIGITS = 6
_REDIRECT = "#REDIRECT"
_TARGET = r"\[\[([^\[\]|#]+)"


def join_steps(properties: Sequence[str] = ()) -> list[Step]:
    """Steps from `knowledge` and `passages` to `work`: one row per article in which a known relation may be said."""
    return [
        Step("names", "select distinct id, value as name, kind from knowledge where property is null"),
        Step(
            "facts",
            "select distinct id, property, value from knowledge "
            "where kind = 'thing' and (len($properties) = 0 or property in $properties or property in $classes)",
            {"properties": list(properties), "classes": [INSTANCE, SUBCLASS]},
        ),
        # The thing that a title stands for: of that article, else the only one of that label.
        Step(
            "called",
            "select name, id, min(case when kind = 'title' then 0 else 1 end) as distance from names "
            "where kind in ('title', 'label') group by name, id",
        ),
        Step("nearest", "select name, min(distance) as distance from called group by name"),
        Step(
            "things",
            "select called.name, min(id) as id from called join nearest using (name, distance) "
            "group by called.name having count(*) = 1",
        ),
        Step(
            "redirects",
            f"select title, regexp_extract(text, '{_TARGET}', 1) as name from passages "
            "where starts_with(text, $redirect) and number = 0",
            {"redirect": _REDIRECT},
        ),
        Step(
            "written",
            f"""
            select document_id, unnest(regexp_extract_all(text, '{_TARGET}', 1)) as target from passages
            where not starts_with(text, $redirect) and title is not null
            union select document_id, title as target from passages
            where not starts_with(text, $redirect) and title is not null
            """,
            {"redirect": _REDIRECT},
        ),
        Step(
            "pages",
            "select distinct document_id, target, upper(substr(trim(target), 1, 1)) || "
            "replace(substr(trim(target), 2), '_', ' ') as page from written",
        ),
        Step(
            "mentions",
            """
            select distinct document_id, target, things.id
            from pages left join redirects on redirects.title = pages.page
            join things on things.name = coalesce(redirects.name, pages.page)
            """,
        ),
        Step("mentioned", "select distinct document_id, id from mentions"),
        Step(
            "known",
            """
            select one.document_id, facts.id, facts.property, facts.value
            from mentioned as one join facts on facts.id = one.id
            join mentioned as two on two.document_id = one.document_id and two.id = facts.value
            where facts.property not in ($instance, $subclass) and facts.id <> facts.value
            """,
            {"instance": INSTANCE, "subclass": SUBCLASS},
        ),
        Step("labels", "select id, min(name) as label from names where kind = 'label' group by id"),
        Step(
            "own_classes", "select id, value as class from facts where property = $instance", {"instance": INSTANCE}
        ),
        Step(
            "wider",
            """
            select facts.id as class, facts.value as wide
            from facts join labels as one on one.id = facts.id join labels as two on two.id = facts.value
            where property = $subclass and ends_with(lower(one.label), lower(two.label))
            """,
            {"subclass": SUBCLASS},
        ),
        Step(
            "classes",
            "select id, class from own_classes "
            "union select id, wide as class from own_classes join wider using (class)",
        ),
        Step(
            "of_articles",
            """
            select document_id, 'mention' || $bar || target || $bar || id as line from mentions
            union all
            select document_id, 'fact' || $bar || known.id || $bar || property || $bar || value || $bar
                || coalesce(label, property) as line from known left join labels on labels.id = known.property
            union all
            select document_id, 'class' || $bar || mentioned.id || $bar || class as line
            from mentioned join classes on classes.id = mentioned.id
            """,
            {"bar": _BAR},
        ),
        Step("lines", "select document_id, list(line) as lines from of_articles group by document_id"),
        Step("worth", "select distinct document_id from known"),
        Step(
            "work",
            f"""
            select passages.document_id, any_value(source) as source, any_value(title) as title,
                list(lpad(cast(number as varchar), {_DIGITS}, '0') || text) as passages, any_value(lines) as lines
            from passages join worth using (document_id) join lines using (document_id)
            group by passages.document_id order by passages.document_id
            """,
        ),
        Step(
            "sizes",
            """
            select 'articles' as name, count(distinct document_id) as n from written
            union all select 'articles with a known relation', count(*) from worth
            union all select 'facts', count(*) from facts
            union all select 'links to things', count(*) from mentions
            order by name
            """,
        ),
    ]


_LINK = re.compile(r"\[\[([^\[\]|]++)(?:\|([^\[\]]*+))?\]\]")


class Anchor(NamedTuple):
    """Characters `[start, end)` of a text that mean a thing."""

    start: int
    end: int
    id: str


def read_anchors(marked: str, title: str, things: Mapping[str, str]) -> tuple[str, list[Anchor]]:
    """A text without the marks of its links, and what its links and its title mean, in order.

    >>> read_anchors("[[Ann Lee|Lee]] left [[Oslo]]. Ann Lee sang.", "Ann Lee", {"Ann Lee": "Q1", "Oslo": "Q2"})[1]
    [Anchor(start=0, end=3, id='Q1'), Anchor(start=9, end=13, id='Q2'), Anchor(start=15, end=22, id='Q1')]
    """
    pieces: list[str] = []
    anchors: list[Anchor] = []
    length = place = 0
    for link in _LINK.finditer(marked):
        before, words = marked[place : link.start()], link[2] or link[1]
        pieces += [before, words]
        start = length + len(before)
        length, place = start + len(words), link.end()
        if (thing := things.get(link[1].partition("#")[0])) is not None and words.strip():
            anchors.append(Anchor(start, length, thing))
    text = "".join([*pieces, marked[place:]])
    # Without what tells it from others: "Ann Lee (poet)".
    name = title.partition(" (")[0]
    if (topic := things.get(title)) is not None and name:
        taken = [False] * (len(text) + 1)
        for anchor in anchors:
            taken[anchor.start : anchor.end] = [True] * (anchor.end - anchor.start)
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            around = text[start - 1 : start] + text[end : end + 1]
            if not any(taken[start:end]) and not any(map(str.isalnum, around)):
                anchors.append(Anchor(start, end, topic))
            start = text.find(name, end)
    return text, sorted(anchors)


def aligned_phrases(
    analysis: Analysis, extractions: Iterable[Extraction], anchors: Sequence[Anchor], counts: Counter[str]
) -> Iterator[tuple[tuple[range, str], range, tuple[range, str]]]:
    """Subject with its thing, relation, object with its thing, as words of the sentence; each triple once."""
    words = analysis.words
    starts = {word.start: number for number, word in enumerate(words)}
    ends = {word.end: number + 1 for number, word in enumerate(words)}
    known = {
        range(starts[anchor.start], ends[anchor.end]): anchor.id
        for anchor in anchors
        if anchor.start in starts and anchor.end in ends
    }
    seen = set()
    for extraction in extractions:
        counts["extractions"] += 1
        if extraction.arg1 is None or not extraction.args or extraction.negated:
            continue
        ends_of = [_bare(analysis, part.tokens) for part in (extraction.arg1, extraction.args[0])]
        subject, object_ = (next((place for place in known if place == end), None) for end in ends_of)
        if subject is None or object_ is None or known[subject] == known[object_]:
            continue
        counts["between links"] += 1
        relation = _relation(analysis, extraction.rel.tokens)
        if relation is None:
            continue
        counts["continuous"] += 1
        if (key := (subject, relation, object_)) not in seen:
            seen.add(key)
            yield (subject, known[subject]), relation, (object_, known[object_])


def _bare(analysis: Analysis, tokens: Sequence[int] | None) -> range | None:
    """A run of words without an article before it; `None` if the words are no run."""
    run = _run(tokens)
    if run and len(run) > 1 and analysis.words[run[0]].upos == "DET":
        run = run[1:]
    return run


def _run(tokens: Sequence[int] | None) -> range | None:
    ordered = sorted(set(tokens or ()))
    if not ordered or ordered[-1] - ordered[0] != len(ordered) - 1:
        return None
    return range(ordered[0], ordered[-1] + 1)


def _relation(analysis: Analysis, tokens: Sequence[int] | None) -> range | None:
    """A run of words without a copula and the article that follows it."""
    run = _run(tokens)
    if run and len(run) > 2 and analysis.words[run[0]].lemma == "be" and analysis.words[run[1]].upos == "DET":
        run = run[2:]
    return run


@dataclass(frozen=True, slots=True)
class AlignTriples:
    """A stage over `work`: the triples of each article, as items of COMBO's JSON, and a row with its counts."""

    parser: str = "en"
    extractor: str = "default"
    name: str = "align"
    version: str = "1"
    key: str = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        return {"tupelo": __version__, "parser": self.parser, "extractor": self.extractor}

    @property
    def input(self) -> pa.Schema:
        import pyarrow as pa

        texts = [(name, pa.string()) for name in ("document_id", "source", "title")]
        return pa.schema([*texts, *((name, pa.list_(pa.string())) for name in ("passages", "lines"))])

    @property
    def output(self) -> pa.Schema:
        import pyarrow as pa

        texts = ("article", "label", "row")
        numbers = ("sentences", "extractions", "between_links", "continuous", "several_relations")
        return pa.schema([*((name, pa.string()) for name in texts), *((name, pa.int64()) for name in numbers)])

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            rows = [made for row in batch.to_pylist() for made in self._rows(row)]
            yield pa.RecordBatch.from_pylist(rows, schema=self.output)

    def _rows(self, row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        things: dict[str, str] = {}
        classes: dict[str, set[str]] = defaultdict(set)
        facts: dict[tuple[str, str], set[tuple[str, str]]] = defaultdict(set)
        for line in row["lines"]:
            kind, *fields = line.split(_BAR)
            if kind == "mention":
                things[fields[0]] = fields[1]
            elif kind == "class":
                classes[fields[0]].add(fields[1])
            else:
                facts[fields[0], fields[2]].add((fields[1], fields[3]))
        marked = "".join(passage[_DIGITS:] for passage in sorted(row["passages"]))
        text, anchors = read_anchors(marked, row["title"], things)
        pipeline = PipelineRecipe(self.parser, self.extractor).pipeline()
        counts: Counter[str] = Counter()
        for analysis in pipeline.parser.analyze(text):
            counts["sentences"] += 1
            end = analysis.start + len(analysis.text)
            inside = [anchor for anchor in anchors if analysis.start <= anchor.start and anchor.end <= end]
            pairs = {(one.id, two.id) for one in inside for two in inside}
            if not any(pair in facts for pair in pairs):
                continue
            (extractions,) = pipeline.extractor.extract([analysis])
            for subject, relation, object_ in aligned_phrases(analysis, extractions, inside, counts):
                known = facts.get((subject[1], object_[1]), set())
                if len(known) == 1:
                    ((number, label),) = known
                    item = {
                        "h": _entity(analysis, *subject, classes),
                        "r": {"id": number, "label": label, **_phrase(analysis, relation, articles=False)},
                        "t": _entity(analysis, *object_, classes),
                        "text": [word.text.lower() for word in analysis.words],
                    }
                    yield {"article": row["source"], "label": label, "row": json.dumps(item, ensure_ascii=False)}
                elif known:
                    counts["several relations"] += 1
        yield {"article": row["source"], **{name.replace(" ", "_"): count for name, count in counts.items()}}


def _entity(analysis: Analysis, place: range, thing: str, classes: Mapping[str, set[str]]) -> dict[str, Any]:
    return {"id": thing, "instance": sorted(classes.get(thing) or {thing}), **_phrase(analysis, place)}


def _phrase(analysis: Analysis, place: range, *, articles: bool = True) -> dict[str, Any]:
    words = [analysis.words[number] for number in place]
    kept = [word for word in words if articles or word.upos != "DET"] or words
    return {"name": [word.text.lower() for word in kept], "pos": [place.start, place.stop]}


def count_steps(min_triples: int) -> list[Step]:
    """Steps from `triples` to `kept`, those of relations with enough of them, and to counts of what was left out."""
    return [
        Step(
            "enough",
            "select label from triples where label is not null group by label having count(*) >= $min_triples",
            {"min_triples": min_triples},
        ),
        Step("kept", 'select article, row from triples join enough using (label) order by article, "row"'),
        Step(
            "counts",
            """
            select coalesce(sum(sentences), 0) as sentences, coalesce(sum(extractions), 0) as extractions,
                coalesce(sum(between_links), 0) as between_links, coalesce(sum(continuous), 0) as continuous,
                coalesce(sum(several_relations), 0) as several_relations, count(label) as aligned
            from triples
            """,
        ),
    ]


class AlignedTriples(BuiltDataset):
    """Triples with gold clusters."""

    __slots__ = ()

    def __str__(self) -> str:
        counts = self.statistics
        lines = [
            f"articles: {counts['articles']:,}, {counts['articles_with_relation']:,} with a known relation, "
            f"{counts['sentences']:,} sentences",
            f"extractions: {counts['extractions']:,}, {counts['between_links']:,} between links, "
            f"{counts['continuous']:,} with a continuous relation, {counts['aligned']:,} of one known relation",
            f"triples: {counts['triples']:,} (dev {counts['dev']:,}, test {counts['test']:,})",
            f"noun phrases: {counts['noun_phrases']:,} of {counts['entities']:,} entities, {counts['types']:,} types",
            f"relation phrases: {counts['relation_phrases']:,} of {counts['relations']:,} relations",
            *map(str, self.passed_over),
        ]
        return "\n".join(lines)


def align_triples(
    engine: Engine,
    knowledge: tuple[Stage, Sequence[Partition]],
    articles: tuple[Stage, Sequence[Partition]],
    alignment: AlignTriples,
    *,
    properties: Sequence[str] = (),
    min_triples: int = 1,
    advance: Advance | None = None,
    passed_over: Iterable[tuple[str, str]] = (),
) -> AlignedTriples:
    """Run all steps, skipping what an earlier run has finished. `advance` is called for parts of articles."""
    known = engine.run(*knowledge)
    passages = engine.run(*articles)
    joined = engine.query(join_steps(properties), {"knowledge": known, "passages": passages}, ["work", "sizes"])
    triples = engine.run(alignment, article_partitions(engine, joined["work"]), advance)
    counted = engine.query(count_steps(min_triples), {"triples": triples}, ["kept", "counts"])
    sizes = {row["name"]: row["n"] for row in rows_of(joined["sizes"])}
    (counts,) = rows_of(counted["counts"])
    statistics = {
        "facts": sizes["facts"],
        "articles": sizes["articles"],
        "articles_with_relation": sizes["articles with a known relation"],
        "links_to_things": sizes["links to things"],
        **{name: int(count) for name, count in counts.items()},
    }
    groups = PassedOver.by_reason([*passed_over, *((note.record, note.reason) for note in passages.notes)])
    return AlignedTriples(
        counted["kept"], statistics, (*known.failures, *passages.failures, *triples.failures), groups
    )


class Tally:
    """Table 1 of the COMBO paper, counted while triples go by."""

    def __init__(self) -> None:
        self.parts: Counter[str] = Counter()
        self._words = 0
        self._with_context = 0
        self._seen: dict[str, set[str]] = defaultdict(set)

    def add(self, item: Mapping[str, Any], part: str) -> None:
        self.parts[part] += 1
        names = [item[key]["name"] for key in ("h", "r", "t")]
        self._words += sum(map(len, names))
        said = [word for name in names for word in name]
        self._with_context += _word_count(item["text"]) > _word_count(said)
        self._seen["relation_phrases"].add(" ".join(names[1]))
        self._seen["relations"].add(item["r"]["label"])
        for key, name in (("h", names[0]), ("t", names[2])):
            self._seen["noun_phrases"].add(" ".join(name))
            self._seen["entities"].add(item[key]["id"])
            self._seen["types"].update(item[key]["instance"])

    def statistics(self) -> dict[str, Any]:
        total = sum(self.parts.values())
        columns = ("noun_phrases", "entities", "relation_phrases", "relations", "types")
        return {
            "triples": total,
            "dev": self.parts["dev"],
            "test": self.parts["test"],
            **{name: len(self._seen[name]) for name in columns},
            "words_per_triple": self._words / total if total else None,
            "with_context": self._with_context / total if total else None,
        }


def _word_count(tokens: Sequence[str]) -> int:
    """How many tokens are words, not punctuation, articles aside."""
    return sum(any(map(str.isalnum, token)) and token not in ARTICLES for token in tokens)


def part_of(article: str) -> str:
    """A fifth of the articles is for development; an article is on one side."""
    return "dev" if int(fingerprint("part", article)[:8], 16) % 5 == 0 else "test"


def triple_items(kept: Table) -> Iterator[tuple[str, dict[str, Any]]]:
    """Articles and items in order, numbered; file after file."""
    import pyarrow.parquet as pq

    number = 0
    for file in kept.files:
        for batch in pq.ParquetFile(file).iter_batches():
            for row in batch.to_pylist():
                yield row["article"], {**json.loads(row["row"]), "tri_id": number}
                number += 1
