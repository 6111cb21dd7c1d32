"""Lists of English words on which the rules and the marks of tuples depend. Verbs and nouns are lemmas."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _words("not n't n’t nt never neither nor hardly scarcely barely nowhere")
NEGATIVE_DETERMINERS = _words("no neither nor")
NEGATIVE_PRONOUNS = _words("nobody none nothing neither no-one noone")
# Verbs that say of their infinitive that it did not happen.
NEGATIVE_VERBS = _words("fail refuse decline neglect omit forget cease avoid")
# "They kept him from leaving": he did not leave.
PREVENTING_VERBS = _words("prevent stop keep deter prohibit ban discourage bar hinder save protect")
NEGATIVE_ADJECTIVES = _words("unable incapable impossible unwilling")

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
    "will": "future",
    "'ll": "future",
    "’ll": "future",
    "wo": "future",
    "would": "hypothetical",
    "'d": "hypothetical",
    "’d": "hypothetical",
}
# Verbs, participles and adjectives before an infinitive.
MODAL_HEADS = {
    **dict.fromkeys(_words("able unable capable incapable allow permit possible impossible"), "possible"),
    **dict.fromkeys(_words("likely unlikely expect suppose seem appear tend bound anticipate"), "probable"),
    **dict.fromkeys(_words("ought need require oblige force compel necessary essential obligate"), "necessary"),
    **dict.fromkeys(_words("go due set about poise schedule"), "future"),
    **dict.fromkeys(
        _words(
            "want plan intend hope aim wish promise vow try attempt seek decide offer threaten propose pledge desire "
            "prepare agree willing unwilling ready eager determined mean refuse hesitate keen prefer vie"
        ),
        "intended",
    ),
}
MODAL_ADVERBS = {
    **dict.fromkeys(_words("perhaps maybe possibly potentially conceivably"), "possible"),
    **dict.fromkeys(_words("probably likely presumably apparently seemingly arguably"), "probable"),
}
HEARSAY_ADVERBS = _words("allegedly reportedly supposedly purportedly ostensibly")

SPEECH_VERBS = _words(
    "say tell add announce report claim declare state argue insist assert note warn explain write reply answer ask "
    "confirm deny admit acknowledge suggest reveal disclose contend maintain allege recall remark observe comment "
    "conclude estimate predict forecast indicate stress emphasize emphasise point testify complain boast joke quip "
    "whisper shout cry exclaim mention swear advise caution concede counter inform respond repeat quote describe "
    "propose rule signal advertise brag confess hint imply mutter murmur notify pledge proclaim promise recount "
    "retort scream stipulate urge vow wonder inquire enquire query agree recommend"
)
BELIEF_VERBS = _words(
    "believe think suppose assume hope expect suspect doubt fear imagine feel guess presume hold consider "
    "reckon dream wish hypothesize hypothesise speculate theorize anticipate figure trust worry consider deem"
)
SPEECH_NOUNS = _words(
    "claim statement report allegation assertion announcement suggestion argument rumor rumour warning "
    "prediction declaration accusation admission denial charge complaint contention"
)
BELIEF_NOUNS = _words("belief hope fear idea suspicion view theory assumption expectation opinion notion hypothesis")
OPINION_NOUNS = _words("view opinion estimation words word judgment judgement account")
CONDITIONS = _words("if unless provided providing assuming supposing lest")
QUESTIONS = _words("whether if")

PLACE_ADVERBS = _words(
    "here there abroad overseas nearby elsewhere everywhere somewhere anywhere upstairs downstairs outside inside "
    "home downtown upstream downstream offshore nationwide worldwide locally globally"
)
TIME_ADVERBS = _words(
    "now then today yesterday tomorrow tonight recently lately soon later earlier currently previously formerly "
    "once ago afterwards afterward already initially originally eventually finally subsequently presently before "
    "since annually daily weekly monthly yearly nowadays immediately meanwhile early late simultaneously"
)
TIME_NOUNS = _words(
    "year month week day hour minute second decade century morning afternoon evening night noon midnight weekend "
    "season spring summer autumn winter fall time moment period era age quarter semester term date monday tuesday "
    "wednesday thursday friday saturday sunday january february march april may june july august september october "
    "november december jan. feb. mar. apr. aug. sept. oct. nov. dec. today yesterday tomorrow tonight past future "
    "christmas easter ramadan beginning end start millennium fortnight"
)
TIME_PREPOSITIONS = _words("during until till since after before throughout by from in on at within for between ago")
SURE_TIME_PREPOSITIONS = _words("during until till ago")
PLACE_PREPOSITIONS = _words(
    "in at on near into onto from to inside outside within through throughout across around along above below "
    "beneath beside between behind beyond over under off past toward towards via opposite amid among against by "
    "upon north south east west"
)
# Adverbs that connect or ask; they are no part of what is told.
CLAUSE_ADVERBS = _words("when where why how however therefore thus also too instead")
RELATIVE_PRONOUNS = _words("who whom which that whose where when why what whoever whatever whichever")

# Subjects of such a verb, not its objects, act in the infinitive below it.
SUBJECT_CONTROL = _words("promise threaten vow")
TITLES = _words("mr. mrs. ms. dr. mr mrs ms dr sir madam lord lady")
