"""How good is coreference from raw text? GUM, GAP, and the pronouns that stand for names.

    python -m benchmarks.coref [--part dev] [--parser model:FOLDER] [--data ../shared/data] [--documents N] [--json]

GUM: the raw text of each document, paragraph by paragraph, is analysed as one text; mentions are scored by exact
characters against GUM's, as the reference scorer of CoNLL counts (`tupelo score coref`), with the entities that have
one mention and without them.

GAP (validation part): a pronoun means a name when its chain has another mention whose name is that name. The mention
of the pronoun is the one with exactly its characters. The name of a mention is the named entity around its head word,
or the head word itself where it is in none; it is the name of the example when their characters overlap.

Pronouns of GUM. Those that count are he, she, it, they and their other forms, as gold mentions of one word, with a
name before them in their gold chain: a mention whose head is a proper noun, and which does not hold the pronoun
itself. The program resolves such a pronoun when it has a mention of exactly these characters and a name in the chain
of it: a mention whose head word is in a named entity. Of several names the last one before the pronoun is taken, else
the first after it. It is right when a gold mention of the pronoun's entity has the same characters as this mention,
or its head word has characters in common with the head word of this mention.

* Recall: the right ones among all that count.
* Precision: the right ones among those that count and are resolved.
* Precision over all: the right ones among all third-person pronouns that are resolved, also those that gold links to
  no name or to nothing; a pronoun is right here by the same rule.

*By the clusters of the parser*, the same figures are given for the pronouns that `tupelo extract` resolves.

*As resolved* are the names by which `tupelo extract` and graphs resolve pronouns (`names.antecedents`), which need
not be those of the parser's clusters: of the places of such a name the last before the pronoun counts, else the
first. The same for GAP: a pronoun means a name when it is resolved by one of its places.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from pathlib import Path
from typing import Any

import tupelo
from benchmarks.gap import GapAnswer, GapScore, score_gap
from benchmarks.nlp import DATA
from tupelo.api.text import Toolkit
from tupelo.core import Analysis
from tupelo.core.coreference import named
from tupelo.io.analyses import read_analyses
from tupelo.io.files import InputFile
from tupelo.io.lines import Lines
from tupelo.names.antecedents import Word, antecedents_of
from tupelo.names.coreference import find_references
from tupelo.scorers.coref import CorefScorer
from tupelo_training.parser.paragraphs import paragraphs

FORMS = {
    "he": "he him his himself",
    "she": "she her hers herself",
    "it": "it its itself",
    "they": "they them their theirs themselves themself",
}
PRONOUNS = {form: name for name, forms in FORMS.items() for form in forms.split()}
TARGETS = {"CoNLL F1 without singletons": 52.0, "GAP F1": 75.0, "recall": 65.0, "precision": 82.0}
Characters = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Placed:
    """A mention by its characters in the document, white space left out, and those of its head and its name."""

    entity: int
    text: str
    span: Characters
    head: Characters
    name: Characters | None
    is_proper: bool
    is_pronoun: bool


def place_mentions(sentences: Iterable[Analysis], *, count_blanks: bool = False) -> list[Placed]:
    """The mentions of one document; with `count_blanks` by the characters of its text, white space included."""
    found: list[Placed] = []
    position = 0
    for analysis in sentences:
        if count_blanks:
            places: Sequence[int] = range(analysis.start, analysis.start + len(analysis.text) + 1)
        else:
            is_ink = (not character.isspace() for character in analysis.text)
            places = [*accumulate(is_ink, initial=position)]
            position = places[-1]
        for mention in analysis.mentions or ():
            head, name = analysis.words[mention.head], named(analysis, mention)
            own, head_span = analysis.span(mention.start, mention.end), analysis.span(mention.head, mention.head + 1)
            name_span = None if name is None else analysis.span(name.start, name.end)
            found.append(
                Placed(
                    mention.entity,
                    analysis.phrase(mention),
                    (places[own.start], places[own.end]),
                    (places[head_span.start], places[head_span.end]),
                    None if name_span is None else (places[name_span.start], places[name_span.end]),
                    head.upos == "PROPN",
                    mention.end - mention.start == 1 and head.upos == "PRON" and head.text.lower() in PRONOUNS,
                )
            )
    return found


def overlap(one: Characters, other: Characters) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def by_document(analyses: Iterable[Analysis]) -> dict[str, list[Analysis]]:
    return {str(name): list(group) for name, group in groupby(analyses, key=lambda analysis: analysis.document_id)}


def raw_documents(path: Path) -> Iterator[tuple[str, str]]:
    """The name and the raw text of each document of a treebank."""
    documents: dict[str, list[str]] = {}
    name = ""
    with InputFile(path) as file:
        for _, line in file.lines():
            if line.startswith("# newdoc id = "):
                name = line.removeprefix("# newdoc id = ")
            documents.setdefault(name, []).append(line)
    for name, lines in documents.items():
        yield name, "\n\n".join(text for text, _ in paragraphs(Lines(lines)))


def analyse_raw(nlp: Toolkit, documents: Sequence[tuple[str, str]]) -> list[Analysis]:
    """The sentences of raw documents, with mentions."""
    found = nlp.pipe_analyses([text for _, text in documents], constituents=False, coreference=True)
    return [
        replace(analysis, document_id=name)
        for (name, _), analyses in zip(documents, found, strict=True)
        for analysis in analyses
    ]


def chain_figures(gold: Sequence[Analysis], predicted: Sequence[Analysis]) -> dict[str, dict[str, float]]:
    """F1 of every metric, with singletons and without, and precision and recall of the CoNLL three."""
    table = {}
    for title, choice in (("with singletons", "keep"), ("without singletons", "drop")):
        score = CorefScorer(singletons=choice).evaluate(gold, predicted)
        row = {"CoNLL F1": 100 * score.f1}
        for name, figures in score.figures.items():
            values = {"P": figures.precision, "R": figures.recall, "F1": figures.f1}
            row |= {f"{name} {key}": 100 * value for key, value in values.items()}
        table[title] = row
    return table


# For a document, the head and all characters of the name of each pronoun that has one, by its characters.
Answers = Mapping[Characters, tuple[Characters, Characters]]


def by_clusters(sentences: Sequence[Analysis]) -> Answers:
    """The names of pronouns by the clusters of the parser."""
    given = place_mentions(sentences)
    found = ((one.span, named_by(given, one.span)) for one in given)
    return {span: (answer.head, answer.span) for span, answer in found if answer is not None}


def as_resolved(sentences: Sequence[Analysis]) -> Answers:
    """The names by which pronouns are resolved."""
    place = 0
    starts = []
    for analysis in sentences:
        starts.append(place)
        place += sum(not letter.isspace() for letter in analysis.text)

    def characters(word: Word) -> Characters:
        analysis = sentences[word[0]]
        span = analysis.span(word[1], word[1] + 1)
        first, last = (sum(not letter.isspace() for letter in analysis.text[:at]) for at in (span.start, span.end))
        return starts[word[0]] + first, starts[word[0]] + last

    found = {}
    for pronoun, (one, _) in antecedents_of(sentences).resolve().items():
        if one.name is not None:
            earlier = [word for word in one.named if word < pronoun]
            head = characters(earlier[-1] if earlier else one.named[0])
            found[characters(pronoun)] = head, head
    return found


def pronoun_figures(
    gold: Sequence[Analysis],
    predicted: Sequence[Analysis],
    answers_of: Callable[[Sequence[Analysis]], Answers] = by_clusters,
) -> dict[str, dict[str, float]]:
    """Recall and precision of third-person pronouns, by pronoun and in all; see the top of the file."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    documents = by_document(predicted)
    for name, sentences in by_document(gold).items():
        wanted, answers = place_mentions(sentences), answers_of(documents[name])
        by_entity: dict[int, list[Placed]] = defaultdict(list)
        for mention in wanted:
            by_entity[mention.entity].append(mention)
        for pronoun in wanted:
            if not pronoun.is_pronoun:
                continue
            same = by_entity[pronoun.entity]
            counted = any(
                m.is_proper and m.span[0] < pronoun.span[0] and not overlap(m.span, pronoun.span) for m in same
            )
            answer = answers.get(pronoun.span)
            right = answer is not None and any(
                answer[1] == m.span or overlap(answer[0], m.head) for m in same if m is not pronoun
            )
            for row in (PRONOUNS[pronoun.text.lower()], "all"):
                counts[row].update(
                    pronouns=1,
                    counted=counted,
                    resolved=counted and answer is not None,
                    right=counted and right,
                    resolved_of_all=answer is not None,
                    right_of_all=right,
                )
    return {row: pronoun_row(counts[row]) for row in (*FORMS, "all")}


def only_sure(predicted: Sequence[Analysis]) -> list[Analysis]:
    """The sentences without the pronouns that extraction leaves unresolved."""
    return [
        replace(
            analysis,
            mentions=tuple(
                mention
                for mention in analysis.mentions or ()
                if mention.head in referents or analysis.words[mention.head].text.lower() not in PRONOUNS
            ),
        )
        for analysis, referents in zip(predicted, find_references(predicted), strict=True)
    ]


def pronoun_row(count: Counter[str]) -> dict[str, float]:
    def share(part: str, whole: str) -> float:
        return 100 * count[part] / max(1, count[whole])

    return {
        "recall": share("right", "counted"),
        "precision": share("right", "resolved"),
        "precision over all": share("right_of_all", "resolved_of_all"),
        "counted": count["counted"],
        "resolved": count["resolved"],
        "right": count["right"],
        "all pronouns": count["pronouns"],
    }


def named_by(mentions: Sequence[Placed], pronoun: Characters) -> Placed | None:
    """The mention that names what the mention with these characters is about; `None` where the program has none."""
    own = next((mention for mention in mentions if mention.span == pronoun), None)
    if own is None:
        return None
    names = [m for m in mentions if m.entity == own.entity and m.name is not None and m is not own]
    before = [mention for mention in names if mention.span[0] < pronoun[0]]
    return max(before, key=lambda m: m.span[0]) if before else min(names, key=lambda m: m.span[0], default=None)


def read_gap(path: Path) -> list[dict[str, str]]:
    with InputFile(path) as file:
        lines = [line for _, line in file.lines()]
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def gap_answer(sentences: Iterable[Analysis], row: dict[str, str]) -> GapAnswer:
    """Whether the pronoun of an example means its name A, and its name B."""
    mentions = place_mentions(sentences, count_blanks=True)
    start = int(row["Pronoun-offset"])
    own = next((mention for mention in mentions if mention.span == (start, start + len(row["Pronoun"]))), None)
    chain = [] if own is None else [m for m in mentions if m.entity == own.entity and m is not own]

    def is_meant(name: str) -> bool:
        first = int(row[f"{name}-offset"])
        return any(overlap(m.name or m.head, (first, first + len(row[name]))) for m in chain)

    return GapAnswer(is_meant("A"), is_meant("B"))


def resolved_answer(sentences: Sequence[Analysis], row: dict[str, str]) -> GapAnswer:
    """The same by the name by which the pronoun is resolved."""

    def characters(word: Word) -> Characters:
        analysis = sentences[word[0]]
        span = analysis.span(word[1], word[1] + 1)
        return analysis.start + span.start, analysis.start + span.end

    resolved = antecedents_of(sentences).resolve()
    start = int(row["Pronoun-offset"])
    own = next((one for word, (one, _) in resolved.items() if characters(word)[0] == start), None)

    def is_meant(name: str) -> bool:
        first = int(row[f"{name}-offset"])
        places = [] if own is None else own.named
        return any(overlap(characters(word), (first, first + len(row[name]))) for word in places)

    return GapAnswer(is_meant("A"), is_meant("B"))


def gap_figures(nlp: Toolkit, rows: Sequence[dict[str, str]]) -> tuple[GapScore, GapScore]:
    """By the clusters of the parser, and as resolved."""
    found = list(map(list, nlp.pipe_analyses([row["Text"] for row in rows], constituents=False, coreference=True)))

    def score(answer: Callable[[Sequence[Analysis], dict[str, str]], GapAnswer]) -> GapScore:
        return score_gap(
            (GapAnswer(row["A-coref"] == "TRUE", row["B-coref"] == "TRUE"), answer(analyses, row), row["Pronoun"])
            for row, analyses in zip(rows, found, strict=True)
        )

    return score(gap_answer), score(resolved_answer)


def measure(nlp: Toolkit, data: Path, part: str, documents: int | None) -> dict[str, Any]:
    path = data / f"gum/gum-{part}.conllu.gz"
    raw = list(raw_documents(path))[:documents]
    names = {name for name, _ in raw}
    gold = [analysis for analysis in read_analyses(path) if analysis.document_id in names]
    predicted = analyse_raw(nlp, raw)
    by_parser, resolved = gap_figures(nlp, read_gap(data / "coref/gap-validation.tsv.gz"))
    return {
        "chains": chain_figures(gold, predicted),
        "pronouns": pronoun_figures(gold, predicted),
        "resolved pronouns": pronoun_figures(gold, only_sure(predicted)),
        "as resolved": pronoun_figures(gold, predicted, as_resolved),
        "gap": by_parser,
        "gap as resolved": resolved,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--part", choices=("dev", "test"), default="test")
    parser.add_argument("--parser", default="en", help="as for tupelo.load: en, model:FOLDER, …")
    parser.add_argument("--documents", type=int, help="only the first of GUM")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not options.data.is_dir():
        sys.exit(f"{options.data}: no such folder; the treebanks are expected there")
    started = time.perf_counter()
    with tupelo.load(options.parser) as nlp:
        found = measure(nlp, options.data, options.part, options.documents)
    if options.json:
        scores = {name: found[name].to_dict() for name in ("gap", "gap as resolved")}
        print(json.dumps(found | scores, indent=1))
        return
    print(f"GUM {options.part}, from raw text")
    for title, row in found["chains"].items():
        print(f"  {title:20} CoNLL F1 {row['CoNLL F1']:.1f}{judgement(f'CoNLL F1 {title}', row['CoNLL F1'])}")
        for name in ("muc", "b3", "ceafe", "ceafm", "lea", "mentions"):
            print(f"    {name:9}", "  ".join(f"{key} {row[f'{name} {key}']:5.1f}" for key in ("P", "R", "F1")))
    print(f"\nThird-person pronouns of GUM {options.part} with a name before them")
    for name, row in found["pronouns"].items():
        cells = [f"{key} {row[key]:.1f}{judgement(key, row[key]) if name == 'all' else ''}" for key in list(row)[:3]]
        counts = ", ".join(f"{row[key]:.0f} {key}" for key in list(row)[3:])
        print(f"  {name:5}", "  ".join(cells), f"  ({counts})")
    sure = found["resolved pronouns"]["all"]
    print("  resolved in tuples:", "  ".join(f"{key} {sure[key]:.1f}" for key in list(sure)[:3]))
    for name, row in found["as resolved"].items():
        print(f"  as resolved, {name:5}", "  ".join(f"{key} {row[key]:.1f}" for key in list(row)[:3]))
    print(f"\nGAP validation; as resolved F1 {100 * found['gap as resolved'].overall.f1:.1f}")
    gap: GapScore = found["gap"]
    for name, part in (("overall", gap.overall), ("masculine", gap.masculine), ("feminine", gap.feminine)):
        verdict = judgement("GAP F1", 100 * part.f1) if name == "overall" else ""
        print(f"  {name:10} P {100 * part.precision:.1f}  R {100 * part.recall:.1f}  F1 {100 * part.f1:.1f}{verdict}")
    print(f"  bias {gap.bias:.2f}" if gap.bias is not None else "")
    print(f"\n{time.perf_counter() - started:.0f} s")


def judgement(name: str, value: float) -> str:
    target = TARGETS.get(name)
    return "" if target is None else f" (>= {target:g}: {'yes' if value >= target else 'NO'})"


if __name__ == "__main__":
    main()
