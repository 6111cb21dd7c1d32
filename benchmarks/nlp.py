"""How accurate is the shipped parser? One table per head, on the test parts of public treebanks.

    python -m benchmarks.nlp [--data ../shared/data] [--model FOLDER] [--teacher SPACY_FOLDER] [--json]

Words and sentences are given (gold tokens), except in the rows "from raw text". Tags and dependencies are scored as
in the CoNLL 2018 shared task, constituents as by EVALB without punctuation, entities by exact words and type. GUM has
no type for works, so works count as other there. With a teacher (a folder of spaCy's `en_core_web_md`) the agreement
on 2,000 sentences of news that nothing was trained on is shown as well.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tupelo
from benchmarks.conll18 import score_conll18
from benchmarks.evalb import score_evalb
from tupelo.core import Analysis, Passage
from tupelo.core.protocols import Parser
from tupelo.io.analyses import read_analyses
from tupelo.io.lines import Lines
from tupelo_training.parser.paragraphs import paragraphs

DATA = Path(__file__).resolve().parents[1] / ".." / "shared" / "data"
TREEBANKS = {"EWT test": "ud_ewt/en_ewt-test", "GUM test": "gum/gum-test", "GENTLE": "gum/gentle"}
TARGETS = {
    ("EWT test", "UPOS"): 97.4,
    ("EWT test", "LAS"): 91.2,
    ("GUM test", "LAS"): 89.5,
    ("EWT test, from raw text", "LAS"): 88.4,
    ("GUM test", "Constituents"): 90.0,
    ("GUM test", "Entities"): 77.0,
    ("GENTLE", "Entities"): 52.0,
    ("UNER, EWT dev", "Entities"): 80.0,
}
NEWS_SENTENCES = 2000
Found = set[tuple[int, int, int, str]]


def percent(value: float) -> float:
    return round(100 * value, 2)


def on_given_words(
    nlp: Parser, gold: Sequence[Analysis], *, lower: bool = False, coreference: bool = False
) -> list[Analysis]:
    """The analysis of each sentence; with coreference, sentences of one document are known to be that."""
    texts = (" ".join(word.text.replace(" ", "\u00a0") for word in analysis.words) for analysis in gold)
    lines = (
        Passage(text.lower() if lower else text, document_id=analysis.document_id if coreference else None)
        for text, analysis in zip(texts, gold, strict=True)
    )
    return list(nlp.analyze(lines, pretokenized=True, coreference=coreference))


def dependency_figures(
    gold: Iterable[Analysis], predicted: Iterable[Analysis], names: Sequence[str]
) -> dict[str, float]:
    counts = score_conll18(gold, predicted)
    return {name: percent(counts[name].f1) for name in names}


def same_words(gold: Sequence[Analysis], predicted: Sequence[Analysis]) -> list[Analysis]:
    """Predictions with the texts of the gold side, for words that hold a space."""
    from dataclasses import replace

    return [
        replace(
            guess,
            text=truth.text,
            start=truth.start,
            contractions=truth.contractions,
            words=tuple(
                replace(a, text=b.text, start=b.start, end=b.end)
                for a, b in zip(guess.words, truth.words, strict=True)
            ),
        )
        for truth, guess in zip(gold, predicted, strict=True)
    ]


def f1(right: int, found: int, wanted: int) -> float:
    return percent(2 * right / (found + wanted)) if found + wanted else 100.0


def entity_figures(wanted: Found, found: Found, kinds: Iterable[str]) -> dict[str, dict[str, float]]:
    table = {}
    for kind in (*kinds, "all"):
        a = {item for item in wanted if kind in ("all", item[3])}
        b = {item for item in found if kind in ("all", item[3])}
        both = len(a & b)
        table[kind] = {
            "P": percent(both / len(b)) if b else 0.0,
            "R": percent(both / len(a)) if a else 0.0,
            "F1": f1(both, len(b), len(a)),
            "gold": len(a),
        }
    return table


def confusions(wanted: Found, found: Found) -> list[str]:
    """The most frequent disagreements: types at the same words, and entities that only one side has."""
    left = {item[:3]: item[3] for item in wanted}
    right = {item[:3]: item[3] for item in found}
    counts: Counter[str] = Counter()
    for place in left.keys() | right.keys():
        a, b = left.get(place, "none"), right.get(place, "none")
        if a != b:
            counts[f"{a} > {b}"] += 1
    return [f"{pair}: {count}" for pair, count in counts.most_common(12)]


def gum_entities(path: Path, predicted: Sequence[Analysis]) -> dict[str, Any]:
    """Names of a file of GUM's kind. What GUM does not count as names (dates, numbers) is left out on both sides."""
    from tupelo_training.parser.entities import named_entities
    from tupelo_training.parser.treebanks import read_conllu

    wanted: Found = set()
    found: Found = set()
    for number, (example, guess) in enumerate(zip(read_conllu(path, path.name), predicted, strict=True)):
        tags = example.upos or (), example.xpos or (), example.heads or ()
        for entity in named_entities(example.mentions or (), example.words, *tags):
            wanted.add((number, entity.first, entity.last + 1, entity.kind))
        for guessed in guess.entities or ():
            if guessed.label not in ("datetime", "number"):
                found.add((number, guessed.start, guessed.end, "other" if guessed.label == "work" else guessed.label))
    kinds = ("person", "organization", "place", "event", "other")
    return {"types": entity_figures(wanted, found, kinds), "confusions (gold > predicted)": confusions(wanted, found)}


def uner_entities(nlp: Parser, path: Path, *, lower: bool) -> dict[str, Any]:
    """Persons, places and organizations as Universal NER marks them; other names are left out on both sides."""
    from tupelo_training.parser.name_sets import UNER, read_tags, spans

    wanted: Found = set()
    texts = []
    for number, (words, tags) in enumerate(read_tags(path)):
        text = " ".join(words)
        texts.append(text.lower() if lower else text)
        wanted |= {(number, first, last + 1, UNER[label]) for first, last, label in spans(tags)}
    found: Found = {
        (number, entity.start, entity.end, entity.label)
        for number, guess in enumerate(nlp.analyze(texts, pretokenized=True, constituents=False))
        for entity in guess.entities or ()
        if entity.label in UNER.values()
    }
    kinds = ("person", "place", "organization")
    return {"types": entity_figures(wanted, found, kinds), "confusions (gold > predicted)": confusions(wanted, found)}


def agreement_with_teacher(nlp: Parser, data: Path, teacher: Path) -> dict[str, Any]:
    from tupelo_training.parser.entities import TYPES
    from tupelo_training.parser.prepare import teacher_entities
    from tupelo_training.parser.raw import read_news

    examples = list(read_news(data))[:NEWS_SENTENCES]
    predicted = list(
        nlp.analyze((" ".join(example.words) for example in examples), pretokenized=True, constituents=False)
    )
    theirs: Found = {
        (number, entity.first, entity.last + 1, entity.kind)
        for number, entities in enumerate(teacher_entities(examples, teacher))
        for entity in entities
    }
    ours: Found = {
        (number, entity.start, entity.end, entity.label)
        for number, analysis in enumerate(predicted)
        for entity in analysis.entities or ()
    }
    return {"types": entity_figures(theirs, ours, TYPES), "confusions (theirs > ours)": confusions(theirs, ours)}


def wsj_trees(path: Path) -> list[Analysis]:
    """The Penn Treebank sample, as the bracket reader of the package reads it."""
    import zipfile

    from tupelo.io import brackets

    with zipfile.ZipFile(path) as archive:
        names = sorted(name for name in archive.namelist() if "/combined/" in name and name.endswith(".mrg"))
        lines = [line for name in names for line in archive.read(name).decode("ascii").splitlines()]
    return list(brackets.read(Lines(lines, path.name)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--model", type=Path, help="a folder of the same form as the shipped one")
    parser.add_argument("--teacher", type=Path, help="a spaCy pipeline to compare entities with")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data}: no such folder; the treebanks are expected there")

    started = time.perf_counter()
    nlp = tupelo.load(f"model:{options.model}" if options.model else "en")
    figures: dict[str, dict[str, float]] = {}
    details: dict[str, Any] = {}
    for name, stem in TREEBANKS.items():
        gold = list(read_analyses(options.data / f"{stem}.conllu.gz"))
        predicted = on_given_words(nlp, gold)
        figures[name] = dependency_figures(
            gold, same_words(gold, predicted), ("UPOS", "XPOS", "UFeats", "Lemmas", "UAS", "LAS")
        )
        trees = options.data / f"{stem}.ptb.gz"
        if trees.is_file():
            figures[name]["Constituents"] = percent(
                score_evalb(read_analyses(trees, "brackets"), predicted).brackets.f1
            )
        if stem.startswith("gum/"):
            path = options.data / f"{stem}.conllu.gz"
            for title, guesses in (
                ("Entities", predicted),
                ("Entities in documents", on_given_words(nlp, gold, coreference=True)),
                ("Entities in lower case", on_given_words(nlp, gold, lower=True)),
            ):
                names = details[f"{title}, {name}"] = gum_entities(path, guesses)
                figures[name][title] = names["types"]["all"]["F1"]
    for name in ("EWT test", "GUM test"):
        path = options.data / f"{TREEBANKS[name]}.conllu.gz"
        texts = [text for text, _ in paragraphs(conllu_lines(path))]
        predicted = list(nlp.analyze(texts, constituents=False))
        columns = ("Sentences", "Words", "UPOS", "UAS", "LAS")
        figures[f"{name}, from raw text"] = dependency_figures(read_analyses(path), predicted, columns)
    uner = options.data / "names/uner_ewt.dev.conll.gz"
    if uner.is_file():
        for lower in (False, True):
            title = "UNER, EWT dev" + (", lower case" if lower else "")
            details[f"Entities, {title}"] = uner_entities(nlp, uner, lower=lower)
            figures[title] = {"Entities": details[f"Entities, {title}"]["types"]["all"]["F1"]}
    sample = options.data / "nltk/treebank.zip"
    if sample.is_file():
        gold = wsj_trees(sample)
        figures["WSJ sample"] = {"Constituents": percent(score_evalb(gold, on_given_words(nlp, gold)).brackets.f1)}
    if options.teacher:
        details["Entities, agreement with en_core_web_md on news"] = agreement_with_teacher(
            nlp, options.data, options.teacher
        )

    if options.json:
        print(json.dumps({"figures": figures, "details": details}, indent=1))
        return
    for name, row in figures.items():
        print(
            f"{name:26}",
            "  ".join(f"{column} {value:5.2f}{judgement(name, column, value)}" for column, value in row.items()),
        )
    for name, detail in details.items():
        print(f"\n{name}")
        for kind, row in detail["types"].items():
            print(f"  {kind:14}", "  ".join(f"{column} {value:6}" for column, value in row.items()))
        for title, pairs in detail.items():
            if title != "types":
                print(f"  {title}: {', '.join(pairs)}")
    print(f"\n{time.perf_counter() - started:.0f} s")


def judgement(name: str, column: str, value: float) -> str:
    target = TARGETS.get((name, column))
    return "" if target is None else f" (>= {target:g}: {'yes' if value >= target else 'NO'})"


def conllu_lines(path: Path) -> Lines:
    from tupelo_training.parser.treebanks import lines_of

    return Lines(list(lines_of(path)), path.name)


if __name__ == "__main__":
    main()
