"""From findings to a probability and a verdict: what holds for any findings and any fitted curve."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tupelo.checking.checked import (
    FEATURES,
    Checked,
    CheckedSentence,
    Claim,
    Curve,
    Findings,
    Verdict,
    odds,
    verdict_of,
)
from tupelo.core import Span
from tupelo.core.judgement import Gate

SHARE = st.floats(0, 1)
FINDINGS = st.builds(Findings, SHARE, SHARE, SHARE, *[st.booleans()] * 5)
CURVES = st.lists(st.floats(-5, 5), min_size=len(FEATURES), max_size=len(FEATURES)).map(
    lambda weights: Curve(dict(zip(FEATURES, weights, strict=True)))
)


def judged(curve: Curve, findings: Findings) -> Claim:
    probability = curve.probability(findings)
    return Claim("a", (0,), (Span(0, 1),), verdict_of(probability, findings), probability, findings)


@given(CURVES, FINDINGS)
def test_verdicts_agree_with_probabilities(curve: Curve, findings: Findings) -> None:
    claim = judged(curve, findings)
    assert claim.probability is not None
    if claim.verdict is Verdict.SUPPORTED:
        assert claim.probability >= 0.5
    else:
        assert claim.probability < 0.5
    if claim.verdict is Verdict.REFUTED:
        assert claim.probability <= 0.22
        assert findings.refutes or findings.contradicted
    if findings.contradicted:
        assert claim.verdict is Verdict.REFUTED


@given(CURVES, st.lists(FINDINGS, max_size=5))
def test_the_score_is_the_expected_share_of_supported_claims(curve: Curve, found: list[Findings]) -> None:
    claims = tuple(judged(curve, findings) for findings in found)
    abstention = Claim("b", (0,), (Span(0, 1),), Verdict.ABSTAINED)
    checked = Checked("a", (CheckedSentence("a", 0, (*claims, abstention)),), ("a",), ())
    if not claims:
        assert (checked.score, checked.supported, checked.accuracy, checked.least) == (None, None, None, None)
        return
    chances = [claim.probability or 0.0 for claim in claims]
    assert checked.score == pytest.approx(sum(chances) / len(chances))
    assert checked.least == min(chances)
    assert checked.supported == sum(chance >= 0.5 for chance in chances) / len(chances)


def test_a_curve_has_a_weight_for_every_feature_and_no_other() -> None:
    for weights in ({}, dict.fromkeys(FEATURES[1:], 1.0), dict.fromkeys([*FEATURES, "mood"], 1.0)):
        with pytest.raises(ValueError, match="expected constant, supported, refuted"):
            Curve(weights)


def test_certainty_is_limited() -> None:
    assert odds(0) == odds(1e-9) == pytest.approx(-odds(1))
    assert odds(0.5) == 0


@pytest.mark.parametrize(
    ("gate", "counts", "failure"),
    [
        (Gate(), {}, ""),
        (Gate(min_supported=0.9), {"supported": 9, "refuted": 0, "unverifiable": 1}, ""),
        (
            Gate(min_supported=0.9),
            {"supported": 1, "unverifiable": 3},
            "0.2500 of the claims are supported, asked for 0.9",
        ),
        (Gate(min_supported=0.9), {"abstained": 2}, ""),
        (Gate(min_supported=0.0), {"supported": 0}, "nothing could be checked (why)"),
        (Gate(max_unsupported=1), {"refuted": 1}, ""),
        (
            Gate(max_unsupported=1),
            {"refuted": 1, "unverifiable": 1},
            "claims that are not supported: 2, asked for at most 1",
        ),
        (Gate(fail_on=["refuted"]), {"supported": 1, "unverifiable": 4}, ""),
        (Gate(fail_on=["refuted", "abstained"]), {"abstained": 1}, "abstained claims: 1, asked for none"),
    ],
)
def test_a_gate_says_what_does_not_hold(gate: Gate, counts: dict[str, int], failure: str) -> None:
    assert gate.failure(counts, "why") == failure
