"""Reading triples with their sentences, and gold clusters where a file has them.

Formats: `combo` (COMBO's JSON), `cesi` (CESI's JSON lines), `okg` (a folder of the CUVA paper, or its `triples.txt`),
`tsv`, and `tuples` (any format that `tupelo formats` lists). `auto` looks at the first bytes.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeGuard, cast

from tupelo.core import Argument, Extraction, FormatError, InputError, Record, Triple
from tupelo.core.canonical import SLOTS, SUBTASKS, GoldLabels, Phrase, TripleMention
from tupelo.core.errors import UnknownFormatError, require_name
from tupelo.core.extraction import Span
from tupelo.core.results import is_number
from tupelo.io.files import STANDARD_STREAM, InputFile, Source
from tupelo.io.json_items import array_items, line_items
from tupelo.io.lines import Fault, Lines, number_of
from tupelo.io.tuples import AUTO, stream_records


@dataclass(frozen=True, slots=True)
class TripleFile:
    """Mentions in the order of the file, with gold labels and side information where the file has them.

    `gold` is empty for data without any; `by_phrase`: it labels phrases, whichever triple they stand in. `side_pairs`
    is what `canon.resources.Resources` calls so.
    """

    mentions: tuple[TripleMention, ...]
    gold: GoldLabels = field(default_factory=dict)
    side_pairs: dict[str, tuple[tuple[str, str, float], ...]] = field(default_factory=dict)
    by_phrase: bool = False
    checksum: str = ""


class Collected:
    """Mentions by id while a file is read: a later one with the same id takes the earlier one's place."""

    def __init__(self) -> None:
        self._mentions: dict[str, TripleMention] = {}
        self._gold: dict[str, dict[str, frozenset[str]]] = {subtask: {} for subtask in SUBTASKS}

    def add(self, mention: TripleMention, labels: dict[str, Iterable[str]] | None = None) -> None:
        self._mentions[mention.id] = mention
        for subtask, values in (labels or {}).items():
            self._gold[subtask][mention.id] = frozenset(values)

    def file(self, **rest: Any) -> TripleFile:
        gold = {subtask: labels for subtask, labels in self._gold.items() if labels}
        return TripleFile(tuple(self._mentions.values()), gold, **rest)


def phrases_of(fields: Iterable[str], sentence: str | None = None) -> tuple[Phrase, Phrase, Phrase]:
    """Subject, relation and object, each where it stands in the sentence; raises when one of them is blank."""
    found: list[Phrase] = []
    for text, what in zip(fields, SLOTS, strict=False):
        if not text.strip():
            raise Fault(f"{what} is empty", "a phrase")
        found.append(Phrase(text.strip(), find_phrase(text.strip(), sentence) if sentence else None))
    subject, relation, object_ = found
    return subject, relation, object_


def find_phrase(phrase: str, sentence: str) -> Span | None:
    """The first place where the words stand as they are, whole words only, upper and lower case alike."""
    if not phrase or not sentence:
        return None
    found = re.search(rf"(?<!\w){re.escape(phrase)}(?!\w)", sentence, re.IGNORECASE)
    return Span(*found.span()) if found else None


def read_tsv(lines: Lines) -> TripleFile:
    """Plain triples: `subject TAB relation TAB object [TAB sentence]`, one a line. A header is skipped."""
    collected = Collected()
    rows = lines.rows((3, 4), "subject, relation, object and perhaps a sentence, separated by tabs")
    header = list(SLOTS)
    triples = (row for row in rows if row[0] > 1 or [field.strip().lower() for field in row[1][:3]] != header)
    for number, (subject, relation, object_, sentence) in lines.parsed(triples, _with_sentence):
        collected.add(TripleMention(str(number), subject, relation, object_, sentence))
    return collected.file()


def _with_sentence(fields: Sequence[str]) -> tuple[Phrase, Phrase, Phrase, str]:
    sentence = fields[3].strip() if len(fields) == 4 else ""
    return (*phrases_of(fields, sentence), sentence)


def read_cesi(lines: Lines) -> TripleFile:
    """CESI's JSON lines: a ReVerb triple a line, with source sentences, an entity linker's guess and gold links.

    Vashishth, Jain and Talukdar, "CESI: Canonicalizing Open Knowledge Bases using Embeddings and Side Information"
    (WWW 2018). Only subjects and objects have gold labels; `NULL` means that there is none. Triples of which a part
    is empty after normalisation are left out, as CESI leaves them out.
    """
    collected = Collected()
    for mention, labels in lines.values(line_items(lines), _cesi_item):
        if all(mention.phrase(slot).text for slot in SLOTS):
            collected.add(mention, labels)
    return collected.file()


def _cesi_item(item: Any) -> tuple[TripleMention, dict[str, Any]]:
    if not isinstance(item, dict):
        raise Fault("a line that is no object", 'an object with "_id" and "triple"')
    if not isinstance(item.get("_id"), int | str):
        raise Fault("'_id' is missing", "the id of the triple")
    triple = item.get("triple")
    if not (isinstance(triple, list) and len(triple) == 3 and all(isinstance(part, str) for part in triple)):
        raise Fault("'triple' is missing or not three strings", "[subject, relation, object]")
    sentences = item.get("src_sentences") or [""]
    sentence = sentences[0] if isinstance(sentences[0], str) else ""
    subject, relation, object_ = (Phrase(part, find_phrase(part, sentence)) for part in map(str.strip, triple))
    linker, gold = item.get("entity_linking") or {}, item.get("true_link") or {}
    links = (linker.get("subject"), linker.get("object"))
    labels = {slot: [gold[slot]] for slot in ("subject", "object") if gold.get(slot) not in (None, "NULL", "")}
    return TripleMention(str(item["_id"]), subject, relation, object_, sentence, links), labels


def read_combo(lines: Lines) -> TripleFile:
    """COMBO's JSON: one array, every item a triple with its sentence, entities, classes and relation label.

    Jiang et al., "COMBO: A Complete Benchmark for Open KG Canonicalization" (EACL 2023). The sentence is rebuilt from
    its tokens with single spaces, and token spans become character spans. Items with the same `tri_id` are one
    element, as in the published evaluation.
    """
    collected = Collected()
    for mention, labels in lines.values(array_items(lines), _combo_item):
        collected.add(mention, labels)
    return collected.file()


def _combo_item(item: Any) -> tuple[TripleMention, dict[str, Any]]:
    if not isinstance(item, dict):
        raise Fault("an item that is no object", 'an object with "text", "h", "r", "t" and "tri_id"')
    tokens = item.get("text")
    if not _is_words(tokens):
        raise Fault("'text' is missing or no list of tokens", "a list of tokens")
    number = item.get("tri_id")
    if not isinstance(number, int | str) or isinstance(number, bool):
        raise Fault("'tri_id' is missing", "the id of the triple")
    phrases: dict[str, Phrase] = {}
    for key in ("h", "r", "t"):
        part = item.get(key)
        if not isinstance(part, dict) or not _is_words(part.get("name")):
            raise Fault(f"'{key}.name' is missing or no list of tokens", "a list with at least one token")
        place = part.get("pos")
        if not _is_place(place, len(tokens)):
            raise Fault(f"'{key}.pos' is {place!r}", f"[start, end) inside the {len(tokens)} tokens of 'text'")
        phrases[key] = Phrase(" ".join(part["name"]), _characters(tokens, place))
    labels: dict[str, Any] = {}
    for key, subtask in (("h", "subject"), ("t", "object")):
        entity, classes = item[key].get("id"), item[key].get("instance")
        if entity is not None:
            labels[subtask] = [str(entity)]
        if isinstance(classes, list) and classes:
            labels[f"{subtask}-type"] = [str(name) for name in classes]
    if item["r"].get("label") is not None:
        labels["relation"] = [str(item["r"]["label"])]
    mention = TripleMention(str(number), phrases["h"], phrases["r"], phrases["t"], " ".join(tokens))
    return mention, labels


def _is_words(value: Any) -> TypeGuard[list[str]]:
    return isinstance(value, list) and bool(value) and all(isinstance(word, str) and word.strip() for word in value)


def _is_place(value: Any, length: int) -> TypeGuard[list[int]]:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(edge, int) and not isinstance(edge, bool) for edge in value)
        and 0 <= value[0] < value[1] <= length
    )


def _characters(tokens: list[str], place: list[int]) -> Span:
    start = sum(len(token) + 1 for token in tokens[: place[0]])
    return Span(start, start + sum(len(token) + 1 for token in tokens[place[0] : place[1]]) - 1)


def read_okg(
    lines: Lines,
    subjects: Lines | None = None,
    all_phrases: Lines | None = None,
    entity_pairs: Lines | None = None,
    relation_pairs: Lines | None = None,
) -> TripleFile:
    """The folders of the CUVA paper: `triples.txt`, side information and gold clusters in files beside it.

    Dash et al., "Open Knowledge Graphs Canonicalization using Variational Autoencoders" (EMNLP 2021). The first line
    of `triples.txt` is the number of rows. A gold line is `cluster TAB size TAB mention…`. In the NELL sets a mention
    is a phrase, subject or object. In the ReVerb sets it is `phrase|id`: `gold_npclust.txt` (`subjects`) has every
    subject, `gold_npclust_all.txt` (`all_phrases`) every subject and object. The rows do not name those ids, which
    are CESI's; a row is the triple whose two phrases are the same, so that each mention of an ambiguous phrase has
    its own label.
    """
    of_subjects = {} if subjects is None else _gold_labels(subjects)
    of_all = {} if all_phrases is None else _gold_labels(all_phrases)
    rows = list(lines.parsed(_counted_rows(lines), phrases_of))
    ids = _TripleIds(of_subjects, of_all)
    collected = Collected()
    for number, (subject, relation, object_) in rows:
        identity = ids.take(subject.text, object_.text)
        of_subject = (of_subjects or of_all).get((subject.text, identity), frozenset())
        of_object = (of_all or of_subjects).get((object_.text, identity), frozenset())
        if subject.text == object_.text and of_object > of_subject:
            of_object -= of_subject
        found = {slot: own for slot, own in (("subject", of_subject), ("object", of_object)) if own}
        collected.add(TripleMention(str(number - 1), subject, relation, object_), dict(found))
    sides = {"entity": entity_pairs, "relation": relation_pairs}
    pairs = {kind: tuple(_side_pairs(side)) for kind, side in sides.items() if side is not None}
    return collected.file(side_pairs=pairs, by_phrase=not ids.known)


class _TripleIds:
    """The ids of gold mentions, handed out to the rows that have their phrases; `None` where gold is by phrase."""

    def __init__(self, of_subjects: _Labels, of_all: _Labels) -> None:
        phrases: dict[str, list[str]] = defaultdict(list)
        for phrase, identity in (*of_subjects, *of_all):
            if identity is not None and phrase not in phrases[identity]:
                phrases[identity].append(phrase)
        self.known = bool(phrases)
        self._tells_subjects, self._has_objects = bool(of_subjects), bool(of_all)
        self._waiting: dict[tuple[str, str], deque[str]] = defaultdict(deque)
        for identity, own in sorted(phrases.items(), key=lambda item: (len(item[0]), item[0])):
            # The gold of subjects was read first, so the subject comes first.
            self._waiting[self._key(own[0], own[-1])].append(identity)

    def take(self, subject: str, object_: str) -> str | None:
        waiting = self._waiting.get(self._key(subject, object_))
        return waiting.popleft() if waiting else None

    def _key(self, subject: str, object_: str) -> tuple[str, str]:
        if not self._has_objects:
            return subject, ""
        return (subject, object_) if self._tells_subjects or subject < object_ else (object_, subject)


def _counted_rows(lines: Lines) -> Iterator[tuple[int, list[str]]]:
    """Rows of three fields below a line with their number."""
    for number, line in lines:
        fields = line.split("\t")
        if number == 1:
            if not line.strip().isdigit():
                lines.fault(1, f"{line[:40]!r}", "the number of rows alone on the first line")
        elif len(fields) == 3 and line.strip():
            yield number, fields
        elif line.strip():
            lines.fault(number, f"{len(fields)} field(s)", "3, separated by tabs")


def _side_pairs(lines: Lines) -> Iterator[tuple[str, str, float]]:
    return lines.values(_counted_rows(lines), lambda row: (row[0], row[1], number_of(row[2], "weight")))


# The labels of a gold phrase with the id of its triple, `None` where gold is by phrase.
_Labels: TypeAlias = dict[tuple[str, str | None], frozenset[str]]


def _gold_labels(lines: Lines) -> _Labels:
    labels: _Labels = {}
    for number, (cluster, *rest) in lines.rows():
        if len(rest) < 2:
            lines.fault(number, f"{1 + len(rest)} field(s)", "cluster, size and a mention or more, by tabs")
            continue
        for mention in rest[1:]:
            phrase, bar, identity = mention.rpartition("|")
            key = (phrase, identity) if bar else (mention, None)
            labels[key] = labels.get(key, frozenset()) | {cluster}
    return labels


def from_records(records: Iterable[Record]) -> TripleFile:
    """Every tuple with at least two arguments; the ids number the tuples of the file from 1.

    A subject or object that stands for a fuller name counts as that name. Arguments after the second are joined
    to it, as everywhere.
    """
    collected = Collected()
    number = 0
    for record in records:
        if not isinstance(record, Extraction):
            continue
        number += 1
        if record.arg1 is None or not record.args:
            continue
        sentence = record.sentence.text
        phrases = (
            _phrase((record.arg1,), sentence),
            _phrase((record.rel,), sentence),
            _phrase(record.args, sentence),
        )
        if all(phrase.text.strip() for phrase in phrases):
            collected.add(TripleMention(str(number), *phrases, sentence=sentence))
    return collected.file()


def from_objects(items: Iterable[TripleMention | Extraction | Triple | Sequence[str]]) -> TripleFile:
    """Triples that are in memory; those without an id are numbered from 1."""
    found = list(items)
    if all(isinstance(item, Extraction) for item in found):
        return from_records(cast(list[Extraction], found))
    return TripleFile(tuple(_mention(number, item) for number, item in enumerate(found, start=1)))


def _mention(number: int, item: TripleMention | Extraction | Triple | Sequence[str]) -> TripleMention:
    if isinstance(item, TripleMention):
        return item
    if isinstance(item, Extraction):
        (mention,) = from_records([item]).mentions
        return replace(mention, id=str(number))
    if isinstance(item, Triple):
        item = (item.subject, item.relation, item.object)
    parts = tuple(item) if isinstance(item, Iterable) and not isinstance(item, str) else ()
    if len(parts) not in (3, 4):
        raise InputError(f"triple {number} is {item!r}, expected subject, relation, object and perhaps the sentence")
    sentence = parts[3] if len(parts) == 4 else ""
    subject, relation, object_ = (Phrase(text, find_phrase(text, sentence)) for text in parts[:3])
    return TripleMention(str(number), subject, relation, object_, sentence)


def _phrase(parts: tuple[Argument, ...], sentence: str) -> Phrase:
    text = " ".join(part.resolved or part.text for part in parts)
    spans = [span for part in parts for span in part.spans or ()]
    if spans:
        return Phrase(text, Span(min(span.start for span in spans), max(span.end for span in spans)))
    return Phrase(text, find_phrase(" ".join(part.text for part in parts), sentence))


TRIPLE_FORMATS: dict[str, str] = {
    "combo": "COMBO's JSON array, with gold entities, relations and types",
    "cesi": "CESI's JSON lines, with gold entities and an entity linker's guesses",
    "okg": "a folder with triples.txt, side information and gold clusters",
    "tsv": "subject, relation, object and perhaps a sentence, separated by tabs",
    "tuples": "any tuple format that `tupelo formats` lists",
}
__all__ = ["TRIPLE_FORMATS", "TripleFile", "from_objects", "read_triples"]


def read_triples(
    source: Source, format_name: str = AUTO, collect: Callable[[FormatError], None] | None = None
) -> TripleFile:
    """All mentions of a file: a path (`-` is standard input) or an open file.

    Without `collect` the first faulty line raises.
    """
    path = Path(source) if isinstance(source, str | os.PathLike) else Path()
    if str(source) != STANDARD_STREAM and path != Path() and path.is_dir():
        source = path = path / "triples.txt"
        if format_name == AUTO:
            format_name = "okg"
    with InputFile(source) as file:
        chosen = guess_format(file) if format_name == AUTO else format_name
        require_name("triple format", chosen, TRIPLE_FORMATS)
        if chosen == "okg":
            found = _read_folder(path, file, collect)
        elif chosen == "tuples":
            found = from_records(_records(file, collect))
        else:
            readers = {"combo": read_combo, "cesi": read_cesi, "tsv": read_tsv}
            found = readers[chosen](file.lines(collect))
        if not found.mentions:
            raise InputError(f"{file.name}: no triples, expected at least one ({TRIPLE_FORMATS[chosen]})")
        return replace(found, checksum=file.finish())


def guess_format(file: InputFile) -> str:
    """The triple format of a file by its first bytes."""
    head = file.head()
    first = head.partition("\n")[0]
    if head.startswith("[") and '"tri_id"' in head:
        return "combo"
    if first.startswith("{") and '"triple"' in first and '"_id"' in first:
        return "cesi"
    if first.strip().isdigit():
        return "okg"
    fields = first.split("\t")
    # CaRB's tabbed form also has four fields; its second is a number.
    if len(fields) in (3, 4) and not first.startswith(("{", "[")) and not is_number(fields[1]):
        return "tsv"
    return "tuples"


def _records(file: InputFile, collect: Callable[[FormatError], None] | None) -> Iterator[Record]:
    try:
        return stream_records(file, AUTO, collect).records
    except UnknownFormatError:
        names = ", ".join(TRIPLE_FORMATS)
        raise UnknownFormatError(
            f"{file.name}: no known format fits its first lines; name one with --format ({names})"
        ) from None


def _read_folder(path: Path, file: InputFile, collect: Callable[[FormatError], None] | None) -> TripleFile:
    with ExitStack() as stack:

        def beside(name: str) -> Lines | None:
            """A file that may lie beside the triples."""
            if not (path.parent / name).is_file():
                return None
            return stack.enter_context(InputFile(path.parent / name)).lines(collect)

        return read_okg(
            file.lines(collect),
            beside("gold_npclust.txt"),
            beside("gold_npclust_all.txt"),
            beside("ent_side_info.txt"),
            beside("rel_side_info.txt"),
        )
