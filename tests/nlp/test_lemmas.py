from __future__ import annotations

import pytest

from tupelo.nlp.lemmas import Lemmatizer

LEMMATIZER = Lemmatizer(
    exceptions={"NOUN": {"news": "news"}, "PROPN": {"Dec.": "December"}},
    known={"VERB": frozenset(["hope", "hop", "make", "dress"]), "NOUN": frozenset(["house", "tie", "bus"])},
)


@pytest.mark.parametrize(
    ("form", "upos", "xpos", "lemma"),
    [
        ("dogs", "NOUN", "NNS", "dog"),
        ("Cities", "NOUN", "NNS", "city"),
        ("ties", "NOUN", "NNS", "tie"),
        ("houses", "NOUN", "NNS", "house"),
        ("buses", "NOUN", "NNS", "bus"),
        ("boxes", "NOUN", "NNS", "box"),
        ("classes", "NOUN", "NNS", "class"),
        ("children", "NOUN", "NNS", "child"),
        ("firemen", "NOUN", "NNS", "fireman"),
        ("news", "NOUN", "NN", "news"),
        ("glass", "NOUN", "NN", "glass"),
        ("CEOs", "NOUN", "NNS", "ceo"),
        ("hoping", "VERB", "VBG", "hope"),
        ("hopping", "VERB", "VBG", "hop"),
        ("stopped", "VERB", "VBD", "stop"),
        ("dressed", "VERB", "VBD", "dress"),
        ("created", "VERB", "VBN", "create"),
        ("carries", "VERB", "VBZ", "carry"),
        ("tried", "VERB", "VBD", "try"),
        ("went", "VERB", "VBD", "go"),
        ("found", "VERB", "VBD", "find"),
        ("found", "VERB", "VB", "found"),
        ("'re", "AUX", "VBP", "be"),
        ("’s", "AUX", "VBZ", "be"),
        ("ca", "AUX", "MD", "can"),
        ("bigger", "ADJ", "JJR", "big"),
        ("happiest", "ADJ", "JJS", "happy"),
        ("better", "ADJ", "JJR", "good"),
        ("better", "ADV", "RBR", "well"),
        ("n't", "PART", "RB", "not"),
        ("him", "PRON", "PRP", "he"),
        ("1,000", "NUM", "CD", "1000"),
        ("Iraqis", "PROPN", "NNPS", "Iraqi"),
        ("Paris", "PROPN", "NNP", "Paris"),
        ("Dec.", "PROPN", "NNP", "December"),
        ("The", "DET", "DT", "the"),
        (",", "PUNCT", ",", ","),
    ],
)
def test_the_base_form(form: str, upos: str, xpos: str, lemma: str) -> None:
    assert LEMMATIZER.lemma(form, upos, xpos) == lemma


def test_a_lemma_is_never_empty() -> None:
    for form in ("s", "es", "ed", "ing", "'s", "’", "x", "\u0130"):
        for upos, xpos in (
            ("NOUN", "NNS"),
            ("VERB", "VBG"),
            ("VERB", "VBD"),
            ("VERB", "VBZ"),
            ("ADJ", "JJR"),
            ("NUM", "CD"),
        ):
            assert LEMMATIZER.lemma(form, upos, xpos)
