"""Pairs of relations that share nearly all words and differ in truth, or share none and agree: inference and merging.

    python -m benchmarks.relation_contrasts [--part seen|held|directions] [--method NAME] [--json]

`relation_contrasts.tsv` has 600 pairs of statements about two things, with what follows from what and whether a graph
should merge the two relations: the same, the inverse, or apart. Methods were chosen on the part `seen`; `held` is for
measuring only. The part `directions` has 120 more, about possession, location, kinship and office (*bought* and
*owns*), written before any method saw them; many follow one way only. The placeholders become invented names of their
type. *Inference* asks `tupelo infer` in both directions, a score of 0.5 or more being a yes: as sentences, and as
triples where both statements begin and end with their arguments. *Merging* runs `tupelo canonicalize` on each pair of
triples by itself: merged are relations in one cluster, turned or symmetric if the statements name their arguments in
the opposite order. *Merging, sentences* is what the judgement of both directions alone would merge, for all pairs.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tupelo
from benchmarks import results
from tupelo.api.canonical import open_canonicalizer
from tupelo.canon.relations import LARGEST_DOUBT
from tupelo.core.canonical import Phrase, TripleMention
from tupelo.core.entailment import whole_statement
from tupelo.core.extraction import Triple
from tupelo.inference.methods import DEFAULT

FILE = Path(__file__).with_name("relation_contrasts.tsv")
NAMES = {"PERSON": ("Ann Miller", "Bob Carter"), "ORG": ("Acme", "Bolt Industries"), "PLACE": ("Norway", "Oslo")}


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two statements about {A} and {B}, and what people say of them."""

    kind: str
    types: tuple[str, str]
    first: str
    second: str
    forward: bool
    backward: bool
    merge: str

    @property
    def names(self) -> tuple[str, str]:
        first, second = (
            NAMES.get(kind, (f"the Alpha {kind.lower()}", f"the Beta {kind.lower()}"))[place]
            for place, kind in enumerate(self.types)
        )
        return first, second

    def sentences(self) -> tuple[Triple, Triple]:
        return whole_statement(self._filled(self.first)), whole_statement(self._filled(self.second))

    def triples(self) -> tuple[Triple, Triple] | None:
        """Both statements divided, where each begins and ends with an argument."""
        found = [self._divided(text) for text in (self.first, self.second)]
        return None if found[0] is None or found[1] is None else (found[0], found[1])

    def _filled(self, text: str) -> str:
        made = text.replace("{A}", self.names[0]).replace("{B}", self.names[1])
        return f"{made[0].upper()}{made[1:]}."

    def _divided(self, text: str) -> Triple | None:
        named = {"{A}": self.names[0], "{B}": self.names[1]}
        first, *relation, last = text.split()
        return Triple(named[first], " ".join(relation), named[last]) if {first, last} == set(named) else None


def read_contrasts(part: str) -> Iterator[Contrast]:
    with FILE.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["part"] == part:
                yield Contrast(
                    row["kind"],
                    (row["type_a"], row["type_b"]),
                    row["first"],
                    row["second"],
                    row["forward"] == "yes",
                    row["backward"] == "yes",
                    row["merge"],
                )


def inference(asked: Sequence[tuple[Contrast, tuple[Triple, Triple]]], method: str) -> Iterator[tuple[str, bool]]:
    """For both directions of every pair its kind, and whether `tupelo infer` is right."""
    for (contrast, _), found in zip(asked, tupelo.infer([pair for _, pair in asked], method=method), strict=True):
        assert found.reverse is not None
        yield contrast.kind, (found.score >= 0.5) == contrast.forward
        yield contrast.kind, (found.reverse >= 0.5) == contrast.backward


def merging(asked: Sequence[tuple[Contrast, tuple[Triple, Triple]]]) -> Iterator[tuple[str, bool]]:
    """For every pair of triples its kind, and whether `tupelo canonicalize` is right."""
    canonicalizer = open_canonicalizer(tasks=("rpc",))
    for contrast, pair in asked:
        found = canonicalizer.canonicalize([as_mention(number, triple) for number, triple in enumerate(pair)])
        first = found.relations[0]
        turned = pair[1].relation in first.turned or pair[0].relation in first.turned
        as_said = first.symmetric or turned == (pair[0].subject != pair[1].subject)
        merged = len(found.relations) == 1 and as_said
        yield contrast.kind, merged == (contrast.merge != "apart")


def merging_sentences(contrasts: Sequence[Contrast]) -> Iterator[tuple[str, bool]]:
    """For every pair its kind, and whether the judgement of both directions would merge rightly."""
    for contrast, found in zip(contrasts, tupelo.infer([one.sentences() for one in contrasts]), strict=True):
        assert found.reverse is not None
        yield contrast.kind, (min(found.score, found.reverse) > 1 - LARGEST_DOUBT) == (contrast.merge != "apart")


def as_mention(number: int, triple: Triple) -> TripleMention:
    subject, relation, target = (Phrase(part) for part in (triple.subject, triple.relation, triple.object))
    sentence = f"{triple.subject} {triple.relation} {triple.object}."
    return TripleMention(str(number), subject, relation, target, sentence)


def shares(outcomes: Iterable[tuple[str, bool]]) -> dict[str, float]:
    """The share that is right, of all and of every kind."""
    found: dict[str, list[bool]] = defaultdict(list)
    for kind, right in outcomes:
        found["all"].append(right)
        found[kind].append(right)
    return {kind: sum(right) / len(right) for kind, right in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--part", choices=["seen", "held", "directions"], default="held")
    parser.add_argument("--method", default=DEFAULT, help="of `tupelo infer`")
    parser.add_argument("--json", action="store_true", dest="as_json")
    results.add_save_option(parser)
    options = parser.parse_args()
    contrasts = list(read_contrasts(options.part))
    divided = [(contrast, pair) for contrast in contrasts if (pair := contrast.triples()) is not None]
    sentences = [(contrast, contrast.sentences()) for contrast in contrasts]
    columns = {
        "inference, sentences": shares(inference(sentences, options.method)),
        f"inference, {len(divided)} as triples": shares(inference(divided, options.method)),
        "merging, sentences": shares(merging_sentences(contrasts)),
        f"merging, {len(divided)} as triples": shares(merging(divided)),
    }
    kinds = list(next(iter(columns.values())))
    if options.save:
        rows = [[kind, *(f"{100 * column[kind]:.1f}" for column in columns.values())] for kind in kinds]
        results.save(f"inference-contrasts-{options.part}", ["kind", *columns], rows)
    if options.as_json:
        print(json.dumps(columns, indent=2))
        return
    print(f"| kind | {' | '.join(columns)} |")
    print(f"| --- |{' ---: |' * len(columns)}")
    for kind in kinds:
        print(f"| {kind} | {' | '.join(f'{100 * column[kind]:.1f}' for column in columns.values())} |")


if __name__ == "__main__":
    main()
