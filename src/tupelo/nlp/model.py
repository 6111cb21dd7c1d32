"""The parser: tokenized sentences in, analysed sentences out.

`training/CONTRACT.md` describes the files of a model and the inputs and outputs of its graphs. Sentences with the
same number of subwords share a batch, so the encoder needs no padding and the scores of a sentence do not depend on
the rest of the batch.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import numpy as np

from tupelo.core import Analysis, Constituent, Entity, InputError, Word
from tupelo.nlp.decode import EntityDecoder, best_bracketings, best_labels, best_trees, certainty_of
from tupelo.nlp.folder import CONFIG, VOCABULARY, ModelFolder, OnnxGraph
from tupelo.nlp.lemmas import Lemmatizer
from tupelo.nlp.names import agreeing_names, unbroken_names, whole_names
from tupelo.nlp.prepare import LONGEST_SENTENCE, PreparedText, Splitter
from tupelo.nlp.subwords import Subwords

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tupelo.nlp.coreference import Coreference, MentionHeads

FORMAT = 1
# Longer sentences are analysed in segments: attention and charts grow with the square of the length.
_MOST_WORDS = 200
# Limits per batch: subwords, and cells of the largest table (words times words times sentences).
_MOST_SUBWORDS = 4_096
_MOST_CELLS = 60_000
_ROOT = "ROOT"
_WHOLE, _CLAUSE = "FRAG", "S"
_LATER_ROOT = "parataxis"
_PREFERRED_CUTS = frozenset([".", "!", "?", ";", ":", ","])


@dataclass(frozen=True, slots=True)
class AnalysisOptions:
    """Input options of one call. Without `syntax`, there are only sentences and words.

    Text is split into sentences of at most `longest` characters; lines are sentences of any length.
    """

    lines: bool = False
    pretokenized: bool = False
    constituents: bool = True
    vectors: bool = False
    syntax: bool = True
    longest: int = LONGEST_SENTENCE
    coreference: bool = False


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Words `[first, last)` of sentence `sentence`, with their subwords, special subwords included."""

    sentence: int
    first: int
    last: int
    subword_ids: list[int]
    shapes: list[int]
    heads: list[int]
    tails: list[int]

    @property
    def size(self) -> int:
        return self.last - self.first


@dataclass(frozen=True, slots=True)
class _Result:
    """The predictions for one segment. A word has two tags, features, a head (from 1; 0 is the root) and a label."""

    words: list[list[int]]
    entities: list[tuple[str, int, int]]
    constituents: list[Constituent] | None
    vectors: NDArray[np.float32] | None
    certainty: NDArray[np.float32] | None
    mentions: MentionHeads | None


class Model:
    """A folder of weights. Graphs are opened when they are first needed.

    With `ahead`, the largest one is opened in the background immediately, while the caller reads its input.
    """

    def __init__(self, path: Path, *, threads: int = 1, ahead: bool = False) -> None:
        self.folder = ModelFolder(path, "a parser")
        self._threads = threads
        self._opening: Thread | None = None
        if ahead:
            # Not a daemon: an interpreter that exits while onnxruntime is still running in a thread aborts.
            self._opening = Thread(target=self._open_encoder)
            self._opening.start()
        config = self.folder.settings(FORMAT)
        words = self.folder.text(VOCABULARY).splitlines()
        with self.folder.reading(CONFIG):
            self.name = str(config["name"])
            self.version = str(config["version"])
            longest_word = int(config["max_pieces_per_word"])
            self._most_subwords = int(config["max_subwords"])
            self._upos = _labels(config["upos"])
            self._xpos = _labels(config["xpos"])
            self._feats = ["" if feats == "_" else feats for feats in _labels(config["feats"])]
            self._deprel = _labels(config["deprel"])
            self._root_label = self._deprel.index("root")
            self._chains = [label.split("+") if label else [] for label in _labels(config["constituent"])]
            self._entity_decoder = EntityDecoder(_labels(config["entity"]))
            # The first label is that of words that head no mention; a model without any has no coreference.
            self._mention = _labels(config.get("mention", []))
            normalize = {str(word): str(plain) for word, plain in config["normalize"].items()}
        with self.folder.reading(VOCABULARY):
            self._subwords = Subwords(words, normalize=normalize, max_subwords_per_word=longest_word)

    @property
    def words(self) -> Container[str]:
        """The words of the vocabulary in lower case, and parts of words."""
        return self._subwords.ids

    @cached_property
    def splitter(self) -> Splitter:
        weights = self.folder.json("split.json")
        with self.folder.reading("split.json"):
            return Splitter({feature: float(weight) for feature, weight in weights.items()})

    @cached_property
    def lemmatizer(self) -> Lemmatizer:
        lexicon = self.folder.json("lemmas.json")
        with self.folder.reading("lemmas.json"):
            known = {tag: frozenset(words.split()) for tag, words in lexicon["known"].items()}
            return Lemmatizer({tag: dict(forms) for tag, forms in lexicon["exceptions"].items()}, known)

    def _open_encoder(self) -> None:
        # Any error here occurs again, and is reported, when the encoder is first used.
        with suppress(Exception):
            self.folder.graph("encoder.onnx", self._threads)

    def _encoder(self) -> OnnxGraph:
        if self._opening is not None:
            self._opening.join()
            self._opening = None
        return self.folder.graph("encoder.onnx", self._threads)

    @cached_property
    def _heads(self) -> OnnxGraph:
        labels = {"upos": self._upos, "xpos": self._xpos, "feats": self._feats, "rel": self._deprel}
        sizes = {output: len(names) for output, names in labels.items()}
        if self._mention:
            sizes["mention"] = len(self._mention)
        return self.folder.graph("heads.onnx", self._threads, entity=len(self._entity_decoder.labels), **sizes)

    @property
    def has_coreference(self) -> bool:
        return bool(self._mention)

    @cached_property
    def _coreference(self) -> Coreference:
        # Its word lists are needed for nothing else.
        from tupelo.nlp.coreference import Coreference

        return Coreference(self.folder, self._threads, self._mention)

    def analyse(
        self, sentences: Sequence[PreparedText], options: AnalysisOptions, *, batch_size: int, first_entity: int = 0
    ) -> list[Analysis]:
        """One analysis per sentence, in order. Entities of the first document are numbered from `first_entity`."""
        stretches = [stretch for index, sentence in enumerate(sentences) for stretch in self.cut(index, sentence)]
        results: dict[tuple[int, int], _Result] = {}
        for batch in batches(stretches, batch_size):
            for stretch, result in zip(batch, self._run(batch, options), strict=True):
                results[stretch.sentence, stretch.first] = result
        parts: list[list[tuple[_Stretch, _Result]]] = [[] for _ in sentences]
        for stretch in stretches:
            parts[stretch.sentence].append((stretch, results[stretch.sentence, stretch.first]))
        analyses = [self._assemble(*pair, options) for pair in zip(sentences, parts, strict=True)]
        if not options.coreference:
            return analyses
        linked: list[Analysis] = []
        for _, group in groupby(zip(analyses, parts, strict=True), key=lambda pair: pair[0].document_id):
            document = list(group)
            heads = [[r.mentions.moved(s.first) for s, r in part if r.mentions] for _, part in document]
            named = agreeing_names([analysis for analysis, _ in document])
            linked += self._coreference.resolve(named, heads, 0 if linked else first_entity)
        return linked

    def cut(self, index: int, sentence: PreparedText) -> Iterator[_Stretch]:
        """A sentence as one segment, or as several if it is too long for the encoder."""
        cuts = [self._subwords.cut(form) for form in sentence.forms]
        room = self._most_subwords - 2
        first = 0
        while first < len(cuts):
            last, used = first, 0
            while last < len(cuts) and last - first < _MOST_WORDS and used + len(cuts[last][0]) <= room:
                used += len(cuts[last][0])
                last += 1
            if last < len(cuts):
                # Prefer a split at punctuation in the second half over one in the middle of a phrase.
                for position in range(last, first + (last - first) // 2, -1):
                    if sentence.forms[position - 1] in _PREFERRED_CUTS:
                        last = position
                        break
            yield self._stretch(index, first, last, cuts[first:last])
            first = last

    def _stretch(self, index: int, first: int, last: int, cuts: Sequence[tuple[tuple[int, ...], int]]) -> _Stretch:
        subword_ids, shapes, heads, tails = [self._subwords.start], [0], [0], [0]
        for ids, shape in cuts:
            heads.append(len(subword_ids))
            subword_ids.extend(ids)
            shapes.extend([shape] * len(ids))
            tails.append(len(subword_ids) - 1)
        subword_ids.append(self._subwords.end)
        shapes.append(0)
        return _Stretch(index, first, last, subword_ids, shapes, heads, tails)

    def _run(self, batch: Sequence[_Stretch], options: AnalysisOptions) -> list[_Result]:
        lengths = [stretch.size for stretch in batch]
        width = max(lengths) + 1
        subwords = np.array([stretch.subword_ids for stretch in batch], dtype=np.int64)
        (states,) = self._encoder().run(
            ["vectors"],
            {
                "subwords": subwords,
                "shapes": np.array([stretch.shapes for stretch in batch], dtype=np.int64),
                "mask": np.ones(subwords.shape, dtype=np.float32),
                "first": _padded([stretch.heads for stretch in batch], width),
                "last": _padded([stretch.tails for stretch in batch], width),
            },
        )
        outputs = ["upos", "xpos", "feats", "arc", "rel", "entity"]
        upos, xpos, feats, arc, rel, entity, *mention = self._heads.run(
            [*outputs, "mention"] if options.coreference else outputs, {"vectors": states}
        )
        heads = best_trees(arc, lengths)
        labels = best_labels(rel, heads, self._root_label)
        certainty = certainty_of(arc, rel, heads, labels, lengths) if options.vectors else None
        entities = self._entity_decoder.decode(entity, lengths)
        trees = self._trees(states, lengths) if options.constituents else None
        mentions = self._coreference.heads(mention[0], states, lengths) if options.coreference else None
        columns = np.stack(
            [*(scores.argmax(axis=2) for scores in (upos, xpos, feats)), heads, labels], axis=2
        ).tolist()
        return [
            _Result(
                words=columns[index][1 : size + 1],
                entities=entities[index],
                constituents=None if trees is None else trees[index],
                vectors=states[index, 1 : size + 1].copy() if options.vectors else None,
                certainty=None if certainty is None else certainty[index, 1 : size + 1].copy(),
                mentions=None if mentions is None else mentions[index],
            )
            for index, size in enumerate(lengths)
        ]

    def _trees(self, states: NDArray[np.float32], lengths: Sequence[int]) -> list[list[Constituent]]:
        graph = self.folder.graph("constituents.onnx", self._threads)
        span, label = graph.run(["span", "label"], {"vectors": states})
        if label.size and label.max() >= len(self._chains):
            raise InputError(
                f"{self.folder.path}: label {label.max()} of {len(self._chains)}, expected the labels of the graph"
            )
        trees: list[list[Constituent]] = []
        for index, bracketing in enumerate(best_bracketings(span, lengths)):
            labels = label[index].tolist()
            tree = [
                Constituent(name, start, end)
                for start, end in bracketing
                for name in self._chains[labels[start + 1][end]]
            ]
            size = lengths[index]
            if size and not (tree and (tree[0].start, tree[0].end) == (0, size)):
                tree.insert(0, Constituent(_whole_label(tree), 0, size))
            trees.append(tree)
        return trees

    def _assemble(
        self, sentence: PreparedText, parts: Sequence[tuple[_Stretch, _Result]], options: AnalysisOptions
    ) -> Analysis:
        words: list[Word] = []
        entities: list[tuple[str, int, int]] = []
        tree: list[Constituent] = []
        root = -1
        lemma = self.lemmatizer.lemma
        for stretch, result in parts:
            offset = stretch.first
            for index, (tag, fine, feats, above, link) in enumerate(result.words, start=offset):
                form, upos, xpos = sentence.forms[index], self._upos[tag], self._xpos[fine]
                head: int | None = above - 1 + offset
                deprel = self._deprel[link]
                if above == 0:
                    # Later parts of one long sentence are attached to the root of the first.
                    head, deprel = (None, deprel) if root < 0 else (root, _LATER_ROOT)
                    root = index if root < 0 else root
                feature = self._feats[feats]
                words.append(
                    Word(form, *sentence.spans[index], lemma(form, upos, xpos), upos, xpos, feature, head, deprel)
                )
            entities.extend((name, start + offset, end + offset) for name, start, end in result.entities)
            if result.constituents is not None:
                tree.extend(Constituent(p.label, p.start + offset, p.end + offset) for p in result.constituents)
        size = len(words)
        names = whole_names(entities, sentence.forms, [word.upos or "" for word in words]) if entities else ()
        return Analysis(
            text=sentence.text,
            words=tuple(words),
            start=sentence.start,
            constituents=((Constituent(_ROOT, 0, size), *tree) if size else ()) if options.constituents else None,
            entities=unbroken_names([Entity(name, start, end) for name, start, end in names], words),
            contractions=sentence.contractions,
            document_id=sentence.document_id,
            vectors=_stacked([result.vectors for _, result in parts]) if options.vectors else None,
            certainty=_stacked([result.certainty for _, result in parts]) if options.vectors else None,
            partial=sentence.partial,
        )


def _whole_label(parts: Sequence[Constituent]) -> str:
    """The label of a sentence that has none: with a predicate it is a clause, though it may lack its full stop."""
    end = 0
    for part in parts:
        if part.start >= end:
            end = part.end
            if part.label == "VP":
                return _CLAUSE
    return _WHOLE


def _labels(names: object) -> list[str]:
    if not isinstance(names, list):
        raise TypeError(f"{names!r:.40} in place of a list of labels")
    return [str(name) for name in names]


def _stacked(vectors: Sequence[NDArray[np.float32] | None]) -> NDArray[np.float32]:
    present = [part for part in vectors if part is not None]
    return np.concatenate(present) if present else np.zeros((0, 0), dtype=np.float32)


def _padded(rows: Sequence[list[int]], width: int) -> NDArray[np.int64]:
    return np.array([row + [0] * (width - len(row)) for row in rows], dtype=np.int64)


def batches(stretches: Sequence[_Stretch], batch_size: int) -> Iterator[list[_Stretch]]:
    """Batches of segments with equal subword counts and, where possible, similar word counts."""
    batch: list[_Stretch] = []
    for stretch in sorted(stretches, key=lambda s: (len(s.subword_ids), s.size, s.sentence, s.first)):
        count = len(batch) + 1
        if batch and (
            len(stretch.subword_ids) != len(batch[0].subword_ids)
            or count > batch_size
            or count * len(stretch.subword_ids) > _MOST_SUBWORDS
            or count * (stretch.size + 1) ** 2 > _MOST_CELLS
        ):
            yield batch
            batch = []
        batch.append(stretch)
    if batch:
        yield batch
