"""Lines that state something: a label and its value, a line of a CV, an item and its price, an item of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email.utils import parseaddr

from tupelo.core import SentenceTuples
from tupelo.core.blocks import Block
from tupelo.extract.structure.sentences import EMPTY, Line, Place, StructuredText, is_sentence, subject_of
from tupelo.nlp.languages import labels, words

_LABEL = re.compile(
    r"\s*(?:[-*•‣◦▪●–]\s+)?(?P<label>[^\W\d_][^:\t\n?!;]{0,44}?)\s*(?::\s+|:?\t+\s*)(?P<value>\S.*?)\s*$"
)
_UNIT = re.compile(
    r"\s*[(\[]([^()\[\]]{1,12})[)\]]\s*$|\s+in\s+([A-Z]{3}|[%€$£]|km|kg|m|cm|mm|g|litres|years|days|hours)$"
)
_YEAR = r"(?:\d{1,2}[./])?(?:(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+)?(?:19|20)\d\d"
_OPEN = r"present|now|today|current|ongoing|date"
_PERIOD = rf"(?P<time>{_YEAR}(?:\s*(?:-|–|—|to|until)\s*(?:{_YEAR}|\d\d\b|{_OPEN}))?|[Ss]ince\s+{_YEAR})"
_CV_FIRST = re.compile(
    rf"\s*(?:[-*•]\s+)?[(\[]?{_PERIOD}[)\]]?\s*(?:[:|,–—-]\s*|\s+)(?P<rest>\S.*?)\s*$", re.IGNORECASE
)
_CV_LAST = re.compile(
    rf"\s*(?:[-*•]\s+)?(?P<rest>\S.{{3,120}}?)\s*(?:[,|·–—-]\s*|\s+)[(\[]?{_PERIOD}[)\]]?\s*$", re.IGNORECASE
)
_FIELDS = re.compile(r"\s*(?:,|\||·|•|;| [–—-] |\s{3,}|\t)\s*|\s+(?:at|@|bei)\s+")
_CURRENCY = r"(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|kr)"
_AMOUNT = rf"(?:[$€£¥]\s?\d[\d.,]*|\d[\d.,]*\s?(?:[$€£¥]|{_CURRENCY}\b)|{_CURRENCY}\s?\d[\d.,]*)"
_PRICE = re.compile(
    rf"\s*(?:[-*•]\s+)?(?P<item>[^\W\d_].{{1,90}}?)\s*(?:\.{{2,}}|…+|\t+|\s[–—-]\s|:\s|\s{{2,}}|\s(?=[$€£]))\s*"
    rf"(?P<price>{_AMOUNT}|\d{{1,4}}[.,]\d\d)(?P<per>(?:\s*(?:/|per|each|a)\s*[\w. ]{{0,20}})?)\s*$"
)
_SPLIT = re.compile(r"\s*[,;]\s*(?:and\s+)?|\s+and\s+|\s+/\s+")
_NAMING = words("structure", "naming_labels", "naming_label_phrases")
_REMARKS = words("structure", "remarks")
_LISTS = words("structure", "list_labels")
_VERBS = labels("structure", "verb_labels")
_EDUCATION, _JOBS, _ORGANIZATIONS = (words("structure", name) for name in ("education", "jobs", "organizations"))
_MOST_LABEL_WORDS = 5
_MOST_ITEM_WORDS = 8


def line_tuples(
    text: StructuredText, block: Block, before: Sequence[Block]
) -> Iterator[tuple[SentenceTuples, Place]]:
    """The sentences of a block that are no prose, each with the place of its line."""
    if block.kind == "mail header":
        yield from _mail_header(text, block)
        return
    lines = list(_lines(text, block))
    subject = subject_of(block.path)
    found = [_labelled(text, place, block) for place in lines]
    count = sum(item is not None for item in found)
    is_group = count > 1 or (count == 1 and len(lines) == 1)
    if is_group and 2 * count >= len(lines):
        name = next((item for item in found if item and item.label.lower() in _NAMING), None)
        for place, item in zip(lines, found, strict=True):
            if item is not None:
                line = text.line(*place)
                about = subject if name is None or item is name else text.at(*name.value)
                _add_label(line, item, text, about)
                if line:
                    yield line.sentence(), place
    for place, item in zip(lines, found, strict=True):
        if item is None or not is_group:
            line = text.line(*place)
            if not (_add_price(line, text, place) or (subject and _add_job(line, text, place, block, subject))):
                _add_item(line, text, place, block, before)
            if line:
                yield line.sentence(), place


def _lines(text: StructuredText, block: Block) -> Iterator[Place]:
    """The lines of a block that are not blank."""
    if block.kind in ("title", "heading", "quote") and "\n" not in text.at(block.start, block.end).strip():
        return
    if block.kind in ("item", "definition"):
        yield block.start, block.end
        return
    place = block.start
    for line in text.at(block.start, block.end).split("\n"):
        if line.strip():
            yield place, place + len(line)
        place += len(line) + 1


class _Labelled:
    """A label and a value with their places."""

    def __init__(self, label: str, label_place: Place, value: Place) -> None:
        self.label, self.label_place, self.value = label, label_place, value


def _labelled(text: StructuredText, place: Place, block: Block) -> _Labelled | None:
    line = text.at(*place)
    match = _LABEL.match(line) if len(line) < 400 else None
    if match is None:
        return None
    label, value = match["label"], match["value"]
    low = label.lower()
    if (
        low in _REMARKS
        or low.split()[0] in _REMARKS
        or len(label.split()) > _MOST_LABEL_WORDS
        or value.lower() in EMPTY
    ):
        return None
    if is_sentence(value) or value.endswith("?") or (not label[:1].isupper() and block.kind != "definition"):
        return None
    start = place[0]
    return _Labelled(
        label,
        (start + match.start("label"), start + match.end("label")),
        (start + match.start("value"), start + match.end("value")),
    )


def _add_label(line: Line, item: _Labelled, text: StructuredText, subject: str | None) -> None:
    value = text.at(*item.value)
    if subject is None:
        if item.label.lower() not in _NAMING:
            line.add("label/alone", item.label_place, "is", item.value)
        return
    if subject.lower() == value.lower():
        return
    relation, unit = label_relation(item.label, item.label_place)
    for place in values_of(item.label, value, item.value[0]):
        line.add("label", subject, relation, [place, unit] if unit else place)


def label_relation(label: str, place: Place | None) -> tuple[list[Place | str], str]:
    """The relation that a label stands for, with implied words, and the unit of its values.

    >>> label_relation("Length (m)", None), label_relation("Founded", None)[0], label_relation("Owned by", None)[0]
    ((['has length'], 'm'), ['was founded'], ['is owned by'])
    """
    unit = _UNIT.search(label)
    words_only = label[: unit.start()] if unit else label
    words_only = words_only.strip(" :*#")
    low = words_only.lower()
    written: Place | str = _lowered(words_only)
    if place is not None:
        start = place[0] + len(label) - len(label.lstrip())
        written = (start, start + len(words_only))
    known = _VERBS.get(low.removeprefix("date of ").removeprefix("place of ")) if len(low.split()) < 3 else None
    if known is not None and " of " not in low:
        relation: list[Place | str] = [known] if known != f"was {low}" else ["was", written]
    elif re.fullmatch(r"\w+ed (?:by|in|at|on|from|to|for)", low) or re.fullmatch(
        r"(?:based|located|available) \w+", low
    ):
        relation = ["is", written]
    elif re.fullmatch(r"\w{3,}ed(?: (?:by|in|at|on))?", low) and low not in (
        "speed",
        "need",
        "seed",
        "feed",
        "breed",
    ):
        relation = ["was", written]
    else:
        relation = ["has", written]
    if place is None:
        relation = [" ".join(str(word) for word in relation)]
    return relation, ((unit[1] or unit[2] or "").strip() if unit else "")


def _lowered(label: str) -> str:
    """A label within a phrase: *Price* is *price*, *CEO* stays."""
    return " ".join(
        word if word[1:2].isupper() or any(map(str.isdigit, word)) else word.lower() for word in label.split()
    )


def values_of(label: str, value: str, start: int) -> list[Place]:
    """The places of the values; a list after a label in the plural has several."""
    low = label.lower().split()[-1] if label.split() else ""
    is_list = (low.endswith("s") and not low.endswith(("ss", "us", "is", "address"))) or low in _LISTS
    pieces: list[Place] = []
    begin = 0
    for gap in [*_SPLIT.finditer(value), None]:
        end = gap.start() if gap else len(value)
        if end > begin:
            pieces.append((start + begin, start + end))
        begin = gap.end() if gap else end
    short = all(end - begin <= 40 and len(value[begin - start : end - start].split()) <= 4 for begin, end in pieces)
    if is_list and short and len(pieces) > 1 and "(" not in value:
        return pieces
    return [(start, start + len(value.rstrip(" .;")))]


def _add_price(line: Line, text: StructuredText, place: Place) -> bool:
    match = _PRICE.match(text.at(*place))
    if match is None or len(match["item"].split()) > 10 or match["item"].lower() in ("total", "subtotal", "sum"):
        return False
    start = place[0]
    end = match.end("per") if match["per"].strip() else match.end("price")
    line.add(
        "price",
        (start + match.start("item"), start + match.end("item")),
        "costs",
        (start + match.start("price"), start + end),
    )
    return True


def _add_job(line: Line, text: StructuredText, place: Place, block: Block, subject: str) -> bool:
    """*2015–2019 Engineer, Acme, Oslo*, below the name of a person."""
    content = text.at(*place)
    match = _CV_FIRST.match(content) or _CV_LAST.match(content)
    if match is None or is_sentence(match["rest"]) or len(match["rest"]) > 140:
        return False
    start = place[0]
    fields: list[Place] = []
    begin = match.start("rest")
    for gap in [*_FIELDS.finditer(content, begin, match.end("rest")), None]:
        end = gap.start() if gap else match.end("rest")
        if content[begin:end].strip(" ()"):
            fields.append((start + begin, start + end))
        begin = gap.end() if gap else end
    texts = [text.at(*field) for field in fields]
    section = " ".join(block.path[1:]).lower()
    is_school = bool(_EDUCATION & set(re.findall(r"[\w.-]+", f"{section} {' '.join(texts)}".lower())))
    has_job = any(_JOBS & set(re.findall(r"\w+", field.lower())) for field in texts)
    if len(fields) > 4 or not (
        is_school or has_job or re.search(r"experience|employment|career|work|history", section)
    ):
        return False
    first, second = 0, 1
    if len(fields) > 1 and _is_organization(texts[0]) and not _is_organization(texts[1]):
        first, second = 1, 0
    time = ((start + match.start("time"), start + match.end("time")), "time")
    where = (fields[2], "location") if len(fields) > 2 else None
    line.add("cv", subject, "studied" if is_school else "worked as", fields[first], time)
    if len(fields) > 1:
        line.add("cv", subject, "studied at" if is_school else "worked at", fields[second], where, time)
    return True


def _is_organization(text: str) -> bool:
    return bool(_ORGANIZATIONS & set(re.findall(r"[\w.]+", text.lower())))


def _add_item(line: Line, text: StructuredText, place: Place, block: Block, before: Sequence[Block]) -> None:
    """An item of a list below a heading in the plural: *Requirements*, *Skills*."""
    content = text.at(*place)
    if (
        block.kind != "item"
        or len(content.split()) > _MOST_ITEM_WORDS
        or content.rstrip().endswith((".", "?", "!", ":"))
    ):
        return
    heading = block.path[-1] if block.path else ""
    about = block.path[:-1]
    last = before[-1] if before else None
    if (
        last is not None
        and last.kind == "paragraph"
        and (words_before := text.at(last.start, last.end)).endswith(":")
    ):
        heading, about = words_before.rstrip(":"), block.path
    low = heading.lower().split()
    subject = subject_of(about)
    if (
        not low
        or subject is None
        or len(low) > 3
        or not (low[-1].endswith("s") and not low[-1].endswith(("ss", "us")))
    ):
        return
    if _looks_like_a_clause(content):
        return
    start = place[0] + len(content) - len(content.lstrip(" -*•"))
    line.add("list/item", subject, f"has {_lowered(heading)}", (start, place[1]))


_FINITE = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "has",
        "have",
        "had",
        "will",
        "would",
        "can",
        "could",
        "should",
        "must",
        "may",
        "do",
        "does",
        "did",
        "be",
    ]
)


def _looks_like_a_clause(content: str) -> bool:
    return bool(_FINITE & set(content.lower().split()))


def _mail_header(text: StructuredText, block: Block) -> Iterator[tuple[SentenceTuples, Place]]:
    """The sender's address, and whom the mail went to."""
    for place in _lines(text, block):
        content = text.at(*place)
        line = text.line(*place)
        name, _, value = content.partition(": ")
        if name == "From":
            person, address = parseaddr(value)
            if person and address and person in content and address in content:
                at, mail = place[0] + content.index(person), place[0] + content.rindex(address)
                whom, which = (at, at + len(person)), (mail, mail + len(address))
                line.add("mail/header", whom, "has e-mail address", which)
        elif name in ("To", "Cc") and block.speaker:
            for one in value.split(","):
                person = parseaddr(one)[0]
                if person and person in content:
                    at = place[0] + content.index(person)
                    when = (block.time[:10], "time") if block.time else None
                    line.add("mail/header", block.speaker, "wrote to", (at, at + len(person)), when)
        if line:
            yield line.sentence(), place
