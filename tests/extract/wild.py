"""Analyses that no parser would make: any words, any tree, any labels. Extractors must take them all."""

from __future__ import annotations

import random
from dataclasses import replace

from tupelo.core import Analysis, Constituent, Entity, Word
from tupelo.core.analysis import ENTITY_TYPES

_DEPRELS = """
nsubj nsubj:pass obj iobj csubj csubj:pass ccomp xcomp obl obl:agent obl:npmod obl:tmod vocative expl dislocated
advcl advcl:relcl advmod discourse aux aux:pass cop mark nmod nmod:poss nmod:npmod nmod:tmod appos nummod acl
acl:relcl amod det det:predet clf case conj cc cc:preconj fixed flat flat:foreign compound compound:prt list
parataxis orphan goeswith reparandum punct dep
"""
_UPOS = "ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"
_XPOS = "NN NNS NNP VB VBD VBZ VBG VBN MD IN TO DT PRP PRP$ WP WDT RB JJ CD CC , . `` '' -LRB- -RRB- $ SYM FW"
_FORMS = """
Ann he who that not n't never no said says believes if may might must could will would is was were be been has had
do did to of in on at by for with from as since the a an and or but , . ; : " '' `` ( ) [ ] - -- – $ % 's ' 1998
May 5 Paris president company caucus elected served claimed according because while when where which whose it
them there here today last year new York U.S. Mr. I'm 汉字 हिन्दी العربية 👍🏽 👩‍👩‍👧 naïve İ ß ﬁ \u200b x\u0301 <b>
&amp; \x00 \\ / #tag @user http://a.b/c?d=e aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
"""
DEPRELS, UPOS, XPOS, FORMS = _DEPRELS.split(), _UPOS.split(), _XPOS.split(), _FORMS.split()
FEATS = [
    "",
    "Number=Sing",
    "VerbForm=Part|Tense=Past|Voice=Pass",
    "VerbForm=Ger",
    "VerbForm=Inf",
    "PronType=Rel",
    "Polarity=Neg",
    "Poss=Yes|PronType=Prs",
    "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin",
]
GAPS = ["", " ", " ", " ", " ", "  ", "\n", "\t", "\u00a0", " \n "]


def wild_analysis(source: random.Random, most_words: int = 24) -> Analysis:
    """A sentence with a tree: one root, no cycle; everything else is left to chance."""
    size = source.choice([0, 1, 2, 3, source.randint(4, most_words), source.randint(4, most_words)])
    start = source.choice([0, 0, 7, 1000])
    text, places = "", []
    for index in range(size):
        if index:
            text += source.choice(GAPS)
        form = source.choice(FORMS)
        places.append((form, len(text), len(text) + len(form)))
        text += form
    heads = _tree(source, size)
    parsed = source.random() > 0.03
    words = tuple(
        Word(
            form,
            start + begin,
            start + end,
            lemma=source.choice([form.lower(), form.lower(), "be", "say", None]),
            upos=source.choice(UPOS) if parsed else None,
            xpos=source.choice(XPOS) if parsed else None,
            feats=source.choice(FEATS) if parsed else None,
            head=heads[index] if parsed else None,
            deprel=None if not parsed else "root" if heads[index] is None else source.choice(DEPRELS),
        )
        for index, (form, begin, end) in enumerate(places)
    )
    return Analysis(
        text,
        words,
        start,
        constituents=source.choice([None, (Constituent("ROOT", 0, size),) if size else ()]),
        entities=source.choice([None, _entities(source, size)]),
        document_id=source.choice([None, "d"]),
    )


def bent(source: random.Random, original: Analysis) -> Analysis:
    """A real parse with some words, tags, labels and heads changed; still one tree."""
    words = list(original.words)
    for _ in range(source.randint(0, 6)):
        index = source.randrange(len(words))
        word = words[index]
        what = source.randrange(4)
        if what == 0 and word.head is not None:
            words[index] = replace(word, deprel=source.choice(DEPRELS))
        elif what == 1:
            words[index] = replace(word, upos=source.choice(UPOS), feats=source.choice(FEATS))
        elif what == 2:
            words[index] = replace(word, lemma=source.choice(["be", "say", "not", None, "x"]))
        elif word.head is not None:
            head = source.randrange(len(words))
            if not _is_below(words, head, index):
                words[index] = replace(word, head=head)
    return replace(original, words=tuple(words))


def _is_below(words: list[Word], index: int, other: int) -> bool:
    """Whether word `index` is word `other` or hangs on it."""
    place: int | None = index
    while place is not None:
        if place == other:
            return True
        place = words[place].head
    return False


def _tree(source: random.Random, size: int) -> list[int | None]:
    """Heads of a random tree: every word hangs on one that was placed before it."""
    heads: list[int | None] = [None] * size
    placed: list[int] = []
    # Half of the trees are shuffled, the others near what language does: heads close by.
    order = source.sample(range(size), size) if source.random() < 0.5 else list(range(size))
    for index in order:
        if placed:
            heads[index] = source.choice(placed[-4:])
        placed.append(index)
    return heads


def _entities(source: random.Random, size: int) -> tuple[Entity, ...]:
    found, position = [], 0
    while position < size:
        length = source.randint(1, 3)
        if source.random() < 0.3 and position + length <= size:
            found.append(Entity(source.choice(list(ENTITY_TYPES)), position, position + length))
        position += length
    return tuple(found)
