"""The model inside the package, with its real weights."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tupelo
from benchmarks.conll18 import score_conll18
from benchmarks.evalb import score_evalb
from benchmarks.splitting import is_right, read_cases
from tests.nlp.test_pipeline import HOSTILE, check
from tupelo.core.analysis import ENTITY_TYPES
from tupelo.io import brackets, conllu
from tupelo.io.analyses import read_analyses
from tupelo.io.lines import Lines
from tupelo.nlp import pipeline
from tupelo.nlp.pipeline import Pipeline

TEXT = (
    "Ada Lovelace didn't meet Babbage in Paris in 1850. She wrote to him, and he (a mathematician) replied!\n\n"
    "The committee, which met on Tuesday, has approved the new bridge over the river.\n\nNobody came. Why?"
)


@pytest.fixture(scope="module")
def nlp() -> Pipeline:
    parser = tupelo.load(threads=1).parser
    assert isinstance(parser, Pipeline)
    return parser


@pytest.mark.model
def test_hard_texts_are_split_where_sentences_end(nlp: Pipeline) -> None:
    """Abbreviations, titles, quotes, lists, wrapped lines: hand-written, and seen while the splitter was made."""
    with Path(__file__).with_name("splits.tsv").open(encoding="utf-8") as file:
        cases = list(read_cases(file))
    wrong = [case.text for case in cases if not is_right(case, nlp.model.splitter)]
    assert len(cases) > 300
    assert len(wrong) <= 25, wrong


@pytest.mark.model
def test_a_plain_sentence_is_analysed_as_anybody_would(nlp: Pipeline) -> None:
    (analysis,) = nlp.analyze("Dogs chase cats.")
    assert [word.upos for word in analysis.words] == ["NOUN", "VERB", "NOUN", "PUNCT"]
    assert [word.xpos for word in analysis.words] == ["NNS", "VBP", "NNS", "."]
    assert [word.deprel for word in analysis.words] == ["nsubj", "root", "obj", "punct"]
    assert [word.head for word in analysis.words] == [1, None, 1, 1]
    assert [word.lemma for word in analysis.words] == ["dog", "chase", "cat", "."]
    assert analysis.words[0].feature("Number") == "Plur"
    assert brackets.bracketed(analysis) == "(ROOT (S (NP (NNS Dogs)) (VP (VBP chase) (NP (NNS cats))) (. .)))"


@pytest.mark.model
def test_sentences_contractions_and_entities_are_found(nlp: Pipeline) -> None:
    analyses = list(nlp.analyze(TEXT))
    assert [analysis.text.split()[0] for analysis in analyses] == ["Ada", "She", "The", "Nobody", "Why?"]
    first = analyses[0]
    assert [first.phrase(e) for e in first.entities or () if e.label == "person"] == ["Ada Lovelace", "Babbage"]
    assert [first.phrase(e) for e in first.entities or () if e.label == "place"] == ["Paris"]
    assert first.contractions == ((2, 4),)


@pytest.mark.model
def test_entity_types_are_the_documented_ones(nlp: Pipeline) -> None:
    labels = {label.partition("-")[2] for label in nlp.model._entity_decoder.labels} - {""}
    assert labels == set(ENTITY_TYPES)


@pytest.mark.model
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_analysed_with_exact_offsets(nlp: Pipeline, text: str) -> None:
    for analysis in nlp.analyze(text):
        check(analysis, text)


@pytest.mark.model
def test_a_sentence_of_five_thousand_words_is_one_tree(nlp: Pipeline) -> None:
    text = " ".join(["dogs", "chase", "cats", ","] * 1250)
    (analysis,) = nlp.analyze([text], pretokenized=True)
    assert len(analysis.words) == 5000
    check(analysis, text)


@pytest.mark.model
def test_the_same_bytes_for_any_batch_size_and_number_of_threads(nlp: Pipeline) -> None:
    wanted = list(nlp.analyze(TEXT))
    for batch_size, threads in ((1, 1), (3, 2), (100, 2)):
        assert list(tupelo.load(batch_size=batch_size, threads=threads).analyze(TEXT)) == wanted


@pytest.mark.model
@pytest.mark.process
def test_the_same_analyses_from_several_processes(nlp: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    # Many chunks, of little text each.
    monkeypatch.setattr(pipeline, "_POOL_CHUNK_CHARACTERS", 1000)
    texts = [TEXT] * 20
    parser = tupelo.load(workers=2).parser
    assert isinstance(parser, Pipeline)
    with parser:
        assert list(parser.analyze(texts, constituents=False)) == list(nlp.analyze(texts, constituents=False))


@pytest.mark.model
def test_vectors_are_the_same_alone_and_in_company(nlp: Pipeline) -> None:
    together = list(nlp.analyze(TEXT, vectors=True))
    for analysis in together:
        (alone,) = nlp.analyze([" ".join(word.text for word in analysis.words)], pretokenized=True, vectors=True)
        assert alone.vectors is not None
        assert alone.vectors.shape == (len(analysis.words), 384)
        assert (alone.vectors == analysis.vectors).all()


@pytest.mark.model
def test_what_is_written_can_be_read_back(nlp: Pipeline) -> None:
    analyses = list(nlp.analyze(TEXT))
    again = list(conllu.read(Lines("".join(conllu.write(analyses)).splitlines(keepends=True))))
    assert [[w.text for w in a.words] for a in again] == [[w.text for w in a.words] for a in analyses]
    assert all(count.f1 == 1 for count in score_conll18(analyses, again).values())


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_memory_stays_small_on_a_very_long_line() -> None:
    # Not ru_maxrss: that of a new process begins with what its parent, this test run, had at its highest.
    program = (
        "import re\n"
        "import tupelo\n"
        "(analysis,) = tupelo.load(threads=1).analyze(['dogs chase cats , ' * 1250], pretokenized=True)\n"
        "assert len(analysis.words) == 5000\n"
        "print(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1])\n"
    )
    output = subprocess.run([sys.executable, "-c", program], stdout=subprocess.PIPE, check=True).stdout
    assert int(output) / 1024 < 600


@pytest.mark.model
def test_trees_of_a_treebank_are_found(nlp: Pipeline, shared: Path) -> None:
    gold = read_analyses(shared / "data/ud_ewt/en_ewt-dev.conllu.gz")[:300]
    found = list(
        nlp.analyze([" ".join(word.text.replace(" ", "") for word in a.words) for a in gold], pretokenized=True)
    )
    scores = score_conll18(gold, found)
    assert scores["Words"].f1 == 1
    assert scores["UPOS"].f1 >= 0.96
    assert scores["LAS"].f1 >= 0.88
    trees = read_analyses(shared / "data/gum/gum-dev.ptb.gz", "brackets")[:200]
    parsed = list(nlp.analyze([tree.text for tree in trees], pretokenized=True))
    assert score_evalb(trees, parsed).brackets.f1 >= 0.89
