"""Claims beside their evidence: on parses written by hand, then with the shipped model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.facts.trees import parsed
from tupelo.api.checking import Checker
from tupelo.cli import tupelo as command
from tupelo.core import Argument, Extraction, InputError, Sentence, UnknownNameError
from tupelo.facts.calibration import Findings, least_within
from tupelo.facts.check import check_text
from tupelo.facts.checked import Checked, Verdict
from tupelo.facts.network import Judgement
from tupelo.facts.support import Source
from tupelo.nlp.syntax import DependencyTree

ROBBED = parsed(
    "Three/three/NUM/2/nummod men/man/NOUN/3/nsubj robbed/rob/VERB/0/root a/a/DET/5/det van/van/NOUN/3/obj "
    "in/in/ADP/7/case Glasgow/Glasgow/PROPN/3/obl ././PUNCT/3/punct",
    ("place", 7, 7),
)
PASSIVE = parsed(
    "A/a/DET/2/det van/van/NOUN/4/nsubj:pass was/be/AUX/4/aux:pass robbed/rob/VERB/0/root near/near/ADP/6/case "
    "Glasgow/Glasgow/PROPN/4/obl"
)
OTHER = parsed(
    "Two/two/NUM/2/nummod men/man/NOUN/3/nsubj robbed/rob/VERB/0/root a/a/DET/5/det van/van/NOUN/3/obj "
    "in/in/ADP/7/case Leeds/Leeds/PROPN/3/obl",
    ("place", 7, 7),
)
DENIED = parsed(
    "Three/three/NUM/2/nummod men/man/NOUN/5/nsubj did/do/AUX/5/aux not/not/PART/5/advmod rob/rob/VERB/0/root "
    "a/a/DET/7/det van/van/NOUN/5/obj"
)


def claim(analysis: object, relation: int, *words: int) -> list[list[Extraction]]:
    sentence = Sentence(getattr(analysis, "text", ""))
    arguments = [Argument("x", tokens=tuple(word for word in words if word != relation))]
    return [[Extraction(sentence, Argument("r", tokens=(relation,)), arguments[0])]]


def test_the_passive_supports_the_active_but_not_its_preposition() -> None:
    support = Source([ROBBED]).support(DependencyTree(PASSIVE))
    assert [(link.preposition, link.same_preposition, link.evidence) for link in support.links] == [
        (None, False, 0),
        ("near", False, 0),
    ]
    # Links 2/2, words 4/6 ("was" and "near" are not in the source), prepositions 0/1, weakest link 1.
    assert support.score() == pytest.approx((2 * 1 + 2 * 4 / 6 + 0 + 1) / 6)
    assert [PASSIVE.words[place].text for place in support.missing()] == ["was", "near"]


def test_some_words_only() -> None:
    support = Source([ROBBED]).support(DependencyTree(OTHER))
    assert support.score([2, 3, 4]) == 1
    assert support.score([7]) is None
    assert support.score([6]) == 0


def test_a_text_agrees_with_itself() -> None:
    checked = check_text([ROBBED], claim(ROBBED, 2, 0, 1, 2, 4, 6), [ROBBED])
    assert (checked.score, checked.accuracy) == (1, 1)
    assert [item.verdict for item in checked.claims] == [Verdict.SUPPORTED]


def test_another_number_refutes() -> None:
    checked = check_text([OTHER], claim(OTHER, 2, 0, 1, 2, 4), [ROBBED])
    (item,) = checked.claims
    assert (item.verdict, item.reason, item.evidence) == (Verdict.REFUTED, "the source has Three, not Two", 0)
    assert checked.accuracy == 0


def test_another_name_in_the_same_place_refutes() -> None:
    (item,) = check_text([OTHER], claim(OTHER, 2, 1, 2, 4, 5, 6), [ROBBED]).claims
    assert (item.verdict, item.reason) == (Verdict.REFUTED, "the source has Glasgow, not Leeds")


def test_what_the_source_denies_is_refuted_both_ways() -> None:
    (said,) = check_text([ROBBED], claim(ROBBED, 2, 0, 1, 2, 4), [DENIED]).claims
    assert (said.verdict, said.reason) == (Verdict.REFUTED, "the source denies it")
    (denied,) = check_text([DENIED], claim(DENIED, 4, 0, 1, 3, 4, 6), [ROBBED]).claims
    assert (denied.verdict, denied.reason) == (Verdict.REFUTED, "the source affirms it")


def test_what_the_source_does_not_speak_of_is_not_verifiable() -> None:
    rain = parsed("Rain/rain/NOUN/2/nsubj fell/fall/VERB/0/root")
    checked = check_text([rain], claim(rain, 1, 0, 1), [ROBBED])
    (item,) = checked.claims
    assert (item.verdict, item.reason, item.evidence) == (Verdict.UNVERIFIABLE, "not in the source: Rain, fell", None)
    assert (checked.accuracy, checked.reason) == (None, "no claim can be verified or refuted")
    assert checked.score == 0


def test_a_sentence_without_tuples_is_one_claim() -> None:
    (item,) = check_text([PASSIVE], [[]], [PASSIVE]).claims
    assert (item.text, item.verdict) == (PASSIVE.text, Verdict.SUPPORTED)


def test_nothing_to_check() -> None:
    assert check_text([], [], [ROBBED]) == Checked(
        None, None, (), (ROBBED.text,), "the text says nothing that could be checked"
    )
    empty = check_text([ROBBED], [[]], [])
    assert (empty.score, empty.accuracy, empty.reason) == (None, None, "the source is empty")


def test_probability_grows_with_support_and_with_what_the_network_says_and_falls_with_a_conflict() -> None:
    values = [Findings(support / 10, False).probability for support in range(11)]
    assert values == sorted(values)
    assert Findings(0.8, True).probability < Findings(0.8, False).probability
    read = [Findings(0.5, False, chance, chance).probability for chance in (0.0, 0.1, 0.5, 0.9, 1.0)]
    assert read == sorted(read)
    assert 0 < read[0] < 0.5 < read[-1] < 1


def test_a_claim_has_the_least_likely_piece_of_its_own_words() -> None:
    judgement = Judgement(0.4, ((0, 4, 0.9), (5, 9, 0.1), (10, 14, 0.7)))
    assert least_within(judgement, [(0, 4), (10, 14)]) == 0.7
    assert least_within(judgement, [(5, 14)]) == 0.1
    assert least_within(judgement, []) == 0.1


def test_the_page_escapes_everything() -> None:
    hostile = parsed("<script>alert(1)</script>/x/PROPN/2/nsubj fell/fall/VERB/0/root")
    page = check_text([hostile], [[]], [hostile]).page("<b>")
    assert "<script>" not in page
    assert "<b>" not in page
    assert 'href="#s0"' in page


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker()


def test_with_the_shipped_model(checker: Checker) -> None:
    source = "On Monday Rosa bought five apples at the market in Oslo. She did not buy any pears."
    # The network is never entirely sure; without it, a text supports itself fully.
    assert 0.85 < (checker(source, source).score or 0) <= 1
    assert checker(source, source).accuracy == 1
    assert Checker(network=False)(source, source).score == pytest.approx(1)
    assert [item.reason for item in checker("Rosa bought six apples.", source).claims] == [
        "the source has five, not six"
    ]
    assert {item.verdict for item in checker("Rosa bought five apples in Oslo.", source).claims} == {
        Verdict.SUPPORTED
    }
    assert checker.score(["", "Rosa bought five apples."], [source, source])[0] is None


@pytest.mark.parametrize("text", ["", "   ", "…", "日本語のテキスト", "\x00", "a" * 5000, "1 2 3 " * 300])
def test_any_text_has_a_defined_result(checker: Checker, text: str) -> None:
    for checked in (checker(text, "Rosa bought apples."), checker("Rosa bought apples.", text)):
        assert checked.score is None or 0 <= checked.score <= 1
        assert (checked.accuracy is not None) or checked.reason


@pytest.mark.parametrize(
    ("generated", "reason"),
    [
        ("Weber said that pilots would accept the cuts.", "the source denies “accept”"),
        ("Weber said that pilots would not accept the cuts.", ""),
        ("The company has plans to sell its cargo division.", "the source denies it"),
        ("The company has no plans to sell its cargo division.", ""),
    ],
)
def test_what_a_claim_tells_of_is_denied(checker: Checker, generated: str, reason: str) -> None:
    source = (
        "Its spokesman, Jonas Weber, said that pilots would not accept the cuts. "
        "The company has no plans to sell its cargo division, Keller said."
    )
    checked = checker(generated, source)
    assert {claim.reason for claim in checked.claims if claim.verdict is Verdict.REFUTED} == ({reason} - {""})


@pytest.mark.parametrize(
    ("generated", "verdict"),
    [
        ("Einstein won a second Nobel Prize.", Verdict.REFUTED),
        ("Einstein won the Nobel Prize in Physics.", Verdict.UNVERIFIABLE),
        ("Einstein became a Swiss citizen in 1940.", Verdict.UNVERIFIABLE),
        ("Einstein became a U.S. citizen in 1940.", Verdict.SUPPORTED),
        ("Einstein was born in the 1870s.", Verdict.UNVERIFIABLE),
        ("Einstein was born in the 1860s.", Verdict.REFUTED),
    ],
)
def test_special_kinds_nationalities_and_decades(checker: Checker, generated: str, verdict: Verdict) -> None:
    source = (
        "Einstein was born in Ulm on 14 March 1879. He never won a second Nobel Prize. "
        "Einstein moved to Princeton in 1933 and became a U.S. citizen in 1940."
    )
    assert [claim.verdict for claim in checker(generated, source).claims] == [verdict]


GERMAN = "Der Bundeskanzler reiste am Montag nach Paris. Er traf dort den Präsidenten."
ENGLISH = "Rosa bought five apples. She did not buy pears."


@pytest.mark.parametrize(
    ("generated", "source", "reason"),
    [
        ("", ENGLISH, "the text says nothing that could be checked"),
        (" \n ", ENGLISH, "the text says nothing that could be checked"),
        ("!!! …", ENGLISH, "the text says nothing that could be checked"),
        (ENGLISH, "", "the source is empty"),
        ("", "", "the source is empty"),
        (GERMAN, ENGLISH, "the text does not look like English"),
        (ENGLISH, GERMAN, "the source does not look like English"),
        (GERMAN, GERMAN, "the text does not look like English"),
        ("日本語のテキスト", "日本語のテキスト", "the text does not look like English"),
        ("Hello!", ENGLISH, "no claim can be verified or refuted"),
    ],
)
def test_nothing_to_check_is_null_with_a_reason(checker: Checker, generated: str, source: str, reason: str) -> None:
    checked = checker(generated, source)
    assert (checked.accuracy, checked.reason) == (None, reason)
    if "English" in reason:
        assert (checked.score, checked.claims) == (None, ())
        assert checked.sentences


def test_nothing_to_check_at_the_command_line(tmp_path: Path) -> None:
    generated, source, page = (tmp_path / name for name in ("generated.txt", "source.txt", "page.html"))
    generated.write_text(GERMAN, encoding="utf-8")
    source.write_text(ENGLISH, encoding="utf-8")
    arguments = ["check", str(generated), "--source", str(source), "--no-network"]
    result = CliRunner().invoke(command, [*arguments, "--json", "--html", str(page), "--fact-acc", "openie"])
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert (document["score"], document["accuracy"], document["claims"]) == (None, None, [])
    assert document["reason"] == "the text does not look like English"
    assert document["fact_acc"]["openie"]["value"] is None
    assert document["fact_acc"]["openie"]["reason"] == "the text does not look like English"
    assert "does not look like English" in page.read_text(encoding="utf-8")
    failed = CliRunner().invoke(command, [*arguments, "--min-accuracy", "0.5"])
    assert failed.exit_code == 1
    assert failed.stderr == "accuracy is unknown (the text does not look like English), asked for 0.5\n"


def test_equation_1_beside_the_claims(tmp_path: Path) -> None:
    generated, source = tmp_path / "generated.txt", tmp_path / "source.txt"
    generated.write_text("Rosa bought six apples. She did not buy pears.\n")
    source.write_text(ENGLISH)
    arguments = ["check", str(generated), "--source", str(source), "--no-network", "--fact-acc", "openie"]
    plain = CliRunner().invoke(command, arguments).stdout.splitlines()
    assert plain[-2:] == ["fact_acc openie 0.500   (1 of 2 facts)", "  x Rosa; bought; six apples"]
    found = json.loads(CliRunner().invoke(command, [*arguments, "--json"]).stdout)["fact_acc"]["openie"]
    assert found["value"] == pytest.approx(1 / 2)
    assert found["refuted"] == [["Rosa", "bought", "six apples"]]
    refused = CliRunner().invoke(command, [*arguments, "--fact-acc", "magic"])
    assert isinstance(refused.exception, UnknownNameError)


def test_the_command(tmp_path: Path) -> None:
    generated, source = tmp_path / "generated.txt", tmp_path / "source.txt"
    generated.write_text("Rosa bought six apples.\n")
    source.write_text("Rosa bought five apples.\n")
    page = tmp_path / "page.html"
    arguments = ["check", str(generated), "--source", str(source)]
    result = CliRunner().invoke(command, [*arguments, "--json", "--html", str(page), "--min-accuracy", "0.5"])
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert (document["accuracy"], document["refuted"]) == (0, 1)
    assert document["claims"][0]["evidence"] == "Rosa bought five apples."
    assert document["rouge"]["rouge1"] == pytest.approx(3 / 4)
    assert "Rosa bought five apples." in page.read_text()
    plain = CliRunner().invoke(command, arguments)
    assert plain.exit_code == 0
    assert "the source has five, not six" in plain.stdout


def test_pairs_give_scores_that_can_be_scored(tmp_path: Path) -> None:
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        '{"id": "a", "source": "Rosa bought five apples.", "generated": "Rosa bought five apples.", "score": 1}\n'
        '{"id": "b", "source": "Rosa bought five apples.", "generated": "Rosa sold a boat.", "score": 0}\n'
        '{"id": "c", "source": "Rosa bought five apples.", "generated": "", "score": 0.5}\n'
    )
    scores = tmp_path / "scores.jsonl"
    done = CliRunner().invoke(command, ["check", "--pairs", str(pairs), "-o", str(scores)])
    assert done.exit_code == 0, done.output
    lines = [json.loads(line) for line in scores.read_text().splitlines()]
    assert [line["id"] for line in lines] == ["a", "b", "c"]
    assert lines[2]["score"] is None
    assert lines[2]["reason"]
    scored = CliRunner().invoke(command, ["score", "factuality", str(pairs), str(scores), "--json"])
    assert json.loads(scored.stdout)["pearson"] == pytest.approx(1)


def test_sources_of_pairs_come_from_another_file(tmp_path: Path) -> None:
    pairs, sources, scores = (tmp_path / name for name in ("xsum.csv", "sources.jsonl", "scores.jsonl"))
    rows = ["bbcid,system,summary,is_factual,worker_id", "7,PtGen,Rosa bought five apples.,yes,w1"]
    pairs.write_text("\n".join([*rows, "8,PtGen,Rosa sold a boat.,no,w1"]) + "\n")
    sources.write_text(json.dumps({"id": "7", "source": ENGLISH}) + "\n")
    arguments = ["check", "--pairs", str(pairs), "--format", "xsum-factual", "--no-network", "-o", str(scores)]
    with pytest.raises(InputError, match="--sources"):
        CliRunner().invoke(command, arguments, catch_exceptions=False)
    done = CliRunner().invoke(command, [*arguments, "--sources", str(sources), "--fact-acc", "openie"])
    assert done.exit_code == 0, done.output
    known, unknown = (json.loads(line) for line in scores.read_text().splitlines())
    assert (known["id"], known["accuracy"], known["fact_acc"]) == ("7:PtGen", 1, {"openie": 1})
    assert (unknown["score"], unknown["reason"]) == (None, "its source is unknown")


def test_bad_usage(tmp_path: Path) -> None:
    one = ["a.txt", "--source", "b.txt"]
    for arguments in (
        [],
        ["a.txt"],
        [*one, "--pairs", "c.jsonl"],
        ["--source", "b.txt"],
        [*one, "--sources", "c.jsonl"],
        ["--pairs", "c.jsonl", "--json"],
        [*one, "--min-accuracy", "90"],
    ):
        assert CliRunner().invoke(command, ["check", *arguments]).exit_code == 2


class Doubting:
    """A network that finds everything as likely as it is told."""

    room = 40

    def __init__(self, probability: float) -> None:
        self._probability = probability

    def cut(self, text: str) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
        return tuple(range(len(text.split()))), ()

    def judge(self, sentences: Sequence[Sequence[int]], claim: str) -> Judgement:
        return Judgement(self._probability, ((0, len(claim), self._probability),))


def test_what_a_network_doubts_is_not_called_supported() -> None:
    tuples = claim(ROBBED, 2, 0, 1, 2, 4, 6)
    (sure,) = check_text([ROBBED], tuples, [ROBBED], Doubting(0.9)).claims
    (doubted,) = check_text([ROBBED], tuples, [ROBBED], Doubting(0.01)).claims
    assert (sure.verdict, doubted.verdict) == (Verdict.SUPPORTED, Verdict.UNVERIFIABLE)
    assert doubted.reason == "the network doubts it"
    (refuted,) = check_text([OTHER], claim(OTHER, 2, 0, 1, 2, 4), [ROBBED], Doubting(0.99)).claims
    assert refuted.verdict is Verdict.REFUTED


def test_a_claim_in_other_words_is_supported_where_the_network_is_sure() -> None:
    reworded = parsed("Three/three/NUM/2/nummod thieves/thief/NOUN/3/nsubj struck/strike/VERB/0/root")
    words = claim(reworded, 2, 0, 1, 2)
    assert [item.verdict for item in check_text([reworded], words, [ROBBED]).claims] == [Verdict.UNVERIFIABLE]
    (sure,) = check_text([reworded], words, [ROBBED], Doubting(0.99)).claims
    assert sure.verdict is Verdict.SUPPORTED
    # No network makes up for a number that the source does not have.
    (other,) = check_text(
        [parsed("Nine/nine/NUM/2/nummod thieves/thief/NOUN/3/nsubj struck/strike/VERB/0/root")],
        words,
        [ROBBED],
        Doubting(0.99),
    ).claims
    assert other.verdict is not Verdict.SUPPORTED
