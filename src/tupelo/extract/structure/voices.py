"""Speakers and days of a text: *I*, *we* and *you* by name, *tomorrow* by its date, quotations with their writer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate, takewhile

from tupelo.core import Analysis, Argument, Attribution, Extraction, Passage, SentenceTuples, Word
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.structure.headings import is_person, subject_of
from tupelo.extract.structure.jobs import is_organization
from tupelo.extract.structure.sentences import CAREER
from tupelo.names.aliases import is_known_place
from tupelo.names.forms import form_of
from tupelo.names.referents import PassageReferents
from tupelo.nlp.dates import anchored_days
from tupelo.nlp.kinds import kinds_of
from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.naming import COMPANY_ENDINGS

# Fields of a voice by pronoun; some pronouns stand before a noun.
_OWN = labels("structure", "possessives_of_voices")
_FIELDS = labels("structure", "pronouns_of_voices") | _OWN
# The name of a speaker whom nothing names.
SPEAKER = "speaker"
_OPENING, _CLOSING = frozenset(["“", "``", "«"]), frozenset(["”", "''", "»"])
_MARKS = _OPENING | _CLOSING | {'"'}
_CAPITALS = r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*){1,3}"
# *My name is Ann Lee*; *by Ann Lee*, *Author: Ann Lee*, or *Ann Lee, University of Oslo* at the beginning of a text.
_INTRODUCED = re.compile(r"\b[Mm]y name(?: is|['’]s) ([A-Z][\w’'-]+(?: [A-Z][\w’'-]+){0,2})")
_BYLINE = re.compile(
    r"(?m)^[*_]*(?:(?i:(?:posted [^\n]{0,40}|written |prepared )?by|author|text(?: and \w+)?):?\**:? "
    rf"({_CAPITALS})|({_CAPITALS}), [^\n]{{0,40}}"
    r"(?:[Uu]nivers|[Ii]nstitut|[Cc]olleg|[Ll]abor|[Cc]entre|[Cc]enter|[Oo]bservator|[Hh]ospital|[Ss]chool))"
)
_OPENING_BLOCKS = 4
_SPOKEN = frozenset(["paragraph", "item", "definition"])
# *Ann Lee (chair): I wrote …*, *Bo – We got …*
_TURN = re.compile(
    r"\s*(?:[-*•] )?(?P<name>[^\W\d_][^\n:;!?–—()\[\]\"“]{0,40}?)(?: ?[(\[][^()\[\]\n]{1,40}[)\]])?"
    r" ?(?::|[–—]| -) (?=\S)"
)
_FIRST_PERSON = re.compile(r"\b(?:I|my|me|we|our|us|My|We|Our)\b")
_BODIES = words("structure", "bodies")
_POSTS = words("structure", "jobs", "posts_in_meetings")
# Characters between two sentences of different paragraphs.
_PARAGRAPH = 2
# Signs of the organization whose text this is: *we* outside quotation marks, a letterhead, a signature, an address.
_OURS = re.compile(r"\b(?:[Ww]e|[Oo]urs?|us)\b")
_MINE = re.compile(r"\b(?:I|[Mm]y|me)\b")
_QUESTION = re.compile(r"(?<![^.!?\n])[^.!?\n]{1,200}\?")
_IN_MARKS = re.compile(r"“[^”]{0,800}”|\"[^\"]{0,800}\"|«[^»]{0,800}»")
# A quoted person with a post in no other organization speaks for that of the text; *its manager* is another one's.
_POST = re.compile(
    r"(\b(?:[Ii]ts|[Tt]heir) (?:\w+ ){0,2})?\b(?i:founder|chief executive|ceo|director|chair(?:man|woman)?"
    r"|spokes(?:man|woman|person)|head of \w+|president|manager)\b(?: (?:of|at|for) (?:the )?([A-Z]\S*))?"
)
_GROUPLESS = re.compile(r"\bet al\b|\bABSTRACT\b|\bAbstract\b|(?m:^From:)(?s:.*)^From:", re.MULTILINE)
_ENDS_LETTER = re.compile(r"(?i).{0,20}\b(?:regards|sincerely|faithfully|truly|wishes|greetings|thanks|thank you)\W*")
_NO_LETTERHEAD = re.compile(r"(?:To|Cc|Attn|Subject|Re|Date): |By ")
_LETTER_TO_ONE = re.compile(r"(?m)^Dear (?:[A-Z]|[Ss]ir|[Mm]adam)")
_LINE_PARTS = re.compile(r"\s+[-–—|·•]\s+|[,|(]\s*|\s{2,}|:(?:\s.*)?$")
_NAMED = r"([A-Z][\w&'’.-]*(?: (?:& |of |and )?[A-Z][\w&'’-]*){0,4})"
_MADE_BY = re.compile(
    rf"(?m)(?:^To: [^,\n]{{0,30}}(?i:all|staff|managers|colleagues|employees|team)\b[^,\n]{{0,20}},"
    rf"|(?:^|[.!?] )(?:Made|Manufactured|Produced|Brewed|Baked|Published)\b[^.\n]{{0,40}}? by"
    rf"|^(?:About us|ABOUT US|Who we are|WHO WE ARE):?)\s+{_NAMED}(?= [a-z]+s\b|,|$)"
)
# *Acme Ltd, Oslo (hereinafter "the Seller")*
_PARTY = re.compile(
    r"(?<![\w&'’-])([A-Z][\w&'’-]{1,30}(?: (?:& |of |and )?[A-Z][\w&'’-]{1,30}){0,4})[^()\"“”\n]{0,80}"
    r"\((?:hereinafter [^()\"“”\n]{0,30}[\"“](?:the )?|the [\"“]|[\"“]the )([A-Z][a-z]+)[\"”]\)"
)
_ADDRESS = re.compile(r"[\w.+-]@(?:www\.)?([\w-]{4,40})\.|\bwww\.([\w-]{4,40})\.")
_NAME = re.compile(_NAMED)
_TITLE_PARTS, _BY = re.compile(r"\s[-–—|]\s"), re.compile(rf"\bby {_NAMED}[*_.]*$")
_HEAD, _FOOT, _LONGEST_LINE = 5, 6, 90


@dataclass(frozen=True, slots=True)
class Voice:
    """The speaker of some text, the speaker's organization, the only listener, and the day on which it is said.

    `quoted_group` is the organization of whoever is in quotation marks; `parties` are those of a contract, each
    by the word for it: *Seller*.
    """

    speaker: str | None = None
    group: str | None = None
    listener: str | None = None
    day: date | None = None
    is_quoted: bool = False
    parties: Mapping[str, str] = field(default_factory=dict)
    quoted_group: str | None = None

    def named(self, pronoun: str, *, in_marks: bool = False) -> str | None:
        """The name that a pronoun stands for, perhaps one in quotation marks."""
        known = _FIELDS.get(pronoun.lower())
        return None if known is None else getattr(self, "quoted_group" if in_marks and known == "group" else known)


class Voices:
    """The voices of a passage by their places."""

    def __init__(self, passage: Passage, names: Iterable[tuple[str, str]] = ()) -> None:
        day = _day(passage.published)
        speakers = list(dict.fromkeys(one.speaker for one in passage.blocks if one.kind == "turn" and one.speaker))
        self._starts: list[int] = []
        self._voices: list[Voice] = []
        self._other = Voice(day=day)
        author = _author(passage)
        parties = {role: name for name, role in _PARTY.findall(passage.text)}
        speakers += [name for _, name in _turns_in(passage.text, passage.text) if name not in speakers]
        house = _house(passage, sorted(names, key=lambda name: name[0].isupper()), len(speakers) > 1)
        last: tuple[str | None, str | None] = None, None
        for block in passage.blocks:
            text = passage.text[block.start - passage.start : block.end - passage.start]
            listener = block.audience[0] if len(block.audience) == 1 else None
            if block.kind == "turn" and block.speaker:
                listener = _listener(text, block.speaker, speakers, last)
                last = block.speaker, listener
            quoted = block.kind == "quote" and block.speaker is not None
            # The voice of an organization says *we*.
            speaker = None if block.speaker == block.group else block.speaker
            own = Voice(speaker or author, block.group or house, listener, _day(block.time) or day, quoted, parties)
            if house is not None and (post := _POST.search(_IN_MARKS.sub("", text))):
                is_own = not post[2] or house.casefold().startswith(post[2].rstrip(".,").casefold())
                own = replace(own, quoted_group=house if is_own and not post[1] else None)
            self._add(block.start, own)
            if introduced := _INTRODUCED.search(text):
                own = replace(own, speaker=introduced[1])
                self._add(block.start, own)
            if block.kind in _SPOKEN and block.speaker is None:
                for place, name in _turns_in(text, passage.text):
                    listener = _listener(text[place:].partition("\n")[0], name, speakers, (None, None))
                    self._add(block.start + place, replace(own, speaker=name, listener=listener))

    def _add(self, place: int, voice: Voice) -> None:
        self._starts.append(place)
        self._voices.append(voice)

    def at(self, place: int) -> Voice:
        """The voice at a place in the document."""
        number = bisect_right(self._starts, place) - 1
        return self._voices[number] if number >= 0 else self._other

    def __bool__(self) -> bool:
        return any(one.speaker or one.group or one.day or one.parties for one in (*self._voices, self._other))


def _listener(text: str, speaker: str, speakers: Sequence[str], last: tuple[str | None, str | None]) -> str | None:
    """The one whom a turn addresses: by name, as the only other speaker, or who has just addressed its speaker."""
    others = [name for name in speakers if name != speaker]
    for name in others if len(others) > 1 else ():
        forms = "|".join(map(re.escape, {name, name.split()[0]}))
        if re.search(
            rf"@(?:{forms})\b|(?:^|[,.!?:] |(?i:\b(?:hi|hello|thanks|you) ))(?:{forms})(?=[,:!?]|\.?$)", text
        ):
            return name
    if last[0] == speaker:
        return last[1]
    return others[0] if len(others) == 1 else last[0] if last[1] == speaker else None


def _author(passage: Passage) -> str | None:
    """The person who says *I* outside of a conversation: that of a CV, or the author named at its beginning."""
    blocks = passage.blocks
    if passage.start or any(block.speaker or block.kind == "turn" for block in blocks):
        return None
    text = passage.text
    if any(block.kind == "heading" and CAREER.search(block.of(text)) for block in blocks):
        return subject_of(blocks[0].path[:1])
    for block in (*blocks[:_OPENING_BLOCKS], *blocks[-2:]):
        if found := _BYLINE.search(block.of(text)):
            return found[1] or found[2]
    return None


def _house(passage: Passage, names: Sequence[tuple[str, str]], has_turns: bool) -> str | None:
    """The organization that says *we*: that of the letterhead or signature, or of an address, by which it is named.

    One that says *I* is known by its signature only, but for minutes, whose speakers say it.
    """
    text, said = passage.text, "" if has_turns else _IN_MARKS.sub("", passage.text)
    has_voices = any(block.speaker or block.group for block in passage.blocks)
    if passage.start or has_voices or _GROUPLESS.search(text) or not _OURS.search(text):
        return None
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    organizations = Counter(name for name, label in names if label == "organization")
    known = {name.casefold(): name for name, count in reversed(organizations.items()) if count > 1 or " " in name}
    end = max((place for place, line in enumerate(lines) if _ENDS_LETTER.fullmatch(line)), default=None)
    found = _named_in(lines[-_FOOT:], {}) if end is None else _named_in(lines[end + 1 :], known)
    if found is None and (made := _MADE_BY.search(text)) is not None:
        return _without_form(made[1])
    if found is not None or _MINE.search(_QUESTION.sub("", said)):
        return found
    addresses = {(one[1] or one[2]).casefold().replace("-", "") for one in _ADDRESS.finditer(text)}
    for name in organizations:
        if not addresses.isdisjoint(accumulate(name.casefold().split())):
            return name
    head = list(takewhile(lambda line: line[-1] not in ".!?" or _without_form(line) != line, lines[:_HEAD]))
    if _LETTER_TO_ONE.search(text):
        return None
    # The title of an essay may name a place, a work or a person, too.
    near = {name for name, label in names if label == "organization" or (label == "person" and " " not in name)}
    near.update(name for name, label in names if label == "place" and not is_known_place(form_of(name).key))
    if has_turns:
        bodies = [part for line in head[:2] for part in _LINE_PARTS.split(line) if is_organization(part[-25:])]
        return bodies[0].strip("#*_ ") if bodies else None
    return _named_in(head, known) or _titled(lines[0], lines[1:_HEAD], near, organizations)


def _titled(title: str, head: Sequence[str], names: Collection[str], known: Collection[str]) -> str | None:
    """The organization in a title (*Acme – Memorandum*), of whatever type its name seems, or after *by* below it."""
    parts = [part.strip("#*_ ") for part in _TITLE_PARTS.split(title)]
    named = [part for part in parts if _NAME.fullmatch(part) and part.startswith(tuple(names))]
    if len(parts) == 2 and len(named) == 1:
        return named[0]
    makers = (match[1] for line in head if (match := _BY.search(line)) is not None)
    return next((maker for maker in makers if maker in known), None)


def _named_in(lines: Sequence[str], known: Mapping[str, str]) -> str | None:
    """The only organization that a part of some lines is, by its legal form or because it is known."""
    parts = [
        part.strip()
        for line in lines
        if len(line) < _LONGEST_LINE and not _NO_LETTERHEAD.match(line)
        for part in _LINE_PARTS.split(line)
    ]
    for names in (
        [_without_form(part) for part in parts if part[:1].isupper() and _without_form(part) != part],
        [known[part.casefold()] for part in parts if part.casefold() in known],
        [name for name in known.values() for part in parts if part.istitle() and part.startswith(f"{name} ")],
    ):
        if names:
            return names[0] if len({name.casefold() for name in names}) == 1 else None
    return None


def _without_form(name: str) -> str:
    """A name without its legal form."""
    *others, last = name.split()
    return " ".join(others) if others and last.replace(".", "").lower() in COMPANY_ENDINGS else name


def _turns_in(text: str, whole: str) -> Iterator[tuple[int, str]]:
    """The lines in which somebody speaks of himself behind his name, each with its place: *Ann (chair): I wrote …*"""
    place = 0
    for line in text.split("\n"):
        match = _TURN.match(line)
        if match is not None and _FIRST_PERSON.search(line, match.end()) and _may_speak(match["name"], whole):
            yield place, _full_name(match["name"].strip(), whole)
        place += len(line) + 1


def _may_speak(name: str, whole: str) -> bool:
    """Whether words before a colon are a person: by name, by title or post, or as one whom others mention."""
    low = name.lower().rstrip(".").split()
    return (
        is_person(name) or not _POSTS.isdisjoint(low) or (len(low) == 1 and name.istitle() and whole.count(name) > 1)
    )


def _full_name(name: str, whole: str) -> str:
    """The name of somebody who goes by a post, where a remark in brackets says it: *Ann Lee (Chair)*."""
    found = re.search(rf"({_CAPITALS}) \({re.escape(name)}\)", whole, re.I) if len(name.split()) == 1 else None
    return found[1] if found and found[1].istitle() else name


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None


def with_voice(found: SentenceTuples, voice: Voice, inside: Sequence[bool] | None = None) -> SentenceTuples:
    """The tuples of a sentence with pronouns and times resolved; `inside` is which words are in quotation marks."""
    if not found.extractions or voice == Voice():
        return found
    inside = _in_marks(found.sentence.tokens or ()) if inside is None else inside
    return replace(found, extractions=tuple(_resolved(one, voice, inside) for one in found.extractions))


def with_quotations(found: Sequence[SentenceTuples], analyses: Sequence[Analysis]) -> list[SentenceTuples]:
    """The tuples of sentences; those inside quotation marks are said by the only one who is quoted around them."""
    result, near, marks = list(found), list[int](), [*quotations(analyses)]
    for number, inside in enumerate(marks):
        near.append(number)
        if inside and inside[-1] and number + 1 < len(marks) and marks[number + 1][:1] != [False]:
            # The quotation goes on in the next sentence.
            continue
        speakers = {one.attribution.speaker for at in near for one in found[at].extractions if one.attribution}
        speaker = speakers.pop() if len(speakers) == 1 else None
        for at in near:
            said = tuple(_said(one, speaker, marks[at]) for one in found[at].extractions)
            result[at] = replace(found[at], extractions=said)
        near = []
    return result


def _said(extraction: Extraction, speaker: str | None, quoted: Sequence[bool]) -> Extraction:
    tokens = [token for part in (extraction.rel, *extraction.arguments) for token in part.tokens or ()]
    is_said = extraction.attribution is None and bool(tokens) and all(quoted[token] for token in tokens)
    return replace(extraction, attribution=Attribution(speaker=speaker, verb="said")) if is_said else extraction


def _resolved(extraction: Extraction, voice: Voice, inside: Sequence[bool]) -> Extraction:
    attribution = extraction.attribution
    if voice.is_quoted and attribution is None:
        attribution = Attribution(speaker=voice.speaker, verb="wrote")
    elif attribution is not None and attribution.speaker and (name := voice.named(attribution.speaker)):
        attribution = replace(attribution, speaker=name)
    return replace(
        extraction,
        arg1=None if extraction.arg1 is None else _part(extraction.arg1, voice, inside),
        args=tuple(_part(part, voice, inside) for part in extraction.args),
        attribution=attribution,
    )


def _part(part: Argument, voice: Voice, inside: Sequence[bool]) -> Argument:
    in_marks = any(inside[token] for token in (part.tokens or ())[:1])
    name = voice.named(part.text, in_marks=in_marks)
    if name is not None:
        return replace(part, resolved=name)
    first, _, rest = part.text.partition(" ")
    first = "our" if first.lower() == "the" and rest.lower() in _BODIES else first
    if rest and first.lower() in _OWN and (owner := voice.named(first, in_marks=in_marks)) is not None:
        return replace(part, resolved=f"{owner}'s {rest}")
    if part.role == "time" and voice.day is not None and (days := anchored_days(part.text, voice.day)) is not None:
        return replace(part, resolved=" to ".join(dict.fromkeys(day.isoformat() for day in days)))
    return part


def with_speakers(
    anchors: Sequence[Sequence[Anchor]],
    referents: Sequence[Referent],
    voices: Sequence[Voice],
    analyses: Sequence[Analysis],
) -> tuple[list[list[Anchor]], list[Referent]]:
    """The anchors of sentences with the referents of *I*, *we* and *you*, which may be new ones.

    An *I* that no header names is *the speaker*, unless somebody else is quoted.
    """
    known = PassageReferents(referents)
    found: list[list[Anchor]] = []
    for own, voice, quoted, analysis in zip(anchors, voices, quotations(analyses), analyses, strict=True):
        row = list(own)
        for place, anchor in enumerate(own):
            text = anchor.text.removeprefix("The ").removeprefix("the ")
            party = voice.parties.get(text)
            is_open = anchor.referent is not None and referents[anchor.referent].kind != "entity"
            if is_open and not quoted[anchor.head] and any(kind.name == "company" for kind in kinds_of(text)):
                # *The company*, where no other one has been named.
                party = voice.group if analysis.words[max(anchor.head - 1, 0)].text.lower() == "the" else party
            if party is not None and anchor.kind in ("concept", "name"):
                number = known.number(party, "organization")
                known.count(number, anchor.text, "coreference")
                row[place] = replace(anchor, referent=number)
                continue
            if anchor.kind != "pronoun" or anchor.referent is not None:
                continue
            name = voice.named(anchor.text, in_marks=quoted[anchor.head])
            if name is not None and name in (voice.group, voice.quoted_group):
                number = known.number(name, "organization")
                known.all[number] = replace(known.all[number], label="organization")
            elif name is not None:
                number = known.number(name, "person")
            elif voice.speaker is None and _FIELDS.get(anchor.text.lower()) == "speaker" and not quoted[anchor.head]:
                number = known.number(SPEAKER, "person", "thing")
            else:
                continue
            row[place] = replace(anchor, referent=number)
            known.count(number)
        found.append(row)
    return found, known.all


def quotations(analyses: Sequence[Analysis]) -> Iterator[list[bool]]:
    """For each sentence, which of its words are in quotation marks.

    A mark that its paragraph does not close opens nothing, unless the next one begins with a mark, too.
    """
    paragraphs: list[list[Analysis]] = []
    end = -_PARAGRAPH
    for analysis in analyses:
        if analysis.start - end >= _PARAGRAPH:
            paragraphs.append([])
        paragraphs[-1].append(analysis)
        end = analysis.start + len(analysis.text)
    for own, following in zip(paragraphs, [*paragraphs[1:], []], strict=False):
        inside = _in_marks([_mark(one, word) for one in own for word in one.words])
        if not (following and following[0].text.startswith(tuple(_OPENING | {'"'}))):
            while inside and inside[-1]:
                inside.pop()
        places = iter(inside)
        yield from ([next(places, False) for _ in one.words] for one in own)


def _mark(analysis: Analysis, word: Word) -> str:
    """The text of a word; a straight mark right after a digit or letter can only close: *24" wide*."""
    return "”" if word.text == '"' and analysis.text[: word.start][-1:].isalnum() else word.text


def _in_marks(texts: Iterable[str]) -> list[bool]:
    """Which words are in quotation marks."""
    inside, is_open = [], False
    for text in texts:
        if text in _MARKS:
            is_open = text in _OPENING or (text not in _CLOSING and not is_open)
        inside.append(is_open)
    return inside
