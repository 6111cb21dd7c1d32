"""Documents with known entities, for the scorers of who is who: articles of Re-DocRED, worlds, documents of GUM.

Analyses are kept in a folder, so that a second fit parses nothing.
"""

from __future__ import annotations

import gzip
import json
import pickle
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import tupelo
from benchmarks.coref import analyse_raw, raw_documents, read_gap
from benchmarks.graph_redocred import TYPES, plain, raw_text
from benchmarks.worlds import NAMES, World, wording
from tupelo.core import Analysis
from tupelo.core.statement import Anchor
from tupelo.io.analyses import read_analyses
from tupelo.names.proper_names import proper_names
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.facts.sources import part_of
from tupelo_training.parser.treebanks import is_open_document


@dataclass
class LabelledDocument:
    """A document: its sentences, the entities of its names by wording, and of its mentions by characters."""

    name: str
    source: str
    analyses: list[Analysis]
    names: Mapping[str, str]
    places: Mapping[tuple[int, int], str]
    key: Callable[[str], str] = wording

    def entity(self, text: str) -> str | None:
        """The entity of a name."""
        return self.names.get(self.key(text))

    @cached_property
    def trees(self) -> list[DependencyTree]:
        return [DependencyTree(analysis) for analysis in self.analyses]

    @cached_property
    def anchors(self) -> list[list[Anchor]]:
        """The names of each sentence."""
        return [list(proper_names(tree)) for tree in self.trees]


def articles(data: Path, work: Path) -> Iterator[LabelledDocument]:
    """Halves of articles of Re-DocRED dev, but for the part `held-out`."""
    with gzip.open(data / "redocred/dev_revised.json.gz", "rt", encoding="utf-8") as stream:
        items = [item for item in json.load(stream) if part_of(item["title"]) != "held-out"]
    texts, golds = {}, {}
    for number, item in enumerate(items):
        middle = len(item["sents"]) // 2
        for half, sentences in enumerate((range(middle), range(middle, len(item["sents"])))):
            owners: defaultdict[str, set[str]] = defaultdict(set)
            for entity, mentions in enumerate(item["vertexSet"]):
                for mention in mentions:
                    if mention["sent_id"] in sentences and mention["type"] in TYPES:
                        owners[plain(mention["name"])].add(f"{number:03} {entity}")
            name = f"{number:03}-{half}"
            texts[name], golds[name] = (
                " ".join(raw_text(item["sents"][place]) for place in sentences),
                _single(owners),
            )
    for name, analyses in _analysed(work / "articles.pickle", texts).items():
        yield LabelledDocument(name, "articles", analyses, golds[name], {}, plain)


def source_of(world: World) -> str:
    """A world that was filled in, or one that was written as a whole."""
    return "filled" if world.name.startswith("filled") else f"world {world.name}"


def documents_of(world: World, work: Path) -> Iterator[LabelledDocument]:
    """The documents of a world, mails without their headers."""
    texts = {one.name: one.text[one.body :] for one in world.documents}
    analysed = _analysed(work / f"{world.name}.pickle", texts)
    for one in world.documents:
        owners: defaultdict[str, set[str]] = defaultdict(set)
        places = {}
        for mention in one.mentions:
            entity = f"{world.name} {mention.entity}"
            places[mention.start - one.body, mention.end - one.body] = entity
            if mention.kind in NAMES:
                owners[wording(one.text[mention.start : mention.end])].add(entity)
        name = f"{world.name} {one.name}"
        yield LabelledDocument(name, source_of(world), analysed[one.name], _single(owners), places)


def treebank(data: Path, part: str, work: Path) -> Iterator[LabelledDocument]:
    """The documents of a part of GUM whose licence allows commercial use; places count no white space."""
    path = data / f"gum/gum-{part}.conllu.gz"
    raw = [(name, text) for name, text in raw_documents(path) if is_open_document(name)]
    stored = work / f"gum-{part}.pickle"
    if not stored.exists():
        with tupelo.load() as nlp:
            stored.write_bytes(pickle.dumps(analyse_raw(nlp, raw)))
    predicted: defaultdict[str, list[Analysis]] = defaultdict(list)
    for analysis in pickle.loads(stored.read_bytes()):  # noqa: S301 - written above
        predicted[analysis.document_id].append(analysis)
    gold: defaultdict[str, list[Analysis]] = defaultdict(list)
    for analysis in read_analyses(path):
        gold[str(analysis.document_id)].append(analysis)
    for name, found in predicted.items():
        places: dict[tuple[int, int], str] = {}
        for start, analysis in zip(starts_of(gold[name]), gold[name], strict=True):
            for mention in analysis.mentions or ():
                own = analysis.span(mention.start, mention.end)
                places[_inked(analysis.text, start, own.start, own.end)] = f"{name} {mention.entity}"
        yield LabelledDocument(name, f"gum {part}", found, {}, places)


def ambiguous_pronouns(data: Path, work: Path) -> Iterator[LabelledDocument]:
    """The texts of GAP's development part, each with one pronoun that means one of two names."""
    rows = {row["ID"]: row for row in read_gap(data / "coref/gap-development.tsv.gz")}
    analysed = _analysed(work / "gap.pickle", {name: row["Text"] for name, row in rows.items()})
    for name, row in rows.items():
        meant = [side for side in "AB" if row[f"{side}-coref"] == "TRUE"]
        if meant:
            places = {
                found.span(): side
                for side in "BA"
                for found in re.finditer(rf"\b{re.escape(row[side])}\b", row["Text"])
            }
            start = int(row["Pronoun-offset"])
            places[start, start + len(row["Pronoun"])] = meant[0]
            yield LabelledDocument(name, "gap", analysed[name], {}, places)


def starts_of(analyses: Sequence[Analysis]) -> list[int]:
    """The place of each sentence, white space left out."""
    found, place = [], 0
    for analysis in analyses:
        found.append(place)
        place += sum(not letter.isspace() for letter in analysis.text)
    return found


def _inked(text: str, start: int, first: int, last: int) -> tuple[int, int]:
    ink = [start + sum(not letter.isspace() for letter in text[:place]) for place in (first, last)]
    return ink[0], ink[1]


def _single(owners: Mapping[str, set[str]]) -> dict[str, str]:
    """The entities of names that only one has."""
    return {name: next(iter(found)) for name, found in owners.items() if len(found) == 1}


def _analysed(stored: Path, texts: Mapping[str, str]) -> dict[str, list[Analysis]]:
    """The sentences of texts, or as they were stored."""
    if not stored.exists():
        with tupelo.load() as nlp:
            found = nlp.pipe_analyses(list(texts.values()), constituents=False, coreference=True)
            stored.write_bytes(pickle.dumps(dict(zip(texts, map(list, found), strict=True))))
    result: dict[str, list[Analysis]] = pickle.loads(stored.read_bytes())  # noqa: S301 - written above
    return result
