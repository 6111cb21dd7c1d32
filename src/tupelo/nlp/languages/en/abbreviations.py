"""Abbreviations in lower case, without their full stop, and what may follow them."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tupelo.nlp.languages import word_set

# What an abbreviation stands before: a name, a number, the rest of its sentence; or it may be the last word as well.
Kind: TypeAlias = Literal["name", "number", "rest", "any"]

_KINDS: dict[Kind, frozenset[str]] = {
    "name": word_set(
        "mr mrs ms mx dr prof rev fr st ste mt ft hon messrs mme mlle msgr gen lt sgt capt col cpl cmdr maj pvt adm "
        "brig gov sen rep reps pres sec supt det insp amb"
    ),
    "number": word_set(
        "no nos fig figs eq eqs sec sect art arts ch chap para paras vol vols p pp op ver reg tab b c d r ext tel apt"
    ),
    "rest": word_set("eg ie viz cf vs v approx ca esp incl excl orig attn eds"),
    "any": word_set(
        "sr jr esq inc co corp ltd llc llp plc bros assn dept univ govt intl mfg natl "
        "jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun "
        "etc al ave blvd rd hwy bldg "
        "ala ariz ark calif colo conn fla ill ind kan ky mass md mich minn mo neb nev okla ore pa tenn tex va vt "
        "wash wis wyo "
        "oz lb lbs yr yrs hr hrs min mins sec secs in m cm mm km mi kg mg g ml tsp tbsp gal pt qt misc ph nr spp sp"
    ),
}
# Words of their own without the full stop, so that it may just as well end a sentence.
_WORDS_OF_THEIR_OWN = word_set(
    "no nos fig art arts ch p op ver reg tab b c d r v mar mon wed sat sun ill ind mass mo ore pa wash "
    "min mins secs in m cm mm km mi kg mg g ml tsp tbsp gal pt qt spp sp paras govt intl mfg natl insp amb brig msgr"
)

ABBREVIATION_KINDS: dict[str, Kind] = {word: kind for kind, words in _KINDS.items() for word in words}
# Those that keep their full stop as part of the word.
ABBREVIATIONS = frozenset(ABBREVIATION_KINDS) - _WORDS_OF_THEIR_OWN
