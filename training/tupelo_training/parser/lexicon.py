"""Fits what needs no network: the weights of the sentence splitter and the lexicon of the lemmatiser.

    python -m tupelo_training.parser.lexicon --output src/tupelo/models/en TREEBANK.conllu.gz …

Writes `split.json` and `lemmas.json`. Runs on one core in less than a minute; the same files and seed give the same
bytes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from tupelo.core import Analysis
from tupelo.io import conllu
from tupelo.io.files import InputFile, write_text
from tupelo.nlp.lemmas import Lemmatizer
from tupelo.nlp.prepare import Gaps
from tupelo.nlp.tokens import tokenize
from tupelo_training.options import write_checksums

Example = tuple[list[str], bool]

EPOCHS = 8
RATE = 0.1
SHRINK = 1.5e-4
FEWEST = 3  # a feature seen less often says nothing
SMALLEST = 0.2  # weights below this are dropped; together they change no decision worth the space
OPEN_CLASSES = ("VERB", "NOUN", "ADJ", "ADV")


def boundary_examples(paragraphs: Iterable[tuple[str, tuple[int, ...]]]) -> list[Example]:
    """Every gap where a sentence could end, and whether one does."""
    examples: list[Example] = []
    for text, ends in paragraphs:
        tokens = tokenize(text)
        gaps = Gaps([text[start:end] for start, end, _ in tokens], tokens)
        begin = 0
        for index in range(len(tokens) - 1):
            is_end = tokens[index][1] in ends
            features = gaps.features(index, begin)
            if features is not None:
                examples.append((features, is_end))
            if is_end:
                begin = index + 1
    return examples


def fit_splitter(examples: Sequence[Example], seed: int) -> dict[str, float]:
    """Logistic regression by AdaGrad, one example at a time."""
    counts = Counter(feature for features, _ in examples for feature in features)
    index: dict[str, int] = {}
    rows = [
        ([index.setdefault(feature, len(index)) for feature in features if counts[feature] >= FEWEST], is_end)
        for features, is_end in examples
    ]
    weights, squares = [0.0] * len(index), [1e-8] * len(index)
    order = random.Random(seed)
    for _ in range(EPOCHS):
        order.shuffle(rows)
        for row, is_end in rows:
            total = sum([weights[i] for i in row])
            error = 1 / (1 + math.exp(-max(-30.0, min(30.0, total)))) - is_end
            if abs(error) < 1e-3:
                continue
            for i in row:
                slope = error + SHRINK * weights[i]
                squares[i] += slope * slope
                weights[i] -= RATE * slope / math.sqrt(squares[i])
    return {feature: round(weights[i], 2) for feature, i in sorted(index.items()) if abs(weights[i]) >= SMALLEST}


def fit_lemmas(analyses: Iterable[Analysis]) -> dict[str, dict[str, object]]:
    """Base forms by tag, and the forms that the rules get wrong."""
    known: dict[str, set[str]] = {tag: set() for tag in OPEN_CLASSES}
    seen: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for analysis in analyses:
        for word in analysis.words:
            if word.lemma is None or word.upos is None or word.deprel == "goeswith" or word.feature("Typo"):
                continue
            tag = "VERB" if word.upos == "AUX" else word.upos
            if tag in known and word.lemma.isalpha():
                known[tag].add(word.lemma.lower())
            seen[word.upos, word.text][word.lemma, word.xpos or ""] += 1
    rules = Lemmatizer({}, {tag: frozenset(words) for tag, words in known.items()})
    exceptions: dict[str, dict[str, str]] = defaultdict(dict)
    for (upos, form), pairs in sorted(seen.items()):
        lemmas: Counter[str] = Counter()
        by_rule = 0
        for (lemma, xpos), times in pairs.items():
            lemmas[lemma] += times
            by_rule += times * (rules.lemma(form, upos, xpos) == lemma)
        lemma, times = min(lemmas.items(), key=lambda item: (-item[1], item[0]))
        if times > by_rule and (times > 1 or upos not in ("VERB", "X")):
            exceptions[upos][form] = lemma
    return {
        "known": {tag: " ".join(sorted(words)) for tag, words in known.items()},
        "exceptions": dict(sorted(exceptions.items())),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", nargs="+", type=Path)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    examples: list[Example] = []
    analyses: list[Analysis] = []
    for path in options.treebanks:
        with InputFile(path) as file:
            analyses.extend(conllu.read(file.lines()))
        with InputFile(path) as file:
            examples.extend(boundary_examples(conllu.paragraphs(file.lines())))
    options.output.mkdir(parents=True, exist_ok=True)
    _write(options.output / "split.json", fit_splitter(examples, options.seed))
    _write(options.output / "lemmas.json", fit_lemmas(analyses))
    write_checksums(options.output)


def _write(path: Path, content: object) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
