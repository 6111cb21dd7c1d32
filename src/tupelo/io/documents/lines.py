"""The blocks of plain text, whose characters stay as they are: headings, paragraphs, lists, tables, quotes, turns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from tupelo.core.blocks import Block, is_number, table_rows
from tupelo.io.documents.layout import header_rows

_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪●–]\s+|\(?(?:\d{1,3}|[a-z]|[ivx]{2,5})[.)]\s+)(?=\S)")
_QUOTE = re.compile(r"\s{0,3}>")
_RULER = re.compile(r"\s*([=\-~_*#])\1{2,}\s*")
_UNDERLINE = re.compile(r"\s*([=\-~])\1{2,}\s*")
_NUMBERED = re.compile(r"(?:\d{1,2}\.)+(?:\d{1,2})?\s+[A-Z][^.!?]{0,70}")
_SECTION = re.compile(r"\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z]")
_COLUMNS = re.compile(
    r"\S(?:\t| {3,}| {2,}(?=[\d$€£(])| +\| +)(?=\S)|^\s*\|.*\|\s*$|\w ?\.{4,} ?\w[^.]{0,40}\.{4,} ?\w"
)
_TABLE_RULER = re.compile(r"[\s|:+=_-]*+")
_LONGEST_HEADING, _MOST_HEADING_WORDS = 80, 10
# Dots between an item and its price or page.
_LEADER = re.compile(r"\S ?\.{3,} ?\S")
_NO_HEADING = re.compile(
    r"(?i)(?:dear|hi|hello|yours|kind regards|best wishes|sehr geehrte|liebe|cher|chère)\b"
    r"|(?:table|tab\.|fig(?:ure|\.)) ?\d"
)
# "[12/03/2024, 10:15] Ann: ", "10:15 - Ann: ", "<ann> ", "10:15 Ann: ", "ANN LEE: "
_CLOCK = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?"
_STAMP = (
    rf"(?P<stamp>\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{2,4}},? (?:at )?{_CLOCK}"
    rf"|\d{{4}}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?Z?|(?:\d{{1,2}}:)?\d{{1,2}}:\d{{2}}(?: ?[AaPp]\.?[Mm]\.?)?)"
)
_NAME = r"(?P<name>[^\W\d_][^\n:<>|\[\]]{0,38}?|\+\d[\d ()-]{5,20})"
_STAMPED = re.compile(
    rf"\u200e?[\[(]?{_STAMP}[\])]? ?(?:[-–—|] |From )?"
    rf"(?:{_NAME}(?: ?\([^()]{{1,40}}\))?(?: [Tt]o [^:\n]{{1,60}})? ?[:>]|<[ @+%~&]?(?P<nick>[^<>\s]{{1,30}})>)"
    r"(?:\s++(?=\S)|\s*$)"
)
# A line that a program wrote between the turns of a chat.
_UNSIGNED = re.compile(rf"\s*(?:[\[(]?{_STAMP}[\])]?|\*\*\*|-->|<--|---|-!-) ?")
_CAPITAL = r"[A-Z][\w’'-]{0,30}"
_TITLED = r"(?:(?:Mr|Mrs|Ms|Dr)\.? )?"
_PERSON = rf"{_CAPITAL}(?: {_CAPITAL}){{0,2}}"
_INTRODUCED = re.compile(
    rf"(?<!\w)(?P<speaker>[A-Z]\w{{0,20}}(?: \w{{1,20}})?)"
    rf"(?: = (?P<alias>{_PERSON})|: (?P<name>{_TITLED}{_CAPITAL} {_PERSON})(?=\s*(?:[|;)]|$)))",
    re.MULTILINE,
)
_SURNAME = re.compile(rf" {_CAPITAL}(?: {_CAPITAL})?")
_INITIALS = re.compile(rf"(?P<name>{_TITLED}{_CAPITAL} {_PERSON}) \((?P<speaker>[A-Z]\w{{0,20}})[,)]")
_REMARKED = re.compile(rf"(?<!\w)(?P<speaker>[A-Z]\w{{0,20}}) \((?P<name>{_TITLED}{_CAPITAL} {_CAPITAL})[,)]")
_NICKED = re.compile(r"(?P<stamp>)(?P<name>)<[ @+%~&]?(?P<nick>[^<>\s]{1,30})>\s++(?=\S)")
_NAMED = re.compile(
    r"(?P<nick>)(?P<name>[A-Z][\w.'’-]{0,20}(?: [A-Z\d][\w.'’-]{0,20}){0,3}) ?"
    r"(?:[\[(](?P<stamp>[^()\[\]]{1,40})[\])] ?)?[:>]\s++(?=\S)"
)
# "Ann Lee  8:41 AM", "Ann Lee · 19 Mar 14:04" above what is said.
_DAY_OF_YEAR = (
    r"(?:\w{3,9},? )?(?:\d{1,2}\.? [A-Z]\w{2,8}|[A-Z]\w{2,8} \d{1,2})(?:,? \d{4})?|\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
)
_HEADED = re.compile(
    r"(?P<nick>)(?P<name>[^\W\d_][\w.'’-]{0,20}(?: [\w.'’-]{1,20}){0,3}?)(?: {1,2}APP| \([^()]{1,40}\))?"
    rf"(?: {{2,}}|,? ?[·•—–|] ?|, | at )(?P<stamp>(?:(?:{_DAY_OF_YEAR}),? (?:at )?)?{_CLOCK})$"
)
# *Ann Lee*, perhaps a rank and a place, and the time below: the heads of posts.
_STAMPED_LAST = re.compile(
    rf"(?:.{{0,20}}[\s:·•—–|,])?(?P<stamp>(?:(?:{_DAY_OF_YEAR}),? (?:at )?)?"
    r"\d{1,2}:\d\d(?::\d\d)?(?: ?[AaPp]\.?[Mm]\.?)?)(?:\s+#\d+)?"
)
_HEAD = re.compile(rf"(?P<nick>)(?P<name>[^\W\d_](?:[^\s:;!?]| (?! )){{0,38}})\n[\s\S]*?{_STAMPED_LAST.pattern}$")
_MOST_HEAD_LINES, _LONGEST_HEAD = 8, 60
_LEAST_HEADED, _LEAST_SAID = 2, 5
_TIME = re.compile(r"(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?[ \u202f]?([AaPp]\.?[Mm])?[.Z]?$")
_DAY_FIRST = re.compile(r"(\d{1,4})[./-](\d{1,2})[./-](\d{2,4})")
# Words before a colon that are no speakers, though they are repeated.
_LABELS = re.compile(
    r"(?i)q|a|question|answer|note|warning|tip|example|step|action|decision|agreed|price|total|name|e-?mail|phone"
)


def line_blocks(text: str, position: int = 0) -> list[Block]:
    """The blocks of a text in order; they do not overlap. Turns of a conversation begin after the speaker's name.

    The text begins at `position` in its document.
    """
    lines = list(_lines(text))
    blocks = _turns(lines)
    if not blocks:
        for group in _groups(lines):
            blocks += _of_group(text, group)
        blocks = _with_paths(text, _promoted(text, blocks))
    if position:
        blocks = [replace(block, start=block.start + position, end=block.end + position) for block in blocks]
    return blocks


def _lines(text: str) -> Iterator[tuple[int, str]]:
    place = 0
    for line in text.split("\n"):
        yield place, line
        place += len(line) + 1


def _groups(lines: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Lines that no blank line separates."""
    group: list[tuple[int, str]] = []
    for place, line in lines:
        if line.strip():
            group.append((place, line))
        elif group:
            yield group
            group = []
    if group:
        yield group


def _of_group(text: str, group: Sequence[tuple[int, str]]) -> Iterator[Block]:
    """The blocks of lines that belong together: runs of lines of one kind."""
    if (
        len(group) > 1
        and _UNDERLINE.fullmatch(group[1][1])
        and len(group[0][1]) <= _LONGEST_HEADING
        and not _COLUMNS.search(group[0][1])
    ):
        yield _span("heading", group[:1])
        group = group[2:]
    for section in _sections(group):
        if len(section) == 1 and section[0] is not group[-1] and _in_capitals(section[0][1]):
            yield _span("heading", section)
        else:
            yield from _runs(text, section)


def _sections(group: Sequence[tuple[int, str]]) -> Iterator[Sequence[tuple[int, str]]]:
    """Short lines above indented ones or in capitals, each by itself, and what is below each of them."""
    begin = 0
    for number, ((_, line), (_, below)) in enumerate(pairwise(group)):
        is_above = _indent(below) >= _indent(line) + 2 and not _ITEM.match(line) and not _COLUMNS.search(line)
        is_above = is_above and (_is_heading(line.strip()) or _SECTION.match(line) is not None)
        is_single = _in_capitals(line) and not below.isupper() and not (number and group[number - 1][1].isupper())
        if is_above or (is_single and (not below[:1].islower() or _COLUMNS.search(below) or _LEADER.search(below))):
            if number > begin:
                yield group[begin:number]
            yield group[number : number + 1]
            begin = number + 1
    yield group[begin:]


def _in_capitals(line: str) -> bool:
    """Whether a line is a heading in capitals, perhaps with a remark in brackets."""
    words = line.strip()
    return len(words) > 2 and _is_heading(words) and words.partition(" (")[0].isupper() and not _COLUMNS.search(line)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _runs(text: str, group: Sequence[tuple[int, str]]) -> Iterator[Block]:
    run: list[tuple[int, str]] = []
    kind = ""
    kinds = _kinds(group)
    for (place, line), found in zip(group, kinds, strict=True):
        if run and (found != kind or (found == "item" and _ITEM.match(line))):
            yield _run(text, kind, run)
            run = []
        kind = found
        if found != "ruler":
            run.append((place, line))
    if run:
        yield _run(text, kind, run)


def _kinds(group: Sequence[tuple[int, str]]) -> list[str]:
    """The kind of each line; a table has at least two rows."""
    kinds: list[str] = []
    indent = 0
    for number, (_, line) in enumerate(group):
        if _QUOTE.match(line):
            kinds.append("quote")
        elif (_COLUMNS.search(line) and not _ITEM.match(line)) or (
            _is_ruler(line)
            and kinds[-1:] == ["table"]
            and ("|" in line or "+" in line or (number + 1 < len(group) and _COLUMNS.search(group[number + 1][1])))
        ):
            kinds.append("table")
        elif _RULER.fullmatch(line):
            kinds.append("ruler")
        elif _ITEM.match(line):
            kinds.append("item")
            indent = _indent(line)
        elif kinds[-1:] == ["item"] and _indent(line) > indent:
            kinds.append("item")
        else:
            kinds.append("paragraph")
    if kinds.count("table") == 2 and all("|" not in line.strip()[:1] and " | " in line for _, line in group[:2]):
        # Two lines with bars between their parts, as below a name or in a footer.
        kinds = ["paragraph" if kind == "table" else kind for kind in kinds]
    for number, kind in enumerate(kinds):
        alone = "table" not in (kinds[number - 1 : number] or [""]) and "table" not in kinds[number + 1 : number + 2]
        if kind == "table" and alone:
            kinds[number] = "paragraph"
    return kinds


def _is_ruler(line: str) -> bool:
    """A line between the rows of a table."""
    return any(mark in line for mark in ("--", "==", "__")) and _TABLE_RULER.fullmatch(line) is not None


def _span(kind: str, run: Sequence[tuple[int, str]]) -> Block:
    (first, opening), (last, closing) = run[0], run[-1]
    start = first + len(opening) - len(opening.lstrip())
    if kind == "item" and (marker := _ITEM.match(opening)):
        start = first + marker.end()
    return Block(kind, start, max(start, last + len(closing.rstrip())))


def _run(text: str, kind: str, run: Sequence[tuple[int, str]]) -> Block:
    block = _span(kind or "paragraph", run)
    if block.kind != "table":
        return block
    rows = [[cell.strip() for cell, _ in cells] for cells in table_rows(block, text)]
    rows = [[cell for cell in row if cell] or row for row in rows]
    rulers = [all(not cell or _is_ruler(cell) for cell in row) for row in rows]
    data = [row for row, is_ruler in zip(rows, rulers, strict=True) if not is_ruler]
    width = max(map(len, data), default=0)
    # Labels that leave the column of names free: years, perhaps with a row of units.
    free = next((number for number, row in enumerate(data) if len(row) == width), 0)
    if 0 < free < 3 and width > 2 and all(len(row) == width - 1 for row in data[:free]) and _are_labels(data[:free]):
        labels = ("", *data[0])
        return replace(block, labels=labels, header=sum(1 for _ in rows[: rows.index(data[free])]))
    if not data or sum(len(row) == width for row in data) < max(2, 0.6 * len(data)):
        return replace(block, kind="paragraph")
    header = 1 if rulers[1:2] == [True] else header_rows(data) if all(len(row) == width for row in data[:2]) else 0
    labels = tuple(data[0]) if header else ()
    return replace(block, labels=labels, header=header + (rulers[header] if header and len(rulers) > header else 0))


def _are_labels(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows above a table are years or units, not values."""
    return all(header_rows([["", *row], ["a", *row]]) or not any(map(is_number, row)) for row in rows)


def _promoted(text: str, blocks: Sequence[Block]) -> list[Block]:
    """With short lines above other blocks as headings."""
    found = list(blocks)
    numbered = [number for number, block in enumerate(blocks) if _is_numbered(text, blocks, number)]
    for number, (block, below) in enumerate(pairwise([*blocks, Block("heading", len(text), len(text))])):
        line = block.of(text)
        if number in numbered and (len(numbered) > 1 or len(below.of(text)) > _LONGEST_HEADING):
            found[number] = Block("heading", block.start, block.end)
        elif (
            block.kind == "paragraph"
            and _is_heading(line)
            and below.start < len(text)
            and text[block.end : below.start].count("\n") > 0
            and (text[block.end : below.start].count("\n") > 1 or _below(text, block, below) > 1)
        ):
            found[number] = replace(block, kind="heading")
    return found


def _is_numbered(text: str, blocks: Sequence[Block], number: int) -> bool:
    """Whether a block is a number and a short line above something else than items."""
    above, (block, *below) = blocks[max(0, number - 1) : number], blocks[number : number + 2]
    if block.kind != "item" or not below or (below[0].kind == "paragraph" and text[below[0].start].islower()):
        return False
    line, *others = (text[text.rfind("\n", 0, one.start) + 1 : one.end] for one in (block, *above, *below))
    return _NUMBERED.fullmatch(line) is not None and not any(one.lstrip()[:1].isdigit() for one in others)


def _below(text: str, block: Block, below: Block) -> int:
    """The indentation of a block, compared with that of the one above; a list or a table counts as indented."""
    if below.kind in ("item", "table"):
        return 2
    starts = (text.rfind("\n", 0, one.start) + 1 for one in (block, below))
    above, own = (one.start - start for one, start in zip((block, below), starts, strict=True))
    return own - above


def _is_heading(line: str) -> bool:
    if "\n" in line or len(line) > _LONGEST_HEADING or line[-1] in ".!?,;" or len(line.split()) > _MOST_HEADING_WORDS:
        return False
    if is_number(line) or "@" in line or "://" in line or _NO_HEADING.match(line) or _LEADER.search(line):
        return False
    if ":" in line:
        return line.endswith(":") and len(line.split()) <= 6
    return line[0].isupper() or _SECTION.match(line) is not None


def _with_paths(text: str, blocks: Sequence[Block]) -> list[Block]:
    """With the headings above each block: the first line is the title, capitals and underlines are above others."""
    found: list[Block] = []
    above: list[tuple[int, str]] = []
    for number, block in enumerate(blocks):
        if block.kind == "heading":
            words = block.of(text).rstrip(":").strip() or block.of(text)
            level = 0 if not number else _level(text, block, words)
            while above and above[-1][0] >= level:
                above.pop()
            above.append((level, words))
            if not number:
                block = replace(block, kind="title")
        found.append(replace(block, path=tuple(words for _, words in above)))
    return found


def _level(text: str, block: Block, words: str) -> int:
    below = text[block.end + 1 : block.end + 5].strip()
    if below[:1] in ("=", "-", "~") and _UNDERLINE.fullmatch(below):
        return 1 if below[0] == "=" else 2
    return (
        1
        if words.partition(" (")[0].isupper() or words[:1].isdigit()
        else 3 + _indent(text[text.rfind("\n", 0, block.start) + 1 :][:20])
    )


def _turns(lines: Sequence[tuple[int, str]]) -> list[Block]:
    """The turns of a chat or a transcript, if most lines belong to one; lines without a name go on with a turn."""
    filled = [(place, line) for place, line in lines if line.strip()]
    for form in ("stamped", "nicked", "named", "headed"):
        found = _headed(lines) if form == "headed" else [(place, line, _turn(form, line)) for place, line in filled]
        named = [_speaker(match) for _, _, match in found if match]
        starts = [name for name in named if name and not _LABELS.fullmatch(name)]
        if form == "headed":
            # A short line above one that ends in a time may be of a programme: somebody has to post again.
            is_spread = any(match and "\n" in match[0] for _, _, match in found)
            if len(starts) < _LEAST_HEADED or (is_spread and len({*starts}) == len(starts)):
                continue
            turns = list(_turn_blocks(found, _is_day_first([match["stamp"] for _, _, match in found if match]), True))
            return _of_prose_before(lines, turns)
        least = 0.5 if form == "nicked" else 0.4
        heads = sum(match is not None and match.end() == len(line.strip()) for _, line, match in found)
        if len(starts) < max(3, least * (len(filled) - heads)) or len(starts) < 0.8 * len(named):
            continue
        counts = Counter(starts)
        again = [name for name, count in counts.items() if count > 1]
        if len(counts) > 2 and sum(counts[name] for name in again) < 0.5 * len(starts):
            continue
        if form == "named" and (len(counts) < 2 or (len(counts) > 2 and len(again) < 2)):
            continue
        first = next(place for place, _, match in found if match and (counts[_speaker(match)] > 1 or not again))
        if form == "named":
            # Lines before the first turn are labels, but for sentences.
            found = [(at, line, match if at >= first or _is_said(line) else None) for at, line, match in found]
        turns = list(_turn_blocks(found, _is_day_first([match["stamp"] or "" for _, _, match in found if match])))
        names = _full_names(set(starts), "\n".join(line for place, line in filled if place < first), filled)
        return [replace(turn, speaker=names.get(turn.speaker or "", turn.speaker)) for turn in turns]
    return []


def _is_said(line: str) -> bool:
    """Whether a line may be said by somebody: many words, and a mark at their end."""
    return len(line.split()) > _LEAST_SAID and line.rstrip()[-1] in '.!?…”"'


def _of_prose_before(lines: Sequence[tuple[int, str]], turns: Sequence[Block]) -> list[Block]:
    """The turns, with the blocks of the text above the head of the first of them."""
    first = next((turn.start for turn in turns if turn.kind == "caption"), 0)
    text = "\n".join(line for _, line in lines)
    return [*line_blocks(text[:first].rstrip("\n")), *(turn for turn in turns if turn.start >= first)]


def _full_names(speakers: Collection[str], opening: str, lines: Sequence[tuple[int, str]]) -> dict[str, str]:
    """The names of speakers who go by a role or a first name, where the opening or a remark in brackets says them.

    *Customer: Ann Lee*, *A = Ann*, *Ann Lee / Bo Ek*, *CALLER (Ann Lee, mobile):*.
    """
    found: dict[str, str] = {}
    for match in _INTRODUCED.finditer(opening):
        if match["speaker"] in speakers:
            found.setdefault(match["speaker"], match["alias"] or match["name"])
    for speaker in speakers - found.keys():
        place = f" {opening}".find(f" {speaker} ")
        if place >= 0 and " " not in speaker and (after := _SURNAME.match(opening, place + len(speaker))):
            found[speaker] = f"{speaker}{after[0]}"
    text = f"{opening}\n" + "\n".join(line for _, line in lines)
    for match in [*_REMARKED.finditer(text), *_INITIALS.finditer(opening)]:
        if match["speaker"] in speakers:
            found.setdefault(match["speaker"], match["name"])
    for speaker in speakers - found.keys():
        # *MR. LEE* is the Ann Lee of the text, if there is one only.
        last = speaker.split()[-1].title()
        names = set(re.findall(rf"(?<!\w)(?!(?:Mr|Mrs|Ms|Dr|Chair)\b){_CAPITAL} {re.escape(last)}(?!\w)", text))
        if speaker.isupper() and " " in speaker and len(names) == 1:
            found[speaker] = names.pop()
    return found


def _turn(form: str, line: str) -> re.Match[str] | None:
    """The opening of a turn in a line."""
    text = line.lstrip()
    if form == "stamped":
        return _STAMPED.match(text)
    return _NICKED.match(text) if form == "nicked" else _NAMED.match(text)


def _headed(lines: Sequence[tuple[int, str]]) -> list[tuple[int, str, re.Match[str] | None]]:
    """The lines that are not blank, each with the head of a turn if it is one; a head of several lines is one."""
    found: list[tuple[int, str, re.Match[str] | None]] = []
    first = 0
    for number, (place, line) in enumerate(lines):
        text = line.strip()
        if not text or _RULER.fullmatch(text) or len(text) > _LONGEST_HEAD:
            first = number + 1
        match = _HEADED.match(text)
        stamp = _STAMPED_LAST.fullmatch(text) if match is None else None
        if stamp and stamp["stamp"] == text:
            first = max(first, number - 1)
        if stamp and first < number < first + _MOST_HEAD_LINES:
            place = lines[first][0]
            line = "\n".join(one for _, one in lines[first : number + 1])
            if match := _HEAD.match(line.strip()):
                del found[len(found) - (number - first) :]
        if text:
            found.append((place, line, match) if match else (lines[number][0], lines[number][1], None))
        if match:
            first = number + 1
    return found


def _speaker(match: re.Match[str]) -> str:
    return (match.groupdict().get("name") or match.groupdict().get("nick") or "").strip()


def _turn_blocks(
    found: Sequence[tuple[int, str, re.Match[str] | None]], day_first: bool, headed: bool = False
) -> Iterator[Block]:
    voice: dict[str, Any] = {}
    dated = any(match and _DAY_FIRST.match(match["stamp"] or "") for _, _, match in found)
    for place, line, match in found:
        if _RULER.fullmatch(line):
            continue
        start, end = place + len(line) - len(line.lstrip()), place + len(line.rstrip())
        if match is not None:
            # Lines without a name go on with the turn; those before the first turn belong to nobody.
            start += match.end()
            voice = {"speaker": _speaker(match), "time": iso_time(match["stamp"] or "", day_first)}
            if headed:
                yield Block("caption", place + len(line) - len(line.lstrip()), end)
                continue
        if start >= end:
            yield Block("caption", place, end)
            continue
        unsigned = _UNSIGNED.match(line) if match is None else None
        if unsigned and dated and unsigned["stamp"] and not _DAY_FIRST.match(unsigned["stamp"]):
            # A time within what somebody says.
            unsigned = None
        is_program = unsigned or (bool(voice) and (voice["speaker"] or "").lower().endswith("bot"))
        if unsigned is not None and line[unsigned.end() :].strip():
            start = place + unsigned.end()
        kind = "turn" if voice and not is_program else "paragraph"
        yield Block(kind, start, end, **({} if match is None and is_program else voice))


def _is_day_first(stamps: Sequence[str]) -> bool:
    """Whether dates are written with the day before the month: some month would be above 12 otherwise."""
    parts = [match for stamp in stamps if (match := _DAY_FIRST.match(stamp))]
    return not any(int(match[2]) > 12 for match in parts)


def iso_time(stamp: str, day_first: bool = True) -> str | None:
    """A date and time of a chat as ISO 8601, or the time alone.

    >>> iso_time("31/12/2024, 9:05 pm"), iso_time("00:01:02"), iso_time("")
    ('2024-12-31T21:05', '00:01:02', None)
    """
    clock = _TIME.search(stamp)
    if not stamp.strip() or clock is None:
        return None
    hour = int(clock[1]) % 12 + 12 * (clock[4][0] in "pP") if clock[4] else int(clock[1])
    time = f"{hour:02}:{clock[2]}" + (f":{clock[3]}" if clock[3] else "")
    day = _DAY_FIRST.match(stamp)
    if day is None:
        return time
    one, two, three = day.groups()
    if len(one) == 4:
        year, month, number = int(one), int(two), int(three)
    else:
        number, month = (int(one), int(two)) if day_first else (int(two), int(one))
        year = int(three) + (2000 if len(three) == 2 else 0)
    if not (1 <= month <= 12 and 1 <= number <= 31):
        return time
    return f"{year:04}-{month:02}-{number:02}T{time}"
