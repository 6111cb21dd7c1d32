"""Words that negate, and verbs (lemmas) of preventing."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

NEGATIONS = word_set("not n't n’t nt never neither nor hardly scarcely barely nowhere")
NEGATIVE_DETERMINERS = word_set("no neither nor")
NEGATIVE_PRONOUNS = word_set("nobody none nothing neither no-one noone")
# "They kept him from leaving": he did not leave.
PREVENTING_VERBS = word_set("prevent stop keep deter prohibit ban discourage bar hinder save protect")
# Words that negate or restrict, so that a phrase with them cannot be moved.
RESTRICTIVE_WORDS = word_set("not n't never no neither nor hardly scarcely barely only nothing nobody none few")
# Words and base forms that negate a relation phrase.
RELATION_NEGATIONS = word_set(
    "not no never without cannot neither nor nothing nobody none hardly rarely n't lack refuse fail"
)
NEGATING_ADVERBS = word_set("not n't n’t never")
