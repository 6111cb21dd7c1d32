"""Under which reservations a sentence claims a tuple: negation, modality, attribution, context.

The marks are read off the words of the relation and the parse, so they can be
set on the tuples of any extractor that says where its words are.

- `negated`: the relation is denied, by *not* or *never*, by *no* on an
  argument, by *nor*, or by a verb that denies what follows (*failed to win*).
  Two denials cancel out.
- `modality`: `possible` (can, may, perhaps), `probable` (likely, seems to),
  `necessary` (must, has to), `future` (will, is going to), `hypothetical`
  (would), `intended` (wants to, tried to; purposes); `None` for a plain claim.
- `attribution`: who says so and with which verb, for reported speech, direct
  or indirect, and for *according to*.
- `context`: an argument whose role says what it is: `condition` (the clause
  on which the tuple depends), `hypothesis` (the tuple is itself inside a
  condition; the text is the word that opens it), `belief` (who believes it),
  `question` (the tuple is asked, not told).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tupelo.core import Analysis, Argument, Attribution, Extraction
from tupelo.extract.parts import make_part
from tupelo.extract.tree import Tree
from tupelo.extract.words import (
    BELIEF_NOUNS,
    BELIEF_VERBS,
    CONDITIONS,
    HEARSAY_ADVERBS,
    MODAL_ADVERBS,
    MODAL_HEADS,
    MODAL_VERBS,
    NEGATIONS,
    NEGATIVE_ADJECTIVES,
    NEGATIVE_DETERMINERS,
    NEGATIVE_PRONOUNS,
    NEGATIVE_VERBS,
    OPINION_NOUNS,
    PREVENTING_VERBS,
    QUESTIONS,
    SPEECH_NOUNS,
    SPEECH_VERBS,
)

# Words that serve the word above them; in a relation they stand for it.
_SERVANTS = frozenset(["aux", "cop", "advmod", "compound", "expl"])
# Words that open what follows: *that* at the end of a relation says nothing about the relation itself.
_OPENERS = frozenset(["mark", "case", "cc", "det", "fixed", "punct"])
_SUBJECTS = ("nsubj", "csubj")
_CLAUSES_BELOW = frozenset(["xcomp", "advcl", "acl", "ccomp", "csubj"])
_ONLY = frozenset(["only", "just", "merely", "simply"])
_HEARSAY_VERBS = frozenset(["say", "report", "allege", "claim", "rumor", "rumour"])
# Links that a reservation passes through on its way down.
_PASSED = frozenset(
    ["conj", "xcomp", "ccomp", "advcl", "acl", "csubj", "parataxis", "appos", "nsubj", "obj", "obl", "nmod", "advmod"]
)
_MARK_ORDER = ("necessary", "possible", "probable", "hypothetical", "intended", "future")


@dataclass(frozen=True, slots=True)
class Marks:
    """What `mark` sets."""

    negated: bool = False
    modality: str | None = None
    attribution: Attribution | None = None
    context: Argument | None = None


def mark(extraction: Extraction, analysis: Analysis, tree: Tree | None = None) -> Extraction:
    """The same tuple with its reservations; unchanged when its words have no known place."""
    if extraction.rel.tokens is None:
        return extraction
    arguments = tuple(argument.tokens or () for argument in extraction.arguments)
    found = marks_of(tree or Tree(analysis), extraction.rel.tokens, arguments)
    return replace(
        extraction,
        negated=found.negated,
        modality=found.modality,
        attribution=found.attribution,
        context=found.context,
    )


def marks_of(tree: Tree, relation: tuple[int, ...], arguments: tuple[tuple[int, ...], ...]) -> Marks:
    """The reservations of a relation with these words and arguments."""
    predicates = predicates_of(tree, relation)
    if not predicates:
        # An implied relation, such as that of an apposition: it is claimed wherever its first argument is.
        first = tree.head_of(arguments[0]) if arguments and arguments[0] else None
        clause = _clause_above(tree, first)
        if clause is None:
            return Marks()
        return Marks(attribution=_attribution(tree, clause, frozenset()), context=None)
    top = min(predicates, key=lambda index: (sum(1 for _ in tree.path(index)), index))
    inside = frozenset(predicates)
    heads = [head for tokens in arguments if (head := tree.head_of(tokens)) is not None]
    # Several tuples of one clause have the same predicates.
    if inside not in tree.memory:
        tree.memory[inside] = (
            _modality(tree, predicates, top),
            _attribution(tree, top, inside),
            _context(tree, top, inside),
        )
    return Marks(_is_negated(tree, predicates, heads), *tree.memory[inside])


def predicates_of(tree: Tree, relation: tuple[int, ...]) -> list[int]:
    """The verbs, adjectives or nouns that a relation consists of: *had*, *talked* in *had to be talked into*."""
    found: list[int] = []
    for token in relation:
        if tree.base[token] in _OPENERS:
            continue
        index = token
        seen = {index}
        while tree.base[index] in _SERVANTS and (head := tree.heads[index]) is not None and head not in seen:
            index = head
            seen.add(head)
        if index not in found and _can_be_predicate(tree, index, token):
            found.append(index)
    return found


def _can_be_predicate(tree: Tree, index: int, token: int) -> bool:
    """Not a noun inside the relation (*made an offer on*), unless a copula or an auxiliary stands for it."""
    if tree.upos(index) in ("VERB", "AUX"):
        return True
    stands_for_it = index != token and tree.base[token] in ("cop", "aux")
    return stands_for_it or tree.child(index, "cop") is not None


def _clause_above(tree: Tree, index: int | None) -> int | None:
    if index is None:
        return None
    for above in (index, *tree.path(index)):
        if tree.upos(above) in ("VERB", "AUX") or tree.child(above, "cop", "nsubj") is not None:
            return above
    return None


def _is_negated(tree: Tree, predicates: list[int], argument_heads: list[int]) -> bool:
    denials = sum(_own_denials(tree, predicate) for predicate in predicates)
    denials += sum(_denies_what_follows(tree, predicate, predicates) for predicate in predicates)
    denials += sum(_is_denied_from_above(tree, predicate, predicates) for predicate in predicates)
    denials += any(_denies(tree, head) for head in argument_heads)
    return denials % 2 == 1


def _denies_what_follows(tree: Tree, predicate: int, predicates: list[int]) -> bool:
    """*failed to reach*, *was unable to pay*."""
    if tree.lemmas[predicate] not in NEGATIVE_VERBS | NEGATIVE_ADJECTIVES:
        return False
    told = any(tree.heads[other] == predicate and tree.base[other] in _CLAUSES_BELOW for other in predicates)
    return told or (predicate == predicates[-1] and tree.child(predicate, "xcomp") is not None)


def _is_denied_from_above(tree: Tree, predicate: int, predicates: list[int]) -> bool:
    """An infinitive that is told without the verb above it (*reach* without *failed to*) is denied all the same."""
    head = tree.heads[predicate]
    if head is None or head in predicates or tree.base[predicate] not in ("xcomp", "advcl", "ccomp"):
        return False
    lemma = tree.lemmas[head]
    if lemma in PREVENTING_VERBS:
        return any(tree.lower(opening) == "from" for opening in tree.children(predicate, "mark"))
    return lemma in NEGATIVE_VERBS | NEGATIVE_ADJECTIVES and _has_infinitive_mark(tree, predicate)


def _has_infinitive_mark(tree: Tree, index: int) -> bool:
    return any(tree.lower(child) == "to" for child in tree.children(index, "mark"))


def _own_denials(tree: Tree, predicate: int) -> int:
    """Negations on a predicate, or shared with the one that it is coordinated with."""
    if denies_itself(tree, predicate):
        return 1
    if tree.base[predicate] != "conj":
        return 0
    joint = [tree.lower(child) for child in tree.children(predicate, "cc")]
    if "nor" in joint:
        return 1
    if "but" in joint or tree.child(predicate, *_SUBJECTS) is not None:
        return 0
    first = tree.heads[predicate]
    if first is None or not denies_itself(tree, first):
        return 0
    # "did not eat or drink": the form says that the auxiliary, and with it the negation, is shared.
    own_auxiliary = tree.child(predicate, "aux", "cop") is not None
    same_form = tree.tag(predicate) == tree.tag(first)
    shares = same_form and tree.child(first, "aux", "cop") is not None
    return int(not own_auxiliary and (shares or "or" in joint))


def denies_itself(tree: Tree, predicate: int) -> bool:
    """Whether a negation hangs on the predicate; *not only* is none."""
    found = sum(_is_denial(tree, predicate, child) for child in tree.below[predicate])
    if tree.upos(predicate) in ("NOUN", "PROPN", "ADJ") and tree.child(predicate, "cop") is not None:
        found += any(tree.lower(child) == "no" for child in tree.children(predicate, "det"))
    return found % 2 == 1


def _is_denial(tree: Tree, predicate: int, child: int) -> bool:
    word, label = tree.lower(child), tree.base[child]
    following = tree.lower(child + 1) if child + 1 < tree.size else ""
    if word in NEGATIONS and label in ("advmod", "cc", "aux", "det", "discourse"):
        # "but" and "nor" between predicates are looked at where the second one is.
        return following not in _ONLY and not (label == "cc" and tree.base[predicate] == "conj")
    if word == "longer":
        return any(tree.lower(below) == "no" for below in tree.below[child])
    if word == "without":
        return label in ("mark", "case")
    return (word == "no" and label == "advmod") or _denies_circumstances(tree, child)


def _denies_circumstances(tree: Tree, index: int) -> bool:
    """*Under no circumstances*, *at no time*: it is the predicate that is denied."""
    return (
        tree.base[index] in ("obl", "advmod")
        and tree.lemmas[index] in ("way", "time", "circumstance", "circumstances", "means", "case", "point")
        and any(tree.lower(below) == "no" and tree.base[below] == "det" for below in tree.below[index])
    )


def _denies(tree: Tree, head: int) -> bool:
    """An argument that says that there is nothing in its place: *no player*, *nobody*, *none of them*."""
    if _denies_circumstances(tree, head):
        # Counted with the predicate.
        return False
    if tree.lower(head) in NEGATIVE_PRONOUNS:
        return True
    if tree.lower(head) == "one" and any(tree.lower(child) == "no" for child in tree.below[head]):
        return True
    if tree.child(head, "cop") is not None:
        # What hangs on a predicate noun was counted with the predicate.
        return False
    for child in tree.below[head]:
        word = tree.lower(child)
        following = tree.lower(child + 1) if child + 1 < tree.size else ""
        if word in NEGATIVE_DETERMINERS and tree.base[child] in ("det", "cc", "advmod") and following != "longer":
            return True
        if word == "not" and tree.base[child] == "advmod" and following not in _ONLY:
            return child < head
    return False


def _modality(tree: Tree, predicates: list[int], top: int) -> str | None:
    found: list[str] = []
    for position, predicate in enumerate(predicates):
        for child in tree.below[predicate]:
            if tree.base[child] == "aux" and (kind := MODAL_VERBS.get(tree.lower(child))):
                if tree.lower(child) in ("'d", "’d") and tree.tag(predicate) in ("VBN", "VBD"):
                    continue
                found.append(kind)
            elif tree.base[child] == "advmod" and (kind := MODAL_ADVERBS.get(tree.lower(child))):
                found.append(kind)
        more = position + 1 < len(predicates)
        alone = _governs_infinitive(tree, predicate) and tree.child(predicate, "obj") is None
        if (more or alone) and (kind := _modal_head(tree, predicate)):
            found.append(kind)
    found.extend(_shared_modality(tree, top) if not found else ())
    head = tree.heads[top]
    if head is not None and tree.base[top] in _CLAUSES_BELOW and _has_infinitive_mark(tree, top):
        kind = _modal_head(tree, head)
        if kind is None and tree.base[top] in ("advcl", "acl"):
            kind = "intended"
        found.extend([kind] if kind else ())
    if not found and tree.upos(top) == "ADJ" and tree.lemmas[top] in ("likely", "unlikely", "possible", "impossible"):
        found.append(MODAL_HEADS[tree.lemmas[top]])
    return min(found, key=_MARK_ORDER.index, default=None)


def _shared_modality(tree: Tree, predicate: int) -> list[str]:
    """*will sing and dance*: a bare form shares the auxiliary of the verb that it is coordinated with."""
    first = tree.heads[predicate]
    if first is None or tree.base[predicate] != "conj" or tree.tag(first) != tree.tag(predicate):
        return []
    if tree.tag(predicate) not in ("VB", "VBN", "VBG") or tree.child(predicate, "aux", "cop", *_SUBJECTS) is not None:
        return []
    return [kind for child in tree.children(first, "aux") if (kind := MODAL_VERBS.get(tree.lower(child)))]


def _governs_infinitive(tree: Tree, predicate: int) -> bool:
    return any(_has_infinitive_mark(tree, child) for child in tree.children(predicate, "xcomp"))


def _modal_head(tree: Tree, index: int) -> str | None:
    """What a verb or adjective says about the infinitive below it."""
    lemma = tree.lemmas[index]
    if lemma in ("have", "have got", "get") and tree.upos(index) in ("VERB", "AUX"):
        return "necessary" if lemma == "have" and tree.child(index, "obj") is None else None
    if lemma == "go":
        return "future" if tree.tag(index) == "VBG" else None
    return MODAL_HEADS.get(lemma)


def _attribution(tree: Tree, top: int, inside: frozenset[int]) -> Attribution | None:
    """The nearest speaker above the clause of `top`."""
    for other in sorted(inside):
        verb = tree.heads[other]
        # "was said to have fled": the relation tells of the hearsay itself.
        if verb in inside and tree.base[other] == "xcomp" and _is_hearsay(tree, verb):
            return Attribution(None, _verb_text(tree, verb))
    for step in (top, *tree.path(top)):
        found = _said_beside(tree, step, inside) or _said_above(tree, step, inside)
        if found is not None:
            return found
        if tree.base[step] not in _PASSED:
            return None
    return None


def _is_hearsay(tree: Tree, verb: int) -> bool:
    return tree.lemmas[verb] in _HEARSAY_VERBS and tree.child(verb, "aux:pass") is not None


def _said_above(tree: Tree, clause: int, inside: frozenset[int]) -> Attribution | None:
    """The speaker of the verb or noun of speech on which a clause hangs."""
    head, label = tree.heads[clause], tree.base[clause]
    if head is None:
        return None
    lemma = tree.lemmas[head]
    if label == "ccomp" and lemma in SPEECH_VERBS and head not in inside:
        return speech(tree, head)
    if label == "xcomp" and _is_hearsay(tree, head):
        return Attribution(None, _verb_text(tree, head))
    if label == "xcomp" and lemma == "claim":
        return speech(tree, head)
    if label in ("acl", "ccomp") and lemma in SPEECH_NOUNS and _is_that_clause(tree, clause):
        owner = tree.child(head, "nmod:poss")
        return Attribution(_phrase_text(tree, owner) if owner is not None else None, tree.words[head].text)
    return None


def _is_that_clause(tree: Tree, index: int) -> bool:
    return any(tree.lower(child) == "that" for child in tree.children(index, "mark"))


def _said_beside(tree: Tree, index: int, inside: frozenset[int]) -> Attribution | None:
    """A speaker named beside a clause: *…, she said*; *according to her*; *reportedly*; *in her view*."""
    for child in tree.below[index]:
        base = tree.base[child]
        if child not in inside and _is_speech_beside(tree, child):
            return speech(tree, child)
        if base in ("obl", "advcl", "nmod") and any(
            tree.lower(below) == "according" for below in (child, *tree.below[child])
        ):
            speaker = child
            if tree.lower(child) == "according":
                speaker = tree.child(child, "obl", "nmod", "obj") or child
            return Attribution(_phrase_text(tree, speaker), "according to")
        if base == "advmod" and tree.lower(child) in HEARSAY_ADVERBS:
            return Attribution(None, tree.words[child].text)
        if base == "obl" and tree.lemmas[child] in OPINION_NOUNS:
            owner = tree.child(child, "nmod:poss")
            if owner is None and tree.lemmas[child] in ("view", "opinion"):
                owner = tree.child(child, "nmod")
            if owner is not None and any(
                tree.lower(case) in ("in", "to", "by") for case in tree.children(child, "case")
            ):
                return Attribution(_phrase_text(tree, owner), f"in {tree.lower(child)}")
    return None


def _is_speech_beside(tree: Tree, verb: int) -> bool:
    """A clause with a speaker that does not say itself what was said: *she said*, *as she said*."""
    if tree.lemmas[verb] not in SPEECH_VERBS or tree.base[verb] not in ("parataxis", "discourse", "advcl"):
        return False
    if tree.child(verb, "ccomp", "obj", "xcomp") is not None or tree.child(verb, "nsubj") is None:
        return False
    return tree.base[verb] != "advcl" or any(tree.lower(opening) == "as" for opening in tree.children(verb, "mark"))


def speech(tree: Tree, verb: int) -> Attribution:
    """Speaker and verb of a clause of saying."""
    subject = _subject_of(tree, verb)
    if subject is None:
        agent = tree.child(verb, "obl:agent")
        subject = agent
    elif tree.labels[subject] == "nsubj:pass":
        # "she was told that": the one who is told does not speak.
        subject = tree.child(verb, "obl:agent")
    speaker = _phrase_text(tree, subject) if subject is not None else None
    return Attribution(speaker, _verb_text(tree, verb))


def _subject_of(tree: Tree, verb: int) -> int | None:
    """The subject of a verb, or of the verb that it is coordinated with or stands below."""
    for index in (verb, *tree.path(verb)):
        subject = tree.child(index, "nsubj")
        if subject is not None and tree.lower(subject) != "it":
            relative = tree.lower(subject) in ("who", "which", "that") and tree.labels[index] == "acl:relcl"
            return tree.heads[index] if relative else subject
        if subject is not None and tree.child(index, "expl") is None and tree.lower(subject) == "it":
            return subject
        if tree.labels[index] in ("advcl", "acl") and tree.base[index] == "acl":
            return tree.heads[index]
        if tree.base[index] not in ("conj", "xcomp", "advcl"):
            return None
    return None


def _verb_text(tree: Tree, verb: int) -> str:
    tokens = [verb, *tree.children(verb, "aux", "compound:prt")]
    tokens.extend(child for child in tree.children(verb, "advmod") if tree.lower(child) in NEGATIONS)
    return make_part(tree.analysis, sorted(tokens)).text


def _phrase_text(tree: Tree, head: int) -> str:
    return make_part(tree.analysis, phrase_of(tree, head)).text


def phrase_of(tree: Tree, head: int) -> list[int]:
    """A noun phrase without its preposition and without what a comma sets apart."""
    leave = [
        child for child in tree.below[head] if tree.base[child] in ("case", "appos", "cop", "mark", "nsubj", "advcl")
    ]
    leave += [
        child
        for child in tree.children(head, "acl")
        if tree.labels[child] == "acl:relcl" or (child and tree.lower(child - 1) == ",")
    ]
    leave += [
        child
        for child in tree.children(head, "parataxis", "punct")
        if tree.base[child] == "parataxis" or not _inside(tree, head, child)
    ]
    if tree.labels[head] == "nmod:poss":
        leave += tree.children(head, "case")
    return tree.trim(tree.subtree(head, leave)) or [head]


def _inside(tree: Tree, head: int, mark_: int) -> bool:
    """A mark between words of the phrase, such as the hyphen of a compound or a pair of quotes."""
    return tree.words[mark_].text not in (",", ";", ":", "--", "–", "—")


def _context(tree: Tree, top: int, inside: frozenset[int]) -> Argument | None:
    analysis = tree.analysis
    for step in (top, *tree.path(top)):
        label, head = tree.base[step], tree.heads[step]
        marks_ = tree.children(step, "mark")
        if label == "advcl":
            opening = next((index for index in marks_ if tree.lower(index) in CONDITIONS), None)
            if opening is None:
                opening = _inverted(tree, step)
            if opening is not None:
                return make_part(analysis, [opening], "hypothesis")
        if label == "ccomp" and head is not None:
            opening = next((index for index in marks_ if tree.lower(index) in QUESTIONS), None)
            if opening is not None:
                return make_part(analysis, [opening], "question")
        if label == "ccomp" and head is not None and head not in inside and tree.lemmas[head] in BELIEF_VERBS:
            return make_part(analysis, _believing(tree, head), "belief")
        if label == "acl" and head is not None and tree.lemmas[head] in BELIEF_NOUNS and _is_that_clause(tree, step):
            return make_part(analysis, tree.trim(phrase_of(tree, head)), "belief")
        condition = _condition_of(tree, step)
        if condition is not None and condition not in inside:
            return make_part(analysis, tree.trim(tree.subtree(condition)), "condition")
        if head is None:
            break
        if label not in ("conj", "xcomp", "ccomp", "advcl", "parataxis"):
            break
    root = [top, *tree.path(top)][-1]
    last = tree.size - 1
    while last > 0 and tree.lower(last) in ("''", '"', "”", ")"):
        last -= 1
    if last >= 0 and tree.words[last].text == "?" and _asked(tree, top, root):
        return make_part(analysis, [last], "question")
    return None


def _asked(tree: Tree, top: int, root: int) -> bool:
    """A question asks its main clause and what is coordinated with it."""
    index = top
    while index != root:
        if tree.base[index] not in ("conj", "xcomp"):
            return False
        head = tree.heads[index]
        if head is None:
            return False
        index = head
    return True


def _condition_of(tree: Tree, index: int) -> int | None:
    """The conditional clause on a predicate; a coordinated predicate shares the one of the first."""
    for child in tree.children(index, "advcl"):
        if any(tree.lower(opening) in CONDITIONS for opening in tree.children(child, "mark")):
            return child
        if _inverted(tree, child) is not None:
            return child
    return None


def _inverted(tree: Tree, clause: int) -> int | None:
    """The auxiliary that opens *had the contest gone on*."""
    subject = tree.child(clause, "nsubj")
    if subject is None or tree.child(clause, "mark") is not None:
        return None
    first = tree.subtree(subject)[0]
    for auxiliary in tree.children(clause, "aux", "cop"):
        if auxiliary < first and tree.lower(auxiliary) in ("had", "were", "should"):
            return auxiliary
    return None


def _believing(tree: Tree, verb: int) -> list[int]:
    subject = _subject_of(tree, verb)
    tokens = [verb, *tree.children(verb, "aux")]
    tokens.extend(child for child in tree.children(verb, "advmod") if tree.lower(child) in NEGATIONS)
    return [*(phrase_of(tree, subject) if subject is not None else []), *sorted(tokens)]
