"""*Monks built the bridge* <-> *The bridge was built by monks*."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.grammar import LIGHT_VERBS, NO_PASSIVE_VERBS, POSSESSIVES, REFLEXIVES, THIRD_PERSON
from tupelo.nlp.languages.en.inflection import as_object, as_subject, be, do, participle, past, third_person
from tupelo.nlp.syntax import DependencyTree, is_run
from tupelo.robustness.rewrite.clause import Block, Clause, is_modified
from tupelo.robustness.rewrite.draft import Draft, Item, New, Turn, item_text
from tupelo.robustness.rewrite.rule import Proposals, clause_rule, rule

# "by the end of the war" is not an agent, even if labelled as one.
_TIMES = word_set("end beginning start time then now date middle")


_PHRASE_STARTS = frozenset(["DET", "ADJ", "NOUN", "PROPN", "PRON", "NUM", "ADV"])
_WHENS = word_set("time day year month week moment way reason place period")
# "The locals all speak it": the quantifier belongs to the subject.
_FLOATING = word_set("all both each")


@clause_rule("passive", "voice")
def passive(clause: Clause) -> Proposals:
    """The object becomes the subject."""
    tree, target = clause.tree, clause.block("obj")
    if clause.has_second_verb or tree.labels[clause.subject_head] != "nsubj" or target is None:
        return
    if not _can_be_passive(clause, target) or _is_unsure_number(tree, target):
        return
    verb = _passive_verb(clause, tree.is_plural(target.head))
    if verb is None:
        return
    # The second comma of an apposition in the object belonged to the text after it.
    closing = [New(",")] if sum(tree.text(index) == "," for index in target.tokens) % 2 else []
    items: list[Item] = [
        *clause.before,
        *_cased(tree, target.tokens, as_subject),
        *closing,
        *verb,
        New("by"),
        *_cased(tree, clause.subject, as_object),
        *clause.after_without(target.tokens),
    ]
    relation = tuple(item_text(tree, item) for item in verb)
    turn = Turn(clause.predicate, frozenset(clause.group), relation, clause.subject, target.tokens, mark="by")
    yield Draft(tuple(items), (turn,))


@clause_rule("active", "voice")
def active(clause: Clause) -> Proposals:
    """The agent becomes the subject."""
    tree = clause.tree
    if clause.has_second_verb or not clause.is_plain:
        return
    if tree.labels[clause.subject_head] != "nsubj:pass" or tree.upos(clause.predicate) != "VERB":
        return
    agents = [
        block for block in clause.blocks if block.label == "obl:agent" and tree.lowered[block.tokens[0]] == "by"
    ]
    if len(agents) != 1 or len(agents[0].tokens) > 20:
        return
    agent = agents[0]
    if _refers_back(tree, (*agent.tokens, *clause.subject)) or _is_unsure_number(tree, agent):
        return
    if _is_referred_to(clause, agent.tokens):
        return
    if clause.is_time(agent) or tree.tag(agent.head) == "VBG" or tree.lemmas[agent.head] in _TIMES:
        return
    verb = _active_verb(clause, tree.is_plural(agent.head))
    if verb is None:
        return
    new, old, after = agent.tokens[1:], clause.bare_subject, clause.after_without(agent.tokens)
    closing = [New(",")] if len(old) < len(clause.subject) and after else []
    items: list[Item] = [
        *clause.before,
        *_cased(tree, new, as_subject),
        *verb,
        *_cased(tree, old, as_object),
        *closing,
        *after,
    ]
    turn = Turn(
        clause.predicate,
        frozenset(clause.group),
        tuple(item_text(tree, item) for item in verb),
        old,
        new,
        old_mark="by",
    )
    yield Draft(tuple(items), (turn,))


def _can_be_passive(clause: Clause, target: Block) -> bool:
    tree, head, tokens = clause.tree, target.head, target.tokens
    if clause.lemma in NO_PASSIVE_VERBS or tree.upos(clause.predicate) != "VERB" or clause.block("iobj", "xcomp"):
        return False
    if clause.lemma in LIGHT_VERBS and not is_modified(tree, head):
        return False
    if len(tokens) > 16 or len(clause.subject) > 16 or _refers_back(tree, (*tokens, *clause.subject)):
        return False
    if any(tree.lowered[index] in ("each", "one") for index in tokens):
        return False
    if tree.lowered[head] in ("it", "what", "that", "this"):
        return False
    if clause.has_pronoun_subject or tree.lowered[clause.subject_head] in ("which", "who"):
        return False
    if any(tree.lowered[index] in _FLOATING for index in clause.group) or _is_referred_to(clause, tokens):
        return False
    if tree.entity[head] in ("number", "datetime") or tree.text(tokens[0]) in ("$", "#"):
        return False
    if "%" in tree.text(tokens[-1]):
        return False
    if tokens[0] <= clause.group[-1] or any(tree.text(index) in (";", ":", "--") for index in clause.after):
        return False
    # "He cut costs to save money": the passive would lose who saves.
    return not any(
        block.base == "advcl" and not tree.has_own_subject(block.head) for block in (*clause.blocks, *clause.fronts)
    )


def _is_referred_to(clause: Clause, other: Sequence[int]) -> bool:
    """Whether a pronoun elsewhere may refer to one of the two: with the other one first, it would be misread."""
    inside = {*clause.subject, *other}
    words = clause.tree.lowered
    return any(word in THIRD_PERSON | POSSESSIVES and index not in inside for index, word in enumerate(words))


def _refers_back(tree: DependencyTree, tokens: Iterable[int]) -> bool:
    return any(tree.lowered[index] in POSSESSIVES | REFLEXIVES for index in tokens)


def _is_unsure_number(tree: DependencyTree, block: Block) -> bool:
    """Whether a phrase may be singular or plural, as in *the University of A and B*."""
    coordinated = any(tree.lowered[index] in ("and", "&") for index in block.tokens)
    return coordinated and not tree.is_plural(block.head)


def _passive_verb(clause: Clause, plural: bool) -> list[Item] | None:
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
            if tree.lemmas[index] == "be" and tree.tag(index) not in ("VBZ", "VBP", "VBD"):
                # "has been building" has no idiomatic passive.
                return None
            built.append(_agreeing(tree, index, plural))
        elif index != verb:
            built.append(index)
        elif auxiliaries:
            if tag not in ("VBN", "VBG", "VB"):
                return None
            if tag != "VB" or not supported:
                built.append(New({"VBN": "been", "VBG": "being", "VB": "be"}[tag]))
            built.append(New(participle(clause.lemma), (verb,)))
        else:
            if tag not in ("VBD", "VBZ", "VBP"):
                return None
            built.insert(0, New(be(past=tag == "VBD", plural=plural)))
            built.append(New(participle(clause.lemma), (verb,)))
    return built


def _active_verb(clause: Clause, plural: bool) -> list[Item] | None:
    """*has been sold* -> *has sold*."""
    tree, verb = clause.tree, clause.predicate
    auxiliary = tree.child(verb, "aux:pass")
    if auxiliary is None or tree.tag(verb) != "VBN" or tree.lemmas[auxiliary] != "be":
        return None
    tag = tree.tag(auxiliary)
    finite = tag in ("VBD", "VBZ", "VBP")
    negated = any(tree.lowered[index] in ("not", "n't") for index in clause.group)
    if tag == "VBG":
        return None
    main: Item = verb
    if finite and not negated:
        main = New(
            past(clause.lemma) if tag == "VBD" else clause.lemma if plural else third_person(clause.lemma), (verb,)
        )
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
    if lemma == "be" and tag in ("VBZ", "VBP", "VBD"):
        return New(be(past=tag == "VBD", plural=plural), (index,))
    return index


def _cased(tree: DependencyTree, tokens: Sequence[int], form: Callable[[str], str]) -> list[Item]:
    """A lone pronoun in the other case."""
    if len(tokens) == 1 and tree.tag(tokens[0]) == "PRP":
        return [New(form(tree.text(tokens[0])), tuple(tokens))]
    return list(tokens)


@rule("relative-passive", "voice")
def relative_passive(tree: DependencyTree) -> Proposals:
    """*The book that Ann wrote* -> *The book that was written by Ann*."""
    for verb in range(tree.size):
        noun = tree.heads[verb]
        pronoun, subject = tree.child(verb, "obj"), tree.child(verb, "nsubj")
        if tree.labels[verb] != "acl:relcl" or noun is None or pronoun is None or subject is None:
            continue
        words = tree.subtree(subject)
        if tree.tag(pronoun) != "WDT" or [pronoun + 1, verb - 1] != [words[0], words[-1]] or not is_run(words):
            continue
        if tree.tag(verb) not in ("VBD", "VBZ", "VBP") or tree.tag(subject) in ("PRP", "WP", "DT", "EX"):
            continue
        if tree.lemmas[verb] in NO_PASSIVE_VERBS | LIGHT_VERBS or _refers_back(tree, words):
            continue
        if tree.children(verb, "xcomp", "ccomp", "iobj", "compound:prt", "conj", "advmod", "advcl"):
            continue
        if tree.lemmas[noun] in _WHENS or (verb + 1 < tree.size and tree.upos(verb + 1) in _PHRASE_STARTS):
            # "the day that Ann arrived", "which the navy calls its pride".
            continue
        form = be(past=tree.tag(verb) == "VBD", plural=tree.is_plural(noun))
        new = (New(form), New(participle(tree.lemmas[verb]), (verb,)), New("by"), *words)
        items = (*range(pronoun + 1), *new, *range(verb + 1, tree.size))
        antecedent = tuple(index for index in tree.phrase(noun, [verb]) if index < pronoun)
        relation = (form, participle(tree.lemmas[verb]))
        yield Draft(items, (Turn(verb, frozenset([verb]), relation, tuple(words), antecedent, mark="by"),))
