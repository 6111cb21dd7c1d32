"""The shared part of all scorers: options for commands, choice of fixes and matchers, tuples by gold sentence.

`ScoreOptions` are no options of a scorer: they say how gold and predictions are read and matched.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeAlias, TypeVar, get_args

from tupelo.core import Extraction, InputError, Record, UnknownNameError
from tupelo.core.errors import OnError, require_choice
from tupelo.core.parameters import Skipping, Spelled
from tupelo.core.shipped import declared
from tupelo.scorers.result import Floats, Score, signature
from tupelo.scorers.signature import Mark, switch

# Alignment of predictions with gold sentences: as the scorer does, or also where case, quotes or tokenization differ.
Align: TypeAlias = Literal["exact", "loose"]
Alignment = Annotated[
    Align, "loose: repair sentences and words that differ from gold in case, quotes or tokenization."
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
    """Options for reading and matching gold and predictions.

    `on_error="skip"` collects faulty lines in `.skipped` of the score instead of raising.
    """

    gold_format: Annotated[
        str | None, Spelled.of("FMT"), "Format of the gold file. [default: that of the scorer]"
    ] = None
    on_error: Skipping = "raise"
    align: Alignment = "exact"
    allow_unmatched: Annotated[bool, "Score even if no predicted sentence is a gold sentence."] = False

    def __post_init__(self) -> None:
        require_choice("on_error", self.on_error, get_args(OnError))
        require_choice("align", self.align, get_args(Align))


# Our scorers by name: where each is made, and how commands show it.
SHOWN = declared(__name__, "scorers.toml")
ALL = "all"
Item = TypeVar("Item")


class Evaluation(Protocol):
    """One system measured against one gold standard, kept sentence by sentence.

    `score` divides last: with `weights` (one per unit, the number of times it is drawn) it returns the score of a
    resampled corpus, which is what confidence intervals and paired tests need. Where options of the scorer depend on
    the records, `used_options` has them as they were used.
    """

    @property
    def units(self) -> Sequence[str]:
        """The units of resampling: the gold sentences, in order."""

    def score(self, weights: Floats | None = None) -> Score: ...


class Scorer(Protocol):
    """A scorer of tuples. Constructors take keyword options only, store them and do no work.

    What commands must know besides is in further attributes of the class, all optional: see `Description`. Where
    sentences of gold and predictions meet on something else than id or text, `sentence_key` makes it from a text.
    """

    name: ClassVar[str]

    def evaluate(self, gold: Iterable[Record], predicted: Iterable[Record]) -> Evaluation: ...

    def options(self) -> Mapping[str, Any]:
        """Everything that can change the figures, for the signature."""


@dataclass(frozen=True, slots=True)
class Option:
    """A keyword of a scorer's constructor as commands offer it. Its default is that of the constructor."""

    name: str
    help: str = ""
    choices: tuple[str, ...] = ()
    default: Any = None


class MarkedScorer:
    """The part that our scorers share: the options are those that `marks` names, and so is the signature.

    Titles, help, quirks and the help of options are those in `scorers.toml`.
    """

    name: ClassVar[str]
    marks: ClassVar[tuple[Mark, ...]]
    title: ClassVar[str]
    help: ClassVar[str]
    quirks: ClassVar[Mapping[str, str]]
    command_options: ClassVar[tuple[Option, ...]]

    def __init_subclass__(cls) -> None:
        shown = SHOWN.get(cls.name, {})
        if "title" in shown:
            cls.title, cls.help = shown["title"], f"\n{shown.get('help', '')}"
        if "quirks" in shown:
            shared = ((other, name) for other, names in shown.get("same", {}).items() for name in names.split())
            cls.quirks = shown["quirks"] | {name: SHOWN[other]["quirks"][name] for other, name in shared}
        if "options" in shown:
            cls.command_options = tuple(
                Option(name, about["help"], tuple(about.get("choices", "").split()))
                for name, about in shown["options"].items()
            )

    def choose(self, option: str, value: str, kind: str) -> str:
        """One of the values that an option has."""
        (known,) = (declared.choices for declared in self.command_options if declared.name == option)
        return choose_name(kind, value, known)

    def options(self) -> Mapping[str, Any]:
        values = [(mark, getattr(self, mark.keyword)) for mark in self.marks]
        # An option that was not chosen and has no word for that is left out.
        return {mark.name: mark.write(value) for mark, value in values if value is not None or None in mark.words}

    @property
    def signature(self) -> str:
        return signature(self.name, self.options())


@dataclass(frozen=True, slots=True)
class ScorerDescription:
    """A scorer as commands see it; each field is an attribute of the scorer's class, with a default."""

    name: str
    # One line, and further paragraphs for `--help`.
    title: str
    help: str
    # The kind of input: `tuples`, `clusters`, `mentions`, `pairs` or `judgements`.
    reads: str
    # The format of its own gold files.
    gold_format: str
    # Defects of the original program that `fixes` can correct, with one line on each.
    quirks: Mapping[str, str]
    options: tuple[Option, ...]
    # The spelling of its options in a signature.
    marks: tuple[Mark, ...]
    # Whether confidences that a format has as logarithms are brought to 0…1 before scoring.
    normalizes_log_confidence: bool


def describe(name: str, scorer: type[Any]) -> ScorerDescription:
    """The description of a scorer. Options that a class does not declare are read from its constructor."""
    keywords = inspect.signature(scorer).parameters
    declared = getattr(scorer, "command_options", None)
    if declared is None:
        plain = (str, bool, int, float, type(None))
        declared = [Option(key) for key, value in keywords.items() if isinstance(value.default, plain)]
    return ScorerDescription(
        name=name,
        title=getattr(scorer, "title", None) or (scorer.__doc__ or name).strip().partition("\n")[0],
        help=getattr(scorer, "help", ""),
        reads=getattr(scorer, "reads", "tuples"),
        gold_format=getattr(scorer, "gold_format", "auto"),
        quirks=getattr(scorer, "quirks", {}) if "fixes" in keywords else {},
        options=tuple(replace(option, default=keywords[option.name].default) for option in declared),
        marks=getattr(scorer, "marks", None) or tuple(_plain_mark(name, keywords[name].default) for name in keywords),
        normalizes_log_confidence=getattr(scorer, "normalizes_log_confidence", False),
    )


def _plain_mark(name: str, default: Any) -> Mark:
    """The mark of an option that a signature has under its own name."""
    if isinstance(default, bool):
        return switch(name, name)
    return Mark(name, name, read=type(default) if isinstance(default, int | float) else str)


def choose_fixes(quirks: Mapping[str, str], fixes: Iterable[str]) -> frozenset[str]:
    """The names in `fixes`, checked; `all` stands for every quirk."""
    chosen = set(fixes)
    if ALL in chosen:
        return frozenset(quirks)
    unknown = chosen - set(quirks)
    if unknown:
        known = ", ".join(sorted(quirks)) or "none"
        raise InputError(f"no quirk named '{min(unknown)}' to fix. Known: {known}, {ALL}")
    return frozenset(chosen)


def choose_name(
    kind: str, name: str, known: Sequence[str], official: Mapping[str, str] = MappingProxyType({})
) -> str:
    """The choice that `name` stands for; flags of the original program are accepted as well."""
    chosen = official.get(name, name)
    if chosen not in known:
        raise UnknownNameError(f"no {kind} named '{name}'. Known: {', '.join((*known, *official))}")
    return chosen


@dataclass(slots=True)
class SentenceGroups(Generic[Item]):
    """Gold and predicted tuples by gold sentence, which is a unit; `total` counts all predictions."""

    units: list[str] = field(default_factory=list)
    gold: list[list[Item]] = field(default_factory=list)
    predicted: list[list[Item]] = field(default_factory=list)
    total: int = 0


def group_by_sentence(
    gold: Iterable[Record], predicted: Iterable[Record], convert: Callable[[Extraction], Item]
) -> SentenceGroups[Item]:
    """The gold sentences in order of appearance, with what `convert` makes of their tuples.

    A prediction belongs to a gold sentence by id where both sides have one, else by the exact text.
    """
    groups: SentenceGroups[Item] = SentenceGroups()
    by_id: dict[str, int] = {}
    by_text: dict[str, int] = {}
    for record in gold:
        sentence = record.sentence
        unit = by_text.get(sentence.text) if sentence.id is None else by_id.get(sentence.id)
        if unit is None:
            unit = len(groups.units)
            groups.units.append(sentence.text if sentence.id is None else sentence.id)
            groups.gold.append([])
            groups.predicted.append([])
            if sentence.id is not None:
                by_id[sentence.id] = unit
            # Of two gold sentences with one text, predictions without id go to the first.
            by_text.setdefault(sentence.text, unit)
        if isinstance(record, Extraction):
            groups.gold[unit].append(convert(record))
    for record in predicted:
        if not isinstance(record, Extraction):
            continue
        groups.total += 1
        sentence = record.sentence
        unit = None if sentence.id is None else by_id.get(sentence.id)
        # Formats that know ids only leave the text empty, which means nothing here.
        if unit is None and sentence.text:
            unit = by_text.get(sentence.text)
        if unit is not None:
            groups.predicted[unit].append(convert(record))
    return groups
