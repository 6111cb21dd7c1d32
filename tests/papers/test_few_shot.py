"""`papers.few_shot` and its command, asked of a real server that follows a script."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import tupelo
from papers.few_shot import FewShotOptions, reproduce
from tests.cli.runner import run
from tests.extract.chat_server import Endpoint, Misdeed, serve
from tupelo.api.robustness import read_cliques
from tupelo.core import InputError

pytestmark = pytest.mark.model

COMMANDS = {"cliques study"}
CLIQUES = str(Path(__file__).resolve().parents[2] / "docs" / "examples" / "small-cliques.json")
SENTENCES = 9
ASKED = re.compile(r"in the following sentence: ([^\n]*)\n\nPlease show")
SHOWN = re.compile(r"in the sentence: ([^\n]*)\n\nFrom this sentence")
GOLD = {
    sentence.text: "; ".join(f"({', '.join([e.rel.text, *(a.text for a in e.arguments)])})" for e in found)
    for clique in read_cliques(CLIQUES)
    for sentence, found in zip(clique.sentences, clique.extractions, strict=True)
}
CLIQUE_OF = {sentence.text: clique.id for clique in read_cliques(CLIQUES) for sentence in clique.sentences}
QUICK = FewShotOptions(shots=(0, 1, 2), choose=("random", "kernel"), pairs=2, pair_shots=(1, 2))


def asked(prompt: str) -> str:
    found = ASKED.search(prompt)
    assert found is not None
    return found[1]


def scripted(prompt: str) -> str:
    """Originals are always right; paraphrases once two examples are shown."""
    sentence = asked(prompt)
    return GOLD[sentence] if sentence == CLIQUE_OF[sentence] or len(SHOWN.findall(prompt)) > 1 else "none"


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    pytest.importorskip("httpx2", reason="needs the extra 'llm'")
    monkeypatch.setenv("TUPELO_CACHE", str(tmp_path / "cache"))
    with serve() as running:
        running.answer = scripted
        yield running


def settings(endpoint: Endpoint, **others: str) -> dict[str, str]:
    return {"base-url": endpoint.address, "cache": "off", **others}


def test_more_demonstrations_lift_the_worst_wordings(endpoint: Endpoint) -> None:
    steps: list[tuple[str, int, int | None]] = []
    study = reproduce(CLIQUES, "llm:m", QUICK, settings=settings(endpoint), progress=lambda *step: steps.append(step))
    points = {(point.figure, point.choose, point.shots): point for point in study.points}
    assert list(points) == [
        *(("6a", how, shots) for how in ("random", "kernel") for shots in (0, 1, 2)),
        *(("6b", "clique", shots) for shots in (1, 2)),
        ("9", "clique", None),
    ]
    for (figure, _, shots), point in points.items():
        worst = 0.0 if shots in (0, 1) else 1.0
        assert (point.carb["f1"], point.robust["f1"], point.drop) == pytest.approx((1, worst, 1 - worst), abs=0.01)
        assert point.cliques == (3 if figure == "6a" else 2)
    # Of nine sentences the three originals.
    assert points["6a", "random", 1].mean_f1 == pytest.approx(3 / 9, abs=0.01)
    assert points["6a", "random", 0].by_demonstrations == {"hws": None, "kernel": None}
    assert points["6a", "random", 1].by_demonstrations["hws"] is not None
    # All paraphrases are equally wrong, or right up to rounding.
    assert points["6a", "random", 1].by_originals == {"hws": None, "kernel": None}
    assert ("asking", len(endpoint.requests), len(endpoint.requests)) in steps
    assert sum(each.count for each in study.intervals["hws"]) == 2


def test_no_sentence_sees_its_own_clique(endpoint: Endpoint) -> None:
    reproduce(CLIQUES, "llm:m", QUICK, settings=settings(endpoint))
    shown = [(asked(prompt), SHOWN.findall(prompt)) for prompt in endpoint.prompts]
    assert {len(examples) for _, examples in shown} >= {0, 1, 2}
    assert all(CLIQUE_OF[sentence] not in map(CLIQUE_OF.get, examples) for sentence, examples in shown)
    endpoint.requests.clear()
    only = FewShotOptions(shots=(1,), choose=("similar",), pairs=0)
    reproduce(CLIQUES, "llm:m", only, settings=settings(endpoint, exclude="sentence"))
    assert any(CLIQUE_OF[asked(p)] in map(CLIQUE_OF.get, SHOWN.findall(p)) for p in endpoint.prompts)


def test_prompts_are_those_of_an_extraction_with_the_same_settings(endpoint: Endpoint, tmp_path: Path) -> None:
    originals = tmp_path / "originals.jsonl"
    tupelo.write([e for clique in read_cliques(CLIQUES) for e in clique.extractions[0]], originals, "jsonl")
    for how in ("random", "hws"):
        endpoint.requests.clear()
        only = FewShotOptions(shots=(1, 2), choose=(how,), pairs=0, seed=5)
        reproduce(CLIQUES, "llm:m", only, settings=settings(endpoint))
        studied = sorted(prompt for prompt in endpoint.prompts if len(SHOWN.findall(prompt)) == 2)
        endpoint.requests.clear()
        own = settings(endpoint, shots="2", choose=how, seed="5", demonstrations=str(originals), cliques=CLIQUES)
        with tupelo.load(extractor="llm:m", settings=own) as nlp:
            list(nlp.extract("\n".join(GOLD), lines=True))
        assert sorted(endpoint.prompts) == studied


def test_a_run_that_was_stopped_goes_on_where_it_was(endpoint: Endpoint, tmp_path: Path) -> None:
    own = {"base-url": endpoint.address, "cache": str(tmp_path / "answers"), "concurrency": "1"}
    only = FewShotOptions(shots=(1, 2), pairs=0)
    answered = 0

    def stop_after_five(prompt: str) -> str:
        nonlocal answered
        answered += 1
        if answered == 5:
            endpoint.misdeeds.append(Misdeed(status=401))
        return scripted(prompt)

    endpoint.answer = stop_after_five
    with pytest.raises(InputError, match="401"):
        reproduce(CLIQUES, "llm:m", only, settings=own)
    # One request was refused; another one may have been under way.
    stopped = len(endpoint.requests)
    remembered = stopped - 1
    assert remembered in (5, 6)
    endpoint.answer = scripted
    resumed = reproduce(CLIQUES, "llm:m", only, settings=own)
    missing = 2 * SENTENCES - remembered
    assert len(endpoint.requests) - stopped == missing
    assert any(f"{missing} question(s), {remembered} remembered" in note for note in resumed.notes)
    again = reproduce(CLIQUES, "llm:m", only, settings=own)
    assert len(endpoint.requests) - stopped == missing
    assert again.to_dict() == resumed.to_dict()


def test_the_command_writes_what_the_library_returns(
    capsys: pytest.CaptureFixture[str], endpoint: Endpoint, tmp_path: Path
) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra 'plot'")
    table, picture = tmp_path / "runs.csv", tmp_path / "study.svg"
    what = ("--shots", "2,1", "--choose", "random,similar", "--pairs", "2", "--pair-shots", "2", "--seed", "3")
    options = ("--extractor", "llm:m", "--set", f"base-url={endpoint.address}", *what)
    outcome = run(
        capsys, "cliques", "study", CLIQUES, *options, "--json", "--csv", str(table), "--plot", str(picture)
    )
    assert outcome.status == 0
    same = FewShotOptions(shots=(1, 2), choose=("random", "similar"), pairs=2, pair_shots=(2,), seed=3)
    study = reproduce(CLIQUES, "llm:m", same, settings={"base-url": endpoint.address})
    assert json.loads(outcome.out) == json.loads(json.dumps(study.to_dict()))
    assert table.read_text(encoding="utf-8") == study.csv()
    assert study.csv().count("\n") == 1 + len(study.points) == 7
    assert picture.read_bytes().startswith(b"<?xml")
    assert picture.read_bytes() == study.plot("svg")
    assert "question(s)" in outcome.err
    printed = run(capsys, "cliques", "study", CLIQUES, *options).out
    assert printed == f"{study}\n"
    for title in ("Table 1", "Figure 6a", "Figure 6b", "Figure 9"):
        assert title in printed
    assert "exclude:clique" in printed


@pytest.mark.parametrize("paraphrases", [2, 3])
def test_the_default_of_pair_shots_is_what_the_cliques_allow(
    capsys: pytest.CaptureFixture[str], endpoint: Endpoint, tmp_path: Path, paraphrases: int
) -> None:
    cliques = json.loads(Path(CLIQUES).read_text("utf-8"))
    for clique in cliques:
        clique["paraphrases"] = clique["paraphrases"][:paraphrases]
    path = tmp_path / "cliques.json"
    path.write_text(json.dumps(cliques), "utf-8")
    options = ("--shots", "1", "--pairs", "2", "--set", f"base-url={endpoint.address}", "--json")
    outcome = run(capsys, "cliques", "study", path, "--extractor", "llm:m", *options)
    assert outcome.status == 0, outcome.err
    runs = [(point["figure"], point["shots"]) for point in json.loads(outcome.out)["runs"]]
    assert runs == [("6a", 1), *(("6b", shots) for shots in range(1, paraphrases + 2)), ("9", None)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--shots", "3"), "3 demonstration(s) asked for, 2 at hand that do not say the same as 'Engineers"),
        (("--shots", "one"), "Invalid value for '--shots': 'one' is not a valid integer"),
        (("--choose", "nearest"), "is named 'nearest'. Known: random, similar, hws, kernel"),
        (("--pair-shots", "5", "--shots", ""), "no clique has 5 sentences with tuples"),
        (("--pair-shots", "0"), "pair-shots has 0, expected 1 or more"),
        (("--shots", "", "--pairs", "0"), "nothing to run"),
        (("--set", "shots=4"), "the setting 'shots' is what a study decides"),
        (("--set", "exclude=nothing"), "setting 'exclude' is 'nothing'"),
        (("--extractor", "rules"), "is shown no demonstrations, expected llm:MODEL"),
    ],
)
def test_what_cannot_be_run_is_said_before_anything_is_asked(
    capsys: pytest.CaptureFixture[str], endpoint: Endpoint, options: tuple[str, ...], message: str
) -> None:
    own = () if "rules" in options else ("--set", f"base-url={endpoint.address}")
    outcome = run(capsys, "cliques", "study", CLIQUES, "--extractor", "llm:m", *own, *options)
    assert outcome.status == 2
    assert message in outcome.err
    assert not endpoint.requests


def test_demonstrations_may_come_from_another_file(endpoint: Endpoint, tmp_path: Path) -> None:
    others = tmp_path / "others.tsv"
    others.write_text("Dogs bark .\tbark\tDogs\nCats sleep .\tsleep\tCats\n", encoding="utf-8")
    only = FewShotOptions(shots=(2,), choose=("similar",), pairs=0)
    study = reproduce(CLIQUES, "llm:m", only, settings=settings(endpoint), demonstrations=f"carb:{others}")
    assert all(sorted(SHOWN.findall(prompt)) == ["Cats sleep .", "Dogs bark ."] for prompt in endpoint.prompts)
    assert "|demonstrations:others.tsv@" in study.signatures[0]


def test_a_sample_asks_about_some_cliques_and_shows_any(endpoint: Endpoint) -> None:
    only = FewShotOptions(shots=(2,), pairs=0, sample=1)
    study = reproduce(CLIQUES, "llm:m", only, settings=settings(endpoint))
    assert len({CLIQUE_OF[asked(prompt)] for prompt in endpoint.prompts}) == 1
    assert study.statistics.cliques == study.points[0].cliques == 1
