"""`tupelo.score`, `compare` and `leaderboard`: what the commands print, and how parts of others join."""

from __future__ import annotations

import io
import json
from types import ModuleType

import pytest

import tupelo
from tests.cli.runner import run
from tests.extras import needs
from tupelo.api import scoring
from tupelo.core import FormatError, InputError, Triple
from tupelo.core.entailment import EntailmentPair
from tupelo.core.judgement import JudgedText
from tupelo.io.analyses import read_analyses
from tupelo.io.examples import GOLD, SYSTEMS, example_files
from tupelo.io.formats import FORMATS
from tupelo.scorers import SCORERS, Score, ScoreOptions

COMMANDS = {
    "compare",
    "leaderboard",
    "reproduce carb",
    "reproduce robust",
    *(
        f"score {name}"
        for name in ("benchie", "carb", "clusters", "coref", "factuality", "inference", "oie2016", "robust", "wire57")
    ),
}
PLUGIN = '''
"""A package with a scorer of its own."""
from tupelo.scorers import Score
from tupelo.scorers.result import signature


class Counting:
    """Counts tuples and nothing else."""

    name = "counting"
    gold_format = "carb"

    def __init__(self, *, weight: float = 1.0, strictly: bool = False):
        self.weight, self.strictly = weight, strictly

    def options(self):
        return {"weight": self.weight}

    def evaluate(self, gold, predicted):
        return Counted(len(list(gold)), len(list(predicted)), self.weight)


class Counted:
    def __init__(self, gold, predicted, weight):
        self.gold, self.predicted, self.weight = gold, predicted, weight
        self.units = [str(number) for number in range(gold)]

    def score(self, weights=None):
        share = min(1.0, self.weight * self.predicted / self.gold)
        return Score(scorer="counting", precision=share, recall=share, f1=share, auc=None, gold=self.gold,
                     predicted=self.predicted)
'''


@pytest.fixture
def example():
    with example_files(GOLD, *SYSTEMS) as paths:
        yield [str(path) for path in paths]


@pytest.fixture
def counting(monkeypatch):
    """A scorer that the running program registers."""
    made = ModuleType("counting_in_process")
    exec(PLUGIN, vars(made))  # noqa: S102, our own text
    monkeypatch.setattr(SCORERS, "_registered", {})
    return SCORERS.register("counting", made.Counting)


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The same scorer from an installed package."""
    (tmp_path / "counting_plugin.py").write_text(PLUGIN)
    about = tmp_path / "counting_plugin-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting-plugin\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[tupelo.scorers]\ncounting = counting_plugin:Counting\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(vars(SCORERS), "_installed", raising=False)
    yield
    vars(SCORERS).pop("_installed", None)


def command(capsys, *arguments):
    """What the command prints; samples may lack sentences, which is said and nothing else."""
    status, out, err = run(capsys, *arguments, "--json")
    assert (status, [line for line in err.splitlines() if " sentences " not in line]) == (0, [])
    return json.loads(out)


def plain(document):
    """As it comes back from JSON."""
    return json.loads(json.dumps(document))


@pytest.mark.parametrize("options", [{}, {"matcher": "exact"}, {"fixes": ["all"]}])
def test_a_score_is_what_the_command_prints(capsys, example, options):
    gold, predicted, _ = example
    flags = [f"--{'fix' if name == 'fixes' else name}={''.join(value)}" for name, value in options.items()]
    score = tupelo.score("carb", gold, predicted, **options)
    assert score.to_dict() == command(capsys, "score", "carb", gold, predicted, *flags)
    assert f"{score}\n" == run(capsys, "score", "carb", gold, predicted, *flags).out


@pytest.mark.parametrize(
    ("scorer", "gold", "predicted"),
    [
        ("carb", "carb", "openie5"),
        ("oie2016", "oie2016-orig", "props"),
        ("wire57", "wire57-gold", "wire57-gold"),
        ("benchie", "benchie-gold", "benchie"),
        ("robust", "robust", "robust"),
    ],
)
def test_every_scorer_of_tuples_signs_as_its_command_does(capsys, tmp_path, scorer, gold, predicted):
    for name, kind in (("gold", gold), ("predicted", predicted)):
        (tmp_path / name).write_bytes(FORMATS.get(kind).sample_bytes())
    files = (tmp_path / "gold", tmp_path / "predicted")
    score = tupelo.score(scorer, *files, format=predicted)
    assert plain(score.to_dict()) == command(capsys, "score", scorer, *files, "--format", predicted)
    assert ("confidence:normalized" in score.signature) == (scorer == "oie2016")
    assert score.signature in score._repr_html_()


def test_clusters_coref_inference_and_factuality_have_the_same_shape(capsys, tmp_path):
    (tmp_path / "gold.tsv").write_text("x\ta\tb\ny\tc\td\n")
    (tmp_path / "found.tsv").write_text("1\ta\tb\tc\n2\td\n")
    (tmp_path / "pairs.txt").write_text("A,cures,B\tA,helps,B\tTrue\nA,helps,B\tA,cures,B\tFalse\n")
    (tmp_path / "scores.tsv").write_text("0.9\n0.1\n")
    texts = [{"id": str(n), "source": "s", "generated": "g", "score": n} for n in range(4)]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    (tmp_path / "machine.tsv").write_text("".join(f"{n}\t{n / 10}\n" for n in range(4)))
    (tmp_path / "gold.conll").write_text("#begin document (d)\nd 0 0 Ann (0)\nd 0 1 left -\n#end document\n")
    (tmp_path / "found.jsonl").write_text(
        '{"text":"Ann left","words":[{"text":"Ann left","start":0,"end":8}],"mentions":[]}'
    )
    for name, gold, predicted in (
        ("clusters", "gold.tsv", "found.tsv"),
        ("inference", "pairs.txt", "scores.tsv"),
        ("factuality", "judged.jsonl", "machine.tsv"),
        ("coref", "gold.conll", "found.jsonl"),
    ):
        files = (str(tmp_path / gold), str(tmp_path / predicted))
        score = tupelo.score(name, *files)
        assert plain(score.to_dict()) == command(capsys, "score", name, *files)
        assert f"{score}\n" == run(capsys, "score", name, *files).out
        assert "<table" in score._repr_html_()


def test_objects_in_memory_are_scored_and_signed_by_their_content(example):
    gold, predicted, _ = example
    files = tupelo.score("carb", gold, predicted)
    records = tupelo.score("carb", tupelo.read(gold, "carb"), tupelo.read(predicted))
    assert (records.to_dict(), records.system) == (files.to_dict(), "careful")
    bare = tupelo.score("carb", list(tupelo.read(gold, "carb")), list(tupelo.read(predicted)))
    assert bare.f1 == files.f1
    assert "|pred:<records>@" in bare.signature
    assert (
        bare.signature
        == tupelo.score("carb", list(tupelo.read(gold, "carb")), iter(tupelo.read(predicted))).signature
    )
    with open(predicted, "rb") as stream:
        assert tupelo.score("carb", gold, stream).f1 == files.f1
    text = io.StringIO("Ann sleeps .\t0.9\tsleeps\tAnn\n")
    assert tupelo.score("carb", gold, text, format="tab", options=ScoreOptions(allow_unmatched=True)).predicted == 1


def test_coref_options_and_limits_are_those_of_the_library(capsys, tmp_path):
    sentence = "#begin document (d)\nd 0 0 Ann {}\nd 0 1 left -\nd 0 2 her {}\n#end document\n"
    for name, mentions in (("gold", ("(0)", "(0)")), ("found", ("(0)", "(1)"))):
        (tmp_path / f"{name}.conll").write_text(sentence.format(*mentions))
    files = (str(tmp_path / "gold.conll"), str(tmp_path / "found.conll"))
    dropped = tupelo.score(
        "coref", *files, singletons="drop", format="conll", options=ScoreOptions(gold_format="conll")
    )
    options = ("--singletons", "drop", "--format", "conll", "--gold-format", "conll")
    assert plain(dropped.to_dict()) == command(capsys, "score", "coref", *files, *options)
    assert (dropped.predicted, dropped.gold) == (0, 2)
    assert "|singletons:drop|" in dropped.signature
    below = run(capsys, "score", "coref", *files, "--min-f1", "0.9")
    assert (below.status, "CoNLL F1 0.3704 is below 0.9" in below.err) == (1, True)
    sides = [read_analyses(name, "conll") for name in files]
    memory = tupelo.score("coref", *sides)
    assert memory.figures == tupelo.score("coref", *files).figures
    assert memory.signature.startswith("coref|gold:<analyses>@")
    (tmp_path / "bare.conllu").write_text("1\tAnn" + "\t_" * 8 + "\n\n")
    refused = run(capsys, "score", "coref", files[0], tmp_path / "bare.conllu")
    assert refused.status == 2
    assert "gold.conll" in refused.err
    assert "no mentions on the predicted side" in refused.err


def test_clusters_pairs_and_judgements_in_memory():
    found = tupelo.score("clusters", [["a", "b"], ["c"]], [["a"], ["b", "c"]])
    assert found.to_arrow().num_rows == 1
    assert found.signature.startswith("clusters|gold:<clusters>@")
    triple, other = Triple("A", "cures", "B"), Triple("A", "helps", "B")
    pairs = [EntailmentPair(triple, other, True), EntailmentPair(other, triple, False)]
    assert tupelo.score("inference", pairs, [0.9, 0.1]).f1 == 1.0
    texts = [JudgedText(id=str(n), generated="g", source="s", score=float(n), label=n > 1) for n in range(4)]
    judged = tupelo.score("factuality", texts, {str(n): n / 3 for n in range(4)}, samples=10)
    assert judged.pearson.value == pytest.approx(1.0)


def test_faulty_lines_are_collected(tmp_path, example):
    (tmp_path / "faulty.tsv").write_text("only one field\nAnn sleeps .\t0.9\tsleeps\tAnn\n")
    with pytest.raises(FormatError):
        tupelo.score("carb", example[0], tmp_path / "faulty.tsv", format="tab")
    skip = ScoreOptions(on_error="skip", allow_unmatched=True)
    score = tupelo.score("carb", example[0], tmp_path / "faulty.tsv", format="tab", options=skip)
    assert len(score.skipped) == 1
    assert "|pred-skipped:1|" in score.signature


def test_progress_reports_what_is_read(example):
    seen = []
    tupelo.score("carb", *example[:2], progress=lambda *step: seen.append(step))
    assert {what.partition(" ")[0] for what, _, _ in seen} == {"reading"}


@pytest.mark.slow
@needs("matplotlib", "plot")
def test_pictures_are_methods_of_results(example, tmp_path):
    gold, *systems = example
    score = tupelo.score("carb", gold, systems[0])
    assert score.plot("svg").startswith(b"<?xml")
    scoring.write_plot(tmp_path / "curve.png", score)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert tupelo.leaderboard("carb", gold, systems).plot("svg")


def test_reports_are_methods_of_a_score(example):
    score = tupelo.score("carb", *example[:2], keep_records=True)
    assert score.curve_csv().startswith("precision,recall,threshold\n")
    assert "careful against" in score.error_page(worst=1)
    with pytest.raises(InputError, match="keep_records=True"):
        tupelo.score("carb", *example[:2]).error_page()


def test_a_comparison_is_what_the_command_prints(capsys, example):
    gold, *systems = example
    found = tupelo.compare("carb", gold, systems, samples=20)
    assert plain(found.to_dict()) == command(capsys, "compare", "carb", gold, *systems, "--samples", "20")
    assert f"{found}\n" == run(capsys, "compare", "carb", gold, *systems, "--samples", "20").out
    assert found.to_arrow().num_rows == 2 * 4
    assert found._repr_html_().startswith("<table>")
    named = tupelo.compare("carb", gold, {"a": list(tupelo.read(systems[0])), "tab one": systems[1]}, samples=5)
    assert [system.system for system in named.systems] == ["a", "tab one"]


def test_a_leaderboard_is_what_the_command_prints(capsys, example):
    gold, *systems = example
    board = tupelo.leaderboard("carb", gold, systems)
    assert plain(board.to_dict()) == command(capsys, "leaderboard", "carb", gold, *systems)
    assert f"{board}\n" == run(capsys, "leaderboard", "carb", gold, *systems).out
    assert board.to_arrow().column_names[0] == "system"
    assert "<td>eager</td>" in board._repr_html_()
    assert list(tupelo.leaderboard("carb", gold, {"b": systems[0], "a": systems[1]}, sort="name").scores) == [
        "a",
        "b",
    ]


def test_papers_return_what_the_commands_print(capsys, tmp_path):
    from papers import carb, robust

    (tmp_path / "carb" / "gold").mkdir(parents=True)
    (tmp_path / "carb" / "gold" / "dev.tsv").write_text("I ate .\tate\tI\n")
    found = carb.reproduce(tmp_path, "dev")
    status, out, err = run(capsys, "reproduce", "carb", "--data", tmp_path, "--split", "dev", "--json")
    assert (status, json.loads(out)) == (0, plain(found.to_dict()))
    assert err.count("not found: ") == len(found.missing)
    cliques = tmp_path / "cliques.json"
    cliques.write_bytes(FORMATS.get("robust").sample_bytes())
    table = robust.reproduce(cliques, [cliques])
    assert plain(table.to_dict()) == command(capsys, "reproduce", "robust", cliques, cliques)
    assert f"{table}\n" == run(capsys, "reproduce", "robust", cliques, cliques).out


def uses_the_scorer_everywhere(capsys, example):
    gold, *systems = example
    assert "Counts tuples and nothing else." in run(capsys, "score", "--help").out
    page = run(capsys, "score", "counting", "--help").out
    assert "--weight FLOAT" in page
    assert "--strictly" in page
    assert "--fix" not in page
    found = command(capsys, "score", "counting", gold, systems[0], "--weight", "0.5")
    assert found == tupelo.score("counting", gold, systems[0], weight=0.5).to_dict()
    assert "|weight:0.5|" in found["signature"]
    assert (
        command(capsys, "compare", "counting", gold, *systems, "--samples", "5", "--weight", "2")["scorer"]
        == "counting"
    )
    assert len(command(capsys, "leaderboard", "counting", gold, *systems)) == 2


def test_a_registered_scorer_is_in_every_command(capsys, example, counting):
    uses_the_scorer_everywhere(capsys, example)


def test_an_installed_scorer_is_in_every_command(capsys, example, installed):
    uses_the_scorer_everywhere(capsys, example)


def test_unknown_scorers_and_options_are_named(capsys, example):
    with pytest.raises(tupelo.TupeloError, match=r"no scorer named 'crab'. Did you mean 'carb'"):
        tupelo.score("crab", *example[:2])
    with pytest.raises(InputError, match="carb has no option --mode"):
        tupelo.score("carb", *example[:2], mode="minimal")
    with pytest.raises(InputError, match="expected one that reads tuples: carb, oie2016"):
        tupelo.compare("clusters", *example[:1], example[1:])
    status, _, err = run(capsys, "compare", "crab", *example)
    assert (status, err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda gold: tupelo.score("carb", gold, gold, options=ScoreOptions(align="lose")),
            "align='lose', expected 'exact' or 'loose'",
        ),
        (
            lambda gold: tupelo.score("carb", gold, gold, options=ScoreOptions(on_error="pass")),
            "on_error='pass', expected 'raise' or",
        ),
        (lambda gold: tupelo.leaderboard("carb", gold, [gold], sort="f2"), "sort='f2', expected 'f1' or 'auc'"),
        (lambda gold: tupelo.compare("carb", gold, [gold, gold], samples=0), "samples=0, expected 1 or more"),
        (lambda gold: tupelo.compare("carb", gold, "eager.tsv"), "one file of predictions, expected two or more"),
    ],
)
def test_a_value_that_an_argument_cannot_have_is_refused(call, message):
    with pytest.raises(InputError, match=message):
        call([tupelo.Extraction.of("Ann sold it", "sold", ["Ann", "it"])])


def test_a_result_that_is_no_score_is_refused(counting, example, monkeypatch):
    monkeypatch.setattr(counting, "evaluate", lambda *_: type("Odd", (), {"score": lambda self: 0.5})())
    with pytest.raises(InputError, match=r"returned float, expected a tupelo.scorers.Score"):
        tupelo.score("counting", *example[:2])


def test_a_score_has_html_that_escapes_everything():
    score = Score(scorer="<b>", precision=1, recall=1, f1=1, auc=None, gold=1, predicted=1, signature="<i>")
    assert "<b>" not in score._repr_html_()
    assert "<i>" not in score._repr_html_()
