"""One part of every kind, as another package would write it. `test_extensions` installs this module from a wheel."""

from __future__ import annotations

import json

import numpy as np

import tupelo
from tupelo import Argument, Extraction
from tupelo.core import Sentence
from tupelo.scorers import Score


class Parser:
    """The shipped model under another name."""

    title = "the shipped model under another name"
    name = "own-parser"

    def __init__(self, argument, *, processes, batch_size, threads):
        self._parser = tupelo.load("en", workers=processes, batch_size=batch_size, threads=threads).parser

    def analyze(self, text, **options):
        return self._parser.analyze(text, **options)


class Extractor:
    """The first word and everything after it."""

    title = "the first word and everything after it"
    name = "own-extractor"
    version = "1"
    needs = frozenset()

    def __init__(self, argument, settings, services):
        self.services = services

    def extract(self, analyses):
        for analysis in analyses:
            words = [word.text for word in analysis.words]
            rest = Argument(" ".join(words[1:]))
            yield [Extraction(Sentence(analysis.text), Argument("starts"), Argument(words[0]), (rest,), 0.9)]


class Client(Extractor):
    """An extractor that talks to something outside."""

    title = "an extractor that talks to something outside"
    name = "own-client"
    needs_client = True

    def extract(self, analyses):
        assert self.services is not None, "an extractor that needs a client gets the services"
        return super().extract(analyses)


FORMAT = tupelo.formats.column_format(
    "own-format", ["arg1", "rel", "arg2", "confidence", "sentence"], separator=" | ", title="columns between bars"
)


class Scorer:
    """How many tuples there are."""

    title = "how many tuples there are"
    name = "own-scorer"
    gold_format = "carb"

    def __init__(self, *, weight: float = 1.0):
        self.weight = weight

    def options(self):
        return {"weight": self.weight}

    def evaluate(self, gold, predicted):
        return Counted(len(list(gold)), len(list(predicted)), self.weight)


class Counted:
    def __init__(self, gold, predicted, weight):
        self.gold, self.predicted, self.weight = gold, predicted, weight
        self.units = [str(number) for number in range(gold)]

    def score(self, weights=None):
        share = min(1.0, self.weight * self.predicted / self.gold)
        counts = {"gold": self.gold, "predicted": self.predicted}
        return Score(scorer="own-scorer", precision=share, recall=share, f1=share, auc=None, **counts)


class Canonicalizer:
    """All phrases with the same first letter are one."""

    title = "the same first letter"
    name = "own-method"
    needs = frozenset()
    thresholds = dict.fromkeys(("subject", "object", "relation", "subject-type", "object-type"), 0.5)

    def prepare(self, mentions, resources, *, seed=0, advance=None):
        self.mentions = mentions
        return self

    def subtask(self, name):
        from tupelo.core.canonical import SUBTASKS

        letters = [mention.phrase(SUBTASKS[name]).text[:1].lower() for mention in self.mentions]
        return Letters(np.unique(letters, return_inverse=True)[1])


class Letters:
    grid = (0.5,)

    def __init__(self, numbers):
        self.numbers = numbers

    def labels(self, threshold):
        return self.numbers.astype(np.int64)

    def tree(self):
        return None


class Inference:
    """Longer statements entail shorter ones."""

    title = "longer statements entail shorter ones"
    name = "own-inference"
    directional = True
    needs = frozenset()

    def __init__(self, resources):
        pass

    def scores(self, pairs, advance=None):
        return [float(len(str(pair.premise)) > len(str(pair.hypothesis))) for pair in pairs]

    def explain(self, pair):
        return ["counted letters"]


class Paraphraser:
    """The same sentence with a frame around it."""

    title = "the same sentence with a frame around it"
    name = "own-paraphraser"

    def __init__(self, argument, settings, tools):
        pass

    def paraphrase(self, sentences):
        from tupelo.robustness.paraphrase import plain_candidates

        frames = ("It is a fact that {}", "What is true is that {}", "As we know , {}")
        return [
            plain_candidates(each, [(frame.format(each.analysis.text), "framed") for frame in frames])
            for each in sentences
        ]


def rewriter(tree):
    """A rewrite rule: *Ann sleeps* -> *Actually , Ann sleeps*."""
    from tupelo.robustness.rewrite.draft import New, RewriteDraft

    yield RewriteDraft((New("Actually"), New(","), *range(len(tree.words))))


class Task:
    """Is a sentence good?"""

    title = "Is a sentence good?"
    name = "own-task"
    version = 1
    reads = "rows"
    writes = "rows"
    levels = {"good": "nominal"}  # noqa: RUF012

    def items(self, rows, settings):
        from tupelo.annotate.tasks import Item

        return [Item(str(row["id"]), {"text": row["text"]}) for row in rows]

    def present(self, item, seed):
        return item.content

    def validate(self, item, answer, seed):
        return {"good": bool(answer["good"])}

    def missed(self, item, answer):
        return []

    def grade(self, item, answer, gold):
        return float(answer == gold)

    def units(self, item, answer):
        return {("good", item.id): answer["good"]}

    def suggest(self, item, extract):
        return None

    def export(self, item, answer):
        return [{"id": item.id, **answer}]


TASK = Task()


class Exporter:
    """Names of entities, one a line."""

    title = "names of entities, one a line"
    name = "own-exporter"
    suffixes = (".names",)

    def write(self, store, opener, options):
        with opener("") as stream:
            for batch in store.batches("SELECT name FROM entities ORDER BY name"):
                for row in batch.to_pylist():
                    stream.write(f"{json.dumps(row['name'])}\n".encode())


EXPORTER = Exporter()
