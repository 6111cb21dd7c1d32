"""Canonicalization of phrases, `tupelo.canonicalize`, and rules between relations, `tupelo.assertions.mine_rules`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, cast

from tupelo.api.resources import open_support, open_wordnet, read_paraphrases, rules_of_mentions
from tupelo.canon.methods import METHODS as METHODS
from tupelo.canon.methods import CanonResources
from tupelo.core import Extraction, FormatError, Triple, UnknownNameError
from tupelo.core.canonical import SUBTASKS, TASKS, Canonicalization, TripleMention
from tupelo.core.errors import OnError, require_name, skips
from tupelo.core.parameters import (
    Among,
    At,
    Between,
    Count,
    Format,
    PathLike,
    Seed,
    Share,
    Skipping,
    Spelled,
    checked,
)
from tupelo.core.progress import Progress, track
from tupelo.core.registry import import_part
from tupelo.core.spec import typed_settings
from tupelo.io.clusters import cluster_lines, read_corrections
from tupelo.io.files import InputFile, Source, is_source, write_text
from tupelo.io.triples import from_objects, read_triples
from tupelo.relations.rules import RelationRule as RelationRule
from tupelo.relations.rules import RuleOptions, equal_relations, likely_equal
from tupelo.show.review_pages import review_page

if TYPE_CHECKING:
    from tupelo.canon.canonicalizer import MethodCanonicalizer
    from tupelo.canon.methods import CanonMethod, StateEncoder, WordVectors
    from tupelo.core.canonical import PhraseCorrection
    from tupelo.io.triples import TripleFile

Triples: TypeAlias = Source | Iterable[TripleMention | Extraction | Triple | Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonOptions:
    """Resources of a method besides the triples, and how these are read."""

    encoder: Annotated[
        PathLike | StateEncoder | None,
        At.INPUT,
        Spelled.of("FOLDER"),
        "A BERT-like model instead of the shipped encoder.",
    ] = None
    word_vectors: Annotated[
        PathLike | WordVectors | None,
        At.INPUT,
        Spelled.of("FILE"),
        "Static word vectors: GloVe or word2vec, text or binary.",
    ] = None
    paraphrases: Annotated[PathLike | None, At.INPUT, Spelled.of("FILE"), "PPDB clusters for side information."] = (
        None
    )
    wordnet: Annotated[
        PathLike | None, At.INPUT, Spelled.of("FOLDER"), "WordNet's database files for side information."
    ] = None
    corrections: Annotated[
        PathLike | Iterable[PhraseCorrection] | None,
        At.INPUT,
        Spelled.of("TSV"),
        "Pairs that must or cannot be one; see the documentation.",
    ] = None
    seed: Annotated[Seed, "For methods that draw random numbers."] = 0
    on_error: Skipping = "raise"


@checked
def canonicalize(
    triples: Triples,
    method: Annotated[str | CanonMethod, "How to canonicalize (see below)."] = "tupelo",
    *,
    tasks: Annotated[
        Sequence[str],
        Spelled.of("--task"),
        Among(tuple(TASKS)),
        "Entities (npc-e), relations (rpc) or types (npc-o); repeat.",
    ] = tuple(TASKS),
    threshold: Annotated[float | None, "A threshold in place of those that ship."] = None,
    settings: Annotated[
        Mapping[str, Any] | None,
        Spelled.of("--set", "NAME=VALUE"),
        "An option of the method, such as layer=5 or form=triple; repeat.",
    ] = None,
    format: Annotated[Format, "combo, cesi, okg, tsv or tuples."] = "auto",
    options: CanonOptions | None = None,
    progress: Progress | None = None,
) -> Canonicalization:
    """Cluster the phrases of triples by meaning.

    `triples` is a file of triples or tuples (`format` as in `tupelo canonicalize --help`), or in memory: extractions,
    mentions, or subject, relation, object and perhaps the sentence. `tasks` are `npc-e` (entities), `rpc` (relations)
    and `npc-o` (types). `method` is a registered name or your own object, `settings` are its options.

    >>> found = canonicalize([("Ann Berg", "lives in", "Oslo"), ("ann berg", "was born in", "Bergen")], "surface")
    >>> found.entities[0].name, len(found.entities[0].members)
    ('Ann Berg', 2)
    """
    made = open_method(method, settings) if isinstance(method, str) else method
    chosen = options or CanonOptions()
    file, skipped = read_mentions(triples, format, chosen.on_error)
    canonicalizer = open_canonicalizer(
        made,
        tasks=tasks,
        threshold=threshold,
        corrections=chosen.corrections,
        resources=open_resources(made, file, chosen),
        seed=chosen.seed,
        progress=progress,
    )
    return replace(canonicalizer.canonicalize(file.mentions), skipped=tuple(skipped))


def read_mentions(triples: Triples, format: str, on_error: OnError) -> tuple[TripleFile, list[FormatError]]:
    """Triples of a file or in memory, and the faulty lines that were skipped."""
    skipped: list[FormatError] = []
    collect = skipped.append if skips(on_error) else None
    if is_source(triples):
        return read_triples(triples, format, collect), skipped
    return from_objects(cast(Iterable[Any], triples)), skipped


def open_canonicalizer(
    method: str | CanonMethod = "tupelo",
    *,
    tasks: Sequence[str] = tuple(TASKS),
    threshold: float | None = None,
    corrections: PathLike | Iterable[PhraseCorrection] | None = None,
    resources: CanonResources | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> MethodCanonicalizer:
    """A method with its resources, ready for any mentions, as `tupelo.Graph.build` accepts it."""
    from tupelo.canon.canonicalizer import MethodCanonicalizer

    for task in tasks:
        require_name("task", task, TASKS)
    made = open_method(method) if isinstance(method, str) else method
    return MethodCanonicalizer(
        made,
        open_resources(made) if resources is None else resources,
        {} if threshold is None else dict.fromkeys(SUBTASKS, threshold),
        tuple(tasks) or tuple(TASKS),
        _read_corrections(corrections) if isinstance(corrections, str | os.PathLike) else tuple(corrections or ()),
        seed,
        track(progress, f"canonicalizing by {made.name}"),
    )


def open_method(name: str, settings: Mapping[str, Any] | None = None) -> CanonMethod:
    """A registered method with its options; text values are converted to the type of the option's default."""
    make = METHODS.get(name)
    return make(**typed_settings(make, settings or {}, f"method '{name}'"))


def open_resources(
    method: CanonMethod, file: TripleFile | None = None, options: CanonOptions | None = None
) -> CanonResources:
    """The given resources, and the shipped encoder if a method needs one."""
    given = options or CanonOptions()
    encoder, word_vectors = given.encoder, given.word_vectors
    needs: frozenset[str] = getattr(method, "needs", frozenset())
    named = isinstance(encoder, str | os.PathLike) or (encoder is None and "encoder" in needs)
    return CanonResources(
        encoder=_open_encoder(cast("PathLike | None", encoder)) if named else cast("StateEncoder | None", encoder),
        word_vectors=_read_vectors(word_vectors) if isinstance(word_vectors, str | os.PathLike) else word_vectors,
        paraphrases=None if given.paraphrases is None else read_paraphrases(given.paraphrases),
        synonyms=None if given.wordnet is None else _open_synonyms(given.wordnet),
        side_pairs={} if file is None else file.side_pairs,
        support=open_support if "support" in needs else None,
        mine=rules_of_mentions,
    )


def _open_encoder(place: PathLike | None) -> Any:
    """The shipped encoder, one of ours by folder or name, or any model of the `transformers` package."""
    from tupelo.nlp.encoder import load_encoder
    from tupelo.nlp.folder import CHECKSUMS, model_path

    if place is None:
        return load_encoder()
    # A name that is not ours may be one of the hub.
    with suppress(UnknownNameError):
        path = model_path(os.fspath(place))
        if (path / CHECKSUMS).is_file() or (path / "layers.onnx").is_file():
            return load_encoder(path)
    return import_part("tupelo_training.canon.checkpoint:TransformerEncoder").of_folder(str(place))


def _read_vectors(path: PathLike) -> WordVectors:
    from tupelo.io.vectors import read_vectors

    vectors = read_vectors(str(path))
    return {name: vectors.matrix[row] for name, row in vectors.index.items()}


def _read_corrections(path: PathLike) -> tuple[PhraseCorrection, ...]:
    with InputFile(path) as file:
        return tuple(read_corrections(file.lines()))


def _open_synonyms(folder: PathLike) -> Any:
    wordnet = open_wordnet(folder)

    def synsets(phrase: str) -> frozenset[str]:
        """The first senses of a phrase; more would link half of the dictionary."""
        firsts = (wordnet.synsets(phrase, pos)[:1] for pos in ("n", "v"))
        return frozenset(str(synset) for found in firsts for synset in found)

    return synsets


def write_clusters(
    found: Canonicalization, output: PathLike = "-", *, as_json: bool = False, evidence: int = 3
) -> None:
    """Write clusters as JSON lines, or as one JSON document; `evidence` sentences are quoted per cluster."""
    if as_json:
        write_text(output, json.dumps(found.to_dict(evidence), ensure_ascii=False, indent=2) + "\n")
    else:
        write_text(output, "".join(cluster_lines(found.clusters, found.mentions, evidence)))


def write_review(found: Canonicalization, output: PathLike) -> None:
    """Write an HTML page of borderline merges and clusters for manual review."""
    write_text(output, review_page(found))


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, the surest first, and the lines of the file that were skipped."""

    rules: tuple[RelationRule, ...]
    skipped: tuple[FormatError, ...] = ()

    def __iter__(self) -> Iterator[RelationRule]:
        return iter(self.rules)

    def __len__(self) -> int:
        return len(self.rules)

    @property
    def equal(self) -> list[tuple[str, str, float]]:
        """Relations that imply each other, with the weaker of the two PCA confidences."""
        return equal_relations(self.rules)

    @property
    def likely_equal(self) -> list[tuple[str, str, float]]:
        """Relations that follow from the same two atoms, with the product of the PCA confidences."""
        return likely_equal(self.rules)

    def to_dict(self) -> dict[str, Any]:
        """The output of `tupelo rules --json`."""
        pairs = {"equal": self.equal, "likely_equal": self.likely_equal}
        return {
            "rules": [rule.to_dict() for rule in self.rules],
            **{
                name: [{"left": left, "right": right, "weight": weight} for left, right, weight in found]
                for name, found in pairs.items()
            },
        }

    def __str__(self) -> str:
        lines = ["support\tcoverage\tconfidence\tPCA\trule"]
        for rule in self.rules:
            figures = f"{rule.head_coverage:.3f}\t{rule.confidence:.3f}\t{rule.pca_confidence:.3f}"
            lines.append(f"{rule.support}\t{figures}\t{rule}")
        return "\n".join(lines)


def mine_rules(
    triples: Annotated[Triples, At.INPUT],
    *,
    atoms: Annotated[int, Between(1, 2), "The longest body."] = 2,
    min_support: Annotated[Count, "Pairs that body and head share."] = 2,
    min_head_coverage: Annotated[Share, "Least share of the head."] = 0.01,
    min_confidence: Annotated[Share, "Least PCA confidence."] = 0.1,
    format: Annotated[Format, "combo, cesi, okg, tsv or tuples."] = "auto",
    on_error: Skipping = "raise",
) -> Rules:
    """Mine rules between the relations of triples: a file, or triples in memory as `tupelo.canonicalize` takes them.

    >>> facts = [("ann", "lives in", "oslo"), ("ann", "resides in", "oslo"),
    ...          ("bo", "lives in", "lima"), ("bo", "resides in", "lima")]
    >>> [str(rule) for rule in mine_rules(facts, atoms=1)]
    ['resides in(x, y) => lives in(x, y)', 'lives in(x, y) => resides in(x, y)']
    """
    file, skipped = read_mentions(triples, format, on_error)
    options = RuleOptions(atoms, min_support, min_head_coverage, min_confidence)
    return Rules(tuple(rules_of_mentions(file.mentions, options)), tuple(skipped))
