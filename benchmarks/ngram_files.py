"""Files of syntactic n-grams that look like Google's: for speed, not for meaning.

What is imitated: lines of some 185 bytes with a tail of years, heads and words with Zipf's frequencies, fragments of
two to four content arcs in the extended form, most of them noun phrases and verbs without a subject. About one line
in ten has a subject, a verb and an object at all, one in thirty becomes an assertion; in the real collections it is
rather less (63 million assertions in billions of n-grams), so the generated files are the harder ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Weight and tokens of a fragment. A token is the class of its words, tag, label and head.
_FRAGMENTS = """
9  D/DT/det/2 N/NN/ROOT/0 of/IN/prep/2 D/DT/det/5 N/NN/pobj/3
8  N/NN/pobj/0 of/IN/prep/1 N/NNS/pobj/2 in/IN/prep/3 N/NNP/pobj/4
7  D/DT/det/3 J/JJ/amod/3 N/NN/dobj/0 of/IN/prep/3 N/NN/pobj/4
6  in/IN/prep/0 D/DT/det/4 J/JJ/amod/4 N/NN/pobj/1 of/IN/prep/4 N/NN/pobj/5
5  J/JJ/amod/3 N/NN/nn/3 N/NNS/pobj/0
5  N/NNP/nn/3 N/NNP/nn/3 N/NNP/nsubj/0
4  N/NN/nsubj/0 and/CC/cc/1 D/DT/det/4 N/NN/conj/1
4  D/DT/det/2 N/NN/nsubj/0 V/VBN/partmod/2 by/IN/prep/3 N/NNS/pobj/4
4  P/PRP$/poss/2 N/NN/dobj/0 and/CC/cc/2 P/PRP$/poss/5 N/NN/conj/2
6  to/TO/aux/2 V/VB/xcomp/0 D/DT/det/4 N/NN/dobj/2 of/IN/prep/4 N/NN/pobj/5
5  V/VBD/conj/0 D/DT/det/3 N/NN/dobj/1 from/IN/prep/1 N/NNP/pobj/4
5  V/VBG/pcomp/0 R/RB/advmod/1 with/IN/prep/1 D/DT/det/5 N/NN/pobj/3
4  A/MD/aux/3 be/VB/auxpass/3 V/VBN/ROOT/0 R/RB/advmod/3 in/IN/prep/3 N/NN/pobj/5
4  V/VBN/partmod/0 to/TO/aux/3 V/VB/xcomp/1 N/NNS/dobj/3
4  P/PRP/nsubj/2 V/VBD/ROOT/0 R/RB/advmod/2
4  P/PRP/nsubj/3 A/MD/aux/3 V/VB/ccomp/0 to/TO/aux/5 V/VB/xcomp/3
3  that/IN/complm/4 D/DT/det/3 N/NN/nsubj/4 V/VBZ/ccomp/0 R/RB/advmod/4
3  which/WDT/nsubjpass/3 was/VBD/auxpass/3 V/VBN/rcmod/0 R/RB/advmod/3
3  N/NN/dobj/0 that/WDT/dobj/4 P/PRP/nsubj/4 V/VBD/rcmod/1
3  D/DT/det/2 N/NN/nsubj/3 V/VBD/ROOT/0 that/IN/complm/6 P/PRP/nsubj/6 V/VBD/ccomp/3
2  D/DT/det/2 N/NN/nsubj/4 is/VBZ/cop/4 J/JJ/ROOT/0
2  P/PRP/nsubj/3 R/RB/advmod/3 V/VBD/ROOT/0 P/PRP$/poss/5 N/NN/dobj/3
2  P/PRP$/poss/2 N/NN/nsubj/3 V/VBD/ROOT/0 D/DT/det/5 N/NN/dobj/3
2  D/DT/det/2 N/NN/nsubj/5 of/IN/prep/2 N/NNS/pobj/3 V/VBD/ROOT/0 N/NN/dobj/5
1  N/NN/nsubj/2 V/VBZ/ROOT/0 C/CD/num/4 N/NNS/dobj/2
1  P/PRP/nsubj/3 who/WP/nsubj/3 V/VBD/ROOT/0 D/DT/det/5 N/NN/dobj/3
1  P/PRP/nsubj/2 V/VBD/ROOT/0 D/DT/det/4 N/NN/dobj/2
0.6 N/NNP/nsubj/2 V/VBD/ccomp/0 N/NN/dobj/2 to/TO/prep/2 N/NNP/pobj/4
0.6 D/DT/det/2 N/NN/nsubjpass/4 was/VBD/auxpass/4 V/VBN/ROOT/0 by/IN/prep/4 D/DT/det/7 N/NN/pobj/5
0.5 P/PRP/nsubj/2 is/VBZ/ROOT/0 D/DT/det/5 J/JJ/amod/5 N/NN/attr/2
0.5 D/DT/det/3 J/JJ/amod/3 N/NNS/nsubj/5 A/MD/aux/5 V/VB/ROOT/0 J/JJ/amod/7 N/NNS/dobj/5
0.4 P/PRP/nsubj/3 not/RB/neg/3 V/VBD/conj/0 in/IN/prep/3 D/DT/det/6 N/NN/pobj/4
"""
# How many words a class has.
_CLASSES = {"N": 80_000, "V": 9_000, "J": 20_000, "R": 4_000, "D": 12, "P": 24, "A": 9, "C": 400}
_SYLLABLES = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ha",
    "ker",
    "li",
    "mon",
    "nor",
    "pel",
    "qui",
    "ros",
    "sta",
    "ten",
    "ur",
    "vin",
    "wes",
    "yo",
    "zar",
)
_CHUNK = 50_000
_TAILS = 20_000


def generate_lines(lines: int, seed: int = 0) -> Iterator[str]:
    """Lines of a file; the same for the same number and seed."""
    random = np.random.default_rng(seed)
    weights, forms, slots = _fragments()
    words = {name: _words(name, size) for name, size in _CLASSES.items()}
    ranks = {name: _zipf(size) for name, size in _CLASSES.items()}
    tails = [_tail(random) for _ in range(_TAILS)]
    done = 0
    while done < lines:
        size = min(_CHUNK, lines - done)
        kinds = random.choice(len(forms), size, p=weights)
        pools = {name: iter(np.searchsorted(ranks[name], random.random(size * 5)).tolist()) for name in _CLASSES}
        chosen_tails = random.integers(0, _TAILS, size).tolist()
        for kind, tail in zip(kinds.tolist(), chosen_tails, strict=True):
            chosen = [words[name][next(pools[name])] for name in slots[kind]]
            yield f"{chosen[-1]}\t{forms[kind] % tuple(chosen)}\t{tails[tail]}\n"
        done += size


def _fragments() -> tuple[NDArray[np.float64], list[str], list[list[str]]]:
    weights, forms, slots = [], [], []
    for line in _FRAGMENTS.strip().splitlines():
        weight, *tokens = line.split()
        classes = [token.partition("/")[0] for token in tokens]
        weights.append(float(weight))
        slots.append([name for name in classes if name in _CLASSES])
        forms.append(
            " ".join(
                token if name not in _CLASSES else f"%s/{token.partition('/')[2]}"
                for token, name in zip(tokens, classes, strict=True)
            )
        )
    total = np.array(weights)
    return total / total.sum(), forms, slots


def _words(name: str, size: int) -> list[str]:
    """Pronounceable words, short ones first as in real language; digits keep classes apart from each other."""
    found = []
    for number in range(size):
        syllables, rest = [], number
        while True:
            rest, syllable = divmod(rest, len(_SYLLABLES))
            syllables.append(_SYLLABLES[syllable])
            if not rest:
                break
        found.append("".join(syllables) + {"N": "", "V": "ed", "J": "y", "R": "ly"}.get(name, name.lower()))
    return found


def _zipf(size: int) -> NDArray[Any]:
    weights = 1 / np.arange(1, size + 1)
    return np.asarray(np.cumsum(weights) / weights.sum())


def _tail(random: np.random.Generator) -> str:
    """The total and its years: nothing below ten is published, and most is just above."""
    years = sorted(set(random.integers(1800, 2009, int(random.integers(4, 26))).tolist()))
    counts = random.zipf(2.0, len(years)).clip(1, 500).tolist()
    total = max(10, sum(counts))
    return "\t".join([str(total), *(f"{year},{count}" for year, count in zip(years, counts, strict=True))])
