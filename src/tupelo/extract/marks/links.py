"""The link of a clause to the rest of its sentence, and the signature that the word above gives to it.

The label of a parser alone does not say it: *if* opens a condition or a question, *how it works* is attached to
*how*, and the infinitive of *made an attempt to escape* to either word before it.
"""

from __future__ import annotations

from typing import NamedTuple

from tupelo.extract.marks.operators import denies, modalities
from tupelo.extract.marks.predicates import first_verb, has_infinitive_mark, opening_of
from tupelo.nlp.languages import word_set, words
from tupelo.nlp.languages.en import embedding
from tupelo.nlp.languages.en.embedding import CLAUSES, GERUNDS, IMPLIED, INFINITIVES, EmbeddingSignature
from tupelo.nlp.languages.en.grammar import CONDITION_PHRASES, CONDITIONS, QUESTIONS, SPEECH_VERBS
from tupelo.nlp.syntax import QUESTION_TAGS, DependencyTree, remembered


def signature_of(tree: DependencyTree, clause: int, head: int) -> EmbeddingSignature:
    """The signature that the head gives to a clause."""
    form, lemma = form_of(tree, clause), tree.lemmas[head]
    special = None
    if form is INFINITIVES:
        special = _of_infinitive(tree, clause, head)
    elif form is CLAUSES and lemma in embedding.DIRECTIVES and _is_wish(tree, clause, head):
        special = embedding.DIRECTIVE
    elif lemma in ("sure", "certain") and tree.base[head] == "xcomp":
        # "make sure that it works"
        special = IMPLIED
    elif lemma == "believe" and denies(tree, head) and "possible" in modalities(tree, head):
        # "I can't believe that he came": he did.
        special = embedding.FACTIVE
    above = tree.heads[head] if tree.base[head] in ("obj", "nsubj") and tree.base[clause] == "acl" else None
    denied = entry_of(tree, clause, above, form) if special is None and above is not None else None
    if denied is not None and not denied.affirmed.holds:
        # "missed the chance to win", "dismissed reports that he had lied", "the claim that he lied is false"
        return denied
    return special or entry_of(tree, clause, head, form) or _default(tree, clause, head, form)


def form_of(tree: DependencyTree, clause: int) -> dict[str, EmbeddingSignature]:
    """The table for clauses of this form."""
    if has_infinitive_mark(tree, clause):
        return INFINITIVES
    tag = tree.tag(first_verb(tree, clause))
    if tag == "VBG":
        return GERUNDS
    if tree.base[clause] == "xcomp":
        return INFINITIVES
    # "let him go", but "suggested she go"
    bare = tag == "VB" and opening_of(tree, clause) is None
    wished = tree.child(clause, "nsubj") is not None and tree.lemmas[tree.heads[clause] or 0] in embedding.DIRECTIVES
    return INFINITIVES if bare and not wished else CLAUSES


def entry_of(
    tree: DependencyTree, clause: int, head: int, form: dict[str, EmbeddingSignature]
) -> EmbeddingSignature | None:
    """The signature of a word, looked up with its particle or the preposition of a gerund first."""
    lemma, opening = tree.lemmas[head], opening_of(tree, clause)
    keys = [particled(tree, head)]
    if opening is not None and form is GERUNDS:
        keys.append(f"{lemma} {opening}")
    else:
        keys += [lemma, tree.lowered[head]]
    return next((form[key] for key in keys if key in form), None)


def particled(tree: DependencyTree, verb: int) -> str:
    """A verb with its particle: *give up*, *go on*."""
    following = tree.lowered[verb + 1] if verb + 1 < tree.size and tree.heads[verb + 1] == verb else ""
    return f"{tree.lemmas[verb]} {following}"


def degree_of(tree: DependencyTree, head: int) -> str | None:
    """*too* or *enough* of what leads to the clause: *too tired to*, *ran fast enough to*."""
    further = (below for child in tree.children(head, "advmod", "obj") for below in tree.below[child])
    words = (tree.lowered[word] for word in (*tree.below[head], *further))
    return next((word for word in words if word in ("too", "enough")), None)


def _of_infinitive(tree: DependencyTree, clause: int, head: int) -> EmbeddingSignature | None:
    """The signatures of infinitives that depend on more than the word above."""
    degree, lemma = degree_of(tree, head), tree.lemmas[head]
    if degree == "enough" and tree.upos(head) == "ADJ":
        # "old enough to vote", but "kind enough to help"
        return INFINITIVES.get(lemma, embedding.POSSIBLE)
    if degree is not None:
        return INFINITIVES[degree]
    if lemma == "go" and particled(tree, head) not in INFINITIVES:
        # Only "is going to win" is about the future.
        return None if tree.tag(head) == "VBG" and has_infinitive_mark(tree, clause) else IMPLIED
    if lemma == "have" and tree.has_word((*tree.below[head], *tree.below[clause]), ("yet",)):
        return INFINITIVES["fail"]
    if lemma == "have" and tree.child(head, "obj") is not None:
        return IMPLIED
    ranked = tree.has_word((head, *tree.children(head, "amod")), embedding.RANKS)
    return IMPLIED if ranked and tree.base[clause] == "acl" else None


def _is_wish(tree: DependencyTree, clause: int, head: int) -> bool:
    """*suggested that he leave*: a bare form, or a present after the past."""
    verb = first_verb(tree, clause)
    if tree.tag(verb) == "VB" or tree.lowered[verb] == "should":
        return True
    past = tree.tag(head) in ("VBD", "VBN") and tree.lemmas[head] != "say"
    return past and verb == clause and tree.tag(verb) == "VBP"


def _default(tree: DependencyTree, clause: int, head: int, form: dict[str, EmbeddingSignature]) -> EmbeddingSignature:
    """The signature of an unlisted word. There are many manners of speaking (*she texted that*), few factives."""
    label = tree.base[clause]
    if form is CLAUSES and label == "ccomp" and tree.upos(head) == "VERB":
        subject = tree.child(head, "nsubj", "expl")
        return embedding.FACTIVE if subject is not None and tree.lowered[subject] == "it" else embedding.REPORTED
    if form is CLAUSES or (form is GERUNDS and label == "csubj"):
        return embedding.FACTIVE
    if form is GERUNDS or label in ("xcomp", "ccomp"):
        return IMPLIED
    if label == "csubj":
        return embedding.POSSIBLE if tree.upos(head) in ("ADJ", "NOUN") else IMPLIED
    return IMPLIED if tree.upos(head) == "ADJ" else embedding.PURPOSE


_COMPLEMENTS = frozenset(["ccomp", "xcomp", "csubj"])
_PARTS_OF_A_PHRASE = word_set("nsubj obj iobj obl nmod appos advmod amod compound nummod")
_INVERTED = words("extraction", "inverted_auxiliaries")


class ClauseLink(NamedTuple):
    """The kind of a link, the word above, and the word that shows the kind: *if*, *who*.

    `complement`: the word above says something of the clause; `question` and `condition`: so does their opening;
    `adverbial`: beside the clause above; `relative`: part of a noun phrase; `phrase`: a noun within a clause;
    `conjunct`: coordinated; `aside`: anything else; `main`: nothing is above.
    """

    kind: str
    head: int
    word: int = -1


@remembered
def link_of(tree: DependencyTree, clause: int) -> ClauseLink:
    head, label = tree.heads[clause], tree.base[clause]
    if head is None or head == clause:
        # "If only she knew"
        alone = _condition_word(tree, clause, clause) if opening_of(tree, clause) == "if" else None
        return ClauseLink("main", clause) if alone is None else ClauseLink("condition", clause, alone)
    if label == "conj":
        return ClauseLink("conjunct", head)
    if label in _COMPLEMENTS or label in ("advcl", "acl"):
        if (question := _question(tree, clause, head)) is not None:
            return question
        if (word := _condition_word(tree, clause, head)) is not None:
            return ClauseLink("condition", head, word)
    if label in _COMPLEMENTS or _is_quoted(tree, clause, head):
        return ClauseLink("complement", _what_is_said(tree, clause, head))
    if label == "advcl":
        return _adverbial(tree, clause, head)
    if label == "acl":
        return ClauseLink("complement" if _is_noun_complement(tree, clause, head) else "relative", head)
    return ClauseLink("phrase" if label in _PARTS_OF_A_PHRASE else "aside", head)


def _what_is_said(tree: DependencyTree, clause: int, head: int) -> int:
    """*it remains possible that*, *made it impossible to*: the predicate beside the clause says it, not the verb."""
    for beside in tree.children(head, "xcomp"):
        if beside != clause and tree.upos(beside) == "ADJ" and tree.lemmas[beside] in form_of(tree, clause):
            return beside
    return head


def _is_quoted(tree: DependencyTree, clause: int, head: int) -> bool:
    """*She said: it rains.*"""
    if tree.base[clause] != "parataxis" or tree.lemmas[head] not in SPEECH_VERBS or clause < head:
        return False
    return tree.child(head, "ccomp", "xcomp", "obj") is None


def _adverbial(tree: DependencyTree, clause: int, head: int) -> ClauseLink:
    """An adverbial of the parser may be a complement of its head: *eager to go*, *kept from going*."""
    if has_infinitive_mark(tree, clause):
        thing = tree.child(head, "obj")
        if thing is not None and tree.lemmas[head] in embedding.EXISTENCE_VERBS and tree.lemmas[thing] in INFINITIVES:
            return ClauseLink("complement", thing)
        said = _what_is_said(tree, clause, head)
        is_adjective = said != head or tree.upos(head) == "ADJ"
        spoken_of = is_adjective or degree_of(tree, head) is not None or particled(tree, head) in INFINITIVES
        return ClauseLink("complement" if spoken_of else "adverbial", said)
    if opening_of(tree, clause) == "that":
        said = _what_is_said(tree, clause, head)
        return ClauseLink("complement" if said != head or tree.lemmas[said] in CLAUSES else "adverbial", said)
    is_gerund = clause > head and form_of(tree, clause) is GERUNDS
    return ClauseLink("complement" if is_gerund and entry_of(tree, clause, head, GERUNDS) else "adverbial", head)


def _is_noun_complement(tree: DependencyTree, clause: int, noun: int) -> bool:
    """*the claim that*, *a plan to*, *the risk of losing*."""
    if opening_of(tree, clause) == "that" or has_infinitive_mark(tree, clause):
        return True
    if tree.labels[clause] == "acl:relcl":
        return False
    form = form_of(tree, clause)
    finite = form is not CLAUSES or tree.child(clause, "nsubj") is not None
    return finite and entry_of(tree, clause, noun, form) is not None


def _question(tree: DependencyTree, clause: int, head: int) -> ClauseLink | None:
    """The link of an indirect question, or of any clause that a question word opens."""
    above = tree.heads[head]
    if tree.labels[clause].endswith(":relcl") and above is not None:
        # "nobody knows what she sold", "how it works": the clause is attached to the question word.
        words = [head, *(child for child in tree.below[head] if child < head)]
        word = next((word for word in words if tree.tag(word) in QUESTION_TAGS), None)
        openings = {tree.lowered[case] for case in tree.children(head, "case")}
        if word is not None and openings <= {"about", "of", "on", "over"}:
            return ClauseLink("question", above, word)
    opening = [child for child in tree.children(clause, "mark") if tree.lowered[child] in QUESTIONS]
    if opening and _asks_with_if(tree, clause, head):
        return ClauseLink("question", head, opening[0])
    asked = tree.base[clause] == "acl" or (clause > head and tree.lemmas[head] in ("ask", "wonder"))
    if tree.base[clause] in _COMPLEMENTS or (asked and tree.lemmas[head] in embedding.ASKING):
        word = _question_word(tree, clause, head)
        return None if word is None else ClauseLink("question", head, word)
    return None


def _asks_with_if(tree: DependencyTree, clause: int, head: int) -> bool:
    """Whether *if* or *whether* opens a question, not a condition."""
    opening = (opening_of(tree, clause) or "").split()
    if tree.base[clause] != "advcl" or "whether" in opening[1:]:
        return True
    if clause < head:
        return False
    before = tree.subtree(clause)[0] - 1
    if opening[0] == "whether":
        return tree.lowered[before] != "," and "not" not in opening
    if tree.lemmas[head] == "see" and (before != head or tree.tag(head) not in ("VB", "VBN")):
        return False
    return tree.lemmas[head] in embedding.ASKING and tree.child(head, "obj", "ccomp") is None


def _question_word(tree: DependencyTree, clause: int, head: int) -> int | None:
    first = tree.subtree(clause)[0]
    if tree.tag(first) == "IN" and first + 1 < tree.size:
        first += 1
    elif tree.heads[first - 1] == head and first and tree.tag(first - 1) == "WRB":
        return first - 1
    if tree.tag(first) not in QUESTION_TAGS or tree.base[first] == "mark":
        return None
    alone = first == clause and tree.child(clause, "cop", "nsubj") is None
    return None if alone else first


def condition_of(tree: DependencyTree, clause: int) -> int | None:
    """The clause or phrase on which a clause depends."""
    for child in tree.children(clause, "advcl", "obl", "advmod"):
        if link_of(tree, child).kind == "condition":
            return child
        for below in tree.children(child, "acl", "advcl", "ccomp"):
            link = link_of(tree, below)
            if link.kind == "condition" and link.word == child:
                return child
    return None


def _condition_word(tree: DependencyTree, clause: int, head: int) -> int | None:
    """The word that makes a clause a condition: *if*, or the auxiliary of *had the guard locked the gate*."""
    opening = opening_of(tree, clause)
    if tree.base[clause] in _COMPLEMENTS:
        # "provided that it rains", where the parser takes the first word for a verb.
        supposes = tree.base[head] == "advcl" and tree.lowered[head] in CONDITIONS
        return head if supposes and tree.child(head, "nsubj", "aux") is None else None
    if tree.base[head] in ("obl", "advmod") and (tree.lowered[head], opening) in CONDITION_PHRASES:
        # "as long as it rains", "in the event that it rains"
        return head
    if opening is not None and (opening in CONDITIONS or opening.partition(" ")[0] in CONDITIONS):
        return next(child for child in tree.below[clause] if tree.base[child] in ("mark", "advmod", "case"))
    verb = first_verb(tree, clause) if opening is None else tree.child(clause, "mark")
    subject = tree.child(clause, "nsubj", "expl")
    if verb is None or subject is None or tree.base[clause] != "advcl":
        return None
    return verb if tree.lowered[verb] in _INVERTED and verb < tree.subtree(subject)[0] else None
