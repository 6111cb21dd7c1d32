"""Lines that state something: a label and its value, a line of a CV, an item and its price, an item of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email.utils import parseaddr
from functools import lru_cache

from tupelo.core import SentenceTuples
from tupelo.core.blocks import Block, is_number
from tupelo.extract.structure.headings import LINKING, has_verb, is_general, is_kind, is_sentence, lowered, subject_of
from tupelo.extract.structure.jobs import CV_LAST, JOBS, add_job
from tupelo.extract.structure.people import DAY, PHONE, add_contact, add_person, add_remarks, is_contact
from tupelo.extract.structure.prices import PRICED, add_price, is_money, is_price
from tupelo.extract.structure.sentences import (
    CONTEXT,
    COUNTED,
    EMPTY,
    LONGEST_LINE,
    SHORT_LINE,
    Labelled,
    Line,
    Place,
    StructuredText,
    between,
    place_of,
)
from tupelo.extract.structure.trust import CALENDAR, GENERAL, is_dated
from tupelo.nlp.languages import labels, words

_LINE_BREAKS = re.compile(r"(?<![^\n]{39},)\n(?!: )")
# A label before a colon, a tab, dots, or in an item a dash.
_LABEL = re.compile(
    r"(?:[-*•‣◦▪●–] )?(?P<label>[^\W\d_][^:\t\n?!;]{0,50}?)(?:[ \t]{0,30}\n?:\s|\t| ?\.{3,}+ | – | - )"
)
# Days before hours: *Mon-Fri 7-18*.
_WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:days?)?\b\.?)"
_DAYS = re.compile(
    rf"(?P<label>{_WEEKDAY}(?:(?: ?[-–,/&+] ?| to | and ){_WEEKDAY}){{0,6}})\s+"
    r"(?=\d{1,2}(?:[.:]\d\d)?\s?(?:[-–]|to\b|bis\b|[ap]\.?m|h\b)|closed\b)"
)
_UNIT = re.compile(
    r"(?<!dB)[(\[]([^()\[\]]{1,20})[)\]]$| in ([A-Z]{3}|[%€$£]|km|kg|m|cm|mm|g|litres|years|days|hours)$| ([€£$])$"
)
_COMMA, _BETWEEN_COMMAS = re.compile(r"[,;] "), re.compile(r"[^,;\s][^,;]*")
_SPLIT = re.compile(r"[,;] (?:and )?| and | / ")
_STATE = re.compile(r"\w++ (?:by|in|at|on|from|to|for|until|as)")
_PARTICIPLE = re.compile(r"\w{3,40}ed")
_OF_SPEAKER = re.compile(r"(?:I|We|Our|My)\b")
_NO_PARTICIPLES = words("structure", "no_participles")
# Markup of links that a page as plain text still has.
_LINKED = re.compile(r"^#|\]\(|\bhttps?:|\)\)?;?\)$|^\d+$")
_TASK = re.compile(
    r"(?P<who>@[A-Z][\w’'-]+|[A-Z][\w’'-]+(?: (?:&|and) [A-Z][\w’'-]+)?(?=:| [–—-] ))"
    r"(?::| [–—-])? (?P<what>\w.{3,200}?)[ .;]*$"
)
_BOX = re.compile(r"\s*(?:[-*•] )?\[[ xX]?\] ")
_TASK_OF = re.compile(r"(?P<what>[^→]{3,200}?) (?:→|->|=>|–|—) (?P<who>@?[A-Z][\w’'.-]+(?: [A-Z][\w’'.-]+)?)[ .;]*$")
_NUMBERS = re.compile(r"^\d+(?:\.\d+)*[.)]? +(?=\D)")
_NUMBERED = re.compile(r"(?:table|figure|fig|chapter|section|part|step|box|appendix|annex)\.? \d")
# Between labels with values side by side.
_SIDE_BY_SIDE = re.compile(
    r" [|·•] |(?<=\d) (?=\+\d\d )| {3,}|; (?=[A-Z])|(?<=\S\.)(?<!^\d\.)(?<!^\d\d\.) (?=[A-Z][\w ]{1,25}: )"
    r"|(?:(?<=-\d\d)|(?<=\d{4})|(?<=\))) +(?=[A-Z][a-z]+: )"
)
_SENTENCES = re.compile(r"(?<=[a-z\d)]{2}[.!]) (?=[A-Z])(?<!Prof\. )(?<!Engr\. )")
_NAMING = words("structure", "naming_labels", "naming_label_phrases")
_REMARKS = words("structure", "remarks")
_PRONOUNS = words("structure", "no_labels")
_LISTS = words("structure", "list_labels")
_FINITE, _ADDRESSED = words("structure", "verbs"), words("structure", "addressed")
_NO_VALUES = _ADDRESSED | EMPTY
_STATES = words("structure", "states")
_NO_UNITS, _SCALES, _UNITS = (words("structure", name) for name in ("no_units", "scales", "units"))
_COLUMN_NAMES = labels("structure", "column_names")
_VERBS = labels("structure", "verb_labels")
_MOST_LABEL_WORDS, _MOST_NAME_WORDS = 5, 8
_MOST_ITEM_WORDS = 12


def line_tuples(text: StructuredText, block: Block, is_lead: bool) -> Iterator[tuple[SentenceTuples, Place]]:
    """The sentences of a block that are no prose, each with the place of its line."""
    if block.kind == "mail header":
        yield from _mail_header(text, block)
        return
    lines = [segment for place in _lines(text, block) for segment in _segments(text, place, block)]
    subject = text.about(block.path)
    dashed = sum(" - " in text.at(*place) for place in lines) > 1 or (text.is_turn and text.lead is not None)
    found = [_labelled(text, place, block, dashed) for place in lines]
    count = sum(item is not None for item in found)
    first = [item for item in found if item][:2]
    # A number or a day may come before what the form is about.
    first = first[: 1 + any(any(map(str.isdigit, text.at(*item.value))) for item in first[:1])]
    name = next((item for item in first if is_naming(item.label)), None)
    named = "" if name is None else text.at(*name.value)
    name = name if is_name(named) else None
    if name is not None and (subject is None or len(block.path) < 2):
        text.subject = named
        text.narrow(subject)
    contexts = text.contexts
    for place, item in zip(lines, found, strict=True):
        if place[0] in text.answered:
            continue
        line = text.line(*place)
        above = text.indented_below(place)
        others = tuple(one for one in contexts if one != text.lead and one not in block.path[2:])
        text.contexts = (_NUMBERS.sub("", above), *others) if above else contexts
        if item is not None and (count > 1 or len(lines) == 1 or len(text.at(*place)) < SHORT_LINE):
            about = subject if name is None else None if name is item else named
            if item is not name and block.speaker and is_contact(item.label):
                about = block.speaker
            elif text.job and block.kind == "item" and not text.lead:
                about = text.job[0]
            add_label(line, item, text, about, block.path, name is not None and about == named)
        else:
            forms = _FORMS[:-1] if block.kind == "heading" or (is_lead and place == lines[-1]) else _FORMS
            for form in forms:
                # A mail is no CV of its sender.
                form(line, text, place, block, subject if form is add_job else block.speaker or subject)
                if line:
                    break
        add_remarks(line, text, place, item.label if item else None)
        if line:
            yield line.sentence(), place


def is_naming(label: str) -> bool:
    """Whether the value of a label names what the others are about: *Name*, *Product*, *Vessel name*."""
    low = label.lower()
    return low in _NAMING or (low.endswith(" name") and low.removesuffix(" name") in _NAMING)


def is_name(value: str) -> bool:
    """Whether a value may name a thing: few words with a capital or a letter and a digit, no amount, date or list."""
    return (
        len(value.split()) <= _MOST_NAME_WORDS
        and value[:1].isalnum()
        and any(map(str.isalpha, value))
        and not (is_number(value) or is_money(value) or is_dated(value))
        and not (", " in value and "(" in value)
        and not COUNTED.match(value)
    )


def _segments(text: StructuredText, place: Place, block: Block) -> list[Place]:
    """The parts of a line that are labels and values side by side; any other line is one part."""
    content = text.at(*place)
    if len(content) > 3 * LONGEST_LINE or place[0] in text.answered:
        return [place]
    priced = _COMMA.split(content.rstrip(" ."))
    if len(priced) > 1 and all(PRICED.fullmatch(part.strip()) for part in priced):
        return [place_of(part, 0, place[0]) for part in _BETWEEN_COMMAS.finditer(content)]
    pieces = between(_SIDE_BY_SIDE.finditer(content), 0, len(content))
    parts = [(place[0] + begin, place[0] + end) for begin, end in pieces if content[begin:end].strip()]
    if len(parts) == 1 and (cut := _SENTENCES.search(content)) and has_verb(content[cut.end() :]):
        parts = [(place[0], place[0] + cut.start()), (place[0] + cut.end(), place[1])]
    labelled = [_labelled(text, part, block) is not None for part in parts]
    short = all(end - begin < SHORT_LINE for (begin, end), found in zip(parts, labelled, strict=True) if found)
    return parts if len(parts) > 1 and any(labelled) and short else [place]


def _lines(text: StructuredText, block: Block) -> Iterator[Place]:
    """The lines of a block that are not blank."""
    content = text.at(block.start, block.end).strip()
    if block.kind in ("title", "heading", "quote") and "\n" not in content:
        is_below = len(block.path) == 2 and content not in block.path[0]
        if block.kind == "heading" and text.is_cv and (CV_LAST.search(content) or is_below):
            yield block.start, block.end
        return
    if block.kind in ("item", "definition"):
        yield block.start, block.end
        return
    content = text.of(block)
    # A value with its colon may be below its label.
    for begin, end in between(_LINE_BREAKS.finditer(content), 0, len(content)):
        if content[begin:end].strip():
            yield block.start + begin, block.start + end


def _labelled(text: StructuredText, place: Place, block: Block, dashed: bool = False) -> Labelled | None:
    line = text.at(*place)
    match = (_LABEL.match(line.strip()) or _DAYS.match(line.strip())) if len(line) < LONGEST_LINE else None
    if match is None or (match.re is _DAYS and PHONE.search(line)):
        return None
    indent = len(line) - len(line.lstrip())
    label = match["label"].rstrip()
    begin = indent + match.end()
    value = line[begin:].strip()
    low = label.lower()
    if (
        CV_LAST.fullmatch(label)
        or DAY.fullmatch(label)
        or (text.is_cv and (period := CV_LAST.search(value)) and value[: period.start()].rstrip()[-1:] in ("", ","))
    ):
        return None
    if low.split()[-1] in _FINITE or not _ADDRESSED.isdisjoint(low.split()) or label.count("(") != label.count(")"):
        return None
    is_alone = "\n" not in text.of(block).strip()
    is_numbered = any(map(str.isdigit, label)) and any(map(str.isalpha, value))
    if is_alone and value.isupper() and line.isupper() and (is_numbered or len(line.split()) > _MOST_LABEL_WORDS):
        # A headline.
        return None
    is_told = value and "...." not in value and not value.endswith("?") and value.lower() not in _NO_VALUES
    if not is_told or is_sentence(value):
        return None
    # Somebody says it, or it is a row of numbers or the number of somebody, as in *T: +44 …*; see `add_contact`.
    is_number_of = len(low) == 1 and (PHONE.fullmatch(value) or "@" in value)
    is_talk = (
        value.lower().split()[0] in _FINITE
        or _OF_SPEAKER.match(value) is not None
        or (block.kind == "turn" and has_verb(value))
    )
    if is_talk or is_number_of:
        return None
    if low in _REMARKS or low.split()[0] in _PRONOUNS or len(low.split()) > _MOST_LABEL_WORDS or _NUMBERED.match(low):
        return None
    if not label[:1].isupper() and block.kind not in ("definition", "item", "turn"):
        return None
    if block.kind == "turn" and len(low.split()) > 3:
        return None
    if match[0].endswith(("– ", "- ")) and (not (dashed or block.kind == "item") or len(low.split()) > 3):
        return None
    at = place[0] + indent + match.start("label")
    begin += place[0] + len(line[begin:]) - len(line[begin:].lstrip())
    return Labelled(label, (at, at + len(label)), (begin, begin + len(value)))


def add_label(
    line: Line,
    item: Labelled,
    text: StructuredText,
    subject: str | None,
    path: Sequence[str],
    is_named: bool,
    others: Sequence[Place] = (),
) -> None:
    """Say what a label and its value state, perhaps with other values beside it."""
    value, is_single = text.at(*item.value), not others
    if is_single and add_person(line, item, value, text):
        return
    if is_price(item.label, value, path) and (is_single or is_money(text.at(*others[0]).rpartition(" ")[2])):
        line.add("price", item.label_place, "costs", item.value, *others)
        return
    if subject is not None and subject.lower() == value.lower():
        return
    is_said_of = is_single and says_of(item.label) and not text.is_mail
    if is_said_of and subject is None:
        subject = next(iter(text.contexts), None)

    # Below *Winter fair*, labels are those of the fair.
    section = text.lead or (path[-1] if len(path) > 1 else "")
    is_other = bool(section and subject) and str(subject) not in section and not is_general(section)
    is_other = is_other and not (is_named or is_said_of or text.is_cv)

    def alone() -> None:
        if item.label.lower() not in _NAMING and (subject is not None or not is_said_of):
            rule, form = ("label/alone", "is") if is_single else ("table/cell", "is listed with")
            line.add(rule, item.label_place, form, item.value, *others, subject and (subject, CONTEXT))

    def of_subject() -> None:
        if subject is None or is_other or not (is_named or is_said_of or not (is_kind(subject) or text.is_turn)):
            return
        relation, unit = label_relation(item.label, item.label_place)
        for place in values_of(item.label, value, item.value[0]) if is_single else [item.value]:
            line.add("label", subject, relation, [place, unit] if unit and is_single else place, *others)

    is_sure = not is_other and (is_named or is_said_of or text.is_cv or subject == text.subject)
    line.likeliest(of_subject, *(() if is_sure and subject and (is_said_of or not is_kind(subject)) else (alone,)))


def says_of(label: str) -> bool:
    """Whether a label names nothing, so that it says something of what is above it: *Held at*, *Valid until*."""
    return not column_relation(label)[0].startswith("has ")


@lru_cache(maxsize=1_000)
def column_relation(label: str) -> tuple[str, str]:
    """The relation that the label of a column stands for, and the unit of its values."""
    relation, unit = label_relation(label, None)
    return str(relation[0]), unit


def label_relation(label: str, place: Place | None) -> tuple[list[Place | str], str]:
    """The relation that a label stands for, with implied words, and the unit of its values.

    >>> label_relation("Length (m)", None), label_relation("Founded", None)[0], label_relation("Owned by", None)[0]
    ((['has length'], 'm'), ['was founded'], ['is owned by'])
    """
    match = _UNIT.search(label.rstrip())
    unit = (match[1] or match[2] or match[3]).strip() if match else ""
    match, unit = (match, unit) if match and is_unit(unit) else (None, "")
    words_only = label[: match.start() if match else None].strip(" :*#?")
    low = words_only.lower()
    written: Place | str = lowered(words_only)
    if place is not None:
        start = place[0] + len(label) - len(label.lstrip())
        written = (start, start + len(words_only))
    renamed = _COLUMN_NAMES.get(low.removesuffix(" when") if low == "by when" else low)
    if renamed is not None and (place is None or low not in LINKING):
        return [f"has {renamed}"], unit
    if low in LINKING | {"since", "via"} and place is None:
        return [f"is {low}"], unit
    known = _VERBS.get(low.removeprefix("date of ").removeprefix("place of ")) if len(low.split()) < 3 else None
    if known is not None and " of " not in low:
        relation: list[Place | str] = [known] if known != f"was {low}" else ["was", written]
    elif _STATE.fullmatch(low) and (first := low.split()[0]) not in GENERAL:
        # *Owned by* is a state, *answers on* says what somebody does.
        is_state = first.endswith(("ed", "en", "ing")) or first in _STATES
        relation = ["is", written] if is_state else [written] if first.endswith("s") else ["has", written]
    elif _PARTICIPLE.fullmatch(low) and low not in _NO_PARTICIPLES:
        relation = ["was", written]
    else:
        relation = ["has", written]
    if place is None:
        relation = [" ".join(str(word) for word in relation)]
    return relation, unit


def is_unit(mark: str) -> bool:
    """Whether a remark after a label may be a unit: *m²*, *mg/l*, *£ million*; not *to 12* or *w x h*."""
    first, *others = mark.lower().split() or ["x"]
    return (
        first not in _NO_UNITS
        and (first in _UNITS or first in _SCALES or not first.isalpha())
        and not first[0].isdigit()
        and "x" not in (first, *others)
        and len(others) < 3
        and (not others or "per" in others or bool(_SCALES & {first, *others}))
    )


def values_of(label: str, value: str, start: int) -> list[Place]:
    """The places of the values; a list after a label in the plural has several."""
    low = label.lower().split()[-1] if label.split() else ""
    is_list = (low.endswith("s") and not low.endswith(("ss", "us", "is", "address"))) or low in _LISTS
    parts = between(_SPLIT.finditer(value), 0, len(value))
    pieces = [(begin, end) for begin, end in parts if value[begin:end].strip()]
    short = all(end - begin <= 40 and len(value[begin:end].split()) <= 4 for begin, end in pieces)
    if is_list and short and len(pieces) > 1 and "(" not in value and not any(map(str.isdigit, value)):
        return [(start + begin, start + end) for begin, end in pieces]
    stripped = value.rstrip(" ;")
    if "." not in stripped[stripped.rfind(" ") + 1 : -1]:
        # The full stop of an abbreviation belongs to it: *Friends of the Mills e.V.*
        stripped = stripped.rstrip(" .;")
    return [(start, start + len(stripped))]


def _add_item(line: Line, text: StructuredText, place: Place, block: Block, _: str | None) -> None:
    """An item of a list or a short line below a heading or words that introduce it: *Requirements*, *We need:*."""
    content = text.at(*place)
    if box := _BOX.match(content):
        place = (place[0] + box.end(), place[1])
        content = text.at(*place)
        if (job := _TASK.match(content) or _TASK_OF.match(content)) and job["who"].lower() not in CALENDAR | _REMARKS:
            state = "has done" if "x" in box[0].lower() else "has task"
            line.add("list/item", place_of(job, "who", place[0]), state, place_of(job, "what", place[0]))
            return
    # An answer to the question above; see `question_tuples`.
    is_answer = text.at(max(block.start, place[0] - 4), place[0]).rstrip().endswith("?")
    is_open = content.rstrip().endswith(("?", "!", ":") if block.kind == "item" else ("?", "!", ":", ",", ";"))
    # A line of a paragraph that begins or goes on with a small letter is one of wrapped prose.
    is_prose = block.kind == "paragraph" and (content.lstrip()[:1].islower() or line.goes_on)
    is_long = len(content.split()) > _MOST_ITEM_WORDS or is_sentence(content) or is_prose
    if is_answer or place[0] in text.answered or is_open or is_long:
        return
    heading = text.lead or (block.path[-1].strip(" :") if block.path else "")
    subject = text.about(block.path) if text.lead else text.person or subject_of(block.path[:-1])
    if heading.endswith("?"):
        # A line of an answer of several lines is a fragment of it, and a title is no question to be answered.
        is_whole = block.kind == "item" or ("\n" not in text.of(block).strip() and text.follows_heading)
        if is_whole and not block.speaker and (text.asks or (subject and (text.lead or len(block.path) > 1))):
            line.add("faq/open", _NUMBERS.sub("", heading), "has answer", place)
        return
    if block.kind == "paragraph" and any(map(is_sentence, text.of(block).split("\n"))):
        return
    is_link = _LINKED.search(content) or _NUMBERED.match(content.lower())
    if not (heading or subject) or heading == subject or is_link or heading.endswith(("!", ".")) or has_verb(content):
        return
    start = place[0] + len(content) - len(content.lstrip(" -*•–"))
    if content.lstrip()[:1] in "^↑" or "? " in content:
        return
    heading = _NUMBERS.sub("", heading)

    def said_of(about: str, relation: str) -> None:
        for said in values_of(heading, content.strip(" -*•–.;,"), start):
            line.add("list/item", about, relation, said)

    if text.job and block.kind == "item" and not text.lead:
        line.add("list/item", text.job[0], "includes", place, (text.job[1], "time"), subject and (subject, CONTEXT))
        return
    readings = [lambda: said_of(heading or str(subject), "includes")]
    if subject and heading and not is_kind(subject) and len(heading.split()) <= _MOST_LABEL_WORDS:
        is_post = text.is_cv and not JOBS.isdisjoint(heading.lower().split())
        readings.insert(0, lambda: said_of(subject, f"{'did as' if is_post else 'has'} {lowered(heading)}"))
    line.likeliest(*readings)
    line.drop_unlikely()


# Forms of lines without a label; the first that says something counts.
_FORMS = (add_price, add_job, add_contact, _add_item)


def _mail_header(text: StructuredText, block: Block) -> Iterator[tuple[SentenceTuples, Place]]:
    """The sender's address, and whom the mail went to."""
    for place in _lines(text, block):
        content = text.at(*place)
        line = text.line(*place)
        name, _, value = content.partition(": ")
        for one in [value] if name == "From" else value.split(","):
            person, address = parseaddr(one)
            at, mail = place[0] + content.find(person), place[0] + content.rfind(address)
            whom, which = (at, at + len(person)), (mail, mail + len(address))
            if not person or at < place[0]:
                continue
            if name == "From" and address and mail >= place[0]:
                line.add("mail/header", whom, "has e-mail address", which)
            elif name in ("To", "Cc") and block.speaker:
                when = (block.time[:10], "time") if block.time else None
                line.add("mail/header", block.speaker, "wrote to", whom, when)
        if line:
            yield line.sentence(), place
