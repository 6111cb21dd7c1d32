"""The rules as an extractor: their names, their confidences, and the selection of candidates."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.resources import files

from tupelo.core import Analysis, Argument, Extraction, InputError, Reason, Sentence
from tupelo.core.protocols import Services
from tupelo.core.spec import require_known
from tupelo.extract import extractor_part, require_no_argument
from tupelo.extract.marks import mark
from tupelo.extract.parts import sentence_of
from tupelo.extract.rules.candidate import TupleCandidate, candidates, prepared
from tupelo.extract.rules.verbs import Pieces
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree, tree_of

_SETTINGS = json.loads(files("tupelo.extract.rules").joinpath("rules.json").read_text("utf-8"))
# The rules by name, with what each does.
RULES: dict[str, str] = {name: rule["title"] for name, rule in _SETTINGS["rules"].items()}
SHAPES = {
    "all": frozenset(["whole", "piece", "nested", "noun"]),
    "whole": frozenset(["whole", "noun"]),
    "pieces": frozenset(["piece", "nested", "noun"]),
}
Parts = dict[tuple[Pieces, str | None], Argument]


class RuleExtractor:
    """Tuples by rules.

    `shape` is the shape of the tuples of a clause: the whole clause, parts of one fact each, or both (`all`).
    """

    name = "rules"
    explains = True
    version = "1"
    needs = frozenset(["tags", "lemmas", "heads", "entities"])

    def __init__(self, *, shape: str = "all") -> None:
        if shape not in SHAPES:
            raise InputError(f"shape '{shape}', expected one of {', '.join(SHAPES)}")
        self.shape = shape

    def extract(self, analyses: Iterable[Analysis], *, explain: bool = False) -> Iterator[list[Extraction]]:
        """One list per sentence, in the order of the words that show the tuples."""
        for analysis in analyses:
            yield self.propose(analysis, explain=explain)[0]

    def propose(self, analysis: Analysis, *, explain: bool = False) -> tuple[list[Extraction], DependencyTree]:
        """The tuples of one sentence, and the tree of the sentence as the rules read it."""
        sentence = sentence_of(analysis)
        found: dict[tuple[str, ...], Extraction] = {}
        parts: Parts = {}
        plain = prepared(analysis)
        tree = tree_of(analysis)
        read = tree if plain is analysis else DependencyTree(plain)
        for candidate in candidates(plain, read):
            if candidate.complements and candidate.shape not in SHAPES[self.shape]:
                continue
            extraction = build(candidate, analysis, sentence, confidence_of(candidate), parts)
            if explain:
                reasons = tuple(reasons_of(candidate.predicate, extraction, read, tree))
                extraction = replace(extraction, reasons=reasons)
            key = (extraction.rel.text, *(argument.text for argument in extraction.arguments))
            known = found.get(key)
            if known is None or (known.confidence or 0.0) < (extraction.confidence or 0.0):
                found[key] = extraction
        return [mark(extraction, analysis, tree) for extraction in found.values()], read


def reasons_of(
    predicate: int | None, found: Extraction, read: DependencyTree, parsed: DependencyTree
) -> Iterator[Reason]:
    """The rule, and the links of the arguments; where the rules read one otherwise, also that of the parser."""
    title = RULES.get((found.rule or "").partition("/")[0], "a relation between nouns")
    yield Reason("rule", f"{found.rule} (trust {found.confidence}), {title}")
    for kind, part in found.labelled_parts():
        head = read.head_of(part.tokens or ())
        predicate = head if predicate is None else predicate
        if kind != "rel" and head is not None and predicate is not None:
            links = [read.link_in_words(word) for word in read.route(head, predicate)]
            differing = [word for word in read.route(head, predicate) if read.heads[word] != parsed.heads[word]]
            links += [f"to the parser {parsed.link_in_words(word)}" for word in differing]
            yield Reason(kind, f"{part.text}: {'; '.join(links) or 'the others hang on it'}")


def confidence_of(candidate: TupleCandidate) -> float:
    """The confidence of the rule, in [0, 1]."""
    if not candidate.complements:
        return float(_SETTINGS["no_argument"])
    trust = _SETTINGS["rules"].get(candidate.rule, {}).get("trust", _SETTINGS["unknown"])
    return round(float(trust * _SETTINGS["part_of_another"].get(candidate.shape, 1.0)), 4)


def build(
    candidate: TupleCandidate, analysis: Analysis, sentence: Sentence, confidence: float, parts: Parts | None = None
) -> Extraction:
    """The tuple of a candidate, without marks. `parts` caches those shared by tuples of one sentence."""
    known: Parts = {} if parts is None else parts

    def part(pieces: Pieces, role: str | None = None) -> Argument:
        if (pieces, role) not in known:
            known[pieces, role] = make_part(analysis, pieces, role)
        return known[pieces, role]

    return Extraction(
        sentence,
        part(candidate.relation),
        part(candidate.subject),
        tuple(part(pieces, role) for pieces, role in zip(candidate.complements, candidate.roles, strict=True)),
        confidence=confidence,
        extractor=RuleExtractor.name,
        extractor_version=RuleExtractor.version,
        rule=candidate.rule if candidate.shape in ("whole", "noun") else f"{candidate.rule}/{candidate.shape}",
    )


@extractor_part("clauses of the dependency tree; every tuple names its rule")
def rule_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> RuleExtractor:
    """The extractor by its registered name."""
    require_no_argument(argument, "rules")
    require_known(settings, ["shape"], "rules")
    return RuleExtractor(shape=settings.get("shape", "all"))
