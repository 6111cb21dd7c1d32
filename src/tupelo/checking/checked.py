"""The result of a check: claims with verdicts and evidence, as text, JSON and rows.

A fitted curve makes the findings about a claim one probability, and the verdict always agrees with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from math import log
from typing import Any

from tupelo.core import Span
from tupelo.core.judgement import FactAccuracy
from tupelo.core.numeric import mean, sigmoid
from tupelo.core.registry import view
from tupelo.core.results import Tabular, values_of

FEATURES = ("constant", "supported", "refuted", "least", "confirmed", "lacking")
SUPPORTED_FROM, REFUTED_UP_TO = 0.5, 0.22
_OVERSTATED_UP_TO = 0.49
_SURE = 1e-4


class Verdict(Enum):
    """The verdict on a claim.

    `overstated`: the source has it with a reservation that the claim leaves out. `abstained` is for a sentence that
    says that it does not know, and for a claim whose probability is in the band where the checker does not decide.
    """

    SUPPORTED = "supported"
    REFUTED = "refuted"
    OVERSTATED = "overstated"
    UNVERIFIABLE = "unverifiable"
    ABSTAINED = "abstained"


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings about a claim, as probabilities.

    `refutes`: the evidence refutes the claim rather than saying nothing about it. `contradicted`: a calculation gives
    another value. `overstated`: the source has the claim as possible, planned, believed or conditional only.
    `confirmed` and `lacking`: a value follows from those of the source; nothing gives it.
    """

    supported: float
    refuted: float
    least: float
    confirmed: bool = False
    refutes: bool = False
    contradicted: bool = False
    overstated: bool = False
    lacking: bool = False

    @property
    def features(self) -> tuple[float, ...]:
        """The values of `FEATURES`."""
        return (
            1.0,
            odds(self.supported),
            odds(self.refuted),
            odds(self.least),
            float(self.confirmed),
            float(self.lacking),
        )


@dataclass(frozen=True, slots=True)
class Curve:
    """A logistic curve: the fitted weights of `FEATURES`.

    | feature | meaning |
    | --- | --- |
    | `constant` | 1 |
    | `supported` | log odds that the best sentences of the source, read together, support the claim |
    | `refuted` | log odds that they refute it |
    | `least` | log odds of the claim's least likely subword |
    | `confirmed` | 1 if a calculation gives a value that the source does not have literally |
    | `lacking` | 1 if nothing gives a value, or a member of a list |

    `python -m tupelo_training.support.calibrate` fits it to judged claims of texts that a network was not trained on.
    A computed contradiction is no feature: it is hard, and scales the probability below the threshold of refuted
    claims. A reservation of the source scales it below that of supported ones.
    """

    weights: Mapping[str, float]

    def __post_init__(self) -> None:
        if set(self.weights) != set(FEATURES):
            raise ValueError(f"weights of {', '.join(self.weights) or 'nothing'}, expected {', '.join(FEATURES)}")

    def probability(self, findings: Findings) -> float:
        """The probability that a claim is supported."""
        total = sum(self.weights[name] * value for name, value in zip(FEATURES, findings.features, strict=True))
        doubted = _OVERSTATED_UP_TO if findings.overstated else 1.0
        return sigmoid(total) * (REFUTED_UP_TO if findings.contradicted else doubted)


def verdict_of(probability: float, findings: Findings) -> Verdict:
    """Supported from 0.5 on, refuted up to 0.22 where something contradicts the claim, else unverifiable.

    A claim that leaves out a reservation of the source is overstated, also where the network refutes it for that.
    """
    if probability >= SUPPORTED_FROM:
        return Verdict.SUPPORTED
    if findings.overstated and not findings.contradicted:
        return Verdict.OVERSTATED
    is_refuted = probability <= REFUTED_UP_TO and (findings.refutes or findings.contradicted)
    return Verdict.REFUTED if is_refuted else Verdict.UNVERIFIABLE


def odds(probability: float) -> float:
    """Log odds, clipped."""
    safe = min(max(probability, _SURE), 1 - _SURE)
    return log(safe / (1 - safe))


MARKS = {
    Verdict.SUPPORTED: "+",
    Verdict.REFUTED: "x",
    Verdict.OVERSTATED: "!",
    Verdict.UNVERIFIABLE: "?",
    Verdict.ABSTAINED: "-",
}
# A sentence is as good as the worst of its claims.
_WORST_FIRST = (Verdict.REFUTED, Verdict.OVERSTATED, Verdict.UNVERIFIABLE, Verdict.ABSTAINED, Verdict.SUPPORTED)


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """A sentence of the source that begins at character `start` of passage number `passage`."""

    text: str
    passage: int
    start: int

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "source": self.passage, "start": self.start, "end": self.start + len(self.text)}


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: its words in the sentence, and their characters in the whole text.

    `evidence` are the sentences of the source that decided, the most important one first. A sentence that says that
    it does not know has neither evidence nor a probability.
    """

    text: str
    words: tuple[int, ...]
    spans: tuple[Span, ...]
    verdict: Verdict
    probability: float | None = None
    findings: Findings | None = None
    evidence: tuple[int, ...] = ()
    reason: str = ""

    def decided(self, band: tuple[float, float] | None) -> Claim:
        """The same without a verdict if its probability is in a band of those that decide nothing."""
        if band is None or self.probability is None or not band[0] <= self.probability < band[1]:
            return self
        reason = f"undecided from {band[0]:g} to {band[1]:g}{self.reason and ': '}{self.reason}"
        return replace(self, verdict=Verdict.ABSTAINED, reason=reason)


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence that begins at character `start` of the text, with its claims."""

    text: str
    start: int
    claims: tuple[Claim, ...]

    @property
    def verdict(self) -> Verdict | None:
        """The worst verdict on its claims; `None` if it makes none."""
        found = {claim.verdict for claim in self.claims}
        return next((verdict for verdict in _WORST_FIRST if verdict in found), None)

    @property
    def score(self) -> float | None:
        """The expected share of its claims that are supported."""
        return mean(claim.probability for claim in self.claims)


@dataclass(frozen=True, repr=False)
class Checked(Tabular):
    """A text, checked against its source. `print` shows it as text, a notebook as a page.

    `passages` are the texts of the source, `source` their sentences. If there is nothing to check, `reason` says
    why. `rouge` is the overlap of words with the source, `fact_accuracy` Equation 1 by method, if requested.
    `names` are those of the documents that the passages are from, if they were found in a folder or a graph.
    """

    text: str
    sentences: tuple[CheckedSentence, ...]
    passages: tuple[str, ...]
    source: tuple[SourceSentence, ...]
    reason: str = ""
    rouge: Mapping[str, float] = field(default_factory=dict)
    fact_accuracy: Mapping[str, FactAccuracy] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(claim for sentence in self.sentences for claim in sentence.claims)

    @property
    def score(self) -> float | None:
        """The expected share of supported claims: the mean of their probabilities. `None` if there are none."""
        return mean(claim.probability for claim in self.claims)

    @property
    def least(self) -> float | None:
        """The probability of the claim that is least likely supported: a text is as faithful as its worst claim."""
        return min((claim.probability for claim in self.claims if claim.probability is not None), default=None)

    @property
    def accuracy(self) -> float | None:
        """The share of supported claims among those that are supported or refuted, as in Equation 1."""
        counts = self.counts()
        checked = counts["supported"] + counts["refuted"]
        return counts["supported"] / checked if checked else None

    @property
    def supported(self) -> float | None:
        """The share of claims that are supported; abstentions are no claims."""
        counts = self.counts()
        total = sum(counts.values()) - counts["abstained"]
        return counts["supported"] / total if total else None

    def count(self, verdict: Verdict) -> int:
        return sum(claim.verdict is verdict for claim in self.claims)

    def counts(self) -> dict[str, int]:
        """The number of claims with each verdict."""
        return {verdict.value: self.count(verdict) for verdict in Verdict}

    def evidence(self, claim: Claim) -> list[SourceSentence]:
        """The sentences of the source that decided about a claim."""
        return [self.source[number] for number in claim.evidence]

    def rows(self) -> list[dict[str, Any]]:
        """One row per claim, with its sentence, its characters in the text, and its evidence."""
        return [
            {
                "text": claim.text,
                "verdict": claim.verdict.value,
                "probability": claim.probability,
                "reason": claim.reason,
                "sentence": sentence.text,
                "spans": [[span.start, span.end] for span in claim.spans],
                "evidence": [{**one.to_dict(), **self._name(one)} for one in self.evidence(claim)],
            }
            for sentence in self.sentences
            for claim in sentence.claims
        ]

    def figures(self) -> dict[str, Any]:
        """The figures of the whole text."""
        facts = {"fact_acc": {name: one.value for name, one in self.fact_accuracy.items()}}
        return {
            "score": self.score,
            "least": self.least,
            "supported_share": self.supported,
            "accuracy": self.accuracy,
            "reason": self.reason or None,
            **self.counts(),
            **(facts if self.fact_accuracy else {}),
        }

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo check --json`."""
        facts = {"fact_acc": {name: one.to_dict() for name, one in self.fact_accuracy.items()}}
        return {
            **self.figures(),
            "claims": self.rows(),
            "rouge": dict(self.rouge),
            **(facts if self.fact_accuracy else {}),
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def __repr__(self) -> str:
        found = ", ".join(f"{count:,} {verdict}" for verdict, count in self.counts().items() if count)
        return f"<Checked: {found or 'no claims'}>"

    def _lines(self) -> Iterator[str]:
        for sentence in self.sentences:
            yield sentence.text
            for claim in sentence.claims:
                note = f"  ({claim.reason})" if claim.reason else ""
                chance = "    " if claim.probability is None else f"{claim.probability:.2f}"
                yield f"  {MARKS[claim.verdict]} {chance}  {claim.text}{note}"
                for one in self.evidence(claim):
                    number = f" {one.passage + 1}" if len(self.passages) > 1 else ""
                    yield f"            {self._name(one).get('name', f'source{number}')}: {one.text}"
        yield f"score {shown(self.score)}  supported {shown(self.supported)}   ({self.summary()})"
        for name, found in self.fact_accuracy.items():
            yield from found.lines(name)

    def _name(self, one: SourceSentence) -> dict[str, str]:
        return {"name": self.names[one.passage]} if self.names else {}

    def summary(self) -> str:
        """The counts of verdicts, and why there are none."""
        counted = ", ".join(f"{number} {verdict}" for verdict, number in self.counts().items())
        return f"{counted}; {self.reason}" if self.reason else counted

    def page(self, title: str = "Checked text") -> str:
        """A standalone page: the text with every sentence coloured, its claims and their evidence beside it."""
        return view(self, "page", title)


def shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"


@dataclass(frozen=True, slots=True)
class CheckedPair:
    """A text of a collection with its id; `checked` is `None` if its source is unknown, or after a `failure`."""

    id: str
    checked: Checked | None
    failure: str | None = None

    @property
    def score(self) -> float | None:
        return None if self.checked is None else self.checked.score

    def to_dict(self) -> dict[str, Any]:
        """One line of `tupelo check --pairs`."""
        if self.checked is None:
            reason = "its source is unknown" if self.failure is None else f"failed: {self.failure}"
            return {"id": self.id, "score": None, "least": None, "reason": reason, "claims": []}
        return {"id": self.id, **self.checked.figures(), "claims": self.checked.rows()}


@dataclass(frozen=True, slots=True)
class CheckedCollection:
    """Figures of a checked collection: claims by verdict, and agreement with labels where there are some.

    `balanced_accuracy` (a text is called faithful if all of its claims are supported) and `auc` are `None` without
    labels of both kinds.
    """

    texts: int
    unscored: int
    score: float | None
    counts: Mapping[str, int]
    balanced_accuracy: float | None
    auc: float | None
    # Texts that could not be checked, with the reasons.
    failures: tuple[str, ...] = ()
    # Texts with the claims that fail, or no longer do, since an earlier run.
    changes: Sequence[Mapping[str, Any]] = ()

    def to_dict(self) -> dict[str, Any]:
        """The figures by name."""
        return {
            **values_of(self, "texts", "unscored", "score"),
            **self.counts,
            **values_of(self, "balanced_accuracy", "auc"),
            **({"failures": list(self.failures)} if self.failures else {}),
            **({"changes": list(self.changes)} if self.changes else {}),
        }

    def __str__(self) -> str:
        counted = ", ".join(f"{number} {verdict}" for verdict, number in self.counts.items())
        lines = [f"{self.texts} texts, {self.unscored} without a score; score {shown(self.score)}   ({counted})"]
        if self.balanced_accuracy is not None and self.auc is not None:
            lines.append(f"labels: balanced accuracy {100 * self.balanced_accuracy:.1f}, AUC {self.auc:.3f}")
        for change in self.changes:
            lines += [f"{change['id']}: fails: {claim}" for claim in change["failing"]]
            lines += [f"{change['id']}: no longer fails: {claim}" for claim in change["mended"]]
        return "\n".join(lines)
