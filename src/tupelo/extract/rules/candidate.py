"""All tuples that the rules can extract from a sentence, reliable or doubtful, each with its rule.

A clause gives tuples of several shapes. As a whole: *(Ann; sent; a letter; to the mayor of Oslo)*. In parts of one
fact each: *(Ann; sent; a letter)*, *(Ann; sent a letter to; the mayor of Oslo)*. And with nouns inside arguments:
*(Ann; sent a letter to the mayor of; Oslo)*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from tupelo.core import Analysis, Word
from tupelo.extract.parts import role_of
from tupelo.extract.rules.clauses import Clause, Complement, clauses, group_of
from tupelo.extract.rules.clefts import straighten
from tupelo.extract.rules.form import is_phrase, is_relation, missing_from_names, refers_nowhere, tidy
from tupelo.extract.rules.nouns import noun_relations
from tupelo.extract.rules.pairs import paired
from tupelo.extract.rules.phrases import ArgumentPhrase, atoms, noun_phrase
from tupelo.extract.rules.repair import attach, repair
from tupelo.extract.rules.subjects import SubjectFinder
from tupelo.extract.rules.verbs import Pieces
from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import NEGATIVE_PRONOUNS, SPEECH_VERBS
from tupelo.nlp.syntax import VERBAL, DependencyTree, remembered

_FINITE = frozenset(["VBZ", "VBP", "VBD", "MD"])
# Openings of lines of code, markup and shells; also option lists, fences, rulers, fields and directives.
_OPENING = re.compile(
    r"\s*(```|~~~|\$ |>>> |\.\.\. |\.\. |\|[^|]*\||\+-|\[!|!\[|</?[a-z!]|:[\w-]+:|@\w|--?\w|[-*+] (\[|--?\w)"
    r"|[=~^*_#-]{3,}\s*$|#!|#include|(import|def|class|return|const|let|var|export) [\w.{*]+[ (:;]|from \S+ import )"
)
_HEADING = re.compile(r"\s*#{1,6} ")
_COLUMN = re.compile(r"(?<=\S)(?: {3}|\t)")
# Calls, indexes, assignments and other signs that programs read; *option(s)* and *text[12]* are prose.
_CODE = re.compile(
    r"\w\((?!e?s\))|\w\[(?!\d)|[\w\])\"']=[\w\"'\[({-]|[{}\\]|::|->|=>|==|!=|&&|\|\||</?\w|;$|^[:+<>]?=$"
)
_ADDRESS = re.compile(r"://|@|^www\.")
_QUOTED = re.compile(r"``[^`\n]+``|`[^`\n]+`")
_SHELL = words("extraction", "shell_commands")
_FULL_STOPS = (".", "!", "?")
_STOPS = (*_FULL_STOPS, "…", ":", ")", "]", "”", '"', "’", "'")


def is_prose(analysis: Analysis) -> bool:
    """Whether a sentence states something in words: it is no heading, menu, table, option, code, badge or address.

    Prose has a predicate: a finite verb, or a subject with a verb of any form, as in headlines (*Man arrested in
    Oslo*). Lines that are written for a program or laid out in columns are no prose, whatever a parser makes of them.
    """
    text, written = analysis.text, analysis.text.rstrip()
    if _OPENING.match(text) or len(_COLUMN.findall(text.strip())) > 1:
        return False
    if not any(_shows_predicate(analysis.words, word) for word in analysis.words):
        return False
    if _HEADING.match(text) and not written.endswith(_STOPS):
        return False
    # More than one word in eight looks like code; code in backquotes counts as a word.
    pieces = _QUOTED.sub("x", text).split()
    if 8 * sum(bool(_CODE.search(piece)) and not _ADDRESS.search(piece) for piece in pieces) > len(pieces):
        return False
    return written.endswith(_FULL_STOPS) or not (analysis.words[0].text in _SHELL or _is_table(analysis))


def _shows_predicate(words: tuple[Word, ...], word: Word) -> bool:
    """Whether a word is a finite verb, or the subject of a verb or copula of any form."""
    head = word.head
    if (word.deprel or "").startswith("nsubj") and head is not None and 0 <= head < len(words):
        is_copular = any(other.head == head and other.deprel == "cop" for other in words)
        if is_copular or words[head].upos in VERBAL:
            return True
    if word.xpos is None:
        return word.upos in VERBAL
    return word.xpos in _FINITE and any(map(str.isalpha, word.text))


def _is_table(analysis: Analysis) -> bool:
    """Rows of a table, scores, contents: mostly numbers, or many words and mostly names and numbers."""
    words = [word for word in analysis.words if word.upos != "PUNCT"]
    numbers = sum(word.upos in ("NUM", "SYM") for word in words)
    names = sum(word.upos != "NUM" and word.text[:1].isupper() for word in words)
    small = sum(word.text.islower() for word in words)
    is_long_list = len(words) >= 20 and numbers > 2 and small < numbers + names
    return len(words) >= 8 and (2 * numbers > len(words) or is_long_list)


# Maximum number of tuples per clause.
_MOST_SPLIT = 16
# Complements that become part of the relation of later facts.
_CARRIED = frozenset(["obj", "xcomp", "predicate", "relative", "iobj"])
# Complements that say nothing true without others: "made Bob" of "made Bob leave", "said in May" of "said that".
_TORN_FROM = {"obj": "xcomp", "iobj": "xcomp", "obl": "ccomp", "advmod": "ccomp"}
# Maximum depth of nested nouns.
_DEEPEST = 3


@dataclass(frozen=True, slots=True)
class TupleCandidate:
    """A tuple as word indexes and implied words; `roles` are parallel to `complements`."""

    rule: str
    shape: str
    predicate: int | None
    subject: Pieces
    relation: Pieces
    complements: tuple[Pieces, ...]
    roles: tuple[str | None, ...] = ()


def prepared(analysis: Analysis) -> Analysis:
    """The sentence as the rules read it: names whole, clefts as plain clauses, relative clauses where they fit."""
    return attach(straighten(repair(analysis)))


def candidates(analysis: Analysis, tree: DependencyTree | None = None) -> list[TupleCandidate]:
    """All candidates of a sentence, with clefts treated as plain clauses; empty if it was not parsed or is no prose.

    `tree` is the tree of the `prepared` sentence, if the caller already has it.
    """
    if not is_prose(analysis):
        return []
    tree = tree or DependencyTree(prepared(analysis))
    found: list[TupleCandidate] = []
    subjects = SubjectFinder(tree)
    for clause in (pair for whole in clauses(subjects) for pair in paired(tree, whole)):
        found.extend(_whole(tree, clause))
        found.extend(_pieces(tree, clause))
    found.extend(_speech_beside(subjects))
    for rule, subject, relation, argument in noun_relations(tree):
        if subject and argument and not set(subject) & set(argument):
            found.append(TupleCandidate(rule, "noun", None, subject, relation, (argument,), (None,)))
    return list(dict.fromkeys(formed for candidate in found if (formed := well_formed(tree, candidate)) is not None))


def well_formed(tree: DependencyTree, candidate: TupleCandidate) -> TupleCandidate | None:
    """The candidate with tidy parts and whole names; `None` if a part is not one phrase."""
    relation = _tidy(tree, candidate.relation)
    if not is_relation(tree, relation):
        return None
    strict = candidate.shape in ("nested", "noun") and candidate.rule != "title"
    parts = [_phrases(tree, part) for part in (candidate.subject, *candidate.complements)]
    used = [piece for part in (relation, *(part for part, _ in parts)) for piece in part if isinstance(piece, int)]
    taken = set(used)
    if len(taken) < len(used) or any(missing is None for _, missing in parts):
        return None
    formed: list[Pieces] = []
    for part, missing in parts:
        if missing:
            filled = tidy(tree, {*missing, *(piece for piece in part if isinstance(piece, int))})
            if taken.isdisjoint(missing) and is_phrase(tree, filled) and not any(isinstance(p, str) for p in part):
                taken |= missing
                part = filled
            elif strict:
                return None
        formed.append(part)
    return replace(candidate, subject=formed[0], relation=relation, complements=tuple(formed[1:]))


@remembered
def _phrases(tree: DependencyTree, part: Pieces) -> tuple[Pieces, set[int] | None]:
    """A part without loose marks, and the words that its names lack; `None` if it is not made of phrases."""
    neat = _tidy(tree, part)
    whole = all(is_phrase(tree, run) and not refers_nowhere(tree, run) for run in _runs(neat))
    words = [piece for piece in neat if isinstance(piece, int)]
    return neat, missing_from_names(tree, words) if whole else None


def _runs(part: Pieces) -> list[list[int]]:
    """The phrases of a part, between implied words: *Ann* and *brother* in *Ann 's brother*."""
    runs: list[list[int]] = [[]]
    for piece in part:
        if isinstance(piece, str):
            runs.append([])
        else:
            runs[-1].append(piece)
    return runs


def _tidy(tree: DependencyTree, part: Pieces) -> Pieces:
    """Words of the sentence in the given order, without loose marks; implied words stay where they are."""
    words = [piece for piece in part if isinstance(piece, int)]
    kept = set(tidy(tree, words))
    if len(kept) == len(words):
        return part
    return tuple(piece for piece in part if isinstance(piece, str) or piece in kept)


def _whole(tree: DependencyTree, clause: Clause) -> Iterator[TupleCandidate]:
    """The clause with all its complements; coordinated ones one by one."""
    chosen = _worth_telling(clause.complements)
    chosen += [part for part in clause.complements if part not in chosen and _completes(tree, clause, part)]
    roles = tuple(part.role for part in chosen)
    for subject, *phrases in islice(product(clause.subjects, *(part.phrases for part in chosen)), _MOST_SPLIT):
        if not any(_overlap(subject, phrase) for phrase in phrases):
            opening = phrases[0].preposition if phrases and not _is_fronted(clause, phrases[0]) else ()
            # The preposition of the first argument ends the relation; later arguments keep theirs.
            arguments = tuple(
                phrase.whole if number or not opening else phrase.tokens for number, phrase in enumerate(phrases)
            )
            relation = (*clause.verb, *opening)
            yield TupleCandidate(clause.rule, "whole", clause.predicate, subject.pieces, relation, arguments, roles)


def _pieces(tree: DependencyTree, clause: Clause) -> Iterator[TupleCandidate]:
    """One fact per complement; the object goes into the relation of the others."""
    carried: Pieces = ()
    parts = _worth_telling(clause.complements)
    labels = {part.label for part in parts}
    subjects = [subject.named for subject in clause.subjects]
    for part in parts:
        torn = _TORN_FROM.get(part.label) in labels
        for subject, phrase in islice(product(subjects, (one.named for one in part.phrases)), _MOST_SPLIT):
            if torn or _overlap(subject, phrase):
                continue
            fronted = _is_fronted(clause, phrase)
            relation = (*clause.verb, *carried, *(() if fronted else phrase.preposition))
            argument = phrase.whole if fronted else phrase.tokens
            yield TupleCandidate(
                clause.rule, "piece", clause.predicate, subject.pieces, relation, (argument,), (part.role,)
            )
            if part.label not in ("ccomp", "advcl") and not fronted:
                yield from _nested(tree, clause, subject, relation, phrase)
        if part.label not in _CARRIED:
            continue
        if len(part.phrases) == 1:
            carried = (*carried, *part.phrases[0].named.whole)
        elif part.label == "obj":
            carried = (*carried, *noun_phrase(tree, part.phrases[0].head).named.whole)
        elif part.label == "predicate":
            # "is hot and dry in July": both adjectives go with the month.
            words = [word for phrase in part.phrases for word in phrase.whole]
            carried = (*carried, *range(min(words), max(words) + 1))


def _is_fronted(clause: Clause, phrase: ArgumentPhrase) -> bool:
    """Whether a phrase with a preposition stands before the verb: *In May, Ann left*."""
    return (
        bool(phrase.preposition) and max(phrase.whole) < clause.predicate and phrase.preposition[0] < phrase.tokens[0]
    )


def _overlap(subject: ArgumentPhrase, phrase: ArgumentPhrase) -> bool:
    return not set(subject.pieces).isdisjoint(phrase.tokens)


def _nested(
    tree: DependencyTree, clause: Clause, subject: ArgumentPhrase, relation: Pieces, phrase: ArgumentPhrase
) -> Iterator[TupleCandidate]:
    """One fact per noun inside an argument: *(Ann; served as mayor of; Oslo)*."""
    if tree.lowered[phrase.head] in ("none", "each", "neither", "either", "any"):
        # "none of the guests": the guests are no argument.
        return
    for _ in range(_DEEPEST):
        inner: ArgumentPhrase | None = None
        carried: Pieces = ()
        for target in _inner_nouns(tree, phrase):
            start = tree.subtree(target)[0]
            for part in atoms(tree, target):
                # Up to the noun itself, with the participle before it; words before a conjunct are shared.
                before = tuple(token for token in phrase.tokens if token < start)
                yield TupleCandidate(
                    clause.rule,
                    "nested",
                    clause.predicate,
                    subject.pieces,
                    (*relation, *before, *part.preposition),
                    (part.tokens,),
                    (role_of(tree.analysis, part.whole, tree),),
                )
            if tree.heads[target] == phrase.head:
                inner = noun_phrase(tree, target)
                carried = (*(token for token in phrase.tokens if token < start), *inner.preposition)
        if inner is None:
            return
        phrase, relation = inner, (*relation, *carried)


def _inner_nouns(tree: DependencyTree, phrase: ArgumentPhrase) -> Iterator[int]:
    """Nouns in what follows the head of a phrase: *cases involving children*, *mayor of Oslo*."""
    for verb in tree.children(phrase.head, "acl"):
        targets = (*tree.children(verb, "obj"), *tree.children(verb, "obl"))
        if targets and tree.labels[verb] == "acl" and verb in phrase.tokens and targets[0] > verb:
            yield targets[0]
    for noun in tree.children(phrase.head, "nmod"):
        is_whole = tree.labels[noun] == "nmod" and tree.child(noun, "case") is not None
        if is_whole and noun in phrase.tokens and noun > phrase.head:
            yield noun


def _worth_telling(complements: Sequence[Complement]) -> list[Complement]:
    """Without adverbial clauses and plain adverbs, unless there is nothing else."""
    parts = [part for part in complements if part.label not in ("advcl", "advcl:relcl")]
    rest = [part for part in parts if part.label != "advmod" or part.role is not None]
    return rest or parts or list(complements)


def _completes(tree: DependencyTree, clause: Clause, part: Complement) -> bool:
    """Whether a fact is whole only with a complement: adverbs after the verb, and when, why or how it happens."""
    if part.label == "advmod":
        return part.position > clause.predicate
    return part.label == "advcl" and part.role not in (None, "location")


def _speech_beside(subjects: SubjectFinder) -> Iterator[TupleCandidate]:
    """*It works, she said*: the speaker, the verb and everything around them."""
    tree = subjects.tree
    for index in range(tree.size):
        head = tree.heads[index]
        if head is None or tree.base[index] != "parataxis" or tree.lemmas[index] not in SPEECH_VERBS:
            continue
        # "It failed, nobody told her" does not tell it.
        said, named = tree.has_base(tree.below[index], "ccomp", "xcomp", "obj"), tree.child(index, "nsubj")
        if said or named is None or tree.lowered[named] in NEGATIVE_PRONOUNS:
            continue
        content = tree.trim(tree.subtree(head, {index}))
        for subject in subjects.of(index)[1]:
            if content:
                yield TupleCandidate(
                    "speech", "whole", index, subject.tokens, group_of(subjects, index), (tuple(content),), (None,)
                )
