"""What a verb, adjective or noun (lemma) says of the clause below it.

A signature has two halves: what holds of the clause when the word is affirmed, and when it is denied. `+` is that the
clause holds, `-` that it does not (Karttunen 2012, "Simple and phrasal implicatives"; the same with both halves `+` is
factive); the words after it are reservations: a modality, `speech` or `belief`. So *manage* is `+ -`, *fail* `- +`,
*know that* `+ +`, *want* `+intended -intended` and *deny that* `-speech +speech`. A word may have its particle or the
preposition of a gerund beside it: *give up*, *keep from*.
"""

from __future__ import annotations

from typing import NamedTuple


class Half(NamedTuple):
    """What holds of a clause, with reservations."""

    holds: bool
    marks: tuple[str, ...] = ()


class Signature(NamedTuple):
    """What holds of a clause below an affirmed and below a denied word."""

    affirmed: Half
    denied: Half


def _half(text: str) -> Half:
    return Half(text[0] == "+", tuple(filter(None, text[1:].split(","))))


def signature(text: str) -> Signature:
    affirmed, denied = text.split()
    return Signature(_half(affirmed), _half(denied))


def _table(words: dict[str, str]) -> dict[str, Signature]:
    return {
        word.replace("_", " "): signature(halves) for halves, listed in words.items() for word in listed.split()
    }


FACTIVE = signature("+ +")
IMPLIED = signature("+ -")
PURPOSE = signature("+intended -intended")
POSSIBLE = signature("+possible -possible")
# "suggested that he leave": what is said is a wish.
REPORTED = signature("+speech +speech")
DIRECTIVE = signature("+speech,necessary +speech,necessary")

_FEELINGS = (
    "glad happy sad sorry surprised pleased proud shocked delighted thrilled relieved astonished amazed disappointed "
    "lucky fortunate upset embarrassed ashamed grateful thankful excited angry privileged honored honoured unlucky "
    "annoyed alarmed saddened horrified stunned furious ecstatic"
)
_BELIEFS = "optimistic hopeful afraid worried adamant positive pessimistic"

INFINITIVES = _table(
    {
        "+ -": "manage remember bother deign dare get happen come proceed begin start continue help let make cause lead "
        "see hear watch feel notice find turn prove use condescend succeed learn grow live like love hate serve opt "
        "know have_the_courage wise foolish kind nice stupid smart clever brave rude generous polite quick slow good "
        "great pleasure honour honor courage audacity nerve turn_out end_up go_on take trouble enough choose misfortune luck fortune privilege guts hasten",
        "+ +": f"{_FEELINGS} regret",
        "- +": "fail refuse decline neglect omit forget cease avoid refrain failure refusal reluctant",
        "- -": "pretend too",
        "-intended +": "hesitate",
        "+ -necessary": "force compel persuade convince drive induce provoke inspire prompt",
        "+possible -possible": "able capable allow permit enable possible easy free welcome entitle eligible qualify "
        "qualified authorize authorise license ability right chance opportunity power permission way means option "
        "freedom capacity possibility potential afford difficult hard tough simple safe dangerous teach train empower "
        "entitled permissible legal illegal tempting temptation impossible_not space room money time reason "
        "practical feasible trust",
        "-possible +possible": "unable incapable impossible inability forbid prohibit unsafe powerless helpless "
        "unqualified ineligible unfit insufficient",
        "+probable -probable": "likely expect suppose seem appear tend bound anticipate prone predict forecast estimate "
        "certain sure project apt tendency poised",
        "-probable +probable": "unlikely improbable",
        "+necessary -necessary": "ought need require oblige necessary essential obligate important vital crucial "
        "imperative mandatory tell ask order command instruct direct urge advise encourage beg request invite recommend suggest "
        "warn remind call pressure push duty obligation requirement responsibility responsible instruction demand "
        "have advisable better best critical implore summon caution counsel exhort mandate commission hire appoint assign pay summons nudge coax",
        "+future -future": "go due set about schedule be slate destine",
        "+intended -intended": "want plan intend hope aim wish promise vow try attempt seek decide offer threaten "
        "propose pledge desire prepare agree willing ready eager determined mean keen prefer vie strive "
        "struggle endeavor endeavour work fight compete wait rush hurry long yearn need_not swear volunteer arrange "
        "undertake resolve elect consent apply campaign lobby press petition plot conspire scramble bid anxious "
        "intention decision effort wish willingness agreement commitment ambition goal proposal threat bid readiness "
        "urge motion design mission reluctance determination drive eagerness inclined tempt tempted guarantee "
        "aspire fear afraid hesitant care prepared stop pause set_out look itch die contract commit dedicated expected",
        "-intended +intended": "unwilling unwillingness loath",
        "+speech +speech": "say report allege claim rumor rumour rumored rumoured purport profess state admit acknowledge quote",
        "+belief -belief": "believe think consider assume suspect presume deem imagine reckon hold understand "
        "perceive fancy",
    }
)
GERUNDS = _table(
    {
        "+ -": "begin start continue keep finish enjoy go spend like love hate see hear watch find catch feel get "
        "succeed_in involve include practise practice carry_on keep_on go_on end_up busy leave convict notice mean spot "
        "good bad used accustomed use tired",
        "+ +": "remember regret forget recall celebrate thank praise blame criticise criticize punish apologise "
        "apologize forgive help mind appreciate resent dislike despite",
        "- +": "stop avoid quit cease resist escape give_up refrain prevent_from stop_from keep_from deter_from prohibit_from "
        "ban_from discourage_from bar_from hinder_from save_from protect_from abstain_from desist_from refrain_from "
        "dissuade_from forbid_from restrain_from miss preclude_from block_from stop_of ban_on far_from object_to oppose incapable_of",
        "-intended +intended": "delay postpone put_off rule_out",
        "+intended -intended": "consider suggest propose recommend contemplate plan discuss imagine favor favour "
        "advocate try think_of think_about aim_at dream_of intend intention_of insist_on hope_of look_forward_to "
        "thought_of idea_of purpose_of objective_of interested_in goal_of aim_of way_of keen_on talk_about look_at plan_on feel_like use_for",
        "+possible -possible": "allow permit risk possibility_of chance_of capable_of risk_of danger_of threat_of "
        "prospect_of likelihood_of hope_of potential_for option_of fear",
        "+necessary -necessary": "require need deserve advise call_for",
        "+speech +speech": "admit report mention acknowledge confess confess_to admit_to accuse_of charge_with "
        "accusation_of brag_about speak_of testify_to boast_of boast_about talk_of tell_of complain_of complain_about claim allege describe",
        "-speech +speech": "deny",
        "+belief +belief": "suspect_of",
    }
)
CLAUSES = _table(
    {
        "+ +": f"{_FEELINGS} know like love hate celebrate rejoice sense detect spot grasp mind bother realize realise discover learn notice regret remember forget see find understand "
        "recognize recognise appreciate resent ignore overlook aware unaware conscious fact pity shame matter care "
        "odd strange significant remarkable unfortunate tragic ironic",
        "+ -": "show prove demonstrate mean ensure guarantee cause happen true clear obvious evident make follow result "
        "establish verify turn proof undeniable sign help reason case",
        "+probable -": "evidence indication",
        "- +": "false untrue disprove refute myth lie falsehood fiction misconception fallacy hoax",
        "- -": "pretend",
        "-speech +speech": "deny dispute reject contest contradict denial",
        "+speech +speech": "say tell add announce report claim declare state argue insist assert note warn explain write "
        "reply answer ask confirm admit acknowledge reveal disclose contend maintain allege recall remark "
        "observe comment conclude estimate predict forecast stress emphasize emphasise point testify complain "
        "boast joke quip whisper shout cry exclaim mention swear advise caution concede counter inform respond repeat "
        "quote describe rule signal advertise brag confess hint mutter murmur notify pledge proclaim "
        "promise recount retort scream stipulate vow wonder inquire enquire query agree hear read rumor rumour assure "
        "remind underline highlight reiterate affirm caution lament speculate accuse protest sigh yell snap "
        "statement allegation assertion announcement suggestion argument warning prediction declaration accusation "
        "admission charge complaint contention news word assurance rumored rumoured finding conclusion have "
        "testimony message theory_has_it teach preach call wail joke convey promise insistence criticism postulate posit",
        "+speech -speech": "suggest indicate imply",
        "+belief -belief": "convinced confident certain sure persuaded think believe suppose expect imagine feel reckon",
        "-belief +": "doubt question",
        "+belief +": "idea clue",
        "-belief +belief": "doubtful disbelieve sceptical skeptical unconvinced",
        "+belief +belief": f"{_BELIEFS} assume hope suspect fear guess presume hold consider dream wish hypothesize "
        "hypothesise speculate theorize theorise anticipate figure trust worry deem belief suspicion view theory "
        "assumption expectation opinion notion hypothesis gather bet conviction perception feeling impression hunch "
        "sense worried concern confidence faith talk gossip speculation worry consensus concerned contend envisage envision conceive infer surmise",
        "+possible -possible": "possible conceivable plausible possibility chance risk danger prospect threat odds "
        "thinkable possibly maybe may_be can_be",
        "-possible +possible": "impossible inconceivable unthinkable implausible",
        "+probable -probable": "likely probable seem appear look likelihood probability tend sound",
        "-probable +probable": "unlikely improbable",
        "+necessary -necessary": "require demand order request recommend urge command necessary essential important "
        "vital crucial imperative mandatory requirement recommendation propose proposal move insistence condition "
        "order decree desirable advisable mandate",
        "+intended -intended": "arrange decide plan intend prefer pray want",
    }
)
# What may take a wish as a clause: "he suggested that she leave".
DIRECTIVES = frozenset(["suggest", "insist", "ask", "propose", "say", "advise", "stipulate", "rule", "urge", "pray", "agree"])
# Words whose questions ask: "she wondered who came"; after others the event is presupposed: "she saw who came".
ASKING = frozenset(
    "ask wonder inquire enquire query question debate decide determine check doubt investigate discuss consider guess "
    "examine unclear uncertain unsure unknown test study explore speculate matter depend figure settle see sure remain disagree quarrel argue dispute "
    "mystery idea clue uncertainty certain clear".split()
)
# Nouns and pronouns after which a clause is still within the scope of the verb's negation: "had no plan to leave".
LIGHT_VERBS = frozenset("have be do make take give show find see get offer provide exist hold receive express feel".split())
# "the first to cross": it was crossed.
RANKS = frozenset("first last only second third next latest youngest oldest".split())
# What adverbial clauses say by the words that open them.
OPENINGS = {
    **dict.fromkeys(
        ["without", "instead of", "rather than", "against", "out of", "far from", "other than", "short of"], Half(False)
    ),
    **dict.fromkeys(["so that", "in order that", "in order"], Half(True, ("intended",))),
    **dict.fromkeys(["as if", "as though", "like"], Half(True, ("hypothetical",))),
}
# What opens a participle that is part of what its verb says: "did not grow up watching", "did not win by cheating".
WITHIN_SCOPE = frozenset([None, "by", "in", "at", "into", "of", "on", "to", "about"])
