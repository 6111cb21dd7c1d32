"""Our parses in the labels of the n-grams: hand-made sentences, and trees of every kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.inference.reference import assertion_of
from tupelo.core import Analysis, Word
from tupelo_training.assertions.lines import parse_tokens, tree_fault
from tupelo_training.assertions.ngrams import (
    LABELS,
    LEFT_OUT,
    LINKS,
    MARKERS,
    count_fragments,
    fragments,
    to_stanford,
)

UPOS = {
    "NN": "NOUN",
    "NNS": "NOUN",
    "NNP": "PROPN",
    "PRP": "PRON",
    "PRP$": "PRON",
    "VB": "VERB",
    "VBD": "VERB",
    "VBZ": "VERB",
    "VBN": "VERB",
    "VBG": "VERB",
    "IN": "ADP",
    "DT": "DET",
    "JJ": "ADJ",
    "RB": "ADV",
    "TO": "PART",
    "POS": "PART",
    "CC": "CCONJ",
    ".": "PUNCT",
    "CD": "NUM",
    "MD": "AUX",
    "WP": "PRON",
}


def parsed(text: str) -> Analysis:
    """A sentence from `word/tag/UD label/head`, heads counting from 1."""
    words, position = [], 0
    for token in text.split():
        form, tag, label, head = token.rsplit("/", 3)
        lemma = {"became": "become", "is": "be", "was": "be"}.get(form, form)
        upos = "AUX" if label.startswith(("aux", "cop")) else UPOS[tag]
        words.append(
            Word(
                form,
                position,
                position + len(form),
                lemma,
                upos,
                tag,
                "",
                int(head) - 1 if head != "0" else None,
                label,
            )
        )
        position += len(form) + 1
    return Analysis(" ".join(word.text for word in words), tuple(words))


@pytest.mark.parametrize(
    ("universal", "stanford"),
    [
        # names of labels
        (
            "Dogs/NNS/nsubj/2 chase/VB/root/0 cats/NNS/obj/2 ././punct/2",
            "dogs/NNS/nsubj/2 chase/VB/ROOT/0 cats/NNS/dobj/2 ././punct/2",
        ),
        (
            "He/PRP/nsubj:pass/3 was/VBD/aux:pass/3 seen/VBN/root/0",
            "he/PRP/nsubjpass/3 was/VBD/auxpass/3 seen/VBN/ROOT/0",
        ),
        (
            "I/PRP/nsubj/3 never/RB/advmod/3 gave/VBD/root/0 up/RB/compound:prt/3",
            "I/PRP/nsubj/3 never/RB/neg/3 gave/VBD/ROOT/0 up/RB/prt/3",
        ),
        ("two/CD/nummod/3 guard/NN/compound/3 dogs/NNS/root/0", "two/CD/num/3 guard/NN/nn/3 dogs/NNS/ROOT/0"),
        ("well/RB/discourse/2 go/VB/root/0", "well/RB/dep/2 go/VB/ROOT/0"),
        ("go/VB/root/0 Tuesday/NNP/obl:tmod/1", "go/VB/ROOT/0 Tuesday/NNP/tmod/1"),
        (
            "he/PRP/nsubj/2 wants/VBZ/root/0 to/TO/mark/4 eat/VB/xcomp/2",
            "he/PRP/nsubj/2 wants/VBZ/ROOT/0 to/TO/aux/4 eat/VB/xcomp/2",
        ),
        ("John/NNP/nmod:poss/3 's/POS/case/1 dog/NN/root/0", "John/NNP/poss/3 's/POS/possessive/1 dog/NN/ROOT/0"),
        # prepositions
        (
            "we/PRP/nsubj/2 live/VB/root/0 in/IN/case/4 Oslo/NNP/obl/2",
            "we/PRP/nsubj/2 live/VB/ROOT/0 in/IN/prep/2 Oslo/NNP/pobj/3",
        ),
        (
            "king/NN/root/0 of/IN/case/4 the/DT/det/4 hill/NN/nmod/1",
            "king/NN/ROOT/0 of/IN/prep/1 the/DT/det/4 hill/NN/pobj/2",
        ),
        (
            "got/VBD/root/0 out/IN/case/4 of/IN/case/4 town/NN/obl/1",
            "got/VBD/ROOT/0 out/IN/prep/1 of/IN/prep/2 town/NN/pobj/3",
        ),
        (
            "left/VBD/root/0 because/IN/case/4 of/IN/fixed/2 rain/NN/obl/1",
            "left/VBD/ROOT/0 because/IN/prep/1 of/IN/mwe/2 rain/NN/pobj/2",
        ),
        (
            "through/IN/case/2 which/WP/obl/5 he/PRP/nsubj/5 was/VBD/cop/5 able/JJ/root/0",
            "through/IN/prep/5 which/WP/pobj/1 he/PRP/nsubj/4 was/VBD/ROOT/0 able/JJ/acomp/4",
        ),
        # be
        (
            "she/PRP/nsubj/4 is/VBZ/cop/4 a/DT/det/4 doctor/NN/root/0",
            "she/PRP/nsubj/2 is/VBZ/ROOT/0 a/DT/det/4 doctor/NN/attr/2",
        ),
        (
            "she/PRP/nsubj/5 is/VBZ/cop/5 not/RB/advmod/5 a/DT/det/5 doctor/NN/root/0 ././punct/5",
            "she/PRP/nsubj/2 is/VBZ/ROOT/0 not/RB/neg/2 a/DT/det/5 doctor/NN/attr/2 ././punct/2",
        ),
        (
            "she/PRP/nsubj/5 is/VBZ/cop/5 not/RB/advmod/5 very/RB/advmod/5 ill/JJ/root/0",
            "she/PRP/nsubj/2 is/VBZ/ROOT/0 not/RB/neg/2 very/RB/advmod/5 ill/JJ/acomp/2",
        ),
        (
            "she/PRP/nsubj/4 is/VBZ/cop/4 in/IN/case/4 Oslo/NNP/root/0",
            "she/PRP/nsubj/2 is/VBZ/ROOT/0 in/IN/prep/2 Oslo/NNP/pobj/3",
        ),
        ("she/PRP/nsubj/2 became/VBD/root/0 queen/NN/xcomp/2", "she/PRP/nsubj/2 became/VBD/ROOT/0 queen/NN/attr/2"),
        ("she/PRP/nsubj/2 became/VBD/root/0 ill/JJ/xcomp/2", "she/PRP/nsubj/2 became/VBD/ROOT/0 ill/JJ/acomp/2"),
        (
            "it/PRP/nsubj/3 is/VBZ/cop/3 tea/NN/root/0 and/CC/cc/6 she/PRP/nsubj/6 drinks/VBZ/conj/3",
            "it/PRP/nsubj/2 is/VBZ/ROOT/0 tea/NN/attr/2 and/CC/cc/6 she/PRP/nsubj/6 drinks/VBZ/conj/2",
        ),
        # names
        (
            "Barack/NNP/nsubj/3 Obama/NNP/flat/1 spoke/VBD/root/0",
            "Barack/NNP/nn/2 Obama/NNP/nsubj/3 spoke/VBD/ROOT/0",
        ),
        (
            "saw/VBD/root/0 the/DT/det/3 Rio/NNP/obj/1 Grande/NNP/flat/3 Sul/NNP/flat/3",
            "saw/VBD/ROOT/0 the/DT/det/5 Rio/NNP/nn/5 Grande/NNP/nn/5 Sul/NNP/dobj/1",
        ),
        (
            "went/VBD/root/0 to/IN/case/3 New/NNP/obl/1 Delhi/NNP/flat/3",
            "went/VBD/ROOT/0 to/IN/prep/1 New/NNP/nn/4 Delhi/NNP/pobj/2",
        ),
    ],
)
def test_heads_and_labels_worked_out_by_hand(universal, stanford):
    found = to_stanford(parsed(universal))
    assert found is not None
    assert " ".join(map(str, found)) == stanford
    assert tree_fault(found) is None


def test_a_sentence_that_nobody_parsed_has_no_ngrams():
    assert to_stanford(Analysis("Dogs bark", (Word("Dogs", 0, 4), Word("bark", 5, 9)))) is None
    assert to_stanford(Analysis("", ())) is None


@st.composite
def trees(draw) -> Analysis:
    """Any tree with any labels of UD, sensible or not."""
    size = draw(st.integers(1, 9))
    order = draw(st.permutations(range(size)))
    heads: list[int | None] = [None] * size
    for place in range(1, size):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    labels = [*LABELS, "vocative", "flat:foreign", "orphan"]
    words = []
    for position, head in enumerate(heads):
        label = "root" if head is None else draw(st.sampled_from([one for one in labels if one != "root"]))
        tag = draw(st.sampled_from(sorted(UPOS)))
        words.append(Word(f"w{position}", position * 3, position * 3 + 2, "w", UPOS[tag], tag, "", head, label))
    return Analysis(" ".join(word.text for word in words), tuple(words))


@given(trees())
def test_every_tree_stays_a_tree(analysis):
    found = to_stanford(analysis)
    assert found is not None
    assert [token.word for token in found] == [word.text for word in analysis.words]
    assert tree_fault(found) is None
    assert sum(token.head == 0 for token in found) == 1


@given(trees())
def test_every_piece_is_a_tree_with_the_right_number_of_content_words(analysis):
    tokens = to_stanford(analysis)
    for arcs in (1, 2, 3):
        for text in fragments(tokens, [arcs]):
            piece = parse_tokens(text)
            assert sum(token.head == 0 for token in piece) == 1
            content = [token for token in piece if token.label not in MARKERS | LINKS | LEFT_OUT]
            assert len(content) == arcs + 1
            assert not any(token.label in LEFT_OUT for token in piece)


@given(trees())
def test_pieces_are_those_that_a_search_through_all_sets_finds(analysis):
    from itertools import combinations

    tokens = to_stanford(analysis)
    content = [number for number, token in enumerate(tokens) if token.label not in MARKERS | LINKS | LEFT_OUT]

    def above(position: int) -> int | None:
        head = tokens[position].head - 1
        while head >= 0 and tokens[head].label in LINKS:
            head = tokens[head].head - 1
        return head if head in content else None

    connected = 0
    for chosen in combinations(content, 3):
        connected += sum(above(position) not in chosen for position in chosen) == 1
    assert len(list(fragments(tokens, [2]))) == connected


def test_pieces_of_a_sentence_by_hand():
    sentence = parsed(
        "The/DT/det/2 king/NN/nsubj/3 lives/VBZ/root/0 in/IN/case/6 old/JJ/amod/6 Oslo/NNP/obl/3 ././punct/3"
    )
    assert sorted(ngram for ngram in fragments(to_stanford(sentence), [2, 3])) == [
        # triarc: all content words
        "lives/VBZ/ROOT/0 in/IN/prep/1 old/JJ/amod/4 Oslo/NNP/pobj/2",
        "the/DT/det/2 king/NN/nsubj/3 lives/VBZ/ROOT/0 in/IN/prep/3 Oslo/NNP/pobj/4",
        "the/DT/det/2 king/NN/nsubj/3 lives/VBZ/ROOT/0 in/IN/prep/3 old/JJ/amod/6 Oslo/NNP/pobj/4",
    ]


def test_counts_add_up_whatever_is_held():
    sentence = parsed("dogs/NNS/nsubj/2 chase/VB/root/0 cats/NNS/obj/2")
    other = parsed("dogs/NNS/nsubj/2 chase/VB/root/0 birds/NNS/obj/2")
    assert list(count_fragments([sentence, other, sentence])) == [
        "chase\tdogs/NNS/nsubj/2 chase/VB/ROOT/0 birds/NNS/dobj/2\t1\n",
        "chase\tdogs/NNS/nsubj/2 chase/VB/ROOT/0 cats/NNS/dobj/2\t2\n",
    ]
    singly = list(count_fragments([sentence, other, sentence], held=1))
    assert [line.split("\t")[2] for line in singly] == ["1\n", "1\n", "1\n"]


def test_only_verbs_at_the_root():
    sentence = parsed("old/JJ/amod/2 king/NN/nsubj/5 of/IN/case/4 Oslo/NNP/nmod/2 slept/VBD/root/0")
    everything = set(fragments(to_stanford(sentence), [2]))
    verbs = set(fragments(to_stanford(sentence), [2], verbs_only=True))
    assert everything - verbs == {"old/JJ/amod/2 king/NN/nsubj/0 of/IN/prep/2 Oslo/NNP/pobj/3"}
    assert len(verbs) == 2


def test_our_pieces_become_assertions():
    sentence = parsed(
        "Chocolate/NN/nsubj:pass/3 is/VBZ/aux:pass/3 made/VBN/root/0 from/IN/case/7 the/DT/det/7 cocoa/NN/compound/7 "
        "bean/NN/obl/3"
    )
    found = {assertion_of(parse_tokens(text), 1) for text in fragments(to_stanford(sentence))} - {None}
    assert {(one.subject, one.relation, one.object) for one in found} == {
        ("chocolate", "is made from", "the bean"),
        ("chocolate", "is made from", "the cocoa bean"),
    }
