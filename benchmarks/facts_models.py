"""The shipped fact models on the documents and texts that were kept from them.

    python -m benchmarks.facts_models --data DATA [--task given|predicted|sentence|end-to-end|webnlg] [--every N]

`DATA` has `redocred/` and `webnlg/`. `given`: the 100 documents of Re-DocRED dev that were held out (by a rule on
their titles, `tupelo_training.facts.sources.part_of`), with its own entities. `predicted`: the same documents, with
the entities that the network finds in the words. `sentence`: the classifier of marked sentences on the same
documents with their own entities, by marked sentence and by document. `end-to-end`: what the pointing model writes
about the same documents, with the entities that the network finds, with reduced input, and with entities given.
`webnlg`: the other end-to-end weights on all texts of WebNLG dev, triples compared after WebNLG's own normalisation
(underscores and quotes), without case; with case beside it.

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

from benchmarks.results import add_save_option, save
from tupelo.factmodels.extract import FactOptions
from tupelo.factmodels.pairs import PairModel
from tupelo_training.facts.pointed import PointedMethod, with_pairs
from tupelo_training.facts.pointer_data import marked, meanings
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


def end_to_end(measured: Measured) -> dict[str, Any]:
    """Facts that the model writes; entities are compared one to one, as in `predicted_entities`."""
    method = PointedMethod(measured.model, FactOptions())
    began = time.process_time()
    gold: set[Any] = set()
    found: dict[str, set[Any]] = {"own": set(), "reduced": set(), "given": set()}
    right: list[tuple[float, bool]] = []
    for number, document in enumerate(measured.documents()):
        facts = set(document.facts)
        gold |= {(number, *fact) for fact in facts}
        ours = method.model.mark(document.sentences)
        kept = with_pairs(ours)
        less = shortened(document, kept)
        inputs = {
            "own": (ours, meanings(document, ours)[0]),
            "reduced": (read := method.model.mark(less.sentences), meanings(less, read)[0]),
            "given": (marked(document), {entity: entity for entity in range(len(document.types))}),
        }
        for name, (entities, meant) in inputs.items():
            for (head, tail, relation), share in method.written(entities, range(len(entities.types))).items():
                pair = (meant.get(head, f"none {head}"), meant.get(tail, f"none {tail}"))
                fact = (*pair, method.pointer.relations[relation].id)
                found[name].add((number, *fact))
                if name == "own":
                    right.append((share, fact in facts))
    return {
        **figures(gold, found["own"]),
        "reduced": figures(gold, found["reduced"]),
        "given": figures(gold, found["given"]),
        "confidence": reliability(right),
        "cpu_seconds": time.process_time() - began,
    }


def shortened(document: Document, kept: Sequence[int]) -> Document:
    """The document with some of its sentences only; entities keep their numbers."""
    new, starts, total, shorter = {}, [0], 0, []
    for number, words in enumerate(document.sentences):
        starts.append(starts[-1] + len(words))
        if number in kept:
            new.update({starts[number] + place: total + place for place in range(len(words))})
            total += len(words)
            shorter.append(words)
    mentions = [(new[a], new[b - 1] + 1, entity) for a, b, entity in document.mentions if a in new]
    return Document(document.source, document.title, shorter, document.types, mentions, document.facts)


def reliability(right: Sequence[tuple[float, bool]]) -> dict[str, Any]:
    """How many facts have a confidence in a range, and the share of them that is right."""
    found = {}
    for low, high in ((0.0, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 1.0)):
        inside = [is_right for share, is_right in right if low <= share < high]
        found[f"{low} to {high}"] = {"facts": len(inside), "right": sum(inside) / max(len(inside), 1)}
    return found


def save_end_to_end(report: dict[str, Any], documents: int) -> None:
    """The tables of the pointing model."""
    names = ("`end-to-end`, entities found by the network", "the same, reduced input", "entities given")
    rows = [
        [name, *(f"{100 * found[figure]:.1f}" for figure in ("precision", "recall", "f1"))]
        for name, found in zip(names, (report, report["reduced"], report["given"]), strict=True)
    ]
    gold = f"Re-DocRED, {documents} documents, {report['gold']:,} facts"
    save("facts-end-to-end", [gold, "precision", "recall", "F1"], rows)
    shares = [[name, one["facts"], f"{100 * one['right']:.1f} %"] for name, one in report["confidence"].items()]
    save("facts-end-to-end-confidence", ["confidence", "facts", "right"], shares)


def webnlg(data: Path, limit: int | None, every: int, beam: int, alpha: float) -> dict[str, Any]:
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
    parser.add_argument("--task", choices=["given", "predicted", "sentence", "end-to-end", "webnlg"], nargs="*")
    parser.add_argument("--part", choices=["held-out", "choose"], default="held-out", help="of Re-DocRED dev")
    parser.add_argument("--model", type=Path, help="a folder in place of the shipped classifier")
    parser.add_argument("--threshold", type=float, help="log-odds in place of the model's")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--alpha", type=float, default=0.6)
    parser.add_argument("--limit", type=int, help="only so many documents or texts")
    parser.add_argument("--every", type=int, default=1, help="webnlg: only every so many-th text")
    parser.add_argument("--json", action="store_true")
    add_save_option(parser)
    options = parser.parse_args()
    measured = Measured(options.data, options.part, options.limit, options.model, options.threshold)
    by_task = {
        "given": given_entities,
        "predicted": predicted_entities,
        "sentence": marked_sentences,
        "end-to-end": end_to_end,
    }
    report: dict[str, Any] = {}
    for task in options.task or [*by_task, "webnlg"]:
        if task in by_task:
            report[task] = by_task[task](measured)
        else:
            report[task] = webnlg(options.data, options.limit, options.every, options.beam, options.alpha)
    if options.save and "end-to-end" in report:
        save_end_to_end(report["end-to-end"], len(measured.documents()))
    if options.json:
        print(json.dumps(report, indent=1))
        return
    for task, found in report.items():
        print(f"{task}: P {found['precision']:.3f}  R {found['recall']:.3f}  F1 {found['f1']:.3f}")
        for name, value in found.items():
            if name == "relations":
                for relation, one in value.items():
                    print(f"  {relation:<30} P {one['precision']:.3f}  R {one['recall']:.3f}  F1 {one['f1']:.3f}")
            elif name == "confidence":
                for between, one in value.items():
                    print(f"  confidence {between}: {one['facts']} facts, {one['right']:.3f} right")
            elif isinstance(value, dict):
                print(f"  {name}: P {value['precision']:.3f}  R {value['recall']:.3f}  F1 {value['f1']:.3f}")
            elif name not in ("precision", "recall", "f1"):
                print(f"  {name}: {value:.3f}" if isinstance(value, float) else f"  {name}: {value}")


if __name__ == "__main__":
    main()
