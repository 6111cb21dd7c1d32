"""What a verb, adjective or noun (lemma) says of the clause below it.

A signature has two halves: what holds of the clause when the word is affirmed, and when it is denied. `+` is that the
clause holds, `-` that it does not (Karttunen 2012, "Simple and phrasal implicatives"); what follows is a reservation:
a modality, `speech` or `belief`. So *manage* is `+ -`, *fail* `- +`, *know that* `+ +`, *want* `+intended -intended`
and *deny that* `-speech +speech`. A word may be listed with its particle or with the preposition of a gerund: *give
up*, *keep from*. Where a word is listed twice, the later line counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.negation import PREVENTING_VERBS
from tupelo.nlp.languages.en.reporting import BELIEF_NOUNS, BELIEF_VERBS, SPEECH_NOUNS, SPEECH_VERBS


class Half(NamedTuple):
    """Whether a clause holds, and with which reservations."""

    holds: bool
    marks: tuple[str, ...] = ()


class Signature(NamedTuple):
    """What holds of a clause below an affirmed and below a denied word."""

    affirmed: Half
    denied: Half


def _signature(text: str) -> Signature:
    affirmed, denied = (Half(half[0] == "+", tuple(filter(None, half[1:].split(",")))) for half in text.split())
    return Signature(affirmed, denied)


def _table(*rows: tuple[str, str | Iterable[str]]) -> dict[str, Signature]:
    return {
        word.replace("_", " "): _signature(text)
        for text, words in rows
        for word in (words.split() if isinstance(words, str) else words)
    }


FACTIVE = _signature("+ +")
IMPLIED = _signature("+ -")
PURPOSE = _signature("+intended -intended")
POSSIBLE = _signature("+possible -possible")
REPORTED = _signature("+speech +speech")
# "suggested that he leave": what is said is a wish.
DIRECTIVE = _signature("+speech,necessary +speech,necessary")

_FEELINGS = (
    "glad happy sad sorry surprised pleased proud shocked delighted thrilled relieved astonished amazed "
    "disappointed lucky unlucky fortunate upset embarrassed ashamed grateful thankful excited angry privileged "
    "honored honoured annoyed alarmed saddened horrified stunned furious"
)

# Infinitives, with and without "to", and other predicates without a subject of their own.
INFINITIVES = _table(
    (
        "+ -",
        "manage remember bother deign dare get happen come proceed begin start continue help let make cause lead "
        "see hear watch feel notice find turn prove use condescend succeed learn grow live like love hate serve "
        "opt choose know hasten take go_on turn_out end_up enough",
    ),
    ("+ -", "wise foolish kind nice stupid smart clever brave rude generous polite quick slow good great"),
    ("+ -", "pleasure honour honor courage audacity nerve guts trouble misfortune luck fortune privilege"),
    ("+ +", f"{_FEELINGS} regret"),
    ("- +", "fail refuse decline neglect omit forget cease avoid refrain failure refusal reluctant"),
    ("- -", "pretend too"),
    ("-intended +", "hesitate"),
    ("+ -necessary", "force compel persuade convince induce provoke inspire prompt"),
    (
        "+possible -possible",
        "able capable allow permit enable empower teach train trust afford possible easy difficult hard tough "
        "simple safe dangerous tempting practical feasible permissible legal illegal free welcome entitle "
        "entitled eligible qualify qualified authorize authorise license ability right chance opportunity power "
        "permission way means option freedom capacity possibility potential temptation space room money time "
        "reason",
    ),
    (
        "-possible +possible",
        "unable incapable impossible inability forbid prohibit unsafe powerless helpless unqualified ineligible "
        "unfit",
    ),
    (
        "+probable -probable",
        "likely expect suppose seem appear tend bound anticipate prone predict forecast estimate certain sure "
        "project apt tendency poised expected",
    ),
    ("-probable +probable", "unlikely improbable"),
    (
        "+necessary -necessary",
        "ought need have require oblige obligate tell ask order command instruct direct urge advise encourage beg "
        "request invite recommend suggest warn remind call pressure push implore summon caution counsel exhort "
        "mandate commission hire appoint assign pay nudge coax necessary essential important vital crucial "
        "critical imperative mandatory advisable better best responsible duty obligation requirement "
        "responsibility instruction demand",
    ),
    ("+future -future", "go due set about schedule be slate destine"),
    (
        "+intended -intended",
        "want plan intend hope aim wish promise vow try attempt seek decide offer threaten propose pledge desire "
        "prepare agree mean prefer vie strive struggle endeavor endeavour work fight compete wait rush hurry long "
        "yearn swear volunteer arrange undertake resolve elect consent apply campaign lobby press petition plot "
        "conspire scramble aspire fear look itch contract commit tempt guarantee set_out stop pause",
    ),
    ("+intended -intended", "willing ready eager determined keen anxious inclined tempted afraid hesitant prepared"),
    (
        "+intended -intended",
        "intention decision effort willingness agreement commitment ambition goal proposal threat bid readiness "
        "reluctance motion design mission determination drive eagerness",
    ),
    ("-intended +intended", "unwilling unwillingness loath"),
    (
        "+speech +speech",
        "say report allege claim rumor rumour rumored rumoured purport profess state admit acknowledge quote",
    ),
    (
        "+belief -belief",
        "believe think consider assume suspect presume deem imagine reckon hold understand perceive fancy",
    ),
)
GERUNDS = _table(
    (
        "+ -",
        "begin start continue keep finish enjoy go spend like love hate see hear watch find catch feel get "
        "involve include practise practice leave notice mean spot busy succeed_in carry_on keep_on go_on end_up "
        "sign_of evidence_of proof_of hint_of",
    ),
    ("+ +", "remember regret forget recall celebrate mind appreciate resent dislike help stand bear"),
    ("- +", "stop avoid quit cease resist escape miss oppose give_up stop_of ban_on object_to incapable_of far_from"),
    (
        "- +",
        [
            f"{verb} from"
            for verb in PREVENTING_VERBS | word_set("abstain desist refrain dissuade forbid restrain block")
        ],
    ),
    ("-intended +intended", "delay postpone put_off rule_out"),
    (
        "+intended -intended",
        "consider suggest propose recommend contemplate plan discuss imagine favor favour advocate try intend "
        "plan_on think_of think_about dream_of aim_at insist_on hope_of talk_about look_at use_for feel_like "
        "interested_in keen_on thought_of intention_of idea_of purpose_of objective_of goal_of aim_of way_of view_to",
    ),
    (
        "+possible -possible",
        "allow permit risk fear capable_of possibility_of chance_of risk_of danger_of threat_of prospect_of "
        "likelihood_of hope_of fear_of potential_for option_of",
    ),
    ("+necessary -necessary", "require need deserve advise call_for"),
    (
        "+speech +speech",
        "admit report mention acknowledge confess claim allege describe confess_to admit_to testify_to accuse_of "
        "charge_with accusation_of brag_about boast_of boast_about speak_of talk_of tell_of complain_of "
        "complain_about",
    ),
    ("-speech +speech", "deny"),
    ("+belief +belief", "suspect_of convince_of"),
)
# Clauses with a subject of their own.
CLAUSES = _table(
    ("+speech +speech", SPEECH_VERBS | SPEECH_NOUNS),
    ("+belief +belief", BELIEF_VERBS | BELIEF_NOUNS),
    ("+belief +belief", "optimistic hopeful afraid worried adamant positive pessimistic concerned"),
    (
        "+ +",
        f"{_FEELINGS} know realize realise discover learn notice regret remember forget see find understand "
        "recognize recognise appreciate resent ignore overlook like love hate celebrate rejoice sense detect spot "
        "grasp mind bother care matter aware unaware conscious fact pity shame odd strange significant remarkable "
        "unfortunate tragic ironic",
    ),
    (
        "+ -",
        "show prove demonstrate mean ensure guarantee cause happen make follow result establish verify turn help "
        "true clear obvious evident undeniable proof sign reason case",
    ),
    ("+probable -", "evidence indication"),
    ("- +", "false untrue disprove refute myth lie falsehood fiction misconception fallacy hoax"),
    ("- -", "pretend"),
    ("-belief -belief", "illusion delusion"),
    ("-speech +speech", "deny dispute reject contest contradict denial"),
    ("+speech -speech", "suggest indicate imply"),
    (
        "+belief -belief",
        "think believe suppose expect imagine feel reckon convinced confident certain sure persuaded",
    ),
    ("-belief +", "doubt question"),
    ("+belief +", "idea clue"),
    ("-belief +belief", "doubtful disbelieve sceptical skeptical unconvinced"),
    (
        "+possible -possible",
        "possible conceivable plausible thinkable possibility chance risk danger prospect threat odds",
    ),
    ("-possible +possible", "impossible inconceivable unthinkable implausible"),
    ("+probable -probable", "likely probable seem appear look tend sound likelihood probability"),
    ("-probable +probable", "unlikely improbable"),
    (
        "+necessary -necessary",
        "require demand order request recommend urge command mandate propose move necessary essential important "
        "vital crucial imperative mandatory desirable advisable requirement recommendation proposal condition "
        "decree",
    ),
    ("+intended -intended", "arrange decide plan intend prefer pray want"),
)
# What may take a wish as a clause: "he suggested that she leave".
DIRECTIVES = word_set("suggest insist ask propose say advise stipulate rule urge pray agree")
# Words whose questions ask: "she wondered who came"; after others the event is presupposed: "she saw who came".
ASKING = word_set(
    "ask wonder inquire enquire query question debate decide determine check doubt investigate discuss consider "
    "guess examine test study explore speculate matter depend figure settle see remain disagree quarrel argue "
    "dispute unclear uncertain unsure unknown sure certain clear mystery idea clue uncertainty"
)
# Verbs that say little but that there is what their object names: "had no plan to leave".
LIGHT_VERBS = word_set("have be do make take give show find see get offer provide exist hold receive express feel")
# "the first to cross": it was crossed.
RANKS = word_set("first last only second third next latest youngest oldest")
# What adverbial clauses say by the words that open them.
OPENINGS = {
    **dict.fromkeys(
        ["without", "instead of", "rather than", "against", "out of", "far from", "other than", "short of"],
        Half(False),
    ),
    "lest": Half(False, ("intended",)),
    **dict.fromkeys(["so that", "in order that", "in order"], Half(True, ("intended",))),
    **dict.fromkeys(["as if", "as though", "like"], Half(True, ("hypothetical",))),
}
# What opens a participle that is part of what its verb says: "did not grow up watching", "did not win by cheating".
WITHIN_SCOPE = frozenset([None, "by", "in", "at", "into", "of", "on", "to", "about"])
