"""Whatever a file holds, a reader returns or raises one line of ours: no traceback, no other exception."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.cli.runner import run
from tupelo.core import TupeloError
from tupelo.io import (
    analyses,
    assertions,
    brackets,
    clusters,
    conll,
    conllu,
    judgements,
    levyholt,
    triples,
    vectors,
)
from tupelo.io.documents import READERS, Reading
from tupelo.io.files import InputFile
from tupelo.io.formats import FORMATS
from tupelo.io.tuples import read_records
from tupelo_training.assertions.lines import read_ngrams
from tupelo_training.facts import knowledge

pytestmark = pytest.mark.model

DEEP = 100_000
# Deep enough for the parser of JSON, too deep for what shows a value.
ALMOST = 930


def nested(opening: str, closing: str, depth: int = DEEP) -> bytes:
    return (opening * depth + closing * depth).encode()


HOSTILE = {
    "nothing": b"",
    "a byte order mark alone": b"\xef\xbb\xbf",
    "half of a byte order mark": b"\xff\xfe",
    "NUL": b"a\0b\n\0",
    "not UTF-8": b"fine\nna\xefve\n",
    "open brackets": b"[" * DEEP,
    "open objects": b'{"a":' * DEEP,
    "nested lists": nested("[", "]"),
    "nested trees": nested("(S ", ")"),
    "nested almost too deeply": nested("[", "]", ALMOST),
    "an id nested almost too deeply": b'{"id":%s,"score":%s,"generated":"a","source":"b","text":"c"}'
    % (nested("[", "]", ALMOST), nested("[", "]", ALMOST)),
    "quotation marks": b'"' * 10_001,
    "a number of 5,000 digits": b'{"id": %s}\n' % (b"9" * 5000),
    "numbers without end": b'{"id": "a", "score": 1e999, "text": "a"}\n[1e999, NaN, -Infinity]\n',
    "half of a surrogate pair": b'{"id": "\\ud800", "text": "\\ud800", "generated": "\\udfff", "source": "a"}\n',
    "a field of 200,000 characters": b'id,doc\na,"%s"\n' % (b"x" * 200_000),
    "100,000 fields": b"a\t" * 100_000,
    "carriage returns": b"a\r\r\rb\r",
    "other values": b'null\ntrue\n[]\n{}\n[[]]\n[null]\n"a"\n1\n{"": ""}\n',
}


def of_lines(read: Callable[[Any], Any]) -> Callable[[str], object]:
    def consume(path: str) -> object:
        with InputFile(path) as file:
            found = read(file.lines())
            return found if isinstance(found, dict) else list(found)

    return consume


def of_knowledge(read: Callable[[str, str, int], Any]) -> Callable[[str], object]:
    return of_lines(lambda lines: [item for number, line in lines for item in read(line, "x", number)])


def of_documents(name: str) -> Callable[[str], object]:
    def consume(path: str) -> object:
        with open(path, "rb") as stream:
            return list(READERS.get(name)(io.BytesIO(stream.read()), "x", Reading()))

    return consume


TARGETS: dict[str, Callable[[str], object]] = {
    **{f"tuples: {name}": lambda path, name=name: read_records(path, name) for name in ("auto", *FORMATS)},
    **{f"documents: {name}": of_documents(name) for name in READERS},
    **{
        f"judgements: {name}": lambda path, name=name: judgements.read_judgements(path, name)
        for name in judgements.FORMATS
    },
    "triples": triples.read_triples,
    "texts by id": lambda path: judgements.read_by_id(path, "source"),
    "scores by id": judgements.read_scores,
    "clusters": of_lines(clusters.read_clusters),
    "corrections": of_lines(clusters.read_corrections),
    "paraphrases": of_lines(clusters.read_paraphrase_clusters),
    "CoNLL-U": of_lines(conllu.read),
    "CoNLL-2012": of_lines(conll.read),
    "brackets": of_lines(brackets.read),
    "analyses": of_lines(analyses.read_jsonl),
    "entailment": of_lines(lambda lines: levyholt.read_pairs(lines, judged=True)),
    "entailment scores": of_lines(levyholt.read_scores),
    "assertions": of_lines(assertions.read),
    "n-grams": of_lines(read_ngrams),
    "vectors": vectors.read_vectors,
    "Wikidata": of_knowledge(knowledge.read_wikidata),
    "N-Triples": of_knowledge(knowledge.read_ntriples),
    "facts with tabs": of_knowledge(knowledge.read_tsv),
}
VALUES = (b"", b"-1", b"1e999", b"nan", b"\xff", b"9" * 5000, b"\0", b"(", b"[", b'"', "²".encode(), b"1_0", b"{")


def changed_samples() -> list[bytes]:
    """The samples of all formats, cut off, with other bytes, and with other values in their fields."""
    source = random.Random(7)
    made = []
    for name in FORMATS:
        sample = FORMATS.get(name).sample_bytes()
        if not sample:
            continue
        made.append(sample[: source.randrange(len(sample))])
        spoiled = bytearray(sample)
        for _ in range(5):
            spoiled[source.randrange(len(spoiled))] = source.randrange(256)
        made.append(bytes(spoiled))
        lines = sample.split(b"\n")
        place = source.randrange(len(lines))
        fields = lines[place].split(b"\t")
        fields[source.randrange(len(fields))] = source.choice(VALUES)
        made.append(b"\n".join([*lines[:place], b"\t".join(fields), *lines[place + 1 :]]))
    return made


CHANGED = changed_samples()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", TARGETS)
def test_hostile_files_are_read_or_refused_in_one_line(name, tmp_path):
    path = tmp_path / "file"
    for content in (*HOSTILE.values(), *CHANGED):
        path.write_bytes(content)
        message = ""
        try:
            TARGETS[name](str(path))
        except TupeloError as error:
            message = str(error)
        assert "\n" not in message


def test_the_probe_can_fail(tmp_path):
    """A reader without these guards raises something else."""
    path = tmp_path / "file"
    path.write_bytes(HOSTILE["nested lists"])
    with pytest.raises(RecursionError):
        of_lines(lambda lines: [json.loads(lines.text())])(str(path))


@pytest.mark.parametrize("depth", [DEEP, ALMOST])
@pytest.mark.parametrize("format_name", ["pairs", "qags", "frank"])
def test_a_deeply_nested_collection_is_one_line(tmp_path, capsys, depth, format_name):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b'{"id": %s, "generated": "a", "source": "b"}\n' % nested("[", "]", depth))
    result = run(capsys, "check", "--pairs", str(path), "--format", format_name)
    assert result.status == 2
    assert len(result.err.strip().splitlines()) == 1
    assert "nested too deeply" in result.err
