"""Records for property tests: plain ones, as systems make them, and wild ones, as only hypothesis does."""

from __future__ import annotations

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from tupelo.core import Argument, Attribution, Extraction, Record, Sentence, Span
from tupelo.io.formats import Format


def examples(most: int, **others: Any) -> settings:
    """Settings with another number of examples than usual; where fewer are tried, as in the quick tier, fewer too."""
    return settings(max_examples=most * settings.default.max_examples // 60, deadline=None, **others)


# Everything that UTF-8 can hold: surrogates are no characters.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
optional_texts = st.none() | texts
indices = st.integers(0, 2**40)
spans = st.tuples(indices, indices).map(lambda pair: Span(*sorted(pair)))

arguments = st.builds(
    Argument,
    texts,
    optional_texts,
    st.none() | st.lists(indices, max_size=3).map(tuple),
    st.none() | st.lists(spans, max_size=3).map(tuple),
    st.lists(indices, max_size=3).map(tuple),
    optional_texts,
)
sentences = st.builds(
    Sentence, texts, optional_texts, optional_texts, st.none() | st.lists(texts, max_size=4).map(tuple)
)


@st.composite
def wild_extractions(draw: st.DrawFn) -> Extraction:
    """Any extraction at all."""
    parts = draw(st.lists(arguments, max_size=4))
    return Extraction(
        draw(sentences),
        draw(arguments),
        parts[0] if parts else None,
        tuple(parts[1:]),
        draw(st.none() | st.floats(allow_nan=False)),
        draw(st.none() | st.booleans()),
        draw(optional_texts),
        draw(st.none() | st.builds(Attribution, optional_texts, optional_texts, optional_texts)),
        draw(st.none() | arguments),
        draw(optional_texts),
        draw(optional_texts),
        draw(optional_texts),
        draw(optional_texts),
    )


wild_records = st.one_of(wild_extractions(), sentences)

words = st.sampled_from(["Nora", "sold", "the", "boat", "naïve", "in", "May", "1998", "(", ".", "Straße", "o'clock"])
_IDS = ["1", "2", "3"]


@st.composite
def plain_sentences(draw: st.DrawFn) -> Sentence:
    """Words with single spaces between them; the id always goes with the same words."""
    number = draw(st.integers(0, 2))
    chosen = draw(st.lists(words, min_size=6, max_size=10))
    text = " ".join([f"no.{number}", *chosen])
    return Sentence(text, id=_IDS[number], document_id="d", tokens=tuple(text.split(" ")))


@st.composite
def plain_records(draw: st.DrawFn, chosen: Format) -> list[Record]:
    """Tuples cut out of sentences, with every field that such a tuple can have."""
    first = draw(plain_sentences())
    others = draw(st.lists(plain_sentences(), max_size=2))
    distinct = list({sentence.id: sentence for sentence in [first, *others]}.values())
    records: list[Record] = []
    for sentence in distinct:
        found = [draw(plain_extractions(sentence, chosen)) for _ in range(draw(st.integers(0, 2)))]
        records += found or [sentence]
    return records


@st.composite
def plain_extractions(draw: st.DrawFn, sentence: Sentence, chosen: Format) -> Extraction:
    assert sentence.tokens is not None
    fewest = max(chosen.min_arguments, 1)
    most = min(chosen.max_arguments or 3, 4)
    count = draw(st.integers(fewest, most))
    # Parts lie one after the other, so that no token belongs to two of them.
    size = len(sentence.tokens)
    cuts = sorted(draw(st.sets(st.integers(1, size - 1), min_size=count, max_size=count)))
    pieces = [tuple(range(start, end)) for start, end in zip([0, *cuts], [*cuts, size], strict=True)]
    rel, arg1, *args = [_part(sentence, tokens) for tokens in draw(st.permutations(pieces))]
    return Extraction(
        sentence,
        rel,
        arg1,
        tuple(args),
        confidence=draw(st.floats(-100, 1)),
        negated=draw(st.booleans()),
        modality=draw(st.sampled_from([None, "might"])),
        attribution=draw(st.sampled_from([None, Attribution(text="Nora said")])),
        context=draw(st.sampled_from([None, Argument("Nora said")])),
        group=draw(st.sampled_from(["fact 1", "fact 2"])),
        extractor=draw(st.sampled_from([None, "rules"])),
        extractor_version=draw(st.sampled_from([None, "1.0"])),
        rule=draw(st.sampled_from([None, "passive"])),
        minor=draw(st.booleans()),
    )


def _part(sentence: Sentence, tokens: tuple[int, ...]) -> Argument:
    assert sentence.tokens is not None
    start = len(" ".join(sentence.tokens[: tokens[0]])) + (tokens[0] > 0)
    text = " ".join(sentence.tokens[index] for index in tokens)
    return Argument(text, None, tokens, (Span(start, start + len(text)),), resolved="Nora" if text == "in" else None)
