"""Texts for experiments with facts: plain ones, and those whose facts are known.

Plain: JSON lines with `text` and, where a text has a topic, `subject`; or KnowledgeNet's, whose passages
(`passageText`) are joined per document; its topic is what most of its facts are about.

Known facts:

| format | file |
| --- | --- |
| `examples` | JSON lines with `subject`, `text`, `facts` (`[[subject, property, object], …]`), from `facts dataset` |
| `redocred` | Re-DocRED or DocRED: an array of documents with words, entities and relations, all of which count |
| `webnlg` | JSON lines with `triples` and `texts`; each text states all triples |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tupelo.core import FormatError, InputError, Triple, UnknownNameError
from tupelo.io.files import InputFile
from tupelo.io.json_items import line_objects, parsed_array
from tupelo_training.facts.sentences import OBJECT_MARK, SUBJECT_MARK

# Marks that stand without a space before or after them in running text.
_STICK_TO_THE_LEFT = frozenset([*".,;:!?%)]}", "'s", "'", "n't", "'re", "'ve", "'ll", "'d", "'m", "’s", "’"])
_STICK_TO_THE_RIGHT = frozenset(["(", "[", "{", "$", "£", "€", "#"])


@dataclass(frozen=True, slots=True)
class TextWithFacts:
    """A text and all facts that it is known to state.

    `subject` is its topic, empty where facts of all subjects count; `names` gives the name that facts use for others
    of the same thing.
    """

    subject: str
    text: str
    facts: tuple[Triple, ...]
    names: Mapping[str, str] = field(default_factory=dict)


def read_texts(name: str) -> Iterator[tuple[str, str]]:
    """Texts with their topics, empty where unknown; the passages of a document in its order, each once."""
    passages: dict[str, dict[int, str]] = {}
    subjects: dict[str, list[tuple[str, str]]] = {}
    with InputFile(name) as file:
        for number, item in line_objects(file.lines()):
            if isinstance(item.get("text"), str):
                subject = item.get("subject", "")
                if not isinstance(subject, str):
                    raise FormatError(file.name, number, f"the subject {subject!r}", "a name")
                yield item["text"], subject
            elif isinstance(item.get("passageText"), str):
                document = str(item.get("documentId"))
                passages.setdefault(document, {})[item.get("passageStart", 0)] = item["passageText"]
                subjects.setdefault(document, []).extend(_subjects(item.get("facts") or ()))
            else:
                raise FormatError(file.name, number, "no text", "a string 'text' (or KnowledgeNet's 'passageText')")
    for document, found in passages.items():
        yield " ".join(text for _, text in sorted(found.items())), _topic(subjects[document])


def _subjects(facts: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Address and name of the subject of every fact that has an address; others may be pronouns."""
    return ((str(fact["subjectUri"]), str(fact.get("subjectText"))) for fact in facts if fact.get("subjectUri"))


def _topic(subjects: Sequence[tuple[str, str]]) -> str:
    """The longest name of the most frequent subject; empty without any."""
    if not subjects:
        return ""
    (topic, _), *_ = Counter(address for address, _ in subjects).most_common(1)
    return max((name for address, name in subjects if address == topic), key=len)


def read_gold(
    name: str, format_name: str = "examples", properties: Mapping[str, str] | None = None
) -> Iterator[TextWithFacts]:
    """Texts with their facts, in order; `properties` renames relations, such as WebNLG's to Wikidata's."""
    if format_name not in GOLD_FORMATS:
        raise UnknownNameError.among("format of known facts", format_name, GOLD_FORMATS)
    renamed = properties or {}
    with InputFile(name) as file:
        for row in GOLD_FORMATS[format_name](file):
            facts = (Triple(f.subject, renamed.get(f.relation, f.relation), f.object) for f in row.facts)
            yield TextWithFacts(row.subject, row.text, tuple(facts), row.names)


def _triples(file: InputFile, number: int, facts: list[Any]) -> tuple[Triple, ...]:
    for fact in facts:
        if not isinstance(fact, list) or len(fact) != 3 or not all(isinstance(part, str) for part in fact):
            raise FormatError(file.name, number, f"the fact {fact!r}", "three strings")
    return tuple(Triple(*fact) for fact in facts)


def _read_examples(file: InputFile) -> Iterator[TextWithFacts]:
    for number, item in line_objects(file.lines()):
        subject, text, facts = (item.get(name) for name in ("subject", "text", "facts"))
        if not isinstance(subject, str) or not isinstance(text, str) or not isinstance(facts, list):
            raise FormatError(file.name, number, "no subject, text and facts", "all three")
        yield TextWithFacts(subject, text, _triples(file, number, facts))


def _read_webnlg(file: InputFile) -> Iterator[TextWithFacts]:
    for number, item in line_objects(file.lines()):
        triples, texts = item.get("triples"), item.get("texts")
        if not isinstance(triples, list) or not isinstance(texts, list):
            raise FormatError(file.name, number, "no triples and texts", "lists of both")
        facts = tuple(
            Triple(_webnlg_name(fact.subject), fact.relation, _webnlg_name(fact.object))
            for fact in _triples(file, number, triples)
        )
        for text in texts:
            yield TextWithFacts("", str(text), facts)


def _webnlg_name(name: str) -> str:
    """Names of WebNLG have underscores for spaces, and values quotes around them."""
    return " ".join(name.replace("_", " ").strip().strip('"').split())


def _read_redocred(file: InputFile) -> Iterator[TextWithFacts]:
    for place, item in enumerate(parsed_array(file.lines(), "documents")):
        try:
            yield _document(item)
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            fault = f"document {place} lacks or spoils {error}"
            raise InputError(f"{file.name}: {fault}, expected sents, vertexSet and labels") from error


def _document(item: Mapping[str, Any]) -> TextWithFacts:
    text = " ".join(running_text(words) for words in item["sents"])
    chosen, names = [], dict[str, str]()
    for mentions in item["vertexSet"]:
        words = [item["sents"][m["sent_id"]][m["pos"][0] : m["pos"][1]] for m in mentions]
        found = [*(mention["name"] for mention in mentions), *map(running_text, words)]
        # A name that two entities share is the first one's.
        chosen.append(names.get(found[0], found[0]))
        for name in found:
            names.setdefault(name, chosen[-1])
    facts = {(label["h"], label["r"], label["t"]) for label in item["labels"]}
    return TextWithFacts("", text, tuple(Triple(chosen[h], r, chosen[t]) for h, r, t in sorted(facts)), names)


def running_text(words: list[str]) -> str:
    """Words as one writes them.

    >>> running_text(["He", "(", "born", "1963", ")", "did", "n't", "stay", "."])
    "He (born 1963) didn't stay."
    """
    pieces: list[str] = []
    for place, word in enumerate(words):
        joined = word in _STICK_TO_THE_LEFT or (place and words[place - 1] in _STICK_TO_THE_RIGHT)
        pieces.append(word if joined or not pieces else f" {word}")
    return "".join(pieces)


GOLD_FORMATS: Mapping[str, Callable[[InputFile], Iterator[TextWithFacts]]] = {
    "examples": _read_examples,
    "redocred": _read_redocred,
    "webnlg": _read_webnlg,
}


@dataclass(frozen=True, slots=True)
class MarkedExample:
    """A sentence with `SUBJ{…}` and `OBJ{…}`, and the property of the pair; `None` for no relation."""

    marked: str
    property: str | None


def marked_examples(items: Iterable[tuple[int, Any]], source: str) -> Iterator[MarkedExample]:
    """Read examples from numbered JSON objects with `marked` and `property`."""
    expected = f'an object with "marked" ({SUBJECT_MARK}{{…}} and {OBJECT_MARK}{{…}} in a sentence) and "property"'
    for line, item in items:
        if not isinstance(item, dict) or not isinstance(item.get("marked"), str) or "property" not in item:
            raise FormatError(source, line, "no marked sentence with its property", expected)
        if f"{SUBJECT_MARK}{{" not in item["marked"] or f"{OBJECT_MARK}{{" not in item["marked"]:
            raise FormatError(source, line, "a sentence without both marks", expected)
        if item["property"] is not None and not (isinstance(item["property"], str) and item["property"]):
            raise FormatError(source, line, f"property {item['property']!r}", "a name, or null for no relation")
        yield MarkedExample(item["marked"], item["property"])
