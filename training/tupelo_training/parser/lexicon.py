"""Fits what needs no network: the weights of the sentence splitter and the lexicon of the lemmatiser.

    python -m tupelo_training.parser.lexicon --output src/tupelo/models/en TREEBANK.conllu.gz … --whole SET.conll.gz …

Writes `split.json` and `lemmas.json`. Documents whose licence forbids commercial use or changes are left out. Runs on
one core in about a minute; the same files and seed give the same bytes.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from tupelo.core import Analysis
from tupelo.io import conllu
from tupelo.io.files import write_text
from tupelo.io.lines import Lines
from tupelo.nlp.lemmas import Lemmatizer
from tupelo.nlp.prepare import Gaps
from tupelo.nlp.tokens import tokenize
from tupelo_training.facts.texts import running_text
from tupelo_training.options import write_checksums
from tupelo_training.parser.boundaries import Example, made_examples
from tupelo_training.parser.name_sets import read_tags
from tupelo_training.parser.paragraphs import paragraphs
from tupelo_training.parser.treebanks import NEW_DOCUMENT, is_open_document, lines_of

EPOCHS = 12
AVERAGED = 8
RATE = 0.1
SHRINK = 1.5e-3
FEWEST = 3  # a feature seen less often says nothing
SMALLEST = 0.25  # weights below this are dropped; together they change no decision worth the space
ENDING = re.compile(r"[.!?]")  # in the kind of a gap
MADE = 0.3  # of the pairs of sentences, how many give made examples
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
    """Logistic regression by AdaGrad, one example at a time; the weights are the mean over the last epochs."""
    counts = Counter(feature for features, _ in examples for feature in features)
    index: dict[str, int] = {}
    rows = [
        ([index.setdefault(feature, len(index)) for feature in features if counts[feature] >= FEWEST], is_end)
        for features, is_end in examples
    ]
    weights, squares, sums = [0.0] * len(index), [1e-8] * len(index), [0.0] * len(index)
    order = random.Random(seed)
    for epoch in range(EPOCHS):
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
        if epoch >= EPOCHS - AVERAGED:
            sums = [total + weight for total, weight in zip(sums, weights, strict=True)]
    means = {feature: sums[i] / AVERAGED for feature, i in sorted(index.items())}
    return {feature: round(mean, 2) for feature, mean in means.items() if abs(mean) >= SMALLEST}


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
    parser.add_argument("--whole", nargs="*", default=[], type=Path, help="tagged sentences that have no ends inside")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    examples: list[Example] = []
    analyses: list[Analysis] = []
    for path in options.treebanks:
        text = open_lines(path)
        found = list(conllu.read(Lines(text, path.name)))
        analyses.extend(found)
        examples.extend(boundary_examples(paragraphs(Lines(text, path.name))))
        examples.extend(made_examples(found, MADE, options.seed))
    for path in options.whole:
        texts = (running_text(list(words)) for words, _ in read_tags(path))
        # Splitters made these sentences, and they rarely err without a mark that may end one.
        inside = boundary_examples((text, ()) for text in texts)
        examples.extend((features, is_end) for features, is_end in inside if not ENDING.search(features[1]))
    options.output.mkdir(parents=True, exist_ok=True)
    _write(options.output / "split.json", fit_splitter(examples, options.seed))
    _write(options.output / "lemmas.json", fit_lemmas(analyses))
    write_checksums(options.output)


def open_lines(path: Path) -> list[str]:
    """The lines of the documents of a CoNLL-U file that may be learned from."""
    kept: list[str] = []
    is_kept = True
    for line in lines_of(path):
        if line.startswith(NEW_DOCUMENT):
            is_kept = is_open_document(line.removeprefix(NEW_DOCUMENT))
        if is_kept:
            kept.append(line)
    return kept


def _write(path: Path, content: object) -> None:
    write_text(path, json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
