"""Articles and what they cost: amounts of money, and which of them are prices."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.core.blocks import Block, is_number
from tupelo.extract.structure.headings import WORD, has_word
from tupelo.extract.structure.jobs import CV_LAST
from tupelo.extract.structure.sentences import LONGEST_LINE, TOTALS, Line, Place, StructuredText, place_of
from tupelo.nlp.languages import words

_CURRENCY = r"(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|CZK|Kč|kr)"
_AMOUNT = (
    rf"(?:(?:[$€£¥]|{_CURRENCY}) ?\d[\d.,]{{0,12}}+"
    rf"|(?<![\d.,])\d[\d.,]{{0,12}}+(?:(?<!\d{{3}})p\b|[-–]?+ ?(?:[$€£¥]|{_CURRENCY}\b)?))"
)
_PRICE = re.compile(
    rf"(?:(?:from|ab) )?(?P<price>{_AMOUNT})(?: ?(?:/|per|each|a) ?[\w. ]{{1,20}})?(?: {{1,9}}\([^()]{{1,60}}\))?$"
)
_MONEY = re.compile(rf"[$€£¥]|{_CURRENCY}|\dp$|\d[.,](?:\d\d|[-–])$")
_CURRENT = re.compile(rf"[$€£¥]|{_CURRENCY}|\dp$|^free|^gratis", re.IGNORECASE)
_PER = re.compile(r"\d[\d.,]* (?:per|a|each|/|for)\b")
_AMOUNT_FIRST = re.compile(
    rf"(?i:(?:from|ab|about|approx\.?|ca\.?|up to|max\.?|only|c\.) ?)?(?:{_AMOUNT}|free\b|gratis\b)"
)
PRICED = re.compile(rf"[^\d,;:]{{3,40}} (?:{_AMOUNT}|free)")
# An amount within the words before a price: the line is a row of a table.
_CENTS = re.compile(r"\d[.,]\d\d(?!\d)")
_BARE = re.compile(r"(?:from |ab )?\d{1,3}(?:[ ,.]\d{3})?(?:[.,]\d\d)?(?: (?:each|per \w+|an? \w+)|/\w+)?\.?")
_ACCOUNTS, _ACCOUNT_LABELS = words("structure", "accounts"), words("structure", "account_labels")
PRICE_LISTS = words("structure", "price_lists")
MONEY_LABELS = words("structure", "money_labels")


def is_price(label: str, value: str, path: Sequence[str] = ()) -> bool:
    """Whether a value is what the thing of the label costs: an amount of money first, the label no kind of amount.

    Below a heading such as *Fees*, a number for each of something is an amount, too: *1,200 per week*.
    """
    low = WORD.findall(label.lower())
    heading = WORD.findall(path[-1].lower()) if path else ()
    priced = is_money(value) or (_PER.match(value) is not None and not MONEY_LABELS.isdisjoint(heading))
    return (priced or _is_bare_price(value, path)) and MONEY_LABELS.isdisjoint(low) and not _is_account(low, heading)


def _is_account(label: Sequence[str], heading: Sequence[str]) -> bool:
    """Whether an amount is of an account, given the words of its label and those above it: *in bank*."""
    return not (_ACCOUNTS.isdisjoint([*label, *heading]) and _ACCOUNT_LABELS.isdisjoint(label))


def _is_bare_price(value: str, path: Sequence[str]) -> bool:
    """Whether a number without a currency is a price: below *Prices*, or with cents or *each* below *Extra costs*."""
    if not _BARE.fullmatch(value) or CV_LAST.fullmatch(value):
        return False
    heads = [WORD.findall(head.lower()) for head in path]
    if heads and heads[-1] and (heads[-1][-1] in PRICE_LISTS or heads[-1][:2] == ["price", "list"]):
        return True
    return not value.strip(".").isdigit() and not all(map(MONEY_LABELS.isdisjoint, heads))


def is_amount(value: str) -> bool:
    """Whether a cell is an amount or a date, and names nothing: *4.20 CHF*, *12 m²*, *3 May 2024*."""
    return is_number(value) or is_money(value) or (value[:1].isdigit() and len(value.split()) < 3)


def is_money(value: str) -> bool:
    """Whether an amount with a currency is first, or nothing but one with cents."""
    amount = _AMOUNT_FIRST.match(value)
    if amount is None:
        return False
    return _CURRENT.search(amount[0]) is not None or (amount.end() == len(value) and bool(_MONEY.search(amount[0])))


def _price(text: StructuredText, place: Place, is_priced: bool) -> tuple[Place, Place] | None:
    """The thing and its price: *Espresso ..... 2.50*, *Pump – 400 EUR*."""
    content = text.at(*place).rstrip(" \n.")
    match = _PRICE.search(content) if len(content) < LONGEST_LINE else None
    if match is None or not _MONEY.search(match["price"]):
        return None
    before = content[: match.start()]
    item = before.rstrip(" .…\t–—-:|=")
    begin = len(item) - len(item.lstrip(" -*•"))
    gap = before[len(item) :]
    is_listed = is_priced or {text.at(place[1], place[1] + 1), text.at(place[0] - 2, place[0] - 1)} & {",", ";"}
    if (
        item[begin:].lower().strip(" :") in TOTALS
        or _CENTS.search(item) is not None
        or len(item.split()) > 10
        or not any(map(str.isalpha, item))
        or len(gap) < 1 + (gap.isspace() and not (is_listed and PRICED.fullmatch(content)))
    ):
        return None
    return (place[0] + begin, place[0] + len(item)), place_of(match, 0, place[0])


def add_price(line: Line, text: StructuredText, place: Place, block: Block, subject: str | None) -> None:
    heading = text.lead or (block.path[-1] if block.path else "")
    if (found := _price(text, place, has_word(heading, MONEY_LABELS))) is not None:
        # Among income and expenses, an amount is no price.
        label, above = (WORD.findall(said.lower()) for said in (text.at(*found[0]), heading))
        is_account = _is_account(label, above) or has_word(text.of(block), _ACCOUNTS)
        rule, relation = ("label/alone", "is") if is_account else ("price", "costs")
        line.add(rule, found[0], relation, found[1])
