"""Inside noun phrases: genitives, conjuncts, relative clauses, participles and appositions."""

from __future__ import annotations

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import PARTICIPLE_PREPOSITIONS, STATEMENT_VERBS
from tupelo.nlp.languages.en.inflection import be, gerund
from tupelo.nlp.syntax import DependencyTree, is_run
from tupelo.robustness.rewrite import Proposals, clause_rule, edge_rule
from tupelo.robustness.rewrite.clause import FINITE, ClauseParts, relative_pronoun
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, regrouped, substituted

_OWNED_PREFIX = frozenset(["det", "amod", "compound", "nummod", "advmod", "punct", "flat"])
_DESCRIBING = words("rewriting", "describing_verbs")
_OF_NOUNS = words("rewriting", "of_nouns")
_LASTING = words("rewriting", "lasting_verbs")
_RESULT_VERBS = words("rewriting", "result_verbs")
_ARTICLES = ("a", "an", "the", "one")
_RESULTS = words("rewriting", "result_participles")


def _regrouped(tree: DependencyTree, group: tuple[int, ...], new: tuple[Item, ...]) -> RewriteDraft:
    """A draft with a reordered phrase; tuples follow the new order."""
    return RewriteDraft(regrouped(tree, group, new), regrouped=((group, new),))


@edge_rule
def genitive_to_of(tree: DependencyTree, owner: int, owned: int) -> Proposals:
    """*China 's parliament* -> *the parliament of China*."""
    mark, words = tree.children(owner, "case")[0], tree.subtree(owner)
    if owner > owned or tree.lowered[mark] not in ("'s", "'", "’s", "’") or words[-1] != mark:
        return
    if not is_run(words) or len(words) > 8 or tree.text(words[0]) in ("``", '"') or tree.has_text(words, ","):
        return
    if tree.lowered[words[0]] in ("a", "an") or tree.text(owned)[:1].isupper():
        # "a carpenter 's level" is a kind of level, and names stay as they are.
        return
    core = tuple(range(mark + 1, owned + 1))
    if tree.has_word(core, ("own",)) or any(
        tree.heads[i] != owned and i != owned and tree.base[i] not in _OWNED_PREFIX for i in core
    ):
        return
    if tree.child(owned, "nmod:poss") == owner and tree.children(owned, "nmod", "acl") != [owner]:
        return
    if _can_be_of(tree, owner, owned, words):
        yield _regrouped(tree, (*words, *core), (New("the"), *core, New("of"), *words[:-1]))


def _can_be_of(tree: DependencyTree, owner: int, owned: int, words: list[int]) -> bool:
    """Whether *the X of Y* is as usual as *Y 's X*, and not followed by the name of X."""
    if owned + 1 < tree.size and tree.tag(owned + 1).startswith("NNP"):
        return False
    if tree.lemmas[owned] in _OF_NOUNS or tree.entity[owner] == "place":
        return True
    return tree.lowered[words[0]] in ("the", "this", "that", "these", "those") and tree.entity[owner] != "person"


@edge_rule
def relative_to_participle(tree: DependencyTree, verb: int, noun: int) -> Proposals:
    """*the bridge that was built by monks* -> *the bridge built by monks*, *which leads to* -> *leading to*."""
    tag, auxiliaries, pronoun = tree.tag(verb), tree.children(verb, "aux"), tree.child(verb, "nsubj")
    if tag[:2] != "VB" or pronoun is None:
        return
    # In "It is the bridge that was built by monks", the bridge is in focus, and no relative clause follows.
    if tree.child(noun, "cop") is not None and tree.has_word(tree.children(noun, "nsubj", "expl"), ("it",)):
        return
    if tree.lowered[pronoun] not in ("who", "which", "that") or tree.tag(pronoun) == "DT":
        return
    is_loose = tree.text(pronoun - 1) == ","
    # It may belong to a noun further back.
    if pronoun + 1 not in (verb, *auxiliaries) or noun not in (pronoun - 1, pronoun - 2 if is_loose else None):
        return
    if len(auxiliaries) == 1 and (
        (tag == "VBN" and tree.labels[auxiliaries[0]] == "aux:pass")
        or (tag == "VBG" and tree.tag(auxiliaries[0]) in FINITE)
    ):
        yield substituted(tree, {pronoun: [], auxiliaries[0]: []})
    elif not auxiliaries and tag in ("VBZ", "VBP") and tree.lemmas[verb] in _DESCRIBING and not is_loose:
        yield substituted(tree, {pronoun: [], verb: [New(gerund(tree.lemmas[verb]), (verb,))]})


@edge_rule
def participle_to_relative(tree: DependencyTree, verb: int, head: int) -> Proposals:
    """*the bridge built by monks* -> *the bridge that was built by monks*."""
    words, above = tree.subtree(verb), tree.heads[head]
    phrase = tree.strip_marks(words)
    if not is_run(phrase) or head > verb:
        return
    if above is not None and tree.base[head] == "obj" and tree.lemmas[above] in _RESULT_VERBS:
        return
    # After a comma, it may modify the whole sentence.
    if tree.text(verb - 1) == "," or phrase[0] != verb:
        return
    if tree.strip_marks(tree.subtree(head, [verb]))[-1] != verb - 1:
        return
    past = _is_past(tree, head) or tree.has_entity(words, "datetime")
    if past or tree.lemmas[verb] in _LASTING:
        form = be(past=past, plural=tree.is_plural(head))
        yield substituted(tree, {verb: [New(relative_pronoun(tree, head)), New(form), verb]})


@edge_rule
def apposition_to_relative(tree: DependencyTree, noun: int, head: int) -> Proposals:
    """*Bob , a nurse , sang* -> *Bob , who is a nurse , sang*."""
    phrase = tree.phrase(noun)
    if noun < head or not phrase or tree.text(phrase[0] - 1) != "," or tree.lowered[phrase[0]] not in _ARTICLES:
        return
    who = "who" if tree.entity[head] == "person" and tree.text(noun).islower() else "which"
    present = any(tree.tag(index) in ("VBZ", "VBP") for index in phrase)
    form = be(past=_is_past(tree, head) and not present, plural=tree.is_plural(head))
    # The implied verb of the tuple (Bob; is; a nurse) is now explicit.
    yield substituted(tree, {phrase[0]: [New(who), New(form), phrase[0]]})


def _is_past(tree: DependencyTree, index: int) -> bool:
    """Whether the clause that contains a noun is in the past tense."""
    for head in (index, *tree.path(index)):
        for carrier in (head, *tree.children(head, "aux", "cop")):
            if tree.tag(carrier) in ("VBD", "VBZ", "VBP", "MD"):
                return tree.tag(carrier) == "VBD" and tree.lemmas[head] not in STATEMENT_VERBS
    return False


@clause_rule
def front_participle(clause: ClauseParts) -> Proposals:
    """A participle that follows the subject or ends the clause, to the front."""
    tree = clause.tree
    for verb in tree.children(clause.subject_head, "acl"):
        phrase = tree.strip_marks(tree.subtree(verb))
        if tree.labels[verb] != "acl" or tree.tag(verb) not in ("VBN", "VBG") or phrase[0] != verb:
            continue
        if not _is_between_commas(tree, phrase) or tree.lowered[verb] in PARTICIPLE_PREPOSITIONS:
            continue
        yield [*phrase, ",", *_rest_of_subject(clause, phrase), *clause.rest]
    for block in () if clause.has_second_verb else clause.blocks:
        if block.base != "advcl" or tree.tag(block.head) != "VBN" or block.tokens[0] != block.head:
            continue
        if not clause.ends_with(block) or tree.text(block.tokens[0] - 1) != "," or len(block.tokens) > 18:
            continue
        if tree.has_own_subject(block.head) or tree.lowered[block.head] in PARTICIPLE_PREPOSITIONS | _RESULTS:
            continue
        if not clause.points_back(block.tokens):
            yield [*block.tokens, ",", *clause.without(block.tokens)]


def _rest_of_subject(clause: ClauseParts, phrase: list[int]) -> list[int]:
    return [index for index in clause.subject if index not in phrase and clause.tree.text(index) != ","]


def _is_between_commas(tree: DependencyTree, phrase: list[int]) -> bool:
    if not is_run(phrase) or phrase[0] == 0 or phrase[-1] + 1 >= tree.size:
        return False
    return tree.text(phrase[0] - 1) == "," and tree.text(phrase[-1] + 1) == ","


@edge_rule
def swap_apposition(tree: DependencyTree, noun: int, head: int) -> Proposals:
    """*The owner , Ann Lee , sang* <-> *Ann Lee , the owner , sang*."""
    second, first = tree.strip_marks(tree.subtree(noun)), tree.phrase(head, [noun])
    if noun < head or not first or not _is_between_commas(tree, second) or first[-1] + 2 != second[0]:
        return
    if tree.lowered[first[0]] in ("of", "in", "by", "for", "with", "to", "at", "on", "from"):
        return
    before, after = first[0] - 1, second[-1] + 2
    if tree.has_base((first[0], second[0]), "case") or (
        before >= 0 and tree.upos(before) in ("NOUN", "PROPN", "ADJ", "NUM")
    ):
        return
    if after < tree.size and tree.lowered[after] in ("and", "or", "but"):
        return
    named = [_is_person(tree, head, first), _is_person(tree, noun, second)]
    described = [_is_definite(tree, head, first), _is_definite(tree, noun, second)]
    if (named[0] and described[1]) or (named[1] and described[0]):
        group = (*first, second[0] - 1, *second)
        yield _regrouped(tree, group, (*second, second[0] - 1, *first))


def _is_person(tree: DependencyTree, head: int, words: list[int]) -> bool:
    return tree.entity[head] == "person" and all(tree.tag(index).startswith("NNP") for index in words)


def _is_definite(tree: DependencyTree, head: int, words: list[int]) -> bool:
    if tree.tag(head) not in ("NN", "NNS") or tree.has_text(words, ",") or len(words) > 12:
        return False
    return tree.lowered[words[0]] in ("the", "its", "their", "our") or bool(tree.children(head, "nmod:poss"))
