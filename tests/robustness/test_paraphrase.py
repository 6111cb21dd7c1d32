"""Paraphrasers other than our own: a checkpoint on disk, a language model behind an endpoint."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.extract.chat_server import serve
from tests.extras import needs
from tests.robustness.rewrite.sentences import FOUND
from tupelo.core import Constituent, InputError, UnknownNameError
from tupelo.io.services import LocalServices
from tupelo.robustness.candidates import Original
from tupelo.robustness.paraphrase import PARAPHRASERS, Tools, kept_tuples, plain_candidates
from tupelo.robustness.paraphrase.llm import LlmParaphraser, read_list
from tupelo.robustness.sample import SyntaxSampler
from tupelo.robustness.trees import ConstituencyTree
from tupelo_training.seq2seq import Seq2SeqParaphraser

ORIGINAL = Original(
    type(FOUND)(
        FOUND.text,
        FOUND.words,
        constituents=(Constituent("S", 0, 11), Constituent("NP", 0, 2), Constituent("VP", 2, 10)),
    ),
    (("found", "Mr. Baker", "an opening"), ("found", "Mr. Baker", "an opening", "under the house")),
)
SAMPLER = SyntaxSampler(
    [
        (
            ConstituencyTree(("S", "NP", "VP"), ((1, 2), (), ())),
            ConstituencyTree(("S", "PP", "NP", "VP"), ((1, 2, 3), (), (), ())),
        )
    ]
)


class NoParser:
    name = "none"

    def analyze(self, *_: object, **__: object) -> list[object]:
        raise AssertionError("nothing to parse here")


TOOLS = Tools(NoParser())  # type: ignore[arg-type]


def test_every_paraphraser_has_a_title() -> None:
    assert set(PARAPHRASERS) >= {"rewrite", "seq2seq", "llm"}
    assert all(PARAPHRASERS.title(name) for name in PARAPHRASERS)


def test_tuples_stay_with_a_paraphrase_that_has_their_words() -> None:
    assert kept_tuples(ORIGINAL, "An opening was found by Mr. Baker.", {}) == (("found", "Mr. Baker", "an opening"),)
    assert kept_tuples(ORIGINAL, "He found nothing.", {}) == ()


def test_repetitions_and_the_original_are_no_candidates() -> None:
    texts = [(FOUND.text.upper(), "a"), ("Baker found it .", "a"), ("Baker  found it.", "b"), (" ", "c")]
    assert [candidate.text for candidate in plain_candidates(ORIGINAL, texts)] == ["Baker found it ."]


@pytest.mark.parametrize(
    ("answer", "items"),
    [
        ("1. One.\n2. Two.", ["One.", "Two."]),
        ("Here you are:\n- One.\n* Two.\n\nBye", ["One.", "Two."]),
        ("nothing of the kind", []),
        ("", []),
    ],
)
def test_lists_are_read_from_answers(answer: str, items: list[str]) -> None:
    assert list(read_list(answer)) == items


@needs("httpx2", "llm")
def test_an_endpoint_is_asked_for_paraphrases(tmp_path: Path) -> None:
    with serve() as endpoint:
        endpoint.answer = lambda prompt: "1. It was Mr. Baker who found an opening.\n2. An opening was found."
        services = LocalServices({"OPENAI_BASE_URL": endpoint.address, "TUPELO_CACHE": str(tmp_path)})
        tools = Tools(NoParser(), sampler=SAMPLER, services=services)  # type: ignore[arg-type]
        maker = PARAPHRASERS.get("llm")("some-model", {"number": "4"}, tools)
        found = maker.paraphrase([ORIGINAL])
        services.close()
    assert [candidate.text for candidate in found[0]] == [
        "It was Mr. Baker who found an opening.",
        "An opening was found.",
    ]
    assert found[0][0].tuples == (("found", "Mr. Baker", "an opening"),)
    assert "in 4 different ways" in endpoint.prompts[0]
    assert "(S (PP) (NP) (VP))" in endpoint.prompts[0]


def test_a_model_may_replace_words_that_it_names() -> None:
    class Chat:
        def complete(self, prompt: str, *, fresh: bool = False) -> object:
            from tupelo.core.protocols import Reply

            assert "content words" not in prompt
            assert "Use other words" in prompt
            answers = ["A gap was discovered by Mr. Baker. {found = discovered; an opening = a gap}"]
            answers.append("Mr. Baker spotted an opening. {found = saw}")
            return Reply("\n".join(f"{n}. {answer}" for n, answer in enumerate(answers, 1)))

    named, misnamed = LlmParaphraser(Chat()).paraphrase([ORIGINAL])[0]  # type: ignore[arg-type]
    assert named.text == "A gap was discovered by Mr. Baker."
    assert ("discovered", "Mr. Baker", "a gap") in named.tuples
    # The word that is said to stand for "found" is not in the sentence.
    assert (misnamed.text, misnamed.tuples) == ("Mr. Baker spotted an opening.", ())


def test_a_line_that_was_cut_off_is_left_out() -> None:
    class Chat:
        def complete(self, prompt: str, *, fresh: bool = False) -> object:
            from tupelo.core.protocols import Reply

            return Reply("1. It was found.\n2. It was fou", finished=False)

    found = LlmParaphraser(Chat()).paraphrase([ORIGINAL])  # type: ignore[arg-type]
    assert [candidate.text for candidate in found[0]] == ["It was found."]


@pytest.mark.parametrize(
    ("name", "argument", "settings", "message"),
    [
        ("llm", "", {}, "names no model"),
        ("llm", "x", {}, "needs a network"),
        ("seq2seq", "", {}, "names no folder"),
        ("seq2seq", "x", {"number": "none"}, "expected a whole number"),
        ("rewrite", "", {"depth": "0"}, "1 or more"),
    ],
)
def test_bad_settings_are_refused(name: str, argument: str, settings: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        PARAPHRASERS.get(name)(argument, settings, TOOLS)


def test_unknown_rules_and_settings_are_refused() -> None:
    with pytest.raises(UnknownNameError, match="passive"):
        PARAPHRASERS.get("rewrite")("pasive", {}, TOOLS)
    with pytest.raises(UnknownNameError, match="depth"):
        PARAPHRASERS.get("rewrite")("", {"dept": "2"}, TOOLS)


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny encoder-decoder with random weights and a word tokenizer, saved as any checkpoint is."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("tiny")
    words = [
        "<pad>",
        "</s>",
        "<unk>",
        "<sep>",
        *["(", ")", "S", "NP", "VP", "PP", ".", "an", "the", "found", "opening", "house", "was", "under", "by", "in"],
    ]
    model = tokenizers.Tokenizer(tokenizers.models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
    model.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=model,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        additional_special_tokens=["<sep>"],
    )
    torch.manual_seed(1)
    config = transformers.T5Config(
        vocab_size=len(words),
        d_model=16,
        d_kv=8,
        d_ff=16,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder, safe_serialization=True)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")
def test_a_checkpoint_paraphrases_towards_target_parses(checkpoint: Path) -> None:
    maker = Seq2SeqParaphraser(str(checkpoint), sampler=SAMPLER, beams=2, longest=24)
    [asked] = maker._inputs(ORIGINAL)
    assert asked[1] == f"{FOUND.text} <sep> {asked[1].split(' <sep> ')[1]} <sep> (S (PP) (NP) (VP))"
    first, again = maker.paraphrase([ORIGINAL]), maker.paraphrase([ORIGINAL])
    assert first == again
    assert all("<" not in candidate.text for candidate in first[0])


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning", "ignore::FutureWarning")
def test_without_a_corpus_beams_give_the_variety(checkpoint: Path) -> None:
    maker = Seq2SeqParaphraser(str(checkpoint), number=3, beams=3, longest=12)
    answers = maker._generate([FOUND.text])
    assert len(answers) == 1
    assert len(answers[0]) == 3


def test_what_follows_the_last_separator_is_the_sentence() -> None:
    class Tokenizer:
        all_special_tokens = ("<pad>", "</s>", "<sep>")

        def decode(self, row: str, skip_special_tokens: bool) -> str:
            return row

    maker = Seq2SeqParaphraser("nowhere")
    assert maker._sentence(Tokenizer(), "<pad> (S (NP)) <sep> He ate .</s>") == "He ate ."


@pytest.mark.torch
def test_a_folder_without_a_checkpoint_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("transformers")
    with pytest.raises(InputError, match="no checkpoint"):
        Seq2SeqParaphraser(str(tmp_path)).paraphrase([ORIGINAL])
