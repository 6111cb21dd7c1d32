"""Forms of English words: inflection of verbs, agreement of *be* and *do*, case of pronouns.

Regular verbs follow the spelling rules; the table has base form, past tense and past participle of the others.
"""

from __future__ import annotations

from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.pronouns import OBJECT_FORMS, SUBJECT_FORMS

_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beat beaten; become became become; begin began begun
bend bent bent; bet bet bet; bind bound bound; bite bit bitten; bleed bled bled; blow blew blown
break broke broken; breed bred bred; bring brought brought; broadcast broadcast broadcast; build built built
burst burst burst; buy bought bought; cast cast cast; catch caught caught; choose chose chosen; cling clung clung
come came come; cost cost cost; creep crept crept; cut cut cut; deal dealt dealt; dig dug dug; draw drew drawn
drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feed fed fed; feel felt felt
fight fought fought; find found found; flee fled fled; fling flung flung; fly flew flown; forbid forbade forbidden
forecast forecast forecast; foresee foresaw foreseen; forget forgot forgotten; forgive forgave forgiven
forgo forwent forgone; freeze froze frozen; get got got; give gave given; go went gone; grind ground ground
grow grew grown; hang hung hung; have had had; hear heard heard; hide hid hidden; hit hit hit; hold held held
hurt hurt hurt; keep kept kept; know knew known; lay laid laid; lead led led; leave left left; lend lent lent
let let let; lie lay lain; light lit lit; lose lost lost; make made made; mean meant meant; meet met met
mislead misled misled; mistake mistook mistaken; misunderstand misunderstood misunderstood; offset offset offset
outdo outdid outdone; overcome overcame overcome; overrun overran overrun; oversee oversaw overseen
overtake overtook overtaken; overthrow overthrew overthrown; partake partook partaken; pay paid paid; put put put
quit quit quit; read read read; rebuild rebuilt rebuilt; recast recast recast; redo redid redone; repay repaid repaid
reset reset reset; resell resold resold; rethink rethought rethought; rewrite rewrote rewritten; rid rid rid
ride rode ridden; ring rang rung; rise rose risen; run ran run; say said said; see saw seen; seek sought sought
sell sold sold; send sent sent; set set set; sew sewed sewn; shake shook shaken; shed shed shed; shine shone shone
shoot shot shot; show showed shown; shrink shrank shrunk; shut shut shut; sing sang sung; sink sank sunk; sit sat sat
slay slew slain; sleep slept slept; slide slid slid; sling slung slung; slit slit slit; sow sowed sown
speak spoke spoken; speed sped sped; spend spent spent; spin spun spun; spit spat spat; split split split
spread spread spread; spring sprang sprung; stand stood stood; steal stole stolen; stick stuck stuck
sting stung stung; stink stank stunk; stride strode stridden; strike struck struck; string strung strung
strive strove striven; swear swore sworn; sweep swept swept; swell swelled swollen; swim swam swum; swing swung swung
take took taken; teach taught taught; tear tore torn; tell told told; think thought thought; throw threw thrown
thrust thrust thrust; tread trod trodden; undergo underwent undergone; understand understood understood
undertake undertook undertaken; undo undid undone; unwind unwound unwound; uphold upheld upheld; upset upset upset
wake woke woken; wear wore worn; weave wove woven; weep wept wept; win won won; wind wound wound
withdraw withdrew withdrawn; withhold withheld withheld; withstand withstood withstood; wring wrung wrung
write wrote written; do did done; be was been; underlie underlay underlain; inlay inlaid inlaid; bid bid bid
"""
_FORMS = {
    base: (past, participle)
    for base, past, participle in (
        entry.split() for entry in _IRREGULAR.replace("\n", ";").split(";") if entry.strip()
    )
}
_VOWELS = "aeiou"
# Verbs of several syllables with the stress on the last one, so that their last consonant is doubled.
_DOUBLING = word_set(
    "admit refer prefer permit commit submit occur control compel propel expel patrol transfer omit "
    "regret rebel equip incur infer confer defer deter emit transmit remit concur recur recap kidnap "
    "program overlap format embed unplug abet allot annul begin forget upset"
)
_PLURALS = dict(
    pair.split()
    for pair in [
        "child children",
        "man men",
        "woman women",
        "person people",
        "foot feet",
        "thief thieves",
        "life lives",
        "wife wives",
        "half halves",
        "aircraft aircraft",
        "offspring offspring",
        "crisis crises",
        "analysis analyses",
        "hero heroes",
        "potato potatoes",
    ]
)
_SILENT_H = ("hour", "honest", "honor", "honour", "heir")
_SPOKEN_CONSONANT = ("uni", "use", "usu", "uti", "eu", "one", "once", "ubi", "ura")
_IN_C = ("panic", "mimic", "picnic", "traffic")


def past(base: str) -> str:
    """The past tense.

    >>> past("write"), past("carry"), past("stop"), past("refer")
    ('wrote', 'carried', 'stopped', 'referred')
    """
    return _FORMS[base][0] if base in _FORMS else _with_ed(base)


def participle(base: str) -> str:
    """The past participle.

    >>> participle("write"), participle("use")
    ('written', 'used')
    """
    return _FORMS[base][1] if base in _FORMS else _with_ed(base)


def gerund(base: str) -> str:
    """The form in -ing.

    >>> gerund("make"), gerund("lie"), gerund("see"), gerund("run"), gerund("visit")
    ('making', 'lying', 'seeing', 'running', 'visiting')
    """
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")) and base not in ("be", "singe"):
        return base[:-1] + "ing"
    if base in _IN_C:
        return base + "king"
    return (base + base[-1] if _doubles(base) else base) + "ing"


def third_person(base: str) -> str:
    """The present tense of *he*.

    >>> third_person("go"), third_person("carry"), third_person("play"), third_person("have")
    ('goes', 'carries', 'plays', 'has')
    """
    if base in ("have", "be"):
        return {"have": "has", "be": "is"}[base]
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies"
    return base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")


def be(*, past: bool, plural: bool) -> str:
    """The form of *be* for a tense and a number."""
    if past:
        return "were" if plural else "was"
    return "are" if plural else "is"


def do(*, past: bool, plural: bool) -> str:
    """The form of *do* for a tense and a number."""
    return "did" if past else "do" if plural else "does"


def inflect(base: str, tag: str) -> str | None:
    """A verb inflected for a Penn Treebank tag; `None` if the tag is not a verb tag.

    >>> inflect("make", "VBD"), inflect("make", "VBG"), inflect("make", "NN")
    ('made', 'making', None)
    """
    forms = {"VBD": past, "VBZ": third_person, "VBN": participle, "VBG": gerund}
    return base if tag in ("VB", "VBP") else forms[tag](base) if tag in forms else None


def plural(noun: str) -> str:
    """The plural of a noun.

    >>> plural("company"), plural("boss"), plural("child"), plural("journey")
    ('companies', 'bosses', 'children', 'journeys')
    """
    if noun in _PLURALS:
        return _PLURALS[noun]
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def article(word: str) -> str:
    """The indefinite article before a word.

    >>> article("owner"), article("union"), article("hour"), article("house")
    ('an', 'a', 'an', 'a')
    """
    low = word.lower()
    if low.startswith(_SILENT_H):
        return "an"
    return "an" if low[:1] in _VOWELS and not low.startswith(_SPOKEN_CONSONANT) else "a"


def as_subject(word: str) -> str:
    return SUBJECT_FORMS.get(word.lower(), word)


def as_object(word: str) -> str:
    return OBJECT_FORMS.get(word.lower(), word)


def _with_ed(base: str) -> str:
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ied"
    if base in _IN_C:
        return base + "ked"
    return (base + base[-1] if _doubles(base) else base) + "ed"


def _doubles(base: str) -> bool:
    """Whether the last consonant is doubled: one vowel before it, in a stressed syllable."""
    if len(base) < 3 or base[-1] in _VOWELS + "wxyh" or base[-2] not in _VOWELS or base[-3] in _VOWELS:
        return len(base) > 3 and base[-3:] in ("uip", "uit", "uiz") and base != "recruit"
    return base in _DOUBLING or sum(letter in _VOWELS + "y" for letter in base) == 1
