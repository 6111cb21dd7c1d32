"""What is known of two relations without a model: that they say the same of the same two things.

It is known by what merges the relations of a graph (`tupelo.canon.relations`): both have one plain form, or are in
one family of the table; they are said in the same manner (negation, modality, hedges, time), and the roles fit.
Unlike merging, entailment has a direction: from *is used in* does not follow *is widely used in*. Of sentences it is
known if they begin and end with the two things.
"""

from __future__ import annotations

from tupelo.canon.relations import PRIORS, SURE, form_key, may_be_one
from tupelo.core.entailment import EntailmentPair, is_whole
from tupelo.core.extraction import Triple
from tupelo.inference.phrases import are_swapped, with_arguments
from tupelo.inference.statements import by_shared_arguments
from tupelo.nlp.languages.en.relation_words import NEUTRAL_ADVERBS
from tupelo.relations.forms import families, manner
from tupelo.relations.phrases import read_phrase
from tupelo.relations.wordings import Wording, wording_of

# What this adds to the log odds of an entailment: as much as it adds to those of a merge.
KNOWN = PRIORS[SURE]
# Words of a statement of which anything can be known; time would grow faster than their number.
_MOST_WORDS = 20


def known_reason(pair: EntailmentPair) -> str | None:
    """Why the hypothesis must say what the premise says; `None` if nothing is known of it.

    >>> known_reason(EntailmentPair(Triple("Ann", "later founded", "Acme"), Triple("Acme", "was founded by", "Ann")))
    'both are forms of one relation: found'
    """
    premise, hypothesis = _words(pair.premise), _words(pair.hypothesis)
    if max(len(premise), len(hypothesis)) > _MOST_WORDS:
        return None
    if is_whole(pair.premise) or is_whole(pair.hypothesis):
        divided = by_shared_arguments(premise, hypothesis)
        return None if divided is None else known_reason(divided)
    one, other = _wording(pair.premise), _wording(with_arguments(pair))
    turned = are_swapped(pair) != (one.form.turned != other.form.turned)
    added = NEUTRAL_ADVERBS.intersection(read_phrase(other.text).words) - set(read_phrase(one.text).words)
    if added:
        return None
    if one.form.key == other.form.key:
        is_same = form_key(one.text, one.form) == form_key(other.text, other.form)
        fits = is_same and manner(one.text) == manner(other.text) and (not turned or one.is_symmetric)
        return f"both are forms of one relation: {one.form.key}" if fits else None
    if _in_one_family(one, other, turned) and may_be_one(one.text, other.text, turned, SURE):
        return "the table of relations has both in one family"
    return None


def _in_one_family(one: Wording, other: Wording, turned: bool) -> bool:
    return any(
        family == again and ((exchanged != side) == turned or family in families().symmetric)
        for family, exchanged in one.families
        for again, side in other.families
    )


def _wording(statement: Triple) -> Wording:
    return wording_of(statement.subject, statement.relation, statement.object)


def _words(statement: Triple) -> list[str]:
    text = f"{statement.subject} {statement.relation} {statement.object}"
    return text.rstrip(" .!?").split()
