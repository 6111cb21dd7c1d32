"""The questions of `questions` as arrays for `train`.

    python -m tupelo_training.reader.prepare --data DATA --without titles.json --output reader.npz

`--without` is a list of documents that are kept for measuring. A tenth of the others is held out, and a seventh of
the everyday texts, with all questions about them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

import tupelo
from tupelo.nlp.encoder import load_encoder
from tupelo.nlp.subwords import straight
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.options import option_parser
from tupelo_training.reader import questions
from tupelo_training.reader.questions import WRITTEN, Found, Question, Text
from tupelo_training.support.prepare import number_of

KEYWORDS = Path(tupelo.__file__).parent / "factmodels" / "wordings.toml"
# One document in so many is held out, and one everyday text.
ASIDE, EVERYDAY_ASIDE = 10, 7
LONGEST_QUESTION = 64
_DO = {"VBD": "Did", "VBZ": "Does", "VBP": "Do"}


def is_held_out(document: str) -> bool:
    return number_of(document) % (EVERYDAY_ASIDE if document.startswith("everyday:") else ASIDE) == 0


def question_of(tree: DependencyTree) -> str | None:
    """A statement as a question for yes or no, if its subject comes first.

    *Ann was born in Oslo.*: *Was Ann born in Oslo?* *Ann left Oslo.*: *Did Ann leave Oslo?*
    """
    root = tree.root
    subject = None if root is None else tree.child(root, "nsubj", "nsubj:pass", "expl")
    if root is None or subject is None:
        return None
    last = max(tree.subtree(subject))
    if sorted(tree.subtree(subject)) != list(range(last + 1)) or tree.upos(tree.size - 1) != "PUNCT":
        return None
    first = tree.text(0) if tree.upos(0) == "PROPN" or tree.tag(0) == "PRP" else tree.text(0).lower()
    about = [first, *(tree.text(index) for index in range(1, last + 1))]
    if tree.labels[last + 1] in ("aux", "aux:pass", "cop") and tree.heads[last + 1] == root:
        words = [tree.text(last + 1).capitalize(), *about, *map(tree.text, range(last + 2, tree.size - 1))]
    elif tree.tag(root) in _DO and not tree.children(root, "aux", "aux:pass", "cop"):
        rest = [tree.lemmas[root] if index == root else tree.text(index) for index in range(last + 1, tree.size - 1)]
        words = [_DO[tree.tag(root)], *about, *rest]
    else:
        return None
    return f"{' '.join(words)}?"


def asker() -> Callable[[Sequence[str]], list[str | None]]:
    nlp = tupelo.load()

    def ask(statements: Sequence[str]) -> list[str | None]:
        analyses = nlp.analyze([straight(one) for one in statements], lines=True, constituents=False)
        return [question_of(DependencyTree(analysis)) if analysis.words else None for analysis in analyses]

    return ask


class Table:
    """Texts once, as subwords by sentence; questions with the number of their text and the places of answers."""

    def __init__(self) -> None:
        self._encoder = load_encoder()
        self._texts: dict[str, int] = {}
        self._offsets: dict[int, list[list[tuple[int, int]]]] = {}
        self.units: list[np.ndarray] = []
        self.first_unit: list[int] = []
        self.titled: list[bool] = []
        self.aside: list[bool] = []
        self.questions: list[np.ndarray] = []
        self.text: list[int] = []
        self.outcome: list[int] = []
        self.source: list[str] = []
        self.spots: list[np.ndarray] = []
        self.lost = 0

    def add(self, found: Found) -> None:
        for one in found:
            self._add_text(one) if isinstance(one, Text) else self._add_question(one)

    def _cut(self, text: str) -> tuple[np.ndarray, list[tuple[int, int]]]:
        pieces = self._encoder.cut(straight(text))
        return np.array(pieces.ids[1:-1], np.uint16), list(pieces.offsets[1:-1])

    def _add_text(self, text: Text) -> None:
        number = self._texts[text.key] = len(self._texts)
        self.first_unit.append(len(self.units))
        self.titled.append(bool(text.title))
        self.aside.append(is_held_out(text.document))
        if text.title:
            self.units.append(self._cut(f"{text.title}.")[0])
        offsets = []
        for sentence in text.sentences:
            ids, own = self._cut(sentence)
            self.units.append(ids)
            offsets.append(own)
        self._offsets[number] = offsets

    def _add_question(self, question: Question) -> None:
        number = self._texts[question.text]
        spots = []
        for group, places in enumerate(question.answers):
            for sentence, start, end in places:
                offsets = self._offsets[number][sentence]
                inside = [at for at, (low, high) in enumerate(offsets) if low < end and start < high]
                if inside:
                    spots.append((group, sentence + self.titled[number], inside[0], inside[-1] + 1))
        if question.answers and {spot[0] for spot in spots} != set(range(len(question.answers))):
            self.lost += 1
            return
        self.questions.append(self._cut(question.question)[0][:LONGEST_QUESTION])
        self.text.append(number)
        self.outcome.append(question.outcome)
        self.source.append(question.source)
        self.spots.append(np.array(spots, np.int16).reshape(-1, 4))

    def save(self, path: Path) -> None:
        names = sorted(set(self.source))
        arrays = {
            "units.values": np.concatenate(self.units),
            "units.lengths": np.array([len(one) for one in self.units], np.uint16),
            "first_unit": np.array([*self.first_unit, len(self.units)], np.int32),
            "titled": np.array(self.titled),
            "aside": np.array(self.aside),
            "questions.values": np.concatenate(self.questions),
            "questions.lengths": np.array([len(one) for one in self.questions], np.uint16),
            "text": np.array(self.text, np.int32),
            "outcome": np.array(self.outcome, np.uint8),
            "source": np.array([names.index(one) for one in self.source], np.uint8),
            "names": np.array(names),
            "spots.values": np.concatenate(self.spots),
            "spots.lengths": np.array([len(one) for one in self.spots], np.uint16),
        }
        np.savez_compressed(path, allow_pickle=False, **arrays)

    def __str__(self) -> str:
        kinds = ("span", "none", "yes", "no")
        counts: dict[str, list[int]] = {}
        for source, outcome in zip(self.source, self.outcome, strict=True):
            counts.setdefault(source, [0] * len(kinds))[outcome] += 1
        rows = [f"{name}: {dict(zip(kinds, row, strict=True))}" for name, row in sorted(counts.items())]
        return "\n".join([f"{len(self._texts)} texts, {len(self.text)} questions, {self.lost} lost", *rows])


def main() -> None:
    parser = option_parser(__doc__, "data", "without", "output")
    parser.add_argument("--written", type=Path, default=WRITTEN)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    without = frozenset(json.loads(options.without.read_text(encoding="utf-8")))
    table = Table()
    table.add(questions.written(questions.passages(options.data), options.written))
    table.add(questions.everyday())
    table.add(questions.redocred(options.data, without, KEYWORDS, chance))
    table.add(questions.knowledgenet(options.data, chance))
    table.add(questions.fewrel(options.data, chance))
    table.add(questions.qamr(options.data))
    table.add(questions.claims(options.data, without, asker()))
    print(table)
    table.save(options.output)


if __name__ == "__main__":
    main()
