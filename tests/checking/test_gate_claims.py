"""Reservations, parts of a sentence, lists, numbers in another form, and sentences that claim nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import tupelo
from tests.checking.reader import WordReader
from tupelo.api.checking import Checker
from tupelo.api.text import Toolkit
from tupelo.checking.checked import SUPPORTED_FROM, Gate, Verdict
from tupelo.checking.claims import is_remark
from tupelo.cli import tupelo as command
from tupelo.core import InputError

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
