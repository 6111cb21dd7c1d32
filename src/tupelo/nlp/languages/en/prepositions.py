"""Prepositions of time and place."""

from __future__ import annotations

from tupelo.nlp.languages import word_set

TIME_PREPOSITIONS = word_set(
    "during until till since after before throughout by from in on at within for between ago"
)
SURE_TIME_PREPOSITIONS = word_set("during until till ago")
PLACE_PREPOSITIONS = word_set(
    "in at on near into onto from to inside outside within through throughout across around along above below "
    "beneath beside between behind beyond over under off past toward towards via opposite amid among against by "
    "upon north south east west"
)
# Before the name of an entity beside the object: `in Oslo` is Oslo.
ARGUMENT_PREPOSITIONS = word_set("in on at to from by with for of during since until into near about")
# Prepositions whose phrase can be put into focus.
FOCUS_PREPOSITIONS = word_set(
    "in on at during after before since from by through throughout under within near across around against "
    "among between behind into inside outside upon via with to following"
)
LOCATION_PREPOSITIONS = word_set("in at on near within inside outside")
DATE_PREPOSITIONS = word_set("in on during at")
# Participles that are used as prepositions.
PARTICIPLE_PREPOSITIONS = word_set("including regarding concerning according following based compared due depending")
# Those that look like a clause of their own: "compared with Oslo, Bergen is small".
CLAUSE_LIKE_PREPOSITIONS = PARTICIPLE_PREPOSITIONS | word_set("given considering starting beginning meaning")
# Prepositions that a verb or an adjective requires before a gerund: "capable of", "succeed in", "look forward to".
GOVERNING_PREPOSITIONS = word_set("of in for to on from with at about against")
# Before a gerund, these say what did not happen or is not meant to.
UNREAL_PREPOSITIONS = word_set("instead rather than of for as into from with beyond against to")
PREPOSITIONS = word_set(
    "about above across after against along among around as at before behind below beneath beside between beyond by "
    "despite down during except for from in inside into like near of off on onto out outside over past since through "
    "throughout till to toward towards under until up upon via with within without"
)
# Prepositions with a noun in their middle.
COMPLEX_PREPOSITIONS = frozenset(
    tuple(words.split())
    for words in (
        *("in front of", "on behalf of", "in terms of", "in spite of", "in favor of", "in favour of", "in charge of"),
        *("in search of", "in support of", "in honor of", "in honour of", "by means of", "in case of", "in place of"),
        *("in light of", "on top of", "in possession of", "in need of", "in pursuit of", "by way of", "for fear of"),
        *(
            "with respect to",
            "with regard to",
            "in relation to",
            "in addition to",
            "in response to",
            "in contrast to",
        ),
        *(
            "in comparison to",
            "in comparison with",
            "in line with",
            "in contact with",
            "in touch with",
            "in love with",
        ),
        *("in accordance with", "in connection with", "in common with", "at odds with", "in exchange for"),
        *("in love with", "in return for", "in preparation for"),
    )
)
# What these open says when, why, like or except whom: nothing of the names in it.
ASIDE = word_set(
    "during according despite since until before after without except due because following given amid than as like "
    "unlike throughout besides including"
)
