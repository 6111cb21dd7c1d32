"""Fit the model of boilerplate on written lines and marked documents.

    python -m tupelo_training.boilerplate.fit [--check] [-o FILE]

`lines.txt` has lines of boilerplate by reason and lines of content that look like them. They are put into documents
of marked and plain content, at the places where they occur; `documents.txt` has whole documents with marks. With
`--check` one half of the marked documents with odd numbers tests a model that is fitted on the other, then every kind
of them one that has seen none of its documents, and the shares of blocks that are judged rightly are printed.
Documents with even numbers are never read.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

import tupelo
from tupelo.io.documents import boilerplate
from tupelo.io.documents.boilerplate import CONTENT, Candidate, features

HERE = Path(__file__).parent
MARKED = Path("benchmarks/documents_set")
SHARED = Path("../shared/data")
OUTPUT = Path(boilerplate.__file__).with_name("boilerplate.json")
MEDIA = ("page", "markdown", "text", "mail", "chat", "notebook", "office")
DOCUMENTS, SHORT, COPIES = 900, 1500, 3
# Chosen with --check: features that occur in fewer documents are dropped; strength of regularisation.
LEAST, DECAY, STEPS = 3, 1e-5, 150
THRESHOLD, LEAST_WEIGHT = 0.2, 0.25
UNKNOWN = "?"
MENU_WORDS = "menu words"
KINDS = {"i": "item", "h": "heading", "t": "turn", "o": "output"}


@dataclass(frozen=True, slots=True)
class Line:
    reason: str
    media: frozenset[str]
    place: str
    linked: bool
    text: str


Labelled = list[tuple[Candidate, str]]
# Medium, file and blocks of a document.
Marked = tuple[str, str, Labelled]


def written_lines() -> list[Line]:
    found: list[Line] = []
    for line in (HERE / "lines.txt").read_text("utf-8").splitlines():
        if line.startswith("[") and line.count("; ") == 3 and line.endswith("]"):
            reason, media, place, links = line[1:-1].split("; ")
        elif line.strip() and not line.startswith("# "):
            found.append(Line(reason, frozenset(media.split()), place, links == "links", line))
    return found


def written_documents() -> list[Marked]:
    """Documents of `documents.txt`: a block a line, with its kind and whether it is boilerplate and a link."""
    found: list[Marked] = []
    for line in (HERE / "documents.txt").read_text("utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark == "===":
            found.append((text, "", []))
        elif line and mark != "#":
            kind = next((name for letter, name in KINDS.items() if letter in mark), "paragraph")
            linked = 1.0 if "l" in mark and text else 0.0
            # Lines of a signature are blocks of their own.
            apart = text.split("⏎") if found[-1][0] == "mail" and "x" not in mark else [text.replace("⏎", "\n")]
            ones = [Candidate(kind, part, linked, level=2) for part in apart]
            found[-1][2].extend((one, UNKNOWN if "x" in mark else CONTENT) for one in ones)
    return found


def plain_paragraphs() -> list[str]:
    """Sentences of the training part of GUM in groups, as paragraphs of prose, talk and instructions."""
    found: list[str] = []
    with gzip.open(SHARED / "gum/gum-train.conllu.gz", "rt", encoding="utf-8") as file:
        sentences = [line.split("=", 1)[1].strip() for line in file if line.startswith("# text = ")]
    for start in range(0, len(sentences) - 4, 4):
        found.append(" ".join(sentences[start : start + start % 5 + 1]))
    return found


def marked_documents() -> Iterator[Marked]:
    """Medium, file and blocks of the marked documents that may be read, as the readers see them."""
    for file in sorted(MARKED.glob("*.jsonl")):
        for row in map(json.loads, file.read_text("utf-8").splitlines()):
            if row["split"] != "develop":
                continue
            for medium, candidates in candidates_of(MARKED / row["file"]):
                yield medium, row["file"], [(one, _label(one, row["blocks"])) for one in candidates]


def candidates_of(path: Path) -> list[tuple[str, list[Candidate]]]:
    """The blocks that the model is asked about, by document."""
    seen: list[tuple[str, list[Candidate]]] = []

    def record(candidates: Sequence[Candidate], medium: str) -> list[str | None]:
        seen.append((medium, list(candidates)))
        return [None] * len(candidates)

    with patch.object(boilerplate, "reasons", record):
        tupelo.documents.read(path)
    return seen


def _label(candidate: Candidate, blocks: Sequence[dict[str, str]]) -> str:
    """Boilerplate where a marked block of it has most of the words, and no block of the content has as many."""
    words = Counter(candidate.text.lower().split())
    best = {True: 0.0, False: 0.0}
    for block in blocks:
        marked = Counter(block["text"].lower().split())
        shared = (words & marked).total() / max(1, min(words.total(), marked.total()))
        # A heading may be in a list of contents, too.
        shared -= 0.01 * abs(words.total() - marked.total()) / max(words.total(), marked.total(), 1)
        best[bool(block["keep"])] = max(best[bool(block["keep"])], shared)
    return UNKNOWN if best[False] >= 0.6 and best[False] > best[True] else CONTENT


def composed(lines: Sequence[Line], prose: Sequence[str], marked: Sequence[Marked], seed: int) -> Iterator[Marked]:
    """Documents of content with boilerplate at its places: marked ones, and ones that are made of lines and prose."""
    rng = random.Random(seed)
    for medium, file, body in marked:
        for _ in range(COPIES):
            yield medium, file, _with_boilerplate(rng, lines, medium, body, rng.randrange(0, 4))
    for number in range(DOCUMENTS):
        medium = MEDIA[number % len(MEDIA)]
        content = [line for line in lines if medium in line.media and line.reason == CONTENT]
        count = min(len(content), rng.randrange(6, 24))
        made = [(_content(rng, line.text, medium), CONTENT) for line in rng.sample(content, count)]
        made += [(_content(rng, text, medium), CONTENT) for text in rng.sample(prose, rng.randrange(0, 12))]
        made += [(_content(rng, _few_words(rng, rng.choice(prose)), medium), CONTENT) for _ in range(3)]
        rng.shuffle(made)
        yield medium, "", _with_boilerplate(rng, lines, medium, made, rng.randrange(1, 9))


def short_documents(lines: Sequence[Line], prose: Sequence[str], seed: int) -> Iterator[Marked]:
    """Documents of a few blocks, most of them without boilerplate."""
    rng = random.Random(seed)
    for number in range(SHORT):
        medium = MEDIA[number % len(MEDIA)]
        chosen = rng.sample(prose, rng.randrange(1, 6))
        chosen = [text if rng.random() < 0.3 else text.split(". ")[0][:120] for text in chosen]
        chosen += [_few_words(rng, rng.choice(prose)) for _ in range(rng.randrange(0, 3))]
        chosen += [line.text for line in rng.sample(lines, 8) if line.reason == CONTENT and medium in line.media]
        rng.shuffle(chosen)
        made = [(_content(rng, text, medium), CONTENT) for text in chosen]
        yield medium, "", _with_boilerplate(rng, lines, medium, made, rng.choice((0, 0, 0, 1)))


def _with_boilerplate(rng: random.Random, lines: Sequence[Line], medium: str, body: Labelled, count: int) -> Labelled:
    body = list(body)
    others = [line for line in lines if medium in line.media and line.reason != CONTENT]
    if medium in ("page", "markdown") and rng.random() < 0.3:
        _add_menu(rng, lines, body)
    for line in rng.sample([line for line in others if line.reason != MENU_WORDS], count):
        kind = _kind(rng, medium)
        if medium in ("chat", "notebook"):
            kind = "output" if medium == "notebook" else rng.choice(("paragraph", "turn"))
        one = Candidate(kind, line.text, rng.choice((1.0, 0.9, 0.0)) if line.linked else 0.0, level=2)
        edge = rng.randrange(0, 3)
        at = {"top": edge, "bottom": len(body) - edge}.get(line.place, rng.randrange(len(body) + 1))
        body.insert(max(0, at), (one, line.reason))
    return body


def _add_menu(rng: random.Random, lines: Sequence[Line], body: Labelled) -> None:
    """A menu at the top or the bottom: words on lines of their own, or side by side."""
    words = [
        line.text for line in rng.sample([line for line in lines if line.reason == MENU_WORDS], rng.randrange(3, 8))
    ]
    linked = rng.choice((1.0, 1.0, 0.0))
    kind = rng.choice(("paragraph", "item"))
    texts = words if rng.random() < 0.5 else [rng.choice((" ", " | ", " · ", "\n")).join(words)]
    at = rng.choice((0, 0, 1, len(body)))
    body[at:at] = [(Candidate(kind, text, linked), "menu") for text in texts]


def documentation() -> Iterator[Marked]:
    """Pages of our documentation, which are content but for lists of links."""
    for path in sorted(Path("docs").glob("*.md")):
        for medium, candidates in candidates_of(path):
            yield medium, "", [(one, CONTENT) for one in candidates if one.linked < 0.5][:80]


def _few_words(rng: random.Random, text: str) -> str:
    """One to four words of a text, as short items and headings are."""
    words = text.split()
    start = rng.randrange(len(words))
    chosen = " ".join(words[start : start + rng.randrange(1, 5)]).strip(" ,;:()\"'") or words[0]
    return f"{chosen[0].upper()}{chosen[1:].rstrip('.')}{rng.choice(('', '', '.'))}"


def _kind(rng: random.Random, medium: str) -> str:
    return "turn" if medium == "chat" else rng.choice(("paragraph", "paragraph", "item", "heading"))


def _content(rng: random.Random, text: str, medium: str) -> Candidate:
    kind = "output" if medium == "notebook" and rng.random() < 0.3 else _kind(rng, medium)
    linked = rng.choice((0.0, 0.0, 0.1, 0.6)) if medium in ("page", "markdown") and len(text) < 150 else 0.0
    return Candidate("paragraph" if len(text) > 100 and kind == "heading" else kind, text, linked)


def _thinned(rng: random.Random, names: Sequence[str]) -> list[str]:
    """Some of the features, so that no single one decides; words are missing less often."""
    return [name for name in names if rng.random() > (0.1 if name[:2] in ("w ", "p ") else 0.3)]


class Softmax:
    """Multinomial logistic regression on sets of features, by gradient descent with steps per feature."""

    def __init__(
        self, rows: Sequence[Sequence[str]], labels: Sequence[str], classes: Sequence[str], steps: int
    ) -> None:
        # Words that only content has say little, and there is no end of them.
        counts = Counter(
            name
            for row, label in zip(rows, labels, strict=True)
            for name in row
            if label != CONTENT or not name.startswith(("w ", "p ", "all "))
        )
        self.names = sorted(name for name, count in counts.items() if count >= LEAST)
        self.classes = list(classes)
        index = {name: number for number, name in enumerate(self.names)}
        found = [[index[name] for name in row if name in index] for row in rows]
        ends = np.cumsum([0, *map(len, found)])
        columns = np.concatenate([np.array(row, dtype=np.int64) for row in found])
        matrix = csr_matrix((np.ones(len(columns), dtype=np.float32), columns, ends), (len(rows), len(self.names)))
        gold = np.zeros((len(rows), len(classes)), dtype=np.float32)
        gold[np.arange(len(rows)), [self.classes.index(label) for label in labels]] = 1
        self.weights = np.zeros((len(self.names), len(classes)), dtype=np.float32)
        self.bias = np.zeros(len(classes), dtype=np.float32)
        self._fit(matrix, matrix.T.tocsr(), gold, steps)

    def _fit(self, matrix: csr_matrix, turned: csr_matrix, gold: npt.NDArray[np.float32], steps: int) -> None:
        squares = np.full_like(self.weights, 1e-8)
        biases = np.full_like(self.bias, 1e-8)
        for _ in range(steps):
            scores = matrix @ self.weights + self.bias
            scores = np.exp(scores - scores.max(axis=1, keepdims=True))
            wrong = (scores / scores.sum(axis=1, keepdims=True) - gold) / len(gold)
            slope = turned @ wrong + DECAY * self.weights
            squares += slope**2
            biases += wrong.sum(axis=0) ** 2
            self.weights -= 0.3 * slope / np.sqrt(squares)
            self.bias -= 0.3 * wrong.sum(axis=0) / np.sqrt(biases)

    def to_json(self) -> dict[str, object]:
        # Content is 0, so that the others are log odds against it.
        weights = self.weights - self.weights[:, :1]
        bias = self.bias - self.bias[0]
        kept = {}
        for name, row in zip(self.names, weights, strict=True):
            if places := [place for place, value in enumerate(row) if abs(value) >= LEAST_WEIGHT]:
                kept[name] = [places, [round(float(row[place]), 2) for place in places]]
        return {
            "fitted": "python -m tupelo_training.boilerplate.fit",
            "classes": self.classes,
            "bias": [round(float(value), 2) for value in bias],
            "threshold": THRESHOLD,
            "weights": kept,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    marked, written = list(marked_documents()), written_documents()
    if given.check:
        for half in (1, 3):
            parts = [[one for one in marked if (_number(one) % 4 == half) == is_in] for is_in in (True, False)]
            check(fitted([*parts[0], *written], given.seed), parts[1])
        for kind in sorted({_kind_of(one) for one in marked}):
            parts = [[one for one in marked if (_kind_of(one) != kind) == is_in] for is_in in (True, False)]
            check(fitted([*parts[0], *written], given.seed), parts[1])
        return
    model = fitted([*marked, *written], given.seed)
    given.output.write_text(json.dumps(model.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")


def _number(marked: Marked) -> int:
    return int(Path(marked[1]).stem)


def _kind_of(marked: Marked) -> str:
    return marked[1].split("/")[0]


def fitted(marked: Sequence[Marked], seed: int) -> Softmax:
    lines, prose = written_lines(), plain_paragraphs()
    classes = [CONTENT, *dict.fromkeys(line.reason for line in lines if line.reason not in (CONTENT, MENU_WORDS))]
    rng = random.Random(seed)
    rows: list[list[str]] = []
    labels: list[str] = []
    for medium, _, body in [
        *composed(lines, prose, marked, seed),
        *short_documents(lines, prose, seed),
        *documentation(),
    ]:
        rows += [_thinned(rng, names) for names in features([one for one, _ in body], medium)]
        labels += [label for _, label in body]
    # Marks have no reasons: each block gets the one that lines like it have.
    known = [number for number, label in enumerate(labels) if label != UNKNOWN]
    if len(known) < len(labels):
        first = boilerplate_model(
            Softmax([rows[number] for number in known], [labels[number] for number in known], classes, 30)
        )
        labels = [first.best(row) if label == UNKNOWN else label for row, label in zip(rows, labels, strict=True)]
    return Softmax(rows, labels, classes, STEPS)


def boilerplate_model(model: Softmax) -> boilerplate.Model:
    return boilerplate.Model.of(json.loads(json.dumps(model.to_json())))


def check(fit: Softmax, marked: Sequence[Marked]) -> None:
    model = boilerplate_model(fit)
    for threshold in (0.1, 0.15, 0.2, 0.3, 0.5):
        right: Counter[tuple[str, bool]] = Counter()
        of: Counter[tuple[str, bool]] = Counter()
        for medium, file, body in marked:
            for names, (one, label) in zip(features([one for one, _ in body], medium), body, strict=True):
                if one.kind in boilerplate.DATA:
                    continue
                is_out = model.share(names) >= threshold
                for key in (_kind_of((medium, file, body)), "all"):
                    of[key, label == CONTENT] += 1
                    right[key, label == CONTENT] += is_out == (label != CONTENT)
                if threshold == 0.5 and is_out != (label != CONTENT):
                    sign = "KEPT" if label != CONTENT else "LOST"
                    print(f"{sign} {file} {model.share(names):.2f} {one.kind} {one.text[:100]!r}")
        for key in sorted({name for name, _ in of}):
            shares = [f"{right[key, side]}/{of[key, side]}" for side in (True, False)]
            print(threshold, key, "content", shares[0], "boilerplate", shares[1])


if __name__ == "__main__":
    main()
