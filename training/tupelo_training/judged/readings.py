"""From the judged set to the annotation application and back.

    python -m tupelo_training.judged.readings rows --splits dev --every 10 --output rows.jsonl
    tupelo annotate init again --task judgements --items rows.jsonl
    python -m tupelo_training.judged.readings second answers.jsonl
    python -m tupelo_training.judged.readings add answers.jsonl --document report.txt --id report-7 --kind news \\
        --source "Our own writing" --licence "CC BY 4.0" --split train

`rows` writes tuples for another reading, without what the first reader said, and `second` takes what the task
`judgements` exports of them as second readings. Texts that the set only refers to are put together from the files
that hold them (`--texts`); without them their tuples are left out. `add` takes what the task exports of one new
document: of two answers to a tuple the first is its label, the second a second reading; further ones are left out.
With `--by-reference` the text itself stays out of the set.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tupelo.annotate.tasks.judging import TUPLE_LABELS
from tupelo.annotate.tasks.words import as_argument, find_part, words_of
from tupelo.core import Argument, Extraction, FormatError, InputError, TupeloError
from tupelo.core.extraction import on_one_line
from tupelo.core.schemas import row_to_record
from tupelo.io.files import InputFile, open_output
from tupelo.io.json_items import dumped, line_objects
from tupelo.io.text import read_whole
from tupelo_training.judged.stored import (
    FOLDER,
    SPLITS,
    JudgedDocument,
    JudgedSet,
    JudgedTuple,
    judged_tuple,
    read_judged,
    write_judged,
)
from tupelo_training.options import option_parser
from tupelo_training.parser.treebanks import lines_of

# Characters of the text that a reader sees on either side of the sentence.
BEFORE, AFTER = 400, 200


def rows(judged: JudgedSet, splits: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Rows of the task `judgements`; the id is the number of the tuple in the set."""
    for number, each in enumerate(judged.tuples, start=1):
        text = each.document.text
        if each.document.split in splits and text is not None and each.arg1 is not None:
            found = each.extraction()
            subject, *others = (part.text for part in found.arguments)
            yield {
                "id": str(number),
                "text": found.sentence.text,
                "tuple": [subject, found.rel.text, *others],
                "marks": found.reservations(),
                "before": _shown(text[max(0, each.start - BEFORE) : each.start]),
                "after": _shown(text[each.end : each.end + AFTER]),
                "document": each.document.id,
                "start": each.start,
                "end": each.end,
            }


def read_again(judged: JudgedSet, answers: InputFile) -> tuple[JudgedSet, int]:
    """The set with second readings of rows of it, and how many of the answers were to tuples read twice already."""
    tuples, left_out = list(judged.tuples), 0
    for number, line in line_objects(answers.lines()):
        name, label = str(line.get("id")), line.get("label")
        if label not in TUPLE_LABELS or not name.isdecimal() or not 1 <= int(name) <= len(tuples):
            expected = f"the number of one of {len(tuples)} tuples, and one of {', '.join(TUPLE_LABELS)}"
            raise FormatError(answers.name, number, f"tuple {name[:20]} and label {str(label)[:20]}", expected)
        place = int(name) - 1
        left_out += tuples[place].second is not None
        tuples[place] = replace(tuples[place], second=tuples[place].second or label)
    return replace(judged, tuples=tuple(tuples)), left_out


def _shown(text: str) -> list[str]:
    return [text.strip()] if text.strip() else []


def referenced_texts(paths: Sequence[Path]) -> dict[str, str]:
    """Documents by name, from CoNLL-U files and from JSON Lines with a `document` on each line.

    Sentences of a treebank are joined by a space, paragraphs by a blank line. Documents of JSON Lines are named by
    file and line: `factcg-17`.
    """
    found: dict[str, str] = {}
    for path in paths:
        stem, _, ending = path.name.partition(".")
        if ending.startswith("jsonl"):
            with InputFile(path) as file:
                rows = ((number - 1, row) for number, row in line_objects(file.lines()))
                found |= {f"{stem}-{number}": str(row.get("document")) for number, row in rows}
            continue
        name, new = "", True
        for line in lines_of(path):
            if line.startswith("# newdoc id"):
                name, new = line.partition("=")[2].strip(), True
                found[name] = ""
            elif line.startswith("# newpar"):
                new = True
            elif line.startswith("# text = "):
                joint = "" if not found[name] else "\n\n" if new else " "
                found[name] += joint + line.partition("=")[2].strip()
                new = False
    return found


def added(judged: JudgedSet, document: JudgedDocument, answers: InputFile) -> tuple[JudgedSet, int]:
    """The set with a new document and the answers to its tuples, and how many answers were third ones or later."""
    if any(document.id == each.id for each in judged.documents):
        raise InputError(f"a document '{document.id}' is in the set already, expected a new id")
    assert document.text is not None
    found: dict[str, JudgedTuple] = {}
    left_out, place = 0, 0
    lines = sorted(line_objects(answers.lines()), key=lambda pair: _order(pair[1]))
    for number, line in lines:
        try:
            name, sentence = str(line["id"]), str(line["text"])
            if name in found:
                left_out += found[name].second is not None
                found[name] = replace(found[name], second=found[name].second or str(line["label"]))
                continue
            start = line.get("start", document.text.find(sentence, place))
            if document.text[start : start + len(sentence)] != sentence or start < 0:
                raise FormatError(answers.name, number, f"the sentence '{sentence[:40]}'", f"one of '{document.id}'")
            place = start
            row = {"document": document.id, "start": start, "end": start + len(sentence), **_parts(line, sentence)}
            row |= {key: line.get(key) for key in ("extractors", "label", "part", "correction")}
        except (KeyError, TypeError) as error:
            raise FormatError(answers.name, number, f"no {error}", "a line that 'judgements' exports") from error
        found[name] = judged_tuple(row, {document.id: document}, answers.name, number)
    return JudgedSet((*judged.documents, document), (*judged.tuples, *found.values())), left_out


def _order(line: Mapping[str, Any]) -> tuple[int, str]:
    """Sentences in the order of the document, readings in that of time."""
    place = line.get("start", line.get("sentence"))
    return place if isinstance(place, int) else 0, str(line.get("time") or "")


def _parts(line: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """Parts and marks of the record, or the words of the tuple where they stand in the sentence."""
    record = line.get("extraction")
    if record is None:
        subject, relation, *others = line["tuple"]
        return {
            "rel": pieces(sentence, Argument(relation)),
            "arg1": pieces(sentence, Argument(subject)),
            "args": [pieces(sentence, Argument(text)) for text in others],
        }
    found = row_to_record({"sentence": {"text": sentence}, **record})
    assert isinstance(found, Extraction)
    assert found.arg1 is not None
    said, context = found.attribution, found.context
    return {
        "rel": pieces(sentence, found.rel),
        "arg1": pieces(sentence, found.arg1),
        "args": [pieces(sentence, part) for part in found.args],
        "negated": found.negated,
        "modality": found.modality,
        "attribution": said and [said.speaker or said.text, said.verb],
        "context": context and [context.role or "", context.text],
        "rule": found.rule,
    }


def pieces(sentence: str, part: Argument) -> list[list[int] | str]:
    """Where the words of a part stand, and those that do not stand anywhere, in reading order."""
    if part.spans is None:
        words = words_of(sentence)
        part = as_argument(sentence, words, find_part(sentence, words, part.text))
    made: list[list[int] | str] = []
    texts, spans = part.text.split(), list(part.spans or ())
    place = 0
    while place < len(texts):
        if place in part.inferred or not spans:
            made.append(texts[place])
            place += 1
        else:
            span = spans.pop(0)
            made.append([span.start, span.end])
            place += len(on_one_line(span.of(sentence)).split())
    return made


def write_rows(options: Namespace) -> None:
    judged = read_judged(options.folder, referenced_texts(options.texts))
    made = list(rows(judged, options.splits))
    chosen = made[:: options.every]
    with open_output(options.output) as file:
        file.writelines(f"{dumped(row)}\n".encode() for row in chosen)
    missing = len(judged.of(*options.splits).tuples) - len(made)
    print(f"{len(chosen):,} of {len(made):,} tuples; {missing:,} have no text or no subject")


def second(options: Namespace) -> None:
    before = read_judged(options.folder)
    with InputFile(options.answers) as file:
        after, left_out = read_again(before, file)
    write_judged(after, options.folder)
    new = sum(one.second != other.second for one, other in zip(before.tuples, after.tuples, strict=True))
    print(f"{new:,} second readings; {left_out:,} further answers left out")


def add(options: Namespace) -> None:
    about = (options.id or options.document.stem, options.kind, options.source, options.licence, options.split)
    document = JudgedDocument(*about, read_whole(str(options.document)), by_reference=options.by_reference)
    before = read_judged(options.folder)
    with InputFile(options.answers) as file:
        after, left_out = added(before, document, file)
    write_judged(after, options.folder)
    print(
        f"{len(after.tuples) - len(before.tuples):,} tuples of '{document.id}'; {left_out:,} further answers left out"
    )


def main() -> None:
    parser = option_parser(__doc__)
    commands = parser.add_subparsers(required=True)
    reading = commands.add_parser("rows", help="tuples for another reading")
    reading.add_argument("--splits", nargs="+", choices=SPLITS, default=["train", "dev"])
    reading.add_argument("--every", type=int, default=1, help="10 for a tenth of the tuples")
    reading.add_argument(
        "--texts", nargs="*", type=Path, default=[], help="CoNLL-U and JSON Lines with the texts by reference"
    )
    reading.add_argument("--output", type=Path, required=True)
    reading.set_defaults(run=write_rows)
    again = commands.add_parser("second", help="answers to such rows")
    again.set_defaults(run=second)
    adding = commands.add_parser("add", help="answers to the tuples of a new document")
    for command in (again, adding):
        command.add_argument("answers", type=Path, help="what 'tupelo annotate export' wrote")
    adding.add_argument("--document", type=Path, required=True, help="the text that the tuples were extracted from")
    adding.add_argument("--id", help="name of the document; that of its file if none is given")
    for name in ("kind", "source", "licence"):
        adding.add_argument(f"--{name}", required=True)
    adding.add_argument("--split", choices=SPLITS, required=True)
    adding.add_argument("--by-reference", action="store_true", help="leave the text out of the set")
    adding.set_defaults(run=add)
    for command in (reading, again, adding):
        command.add_argument("--folder", type=Path, default=FOLDER, help="where the set is")
    options = parser.parse_args()
    try:
        options.run(options)
    except TupeloError as error:
        parser.exit(2, f"error: {error}\n")


if __name__ == "__main__":
    main()
