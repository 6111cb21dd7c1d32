from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.io.analyses import read_analyses
from tupelo.io.files import InputFile
from tupelo.nlp.tokens import tokenize
from tupelo_training.parser.paragraphs import paragraphs


def words(text: str) -> list[str]:
    return [text[start:end] for start, end, _ in tokenize(text)]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("I can't go.", "I ca n't go ."),
        ("We'll see; they’re late", "We 'll see ; they ’re late"),
        ("the teachers' room", "the teachers ' room"),
        ("John's dog", "John 's dog"),
        ("'quoted' words", "' quoted ' words"),
        ("cannot gonna dont", "can not gon na do nt"),
        ("Mr. Smith met Dr. Who.", "Mr. Smith met Dr. Who ."),
        ("the U.S. and the U.K., e.g. them", "the U.S. and the U.K. , e.g. them"),
        ("J. R. Brown", "J. R. Brown"),
        ("a 15-year-old boy", "a 15 - year - old boy"),
        ("the co-founder of a non-profit", "the co-founder of a non-profit"),
        ("$5.50, 10% and 1,000,000", "$ 5.50 , 10 % and 1,000,000"),
        ("at 5pm or 10:30am", "at 5 pm or 10:30 am"),
        ("the 1990s, the 21st", "the 1990s , the 21st"),
        ("on 9/11/2001 or 12-25-99", "on 9/11/2001 or 12-25-99"),
        ("call 555-123-4567 now", "call 555-123-4567 now"),
        ("and/or both", "and / or both"),
        (
            "in /etc/hosts, ~/.config/app.toml and ../out/a.js.",
            "in /etc/hosts , ~/.config/app.toml and ../out/a.js .",
        ),
        ("his/her /ko/ km/h", "his / her / ko / km / h"),
        ("see http://a.com/b?c=d(e).", "see http://a.com/b?c=d(e) ."),
        ("write to a.b@c.org, please", "write to a.b@c.org , please"),
        ("<a.b@c.org>", "< a.b@c.org >"),
        ("#tag @user", "#tag @user"),
        ("#1", "# 1"),
        ("wow!!! really?! ok...", "wow !!! really ?! ok ..."),
        ("nice :) or :-( ?", "nice :) or :-( ?"),
        ("an em—dash and a -- double", "an em — dash and a -- double"),
        ("(see [1])", "( see [ 1 ] )"),
        ("“curly” quotes", "“ curly ” quotes"),
        ("👩‍👩‍👧 fun 🇩🇪", "👩‍👩‍👧 fun 🇩🇪"),
        ("AT&T or R&D", "AT&T or R&D"),
    ],
)
def test_words_are_cut_as_the_treebanks_cut_them(text: str, wanted: str) -> None:
    assert words(text) == wanted.split(" ")


def test_parts_of_a_contraction_say_so() -> None:
    assert [joined for _, _, joined in tokenize("I can't, John's")] == [False, False, True, False, False, True]


@given(st.text(max_size=60))
def test_no_character_but_white_space_is_lost(text: str) -> None:
    tokens = tokenize(text)
    assert "".join(words(text)) == "".join(text.split())
    assert all(left[1] <= right[0] for left, right in pairwise(tokens))


def test_a_stretch_is_partial_the_same_way_wherever_it_stands() -> None:
    assert words("x can't, x")[1:4] == words("can't,") == ["ca", "n't", ","]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("treebank", "least"),
    [("ud_ewt/en_ewt-dev.conllu.gz", 0.99), ("gum/gum-dev.conllu.gz", 0.995)],
)
def test_words_agree_with_a_treebank(shared: Path, treebank: str, least: float) -> None:
    gold = correct = found = 0
    for analysis in read_analyses(shared / "data" / treebank):
        wanted = {(word.start, word.end) for word in analysis.words}
        guessed = {(start, end) for start, end, _ in tokenize(analysis.text)}
        gold, found, correct = gold + len(wanted), found + len(guessed), correct + len(wanted & guessed)
    assert 2 * correct / (gold + found) >= least


def test_paragraphs_of_a_treebank_hold_all_its_words(shared: Path) -> None:
    with InputFile(shared / "data/gum/gum-dev.conllu.gz") as file:
        text = " ".join(text for text, _ in paragraphs(file.lines()))
    assert len(text.split()) > 20_000
