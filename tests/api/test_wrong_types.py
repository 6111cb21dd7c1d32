"""Values of a type that an argument cannot have end in one line that says what was expected."""

from __future__ import annotations

import subprocess
import sys

import pytest

import tupelo
from tupelo.api.text import Toolkit
from tupelo.core import InputError, UnknownNameError
from tupelo.extract.options import ExtractionOptions
from tupelo.io.conllu import ConlluParser

REIFIED = "'classic' or 'rdf12' or 'graphs' or 'none'"
FILE_OR_OBJECTS = "expected a path, an open file, or an iterable of objects"
TEXT = "expected a text, a Path or an open file"
STRINGS = "expected a string, or an iterable of strings"


@pytest.fixture(scope="module")
def nlp() -> Toolkit:
    return tupelo.load(extractor="rules")


@pytest.mark.parametrize("given", [123, None, b"Ann sleeps .\t0.9\tsleeps\tAnn\n"])
@pytest.mark.parametrize(
    "call",
    [
        tupelo.read,
        tupelo.canonicalize,
        tupelo.assertions.mine_rules,
        tupelo.robustness.build,
        lambda given: tupelo.infer(given, method="lemma"),
        lambda given: tupelo.score("carb", [], given),
    ],
)
def test_what_is_neither_a_file_nor_objects(call, given):
    with pytest.raises(InputError, match=FILE_OR_OBJECTS):
        call(given)


@pytest.mark.model
@pytest.mark.parametrize("given", [123, None, b"Ann sleeps."])
def test_what_is_neither_a_text_nor_a_file(nlp, given):
    checker = tupelo.Checker(nlp=nlp)
    for call in (
        lambda: checker(given, "Ann sleeps."),
        lambda: checker("Ann sleeps.", ["Bo sleeps.", given]),
        lambda: tupelo.facts(given),
    ):
        with pytest.raises(InputError, match=TEXT):
            call()


@pytest.mark.model
@pytest.mark.parametrize("given", [123, None, b"Ann sleeps."])
def test_a_text_that_is_none_is_not_analysed(nlp, given):
    for call in (nlp.extract, nlp.analyze, lambda given: list(nlp.pipe(given))):
        with pytest.raises(InputError, match=STRINGS):
            call(given)


@pytest.mark.model
def test_an_item_of_the_wrong_type_is_named(nlp, tmp_path):
    for call in (nlp.extract, lambda given: list(nlp.pipe(given))):
        with pytest.raises(InputError, match="item 2 is int, expected a string"):
            call(["Ann sleeps.", 5])
    with pytest.raises(InputError, match="triple 2 is 5, expected subject, relation, object"):
        tupelo.canonicalize([("Ann", "lives in", "Oslo"), 5], "surface")
    for call in (tupelo.read, lambda given: tupelo.write(given, tmp_path / "unwritten.jsonl")):
        with pytest.raises(InputError, match="5, expected a tuple or a sentence"):
            call([tupelo.core.Sentence("Ann sleeps ."), 5])


@pytest.mark.model
def test_documents_in_memory_are_texts_with_names(nlp):
    pandas = pytest.importorskip("pandas")
    texts = {"a": "Ann sleeps.", "none": "", "b": "Bo met Ann."}
    rows = [{"id": name, "text": text} for name, text in texts.items()]
    for given in (texts, rows, pandas.DataFrame(rows), [tupelo.Document(*item) for item in texts.items()]):
        assert [found.sentence.document_id for found in nlp.extract(given)] == ["a", "b"]
        found = list(nlp.pipe(given))
        assert [[each.sentence.document_id for each in one] for one in found] == [["a"], [], ["b"]]
        assert [len(one) for one in nlp.pipe_analyses(given)] == [1, 0, 1]
    assert str(nlp.extract(tupelo.Document("a", "Ann sleeps."))) == "(Ann; sleeps)"


@pytest.mark.model
def test_documents_in_memory_that_cannot_be_read(nlp):
    for given, message in (
        ([{"id": 1, "body": "Ann sleeps."}], "row 0 has no text, expected a column 'text'; its columns are id, body"),
        ({"a": ["Ann sleeps."]}, "'a' is list, expected a text"),
    ):
        for call in (nlp.extract, nlp.analyze, lambda given: list(nlp.pipe(given))):
            with pytest.raises(InputError, match=message):
                call(given)
    twice = [tupelo.Document("a", "Ann sleeps."), tupelo.Document("a", "Bo sleeps.")]
    with pytest.raises(InputError, match="two documents are called 'a', expected names that differ"):
        list(nlp.pipe(twice))
    with pytest.raises(InputError, match="item 1 is str, expected a pair of text and context"):
        list(nlp.pipe({"a": "Ann sleeps."}, as_tuples=True))


@pytest.mark.model
def test_options_that_no_call_has(nlp):
    with pytest.raises(
        UnknownNameError, match=r"no option of extract\(\) named 'min_conf'\. Did you mean 'min_conf"
    ) as e:
        nlp.extract("Ann sleeps.", min_conf=0.5)
    assert "lines" in str(e.value)
    assert "\n" not in str(e.value)
    with pytest.raises(UnknownNameError, match=r"no option of pipe\(\) named 'n_process'\. .*workers"):
        nlp.pipe(["Ann sleeps."], n_process=2)


@pytest.mark.model
def test_texts_that_are_taken_for_paths():
    text = "Marie Curie discovered radium with Pierre Curie in Paris. " * 20
    for given in ([text, "Ann left."], text):
        with pytest.raises(InputError) as error:
            tupelo.Graph.build(given)
        assert str(error.value) == (
            "'Marie Curie discovered radium with Pier…': no such file; a list of strings means paths: for texts give "
            "{name: text}, Documents, or a data frame with a column 'text'"
        )
    with pytest.raises(InputError, match=r"^my notes.txt: No such file or directory, expected documents$"):
        tupelo.Graph.build(["my notes.txt"])


@pytest.mark.process
def test_workers_need_a_guarded_script(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "import tupelo\nprint(list(tupelo.load(extractor='rules').pipe(['Ann sleeps.'] * 2, workers=2)))\n", "utf-8"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith("tupelo.core.errors.TupeloError: a worker process ended before its work was done")
    assert last.endswith('under `if __name__ == "__main__":`')


@pytest.mark.model
def test_other_calls(tmp_path):
    with pytest.raises(InputError, match="5, expected a path or an open file"):
        tupelo.convert(5, tmp_path / "made.jsonl")
    with pytest.raises(InputError, match="5, expected an iterable of tuples and sentences"):
        tupelo.write(5, tmp_path / "made.jsonl")
    with pytest.raises(InputError, match="5, expected paths, a mapping, a data frame, or an iterable of documents"):
        tupelo.Graph.build(5, tmp_path / "made.duckdb")
    with pytest.raises(InputError, match="5, expected a path, or an iterable of texts with their sources"):
        list(tupelo.Checker().pairs(5))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: tupelo.load(1), "parser=1, expected text"),
        (lambda: tupelo.load(batch_size="many"), "batch_size='many', expected a whole number"),
        (lambda: tupelo.score(1, [], []), "scorer=1, expected text"),
        (lambda: tupelo.compare(None, [], []), "scorer=None, expected text"),
        (lambda: tupelo.leaderboard("carb", [], [], sort=2), "sort=2, expected text"),
        (lambda: tupelo.facts("Ann left.", method=3), "method=3, expected text or None"),
        (lambda: tupelo.infer([], reverse="no"), "reverse='no', expected True or False"),
        (lambda: tupelo.canonicalize([], format=1), "format=1, expected text"),
        (lambda: tupelo.datasets(1), "task=1, expected text or None"),
        (lambda: tupelo.bench("rules", split=1), "split=1, expected text"),
        (lambda: tupelo.compare("carb", [], [[], []], samples=0), "samples=0, expected 1 or more"),
        (lambda: tupelo.Graph.entities(None, limit=0), "limit=0, expected 1 or more"),
        (lambda: tupelo.Graph.query(None, "?a ?b ?c", limit=-1), "limit=-1, expected 1 or more"),
        (lambda: tupelo.Graph.query(None), "no pattern, expected one such as ?who founded ?company"),
        (lambda: tupelo.Graph.search(None, "Acme", limit="x"), "limit='x', expected a whole number"),
        (lambda: tupelo.Graph.neighbors(None, "Acme", 0), "depth=0, expected 1 or more"),
        (lambda: tupelo.Graph.path(None, "Ann", 5), "goal=5, expected text"),
        (lambda: tupelo.Graph.query(None, "?a ?b ?c", 5), "patterns=5, expected text"),
        (lambda: tupelo.Graph.export(None, "kg.ttl", reify="x"), f"reify='x', expected {REIFIED}"),
        (
            lambda: tupelo.Graph.correct(None, same=[("Ann",)]),
            "('Ann',), expected two names, such as ('Annie', 'Ann Lee')",
        ),
        (lambda: tupelo.Graph.correct(None, same="Ann"), "'A', expected two names, such as ('Annie', 'Ann Lee')"),
        (
            lambda: tupelo.infer("Ann left"),
            "'Ann left' is one statement and no file, expected a premise and a hypothesis",
        ),
        (lambda: tupelo.documents.read(5), "sources=5, expected text or a path"),
        (lambda: tupelo.load(extractor=5), "5, expected the name of an extractor, or an object with its methods"),
        (lambda: Toolkit(ConlluParser()).pipe([], workers=0), "workers=0, expected 1 or more"),
        (lambda: tupelo.graph.Filters(min_confidence=2), "min_confidence=2, expected 0 to 1"),
        (lambda: ExtractionOptions(min_confidence=5), "min_confidence=5, expected 0 to 1"),
        (lambda: tupelo.write([("Ann", "left")], "made.csv"), "('Ann', 'left'), expected a tuple or a sentence"),
        (lambda: tupelo.Graph.report(None, communities=5000), "communities=5000, expected 1 to 1000"),
        (lambda: tupelo.Graph.build({"a": "Ann left."}, 5), "path=5, expected text or a path or None"),
        (lambda: tupelo.Graph.open(5), "path=5, expected text or a path"),
    ],
)
def test_arguments_are_checked_in_one_place(call, message):
    with pytest.raises(InputError) as error:
        call()
    assert str(error.value) == message


@pytest.mark.parametrize("pair", [5, ("only",), "text"])
def test_what_is_no_text_with_its_source(pair):
    checker = tupelo.Checker(nlp=Toolkit(ConlluParser()))
    with pytest.raises(InputError, match=r"expected a text and its source, or a mapping with both"):
        list(checker.pairs([pair]))


@pytest.mark.parametrize("call", [Toolkit.pipe, Toolkit.pipe_analyses])
def test_a_stream_is_no_single_text(call):
    toolkit = Toolkit(ConlluParser())
    with pytest.raises(InputError, match=r"'Ann left\.', expected an iterable of strings; one text is for extract"):
        list(call(toolkit, "Ann left."))


def test_a_file_of_something_else_is_no_graph(tmp_path):
    (tmp_path / "made.tsv").write_text("Ann left .\t0.9\tleft\tAnn\n")
    with pytest.raises(InputError, match=r"made\.tsv: is not a graph"):
        tupelo.Graph.open(tmp_path / "made.tsv")


def test_objects_that_only_have_places_are_iterated():
    class Places:
        def __getitem__(self, place: int) -> tupelo.core.Sentence:
            return [tupelo.core.Sentence("Ann sleeps .")][place]

    assert len(tupelo.read(Places())) == 1
