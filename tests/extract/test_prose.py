"""Sentences told apart from headings, menus, tables, options and code. The parses are our own model's."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extract.parsed import parsed
from tests.extract.trees import analysis
from tupelo.core import Analysis
from tupelo.extract.rules import candidates
from tupelo.extract.rules.candidate import is_prose
from tupelo.io.analyses import read_analyses

ANALYSES = {one.text: one for one in read_analyses(Path(__file__).parent / "prose.conllu")}

PROSE = """
The harbour froze in January.
Rain fell.
She didn't.
It's late.
Man arrested after fire in Bergen
Ferry company names new captain
Storm kills three in Norway
Who built the lighthouse?
The ferry, which was built in 1911, still runs.
Councils were held in 657, 669, 846, 850, 852, 853, 862, 980 and 996.
The score was 3-1 after 90 minutes.
- The parser reads one file at a time.
* Supports HTTP/1.1 and HTTP/2.
1. The lid is removed from the box.
Note: the values are not checked.
The `--verbose` option prints every step.
You can pass --quiet to the command.
The function `read(path)` returns a list of lines.
The setting x = 3 is used when nobody gives another one.
If the wheel does not work, you can build it from source.
Ann wrote to bob@example.org on Monday.
The manual is at https://example.org/manual/start.html for now.
"I saw the light," she said.
Most of the text[12] was lost in the fire.
The member(s) of the board met in May.
There are wolves in Norway.
He sold 40% of the shares for $3 million (about 2.6 million euros).
# The first line of the file names the columns.
THE COUNCIL CLOSED THE BRIDGE ON FRIDAY.
Thanks to Ann, the mill works again.
""".strip().splitlines()

OTHER = """
Installation
## Getting started
## How it works
Chapter Two: The Storm
Home | About | Contact | Log in
Home About Products Contact
--verbose Prints every step of the way.
-q, --quiet  print nothing but errors
| name | age | town |
|------|-----|------|
Ann Lee    34    Bergen
======================
$ pip install harbour
pip install harbour
>>> print(harbour.open("north"))
import harbour
from harbour import boat
result = boat.load("north.json", quiet=True)
merge(a, b, strategy=Strategy.REPLACE)
{"name": "north", "depth": [3, 4]}
for (i = 0; i < 10; i++) { sail(i); }
[![Build](https://example.org/badge.svg)](https://example.org/build)
.. image:: https://example.org/boat.png
:target: https://example.org/boat
<div class="boat">North</div>
Author: Ann Lee
Version: 1.2.3
License: MIT
Tel. 55 12 34 56
By Ann Lee, Bergen
Dear Mr Holm,
Best regards, Ann
Yours sincerely
Thanks!
Lee, A. (2011). Boats of the north. Journal of Harbours, 3(2), 14-31.
Country Japan City Gifu Dates 28 October to 5 November Teams 8 Champions India Second China Third Korea Matches 24
216 1947 Cleveland 234 2000 Akron 330 1996 Canton 419 1947 Toledo
Yes, of course.
A good place to improve your English
Milk, eggs, two onions and a bunch of parsley
Page 3 of 12
""".strip().splitlines()


@pytest.mark.parametrize("text", PROSE)
def test_sentences_and_headlines_are_prose(text: str) -> None:
    assert is_prose(ANALYSES[text])


@pytest.mark.parametrize("text", OTHER)
def test_headings_lists_and_code_are_not(text: str) -> None:
    assert not is_prose(ANALYSES[text])
    assert candidates(ANALYSES[text]) == []


def test_a_tree_without_fine_tags_is_read_by_its_verbs() -> None:
    assert is_prose(analysis("Ann sings.", "Ann PROPN 2 nsubj", "sings VERB 0 root", ". PUNCT 2 punct"))
    assert not is_prose(analysis("Songs of Ann", "Songs NOUN 0 root", "of ADP 3 case", "Ann PROPN 1 nmod"))


def test_nothing_is_no_prose() -> None:
    assert not is_prose(Analysis("", ()))


@pytest.mark.parametrize("text", ["Click Save.", "Run make."])
def test_who_is_told_to_do_something_is_nobody(text: str) -> None:
    verb, name = text[:-1].split()
    rows = (f"{verb} {verb.lower()} VERB VB 0 root", f"{name} {name.lower()} NOUN NN 1 obj", ". . PUNCT . 1 punct")
    assert candidates(parsed(text, *rows)) == []
