"""Pronouns."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

RELATIVE_PRONOUNS = word_set("who whom which that whose where when why what whoever whatever whichever")
# Words without a referent of their own.
UNNAMING_PRONOUNS = word_set(
    "i me myself we us ourselves you yourself he him himself she her herself it itself they them themselves "
    "who whom which that this these those one what"
)
POSSESSIVES = word_set("his her its their my our your")
REFLEXIVES = word_set("himself herself itself themselves myself ourselves yourself yourselves oneself")
THIRD_PERSON = word_set("he she it they him her them his its their") | REFLEXIVES
PERSONAL_SUBJECTS = word_set("he she they we i you")
SPEAKERS_AND_HEARERS = word_set("i me my we us our you your")
SUBJECT_FORMS = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they", "whom": "who"}
OBJECT_FORMS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom"}
# With a relative clause these name whoever it holds for, if anybody: "those who left", "everything that was stolen".
OPEN_PRONOUNS = word_set(
    "all those anyone anybody anything everyone everybody everything nobody none nothing whoever whatever what one"
)
