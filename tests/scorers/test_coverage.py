"""Sentences that do not meet: counted, explained, repaired; and nothing scored where none meets."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tupelo
from tests.cli.runner import run
from tupelo.core import Argument, Extraction, InputError, Sentence
from tupelo.core.errors import UnmatchedError
from tupelo.io.examples import GOLD, SYSTEMS, example_files
from tupelo.scorers import ScoreOptions
from tupelo.scorers.coverage import Aligner, Seen, Spelling, loose_key, measure

# Sentences with all that programs write in their own way: contractions, brackets, quotes, capitals.
TEXTS = [
    f"Ann{number} did n't sell `` The Mill '' -LRB- a house -RRB- in Oslo in 19{number} ." for number in range(10, 30)
]


def seen(records):
    found = Seen()
    list(found.watch(records))
    return found


def gold():
    return [Extraction.of(text, "did n't sell", [text.split()[0], "`` The Mill ''", text[-9:-2]]) for text in TEXTS]


def changed(records, sentence=lambda text: text, words=lambda text: text):
    """The same tuples as another program would write them."""
    return [
        Extraction.of(sentence(r.sentence.text), words(r.rel.text), [words(part.text) for part in r.arguments])
        for r in records
    ]


def detokenized(text):
    for before, after in ((" n't", "n't"), ("`` ", "“"), (" ''", "”"), ("-LRB- ", "("), (" -RRB-", ")"), (" .", ".")):
        text = text.replace(before, after)
    return text


@pytest.mark.parametrize(
    ("sentence", "words", "advice"),
    [
        (str.lower, str, "20 of them equal a gold sentence but for case: use --align loose"),
        (str.lower, str.lower, "20 of them equal a gold sentence but for case: use --align loose"),
        (detokenized, str, "20 of them equal a gold sentence but for quotes and other marks: use --align loose"),
        (str, detokenized, "20 of the first 20 tuples spell words of their sentence otherwise than gold does"),
    ],
)
def test_another_spelling_is_named_and_repaired(sentence, words, advice):
    predicted = changed(gold(), sentence, words)
    spoiled = tupelo.score("carb", gold(), predicted, options=ScoreOptions(allow_unmatched=True))
    assert spoiled.f1 < 0.8
    assert any(remark.startswith(advice) for remark in spoiled.remarks())
    repaired = tupelo.score("carb", gold(), predicted, options=ScoreOptions(align="loose"))
    assert (repaired.f1, repaired.remarks()) == (1.0, [])
    assert "|align:loose|" in repaired.signature
    assert "align" not in spoiled.signature


def test_tokenization_is_named_where_spaces_count():
    predicted = changed(gold(), lambda text: text.replace(" n't", "n't"))
    found = measure(seen(gold()), seen(predicted))
    assert (found.predicted_matched, found.advice[0]) == (
        0,
        "20 of them equal a gold sentence but for tokenization: use --align loose",
    )


def test_no_common_sentence_is_refused_unless_told(capsys, tmp_path):
    (tmp_path / "gold.tsv").write_text("I ate it .\tate\tI\tit\n")
    (tmp_path / "pred.tsv").write_text("You ran .\t0.9\tran\tYou\n")
    files = tmp_path / "gold.tsv", tmp_path / "pred.tsv"
    status, out, err = run(capsys, "score", "carb", *files)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "pred.tsv: none of 1 predicted sentences is one of 1 gold sentences; are the predictions for" in err
    told = run(capsys, "score", "carb", *files, "--allow-unmatched")
    assert (told.status, told.out.startswith("P 100.0  R 0.0")) == (0, True)
    assert "1 of 1 predicted sentences are not in the gold" in told.err


@pytest.mark.parametrize("scorer", ["carb", "oie2016", "wire57", "benchie", "robust"])
def test_every_scorer_refuses_an_empty_gold_and_takes_an_empty_output(scorer):
    with pytest.raises(UnmatchedError, match="no gold sentence, expected at least one"):
        tupelo.score(scorer, [], gold())
    nothing = tupelo.score(scorer, gold(), [])
    assert (nothing.f1, nothing.remarks()) == (0.0, ["there are no predictions"])


@pytest.mark.parametrize("scorer", ["carb", "oie2016", "wire57", "benchie", "robust"])
def test_every_scorer_counts_the_sentences_that_match(scorer):
    predicted = [*gold()[:5], Extraction.of("Elsewhere .", "is", ["it"])]
    score = tupelo.score(scorer, gold(), predicted)
    assert score.coverage.to_dict() == {"gold": 20, "gold_matched": 5, "predicted": 6, "predicted_matched": 5}
    assert "5 of 20 gold sentences and 5 of 6 predicted ones match" in str(score)
    assert score.remarks() == [
        "1 of 6 predicted sentences are not in the gold and do not count",
        "15 of 20 gold sentences have no prediction",
    ]


def test_enough_common_sentences_need_no_remark():
    assert tupelo.score("carb", gold(), gold()[:19]).remarks() == []


def test_swapped_columns_are_noticed():
    swapped = [replace(item, rel=item.arg1, arg1=item.rel) for item in gold()]
    (remark,) = tupelo.score("carb", gold(), swapped).remarks()
    assert remark == "most predicted relations come before their first argument: are these two columns swapped?"


def test_sentences_in_another_column_are_noticed():
    moved = [Extraction.of("did n't sell", r.sentence.text, ["a", "b"]) for r in gold()]
    with pytest.raises(InputError, match="the gold sentences stand in the column of the relation"):
        tupelo.score("carb", gold(), moved)


def test_a_confidence_that_is_no_number_is_refused_with_its_line(capsys, tmp_path):
    (tmp_path / "gold.tsv").write_text("I ate it .\tate\tI\tit\nYou ran .\tran\tYou\n")
    for word in ("high", "0,9", "93 %"):
        (tmp_path / "pred.tsv").write_text(
            f"I ate it .\t{word}\tate\tI\tit\nYou ran home .\t{word}\tran\tYou\thome\n"
        )
        status, out, err = run(capsys, "score", "carb", tmp_path / "gold.tsv", tmp_path / "pred.tsv")
        assert (status, out) == (2, "")
        assert f"pred.tsv:1: confidence '{word}', expected a number" in err


def test_ids_and_sentences_without_tuples_count():
    wanted = [replace(item, sentence=Sentence(item.sentence.text, id=str(n))) for n, item in enumerate(gold())]
    by_id = [replace(item, sentence=Sentence("", id=str(n))) for n, item in enumerate(gold()[:19])]
    found = tupelo.score("benchie", wanted, [*by_id, Sentence("", id="19"), Sentence("", id="20")])
    assert found.coverage.to_dict() == {"gold": 20, "gold_matched": 20, "predicted": 21, "predicted_matched": 20}


def test_words_are_spelled_as_the_gold_sentence_has_them():
    spelling = Spelling(Sentence("Ann 's don't , -LRB- ok -RRB- he said into it"))
    assert spelling.respell("ann's do n't, (ok) Bob") == "Ann 's don't , -LRB- ok -RRB- Bob"
    assert loose_key("“Ann’s” -LRB-") == loose_key("`` ann 's ''") == "anns"


def test_cliques_are_aligned_with_their_names():
    original, other = Sentence("Ann left Oslo .", document_id="Ann left Oslo ."), Sentence("Oslo was left .")
    tuples = [replace(Extraction.of(each, "left", ["Ann"]), group="Ann left Oslo .") for each in (original, other)]
    lower = [
        replace(item, sentence=Sentence(item.sentence.text.lower()), group=item.group.lower()) for item in tuples
    ]
    assert [(r.sentence.text, r.group) for r in Aligner(tuples).align(lower)] == [
        (r.sentence.text, r.group) for r in tuples
    ]


def test_parts_that_are_spelled_alike_keep_their_places():
    part = Argument("left", tokens=(1,))
    item = Extraction(Sentence("Ann left Oslo ."), rel=part, arg1=Argument("ann", tokens=(0,)))
    (aligned,) = Aligner([item.sentence]).align([item])
    assert (aligned.rel, aligned.arg1) == (part, Argument("Ann"))


def test_an_official_gold_file_is_recognised_by_its_content(shared, tmp_path):
    copy = tmp_path / "renamed.tsv"
    copy.write_bytes((shared / "data/carb/gold/dev.tsv").read_bytes())
    predicted = shared / "data/carb/system_outputs/dev/openie5_output.txt"
    score = tupelo.score("carb", copy, predicted)
    assert "556 of 638 gold sentences and 556 of 556 predicted ones match; gold is CaRB dev, official" in str(score)
    assert "|gold:renamed.tsv@2081484b|" in score.signature
    assert "|official:carb-dev|" in score.signature


def test_a_gold_file_without_a_known_checksum_is_recognised_in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path / "cache"))
    cached = tmp_path / "cache/datasets/carb/024e0e9/gold/test.tsv"
    cached.parent.mkdir(parents=True)
    cached.write_text("I ate it .\tate\tI\tit\n")
    (tmp_path / "mine.tsv").write_text("I ate it .\tate\tI\tit\n")
    assert tupelo.score("carb", tmp_path / "mine.tsv", tmp_path / "mine.tsv").gold_set == "CaRB test"


@pytest.mark.slow
def test_openie4_in_other_spellings_is_repaired(shared):
    gold_file = str(shared / "data/carb/gold/dev.tsv")
    records = tupelo.read(shared / "oracles/carb/inputs/openie4.openiefour.txt").extractions
    lower = [replace(r, sentence=Sentence(r.sentence.text.lower())) for r in records]
    assert round(100 * tupelo.score("carb", gold_file, lower).f1, 1) == 0.1
    assert round(100 * tupelo.score("carb", gold_file, lower, options=ScoreOptions(align="loose")).f1, 1) == 49.7


def test_a_folder_may_hold_other_files_than_outputs(capsys, tmp_path):
    with example_files(GOLD, *SYSTEMS) as (gold_file, careful, _):
        folder = tmp_path / "systems"
        folder.mkdir()
        (folder / "careful.tsv").write_bytes(careful.read_bytes())
        (folder / "README.md").write_text("# Outputs\n\nMade in May.\n")
        (folder / "other.tsv").write_text("Elsewhere .\t0.5\tis\tit\n")
        status, out, err = run(capsys, "leaderboard", "carb", gold_file, folder, "--latex", "-")
        assert (status, err.count("skipped ")) == (0, 2)
        assert run(capsys, "leaderboard", "carb", gold_file, folder / "README.md").status == 2
    assert r"\begin{tabular}{lrrrrr}" in out
    assert out.count(r" \\") == 2
    assert "\n% carb|" in f"\n{out}"


def test_robust_has_one_rule_for_missing_sentences_in_all_formats(tmp_path):
    first, second = "Ann left Oslo .", "Oslo was left by Ann ."
    cliques = [replace(Extraction.of(text, "left", ["Ann", "Oslo"]), group=first) for text in (first, second)]
    plain = [Extraction.of(first, "left", ["Ann", "Oslo"])]
    files = [tmp_path / name for name in ("gold.json", "pred.json", "pred.tsv")]
    for file, records, format in zip(files, (cliques, cliques[:1], plain), ("robust", "robust", "tab"), strict=True):
        tupelo.write(records, file, format)
    gold_file, *both = files
    by_default = [tupelo.score("robust", gold_file, file) for file in both]
    assert [("|missing:left-out|" in s.signature, "|missing:zero|" in s.signature) for s in by_default] == [
        (True, False),
        (False, True),
    ]
    assert "1 sentences that the predictions lack are left out; --missing zero counts them" in by_default[0].remarks()
    for rule, f1 in (("left-out", 1.0), ("zero", 0.0)):
        assert [tupelo.score("robust", gold_file, file, missing=rule).f1 for file in both] == [f1, f1]
    assert tupelo.score("robust", gold_file, both[0], fixes=["missing-left-out"]).f1 == 0.0


def test_benchie_counts_facts_not_wordings(shared):
    score = tupelo.score(
        "benchie",
        shared / "data/benchie/en/gold_annotations_en.dev.txt",
        sorted((shared / "data/benchie/en/system_extractions").iterdir())[0],
    )
    assert (score.gold, score.details["gold_triples"]) == (739, 5007)
