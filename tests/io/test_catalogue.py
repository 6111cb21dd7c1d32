"""The catalogue says what it should about every dataset, and says it truly where that can be checked."""

from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.io.invented import file_at, invented
from tupelo.core import InputError, UnknownNameError
from tupelo.io.archives import safe_path
from tupelo.io.catalogue import TASKS, catalogue, dataset, markdown_page, read_table
from tupelo.io.formats import FORMATS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "datasets.md"

# Nothing disappears from the catalogue unseen.
NAMES = [
    "aggrefact",
    "benchie",
    "carb",
    "cesi",
    "combo",
    "fewrel",
    "frank",
    "gum",
    "knowledgenet",
    "levyholt",
    "lsoie",
    "nltk-brown",
    "nltk-conll2000",
    "nltk-mwa-ppdb",
    "nltk-rte",
    "nltk-treebank",
    "nltk-verbnet3",
    "oie2016",
    "okg",
    "qags",
    "qamr",
    "redocred",
    "reoie2016",
    "robust",
    "syntactic-ngrams",
    "ud-ewt",
    "webnlg",
    "wire57",
    "wordnet",
    "xsum-hallucination",
]


def test_the_catalogue_holds_these_datasets():
    assert sorted(catalogue()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_says_what_people_must_know(name):
    entry = dataset(name)
    assert entry.title
    assert entry.purpose.endswith(".") or entry.purpose.endswith("?")
    assert entry.licence
    assert entry.citation
    for citation in entry.citation:
        assert re.search(r"\b(19|20)\d\d\.$", citation), "a citation ends with its year"
    assert urlsplit(entry.homepage).scheme == "https"
    assert entry.tasks
    assert set(entry.tasks) <= set(TASKS)
    paths = [file.path for file in entry.files]
    assert len(set(paths)) == len(paths) > 0
    folders = [file.unpack.into for file in entry.files if file.unpack]
    assert len(set(folders)) == len(folders)


@pytest.mark.parametrize("name", NAMES)
def test_every_file_can_be_fetched_and_read(name):
    for file in dataset(name).files:
        safe_path(file.path, name)
        assert urlsplit(file.address).scheme == "https"
        assert urlsplit(file.address).username is None
        assert not re.search(r"[\s{}]", file.address)
        assert file.format is None or file.format in FORMATS
        if file.unpack:
            safe_path(file.unpack.into, name)
            assert file.path.endswith((".zip", ".tar.gz"))
            assert file.unpack.into != file.path


@pytest.mark.parametrize("name", NAMES)
def test_a_stated_checksum_belongs_to_content_that_cannot_change(name):
    for file in dataset(name).files:
        assert (file.size is None) == (file.sha256 is None), "size and checksum are known together"
        if file.sha256 is not None:
            assert re.fullmatch("[0-9a-f]{64}", file.sha256)
            assert re.search(r"/[0-9a-f]{40}/", file.address) or not file.verified, "pinned to a commit"


def test_every_task_has_a_dataset():
    assert {task for entry in catalogue().values() for task in entry.tasks} == set(TASKS)


def test_the_pinned_commits_are_those_of_the_published_scorers():
    for name, commit in {
        "carb": "024e0e91951eea1e6d7825a13ec303cae909e67b",
        "oie2016": "0e9beb33c472c3540b42547cc772f000fac3ae91",
        "wire57": "92737580dd1ceb1b2ce9a0105d19c4ae79197b7c",
        "benchie": "d9cdb93247a68d9d9c280e926fcc1ad969155257",
    }.items():
        assert commit.startswith(dataset(name).version)
        assert any(commit in file.address for file in dataset(name).files)


def test_parts_are_numbered_with_leading_zeros():
    parts = [file.path for file in dataset("syntactic-ngrams").select(splits=["verbargs"])]
    assert (parts[0], parts[-1], len(parts)) == ("verbargs.00-of-99.gz", "verbargs.98-of-99.gz", 99)


def test_spaces_in_an_address_are_quoted():
    (file,) = dataset("carb").select(paths=["expert/expert_gold.tsv"])
    assert file.address.endswith("/data/expert%20annotations/expert_gold.tsv")


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(UnknownNameError, match=r"no dataset named 'crab'. Did you mean 'carb'\? Known: aggrefact, "):
        dataset("crab")


def test_the_page_of_the_documentation_is_up_to_date():
    assert PAGE.read_text("utf-8") == markdown_page(), "run: tupelo data list --markdown > docs/datasets.md"


def test_the_page_names_every_dataset_and_every_unverified_address():
    page = markdown_page()
    for name, entry in catalogue().items():
        assert f"## {name}\n" in page
        assert entry.licence in page
    unverified = sum(not file.verified for entry in catalogue().values() if not entry.choose for file in entry.files)
    # One row stands for all parts of a kind of n-grams.
    kinds = {
        file.split for entry in catalogue().values() if entry.choose for file in entry.files if not file.verified
    }
    assert page.count("address not verified") == unverified + len(kinds)


def test_optional_files_come_only_when_asked_for():
    assert "gum.zip" not in [file.path for file in dataset("gum").select()]
    assert [file.path for file in dataset("gum").select(paths=["gum.zip"])] == ["gum.zip"]


def test_splits_are_listed_in_the_order_of_the_files():
    entry = invented(file_at("x", "b", split="dev"), file_at("x", "a", split="train"), file_at("x", "c", split="dev"))
    assert entry.splits == ("dev", "train")


GOOD_ROW = {"path": "a.txt", "at": "a.txt"}
GOOD_ENTRY = {
    "title": "T",
    "purpose": "P.",
    "tasks": [],
    "licence": "MIT",
    "citation": [],
    "homepage": "https://example.org",
    "version": "1",
    "base": "https://example.org/",
    "files": [GOOD_ROW],
}


def test_a_table_is_read_into_entries():
    (entry,) = read_table({"good": GOOD_ENTRY}, "table.toml")
    assert (entry.name, entry.files[0].address) == ("good", "https://example.org/a.txt")


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("good", {"title": None, "files": [{**GOOD_ROW, "sise": 3}]}),
        ("good", {"colour": "red"}),
        ("good", {"version": "../1"}),
        ("../evil", {}),
        ("good", {"files": [{"path": "a.txt"}]}),
    ],
)
def test_a_faulty_entry_is_refused_with_its_name(name, change):
    with pytest.raises(InputError, match=rf"^table.toml: {re.escape(name)}: .*, expected an entry as described"):
        list(read_table({name: {**GOOD_ENTRY, **change}}, "table.toml"))


# Where the copies beside the checkout are what the sources publish, byte for byte (apart from compression).
COPIES = {
    "carb": "carb",
    "cesi": "cesi",
    "fewrel": "fewrel",
    "frank": "frank",
    "levyholt": "levyholt",
    "lsoie": "lsoie",
    "nltk-brown": "nltk",
    "nltk-conll2000": "nltk",
    "nltk-mwa-ppdb": "nltk",
    "nltk-rte": "nltk",
    "nltk-treebank": "nltk",
    "nltk-verbnet3": "nltk",
    "oie2016": "oie2016",
    "okg": "okg",
    "qamr": "qamr",
    "redocred": "redocred",
    "wire57": "wire57",
    "xsum-hallucination": "xsum_hallucination",
}


@pytest.mark.parametrize("name", COPIES)
def test_stated_checksums_are_those_of_the_copies(shared, name):
    checked = 0
    for file in dataset(name).files:
        plain = shared / "data" / COPIES[name] / file.path
        packed = plain.with_name(f"{plain.name}.gz")
        if file.sha256 is None or not (plain.is_file() or packed.is_file()):
            continue
        content = plain.read_bytes() if plain.is_file() else gzip.decompress(packed.read_bytes())
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.size, file.sha256), file.path
        checked += 1
    assert checked > 0
