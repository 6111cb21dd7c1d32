"""Entailment between statements: `tupelo.infer`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, replace
from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

from tupelo.api.resources import open_support
from tupelo.core import InputError
from tupelo.core.assertion import Assertion
from tupelo.core.entailment import Entailment, EntailmentPair, Entailments, is_whole, parse_statement
from tupelo.core.errors import require_choice
from tupelo.core.extraction import Extraction, Triple
from tupelo.core.parameters import Among, At, PathLike, Spelled, checked
from tupelo.core.progress import Progress, track
from tupelo.inference.expand import MethodExpander
from tupelo.inference.methods import DEFAULT, InferenceResources
from tupelo.inference.methods import METHODS as METHODS
from tupelo.inference.statements import read_statements
from tupelo.io.assertions import read_assertions
from tupelo.io.files import InputFile, Source, is_source, open_output
from tupelo.io.levyholt import read_pairs
from tupelo.io.tuples import open_records
from tupelo.io.vectors import read_vectors
from tupelo.nlp.encoder import load_encoder

if TYPE_CHECKING:
    from tupelo.core.entailment import RelationSignature
    from tupelo.core.protocols import RelationExpander
    from tupelo.core.vectors import Vectors
    from tupelo.inference.methods import EntailmentMethod


# Order of the statements on a line: premise and hypothesis, or as in the files of Levy and Holt.
PAIR_FORMATS = ("pairs", "levy-holt")
PairFormat: TypeAlias = Annotated[
    str, Among(PAIR_FORMATS), "pairs: `premise<TAB>hypothesis[<TAB>label]`; levy-holt: the hypothesis comes first."
]
Statement: TypeAlias = str | Triple | Sequence[str]


@checked
def infer(
    *pairs: Source | Statement | Iterable[EntailmentPair | tuple[Statement, Statement]],
    method: Annotated[str | EntailmentMethod, "How to judge (see below)."] = DEFAULT,
    vectors: Annotated[
        PathLike | Vectors | None, At.INPUT, Spelled.of("FILE"), "Vectors of relations, for `embedding`."
    ] = None,
    assertions: Annotated[
        PathLike | Iterable[Assertion] | None,
        At.INPUT,
        Spelled.of("FILE"),
        "Assertions to count arguments in, for `inclusion` and `binc`.",
    ] = None,
    format: PairFormat = "pairs",
    reverse: bool = True,
    explain: Annotated[bool, "Give the reasons."] = False,
    progress: Progress | None = None,
) -> Entailments:
    """Score how strongly premises entail hypotheses, and the reverse.

    `pairs` are a premise and a hypothesis about the same two arguments, sentences or triples; or a list of such
    pairs, or a file of them. The file has `premise<TAB>hypothesis[<TAB>label]` on each line; with
    `format="levy-holt"` the hypothesis comes first, as in the files of that name. `vectors` is for the method
    `embedding`, `assertions` for `inclusion` and `binc`. `explain` adds the reasons for every score.

    >>> found = infer("X was widely used in Y", "X was used in Y", method="lemma", explain=True)
    >>> print(found[0])
    1.000  X | was widely used in | Y  =>  X | was used in | Y
    0.000  the reverse
      the premise has every word of the hypothesis
    """
    made = open_method(method, vectors=vectors, assertions=assertions) if isinstance(method, str) else method
    asked = _read_pairs(_pairs_given(pairs), format, divided=not getattr(made, "reads_sentences", False))
    both = [*asked, *(pair.reversed() for pair in asked)] if reverse else asked
    scores = made.scores(both, track(progress, "scoring pairs", len(both)))
    backward: Sequence[float | None] = scores[len(asked) :] if reverse else [None] * len(asked)
    return Entailments(
        tuple(
            Entailment(made.name, pair, score, other, tuple(made.explain(pair)) if explain else None)
            for pair, score, other in zip(asked, scores, backward, strict=False)
        ),
        made.name,
    )


def _pairs_given(
    statements: Sequence[Source | Statement | Iterable[EntailmentPair | tuple[Statement, Statement]]],
) -> Source | Iterable[EntailmentPair | tuple[Statement, Statement]]:
    """The pairs, or the file of pairs, that `infer` was called with; two statements are one pair."""
    if len(statements) == 1:
        given = statements[0]
        if isinstance(given, str) and " " in given and not os.path.exists(given):
            raise InputError(f"'{given}' is one statement and no file, expected a premise and a hypothesis")
        return cast(Source, given)
    if len(statements) != 2:
        raise InputError(
            f"{len(statements)} statements, expected a premise and a hypothesis, a list of pairs, or a file"
        )
    premise, hypothesis = statements
    if isinstance(hypothesis, str) and hypothesis in METHODS:
        raise InputError(f"'{hypothesis}' is a method, expected a hypothesis; write method='{hypothesis}'")
    return [(cast(Statement, premise), cast(Statement, hypothesis))]


def _read_pairs(
    pairs: Source | Iterable[EntailmentPair | tuple[Statement, Statement]], format: str, *, divided: bool
) -> list[EntailmentPair]:
    if not is_source(pairs):
        given = cast(Iterable[EntailmentPair | tuple[Statement, Statement]], pairs)
        found = [item if isinstance(item, EntailmentPair) else _pair(*item) for item in given]
    else:
        with InputFile(pairs) as file:
            found = list(read_pairs(file.lines(), premise_first=_premise_first(format)))
        if not found:
            raise InputError(f"{file.name}: no pairs, expected at least one")
    return [_divided(pair) for pair in found] if divided else found


def _premise_first(format: str) -> bool:
    require_choice("format", format, PAIR_FORMATS)
    return format == PAIR_FORMATS[0]


def _statement(given: Statement) -> Triple:
    if not isinstance(given, str):
        return given if isinstance(given, Triple) else Triple(*given)
    found = parse_statement(given)
    if found is None:
        raise InputError(
            f"'{given}' is no statement, expected a sentence, or parts separated by commas: 'aspirin, relieves, pain'"
        )
    return found


def _pair(premise: Statement, hypothesis: Statement) -> EntailmentPair:
    return EntailmentPair(_statement(premise), _statement(hypothesis))


def _divided(pair: EntailmentPair) -> EntailmentPair:
    """The pair with its sentences divided into arguments and relation."""
    if not is_whole(pair.premise) and not is_whole(pair.hypothesis):
        return pair
    found = read_statements(_text(pair.premise), _text(pair.hypothesis))
    return replace(found, entailed=pair.entailed)


def _text(statement: Triple) -> str:
    return statement.relation.rstrip(".!?") if is_whole(statement) else ", ".join(astuple(statement))


def open_method(
    name: str = DEFAULT,
    *,
    vectors: PathLike | Vectors | None = None,
    assertions: PathLike | Iterable[Assertion] | None = None,
) -> EntailmentMethod:
    """A registered method with its resources."""
    if isinstance(vectors, str | os.PathLike):
        vectors = read_vectors(vectors)
    if isinstance(assertions, str | os.PathLike):
        said = iter(assertions_of(assertions))
        # The first one is read now: a file that cannot be read is refused also for methods that do not need it.
        assertions = chain(list(islice(said, 1)), said)
    return METHODS.get(name)(InferenceResources(vectors=vectors, assertions=assertions, support=open_support))


def open_expander(
    relations: Sequence[RelationSignature], method: str | None = None, *, threshold: float
) -> RelationExpander:
    """Finds the relations of a graph that entail a queried one, by a registered method."""
    encoder = load_encoder()
    made = METHODS.get(method or DEFAULT)(InferenceResources(encoder=lambda: encoder, support=open_support))
    return MethodExpander(made, relations, encoder, threshold=threshold)


def write_scores(found: Entailments, output: PathLike = "-", *, format: str = "pairs") -> None:
    """Write every pair with its score, in the order of that format."""
    from tupelo.io.levyholt import write_scores

    with open_output(output) as stream:
        pairs, scores = [item.pair for item in found], [item.score for item in found]
        for line in write_scores(pairs, scores, premise_first=_premise_first(format)):
            stream.write(line.encode("utf-8"))


def assertions_of(assertions: PathLike | Iterable[Assertion]) -> Iterable[Assertion]:
    """Assertions of a file, or of tuples in JSON lines; those in memory pass through."""
    if not isinstance(assertions, str | os.PathLike):
        return assertions
    name = str(assertions)
    return _asserted(name) if name.removesuffix(".gz").endswith(".jsonl") else read_assertions(name)


def _asserted(name: str) -> Iterator[Assertion]:
    """The tuples of a file that have an object and are not negated; further arguments are left out."""
    with open_records(name, "jsonl") as stream:
        for found in stream:
            if isinstance(found, Extraction) and found.arg1 and found.args and not found.negated:
                yield Assertion(found.arg1.text, found.rel.text, found.args[0].text)
