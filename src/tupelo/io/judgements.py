"""Generated texts with human judgements, in the formats of the public collections; and the scores given to them.

| format | file | id of a text |
| --- | --- | --- |
| `pairs` | JSON lines: a text and its source under the usual names, or a chat (`judged_text`) | `id` or the line |
| `qags` | QAGS: JSON lines with an article and summary sentences, three yes/no answers each | the line from 0 |
| `frank` | FRANK: `human_annotations.json`, no texts | `hash:system` |
| `xsum-faithful` | XSum hallucinations: `hallucination_annotations_xsum_summaries.csv` | `bbcid:system` |
| `xsum-factual` | XSum hallucinations: `factuality_annotations_xsum_summaries.csv` | `bbcid:system` |
| `aggrefact` | AggreFact-Unified as CSV | `dataset:id:system` |

FRANK and the XSum collection come without articles, FRANK without summaries too. `read_by_id` reads them from another
collection, and `completed` joins them: AggreFact has articles (`id`, `doc`) of most XSum ids, and the XSum collection
summaries (`bbcid:system`) of those of FRANK that come from the BBC.

What people said becomes a number: QAGS, the share of sentences with a majority of yes; XSum, the share of people who
found nothing wrong; FRANK, its field `Factuality`; AggreFact, its label.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tupelo.core import FormatError, InputError
from tupelo.core.errors import require_name, require_one_each, wrong_type
from tupelo.core.judgement import JudgedText
from tupelo.io.files import InputFile
from tupelo.io.json_items import json_value, line_objects, parsed_array
from tupelo.io.lines import Fault, Lines, number_of

# Claims of a text, as rows of its output.
Claims = Sequence[Mapping[str, Any]]
_YES = "yes"
_QUOTED = re.compile(r"'([^']*)'")


def read_judgements(name: str, format_name: str = "pairs") -> tuple[list[JudgedText], str]:
    """All texts of a file, in order, and the SHA-256 of the file."""
    require_name("format of judgements", format_name, FORMATS)
    with InputFile(name) as file:
        texts = list(FORMATS[format_name](file))
        require_one_each((text.id for text in texts), f"{file.name}: ")
        return texts, file.finish()


# The names of fields in common evaluation files, those that are taken first in front.
TEXT_FIELDS = ("generated", "response", "answer", "output", "prediction", "summary", "claim", "text")
SOURCE_FIELDS = ("source", "sources", "context", "contexts", "document", "documents", "docs", "doc", "passages")
QUESTION_FIELDS = ("question", "query")
_PART_FIELDS = ("text", "content", "page_content")
_LABELS = {True: True, False: False, "1": True, "0": False, "supported": True, "unsupported": False}


def judged_text(item: Mapping[str, Any], place: int) -> JudgedText:
    """A text with its source from an object of an evaluation file, number `place`.

    It has a text and a source under any of the usual names, or `messages`, the turns of a chat: the last one of the
    assistant is the text, and what the others wrote before it is the source unless the object has another one.
    """
    if "messages" in item:
        item = {**_chat(item["messages"]), **item}
    score, label = item.get("score"), item.get("label")
    if score is not None and (isinstance(score, bool) or not isinstance(score, int | float)):
        raise Fault(f"score {score!r}", "a number, or none")
    if label is not None and (not isinstance(label, bool | int | str) or label not in _LABELS):
        raise Fault(f"label {label!r}", "true, false, 1, 0, supported or unsupported, or none")
    verdict = None if label is None else _LABELS[label]
    text = _first(item, TEXT_FIELDS)
    if not isinstance(text, str):
        raise Fault(f"no text under any of {', '.join(TEXT_FIELDS)}", "a string")
    given = _first(item, SOURCE_FIELDS)
    passages = None if given is None else _passages(given)
    question = _first(item, QUESTION_FIELDS) or ""
    if not isinstance(question, str):
        raise Fault(f"question {question!r}", "a string")
    return JudgedText(
        str(item.get("id", place)),
        text,
        None if passages is None else "\n\n".join(passages),
        passages or (),
        question,
        score=float(verdict) if score is None and verdict is not None else score,
        label=verdict,
        system=item.get("system"),
    )


def _first(item: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((item[name] for name in names if item.get(name) is not None), None)


def _passages(given: object) -> tuple[str, ...]:
    parts = [given] if isinstance(given, str | Mapping) else given
    texts = [_first(one, _PART_FIELDS) if isinstance(one, Mapping) else one for one in _items(parts, "a source")]
    if not all(isinstance(text, str) for text in texts):
        raise Fault(
            "a source that is no text", f"a string, or a list of strings or of objects with {_PART_FIELDS[0]}"
        )
    return tuple(texts)


def _items(given: object, what: str) -> Sequence[Any]:
    if not isinstance(given, list | tuple):
        raise Fault(f"{what} of type {type(given).__name__}", "a list")
    return given


def _chat(messages: object) -> dict[str, Any]:
    """The turns of a chat as text, source and question."""
    turns = [
        (str(one.get("role")), _written(one.get("content")))
        for one in _items(messages, "messages")
        if isinstance(one, Mapping)
    ]
    last = max((place for place, (role, _) in enumerate(turns) if role == "assistant"), default=None)
    if last is None:
        raise Fault("messages without one of the assistant", "a role and a content for each")
    known = [(role, text) for role, text in turns[:last] if role != "assistant" and text.strip()]
    asked = next((text for role, text in reversed(known) if role == "user"), "")
    others = [text for role, text in known if text != asked]
    # A question with nothing beside it is itself what the answer must agree with.
    return {"response": turns[last][1], "sources": others or [asked], "question": asked if others else ""}


def _written(content: object) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return content if isinstance(content, str) else ""


def _qags_text(item: Mapping[str, Any], place: int) -> JudgedText:
    sentences = item.get("summary_sentences")
    if not isinstance(sentences, list) or not sentences:
        raise Fault("no summary_sentences", "a list of sentences with responses")
    try:
        said = tuple(tuple(str(answer["response"]) for answer in sentence["responses"]) for sentence in sentences)
    except (KeyError, TypeError) as error:
        raise Fault("a sentence without responses", "yes/no responses") from error
    texts = tuple(_text(sentence, "sentence") for sentence in sentences)
    score = sum(2 * answers.count(_YES) > len(answers) for answers in said) / len(said)
    return JudgedText(
        str(place),
        " ".join(texts),
        _text(item, "article"),
        sentences=texts,
        score=score,
        label=score == 1,
        answers=said,
    )


def _text(item: Mapping[str, Any], field: str) -> str:
    value = item.get(field)
    if not isinstance(value, str):
        raise Fault(f"no text under '{field}'", f"a string '{field}'")
    return value


def _read_lines(parse: Callable[[Mapping[str, Any], int], JudgedText], file: InputFile) -> Iterator[JudgedText]:
    """The texts of JSON lines; `parse` gets each object and its place, from 0."""
    lines = file.lines()
    items = ((number, (item, place)) for place, (number, item) in enumerate(line_objects(lines)))
    return lines.values(items, lambda found: parse(*found))


def _read_frank(file: InputFile) -> Iterator[JudgedText]:
    for place, item in enumerate(parsed_array(file.lines(), "annotations")):
        try:
            errors = tuple(
                name for name, value in item.items() if name.endswith("E") and isinstance(value, float) and value < 1
            )
            yield JudgedText(
                f"{item['hash']}:{item['model_name']}",
                "",
                score=float(item["Factuality"]),
                label=float(item["Factuality"]) == 1,
                system=f"{item['dataset']}/{item['model_name']}",
                error_types=errors,
                split=item.get("split"),
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            fault = f"item {place} lacks or spoils {error}"
            raise InputError(f"{file.name}: {fault}, expected hash, model_name, dataset and Factuality") from error


def _rows(source: str, text: str, columns: Sequence[str], expected: str = "") -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a CSV file with a header; fields may hold line breaks."""
    csv.field_size_limit(1 << 24)
    reader = csv.DictReader(io.StringIO(text))
    missing = [column for column in columns if column not in (reader.fieldnames or ())]
    if missing:
        expected = expected or f"the columns {', '.join(columns)}"
        raise FormatError(source, 1, f"no column {', '.join(missing)}", expected)
    for row in reader:
        if any(row[column] is None for column in columns):
            raise FormatError(source, reader.line_num, "too few fields", f"{len(reader.fieldnames or ())} fields")
        yield reader.line_num, row


def _read_xsum(file: InputFile, column: str, good: str) -> Iterator[JudgedText]:
    texts: dict[tuple[str, str], str] = {}
    verdicts: dict[tuple[str, str], dict[str, bool]] = {}
    for _, row in _rows(file.name, file.lines().text(), ("bbcid", "system", "summary", column, "worker_id")):
        key = (row["bbcid"], row["system"])
        texts[key] = row["summary"]
        people = verdicts.setdefault(key, {})
        # A person who marked several spans has several rows.
        people[row["worker_id"]] = people.get(row["worker_id"], True) and row[column] == good
    for (bbcid, system), people in verdicts.items():
        score = sum(people.values()) / len(people)
        yield JudgedText(
            f"{bbcid}:{system}",
            texts[bbcid, system],
            score=score,
            label=2 * score > 1,
            system=system,
            answers=(tuple("yes" if good else "no" for good in people.values()),),
        )


def _read_aggrefact(file: InputFile) -> Iterator[JudgedText]:
    found: dict[str, JudgedText] = {}
    columns = ("dataset", "id", "model_name", "label", "error_type", "summ", "doc")
    for number, row in _rows(file.name, file.lines().text(), columns):
        if row["label"] not in ("0", "1"):
            raise FormatError(file.name, number, f"label {row['label']!r}", "0 or 1")
        types = tuple(_QUOTED.findall(row["error_type"]))
        good = row["label"] == "1"
        key = f"{row['dataset']}:{row['id']}:{row['model_name']}"
        earlier = found.get(key)
        # A summary with errors of several types has a row for each.
        if earlier is not None:
            types = tuple(dict.fromkeys([*earlier.error_types, *types]))
            good = good and bool(earlier.label)
        found[key] = JudgedText(
            key,
            row["summ"],
            row["doc"] or None,
            score=float(good),
            label=good,
            system=row["model_name"],
            error_types=types,
            split=row.get("cut") or None,
        )
    yield from found.values()


FORMATS: Mapping[str, Callable[[InputFile], Iterator[JudgedText]]] = {
    "pairs": partial(_read_lines, judged_text),
    "qags": partial(_read_lines, _qags_text),
    "frank": _read_frank,
    "xsum-faithful": lambda file: _read_xsum(file, "hallucination_type", "NULL"),
    "xsum-factual": lambda file: _read_xsum(file, "is_factual", _YES),
    "aggrefact": _read_aggrefact,
}


def read_by_id(name: str, field: str) -> dict[str, str]:
    """The `source` or `generated` text of each id, from JSON lines with `id` and that field, or from a CSV file.

    A CSV file is AggreFact's (`id`, and `doc` or `summ`) or one of the XSum collection (`bbcid`, `system`,
    `summary`).
    """
    with InputFile(name) as file:
        text = file.lines().text()
        if text.lstrip().startswith("{"):
            lines = Lines(text.split("\n"), file.name)
            return dict(lines.values(lines.filled(), partial(_field_of_line, field)))
        columns = {"source": ("id", "doc"), "generated": ("bbcid", "system", "summary")}[field]
        expected = f"JSON lines, or CSV with the columns {', '.join(columns)}"
        # The last column is the text, the others make up the id.
        return {
            ":".join(row[column] for column in columns[:-1]): row[columns[-1]]
            for _, row in _rows(file.name, text, columns, expected)
            if row[columns[-1]]
        }


def _field_of_line(field: str, line: str, example: str = "an object with both") -> tuple[str, Any]:
    """The id of a JSON object, and the value of one field."""
    item = json_value(line, example)
    try:
        identifier, value = str(item["id"]), item[field]
    except (KeyError, TypeError) as error:
        raise Fault(f"no id and {field} ({error})", example) from error
    if field != "score" and not isinstance(value, str):
        raise Fault(f"{field} {value!r}", "a string")
    return identifier, value


def judged_pair(pair: JudgedText | tuple[str, str | Sequence[str]] | Mapping[str, Any], place: int) -> JudgedText:
    """A text with its source as a program has them: `place` is its id if it has none."""
    if isinstance(pair, JudgedText):
        return pair
    if not isinstance(pair, Mapping) and not (isinstance(pair, tuple | list) and len(pair) == 2):
        raise wrong_type(pair, "a text and its source, or a mapping with both")
    given = pair if isinstance(pair, Mapping) else {"generated": pair[0], "source": pair[1]}
    try:
        return judged_text(given, place)
    except Fault as fault:
        raise InputError(f"pair {place}: {fault.args[0]}, expected {fault.args[1]}") from fault


def completed(
    texts: Iterable[JudgedText], sources: Mapping[str, str], generated: Mapping[str, str]
) -> tuple[list[JudgedText], int]:
    """Texts that have a source and words of their own, also with what is found by id; and how many have not.

    An id is looked up whole and without the part after its last colon (`bbcid:system`), which names the system.
    """
    kept, without = [], 0
    for text in texts:
        keys = (text.id, text.id.rpartition(":")[0])
        source = text.source if text.source is not None else next(filter(None, map(sources.get, keys)), None)
        words = text.generated or generated.get(text.id, "")
        if source is None or not words:
            without += 1
        else:
            kept.append(replace(text, source=source, generated=words))
    return kept, without


def read_claims(name: str) -> dict[str, Claims]:
    """The claims of every text by its id: lines that `tupelo check --pairs` wrote."""
    with InputFile(name) as file:
        lines = file.lines()
        return dict(found for _, found in lines.parsed(line_objects(lines), _claimed))


def _claimed(item: Mapping[str, Any]) -> tuple[str, Claims]:
    claims = item.get("claims")
    if "id" not in item or not isinstance(claims, list):
        raise Fault("no id and claims of a text", "a line that `tupelo check --pairs` wrote")
    return str(item["id"]), [claim for claim in claims if isinstance(claim, dict)]


def read_scores(name: str) -> tuple[dict[str, float | None], str]:
    """Scores by id: JSON lines with `id` and `score` (`null` where a text has no facts), or `id<TAB>score`."""
    scores: dict[str, float | None] = {}
    with InputFile(name) as file:
        lines = file.lines()
        for number, (identifier, score) in lines.parsed(lines.filled(), _scored):
            if identifier in scores:
                lines.fault(number, f"a second score for '{identifier}'", "one score a text")
            scores[identifier] = score
        return scores, file.finish()


def _scored(line: str) -> tuple[str, float | None]:
    if line.lstrip().startswith("{"):
        identifier, score = _field_of_line("score", line, 'as in {"id": "7", "score": 0.5}')
        if score is not None and (isinstance(score, bool) or not isinstance(score, int | float) or score != score):
            raise Fault(f"score {score!r}", "a number, or null")
    else:
        identifier, _, value = line.partition("\t")
        score = number_of(value, "score")
    if score is not None and not math.isfinite(score):
        raise Fault(f"score {score}", "a finite number")
    return identifier, score


def read_questions(name: str | os.PathLike[str]) -> list[tuple[str, str]]:
    """Id and text of every question, in order. `-` is standard input."""
    found: dict[str, str] = {}
    with InputFile(name) as file:
        lines = file.lines()
        for number, (key, question) in lines.parsed(line_objects(lines), _question):
            if key in found:
                lines.fault(number, f"id '{key}' comes twice", "every question once")
            found[key] = question
    return list(found.items())


def _question(item: Mapping[str, Any]) -> tuple[str, str]:
    key, question = item.get("id"), item.get("question")
    if not isinstance(key, str | int) or isinstance(key, bool):
        raise Fault("no id", "a string or a number under 'id'")
    if not isinstance(question, str) or not question.strip():
        raise Fault("no question", "a text under 'question'")
    return str(key), question
