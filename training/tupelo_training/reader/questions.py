"""Questions about texts, with their answers: what the reader learns from.

Five sources: questions that were written for this about encyclopedia text (`written.tsv.gz`) and about everyday
texts that were written with them (`everyday.txt.gz`), those of QAMR about sentences of Wikipedia, wordings for
relations that are known in a text (`wordings.tsv`; Re-DocRED, KnowledgeNet, FewRel), and the claims of the support
model as questions for yes or no.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tupelo_training.parser.treebanks import is_open_document
from tupelo_training.support import documents
from tupelo_training.support.documents import json_lines, passages_of, plain
from tupelo_training.support.given import MATCHED, PAIRS, written_passages
from tupelo_training.support.table import REFUTED, SUPPORTED, UNKNOWN

WRITTEN = Path(__file__).with_name("written.tsv.gz")
EVERYDAY = Path(__file__).with_name("everyday.txt.gz")
WORDINGS = Path(__file__).with_name("wordings.tsv")
# What a question may have, in the order of the network's outputs.
SPAN, NONE, YES, NO = range(4)
BY_LABEL = {SUPPORTED: YES, REFUTED: NO, UNKNOWN: NONE}
# Relations whose subject and object may change places.
SYMMETRIC = frozenset(["P26", "P190", "P3373"])
# Relations that almost everything has: few of their facts are asked for.
_COMMON = frozenset(["P17", "P131", "P150", "P27", "P30"])
# A subject has one object at most, so that a text about the object of another says nothing about it.
_PERSONAL = frozenset(
    ["P19", "P20", "P22", "P25", "P26", "P50", "P57", "P69", "P86", "P112", "P159", "P569", "P570", "P571", "P577"]
)
_KNOWLEDGENET = {
    "CEO": ("CEO",),
    "EMPLOYEE_OR_MEMBER_OF": ("P108", "P463"),
    "PLACE_OF_RESIDENCE": ("P551",),
    "SPOUSE": ("P26",),
    "PLACE_OF_BIRTH": ("P19",),
    "EDUCATED_AT": ("P69",),
    "HEADQUARTERS": ("P159",),
    "DATE_OF_BIRTH": ("P569",),
    "FOUNDED_BY": ("P112",),
    "NATIONALITY": ("P27",),
    "POLITICAL_AFFILIATION": ("P102",),
    "DATE_OF_DEATH": ("P570",),
    "SUBSIDIARY_OF": ("P749",),
    "DATE_FOUNDED": ("P571",),
}
_PRONOUN = re.compile(r"(?:he|she|it|they|him|her|his|hers|its|their|them|i|we|who|which|that|this)\b", re.I)
_SENTENCE_END = re.compile(r"(?<=[.!?]) +(?=[A-Z“\"(])|\n+")
_MOST_OF_ONE = 3
# A bullet, a number, a sign of quotation, or the time of a message: graphs have the text alone.
_MARGIN = re.compile(r"^(?:(?:[-*•#>|]+|\d+[.)]|\[[^\]]*\d\d?[:.]\d\d[^\]]*\]|\d\d?:\d\d(?::\d\d)?(?= \w+:)) +)+")
_CELLS = re.compile(r"\s*\|\s*|\s+")
_ENDS = (".", "!", "?", ":", ";", '"', "”", ")")

Spot = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Text:
    """Sentences, and the title that may come before them; texts of one `document` are held out together."""

    key: str
    document: str
    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a text. Every answer has one or more places: sentence, and characters of it."""

    source: str
    text: str
    question: str
    outcome: int
    answers: tuple[tuple[Spot, ...], ...] = ()


Found = Iterator[Text | Question]


def sentences_of(text: str) -> tuple[str, ...]:
    return tuple(part for part in _SENTENCE_END.split(text) if part.strip())


def places(sentences: Sequence[str], answer: str) -> tuple[Spot, ...]:
    """Where an answer is, as whole words."""
    pattern = re.compile(rf"(?<!\w){re.escape(answer)}(?!\w)")
    return tuple((at, one.start(), one.end()) for at, text in enumerate(sentences) for one in pattern.finditer(text))


def read_wordings(path: Path = WORDINGS) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, asked, wordings = line.split("\t")
            found.setdefault(name, {})[asked] = [one.strip() for one in wordings.split("|")]
    for name in SYMMETRIC:
        found[name]["s"] = found[name]["o"]
    return found


def passages(data: Path) -> dict[str, str]:
    """The passages that questions were written about, and others: `SOURCE|ID`, for GUM `gum|DOCUMENT#PARAGRAPH`."""
    found = {document.id.replace(":", "|", 1): document.text for document in documents.redocred(data)}
    for source in ("musique", "hotpotqa"):
        for item in json_lines(data / f"retrieval/{source}/passages.jsonl.gz"):
            title, text = item["title"], item["text"]
            found[f"{source}|{item['id']}"] = text if text.startswith(title) else f"{title}. {text}"
    with gzip.open(data / "gum/gum-train.conllu.gz", "rt", encoding="utf-8") as stream:
        document, number = "", 0
        for line in stream:
            if line.startswith("# newdoc id = "):
                document, number = line[14:].strip(), 0
            elif line.startswith("# newpar"):
                number += 1
            elif line.startswith("# text = ") and is_open_document(document):
                key = f"gum|{document}#{number}"
                found[key] = f"{found[key]} {line[9:].strip()}" if key in found else line[9:].strip()
    return found


def written(passages: Mapping[str, str], path: Path = WRITTEN) -> Found:
    """Questions written about passages. `-`: the passage does not tell; ` || ` between the parts of a list."""
    known: dict[str, Text] = {}
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        for line in stream:
            key, kind, question, answer = line.rstrip("\n").split("\t")
            if key not in known:
                document = key.partition("#")[0]
                title = key.partition("|")[2] if key.startswith("redocred|") else ""
                known[key] = Text(f"written:{key}", document, title, sentences_of(passages[key]))
                yield known[key]
            text = known[key]
            outcome = {"-": NONE, "yes": YES, "no": NO}.get(answer, SPAN)
            answers: tuple[tuple[Spot, ...], ...] = ()
            if outcome == SPAN:
                answers = tuple(places(text.sentences, part.strip()) for part in answer.split(" || "))
                if not all(answers):
                    continue
            yield Question(f"written-{kind}", text.key, question, outcome, answers)


class Written(NamedTuple):
    """A document that was written for training, and its questions: each with its kind and its answer."""

    kind: str
    title: str
    body: str
    questions: list[tuple[str, str, str]]

    @property
    def document(self) -> str:
        return f"everyday:{self.kind} | {self.title}"


def everyday_documents(path: Path = EVERYDAY) -> Iterator[Written]:
    """Documents that were written for this, each with its questions.

    `=== KIND | TITLE` opens a document, `? KIND | QUESTION` and `= ANSWER` follow it; `-`: it does not tell. The
    answer of `yesno` is `yes: ` or `no: ` and the words that decide it.
    """
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        blocks = re.split(r"^=== ", stream.read(), flags=re.MULTILINE)[1:]
    for block in blocks:
        body, *asked = block.split("\n? ")
        head, _, body = body.partition("\n")
        rows = [tuple(re.split(r" \| |\n= ", one.strip(), maxsplit=2)) for one in asked]
        yield Written(*head.split(" | ", 1), body.strip(), rows)  # type: ignore[arg-type]


def everyday(path: Path = EVERYDAY) -> Found:
    """The questions of these documents; the text as a graph has it, a sentence or a line at a time."""
    for number, one in enumerate(everyday_documents(path)):
        lines = (_CELLS.sub(" ", _MARGIN.sub("", line.strip())).strip() for line in one.body.splitlines())
        # Graphs end a heading or a cell with a full stop before the reader sees it.
        ended = (line if line.endswith(_ENDS) else f"{line}." for line in lines if line)
        text = Text(f"everyday:{number}", one.document, one.title, sentences_of("\n".join(ended)))
        yield text
        for kind, question, answer in one.questions:
            told, _, _ = answer.partition(": ")
            outcome = NONE if answer == "-" else {"yes": YES, "no": NO}[told] if kind == "yesno" else SPAN
            spots = places(text.sentences, _CELLS.sub(" ", answer)) if outcome == SPAN else ()
            if spots or outcome != SPAN:
                yield Question(f"everyday-{kind}", text.key, question, outcome, (spots,) if spots else ())


def qamr(data: Path) -> Found:
    """Questions about single sentences of Wikipedia, of those whose text is at hand."""
    words = {}
    paragraphs: dict[str, list[str]] = defaultdict(list)
    with gzip.open(data / "qamr/wiki-sentences.tsv.gz", "rt", encoding="utf-8") as stream:
        for line in stream:
            name, tokens = line.rstrip("\n").split("\t")
            words[name] = tokens.split()
            paragraphs[name.rsplit(":", 2)[0]].append(name)
    asked: dict[str, list[tuple[str, list[Spot]]]] = defaultdict(list)
    for part in ("dev", "test"):
        with gzip.open(data / f"qamr/{part}.tsv.gz", "rt", encoding="utf-8") as stream:
            for line in stream:
                name, _, _, _, _, question, answer, *judged = line.rstrip("\n").split("\t")
                judgements = [one.partition(":")[2] for one in judged]
                if name not in words or "Invalid" in judgements:
                    continue
                given = [answer, *(one for one in judgements if one and not one.startswith("Redundant"))]
                spans = {span for one in given if (span := _run([int(index) for index in one.split()]))}
                if spans:
                    asked[name].append((question, [_characters(words[name], *span) for span in sorted(spans)]))
    for document, names in paragraphs.items():
        if not any(name in asked for name in names):
            continue
        text = Text(f"qamr:{document}", f"qamr:{document}", "", tuple(" ".join(words[name]) for name in names))
        yield text
        for at, name in enumerate(names):
            for question, spans in asked.get(name, ()):
                spots = tuple((at, start, end) for _, start, end in spans)
                yield Question("qamr", text.key, question, SPAN, (spots,))


def _run(indexes: Sequence[int]) -> tuple[int, int] | None:
    """The words from the first to the last, if they are together but for one."""
    low, high = min(indexes), max(indexes) + 1
    return (low, high) if high - low <= len(set(indexes)) + 1 else None


def _characters(words: Sequence[str], start: int, end: int) -> Spot:
    before = sum(len(word) + 1 for word in words[:start])
    return 0, before, before + len(" ".join(words[start:end]))


def fewrel(data: Path, chance: random.Random) -> Found:
    """A sentence with two things and their relation; each is asked for once."""
    wordings = read_wordings()
    for relation, items in json.loads(gzip.decompress((data / "fewrel/val_wiki.json.gz").read_bytes())).items():
        for number, item in enumerate(items):
            tokens = item["tokens"]
            key = f"fewrel:{relation}:{number}"
            yield Text(key, key, "", (" ".join(tokens),))
            places_of = {
                side: tuple(_characters(tokens, min(at), max(at) + 1) for at in item[side][2]) for side in "ht"
            }
            written_as = {side: " ".join(tokens[at] for at in item[side][2][0]) for side in "ht"}
            for asked, given, answer in (("o", "h", "t"), ("s", "t", "h")):
                if asked in wordings.get(relation, {}):
                    question = chance.choice(wordings[relation][asked]).format(written_as[given])
                    yield Question("fewrel", key, question, SPAN, (places_of[answer],))


def knowledgenet(data: Path, chance: random.Random) -> Found:
    """Passages with the facts of one relation, or with the finding that there is none."""
    wordings = read_wordings()
    wordings["CHILD_OF"] = {"o": wordings["P40"]["s"], "s": wordings["P40"]["o"]}
    by_passage: dict[tuple[str, int], list[dict[str, object]]] = defaultdict(list)
    for item in json_lines(data / "knowledgenet/train_folds1-4.jsonl.gz"):
        by_passage[item["documentId"], int(item["passageStart"])].append(dict(item))
    for (document, start), items in by_passage.items():
        passage = str(items[0]["passageText"])
        key = f"knowledgenet:{document}:{start}"
        yield Text(key, f"knowledgenet:{document}", "", (passage,))
        subjects: dict[str, set[str]] = defaultdict(set)
        for item in items:
            facts = _facts(item, start)
            for asked in ("o", "s"):
                answers: dict[str, dict[str, list[Spot]]] = defaultdict(lambda: defaultdict(list))
                for subject, object_ in facts:
                    given, answer = (subject, object_) if asked == "o" else (object_, subject)
                    answers[given[0]][answer[0]].append((0, *answer[1]))
                for given_name, found in answers.items():
                    if asked == "o":
                        subjects[given_name].add(str(item["property"]))
                    if _PRONOUN.fullmatch(given_name) or any(_PRONOUN.fullmatch(name) for name in found):
                        continue
                    own = wordings["CHILD_OF"] if item["property"] == "CHILD_OF" else None
                    for name in _KNOWLEDGENET.get(str(item["property"]), ("CHILD_OF",)):
                        question = chance.choice((own or wordings[name])[asked]).format(given_name)
                        spots = tuple(tuple(one) for one in found.values())
                        yield Question("knowledgenet", key, question, SPAN, spots)
        for item in items:
            if item["facts"] or item["property"] in ("CHILD_OF", "EMPLOYEE_OR_MEMBER_OF"):
                continue
            for name in subjects:
                if not _PRONOUN.fullmatch(name) and str(item["property"]) not in subjects[name]:
                    (relation,) = _KNOWLEDGENET[str(item["property"])]
                    question = chance.choice(wordings[relation]["o"]).format(name)
                    yield Question("knowledgenet", key, question, NONE)


Named = tuple[str, tuple[int, int]]


def _facts(item: Mapping[str, object], start: int) -> list[tuple[Named, Named]]:
    found = []
    for fact in item["facts"]:  # type: ignore[attr-defined]
        ends = [
            (fact[f"{side}Text"], (fact[f"{side}Start"] - start, fact[f"{side}End"] - start))
            for side in ("subject", "object")
        ]
        found.append((ends[0], ends[1]))
    return found


def redocred(data: Path, without: frozenset[str], keywords: Path, chance: random.Random) -> Found:
    """Documents with their facts; and relations that a document does not state of a thing."""
    wordings = read_wordings()
    signs = {name: set(words.split()) for name, words in tomllib.loads(keywords.read_text(encoding="utf-8")).items()}
    items = json.loads(gzip.decompress((data / "redocred/dev_revised.json.gz").read_bytes()))
    kinds: dict[str, set[str]] = defaultdict(set)
    for item in items:
        for label in item["labels"]:
            kinds[label["r"]].add(item["vertexSet"][label["h"]][0]["type"])
    for item in items:
        if item["title"] in without:
            continue
        key = f"redocred|{item['title']}"
        sentences = [" ".join(sentence) for sentence in item["sents"]]
        text = Text(f"facts:{key}", key, item["title"], tuple(sentences))
        yield text
        entities = [_Entity(item["sents"], mentions) for mentions in item["vertexSet"]]
        facts: dict[tuple[str, str, int], dict[int, set[int]]] = defaultdict(dict)
        for label in item["labels"]:
            for asked, given, answer in (("o", "h", "t"), ("s", "t", "h")):
                facts[label["r"], asked, label[given]][label[answer]] = set(label["evidence"])
        count: dict[tuple[str, str], int] = defaultdict(int)
        for (relation, asked, given), answers in facts.items():
            count[relation, asked] += 1
            most = 1 if relation in _COMMON else _MOST_OF_ONE
            if asked not in wordings.get(relation, {}) or count[relation, asked] > most:
                continue
            spots = tuple(entities[answer].near(evidence) for answer, evidence in answers.items())
            for wording in chance.sample(wordings[relation][asked], min(2, len(wordings[relation][asked]))):
                yield Question("redocred", text.key, wording.format(entities[given].name(chance)), SPAN, spots)
        words = {word.lower() for sentence in item["sents"] for word in sentence}
        present = {label["r"] for label in item["labels"]}
        absent: list[tuple[str, int]] = []
        for relation in sorted(wordings.keys() & signs.keys()):
            for number, entity in enumerate(entities):
                if (relation, "o", number) in facts or entity.kind not in kinds[relation]:
                    continue
                if relation not in present and not signs[relation] & words:
                    absent.append((relation, number))
                elif relation in present & _PERSONAL and not _beside(item["labels"], entity, relation):
                    absent += [(relation, number)] * 3
        for relation, number in chance.sample(absent, min(8, len(absent))):
            wording = chance.choice(wordings[relation]["o"])
            yield Question("redocred", text.key, wording.format(entities[number].name(chance)), NONE)


class _Entity:
    def __init__(self, sentences: Sequence[Sequence[str]], mentions: Sequence[Mapping[str, object]]) -> None:
        self.kind = str(mentions[0]["type"])
        self.spots: list[Spot] = []
        self.names: list[str] = []
        for mention in mentions:
            at = int(mention["sent_id"])  # type: ignore[call-overload]
            start, end = mention["pos"]  # type: ignore[misc]
            _, low, high = _characters(sentences[at], start, end)
            self.spots.append((at, low, high))
            self.names.append(plain(" ".join(sentences[at][start:end])))

    def near(self, evidence: set[int]) -> tuple[Spot, ...]:
        """The mentions in the sentences that state a fact, or else all."""
        return tuple(spot for spot in self.spots if spot[0] in evidence) or tuple(self.spots)

    def name(self, chance: random.Random) -> str:
        """The longest of the names, mostly."""
        return max(self.names, key=len) if chance.random() < 0.7 else chance.choice(self.names)


def _beside(labels: Sequence[Mapping[str, object]], entity: _Entity, relation: str) -> bool:
    """Whether something is mentioned where a relation is stated, of whatever."""
    said = {at for label in labels if label["r"] == relation for at in label["evidence"]}  # type: ignore[attr-defined]
    return any(spot[0] in said for spot in entity.spots)


def claims(data: Path, without: frozenset[str], ask: Callable[[Sequence[str]], Sequence[str | None]]) -> Found:
    """Claims about passages as questions for yes or no; `ask` turns statements into questions, where it can."""
    texts = {document.id: document.text for document in passages_of(data)}
    for path in (PAIRS, MATCHED):
        for passage in written_passages(path):
            text = passage.text or texts.get(passage.id, "")
            document = passage.id.replace(":", "|", 1)
            if not text or any(name in document for name in without):
                continue
            if document.startswith("gum|"):
                document = document.partition(":")[0]
            key = f"claims:{path.name}:{passage.id}"
            yield Text(key, document, "", sentences_of(text))
            chosen = [one for one in passage.claims if one.label in BY_LABEL]
            for claim, question in zip(chosen, ask([one.claim for one in chosen]), strict=True):
                if question:
                    yield Question("claims", key, question, BY_LABEL[claim.label])
