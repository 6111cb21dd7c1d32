"""The neural extractor, alone and combined with the rules.

Alone, it extracts what the network predicts from the words. Combined with the rules, a selector chooses among the
candidates of both; this is the default extractor.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice
from multiprocessing import parent_process

from tupelo.core import Analysis, Extraction, Sentence
from tupelo.core.protocols import Services
from tupelo.extract.marks import mark
from tupelo.extract.neural.features import features_of
from tupelo.extract.neural.network import ExtractionNetwork, shipped_network, shipped_thresholds
from tupelo.extract.neural.scores import NEURAL, Scores, masks_of, neural_candidates
from tupelo.extract.neural.selector import Selector
from tupelo.extract.parts import role_of, sentence_of
from tupelo.extract.rules import TupleCandidate, candidates
from tupelo.extract.rules.clefts import straighten
from tupelo.extract.rules.extractor import DOUBTFUL, build
from tupelo.extract.rules.verbs import Pieces
from tupelo.extract.settings import extractor_part, number, require_known, require_no_argument
from tupelo.nlp.pipeline import available_cores
from tupelo.nlp.syntax import DependencyTree

# A tuple is extracted if it is likely to match an annotator's tuple, or likely to be a separate, complete fact.
_THRESHOLDS = shipped_thresholds()
LEAST_CONFIDENCE = _THRESHOLDS["least_confidence"]
LEAST_FACT = _THRESHOLDS["least_fact"]
# Confidence of a clause without arguments, which is extracted when its predicate has no other tuple.
_BARE = 0.02
_AT_ONCE = 256


class NeuralExtractor:
    """Candidates of the network, and optionally of the rules, that the selector accepts."""

    needs = frozenset(["tags", "lemmas", "heads", "entities"])

    def __init__(
        self,
        network: ExtractionNetwork,
        *,
        with_rules: bool,
        least: float = LEAST_CONFIDENCE,
        least_fact: float = LEAST_FACT,
    ) -> None:
        self.name = "default" if with_rules else "neural"
        self.version = network.version
        self._network = network
        self._selector = Selector(network.selector_weights, f"{self.name}.")
        self._with_rules = with_rules
        self._least = least
        self._least_fact = least_fact

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        """One list per sentence; sentences are processed in groups."""
        stream = iter(analyses)
        while group := list(islice(stream, _AT_ONCE)):
            for analysis, scores in zip(group, self._network.read(group), strict=True):
                yield self._choose(analysis, scores)

    def _choose(self, analysis: Analysis, scores: Scores) -> list[Extraction]:
        # A cleft is scored as the equivalent plain clause.
        plain = straighten(analysis)
        tree = DependencyTree(plain)
        as_written = tree if plain is analysis else DependencyTree(analysis)
        found, bare = gather(plain, tree, scores, self._network.leads, self._with_rules)
        masks = masks_of(found, len(analysis.words))
        features = features_of(plain, tree, found, masks, scores, self._network.leads)
        confidences = self._selector.confidences(features, found, masks)
        facts = self._selector.facts(features, confidences)
        sentence = sentence_of(analysis)
        # Done after selection, because the selector was trained on the raw predictions of the network.
        own = [own_complements(candidate, tree) for candidate in found]
        sure = {
            number: confidence
            for number, (confidence, fact) in enumerate(zip(confidences.tolist(), facts.tolist(), strict=True))
            if own[number] and (confidence >= self._least or fact >= self._least_fact)
        }
        sure |= _last_resorts(found, confidences.tolist(), {found[number].predicate for number in sure})
        extractions = [
            self._build(
                replace(found[number], complements=own[number]),
                analysis,
                as_written,
                sentence,
                round(sure[number], 4),
            )
            for number in sorted(sure)
        ]
        predicates = {found[number].predicate for number in sure}
        for candidate in bare:
            if candidate.predicate not in predicates:
                predicates.add(candidate.predicate)
                extractions.append(self._build(candidate, analysis, as_written, sentence, _BARE))
        return extractions

    def _build(
        self,
        candidate: TupleCandidate,
        analysis: Analysis,
        tree: DependencyTree,
        sentence: Sentence,
        confidence: float,
    ) -> Extraction:
        if candidate.rule == NEURAL:
            roles = tuple(
                role_of(analysis, [p for p in part if isinstance(p, int)], tree) for part in candidate.complements
            )
            candidate = replace(candidate, roles=roles)
        extraction = build(candidate, analysis, sentence, confidence)
        rule = NEURAL if candidate.rule == NEURAL else extraction.rule
        extraction = replace(extraction, extractor=self.name, extractor_version=self.version, rule=rule)
        return mark(extraction, analysis, tree)


def own_complements(candidate: TupleCandidate, tree: DependencyTree) -> tuple[tuple[int | str, ...], ...]:
    """The complements of a network tuple without those that belong to another clause in the tree.

    The network may add phrases from nearby: from inside the subject (*Watson, elected in 1998, served*: not *served
    in 1998*), from the verb of speech (*…, the mayor said*), or from an adjacent clause. If the first complement is
    already from an adjacent clause, the result is empty.
    """
    predicate = candidate.predicate
    subject = {word for word in candidate.subject if isinstance(word, int)}
    if candidate.rule != NEURAL or predicate is None or not subject:
        return candidate.complements
    beside = {word for child in tree.children(predicate, "parataxis") for word in tree.subtree(child)}
    if beside.issuperset(candidate.complements[0]):
        return ()
    head = min(subject, key=lambda word: sum(above in subject for above in tree.path(word)))
    inside = set(tree.subtree(head))
    if predicate in inside:
        inside = set()
    foreign = beside | set(tree.path(predicate))
    first, *others = candidate.complements
    return (first, *(part for part in others if not (inside.issuperset(part) or foreign.intersection(part))))


def _last_resorts(
    found: Sequence[TupleCandidate], confidences: Sequence[float], covered: set[int | None]
) -> dict[int, float]:
    """The best candidate of every clause that would otherwise have no tuple."""
    best: dict[int, int] = {}
    for place, candidate in enumerate(found):
        predicate = candidate.predicate
        if predicate is None or predicate in covered or candidate.rule == NEURAL or candidate.rule in DOUBTFUL:
            continue
        if predicate not in best or confidences[place] > confidences[best[predicate]]:
            best[predicate] = place
    return {place: confidences[place] for place in best.values()}


def gather(
    analysis: Analysis, tree: DependencyTree, scores: Scores | None, leads: Sequence[str], with_rules: bool
) -> tuple[list[TupleCandidate], list[TupleCandidate]]:
    """All distinct candidates with arguments, and the rule candidates without any.

    `analysis` and `tree` are of the straightened sentence.
    """
    made = candidates(analysis, tree) if with_rules else []
    bare = [candidate for candidate in made if not candidate.complements]
    found = {key_of(candidate): candidate for candidate in reversed(made) if candidate.complements}
    found = dict(reversed(found.items()))
    if scores is not None:
        for candidate in neural_candidates(scores, leads):
            if joins_subjects(candidate.subject, tree):
                continue
            known = found.get(key_of(candidate))
            if known is None:
                found[key_of(candidate)] = candidate
            else:
                # Agreement of rules and network is a feature.
                found[key_of(candidate)] = replace(known, features={**known.features, NEURAL: 1.0})
    return list(found.values()), bare


def joins_subjects(subject: Pieces, tree: DependencyTree) -> bool:
    """Whether the subjects of two clauses were merged into one (*the pilot he*)."""
    words = [piece for piece in subject if isinstance(piece, int) and tree.base[piece] == "nsubj"]
    return any(
        tree.heads[one] != tree.heads[other] and one not in tree.path(other) and other not in tree.path(one)
        for one, other in combinations(words, 2)
    )


def key_of(candidate: TupleCandidate) -> tuple[object, ...]:
    """A key that is equal for candidates with the same text."""
    return (candidate.subject, candidate.relation, candidate.complements)


def available_threads() -> int:
    """Number of threads: one in a process pool, which already uses all cores; otherwise all cores."""
    return 1 if parent_process() is not None else available_cores()


def _extractor(argument: str, settings: Mapping[str, str], name: str) -> NeuralExtractor:
    require_no_argument(argument, name)
    require_known(settings, ["least", "least_fact"], name)
    return NeuralExtractor(
        shipped_network(available_threads()),
        with_rules=name == "default",
        least=number(settings, "least", LEAST_CONFIDENCE),
        least_fact=number(settings, "least_fact", LEAST_FACT),
    )


@extractor_part("the learned extractor alone")
def neural_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> NeuralExtractor:
    """The network by itself."""
    return _extractor(argument, settings, "neural")


@extractor_part("the combination of rules and the learned extractor that does best")
def default_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> NeuralExtractor:
    """The network and the rules."""
    return _extractor(argument, settings, "default")
