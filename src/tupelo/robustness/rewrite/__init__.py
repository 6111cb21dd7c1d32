"""Our own paraphraser: syntactic rules on parsed sentences, known by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tupelo.core import Analysis, Registry
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.draft import Rewrite, RewriteDraft, finish

# Modules and their rules. The order matters: of two rules that make the same sentence, the first is named as its
# origin.
_RULES = (
    ("clefts", "cleft-subject cleft-adjunct cleft-clause cleft-object"),
    ("pseudo_clefts", "pseudo-cleft-object pseudo-cleft-action pseudo-cleft-subject pseudo-cleft-when-where"),
    ("pseudo_clefts", "pseudo-cleft-what pseudo-cleft-preposition pseudo-cleft-to-do pseudo-cleft-inner-object"),
    ("pseudo_clefts", "reversed-cleft what-happened what-is-true"),
    ("reporting", "pseudo-cleft-report pseudo-cleft-remark turn-remark"),
    ("voice", "passive active"),
    ("word_order", "front-adjunct insert-adjunct insert-connective report-inside move-back front-clause"),
    ("word_order", "back-clause although"),
    ("reporting", "report-behind report-in-front it-was-said according-to according-to-remark"),
    ("noun_phrases", "relative-to-participle participle-to-relative apposition-to-relative relative-to-apposition"),
    ("noun_phrases", "merge-relative tell-apposition front-apposition front-participle"),
    ("word_order", "front-adverb"),
    ("noun_phrases", "genitive-to-of of-to-genitive conjunct-order"),
    ("verbs", "dative nominalize not-only as-well-as swap-copula place-first located-first"),
    ("voice", "relative-passive"),
    ("noun_phrases", "swap-apposition loose-participle"),
    ("linking", "because-to-so although-to-but as-well repeat-subject there-first"),
)
RULES: Registry[Callable[[DependencyTree], Iterator[RewriteDraft]]] = Registry(
    "rewrite rule",
    {
        name: f"tupelo.robustness.rewrite.{module}:{name.replace('-', '_')}"
        for module, names in _RULES
        for name in names.split()
    },
    group="tupelo.rewriters",
)


def rewrites(analysis: Analysis, rules: Iterable[str] | None = None) -> Iterator[Rewrite]:
    """Every rewrite of a sentence, in the order of the rules."""
    tree = DependencyTree(analysis)
    for name in rules or RULES:
        for draft in RULES.get(name)(tree):
            rewrite = finish(tree, draft if draft.rule else replace(draft, rule=name))
            if rewrite is not None:
                yield rewrite


__all__ = ["RULES", "rewrites"]
