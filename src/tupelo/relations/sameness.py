"""Whether two wordings are the same relation, by their words alone.

Two wordings with one plain form, or in one family of the table, mean the same if their manner (negation, modality,
hedges, time) and roles agree. With less evidence, words can still exclude it: opposites, different polarity, modality
or roles.
"""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.nlp.languages.en.relation_words import ANTONYMS, NEUTRAL_ADVERBS, OPPOSITES
from tupelo.relations.forms import Manner, PlainForm, families, is_former, lasts, manner, plain_form
from tupelo.relations.phrases import RelationPhrase, read_phrase
from tupelo.relations.wordings import RelationWording

# Evidence for a pair of wordings, and the log odds that it adds to those of a model.
SURE, FAMILY, TYPED, SHARED = "sure", "family", "typed", "shared"
PRIORS: Mapping[str, float] = {SURE: 5.0, TYPED: 5.0, FAMILY: 1.0, SHARED: -2.0}
# Content words that identify a relation that ends in *of*; a longer one is about something else.
_MOST_CONTENT = 2


def form_key(text: str, form: PlainForm) -> tuple[str, frozenset[str], bool, bool]:
    """The key of equal wordings: plain form, modality, the tense of a copula, and whether it is over."""
    how = manner(text)
    return form.key, how.modals | how.hedges, how.past, is_former(text) and not how.past


def reason_same(premise: RelationWording, hypothesis: RelationWording, swapped: bool) -> str | None:
    """Reason why the hypothesis must mean the same as the premise; `None` if there is none.

    `swapped` if the two name their arguments in opposite order. Unlike merging, entailment has a direction: from *is
    used in* does not follow *is widely used in*.
    """
    turned = swapped != (premise.form.turned != hypothesis.form.turned)
    if NEUTRAL_ADVERBS.intersection(read_phrase(hypothesis.text).words) - set(read_phrase(premise.text).words):
        return None
    if premise.form.key == hypothesis.form.key:
        is_same = form_key(premise.text, premise.form) == form_key(hypothesis.text, hypothesis.form)
        same_manner = manner(premise.text) == manner(hypothesis.text)
        fits = is_same and same_manner and (not turned or premise.is_symmetric)
        return f"both are forms of one relation: {premise.form.key}" if fits else None
    in_one_family = any(
        family == again and ((exchanged != side) == turned or family in families().symmetric)
        for family, exchanged in premise.families
        for again, side in hypothesis.families
    )
    if in_one_family and may_be_one(premise.text, hypothesis.text, turned, SURE):
        return "the table of relations has both in one family"
    return None


def may_be_one(one: str, other: str, turned: bool, source: str) -> bool:
    """Whether the words allow that two wordings are one: same polarity, modality and roles, no opposites."""
    left, right = read_phrase(one), read_phrase(other)
    first, second = plain_form(one), plain_form(other)
    same_words = set(read_phrase(first.key).content) == set(read_phrase(second.key).content)
    if (
        not _same_manner(manner(one), manner(other), source, same_words)
        or _is_over(one, other)
        or _is_over(other, one)
        or (source in (SURE, FAMILY) and not _same_time(one, other))
    ):
        return False
    if source == SHARED and (_is_indirect(left) or _is_indirect(right)):
        return False
    if left.copular and right.copular and (_tells_more(first, second) or _tells_more(second, first)):
        return False
    if source in (SURE, FAMILY, TYPED) or turned:
        return True
    opposites = {other for word in left.content for table in (OPPOSITES, ANTONYMS) for other in table.get(word, ())}
    if not opposites.isdisjoint(right.content):
        return False
    prepositions = {phrase.preposition for phrase, form in ((left, first), (right, second)) if not form.turned}
    alike = set(left.content) <= set(right.content) or set(right.content) <= set(left.content)
    return not alike or len(prepositions) < 2


def _tells_more(one: PlainForm, other: PlainForm) -> bool:
    """Whether one is more specific than the other: *is the state capital of*, *is the capital of*."""
    words, fewer = one.key.split(), other.key.split()
    return words[-2:] == fewer[-2:] and set(words) > set(fewer)


def _is_indirect(phrase: RelationPhrase) -> bool:
    """Whether a relation is unspecific (*is by*), or about something that an argument has.

    *acquired a definition in the work of*
    """
    bare = phrase.copular and phrase.content == phrase.bases
    return bare or (phrase.preposition == "of" and len(phrase.content) > _MOST_CONTENT)


def _same_manner(one: Manner, other: Manner, source: str, same_words: bool) -> bool:
    """Whether the manner agrees; with evidence of a family or of shared arguments, one side may have *not*."""
    if source in (SURE, FAMILY):
        return (one.modals, one.hedges) == (other.modals, other.hedges)
    if source == SHARED and not same_words:
        here, there = one.hedges | one.modals, other.hedges | other.modals
        return one.past == other.past and (not here or not there or here == there)
    return one == other


def _same_time(one: str, other: str) -> bool:
    """Whether the tenses of two wordings of a family agree: *is* and *was the founder of* do, *the owner of* do not.

    Tense matters for states only; an activity under way, *was writing*, need not have been completed.
    """
    if manner(one).past == manner(other).past:
        return True
    if _is_under_way(one) or _is_under_way(other):
        return False
    if not all(plain_form(text).key.startswith("be ") or lasts(text) for text in (one, other)):
        return True
    first, second = ({family for family, _ in families().of.get(plain_form(text).key, ())} for text in (one, other))
    return not families().events.isdisjoint(first & second)


def _is_under_way(text: str) -> bool:
    return read_phrase(text).copular and not plain_form(text).key.startswith("be ")


def _is_over(one: str, other: str) -> bool:
    """Whether one states that something is over, and the other that it is not."""
    return is_former(one) and not is_former(other) and not read_phrase(other).past
