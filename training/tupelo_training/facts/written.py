"""The end-to-end model and its method: text in, facts out, written token by token.

Tokens are the subwords of the vocabulary, then four marks, then one token per relation. At every step the network
predicts the probability of writing each token of its own list, of copying each subword of the text, and of writing
rather than copying. A grammar fixes what may follow what, so that every output is a list of whole facts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tupelo.core import Analysis, on_one_line
from tupelo.core.numeric import sigmoid
from tupelo.factmodels.extract import Fact, FactOptions
from tupelo.factmodels.folder import WEBNLG, FactModel, Relation
from tupelo.factmodels.methods import evidence_of
from tupelo.nlp.encoder import groups_of_equal_length
from tupelo_training.facts.beam import Hypothesis, beam_search

Integers = NDArray[np.int64]
Floats = NDArray[np.float32]

# The first of the tokens that are no subwords; relations follow.
START, BETWEEN, NEXT, END = range(4)
MARKS = 4
_NEVER = -1e9
# Characters without a space before them, and those without a space after them.
_STICKS = frozenset("-/'’–,.):;!?%")
_HOLDS = frozenset("-/'’–($£#")


@dataclass(frozen=True, slots=True)
class WrittenFact:
    """A fact as generated. Spans are characters of the text, if the name was found there."""

    subject: str
    relation: Relation
    object: str
    probability: float
    subject_span: tuple[int, int] | None = None
    object_span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class WriterInput:
    """`subject; text` in subwords. `offsets` are characters of the text; those of subject and marks are empty."""

    subwords: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    text: str


class Grammar:
    """The tokens that may follow, by state. A state is the part of the fact and whether it is still empty."""

    # State -> whether subwords are allowed, which marks, whether relations are.
    FOLLOWS = (
        (True, (END,), False),  # 0 nothing yet: a subject, or no fact at all
        (True, (BETWEEN,), False),  # 1 in a subject
        (False, (), True),  # 2 before the relation
        (False, (BETWEEN,), False),  # 3 after the relation
        (True, (), False),  # 4 before the object
        (True, (NEXT, END), False),  # 5 in an object
        (True, (), False),  # 6 before a further subject
    )

    @staticmethod
    def after(state: int, mark: int | None) -> int:
        """The state after a subword (`mark` None), a mark, or a relation (`mark` 4 or more)."""
        if mark is None:
            return {0: 1, 6: 1, 4: 5}.get(state, state)
        if mark == BETWEEN:
            return 2 if state == 1 else 4
        if mark == NEXT:
            return 6
        return 3 if mark >= MARKS else state


class WriterModel(FactModel):
    """The shipped end-to-end model, or one of the same kind from another folder."""

    kind, part = "writer", WEBNLG

    def _configure(self, config: Mapping[str, Any]) -> None:
        self._own = bool(config["own_embeddings"])
        self.most_subwords = int(config["max_subwords"])
        # Subwords at a time of a longer text.
        self.window = int(config["window"])
        self.reduced = bool(config.get("reduced", False))
        self._longest = int(config["longest"])
        self._layers = int(config["decoder_layers"])
        self._heads, self._per_head = int(config["attention_heads"]), int(config["per_head"])
        # Subwords in the network's own output list, in the order of its outputs after marks and relations.
        self._generated: list[int] = [int(subword) for subword in config["generated"]]
        # Spellings of names: subwords have neither case nor accents.
        self._names: dict[tuple[int, ...], str] = {}
        for name in config.get("names", ()):
            self._names.setdefault(tuple(subword for subword, _, _ in self.subwords.cut_text(name)), name)

    @property
    def vocabulary_size(self) -> int:
        """The number of subwords; tokens for marks and relations follow."""
        return len(self.vocabulary)

    def cut(self, text: str, subject: str = "") -> WriterInput:
        """The input for a text, and for one subject if given. Input beyond the maximum length is truncated."""
        about = [subword for subword, _, _ in self.subwords.cut_text(subject)][: self.most_subwords // 4]
        front = [self.subwords.start, *about, *([self.subwords.end] if about else [])]
        cut = self.subwords.cut_text(text)[: self.most_subwords - len(front) - 1]
        return WriterInput(
            (*front, *(subword for subword, _, _ in cut), self.subwords.end),
            (*((0, 0) for _ in front), *((start, end) for _, start, end in cut), (0, 0)),
            text,
        )

    def write(
        self,
        texts: Sequence[str],
        subjects: Sequence[str] | None = None,
        *,
        beam: int = 4,
        alpha: float = 0.6,
        batch_size: int = 16,
    ) -> list[list[WrittenFact]]:
        """The facts of every text, in the order of generation, without duplicates."""
        about = subjects if subjects is not None else [""] * len(texts)
        sources = [self.cut(text, subject) for text, subject in zip(texts, about, strict=True)]
        found: list[list[WrittenFact]] = [[] for _ in sources]
        for group in groups_of_equal_length([len(source.subwords) for source in sources], batch_size):
            best = self.search([sources[index] for index in group], beam=beam, alpha=alpha)
            for index, hypotheses in zip(group, best, strict=True):
                found[index] = self.facts(hypotheses[0], sources[index]) if hypotheses else []
        return found

    def search(self, sources: Sequence[WriterInput], *, beam: int, alpha: float) -> list[list[Hypothesis]]:
        """Hypotheses of sources of equal length; tokens are those of the whole vocabulary."""
        stepper = _Stepper(self, sources, beam)
        found = beam_search(
            stepper, len(sources), start=START, end=END, beam=beam, alpha=alpha, longest=self._longest
        )
        return [
            [replace(one, tokens=tuple(stepper.tokens[item][token] for token in one.tokens)) for one in best]
            for item, best in enumerate(found)
        ]

    def facts(self, hypothesis: Hypothesis, source: WriterInput) -> list[WrittenFact]:
        """The facts of a hypothesis, except an unfinished one."""
        found: dict[tuple[str, str, str], WrittenFact] = {}
        for (subject, relation, object_), probability in split_facts(hypothesis, self.vocabulary_size):
            names = [self._spelled(subwords, source) for subwords in (subject, object_)]
            (first, first_span), (second, second_span) = names
            known = self.relations[relation]
            found.setdefault(
                (first, known.id, second), WrittenFact(first, known, second, probability, first_span, second_span)
            )
        return list(found.values())

    def _spelled(self, subwords: tuple[int, ...], source: WriterInput) -> tuple[str, tuple[int, int] | None]:
        """The spelling of a name, from the list of known names or from the text, and its span in the text."""
        size = len(subwords)
        span = None
        for place in range(len(source.subwords) - size + 1):
            if source.subwords[place : place + size] == subwords and source.offsets[place][1]:
                span = source.offsets[place][0], source.offsets[place + size - 1][1]
                break
        known = self._names.get(subwords)
        if known is not None:
            return known, span
        if span is not None:
            return on_one_line(source.text[span[0] : span[1]]), span
        return join_subwords([self.vocabulary[subword] for subword in subwords]), None


def split_facts(
    hypothesis: Hypothesis, vocabulary_size: int
) -> Iterator[tuple[tuple[tuple[int, ...], int, tuple[int, ...]], float]]:
    """Subwords of the subject, relation number, subwords of the object, and the probability of every whole fact."""
    parts: list[list[int]] = [[]]
    total = 0.0
    ended = [*hypothesis.tokens, vocabulary_size + END] if hypothesis.finished else list(hypothesis.tokens)
    for token, step in zip(ended, hypothesis.steps, strict=True):
        total += step
        mark = token - vocabulary_size
        if mark in (NEXT, END):
            if len(parts) == 3 and all(parts):
                yield (tuple(parts[0]), parts[1][0] - vocabulary_size - MARKS, tuple(parts[2])), float(np.exp(total))
            parts, total = [[]], 0.0
        elif mark == BETWEEN:
            parts.append([])
        else:
            parts[-1].append(token)


def join_subwords(subwords: Sequence[str]) -> str:
    """Join subwords into text: continuations are merged, punctuation gets no extra space.

    >>> join_subwords(["new", "york", ",", "u", ".", "s", "."]), join_subwords(["al", "##ma", "-", "ata"])
    ('new york, u.s.', 'alma-ata')
    """
    text = ""
    for number, subword in enumerate(subwords):
        before = subwords[number - 1] if number else ""
        initials = before == "." and len(subword) == 1 and number > 1 and len(subwords[number - 2]) == 1
        if subword.startswith("##"):
            text += subword[2:]
        elif not text or subword in _STICKS or before in _HOLDS or initials:
            text += subword
        else:
            text += f" {subword}"
    return text.strip()


class _Stepper:
    """Decodes a group of texts step by step, with the keys and values that the network keeps between steps.

    The tokens of a text are renumbered: first what the network can write (marks, relations, subwords of its own),
    then the subwords of the text that are not among these.
    """

    def __init__(self, model: WriterModel, sources: Sequence[WriterInput], beam: int) -> None:
        self._model, self._beam = model, beam
        relations, generated = len(model.relations), model._generated
        self._fixed = [model.vocabulary_size + place for place in range(MARKS + relations)]
        known = {subword: MARKS + relations + place for place, subword in enumerate(generated)}
        self.tokens: list[list[int]] = []
        places = np.zeros((len(sources), len(sources[0].subwords)), dtype=np.int64)
        for item, source in enumerate(sources):
            tokens, own = [*self._fixed, *generated], dict(known)
            for place, subword in enumerate(source.subwords):
                if subword not in own:
                    own[subword] = len(tokens)
                    tokens.append(subword)
                places[item, place] = own[subword]
            self.tokens.append(tokens)
        self._wide = max(map(len, self.tokens))
        self._own = MARKS + relations + len(generated)
        self._places = np.repeat(places, beam, axis=0)
        self._to_subword = np.zeros((len(sources), self._wide), dtype=np.int64)
        for item, tokens in enumerate(self.tokens):
            self._to_subword[item, : len(tokens)] = tokens
        self._item = np.repeat(np.arange(len(sources)), beam)
        self._relations = relations
        self._states = np.zeros(len(sources) * beam, dtype=np.int64)
        # Special tokens of the encoder's input are not part of any name.
        self._never = np.isin(self._to_subword[self._item], [model.subwords.start, model.subwords.end])
        self._allowed = self._rules()
        self._memory = self._encode(sources)
        rows = len(sources) * beam
        empty = np.zeros((rows, model._heads, 0, model._per_head), dtype=np.float32)
        self._kept = {f"{part}{n}": empty for n in range(model._layers) for part in ("keys", "values")}
        self._done = 0

    def _rules(self) -> NDArray[np.bool_]:
        rules = np.zeros((len(Grammar.FOLLOWS), self._wide), dtype=bool)
        for state, (subwords, marks, relations) in enumerate(Grammar.FOLLOWS):
            rules[state, MARKS + self._relations :] = subwords
            rules[state, MARKS : MARKS + self._relations] = relations
            rules[state, list(marks)] = True
        return rules

    def _encode(self, sources: Sequence[WriterInput]) -> dict[str, Floats]:
        model = self._model
        ids = np.array([source.subwords for source in sources], dtype=np.int64)
        mask = np.ones(ids.shape, dtype=np.float32)
        inputs = {"subwords": ids} if model._own else {"vectors": model.encoder.embed(ids)}
        names = ["copy_keys"] + [f"memory_{part}{n}" for n in range(model._layers) for part in ("keys", "values")]
        made = model.graph("encoder.onnx").run(names, {**inputs, "mask": mask})
        memory = {name: np.repeat(array, self._beam, axis=0) for name, array in zip(names, made, strict=True)}
        return {**memory, "mask": np.repeat(mask, self._beam, axis=0)}

    def __call__(self, parents: Integers, tokens: Integers) -> Floats:
        model = self._model
        spoken = self._to_subword[self._item, tokens]
        if self._done:
            states = self._states[parents]
            self._states = np.array(
                [
                    Grammar.after(state, None if token >= MARKS + self._relations else token)
                    for state, token in zip(states.tolist(), tokens.tolist(), strict=True)
                ]
            )
            self._kept = {name: array[parents] for name, array in self._kept.items()}
        else:
            spoken = np.full_like(spoken, model.vocabulary_size + START)
        inputs: dict[str, NDArray[Any]] = {**self._memory, **self._kept}
        inputs |= {"before": spoken, "place": np.array([self._done], dtype=np.int64)}
        if not model._own:
            # Marks have their own vectors; any subword can serve as a placeholder.
            look = np.where(spoken < model.vocabulary_size, spoken, 0)
            inputs["looks"] = model.encoder.embed(look[:, None])[:, 0]
        kept = list(self._kept)
        step = model.graph("step.onnx", written=self._own)
        written, copied, gate, *new = step.run(
            ["written", "copied", "gate", *(f"new_{name}" for name in kept)], inputs
        )
        self._kept = dict(zip(kept, new, strict=True))
        self._done += 1
        hand = sigmoid(gate[:, None].astype(np.float64))
        probability = np.zeros((len(tokens), self._wide))
        probability[:, : self._own] = np.exp(written) * hand
        np.add.at(probability, (np.arange(len(tokens))[:, None], self._places), np.exp(copied) * (1 - hand))
        probability[self._never | ~self._allowed[self._states]] = 0.0
        with np.errstate(divide="ignore"):
            return np.maximum(np.log(probability), _NEVER).astype(np.float32)


class WrittenMethod:
    """Facts written by the end-to-end model, which reads whole sentences, as many at a time as it was trained on."""

    name = "end-to-end"

    def __init__(self, model: str | Path | None, options: FactOptions) -> None:
        self.model = WriterModel(model, threads=options.threads)
        self.version = f"{self.model.name} {self.model.version}"
        self._options = options

    def __call__(self, sentences: Sequence[Analysis]) -> list[Fact]:
        return self.about(sentences, self._options.subject)

    def about(self, sentences: Sequence[Analysis], subject: str) -> list[Fact]:
        """Facts of one subject; of every subject if it is empty."""
        options = self._options
        # A model that was trained on reduced input gets reduced input.
        is_reduced = options.reduced or self.model.reduced
        numbers = reduced(sentences) if is_reduced else range(len(sentences))
        sizes = [len(self.model.subwords.cut_text(sentence.text)) for sentence in sentences]
        parts = list(chunks(sentences, list(numbers), sizes, self.model.window))
        written = self.model.write(
            [part.text for part in parts], [subject] * len(parts), beam=options.beam, alpha=options.alpha
        )
        best: dict[tuple[str, str, str], Fact] = {}
        for part, found in zip(parts, written, strict=True):
            for one in found:
                fact = part.fact(sentences, one)
                key = (fact.subject, fact.property, fact.object)
                if fact.confidence >= (options.min_confidence or 0.0) and (
                    key not in best or fact.confidence > best[key].confidence
                ):
                    best[key] = fact
        return list(best.values())


def reduced(sentences: Sequence[Analysis]) -> list[int]:
    """Indices of the sentences in which an entity was found: the paper's reduced input."""
    return [number for number, sentence in enumerate(sentences) if sentence.entities]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some sentences as one text; `starts` are their offsets in it."""

    text: str
    starts: tuple[int, ...]
    numbers: tuple[int, ...]

    def fact(self, sentences: Sequence[Analysis], one: WrittenFact) -> Fact:
        """A fact written from this text, with spans of the document."""
        found = (one.subject_span, one.object_span)
        subject_span, object_span = (None if span is None else self.place(sentences, span) for span in found)
        numbers = {self.sentence(span[0]) for span in found if span is not None}
        return Fact(
            one.subject,
            one.relation.id,
            one.relation.name,
            one.object,
            one.probability,
            subject_span=subject_span,
            object_span=object_span,
            evidence=evidence_of(sentences, numbers or set(self.numbers)),
        )

    def sentence(self, place: int) -> int:
        """The index of the sentence at a character of the text."""
        return self.numbers[bisect_right(self.starts, place) - 1]

    def place(self, sentences: Sequence[Analysis], span: tuple[int, int]) -> tuple[int, int]:
        """Map characters of the text to characters of the document."""
        row = bisect_right(self.starts, span[0]) - 1
        shift = sentences[self.numbers[row]].start - self.starts[row]
        return span[0] + shift, span[1] + shift


def chunks(sentences: Sequence[Analysis], numbers: Sequence[int], sizes: Sequence[int], room: int) -> Iterator[Chunk]:
    """Group neighbouring sentences, up to `room` subwords; a longer sentence is a chunk by itself."""
    groups: list[list[int]] = []
    for number in numbers:
        if groups and sum(sizes[one] for one in groups[-1]) + sizes[number] <= room:
            groups[-1].append(number)
        else:
            groups.append([number])
    for group in groups:
        texts = [sentences[number].text for number in group]
        starts = [0]
        for text in texts[:-1]:
            starts.append(starts[-1] + len(text) + 1)
        yield Chunk(" ".join(texts), tuple(starts), tuple(group))
