"""Word data: every file says where it is from, and is read as sets, labels and rows."""

from __future__ import annotations

from importlib.resources import files

import pytest

from tupelo.nlp.languages import labels, language_data, rows, words

DATA = sorted(entry.name for entry in files("tupelo.nlp.languages.en").iterdir() if not entry.name.endswith("py"))
TOPICS = [name.removesuffix(".toml") for name in DATA if name.endswith(".toml")]


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_says_where_it_is_from(topic: str) -> None:
    assert language_data(topic)["source"].endswith(".")


@pytest.mark.parametrize("name", ["aliases.tsv", "places.tsv", "probabilities.toml"])
def test_a_table_of_names_says_where_it_is_from(name: str) -> None:
    assert files("tupelo.names").joinpath(name).read_text("utf-8").startswith("# ")


@pytest.mark.parametrize("name", [name for name in DATA if name.endswith(".txt")])
def test_a_text_opens_with_a_note(name: str) -> None:
    assert files("tupelo.nlp.languages.en").joinpath(name).read_text("utf-8").startswith("# ")


def test_several_sets_are_one() -> None:
    both = words("titles", "male_titles", "female_titles")
    assert both == words("titles", "male_titles") | words("titles", "female_titles")
    assert {"king", "queen"} <= both


def test_phrases_keep_their_spaces() -> None:
    assert "in case" in words("modality", "conditions")


def test_a_label_has_words_or_phrases() -> None:
    assert labels("modality", "modal_verbs")["might"] == "possible"
    assert labels("embedding", "openings")["instead of"] == "-"


def test_rows_are_split_at_white_space_or_at_a_separator() -> None:
    assert ["write", "wrote", "written"] in rows("inflection", "verbs")
    assert ["Costa Rica", "Costa Rican"] in rows("places", "demonyms", "|")
    assert ["visit", "obj", "pay", "a visit", "to"] in rows("verbs", "light_verb_phrases", "|")


def test_a_table_is_a_name_of_its_module() -> None:
    from tupelo.nlp.languages.en import grammar

    assert words("negation", "negations") == grammar.NEGATIONS
    # Names that are more than one table are those of the module itself.
    assert words("function_words", "third_person", "reflexives") == grammar.THIRD_PERSON


def test_a_name_without_a_table_is_an_error() -> None:
    with pytest.raises(ImportError, match="FLYING_WORDS"):
        from tupelo.nlp.languages.en.grammar import FLYING_WORDS  # noqa: F401
