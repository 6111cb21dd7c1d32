"""A sentence that fails costs nothing but itself, wherever text is read; ordinary text never fails."""

from __future__ import annotations

import pytest

from benchmarks.soak.stages import Soak, minimal
from benchmarks.soak.texts import texts
from tests.cli.runner import run
from tupelo import load
from tupelo.api.triples import TripleReader
from tupelo.core.errors import InputError, isolated
from tupelo.extract import pipeline, stages

# Each of these has ended in an error.
ONCE_FAILED = (
    "Cuisine: Italian",
    "Languages: German, French",
    "Nationality: American",
    "Czech",
    "Thu Mar  4 2010 Aleksey",
    "Thu Mar 2010 Aleksey",
)


@pytest.mark.model
def test_texts_that_have_failed_are_read():
    reader = TripleReader()
    found = list(reader.pipe(ONCE_FAILED))
    assert [text.failures for text in found] == [()] * len(ONCE_FAILED)
    long = "\n".join(f"Ann Lee founded Acme.\n\n{text}\n" for text in ONCE_FAILED)
    assert len(reader(long).triples) == len(ONCE_FAILED)


@pytest.mark.model
def test_texts_of_a_stream_keep_their_order_and_their_sentences():
    # The second has neither blocks nor words.
    texts = ["Ann: a@b.org", "---", "Bob left.", "Name\tCity", "***", "Eva Holm met Bob."]
    found = list(load().pipe(texts))
    said = ["".join(one.sentence.text for one in item.sentences) for item in found]
    assert [list(filter(str.isalpha, text)) for text in said] == [list(filter(str.isalpha, text)) for text in texts]


@pytest.mark.model
def test_a_soak_in_small():
    state = {"stages": {}, "failures": [], "sentences": 0, "tuples": 0}
    stream = texts([], seed=3)
    soak = Soak(state)
    soak.batch([next(stream) for _ in range(60)], number=1)
    soak.batch([next(stream) for _ in range(20)], number=4)
    assert state["failures"] == []
    assert state["sentences"] >= 80


def test_the_shortest_text_that_fails_is_found():
    given = ["Ann left.", "Oslo is a city, and the Czech ambassador lives there.", "Bob stayed."]
    assert minimal(given, lambda some: any("Czech" in text for text in some)) == ["Czech"]


def test_items_that_fail_are_found_with_two_passes_over_the_rest():
    calls = []

    def work(items):
        calls.append(len(items))
        if "bad" in items:
            raise KeyError("bad")
        return items

    items = [*map(str, range(40)), "bad"]
    assert isolated(items, work) == (items[:-1], {40: "KeyError: 'bad'"})
    assert sum(calls) == 41 + 41 + 40


def test_errors_that_concern_all_items_are_raised():
    def work(items):
        raise InputError("no model") if len(items) == 1 else RuntimeError

    with pytest.raises(InputError):
        isolated([1, 2], work)
    with pytest.raises(ZeroDivisionError):
        isolated([1, 2], lambda items: 1 / 0 if len(items) == 2 else items)


@pytest.fixture
def failing_links(monkeypatch):
    """Links of sentences about Bergen cannot be found."""
    whole = stages.find_anchors

    def broken(analysis, *rest):
        if "Bergen" in analysis.text:
            raise IndexError("list index out of range")
        return whole(analysis, *rest)

    monkeypatch.setattr(stages, "find_anchors", broken)


@pytest.fixture
def failing_tuples(monkeypatch):
    """Tuples of sentences about Bergen cannot be extracted."""
    whole = pipeline._shape

    def broken(analysis, *rest):
        if "Bergen" in analysis.text:
            raise IndexError("list index out of range")
        return whole(analysis, *rest)

    monkeypatch.setattr(pipeline, "_shape", broken)


TEXTS = ("Ann Lee founded Acme in Oslo. She lives in Bergen. Bob Ray left Acme.", "Eva Holm met Bob Ray.")
REASON = "'She lives in Bergen.': IndexError: list index out of range"


@pytest.mark.model
def test_a_stream_of_texts_goes_on_after_a_sentence_that_fails(failing_links):
    with pytest.warns(RuntimeWarning, match="She lives in Bergen"):
        one, two = TripleReader().pipe(TEXTS)
    assert one.failures == (REASON,)
    names = {(triple.subject.name, triple.object.name) for triple in (*one.triples, *two.triples)}
    assert names >= {("Ann Lee", "Acme"), ("Bob Ray", "Acme"), ("Eva Holm", "Bob Ray")}


@pytest.mark.model
def test_an_adapter_passes_over_one_sentence(failing_links):
    adapter = pytest.importorskip("tupelo.integrations.langchain")
    from langchain_core.documents import Document

    with pytest.warns(RuntimeWarning, match="She lives in Bergen"):
        found = adapter.TupeloGraphTransformer().convert_to_graph_documents([Document(text) for text in TEXTS])
    assert [bool(document.relationships) for document in found] == [True, True]


@pytest.mark.model
def test_extraction_names_the_sentence_that_fails(failing_tuples):
    with pytest.warns(RuntimeWarning, match="She lives in Bergen"):
        found = load().extract(TEXTS[0])
    assert found.failures == [REASON]
    assert [str(one) for one in found] == ["(Ann Lee; founded; Acme; in Oslo)", "(Bob Ray; left; Acme)"]


class OwnExtractor:
    """Fails on sentences about Bergen, and says of others how many words they have."""

    name, version, needs, confidence = "own", "1", frozenset(), None

    def extract(self, analyses):
        for analysis in analyses:
            if "Bergen" in analysis.text:
                raise IndexError("list index out of range")
            yield []


@pytest.mark.model
def test_an_extractor_of_ones_own_may_fail_too():
    sentences = list(load(extractor=OwnExtractor()).extract_sentences([*TEXTS, "Bergen again. Oslo."]))
    assert [item.failure is not None for item in sentences] == [False, True, False, False, True, False]


@pytest.mark.model
def test_the_command_exits_with_1_after_a_failure(failing_tuples, tmp_path, capsys):
    file = tmp_path / "a.txt"
    file.write_text(TEXTS[0])
    result = run(capsys, "extract", str(file), "--format", "jsonl")
    assert result.status == 1
    assert REASON in result.err
    assert "(Bob Ray" in result.out or "Bob Ray" in result.out


@pytest.mark.model
def test_facts_go_on_after_a_document_that_fails(monkeypatch, tmp_path, capsys):
    from tupelo.factmodels.extract import FactExtractor

    whole = FactExtractor._read

    def broken(self, sentences, document):
        if "Bergen" in sentences[0].text:
            raise IndexError("list index out of range")
        return whole(self, sentences, document)

    monkeypatch.setattr(FactExtractor, "_read", broken)
    for name, text in {"a": "Bergen again.", "b": "Marie Curie was born in Warsaw, the capital of Poland."}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    files = [str(tmp_path / "a.txt"), str(tmp_path / "b.txt")]
    result = run(capsys, "facts", "extract", *files, "--format", "jsonl")
    assert result.status == 1
    assert "a.txt: IndexError: list index out of range" in result.err
    assert "Warsaw" in result.out


@pytest.mark.model
def test_pairs_go_on_after_one_that_fails(monkeypatch, tmp_path, capsys):
    from tupelo.checking.check import ClaimChecker

    whole = ClaimChecker.__call__

    def broken(self, text, *rest):
        if "Bergen" in text:
            raise IndexError("list index out of range")
        return whole(self, text, *rest)

    monkeypatch.setattr(ClaimChecker, "__call__", broken)
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(
        '{"id": "one", "generated": "Bergen is old.", "source": "Bergen is old."}\n'
        '{"id": "two", "generated": "Ann left Oslo.", "source": "Ann left Oslo in May."}\n'
    )
    output = tmp_path / "checked.jsonl"
    result = run(capsys, "check", "--pairs", str(pairs), "-o", str(output))
    assert result.status == 1
    assert "failed: one: IndexError: list index out of range" in result.err
    one, two = output.read_text().splitlines()
    assert "failed: IndexError" in one
    assert '"verdict": "supported"' in two


@pytest.mark.model
@pytest.mark.parametrize("command", [["extract"], ["facts", "extract"]])
def test_documents_that_cannot_be_read_are_named_and_the_others_are_read(tmp_path, capsys, command):
    (tmp_path / "a.html").write_bytes(b"<p>Ann \x00 left Oslo.</p>")
    (tmp_path / "b.txt").write_text("Marie Curie was born in Warsaw, the capital of Poland.")
    files = [str(tmp_path / "a.html"), str(tmp_path / "b.txt")]
    stopped = run(capsys, *command, *files, "--format", "jsonl")
    assert (stopped.status, stopped.out) == (2, "")
    result = run(capsys, *command, *files, "--format", "jsonl", "--on-error", "skip")
    assert result.status == 1
    assert "a.html" in result.err
    assert "NUL" in result.err
    assert "Warsaw" in result.out
