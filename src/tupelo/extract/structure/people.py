"""Lines that name a person: posts, addresses and numbers, remarks in brackets, tasks, people of a speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tupelo.core import SentenceTuples
from tupelo.core.blocks import Block
from tupelo.extract.structure.headings import LINKING, WORD, has_verb, has_word, is_kind, is_person, is_sentence
from tupelo.extract.structure.jobs import CV_LAST, JOBS, is_organization, is_role
from tupelo.extract.structure.sentences import CONTEXT, SHORT_LINE, Labelled, Line, Place, StructuredText, place_of
from tupelo.extract.structure.trust import CALENDAR, is_dated
from tupelo.nlp.languages import words

_MINE = re.compile(
    r"\b(?:[Mm]y|[Oo]ur) (?P<noun>[a-z]{3,}(?: [a-z]{3,})?) "
    r"(?P<name>(?:(?:M[rs]s?|Dr)\. )?[A-Z][a-zà-ÿ’'-]+(?: [A-Z][a-zà-ÿ’'-]+){0,2})"
)
_MAIL = re.compile(r"(?<![^\s<(:])[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}")
PHONE = re.compile(r"(?<![\w.,/-])(?!\d{4}-\d{4}-|\d\d/\d\d/\d{4}\b)(?:\+\d{1,3}|0\d)[\d ()/-]{6,18}\d(?!\w)")
_AFFILIATED = re.compile(
    r"(?:(?:By|Author|Contact|Photo|Text):? )?"
    r"(?P<name>(?:[A-Z][a-z]{1,4}\. ?)?[A-Z][\w'’.-]*(?: [A-Z][\w'’-]+){1,2}), "
    r"(?P<rest>(?!the |an? )[^,;:·|]{3,60}?(?:, [^a-z,;:·|][^,;:·|]{2,40}?)?)(?: · |$)"
)
# A person at the beginning of a line: *Desmond Frederick, harbour master, +1 268 555 0120*.
_LISTED = re.compile(
    r"\s*(?:[-*•] )?(?P<name>(?:[A-Z][a-z]{0,4}\.? )?[A-Z][\w'’.-]*(?: [A-Z][\w'’-]+){0,2})(?:, | \(|: | [–-] )"
)
DAY = re.compile(r"(?:[A-Z]\w{2,8}\.? \d{1,2}|\d{1,2}\.? [A-Z]\w{2,8}\.?),? (?:19|20)\d\d")
_POSTAL = re.compile(r"\b\d{1,4}[a-z]?\b.{1,60}(?<!no\. )\b\d{4,5}\b|[A-Z]\w{3,30} \d{1,4}, \d{4,5} [A-Z]")
_REMARK = re.compile(
    r"(?:^|(?<=[,;:–] )|(?<=and ))(?P<name>[A-Z][\w.'’-]+(?: (?:[a-z]{2,3} )?[A-Z][\w.'’-]+){0,3}) "
    r"\((?P<remark>[a-z][^()\d]{1,30})\)(?=[,;.]|$| and )"
)
_CONTACTS = words("structure", "contact_labels")
_PRESENCE = words("structure", "presence")
_ADDRESSING = words("structure", "addressing")
_TASKS = words("structure", "headings_of_tasks")
_ACTIONS, _ARTICLES = words("verbs", "action_verbs"), words("function_words", "articles")
_PREPOSITIONS = words("prepositions", "time_prepositions", "place_prepositions", "argument_prepositions")
_MOST_ROLE_WORDS = 9
# A salutation, or the words before a quoted mail.
GREETING = re.compile(r"(?:Dear|Hi|Hello|Hey) |On .{0,120} wrote$")
_BESIDE = re.compile(r"(?<!\s)\s+[|·•]\s+")


def is_contact(label: str) -> bool:
    low = WORD.findall(label.lower())
    return bool(low) and low[0].rstrip(".") in _CONTACTS


def people_of(text: StructuredText, block: Block) -> Iterator[SentenceTuples]:
    """Relations of a speaker to people whom sentences only mention: *my sister Ann*."""
    content = text.at(block.start, block.end)
    for match in _MINE.finditer(content) if block.speaker else ():
        owner = block.speaker if match[0][:2].lower() == "my" else block.group or block.speaker
        begin = content.rfind("\n", 0, match.start()) + 1
        end = content.find("\n", match.end())
        line = text.line(block.start + begin, block.start + (end if end >= 0 else len(content)))
        if match["noun"] in _ADDRESSING or not any(map(str.isalpha, block.speaker or "")):
            continue
        noun = place_of(match, "noun", block.start)
        line.add("list/remark", str(owner), ["has", noun], place_of(match, "name", block.start))
        yield line.sentence()


def add_remarks(line: Line, text: StructuredText, place: Place, label: str | None) -> None:
    """Names with a remark in brackets, in lists and short lines: *Ann Lee (chair), Bo Ek (treasurer)*."""
    content = text.at(*place)
    if is_sentence(content) and ":" not in content:
        return
    for found in _REMARK.finditer(content):
        if is_person(found["name"]) and found["remark"].split()[0] not in LINKING:
            name, remark = (place_of(found, part, place[0]) for part in ("name", "remark"))
            relation = "has role" if _PRESENCE.isdisjoint(found["remark"].split()) else "is"
            line.add("list/remark", name, relation, remark, label and (label, CONTEXT))


def add_person(line: Line, item: Labelled, value: str, text: StructuredText) -> bool:
    """*Vesna Kralj – sales – +386 555 102*, and below *To do*: *Jana: book the gym*."""
    heading = WORD.findall(text.contexts[0].lower()) if text.contexts else []
    is_of_tasks = not text.is_cv and (not _TASKS.isdisjoint(heading) or heading[-2:] == ["to", "do"])
    first_word, second, *_ = *value.split(), "", ""
    is_order = first_word in _ACTIONS or (second in _ARTICLES and first_word not in _PREPOSITIONS)
    is_name = item.label.istitle() and item.label.isalpha() and item.label.lower() not in CALENDAR
    if is_of_tasks and value[:1].islower() and ((is_name and is_order) or is_person(item.label)):
        line.add("list/item", item.label_place, "has task", item.value)
        return True
    if not is_person(item.label):
        return False
    start = item.value[0]
    first = min((found.start() for found in _add_numbers(line, item.label_place, value, start)), default=0)
    said = value[:first].rstrip(" –-,;:|(")
    if said.lower().rpartition(" ")[2].rstrip(".") in _CONTACTS:
        said = said.rpartition(" ")[0].rstrip(" –-,;:|(")
    if said and is_role(said, True):
        line.add("cv", item.label_place, "is", (start, start + len(said)))
    return bool(line)


def _add_numbers(line: Line, owner: Place | str, content: str, start: int) -> list[re.Match[str]]:
    """The mail address and the phone number of somebody, and where they are."""
    found = []
    for form, relation in ((_MAIL, "has e-mail address"), (PHONE, "has phone number")):
        if match := form.search(content):
            line.add("label", owner, relation, place_of(match, 0, start))
            found.append(match)
    return found


def add_contact(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    """Addresses and numbers without a label, and the position of a person below the name."""
    content = text.at(*place)
    is_told = is_sentence(content) or GREETING.match(content.rstrip(" :"))
    who = None if is_told else _AFFILIATED.match(content.strip(" .;"))
    if who and not (any(map(str.isdigit, who[0])) or has_word(who["name"], JOBS) or has_verb(who["rest"])):
        start = place[0] + content.index(who[0])
        relation = "is" if has_word(who["rest"], JOBS) or who["rest"][0].islower() else "works at"
        if relation == "is" or is_organization(who["rest"]):
            line.add("cv", place_of(who, "name", start), relation, place_of(who, "rest", start))
            return
    if subject is None or is_kind(subject) or is_told or len(content) > SHORT_LINE:
        return
    at = place[0] + len(content) - len(content.lstrip())
    person = _LISTED.match(content)
    owner: Place | str = subject
    is_other = block.speaker is None or set(block.speaker.split()).isdisjoint((person or [""])[0].split())
    if person and is_other and is_person(person["name"]):
        owner = place_of(person, "name", place[0])
    if (
        not _add_numbers(line, owner, content, place[0])
        and owner is subject
        and "," in content
        and _POSTAL.search(content)
        and sum(map(str.isalpha, content)) > sum(map(str.isdigit, content))
        and not CV_LAST.search(content)
        and not is_dated(content)
    ):
        line.add("label", subject, "has address", place)
    parts = (_BESIDE.split(content.strip())[0], content.strip())
    first = next((part for part in parts if is_role(part, text.is_cv and len(block.path) < 2)), None)
    if first and block.kind != "heading" and (line or len(content.split()) < _MOST_ROLE_WORDS):
        role, _, other = first.partition(",")
        if is_person(subject) and owner is subject and not is_person(role):
            line.add("cv", subject, "is", (at, at + len(role)))
            if other.strip()[:1].isupper() and len(other.split()) < 5:
                begin = at + len(role) + 1
                line.add("cv", subject, "works at", (begin, begin + len(other)))
