"""Our own paraphraser: syntactic rules on parsed sentences, known by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from tupelo.core import Analysis, Registry
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.draft import Draft, Rewrite, finish

_CLEFTS = "tupelo.robustness.rewrite.clefts"
_PSEUDO_CLEFTS = "tupelo.robustness.rewrite.pseudo_clefts"
_REPORTING = "tupelo.robustness.rewrite.reporting"
_VOICE = "tupelo.robustness.rewrite.voice"
_ORDER = "tupelo.robustness.rewrite.word_order"
_NOUNS = "tupelo.robustness.rewrite.noun_phrases"
_VERBS = "tupelo.robustness.rewrite.verbs"
_LINKING = "tupelo.robustness.rewrite.linking"

# The order matters: of two rules that make the same sentence, the first is named as its origin.
RULES: Registry[Callable[[DependencyTree], Iterator[Draft]]] = Registry(
    "rewrite rule",
    {
        "cleft-subject": f"{_CLEFTS}:cleft_subject",
        "cleft-adjunct": f"{_CLEFTS}:cleft_adjunct",
        "cleft-clause": f"{_CLEFTS}:cleft_clause",
        "cleft-object": f"{_CLEFTS}:cleft_object",
        "pseudo-cleft-object": f"{_PSEUDO_CLEFTS}:what_object",
        "pseudo-cleft-action": f"{_PSEUDO_CLEFTS}:what_action",
        "pseudo-cleft-subject": f"{_PSEUDO_CLEFTS}:who_subject",
        "pseudo-cleft-when-where": f"{_PSEUDO_CLEFTS}:when_and_where",
        "pseudo-cleft-what": f"{_PSEUDO_CLEFTS}:what_subject",
        "pseudo-cleft-preposition": f"{_PSEUDO_CLEFTS}:what_for",
        "pseudo-cleft-to-do": f"{_PSEUDO_CLEFTS}:what_to_do",
        "pseudo-cleft-inner-object": f"{_PSEUDO_CLEFTS}:what_inner_object",
        "reversed-cleft": f"{_PSEUDO_CLEFTS}:the_one",
        "what-happened": f"{_PSEUDO_CLEFTS}:what_happened",
        "what-is-true": f"{_PSEUDO_CLEFTS}:what_is_true",
        "pseudo-cleft-report": f"{_REPORTING}:what_was_said",
        "pseudo-cleft-remark": f"{_REPORTING}:what_was_remarked",
        "turn-remark": f"{_REPORTING}:turn_remark",
        "passive": f"{_VOICE}:passive",
        "active": f"{_VOICE}:active",
        "front-adjunct": f"{_ORDER}:front_adjunct",
        "insert-adjunct": f"{_ORDER}:insert_adjunct",
        "insert-connective": f"{_ORDER}:insert_connective",
        "report-inside": f"{_ORDER}:report_inside",
        "move-back": f"{_ORDER}:move_back",
        "front-clause": f"{_ORDER}:front_clause",
        "back-clause": f"{_ORDER}:back_clause",
        "although": f"{_ORDER}:although",
        "report-behind": f"{_REPORTING}:report_behind",
        "report-in-front": f"{_REPORTING}:report_in_front",
        "it-was-said": f"{_REPORTING}:it_was_said",
        "according-to": f"{_REPORTING}:according_to",
        "according-to-remark": f"{_REPORTING}:according_to_remark",
        "relative-to-participle": f"{_NOUNS}:relative_to_participle",
        "participle-to-relative": f"{_NOUNS}:participle_to_relative",
        "apposition-to-relative": f"{_NOUNS}:apposition_to_relative",
        "relative-to-apposition": f"{_NOUNS}:relative_to_apposition",
        "merge-relative": f"{_NOUNS}:merge_relative",
        "tell-apposition": f"{_NOUNS}:tell_apposition",
        "front-apposition": f"{_NOUNS}:front_apposition",
        "front-participle": f"{_NOUNS}:front_participle",
        "front-adverb": f"{_ORDER}:front_adverb",
        "genitive-to-of": f"{_NOUNS}:genitive_to_of",
        "of-to-genitive": f"{_NOUNS}:of_to_genitive",
        "conjunct-order": f"{_NOUNS}:conjunct_order",
        "dative": f"{_VERBS}:dative",
        "nominalize": f"{_VERBS}:nominalize",
        "not-only": f"{_VERBS}:not_only",
        "as-well-as": f"{_VERBS}:as_well_as",
        "swap-copula": f"{_VERBS}:swap_copula",
        "place-first": f"{_VERBS}:place_first",
        "located-first": f"{_VERBS}:located_first",
        "relative-passive": f"{_VOICE}:relative_passive",
        "swap-apposition": f"{_NOUNS}:swap_apposition",
        "loose-participle": f"{_NOUNS}:loose_participle",
        "because-to-so": f"{_LINKING}:because_to_so",
        "although-to-but": f"{_LINKING}:although_to_but",
        "as-well": f"{_LINKING}:as_well",
        "repeat-subject": f"{_LINKING}:repeat_subject",
        "there-first": f"{_LINKING}:there_first",
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
