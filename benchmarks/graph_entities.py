"""How many wordings of names become one node in a graph of news and encyclopedia text, and are they one thing?

    python -m benchmarks.graph_entities [--part develop|held-out] [--draw 1|2|3] [--graphs FOLDER] [--sample FOLDER]

100 documents of a part: 44 news articles (XSum's, of the validation part of AggreFact), 44 Wikipedia articles of
Re-DocRED dev (`benchmarks/graph_redocred.py`), and 12 biographies, news and travel guides of GUM: of its development
and test part for `held-out`, of its training part for `develop`. `--draw 2` takes the next ones of each,
with more news for what GUM lacks, and `--draw 3` those after them, with beginnings of Wikipedia articles (the
abstracts of KnowledgeNet's fifth fold) for what Re-DocRED lacks. Their graph is built with `tupelo graph build`.

A *form* is a wording of a name, compared without case, article before it, punctuation and spaces. Pronouns and
descriptions that coreference resolved to a name (*she*, *the company*) are mentions, not forms; nor are adjectives of
places (*Norwegian*). Both are counted apart.

fewer nodes
    How much fewer nodes with a name the graph has than there are forms: than a graph whose nodes are normalised
    strings. Also with adjectives, and with adjectives, pronouns and descriptions taken for strings of their own; and
    with strings as `tupelo canonicalize --method surface` tells them apart, by all but case and spaces.
fewer nodes, documents with gold; by gold
    The same for the documents of Re-DocRED and GUM; and how much fewer there would be if all forms that the graph
    found and that are one gold entity of a document were merged, and no others.
merged pairs
    Pairs of different forms that share a node. Where Re-DocRED or GUM has gold entities for both forms in one
    document, the share that is one entity there; and of the pairs of forms of one gold entity in a document, the
    share that is one node.
forms in several nodes
    Forms that mean more than one thing.

`--sample` writes `merged.tsv`, 200 random merged pairs with a sentence for each side, and `apart.tsv`, as many pairs
that are in two nodes although their forms share a word, are initials of each other or begin alike: for readers, who
should not know which is which.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import TypeVar

from benchmarks.graph_corpus import DATA
from benchmarks.graph_gum import read_gold
from benchmarks.graph_quality import Graph, Row, build, counted, write_documents
from benchmarks.graph_redocred import PARTS, Article, plain, plain_words, read_articles
from tupelo.core.canonical import normal_form
from tupelo.names.linking.clusters import Sets
from tupelo.nlp.languages.en.grammar import POSSESSIVES, UNNAMING_PRONOUNS

DOCUMENTS, ARTICLES, OTHERS = 100, 44, 12
NEWS = DOCUMENTS - ARTICLES - OTHERS
GENRES = ("bio", "news", "voyage")
GUM_PARTS = {"held-out": ("dev", "test"), "develop": ("train",)}
# Reasons for which a wording is a mention of a name and no name of its own.
RESOLVED, ADJECTIVE = "coreference", "demonym"
Item = TypeVar("Item")
Documents = list[tuple[str, str]]
# By document, the sets of forms that are names of one gold entity.
Gold = Mapping[str, Sequence[frozenset[str]]]


@dataclass(frozen=True, slots=True)
class Wording:
    """A form in a document: its node, how it was written, and why it is there."""

    document: str
    entity: str
    form: str
    text: str
    reason: str


def news(data: Path, part: str, first: int, size: int) -> Documents:
    """News articles in an order that depends on their text alone, of which every second one is for development."""
    csv.field_size_limit(1 << 24)
    with gzip.open(data / "aggrefact/AggreFact-Unified-val.csv.gz", "rt", encoding="utf-8", newline="") as lines:
        texts = {row["doc"].strip() for row in csv.DictReader(lines) if row["doc"].strip()}
    found = sorted((hashlib.sha256(text.encode()).hexdigest(), text) for text in texts)
    return [(f"news {key[:12]}", text) for key, text in found[part == "develop" :: 2][first : first + size]]


def abstracts(data: Path, size: int) -> Documents:
    """Beginnings of Wikipedia articles, in an order that depends on their text alone."""
    with gzip.open(data / "knowledgenet/test-no-facts.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = (json.loads(line) for line in lines)
        texts = {row["documentText"].strip() for row in rows if row["source"] == "DBpedia Abstract"}
    found = sorted((hashlib.sha256(text.encode()).hexdigest(), text) for text in texts)
    return [(f"abstract {key[:12]}", text) for key, text in found[:size]]


def drawn(items: Sequence[Item], size: int, draw: int) -> Sequence[Item]:
    """The first, second … so many items."""
    return items[size * (draw - 1) : size * draw]


def corpus(data: Path, part: str, draw: int = 1) -> tuple[Documents, Gold]:
    documents: Documents = []
    gold: dict[str, Sequence[frozenset[str]]] = {}
    articles = sorted(read_articles(data, part), key=lambda one: hashlib.sha256(one.title.encode()).hexdigest())
    for article in drawn(articles, ARTICLES, draw):
        documents.append((article.title, article.text))
        gold[article.title] = _gold_names(article)
    documents += abstracts(data, ARTICLES - len(documents))
    others: Documents = []
    for name in GUM_PARTS[part]:
        file = data / f"gum/gum-{name}.conllu.gz"
        marked, paragraphs = read_gold(file), _paragraphs(file)
        for document, text in sorted(marked.texts.items()):
            if document.split("_")[1] in GENRES:
                others.append((document, paragraphs[document]))
                names: dict[str, set[str]] = defaultdict(set)
                for (where, start, end), thing in marked.referents.items():
                    phrase = text[start:end]
                    if where == document and phrase[:1].isupper() and phrase.casefold() not in UNNAMING_PRONOUNS:
                        names[thing].add(plain(phrase))
                gold[document] = [frozenset(forms) for forms in names.values()]
    chosen = [
        document
        for genre in GENRES
        for document in drawn([one for one in others if genre in one[0]], OTHERS // len(GENRES), draw)
    ]
    documents += chosen
    earlier = [title for number in range(1, draw) for title, _ in corpus(data, part, number)[0]]
    before = sum(title.startswith("news ") for title in earlier)
    return documents + news(data, part, before, DOCUMENTS - len(documents)), gold


def _paragraphs(file: Path) -> dict[str, str]:
    """The texts of a treebank with an empty line between paragraphs, so that headings stand alone."""
    texts: dict[str, str] = {}
    document, before = "", ""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("# newdoc id = "):
                document, before = line.split("=")[1].strip(), ""
            elif line.startswith("# newpar") and document in texts:
                before = "\n\n"
            elif line.startswith("# text = "):
                texts[document] = texts.get(document, "") + before + line[len("# text = ") :].strip()
                before = " "
    return texts


def _gold_names(article: Article) -> list[frozenset[str]]:
    return [frozenset(names) for names in article.entities if names]


def wordings(graph: Graph) -> Iterator[Wording]:
    """All wordings of things with a name, with the reason of each within its document."""
    for title, entity, names, reasons in graph.rows(
        "SELECT title, node_id, names, reasons FROM referents JOIN documents USING (document_id) "
        "JOIN entities USING (node_id) WHERE referents.kind = 'entity' ORDER BY referent_id"
    ):
        for text, reason in zip(names, reasons, strict=True):
            if form := plain(text):
                yield Wording(title, entity, form, text, reason)


def is_form(wording: Wording) -> bool:
    """Whether a wording is a name, not a pronoun, a description or an adjective."""
    if wording.reason == ADJECTIVE or wording.text.casefold() in UNNAMING_PRONOUNS | POSSESSIVES:
        return False
    return wording.reason != RESOLVED or all(word[:1].isupper() for word in _words(wording.text))


def _words(text: str) -> list[str]:
    return [word for word in text.split() if word not in ("the", "a", "an", "of", "and", "de", "for")]


def forms_by_node(found: Iterable[Wording]) -> dict[str, set[str]]:
    nodes: dict[str, set[str]] = defaultdict(set)
    for wording in found:
        nodes[wording.entity].add(wording.form)
    return nodes


def gold_pairs(found: Sequence[Wording], gold: Gold) -> tuple[list[bool], list[bool]]:
    """Within documents: for merged pairs whether they are one gold entity, for gold pairs whether they are merged."""
    merged: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for wording in found:
        merged[wording.document][wording.form].add(wording.entity)
    right, kept = [], []
    for document, entities in gold.items():
        nodes = merged.get(document, {})
        known = sorted({form for forms in entities for form in forms if form in nodes})
        for one, other in combinations(known, 2):
            is_one = any(one in forms and other in forms for forms in entities)
            is_merged = bool(nodes[one] & nodes[other])
            if is_merged:
                right.append(is_one)
            if is_one:
                kept.append(is_merged)
    return right, kept


def sentences(graph: Graph) -> dict[tuple[str, str], list[str]]:
    """Sentences in which a node has a form, the shorter ones first."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for entity, text, sentence in graph.rows(
        f"""
        SELECT DISTINCT node_id, mentions.text, sentences.text FROM mentions LEFT JOIN tuples USING (tuple_id)
        JOIN sentences ON sentences.sentence_id = {graph.mention_sentence} WHERE node_id IS NOT NULL
        """
    ):
        found[entity, plain(text)].add(" ".join(sentence.split()))
    return {key: sorted(texts, key=lambda text: (len(text), text)) for key, texts in found.items()}


def look_alike(one: str, other: str) -> bool:
    """Whether two wordings share a word, begin alike, or one has the initials of the other."""
    left, right = plain_words(one), plain_words(other)
    if set(left) & set(right) or one.casefold()[:4] == other.casefold()[:4]:
        return True
    initials = ["".join(word[0] for word in words) for words in (left, right)]
    return initials[0] == "".join(right) or initials[1] == "".join(left)


def samples(graph: Graph, found: Sequence[Wording], size: int, seed: int) -> dict[str, list[list[str]]]:
    """Rows of wording and sentence for either side: of random merged pairs, and of pairs that look alike."""
    said = sentences(graph)
    texts = {(wording.entity, wording.form): wording.text for wording in found}
    nodes = forms_by_node(found)
    generator = random.Random(seed)

    def row(one: tuple[str, str], other: tuple[str, str]) -> list[str]:
        sides = [one, other]
        generator.shuffle(sides)
        return [cell for side in sides for cell in (texts[side], _example(said, side, generator))]

    def rows(pairs: list[tuple[tuple[str, str], tuple[str, str]]]) -> list[list[str]]:
        chosen = generator.sample(pairs, min(size, len(pairs)))
        return [row(*pair) for pair in chosen]

    merged = [
        ((node, one), (node, other))
        for node, forms in sorted(nodes.items())
        for one, other in combinations(sorted(forms), 2)
    ]
    apart = [
        (one, other)
        for one, other in combinations(sorted(texts), 2)
        if one[0] != other[0] and one[1] != other[1] and look_alike(texts[one], texts[other])
    ]
    return {"merged": rows(merged), "apart": rows(apart)}


def _example(said: Mapping[tuple[str, str], list[str]], side: tuple[str, str], generator: random.Random) -> str:
    """A random one of the shorter sentences that have the form, else of those about the node."""
    found = said.get(side) or [text for (node, _), texts in sorted(said.items()) if node == side[0] for text in texts]
    return generator.choice(found[: max(1, len(found) // 2)]) if found else ""


def fewer(name: str, found: Sequence[Wording]) -> Row:
    """By how much nodes are fewer than forms."""
    forms, nodes = {wording.form for wording in found}, {wording.entity for wording in found}
    return counted(name, max(len(forms) - len(nodes), 0), len(forms))


def as_surface(found: Iterable[Wording]) -> list[Wording]:
    """The same wordings, told apart by all but case and spaces."""
    return [replace(wording, form=normal_form(wording.text)) for wording in found]


def as_gold(found: Sequence[Wording], gold: Gold) -> list[Wording]:
    """The same forms with the nodes that they would have if equal forms and forms of one gold entity were merged."""
    sets = Sets()
    forms: dict[str, set[str]] = defaultdict(set)
    for wording in found:
        forms[wording.document].add(wording.form)
    for document, entities in gold.items():
        for names in entities:
            known = sorted(names & forms[document])
            for other in known[1:]:
                sets.join(known[0], other)
    return [replace(wording, entity=sets.find(wording.form)) for wording in found]


def report(found: Sequence[Wording], gold: Gold) -> tuple[list[Row], dict[str, int]]:
    names = [wording for wording in found if is_form(wording)]
    nodes = forms_by_node(names)
    owners: dict[str, set[str]] = defaultdict(set)
    for node, forms in nodes.items():
        for form in forms:
            owners[form].add(node)
    right, kept = gold_pairs(names, gold)
    marked = [wording for wording in names if wording.document in gold]
    rows = [
        fewer("fewer nodes", names),
        fewer("fewer nodes, with adjectives", [one for one in found if is_form(one) or one.reason == ADJECTIVE]),
        fewer("fewer nodes, with all that is resolved", found),
        fewer("fewer nodes, surface forms", as_surface(names)),
        fewer("fewer nodes, surface forms of all that is resolved", as_surface(found)),
        fewer("fewer nodes, documents with gold", marked),
        fewer("fewer nodes, by gold", as_gold(marked, gold)),
        counted("merged pairs that are one entity", sum(right), len(right)),
        counted("pairs of one entity that are merged", sum(kept), len(kept)),
        counted("forms in several nodes", sum(len(found) > 1 for found in owners.values()), len(owners)),
    ]
    adjectives = {(one.entity, one.form) for one in found if one.reason == ADJECTIVE}
    sizes = {
        "forms": len(owners),
        "nodes": len(nodes),
        "merged pairs": sum(len(forms) * (len(forms) - 1) // 2 for forms in nodes.values()),
        "adjectives with their place": len(adjectives),
        "resolved pronouns and descriptions": sum(not is_form(one) and one.reason == RESOLVED for one in found),
    }
    return rows, sizes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=PARTS, default="develop")
    parser.add_argument("--draw", type=int, choices=(1, 2, 3), default=1, help="which documents of the part")
    parser.add_argument("--graphs", type=Path, help="where graphs are kept; one that is there is not built again")
    parser.add_argument("--canonicalizer", default="lexical", help="as of `tupelo graph build`")
    parser.add_argument("--sample", type=Path, help="a folder for random pairs")
    parser.add_argument("--size", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    documents, gold = corpus(arguments.data, arguments.part, arguments.draw)
    with tempfile.TemporaryDirectory(prefix="tupelo-entities-") as temporary:
        folder: Path = arguments.graphs or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        name = f"{arguments.part}-{arguments.draw}-{arguments.canonicalizer}"
        write_documents(folder / f"{name}.jsonl", documents)
        options = ("--canonicalizer", arguments.canonicalizer)
        build(sys.executable, folder / f"{name}.jsonl", folder / f"{name}.duckdb", options)
        graph = Graph(folder / f"{name}.duckdb")
    found = list(wordings(graph))
    rows, sizes = report(found, gold)
    if arguments.sample:
        arguments.sample.mkdir(parents=True, exist_ok=True)
        names = [wording for wording in found if is_form(wording)]
        for kind, lines in samples(graph, names, arguments.size, arguments.seed).items():
            text = "".join("\t".join(line) + "\n" for line in lines)
            (arguments.sample / f"{kind}.tsv").write_text(text, "utf-8")
    if arguments.json:
        print(json.dumps({"part": arguments.part, **sizes, "rows": {row.name: row._asdict() for row in rows}}))
        return
    print(*(f"{name} {value:,}" for name, value in sizes.items()), sep="\n")
    print(*rows, sep="\n")


if __name__ == "__main__":
    main()
