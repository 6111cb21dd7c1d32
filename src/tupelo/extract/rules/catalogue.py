"""The rules by name, with a line on each for people who ask why a tuple was made."""

from __future__ import annotations

RULES = {
    "clause": "a verb with its own subject: Ann sings songs",
    "copula": "a form of be with its own subject: Ann is a singer",
    "conjunct": "a second verb that shares the subject: Ann was born in Oslo and died in Rome",
    "control": "an infinitive told with the verb above it: Ann refused to sell the house",
    "object-control": "an infinitive whose subject is the object above it: the king asked Bob to leave",
    "relative": "a relative clause whose pronoun is the subject: Ann, who wrote the book",
    "participle": "a participle after its noun: the house built by monks",
    "infinitive": "an infinitive after its noun: the first ship to cross the ocean",
    "adverbial": "a clause without subject beside the main clause: singing a song, Ann left",
    "purpose": "an infinitive that says what for: Ann went home to write a letter",
    "existential": "what there is, and where: there are wolves in Norway",
    "speech": "a remark on who said it: it works, Ann said",
    "apposition": "a noun beside a noun: Bush, the president",
    "title": "a title before a name: President Bush",
    "place": "a place inside another: Bergen, Norway",
    "possessive": "an owner and what is owned: Ann's brother",
    "noun-place": "a noun and the named place it is at: the bridge in Prague",
    "noun-preposition": "a noun and a preposition: the road through the forest",
    "adjective": "an adjective and its noun: the old bridge",
}
SHAPES = {
    "piece": "one fact of a clause that has several",
    "nested": "a fact about a noun inside an argument",
}


def explain(rule: str) -> str:
    """What a rule does, for a name as tuples carry it.

    >>> explain("title/nested")
    'a title before a name: President Bush (a fact about a noun inside an argument)'
    """
    name, _, shape = rule.partition("/")
    meaning = RULES.get(name, name)
    return f"{meaning} ({SHAPES[shape]})" if shape in SHAPES else meaning
