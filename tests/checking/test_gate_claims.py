"""Reservations, parts of a sentence, lists, numbers in another form, and sentences that claim nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import tupelo
from tests.checking.reader import WordReader
from tests.docs.pages import fill_folder, run_in_shell
from tests.docs.shell import run_line
from tupelo.api.checking import Checker
from tupelo.api.text import Toolkit
from tupelo.checking.checked import SUPPORTED_FROM, CheckedCollection, Verdict
from tupelo.checking.claims import is_remark
from tupelo.cli import tupelo as command
from tupelo.core import FormatError, InputError
from tupelo.core.judgement import Gate
from tupelo.io.judgements import read_claims
from tupelo.scorers.factuality import changed_claims

pytestmark = pytest.mark.model

BELIEVED = (0.95, 0.02, 0.03)


@pytest.fixture(scope="module")
def toolkit() -> Toolkit:
    return tupelo.load()


@pytest.fixture(scope="module")
def credulous(toolkit: Toolkit) -> Checker:
    """A checker whose network believes every claim."""
    return Checker(network=WordReader({"": BELIEVED}), nlp=toolkit)


@pytest.mark.parametrize(
    ("claim", "source", "words"),
    [
        ("At least 450 jobs will be lost.", "About 450 jobs could be at risk.", "possible"),
        ("The pill lowers the pressure.", "The pill may lower the pressure.", "possible"),
        ("The town has opened a school.", "The town plans to open a school.", "intended"),
        ("Buses will run again on Monday.", "If it rains, buses will run again on Monday.", "If it rains"),
        ("The fire was started by a boy.", "Police suspect that the fire was started by a boy.", "Police suspect"),
    ],
)
def test_a_claim_that_adds_certainty_is_overstated(credulous: Checker, claim: str, source: str, words: str) -> None:
    (found,) = credulous(claim, source).claims
    assert found.verdict is Verdict.OVERSTATED
    assert found.probability is not None
    assert found.probability < SUPPORTED_FROM
    assert words in found.reason


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("The pill may lower the pressure.", "The pill may lower the pressure."),
        ("The town plans to open a school.", "The town plans to open a school."),
        ("The town opened a school.", "The mayor said that the town opened a school."),
        ("The town opened a school.", "The town opened a school and hopes to open another."),
    ],
)
def test_a_claim_with_the_reservation_of_its_source_is_not(credulous: Checker, claim: str, source: str) -> None:
    assert [one.verdict for one in credulous(claim, source).claims] == [Verdict.SUPPORTED]


def test_a_denial_refutes(credulous: Checker) -> None:
    (found,) = credulous("Halden made an offer.", "Halden denied that it had made an offer.").claims
    assert found.verdict is Verdict.REFUTED
    assert "denie" in found.reason


def test_a_denial_of_something_else_denies_nothing(credulous: Checker) -> None:
    checked = credulous("Corvane has made a loss.", "Halden denied that it had made an offer for Corvane.")
    assert "denies" not in checked.claims[0].reason


def test_names_in_each_others_place_are_seen(toolkit: Toolkit) -> None:
    reader = WordReader({"Ben Fox sued": (0.6, 0.2, 0.2), "Ann Lee sued": (0.97, 0.01, 0.02)})
    checker = Checker(network=reader, nlp=toolkit)
    swapped = checker("Ben Fox sued Ann Lee.", "Ann Lee sued Ben Fox.").claims[0]
    assert (swapped.verdict, swapped.evidence) == (Verdict.REFUTED, (0,))
    assert swapped.reason == "the source has it the other way round: Ann Lee sued Ben Fox."
    assert checker("Ann Lee sued Ben Fox.", "Ann Lee sued Ben Fox.").claims[0].verdict is Verdict.SUPPORTED


@pytest.mark.parametrize("verb", ["met", "married"])
def test_who_meets_whom_has_no_other_way_round(toolkit: Toolkit, verb: str) -> None:
    reader = WordReader({f"Ben Fox {verb}": (0.6, 0.2, 0.2), f"Ann Lee {verb}": (0.97, 0.01, 0.02)})
    checked = Checker(network=reader, nlp=toolkit)(f"Ben Fox {verb} Ann Lee.", f"Ann Lee {verb} Ben Fox.")
    assert "other way round" not in checked.claims[0].reason


def test_only_the_part_that_fails_is_not_supported(toolkit: Toolkit) -> None:
    told = {"and has": (0.05, 0.05, 0.9), "founded": BELIEVED, "loss": (0.02, 0.95, 0.03)}
    checker = Checker(network=WordReader(told), nlp=toolkit)
    source = "Corvane was founded in 2012. It has made a profit every year."
    checked = checker("Corvane was founded in 2012 and has made a loss once.", source)
    assert [one.verdict for one in checked.claims] == [Verdict.SUPPORTED, Verdict.REFUTED]
    assert checked.sentences[0].verdict is Verdict.REFUTED


def test_nothing_is_refuted_without_a_sentence_that_refutes_it(toolkit: Toolkit) -> None:
    class Muddled(WordReader):
        """Refutes a claim by all of the evidence, and by none of its sentences."""

        def judge(self, readings):  # type: ignore[no-untyped-def]
            self._told = {"": (0.02, 0.95, 0.03) if len(self.read) == 0 else (0.05, 0.05, 0.9)}
            return super().judge(readings)

    checker = Checker(network=Muddled(), nlp=toolkit)
    checked = checker("Rosa sold the mill.", "Rosa has a mill. The mill is old.")
    assert [one.verdict for one in checked.claims] == [Verdict.UNVERIFIABLE]


def test_a_member_that_the_source_does_not_list_is_not_verifiable(credulous: Checker) -> None:
    checked = credulous("Peru and Ecuador signed the treaty.", "The treaty was signed by Chile, Peru and Bolivia.")
    by_text = {claim.text.split(";")[0]: claim for claim in checked.claims}
    assert by_text["Ecuador"].verdict is Verdict.UNVERIFIABLE
    assert by_text["Ecuador"].reason == "the source names Peru, not Ecuador"
    assert by_text["Peru"].verdict is Verdict.SUPPORTED


def test_numbers_are_read_in_the_form_of_the_source(toolkit: Toolkit) -> None:
    reader = WordReader()
    checked = Checker(network=reader, nlp=toolkit)("Ann paid £74 million.", "Ann paid 74 million pounds.")
    assert reader.read[0][0].claim == "Ann paid 74 million pounds."
    assert [one.verdict for one in checked.claims] == [Verdict.SUPPORTED]
    assert checked.claims[0].spans[0].of("Ann paid £74 million.") == "Ann paid £74 million"


def test_headings_remarks_and_instructions_claim_nothing(credulous: Checker) -> None:
    text = "## Rosa Lund and the mill\n\nHello there! Rosa sold the mill. See the second table.\n\nI hope this helps!"
    checked = credulous(text, "Rosa Lund sold the mill.")
    assert [sentence.text for sentence in checked.sentences if sentence.claims] == ["Rosa sold the mill."]
    assert not is_remark("Thanks to Rosa the mill was saved.")


def test_what_an_answer_thinks_is_a_claim_and_that_it_thinks_is_none(credulous: Checker) -> None:
    checked = credulous("I think that Rosa sold the mill, but I'm not sure.", "Rosa Lund sold the mill.")
    assert [claim.text for claim in checked.claims] == ["Rosa; sold; the mill"]


def test_headings_of_a_markdown_file_claim_nothing(credulous: Checker, tmp_path: Path) -> None:
    answer = tmp_path / "answer.md"
    answer.write_text("# Rosa Lund in 1990\n\nRosa sold the mill.\n")
    assert [one.text for one in credulous(answer, "Rosa Lund sold the mill.").claims] == ["Rosa; sold; the mill"]


def test_the_gate_counts_overstated_claims() -> None:
    counts = {"supported": 1, "overstated": 1}
    assert Gate(max_unsupported=0).failure(counts)
    assert Gate(fail_on=("overstated",)).failure(counts) == "overstated claims: 1, asked for none"


def test_a_folder_is_a_source_and_names_its_documents(credulous: Checker, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number}.txt").write_text(f"House {number} is made of stone and wood.\n")
    (tmp_path / "mill.txt").write_text("Rosa Lund sold the mill in Bergen.\n")
    checked = credulous("Rosa Lund sold the mill in Bergen.", tmp_path)
    assert len(checked.passages) <= 5
    (row,) = checked.rows()
    assert row["evidence"][0]["name"] == f"{tmp_path.name}/mill.txt"
    assert f"{tmp_path.name}/mill.txt: Rosa Lund sold" in str(checked)


def test_an_empty_folder_is_named(credulous: Checker, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no documents"):
        credulous("Rosa left.", tmp_path)


def test_a_graph_and_standard_input_are_sources(credulous: Checker, tmp_path: Path) -> None:
    (tmp_path / "mill.txt").write_text("Rosa Lund sold the mill in Bergen in 1990. Rosa Lund was born in Oslo.\n")
    graph = tmp_path / "kg.duckdb"
    with tupelo.Graph.build([str(tmp_path / "mill.txt")], str(graph)):
        pass
    checked = credulous("Rosa Lund sold the mill in Bergen.", graph)
    assert checked.names[0].endswith("mill.txt")
    text = tmp_path / "answer.txt"
    text.write_text("Rosa Lund sold the mill.\n")
    found = CliRunner().invoke(command, ["check", str(text), "--source", "-"], input="Rosa Lund sold the mill.\n")
    assert found.exit_code == 0, found.output
    assert "1 supported" in found.output


def test_what_is_undecided_has_no_verdict_and_passes_the_gate(toolkit: Toolkit) -> None:
    reader = WordReader({"mill": (0.55, 0.2, 0.25), "inn": (0.05, 0.9, 0.05)})
    checker = Checker(network=reader, nlp=toolkit, abstain=(0.1, 0.9))
    checked = checker("Rosa sold the mill. Rosa sold the inn.", "Rosa sold the mill and not the inn.")
    undecided, refuted = checked.claims
    assert (undecided.verdict, refuted.verdict) == (Verdict.ABSTAINED, Verdict.REFUTED)
    assert undecided.reason.startswith("undecided from 0.1 to 0.9")
    assert not Gate(min_supported=1).failure(checker("Rosa sold the mill.", "Rosa sold the mill.").counts())
    with pytest.raises(InputError, match=r"0\.5 between"):
        Checker(network=reader, nlp=toolkit, abstain=(0.6, 0.9))


def test_a_text_is_fed_sentence_by_sentence(toolkit: Toolkit, tmp_path: Path) -> None:
    reader = WordReader()
    checker = Checker(network=reader, nlp=toolkit)
    with pytest.raises(InputError, match="a source with the first sentence"):
        checker.feed("Rosa sold the mill.")
    source = tmp_path / "source.txt"
    source.write_text("Rosa Lund sold the mill. Rosa Lund bought an inn.")
    assert checker.feed("Rosa Lund sold the mill.", source).count(Verdict.SUPPORTED) == 1
    source.unlink()
    second = checker.feed("She bought an inn.")
    assert reader.read[-1][0].claim == "Rosa Lund bought an inn."
    assert (second.text, second.claims[0].spans[0].start) == ("She bought an inn.", 0)


def test_a_run_says_what_changed_since_an_earlier_one(tmp_path: Path) -> None:
    def written(name: str, claims: dict[str, str]) -> Path:
        line = {"id": "a", "claims": [{"text": text, "verdict": verdict} for text, verdict in claims.items()]}
        (tmp_path / name).write_text(json.dumps(line) + "\n")
        return tmp_path / name

    before = written("before.jsonl", {"It rained.": "supported", "Ann left.": "refuted"})
    after = read_claims(str(written("after.jsonl", {"It rained.": "overstated", "Ann left.": "supported"})))
    changes = changed_claims(read_claims(str(before)), after)
    assert changes == [{"id": "a", "failing": ["It rained."], "mended": ["Ann left."]}]
    shown = str(CheckedCollection(1, 0, 0.5, {}, None, None, changes=changes))
    assert shown.splitlines()[1:] == ["a: fails: It rained.", "a: no longer fails: Ann left."]
    (tmp_path / "other.jsonl").write_text("{}\n")
    with pytest.raises(FormatError, match="expected a line that `tupelo check --pairs` wrote"):
        read_claims(str(tmp_path / "other.jsonl"))


@pytest.mark.process
def test_the_hook_and_the_workflow_of_the_page_run(tmp_path: Path) -> None:
    fill_folder(tmp_path)
    (hook,) = re.findall("entry: (.*)", (tmp_path / "small-pre-commit.yaml").read_text())
    done = run_in_shell(hook, tmp_path)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "refuted claims: 1, asked for none")
    (step,) = re.findall("run: (tupelo .*)", (tmp_path / "small-workflow.yml").read_text())
    assert run_line(step, tmp_path).returncode == 0
    lines = (tmp_path / "checked.jsonl").read_text()
    (tmp_path / "before.jsonl").write_text(lines.replace("refuted", "supported"))
    again = run_line(f"{step} --since before.jsonl", tmp_path)
    assert again.stdout.splitlines()[-1] == "hurt: fails: Two men; robbed; the van"
