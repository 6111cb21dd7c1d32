"""Fact checking of a text against its source: `check` for one, `Checker` for many and for collections."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

from tupelo.api.facts import fact_metrics
from tupelo.api.resources import open_engine
from tupelo.api.text import Toolkit, load
from tupelo.checking.checked import SUPPORTED_FROM as SUPPORTED_FROM
from tupelo.checking.checked import Checked as Checked
from tupelo.checking.checked import CheckedCollection as CheckedCollection
from tupelo.checking.checked import CheckedPair, Verdict
from tupelo.checking.evidence import choose_passages
from tupelo.core import InputError, TupeloError
from tupelo.core.errors import reason_of, require_items, require_name, require_one_each, warn_of_failures
from tupelo.core.judgement import Gate as Gate
from tupelo.core.judgement import JudgedText
from tupelo.core.limits import Limits, LimitsGiven
from tupelo.core.numeric import mean as mean
from tupelo.core.parameters import Between, ExtractorName, PathLike, SizeLimits, Spelled
from tupelo.core.progress import Progress, track
from tupelo.io.assertions import read_rows
from tupelo.io.documents import format_of
from tupelo.io.files import open_output
from tupelo.io.judgements import FORMATS, Claims, completed, judged_pair, read_by_id, read_claims, read_judgements
from tupelo.io.text import is_database, read_folder, read_whole, text_of
from tupelo.io.workspace import open_workspace
from tupelo.nlp.values import words_of
from tupelo.scorers.rouge import rouge

if TYPE_CHECKING:
    from tupelo.checking.check import ClaimChecker
    from tupelo.checking.network import ClaimReader
    from tupelo.checking.stages import PairsPartition
    from tupelo.core.stages import Table
    from tupelo.factmodels.metric import FactMetric


PAIR_FORMATS = sorted(FORMATS)
# Documents of a folder that are all read, and those that are read for each sentence if there are more.
_MANY, _PER_SENTENCE = 32, 5
# Characters of what was fed before that are read again for pronouns.
_REMEMBERED = 500
Text = str | Path | TextIO
Pairs = str | Path | Iterable[JudgedText | tuple[str, str | Sequence[str]] | Mapping[str, Any]]


class Checker:
    """Checks texts against sources; models are loaded once, on first use.

    `network` is the folder or the name of another support model than the shipped one, or an object that reads claims.
    `extractor` finds the claims. `fact_accuracy` names methods for which Equation 1 of Goodrich et al. (2019) is
    computed as well, such as `classifier`, or `classifier=FOLDER` for a model of your own. With `abstain=(0.4, 0.6)`,
    claims with such a probability get no verdict. `limits` says how much of a file is read (`{"document": "200MB"}`).

    >>> checker = Checker()
    >>> checked = checker("Rosa bought six apples.", "On Monday Rosa bought five apples at the market.")
    >>> [(claim.verdict.value, claim.reason) for claim in checked.claims]
    [('refuted', 'the source has five apples, not six apples')]
    """

    def __init__(
        self,
        *,
        network: Annotated[
            str | Path | ClaimReader | None,
            Spelled.of("NAME|FOLDER"),
            "Another support model: an installed one, or one that you trained.",
        ] = None,
        extractor: Annotated[ExtractorName, "What finds the claims."] = "default",
        fact_accuracy: Annotated[
            Sequence[str],
            Spelled.of("--fact-acc", "NAME[=FOLDER]"),
            "Equation 1 as well, over the facts of classifier, sentence, binary, end-to-end, reduced, openie or "
            "openie-canonical; FOLDER is a model of your own. Repeat.",
        ] = (),
        abstain: Annotated[
            tuple[float, float] | None,
            Between(0, 1),
            Spelled.of("LOW HIGH"),
            "Leave claims undecided whose probability is from LOW to HIGH (around 0.5); gates do not count them.",
        ] = None,
        nlp: Toolkit | None = None,
        limits: SizeLimits = None,
    ) -> None:
        if abstain is not None and not 0 <= abstain[0] <= SUPPORTED_FROM <= abstain[1] <= 1:
            raise InputError(f"abstain={abstain}, expected two probabilities with {SUPPORTED_FROM} between them")
        self._undecided = abstain
        self._limits = Limits.of(limits)
        self._network = network
        # The sources of a text that is fed sentence by sentence, its question, and the end of what was said so far.
        self._fed: tuple[Sequence[Text], str, str] | None = None
        self._methods = dict(_method_and_folder(given) for given in fact_accuracy)
        self._extractor = extractor if nlp is None else None
        self.toolkit = nlp or load(extractor=extractor)

    def __repr__(self) -> str:
        return f"<Checker: {self.toolkit!r}>"

    @cached_property
    def _checker(self) -> ClaimChecker:
        from tupelo.checking.check import ClaimChecker
        from tupelo.checking.network import load_network

        given = self._network
        network = load_network(given) if given is None or isinstance(given, str | Path) else given
        return ClaimChecker(self.toolkit.pipeline, network, undecided=self._undecided)

    @cached_property
    def _metrics(self) -> dict[str, FactMetric]:
        return fact_metrics(self._methods.items()).of(self.toolkit.pipeline)

    def __call__(self, text: Text, source: Text | Sequence[Text], *, question: str = "") -> Checked:
        """Check one text, with a verdict on each claim. A string is the text itself; a path or file is read.

        Several sources are passages of one: a claim may be supported by any of them. The path of a folder stands for
        all documents below it, that of a graph for its documents; of many, those that share most with a sentence of
        the text are read. `question` is what the text answers.
        """
        from tupelo.checking.stages import with_facts

        # Markdown is read as it is written: its headings claim nothing, and characters are counted in the file.
        is_markdown = isinstance(text, Path) and format_of(text.name) == "markdown"
        whole = read_whole(str(text), self._limits) if is_markdown else text_of(text, self._limits)
        checked = self._check(whole, _parts(source), question)
        passages = checked.passages
        overlaps = rouge(checked.text, "\n\n".join(passages))
        with_rouge = replace(checked, rouge={name: overlap.f1 for name, overlap in overlaps.items()})
        return with_facts(with_rouge, self._metrics) if self._methods else with_rouge

    def feed(self, text: str, source: Text | Sequence[Text] | None = None, *, question: str = "") -> Checked:
        """Check the next sentence, or sentences, of a text while it is written, as a chat streams it.

        `source` begins a new text, which may answer a `question`. Pronouns may refer to what was fed before.
        """
        if source is not None:
            # Files and streams are read once; of folders and graphs, what a sentence needs.
            parts = [one if _has_many(one) else text_of(one, self._limits) for one in _parts(source)]
            self._fed = parts, question, ""
        if self._fed is None:
            raise InputError("nothing to check against, expected a source with the first sentence")
        checked = self._check(text, *self._fed)
        self._fed = *self._fed[:2], f"{self._fed[2]} {text}".strip()[-_REMEMBERED:]
        return checked

    def _check(self, text: str, parts: Sequence[Text], question: str, said: str = "") -> Checked:
        found = [passage for part in parts for passage in self._passages(part, text)]
        names = tuple(name for name, _ in found)
        checked = self._checker(text, [passage for _, passage in found], question, said)
        return replace(checked, names=names if any(names) else ())

    def _passages(self, source: Text, text: str) -> list[tuple[str, str]]:
        """The texts of a source, each with the name of its document if it is in a folder or a graph."""
        if not isinstance(source, Path) or not _has_many(source):
            return [("", text_of(source, self._limits))]
        from tupelo.nlp.pipeline import split_text

        sentences = [one.text for one in split_text(text)]
        if not source.is_dir():
            return _graph_passages(source, sentences)
        documents = list(read_folder(str(source), self._limits).items())
        if len(documents) <= _MANY:
            return documents
        chosen = choose_passages(map(words_of, sentences), [words_of(one) for _, one in documents], _PER_SENTENCE)
        return [documents[number] for number in chosen]

    def pairs(
        self,
        pairs: Pairs,
        *,
        format: str = "pairs",
        sources: str | Path | None = None,
        progress: Progress | None = None,
    ) -> Iterator[CheckedPair]:
        """Check the texts of a collection: a file in one of `PAIR_FORMATS`, or texts with their sources in memory.

        In memory, a pair is `(text, source)`, or a mapping with the fields of a line of such a file: a text, a source
        or a list of them, perhaps a question and an id; or the turns of a chat as `messages`. `sources` is a file
        with sources by id, for collections without them.
        """
        from tupelo.checking.stages import passages_of, words_of

        texts = _read_pairs(pairs, format, sources)
        advance = track(progress, "checking", len(texts))
        for text in texts:
            passages = passages_of(text)
            try:
                checked = None if passages is None else self(words_of(text), passages, question=text.question)
                yield CheckedPair(text.id, checked)
            except TupeloError:
                raise
            except Exception as error:  # unforeseen, so it may be of any type
                warn_of_failures([f"{text.id}: {reason_of(error)}"])
                yield CheckedPair(text.id, None, reason_of(error))
            advance(1)

    def collection(
        self,
        pairs: Pairs,
        output: str | Path,
        *,
        format: str = "pairs",
        sources: str | Path | None = None,
        workers: int = 1,
        work: PathLike | None = None,
        since: PathLike | None = None,
        progress: Progress | None = None,
    ) -> CheckedCollection:
        """Check a collection and write a JSON line for each text: figures, claims, evidence, spans; `-` prints them.

        `pairs`, `format` and `sources` are those of `pairs`. `workers` processes share the work, each with models of
        its own. Finished parts are kept in `work`, by default beside the output until it is written: the same call
        resumes an interrupted one. `since` is such an output of an earlier run: `changes` are then the claims
        that fail, or no longer do.
        """
        from tupelo.checking.stages import CheckPairs, partition_pairs

        before = None if since is None else read_claims(str(since))

        if self._extractor is None or not isinstance(self._network, str | Path | None):
            raise InputError(
                "a checker with objects of its own, expected names and folders, which every process opens"
            )
        texts = _read_pairs(pairs, format, sources)
        require_one_each(text.id for text in texts)
        network = "" if self._network is None else str(self._network)
        stage = CheckPairs(network, self._extractor, fact_metrics(self._methods.items()), self._undecided)
        partitions = partition_pairs(texts)
        found = []
        with open_workspace(work, str(output)) as workspace:
            with open_engine("local", workspace, workers) as engine:
                table = engine.run(stage, partitions, track(progress, "checking", len(partitions)))
            failures = _failures(table, partitions)
            lines = {row["id"]: row["line"] for row in read_rows(table)}
            with open_output(output) as stream:
                for text in texts:
                    failed = CheckedPair(text.id, None, failures.get(text.id)).to_dict()
                    line = lines.get(text.id) or json.dumps(failed, ensure_ascii=False)
                    found.append(json.loads(line))
                    stream.write(f"{line}\n".encode())
        report = _collected(texts, found, before)
        return replace(report, failures=tuple(f"{name}: {reason}" for name, reason in failures.items()))


def _parts(source: Text | Sequence[Text]) -> Sequence[Text]:
    return source if isinstance(source, Sequence) and not isinstance(source, str) else [source]


def _has_many(source: Text) -> bool:
    """Whether a source is a folder of documents or a graph."""
    return isinstance(source, Path) and (source.is_dir() or is_database(str(source)))


def _graph_passages(graph: Path, sentences: Iterable[str]) -> list[tuple[str, str]]:
    """The passages of a graph that are nearest to any of some sentences."""
    from tupelo.api.graph import Graph

    with Graph.open(graph) as opened:
        answers = (passage for one in sentences for passage in opened.retrieve(one, limit=_PER_SENTENCE))
        return list(dict.fromkeys((str(passage.source), str(passage.text)) for passage in answers))


def check(
    text: Text,
    source: Text | Sequence[Text],
    *,
    question: str = "",
    network: str | Path | None = None,
    extractor: str = "default",
    fact_accuracy: Sequence[str] = (),
    limits: LimitsGiven = None,
    progress: Progress | None = None,
) -> Checked:
    """Check a text against its source, or several, claim by claim. Use a `Checker` to check many.

    >>> checked = check("Rosa bought six apples.", "Rosa bought five apples.")
    >>> checked.counts()
    {'supported': 0, 'refuted': 1, 'overstated': 0, 'unverifiable': 0, 'abstained': 0}
    """
    advance = track(progress, "checking", 1)
    checker = Checker(network=network, extractor=extractor, fact_accuracy=fact_accuracy, limits=limits)
    checked = checker(text, source, question=question)
    advance(1)
    return checked


def _collected(
    texts: Sequence[JudgedText], found: Sequence[Mapping[str, Any]], before: Mapping[str, Claims] | None
) -> CheckedCollection:
    from tupelo.scorers.factuality import changed_claims, label_agreement

    counts = Counter(claim["verdict"] for one in found for claim in one["claims"])
    judged = [
        (one["least"], text.label)
        for text, one in zip(texts, found, strict=True)
        if text.label is not None and one["least"] is not None
    ]
    accuracy, auc = label_agreement([one for one, _ in judged], [label for _, label in judged])
    return CheckedCollection(
        len(found),
        sum(one["score"] is None for one in found),
        mean(one["score"] for one in found),
        {verdict.value: counts[verdict.value] for verdict in Verdict},
        accuracy,
        auc,
        changes=[] if before is None else changed_claims(before, {one["id"]: one["claims"] for one in found}),
    )


def _failures(table: Table, partitions: Iterable[PairsPartition]) -> dict[str, str]:
    """Ids of texts that could not be checked, with the reasons; a lost partition stands for all of its texts."""
    texts = {partition.key: [row[0] for row in partition.rows] for partition in partitions}
    return {name: lost.reason for lost in table.failures for name in texts.get(lost.record, [lost.record])}


def _method_and_folder(given: str) -> tuple[str, str | None]:
    from tupelo.factmodels.metric import metric_names

    name, _, folder = given.partition("=")
    require_name("method of fact accuracy", name, metric_names())
    return name, folder or None


def _read_pairs(pairs: Pairs, format: str, sources: str | Path | None) -> list[JudgedText]:
    if not isinstance(pairs, str | Path):
        require_items(pairs, "a path, or an iterable of texts with their sources")
        return [judged_pair(pair, place) for place, pair in enumerate(pairs)]
    texts, _ = read_judgements(str(pairs), format)
    if sources is not None:
        found, _ = completed(texts, read_by_id(str(sources), "source"), {})
        by_id = {text.id: text for text in found}
        return [by_id.get(text.id, text) for text in texts]
    without = next((text.id for text in texts if text.source is None), None)
    if without is not None:
        raise InputError(
            f"{pairs}: text '{without}' comes without its source, expected a collection with sources, or a file with "
            "them (--sources)"
        )
    return texts
