"""Signatures: what is written can be read back and repeated."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tupelo
from tests.cli.runner import run
from tupelo.api.scoring import departures, describe, scorers, settings_of
from tupelo.io.examples import GOLD, SYSTEMS, example_files
from tupelo.scorers import SCORERS
from tupelo.scorers.result import signature
from tupelo.scorers.scorer import ScoreOptions
from tupelo.scorers.signature import Signature

CHOSEN = {
    "carb": {
        "matcher": "exact",
        "binary": True,
        "single_match": True,
        "fixes": ["binary-copies", "be-counted-twice"],
    },
    "oie2016": {"matcher": "predicate", "normalize_confidence": True, "keep_all_thresholds": True, "fixes": ["all"]},
    "wire57": {"system": "my: odd|system %", "fixes": ["repeated-words"]},
    "benchie": {"matcher": "lexical", "mode": "minimal"},
    "robust": {"matcher": "strict", "missing": "zero", "fixes": ["rounded-sentences"]},
    "clusters": {"subtasks": ["entity", "relation"], "fixes": []},
    "coref": {"singletons": "drop"},
    "inference": {},
    "factuality": {"threshold": 0.25, "unscored": None, "samples": 7, "seed": 3},
}


@pytest.mark.parametrize("name", scorers())
@pytest.mark.parametrize("chosen", [False, True])
def test_every_option_of_every_scorer_comes_back(name, chosen):
    made = SCORERS.get(name)(**(CHOSEN[name] if chosen else {}))
    text = signature(name, made.options(), {"gold": "a b.tsv@00", "pred": "x@11", "format": "tab"})
    again, settings = settings_of(text)
    assert again == name
    assert SCORERS.get(name)(**settings).options() == made.options()
    assert {mark.keyword for mark in describe(name).marks if mark.keyword} >= set(CHOSEN[name])


@given(st.text(min_size=1), st.text())
def test_any_value_comes_back(gold, value):
    parsed = Signature.parse(signature("carb", {"x": value}, {"gold": gold}))
    assert (parsed.scorer, parsed.fields["gold"], parsed.fields["x"]) == ("carb", gold, value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("carb|match", "'match', expected name:value once each"),
        ("carb|match:exact|match:exact|v:1", "'match' twice"),
        ("carb|match:exact", "no version, expected"),
        ("crab|v:1", "no scorer named 'crab'. Did you mean 'carb'"),
        ("carb|colour:red|v:1", "colour:red in a signature, expected an option of carb"),
        ("factuality|threshold:much|v:1", "threshold:much in a signature, expected a number"),
    ],
)
def test_a_text_that_is_no_signature_is_refused(capsys, text, message):
    with pytest.raises(tupelo.TupeloError, match=message.replace("?", r"\?")):
        settings_of(text)
    status, out, err = run(capsys, "score", "--like", text, "gold.tsv", "pred.tsv")
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_a_run_is_repeated_from_its_signature(capsys):
    with example_files(GOLD, *SYSTEMS) as (gold, careful, eager):
        loose = ScoreOptions(align="loose")
        first = tupelo.score("carb", gold, careful, matcher="exact", fixes=["binary-copies"], options=loose)
        assert tupelo.score(first.signature, gold, careful).to_dict() == first.to_dict()
        again = run(capsys, "score", "--like", first.signature, gold, careful, "--json")
        assert (again.status, json.loads(again.out)) == (0, first.to_dict())
        assert "the signature has" not in again.err
        other = run(capsys, "score", "--like", first.signature, gold, eager, "--matcher", "strict", "--json")
        assert "|match:strict|" in json.loads(other.out)["signature"]
        assert "match is strict, the signature has exact" in other.err
        assert tupelo.score(first.signature, gold, careful, matcher="strict").f1 != first.f1


def test_another_gold_file_is_named_and_another_name_is_not():
    one = "carb|gold:a.tsv@11|pred:x@1|format:tab|match:exact|v:0.1.0"
    assert departures(one, one.replace("a.tsv", "b.tsv").replace("x@1", "y@2")) == []
    assert departures(one, one.replace("@11", "@22").replace("0.1.0", "0.2.0")) == [
        "gold is a.tsv@22, the signature has a.tsv@11",
        "v is 0.2.0, the signature has 0.1.0",
    ]


def test_values_that_no_option_takes_are_refused():
    with pytest.raises(tupelo.TupeloError, match="no CaRB matcher"):
        tupelo.score("carb|match:odd|v:1", [], [])
