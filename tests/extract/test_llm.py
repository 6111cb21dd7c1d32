"""Language models as extractors: prompts, answers, examples, and the whole way through a real server."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.chat_server import Endpoint
from tests.extract.trees import BORN, analysis, bare
from tupelo.core import Analysis, Entity, Extraction, InputError, Sentence
from tupelo.core.protocols import Extractor
from tupelo.extract import EXTRACTORS
from tupelo.extract.llm.answers import ReplyError, read_answer
from tupelo.extract.llm.prompt import (
    FIGURE_8,
    Demonstration,
    DemonstrationChoice,
    Siblings,
    build_prompt,
    gather,
    likeness,
    outline_likeness,
    outline_of,
)
from tupelo.extract.parts import is_true_to
from tupelo.io.services import LocalServices

WATSON = "Watson, who was elected by his caucus in November 1998, has served as Minority Leader since then."


def parts(text: str, sentence: str = WATSON, **options: bool) -> list[tuple[str | None, ...]]:
    return list(read_answer(text, sentence, **options).tuples)


def test_one_example_gives_the_prompt_of_the_figure() -> None:
    prompt = build_prompt("Dogs\nbark.", [FIGURE_8])
    assert prompt.startswith("Open information extraction requires the extraction of all relations in the sentence")
    assert "elements. For example, in the sentence: Watson, who was" in prompt
    assert (
        "can be extracted: (was elected by, Wastson, his caucus in November 1998); "
        "(has served as, Wastson, Minority Leader, since then)\n\nIn these tuples, we always put the predicate first"
    ) in prompt
    assert "tuples in the following sentence: Dogs bark.\n\n" in prompt
    assert prompt.endswith("Please show the results in one line strictly in the form of the results above")


def test_several_examples_follow_each_other_and_none_needs_none() -> None:
    other = Demonstration("Cats sleep.", (("sleep", "Cats"),))
    assert build_prompt("x", [FIGURE_8, other]).count("For example, in the sentence:") == 2
    prompt = build_prompt("x", [])
    assert "example" not in prompt
    assert "(predicate, subject, object, time, place)" in prompt


@pytest.mark.parametrize(
    "answer",
    [
        "(was elected by, Watson, his caucus); (has served as, Watson, Minority Leader)",
        "```\n(was elected by, Watson, his caucus); (has served as, Watson, Minority Leader)\n```",
        "Here are the tuples:\n1. (was elected by, Watson, his caucus)\n2. (has served as, Watson, Minority Leader)",
        "- [was elected by, Watson, his caucus]\n- [has served as, Watson, Minority Leader]",
        '("was elected by", "Watson", "his caucus"); ("has served as", "Watson", "Minority Leader")',
        "(was elected by; Watson; his caucus)\n(has served as; Watson; Minority Leader)",
        "(was elected by | Watson | his caucus) (has served as | Watson | Minority Leader)",
        '[["was elected by", "Watson", "his caucus"], ["has served as", "Watson", "Minority Leader", null]]',
        '{"tuples": [{"predicate": "was elected by", "subject": "Watson", "object": "his caucus"},'
        ' {"Relation": "has served as", "arg1": "Watson", "arg2": "Minority Leader", "time": null}]}',
        "(predicate: was elected by, subject: Watson, object: his caucus); "
        "(has served as, Watson, Minority Leader, N/A)",
    ],
)
def test_what_models_wrap_around_tuples_is_taken_off(answer: str) -> None:
    assert parts(answer) == [
        ("was elected by", "Watson", "his caucus"),
        ("has served as", "Watson", "Minority Leader"),
    ]


def test_a_comma_inside_a_part_is_told_by_the_sentence() -> None:
    sentence = "Ann lives in Paris, France, and paid 1,200 euros."
    assert parts("(lives in, Ann, Paris, France)", sentence) == [("lives in", "Ann", "Paris, France")]
    assert parts("(paid, Ann, 1,200 euros)", sentence) == [("paid", "Ann", "1,200 euros")]
    assert parts("(is, Bush, President)", "Bush, President, spoke.") == [("is", "Bush", "President")]
    assert parts("(has served as, Watson, Minority Leader, since then)") == [
        ("has served as", "Watson", "Minority Leader", "since then")
    ]


def test_brackets_inside_a_part_belong_to_it() -> None:
    assert parts("(joined, Ann, the union (UNI))", "Ann joined the union (UNI).") == [
        ("joined", "Ann", "the union (UNI)")
    ]


def test_a_part_in_the_middle_may_be_empty() -> None:
    assert parts("(left, Ann, , in May)", "Ann left in May.") == [("left", "Ann", None, "in May")]


@pytest.mark.parametrize("answer", ["", "None", "()", "[]", "No tuples.", "```\n```", " \n", "{}"])
def test_no_tuples_at_all_is_an_answer(answer: str) -> None:
    assert parts(answer) == []


def test_half_a_tuple_at_the_end_is_left_out_and_said() -> None:
    answer = read_answer("(was elected by, Watson, his caucus); (has served", WATSON, finished=False)
    assert answer.tuples == (("was elected by", "Watson", "his caucus"),)
    assert answer.repairs == ("half a tuple left out",)
    assert read_answer("(has served", WATSON, finished=False).tuples == ()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("I am sorry, but I cannot do that.", r"expected \(predicate, subject, object\)"),
        ("(has served", "a bracket that is never closed"),
        ("(left)", "expected a predicate and a subject"),
        ("(, Ann, x)", "expected a predicate and a subject"),
        ("(a, b, c, d, e, f, g)", "a tuple of 7 parts"),
    ],
)
def test_anything_else_is_an_error_that_shows_it(answer: str, message: str) -> None:
    with pytest.raises(ReplyError, match=message):
        parts(answer)


@given(st.text(alphabet=st.sampled_from("ab ,;()[]{}|\"'`\n-1.:"), max_size=60), st.booleans())
def test_any_answer_is_read_or_refused(text: str, finished: bool) -> None:
    try:
        answer = read_answer(text, "a b, a; b", finished=finished)
    except ReplyError:
        return
    for item in answer.tuples:
        assert 2 <= len(item) <= 5
        assert item[0]
        assert item[1]


POOL = [Demonstration(f"Sentence {n}.", (("is", str(n)),)) for n in range(20)]


def test_a_random_choice_depends_on_seed_and_sentence_only() -> None:
    choice = DemonstrationChoice(POOL, 3, seed=7)
    assert choice.choose(BORN) == DemonstrationChoice(POOL, 3, seed=7).choose(BORN)
    assert len({item.sentence for item in choice.choose(BORN)}) == 3
    assert choice.choose(BORN) != DemonstrationChoice(POOL, 3, seed=8).choose(BORN)
    assert choice.choose(BORN) != choice.choose(bare("Other words"))


def test_a_sentence_is_never_its_own_example() -> None:
    pool = [Demonstration("Ann was born in Oslo.", ()), *POOL[:2]]
    compare = outline_likeness([BORN] * 3)
    assert pool[0] not in DemonstrationChoice(pool, 3).choose(BORN)
    assert pool[0] not in DemonstrationChoice(pool, 3, compare=compare).choose(BORN)


def test_similar_means_built_alike_and_the_most_similar_comes_last() -> None:
    twin = analysis(
        "Bo was seen at Ely.",
        "Bo PROPN 3 nsubj:pass",
        "was AUX 3 aux:pass",
        "seen VERB 0 root",
        "at ADP 5 case",
        "Ely PROPN 3 obl",
        ". PUNCT 3 punct",
    )
    cousin = analysis(
        "Bo was seen.", "Bo PROPN 3 nsubj:pass", "was AUX 3 aux:pass", "seen VERB 0 root", ". PUNCT 3 punct"
    )
    stranger = analysis("Run!", "Run VERB 0 root", "! PUNCT 1 punct")
    assert likeness(outline_of(BORN), outline_of(twin)) == pytest.approx(1.0)
    pool = [Demonstration(item.text, ()) for item in (stranger, twin, cousin)]
    compare = outline_likeness([stranger, twin, cousin])
    assert [item.sentence for item in DemonstrationChoice(pool, 2, compare=compare).choose(BORN)] == [
        cousin.text,
        twin.text,
    ]
    assert likeness(outline_of(bare("x")), outline_of(BORN)) == 0.0


def test_no_sentence_of_the_same_clique_is_shown() -> None:
    asked, original, twin = BORN.text, "In Oslo Ann saw the light of day.", "The birthplace of Ann is Oslo."
    stranger = Demonstration("Dogs bark.", (("bark", "Dogs"),))
    records = [
        replace(Extraction.of(text, "r", ["a"]), group=group)
        for text, group in ((original, "c"), (asked, "c"), (twin, "c"), ("Dogs bark.", "d"), ("Do dogs bark?", "d"))
    ]
    pool = [Demonstration(original, ()), Demonstration(twin, ()), stranger]
    siblings = Siblings.of(records)
    assert DemonstrationChoice(pool, 3, 0, siblings).choose(BORN) == [stranger]
    compare = outline_likeness([BORN] * 3)
    assert DemonstrationChoice(pool, 3, 0, siblings, compare).choose(BORN) == [stranger]
    assert len(DemonstrationChoice(pool, 3, 0, Siblings(siblings.cliques, alone=True)).choose(BORN)) == 3


def test_a_paraphrase_is_not_shown_even_where_no_clique_is_known() -> None:
    original = "Watson was elected by his caucus in November 1998 and has served as Minority Leader."
    pool = [Demonstration(original, ()), Demonstration("The caucus elected a treasurer in November.", ())]
    assert Siblings().others(WATSON, pool) == [1]
    assert Siblings(alone=True).others(WATSON, pool) == [0, 1]


def test_examples_are_gathered_by_sentence() -> None:
    records = [
        Extraction.of("Ann  left.", "left", ["Ann"]),
        Sentence("Nothing."),
        Extraction.of("Bo ran home.", "ran", ["Bo", "home"]),
        Extraction.of("Ann left.", "went", ["Ann"]),
    ]
    assert gather(records) == [
        Demonstration("Ann left.", (("left", "Ann"), ("went", "Ann"))),
        Demonstration("Bo ran home.", (("ran", "Bo", "home"),)),
    ]


def extractor(endpoint: Endpoint, services: LocalServices | None = None, **settings: str) -> Extractor:
    chosen = {"base-url": endpoint.address, "cache": "off", "longest-wait": "0", **settings}
    named = {name.replace("_", "-"): value for name, value in chosen.items()}
    return EXTRACTORS.get("llm")("m", named, services or LocalServices({}))


@pytest.fixture
def services() -> Iterator[LocalServices]:
    made = LocalServices({"OPENAI_API_KEY": "sk-1"}, lambda sentences: (bare(sentence) for sentence in sentences))
    yield made
    made.close()


def test_tuples_of_an_answer_stand_in_the_sentence(endpoint: Endpoint, services: LocalServices) -> None:
    endpoint.answer = lambda prompt: "(was born in, Ann, Oslo); (is a native of, ann, Oslo)"
    ((first, second),) = extractor(endpoint, services).extract([BORN])
    assert str(first) == "(Ann; was born in; Oslo)"
    assert (first.rel.tokens, first.extractor, first.confidence) == ((1, 2, 3), "m", 1.0)
    assert second.rel.text == "is a native of"
    assert second.rel.inferred == (0, 1, 2, 3)
    for item in (first, second):
        assert all(is_true_to(part, item.sentence) for part in (item.rel, *item.arguments))
    assert endpoint.headers[0]["authorization"] == "Bearer sk-1"


def test_time_and_place_are_told_apart(endpoint: Endpoint, services: LocalServices) -> None:
    endpoint.answer = lambda prompt: "(met, Ann, Bo, in May, in Oslo); (met, Ann, Bo, in Oslo); (met, Ann, Bo, twice)"
    sentence = analysis(
        "Ann met Bo in May in Oslo",
        "Ann PROPN 2 nsubj",
        "met VERB 0 root",
        "Bo PROPN 2 obj",
        "in ADP 5 case",
        "May PROPN 2 obl",
        "in ADP 7 case",
        "Oslo PROPN 2 obl",
        entities=(Entity("date", 4, 5), Entity("place", 6, 7)),
    )
    (found,) = extractor(endpoint, services).extract([sentence])
    assert [[argument.role for argument in item.args] for item in found] == [
        [None, "time", "location"],
        [None, "location"],
        [None, None],
    ]


def test_answers_come_in_order_and_no_more_than_allowed_at_once(endpoint: Endpoint, services: LocalServices) -> None:
    def answer(prompt: str) -> str:
        number = int(prompt.partition("following sentence: Number ")[2].split()[0])
        time.sleep(0.02 if number % 3 == 0 else 0)
        return f"(is, Number, {number})"

    endpoint.answer = answer
    sentences = [bare(f"Number {n} is up") for n in range(12)]
    found = list(extractor(endpoint, services, concurrency="3").extract(sentences))
    assert [items[0].args[0].text for items in found] == [str(n) for n in range(12)]
    assert 2 <= endpoint.most_at_once <= 3


def test_a_book_is_not_read_ahead(endpoint: Endpoint, services: LocalServices) -> None:
    taken = 0

    def sentences() -> Iterator[Analysis]:
        nonlocal taken
        while True:
            taken += 1
            yield bare("Ann left")

    found = extractor(endpoint, services, concurrency="2").extract(sentences())
    next(found)
    assert taken <= 4
    found.close()  # type: ignore[attr-defined]


def test_an_unreadable_answer_is_asked_for_again_then_an_error(endpoint: Endpoint, services: LocalServices) -> None:
    answers = ["No idea!", "(left, Ann)"]
    endpoint.answer = lambda prompt: answers.pop(0)
    assert [len(items) for items in extractor(endpoint, services).extract([bare("Ann left")])] == [1]
    endpoint.answer = lambda prompt: "No idea!"
    with pytest.raises(InputError, match=r"m answered about 'Ann left' with 'No idea!', expected"):
        list(extractor(endpoint, services, ask_again="0").extract([bare("Ann left")]))


def test_errors_can_be_skipped_and_are_reported(endpoint: Endpoint, services: LocalServices) -> None:
    endpoint.answer = lambda prompt: "No idea!" if "Ann" in prompt else "(left, Bo)"
    found = list(
        extractor(endpoint, services, on_error="skip", shots="0").extract([bare("Ann left"), bare("Bo left")])
    )
    assert [len(items) for items in found] == [0, 1]
    assert any("skipped" in line and "Ann left" in line for line in services.report())


def test_an_interrupted_job_goes_on_where_it_stopped(endpoint: Endpoint, tmp_path: Path) -> None:
    sentences = [bare(f"Ann left {n}") for n in range(6)]
    cache = str(tmp_path / "cache")
    first = LocalServices({})
    running = extractor(endpoint, first, cache=cache, concurrency="1").extract(sentences)
    for _ in range(3):
        next(running)
    running.close()  # type: ignore[attr-defined]
    asked = len(endpoint.requests)
    assert 3 <= asked < 6
    second = LocalServices({})
    assert len(list(extractor(endpoint, second, cache=cache, concurrency="1").extract(sentences))) == 6
    assert len(endpoint.requests) == 6
    assert f"{asked} remembered" in second.report()[-1]
    first.close()
    second.close()


def test_an_empty_sentence_is_not_asked_about(endpoint: Endpoint, services: LocalServices) -> None:
    assert list(extractor(endpoint, services).extract([Analysis("", ())])) == [[]]
    assert endpoint.requests == []


def test_demonstrations_come_from_a_file_at_random_or_by_likeness(
    endpoint: Endpoint, services: LocalServices, tmp_path: Path
) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("Cats sleep .\t1\tsleep\tCats\nDogs bark at cats .\t1\tbark at\tDogs\tcats\n", encoding="utf-8")
    for how in ("random", "similar"):
        list(
            extractor(endpoint, services, demonstrations=str(path), shots="2", choose=how).extract([bare("Ann left")])
        )
    assert all("(bark at, Dogs, cats)" in prompt and "(sleep, Cats)" in prompt for prompt in endpoint.prompts)


def test_a_measure_from_outside_may_choose_by_constituents(endpoint: Endpoint, tmp_path: Path) -> None:
    class ByLength:
        """The nearer in length, the more alike."""

        def to(self, analyses: Sequence[Analysis]) -> Callable[[Analysis], list[float]]:
            return lambda analysis: [1 / (1 + abs(len(analysis.text) - len(other.text))) for other in analyses]

    path = tmp_path / "gold.tsv"
    path.write_text("Cats sleep .\t1\tsleep\tCats\nDogs bark at cats .\t1\tbark at\tDogs\tcats\n", encoding="utf-8")
    services = LocalServices({}, lambda sentences: (bare(sentence) for sentence in sentences))
    with pytest.raises(InputError, match="no measure 'hws' to choose demonstrations by"):
        extractor(endpoint, services, demonstrations=str(path), choose="hws")
    asked: list[str] = []
    services.compare_with(lambda name: asked.append(name) or ByLength())  # type: ignore[func-returns-value]
    made = extractor(endpoint, services, demonstrations=str(path), choose="hws")
    assert "constituents" in made.needs
    list(made.extract([bare("Ann left .")]))
    assert asked == ["hws"]
    assert "(sleep, Cats)" in endpoint.prompts[-1]
    assert "(bark at, Dogs, cats)" not in endpoint.prompts[-1]
    services.close()


def test_the_address_may_come_from_the_environment(endpoint: Endpoint) -> None:
    services = LocalServices({"OPENAI_BASE_URL": endpoint.address})
    made = EXTRACTORS.get("llm")("m", {"cache": "off"}, services)
    assert len(list(made.extract([bare("Ann left")]))) == 1
    assert "authorization" not in endpoint.headers[0]
    services.close()


@pytest.mark.parametrize(
    ("model", "settings", "message"),
    [
        ("", {}, "names no model"),
        ("m", {"shot": "1"}, "Did you mean 'shots'"),
        ("m", {"shots": "2"}, "2 demonstration.s. asked for, 1 at hand; name a file"),
        ("m", {"shots": "many"}, "expected a whole number"),
        ("m", {"choose": "best"}, "expected random or similar or hws or kernel"),
        ("m", {"on-error": "cry"}, "expected raise or skip"),
        ("m", {"temperature": "nan"}, "expected a number"),
        ("m", {"base-url": "localhost"}, "begins with http"),
        ("m", {"demonstrations": "/no/such/file"}, "No such file"),
        ("m", {"choose": "similar"}, "no parser"),
    ],
)
def test_bad_settings_are_one_clear_error(model: str, settings: dict[str, str], message: str) -> None:
    with pytest.raises((InputError, LookupError), match=message):
        EXTRACTORS.get("llm")(model, settings, LocalServices({}))


def test_without_the_outside_world_the_error_says_how_to_give_it() -> None:
    with pytest.raises(InputError, match="services="):
        EXTRACTORS.get("llm")("m", {}, None)


def test_a_tuple_of_very_many_parts_is_refused_without_joining_them() -> None:
    text = "[1, a's " * 5_000 + "]" * 5_000
    with pytest.raises(ReplyError, match="a tuple of 5001 parts"):
        read_answer(text, text)
