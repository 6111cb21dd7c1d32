"""Relations that canonicalization joins on open text: how many are left, and pairs of them for blind readers.

    python -m benchmarks.open_relations FOLDER [--part develop|measure|second|third|fourth|fifth] [--pairs 200]

100 documents (`second`: 128) become a graph with `tupelo graph build`: articles of Re-DocRED dev, and news texts,
biographies and travel guides of GUM. The part `measure` has articles of the held-out part of Re-DocRED and one half
of GUM: no rule, table or threshold was chosen by reading them. `second` has the other articles of that held-out part
and 100 news articles (XSum's, of AggreFact). `third` has 45 other news articles and 55 articles of MuSiQue of which
several passages are at hand, none of them among the first 400 articles in the order that is used here. `fourth` and
`fifth` have 160 news articles and 75 abstracts of articles each, none of which shares eight words in a row with a
text of the other parts, with a passage for retrieval, or with a text before it in the same order, where those are
that the table of families was made with (of `fifth`, a few abstracts are among these). `develop` has other articles
of Re-DocRED and the other half of GUM. What the graph links is joined by the default method, relations only. The
relations of the graph, which are one where their base forms are, are compared with those that are left when
canonicalization joins them, as `graph build --canonicalizer relations` does.

FOLDER gets `graph.duckdb`, and for readers `merged.tsv`, random pairs of relations of the graph that were joined, and
`foils.tsv`, half as many pairs that were not, though they share a word. Each line has the two relations, with a
sentence for each; `[exchanged]` says that the second is joined with its ends exchanged.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from pathlib import Path
from typing import TypeAlias

import tupelo
from benchmarks.graph_corpus import DATA
from benchmarks.graph_entities import abstracts, news
from benchmarks.graph_redocred import read_articles
from tupelo.api.canonical import open_canonicalizer
from tupelo.core.canonical import Cluster, Phrase, Slot, TripleMention
from tupelo.graph.build.keys import Directed, merged_relations

DOCUMENTS, OTHERS, UNREAD = 100, 40, 55
# Of `fourth` and `fifth`: news and abstracts, how long they are at least, and the words in a row that no other has.
FRESH_NEWS, FRESH_ABSTRACTS, LONG, RUN = 160, 75, 1000, 8
# Mentions of two relations, and whether the second is joined with its ends exchanged.
Pair: TypeAlias = tuple[TripleMention, TripleMention, bool]
PARTS = ("develop", "measure", "second", "third", "fourth", "fifth")
GENRES = ("GUM_news", "GUM_bio", "GUM_voyage")


def gum_texts(data: Path) -> Iterator[tuple[str, str]]:
    """Name and text of documents of the chosen genres."""
    for name in ("train", "dev"):
        document, sentences = "", list[str]()
        with gzip.open(data / f"gum/gum-{name}.conllu.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("# newdoc id = "):
                    if document.startswith(GENRES):
                        yield document, " ".join(sentences)
                    document, sentences = line.split("=")[1].strip(), []
                elif line.startswith("# text = "):
                    sentences.append(line[len("# text = ") :].strip())
        if document.startswith(GENRES):
            yield document, " ".join(sentences)


def passages_by_title(data: Path) -> Iterator[tuple[str, str]]:
    """Title and text of articles of which there are several passages."""
    passages: dict[str, list[str]] = defaultdict(list)
    for passage in _rows(data / "retrieval/musique/passages.jsonl.gz"):
        passages[passage["title"]].append(passage["text"])
    return ((title, "\n\n".join(texts)) for title, texts in passages.items() if len(texts) > 1)


def all_news(data: Path) -> Iterator[str]:
    """Texts of news, of all sets that have them."""
    for part in ("develop", "held-out"):
        yield from (text for _, text in news(data, part, 0, 1 << 20))
    for name in ("bump", "factcg", "summedits"):
        for row in _rows(data / f"claims/{name}.jsonl.gz"):
            if name != "summedits" or "news" in row["source"]:
                yield row["document"].strip()
    for name in ("cnndm", "xsum"):
        with (data / f"qags/mturk_{name}.first_half.jsonl").open(encoding="utf-8") as lines:
            yield from (json.loads(line)["article"].strip() for line in lines)


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def fresh(data: Path, part: str) -> dict[str, str]:
    """Those that come last in the order of texts and share no run of words: `fourth`, and `fifth` before it."""
    after = PARTS.index(part) - PARTS.index("fourth")
    found: dict[str, str] = {}
    for kind, unlike, size in _unread(data):
        chosen = unlike[len(unlike) - (after + 1) * size : len(unlike) - after * size]
        found |= {f"{kind} {order_of(text)[:12]}": text for text in chosen}
    return found


@cache
def _unread(data: Path) -> list[tuple[str, list[str], int]]:
    """News and abstracts that share no run of words with other parts, in their order, and how many a part takes."""
    known: set[int] = set()
    for other in PARTS[: PARTS.index("fourth")]:
        known.update(*map(runs, documents(data, other).values()))
    for name in ("musique", "hotpotqa"):
        known.update(*(runs(row["text"]) for row in _rows(data / f"retrieval/{name}/passages.jsonl.gz")))
    articles = (text for _, text in abstracts(data, 1 << 20))
    return [
        (kind, list(_unlike(sorted(set(texts), key=order_of), known)), size)
        for kind, texts, size in (("news", all_news(data), FRESH_NEWS), ("abstract", articles, FRESH_ABSTRACTS))
    ]


def _unlike(texts: Iterable[str], known: set[int]) -> Iterator[str]:
    """Long texts that share no run of words with those that are known or came before."""
    known = set(known)
    for text in texts:
        found = runs(text)
        if len(text) >= LONG and known.isdisjoint(found):
            yield text
        known |= found


def runs(text: str) -> set[int]:
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {hash(tuple(words[place : place + RUN])) for place in range(len(words) - RUN + 1)}


@cache
def documents(data: Path, part: str) -> dict[str, str]:
    """Names and texts: articles, then other texts, in an order that only names, or texts, decide."""
    if part in ("fourth", "fifth"):
        return fresh(data, part)
    if part == "third":
        found = sorted(passages_by_title(data), key=lambda article: order_of(article[0]))
        return dict(found[-UNREAD:]) | dict(news(data, "held-out", DOCUMENTS, DOCUMENTS - UNREAD))
    articles = read_articles(data, "develop" if part == "develop" else "held-out")
    encyclopedia = sorted((order_of(article.title), article.title, article.text) for article in articles)
    others = sorted((order_of(name), name, text) for name, text in gum_texts(data))
    half = len(others) // 2
    first = DOCUMENTS - min(OTHERS, half)
    if part == "second":
        return {name: text for _, name, text in encyclopedia[first:]} | dict(news(data, "held-out", 0, DOCUMENTS))
    others = others[:half] if part == "measure" else others[half:]
    return {name: text for _, name, text in [*encyclopedia[:first], *others[:OTHERS]]}


def order_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def linked(graph: Path) -> tuple[list[TripleMention], dict[str, str]]:
    """What a graph links, as triples, and the base form of each relation."""
    import duckdb

    with duckdb.connect(str(graph), read_only=True) as connection:
        rows = connection.execute(
            """
            SELECT subjects.name, wording, objects.name, sentences.text, lemma, subjects.label, objects.label
            FROM provenance JOIN referents AS subjects ON subjects.referent_id = subject_ref
            JOIN referents AS objects ON objects.referent_id = object_ref
            JOIN sentences USING (sentence_id) JOIN relations USING (relation_id)
            ORDER BY ALL
            """
        ).fetchall()
    mentions, bases = [], {}
    for number, (subject, relation, target, sentence, base, *kinds) in enumerate(rows):
        if all(part.strip() for part in (subject, relation, target)):
            parts = Phrase(subject), Phrase(relation), Phrase(target)
            mentions.append(TripleMention(str(number), *parts, sentence, kinds=(kinds[0], kinds[1])))
            bases[str(number)] = base
    return mentions, bases


def merged(
    mentions: Sequence[TripleMention], bases: Mapping[str, str], relations: Sequence[Cluster]
) -> dict[str, Directed]:
    """For every mention the base form that it stands for, and whether with its ends exchanged."""
    keys: dict[str, Mapping[Slot, str]] = {name: {"relation": base} for name, base in bases.items()}
    nothing: dict[str, dict[str, str]] = {"entity": {}, "relation": {}, "turned relation": {}}
    joined = merged_relations(relations, mentions, keys, nothing, {})
    of = {mention.id: (bases[mention.id], mention.kinds) for mention in mentions}
    return {name: joined.get(unit, (unit[0], False)) for name, unit in of.items()}


def joined_pairs(
    said: Mapping[str, Sequence[TripleMention]], ends: Mapping[str, Directed], relations: Sequence[Cluster]
) -> list[Pair]:
    """Pairs of relations that stand for the same, and whether one is exchanged.

    Each is shown by a mention, both of a cluster in which the two are.
    """
    cluster = {member.mention: number for number, found in enumerate(relations) for member in found.members}
    groups: dict[str, set[str]] = defaultdict(set)
    for base, mentions in said.items():
        for mention in mentions:
            groups[ends[mention.id][0]].add(base)
    pairs = []
    for target, group in groups.items():
        for one, other in combinations(sorted(group), 2):
            there = [[mention for mention in said[base] if ends[mention.id][0] == target] for base in (one, other)]
            first, second = min(
                product(*there),
                key=lambda pair: (
                    cluster[pair[0].id] != cluster[pair[1].id],
                    *(part for mention in pair for part in _length(mention)),
                ),
            )
            pairs.append((first, second, ends[first.id][1] != ends[second.id][1]))
    return pairs


def foils(
    said: Mapping[str, Sequence[TripleMention]], ends: Mapping[str, Directed], count: int, chance: random.Random
) -> Iterator[Pair]:
    """Pairs of relations that are apart and share a word that few others have."""
    having: dict[str, list[str]] = defaultdict(list)
    for base in sorted(said):
        for word in {*base.split()} - {"be"}:
            having[word].append(base)
    targets = {base: {ends[mention.id][0] for mention in mentions} for base, mentions in said.items()}
    pairs = {
        (one, other)
        for sharers in having.values()
        if len(sharers) < 20
        for one, other in combinations(sharers, 2)
        if targets[one].isdisjoint(targets[other])
    }
    for one, other in chance.sample(sorted(pairs), min(count, len(pairs))):
        yield min(said[one], key=_length), min(said[other], key=_length), False


def _length(mention: TripleMention) -> tuple[int, str]:
    return len(mention.sentence), mention.id


def line_of(pair: Pair) -> str:
    """A pair as a reader sees it, the relations with a triple and a sentence."""
    first, second, turned = pair
    examples = [
        f"({one.subject.text} | {one.relation.text} | {one.object.text}) {one.sentence}" for one in (first, second)
    ]
    mark = "[exchanged] " if turned else ""
    parts = (first.relation.text, mark + second.relation.text, *examples)
    return "\t".join(" ".join(part.split()) for part in parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=PARTS, default="measure")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    graph = options.folder / "graph.duckdb"
    if not graph.exists():
        tupelo.Graph.build(documents(options.data, options.part), graph)
    mentions, bases = linked(graph)
    relations = open_canonicalizer(tasks=("rpc",)).canonicalize(mentions).relations
    ends = merged(mentions, bases, relations)
    said: dict[str, list[TripleMention]] = defaultdict(list)
    for mention in mentions:
        said[bases[mention.id]].append(mention)
    chance = random.Random(options.seed)
    pairs = joined_pairs(said, ends, relations)
    drawn = chance.sample(pairs, min(options.pairs, len(pairs)))
    for name, chosen in (("merged", drawn), ("foils", foils(said, ends, len(drawn) // 2, chance))):
        text = "".join(f"{line_of(pair)}\n" for pair in chosen)
        (options.folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    left = len({base for base, _ in ends.values()})
    print(
        json.dumps(
            {
                "triples": len(mentions),
                "wordings": len({mention.relation.text.casefold() for mention in mentions}),
                "relations": len(said),
                "left": left,
                "fewer": round(1 - left / len(said), 4),
                "pairs joined": len(pairs),
                "exchanged": sum(turned for _, _, turned in pairs),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
