"""The result of a check: claims with verdicts and evidence, as text, JSON, rows and HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from html import escape
from typing import Any

from tupelo.core.results import Tabular, page_head
from tupelo.facts.accuracy import Accuracy
from tupelo.facts.calibration import Findings, SentenceFindings


class Verdict(Enum):
    """The verdict of a source on a claim."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"


_MARKS = {Verdict.SUPPORTED: "+", Verdict.REFUTED: "x", Verdict.UNVERIFIABLE: "?"}
_COLOURS = {
    Verdict.SUPPORTED: "15, 157, 88",
    Verdict.REFUTED: "209, 73, 91",
    Verdict.UNVERIFIABLE: "234, 134, 0",
}
_STYLE = """
:root { color-scheme: light dark; --soft: color-mix(in srgb, currentColor 14%, transparent) }
body { font: 16px/1.6 system-ui, sans-serif; max-width: 78rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 2rem }
@media (max-width: 50rem) { main { grid-template-columns: 1fr } }
section p { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere }
.sentence { border-top: 1px solid var(--soft); padding: .6rem 0 }
.claim { display: block; margin: .3rem 0 .3rem 1rem; overflow-wrap: anywhere; color: inherit; text-decoration: none }
.claim, .kind { padding: .15rem .5rem; border-radius: .3rem }
.claim small { opacity: .75 }
.source p { padding: .15rem .4rem; border-left: .25rem solid transparent }
.source p:target { border-color: currentColor; background: var(--soft) }
"""


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim. `words` are indices into the generated sentence, `evidence` into the sentences of the source."""

    text: str
    words: tuple[int, ...]
    verdict: Verdict
    findings: Findings
    evidence: int | None
    reason: str

    @property
    def support(self) -> float:
        return self.findings.support

    @property
    def probability(self) -> float:
        return self.findings.probability


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of the generated text with its claims; `missing` are the words that the source does not have."""

    text: str
    start: int
    findings: SentenceFindings | None
    claims: tuple[Claim, ...]
    missing: tuple[str, ...]

    @property
    def score(self) -> float | None:
        return None if self.findings is None else self.findings.score


@dataclass(frozen=True)
class Checked(Tabular):
    """A generated text, checked against its source. `print` shows it as text, a notebook as a page.

    `score` and `accuracy` are `None` if there is nothing to check; `reason` says why. `rouge` is the overlap of
    words with the source, `fact_accuracy` Equation 1 by method, if requested.
    """

    score: float | None
    accuracy: float | None
    sentences: tuple[CheckedSentence, ...]
    source: tuple[str, ...]
    reason: str = ""
    rouge: Mapping[str, float] = field(default_factory=dict)
    fact_accuracy: Mapping[str, Accuracy] = field(default_factory=dict)

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(claim for sentence in self.sentences for claim in sentence.claims)

    def count(self, verdict: Verdict) -> int:
        return sum(claim.verdict is verdict for claim in self.claims)

    def counts(self) -> dict[str, int]:
        """The number of claims with each verdict."""
        return {verdict.value: self.count(verdict) for verdict in Verdict}

    def rows(self) -> list[dict[str, Any]]:
        """One row per claim, with its sentence and its evidence."""
        return [
            {
                "text": claim.text,
                "verdict": claim.verdict.value,
                "support": claim.support,
                "probability": claim.probability,
                "reason": claim.reason,
                "sentence": sentence.text,
                "evidence": None if claim.evidence is None else self.source[claim.evidence],
            }
            for sentence in self.sentences
            for claim in sentence.claims
        ]

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo check --json`."""
        facts = {"fact_acc": {name: one.to_dict() for name, one in self.fact_accuracy.items()}}
        return {
            "score": self.score,
            "accuracy": self.accuracy,
            "reason": self.reason or None,
            **self.counts(),
            "claims": self.rows(),
            "rouge": dict(self.rouge),
            **(facts if self.fact_accuracy else {}),
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        for sentence in self.sentences:
            yield sentence.text
            for claim in sentence.claims:
                note = f"  ({claim.reason})" if claim.reason else ""
                yield f"  {_MARKS[claim.verdict]} {claim.probability:.2f}  {claim.text}{note}"
                if claim.evidence is not None and claim.verdict is not Verdict.UNVERIFIABLE:
                    yield f"            source: {self.source[claim.evidence]}"
        score = "–" if self.score is None else f"{self.score:.3f}"
        accuracy = "–" if self.accuracy is None else f"{self.accuracy:.3f}"
        reason = f"; {self.reason}" if self.reason else ""
        yield f"score {score}  accuracy {accuracy}   ({self._counted()}{reason})"
        for name, found in self.fact_accuracy.items():
            yield from found.lines(name)

    def _counted(self) -> str:
        return ", ".join(f"{number} {verdict}" for verdict, number in self.counts().items())

    def page(self, title: str = "Checked text") -> str:
        """A standalone page: claims coloured by verdict and linked to their evidence. Everything is escaped."""
        return f"{page_head(title, _STYLE)}{self._body()}</body>\n</html>\n"

    def _repr_html_(self) -> str:
        return self._body()

    def _body(self) -> str:
        score = "no score" if self.score is None else f"score {self.score:.2f}"
        accuracy = "no accuracy" if self.accuracy is None else f"accuracy {self.accuracy:.2f}"
        reason = f" ({self.reason})" if self.reason else ""
        legend = " ".join(
            f'<span class="kind" {_background(verdict)}>{escape(verdict.value)}</span>' for verdict in Verdict
        )
        left = "".join(
            f'<div class="sentence"><p>{escape(sentence.text)}</p>\n{"".join(map(_boxed, sentence.claims))}</div>\n'
            for sentence in self.sentences
        )
        right = "".join(f'<p id="s{number}">{escape(text)}</p>\n' for number, text in enumerate(self.source))
        return (
            f"<p>{escape(f'{score}, {accuracy}{reason}')}; {self._counted()}. {legend}</p>\n<main>\n"
            f"<section><h2>Generated</h2>\n{left}</section>\n"
            f'<section class="source"><h2>Source</h2>\n{right}</section>\n</main>\n'
        )


def _boxed(claim: Claim) -> str:
    note = f" – {escape(claim.reason)}" if claim.reason else ""
    text = f"{escape(claim.text)} <small>{claim.verdict.value} {claim.probability:.2f}{note}</small>"
    if claim.evidence is None:
        return f'<span class="claim" {_background(claim.verdict)}>{text}</span>\n'
    return f'<a class="claim" {_background(claim.verdict)} href="#s{claim.evidence}">{text}</a>\n'


def _background(verdict: Verdict) -> str:
    return f'style="background: rgba({_COLOURS[verdict]}, .18)"'


@dataclass(frozen=True, slots=True)
class CheckedPair:
    """A text of a collection with its id; `checked` is `None` if its source is unknown."""

    id: str
    checked: Checked | None

    @property
    def accuracy(self) -> float | None:
        return None if self.checked is None else self.checked.accuracy

    def to_dict(self) -> dict[str, Any]:
        """One line of `tupelo check --pairs`."""
        found = self.checked
        if found is None:
            return {"id": self.id, "score": None, "accuracy": None, "reason": "its source is unknown"}
        facts = {"fact_acc": {name: one.value for name, one in found.fact_accuracy.items()}}
        return {
            "id": self.id,
            "score": found.score,
            "accuracy": found.accuracy,
            **found.counts(),
            **(facts if found.fact_accuracy else {}),
            **({"reason": found.reason} if found.reason else {}),
        }


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the known values.

    >>> mean([1.0, None, 0.5])
    0.75
    """
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None
