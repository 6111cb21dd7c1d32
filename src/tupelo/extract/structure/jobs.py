"""Lines of CVs: periods, posts and organizations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tupelo.core.blocks import Block
from tupelo.extract.structure.headings import ORGANIZATIONS, has_word, is_general, is_person, is_sentence, lowered
from tupelo.extract.structure.sentences import COUNTED, LONGEST_LINE, Line, Place, StructuredText, between, place_of
from tupelo.extract.structure.trust import GENERAL
from tupelo.nlp.languages import words

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_YEAR = rf"(?:\d{{1,2}}[./])?(?:(?:\d{{1,2}}\.? )?{_MONTH}\.? )?(?:19|20)\d\d"
_UNTIL = rf"(?: ?(?:-|–|—|to|until|till) ?(?:{_YEAR}|\d\d\b|present|now|today|current|ongoing|(?:till )?date)?)?"
_PERIOD = rf"(?P<time>(?:since |from |until )?{_YEAR}{_UNTIL})"
_CV_FIRST = re.compile(rf"(?:[-*•] )?[(\[]?{_PERIOD}(?![/\d])[)\]]?\s*+[:|,·•–—-]?\s*+(?P<rest>\S.*+)", re.IGNORECASE)
_TRADE = re.compile(r"(?<![^\s/-])[a-z]{2,20}(?:er|or|ist|ian|man|woman|hand|mate|smith|wright|ntice|ance)$")
CV_LAST = re.compile(rf"(?<!\d)(?<![A-Za-z])[(\[]?{_PERIOD}[)\]]?\.?$", re.IGNORECASE)
_FIELDS = re.compile(r"\n|, |: (?![^()]{0,60}\))|,$| ?\| ?| [·•;–—-] |; |\t| {3,}+| (?:at|@|bei) ")
_CAREER = re.compile(r"experience|employment|career|work|history|position|job|appointment")
_SCHOOL = re.compile(r"education|degree|studies|school|diploma|academic")
_EDUCATION, JOBS = (words("structure", name) for name in ("education", "jobs"))


def is_role(said: str, is_below_name: bool) -> bool:
    """Whether words, up to a comma, are a post; below the name of a CV, also by the look of an unknown one."""
    role = said.partition(",")[0]
    is_known = has_word(role, JOBS) or (is_below_name and _TRADE.search(role) is not None)
    return is_known and len(role.split()) < 6 and not any(map(str.isdigit, said))


# *Co. Offaly* is a county.
_COUNTY = re.compile(r"\bCo\.? (?=[A-Z][a-z])")
# The end of a sentence and the beginning of another one.
_SENTENCES = re.compile(r"[a-z]{3}[.!?] [A-Z]\w")


def add_job(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    """*2015–2019 Engineer, Acme, Oslo*, below the name of a person."""
    content = text.at(*place).rstrip()
    if (
        subject is None
        or len(content) > LONGEST_LINE
        or block.kind not in ("item", "paragraph", "definition", "heading")
    ):
        return
    titles = bool(text.titles or not (text.person or text.opening))
    above = block.path[titles : -1 if block.kind == "heading" else None]
    indent = len(content) - len(content.lstrip())
    begin, end = 0, len(content)
    if match := _CV_FIRST.match(content[indent:]):
        begin = indent + match.start("rest")
        time = place_of(match, "time", place[0] + indent)
    elif match := CV_LAST.search(content):
        end = len(content[: match.start()].rstrip(" \n.,:|·–—-("))
        time = place_of(match, "time", place[0])
    said = content[begin:end]
    if match is None or is_sentence(said) or _SENTENCES.search(said) or said.count("(") > said.count(")"):
        return
    if text.job and not begin and text.at(*time).isdigit() and (block.kind == "item" or not has_word(said, JOBS)):
        # A year in what is told of the job above.
        return
    fields = [field for field in _fields(content, begin, end, place[0]) if any(map(str.isalpha, text.at(*field)))]
    texts = [text.at(*field) for field in fields]
    section = " ".join(above).lower()
    has_job = any(has_word(field, JOBS) for field in texts)
    is_career = _CAREER.search(section) is not None
    is_post = has_job and not has_word(" ".join(texts), _EDUCATION)
    is_school = (_SCHOOL.search(section) is not None and not is_post) or (
        not has_job and not is_career and has_word(" ".join(texts), _EDUCATION)
    )
    is_known = is_school or has_job or is_career
    if not 0 < len(fields) <= 5 or not (begin or (section and (is_known or "\n" in content))):
        return
    if not is_known or (above and not (is_school or is_career) and section.split()[-1] in GENERAL):
        if not (section or text.is_cv or is_person(subject)):
            return
        heading = f"has {lowered(above[-1])}" if section else "has event"
        line.add("cv", subject, heading, *fields, (time, "time"))
        return
    if not (text.is_cv or is_person(subject)):
        return
    kinds = [_kind_of_field(field, is_school) for field in texts]
    is_section = not above or is_school or _CAREER.search(above[-1].lower()) or is_general(above[-1])
    employer = None if is_section else above[-1]
    if employer and "post" not in kinds:
        kinds[0] = "post"
    if not is_school and "post" not in kinds:
        # Words of an unknown post look like one: *foreman*, *sailmaker*; what is above its line is an employer.
        trade = next((at for at, one in enumerate(texts) if _TRADE.search(one.partition(" to ")[0])), None)
        if trade is not None:
            kinds[trade] = "post"
    what = kinds.index("post") if "post" in kinds else kinds.index("") if "" in kinds else None
    if what is not None and kinds[what] == "" and ("organization" in kinds[:what] or texts[what].isupper()):
        # A place after an organization, or an organization in capitals.
        kinds[what] = "" if "organization" in kinds else "organization"
        what = None
    # An organization is known by its words, else it is what comes after the post.
    free = [number for number, kind in enumerate(kinds) if number != what and kind == ""]
    at = kinds.index("organization") if "organization" in kinds else free[0] if free else None
    rest = [number for number in range(len(fields)) if number not in (what, at)]
    beside = fields[rest[0]] if rest and kinds[rest[0]] == "" and at is not None else None
    where = beside if beside is None or is_school else (beside, "location")
    other = fields[at] if at is not None else employer
    if what is not None and what != at:
        line.add("cv", subject, "studied" if is_school else "worked as", fields[what], other, where, (time, "time"))
    if other is not None:
        post = fields[what] if what is not None and what != at else None
        line.add("cv", subject, "studied at" if is_school else "worked at", other, post, where, (time, "time"))
    named = "" if is_school else ", ".join(texts[one] for one in dict.fromkeys((what, at)) if one is not None)
    text.job = (named, text.at(*time)) if named else None


def _kind_of_field(field: str, is_school: bool) -> str:
    """The kind of a field of a line of a CV: a post or a degree, an organization, a remark, or a name of anything."""
    if has_word(field, _EDUCATION if is_school else JOBS):
        return "post"
    if is_organization(field):
        return "organization"
    is_remark = COUNTED.match(field) is not None or not (field[:1].isupper() or field[:1].isdigit())
    return "remark" if is_remark else ""


def _fields(content: str, begin: int, end: int, start: int) -> Iterator[Place]:
    """The places of the fields of a line."""
    for first, last in between(_FIELDS.finditer(content, begin, end), begin, end):
        field = content[first:last]
        if field.strip(" ()."):
            at = start + first + len(field) - len(field.lstrip())
            yield at, at + len(field.strip())


def is_organization(text: str) -> bool:
    return has_word(_COUNTY.sub("", text), ORGANIZATIONS)
