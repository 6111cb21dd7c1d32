"""Mentions of properties that COMBO lacks, to choose the settings of wide relations without any label of COMBO.

    python -m tupelo_training.canon.properties --data DATA

Re-DocRED and FewRel's part from the New York Times mark two names of a sentence with the property that links them;
the words between them are the relation. Properties of COMBO, its sentences and properties with fewer than four
mentions are left out, and the text is in lower case, as COMBO's is. Prints the mean of micro and pair F1 at several
thresholds. Of COMBO only the names of its properties and its sentences are read.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from papers.combo import clusters_of, gold_clusters, rate_flat
from tupelo.canon.context import read_context
from tupelo.canon.relations import WIDE_THRESHOLD, wide_relations
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.extraction import Span
from tupelo.io.triples import read_triples
from tupelo.nlp.encoder import load_encoder
from tupelo_training.options import option_parser

_MOST_BETWEEN = 7
_FEWEST, _MOST = 4, 45
_PUNCTUATION = frozenset(",;().")
_GRID = tuple(round(0.55 + 0.05 * step, 2) for step in range(10))
# Words of a sentence, the bounds of both names.
Marked = tuple[list[str], tuple[int, int], tuple[int, int]]


def _json(path: Path) -> object:
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        return json.load(stream)


def redocred(folder: Path) -> Iterator[tuple[str, Marked]]:
    """Pairs of names of one sentence with a single property."""
    documents: list[dict[str, list]] = _json(folder / "redocred" / "dev_revised.json.gz")  # type: ignore[assignment, type-arg]
    for document in documents:
        properties = defaultdict(set)
        for fact in document["labels"]:
            properties[fact["h"], fact["t"]].add(fact["r"])
        for (one, other), found in properties.items():
            for head in document["vertexSet"][one] if len(found) == 1 else ():
                for tail in document["vertexSet"][other]:
                    if head["sent_id"] == tail["sent_id"]:
                        words = document["sents"][head["sent_id"]]
                        yield min(found), (words, tuple(head["pos"]), tuple(tail["pos"]))


def fewrel(folder: Path) -> Iterator[tuple[str, Marked]]:
    """The part of FewRel from the New York Times."""
    for name, items in _json(folder / "fewrel" / "val_nyt.json.gz").items():  # type: ignore[attr-defined]
        for item in items:
            head, tail = item["h"][2][0], item["t"][2][0]
            yield name, (item["tokens"], (head[0], head[-1] + 1), (tail[0], tail[-1] + 1))


def as_mention(number: str, marked: Marked) -> TripleMention | None:
    """The triple of two names with at most seven plain words between them."""
    words, head, tail = [word.lower() for word in marked[0]], *marked[1:]
    between = [place for place in range(head[1], tail[0]) if words[place][:1].isalnum() or words[place] == "'s"]
    if not between or tail[0] - head[1] > _MOST_BETWEEN:
        return None
    bounds = head, (between[0], between[-1] + 1), tail
    if not _PUNCTUATION.isdisjoint(words[slice(*bounds[1])]):
        return None
    starts = np.cumsum([0, *(len(word) + 1 for word in words)]).tolist()
    spans = [Span(starts[first], starts[end] - 1) for first, end in bounds]
    text = " ".join(words)
    return TripleMention(number, *(Phrase(text[span.start : span.end], span) for span in spans), sentence=text)


def mentions_of(folder: Path) -> tuple[list[TripleMention], dict[str, frozenset[str]]]:
    """At most 45 mentions of each property, one of a sentence, and their properties."""
    combo = folder / "combo" / "combo.dev.json"
    known = {item["r"]["label"] for item in json.loads(combo.read_text("utf-8"))}
    seen = {_letters(mention.sentence) for mention in read_triples(str(combo)).mentions}
    names: dict[str, Sequence[str]] = _json(folder / "fewrel" / "pid2name.json.gz")  # type: ignore[assignment]
    found: dict[str, dict[str, TripleMention]] = defaultdict(dict)
    for number, (name, marked) in enumerate((*redocred(folder), *fewrel(folder))):
        mention = as_mention(str(number), marked)
        if mention and names.get(name, [name])[0] not in known and _letters(mention.sentence) not in seen:
            found[name].setdefault(mention.sentence, mention)
    chosen, gold = [], {}
    for name in sorted(found):
        own = list(found[name].values())
        random.Random(0).shuffle(own)
        if len(own) >= _FEWEST:
            chosen += own[:_MOST]
            gold |= {mention.id: frozenset([name]) for mention in own[:_MOST]}
    return chosen, gold


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    options = parser.parse_args()
    mentions, gold = mentions_of(options.data)
    cut = wide_relations(read_context(mentions, load_encoder()))
    truth, members = gold_clusters(gold), [mention.id for mention in mentions]
    print(f"{len(mentions)} mentions of {len(truth)} properties")
    for threshold in _GRID:
        figures = rate_flat("relation", truth, clusters_of(cut.labels(threshold), members))
        ships = "  ships" if threshold == WIDE_THRESHOLD else ""
        print(f"{threshold:.2f}  {100 * figures['average']:.1f}  {figures['clusters']} clusters{ships}")


if __name__ == "__main__":
    main()
