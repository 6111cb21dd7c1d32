"""*Monks built the bridge* <-> *The bridge was built by monks*."""

from __future__ import annotations

from collections.abc import Iterator

from tupelo.cliques.rewrite.clause import Clause, per_clause, remaining
from tupelo.cliques.rewrite.draft import Draft, Item, New, Turn
from tupelo.cliques.rewrite.focus import is_plain, second_verbs
from tupelo.cliques.rewrite.morphology import as_object, as_subject, be, participle, past, third_person
from tupelo.cliques.rewrite.tree import Tree
from tupelo.cliques.rewrite.words import LIGHT, NO_PASSIVE, POSSESSIVES, REFLEXIVES, word_set

_NEGATIONS = frozenset(["not", "n't"])


@per_clause
def passive(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """The object becomes the subject."""
    if second_verbs(clause) or tree.labels[clause.subject_head] != "nsubj":
        return
    target = clause.block("obj")
    if target is None or not _can_be_passive(tree, clause, target.tokens, target.head):
        return
    if _unsure_number(tree, target.tokens, target.head):
        return
    plural = tree.is_plural(target.head)
    verb = _passive_verb(tree, clause, plural)
    if verb is None:
        return
    # A clause below the object would come between it and its verb.
    subject = _cased(tree, target.tokens, as_subject)
    agent: list[Item] = [New("by"), *_cased(tree, clause.subject, as_object)]
    after = remaining(clause.after, target.tokens)
    # An apposition in the object had its second comma from what followed.
    closing: list[Item] = [New(",")] if sum(tree.text(index) == "," for index in target.tokens) % 2 else []
    items: list[Item] = [*clause.before, *subject, *closing, *verb, *agent, *after]
    relation = tuple(_text(tree, item) for item in verb)
    turn = Turn(clause.predicate, frozenset(clause.group), relation, clause.subject, target.tokens, mark="by")
    yield Draft("passive", tuple(items), (turn,))


# *by the end of the war*: no agent, whatever it was read as.
_TIMES = word_set("end beginning start time then now date middle")


@per_clause
def active(tree: Tree, clause: Clause) -> Iterator[Draft]:
    """The agent becomes the subject."""
    if second_verbs(clause) or not is_plain(tree, clause):
        return
    if tree.labels[clause.subject_head] != "nsubj:pass" or tree.upos(clause.predicate) != "VERB":
        return
    agents = [block for block in clause.blocks if block.label == "obl:agent" and tree.lower[block.tokens[0]] == "by"]
    if len(agents) != 1 or len(agents[0].tokens) > 20:
        return
    agent = agents[0]
    if any(tree.lower[index] in POSSESSIVES | REFLEXIVES for index in (*agent.tokens, *clause.subject)):
        return
    if tree.entity[agent.head] == "datetime" or tree.tag(agent.head) == "VBG" or tree.lemmas[agent.head] in _TIMES:
        return
    if _unsure_number(tree, agent.tokens, agent.head):
        return
    verb = _active_verb(tree, clause, tree.is_plural(agent.head))
    if verb is None:
        return
    subject = _cased(tree, agent.tokens[1:], as_subject)
    old = [index for index in clause.subject if index != clause.subject[-1] or tree.text(index) != ","]
    closing: list[Item] = (
        [New(",")] if len(old) < len(clause.subject) and remaining(clause.after, agent.tokens) else []
    )
    items: list[Item] = [
        *clause.before,
        *subject,
        *verb,
        *_cased(tree, tuple(old), as_object),
        *closing,
        *remaining(clause.after, agent.tokens),
    ]
    relation = tuple(_text(tree, item) for item in verb)
    turn = Turn(clause.predicate, frozenset(clause.group), relation, tuple(old), agent.tokens[1:], old_mark="by")
    yield Draft("active", tuple(items), (turn,))


def _can_be_passive(tree: Tree, clause: Clause, target: tuple[int, ...], head: int) -> bool:
    lemma = tree.lemmas[clause.predicate]
    if lemma in NO_PASSIVE or tree.upos(clause.predicate) != "VERB" or clause.block("iobj"):
        return False
    if lemma in LIGHT and not tree.children(head, "det", "amod", "nummod", "nmod:poss"):
        return False
    if any(tree.lower[index] in POSSESSIVES | REFLEXIVES | {"each", "one"} for index in target) or len(target) > 16:
        return False
    if tree.lower[head] in ("it", "what", "that", "this") or tree.lower[clause.subject_head] in (
        "it",
        "which",
        "who",
    ):
        return False
    if (
        tree.entity[head] in ("number", "datetime")
        or tree.text(target[0]) in ("$", "#")
        or "%" in tree.text(target[-1])
    ):
        return False
    named = tree.children(head, "det", "nmod:poss") or tree.tag(head).startswith("NNP")
    if tree.tag(clause.subject_head) == "PRP" and not named:
        return False
    if target[0] <= clause.group[-1] or any(tree.text(index) in (";", ":", "--") for index in clause.after):
        return False
    if any(tree.lower[index] in POSSESSIVES | REFLEXIVES for index in clause.subject) or len(clause.subject) > 16:
        return False
    # "He cut costs to save money": who saves is no longer said.
    if clause.block("xcomp") or any(
        block.base == "advcl" and _lacks_subject(tree, block.head) for block in clause.blocks
    ):
        return False
    return not any(block.base == "advcl" and _lacks_subject(tree, block.head) for block in clause.fronts)


def _unsure_number(tree: Tree, tokens: tuple[int, ...], head: int) -> bool:
    """*the University of A and B*: one or two?"""
    inner = any(tree.lower[index] in ("and", "&") for index in tokens)
    return inner and not tree.is_plural(head)


def _lacks_subject(tree: Tree, verb: int) -> bool:
    return not tree.has_own_subject(verb)


def _passive_verb(tree: Tree, clause: Clause, plural: bool) -> list[Item] | None:
    """*has sold* -> *has been sold*; adverbs stay before the verb."""
    verb = clause.predicate
    auxiliaries = [index for index in tree.children(verb, "aux") if index in clause.group]
    done = New(participle(tree.lemmas[verb]), (verb,))
    built: list[Item] = []
    finite = False
    for index in clause.group:
        word, tag = tree.lower[index], tree.tag(index)
        last = index == auxiliaries[-1] if auxiliaries else False
        if index == verb:
            if not auxiliaries:
                if tag not in ("VBD", "VBZ", "VBP"):
                    return None
                place = 0
                built.insert(place, New(be(past=tag == "VBD", plural=plural)))
            elif tag == "VBN":
                built.append(New("been"))
            elif tag == "VBG":
                built.append(New("being"))
            elif tag == "VB" and not finite:
                built.append(New("be"))
            elif tag != "VB":
                return None
            built.append(done)
        elif index in auxiliaries:
            if word in ("do", "does", "did"):
                built.append(New(be(past=word == "did", plural=plural), (index,)))
                finite = True
            elif tree.lemmas[index] == "have" and tag in ("VBZ", "VBP"):
                built.append(New("have" if plural else "has", (index,)))
            elif tree.lemmas[index] == "be" and tag in ("VBZ", "VBP", "VBD"):
                built.append(New(be(past=tag == "VBD", plural=plural), (index,)))
            elif tree.lemmas[index] == "be" and not last:
                return None
            elif tree.lemmas[index] == "be":
                # "has been building": no passive that anybody would write
                return None
            else:
                built.append(index)
        else:
            built.append(index)
    return built


def _active_verb(tree: Tree, clause: Clause, plural: bool) -> list[Item] | None:
    """*has been sold* -> *has sold*."""
    verb, lemma = clause.predicate, tree.lemmas[clause.predicate]
    passive_aux = tree.child(verb, "aux:pass")
    if passive_aux is None or tree.tag(verb) != "VBN" or tree.lemmas[passive_aux] != "be":
        return None
    negated = any(tree.lower[index] in _NEGATIONS for index in clause.group)
    tag = tree.tag(passive_aux)
    built: list[Item] = []
    for index in clause.group:
        if index == passive_aux:
            if tag in ("VBD", "VBZ", "VBP") and negated:
                word = "did" if tag == "VBD" else ("do" if plural else "does")
                built.append(New(word, (index,)))
            continue
        if index != verb:
            if tree.lemmas[index] == "have" and tree.tag(index) in ("VBZ", "VBP"):
                built.append(New("have" if plural else "has", (index,)))
            elif tree.lemmas[index] == "be" and tree.tag(index) in ("VBZ", "VBP", "VBD"):
                built.append(New(be(past=tree.tag(index) == "VBD", plural=plural), (index,)))
            else:
                built.append(index)
            continue
        if tag == "VBD" and not negated:
            built.append(New(past(lemma), (verb,)))
        elif tag in ("VBZ", "VBP") and not negated:
            built.append(New(lemma if plural else third_person(lemma), (verb,)))
        elif tag == "VBN":
            built.append(verb)
        elif tag == "VBG":
            return None
        else:
            built.append(New(lemma, (verb,)))
    return built


def _cased(tree: Tree, tokens: tuple[int, ...], form: object) -> list[Item]:
    """A lone pronoun in the other case."""
    if len(tokens) == 1 and tree.tag(tokens[0]) == "PRP":
        assert callable(form)
        return [New(str(form(tree.text(tokens[0]))), tokens)]
    return list(tokens)


def _text(tree: Tree, item: Item) -> str:
    return tree.text(item) if isinstance(item, int) else item.text
