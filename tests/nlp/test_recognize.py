"""English, or another language?"""

from __future__ import annotations

import re

import pytest

from tupelo.nlp.languages.recognize import is_english


def words(text: str) -> list[str]:
    return re.findall(r"\w+|[^\w\s]", text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Bundeskanzler reiste am Montag nach Paris. Er traf dort den Präsidenten.",
        "Le président a rencontré hier la chancelière à Berlin et il est rentré le soir.",
        "El presidente se reunió ayer con la canciller en Berlín y volvió por la noche.",
        "Il presidente ha incontrato ieri la cancelliera a Berlino ed è tornato la sera.",
        "Presidenten träffade i går förbundskanslern i Berlin och han återvände på kvällen.",
        "Анна родилась в Осло в 1970 году.",
        "安倍晋三は1954年に東京で生まれた。",
        "Mae gan Gymru rai cyfraddau goresgyn canser gwaethaf yng ngwledydd datblygedig Ewrop gyfan heddiw. " * 3,
    ],
)
def test_other_languages(text: str) -> None:
    assert not is_english(words(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "…",
        "Ann.",
        "Antonín Dvořák",
        "Police arrest three men",
        "Rosa bought six apples.",
        "Ludwig van Beethoven and Vincent van Gogh never met.",
        "Abhandlungen aus dem Mathematischen Seminar der Universität Hamburg has the CODEN code AMHAAJ.",
        "He said “Je ne sais pas, mais les enfants sont dans la rue” and left the house.",
        "A.S. Roma's fullname is Associazione Sportiva Roma S.p.A.",
        "mike tindall , zara phillips , peter phillips and their children",
    ],
)
def test_english_and_what_might_be(text: str) -> None:
    assert is_english(words(text))
