"""WordNet: a small database laid out for the tests, faulty ones, and the real one where it is installed."""

from __future__ import annotations

import pytest

from tests.wordnet import real_wordnet, write_wordnet
from tupelo.api import resources
from tupelo.core import FormatError, InputError
from tupelo.core.wordnet import Synset, WordNet
from tupelo.io.wordnet import find_wordnet, open_wordnet
from tupelo_training.kinds import base_form, hypernyms, is_a


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory) -> WordNet:
    return open_wordnet(write_wordnet(tmp_path_factory.mktemp("wordnet")))


def first_words(synsets) -> list[str]:
    return [synset.words[0] for synset in synsets]


def test_senses_come_in_the_order_of_the_index(wordnet):
    assert [synset.definition for synset in wordnet.synsets("bank")] == [
        "sloping land beside a body of water",
        "a company that accepts money",
    ]


def test_a_definition_is_a_gloss_without_examples(wordnet):
    (be,) = wordnet.synsets("be")
    assert be.definition == "have existence"


def test_case_and_spaces_do_not_matter(wordnet):
    assert wordnet.synsets("MARIE CURIE") == wordnet.synsets("marie_curie") == wordnet.synsets("Curie")


def test_markers_of_adjectives_are_no_part_of_the_word(wordnet):
    (galore,) = wordnet.synsets("galore")
    assert (galore.words, galore.satellite, galore.pos) == (("galore",), True, "a")


@pytest.mark.parametrize(
    ("word", "pos", "bases"),
    [
        ("mice", "n", ("mouse",)),
        ("was", "v", ("be",)),
        ("drugs", "n", ("drug",)),
        ("drugged", "v", ()),  # no rule undoes a doubled letter, and the list of exceptions has no such form
        ("running", "v", ("run",)),
        ("axes", "n", ("ax", "axis")),
        ("hot dogs", "n", ("hot_dog",)),
        ("bigger", "a", ()),
        ("larger", "a", ("large",)),
        ("quickly", "r", ("quickly",)),
        ("nonesuch", "n", ()),
        ("s", "n", ()),
        ("", "n", ()),
    ],
)
def test_base_forms(wordnet, word, pos, bases):
    assert wordnet.base_forms(word, pos) == bases


def test_a_lemma_is_found_whatever_the_part_of_speech(wordnet):
    assert [base_form(wordnet, word, "vnar") for word in ("was", "mice", "larger", "xyz")] == [
        "be",
        "mouse",
        "large",
        "xyz",
    ]


def test_upwards_over_kinds_and_instances(wordnet):
    (curie,) = wordnet.synsets("Marie Curie")
    assert first_words(hypernyms(wordnet, curie)) == ["scientist"]
    person, country = wordnet.synsets("person")[0], wordnet.synsets("country")[0]
    assert is_a(wordnet, curie, person)
    assert is_a(wordnet, person, person)
    assert not is_a(wordnet, person, curie)
    assert not is_a(wordnet, curie, country)


def test_lesk_counts_shared_words(wordnet):
    def sense(context):
        return wordnet.lesk(context.split(), "bank").definition

    assert sense("we deposited money at a company") == "a company that accepts money"
    assert sense("sloping land") == "sloping land beside a body of water"
    assert wordnet.lesk([], "nonesuch") is None


def test_lesk_without_a_shared_word_depends_on_the_rule_for_ties(wordnet):
    river, money = wordnet.synsets("bank")
    assert (wordnet.name(river), wordnet.name(money)) == ("bank.n.01", "bank.n.02")
    assert wordnet.lesk(["zebra"], "bank") == money
    assert wordnet.lesk(["zebra"], "bank", ties="first") == river
    with pytest.raises(ValueError, match="expected name or first"):
        wordnet.lesk([], "bank", ties="last")


def all_synsets(wordnet: WordNet, pos: str) -> list[Synset]:
    """Every synset of a part of speech, in the order of the file."""
    found = {synset.offset: synset for lemma in wordnet.lemmas(pos) for synset in wordnet.synsets(lemma, pos)}
    return [found[offset] for offset in sorted(found)]


def test_all_synsets_and_lemmas(wordnet):
    assert sum(len(all_synsets(wordnet, pos)) for pos in "nvar") == 21
    assert first_words(all_synsets(wordnet, "v")) == ["be", "run", "drug"]
    assert sorted(wordnet.lemmas("a")) == ["big", "galore", "large"]


def test_a_circle_of_hypernyms_ends(tmp_path):
    from tests.wordnet import Entry

    chicken = Entry("chicken", "n", "chicken", "what lays eggs", (("@", "egg", 0, 0),))
    egg = Entry("egg", "n", "egg", "what a chicken comes from", (("@", "chicken", 0, 0),))
    wordnet = open_wordnet(write_wordnet(tmp_path, (chicken, egg)))
    (synset,) = wordnet.synsets("chicken")
    assert is_a(wordnet, synset, wordnet.synsets("egg")[0])


def test_a_folder_comes_from_the_option_then_from_the_environment(tmp_path):
    one, other = write_wordnet(tmp_path / "one"), write_wordnet(tmp_path / "other")
    assert find_wordnet(one, {"TUPELO_WORDNET": str(other)}) == one
    assert find_wordnet(None, {"TUPELO_WORDNET": str(other)}) == other
    with pytest.raises(InputError, match=r"no index\.noun, expected the database files of WordNet 3\.0"):
        find_wordnet(tmp_path, {})


@pytest.mark.parametrize("folder", [None, ""])
def test_the_environment_names_the_folder_where_no_option_does(tmp_path, monkeypatch, folder):
    monkeypatch.setenv("TUPELO_WORDNET", str(write_wordnet(tmp_path)))
    assert resources.open_wordnet(folder).synsets("ax")[0].words == ("axe", "ax")


def test_nowhere_to_be_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tupelo.io.wordnet.SYSTEM_FOLDERS", ())
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path))
    with pytest.raises(InputError, match="tupelo data get wordnet"):
        find_wordnet(None, {})


def faulty(folder, name, old, new):
    write_wordnet(folder)
    text = (folder / name).read_text()
    assert old in text
    (folder / name).write_text(text.replace(old, new))
    return open_wordnet(folder)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        (
            "index.noun",
            "aspirin n 1",
            "aspirin n x",
            r"index\.noun:3: entry 'aspirin' cannot be read",
        ),
        (
            "index.noun",
            "aspirin n 1",
            "aspirin n 2",
            r"index\.noun:3: entry 'aspirin' cannot be read",
        ),
        ("index.noun", "axe n 1 1 @ 1 0 ", "axe", r"index\.noun:5: 1 field, expected lemma"),
        (
            "data.noun",
            "  2 Free for any use.",
            "  2 Free.",
            r"data\.noun:\d+: no synset at byte \d+",
        ),
        ("data.noun", " n 01 aspirin", " n 0g aspirin", r"data\.noun:9: no synset at byte \d+"),
        ("data.noun", "aspirin 0 001 @", "aspirin 0 009 @", r"data\.noun:9: no synset at byte \d+"),
        ("noun.exc", "mice mouse", "mice", r"noun\.exc:1: no base form, expected an irregular form"),
    ],
)
def test_bad_files_are_named_with_their_line(tmp_path, name, old, new, message):
    wordnet = faulty(tmp_path, name, old, new)
    with pytest.raises(FormatError, match=message):
        [wordnet.synsets(word) for word in ("aspirin", "mice")]


def test_bytes_that_are_no_text(tmp_path):
    write_wordnet(tmp_path)
    (tmp_path / "index.noun").write_bytes(b"  1 licence\ncaf\xe9 n 1 0 1 0 00000012\n")
    with pytest.raises(FormatError, match=r"index\.noun:2: byte 0xe9 is not UTF-8"):
        open_wordnet(tmp_path).synsets("caf")


def test_an_offset_beyond_the_file(tmp_path):
    write_wordnet(tmp_path)
    (tmp_path / "data.verb").write_text("")
    with pytest.raises(FormatError, match=r"data\.verb:1: no synset"):
        open_wordnet(tmp_path).synsets("run")


@pytest.fixture(scope="module")
def real() -> WordNet:
    return real_wordnet()


@pytest.mark.slow
def test_wordnet_3_has_its_published_number_of_synsets(real):
    counts = {pos: len(all_synsets(real, pos)) for pos in "nvar"}
    # From WordNet's page of statistics, wnstats(7WN) of version 3.0.
    assert counts == {"n": 82115, "v": 13767, "a": 18156, "r": 3621}
    assert sum(counts.values()) == 117659


def test_wordnet_3_has_its_published_number_of_lemmas(real):
    assert {pos: len(real.lemmas(pos)) for pos in "nvar"} == {"n": 117798, "v": 11529, "a": 21479, "r": 4481}


def test_the_example_of_nltks_manual_for_lesk(real):
    # https://www.nltk.org/howto/wsd.html
    sentence = ["I", "went", "to", "the", "bank", "to", "deposit", "money", "."]
    assert real.name(real.lesk(sentence, "bank", "n")) == "savings_bank.n.02"
    assert real.name(real.lesk(sentence, "bank")) == "savings_bank.n.02"


@pytest.mark.parametrize(
    ("word", "pos", "base"),
    [
        ("dogs", "n", "dog"),
        ("churches", "n", "church"),
        ("aardwolves", "n", "aardwolf"),
        ("abaci", "n", "abacus"),
        ("hardrock", "r", None),
        ("denied", "v", "deny"),
        ("attorneys general", "n", "attorney_general"),
    ],
)
def test_base_forms_of_real_words(real, word, pos, base):
    assert real.base_forms(word, pos)[:1] == ((base,) if base else ())


def test_names_and_kinds_of_real_synsets(real):
    dog = real.synsets("dog", "n")[0]
    assert real.name(dog) == "dog.n.01"
    assert {real.name(synset) for synset in hypernyms(real, dog)} == {"canine.n.02", "domestic_animal.n.01"}
    einstein = real.synsets("Einstein", "n")[0]
    assert is_a(real, einstein, real.synsets("scientist", "n")[0])
