"""What the splitter and the lemmatiser learn from."""

from __future__ import annotations

from pathlib import Path

from tests.extract.trees import analysis
from tupelo.core import Passage
from tupelo.nlp.prepare import Splitter, split_sentences
from tupelo_training.parser.boundaries import made_examples
from tupelo_training.parser.lexicon import fit_splitter, open_lines

FIRST = analysis(
    "We met Lee in town.",
    "We PRON 2 nsubj",
    "met VERB 0 root",
    "Lee PROPN 2 obj",
    "in ADP 5 case",
    "town NOUN 2 obl",
    ". PUNCT 2 punct",
)
SECOND = analysis("He left.", "He PRON 2 nsubj", "left VERB 0 root", ". PUNCT 2 punct")


def test_documents_that_may_not_be_sold_are_left_out(tmp_path: Path) -> None:
    ids = ("GUM_fiction_a", "GUM_news_b", "GUM_whow_c", "weblog-d")
    blocks = [f"# newdoc id = {name}\n# text = {name}\n1\t{name}\t_\tX\t_\t_\t0\troot\t_\t_\n\n" for name in ids]
    path = tmp_path / "mixed.conllu"
    path.write_text("".join(blocks), encoding="utf-8")
    kept = open_lines(path)
    assert [line.partition(" = ")[2] for line in kept if line.startswith("# newdoc")] == ["GUM_news_b", "weblog-d"]
    assert not any("fiction" in line or "whow" in line for line in kept)


def test_made_gaps_depend_on_the_seed_alone() -> None:
    made = [list(made_examples([FIRST, SECOND] * 20, 1.0, seed)) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]
    assert {is_end for _, is_end in made[0]} == {True, False}


def test_a_splitter_learns_from_made_gaps() -> None:
    weights = fit_splitter(list(made_examples([FIRST, SECOND] * 200, 1.0, 5)), 5)
    splitter = Splitter(weights)
    for text, wanted in (("We met Dr. Lee in town.", 1), ("We met Lee in town Inc. He left.", 2)):
        assert len(list(split_sentences(Passage(text), splitter))) == wanted
