"""Noun phrases as arguments: where they end, and how coordinated ones are split."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tupelo.extract.marks.operators import is_replaced
from tupelo.nlp.languages import word_set, words
from tupelo.nlp.languages.en.grammar import SHARED_QUANTIFIERS, SPEECH_VERBS
from tupelo.nlp.syntax import DependencyTree

# Dependents of a predicate noun or adjective that belong to its clause, not to the phrase.
CLAUSAL = word_set("nsubj csubj cop aux mark advcl parataxis discourse dislocated expl vocative orphan")
_NEVER = frozenset(["parataxis", "discourse", "dislocated", "vocative", "orphan", "reparandum", "list"])
_SEPARATORS = frozenset([",", "(", "-LRB-", "--", "–", "—", ";", ":"])
_BRACKETS = frozenset(["(", "[", "-LRB-"])
_CLOSING_BRACKETS = frozenset([")", "]", "-RRB-"])
_NOMINAL = frozenset(["NOUN", "PROPN", "PRON", "NUM", "SYM", "X"])
_DETERMINERS = ("det", "nmod:poss")
_ENDS = words("extraction", "phrase_ends")
_CHOICES = words("extraction", "choices")
_MOST_CONJUNCTS = 12
# Phrases with more words leave their relative clauses to separate tuples.
_LONG = 10


@dataclass(frozen=True, slots=True)
class ArgumentPhrase:
    """An argument: its head, the preposition before it and its own words, as word indexes.

    `name` is the part of it that names what the rest describes: *the Greek club, Olympiakos*. `owner` is what *whose*
    stands for: *Ann* in *Ann, whose brother left*.
    """

    head: int
    preposition: tuple[int, ...]
    tokens: tuple[int, ...]
    name: tuple[int, ...] = ()
    owner: tuple[int, ...] = ()

    @property
    def pieces(self) -> tuple[int | str, ...]:
        """Its words, after those of the owner that *whose* stands for."""
        return (*self.owner, "'s", *self.tokens) if self.owner else self.tokens

    @property
    def named(self) -> ArgumentPhrase:
        """The phrase with the name alone where it has one."""
        return replace(self, tokens=self.name) if self.name else self

    @property
    def whole(self) -> tuple[int, ...]:
        """All words in order; a preposition from later in the sentence (*May was the month in which*) goes first."""
        if self.preposition and self.tokens and self.preposition[0] > self.tokens[-1] + 1:
            return (*self.preposition, *self.tokens)
        return tuple(sorted({*self.preposition, *self.tokens}))


def noun_phrase(
    tree: DependencyTree, head: int, leave: frozenset[int] = frozenset(), *, joined: bool = True
) -> ArgumentPhrase:
    """The phrase of `head` without relative clauses and appositions set off by a comma.

    With `joined` the words coordinated with the head belong to it.
    """
    prepositions = [child for child in tree.children(head, "case") if tree.tag(child) != "POS"]
    preposition = _first_run([token for child in prepositions for token in (child, *tree.children(child, "fixed"))])
    prepositions = [child for child in prepositions if child in preposition]
    # "just above the roof", "most recently in Oslo": the adverb goes with the preposition.
    free = preposition and tree.child(head, "cop") is None
    before = [child for child in tree.children(head, "advmod") if free and child < min(preposition)]
    preposition += [token for child in before for token in tree.subtree(child)]
    drop = {*leave, *prepositions, *before}
    drop |= {child for child in tree.below[head] if _is_outside(tree, head, child, joined)}
    tokens = tree.subtree(head, drop | _remarks(tree, tree.subtree(head, drop), head))
    if not joined:
        # Commas between conjuncts are attached to the conjuncts or to the head; those at the end go with `trim`.
        commas = {child for child in tree.children(head, "punct") if tree.text(child) in (",", ";")}
        tokens = [token for token in tokens if token not in commas]
    tokens = tree.trim(tokens, _ENDS) or [head]
    name = _name_beside(tree, head)
    named = noun_phrase(tree, name).tokens if name is not None and name in tokens else ()
    return ArgumentPhrase(head, tuple(sorted(preposition)), tuple(tokens), named)


def _first_run(tokens: list[int]) -> list[int]:
    """Adjacent words from the first on: *with* alone of *with* both fists *on* the table."""
    return [token for token in sorted(tokens) if all(between in tokens for between in range(min(tokens), token))]


def _is_outside(tree: DependencyTree, head: int, child: int, joined: bool) -> bool:
    """Whether a dependent of the head is outside its phrase."""
    label = tree.base[child]
    if label in _NEVER or (label == "cc" and child < head) or (label in ("conj", "cc") and not joined):
        return True
    if is_replaced(tree, child):
        return True
    if label in ("nmod", "nummod") and is_in_brackets(tree, child):
        return True
    if label in ("appos", "acl") or (tree.labels[child] == "nmod:unmarked" and tree.upos(child) == "NUM"):
        return is_set_apart(tree, child) and child != _name_beside(tree, head)
    if tree.child(head, "cop") is not None or tree.upos(head) == "VERB":
        return label in CLAUSAL or (label in ("advmod", "nmod", "acl") and is_fronted(tree, head, child))
    return tree.labels[head] == "nmod:poss" and tree.tag(child) == "POS"


def is_set_apart(tree: DependencyTree, child: int) -> bool:
    """Whether a comma, a dash or a bracket stands before the phrase of `child`."""
    first = tree.subtree(child)[0]
    return tree.words[first].text in _SEPARATORS or (first > 0 and tree.words[first - 1].text in _SEPARATORS)


def _name_beside(tree: DependencyTree, head: int) -> int | None:
    """The name that a comma or nothing sets beside a noun: *the Greek club, Olympiakos*."""
    if tree.upos(head) != "NOUN":
        return None
    names = (child for child in tree.children(head, "appos") if tree.upos(child) == "PROPN")
    return next((name for name in names if not is_in_brackets(tree, name)), None)


def is_indefinite(tree: DependencyTree, noun: int) -> bool:
    return tree.has_word(tree.children(noun, "det"), ("a", "an"))


def is_in_brackets(tree: DependencyTree, child: int) -> bool:
    first = tree.subtree(child)[0]
    return tree.text(first) in _BRACKETS or (first > 0 and tree.text(first - 1) in _BRACKETS)


def _remarks(tree: DependencyTree, tokens: list[int], head: int) -> set[int]:
    """The words that can be omitted: anything set off deeper inside a phrase, relative clauses in a long one."""
    found = set()
    for token in tokens:
        above = tree.heads[token]
        if token == head or above is None:
            continue
        if tree.labels[token] == "acl:relcl":
            # Not "what he said" and "those who left": the clause says which are meant.
            is_remark = len(tokens) > _LONG and tree.upos(above) not in ("PRON", "DET")
            is_remark = is_remark or is_set_apart(tree, token)
        else:
            is_deeper = tree.base[token] in ("appos", "parataxis") and above != head
            is_remark = is_deeper and is_set_apart(tree, token)
        if is_remark:
            found.add(token)
    return found


def is_fronted(tree: DependencyTree, head: int, child: int) -> bool:
    """Whether something before a predicate belongs to the clause: *also* in *is also the deputy*."""
    if child > head or tree.labels[child] == "nmod:poss":
        return False
    edge = tree.child(head, *_DETERMINERS)
    if edge is None:
        copula = tree.child(head, "cop")
        # Without a determiner, *very* in *is very old* is like *also*: it stays with the adjective.
        edge = copula if copula is not None and copula < head else head
    return child < edge


def opening_marks(tree: DependencyTree, clause: int) -> tuple[int, ...]:
    """The *that* that opens a clause; like a preposition it ends the relation."""
    return tuple(child for child in tree.children(clause, "mark") if tree.lowered[child] == "that")


def clausal_phrase(tree: DependencyTree, clause: int) -> ArgumentPhrase:
    """A whole clause as an argument, without a remark on who said it."""
    marks = opening_marks(tree, clause)
    remarks = [child for child in tree.children(clause, "parataxis") if tree.lemmas[child] in SPEECH_VERBS]
    tokens = tree.trim(tree.subtree(clause, {*marks, *remarks})) or [clause]
    return ArgumentPhrase(clause, marks, tuple(tokens))


def conjuncts(tree: DependencyTree, head: int) -> list[int]:
    """The heads of coordinated phrases, the first one included."""
    found = [head, *tree.children(head, "conj")]
    # Some parses attach the third conjunct to the second.
    further = [below for child in found[1:] for below in tree.children(child, "conj")]
    return sorted({*found, *further})


def atoms(tree: DependencyTree, head: int, leave: frozenset[int] = frozenset()) -> list[ArgumentPhrase]:
    """The coordinated phrases of `head`, one by one; shared determiners and prepositions go with each."""
    heads = [one for one in conjuncts(tree, head) if one not in leave]
    whole = noun_phrase(tree, head, leave)
    if len(heads) == 1 or len(heads) > _MOST_CONJUNCTS or not all(_can_stand_alone(tree, one, head) for one in heads):
        return [whole]
    if _is_indivisible(tree, head, heads):
        return [whole]
    first = noun_phrase(tree, head, leave | frozenset(heads[1:]), joined=False)
    found = [first]
    # "the mayor and founder of Oslo": of Oslo, both.
    behind = (child for child in tree.children(head, "nmod", "acl") if child > max(heads))
    shared = {token for child in behind for token in tree.subtree(child)}.intersection(first.tokens)
    owner, determiner = tree.child(head, "nmod:poss"), tree.child(head, "det")
    quantifiers = [child for child in tree.children(head, "amod") if tree.lowered[child] in SHARED_QUANTIFIERS]
    for other in heads[1:]:
        phrase = noun_phrase(tree, other, leave | frozenset(heads) - {other}, joined=False)
        tokens = phrase.tokens
        bare = tree.upos(other) == "NOUN" and tree.child(other, *_DETERMINERS) is None
        # The quantifier of *no friends but books* is not that of the books.
        bare = bare and not tree.has_word(tree.children(other, "cc"), ("but",))
        if owner is not None and owner < head and bare:
            tokens = (*tree.subtree(owner), *tokens)
        elif determiner is not None and bare and _shares_determiner(tree, determiner, head, other, tokens[0]):
            tokens = (determiner, *tokens)
        elif bare:
            tokens = (*quantifiers, *tokens)
        tokens = tuple(sorted({*tokens, *shared}))
        found.append(ArgumentPhrase(other, phrase.preposition or first.preposition, tokens, phrase.name))
    return found


def _shares_determiner(tree: DependencyTree, determiner: int, head: int, other: int, first: int) -> bool:
    """*the king and queen*, *no man or woman*; but not *a painter and inventor*, which would need *an*."""
    article = tree.lowered[determiner]
    if determiner > head or tree.tag(other) != tree.tag(head):
        return False
    return article not in ("a", "an") or (article == "an") == (tree.lowered[first][:1] in "aeiou")


def _is_indivisible(tree: DependencyTree, head: int, heads: list[int]) -> bool:
    """Whether coordinated words say one thing: *more and more*, *Simon and Garfunkel*, *Lee and Moe (1995)*."""
    if tree.lowered[head] == tree.lowered[heads[-1]] and heads[-1] == head + 2:
        return True
    if any(sum(name.start <= one < name.end for one in heads) > 1 for name in tree.analysis.entities or ()):
        return True
    after = [word.text for word in tree.words[heads[-1] + 1 : heads[-1] + 4]]
    is_year = len(after) == 3 and after[0] in _BRACKETS and after[1].isdigit() and after[2] in _CLOSING_BRACKETS
    return is_year and all(tree.upos(one) == "PROPN" for one in heads)


def _can_stand_alone(tree: DependencyTree, one: int, head: int) -> bool:
    """Whether a coordination can be split: nouns can; a noun and a clause, or *between A and B*, cannot."""
    if tree.upos(one) not in _NOMINAL and tree.upos(one) != tree.upos(head):
        return False
    if tree.has_word(tree.children(one, "cc"), _CHOICES):
        # "Oslo or Rome": which of them, nobody says.
        return False
    return not tree.has_word(tree.children(head, "case"), ("between", "both"))
