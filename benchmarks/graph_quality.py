"""Are the nodes of a graph things, are its merges right, and does it join what the text joins?

    python -m benchmarks.graph_quality [--part develop|held-out] [--documents N] [--json] [--save]
    python -m benchmarks.graph_quality --stances
    python -m benchmarks.graph_quality --schema --part held-out

A graph is built of raw articles of Re-DocRED dev (`benchmarks/graph_redocred.py`) with `tupelo graph build`, and
compared with the entities and facts that people marked in them. Only entities of the types person, organization,
place and miscellaneous count. Names are compared without case, article before them, punctuation and spaces. A *node
of a name* in a document is the entity of a mention in that document whose words, whose resolved words, or whose
entity's name are that name.

further names merged
    Of the names of an entity in a document other than its commonest one (ties: the longest), those that share a node
    with the commonest.
merged names that are one entity
    Of all pairs of different gold names in a document that share a node, those that are names of one gold entity.
facts joined
    Of the gold facts whose evidence is exactly one sentence, those with an edge, in either direction, between a node
    of a name of the one entity and a different node of a name of the other.
joined in their document
    The same, with an edge that has provenance in this document.
joined as asserted
    The same, with such an edge whose stance is `asserted`.
entities without a node
    Of the gold entities, those with no node of any of their names.
function words at edges
    Of all edges, those with an end whose name, articles apart, is a pronoun, determiner, preposition, conjunction,
    adverb or auxiliary (`FUNCTION_WORDS`), or nothing.
long names
    Of all nodes, those whose name has more than eight words.
largest component
    Of all nodes, those in the largest connected component.
unasserted
    Of all edges, those that are not asserted: denied, possible, reported, and so on.

The first six come with a 95 % interval of a bootstrap over documents, the others with a Wilson interval.

Then entities and types are compared with those of the development part of GUM (`benchmarks/graph_gum.py`).

`--stances` builds a graph of the sentences in `graph_stances.tsv`, one document each, and compares the stance of the
edge or attribute between the given subject and object with the expected one. `/` separates stances of which any is
right; a word among them is right where the relation is worded with it: *wants to buy* may be asserted.

`--schema` builds the graph with `--schema wikidata`. Precision: of the properties on edges of a document between
nodes of two of its gold entities, those that are a gold fact, in this direction. Recall: of the gold facts with an
edge of their document between their entities, those whose property is on such an edge, in this direction. Figures
count for the part `held-out` only: the classifier was trained on the other one.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.graph_corpus import DATA
from benchmarks.graph_gum import RESAMPLES, gum_scores, read_gold
from benchmarks.graph_redocred import PARTS, Article, plain, plain_words, read_articles
from benchmarks.results import add_save_option, save
from tupelo.core.extraction import STANCES
from tupelo.nlp.languages import word_set
from tupelo_training.calibration import wilson_interval

LONG = 8
CASES = Path(__file__).with_name("graph_stances.tsv")
OUTCOMES = ("right", "wrong", "wrongly asserted", "no edge")
# Pronouns; determiners; prepositions; conjunctions; adverbs; auxiliaries.
FUNCTION_WORDS = word_set(
    """
    i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her
    hers herself it its itself they them their theirs themselves one oneself ones who whom whose which what
    whatever whoever whichever this that these those there here someone somebody something anyone anybody
    anything everyone everybody everything nobody nothing none noone somewhere anywhere everywhere nowhere
    another other others each same such
    a an the some any no every either neither both all half many much more most few fewer little less least
    several enough own various certain lot lots
    about above across after against along amid among amongst around as at before behind below beneath beside
    besides between beyond by despite down during except for from in inside into like near of off on onto
    opposite out outside over past per plus since than through throughout till to toward towards under
    underneath unlike until up upon via with within without
    and or but nor so yet if unless because although though while whereas whether when whenever where wherever
    why how once lest provided then else
    again ago ahead almost alone already also altogether always apart aside away back badly barely clearly
    completely currently early earlier easily elsewhere especially even eventually ever exactly extremely fairly
    far fast finally first firstly formerly forward fully further furthermore generally greatly hardly highly
    however immediately indeed instead just largely last late later lately likely long mainly maybe meanwhile
    merely moreover mostly nearly never nevertheless next normally not now nowadays occasionally often only
    originally otherwise overall partly particularly perhaps possibly previously primarily probably quickly
    quite rather really recently relatively right second secondly seldom shortly significantly similarly simply
    slightly slowly sometimes somewhat soon still strongly subsequently suddenly therefore thereby thus today
    together tomorrow tonight too twice thrice typically unfortunately usually very well widely yesterday
    am is are was were be been being do does did done doing have has had having would shall should can could
    might must
    """
)
# Of an edge in version 3 of the file, which has no such column.
_OLD_STANCE = """CASE WHEN negated THEN 'denied' WHEN edges.modality IS NOT NULL THEN 'possible'
    WHEN asserted = 0 THEN 'reported' ELSE 'asserted' END"""

Nodes = Mapping[str, set[str]]
# Subject, property, object.
Fact = tuple[str, str, str]


class Row(NamedTuple):
    """A share with its 95 % interval."""

    name: str
    hits: float
    total: float
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.hits / self.total if self.total else float("nan")

    def __str__(self) -> str:
        return f"{self.name:36} {self.share:6.3f}  [{self.low:.3f}, {self.high:.3f}]  {self.hits:g} of {self.total:g}"


class Graph:
    """What is needed of a graph file, of version 3 or later."""

    def __init__(self, file: Path) -> None:
        import duckdb

        self._database = duckdb.connect(str(file), read_only=True)
        self.names: dict[str, str] = dict(self.rows("SELECT node_id, name FROM entities"))
        self.edges = self.rows("SELECT edge_id, subject_id, object_id FROM edges")
        self.sentences: int = self.rows("SELECT count(*) FROM sentences")[0][0]
        self.has_stances = "stance" in {name for name, *_ in self.rows("DESCRIBE edges")}
        self.stance = "edges.stance" if self.has_stances else _OLD_STANCE
        # Of a mention beside its tuple, which it need not have.
        self.mention_sentence = (
            "coalesce(mentions.sentence_id, tuples.sentence_id)" if self.has_stances else "tuples.sentence_id"
        )
        self.stances: Counter[str] = Counter(
            dict(self.rows(f"SELECT {self.stance}, count(*) FROM edges GROUP BY ALL"))
        )

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        return self._database.execute(query, values).fetchall()

    def nodes(self) -> Mapping[str, Nodes]:
        """By the title of a document, and by name, the nodes of that name in it."""
        found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for title, entity, *texts in self.rows(
            f"""
            SELECT DISTINCT title, node_id, mentions.text, resolved, entities.name
            FROM mentions LEFT JOIN tuples USING (tuple_id)
            JOIN sentences ON sentences.sentence_id = {self.mention_sentence}
            JOIN documents USING (document_id) JOIN entities USING (node_id)
            """
        ):
            for text in texts:
                if text and (name := plain(text)):
                    found[title][name].add(entity)
        return found

    def edges_by_document(self, where: str = "true") -> dict[str, set[frozenset[str]]]:
        """Both ends of the edges that a document gives rise to, by title."""
        found: dict[str, set[frozenset[str]]] = defaultdict(set)
        for title, *ends in self.rows(
            "SELECT DISTINCT title, subject_id, object_id FROM edges JOIN provenance USING (edge_id) "
            f"JOIN documents USING (document_id) WHERE {where}"
        ):
            found[title].add(frozenset(ends))
        return found

    def properties(self, least: float) -> dict[str, set[Fact]]:
        """The properties of edges, from subject to object, by the title of a document that makes the edge."""
        found: dict[str, set[Fact]] = defaultdict(set)
        for title, *fact in self.rows(
            """
            SELECT DISTINCT title, if(turned, object_id, subject_id), property, if(turned, subject_id, object_id)
            FROM properties JOIN edges USING (edge_id) JOIN provenance USING (edge_id)
            JOIN documents USING (document_id)
            WHERE probability >= ?
            """,
            [least],
        ):
            found[title].add((fact[0], fact[1], fact[2]))
        return found

    def statements(self) -> list[tuple[str, str, str, str, str]]:
        """Title, wording, stance, and the names of both ends, of every statement in every document that makes it."""
        if not self.has_stances:
            return self.rows(
                f"""
                SELECT DISTINCT documents.title, relations.name, {_OLD_STANCE}, one.name, other.name
                FROM edges JOIN provenance USING (edge_id) JOIN documents USING (document_id)
                JOIN relations USING (relation_id)
                JOIN entities one ON one.node_id = subject_id JOIN entities other ON other.node_id = object_id
                """
            )
        return self.rows(
            """
            SELECT DISTINCT title, said.relation, stance, one.name, other.name
            FROM statements said
            JOIN (SELECT DISTINCT edge_id, document_id FROM provenance) USING (edge_id)
            JOIN documents USING (document_id)
            JOIN nodes one ON one.node_id = subject_id JOIN nodes other ON other.node_id = object_id
            """
        )

    def largest_component(self) -> int:
        """How many nodes it has."""
        top = {entity: entity for entity in self.names}

        def end(entity: str) -> str:
            while top[entity] != entity:
                top[entity] = entity = top[top[entity]]
            return entity

        for _, subject, other in self.edges:
            top[end(subject)] = end(other)
        return max(Counter(map(end, top)).values(), default=0)


def further_names(article: Article, nodes: Nodes) -> Iterator[bool]:
    for names in article.entities:
        commonest, *others = sorted(names, key=lambda name: (-names[name], -len(name), name)) or [""]
        for other in others:
            yield bool(nodes.get(commonest, set()) & nodes.get(other, set()))


def merged_pairs(article: Article, nodes: Nodes) -> Iterator[bool]:
    names = sorted({name for entity in article.entities for name in entity if name in nodes})
    for one, other in combinations(names, 2):
        if nodes[one] & nodes[other]:
            yield any(one in entity and other in entity for entity in article.entities)


def joined_facts(article: Article, nodes: Nodes, edges: set[frozenset[str]]) -> Iterator[bool]:
    found = ends_of(article, nodes)
    for one, other in article.facts:
        yield any(
            first != second and frozenset([first, second]) in edges for first in found[one] for second in found[other]
        )


def ends_of(article: Article, nodes: Nodes) -> list[set[str]]:
    """The nodes of each entity."""
    return [set().union(*(nodes.get(name, set()) for name in entity)) for entity in article.entities]


def right_properties(article: Article, nodes: Nodes, found: set[Fact]) -> Iterator[bool]:
    ends = ends_of(article, nodes)
    known = set().union(*ends)
    gold = {(one, name, two) for h, name, t in article.properties for one in ends[h] for two in ends[t]}
    for fact in sorted(found):
        if {fact[0], fact[2]} <= known:
            yield fact in gold


def found_properties(article: Article, nodes: Nodes, found: set[Fact], edges: set[frozenset[str]]) -> Iterator[bool]:
    ends = ends_of(article, nodes)
    for h, name, t in article.properties:
        pairs = [(one, two) for one in ends[h] for two in ends[t] if one != two and frozenset([one, two]) in edges]
        if pairs:
            yield any((one, name, two) in found for one, two in pairs)


def schema_table(graph: Graph, articles: Sequence[Article]) -> Iterator[Row]:
    """Precision and recall of the properties on edges."""
    nodes, edges = graph.nodes(), graph.edges_by_document()
    for least in (0.0, 0.5):
        found = graph.properties(least)
        above = f", probability {least} and more" if least else ""
        yield bootstrapped(
            f"precision{above}",
            [right_properties(one, nodes.get(one.title, {}), found.get(one.title, set())) for one in articles],
        )
        yield bootstrapped(
            f"recall{above}",
            [
                found_properties(
                    one, nodes.get(one.title, {}), found.get(one.title, set()), edges.get(one.title, set())
                )
                for one in articles
            ],
        )


def unnamed_entities(article: Article, nodes: Nodes) -> Iterator[bool]:
    for names in article.entities:
        if names:
            yield not any(name in nodes for name in names)


def is_function_word(name: str) -> bool:
    """Whether a name, articles apart, is a function word or nothing; capitals are an acronym.

    >>> [is_function_word(name) for name in ("It", "The", "twice", "US", "The Band")]
    [True, True, True, False, False]
    """
    words = plain_words(name)
    return not words or (len(words) == 1 and words[0] in FUNCTION_WORDS and (len(name) < 2 or not name.isupper()))


def bootstrapped(name: str, units: Sequence[Iterable[bool]]) -> Row:
    """The share over all units, each of which is drawn or not as a whole."""
    counts = [(sum(found), len(found)) for found in map(list, units)]
    hits, total = map(sum, zip(*counts, strict=True))
    generator = random.Random(1)
    shares = []
    for _ in range(RESAMPLES):
        drawn = generator.choices(counts, k=len(counts))
        shares.append(sum(hit for hit, _ in drawn) / max(sum(count for _, count in drawn), 1))
    shares.sort()
    return Row(name, hits, total, shares[RESAMPLES // 40], shares[-RESAMPLES // 40])


def counted(name: str, hits: int, total: int) -> Row:
    return Row(name, hits, total, *(wilson_interval(hits, total) if total else (0.0, 1.0)))


def table(graph: Graph, articles: Sequence[Article]) -> Iterator[Row]:
    """The rows of the module's table."""
    nodes, by_document = graph.nodes(), graph.edges_by_document()
    asserted = graph.edges_by_document(f"{graph.stance} = 'asserted'")
    everywhere = {frozenset(ends) for _, *ends in graph.edges}

    def row(name: str, measure: Callable[[Article, Nodes], Iterable[bool]]) -> Row:
        return bootstrapped(name, [measure(article, nodes.get(article.title, {})) for article in articles])

    yield row("further names merged", further_names)
    yield row("merged names that are one entity", merged_pairs)
    yield row("facts joined", lambda article, found: joined_facts(article, found, everywhere))
    yield row(
        "joined in their document",
        lambda article, found: joined_facts(article, found, by_document.get(article.title, set())),
    )
    yield row(
        "joined as asserted",
        lambda article, found: joined_facts(article, found, asserted.get(article.title, set())),
    )
    yield row("entities without a node", unnamed_entities)
    bad = {entity for entity, name in graph.names.items() if is_function_word(name)}
    yield counted(
        "function words at edges", sum(not bad.isdisjoint(ends) for _, *ends in graph.edges), len(graph.edges)
    )
    long = sum(len(name.split()) > LONG for name in graph.names.values())
    yield counted("long names", long, len(graph.names))
    yield counted("largest component", graph.largest_component(), len(graph.names))
    yield counted("unasserted", graph.stances.total() - graph.stances["asserted"], graph.stances.total())


def build(python: str, corpus: Path, graph: Path, options: Sequence[str] = ()) -> None:
    if not graph.exists():
        command = [python, "-m", "tupelo", "graph", "build", str(corpus), "-o", str(graph), *options]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")


def write_documents(file: Path, documents: Iterable[tuple[str, str]]) -> None:
    """Titles and texts as JSON Lines."""
    lines = (json.dumps({"id": title, "title": title, "text": text}, ensure_ascii=False) for title, text in documents)
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")


class Case(NamedTuple):
    """What a sentence says between subject and object, and its stance to it; `relation` is part of the wording."""

    kind: str
    stance: str
    subject: str
    relation: str
    object: str
    sentence: str

    def allows(self, wording: str, stance: str) -> bool:
        allowed = self.stance.split("/")
        return stance in allowed or any(word not in STANCES and word in wording for word in allowed)


def read_cases() -> list[Case]:
    lines = CASES.read_text("utf-8").splitlines()
    return [Case(*line.split("\t")) for line in lines[1:]]


def found_statements(graph: Graph, cases: Sequence[Case]) -> Iterator[tuple[Case, list[tuple[str, str]]]]:
    """For each case, wording and stance of what the graph says between its subject and its object.

    Words of the sentence stand for what they are part of: *Acme* is found in *the Acme company*. Where several
    statements join the two, those that are worded as the relation count.
    """
    said = defaultdict(list)
    for title, *statement in graph.statements():
        said[title].append(statement)
    for number, case in enumerate(cases):
        ends = (plain(case.subject), plain(case.object))
        between = [
            (wording, stance)
            for wording, stance, one, other in said[f"case {number}"]
            if any(a in plain(one) and b in plain(other) for a, b in (ends, ends[::-1]))
        ]
        yield case, [found for found in between if case.relation.lower() in found[0].lower()] or between


def report_stances(graph: Graph, cases: Sequence[Case]) -> dict[str, Counter[str]]:
    """Print the cases that are not right, and return how many have each outcome, by kind."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for case, found in found_statements(graph, cases):
        right = [case.allows(*statement) for statement in found]
        outcomes = ["no edge"] if not found else ["right"] if all(right) else ["wrong"]
        if any(stance == "asserted" and not ok for (_, stance), ok in zip(found, right, strict=True)):
            outcomes.append("wrongly asserted")
        counts[case.kind].update(outcomes)
        counts["all"].update(outcomes)
        if not found or not all(right):
            shown = "; ".join(f"{wording}: {stance}" for wording, stance in found) or "-"
            print(f"{outcomes[-1]:16} {case.sentence}  [{case.stance}]  {shown}")
    print()
    for kind, count in counts.items():
        print(f"{kind:16}", ", ".join(f"{name} {count[name]}" for name in OUTCOMES))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, default="develop")
    parser.add_argument("--documents", type=int, help="the first so many of the part")
    parser.add_argument("--stances", action="store_true", help="the stances of our own sentences, and nothing else")
    parser.add_argument("--schema", action="store_true", help="the properties of edges, and nothing else")
    parser.add_argument("--without-gum", action="store_true")
    parser.add_argument("--graphs", type=Path, help="where graphs are kept; one that is there is not built again")
    parser.add_argument("--python", default=sys.executable, help="the interpreter whose tupelo builds the graphs")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    add_save_option(parser)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tupelo-quality-") as temporary:
        folder: Path = arguments.graphs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)

        def built(name: str, documents: Iterable[tuple[str, str]], *options: str) -> Path:
            write_documents(folder / f"{name}.jsonl", documents)
            build(arguments.python, folder / f"{name}.jsonl", folder / f"{name}.duckdb", options)
            return folder / f"{name}.duckdb"

        if arguments.stances:
            cases = read_cases()
            texts = [(f"case {number}", case.sentence) for number, case in enumerate(cases)]
            counts = report_stances(Graph(built("stances", texts)), cases)
            if arguments.save:
                kinds = ["all", *sorted(counts.keys() - {"all"})]
                sizes_of = Counter(case.kind for case in cases) + Counter(all=len(cases))
                outcomes = [[kind, sizes_of[kind], *(counts[kind][name] for name in OUTCOMES)] for kind in kinds]
                save("graph-what-edges-assert", ["", "sentences", *OUTCOMES], outcomes)
            return
        articles = list(read_articles(arguments.data, arguments.part))[: arguments.documents]
        name, texts = f"{arguments.part}-{len(articles)}", [(article.title, article.text) for article in articles]
        if arguments.schema:
            graph = Graph(built(f"{name}-wikidata", texts, "--schema", "wikidata"))
            print(*schema_table(graph, articles), sep="\n")
            return
        graph = Graph(built(name, texts))
        rows = list(table(graph, articles))
        sizes = {
            "documents": len(articles),
            "sentences": graph.sentences,
            "nodes": len(graph.names),
            "edges": len(graph.edges),
            "edges per sentence": round(len(graph.edges) / max(graph.sentences, 1), 2),
            "stances": dict(graph.stances.most_common()),
        }
        gum: dict[str, float] = {}
        if not arguments.without_gum:
            gold = read_gold(arguments.data / "gum/gum-dev.conllu.gz")
            chosen = sorted(gold.texts)[::2]
            gum = gum_scores(built("gum", ((name, gold.texts[name]) for name in chosen)), gold)
    if arguments.save:
        figures = [(row.name, str(row).removeprefix(row.name).strip()) for row in rows]
        counted = [(name, value) for name, value in sizes.items() if name != "stances"]
        save(f"graph-entities-and-facts-{arguments.part}", ["", "all kinds of nodes"], [*figures, *counted])
    if arguments.json:
        shares = {row.name: {"share": row.share, **row._asdict()} for row in rows}
        print(json.dumps({"part": arguments.part, **sizes, "rows": shares, "gum": gum}, indent=1))
        return
    print(*(f"{name} {value}" for name, value in sizes.items()), sep="\n")
    print(*rows, sep="\n")
    for name, value in gum.items():
        print(f"GUM {name:32} {100 * value if value <= 1 else value:6.1f}")


if __name__ == "__main__":
    main()
