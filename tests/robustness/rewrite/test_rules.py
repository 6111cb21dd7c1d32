"""Every rule on a sentence whose parse is written out, so that no model is needed."""

from __future__ import annotations

import pytest

from tests.robustness.rewrite.sentences import (
    AGREED,
    BECAUSE,
    BUILT,
    BUT,
    DRINKS,
    EDITOR,
    FOUND,
    GAVE,
    LOCALS,
    NEVER,
    NURSE,
    OWNER,
    PARLIAMENT,
    PARTICIPLE,
    QUOTED,
    RELATIVE,
    REMARK,
    SAID,
    TOURED,
    made,
    texts,
)
from tupelo.core import Analysis
from tupelo.nlp.languages import language_data
from tupelo.robustness.rewrite import RULES, Conditions, rewrites

EXPECTED = [
    ("passive", FOUND, ["An opening was found by Mr. Baker under the house in 1990 ."]),
    ("active", BUILT, ["Monks quickly built the bridge in Prague ."]),
    ("cleft-subject", FOUND, ["It was Mr. Baker who found an opening under the house in 1990 ."]),
    (
        "cleft-adjunct",
        FOUND,
        [
            "It was under the house that Mr. Baker found an opening in 1990 .",
            "It was in 1990 that Mr. Baker found an opening under the house .",
        ],
    ),
    ("cleft-object", FOUND, ["It was an opening that Mr. Baker found under the house in 1990 ."]),
    ("what-happened", FOUND, ["What happened was that Mr. Baker found an opening under the house in 1990 ."]),
    (
        "front-adjunct",
        FOUND,
        # "under the house" may be what the verb asks for
        ["In 1990 , Mr. Baker found an opening under the house ."],
    ),
    ("report-behind", SAID, ["The plan failed , critics said ."]),
    ("according-to", SAID, ["According to critics , the plan failed ."]),
    ("report-in-front", REMARK, ["Critics said that the plan failed ."]),
    ("report-in-front", QUOTED, ["Ann said , `` The plan failed . ''"]),
    ("turn-remark", REMARK, ["The plan failed , said critics ."]),
    ("turn-remark", QUOTED, ["`` The plan failed , '' Ann said ."]),
    ("according-to-remark", REMARK, ["According to critics , the plan failed ."]),
    ("genitive-to-of", PARLIAMENT, ["The parliament of China ousted two members ."]),
    ("dative", GAVE, ["The council gave a statue to the museum ."]),
    ("apposition-to-relative", NURSE, ["Alan , who was a nurse , sang ."]),
    ("relative-to-participle", RELATIVE, ["He saw a door built by monks ."]),
    ("participle-to-relative", PARTICIPLE, ["He saw a door that was built by monks ."]),
    ("front-clause", BECAUSE, ["Because it rained , Ann left ."]),
    ("repeat-subject", TOURED, ["He toured the world , and he earned a nickname ."]),
    ("swap-apposition", EDITOR, ["Ann Lee , the editor , sang ."]),
    ("although", BUT, ["Although the plan failed , the team won ."]),
    ("as-well-as", DRINKS, ["Ann likes cold tea as well as warm milk ."]),
    ("conjunct-order", DRINKS, ["Ann likes warm milk and cold tea ."]),
    ("swap-copula", OWNER, ["The parent of the bank is Deseret ."]),
    ("nominalize", AGREED, ["Chugai reached an agreement to buy the firm ."]),
]


@pytest.mark.parametrize(
    ("rule", "analysis", "expected"), EXPECTED, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_rule_rewrites_as_expected(rule: str, analysis: Analysis, expected: list[str]) -> None:
    assert texts(rule, analysis) == expected


@pytest.mark.parametrize(
    ("rule", "analysis"),
    [
        ("passive", LOCALS),  # "all" belongs to the locals
        ("passive", NEVER),  # them, and nobody says "they were never seen by him"
        ("cleft-subject", SAID.__class__("", ())),
        ("active", FOUND),
        ("genitive-to-of", FOUND),
        ("what-happened", OWNER),
        ("turn-remark", SAID),
    ],
)
def test_a_rule_stays_away_from_what_it_cannot_do(rule: str, analysis: Analysis) -> None:
    assert texts(rule, analysis) == []


def test_a_quotation_is_never_taken_apart() -> None:
    for rewrite in rewrites(QUOTED):
        words = [word.text for word in rewrite.words]
        inside = words[words.index("``") + 1 : words.index("''")]
        assert [word for word in inside if word not in (",", ".")] == ["The", "plan", "failed"]


def test_every_word_knows_where_it_came_from() -> None:
    for rewrite in rewrites(FOUND):
        sources = [source for word in rewrite.words for source in word.of]
        assert len(set(sources)) == len(sources)
        for word in rewrite.words:
            if len(word.of) == 1 and word.text.lower() in ("house", "opening", "1990", "baker"):
                assert FOUND.words[word.of[0]].text.lower() == word.text.lower()


def test_every_rule_says_what_it_does() -> None:
    for name in RULES:
        assert RULES.title(name), name


def test_every_entry_of_the_table_is_a_rule_with_known_settings_and_parts() -> None:
    entries = {name: entry for name, entry in language_data("rewrite_rules").items() if isinstance(entry, dict)}
    rules = [name for name, entry in entries.items() if "module" in entry]
    assert rules == [name for name in RULES if name in entries]
    settings = {"module", "name", "groups", "clause", "without", "most", "edge"}
    parts = {"subject", "verb", "after", "rest", "block", "word", "head", "agent"}
    for name, entry in entries.items():
        assert set(entry) <= settings | parts, name
        assert all(isinstance(entry[part], dict) for part in parts & set(entry)), name


def test_a_condition_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError, match="lema"):
        Conditions({"no_lema": "be"})


def test_a_sentence_that_nobody_parsed_is_left_alone() -> None:
    assert list(rewrites(Analysis("Ann sang .", ()))) == []
    assert made("passive", Analysis("", ())) == []
