"""Words (lemmas) of which one cannot stand for the other: opposites, and the two sides of one event or kinship.

Each line has two groups; every word of one is opposed to every word of the other.
"""

from __future__ import annotations

from tupelo.nlp.languages import word_set

_GROUPS = """
buy purchase acquire / sell divest
lend loan / borrow
give donate grant / receive get take
pay / earn charge collect
win / lose
defeat beat / lose
hire employ recruit appoint / fire dismiss sack resign quit
join enter / leave quit exit
arrive come reach enter / leave depart go
send ship export / receive import
teach instruct / learn study
lead head / follow
marry wed / divorce
love like admire praise / hate dislike criticize condemn denounce
support back endorse / oppose resist reject criticize denounce
accept approve / reject refuse decline
allow permit / forbid ban prohibit prevent
attack invade / defend protect
invade enter occupy / withdraw retreat
start begin open launch establish found create / end stop close abolish dissolve destroy
build construct / destroy demolish
raise increase / lower reduce cut decrease
rise grow gain / fall drop decline shrink
praise / blame
accuse charge convict / acquit exonerate defend
arrest imprison detain / release free
save rescue / kill
die perish / kill murder assassinate execute
bear / die bury
live / die
remember / forget
confirm / deny
precede / follow succeed
own / rent lease
write / read review
ask / answer
publish / read
produce make / consume
cause / prevent
discover find / lose hide
include contain / exclude
mother / father son daughter
father / mother son daughter
parent / child son daughter
son / daughter
brother / sister
husband / wife
uncle nephew / aunt niece
uncle aunt / nephew niece
grandfather grandmother grandparent / grandson granddaughter grandchild
teacher professor / student pupil
employer / employee
predecessor / successor
seller / buyer
lender creditor / borrower debtor
landlord / tenant
winner / loser
host / guest
author writer / reader
leader / follower member
subsidiary / parent
friend ally / enemy rival opponent
north northern / south southern
east eastern / west western
above / below under beneath
before / after
inside / outside
left / right
larger bigger greater / smaller
older elder / younger
higher / lower
"""


def _opposed() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _GROUPS.strip().splitlines():
        one, other = (word_set(side) for side in line.split("/"))
        for words, against in ((one, other), (other, one)):
            for word in words:
                found.setdefault(word, set()).update(against)
    return {word: frozenset(words) for word, words in found.items()}


OPPOSITES = _opposed()
