"""How far a sentence commits itself to each of its clauses: one walk from the root down to a clause.

Every step adds what a clause says of itself (negation, modal verbs, a speaker beside it) to what the word above says of
it by its signature (`tupelo.nlp.languages.en.embedding`). Factives drop what is said of them, implicatives pass it on
or turn it round, adjuncts and relative clauses keep only whose words they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tupelo.core import Argument, Attribution
from tupelo.extract.marks.attribution import believed_beside, holder_of, said_beside, speech
from tupelo.extract.marks.operators import condition_of, denies, is_asked, is_light, is_order, modalities, opens_condition, shares
from tupelo.extract.marks.predicates import has_infinitive_mark, opening_of
from tupelo.extract.parts import make_part
from tupelo.nlp.languages.en.embedding import (
    ASKING,
    CLAUSES,
    DIRECTIVE,
    DIRECTIVES,
    FACTIVE,
    GERUNDS,
    IMPLIED,
    INFINITIVES,
    OPENINGS,
    POSSIBLE,
    PURPOSE,
    Signature,
)
from tupelo.nlp.languages.en.modality import QUESTIONS
from tupelo.nlp.syntax import DependencyTree

_MODALITY_ORDER = ("necessary", "possible", "probable", "hypothetical", "intended", "future")
_COMPLEMENTS = frozenset(["ccomp", "xcomp", "csubj"])
_PARTS_OF_A_PHRASE = frozenset(["nsubj", "obj", "iobj", "obl", "nmod", "appos", "advmod", "amod", "compound", "nummod"])


@dataclass(frozen=True, slots=True)
class Marks:
    """How a sentence qualifies a clause."""

    negated: bool = False
    modality: str | None = None
    attribution: Attribution | None = None
    context: Argument | None = None

    def framed(self) -> Marks:
        """Only whose words or beliefs they are: what is left for a clause that is presupposed."""
        kept = self.context if self.context is not None and self.context.role == "belief" else None
        return Marks(attribution=self.attribution, context=kept)

    def adverbial(self) -> Marks:
        """What is left for an adverbial clause: a hypothesis includes its adverbials."""
        kept = self.context if self.context is not None and self.context.role in ("belief", "hypothesis") else None
        return Marks(attribution=self.attribution, context=kept)

    def with_modality(self, *kinds: str) -> Marks:
        found = [*kinds, *([self.modality] if self.modality else [])]
        return replace(self, modality=min(found, key=_MODALITY_ORDER.index, default=None))


def standing(tree: DependencyTree, index: int) -> Marks:
    """The marks of the clause of a predicate, or of the clause in which a noun stands."""
    return _around_and_within(tree, index)[1]


def _around_and_within(tree: DependencyTree, index: int) -> tuple[Marks, Marks]:
    """The marks of a clause from above, and with its own."""
    key = ("standing", index)
    if key not in tree.memory:
        path = [index]
        for above in tree.path(index):
            if ("standing", above) in tree.memory:
                break
            path.append(above)
        for step in reversed(path):
            around = _from_above(tree, step)
            tree.memory["standing", step] = (around, _within(tree, step, around))
    found: tuple[Marks, Marks] = tree.memory[key]
    return found


def _from_above(tree: DependencyTree, clause: int) -> Marks:
    """What the rest of the sentence says of a clause."""
    head, label = tree.heads[clause], tree.base[clause]
    known = tree.memory.get(("standing", head))
    if head is None or known is None:
        return Marks()
    around, within = known
    if label == "conj":
        return _beside_a_conjunct(tree, clause, head, around, within)
    if label in ("acl", "advcl") and opens_condition(tree, clause) is not None and not _is_asked_with_if(tree, clause):
        return _hypothesis(tree, clause, within)
    if label in _COMPLEMENTS or (label in ("advcl", "acl") and _is_complement(tree, clause, head)):
        return _embedded(tree, clause, head, around, within)
    if label == "advcl":
        return _adverbial(tree, clause, head, within)
    if label == "acl":
        kept = within.framed()
        # "There was nobody who knew": the clause is denied with its noun.
        existential = tree.heads[head] is not None and tree.child(tree.heads[head] or 0, "expl") is not None
        return replace(kept, negated=within.negated and existential and tree.base[head] == "nsubj")
    if label in _PARTS_OF_A_PHRASE:
        return _in_phrase(tree, clause, head, within)
    return within.framed()


def _hypothesis(tree: DependencyTree, clause: int, within: Marks) -> Marks:
    opening = opens_condition(tree, clause)
    return replace(within.framed(), context=make_part(tree.analysis, [opening or 0], "hypothesis"))


def _is_asked_with_if(tree: DependencyTree, clause: int) -> bool:
    """*see if it works* is a question, whatever the parser takes it for."""
    head = tree.heads[clause]
    if head is None or head > clause or opening_of(tree, clause) not in QUESTIONS:
        return False
    return tree.lemmas[head] in ASKING and tree.child(head, "obj", "ccomp") is None


def _beside_a_conjunct(tree: DependencyTree, clause: int, first: int, around: Marks, within: Marks) -> Marks:
    """A coordinated clause stands where the first one does; a speaker or condition of the first is also its own."""
    asked = within.context is not None and within.context.role == "question" and within.context != around.context
    marks = replace(around, attribution=within.attribution, context=around.context if asked else within.context)
    if shares(tree, clause, first):
        marks = marks.with_modality(*modalities(tree, first))
    return marks


def _in_phrase(tree: DependencyTree, noun: int, head: int, within: Marks) -> Marks:
    """A noun is denied with its clause where the verb says only that there is such a thing."""
    if is_light(tree, head, noun):
        return replace(within, negated=False) if denies(tree, noun) else within
    return replace(within, negated=False, modality=None)


def _embedded(tree: DependencyTree, clause: int, head: int, around: Marks, within: Marks) -> Marks:
    """A clause below a word that says something of it."""
    question = _question_word(tree, clause)
    question = is_asked(tree, clause) if question is None else question
    if question is not None:
        return _indirect_question(tree, clause, head, question, within)
    signature = _signature(tree, clause, head)
    if signature.presupposes:
        return within.framed()
    holds, kinds = signature.denied if within.negated else signature.affirmed
    marks = replace(within, negated=not holds)
    reported = "speech" in kinds or "belief" in kinds
    if reported:
        # "she may say that": what is said has only the marks of its own words. "it is hard to say that": nobody does.
        marks = replace(marks, modality="possible" if around.modality == "possible" else None)
    if "speech" in kinds:
        marks = replace(marks, attribution=speech(tree, head))
    if "belief" in kinds and (within.context is None or within.context.role == "belief"):
        marks = replace(marks, context=make_part(tree.analysis, holder_of(tree, head), "belief"))
    return marks.with_modality(*(kind for kind in kinds if kind not in ("speech", "belief")))


def _indirect_question(tree: DependencyTree, clause: int, head: int, word: int, within: Marks) -> Marks:
    """*wondered who came* asks; *saw who came* presupposes that somebody did."""
    asked = tree.lowered[word] in QUESTIONS or tree.lemmas[head] in ASKING or within.negated
    asked = asked or (within.context is not None and within.context.role == "question")
    asked = asked or within.modality in ("intended", "necessary")
    if not asked:
        signature = CLAUSES.get(tree.lemmas[head])
        marks = within.framed()
        said = signature is not None and "speech" in signature.affirmed.marks
        return replace(marks, attribution=speech(tree, head)) if said else marks
    tokens = sorted({*holder_of(tree, head), word})
    return replace(within.framed(), context=make_part(tree.analysis, tokens, "question"))


def _question_word(tree: DependencyTree, clause: int) -> int | None:
    """The word that makes a clause a question."""
    for child in tree.children(clause, "mark"):
        if tree.lowered[child] in QUESTIONS:
            return child
    first = tree.subtree(clause)[0]
    if tree.tag(first) == "IN" and first + 1 < tree.size:
        first += 1
    is_asking = tree.tag(first) in ("WP", "WRB", "WDT", "WP$") and tree.base[first] != "mark"
    return first if is_asking and first != clause else None


def _is_complement(tree: DependencyTree, clause: int, head: int) -> bool:
    """Whether an adverbial or adnominal clause is what its head speaks of: *prevented from leaving*, *eager to go*."""
    if tree.labels[clause] == "acl:relcl":
        return False
    if tree.base[clause] == "advcl":
        if _is_asked_with_if(tree, clause):
            return True
        if has_infinitive_mark(tree, clause):
            return tree.upos(head) == "ADJ" or _degree(tree, head) is not None or tree.lemmas[head] in ("stop", "need")
        return _kind(tree, clause) is GERUNDS and _entry(tree, clause, head, GERUNDS) is not None
    if has_infinitive_mark(tree, clause):
        return True
    return opening_of(tree, clause) == "that" or _entry(tree, clause, head, _kind(tree, clause)) is not None


def _degree(tree: DependencyTree, head: int) -> str | None:
    """*too* or *enough* of what leads to the clause: *too tired to*, *ran fast enough to*."""
    near = tree.below[head]
    beside = [*near, *(below for child in near if tree.base[child] in ("advmod", "obj") for below in tree.below[child])]
    return next((tree.lowered[word] for word in beside if tree.lowered[word] in ("too", "enough")), None)


def _signature(tree: DependencyTree, clause: int, head: int) -> Signature:
    """What the head says of a clause."""
    kind = _kind(tree, clause)
    lemma, label = tree.lemmas[head], tree.base[clause]
    if kind is INFINITIVES:
        if (degree := _degree(tree, head)) is not None:
            return INFINITIVES[degree]
        if lemma == "go" and not (tree.tag(head) == "VBG" and has_infinitive_mark(tree, clause)):
            return IMPLIED
        if lemma == "have" and tree.child(head, "obj") is not None:
            return IMPLIED
        if label == "acl" and _is_ranked(tree, head):
            return IMPLIED
    if kind is CLAUSES and lemma in DIRECTIVES and _is_wish(tree, clause, head):
        return DIRECTIVE
    found = _entry(tree, clause, head, kind)
    if found is not None:
        return found
    if kind is CLAUSES:
        return FACTIVE
    if kind is GERUNDS or label in ("xcomp", "ccomp"):
        return IMPLIED
    if label == "csubj":
        return POSSIBLE if tree.upos(head) in ("ADJ", "NOUN") else IMPLIED
    return IMPLIED if tree.upos(head) == "ADJ" else PURPOSE


def _is_ranked(tree: DependencyTree, noun: int) -> bool:
    """*the first to*, *the only country to*."""
    ranks = ("first", "last", "only", "second", "third", "next", "latest", "youngest", "oldest")
    return any(tree.lowered[word] in ranks for word in (noun, *tree.children(noun, "amod")))


def _is_wish(tree: DependencyTree, clause: int, head: int) -> bool:
    """*suggested that he leave*: a bare form after the past."""
    verb = tree.child(clause, "aux", "cop")
    verb = clause if verb is None else verb
    if tree.lowered[verb] == "be" or (tree.tag(verb) == "VB" and tree.child(clause, "aux") is None):
        return True
    return tree.lowered[verb] == "should" or (tree.tag(verb) == "VBP" and tree.tag(head) in ("VBD", "VBN"))


def _kind(tree: DependencyTree, clause: int) -> dict[str, Signature]:
    """The table that tells of clauses of this form."""
    if has_infinitive_mark(tree, clause):
        return INFINITIVES
    first = next(iter(tree.children(clause, "aux", "cop")), clause)
    tag = tree.tag(first)
    if tag == "VBG":
        return GERUNDS
    if tree.base[clause] == "xcomp" or (tag == "VB" and opening_of(tree, clause) is None):
        return INFINITIVES
    return CLAUSES


def _entry(tree: DependencyTree, clause: int, head: int, table: dict[str, Signature]) -> Signature | None:
    """The signature of a word, looked up with its particle or the preposition of the gerund first."""
    lemma, opening = tree.lemmas[head], opening_of(tree, clause)
    particle = tree.child(head, "compound:prt")
    keys = [f"{lemma} {tree.lowered[particle]}"] if particle is not None else []
    if opening is not None and table is GERUNDS:
        keys.append(f"{lemma} {opening}")
    else:
        keys += [lemma, tree.lowered[head]]
    return next((table[key] for key in keys if key in table), None)


def _adverbial(tree: DependencyTree, clause: int, head: int, within: Marks) -> Marks:
    """A clause beside a clause."""
    opening = opening_of(tree, clause)
    marks = within.adverbial()
    if opening in OPENINGS and not (opening == "like" and _kind(tree, clause) is not CLAUSES):
        holds, kinds = OPENINGS[opening].affirmed
        return replace(marks, negated=not holds).with_modality(*kinds)
    if has_infinitive_mark(tree, clause):
        return replace(marks, negated=within.negated and opening != "in order").with_modality("intended")
    bare = opening in (None, "by") and tree.tag(clause) in ("VBG", "VBN") and tree.child(clause, "nsubj") is None
    if bare and clause > head and tree.lowered[tree.subtree(clause)[0] - 1] != ",":
        # "did not grow up watching": within the scope of what is said of the verb.
        return within
    return marks


def _within(tree: DependencyTree, clause: int, marks: Marks) -> Marks:
    """The marks of a clause from above together with what it says of itself."""
    if denies(tree, clause):
        marks = replace(marks, negated=not marks.negated)
    marks = marks.with_modality(*modalities(tree, clause))
    if is_order(tree, clause):
        marks = marks.with_modality("necessary")
    beside = said_beside(tree, clause)
    if beside is not None:
        marks = replace(marks, attribution=beside)
    believer = None if marks.context is not None else believed_beside(tree, clause)
    if believer is not None:
        marks = replace(marks, context=make_part(tree.analysis, believer, "belief"))
    asked = is_asked(tree, clause)
    if asked is not None and (marks.context is None or marks.context.role != "question"):
        return replace(marks, context=make_part(tree.analysis, [asked], "question"))
    if marks.context is None or marks.context.role == "belief":
        condition = condition_of(tree, clause)
        if condition is not None:
            tokens = tree.trim(tree.subtree(condition)) or [condition]
            return replace(marks, context=make_part(tree.analysis, tokens, "condition"))
    return marks
