"""Everything around the graphs, with graphs that answer arbitrary numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.strategies import examples
from tupelo.core import Analysis, InputError
from tupelo.core.analysis import constituent_depths
from tupelo.nlp import pipeline
from tupelo.nlp.pipeline import Pipeline

HOSTILE = [
    "",
    " ",
    "\n\n\n",
    "\x00",
    "a\x00b \x01\x02",
    "zero\u200bwidth \u200b \ufeff",
    "👩‍👩‍👧‍👦 🇩🇪🇫🇷 ☕️ 👍🏽!!",
    "汉字 और हिन्दी, العربية — עברית.",
    "<p>Hello&nbsp;<b>world</b></p><!-- x -->",
    "\u202eright to left\u202c \u0301\u0301 combining",
    "tab\tand\vvertical\x1cseparator\x85next\u2028line\u2029par",
    "a" * 10_000,
    "((((((((((" * 50,
    "I'm can't 'tis o'clock rock'n'roll ’s ''' `` '' n't 's",
    "http://a.b/c?d=e&f=(g). x@y.z, #tag @user $5.00 10% 1,000.5 3-4 5/6/7 ... …… !?!?",
    "e.g. U.S. Mr. A. B. C. Ph.D. etc.) no. 5",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 ﬁ ﬂ Å İ ß ẞ \U0010ffff",
]
wild = st.text(
    alphabet=st.one_of(
        st.characters(exclude_categories=["Cs"]), st.sampled_from(" \n\t.,!?'\"’()-@#$%&*\u200b\u200d\x00")
    ),
    max_size=200,
)


def check(analysis: Analysis, text: str) -> None:
    """What holds for every analysis, whatever the text was."""
    position = analysis.start
    assert text[analysis.start : analysis.start + len(analysis.text)] == analysis.text
    for word in analysis.words:
        assert word.text
        assert text[word.start : word.end] == word.text
        assert word.start >= position
        position = word.end
    size = len(analysis.words)
    if size:
        assert sum(word.head is None for word in analysis.words) == 1
        for index, word in enumerate(analysis.words):
            assert (word.head is None) == (word.deprel == "root")
            steps, node = 0, index
            while (head := analysis.words[node].head) is not None:
                node, steps = head, steps + 1
                assert steps <= size
    assert analysis.constituents is not None
    constituent_depths(analysis.constituents)
    assert all(0 <= part.start < part.end <= size for part in analysis.constituents)
    assert analysis.entities is not None
    assert all(0 <= entity.start < entity.end <= size for entity in analysis.entities)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_analysed_with_exact_offsets(stub: Pipeline, text: str) -> None:
    for analysis in stub.analyze(text):
        check(analysis, text)


@examples(150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=wild)
def test_any_text_is_analysed_with_exact_offsets_and_no_character_is_lost(stub: Pipeline, text: str) -> None:
    analyses = list(stub.analyze(text))
    for analysis in analyses:
        check(analysis, text)
    kept = "".join(word.text for analysis in analyses for word in analysis.words)
    assert kept == "".join(text.split())


@examples(80, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=wild.map(lambda text: text.replace("\n", " ")))
def test_given_tokens_are_kept_exactly(stub: Pipeline, text: str) -> None:
    (analysis,) = stub.analyze([text], pretokenized=True)
    assert [word.text for word in analysis.words] == [token for token in text.split(" ") if token]
    check(analysis, text)


def test_a_sentence_of_five_thousand_words_is_one_tree(stub: Pipeline) -> None:
    text = " ".join(["word", "longer", "words", ","] * 1250)
    (analysis,) = stub.analyze([text], pretokenized=True)
    assert len(analysis.words) == 5000
    check(analysis, text)


def test_plain_text_without_any_full_stop_is_partial_into_bounded_sentences(stub: Pipeline) -> None:
    text = "word " * 5000
    analyses = list(stub.analyze(text))
    assert sum(len(analysis.words) for analysis in analyses) == 5000
    for analysis in analyses:
        check(analysis, text)


def test_the_batch_size_changes_nothing(stub_folder: Path) -> None:
    texts = [
        "One went home.",
        "Two and three stayed there!",
        "No.",
        "A much longer sentence, with a clause that follows.",
    ]
    wanted = list(Pipeline(stub_folder, batch_size=1, threads=1).analyze(texts))
    for batch_size in (2, 3, 50):
        assert list(Pipeline(stub_folder, batch_size=batch_size, threads=1).analyze(texts)) == wanted


def test_lines_and_tokens_give_one_analysis_per_item_even_when_empty(stub: Pipeline) -> None:
    items = ["One. Two.", "", "Three"]
    assert [a.text for a in stub.analyze(items, lines=True)] == items
    assert [len(a.words) for a in stub.analyze(items, pretokenized=True)] == [2, 0, 1]


def test_documents_are_numbered_and_offsets_start_anew(stub: Pipeline) -> None:
    first, second = stub.analyze(["Dogs bark.", "Cats sleep."])
    assert (first.document_id, second.document_id) == ("1", "2")
    assert second.words[0].start == 0


def test_contractions_are_words_of_their_own(stub: Pipeline) -> None:
    (analysis,) = stub.analyze("They don't.")
    assert [word.text for word in analysis.words] == ["They", "do", "n't", "."]
    assert analysis.contractions == ((1, 3),)


def test_nothing_is_read_ahead_without_bound(stub: Pipeline) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "Dogs bark."

    analyses = stub.analyze(endless())
    for _ in range(10):
        next(analyses)
    # A full chunk does not wait for another text.
    assert taken == pipeline._CHUNK_PASSAGES


def test_vectors_have_one_row_per_word(stub: Pipeline) -> None:
    (analysis,) = stub.analyze("Dogs bark loudly.", vectors=True)
    assert analysis.vectors is not None
    assert analysis.vectors.shape[0] == 4
    (without,) = stub.analyze("Dogs bark loudly.", constituents=False)
    assert without.vectors is None
    assert without.constituents is None


def test_something_other_than_text_is_refused(stub: Pipeline) -> None:
    with pytest.raises(InputError, match="item 2 is int, expected a string"):
        list(stub.analyze(["a", 5]))  # type: ignore[list-item]


def test_no_process_at_all_is_refused(stub_folder: Path) -> None:
    with pytest.raises(InputError, match="expected 1 or more"):
        Pipeline(stub_folder, processes=0)
