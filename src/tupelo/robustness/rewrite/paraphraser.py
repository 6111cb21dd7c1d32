"""The default paraphraser: every rule on every sentence, and two rules in a row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tupelo.core import Analysis
from tupelo.core.protocols import Parser
from tupelo.core.spec import require_known, whole_number
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording, TextTuple
from tupelo.robustness.paraphrase import Tools
from tupelo.robustness.rewrite import RULES, rewrites
from tupelo.robustness.rewrite.carry import can_carry, carry
from tupelo.robustness.rewrite.rule import FOCUS
from tupelo.robustness.verify import Thresholds, verify

# Rules that may follow the insertion of an adjunct.
_AFTER_INSERTION = frozenset(["what-happened", "what-is-true", "genitive-to-of"])


@dataclass(frozen=True, slots=True)
class _Step:
    """A rewrite of a rewrite: the rules applied so far, and the words of the original behind each word."""

    rules: tuple[str, ...]
    text: str
    tuples: tuple[TextTuple, ...]
    alignment: tuple[tuple[int, ...], ...]


class RewriteParaphraser:
    """Rewrites by rule. At most `depth` rules are applied in a row; `rules` defaults to all.

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

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """All rewrites of each sentence, those by one rule first."""
        found: list[dict[str, _Step]] = [{} for _ in sentences]
        steps: list[tuple[int, _Step]] = []
        for number, original in enumerate(sentences):
            unchanged = tuple((index,) for index in range(len(original.analysis.words)))
            start = _Step((), original.analysis.text, original.tuples, unchanged)
            for step in self._after(original.analysis, start):
                if step.text not in found[number] and len(found[number]) < self.most:
                    found[number][step.text] = step
                    steps.append((number, step))
        parsed: dict[str, Analysis] = {}
        for _ in range(1, self.depth):
            steps = self._deeper(sentences, found, steps, parsed)
        return [
            [
                Rewording(step.text, "+".join(step.rules), step.tuples, step.alignment, parsed.get(step.text))
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
        for (number, step), analysis in zip(steps, self.parse(step.text for _, step in steps), strict=True):
            parsed[step.text] = analysis
            candidate = Rewording(step.text, "", step.tuples, step.alignment)
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
        tree = DependencyTree(analysis)
        for rewrite in rewrites(analysis, self.rules):
            if may_follow(step.rules, rewrite.rule) and can_carry(step.tuples, tree, rewrite):
                tuples = carry(step.tuples, tree, rewrite)
                alignment = rewrite.alignment(step.alignment)
                yield _Step((*step.rules, rewrite.rule), rewrite.text, tuples, alignment)

    def parse(self, texts: Iterable[str]) -> Iterable[Analysis]:
        return self.parser.analyze(texts, lines=True, pretokenized=self.pretokenized, constituents=True)


def may_follow(rules: tuple[str, ...], rule: str) -> bool:
    """Whether a rule may follow others: no rule twice, none that undoes another, and only one focus."""
    if rule in rules or ("insert-adjunct" in rules and rule not in _AFTER_INSERTION):
        return False
    this = RULES.get(rule)
    groups: frozenset[str] = getattr(this, "groups", frozenset())
    for each in rules:
        before = RULES.get(each)
        earlier: frozenset[str] = getattr(before, "groups", frozenset())
        if groups & earlier:
            return False
        if FOCUS in groups and not getattr(before, "before_focus", True):
            return False
        # The clause after a focus only looks like a relative clause.
        if FOCUS in earlier and not getattr(this, "after_focus", True):
            return False
    return True


def rewrite_paraphraser(argument: str, settings: Mapping[str, str], tools: Tools) -> RewriteParaphraser:
    """Our own syntactic rules, or rewrite:RULE,RULE for some of them; needs no model besides the parser."""
    require_known(settings, ("depth", "most"), "rewrite")
    return RewriteParaphraser(
        tools.parser,
        pretokenized=tools.pretokenized,
        rules=[name.strip() for name in argument.split(",") if name.strip()] or None,
        depth=whole_number(settings, "depth", 2),
        most=whole_number(settings, "most", 40),
        thresholds=tools.thresholds,
    )
