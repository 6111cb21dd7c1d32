"""The default paraphraser: every rule on every sentence, and two rules in a row."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from typing import ClassVar

from tupelo.core import Analysis
from tupelo.core.protocols import Parser
from tupelo.core.spec import require_known, whole_number
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.paraphrase import Tools
from tupelo.robustness.rewrite import FOCUS, RULES, rewrites
from tupelo.robustness.rewrite.carry import can_carry, carry
from tupelo.robustness.verify import Thresholds, verify

# Rules that may follow the insertion of an adjunct.
_AFTER_INSERTION = frozenset(["what-happened", "what-is-true", "genitive-to-of"])


@dataclass(eq=False)
class RewriteParaphraser:
    """Rewrites by rule. At most `depth` rules are applied in a row; `rules` defaults to all.

    Between two rules the sentence is parsed again and has to pass the checks
    of `verify`, so that the second rule starts from a sound tree.
    """

    name: ClassVar[str] = "rewrite"
    parser: Parser
    _: KW_ONLY
    pretokenized: bool
    rules: Collection[str] | None = None
    depth: int = 2
    most: int = 40
    thresholds: Thresholds = field(default_factory=Thresholds)

    def __post_init__(self) -> None:
        self.rules = [RULES.resolve(name) for name in self.rules or RULES]

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """All rewrites of each sentence, those by one rule first."""
        found: list[dict[str, Rewording]] = [{} for _ in sentences]
        steps: list[tuple[int, Rewording]] = []
        for number, original in enumerate(sentences):
            steps += self._add(number, found, original, original.unchanged, original.analysis)
        for _ in range(1, self.depth):
            fresh: list[tuple[int, Rewording]] = []
            for (number, step), analysis in zip(steps, self.parse(step.text for _, step in steps), strict=True):
                found[number][step.text] = replace(step, analysis=analysis)
                if len(analysis.words) != len(step.alignment or ()):
                    continue
                if verify(sentences[number], step, analysis, self.thresholds).passed:
                    fresh += self._add(number, found, sentences[number], step, analysis)
            steps = fresh
        return [list(steps_of.values()) for steps_of in found]

    def _add(
        self, number: int, found: list[dict[str, Rewording]], original: Original, step: Rewording, analysis: Analysis
    ) -> Iterator[tuple[int, Rewording]]:
        """Add the rewrites of a sentence, or of a rewrite of it, that were not found before."""
        for further in self._after(analysis, step):
            if further.text not in found[number] and further.text != original.analysis.text:
                if len(found[number]) >= self.most:
                    return
                found[number][further.text] = further
                yield number, further

    def _after(self, analysis: Analysis, step: Rewording) -> Iterator[Rewording]:
        tree, rules = DependencyTree(analysis), tuple(filter(None, step.origin.split("+")))
        for rewrite in rewrites(analysis, self.rules):
            if may_follow(rules, rewrite.rule) and can_carry(step.tuples, tree, rewrite):
                alignment = None if step.alignment is None else rewrite.alignment(step.alignment)
                origin = "+".join((*rules, rewrite.rule))
                yield Rewording(rewrite.text, origin, carry(step.tuples, tree, rewrite), alignment)

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
