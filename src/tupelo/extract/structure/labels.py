"""Lines that state something: a label and its value, a line of a CV, an item and its price, an item of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from email.utils import parseaddr
from functools import lru_cache

from tupelo.core import SentenceTuples
from tupelo.core.blocks import Block, is_number
from tupelo.extract.structure.sentences import (
    CALENDAR,
    EMPTY,
    GENERAL,
    TOTALS,
    Line,
    Place,
    StructuredText,
    has_verb,
    in_context,
    is_general,
    is_sentence,
    subject_of,
)
from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.naming import FEMALE_NAMES, MALE_NAMES
from tupelo.nlp.values import Date, values_in, words_of

# A label before a colon, a tab, dots, or in an item a dash.
_LABEL = re.compile(r"(?:[-*•‣◦▪●–] )?(?P<label>[^\W\d_][^:\t\n?!;]{0,50}?)(?:[ \t]{0,30}:\s|\t| ?\.{3,}+ | – | - )")
# Days before hours: *Mon-Fri 7-18*.
_WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs?)?|Fri|Sat(?:ur)?|Sun)(?:days?)?\b\.?)"
_DAYS = re.compile(
    rf"(?P<label>{_WEEKDAY}(?:(?: ?[-–,/&+] ?| to | and ){_WEEKDAY}){{0,6}})\s+"
    r"(?=\d{1,2}(?:[.:]\d\d)?\s?(?:[-–]|to\b|bis\b|[ap]\.?m|h\b)|closed\b)"
)
_UNIT = re.compile(r"[(\[]([^()\[\]]{1,12})[)\]]$| in ([A-Z]{3}|[%€$£]|km|kg|m|cm|mm|g|litres|years|days|hours)$")
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_YEAR = rf"(?:\d{{1,2}}[./])?(?:(?:\d{{1,2}}\.? )?{_MONTH}\.? )?(?:19|20)\d\d"
_UNTIL = rf"(?: ?(?:-|–|—|to|until) ?(?:{_YEAR}|\d\d\b|present|now|today|current|ongoing|date)?)?"
_PERIOD = rf"(?P<time>(?:since |from |until )?{_YEAR}{_UNTIL})"
_CV_FIRST = re.compile(rf"(?:[-*•] )?[(\[]?{_PERIOD}(?![/\d])[)\]]?\s*+[:|,–—-]?\s*+(?P<rest>\S.*+)", re.IGNORECASE)
_TRADE = re.compile(r"(?<![^\s/-])[a-z]{2,20}(?:er|or|ist|ian|man|woman|hand|mate|smith|wright|ntice|ance)$")
_CV_LAST = re.compile(rf"(?<!\d)(?<![A-Za-z])[(\[]?{_PERIOD}[)\]]?\.?$", re.IGNORECASE)
_FIELDS = re.compile(r"\n|, |: (?![^()]{0,60}\))|,$| ?\| ?| [·•;–—-] |; |\t| {3,}+| (?:at|@|bei) ")
_CURRENCY = r"(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|CZK|Kč|kr)"
_AMOUNT = (
    rf"(?:(?:[$€£¥]|{_CURRENCY}) ?\d[\d.,]{{0,12}}+|(?<![\d.,])\d[\d.,]{{0,12}}+[-–]?+ ?(?:[$€£¥]|{_CURRENCY}\b)?)"
)
_PRICE = re.compile(rf"(?P<price>{_AMOUNT})(?P<per> ?(?:/|per|each|a) ?[\w. ]{{1,20}})?$")
_MONEY = re.compile(rf"[$€£¥]|{_CURRENCY}|\d[.,](?:\d\d|[-–])$")
_CURRENT = re.compile(rf"[$€£¥]|{_CURRENCY}|^free|^gratis", re.IGNORECASE)
_PER = re.compile(r"\d[\d.,]* (?:per|a|each|/|for)\b")
_AMOUNT_FIRST = re.compile(
    rf"(?i:(?:from|ab|about|approx\.?|ca\.?|up to|max\.?|only|c\.) ?)?(?:{_AMOUNT}|free\b|gratis\b)"
)
_PRICED = re.compile(rf"[^\d,;:]{{3,40}} (?:{_AMOUNT}|free)")
# An amount within the words before a price: the line is a row of a table.
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")
_COMMA, _BETWEEN_COMMAS = re.compile(r"[,;] "), re.compile(r"[^,;\s][^,;]*")
_SPLIT = re.compile(r"[,;] (?:and )?| and | / ")
_STATE = re.compile(r"\w++ (?:by|in|at|on|from|to|for|until|as)")
_PARTICIPLE = re.compile(r"\w{3,40}ed")
_LINKING = words("structure", "linking")
_NO_PARTICIPLES = words("structure", "no_participles")
_CAREER = re.compile(r"experience|employment|career|work|history|position|job|appointment")
_SCHOOL = re.compile(r"education|degree|studies|school|diploma|academic")
# Markup of links that a page as plain text still has.
_LINKED = re.compile(r"^#|\]\(|\bhttps?:|\)\)?;?\)$|^\d+$")
_TASK = re.compile(r"\s*\[[ xX]?\] (?P<who>@[A-Z][\w’'-]+|[A-Z][\w’'-]+(?=:)):? (?P<what>[a-z].{3,200}?)[ .;]*$")
# "Heikki Laine, treasurer"; "my sister Ann".
_NAMED_ROLE = re.compile(
    r"(?:(?:By|Author|Contact|Photo|Text):? )?(?P<name>[A-Z][\w'’.-]+(?: [A-Z][\w'’.-]+){0,3}), "
    r"(?P<rest>[a-z][^,;:.\d·|]{2,40}?)(?= ?$| [·|]|, [+\d])"
)
_MINE = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?P<noun>[a-z]{3,}(?: [a-z]{3,})?) (?P<name>[A-Z][a-zà-ÿ’'-]+(?: [A-Z][a-zà-ÿ’'-]+){0,2})"
)
_WORD = re.compile(r"[\w.-]+")
_NUMBERS = re.compile(r"^\d+(?:\.\d+)*[.)]? (?=\D)")
_COUNTED = re.compile(r"\d[\d.,]* [a-z]")
_BARE = re.compile(r"(?:from |ab )?\d{1,3}(?:[ ,.]\d{3})?(?:[.,]\d\d)?(?: (?:each|per \w+|an? \w+)|/\w+)?\.?")
_NUMBERED = re.compile(r"(?:table|figure|fig|chapter|section|part|step|box|appendix|annex)\.? \d")
# Between labels with values side by side.
_SIDE_BY_SIDE = re.compile(r" [|·•] | {3,}|; (?=[A-Z])|\. (?=[A-Z][\w ]{1,25}: )")
_MAIL = re.compile(r"(?<![^\s<(:])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}")
_PHONE = re.compile(r"(?<![\w.,/-])(?:\+\d{1,3}|0\d)[\d ()/-]{6,18}\d(?!\w)")
_AFFILIATED = re.compile(
    r"(?P<name>(?:[A-Z][a-z]{1,4}\. ?)?[A-Z][\w'’.-]*(?: [A-Z][\w'’-]+){1,2}), "
    r"(?P<rest>[^,;:]{3,60}(?:, [^,;:]{3,40})?)"
)
# A person at the beginning of a line: *Desmond Frederick, harbour master, +1 268 555 0120*.
_LISTED = re.compile(
    r"\s*(?:[-*•] )?(?P<name>(?:[A-Z][a-z]{0,4}\.? )?[A-Z][\w'’.-]*(?: [A-Z][\w'’-]+){1,2})(?:, | \(|: | [–-] )"
)
_DAY = re.compile(r"(?:[A-Z]\w{2,8}\.? \d{1,2}|\d{1,2}\.? [A-Z]\w{2,8}\.?),? (?:19|20)\d\d")
_POSTAL = re.compile(r"\b\d{1,4}[a-z]?\b.{1,60}\b\d{4,5}\b|[A-Z]\w{3,30} \d{1,4}, \d{4,5} [A-Z]")
_REMARK = re.compile(
    r"(?:^|(?<=[,;:–] )|(?<=and ))(?P<name>[A-Z][\w.'’-]+(?: (?:[a-z]{2,3} )?[A-Z][\w.'’-]+){0,3}) "
    r"\((?P<remark>[a-z][^()\d]{1,30})\)(?=[,;.]|$| and )"
)
_CONTACTS = words("structure", "contact_labels")
_ADDRESSING = words("structure", "addressing")
_TITLES = words("structure", "titles_of_persons")
_NAMING = words("structure", "naming_labels", "naming_label_phrases")
_REMARKS = words("structure", "remarks")
_PRONOUNS = words("structure", "no_labels")
_ACCOUNTS, _ACCOUNT_LABELS = words("structure", "accounts"), words("structure", "account_labels")
_PRICE_LISTS = words("structure", "price_lists")
_MONEY_LABELS = words("structure", "money_labels")
_LISTS, _TASKS = words("structure", "list_labels"), words("structure", "headings_of_tasks")
_FINITE, _ADDRESSED = words("structure", "verbs"), words("structure", "addressed")
_STATES = words("structure", "states")
_NO_UNITS, _SCALES = words("structure", "no_units"), words("structure", "scales")
_COLUMN_NAMES = labels("structure", "column_names")
_VERBS = labels("structure", "verb_labels")
_EDUCATION, _JOBS, _ORGANIZATIONS = (words("structure", name) for name in ("education", "jobs", "organizations"))
_MOST_LABEL_WORDS, _MOST_NAME_WORDS = 5, 8
_MOST_ITEM_WORDS, _MOST_ROLE_WORDS = 12, 9
_BESIDE = re.compile(r"\s+[|·•]\s+")
_LONGEST_LINE, _SHORT_LINE = 300, 120


def line_tuples(text: StructuredText, block: Block, is_lead: bool) -> Iterator[tuple[SentenceTuples, Place]]:
    """The sentences of a block that are no prose, each with the place of its line."""
    if block.kind == "mail header":
        yield from _mail_header(text, block)
        return
    whole = _with_periods(text, list(_lines(text, block))) if text.is_cv else _lines(text, block)
    lines = [segment for place in whole for segment in _segments(text, place, block)]
    subject = text.about(block.path)
    dashed = sum(" - " in text.at(*place) for place in lines) > 1
    found = [_labelled(text, place, block, dashed) for place in lines]
    count = sum(item is not None for item in found)
    first = [item for item in found if item][:2]
    # A number or a day may come before what the form is about.
    first = first[: 1 + any(any(map(str.isdigit, text.at(*item.value))) for item in first[:1])]
    name = next((item for item in first if is_naming(item.label)), None)
    if name is not None and not (is_naming(name.label) and is_name(text.at(*name.value))):
        name = None
    if name is not None and (subject is None or len(block.path) < 2):
        text.subject = text.at(*name.value)
        text.narrow(subject)
    elif text.subject is None and (parts := _full_name(text, found)):
        subject = text.subject = parts
    for place, item in zip(lines, found, strict=True):
        line = text.line(*place)
        if item is not None and (count > 1 or len(lines) == 1 or len(text.at(*place)) < _SHORT_LINE):
            about = text.at(*name.value) if name is not None else subject
            if item is name:
                about = subject
            elif block.speaker and _is_contact(item.label):
                about = block.speaker
            is_named = name is not None and about == text.at(*name.value)
            _add_label(line, item, text, about, block.path, is_named)
        else:
            forms = _FORMS[:-1] if block.kind == "heading" or (is_lead and place == lines[-1]) else _FORMS
            for form in forms:
                # A mail is no CV of its sender.
                form(line, text, place, block, subject if form is _add_job else block.speaker or subject)
                if line:
                    break
        _add_remarks(line, text, place)
        if line:
            yield line.sentence(), place


def _is_contact(label: str) -> bool:
    low = _WORD.findall(label.lower())
    return bool(low) and low[0].rstrip(".") in _CONTACTS


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
        and not (is_number(value) or _is_money(value) or _is_dated(value))
        and not (", " in value and "(" in value)
        and not _COUNTED.match(value)
    )


def _add_role(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    """*Heikki Laine, treasurer*."""
    content = text.at(*place)
    start = place[0] + len(content) - len(content.lstrip())
    if block.kind in ("item", "paragraph") and (match := _NAMED_ROLE.match(content.strip(" .;"))):
        name, rest = ((start + match.start(part), start + match.end(part)) for part in ("name", "rest"))
        if " " in match["name"] or _JOBS & set(_WORD.findall(match["rest"].lower())):
            line.add("cv", name, "is", rest)


def people_of(text: StructuredText, block: Block) -> Iterator[tuple[SentenceTuples, Place]]:
    """Relations of a speaker to people whom sentences only mention: *my sister Ann*."""
    content = text.at(block.start, block.end)
    for match in _MINE.finditer(content) if block.speaker else ():
        owner = block.speaker if match[0][:2].lower() == "my" else block.group or block.speaker
        begin = content.rfind("\n", 0, match.start()) + 1
        end = content.find("\n", match.end())
        line = text.line(block.start + begin, block.start + (end if end >= 0 else len(content)))
        if match["noun"] in _ADDRESSING:
            continue
        noun, name = ((block.start + match.start(part), block.start + match.end(part)) for part in ("noun", "name"))
        line.add("list/remark", str(owner), ["has", noun], name)
        yield line.sentence(), noun


def _add_remarks(line: Line, text: StructuredText, place: Place) -> None:
    """Names with a remark in brackets, in lists and short lines: *Ann Lee (chair), Bo Ek (treasurer)*."""
    content = text.at(*place)
    if is_sentence(content) and ":" not in content:
        return
    for found in _REMARK.finditer(content):
        if not is_person(found["name"]) or found["remark"].split()[0] in _LINKING:
            continue
        name, remark = ((place[0] + found.start(part), place[0] + found.end(part)) for part in ("name", "remark"))
        line.add("list/remark", name, "is", remark)


def is_person(name: str) -> bool:
    """Whether words may name a person: a known first name or a title is first, or several words have capitals."""
    first, *others = name.lower().split()
    if first.rstrip(".") in _TITLES or first in FEMALE_NAMES or first in MALE_NAMES:
        return True
    return bool(others) and not name.isupper() and GENERAL.isdisjoint([first, *others]) and name.istitle()


def _full_name(text: StructuredText, found: Sequence[_Labelled | None]) -> str | None:
    """The name of a person on a form, whose parts have labels of their own."""
    values = {item.label.lower(): text.at(*item.value) for item in found if item is not None}
    first = next((value for label, value in values.items() if label.startswith(("first name", "given name"))), None)
    last = next((value for label, value in values.items() if label in ("surname", "last name", "family name")), None)
    return f"{first} {last}" if first and last else None


def _segments(text: StructuredText, place: Place, block: Block) -> list[Place]:
    """The parts of a line that are labels and values side by side; any other line is one part."""
    content = text.at(*place)
    if len(content) > 3 * _LONGEST_LINE:
        return [place]
    parts: list[Place] = []
    begin = 0
    priced = _COMMA.split(content.rstrip(" ."))
    if len(priced) > 1 and all(_PRICED.fullmatch(part.strip()) for part in priced):
        return [(place[0] + part.start(), place[0] + part.end()) for part in _BETWEEN_COMMAS.finditer(content)]
    for gap in [*_SIDE_BY_SIDE.finditer(content), None]:
        end = gap.start() + (gap[0] == ". ") if gap else len(content)
        if content[begin:end].strip():
            parts.append((place[0] + begin, place[0] + end))
        begin = gap.end() if gap else end
    labelled = [_labelled(text, part, block) is not None for part in parts]
    short = all(end - begin < _SHORT_LINE for (begin, end), found in zip(parts, labelled, strict=True) if found)
    return parts if len(parts) > 1 and any(labelled) and short else [place]


def _lines(text: StructuredText, block: Block) -> Iterator[Place]:
    """The lines of a block that are not blank."""
    content = text.at(block.start, block.end).strip()
    if block.kind in ("title", "heading", "quote") and "\n" not in content:
        is_below = len(block.path) == 2 and content not in block.path[0]
        if block.kind == "heading" and text.is_cv and (_CV_LAST.search(content) or is_below):
            yield block.start, block.end
        return
    if block.kind in ("item", "definition"):
        yield block.start, block.end
        return
    place = block.start
    for line in text.at(block.start, block.end).split("\n"):
        if line.strip():
            yield place, place + len(line)
        place += len(line) + 1


def _with_periods(text: StructuredText, lines: Sequence[Place]) -> list[Place]:
    """The lines of a CV, where a period below a job is one with up to two lines above it."""
    found: list[Place] = []
    free = 0
    for start, end in lines:
        content = text.at(start, end).strip()
        period = _CV_FIRST.match(f"{content} |")
        if free and period and len(period["rest"]) == 1:
            start = found[-free][0]
            del found[-free:]
            free = 0
        elif found and not period and _goes_with(text, found[-1], (start, end)):
            start = found.pop()[0]
            free = 0
        else:
            free = 0 if _CV_LAST.search(content) or ":" in content else min(2, free + 1)
        found.append((start, end))
    return found


def _goes_with(text: StructuredText, above: Place, place: Place) -> bool:
    """Whether an indented line names the post of the job above: a period and an employer."""
    first, below = text.at(*above), text.at(*place)
    said = below.strip()
    indents = [len(line) - len(line.lstrip()) for line in (first, below)]
    return (
        indents[1] > indents[0]
        and "\n" not in first.strip()
        and _CV_FIRST.match(first.strip()) is not None
        and not _is_post(first)
        and _is_post(said.partition(",")[0])
        and ":" not in said
        and not _CV_LAST.search(said)
    )


def _is_post(said: str) -> bool:
    return bool(_JOBS & set(_WORD.findall(said.lower()))) or _TRADE.search(said.partition(" to ")[0]) is not None


class _Labelled:
    """A label and a value with their places."""

    def __init__(self, label: str, label_place: Place, value: Place) -> None:
        self.label, self.label_place, self.value = label, label_place, value


def _labelled(text: StructuredText, place: Place, block: Block, dashed: bool = False) -> _Labelled | None:
    line = text.at(*place)
    match = (_LABEL.match(line.strip()) or _DAYS.match(line.strip())) if len(line) < _LONGEST_LINE else None
    if match is None or (match.re is _DAYS and _PHONE.search(line)):
        return None
    indent = len(line) - len(line.lstrip())
    label = match["label"].rstrip()
    begin = indent + match.end()
    value = line[begin:].strip()
    low = label.lower()
    if (
        _CV_LAST.fullmatch(label)
        or _DAY.fullmatch(label)
        or (text.is_cv and (period := _CV_LAST.search(value)) and value[: period.start()].rstrip()[-1:] in ("", ","))
    ):
        return None
    if low.split()[-1] in _FINITE or not _ADDRESSED.isdisjoint(low.split()) or label.count("(") != label.count(")"):
        return None
    is_headline = (
        "\n" not in text.of(block).strip()
        and value.isupper()
        and line.isupper()
        and len(line.split()) > _MOST_LABEL_WORDS
    )
    if "...." in value or value.lower() in _ADDRESSED or is_headline:
        return None
    if not value or low in _REMARKS or low.split()[0] in _PRONOUNS or len(low.split()) > _MOST_LABEL_WORDS:
        return None
    if value.lower() in EMPTY or is_sentence(value) or value.endswith("?") or _NUMBERED.match(low):
        return None
    if not label[:1].isupper() and block.kind not in ("definition", "item", "turn"):
        return None
    if block.kind == "turn" and (len(low.split()) > 3 or is_sentence(value)):
        return None
    if match[0].endswith(("– ", "- ")) and (not (dashed or block.kind == "item") or len(low.split()) > 3):
        return None
    start = place[0]
    at = start + indent + match.start("label")
    begin += len(line[begin:]) - len(line[begin:].lstrip())
    return _Labelled(label, (at, at + len(label)), (start + begin, start + begin + len(value)))


def _add_label(
    line: Line, item: _Labelled, text: StructuredText, subject: str | None, path: Sequence[str], is_named: bool
) -> None:
    value = text.at(*item.value)
    if _add_person(line, item, value, text):
        return
    if is_price(item.label, value, path):
        line.add("price", item.label_place, "costs", item.value)
        return
    if subject is not None and subject.lower() == value.lower():
        return

    relation_of_time = None if subject is None else time_relation(item.label, subject, path)

    # *Held at*, *Valid until* name nothing.
    is_said_of = not column_relation(item.label)[0].startswith("has ")
    if is_said_of and subject is None:
        subject = next(iter(text.contexts), None)

    def alone() -> None:
        if item.label.lower() not in _NAMING and (subject is not None or not is_said_of):
            line.add("label/alone", item.label_place, "is", item.value, in_context(subject))

    def of_subject() -> None:
        if subject is None:
            return
        if relation_of_time is not None:
            line.add("label", subject, relation_of_time, item.value, (item.label_place, "time"))
            return
        relation, unit = label_relation(item.label, item.label_place)
        for place in values_of(item.label, value, item.value[0]):
            line.add("label", subject, relation, [place, unit] if unit else place)

    least = 0.0 if is_named or is_said_of else 1.0 if ", " in item.label else text.trusted(subject, relation_of_time)
    line.likeliest(of_subject, alone, least=least)


def _add_person(line: Line, item: _Labelled, value: str, text: StructuredText) -> bool:
    """*Vesna Kralj – sales – +386 555 102*, and below *To do*: *Jana: book the gym*."""
    heading = _WORD.findall(text.contexts[0].lower()) if text.contexts else []
    if not is_person(item.label):
        return False
    if not text.is_cv and (not _TASKS.isdisjoint(heading) or heading[-2:] == ["to", "do"]) and value[:1].islower():
        line.add("list/item", item.label_place, "has task", item.value)
        return True
    start = item.value[0]
    mail, phone = _MAIL.search(value), _PHONE.search(value)
    for found, relation in ((mail, "has e-mail address"), (phone, "has phone number")):
        if found is not None:
            line.add("label", item.label_place, relation, (start + found.start(), start + found.end()))
    first = min((found.start() for found in (mail, phone) if found is not None), default=0)
    said = value[:first].rstrip(" –-,;:|(")
    if said.lower().rpartition(" ")[2].rstrip(".") in _CONTACTS:
        said = said.rpartition(" ")[0].rstrip(" –-,;:|(")
    if said and _is_role(said, True):
        line.add("cv", item.label_place, "is", (start, start + len(said)))
    return bool(line)


def time_relation(label: str, subject: str, path: Sequence[str]) -> str | None:
    """The relation of what is said of a day or a month below a heading: *Monday* below *Opening hours*."""
    heading = path[-1].strip(" :") if len(path) > 1 else ""
    parts = _WORD.findall(label.lower().replace("-", " ").replace("–", " "))
    is_time = any(part in CALENDAR for part in parts) and all(
        part in CALENDAR or part in ("to", "and", "from") or part.isdigit() for part in parts
    )
    if not (is_time and heading):
        return None
    return "has" if heading == subject else f"has {_lowered(heading)}"


def is_price(label: str, value: str, path: Sequence[str] = ()) -> bool:
    """Whether a value is what the thing of the label costs: an amount of money first, the label no kind of amount.

    Below a heading such as *Fees*, a number for each of something is an amount, too: *1,200 per week*.
    """
    low = _WORD.findall(label.lower())
    priced = _is_money(value) or (
        bool(path) and _PER.match(value) is not None and not _MONEY_LABELS.isdisjoint(_WORD.findall(path[-1].lower()))
    )
    heading = _WORD.findall(path[-1].lower()) if path else ()
    is_account = not (_ACCOUNTS.isdisjoint([*low, *heading]) and _ACCOUNT_LABELS.isdisjoint(low))
    return (priced or _is_bare_price(value, path)) and _MONEY_LABELS.isdisjoint(low) and not is_account


def _is_bare_price(value: str, path: Sequence[str]) -> bool:
    """Whether a number without a currency is a price: below *Prices*, or with cents or *each* below *Extra costs*."""
    if not _BARE.fullmatch(value) or _CV_LAST.fullmatch(value):
        return False
    heads = [_WORD.findall(head.lower()) for head in path]
    if heads and heads[-1] and (heads[-1][-1] in _PRICE_LISTS or heads[-1][:2] == ["price", "list"]):
        return True
    return not value.strip(".").isdigit() and not all(map(_MONEY_LABELS.isdisjoint, heads))


def is_amount(value: str) -> bool:
    """Whether a cell is an amount or a date, and names nothing: *4.20 CHF*, *12 m²*, *3 May 2024*."""
    return is_number(value) or _is_money(value) or (value[:1].isdigit() and len(value.split()) < 3)


def _is_money(value: str) -> bool:
    """Whether an amount with a currency is first, or nothing but one with cents."""
    amount = _AMOUNT_FIRST.match(value)
    if amount is None:
        return False
    return _CURRENT.search(amount[0]) is not None or (amount.end() == len(value) and bool(_MONEY.search(amount[0])))


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
    unit = _UNIT.search(label.rstrip())
    unit = unit if unit and _is_unit(unit[1] or unit[2]) else None
    words_only = label[: unit.start()] if unit else label
    words_only = words_only.strip(" :*#?")
    low = words_only.lower()
    written: Place | str = _lowered(words_only)
    if place is not None:
        start = place[0] + len(label) - len(label.lstrip())
        written = (start, start + len(words_only))
    renamed = _COLUMN_NAMES.get(low)
    if renamed is not None and (place is None or low not in _LINKING):
        return [f"has {renamed}"], (unit[1] or unit[2] or "").strip() if unit else ""
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
    return relation, ((unit[1] or unit[2] or "").strip() if unit else "")


def _is_unit(mark: str) -> bool:
    """Whether a remark after a label may be a unit: *m²*, *mg/l*, *£ million*; not *to 12* or *w x h*."""
    first, *others = mark.lower().split() or ["x"]
    return (
        first not in _NO_UNITS
        and not first[0].isdigit()
        and "x" not in (first, *others)
        and len(others) < 3
        and (not others or "per" in others or bool(_SCALES & {first, *others}))
    )


def _lowered(label: str) -> str:
    """A label within a phrase: *Price* is *price*, *CEO* stays."""
    return " ".join(
        word if word[1:2].isupper() or len(word) == 1 or any(map(str.isdigit, word)) else word.lower()
        for word in label.replace("_", " ").split()
    )


def values_of(label: str, value: str, start: int) -> list[Place]:
    """The places of the values; a list after a label in the plural has several."""
    low = label.lower().split()[-1] if label.split() else ""
    is_list = (low.endswith("s") and not low.endswith(("ss", "us", "is", "address"))) or low in _LISTS
    pieces: list[Place] = []
    begin = 0
    for gap in [*_SPLIT.finditer(value), None]:
        end = gap.start() if gap else len(value)
        if value[begin:end].strip():
            pieces.append((start + begin, start + end))
        begin = gap.end() if gap else end
    short = all(end - begin <= 40 and len(value[begin - start : end - start].split()) <= 4 for begin, end in pieces)
    if is_list and short and len(pieces) > 1 and "(" not in value and not any(map(str.isdigit, value)):
        return pieces
    stripped = value.rstrip(" ;")
    if "." not in stripped[stripped.rfind(" ") + 1 : -1]:
        # The full stop of an abbreviation belongs to it: *Friends of the Mills e.V.*
        stripped = stripped.rstrip(" .;")
    return [(start, start + len(stripped))]


def _add_contact(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    """Addresses and numbers without a label, and the position of a person below the name."""
    content = text.at(*place)
    if subject is None or len(content) > _SHORT_LINE or is_sentence(content):
        return
    start = place[0]
    person = _LISTED.match(content)
    owner: Place | str = subject
    is_other = block.speaker is None or set(block.speaker.split()).isdisjoint((person or [""])[0].split())
    if person and is_other and is_person(person["name"]):
        owner = (start + person.start("name"), start + person.end("name"))
    if mail := _MAIL.search(content):
        line.add("label", owner, "has e-mail address", (start + mail.start(), start + mail.end()))
    if phone := _PHONE.search(content):
        line.add("label", owner, "has phone number", (start + phone.start(), start + phone.end()))
    elif (
        not mail
        and owner is subject
        and "," in content
        and _POSTAL.search(content)
        and sum(map(str.isalpha, content)) > sum(map(str.isdigit, content))
        and not _CV_LAST.search(content)
        and not _is_dated(content)
    ):
        line.add("label", subject, "has address", place)
    person = _AFFILIATED.fullmatch(content.strip())
    if not line and person and not any(map(str.isdigit, content)):
        at = start + len(content) - len(content.lstrip())
        rest = (at + person.start("rest"), at + person.end("rest"))
        has_job = bool(_JOBS & set(_WORD.findall(person["rest"].lower())))
        post = _JOBS & set(_WORD.findall(person["name"].lower()))
        if post and block.speaker and _is_organization(person["rest"]):
            line.add("cv", block.speaker, "is", (at, at + person.end("name")), rest)
        elif not post and (has_job or _is_organization(person["rest"])):
            line.add("cv", (at, at + person.end("name")), "is" if has_job else "works at", rest)
    parts = (_BESIDE.split(content.strip())[0], content.strip())
    first = next((part for part in parts if _is_role(part, text.is_cv and len(block.path) < 2)), None)
    if first and block.kind != "heading" and (line or len(content.split()) < _MOST_ROLE_WORDS):
        role, _, other = first.partition(",")
        if is_person(subject) and owner is subject and not is_person(role):
            at = start + len(content) - len(content.lstrip())
            line.add("cv", subject, "is", (at, at + len(role)))
            if other.strip() and len(other.split()) < 5:
                begin = at + len(role) + 1
                line.add("cv", subject, "works at", (begin, begin + len(other)))


def _is_role(said: str, is_below_name: bool) -> bool:
    """Whether words, up to a comma, are a post; below the name of a CV, also by the look of an unknown one."""
    role = said.partition(",")[0]
    is_known = bool(_JOBS & set(_WORD.findall(role.lower()))) or (is_below_name and _TRADE.search(role) is not None)
    return is_known and len(role.split()) < 6 and not any(map(str.isdigit, said))


def _is_dated(content: str) -> bool:
    return any(isinstance(one.value, Date) for one in values_in(words_of(content)))


def _price(text: StructuredText, place: Place, is_priced: bool) -> tuple[Place, Place] | None:
    """The thing and its price: *Espresso ..... 2.50*, *Pump – 400 EUR*."""
    content = text.at(*place).rstrip()
    match = _PRICE.search(content) if len(content) < _LONGEST_LINE else None
    if match is None or not _MONEY.search(match["price"]):
        return None
    before = content[: match.start()]
    item = before.rstrip(" .…\t–—-:|=")
    begin = len(item) - len(item.lstrip(" -*•"))
    gap = before[len(item) :]
    is_listed = (
        is_priced
        or text.at(place[1], place[1] + 1) in (",", ";")
        or text.at(place[0] - 2, place[0] - 1) in (",", ";")
    )
    if (
        item[begin:].lower().strip(" :") in TOTALS
        or _CENTS.search(item) is not None
        or len(item.split()) > 10
        or not any(map(str.isalpha, item))
        or len(gap) < 1 + (gap.isspace() and not (is_listed and _PRICED.fullmatch(content)))
    ):
        return None
    start = place[0]
    return (start + begin, start + len(item)), (start + match.start(), start + match.end())


def _add_price(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    is_priced = bool(block.path) and not _MONEY_LABELS.isdisjoint(_WORD.findall(block.path[-1].lower()))
    if (found := _price(text, place, is_priced)) is not None:
        # Among income and expenses, an amount is no price.
        is_account = not _ACCOUNTS.isdisjoint(_WORD.findall(text.of(block).lower()))
        rule, relation = ("label/alone", "is") if is_account else ("price", "costs")
        line.add(rule, found[0], relation, found[1])


# The end of a sentence and the beginning of another one.
_SENTENCES = re.compile(r"[a-z]{3}[.!?] [A-Z]\w")


def _add_job(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    """*2015–2019 Engineer, Acme, Oslo*, below the name of a person."""
    content = text.at(*place).rstrip()
    if (
        subject is None
        or len(content) > _LONGEST_LINE
        or block.kind not in ("item", "paragraph", "definition", "heading")
    ):
        return
    titles = bool(text.titles or not (text.person or text.opening))
    above = block.path[titles : -1 if block.kind == "heading" else None]
    indent = len(content) - len(content.lstrip())
    begin, end = 0, len(content)
    if match := _CV_FIRST.match(content[indent:]):
        begin = indent + match.start("rest")
        time = (place[0] + indent + match.start("time"), place[0] + indent + match.end("time"))
    elif match := _CV_LAST.search(content):
        end = len(content[: match.start()].rstrip(" \n.,:|·–—-("))
        time = (place[0] + match.start("time"), place[0] + match.end("time"))
    if match is None or is_sentence(content[begin:end]) or _SENTENCES.search(content[begin:end]):
        return
    fields = [field for field in _fields(content, begin, end, place[0]) if any(map(str.isalpha, text.at(*field)))]
    texts = [text.at(*field) for field in fields]
    section = " ".join(above).lower()
    has_job = any(_JOBS & set(_WORD.findall(field.lower())) for field in texts)
    is_school = _SCHOOL.search(section) is not None or (
        not has_job and not _CAREER.search(section) and bool(_EDUCATION & set(_WORD.findall(" ".join(texts).lower())))
    )
    if not fields or len(fields) > 5 or (not section and not begin):
        return
    if not begin and "\n" not in content and not (is_school or has_job or _CAREER.search(section)):
        return
    is_other = bool(above) and not (is_school or _CAREER.search(section)) and section.split()[-1] in GENERAL
    if is_other or not (is_school or has_job or _CAREER.search(section)):
        if not (section or text.is_cv or is_person(subject)):
            return
        heading = f"has {_lowered(above[-1])}" if section else "has event"
        line.add("cv", subject, heading, *fields, (time, "time"))
        return
    kinds = [_kind_of_field(field, is_school) for field in texts]
    after_colon = next((at for at, (start, _) in enumerate(fields) if at and text.at(start - 2, start) == ": "), None)
    if after_colon is not None and "post" not in kinds and not is_school:
        kinds[after_colon] = "post"
    if not is_school and "post" not in kinds:
        # Words of an unknown post look like one: *foreman*, *sailmaker*; what is above its line is an employer.
        trade = next((at for at, one in enumerate(texts) if _TRADE.search(one.partition(" to ")[0])), None)
        if trade is not None:
            kinds[trade] = "post"
        elif kinds[0] == "" and _describes(text.at(place[1], block.end)):
            kinds[0] = "organization"
    what = kinds.index("post") if "post" in kinds else kinds.index("") if "" in kinds else None
    if what is not None and kinds[what] == "" and ("organization" in kinds[:what] or texts[what].isupper()):
        # A place after an organization, or an organization in capitals.
        kinds[what] = "" if "organization" in kinds else "organization"
        what = None
    # An organization is known by its words, else it is what comes after the post.
    free = [number for number, kind in enumerate(kinds) if number != what and kind == ""]
    at = kinds.index("organization") if "organization" in kinds else free[0] if free else None
    rest = [number for number in range(len(fields)) if number not in (what, at)]
    where = (fields[rest[0]], "location") if rest and kinds[rest[0]] == "" and at is not None else None
    other = fields[at] if at is not None else None
    if what is not None and what != at:
        line.add("cv", subject, "studied" if is_school else "worked as", fields[what], other, where, (time, "time"))
    if other is not None:
        line.add("cv", subject, "studied at" if is_school else "worked at", other, where, (time, "time"))


def _describes(below: str) -> bool:
    """Whether the next line of the block has no period of its own, but says more of the one above."""
    line = below.lstrip("\n").partition("\n")[0].strip()
    return bool(line) and not (_CV_FIRST.match(line) or _CV_LAST.search(line) or ":" in line)


def _kind_of_field(field: str, is_school: bool) -> str:
    """The kind of a field of a line of a CV: a post or a degree, an organization, a remark, or a name of anything."""
    low = set(_WORD.findall(field.lower()))
    if _is_organization(field) and not (_EDUCATION if is_school else _JOBS) & low:
        return "organization"
    if (_EDUCATION if is_school else _JOBS) & low:
        return "post"
    is_remark = _COUNTED.match(field) is not None or not (field[:1].isupper() or field[:1].isdigit())
    return "remark" if is_remark else ""


def _fields(content: str, begin: int, end: int, start: int) -> Iterator[Place]:
    """The places of the fields of a line."""
    for gap in [*_FIELDS.finditer(content, begin, end), None]:
        stop = gap.start() if gap else end
        field = content[begin:stop]
        if field.strip(" ()."):
            at = start + begin + len(field) - len(field.lstrip())
            yield at, at + len(field.strip())
        begin = gap.end() if gap else end


def _is_organization(text: str) -> bool:
    return bool(_ORGANIZATIONS & set(_WORD.findall(text.lower())))


def _add_item(line: Line, text: StructuredText, place: Place, block: Block, _: str | None) -> None:
    """An item of a list or a short line below a heading or words that introduce it: *Requirements*, *We need:*."""
    content = text.at(*place)
    if task := _TASK.match(content):
        who, what = ((place[0] + task.start(part), place[0] + task.end(part)) for part in ("who", "what"))
        line.add("list/item", who, "has task", what)
        return
    is_answer = text.at(max(block.start, place[0] - 4), place[0]).rstrip().endswith("?")
    if is_answer or place[0] in text.answered:
        # An answer to the question above; see `question_tuples`.
        return
    is_listed = block.kind == "item" or content.rstrip()[-1:] not in ",;"
    if not is_listed or content.rstrip().endswith(("?", "!", ":")) or len(content.split()) > _MOST_ITEM_WORDS:
        return
    heading = text.lead or (block.path[-1].strip(" :") if block.path else "")
    subject = text.about(block.path) if text.lead else text.person or subject_of(block.path[:-1])
    if is_sentence(content):
        return
    if heading.endswith("?"):
        # A line of an answer of several lines is a fragment of it, and a title is no question to be answered.
        is_whole = block.kind == "item" or ("\n" not in text.of(block).strip() and text.follows_heading)
        if is_whole and (text.asks or (subject and (text.lead or len(block.path) > 1))):
            line.add("faq/open", subject or "the answer", heading.rstrip("?"), place)
        return
    if block.kind == "paragraph" and any(map(is_sentence, text.of(block).split("\n"))):
        return
    if not (heading or subject) or _LINKED.search(content) or _NUMBERED.match(content.lower()):
        return
    if heading.endswith(("!", ".")) or has_verb(content):
        return
    start = place[0] + len(content) - len(content.lstrip(" -*•–"))
    if block.kind == "item" and text.run == 1 and _is_money(content) and is_name(heading) and not is_general(heading):
        # Below the name of an article, an amount alone is its price.
        line.add("price", heading, "costs", place)
        return
    if content.lstrip()[:1] in "^↑" or "? " in content:
        return
    heading = _NUMBERS.sub("", heading)

    def said_of(about: str, relation: str) -> None:
        for said in values_of(heading, content.strip(" -*•–.;,"), start):
            line.add("list/item", about, relation, said)

    readings = [lambda: said_of(heading or str(subject), "includes")]
    if subject and heading and len(heading.split()) <= _MOST_LABEL_WORDS:
        is_post = text.is_cv and not _JOBS.isdisjoint(heading.lower().split())
        readings.insert(0, lambda: said_of(subject, f"{'did as' if is_post else 'has'} {_lowered(heading)}"))
    line.likeliest(*readings)
    line.drop_unlikely()


# Forms of lines without a label; the first that says something counts.
_FORMS = (_add_price, _add_job, _add_contact, _add_role, _add_item)


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
