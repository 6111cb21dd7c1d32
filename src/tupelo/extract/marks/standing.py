"""The commitment of a sentence to each of its clauses: one walk from the root down to a clause.

Every step adds what a clause says of itself (negation, modal verbs, a speaker or believer beside it) to what the word
above says of it by its signature (`tupelo.nlp.languages.en.embedding`). Factives drop the marks of the word above,
implicatives pass it on or turn it round, adjuncts and relative clauses keep only whose words they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tupelo.core import Argument, Attribution
from tupelo.extract.marks.links import ClauseLink, condition_of, form_of, link_of, signature_of
from tupelo.extract.marks.operators import denies, is_alternative, is_asked, is_light, is_order, modalities, shares
from tupelo.extract.marks.predicates import (
    has_infinitive_mark,
    opening_of,
    phrase_of,
    phrase_text,
    subject_of,
    verb_words,
)
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.embedding import ASKING, CLAUSES, FACTIVE, GERUNDS, INFINITIVES, OPENINGS, WITHIN_SCOPE
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import SUBJECTS, DependencyTree

# Words that a mark comes from, of those of a clause.
_SOURCES = {
    "negated": grammar.NEGATIONS | grammar.NEGATIVE_DETERMINERS | grammar.NEGATIVE_PRONOUNS,
    "modality": {"either", "or", *grammar.MODAL_VERBS, *grammar.MODAL_ADVERBS},
}
# Words before what an order waits for.
_AWAITED = frozenset(["until", "till", "when", "whenever", "once", "before", "after", "if"])


def said_beside(tree: DependencyTree, clause: int) -> Attribution | None:
    """A speaker named beside a clause: *…, she said*; *according to her*; *reportedly*; *in her view*."""
    for child in tree.below[clause]:
        base = tree.base[child]
        if _is_remark(tree, child, grammar.SPEECH_VERBS):
            return speech(tree, child)
        if base in ("obl", "advcl", "nmod") and tree.has_word((child, *tree.below[child]), ("according",)):
            inner = tree.child(child, "obl", "nmod", "obj") if tree.lowered[child] == "according" else None
            return Attribution(phrase_text(tree, child if inner is None else inner), "according to")
        if base == "advmod" and tree.lowered[child] in grammar.HEARSAY_ADVERBS:
            return Attribution(None, tree.words[child].text)
        if base == "obl" and tree.lemmas[child] in grammar.OPINION_NOUNS:
            owners = [*tree.children(child, "nmod:poss"), *tree.children(child, "nmod")]
            if owners and tree.has_word(tree.children(child, "case"), ("in", "to", "by")):
                return Attribution(phrase_text(tree, owners[0]), f"in {tree.lowered[child]}")
    return None


def _is_remark(tree: DependencyTree, verb: int, verbs: frozenset[str]) -> bool:
    """A clause that names a speaker but does not contain what was said: *she said*, *as she said*."""
    by_nobody = tree.has_word(tree.children(verb, "nsubj"), grammar.NEGATIVE_PRONOUNS)
    if tree.lemmas[verb] not in verbs or tree.child(verb, "ccomp", "obj", "xcomp") is not None or by_nobody:
        return False
    if tree.base[verb] == "advcl":
        return opening_of(tree, verb) == "as"
    return tree.base[verb] in ("parataxis", "discourse") and tree.child(verb, "nsubj") is not None


def speech(tree: DependencyTree, word: int) -> Attribution:
    """Speaker and verb or noun of a report."""
    if tree.upos(word) not in ("VERB", "AUX"):
        owner = tree.child(word, "nmod:poss")
        return Attribution(phrase_text(tree, owner) if owner is not None else None, tree.words[word].text)
    subject = subject_of(tree, word)
    if subject is None or tree.labels[subject] == "nsubj:pass" or tree.child(word, "aux:pass") is not None:
        # "she was told that": the subject is not the speaker.
        subject = tree.child(word, "obl:agent")
    is_hearsay = tree.lemmas[word] in grammar.HEARSAY_VERBS
    verb = make_part(tree.analysis, verb_words(tree, word, "aux", "compound:prt")).text
    return Attribution(None if subject is None or is_hearsay else phrase_text(tree, subject), verb)


def holder_of(tree: DependencyTree, word: int) -> list[int]:
    """The words that say who believes or asks: *she never thought*, *the belief*."""
    if tree.upos(word) not in ("VERB", "AUX") and tree.child(word, "cop", *SUBJECTS) is None:
        return phrase_of(tree, word)
    subject = subject_of(tree, word)
    return [*(phrase_of(tree, subject) if subject is not None else []), *verb_words(tree, word, "aux", "cop")]


_MODALITY_ORDER = ("necessary", "possible", "probable", "hypothetical", "intended", "alternative", "future")


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks of a clause."""

    negated: bool = False
    modality: str | None = None
    attribution: Attribution | None = None
    context: Argument | None = None

    @property
    def role(self) -> str | None:
        """The role of the context."""
        return self.context.role if self.context is not None else None

    @property
    def is_claim(self) -> bool:
        """Whether the clause is claimed, by whomever."""
        return not self.negated and self.modality is None and self.context is None

    def framed(self, *kept: str) -> Marks:
        """The marks of a presupposed clause: whose words and beliefs they are, and the contexts `kept`."""
        return Marks(attribution=self.attribution, context=self.context if self.role in ("belief", *kept) else None)

    def with_modality(self, *kinds: str) -> Marks:
        found = [*kinds, *([self.modality] if self.modality else [])]
        return replace(self, modality=min(found, key=_MODALITY_ORDER.index)) if kinds else self


def _around_and_within(tree: DependencyTree, index: int) -> tuple[Marks, Marks]:
    """The marks of a clause from above, and with its own."""
    if ("standing", index) not in tree.memory:
        path = [index]
        for above in tree.path(index):
            if ("standing", above) in tree.memory:
                break
            path.append(above)
        for step in reversed(path):
            around = _around(tree, step)
            tree.memory["standing", step] = (around, _within(tree, step, around))
    found: tuple[Marks, Marks] = tree.memory["standing", index]
    return found


def standing(tree: DependencyTree, index: int) -> Marks:
    """The marks of the clause of a predicate, or of the clause in which a noun stands."""
    return _around_and_within(tree, index)[1]


def source_of(tree: DependencyTree, clause: int, mark: str) -> int | None:
    """The word that gives `negated` or `modality` to a clause: one of its own, or the word above or before it."""
    for index in (clause, *tree.path(clause)):
        around, within = _around_and_within(tree, index)
        if getattr(around, mark) != getattr(within, mark):
            near = (*tree.below[index], *tree.below[tree.heads[index] or index])
            near += tuple(word for child in tree.below[index] for word in tree.below[child])
            return next((word for word in near if tree.lowered[word] in _SOURCES[mark]), index)
        link = link_of(tree, index)
        if getattr(standing(tree, link.head), mark) != getattr(around, mark):
            opening = tree.child(index, "mark", "case") if link.kind in ("adverbial", "relative") else None
            return link.head if opening is None else opening
    return None


def _around(tree: DependencyTree, clause: int) -> Marks:
    """The marks that a clause gets from the rest of the sentence."""
    link = link_of(tree, clause)
    around, within = Marks(), Marks()
    if link.head != clause:
        if ("standing", tree.heads[clause]) not in tree.memory:
            # Heads that form a cycle.
            return Marks()
        around, within = _around_and_within(tree, link.head)
    marks = _by_link(tree, clause, link, around, within)
    copula, subject = tree.child(clause, "cop"), tree.child(clause, "nsubj")
    if copula is None or subject is None or tree.upos(subject) != "NOUN" or subject > copula:
        return marks
    # *the claim is that he lied*, *our plan is to leave*: a clause as the predicate of a noun.
    if not any(copula < word for word in tree.children(clause, "mark")):
        return marks
    for word in tree.children(clause, "mark"):
        if tree.lowered[word] in grammar.QUESTIONS:
            return _asked(tree, ClauseLink("question", subject, word), marks)
    return _embedded(tree, clause, subject, marks, marks)


def _by_link(tree: DependencyTree, clause: int, link: ClauseLink, around: Marks, within: Marks) -> Marks:
    match link.kind:
        case "main":
            return within
        case "conjunct":
            return _coordinated(tree, clause, link.head, around, within)
        case "complement":
            return _embedded(tree, clause, link.head, around, within)
        case "condition":
            return replace(within.framed(), context=make_part(tree.analysis, [link.word], "hypothesis"))
        case "question":
            marks = _asked(tree, link, within)
            # "knows how to swim"
            return marks.with_modality("possible") if has_infinitive_mark(tree, clause) else marks
        case "adverbial":
            return _adverbial(tree, clause, link.head, within)
        case "relative":
            return _relative(tree, clause, link.head, within)
        case "phrase":
            return _in_phrase(tree, clause, link.head, within)
        case _:
            return within.framed()


def _coordinated(tree: DependencyTree, clause: int, first: int, around: Marks, within: Marks) -> Marks:
    """A coordinated clause stands where the first one does; a speaker or condition of the first is also its own."""
    marks = around
    if within.role != "question":
        marks = replace(marks, context=within.context)
    heard = within.attribution is not None and (within.attribution.verb or "").lower() in grammar.HEARSAY_ADVERBS
    if not (heard and tree.child(clause, "nsubj") is not None):
        marks = replace(marks, attribution=within.attribution)
    if has_infinitive_mark(tree, clause) and not has_infinitive_mark(tree, first):
        # "built for show and to impress"
        return marks.with_modality("intended")
    return marks.with_modality(*modalities(tree, first)) if shares(tree, clause, first) else marks


def _in_phrase(tree: DependencyTree, noun: int, head: int, within: Marks) -> Marks:
    """A noun is denied with its clause where the verb says only that there is such a thing."""
    if tree.lemmas[head] in ("lack", "absence"):
        return replace(within, negated=not within.negated)
    if is_light(tree, head, noun):
        return replace(within, negated=False) if denies(tree, noun) else within
    return replace(within, negated=False, modality=None)


def _embedded(tree: DependencyTree, clause: int, head: int, around: Marks, within: Marks) -> Marks:
    """A clause below a word that says something of it."""
    question = is_asked(tree, clause)
    if question is not None:
        return _asked(tree, ClauseLink("question", head, question), within)
    opening = opening_of(tree, clause)
    if opening == "but":
        # "had no choice but to resign"
        return within.framed().with_modality("necessary")
    signature = signature_of(tree, clause, head)
    noted = tree.lemmas[head] == "note" and is_order(tree, head)
    if noted or (signature == FACTIVE and form_of(tree, clause) is not INFINITIVES):
        return within.framed()
    holds, kinds = signature.denied if within.negated else signature.affirmed
    marks = replace(within, negated=not holds)
    if "speech" in kinds or "belief" in kinds:
        # "she may say that": the clause has only the marks of its own words. "it is hard to say that": nobody does.
        nobody = around.modality == "possible" and not within.negated
        falsely = tree.has_word(tree.children(head, "advmod"), grammar.FALSELY)
        marks = replace(marks, modality="possible" if nobody else None, negated=holds == falsely)
    if "speech" in kinds:
        marks = replace(marks, attribution=speech(tree, head))
    if "belief" in kinds and within.role in (None, "belief"):
        marks = replace(marks, context=make_part(tree.analysis, holder_of(tree, head), "belief"))
    return marks.with_modality(*(kind for kind in kinds if kind not in ("speech", "belief")))


def _asked(tree: DependencyTree, link: ClauseLink, within: Marks) -> Marks:
    """*wondered who came* asks; *saw who came* presupposes that somebody did."""
    asks = "?" in tree.text(link.word) or tree.lowered[link.word] in grammar.QUESTIONS
    asks = asks or tree.lemmas[link.head] in ASKING or within.role == "question"
    if asks or within.negated or within.modality in ("intended", "necessary"):
        tokens = sorted({*holder_of(tree, link.head), link.word})
        return replace(within.framed(), context=make_part(tree.analysis, tokens, "question"))
    signature = CLAUSES.get(tree.lemmas[link.head])
    if signature is not None and "speech" in signature.affirmed.marks:
        return replace(within.framed(), attribution=speech(tree, link.head))
    return within.framed()


def _relative(tree: DependencyTree, clause: int, noun: int, within: Marks) -> Marks:
    """A relative clause or participle; *there was nobody who knew* denies it with its noun."""
    if form_of(tree, clause) is GERUNDS and opening_of(tree, clause) == "for":
        # "a tool for cutting glass"
        return within.framed().with_modality("intended")
    above = tree.heads[noun]
    exists = above is not None and tree.base[noun] == "nsubj" and tree.child(above, "expl") is not None
    is_any = tree.has_word(tree.children(noun, "det"), ("a", "an", "any"))
    return replace(within.framed(*["hypothesis"] if is_any else ()), negated=within.negated and exists)


def _adverbial(tree: DependencyTree, clause: int, head: int, within: Marks) -> Marks:
    """A clause beside a clause."""
    opening, form = opening_of(tree, clause), form_of(tree, clause)
    # A hypothesis includes its adverbials.
    marks = within.framed("hypothesis")
    if opening in OPENINGS and not (opening == "like" and form is not CLAUSES):
        holds, kinds = OPENINGS[opening]
        return replace(marks, negated=not holds).with_modality(*kinds)
    mark = tree.child(clause, "mark", "advmod")
    if mark is not None and tree.lowered[mark] in _AWAITED and form is CLAUSES and is_order(tree, head):
        # *Wait until it boils*
        return replace(marks, context=make_part(tree.analysis, [mark], "hypothesis"))
    if has_infinitive_mark(tree, clause):
        return replace(marks, negated=within.negated and opening != "in order").with_modality("intended")
    bare = opening in WITHIN_SCOPE and tree.tag(clause) in ("VBG", "VBN") and tree.child(clause, "nsubj") is None
    if bare and clause > head and tree.lowered[tree.subtree(clause)[0] - 1] != ",":
        # "did not grow up watching": within the scope of the negation of the verb.
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
    # *it is, I think, a trap*
    believed = (child for child in tree.below[clause] if _is_remark(tree, child, grammar.BELIEF_VERBS))
    if marks.context is None and (belief := next(believed, None)) is not None:
        marks = replace(marks, context=make_part(tree.analysis, holder_of(tree, belief), "belief"))
    asked = is_asked(tree, clause)
    if asked is not None and marks.role != "question":
        return replace(marks, context=make_part(tree.analysis, [asked], "question"))
    condition = condition_of(tree, clause) if marks.role in (None, "belief") else None
    if condition is not None:
        tokens = tree.trim(tree.subtree(condition)) or [condition]
        return replace(marks, context=make_part(tree.analysis, tokens, "condition"))
    claimed = not marks.negated and marks.context is None and is_alternative(tree, clause)
    return marks.with_modality("alternative") if claimed else marks
