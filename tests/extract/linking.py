"""Anchors and links of sentences by the shipped model; names with the same words are one thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tupelo.core import Analysis, Extraction, Passage
from tupelo.core.statement import Anchor, LinkedSentence, Naming, Referent
from tupelo.extract.anchors import find_anchors
from tupelo.extract.links import find_links
from tupelo.extract.options import ExtractionOptions
from tupelo.extract.pipeline import PipelineRecipe


@cache
def read(text: str) -> tuple[tuple[Analysis, tuple[Extraction, ...]], ...]:
    """The sentences of a text with their tuples."""
    pipeline, options = PipelineRecipe().pipeline(), ExtractionOptions()
    analyses = list(pipeline.analyses([Passage(text)], options))
    found = pipeline.tuples(analyses, options)
    return tuple((analysis, item.extractions) for analysis, item in zip(analyses, found, strict=True))


def numbered(
    analyses: Sequence[Analysis], anchors: Sequence[Sequence[Anchor]]
) -> tuple[list[list[Anchor]], list[Referent]]:
    """Names by their words, pronouns and nouns by the first name of their chain."""
    chains: dict[int, Anchor] = {}
    known: dict[str, Referent] = {}

    def number(key: str, anchor: Anchor, kind: str) -> int:
        naming = Naming(anchor.text, 1, "same name")
        return known.setdefault(key, Referent(len(known), kind, anchor.text, anchor.label, (naming,))).number

    result = []
    for analysis, found in zip(analyses, anchors, strict=True):
        entities = {mention.head: mention.entity for mention in analysis.mentions or ()}
        changed = []
        for anchor in found:
            chain = entities.get(anchor.head)
            if anchor.kind == "name" and chain is not None:
                chains.setdefault(chain, anchor)
            name = chains.get(chain) if chain is not None else None
            if anchor.kind == "name" or (anchor.kind in ("concept", "pronoun") and name is not None):
                source = anchor if name is None or anchor.kind == "name" else name
                changed.append(replace(anchor, referent=number(source.text.lower(), source, "entity")))
            elif anchor.kind == "concept":
                changed.append(replace(anchor, referent=number(f"concept {anchor.text.lower()}", anchor, "concept")))
            else:
                changed.append(anchor)
        result.append(changed)
    return result, list(known.values())


def anchors_of(text: str) -> list[Anchor]:
    return [anchor for analysis, tuples in read(text) for anchor in find_anchors(analysis, tuples)]


def linked(text: str) -> list[LinkedSentence]:
    sentences = read(text)
    anchors, referents = numbered(
        [analysis for analysis, _ in sentences], [find_anchors(*sentence) for sentence in sentences]
    )
    return [find_links(*sentence, found, referents) for sentence, found in zip(sentences, anchors, strict=True)]


def links_of(text: str) -> list[str]:
    """Every link as *subject | relation | object*."""
    return [
        f"{sentence.anchors[link.subject].text} | {link.relation} | {sentence.anchors[link.object].text}"
        for sentence in linked(text)
        for link in sentence.links
    ]
