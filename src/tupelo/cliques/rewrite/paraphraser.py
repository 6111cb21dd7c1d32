"""The default paraphraser: every rule on every sentence, and two rules in a row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tupelo.cliques.candidates import Candidate, Original
from tupelo.cliques.paraphrase import Tools
from tupelo.cliques.paraphrase.settings import require_known, whole_number
from tupelo.cliques.rewrite import RULES, rewrites
from tupelo.cliques.rewrite.carry import carry
from tupelo.cliques.rewrite.draft import Rewrite
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.verify import Thresholds, verify
from tupelo.core import Analysis
from tupelo.core.protocols import Parser

# Rules that put something into focus; one focus per sentence is enough.
_FOCUS = frozenset(name for name in RULES if "cleft" in name) | {"what-happened", "what-is-true"}
# Rules that place an adjunct; the second would only carry it about.
_PLACES = frozenset(["front-adjunct", "move-back", "insert-adjunct", "cleft-adjunct", "pseudo-cleft-when-where"])


# Sentences whose first clause is no longer the one that tells something.
_NO_FOCUS_AFTER = frozenset(["swap-copula", "report-behind", "report-inside", "turn-remark", "place-first"])
_MOVES = frozenset(["front-adjunct", "move-back", "insert-adjunct", "front-adverb"])
_ON_RELATIVES = frozenset(["merge-relative", "relative-to-participle", "relative-to-apposition"])


@dataclass(frozen=True, slots=True)
class _Step:
    """A rewrite of a rewrite: what was done so far, and the words of the original behind each word."""

    rules: tuple[str, ...]
    text: str
    tuples: tuple[tuple[str, ...], ...]
    alignment: tuple[tuple[int, ...], ...]


class RewriteParaphraser:
    """Rewrites by rule. `depth` is how many rules may follow each other; `rules` are all unless named.

    Between two rules the sentence is parsed again and has to pass the checks
    of `verify`, so that the second rule starts from a sound tree.
    """

    name = "rewrite"

    def __init__(
        self,
        parser: Parser,
        *,
        pretokenized: bool,
        rules: Collection[str] | None = None,
        depth: int = 2,
        most: int = 40,
        thresholds: Thresholds | None = None,
    ) -> None:
        self.parser = parser
        self.pretokenized = pretokenized
        self.rules = [RULES.resolve(name) for name in (rules or RULES)]
        self.depth = depth
        self.most = most
        self.thresholds = thresholds or Thresholds()

    def paraphrase(self, sentences: list[Original]) -> list[list[Candidate]]:
        """All rewrites of each sentence, those by one rule first."""
        found: list[dict[str, _Step]] = []
        steps: list[tuple[int, _Step]] = []
        for number, original in enumerate(sentences):
            start = _Step((), original.analysis.text, original.tuples, _identity(original.analysis))
            found.append(dict.fromkeys((), start))
            for step in self._after(original.analysis, start):
                if step.text not in found[number] and len(found[number]) < self.most:
                    found[number][step.text] = step
                    steps.append((number, step))
        parsed: dict[str, Analysis] = {}
        for _ in range(1, self.depth):
            steps = self._deeper(sentences, found, steps, parsed)
        return [
            [
                Candidate(step.text, "+".join(step.rules), step.tuples, step.alignment, parsed.get(step.text))
                for step in steps_of.values()
            ]
            for steps_of in found
        ]

    def _deeper(
        self,
        sentences: list[Original],
        found: list[dict[str, _Step]],
        steps: list[tuple[int, _Step]],
        parsed: dict[str, Analysis],
    ) -> list[tuple[int, _Step]]:
        fresh: list[tuple[int, _Step]] = []
        for (number, step), analysis in zip(steps, self._parse(step.text for _, step in steps), strict=True):
            parsed[step.text] = analysis
            candidate = Candidate(step.text, "", step.tuples, step.alignment)
            if len(analysis.words) != len(step.alignment):
                continue
            if not verify(sentences[number], candidate, analysis, self.thresholds).passed:
                continue
            for further in self._after(analysis, step):
                if further.text not in found[number] and further.text != sentences[number].analysis.text:
                    if len(found[number]) >= self.most:
                        break
                    found[number][further.text] = further
                    fresh.append((number, further))
        return fresh

    def _after(self, analysis: Analysis, step: _Step) -> Iterable[_Step]:
        tree = Tree(analysis)
        for made in rewrites(analysis, iter(self.rules)):
            if _goes_on(step.rules, made.rules[0]):
                yield _Step(
                    (*step.rules, made.rules[0]), made.text, carry(step.tuples, tree, made), _through(step, made)
                )

    def _parse(self, texts: Iterable[str]) -> Iterable[Analysis]:
        return self.parser.analyze(texts, lines=True, pretokenized=self.pretokenized, constituents=True)


def _goes_on(rules: tuple[str, ...], rule: str) -> bool:
    """Whether a rule may follow others: none twice, none that undoes another, one focus only."""
    if rule in rules:
        return False
    if rule in _FOCUS and any(before in _FOCUS for before in rules):
        return False
    if rule in _FOCUS and any(before in _NO_FOCUS_AFTER for before in rules):
        return False
    if "insert-adjunct" in rules and rule not in ("what-happened", "what-is-true", "genitive-to-of"):
        return False
    if rule in _MOVES and any(before in _FOCUS or before == "reversed-cleft" for before in rules):
        return False
    if rule in _PLACES and any(before in _PLACES for before in rules):
        return False
    if rule in _ON_RELATIVES and any(before in _FOCUS or before == "reversed-cleft" for before in rules):
        # The clause behind a focus looks like a relative clause, and is none.
        return False
    return not any(before in group and rule in group for before in rules for group in _UNDO)


# Rules that undo each other, or that do much the same.
_UNDO = (
    {"passive", "active", "it-was-said"},
    {"front-adjunct", "move-back"},
    {"front-clause", "back-clause"},
    {"relative-to-participle", "participle-to-relative"},
    {"apposition-to-relative", "relative-to-apposition"},
    {"genitive-to-of", "of-to-genitive"},
    {
        "report-behind",
        "report-in-front",
        "according-to",
        "pseudo-cleft-report",
        "it-was-said",
        "turn-remark",
        "report-inside",
    },
    {"tell-apposition", "apposition-to-relative", "front-apposition", "merge-relative"},
    {"not-only", "as-well-as"},
)


def _identity(analysis: Analysis) -> tuple[tuple[int, ...], ...]:
    return tuple((index,) for index in range(len(analysis.words)))


def _through(step: _Step, made: Rewrite) -> tuple[tuple[int, ...], ...]:
    """From the words of a second rewrite to those of the original."""
    return tuple(
        tuple(sorted({source for middle in piece.of for source in step.alignment[middle]})) for piece in made.pieces
    )


def rewrite_paraphraser(argument: str, settings: Mapping[str, str], tools: Tools) -> RewriteParaphraser:
    """`rewrite`, or `rewrite:passive,active` for these rules alone."""
    require_known(settings, ("depth", "most"), "rewrite")
    return RewriteParaphraser(
        tools.parser,
        pretokenized=tools.pretokenized,
        rules=[name.strip() for name in argument.split(",") if name.strip()] or None,
        depth=whole_number(settings, "depth", 2),
        most=whole_number(settings, "most", 40),
        thresholds=tools.thresholds,
    )
