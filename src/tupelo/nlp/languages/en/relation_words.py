"""Words in relation phrases that leave the relation as it is, and some that do not."""

from __future__ import annotations

from collections.abc import Mapping

from tupelo.nlp.languages import word_set

# "also founded", "later wrote": the same fact.
NEUTRAL_ADVERBS = word_set(
    "also later then subsequently eventually finally soon initially originally currently presently now today "
    "famously notably officially formally actually indeed just simply really again too thus thereby therefore hence "
    "additionally furthermore meanwhile afterwards thereafter ultimately immediately promptly successfully quickly "
    "together both already still always often usually sometimes frequently commonly generally typically mainly "
    "mostly primarily chiefly largely directly personally publicly briefly recently previously simultaneously "
    "permanently instead even well-known widely"
)
# "a famous pupil of": what kind of pupil, but no other relation.
DETAILS = word_set("famous noted notable renowned celebrated prominent eminent acclaimed current present")
# "serves as captain of" is "is captain of".
ROLE_VERBS = word_set("serve work act function")
# Verbs (lemmas) whose passive with "by" names no agent: "is located by the river".
NO_AGENTS = word_set("locate situate know reach access multiply go pass stand base")
# Verbs that are also what somebody is: "was coached at" is not "was a coach at".
VERBS_OF_ROLES = word_set(
    "coach head captain star guard judge host guide author partner mentor pilot chair father mother nurse tutor "
    "sponsor champion patron rival"
)
# Participles that open a relation with "is" left out: "located in", "known as".
BARE_PARTICIPLES = word_set(
    "located situated based headquartered born known named called founded established built constructed designed "
    "directed written composed produced published released made owned used divided surrounded bordered bounded "
    "dedicated devoted related connected linked married buried employed descended inspired influenced adapted"
)
HEDGES = word_set(
    "allegedly reportedly supposedly apparently possibly probably perhaps maybe nearly almost partly partially "
    "presumably seemingly potentially permit require oblige permitted required obliged forced allowed"
)
FORMER = word_set("formerly once former ex")
# Wordings of one time, ability, duty, intention or hearsay; what stands before the colon stands for the others. A
# dash is any verb: "succeeded in selling", "managed to sell". The longest counts, so that some stand for themselves.
REWORDINGS = """
will: is going to, is about to, is set to, is scheduled to
was: used to be, was formerly, was once
once: formerly
went on to: would go on to
can: is able to
can -: is capable of -ing
can not: ca not, cannot, is unable to, is not able to
can not -: is incapable of -ing, is not capable of -ing
could not: was unable to, was not able to
could not -: was incapable of -ing, was not capable of -ing
will not: wo not
not: not yet
never: not ever
not have: not have any
has not: has yet to, is yet to
must: has to, is obliged to, is required to, has got to
has to do with: has to do with
is allowed to: is permitted to, has permission to
is not allowed to: is not permitted to, is forbidden to
is not allowed to -: is prohibited from -ing, is forbidden from -ing
was allowed to: was permitted to
was not allowed to: was not permitted to, was forbidden to
was not allowed to -: was prohibited from -ing, was forbidden from -ing
may: might, possibly, perhaps, maybe
will probably: is likely to, probably will, will likely
will probably not: is unlikely to, is not likely to, probably will not, will likely not
nearly: almost
nearly -: came close to -ing
reportedly: allegedly, supposedly, is said to, is reported to, is alleged to, is claimed to, is rumored to
reportedly have: is supposed to have
is believed to: is thought to
plans to: intends to
planned to: intended to
is intended to: is intended to
was intended to: was intended to
managed to -: succeeded in -ing
remembered to: not forget to
continued to -: not stop -ing, kept on -ing, went on -ing, carried on -ing
failed to -: not succeed in -ing
refused to: declined to, would not
would not have: would not have
would not be: would not be
is a: remains a
is the: remains the
is one of: remains one of
was a: remained a
was the: remained the
"""
# Verbs (lemmas) of what lasts: "owned" is "was the owner of" and not "is"; "founded" is both.
STATE_VERBS = word_set(
    "own possess have hold keep head lead manage run chair chairman captain coach rule govern reign command control "
    "operate maintain live reside dwell inhabit occupy work serve teach train tutor mentor advise edit publish "
    "manufacture belong support back favor endorse oppose love like hate dislike admire respect trust distrust "
    "fear envy know need want use contain include comprise border adjoin neighbor surround lie stand sit face "
    "overlook cross span connect link represent depict resemble equal exceed cost weigh measure employ sponsor "
    "fund finance host house supply play practice speak mean signify believe follow worship guard protect patrol "
    "supervise oversee depend rely consist cover treat sell distribute befriend rival date"
)
# Of these the tense counts: what somebody "owned" they may own no longer.
LASTING_VERBS = word_set(
    "own possess head lead manage chair captain coach rule govern reign command live reside dwell inhabit work teach "
    "belong employ believe think feel"
)
# What leads to something lasts no longer than any other event.
NOT_LASTING = frozenset(["lead to", "head to", "head for"])
# Who buys something from somebody has it sold to them.
CONVERSES: Mapping[str, str] = {"buy": "sell", "purchase": "sell", "borrow": "lend", "import": "export"}
# "a town of Norway" is a town in Norway.
PLACE_NOUNS = word_set(
    "city town village hamlet municipality district county province state region department commune parish borough "
    "ward township neighborhood neighbourhood quarter settlement community island lake mountain river valley "
    "peninsula route street square territory"
)
# "an album of the Beatles" is one by them.
WORK_NOUNS = word_set(
    "album film movie novel book song single play poem painting sculpture opera symphony story drama series show "
    "program musical documentary comedy work sitcom ballet composition essay article"
)
# Prepositions after a verb that mean the same, by the kind of what follows; an empty one is for none at all.
SAME_AFTER_VERBS: Mapping[str, tuple[frozenset[str], ...]] = {
    "datetime": (frozenset(["", "in", "on"]),),
    "place": (word_set("in within inside"),),
    "event": (word_set("in at"),),
}
# The same after what somebody or something is, by the kinds of both: "a band of Oslo", "from Oslo".
SAME_AFTER_NOUNS: Mapping[tuple[str, str], frozenset[str]] = {
    ("organization", "place"): word_set("of in from"),
    ("person", "organization"): word_set("of at in for with"),
}
# Words beside a date or an amount that leave it one: "early 1990", "about 50".
AROUND_VALUES = word_set("the of year early late mid about around some more than ,")
# Words before a time that say that it comes again: "every four years".
REPEATING = word_set("every each")
