"""Titles before the names of people."""

from __future__ import annotations

from collections.abc import Sequence

from tupelo.nlp.languages import word_set

COURTESY_TITLES = word_set("mr. mrs. ms. dr. mr mrs ms miss dr sir madam lord lady")
MALE_TITLES = word_set("mr. mr sir lord king prince father duke baron pope uncle")
FEMALE_TITLES = word_set("mrs. mrs ms. ms miss lady queen princess madam dame duchess baroness aunt")
TITLES = MALE_TITLES | FEMALE_TITLES | word_set("dr. dr president senator professor prof. gen. sen.")
# Words before a person's name that are not part of it. Titles of kings, popes and saints are part of the name.
DETACHABLE_TITLES = word_set(
    "mr mrs ms miss mx dr prof professor sir dame lady lord rev reverend judge justice attorney mayor gov "
    "governor sen senator rep representative congressman congresswoman president chancellor premier minister "
    "secretary ambassador chairman chairwoman director coach captain capt major maj general gen colonel col "
    "lieutenant lt sergeant sgt admiral commander officer detective inspector det "
    "insp supt superintendent cllr councillor mlle mademoiselle mme madame monsieur"
) | {"prime minister"}
_JOINTS = frozenset(("-", "–", "in", "and", "&"))
# Words that say what a person does or is to others. Alone they name nobody: *the Secretary*, *Vice President*, *Mom*.
ROLES = (
    TITLES
    | DETACHABLE_TITLES
    | word_set(
        "vice deputy assistant associate chief executive head acting former elect first high grand attorneys speaker "
        "whip leader member chair treasurer clerk counsel commissioner superintendent dean provost rector fellow "
        "instructor teacher student emperor empress king queen prince princess duke duchess earl count countess "
        "baron baroness pope cardinal bishop archbishop priest deacon rabbi imam father mother brother sister mom "
        "mum dad daddy mommy mummy grandma grandpa granny uncle aunt sheriff marshal agent ranger corporal private "
        "squire master mister madame monsieur majesty highness excellency honour honor friend friends ceo cfo cto vp "
        "editor author interviewer interviewee player host anonymous doge raja sultan emir caliph tsar czar kaiser"
    )
)


def is_role(words: Sequence[str]) -> bool:
    """Whether words only say what somebody is: *Vice President*, *Governor of Virginia*.

    >>> is_role(["Governor", "of", "Virginia"]), is_role(["Governor", "Kaine"])
    (True, False)
    """
    lowered = [word.lower().removesuffix(".") for word in words]
    before = lowered[: lowered.index("of")] if "of" in lowered else lowered
    return bool(before) and all(word in ROLES or word in _JOINTS for word in before)


def title_words(words: Sequence[str]) -> int:
    """How many words of a person's name stand before the name itself.

    >>> title_words(["Oregon", "Judge", "Robert", "Jones"])
    2
    """
    for index in range(len(words) - 2, -1, -1):
        if words[index].lower().removesuffix(".") in DETACHABLE_TITLES and words[index + 1][:1].isupper():
            return index + 1
    return 0
