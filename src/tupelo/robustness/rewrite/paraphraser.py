"""The paraphraser `rewrite`: every rule on every sentence, clefts and frames as well, and several rules at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import ClassVar

from tupelo.core.spec import require_known, whole_number
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.paraphrase import Tools
from tupelo.robustness.rewrite import RULES
from tupelo.robustness.rewrite.compose import combine, go_together, rule_changes


@dataclass(eq=False)
class RewriteParaphraser:
    """Rewrites by rule, at most `depth` rules at once; `rules` defaults to all."""

    name: ClassVar[str] = "rewrite"
    _: KW_ONLY
    rules: Collection[str] | None = None
    depth: int = 2
    most: int = 40

    def __post_init__(self) -> None:
        self.rules = [RULES.resolve(name) for name in self.rules or RULES]

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """All rewrites of each sentence, those by one rule first."""
        return [self._rewritten(original) for original in sentences]

    def _rewritten(self, original: Original) -> list[Rewording]:
        tree, found = DependencyTree(original.analysis), dict[str, Rewording]()
        changes = [change for change, _ in rule_changes(tree, self.rules or RULES)]
        for size in range(1, self.depth + 1):
            for chosen in combinations(changes, size):
                if not all(go_together(*pair) for pair in combinations(chosen, 2)):
                    continue
                candidate = combine(original, tree, chosen)
                if candidate is not None and len(found) < self.most:
                    found.setdefault(candidate.text, candidate)
        return list(found.values())


def rewrite_paraphraser(argument: str, settings: Mapping[str, str], tools: Tools) -> RewriteParaphraser:
    """All our rules, clefts and frames as well, or rewrite:RULE,RULE for some of them; no word is exchanged."""
    require_known(settings, ("depth", "most"), "rewrite")
    return RewriteParaphraser(
        rules=[name.strip() for name in argument.split(",") if name.strip()] or None,
        depth=whole_number(settings, "depth", 2),
        most=whole_number(settings, "most", 40),
    )
