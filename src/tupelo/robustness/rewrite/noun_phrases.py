"""Inside noun phrases: genitives, conjuncts, relative clauses, participles and appositions."""

from __future__ import annotations

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import PARTICIPLE_PREPOSITIONS, STATEMENT_VERBS
from tupelo.nlp.languages.en.inflection import be, gerund
from tupelo.nlp.syntax import DependencyTree, is_run
from tupelo.robustness.rewrite import Proposals, clause_rule, rule
from tupelo.robustness.rewrite.clause import FINITE, ClauseParts, labelled, relative_pronoun
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, regrouped, substituted

_OWNED_PREFIX = frozenset(["det", "amod", "compound", "nummod", "advmod", "punct", "flat"])
_NOT_OWNED = words("rewriting", "not_owned_nouns")
_PEOPLE_ENDINGS = tuple(words("rewriting", "endings_of_persons"))
_DESCRIBING = words("rewriting", "describing_verbs")
_OF_NOUNS = words("rewriting", "of_nouns")
_LASTING = words("rewriting", "lasting_verbs")
_RESULT_VERBS = words("rewriting", "result_verbs")
_ARTICLES = ("a", "an", "the", "one")
_MOST_PARTICIPLES = 3
_RESULTS = words("rewriting", "result_participles")


def _regrouped(tree: DependencyTree, group: tuple[int, ...], new: tuple[Item, ...]) -> RewriteDraft:
    """A draft with a reordered phrase; tuples follow the new order."""
    return RewriteDraft(regrouped(tree, group, new), regrouped=((group, new),))


@rule("genitive")
def genitive_to_of(tree: DependencyTree) -> Proposals:
    """*China 's parliament* -> *the parliament of China*."""
    for owner, owned in labelled(tree, "nmod:poss"):
        if owner > owned or tree.tag(owner) == "PRP$":
            continue
        mark, words = tree.child(owner, "case"), tree.subtree(owner)
        if mark is None or tree.lowered[mark] not in ("'s", "'", "’s", "’") or words[-1] != mark:
            continue
        if not is_run(words) or len(words) > 8 or tree.text(words[0]) in ("``", '"') or tree.has_text(words, ","):
            continue
        if tree.entity[owner] in ("datetime", "number"):
            continue
        if tree.lowered[words[0]] in ("a", "an") or tree.text(owned)[:1].isupper():
            # "a carpenter 's level" is a kind of level, and names stay as they are.
            continue
        core = tuple(range(mark + 1, owned + 1))
        if any(tree.heads[i] != owned and i != owned and tree.base[i] not in _OWNED_PREFIX for i in core):
            continue
        if tree.tag(owned) not in ("NN", "NNS") or tree.child(owned, "conj") is not None:
            continue
        if tree.child(owned, "nmod:poss") == owner and tree.children(owned, "nmod", "acl") != [owner]:
            continue
        if tree.lemmas[owned] not in ("own", "sake", "worth", "one") and _can_be_of(tree, owner, owned, words):
            yield _regrouped(tree, (*words, *core), (New("the"), *core, New("of"), *words[:-1]))


def _can_be_of(tree: DependencyTree, owner: int, owned: int, words: list[int]) -> bool:
    """Whether *the X of Y* is as usual as *Y 's X*, and not followed by the name of X."""
    if owned + 1 < tree.size and tree.tag(owned + 1).startswith("NNP"):
        return False
    if tree.lemmas[owned] in _OF_NOUNS or tree.entity[owner] == "place":
        return True
    return tree.lowered[words[0]] in ("the", "this", "that", "these", "those") and tree.entity[owner] != "person"


@rule("genitive")
def of_to_genitive(tree: DependencyTree) -> Proposals:
    """*the parliament of China* -> *China 's parliament*."""
    for owner, owned in labelled(tree, "nmod"):
        words, determiner = tree.subtree(owner), tree.child(owned, "det")
        if not is_run(words) or tree.lowered[words[0]] != "of" or words[0] != owned + 1 or len(words) > 4:
            continue
        if tree.entity[owner] not in ("person", "organization") or tree.tag(owner) != "NNP":
            continue
        if tree.text(owner).endswith("s") or words[-1] != owner:
            continue
        if determiner is None or tree.lowered[determiner] != "the" or tree.tag(owned) not in ("NN", "NNS"):
            continue
        if tree.lemmas[owned] not in _NOT_OWNED and tree.subtree(owned)[0] == determiner:
            core = tuple(range(determiner + 1, owned + 1))
            yield _regrouped(tree, (determiner, *core, *words), (*words[1:], New("'s"), *core))


@rule()
def conjunct_order(tree: DependencyTree) -> Proposals:
    """*tea and milk* -> *milk and tea*."""
    for first in range(tree.size):
        others = tree.children(first, "conj")
        if len(others) != 1 or tree.upos(first) not in ("NOUN", "ADJ"):
            continue
        second = others[0]
        mark = tree.child(second, "cc")
        if mark is None or tree.lowered[mark] not in ("and", "or") or tree.children(second, "nsubj", "cop", "orphan"):
            continue
        # Modifiers before or after the conjuncts may belong to both; only bare words can be swapped.
        if tree.subtree(second, [mark]) != [second] or mark != second - 1 or mark != first + 1:
            continue
        if tree.upos(first) != tree.upos(second) or tree.tag(first) != tree.tag(second):
            continue
        if not tree.children(
            first, "compound", "amod", "flat", "nummod", "appos", "acl", "nsubj", "cop", "det", "nmod:poss"
        ):
            yield _regrouped(tree, (first, mark, second), (second, mark, first))


@rule("participle", after_focus=False)
def relative_to_participle(tree: DependencyTree) -> Proposals:
    """*the bridge that was built by monks* -> *the bridge built by monks*, *which leads to* -> *leading to*."""
    for verb, noun in labelled(tree, "acl:relcl"):
        tag, auxiliaries = tree.tag(verb), tree.children(verb, "aux")
        if tag[:2] != "VB" or _is_focus(tree, noun):
            continue
        pronoun = tree.child(verb, "nsubj")
        if pronoun is None or tree.lowered[pronoun] not in ("who", "which", "that") or tree.tag(pronoun) == "DT":
            continue
        if tree.child(verb, "conj", "advmod") is not None or pronoun + 1 not in (verb, *auxiliaries):
            continue
        if noun not in (pronoun - 1, pronoun - 2 if tree.text(pronoun - 1) == "," else None):
            # It may belong to a noun further back.
            continue
        if len(auxiliaries) == 1 and (
            (tag == "VBN" and tree.labels[auxiliaries[0]] == "aux:pass")
            or (tag == "VBG" and tree.tag(auxiliaries[0]) in FINITE)
        ):
            yield substituted(tree, {pronoun: [], auxiliaries[0]: []})
        elif not auxiliaries and tag in ("VBZ", "VBP") and tree.lemmas[verb] in _DESCRIBING:
            if tree.text(pronoun - 1) == ",":
                continue
            yield substituted(tree, {pronoun: [], verb: [New(gerund(tree.lemmas[verb]), (verb,))]})


def _is_focus(tree: DependencyTree, noun: int) -> bool:
    """Whether a noun is in focus: in *It is the bridge that was built by monks* there is no relative clause."""
    return tree.child(noun, "cop") is not None and tree.has_word(tree.children(noun, "nsubj", "expl"), ("it",))


@rule("participle")
def participle_to_relative(tree: DependencyTree) -> Proposals:
    """*the bridge built by monks* -> *the bridge that was built by monks*."""
    found = 0
    for verb, head in labelled(tree, "acl"):
        if tree.tag(verb) != "VBN" or found >= _MOST_PARTICIPLES:
            continue
        words = tree.subtree(verb)
        phrase = tree.strip_marks(words)
        if not is_run(phrase) or tree.child(verb, "mark", "aux", "nsubj") is not None or head > verb:
            continue
        if tree.upos(head) not in ("NOUN", "PROPN") or tree.tag(head) == "NNP":
            continue
        above = tree.heads[head]
        if above is not None and tree.base[head] == "obj" and tree.lemmas[above] in _RESULT_VERBS:
            continue
        # After a comma, it may modify the whole sentence.
        if tree.child(verb, "obl", "xcomp") is None or tree.text(verb - 1) == "," or phrase[0] != verb:
            continue
        if tree.strip_marks(tree.subtree(head, [verb]))[-1] != verb - 1:
            continue
        past = _is_past(tree, head) or tree.has_entity(words, "datetime")
        if not past and tree.lemmas[verb] not in _LASTING:
            continue
        form = be(past=past, plural=tree.is_plural(head))
        found += 1
        yield substituted(tree, {verb: [New(relative_pronoun(tree, head)), New(form), verb]})


@rule("apposition", "name")
def apposition_to_relative(tree: DependencyTree) -> Proposals:
    """*Bob , a nurse , sang* -> *Bob , who is a nurse , sang*."""
    for noun, head in labelled(tree, "appos"):
        phrase = tree.phrase(noun)
        if noun < head or not phrase or tree.text(phrase[0] - 1) != "," or tree.tag(head) not in ("NNP", "NNPS"):
            continue
        if tree.lowered[phrase[0]] not in _ARTICLES or tree.entity[noun] == "datetime":
            continue
        if tree.child(noun, "conj") is not None or tree.entity[head] is None:
            continue
        who = "who" if tree.entity[head] == "person" and tree.text(noun).islower() else "which"
        present = any(tree.tag(index) in ("VBZ", "VBP") for index in phrase)
        form = be(past=_is_past(tree, head) and not present, plural=tree.is_plural(head))
        # The implied verb of the tuple (Bob; is; a nurse) is now explicit.
        yield substituted(tree, {phrase[0]: [New(who), New(form), phrase[0]]})


@rule("apposition", after_focus=False)
def relative_to_apposition(tree: DependencyTree) -> Proposals:
    """*Bob , who is a nurse , sang* -> *Bob , a nurse , sang*."""
    for noun, _ in labelled(tree, "acl:relcl"):
        copula, pronoun = tree.child(noun, "cop"), tree.child(noun, "nsubj")
        if copula is None or pronoun is None or tree.upos(noun) not in ("NOUN", "PROPN"):
            continue
        if tree.lowered[pronoun] not in ("who", "which"):
            continue
        if tree.text(pronoun - 1) != "," or copula != pronoun + 1 or tree.children(noun, "aux", "advmod"):
            continue
        if tree.lowered[copula + 1] in _ARTICLES:
            yield substituted(tree, {pronoun: [], copula: []})


def _is_past(tree: DependencyTree, index: int) -> bool:
    """Whether the clause that contains a noun is in the past tense."""
    for head in (index, *tree.path(index)):
        for carrier in (head, *tree.children(head, "aux", "cop")):
            if tree.tag(carrier) in ("VBD", "VBZ", "VBP", "MD"):
                return tree.tag(carrier) == "VBD" and tree.lemmas[head] not in STATEMENT_VERBS
    return False


@clause_rule(needs="plain subject-first")
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
        if block.base != "advcl" or tree.tag(block.head) not in ("VBG", "VBN") or block.tokens[0] != block.head:
            continue
        if not clause.ends_with(block) or tree.text(block.tokens[0] - 1) != "," or len(block.tokens) > 18:
            continue
        if tree.has_own_subject(block.head) or tree.lowered[block.head] in PARTICIPLE_PREPOSITIONS | _RESULTS:
            continue
        if not clause.points_back(block.tokens):
            yield [*block.tokens, ",", *clause.without(block.tokens)]


@clause_rule("name")
def front_apposition(clause: ClauseParts) -> Proposals:
    """*Bob , a nurse , sang* -> *A nurse , Bob sang*."""
    found = _apposition(clause)
    if found is not None and not clause.before:
        name, phrase = found
        if clause.tree.lowered[phrase[0]] != "the" and len(phrase) >= 2:
            yield [*phrase, ",", *name, *clause.rest]


@clause_rule("name", needs="plain single")
def tell_apposition(clause: ClauseParts) -> Proposals:
    """*Bob , a nurse , sang* -> *Bob is a nurse and sang*."""
    found = _apposition(clause)
    if found is None or clause.lemma in STATEMENT_VERBS:
        return
    name, phrase = found
    if len(phrase) <= 12:
        form = be(past=clause.past, plural=clause.plural)
        yield [*clause.before, *name, form, *phrase, "and", *clause.rest]


@clause_rule("name", needs="plain", after_focus=False)
def merge_relative(clause: ClauseParts) -> Proposals:
    """*Bob is a nurse who sings* -> *Bob , a nurse , sings*."""
    tree, noun = clause.tree, clause.predicate
    if not clause.is_copular or clause.lemma == "one" or len(clause.group) != 1 or not clause.block("predicate"):
        return
    if tree.tag(clause.subject_head) not in ("NNP", "NNPS", "NN") or tree.text(clause.subject[-1]) == ",":
        return
    verbs = [verb for verb in tree.children(noun, "acl:relcl") if verb > noun]
    if len(verbs) != 1 or tree.tag(verbs[0])[:2] != "VB":
        return
    pronoun, words = tree.child(verbs[0], "nsubj"), tree.strip_marks(tree.subtree(verbs[0]))
    if pronoun is None or pronoun != words[0] or tree.lowered[pronoun] not in ("who", "which", "that"):
        return
    if not is_run(words) or words[-1] + 1 != clause.stop or tree.lowered[clause.after[0]] not in ("a", "an", "the"):
        return
    kind = [index for index in clause.after if index < pronoun]
    if kind and kind[-1] == pronoun - 1 and tree.text(kind[-1]) == ",":
        kind.pop()
    if kind and (kind[-1] == noun or tree.child(noun, "conj") is None):
        yield [*clause.before, *clause.subject, ",", *kind, ",", *words[1:]]


def _apposition(clause: ClauseParts) -> tuple[list[int], list[int]] | None:
    """The name and its apposition, if the subject consists of nothing else."""
    tree, head = clause.tree, clause.subject_head
    noun = next((child for child in tree.children(head, "appos") if child > head), None)
    if noun is None or tree.tag(head) not in ("NNP", "NNPS"):
        return None
    phrase = tree.strip_marks(tree.subtree(noun))
    if not _is_between_commas(tree, phrase) or tree.lowered[phrase[0]] not in _ARTICLES:
        return None
    name = _rest_of_subject(clause, phrase)
    if not is_run(name) or tree.child(noun, "conj", "appos") is not None or tree.entity[noun] == "datetime":
        return None
    return name, phrase


def _rest_of_subject(clause: ClauseParts, phrase: list[int]) -> list[int]:
    return [index for index in clause.subject if index not in phrase and clause.tree.text(index) != ","]


def _is_between_commas(tree: DependencyTree, phrase: list[int]) -> bool:
    if not is_run(phrase) or phrase[0] == 0 or phrase[-1] + 1 >= tree.size:
        return False
    return tree.text(phrase[0] - 1) == "," and tree.text(phrase[-1] + 1) == ","


@rule("participle")
def loose_participle(tree: DependencyTree) -> Proposals:
    """*The bridge , built in 1490 , fell* -> *The bridge , which was built in 1490 , fell*."""
    for verb, head in labelled(tree, "acl"):
        phrase = tree.phrase(verb)
        if tree.tag(verb) != "VBN" or head != verb - 2:
            continue
        if phrase[:1] != [verb] or not _is_between_commas(tree, phrase):
            continue
        if tree.children(verb, "mark", "aux", "nsubj", "conj") or not tree.children(verb, "obl", "xcomp"):
            continue
        past = _is_past(tree, head) or tree.has_entity(phrase, "datetime")
        who = "who" if relative_pronoun(tree, head) == "who" else "which"
        if who == "which" and tree.entity[head] is None and tree.lemmas[head].endswith(_PEOPLE_ENDINGS):
            continue
        if tree.children(head, "conj") or tree.lemmas[verb] in ("combine", "compare", "follow"):
            continue
        if tree.base[head] == "nsubj" and (past or tree.lemmas[verb] in _LASTING):
            yield substituted(tree, {verb: [New(who), New(be(past=past, plural=tree.is_plural(head))), verb]})


@rule("apposition", "name")
def swap_apposition(tree: DependencyTree) -> Proposals:
    """*The owner , Ann Lee , sang* <-> *Ann Lee , the owner , sang*."""
    for noun, head in labelled(tree, "appos"):
        second = tree.strip_marks(tree.subtree(noun))
        first = tree.phrase(head, [noun])
        if noun < head or not first or not _is_between_commas(tree, second) or first[-1] + 2 != second[0]:
            continue
        if tree.lowered[first[0]] in ("of", "in", "by", "for", "with", "to", "at", "on", "from") or "case" in {
            tree.base[index] for index in (first[0], second[0])
        }:
            continue
        before, after = first[0] - 1, second[-1] + 2
        if before >= 0 and tree.upos(before) in ("NOUN", "PROPN", "ADJ", "NUM"):
            continue
        if after < tree.size and tree.lowered[after] in ("and", "or", "but"):
            continue
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
