"""Function words, and verbs, nouns and adverbs with a grammar of their own. Verbs and nouns are lemmas."""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.nlp.languages import labels, language_data, rows, words

ARTICLES = words("function_words", "articles")
DETERMINERS = words("function_words", "determiners")
RELATIVE_PRONOUNS = words("function_words", "relative_pronouns")
UNNAMING_PRONOUNS = words("function_words", "unnaming_pronouns")
POSSESSIVES = words("function_words", "possessives")
REFLEXIVES = words("function_words", "reflexives")
THIRD_PERSON = words("function_words", "third_person", "reflexives")
PERSONAL_SUBJECTS = words("function_words", "personal_subjects")
SPEAKERS_AND_HEARERS = words("function_words", "speakers_and_hearers")
OPEN_PRONOUNS = words("function_words", "open_pronouns")
UNFOCUSED_WORDS = words("function_words", "unfocused_words")
COLLECTIVE_WORDS = words("function_words", "collective_words")
LOOSE_WORDS = words("function_words", "loose_words")
SHARED_QUANTIFIERS = words("function_words", "shared_quantifiers")
STOP_WORDS = words("function_words", "stop_words")
FREQUENT_WORDS = words("function_words", "frequent_words")
SUBJECT_FORMS: Mapping[str, str] = language_data("function_words")["subject_forms"]
OBJECT_FORMS: Mapping[str, str] = language_data("function_words")["object_forms"]

TIME_PREPOSITIONS = words("prepositions", "time_prepositions")
SURE_TIME_PREPOSITIONS = words("prepositions", "sure_time_prepositions")
PLACE_PREPOSITIONS = words("prepositions", "place_prepositions")
ARGUMENT_PREPOSITIONS = words("prepositions", "argument_prepositions")
FOCUS_PREPOSITIONS = words("prepositions", "focus_prepositions")
LOCATION_PREPOSITIONS = words("prepositions", "location_prepositions")
DATE_PREPOSITIONS = words("prepositions", "date_prepositions")
PARTICIPLE_PREPOSITIONS = words("prepositions", "participle_prepositions")
CLAUSE_LIKE_PREPOSITIONS = words("prepositions", "clause_like_prepositions", "participle_prepositions")
GOVERNING_PREPOSITIONS = words("prepositions", "governing_prepositions")
UNREAL_PREPOSITIONS = words("prepositions", "unreal_prepositions")
PREPOSITIONS = words("prepositions", "prepositions")
ASIDE = words("prepositions", "aside")
COMPLEX_PREPOSITIONS = frozenset(tuple(phrase.split()) for phrase in words("prepositions", "complex_prepositions"))

NEGATIONS = words("negation", "negations")
NEGATIVE_DETERMINERS = words("negation", "negative_determiners")
NEGATIVE_PRONOUNS = words("negation", "negative_pronouns")
PREVENTING_VERBS = words("negation", "preventing_verbs")
RESTRICTIVE_WORDS = words("negation", "restrictive_words")
RELATION_NEGATIONS = words("negation", "relation_negations")
NEGATING_ADVERBS = words("negation", "negating_adverbs")

AFTERWARDS = words("modality", "afterwards")
CONDITIONS = words("modality", "conditions")
QUESTIONS = words("modality", "questions")
MODALS = words("modality", "modals")
WEAK_MODALS = words("modality", "weak_modals")
STAGE_VERBS = words("modality", "stage_verbs")
CONDITION_PHRASES = frozenset(tuple(phrase.split()) for phrase in words("modality", "condition_phrases"))
# A word -> how certain the event is.
MODAL_VERBS = labels("modality", "modal_verbs")
MODAL_ADVERBS = labels("modality", "modal_adverbs")

PLACE_ADVERBS = words("adverbs", "place_adverbs")
CLAUSE_ADVERBS = words("adverbs", "clause_adverbs")
CONNECTING_ADVERBS = words("adverbs", "connecting_adverbs")
SENTENCE_ADVERBS = words("adverbs", "sentence_adverbs")
MOVABLE_TIME_ADVERBS = words("adverbs", "movable_time_adverbs")
DISCOURSE_PHRASES = words("adverbs", "discourse_phrases")
FIXED_ADVERBIALS = words("adverbs", "fixed_adverbials")

SUBJECT_CONTROL = words("verbs", "subject_control")
COLLECTIVE_VERBS = words("verbs", "collective_verbs")
NO_PASSIVE_VERBS = words("verbs", "no_passive_verbs")
ACTION_VERBS = words("verbs", "action_verbs")
EVENT_VERBS = words("verbs", "event_verbs")
LIGHT_VERBS = words("verbs", "light_verbs")
INTENTION_VERBS = words("verbs", "intention_verbs")
LOCATED_VERBS = words("verbs", "located_verbs")
DATIVE_TO_VERBS = words("verbs", "dative_to_verbs")
DATIVE_FOR_VERBS = words("verbs", "dative_for_verbs")
FORMS_OF_BE = words("verbs", "forms_of_be")
FORMS_OF_HAVE = words("verbs", "forms_of_have")
FORMS_OF_DO = words("verbs", "forms_of_do")
PAST_AUXILIARIES = words("verbs", "past_auxiliaries")
COPULAR_VERBS = words("verbs", "copular_verbs")
VAGUE_RELATION_WORDS = words("verbs", "vague_relation_words")
# Verb and its complement -> light verb, noun phrase, preposition.
LIGHT_VERB_PHRASES = {
    (verb, complement): (light, noun_phrase, preposition)
    for verb, complement, light, noun_phrase, preposition in rows("verbs", "light_verb_phrases", "|")
}

HOLLOW_NOUNS = words("nouns", "hollow_nouns")
MEASURES = words("nouns", "measures")
PLACE_KINDS = words("nouns", "place_kinds")
PLACE_PARTS = words("nouns", "place_parts")
NAMED_PLACE_KINDS = PLACE_KINDS - words("nouns", "unnamed_place_kinds")

HEARSAY_ADVERBS = words("reporting", "hearsay_adverbs")
HEARSAY_VERBS = words("reporting", "hearsay_verbs")
FALSELY = words("reporting", "falsely")
SPEECH_VERBS = words("reporting", "speech_verbs")
BELIEF_VERBS = words("reporting", "belief_verbs")
SPEECH_NOUNS = words("reporting", "speech_nouns")
BELIEF_NOUNS = words("reporting", "belief_nouns")
OPINION_NOUNS = words("reporting", "opinion_nouns")
STATEMENT_VERBS = words("reporting", "statement_verbs")
ACCORDING_TO_VERBS = words("reporting", "according_to_verbs")
REPORTED_BY_VERBS = words("reporting", "reported_by_verbs")
FINDING_VERBS = words("reporting", "finding_verbs")
