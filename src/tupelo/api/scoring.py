"""Scoring the output of any system: `tupelo.score`, `tupelo.compare`, `tupelo.leaderboard`.

A score has the signature that the command prints: files, and results of `tupelo.read`, appear in it by name and
checksum. Other objects in memory appear as `<records>@…` (or `<clusters>`, `<analyses>`, `<pairs>`, `<scores>`) with
a checksum of their content as JSON, so that the same objects always get the same signature.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeAlias, cast, overload

from tupelo.api.resources import open_support
from tupelo.api.tuples import FORMATS, open_records, read
from tupelo.core import Analysis, Extraction, FormatError, InputError, Record, TupeloError
from tupelo.core.canonical import BARE, ClusterFile
from tupelo.core.errors import UnknownFormatError, UnmatchedError, naming, require_choice
from tupelo.core.parameters import Among, Count, Format, PathLike, Seed, checked
from tupelo.core.progress import Progress, count, track
from tupelo.core.spec import build_part
from tupelo.io.analyses import analysis_format, detect_format, write_jsonl
from tupelo.io.cards import read_card
from tupelo.io.clusters import read_cluster_file
from tupelo.io.fetch import official_gold
from tupelo.io.files import InputFile, Source, is_source, open_output
from tupelo.io.folders import list_files
from tupelo.io.levyholt import match_scores, read_pairs, read_scores
from tupelo.scorers import SCORERS as SCORERS
from tupelo.scorers.bench import CARD, score_of_card
from tupelo.scorers.carb_entail import ENTAIL, Entailments
from tupelo.scorers.coverage import Aligner, Seen, measure
from tupelo.scorers.resample import Comparisons as Comparisons
from tupelo.scorers.resample import compare_systems
from tupelo.scorers.result import Score, file_mark, signature
from tupelo.scorers.scorer import Evaluation, Scorer, ScorerDescription
from tupelo.scorers.scorer import ScoreOptions as ScoreOptions
from tupelo.scorers.scorer import describe as describe_scorer
from tupelo.scorers.signature import Signature
from tupelo.scorers.tables import Leaderboard as Leaderboard

if TYPE_CHECKING:
    from tupelo.core.entailment import EntailmentPair


# A file by name (`-` is standard input), an open file, or records in memory.
Records: TypeAlias = Source | Iterable[Record]
TupleScorer: TypeAlias = Literal["carb", "oie2016", "wire57", "benchie", "robust"]

PredictionFormat = Annotated[Format, "Format of the predictions; `tupelo formats` lists them."]

AUTO = "auto"
# Figures that `leaderboard` can sort by.
SORTS = ("f1", "auc", "precision", "recall", "name")
_FILE_ENDINGS = {".gz", ".txt", ".tsv", ".tab", ".json", ".jsonl", ".parquet", ".csv", ".out", ".dev", ".test"}


# The options unless others are given.
USUAL = ScoreOptions()


@overload
def score(scorer: TupleScorer, gold: Records, predicted: Records, **options: Any) -> Score: ...
@overload
def score(scorer: str, gold: Any, predicted: Any, **options: Any) -> Any: ...
@checked
def score(
    scorer: str,
    gold: Any,
    predicted: Any,
    *,
    format: PredictionFormat = AUTO,
    keep_records: bool = False,
    options: ScoreOptions = USUAL,
    progress: Progress | None = None,
    **settings: Any,
) -> Any:
    """Score one system's output against a gold standard.

    `scorer` is a registered name, or the signature of a score, whose options are then used. Scorers of tuples
    (`carb`, `oie2016`, `wire57`, `benchie`, `robust`) take files, open files or lists of records, and return a
    `Score`. `clusters` takes files or clusters in memory (lists of members, by subtask or bare), `coref` files or
    analysed sentences with mentions, `inference` pairs and their scores, `factuality` judged texts and scores by id.
    `settings` are those of the scorer, such as `matcher="exact"` or `fixes=["all"]`.

    `.coverage` counts the sentences of tuples that match; predictions for none of the gold sentences are refused
    unless the `options` allow it. `keep_records=True` is needed for `.error_page()`.

    >>> from tupelo import Extraction
    >>> ann = Extraction.of("Ann sold it", "sold", ["Ann", "it"])
    >>> score("carb", [ann], [ann]).f1
    1.0
    """
    if "|" in scorer:
        scorer, signed = settings_of(scorer)
        align, gold_format = signed.pop("align", options.align), signed.pop("gold_format", None)
        options = replace(options, align=align, gold_format=options.gold_format or gold_format)
        settings = {**signed, **settings}
    about = describe(scorer)
    reading = _Reading(format, options, keep_records, progress)
    if about.reads == "tuples":
        return _Trial.of(about, gold, reading, settings).measure(predicted, format)
    return _score_values(about, gold, predicted, reading, settings)


@checked
def compare(
    scorer: str,
    gold: Records,
    predicted: Sequence[Records] | Mapping[str, Records],
    *,
    samples: Annotated[Count, "Resampled corpora."] = 1000,
    seed: Seed = 12345,
    format: PredictionFormat = AUTO,
    options: ScoreOptions = USUAL,
    progress: Progress | None = None,
    **settings: Any,
) -> Comparisons:
    """Paired bootstrap of several systems, given in order or by name; the first one is the baseline.

    A file name may include its format: `openie5:predictions.txt`.

    >>> from tupelo import Extraction
    >>> gold = [Extraction.of("Ann sold it", "sold", ["Ann", "it"]), Extraction.of("Bo left", "left", ["Bo"])]
    >>> _, ours = compare("carb", gold, {"baseline": gold[:1], "ours": gold}, samples=100).systems
    >>> ours.system, round(ours.differences["recall"].value, 2)
    ('ours', 0.5)
    """
    if _is_place(predicted) or len(predicted) < 2:
        raise InputError("one file of predictions, expected two or more to compare")
    about = _of_tuples(scorer, "compare")
    trial = _Trial.of(about, gold, _Reading(format, options, progress=progress), settings)
    measured = [trial.measure(source, chosen, name) for name, source, chosen in name_systems(predicted, format)]
    names = [one.system for one in measured]
    advance = track(progress, "resampling", samples)
    evaluations = [one.evaluation for one in measured]
    with naming(gold):
        found = compare_systems(names, evaluations, samples=samples, seed=seed, advance=advance)
    signed = [
        replace(system, signature=f"{one.signature}|samples:{samples}|seed:{seed}")
        for system, one in zip(found, measured, strict=True)
    ]
    skipped = [error for one in measured for error in one.skipped[len(trial.gold.skipped) :]]
    remarks = [f"{one.system}: {remark}" for one in measured for remark in one.remarks()]
    return Comparisons(scorer, signed, (*trial.gold.skipped, *skipped), remarks)


@checked
def leaderboard(
    scorer: str,
    gold: Records,
    predicted: PathLike | Sequence[Records] | Mapping[str, Records],
    *,
    sort: Annotated[str, Among(SORTS), "What the rows are sorted by."] = "f1",
    format: PredictionFormat = AUTO,
    keep_records: bool = False,
    options: ScoreOptions = USUAL,
    progress: Progress | None = None,
    **settings: Any,
) -> Leaderboard:
    """Score several systems, or every file of a folder, and rank them by a metric or by `name`.

    A file with the output of several systems adds a row for each; a file name may include its format, as in
    `compare`.

    >>> from tupelo import Extraction
    >>> gold = [Extraction.of("Ann sold it", "sold", ["Ann", "it"]), Extraction.of("Bo left", "left", ["Bo"])]
    >>> [(name, score.recall) for name, score in leaderboard("carb", gold, {"a": gold[:1], "b": gold}).scores.items()]
    [('b', 1.0), ('a', 0.5)]
    """
    require_choice("sort", sort, SORTS)
    about = _of_tuples(scorer, "leaderboard")
    trial = _Trial.of(about, gold, _Reading(format, options, keep_records, progress), settings)
    given, in_folders = _outputs(predicted)
    scores: dict[str, Score] = {}
    skipped: list[TupeloError] = []
    for name, source, chosen in name_systems(given, format):
        try:
            side, found = trial.measure_file(name, source, chosen)
        except (UnknownFormatError, UnmatchedError) as error:
            # Other files of a folder are ignored; a file that was named itself must be an output.
            if not _is_place(source) or str(source) not in in_folders:
                raise
            skipped.append(error)
            continue
        skipped += side.skipped
        scores |= found
    order: Callable[[tuple[str, Score]], Any] = (
        (lambda item: item[0]) if sort == "name" else lambda item: (-(getattr(item[1], sort) or 0.0), item[0])
    )
    return Leaderboard(scorer, dict(sorted(scores.items(), key=order)), (*skipped, *trial.gold.skipped))


def _outputs(
    predicted: PathLike | Sequence[Records] | Mapping[str, Records],
) -> tuple[Sequence[Records] | Mapping[str, Records], set[str]]:
    """The outputs of systems, with folders replaced by their files, and the names of these files."""
    if isinstance(predicted, Mapping):
        return predicted, set()
    given: Sequence[Records] = [predicted] if isinstance(predicted, str | os.PathLike) else predicted
    files: list[Records] = []
    in_folders: set[str] = set()
    for item in given:
        path, chosen = split_format(item, "")
        found = list_files(path) if _is_place(path) else None
        if found is None or found == [str(path)]:
            files.append(item)
            continue
        in_folders.update(found)
        files += [f"{chosen}:{file}" if chosen else file for file in found]
    if not files:
        raise InputError(f"{', '.join(map(str, given))}: no files, expected at least one system output")
    return files, in_folders


def settings_of(signature: str) -> tuple[str, dict[str, Any]]:
    """The scorer of a signature, and the keywords with which `score` repeats it on other predictions.

    How the predictions were read (`format`) is no part of the measure and is not repeated.
    """
    parsed = Signature.parse(signature)
    settings = parsed.options(describe(parsed.scorer).marks)
    for name in ("align", "gold-format"):
        if name in parsed.fields:
            settings[name.replace("-", "_")] = parsed.fields[name]
    return parsed.scorer, settings


def departures(signature: str, other: str) -> list[str]:
    """One sentence for each part in which the run of another signature differs, predictions aside."""
    return Signature.parse(signature).departures(Signature.parse(other))


def describe(scorer: str) -> ScorerDescription:
    """Information about a scorer: title, gold format, options, quirks."""
    return describe_scorer(scorer, SCORERS.get(scorer))


def scorers(reads: str | None = None) -> list[str]:
    """The names of all scorers, or of those that read `tuples`, `clusters`, `mentions`, `pairs` or `judgements`."""
    return [name for name in SCORERS if reads is None or describe(name).reads == reads]


class Drawable(Protocol):
    """A result that can be drawn."""

    def plot(self, image_type: str) -> bytes: ...


def write_plot(name: PathLike, result: Drawable) -> None:
    """Draw a result in the image format of the file name."""
    picture = result.plot(PurePath(name).suffix.lstrip(".").lower())
    with open_output(name) as stream:
        stream.write(picture)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Options of reading the input."""

    format: str = AUTO
    options: ScoreOptions = USUAL
    keep_records: bool = False
    progress: Progress | None = None


@dataclass(slots=True)
class Side:
    """Gold or predictions as they were read; the mark is part of the signature.

    `seen` are the sentences, `gold_set` is the official gold standard that the content is.
    """

    name: str
    format: str
    log_confidence: bool = False
    checksum: str = ""
    records: list[Record] = field(default_factory=list)
    skipped: list[TupeloError] = field(default_factory=list)
    seen: Seen = field(default_factory=Seen)
    gold_set: str = ""

    @property
    def mark(self) -> str:
        return file_mark(self.name, self.checksum)


def split_format(item: Any, default: str) -> tuple[Any, str]:
    """`FORMAT:PATH`, where the part before the colon is a known format; anything else has the default format."""
    if not isinstance(item, str):
        return item, default
    name, colon, path = item.partition(":")
    return (path, name) if colon and path and (name in FORMATS or name == AUTO) else (item, default)


def system_name(path: PathLike) -> str:
    """A readable name for the system behind a file: `openie4_output.txt.gz` is `openie4`."""
    stem = PurePath(path).name
    while PurePath(stem).suffix in _FILE_ENDINGS:
        stem = PurePath(stem).stem
    for ending in ("_output", "_tabbed", "_explicit", ".output"):
        stem = stem.removesuffix(ending)
    return stem or str(path)


def _is_place(source: object) -> bool:
    return isinstance(source, str | os.PathLike)


def name_systems(predicted: Sequence[Records] | Mapping[str, Records], format: str) -> list[tuple[str, Records, str]]:
    """Every system with its name, its source and its format: `FORMAT:PATH`, or the one given."""
    if isinstance(predicted, Mapping):
        return [(name, *split_format(item, format)) for name, item in predicted.items()]
    parts = [split_format(item, format) for item in predicted]
    named = [
        "<stdin>" if source == "-" else source if _is_place(source) else getattr(source, "name", f"system {number}")
        for number, (source, _) in enumerate(parts, start=1)
    ]
    short = [system_name(name) for name in named]
    # The full path where two would be equal.
    unique = (name if short.count(name) == 1 else str(path) for name, path in zip(short, named, strict=True))
    return [(name, *part) for name, part in zip(unique, parts, strict=True)]


@contextmanager
def _open_side(source: Records, format: str, reading: _Reading) -> Iterator[tuple[Side, Iterator[Record]]]:
    """One side, and its records as they are read. The checksum is known when the block ends."""
    if not is_source(source):
        found = read(cast("Iterable[Record]", source))
        log = FORMATS.get(found.format).log_confidence
        side = Side(found.name, found.format, log, found.checksum, skipped=list(found.skipped))
        yield side, iter(found.records)
        return
    skipped: list[TupeloError] = []
    with open_records(source, format, on_error=reading.options.on_error, skipped=skipped) as stream:
        side = Side(stream.name, stream.format.name, stream.format.log_confidence, skipped=skipped)
        yield side, count(stream.records, track(reading.progress, f"reading {side.name}"))
        side.checksum = stream.checksum()


def _of_tuples(scorer: str, call: str) -> ScorerDescription:
    about = describe(scorer)
    if about.reads != "tuples":
        known = ", ".join(scorers("tuples"))
        raise InputError(f"{call} has no scorer '{scorer}', expected one that reads tuples: {known}")
    return about


@dataclass(frozen=True, slots=True)
class _Trial:
    """A scorer with its settings and the gold standard, ready to measure systems."""

    about: ScorerDescription
    gold: Side
    reading: _Reading
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, about: ScorerDescription, gold: Records, reading: _Reading, settings: Mapping[str, Any]) -> _Trial:
        """Read the gold standard."""
        with _open_side(gold, reading.options.gold_format or about.gold_format, reading) as (side, records):
            side.records = list(side.seen.watch(records))
        settings = _with_network(about.name, settings, reading.progress)
        side.gold_set = official_gold(side.checksum)
        return cls(about, side, reading, settings)

    def measure(self, predicted: Records, format: str, system: str = "") -> Score:
        """Score one system as its output is read."""
        kept: list[Record] | None = None
        with _open_side(predicted, format, self.reading) as (side, records):
            if self.reading.keep_records:
                kept = list(records)
                records = iter(kept)
            scorer = self._scorer(side)
            evaluation = scorer.evaluate(self.gold.records, self._aligned(records, side))
        return self._score(scorer, evaluation, side, system or system_name(side.name), kept)

    def measure_file(self, name: str, source: Records, format: str) -> tuple[Side, dict[str, Score]]:
        """The scores of all systems of one file; a card of `tupelo bench` has them already."""
        card = read_card(source) if isinstance(source, str | os.PathLike) else None
        if card is not None:
            return Side(str(source), CARD), {str(card["system"]): self._score_of_card(card, str(source))}
        with _open_side(source, format, self.reading) as (side, found):
            records = list(found)
        scores: dict[str, Score] = {}
        for system, own in _by_system(name, records).items():
            side.seen = Seen()
            scorer = self._scorer(side)
            evaluation = scorer.evaluate(self.gold.records, self._aligned(own, side))
            scores[system] = self._score(scorer, evaluation, side, system, own)
        return side, scores

    def _score_of_card(self, card: Mapping[str, Any], name: str) -> Score:
        """The score of a card that was made with the same gold file and options."""
        options = self._scorer(self.gold).options()
        wanted = Signature.parse(signature(self.about.name, options, {"gold": self.gold.mark}))
        for found in score_of_card(card, self.about.name):
            if not wanted.departures(Signature.parse(found.signature)):
                return found
        raise UnmatchedError(
            f"{name}: a card without a score by {self.about.name} on {self.gold.mark} with these options"
        )

    def _scorer(self, predicted: Side) -> Scorer:
        chosen = dict(self.settings)
        if self.about.normalizes_log_confidence and predicted.log_confidence:
            chosen.setdefault("normalize_confidence", True)
        made: Scorer = build_part(self.about.name, SCORERS.get(self.about.name), chosen)
        return made

    def _aligned(self, records: Iterable[Record], predicted: Side) -> Iterator[Record]:
        """Predictions on their way to the scorer; their sentences are noted as it will see them."""
        if self.reading.options.align == "loose":
            records = Aligner(self.gold.records).align(records)
        return predicted.seen.watch(records)

    def _score(
        self, scorer: Scorer, evaluation: Evaluation, predicted: Side, system: str, records: list[Record] | None
    ) -> Score:
        """The score, with a signature of everything that affects the figures."""
        gold, options = self.gold, self.reading.options
        coverage = measure(gold.seen, predicted.seen, getattr(scorer, "sentence_key", None))
        refusal = None if options.allow_unmatched else coverage.refusal()
        if refusal is not None:
            name = predicted.name if coverage.gold else gold.name
            raise UnmatchedError(f"{name}: {refusal} (--allow-unmatched scores it all the same)")
        data = {
            "gold": gold.mark,
            "pred": predicted.mark,
            "format": predicted.format,
            "official": gold.gold_set.lower().replace(" ", "-"),
            "gold-format": "" if gold.format == self.about.gold_format else gold.format,
            "gold-skipped": str(len(gold.skipped) or ""),
            "pred-skipped": str(len(predicted.skipped) or ""),
            "align": "" if options.align == "exact" else options.align,
        }
        data = {name: value for name, value in data.items() if value}
        found = evaluation.score()
        if not isinstance(found, Score):
            raise InputError(
                f"scorer '{self.about.name}' returned {type(found).__name__}, expected a tupelo.scorers.Score"
            )
        by_tokens = getattr(evaluation, "by_tokens", None)
        if by_tokens is not None:
            found = replace(
                found, beside=by_tokens.score().signed(signature(self.about.name, by_tokens.used_options, data))
            )
        return found.signed(
            signature(self.about.name, getattr(evaluation, "used_options", None) or scorer.options(), data),
            system=system,
            gold_name=gold.name,
            gold_set=gold.gold_set,
            coverage=coverage,
            skipped=(*gold.skipped, *predicted.skipped),
            evaluation=evaluation,
            records=None if records is None else (gold.records, records),
        )


def _with_network(scorer: str, settings: Mapping[str, Any], progress: Progress | None) -> Mapping[str, Any]:
    """The settings, with the support network where the matcher reads with one; it serves all systems of a call."""
    if scorer != "carb" or settings.get("matcher") != ENTAIL or "entailments" in settings:
        return settings
    network = open_support()
    return {**settings, "entailments": Entailments(network, f"{network.name}@{network.version}", progress)}


def _by_system(name: str, records: list[Record]) -> dict[str, list[Record]]:
    """Split a file with the output of several extractors; sentences without tuples belong to all of them."""
    systems = list(dict.fromkeys(r.extractor for r in records if isinstance(r, Extraction) and r.extractor))
    if len(systems) < 2:
        return {name: records}
    return {
        system: [r for r in records if not isinstance(r, Extraction) or r.extractor == system] for system in systems
    }


def _score_values(
    about: ScorerDescription, gold: Any, predicted: Any, reading: _Reading, options: Mapping[str, Any]
) -> Any:
    """Score what is no tuples, all of it in memory."""
    scorer = build_part(about.name, SCORERS.get(about.name), options)
    sides, data, told = _SIDES[about.reads](gold, predicted, reading)
    with naming(gold, predicted):
        found = scorer.evaluate(*sides)
        if about.reads == "pairs":
            found = found.score()
    return found.signed(signature(about.name, scorer.options(), data), **told)


# The two sides, their part of the signature, and what else the score tells.
_Sides: TypeAlias = tuple[Sequence[Any], dict[str, str], dict[str, Any]]


def _side(
    source: Any, kind: str, read: Callable[[Any], tuple[Any, str]], hold: Callable[[Any], Any]
) -> tuple[Any, str]:
    """The content of a file with its mark, or what is in memory with the mark of its content."""
    if is_source(source):
        return read(source)
    held = hold(source)
    rows = [asdict(each) for each in held] if kind in ("<pairs>", "<judgements>") else held
    content = "".join(write_jsonl(held)) if kind == "<analyses>" else json.dumps(rows, default=str)
    return held, file_mark(kind, hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest())


def _read_lines(read: Callable[[InputFile], Any], source: Source) -> tuple[Any, str]:
    with InputFile(source) as file:
        return read(file), file_mark(file.name, file.finish())


def _clusters(gold: Any, predicted: Any, reading: _Reading) -> _Sides:
    skipped: list[FormatError] = []
    collect = skipped.append if reading.options.on_error == "skip" else None
    formats = (reading.options.gold_format or AUTO, reading.format)
    sides = [_cluster_file(*given, collect) for given in zip((gold, predicted), formats, strict=True)]
    data = {name: file_mark(side.name, side.checksum) for name, side in zip(("gold", "pred"), sides, strict=True)}
    data |= {"skipped": str(len(skipped))} if skipped else {}
    return sides, data, {"skipped": tuple(skipped)}


def _cluster_file(source: Any, format: str, collect: Callable[[FormatError], None] | None) -> ClusterFile:
    if _is_place(source):
        return read_cluster_file(source, format, collect)
    by_subtask = source if isinstance(source, Mapping) else {BARE: source}
    made = {name: [tuple(dict.fromkeys(members)) for members in clusters] for name, clusters in by_subtask.items()}
    checksum = hashlib.sha256(json.dumps(made, default=str).encode()).hexdigest()
    return ClusterFile("<clusters>", "memory", made, made, checksum=checksum)


def _mentions(gold: Any, predicted: Any, reading: _Reading) -> _Sides:
    def side(source: Any, format: str) -> tuple[list[Analysis], str]:
        def read(file: InputFile) -> list[Analysis]:
            return list(analysis_format(detect_format(file) if format == AUTO else format).read(file.lines()))

        return _side(source, "<analyses>", partial(_read_lines, read), list)

    known, gold_mark = side(gold, reading.options.gold_format or AUTO)
    found, mark = side(predicted, reading.format)
    return (known, found), {"gold": gold_mark, "pred": mark}, {}


def _pairs(gold: Any, scores: Any, reading: _Reading) -> _Sides:
    def read_gold(file: InputFile) -> list[EntailmentPair]:
        return list(read_pairs(file.lines(), judged=True))

    def read(file: InputFile) -> list[float]:
        return match_scores(judged, read_scores(file.lines()), file.name)

    judged, gold_mark = _side(gold, "<pairs>", partial(_read_lines, read_gold), list)
    values, mark = _side(scores, "<scores>", partial(_read_lines, read), lambda given: [*map(float, given)])
    system = system_name(scores) if _is_place(scores) else "scores"
    return (judged, values), {"gold": gold_mark, "pred": mark}, {"system": system}


def _judgements(gold: Any, scores: Any, reading: _Reading) -> _Sides:
    from tupelo.io.judgements import read_judgements, read_scores

    format = "memory" if not is_source(gold) else "pairs" if reading.format == AUTO else reading.format

    def marked(source: Any, found: tuple[Any, str]) -> tuple[Any, str]:
        return found[0], file_mark(str(source), found[1])

    texts, gold_mark = _side(
        gold, "<judgements>", lambda source: marked(source, read_judgements(str(source), format)), list
    )
    given, mark = _side(scores, "<scores>", lambda source: marked(source, read_scores(str(source))), dict)
    return (texts, given), {"gold": gold_mark, "pred": mark, "format": format}, {}


# Kind of input of a scorer, tuples aside -> how it is read.
_SIDES: dict[str, Callable[[Any, Any, _Reading], _Sides]] = {
    "clusters": _clusters,
    "mentions": _mentions,
    "pairs": _pairs,
    "judgements": _judgements,
}
