"""Relations that canonicalization joins on open text: how many are left, and pairs of them for blind readers.

    python -m benchmarks.open_relations FOLDER [--part develop|measure] [--pairs 200] [--seed 1]

100 documents become a graph with `tupelo graph build`: articles of Re-DocRED dev, and news texts, biographies and
travel guides of GUM. The part `measure` has articles of the held-out part of Re-DocRED and one half of GUM: no rule,
table or threshold was chosen by reading them. `develop` has other articles and the other half. What the graph links
is canonicalized by the default method, relations only. The relations of the graph, which are one where their base
forms are, are compared with those that are left when canonicalization joins them, as `graph build --canonicalizer
tupelo` does.

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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

import tupelo
from benchmarks.graph_corpus import DATA
from benchmarks.graph_redocred import read_articles
from tupelo.api.canonical import open_canonicalizer
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.graph.keys import Directed, merged_keys

DOCUMENTS, OTHERS = 100, 40
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


def documents(data: Path, part: str) -> dict[str, str]:
    """Names and texts: articles of Re-DocRED, then of GUM, in an order that only names decide."""
    articles = read_articles(data, "held-out" if part == "measure" else "develop")
    encyclopedia = sorted((order_of(article.title), article.title, article.text) for article in articles)
    others = sorted((order_of(name), name, text) for name, text in gum_texts(data))
    half = len(others) // 2
    others = others[:half] if part == "measure" else others[half:]
    return {name: text for _, name, text in [*encyclopedia[: DOCUMENTS - min(OTHERS, half)], *others[:OTHERS]]}


def order_of(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()


def linked(graph: Path) -> tuple[list[TripleMention], dict[str, str]]:
    """What a graph links, as triples, and the base form of each relation."""
    import duckdb

    with duckdb.connect(str(graph), read_only=True) as connection:
        rows = connection.execute(
            """
            SELECT subjects.name, wording, coalesce(objects.name, literals.text), sentences.text, lemma
            FROM provenance JOIN referents AS subjects ON subjects.referent_id = subject_ref
            LEFT JOIN referents AS objects ON objects.referent_id = object_ref
            LEFT JOIN literals USING (literal_id)
            JOIN sentences USING (sentence_id) JOIN relations USING (relation_id)
            ORDER BY ALL
            """
        ).fetchall()
    mentions, bases = [], {}
    for number, (subject, relation, target, sentence, base) in enumerate(rows):
        if all(part.strip() for part in (subject, relation, target)):
            mentions.append(TripleMention(str(number), Phrase(subject), Phrase(relation), Phrase(target), sentence))
            bases[str(number)] = base
    return mentions, bases


def merged(mentions: Sequence[TripleMention], bases: Mapping[str, str]) -> dict[str, Directed]:
    """For every base form the one that it stands for, and whether with its ends exchanged."""
    found = open_canonicalizer(tasks=("rpc",)).canonicalize(mentions)
    keys = {name: {"relation": base} for name, base in bases.items()}
    nothing: dict[str, dict[str, str]] = {"entity": {}, "relation": {}, "turned relation": {}}
    joined = merged_keys(found.relations, mentions, keys, nothing, {})  # type: ignore[arg-type]
    return {base: joined.get(base, (base, False)) for base in bases.values()}


def joined_pairs(ends: Mapping[str, Directed]) -> list[tuple[str, str, bool]]:
    """Pairs of relations that stand for the same, and whether one is exchanged."""
    groups: dict[str, list[str]] = defaultdict(list)
    for base in sorted(ends):
        groups[ends[base][0]].append(base)
    return [
        (one, other, ends[one][1] != ends[other][1])
        for group in groups.values()
        for one, other in combinations(group, 2)
    ]


def foils(ends: Mapping[str, Directed], count: int, chance: random.Random) -> Iterator[tuple[str, str, bool]]:
    """Pairs of relations that are apart and share a word that few others have."""
    having: dict[str, list[str]] = defaultdict(list)
    for base in sorted(ends):
        for word in {*base.split()} - {"be"}:
            having[word].append(base)
    pairs = {
        (one, other, False)
        for sharers in having.values()
        if len(sharers) < 20
        for one, other in combinations(sharers, 2)
        if ends[one][0] != ends[other][0]
    }
    yield from chance.sample(sorted(pairs), min(count, len(pairs)))


def lines(
    pairs: Iterable[tuple[str, str, bool]], mentions: Sequence[TripleMention], bases: Mapping[str, str]
) -> Iterator[str]:
    """Each pair as a reader sees it, the relations with a triple and a sentence."""
    said: dict[str, list[TripleMention]] = defaultdict(list)
    for mention in mentions:
        said[bases[mention.id]].append(mention)
    for one, other, turned in pairs:
        shown = []
        for base in (one, other):
            wordings = Counter(mention.relation.text for mention in said[base])
            commonest = min(wordings, key=lambda text: (-wordings[text], text))
            mention = min(
                (mention for mention in said[base] if mention.relation.text == commonest),
                key=lambda mention: (len(mention.sentence), mention.id),
            )
            triple = f"{mention.subject.text} | {commonest} | {mention.object.text}"
            shown += [commonest, f"({triple}) {mention.sentence}"]
        mark = "[exchanged] " if turned else ""
        yield "\t".join(" ".join(part.split()) for part in (shown[0], mark + shown[2], shown[1], shown[3]))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", choices=["develop", "measure"], default="measure")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    graph = options.folder / "graph.duckdb"
    if not graph.exists():
        tupelo.Graph.build(documents(options.data, options.part), graph)
    mentions, bases = linked(graph)
    ends = merged(mentions, bases)
    chance = random.Random(options.seed)
    pairs = joined_pairs(ends)
    drawn = chance.sample(pairs, min(options.pairs, len(pairs)))
    for name, chosen in (("merged", drawn), ("foils", foils(ends, len(drawn) // 2, chance))):
        text = "".join(f"{line}\n" for line in lines(chosen, mentions, bases))
        (options.folder / f"{name}.tsv").write_text(text, encoding="utf-8")
    left = len({base for base, _ in ends.values()})
    print(
        json.dumps(
            {
                "triples": len(mentions),
                "wordings": len({mention.relation.text.casefold() for mention in mentions}),
                "relations": len(ends),
                "left": left,
                "fewer": round(1 - left / len(ends), 4),
                "pairs joined": len(pairs),
                "exchanged": sum(turned for _, _, turned in pairs),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
