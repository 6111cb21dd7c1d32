"""Levy/Holt files: pairs of triples, judged for entailment (Levy and Dagan 2016; Holt 2018).

A line is `hypothesis<TAB>premise<TAB>True|False`, each triple `argument,relation,argument`. Mind the order: the
**second** triple is the premise, because the first came from a question and the second from a candidate answer.
True means that the second entails the first. The label may be missing, for pairs that nobody judged. Sentences may
stand in place of triples.

Scores for such a file have one line per pair: a number after the last tab of the line. What stands before it (the
pair, or nothing at all) is for people; the order of the lines says which pair is meant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from tupelo.core import FormatError
from tupelo.core.entailment import EntailmentPair, is_whole, parse_statement
from tupelo.core.extraction import Triple
from tupelo.io.lines import Fault, Lines, number_of

_LABELS = {"true": True, "false": False}


def read_pairs(lines: Lines, *, judged: bool = False, premise_first: bool = False) -> Iterator[EntailmentPair]:
    """Pairs in order; an empty line is a fault, since scores go by the order of lines.

    With `judged` every pair must have its label. With `premise_first` the first statement of a line is the premise.
    """
    return lines.values(lines, partial(_pair, judged, premise_first))


def _pair(judged: bool, premise_first: bool, line: str) -> EntailmentPair:
    fields = line.split("\t")
    if len(fields) != 3 and (judged or len(fields) != 2):
        order = "premise, hypothesis" if premise_first else "hypothesis, premise"
        expected = f"{'3' if judged else '2 or 3'}, separated by tabs: {order}, True or False"
        hint = None if len(fields) == 2 else "Were the tabs saved as spaces?"
        raise Fault(f"{len(fields)} field(s)", expected, hint)
    label = fields[2].strip() if len(fields) == 3 else None
    if label is not None and label.lower() not in _LABELS:
        raise Fault(f"label {label[:40]!r}", "True or False")
    first, second = map(_statement, fields[:2])
    premise, hypothesis = (first, second) if premise_first else (second, first)
    return EntailmentPair(premise, hypothesis, None if label is None else _LABELS[label.lower()])


def _statement(text: str) -> Triple:
    found = parse_statement(text)
    if found is None or "::" in text:
        hint = "The files that end in _rels hold predicates of a parser; take the plain or the _s file."
        given = f"triple {text.strip()[:60]!r}"
        raise Fault(given, "argument,relation,argument or a sentence", hint if "::" in text else None)
    return found


def read_scores(lines: Lines) -> Iterator[float]:
    """One number per line, after its last tab."""
    return lines.values(lines, lambda line: number_of(line.rpartition("\t")[2].strip(), "score"))


def match_scores(pairs: Sequence[EntailmentPair], scores: Iterable[float], source: str) -> list[float]:
    """The scores as a list, one for each pair; an error that names the first surplus or missing line."""
    found = list(scores)
    if len(found) != len(pairs):
        line = min(len(found), len(pairs)) + 1
        raise FormatError(source, line, f"{len(found):,} scores in all", f"one for each of the {len(pairs):,} pairs")
    return found


def write_scores(
    pairs: Iterable[EntailmentPair], scores: Iterable[float], *, premise_first: bool = False
) -> Iterator[str]:
    """The pair in the order in which it is read, and its score; the label is left out."""
    for pair, score in zip(pairs, scores, strict=True):
        statements = _written(pair.hypothesis), _written(pair.premise)
        yield "\t".join([*(reversed(statements) if premise_first else statements), repr(score)]) + "\n"


def _written(statement: Triple) -> str:
    if is_whole(statement):
        return statement.relation
    return f"{statement.subject},{statement.relation},{statement.object}"
