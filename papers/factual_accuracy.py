"""Goodrich et al., *Assessing the factual accuracy of generated text* (KDD 2019): its experiments on any data.

Corruption (Section 2 and Table 2): dates, places and people of a text are swapped for others of the same text.
*Barack was born on August 4, 1961 in Honolulu. He married Michelle on October 3, 1992 in Chicago.* becomes *Barack
was born on October 3, 1961 in Chicago. …*: still fluent, every word still in the text, but no longer true. Day and
month of a date are swapped, its year stays. A mention is only replaced by a name that shares no word with it,
punctuation aside: *US* and *U.S.* are one name. The *expected* accuracy of a text is the share of its facts that no
swap touched; facts are the claims of the corrupted text, and a swap touches a claim when it lies among the words of
the claim. Where texts have a topic, as the paper's articles do, metrics compare the facts about it. A metric is good
when its mean is near the expected one: the gap is what counts. A metric that has no figure for some texts is compared
with what was expected of the others, and these texts are counted. The caption of Table 2 defines expected accuracy as
the share of *corrupted* facts, which is the complement of ours; both shares are shown.

Facts (Tables 3 to 5): precision and recall on texts with known facts, or on pairs marked in sentences. Judgements
(Tables 7 and 8): correlation with human judgements, and Krippendorff's alpha of the raters. What distant labels take
for wrong (Table 6) is in `papers.false_positives`.
"""

from __future__ import annotations

import random
import re
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Annotated, Any

from papers import printed_by
from papers.fact_sets import FactCounts, by_name, count_facts, count_labels, false_positives
from papers.false_positives import collect, judge_collected
from tupelo.api.facts import relation_canonicalizer
from tupelo.api.text import load
from tupelo.checking.check import ClaimChecker
from tupelo.checking.checked import Claim, Verdict
from tupelo.checking.network import load_network
from tupelo.core import Analysis, InputError, Span, Triple
from tupelo.core.judgement import JudgedText
from tupelo.core.numeric import mean
from tupelo.core.parameters import Among, At, Count, Seed, Spelled
from tupelo.core.progress import Progress, track
from tupelo.extract.pipeline import ExtractionPipeline
from tupelo.factmodels.extract import RELATED
from tupelo.factmodels.metric import OPEN_IE, FactMetric, FactSource, fact_metric, metric_names
from tupelo.io.files import InputFile, write_text
from tupelo.io.json_items import dumped, line_items
from tupelo.io.judgements import FORMATS, completed, read_by_id, read_judgements
from tupelo.nlp.languages.en.quantities import MONTH_ABBREVIATIONS, MONTHS
from tupelo.scorers.agreement import alpha_interval, krippendorff_alpha
from tupelo.scorers.factuality import FactualityScorer
from tupelo.scorers.rouge import rouge
from tupelo_training.facts.sentences import SentenceModel
from tupelo_training.facts.texts import GOLD_FORMATS, marked_examples, read_gold, read_texts
from tupelo_training.facts.written import WriterModel

CHECK = "check"
FACT_FORMATS, JUDGEMENT_FORMATS = sorted(GOLD_FORMATS), sorted(FORMATS)

# Table 2, accuracy; Table 3, P, R and F1; Tables 7 and 8, Spearman.
_PRINTED = printed_by("factual_accuracy")
_RELATIONS_SHOWN = 10
_SHARE_SWAPPED = 0.5
_SWAPPED_KINDS = ("date", "place", "person")
# Summaries of one article mostly follow each other.
_SOURCES_KEPT = 4
_MONTH_NAMES = (name for name in MONTHS | MONTH_ABBREVIATIONS if len(name) > 3 or name == "may")
_MONTH = "|".join(sorted(_MONTH_NAMES, key=len, reverse=True))
_DAY_AND_MONTH = re.compile(rf"\b(?:(?:{_MONTH}) \d{{1,2}}|\d{{1,2}} (?:{_MONTH}))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FactualAccuracyTables:
    """The tables that were asked for, with the printed figures beside ours."""

    report: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        return dict(self.report)

    def __str__(self) -> str:
        return "\n".join(_lines(self.report))


FileName = Annotated[str | None, At.INPUT, Spelled.of("FILE")]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactualAccuracyOptions:
    """The experiments to reproduce: a file for each, and options.

    `texts` (the first `count`) are corrupted; `gold` has texts with facts, `marked` pairs marked in sentences;
    `collect` is where to write what a method found in `articles` of the `gold` texts and `gold` does not have, for
    people to judge; `annotated` are their answers about `collected`, such a file (Table 6).
    `judged` has texts with human judgements, whose `sources` and `summaries` may come from other files. `limit` is
    for `gold` and `judged`. `methods` are names of `tupelo.factmodels.metric`, or `none`; without any, all. `models`
    are folders, as `NAME=FOLDER`.
    """

    texts: Annotated[
        FileName, "Table 2: texts to corrupt: JSON lines with `text` and perhaps `subject`, the topic; KnowledgeNet."
    ] = None
    count: Annotated[Count, "How many of --texts."] = 1000
    gold: Annotated[FileName, "Tables 3 to 5: texts with their facts."] = None
    gold_format: Annotated[str, Among(FACT_FORMATS), "Of --gold; `examples` is what `facts dataset` writes."] = (
        "examples"
    )
    collect: Annotated[
        str | None,
        At.OUTPUT,
        Spelled.of("FILE"),
        "Table 6: write the facts that were found but are not in --gold, as items of `annotate` (task claims).",
    ] = None
    articles: Annotated[Count, "How many texts to --collect."] = 30
    collected: Annotated[FileName, "Table 6: what --collect wrote; with --annotated."] = None
    annotated: Annotated[FileName, "Table 6: the answers, from `annotate export --what answers`."] = None
    marked: Annotated[
        FileName, "Tables 3 and 4 with the entities given: marked pairs, as `facts dataset` writes them."
    ] = None
    judged: Annotated[FileName, "Tables 7 and 8, and alpha: texts with human judgements."] = None
    judged_format: Annotated[str, Spelled.of("--format"), Among(JUDGEMENT_FORMATS), "Of --judged."] = "qags"
    sources: Annotated[FileName, "Sources of --judged by id: AggreFact's CSV, or JSON lines."] = None
    summaries: Annotated[FileName, "Texts of --judged by id: XSum's CSV, JSON lines (for FRANK)."] = None
    split: Annotated[str | None, Spelled.of("NAME"), "Only this part of --judged, such as `valid` of FRANK."] = None
    limit: Annotated[Count | None, "Only the first N texts of --gold and --judged."] = None
    methods: Annotated[
        Sequence[str],
        Spelled.of("--method", "NAME"),
        "openie, openie-canonical, classifier, sentence, binary, end-to-end, reduced or none; repeat. [default: all]",
    ] = ()
    models: Annotated[
        Sequence[str],
        Spelled.of("--model", "NAME=FOLDER"),
        "A model of your own (`facts train`) for the method NAME, or end-to-end=webnlg; repeat.",
    ] = ()
    seed: Annotated[Seed, "For the swaps and the intervals."] = 0


def reproduce(options: FactualAccuracyOptions, progress: Progress | None = None) -> FactualAccuracyTables:
    """Tables 2 to 8, as far as there are files for them."""
    if options.collect is not None and options.gold is None:
        raise InputError("--collect needs --gold, the texts with the facts that count as known")
    if (options.annotated is None) != (options.collected is None):
        raise InputError("--annotated and --collected belong together")
    folders = _folders(options.models)
    pipeline = load().pipeline
    are_used = any(name is not None for name in (options.texts, options.gold, options.judged))
    metrics, missing = _metrics(options.methods or (() if are_used else ("none",)), folders, pipeline)
    experiments = _Experiments(options, pipeline, metrics, progress)
    report: dict[str, Any] = {"missing": missing}
    if options.texts is not None:
        report["corruption"] = experiments.corruption()
    if options.gold is not None:
        report["facts"] = experiments.gold()
    if options.annotated is not None and options.collected is not None:
        report["annotated"] = judge_collected(options.collected, options.annotated)
    if options.marked is not None:
        report["marked"] = _marked(options.marked, folders)
    if options.judged is not None:
        report["judged"] = experiments.judged()
    return FactualAccuracyTables(report)


def _folders(models: Sequence[str]) -> dict[str, str]:
    folders = {}
    for given in models:
        name, equals, folder = given.partition("=")
        trained = [known for known in metric_names() if known not in OPEN_IE]
        if not equals or name not in trained:
            raise InputError(f"--model {given}: expected NAME=FOLDER with one of {', '.join(trained)}")
        folders[name] = folder
    return folders


def _metrics(
    names: Sequence[str], folders: Mapping[str, str], pipeline: ExtractionPipeline
) -> tuple[dict[str, FactMetric], dict[str, str]]:
    """The metrics that can be opened; those that cannot, with the reason. A metric that was asked for must open."""
    known = metric_names()
    unknown = [name for name in names if name not in (*known, "none")]
    if unknown:
        raise InputError(f"no method named '{unknown[0]}'. Known: {', '.join(known)}, none")
    opened, missing = {}, {}
    for name in names or known:
        if name == "none":
            continue
        try:
            opened[name] = fact_metric(name, pipeline, model=folders.get(name), canonicalizer=relation_canonicalizer)
        except InputError as error:
            if names or name in folders:
                raise
            missing[name] = str(error)
    return opened, missing


def _overlaps(generated: str, source: str) -> dict[str, float]:
    return {name: overlap.f1 for name, overlap in rouge(generated, source).items()}


@dataclass(slots=True)
class MetricColumn:
    """The figures that one metric gave, each beside what was expected of that text."""

    values: list[float] = field(default_factory=list)
    expected: list[float] = field(default_factory=list)

    @property
    def gap(self) -> float | None:
        """The distance of the mean from the expected accuracy of the same texts."""
        value, aim = mean(self.values), mean(self.expected)
        return None if value is None or aim is None else value - aim

    @property
    def error(self) -> float | None:
        """The mean distance of the figure of a text from its expected value."""
        return mean([abs(value - aim) for value, aim in zip(self.values, self.expected, strict=True)])


@dataclass(slots=True)
class CorruptionResult:
    """All columns, the expected accuracy of all texts, and the verdicts on claims with a swap and without."""

    texts: int = 0
    expected: list[float] = field(default_factory=list)
    columns: dict[str, MetricColumn] = field(default_factory=dict)
    swapped: Counter[Verdict] = field(default_factory=Counter)
    unswapped: Counter[Verdict] = field(default_factory=Counter)

    def add(self, figures: Mapping[str, float | None], expected: float) -> None:
        """The figures of one text."""
        self.expected.append(expected)
        for name, value in figures.items():
            column = self.columns.setdefault(name, MetricColumn())
            if value is not None:
                column.values.append(value)
                column.expected.append(expected)

    def to_dict(self) -> dict[str, Any]:
        return {
            "texts": self.texts,
            "expected": mean(self.expected),
            "corrupted": mean([1 - share for share in self.expected]),
            "printed_expected": _PRINTED["expected"] / 100,
            "claims": {"swapped": _by_verdict(self.swapped), "unswapped": _by_verdict(self.unswapped)},
            "metrics": {
                name: {
                    "accuracy": mean(column.values),
                    "gap": column.gap,
                    "error": column.error,
                    "texts": len(column.values),
                    "without_figure": len(self.expected) - len(column.values),
                    "printed": _PRINTED["corruption"][name] / 100 if name in _PRINTED["corruption"] else None,
                }
                for name, column in self.columns.items()
            },
        }


def _by_verdict(counts: Mapping[Verdict, int]) -> dict[str, int]:
    return {verdict.value: number for verdict, number in sorted(counts.items(), key=lambda item: item[0].value)}


@dataclass(frozen=True, slots=True)
class _Experiments:
    """Shared parts of the experiments: options, an analyser of texts, and the metrics that could be opened."""

    options: FactualAccuracyOptions
    pipeline: ExtractionPipeline
    metrics: Mapping[str, FactMetric]
    progress: Progress | None

    def analyse(self, text: str) -> tuple[Analysis, ...]:
        return tuple(self.pipeline.parser.analyze(text, constituents=False))

    def corruption(self) -> dict[str, Any]:
        """Table 2: the first `count` texts in which anything could be swapped."""
        checker = ClaimChecker(self.pipeline, load_network(), coreference=False)
        advance = track(self.progress, "corrupting", self.options.count)
        result = CorruptionResult()
        for text, subject in read_texts(self.options.texts or ""):
            if result.texts == self.options.count:
                break
            analyses = self.analyse(text)
            new = corrupt(text, analyses, share=_SHARE_SWAPPED, seed=self.options.seed)
            if not new.changes:
                continue
            result.texts += 1
            checked = checker(new.text, [text])
            corrupted = self.analyse(new.text)
            touched = []
            for claim in checked.claims:
                touched.append(is_touched(claim, new.changes))
                (result.swapped if touched[-1] else result.unswapped)[claim.verdict] += 1
            if touched:
                by_facts = {
                    name: metric.compare(corrupted, analyses, subject).value for name, metric in self.metrics.items()
                }
                figures = {CHECK: checked.accuracy, **by_facts, **_overlaps(new.text, text)}
                result.add(figures, 1 - sum(touched) / len(touched))
            advance(1)
        return result.to_dict()

    def gold(self) -> dict[str, Any]:
        """Tables 3 to 5: facts of whole texts."""
        name = self.options.gold or ""
        rows = list(islice(read_gold(name, self.options.gold_format, _webnlg_properties()), self.options.limit))
        if not rows:
            raise InputError(f"{name}: no texts, expected some with facts")
        analysed = [self.analyse(row.text) for row in rows]
        advance = track(self.progress, "texts", len(rows) * len(self.metrics))
        found: dict[str, Any] = {}
        wrong: dict[str, list[list[Triple]]] = {}
        for metric, measure in self.metrics.items():
            predicted = []
            for row, sentences in zip(rows, analysed, strict=True):
                predicted.append((by_name(measure.facts(sentences, row.subject), row.names), row.facts))
                advance(1)
            # Open IE has no fixed relations: as for the binary classifier, what counts is which things are related.
            related = metric == "binary" or metric in OPEN_IE
            found[metric] = _fact_figures(*count_facts(predicted, related=related), related)
            wrong[metric] = [false_positives(*pair, related=related) for pair in predicted]
        report: dict[str, Any] = {"texts": len(rows), "metrics": found}
        if self.options.collect is not None:
            items = collect([row.text for row in rows], wrong, self.options.articles, self.options.seed)
            write_text(self.options.collect, "".join(f"{dumped(item)}\n" for item in items))
            report["collected"] = {"articles": len(items), "facts": sum(len(item["claims"]) for item in items)}
        return report

    def judged(self) -> dict[str, Any]:
        """Tables 7 and 8: every metric on texts with their sources, beside what people said."""
        name = self.options.judged or ""
        whole, _ = read_judgements(name, self.options.judged_format)
        if self.options.split is not None:
            known = sorted({text.split for text in whole if text.split is not None})
            whole = [text for text in whole if text.split == self.options.split]
            if not whole:
                listed = ", ".join(known) or "none"
                raise InputError(f"{name}: no text of the part '{self.options.split}', expected one of: {listed}")
        texts, without = completed(
            whole,
            read_by_id(self.options.sources, "source") if self.options.sources is not None else {},
            read_by_id(self.options.summaries, "generated") if self.options.summaries is not None else {},
        )
        if not texts:
            raise InputError(
                f"{name}: no text comes with its words and its source, expected a collection with both, or files "
                "with them (--sources, --summaries)"
            )
        texts = texts[: self.options.limit]
        checker = ClaimChecker(self.pipeline, load_network(), coreference=False)
        scores = self._scores(texts, checker)
        return {
            "texts": len(texts),
            "metrics": {
                metric: {
                    **self._agreement(texts, given),
                    # The paper's raters gave the lowest score where nothing could be verified.
                    "unverifiable_as_0": self._agreement(texts, given, unscored=0.0),
                    "printed": _PRINTED["correlation"].get(metric),
                }
                for metric, given in scores.items()
            },
            "without_text": without,
            **_raters(whole, self.options.seed),
        }

    def _agreement(
        self, texts: Sequence[JudgedText], given: Mapping[str, float | None], unscored: float | None = None
    ) -> dict[str, Any]:
        figures = FactualityScorer(unscored=unscored, seed=self.options.seed).evaluate(texts, given).to_dict()
        return {name: figures[name] for name in ("pearson", "pearson_interval", "spearman", "spearman_interval", "n")}

    def _scores(self, texts: Sequence[JudgedText], checker: ClaimChecker) -> dict[str, dict[str, float | None]]:
        """The figure of each text by metric and id; `None` where a metric finds nothing to check."""
        advance = track(self.progress, "checking", len(texts))
        cached = {name: replace(metric, facts=CachedFacts(metric.facts)) for name, metric in self.metrics.items()}
        analyse_source = lru_cache(maxsize=_SOURCES_KEPT)(self.analyse)
        scores: dict[str, dict[str, float | None]] = {}
        for text in texts:
            source = text.source or ""
            figures: dict[str, float | None] = {CHECK: checker(text.generated, [source]).score}
            if cached:
                said, known = self.analyse(text.generated), analyse_source(source)
                figures.update({name: metric.compare(said, known).value for name, metric in cached.items()})
            figures.update(_overlaps(text.generated, source))
            for name, value in figures.items():
                scores.setdefault(name, {})[text.id] = value
            advance(1)
        return scores


def is_touched(claim: Claim, changes: Iterable[Change]) -> bool:
    """Whether a swap lies among the words of a claim. Equal words elsewhere in the sentence do not count."""
    return any(
        span.start < change.span.end and change.span.start < span.end for change in changes for span in claim.spans
    )


@dataclass(frozen=True, slots=True)
class Change:
    """A replacement: its place in the new text, its kind, the old and the new words."""

    span: Span
    kind: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Corrupted:
    """A text after its corruption; without any change where it has no two names of one kind."""

    text: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class _Mention:
    start: int
    end: int
    kind: str
    words: str


def corrupt(text: str, analyses: Sequence[Analysis], *, share: float = 0.5, seed: int = 0) -> Corrupted:
    """Replace about `share` of the dates, places and people of a text, at least one where that is possible."""
    generator = random.Random(f"{seed}:{text}")
    mentions = sorted(_mentions(text, analyses), key=lambda mention: mention.start)
    options = {
        number: [
            other.words
            for other in mentions
            if other.kind == mention.kind and not _word_set(other.words) & _word_set(mention.words)
        ]
        for number, mention in enumerate(mentions)
    }
    possible = [number for number, others in options.items() if others]
    chosen = set(generator.sample(possible, max(1, round(share * len(possible))))) if possible else set()
    parts: list[str] = []
    changes: list[Change] = []
    place = length = 0
    for number, mention in enumerate(mentions):
        if number not in chosen:
            continue
        new = generator.choice(options[number])
        parts += [text[place : mention.start], new]
        length += mention.start - place
        changes.append(Change(Span(length, length + len(new)), mention.kind, mention.words, new))
        length += len(new)
        place = mention.end
    return Corrupted("".join([*parts, text[place:]]), tuple(changes))


def _mentions(text: str, analyses: Iterable[Analysis]) -> list[_Mention]:
    found = [_Mention(*match.span(), "date", match[0]) for match in _DAY_AND_MONTH.finditer(text)]
    for analysis in analyses:
        for entity in analysis.entities or ():
            if entity.label in _SWAPPED_KINDS:
                span = analysis.span(entity.start, entity.end)
                start, end = analysis.start + span.start, analysis.start + span.end
                found.append(_Mention(start, end, entity.label, text[start:end]))
    # A name inside another, or a date that a parser took for something else: the first one counts.
    kept: list[_Mention] = []
    for mention in sorted(found, key=lambda item: (item.start, -item.end)):
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return kept


def _word_set(words: str) -> set[str]:
    bare = ("".join(letter for letter in word if letter.isalnum()) for word in words.casefold().split())
    return {word for word in bare if word}


def _webnlg_properties() -> dict[str, str]:
    """Wikidata's property for each relation of WebNLG that has one, as the shipped end-to-end model has it."""
    try:
        return {one.name: one.wikidata for one in WriterModel().relations if one.wikidata}
    except InputError:
        return {}


def _marked(name: str, folders: Mapping[str, str]) -> dict[str, Any]:
    """Tables 3 and 4 with the entities given."""
    chosen: dict[str, str | None] = {
        method: folder for method, folder in folders.items() if method in ("sentence", "binary")
    }
    if not chosen:
        chosen["sentence"] = None
    gold: dict[str, set[str]] = {}
    with InputFile(name) as file:
        # A pair with two relations has two lines.
        for example in marked_examples(line_items(file.lines()), file.name):
            gold.setdefault(example.marked, set()).update({example.property} if example.property else ())
    found = {}
    for method, folder in chosen.items():
        model = SentenceModel(folder)
        stated = [
            {model.relations[number].id for number in (row >= model.threshold).nonzero()[0]}
            for row in model.probabilities(list(gold))
        ]
        wanted = [{RELATED} if facts and method == "binary" else facts for facts in gold.values()]
        found[method] = _fact_figures(*count_labels(zip(stated, wanted, strict=True)), method == "binary")
    return {"pairs": len(gold), "metrics": found}


def _fact_figures(whole: FactCounts, by_relation: Mapping[str, FactCounts], pairs_only: bool) -> dict[str, Any]:
    relations = {relation: _figures(part) for relation, part in by_relation.items() if part.gold}
    return {**_figures(whole), "pairs_only": pairs_only, "relations": relations}


def _figures(counts: FactCounts) -> dict[str, float]:
    return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1, "gold": counts.gold}


class CachedFacts:
    """Facts of sentences, remembered: of a source they are found once, however many texts are compared with it."""

    def __init__(self, facts: FactSource) -> None:
        self._facts = facts
        self._known: OrderedDict[tuple[str, ...], list[Triple]] = OrderedDict()

    def __call__(self, sentences: Sequence[Analysis], subject: str = "") -> list[Triple]:
        key = (subject, *(sentence.text for sentence in sentences))
        if key in self._known:
            self._known.move_to_end(key)
            return list(self._known[key])
        found = self._facts(sentences, subject)
        self._known[key] = found
        # A text and its source go in by turns.
        if len(self._known) > 2 * _SOURCES_KEPT:
            self._known.popitem(last=False)
        return list(found)


def _raters(texts: list[JudgedText], seed: int) -> dict[str, Any]:
    """Alpha over everything that people were asked, whether a metric can read it or not."""
    units = [unit for text in texts for unit in text.answers]
    level = "nominal" if any(not answer.lstrip("-").isdigit() for unit in units for answer in unit) else "ordinal"
    answers: list[tuple[Any, ...]] = [tuple(map(int, unit)) for unit in units] if level == "ordinal" else list(units)
    return {
        "alpha": krippendorff_alpha(answers, level),
        "alpha_interval": alpha_interval(answers, level, seed=seed),
        "alpha_level": level,
        "judgements": sum(map(len, units)),
        "units": len(units),
    }


def _lines(report: Mapping[str, Any]) -> Iterator[str]:
    if (part := report.get("corruption")) is not None:
        yield from _corruption_lines(part)
    if (part := report.get("facts")) is not None:
        yield f"Tables 3 to 5: {part['texts']} texts"
        yield from _fact_lines(part["metrics"])
        if "collected" in part:
            yield "  {facts} facts that the labels do not have, of {articles} texts, to be judged".format(
                **part["collected"]
            )
    if (part := report.get("annotated")) is not None:
        yield from _annotated_lines(part)
    if (part := report.get("marked")) is not None:
        yield f"Tables 3 and 4, entities given: {part['pairs']} marked pairs"
        yield from _fact_lines(part["metrics"])
    if (part := report.get("judged")) is not None:
        yield from _judged_lines(part)
    for name, reason in report["missing"].items():
        yield f"left out: {name} ({reason})"


def _corruption_lines(part: Mapping[str, Any]) -> Iterator[str]:
    kept, swapped = _percent(part["expected"]), _percent(part["corrupted"])
    yield f"Table 2: {part['texts']} texts, expected accuracy {kept}: the share of facts that no swap touched"
    named = f"what the paper's caption calls expected accuracy, there {_PRINTED['expected']}"
    yield f"  share of corrupted facts {swapped}: {named}"
    yield "  gaps and errors are distances from the share that no swap touched"
    for name, row in part["metrics"].items():
        printed = f"  paper {_percent(row['printed'])}" if row["printed"] is not None else ""
        figures = f"{_percent(row['accuracy'])}  gap {_percent(row['gap'], '+')}  error {_percent(row['error'])}"
        without = f", {row['without_figure']} without a figure" if row["without_figure"] else ""
        yield f"  {name:18} {figures}  ({row['texts']} texts{without}){printed}"
    for kind, counts in part["claims"].items():
        shown = ", ".join(f"{number} {verdict}" for verdict, number in counts.items())
        yield f"  claims {'with' if kind == 'swapped' else 'without'} a swap: {shown or 'none'}"


def _fact_lines(metrics: Mapping[str, Any]) -> Iterator[str]:
    for name, row in metrics.items():
        printed = "  paper P {} R {} F1 {}".format(*_PRINTED["facts"][name]) if name in _PRINTED["facts"] else ""
        note = "  (related pairs)" if row["pairs_only"] else ""
        yield f"  {name:18} {_prf(row)}{note}{printed}"
        for relation, figures in list(row["relations"].items())[:_RELATIONS_SHOWN]:
            yield f"    {relation:30} {_prf(figures)}  ({figures['gold']})"


def _annotated_lines(part: Mapping[str, Any]) -> Iterator[str]:
    alpha = "–" if part["alpha"] is None else f"{part['alpha']:.3f}"
    without = f", {part['left_out']} without two answers left out" if part["left_out"] else ""
    yield f"Table 6: {part['facts']} facts{without}; Krippendorff's alpha {alpha}"
    for name, row in part["metrics"].items():
        printed = f"  paper {row['printed']}" if row["printed"] is not None else ""
        low, high = (_percent(end) for end in row["interval"])
        yield f"  {name:18} {_percent(row['share'])} [{low}, {high}] true for all ({row['facts']} facts){printed}"
        for annotator, share in row["annotators"].items():
            yield f"    {annotator:16} {_percent(share)}"


def _judged_lines(part: Mapping[str, Any]) -> Iterator[str]:
    if part["alpha"] is not None:
        low, high = part["alpha_interval"]
        raters = f"{part['alpha']:.3f} [{low:.3f}, {high:.3f}] ({part['judgements']} {part['alpha_level']} answers)"
    else:
        raters = "– (no two judgements of one text)"
    without = f", {part['without_text']} without words or source left out" if part["without_text"] else ""
    yield f"Tables 7 and 8: {part['texts']} texts{without}; Krippendorff's alpha {raters}"
    for name, row in part["metrics"].items():
        yield f"  {name:18} {_correlation(row)}"
        if row["n"] < part["texts"]:
            yield f"  {'':18} {_correlation(row['unverifiable_as_0'])}  nothing to check counts as 0"
        if row["printed"]:
            yield f"  {'':18} paper: Spearman {row['printed'][0]} on actors, {row['printed'][1]} on all"


def _correlation(row: Mapping[str, Any]) -> str:
    pearson, spearman = (_interval(row[kind], row[f"{kind}_interval"]) for kind in ("pearson", "spearman"))
    return f"Spearman {spearman}  Pearson {pearson}  ({row['n']} texts)"


def _percent(share: float | None, sign: str = "") -> str:
    return "–" if share is None else f"{100 * share:{sign}.1f}"


def _prf(row: Mapping[str, float]) -> str:
    return f"P {100 * row['precision']:.1f}  R {100 * row['recall']:.1f}  F1 {100 * row['f1']:.1f}"


def _interval(value: float | None, interval: list[float]) -> str:
    return "–" if value is None else f"{value:.3f} [{interval[0]:.3f}, {interval[1]:.3f}]"
