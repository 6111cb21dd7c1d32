"""Adapters for other parsers: spaCy with a pipeline without weights, Stanza with a stand-in for its objects."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import tupelo
from tupelo.core import Constituent, Entity, InputError, MissingExtraError, UnknownNameError
from tupelo.nlp import PARSERS


def test_all_parsers_are_registered() -> None:
    assert sorted(PARSERS) == ["conllu", "en", "model", "spacy", "stanza"]


def test_an_unknown_parser_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match=r"no parser named 'stansa'\. Did you mean 'stanza'"):
        tupelo.load("stansa")


@pytest.mark.parametrize("name", ["spacy", "stanza"])
def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=rf"pip install 'tupelo\[{name}\]'"):
        tupelo.load(name)


@pytest.fixture(scope="module")
def spacy_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spacy = pytest.importorskip("spacy", reason="needs spaCy: pip install 'tupelo[spacy]'")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    ruler = pipeline.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "GPE", "pattern": "Paris"}])
    folder = tmp_path_factory.mktemp("spacy") / "pipeline"
    pipeline.to_disk(folder)
    return folder


@pytest.mark.slow
def test_a_spacy_pipeline_gives_sentences_with_exact_offsets(spacy_folder: Path) -> None:
    text = "Dogs  bark.\nThey love Paris."
    analyses = list(tupelo.load(f"spacy:{spacy_folder}").analyze(text))
    assert [analysis.text for analysis in analyses] == ["Dogs  bark.", "They love Paris."]
    assert all(text[word.start : word.end] == word.text for analysis in analyses for word in analysis.words)
    assert analyses[1].entities == (Entity("place", 2, 3),)
    assert analyses[0].root is None


@pytest.mark.slow
def test_a_spacy_pipeline_keeps_given_words(spacy_folder: Path) -> None:
    parser = tupelo.load(f"spacy:{spacy_folder}")
    first, empty = parser.analyze(["He did n't go .", ""], pretokenized=True)
    assert [word.text for word in first.words] == ["He", "did", "n't", "go", "."]
    assert [(word.start, word.end) for word in first.words][2] == (7, 10)
    assert empty.words == ()


@pytest.mark.slow
def test_a_spacy_model_that_is_not_there_is_refused() -> None:
    pytest.importorskip("spacy", reason="needs spaCy: pip install 'tupelo[spacy]'")
    with pytest.raises(InputError, match="spaCy has no model 'nowhere'"):
        tupelo.load("spacy:nowhere")


def word(number: int, text: str, head: int, deprel: str) -> SimpleNamespace:
    return SimpleNamespace(
        id=number, text=text, lemma=text, upos="X", xpos="XX", feats=None, head=head, deprel=deprel
    )


class Tree:
    """The part of Stanza's trees that is used."""

    def __init__(self, label: str, *children: Tree) -> None:
        self.label, self.children = label, children

    def is_leaf(self) -> bool:
        return not self.children

    def is_preterminal(self) -> bool:
        return len(self.children) == 1 and self.children[0].is_leaf()


@pytest.fixture
def stanza(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A stand-in for Stanza that answers one sentence; the list collects how pipelines were made."""
    settings: list[dict[str, Any]] = []
    words = [word(1, "Ann", 2, "nsubj"), word(2, "ca", 0, "root"), word(3, "n't", 2, "advmod")]
    tokens = [
        SimpleNamespace(text="Ann", words=words[:1], start_char=0, end_char=3),
        SimpleNamespace(text="can't", words=words[1:], start_char=4, end_char=9),
    ]
    tree = Tree(
        "ROOT", Tree("NP", Tree("NNP", Tree("Ann"))), Tree("VP", Tree("MD", Tree("ca")), Tree("RB", Tree("n't")))
    )

    class Pipeline:
        def __init__(self, **options: Any) -> None:
            if options["lang"] == "xx":
                raise FileNotFoundError("no models for xx")
            settings.append(options)

        def __call__(self, document: Any) -> Any:
            entity = SimpleNamespace(type="PERSON", tokens=tokens[:1])
            return SimpleNamespace(
                sentences=[SimpleNamespace(tokens=tokens, words=words, ents=[entity], constituency=tree)]
            )

    module = ModuleType("stanza")
    module.Pipeline = Pipeline  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "stanza", module)
    return settings


def test_stanza_gives_words_trees_and_entities(stanza: list[dict[str, Any]]) -> None:
    (analysis,) = tupelo.load("stanza:en:/models").analyze("Ann can't")
    assert [w.text for w in analysis.words] == ["Ann", "ca", "n't"]
    assert [w.head for w in analysis.words] == [1, None, 1]
    assert analysis.contractions == ((1, 3),)
    assert analysis.entities == (Entity("person", 0, 1),)
    assert analysis.constituents == (Constituent("ROOT", 0, 3), Constituent("NP", 0, 1), Constituent("VP", 1, 3))
    assert stanza[0]["dir"] == "/models"
    assert stanza[0]["download_method"] is None


def test_stanza_is_told_when_sentences_or_words_are_given(stanza: list[dict[str, Any]]) -> None:
    parser = tupelo.load("stanza")
    list(parser.analyze(["Ann can't", ""], lines=True))
    list(parser.analyze(["Ann can't"], pretokenized=True))
    assert [(s["tokenize_no_ssplit"], s["tokenize_pretokenized"]) for s in stanza] == [(True, False), (False, True)]


def test_stanza_has_no_coreference(stanza: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match="the parser 'stanza:en' has no coreference, expected one that has"):
        tupelo.load("stanza").analyze("Ann left. She sings.", coreference=True)


def test_stanza_without_models_is_refused(stanza: list[dict[str, Any]]) -> None:
    with pytest.raises(InputError, match="Stanza cannot load 'stanza:xx': no models for xx"):
        list(tupelo.load("stanza:xx").analyze("x"))
