"""A tuple as a sentence: the words of its sentence in their order, and no others than it must have."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.extract.linking import numbered
from tupelo.extract.anchors import find_anchors
from tupelo.extract.links import find_links
from tupelo.extract.rules import RuleExtractor
from tupelo.extract.stages import ReadStatements
from tupelo.io.analyses import read_analyses
from tupelo.nlp.languages.en.inflection import inflect

FILES = [Path(__file__).parent / name for name in ("harbour.conllu", "prose.conllu", "reservations.conllu")]
# Words that a reading may add: forms of *be* and *have*, articles, *some companies*, *one of the islands*.
ADDED = "is are was were has have had a an the some one of include includes included did speaker and others"
WORD = re.compile(r"\w+")


@pytest.fixture(scope="module")
def readings():
    """Sentences, their names, and their tuples with the readings."""
    found = []
    for file in FILES:
        for analysis in read_analyses(file):
            extractions = RuleExtractor().propose(analysis)[0]
            [anchors], referents = numbered([analysis], [find_anchors(analysis, extractions)])
            sentence = find_links(analysis, extractions, anchors, referents)
            names = {word.lower() for one in referents for word in WORD.findall(one.name)}
            found += [
                (analysis, names, one, text)
                for one, text in zip(sentence.tuples.extractions, sentence.texts, strict=True)
            ]
    assert len(found) > 300
    return found


def test_every_word_is_of_the_sentence_or_a_name(readings):
    for analysis, names, extraction, text in readings:
        known = {word for one in analysis.words for word in WORD.findall(one.text.lower())}
        forms = {
            form for one in analysis.words for tag in ("VB", "VBD", "VBZ", "VBN") if (form := inflect(one.lemma, tag))
        }
        implied = {
            word.lower() for part in (extraction.rel, *extraction.arguments) for word in WORD.findall(part.text)
        }
        words = {word.lower() for word in WORD.findall(text)}
        assert words <= known | names | forms | implied | {*WORD.findall(ADDED)}, text


def test_words_keep_the_order_of_the_sentence(readings):
    compared = 0
    for analysis, _, extraction, text in readings:
        subject, relation = extraction.arguments[0].tokens, extraction.rel.tokens
        if extraction.rule not in ("clause", "copula") or not subject or not relation or subject[-1] > relation[0]:
            continue
        if any(part.tokens and part.tokens[0] < subject[0] for part in extraction.args):
            # *the book that Ann wrote*
            continue
        texts = [one.text for one in analysis.words]
        said = text.replace("the speaker and others", "we").split()
        shared = [word for word in said if texts.count(word) == 1 and said.count(word) == 1 and word.isalpha()]
        assert shared == sorted(shared, key=texts.index), text
        compared += len(shared) > 2
    assert compared > 100


def test_no_reading_is_empty_or_says_a_name_twice(readings):
    for _, _, _, text in readings:
        assert text.strip() == text != ""
        assert not re.search(r"\b([A-Z]\w+ [A-Z]\w+) \1\b", text)


@pytest.mark.model
@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("I have seen my house.", "the speaker has seen their house"),
        ("I promise you that I will sell my house.", "the speaker promises you that they will sell their house"),
        ("We sold our house in Rome.", "the speaker and others sold their house in Rome"),
        ("It is easy to open the box.", "It is easy to open the box"),
        ('"It rained," said Ann Lee.', '"It rained," said Ann Lee'),
        ("The price was £18 million, the investor said.", "The price was £18 million, the investor said"),
        ("A storm hit Bergen, sinking eleven boats.", "A storm sank eleven boats"),
        ("A cactus grows more slowly than a grass.", "A cactus grows more slowly than a grass"),
        ("If it rains, the ferry stops.", "If it rains, the ferry stops"),
        ("Ann Lee picked the book up in Rome.", "Ann Lee picked the book up in Rome"),
        ("The town sells natural materials such as wood.", "natural materials include wood"),
        ("Ann Lee plays a role in feeding cities.", "Ann Lee plays a role in feeding cities"),
        ("They visited the British actor Ann Lee.", "Ann Lee is a British actor"),
        (
            "The study offers an insight that does not depend on faith.",
            "The study offers an insight that does not depend on faith",
        ),
        ("Sandvall and his friend Bob Lee left.", "Bob Lee is Sandvall's friend"),
        (
            "Add the rice and cook it. This brings out the flavour.",
            "Add the rice and cook it. This brings out the flavour",
        ),
        (
            "A company with 750 employees opened in Bergen. Its sales rose to 5 million euros in 2019.",
            "A company with 750 employees opened in Bergen. Its sales rose to 5 million euros in 2019",
        ),
        ("A ferry company opened in Bergen. Its sales rose in 2019.", "the ferry company’s sales rose in 2019"),
        ("People visit the town as they carry lanterns.", "People visit the town as they carry lanterns"),
        (
            "We're talking about a new ferry. Ann Lee has ideas for that.",
            "The speaker and others are talking about a new ferry. Ann Lee has ideas for that",
        ),
        ("We sold it. I'm glad.", "the speaker is glad"),
    ],
)
def test_a_reading_is_a_sentence(text, reading):
    rows = ReadStatements().rows([{"document_id": "a", "number": 0, "start_at": 0, "text": text}])
    assert reading in [one["text"] for row in rows for one in row["tuples"]]
