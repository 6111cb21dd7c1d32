"""*Monks built the bridge* <-> *The bridge was built by monks*."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tupelo.nlp.languages.en.grammar import LIGHT_VERBS, POSSESSIVES, REFLEXIVES
from tupelo.nlp.languages.en.inflection import as_object, as_subject, be, do, participle, past, third_person
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite import Declaration, Proposals, clause_rule
from tupelo.robustness.rewrite.clause import FINITE, POINTING, Block, ClauseParts, is_modified
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, Turn, item_text

_AGENT = Declaration("active").parts["agent"]


@clause_rule
def passive(clause: ClauseParts, target: Block) -> Proposals:
    """The object becomes the subject."""
    tree = clause.tree
    if not _can_be_passive(clause, target):
        return
    # The second comma of an apposition in the object belonged to the text after it.
    odd = sum(tree.text(index) == "," for index in target.tokens) % 2
    first = [*_cased(tree, target.tokens, as_subject), *([New(",")] if odd else [])]
    last = [New("by"), *_cased(tree, clause.subject, as_object), *clause.after_without(target.tokens)]
    verb = _passive_verb(clause, tree.is_plural(target.head))
    if verb is not None:
        turn = _turn(clause, verb, clause.subject, target.tokens)
        yield RewriteDraft((*clause.before, *first, *verb, *last), (replace(turn, mark="by"),))


@clause_rule
def active(clause: ClauseParts) -> Proposals:
    """The agent becomes the subject."""
    tree = clause.tree
    agents = [block for block in clause.blocks if block.label == "obl:agent"]
    agents = [block for block in agents if tree.lowered[block.tokens[0]] == "by"]
    if len(agents) != 1 or not _can_be_agent(clause, agents[0]):
        return
    new, old, after = agents[0].tokens[1:], clause.bare_subject, clause.after_without(agents[0].tokens)
    closing = [New(",")] if len(old) < len(clause.subject) and after else []
    verb = _active_verb(clause, tree.is_plural(agents[0].head))
    if verb is not None:
        first, last = _cased(tree, new, as_subject), _cased(tree, old, as_object)
        turn = _turn(clause, verb, old, new)
        yield RewriteDraft((*clause.before, *first, *verb, *last, *closing, *after), (replace(turn, old_mark="by"),))


def _turn(clause: ClauseParts, verb: Sequence[Item], old: tuple[int, ...], new: tuple[int, ...]) -> Turn:
    relation = tuple(item_text(clause.tree, item) for item in verb)
    return Turn(clause.predicate, frozenset(clause.group), relation, old, new)


def _can_be_agent(clause: ClauseParts, agent: Block) -> bool:
    tree = clause.tree
    return _AGENT.hold(tree, agent.head, agent.tokens) and not (
        _refers_back(tree, (*agent.tokens, *clause.subject))
        or _is_unsure_number(tree, agent)
        or _is_referred_to(clause, agent.tokens)
    )


def _can_be_passive(clause: ClauseParts, target: Block) -> bool:
    tree, tokens = clause.tree, target.tokens
    return not (
        (clause.lemma in LIGHT_VERBS and not is_modified(tree, target.head))
        or _refers_back(tree, (*tokens, *clause.subject))
        or _is_referred_to(clause, tokens)
        or _is_unsure_number(tree, target)
        or "%" in tree.text(tokens[-1])
        # "He cut costs to save money": the passive would lose who saves.
        or any(
            block.base == "advcl" and not tree.has_own_subject(block.head)
            for block in (*clause.blocks, *clause.fronts)
        )
    )


def _is_referred_to(clause: ClauseParts, other: Sequence[int]) -> bool:
    """Whether a pronoun elsewhere may refer to one of the two: with the other one first, it would be misread."""
    inside = {*clause.subject, *other}
    return clause.tree.has_word((index for index in range(clause.tree.size) if index not in inside), POINTING)


def _refers_back(tree: DependencyTree, tokens: Iterable[int]) -> bool:
    return tree.has_word(tokens, POSSESSIVES | REFLEXIVES)


def _is_unsure_number(tree: DependencyTree, block: Block) -> bool:
    """Whether a phrase may be singular or plural, as in *the University of A and B*."""
    return tree.has_word(block.tokens, ("and", "&")) and not tree.is_plural(block.head)


def _passive_verb(clause: ClauseParts, plural: bool) -> list[Item] | None:
    """*has sold* -> *has been sold*; adverbs stay before the verb."""
    tree, verb = clause.tree, clause.predicate
    tag = tree.tag(verb)
    auxiliaries = [index for index in tree.children(verb, "aux") if index in clause.group]
    built: list[Item] = []
    supported = False
    for index in clause.group:
        if index in auxiliaries and tree.lowered[index] in ("do", "does", "did"):
            built.append(New(be(past=tree.lowered[index] == "did", plural=plural), (index,)))
            supported = True
        elif index in auxiliaries:
            if tree.lemmas[index] == "be" and tree.tag(index) not in FINITE:
                # "has been building" has no idiomatic passive.
                return None
            built.append(_agreeing(tree, index, plural))
        elif index != verb:
            built.append(index)
        elif tag not in (("VBN", "VBG", "VB") if auxiliaries else FINITE):
            return None
        else:
            if not auxiliaries:
                built.insert(0, New(be(past=tag == "VBD", plural=plural)))
            elif tag != "VB" or not supported:
                built.append(New({"VBN": "been", "VBG": "being", "VB": "be"}[tag]))
            built.append(New(participle(clause.lemma), (verb,)))
    return built


def _active_verb(clause: ClauseParts, plural: bool) -> list[Item] | None:
    """*has been sold* -> *has sold*."""
    tree, verb = clause.tree, clause.predicate
    auxiliary = tree.child(verb, "aux:pass")
    if auxiliary is None or tree.tag(verb) != "VBN" or tree.lemmas[auxiliary] != "be":
        return None
    tag = tree.tag(auxiliary)
    finite = tag in FINITE
    negated = tree.has_word(clause.group, ("not", "n't"))
    if tag == "VBG":
        return None
    main: Item = verb
    if finite and not negated:
        present = clause.lemma if plural else third_person(clause.lemma)
        main = New(past(clause.lemma) if tag == "VBD" else present, (verb,))
    elif tag != "VBN":
        main = New(clause.lemma, (verb,))
    built: list[Item] = []
    for index in clause.group:
        if index == verb:
            built.append(main)
        elif index != auxiliary:
            built.append(_agreeing(tree, index, plural))
        elif finite and negated:
            built.append(New(do(past=tag == "VBD", plural=plural), (index,)))
    return built


def _agreeing(tree: DependencyTree, index: int, plural: bool) -> Item:
    """The form of *have* or *be* that agrees with the new subject; other words stay."""
    lemma, tag = tree.lemmas[index], tree.tag(index)
    if lemma == "have" and tag in ("VBZ", "VBP"):
        return New("have" if plural else "has", (index,))
    if lemma == "be" and tag in FINITE:
        return New(be(past=tag == "VBD", plural=plural), (index,))
    return index


def _cased(tree: DependencyTree, tokens: Sequence[int], form: Callable[[str], str]) -> list[Item]:
    """A lone pronoun in the other case."""
    if len(tokens) == 1 and tree.tag(tokens[0]) == "PRP":
        return [New(form(tree.text(tokens[0])), tuple(tokens))]
    return list(tokens)
