"""Names that are whole, and names of a document that agree with each other."""

from __future__ import annotations

from tupelo.core import Analysis, Entity, Word
from tupelo.nlp.names import agreeing_names, unbroken_names


def sentence(text: str, *entities: Entity) -> Analysis:
    """Words are separated by spaces; those with a capital are proper nouns unless `/` says something else."""
    words, start = [], 0
    for written in text.split():
        form, _, tag = written.partition("/")
        words.append(Word(form, start, start + len(form), upos=tag or ("PROPN" if form[0].isupper() else "NOUN")))
        start += len(form) + 1
    return Analysis(" ".join(word.text for word in words), tuple(words), entities=entities)


def labels(sentences: list[Analysis]) -> list[list[tuple[str, int, int]]]:
    return [[(e.label, e.start, e.end) for e in one.entities or ()] for one in agreeing_names(sentences)]


def test_a_name_has_one_type_in_a_document() -> None:
    place, person = Entity("place", 0, 1), Entity("person", 0, 1)
    found = labels([sentence("Coron lies", place), sentence("Coron sleeps", person), sentence("Coron wins", place)])
    assert found == [[("place", 0, 1)]] * 3


def test_a_name_is_found_where_it_was_overlooked() -> None:
    name = Entity("event", 1, 3)
    sentences = [sentence("the Cyclone Phailin came", name), sentence("The Cyclone PHAILIN left", name)]
    assert labels([*sentences, sentence("now Cyclone Phailin grows")])[2] == [("event", 1, 3)]
    # Once is not enough, and neither are the same words without capitals, in another name, or without a proper noun.
    assert labels([sentences[0], sentence("Cyclone Phailin grows")])[1] == []
    assert labels([*sentences, sentence("a cyclone phailin grows")])[2] == []
    inside = Entity("work", 0, 3)
    assert labels([*sentences, sentence("Cyclone Phailin Returns", inside)])[2] == [("work", 0, 3)]
    may = Entity("person", 0, 1)
    assert labels([sentence("May sang", may), sentence("May sang", may), sentence("May/AUX I ask")])[2] == []


def test_dates_and_numbers_do_not_vote() -> None:
    march, person = Entity("datetime", 0, 1), Entity("person", 0, 1)
    sentences = [sentence("March came", march), sentence("March came", march), sentence("March sang", person)]
    assert labels(sentences) == [[("datetime", 0, 1)], [("datetime", 0, 1)], [("person", 0, 1)]]


def test_a_name_goes_on_over_a_hyphen_and_over_all_names_of_a_person() -> None:
    fawzi = Word("Fawzi", 0, 5, upos="PROPN", head=4, deprel="nsubj")
    al = Word("al", 6, 8, upos="PROPN", head=0, deprel="flat")
    odah = [
        Word("-", 8, 9, upos="PUNCT", head=3, deprel="punct"),
        Word("Odah", 9, 13, upos="PROPN", head=0, deprel="flat"),
    ]
    sued = Word("sued", 14, 18, upos="VERB", deprel="root")
    assert unbroken_names([Entity("person", 0, 1)], [fawzi, al, *odah, sued]) == (Entity("person", 0, 4),)
    # A place has no given names, and a word of another name or a common one is not taken.
    assert unbroken_names([Entity("place", 0, 1)], [fawzi, al, *odah, sued]) == (Entity("place", 0, 1),)
    both = [Entity("person", 0, 2), Entity("place", 3, 4)]
    assert unbroken_names(both, [fawzi, al, *odah, sued]) == tuple(both)
    led = Word("led", 9, 12, upos="VERB", head=4, deprel="amod")
    assert unbroken_names([Entity("place", 1, 2)], [fawzi, al, odah[0], led, sued]) == (Entity("place", 1, 2),)
