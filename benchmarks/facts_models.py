"""The shipped fact models on the documents and texts that were kept from them.

    python -m benchmarks.facts_models --data DATA [--task given|predicted|sentence|end-to-end] [--beam 4] [--every N]

`DATA` has `redocred/` and `webnlg/`. `given`: the 100 documents of Re-DocRED dev that were held out (by a rule on
their titles, `tupelo_training.facts.sources.part_of`), with its own entities. `predicted`: the same documents, with
the entities that the network finds in the words. `sentence`: the classifier of marked sentences on the same
documents with their own entities, by marked sentence and by document. `end-to-end`: all texts of WebNLG dev, triples
compared after WebNLG's own normalisation (underscores and quotes), without case; with case beside it.

`--part choose` measures on the 80 documents by which settings are chosen. The shipped networks have learned from
them, so it says something only about others (`--model`).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from tupelo.factmodels.pairs import Marked, MarkedMention, PairModel
from tupelo_training.facts.prepare import marked_pairs
from tupelo_training.facts.sentences import SentenceModel
from tupelo_training.facts.sources import Document, part_of, redocred, webnlg_pairs

Item = TypeVar("Item")


def figures(gold: set[Item], found: set[Item]) -> dict[str, float | int]:
    right = len(gold & found)
    precision, recall = right / max(len(found), 1), right / max(len(gold), 1)
    f1 = 2 * precision * recall / max(precision + recall, 1e-12)
    return {"precision": precision, "recall": recall, "f1": f1, "gold": len(gold), "found": len(found)}


def by_relation(gold: set[Any], found: set[Any], name: Any, most: int = 10) -> dict[str, Any]:
    """The most frequent relations of the gold part, one by one."""
    common = Counter(name(one) for one in gold).most_common(most)
    return {
        relation: figures(
            {one for one in gold if name(one) == relation}, {one for one in found if name(one) == relation}
        )
        for relation, _ in common
    }


@dataclass(frozen=True, slots=True)
class Measured:
    """Which documents, by which model; a threshold in place of the model's."""

    data: Path
    part: str = "held-out"
    limit: int | None = None
    model: Path | None = None
    threshold: float | None = None

    def documents(self) -> list[Document]:
        return [document for document in redocred(self.data) if part_of(document.title) == self.part][: self.limit]

    def opened(self) -> PairModel:
        model = PairModel(self.model)
        if self.threshold is not None:
            model.threshold = self.threshold
        return model


def marked(document: Document) -> Marked:
    return Marked(
        tuple(tuple(words) for words in document.sentences),
        tuple(document.types),
        tuple(MarkedMention(*mention) for mention in document.mentions),
    )


def given_entities(measured: Measured) -> dict[str, Any]:
    model = measured.opened()
    gold: set[Any] = set()
    found: set[Any] = set()
    related_gold: set[Any] = set()
    related: set[Any] = set()
    began = time.process_time()
    for number, document in enumerate(measured.documents()):
        scores = model.read(marked(document))
        gold |= {(number, *fact) for fact in document.facts}
        related_gold |= {(number, head, tail) for head, tail, _ in document.facts}
        for head, tail, relation in np.argwhere(scores.relations >= model.threshold).tolist():
            found.add((number, head, tail, model.relations[relation].id))
        related |= {(number, *pair) for pair in np.argwhere(scores.related >= model.related_threshold).tolist()}
    return {
        **figures(gold, found),
        "binary": figures(related_gold, related),
        "cpu_seconds": time.process_time() - began,
        "relations": by_relation(gold, found, lambda fact: fact[3]),
    }


def predicted_entities(measured: Measured) -> dict[str, Any]:
    """Entities are the same when one mention of each covers the same words, a determiner in front apart.

    One of our entities at most can stand for one of the gold standard's; `joined` lets several.
    """
    model = measured.opened()
    began = time.process_time()
    sets: dict[str, tuple[set[Any], set[Any]]] = {name: (set(), set()) for name in ("facts", "entities", "joined")}
    reachable = 0
    for number, document in enumerate(measured.documents()):
        ours = model.mark(document.sentences)
        strict, loose = meanings(document, ours)
        known = set(loose.values())
        reachable += sum(head in known and tail in known for head, tail, _ in document.facts)
        scores = model.read(ours)
        stated = np.argwhere(scores.relations >= model.threshold).tolist()
        for name, meant in (("facts", strict), ("joined", loose)):
            gold, found = sets[name]
            gold |= {(number, *fact) for fact in document.facts}
            for head, tail, relation in stated:
                pair = (meant.get(head, f"none {head}"), meant.get(tail, f"none {tail}"))
                if pair[0] != pair[1]:
                    found.add((number, *pair, model.relations[relation].id))
        gold, found = sets["entities"]
        gold |= {(number, entity) for entity in range(len(document.types))}
        found |= {(number, strict.get(entity, f"none {entity}")) for entity in range(len(ours.types))}
    return {
        **figures(*sets["facts"]),
        "joined": figures(*sets["joined"]),
        "entities": figures(*sets["entities"]),
        "facts_with_both_entities_found": reachable / max(len(sets["facts"][0]), 1),
        "cpu_seconds": time.process_time() - began,
    }


def meanings(document: Document, ours: Marked) -> tuple[dict[int, Any], dict[int, Any]]:
    """The gold entity of each of ours: one to one, and several to one. The most mentions in common decide."""
    words = [word.lower() for sentence in document.sentences for word in sentence]

    def bare(start: int, end: int) -> tuple[int, int]:
        return start + (end - start > 1 and words[start] in ("the", "a", "an")), end

    theirs = {bare(start, end): entity for start, end, entity in document.mentions}
    common = Counter(
        (mention.entity, theirs[place])
        for mention in ours.mentions
        if (place := bare(mention.start, mention.end)) in theirs
    )
    strict: dict[int, Any] = {}
    loose: dict[int, Any] = {}
    for (entity, gold), _ in sorted(common.items(), key=lambda item: (-item[1], item[0])):
        if entity not in strict and gold not in strict.values():
            strict[entity] = gold
        loose.setdefault(entity, gold)
    return strict, loose


def marked_sentences(measured: Measured) -> dict[str, Any]:
    """Facts of documents: what the classifier says of any sentence that mentions both entities."""
    model = SentenceModel(measured.model)
    gold: set[Any] = set()
    found: set[Any] = set()
    stated: set[Any] = set()
    said: set[Any] = set()
    began = time.process_time()
    for number, document in enumerate(measured.documents()):
        gold |= {(number, *fact) for fact in document.facts}
        pairs = list(marked_pairs(document))
        for (_, line, head, tail), row in zip(pairs, model.probabilities(text for text, *_ in pairs), strict=True):
            for relation in (row >= model.threshold).nonzero()[0].tolist():
                found.add((number, head, tail, model.relations[relation].id))
                said.add((number, line, head, tail, model.relations[relation].id))
            stated |= {
                (number, line, *fact)
                for fact in document.facts
                if fact[:2] == (head, tail) and line in document.evidence.get(fact, [line])
            }
    return {**figures(gold, found), "sentences": figures(stated, said), "cpu_seconds": time.process_time() - began}


def end_to_end(data: Path, limit: int | None, every: int, beam: int, alpha: float) -> dict[str, Any]:
    from tupelo_training.facts.written import WriterModel

    model = WriterModel()
    # The shipped names of relations are WebNLG's own.
    pairs = list(webnlg_pairs(data, "dev"))[:limit:every]
    began = time.process_time()
    written = model.write([text for text, _ in pairs], beam=beam, alpha=alpha, batch_size=32)
    spent = time.process_time() - began
    gold: set[Any] = set()
    found: set[Any] = set()
    for number, ((_, triples), facts) in enumerate(zip(pairs, written, strict=True)):
        gold |= {(number, *triple) for triple in triples}
        found |= {(number, fact.subject, fact.relation.name, fact.object) for fact in facts}
    plain_gold, plain_found = caseless(gold), caseless(found)
    return {
        **figures(plain_gold, plain_found),
        "with_case": figures(gold, found),
        "texts": len(pairs),
        "cpu_seconds": spent,
        "relations": by_relation(plain_gold, plain_found, lambda fact: fact[2]),
    }


def caseless(facts: Iterable[Sequence[Any]]) -> set[Any]:
    return {tuple(part.lower() if isinstance(part, str) else part for part in fact) for fact in facts}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--task", choices=["given", "predicted", "sentence", "end-to-end"], nargs="*")
    parser.add_argument("--part", choices=["held-out", "choose"], default="held-out", help="of Re-DocRED dev")
    parser.add_argument("--model", type=Path, help="a folder in place of the shipped classifier")
    parser.add_argument("--threshold", type=float, help="log-odds in place of the model's")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--alpha", type=float, default=0.6)
    parser.add_argument("--limit", type=int, help="only so many documents or texts")
    parser.add_argument("--every", type=int, default=1, help="end-to-end: only every so many-th text")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    measured = Measured(options.data, options.part, options.limit, options.model, options.threshold)
    by_task = {"given": given_entities, "predicted": predicted_entities, "sentence": marked_sentences}
    report: dict[str, Any] = {}
    for task in options.task or [*by_task, "end-to-end"]:
        if task in by_task:
            report[task] = by_task[task](measured)
        else:
            report[task] = end_to_end(options.data, options.limit, options.every, options.beam, options.alpha)
    if options.json:
        print(json.dumps(report, indent=1))
        return
    for task, found in report.items():
        print(f"{task}: P {found['precision']:.3f}  R {found['recall']:.3f}  F1 {found['f1']:.3f}")
        for name, value in found.items():
            if name == "relations":
                for relation, one in value.items():
                    print(f"  {relation:<30} P {one['precision']:.3f}  R {one['recall']:.3f}  F1 {one['f1']:.3f}")
            elif isinstance(value, dict):
                print(f"  {name}: P {value['precision']:.3f}  R {value['recall']:.3f}  F1 {value['f1']:.3f}")
            elif name not in ("precision", "recall", "f1"):
                print(f"  {name}: {value:.3f}" if isinstance(value, float) else f"  {name}: {value}")


if __name__ == "__main__":
    main()
