"""Table 6 of Goodrich et al. (KDD 2019): how many facts that distant labels take for wrong are true.

Distant labels know only facts that a knowledge base has. `collect` gathers what methods found besides in a random set
of texts, as items of the annotation task `claims`: the text, and its facts in random order, without the methods that
found them. `judge_collected` reads everybody's answers: a fact is true if all who judged it, two or more, found that
the text supports it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from papers import printed_by
from tupelo.core import FormatError, InputError, Triple
from tupelo.factmodels.pairs import PairModel
from tupelo.io.files import InputFile
from tupelo.io.json_items import line_objects
from tupelo.scorers.agreement import krippendorff_alpha
from tupelo_training.calibration import wilson_interval

_PRINTED = printed_by("factual_accuracy")["false_positives"]
_SUPPORTED = "supported"
_FEWEST_ANSWERS = 2


def collect(
    texts: Sequence[str], wrong: Mapping[str, Sequence[Sequence[Triple]]], articles: int, seed: int
) -> list[dict[str, Any]]:
    """Items of the task `claims` for at most `articles` texts; `wrong` has facts by method and text.

    `methods` of an item says who found each claim; people do not see it.
    """
    named = _relation_names()
    draw = random.Random(seed)
    items: list[dict[str, Any]] = []
    for place in draw.sample(range(len(texts)), len(texts)):
        found: dict[str, list[str]] = {}
        for method, facts in wrong.items():
            for fact in facts[place]:
                claim = f"{fact.subject} | {named.get(fact.relation, fact.relation)} | {fact.object}"
                found.setdefault(claim, []).append(method)
        if found and len(items) < articles:
            claims = draw.sample(list(found), len(found))
            methods = [found[claim] for claim in claims]
            items.append({"id": f"text-{place + 1}", "source": texts[place], "claims": claims, "methods": methods})
    if not items:
        raise InputError("there is nothing to judge: every fact that was found is among the known ones")
    return items


def judge_collected(collected: str, annotated: str) -> dict[str, Any]:
    """The share of facts that people found true, by method and by annotator, and how far they agree."""
    methods = _methods(collected)
    answers: dict[str, dict[str, str]] = {}
    with InputFile(annotated) as file:
        for number, row in line_objects(file.lines()):
            claim, label, annotator = (row.get(name) for name in ("id", "label", "annotator"))
            if not isinstance(claim, str) or not isinstance(label, str) or not isinstance(annotator, str):
                expected = "id, label and annotator, as in `tupelo annotate export --what answers`"
                raise FormatError(file.name, number, "no answer about a claim", expected)
            if claim not in methods:
                raise FormatError(file.name, number, f"the claim '{claim[:60]}'", f"one of {collected}")
            answers.setdefault(claim, {})[annotator] = label
    judged = {claim: given for claim, given in answers.items() if len(given) >= _FEWEST_ANSWERS}
    if not judged:
        raise InputError(f"{annotated}: no claim with two answers, expected the answers of two people or more")
    return {
        "facts": len(judged),
        "left_out": len(methods) - len(judged),
        "alpha": krippendorff_alpha([tuple(given.values()) for given in judged.values()], "nominal"),
        "metrics": {
            method: _shares([given for claim, given in judged.items() if method in methods[claim]])
            | {"printed": _PRINTED.get(method)}
            for method in dict.fromkeys(name for claim in judged for name in methods[claim])
        },
    }


def _shares(judged: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    true = sum(all(label == _SUPPORTED for label in given.values()) for given in judged)
    by_person: dict[str, list[bool]] = {}
    for given in judged:
        for annotator, label in given.items():
            by_person.setdefault(annotator, []).append(label == _SUPPORTED)
    return {
        "facts": len(judged),
        "true": true,
        "share": true / len(judged),
        "interval": list(wilson_interval(true, len(judged))),
        "annotators": {name: sum(found) / len(found) for name, found in sorted(by_person.items())},
    }


def _methods(collected: str) -> dict[str, list[str]]:
    """The systems that found each claim, by the id that an export of the task `claims` gives it."""
    found: dict[str, list[str]] = {}
    with InputFile(collected) as file:
        for number, row in line_objects(file.lines()):
            name, methods = row.get("id"), row.get("methods")
            if not isinstance(name, str) or not isinstance(methods, list):
                raise FormatError(file.name, number, "no id and methods", "an item that --collect wrote")
            found.update((f"{name}:{place}", list(map(str, each))) for place, each in enumerate(methods))
    return found


def _relation_names() -> dict[str, str]:
    """Names of Wikidata's properties, as the shipped classifier has them."""
    try:
        return {relation.id: relation.name for relation in PairModel().relations}
    except InputError:
        return {}
