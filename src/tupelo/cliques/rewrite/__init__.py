"""Our own paraphraser: syntactic rules on parsed sentences, one function each, known by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tupelo.cliques.rewrite.draft import Draft, Rewrite, finish
from tupelo.cliques.rewrite.tree import Tree
from tupelo.core import Analysis, Registry

Rule = Callable[[Tree], Iterator[Draft]]

RULES: Registry[Rule] = Registry(
    "rewrite-rule",
    {
        "cleft-subject": "tupelo.cliques.rewrite.cleft:cleft_subject",
        "cleft-adjunct": "tupelo.cliques.rewrite.cleft:cleft_adjunct",
        "cleft-clause": "tupelo.cliques.rewrite.cleft:cleft_clause",
        "cleft-object": "tupelo.cliques.rewrite.cleft:cleft_object",
        "pseudo-cleft-object": "tupelo.cliques.rewrite.pseudo_cleft:what_object",
        "pseudo-cleft-action": "tupelo.cliques.rewrite.pseudo_cleft:what_action",
        "pseudo-cleft-subject": "tupelo.cliques.rewrite.pseudo_cleft:who_subject",
        "pseudo-cleft-when-where": "tupelo.cliques.rewrite.pseudo_cleft:when_and_where",
        "pseudo-cleft-what": "tupelo.cliques.rewrite.identify:what_subject",
        "pseudo-cleft-preposition": "tupelo.cliques.rewrite.pseudo_cleft:what_for",
        "pseudo-cleft-to-do": "tupelo.cliques.rewrite.pseudo_cleft:what_to_do",
        "pseudo-cleft-inner-object": "tupelo.cliques.rewrite.pseudo_cleft:what_inner_object",
        "reversed-cleft": "tupelo.cliques.rewrite.identify:the_one",
        "what-happened": "tupelo.cliques.rewrite.identify:what_happened",
        "what-is-true": "tupelo.cliques.rewrite.identify:what_is_true",
        "pseudo-cleft-report": "tupelo.cliques.rewrite.reporting:what_was_said",
        "pseudo-cleft-remark": "tupelo.cliques.rewrite.reporting:what_was_remarked",
        "turn-remark": "tupelo.cliques.rewrite.reporting:turn_remark",
        "passive": "tupelo.cliques.rewrite.voice:passive",
        "active": "tupelo.cliques.rewrite.voice:active",
        "front-adjunct": "tupelo.cliques.rewrite.fronting:front_adjunct",
        "insert-adjunct": "tupelo.cliques.rewrite.insertion:insert_adjunct",
        "insert-connective": "tupelo.cliques.rewrite.insertion:insert_connective",
        "report-inside": "tupelo.cliques.rewrite.insertion:report_inside",
        "move-back": "tupelo.cliques.rewrite.fronting:move_back",
        "front-clause": "tupelo.cliques.rewrite.clause_order:front_clause",
        "back-clause": "tupelo.cliques.rewrite.clause_order:back_clause",
        "although": "tupelo.cliques.rewrite.clause_order:although",
        "report-behind": "tupelo.cliques.rewrite.reporting:report_behind",
        "report-in-front": "tupelo.cliques.rewrite.reporting:report_in_front",
        "it-was-said": "tupelo.cliques.rewrite.reporting:it_was_said",
        "according-to": "tupelo.cliques.rewrite.reporting:according_to",
        "according-to-remark": "tupelo.cliques.rewrite.reporting:according_to_remark",
        "relative-to-participle": "tupelo.cliques.rewrite.noun_clauses:relative_to_participle",
        "participle-to-relative": "tupelo.cliques.rewrite.noun_clauses:participle_to_relative",
        "apposition-to-relative": "tupelo.cliques.rewrite.noun_clauses:apposition_to_relative",
        "relative-to-apposition": "tupelo.cliques.rewrite.noun_clauses:relative_to_apposition",
        "merge-relative": "tupelo.cliques.rewrite.participles:merge_relative",
        "tell-apposition": "tupelo.cliques.rewrite.participles:tell_apposition",
        "front-apposition": "tupelo.cliques.rewrite.participles:front_apposition",
        "front-participle": "tupelo.cliques.rewrite.participles:front_participle",
        "front-adverb": "tupelo.cliques.rewrite.participles:front_adverb",
        "genitive-to-of": "tupelo.cliques.rewrite.nouns:genitive_to_of",
        "of-to-genitive": "tupelo.cliques.rewrite.nouns:of_to_genitive",
        "conjunct-order": "tupelo.cliques.rewrite.nouns:conjunct_order",
        "dative": "tupelo.cliques.rewrite.verbs:dative",
        "nominalize": "tupelo.cliques.rewrite.verbs:nominalize",
        "not-only": "tupelo.cliques.rewrite.verbs:not_only",
        "as-well-as": "tupelo.cliques.rewrite.verbs:as_well_as",
        "swap-copula": "tupelo.cliques.rewrite.copula:swap_copula",
        "place-first": "tupelo.cliques.rewrite.copula:place_first",
        "located-first": "tupelo.cliques.rewrite.copula:located_first",
    },
)


def explain(name: str) -> str:
    """What a rule does: the first line of its description, without marks of emphasis."""
    return (RULES.get(name).__doc__ or "").strip().partition("\n")[0].replace("*", "")


def rewrites(analysis: Analysis, rules: Iterator[str] | None = None) -> Iterator[Rewrite]:
    """Every sentence that the rules make of one, in the order of the rules."""
    tree = Tree(analysis)
    for name in rules or RULES:
        for draft in RULES.get(name)(tree):
            made = finish(tree, draft)
            if made is not None:
                yield made


__all__ = ["RULES", "Rule", "explain", "rewrites"]
