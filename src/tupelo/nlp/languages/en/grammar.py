"""Function words, and verbs, nouns and adverbs with a grammar of their own. Verbs and nouns are lemmas."""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.nlp.languages import labels, language_data, rows, word_names, words

__getattr__ = word_names(
    __name__, "function_words", "prepositions", "negation", "modality", "adverbs", "verbs", "nouns", "reporting"
)

THIRD_PERSON = words("function_words", "third_person", "reflexives")
SUBJECT_FORMS: Mapping[str, str] = language_data("function_words")["subject_forms"]
OBJECT_FORMS: Mapping[str, str] = language_data("function_words")["object_forms"]

CLAUSE_LIKE_PREPOSITIONS = words("prepositions", "clause_like_prepositions", "participle_prepositions")
COMPLEX_PREPOSITIONS = frozenset(tuple(phrase.split()) for phrase in words("prepositions", "complex_prepositions"))


CONDITION_PHRASES = frozenset(tuple(phrase.split()) for phrase in words("modality", "condition_phrases"))
# A word -> how certain the event is.
MODAL_VERBS = labels("modality", "modal_verbs")
MODAL_ADVERBS = labels("modality", "modal_adverbs")


# Verb and its complement -> light verb, noun phrase, preposition.
LIGHT_VERB_PHRASES = {
    (verb, complement): (light, noun_phrase, preposition)
    for verb, complement, light, noun_phrase, preposition in rows("verbs", "light_verb_phrases", "|")
}

PLACE_KINDS = words("nouns", "place_kinds")
NAMED_PLACE_KINDS = PLACE_KINDS - words("nouns", "unnamed_place_kinds")
