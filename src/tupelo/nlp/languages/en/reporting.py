"""Verbs, nouns (lemmas) and adverbs of speech and belief."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

HEARSAY_ADVERBS = word_set("allegedly reportedly supposedly purportedly ostensibly")
# "I heard that": whoever hears or reads is not the speaker.
HEARSAY_VERBS = word_set("hear read")
# "He falsely claimed that it rained": it did not.
FALSELY = word_set("falsely wrongly mistakenly erroneously incorrectly")
SPEECH_VERBS = word_set(
    "say tell add announce report claim declare state argue insist assert note warn explain write reply answer "
    "ask confirm deny admit acknowledge suggest reveal disclose contend maintain allege recall remark observe "
    "comment conclude estimate predict forecast indicate stress emphasize emphasise point testify complain boast "
    "joke quip whisper shout cry exclaim mention swear advise caution concede counter inform respond repeat quote "
    "describe propose rule signal advertise brag confess hint imply mutter murmur notify pledge proclaim promise "
    "recount retort scream stipulate urge vow wonder inquire enquire query agree recommend"
)
BELIEF_VERBS = word_set(
    "believe think suppose assume hope expect suspect doubt fear imagine feel guess presume hold consider reckon "
    "dream wish hypothesize hypothesise speculate theorize theorise anticipate figure trust worry deem gather bet "
    "envisage envision conceive infer surmise"
)
SPEECH_NOUNS = word_set(
    "claim statement report allegation assertion announcement suggestion argument rumor rumour warning prediction "
    "declaration accusation admission denial charge complaint contention news word assurance finding conclusion "
    "testimony message promise insistence criticism"
)
BELIEF_NOUNS = word_set(
    "belief hope fear suspicion view theory assumption expectation opinion notion hypothesis conviction "
    "perception feeling impression hunch sense concern confidence faith talk gossip speculation worry consensus "
    "guess bet"
)
OPINION_NOUNS = word_set("view opinion estimation words word judgment judgement account mind")
# Verbs of statements: what follows them is asserted.
STATEMENT_VERBS = word_set(
    "say add claim report announce state declare note explain argue contend insist maintain warn predict believe "
    "suggest estimate acknowledge concede admit assert observe"
)
# "Ann said it rained": "according to Ann, it rained".
ACCORDING_TO_VERBS = word_set("say report state note announce explain claim")
# "It was reported by Ann that it rained".
REPORTED_BY_VERBS = word_set("say report claim announce state note argue believe suggest estimate predict contend")
# Verbs of knowing and showing.
FINDING_VERBS = word_set(
    "indicate show reveal mean find discover learn think know demonstrate imply conclude recommend propose"
)
