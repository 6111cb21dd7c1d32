"""Words that express how certain an event is. Verbs and nouns are lemmas."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

MODAL_VERBS = {
    "can": "possible",
    "ca": "possible",
    "could": "possible",
    "may": "possible",
    "might": "possible",
    "must": "necessary",
    "should": "necessary",
    "ought": "necessary",
    "shall": "necessary",
    "need": "necessary",
    "will": "future",
    "'ll": "future",
    "’ll": "future",
    "wo": "future",
    "would": "hypothetical",
    "'d": "hypothetical",
    "’d": "hypothetical",
}
# "Wright would later engage Mueller": what came after, or was done time and again.
AFTERWARDS = word_set(
    "later eventually subsequently ultimately afterwards often sometimes usually frequently occasionally regularly"
)
MODAL_ADVERBS = {
    **dict.fromkeys(word_set("perhaps maybe possibly potentially conceivably"), "possible"),
    **dict.fromkeys(word_set("probably likely presumably apparently seemingly arguably"), "probable"),
}
CONDITIONS = word_set("if unless provided providing assuming supposing whether") | {"in case"}
# "in the event that", "as long as".
CONDITION_PHRASES = frozenset([("long", "as"), ("event", "that"), ("condition", "that"), ("case", "that")])
QUESTIONS = word_set("whether if")
MODALS = word_set("may might can could should would must will shall ought cannot")
# Weaker than the bare statement; "must" and "will" are not.
WEAK_MODALS = word_set("may might can could should would")
# Stages and attitudes (lemmas): "began to compose" says less than "composed".
STAGE_VERBS = word_set("begin start try attempt want plan intend seek hope continue help agree decide promise")
