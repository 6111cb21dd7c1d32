"""The stages of the soak, the properties that hold after each, and the minimiser of texts that fail."""

from __future__ import annotations

import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import tupelo
from tupelo.api.checking import Checker
from tupelo.api.inference import infer
from tupelo.core import Passage, UnknownNameError
from tupelo.core.document import passage_schema
from tupelo.extract.stages import ReadStatements
from tupelo.factmodels.extract import FactExtractor
from tupelo.graph.build.rows import GraphRows
from tupelo.io.documents.lines import line_blocks

# Texts of a batch that the slow stages get, and how often (in batches) a stage runs.
SAMPLE = 8
EVERY = {
    "statements": 1,
    "alone": 4,
    "check": 2,
    "extract": 2,
    "graph": 10,
    "facts": 10,
    "canonicalize": 10,
    "infer": 10,
}
_QUERIES = ("? ? ?", "?who is ?what", "Oslo ? ?")


class Soak:
    """Runs batches of texts through all stages; faults go to `state`, which is JSON."""

    def __init__(self, state: dict[str, Any], stages: Sequence[str] = ()) -> None:
        self.state = state
        self.chosen = stages
        self.statements = ReadStatements()

    @cached_property
    def nlp(self) -> Any:
        return tupelo.load()

    @cached_property
    def checker(self) -> Checker:
        return Checker(nlp=self.nlp)

    @cached_property
    def fact_extractors(self) -> list[FactExtractor]:
        return [FactExtractor(self.nlp, method) for method in ("classifier", "sentence", "binary")]

    def batch(self, texts: Sequence[str], number: int = 0) -> None:
        """One batch; which stages run depends on its number. The chosen stages run on all texts of all batches."""
        for name in self.chosen or [name for name, every in EVERY.items() if not number % every]:
            begun, stage = time.process_time(), getattr(self, f"_{name}")
            few = texts
            if name not in (*self.chosen, "statements", "graph"):
                few = texts[:: max(len(texts) // SAMPLE, 1)]
            self._run(name, stage, few)
            done = self.state["stages"].setdefault(name, {"texts": 0, "seconds": 0.0})
            done["texts"] += len(few)
            done["seconds"] = round(done["seconds"] + time.process_time() - begun, 1)

    def _run(self, name: str, stage: Callable[[Sequence[str]], None], texts: Sequence[str]) -> None:
        try:
            stage(texts)
        except Exception as error:  # the errors are what is sought
            place = _place(error)
            if any(known["stage"] == name and known["place"] == place for known in self.state["failures"]):
                short: Sequence[str] = texts[:1]
            else:
                short = minimal(texts, lambda given: _fails(stage, given) == place)
            self.state["failures"].append(
                {
                    "stage": name,
                    "place": place,
                    "error": f"{type(error).__name__}: {error}"[:300],
                    "texts": list(short),
                }
            )

    def _statements(self, texts: Sequence[str]) -> None:
        """Passages to sentences with tuples, referents and links, and to the rows of a graph."""
        sentences = self._sentences(texts)
        require_covered(texts, sentences)
        self.state["sentences"] += len(sentences)
        self.state["tuples"] += sum(len(row["tuples"] or ()) for row in sentences)

    def _alone(self, texts: Sequence[str]) -> None:
        """A text gives the same alone as beside others."""
        together = self._sentences(texts)
        for number, text in enumerate(texts):
            beside = [row | {"document_id": "0"} for row in together if row["document_id"] == str(number)]
            assert _worded(self._sentences([text])) == _worded(beside), f"differs alone: {text!r}"

    def _sentences(self, texts: Sequence[str]) -> list[dict[str, Any]]:
        import pyarrow as pa

        rows = [
            {
                "document_id": str(number), "source": str(number), "media_type": "text/plain", "checksum": "",
                "characters": len(text), "number": 0, "start_at": 0, "text": text,
            }
            for number, text in enumerate(texts)
        ]  # fmt: skip
        found = list(self.statements(iter([pa.RecordBatch.from_pylist(rows, schema=passage_schema())])))
        made = [batch.filter(batch["note"].is_null()).select(self.statements.output.names) for batch in found]
        for _ in GraphRows(self.statements.output)(iter(made)):
            pass
        return [row for batch in made for row in batch.to_pylist()]

    def _extract(self, texts: Sequence[str]) -> None:
        for text, found in zip(texts, self.nlp.pipe(texts, min_confidence=0, all=True, width="minimal"), strict=True):
            for extraction in found:
                str(extraction), extraction.frame_row(), extraction.reservations()
            found.to_dict(), found.rows()
            # Marks of list items, names of speakers and lines that direct a mail belong to no sentence.
            blocks = [block for block in line_blocks(text) if block.kind != "mail header"]
            kept = "".join(text[block.start : block.end] for block in blocks)
            said = "".join(one.sentence.text for one in found.sentences)
            lost = Counter(filter(str.isalpha, kept)) - Counter(filter(str.isalpha, said))
            assert not lost, f"no sentence has {lost}"

    def _graph(self, texts: Sequence[str]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            graph = tupelo.Graph.build({f"t{n}": text for n, text in enumerate(texts)}, Path(folder, "g.duckdb"))
            with graph:
                assert graph.changes is not None
                assert not graph.changes.failures, graph.changes.failures[0]
                assert not graph._store.problems()
                for pattern in _QUERIES:
                    with suppress(UnknownNameError):
                        str(graph.query(pattern, evidence=1))
                str(graph.stats()), graph.report().markdown
                # Words are needed to search for.
                str(graph.search(f"{texts[0][:30]} Oslo"))
                for node in graph.entities(limit=3):
                    str(graph.neighbours(node.name, evidence=1))
                graph.retrieve(texts[0][:200])

    def _check(self, texts: Sequence[str]) -> None:
        for text, source in pairwise(texts):
            found = self.checker(text, source)
            str(found), found.to_dict()

    def _facts(self, texts: Sequence[str]) -> None:
        passages = [Passage(text, document_id=str(number)) for number, text in enumerate(texts)]
        for extractor in self.fact_extractors:
            for found in extractor.documents(passages):
                assert found.failure is None, found.failure
                str(found), found.to_dict()
                for fact in found:
                    text = texts[int(found.document or 0)]
                    for span in (fact.subject_span, fact.object_span):
                        assert span is None or 0 <= span[0] < span[1] <= len(text), (
                            f"a span {span} outside of {text!r}"
                        )

    def _triples(self, texts: Sequence[str]) -> list[tuple[str, str, str]]:
        return [
            (str(one.arg1), str(one.rel), str(one.args[0]))
            for found in self.nlp.pipe(texts, min_confidence=0)
            for one in found
            if one.arg1 and one.args
        ]

    def _canonicalize(self, texts: Sequence[str]) -> None:
        if triples := self._triples(texts):
            str(tupelo.canonicalize(triples))

    def _infer(self, texts: Sequence[str]) -> None:
        if len(triples := self._triples(texts)) > 1:
            str(infer([(one, two) for one, two in pairwise(triples)][:10]))


def _worded(sentences: Sequence[dict[str, Any]]) -> list[Any]:
    """Sentences and words of their tuples, without the numbers, whose last digits depend on the batch."""
    words = [
        [
            [part["text"] for part in (found["arg1"] or {"text": ""}, found["rel"], *(found["args"] or ()))]
            for found in row["tuples"] or ()
        ]
        for row in sentences
    ]
    return [[row["start_at"] for row in sentences], words]


def require_covered(texts: Sequence[str], sentences: Sequence[dict[str, Any]]) -> None:
    """Sentences lie where they say, in order, and only white space lies between them."""
    ends = [0] * len(texts)
    for row in sentences:
        number, start, own = int(row["document_id"]), row["start_at"], row["text"]
        text = texts[number]
        assert text[start : start + len(own)] == own, f"a sentence is not at {start}: {own!r}"
        assert start >= ends[number], f"a sentence at {start} begins before the last one ends"
        assert not text[ends[number] : start].strip(), f"no sentence has {text[ends[number] : start]!r}"
        ends[number] = start + len(own)
        for found in row["tuples"] or ():
            for part in (found["arg1"], found["rel"], *(found["args"] or ())):
                for span in (part or {}).get("spans") or ():
                    assert 0 <= span["start"] < span["end"] <= len(own), f"a span {span} outside of {own!r}"
    for text, end in zip(texts, ends, strict=True):
        assert not text[end:].strip(), f"no sentence has {text[end:]!r}"


def _place(error: Exception) -> str:
    """File and function where an error was raised, with its type."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} {Path(frame.filename).name}:{frame.name}"


def _fails(stage: Callable[[Sequence[str]], None], texts: Sequence[str]) -> str | None:
    try:
        stage(texts)
    except Exception as error:  # any
        return _place(error)
    return None


def minimal(texts: Sequence[str], fails: Callable[[Sequence[str]], bool], budget: int = 400) -> list[str]:
    """The fewest and shortest texts that still fail, by leaving out texts, then words, then characters."""
    left = [budget]

    def still(given: Sequence[str]) -> bool:
        left[0] -= 1
        return left[0] >= 0 and fails(given)

    kept = _without(list(texts), still)
    for place in range(len(kept)):
        for split, mark in ((str.split, " "), (list, "")):
            before, after = kept[:place], kept[place + 1 :]
            parts = _without(split(kept[place]), _between(still, before, mark, after))
            if _between(still, before, mark, after)(parts):
                kept[place] = mark.join(parts)
    return kept


def _between(
    still: Callable[[Sequence[str]], bool], before: list[str], mark: str, after: list[str]
) -> Callable[[Sequence[str]], bool]:
    return lambda parts: still([*before, mark.join(parts), *after])


def _without(parts: list[str], still: Callable[[Sequence[str]], bool]) -> list[str]:
    """Parts without which it no longer fails; larger pieces are left out first."""
    size = len(parts) // 2
    while size:
        at = 0
        while at < len(parts):
            fewer = [*parts[:at], *parts[at + size :]]
            if fewer and still(fewer):
                parts = fewer
            else:
                at += size
        size //= 2
    return parts
