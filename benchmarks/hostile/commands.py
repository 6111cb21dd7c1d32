"""Every command with every fault: each input, output and option that click knows of, one at a time.

A command needs an entry in `WORKING` only for what it cannot run without; all else is read from its parameters, so a
new command, or a new option, is covered when it is written. What must hold for each case is in `complaints`.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

import click

from benchmarks.hostile.faults import CORPUS
from tupelo.cli import main, tupelo
from tupelo.cli.options import InputPath, OutputPath
from tupelo.io.formats import FORMATS

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"


@dataclass(frozen=True, slots=True)
class Line:
    """A command line that works: the samples that its parameters read, and further words."""

    inputs: Mapping[str, str] = field(default_factory=dict)
    words: tuple[str, ...] = ()
    # Without these outputs the command does nothing, or prints too much.
    outputs: tuple[str, ...] = ()


_RULES = ("--extractor", "rules")
_SMALL = ("--size", "4", "--iterations", "1", "--min-count", "1", "--threads", "1")
# What a command cannot run without.
WORKING: Mapping[str, Line] = {
    "extract": Line({"files": "text"}, _RULES),
    "analyze": Line({"files": "text"}),
    "show": Line(words=("Ann left Oslo.",)),
    "score benchie": Line({"gold": "benchie", "predictions": "tab"}),
    "score carb": Line({"gold": "carb", "predictions": "tab"}),
    "score clusters": Line({"gold": "gold-clusters", "clusters": "clusters"}),
    "score coref": Line({"gold": "coref", "predictions": "coref-predictions"}),
    "score factuality": Line({"judgements": "judged", "scores": "scores"}, ("--samples", "10")),
    "score inference": Line({"pairs": "pairs", "scores": "pair-scores"}),
    "score oie2016": Line({"gold": "carb", "predictions": "tab"}),
    "score robust": Line({"gold": "cliques", "predictions": "clique-predictions"}),
    "score wire57": Line({"gold": "carb", "predictions": "tab"}, ("--gold-format", "carb")),
    "compare": Line({"gold": "carb", "predictions": "tab"}, ("{tab}", "--samples", "10", "carb")),
    "leaderboard": Line({"gold": "carb", "predictions": "tab"}, ("carb",)),
    "graph build": Line({"documents": "text"}, ("--extractor", "rules", "--workers", "1"), ("output",)),
    "graph query": Line({"graph": "graph"}, ("? founded ?",)),
    "graph show": Line({"graph": "graph"}),
    "graph serve": Line({"graph": "graph"}),
    "graph stats": Line({"graph": "graph"}),
    "graph export": Line({"graph": "graph"}, ("--format", "ntriples")),
    "canonicalize": Line({"triples": "triples"}, ("--method", "surface")),
    "check": Line({"generated": "generated", "source": "source"}),
    "facts extract": Line({"files": "text"}),
    "facts dataset": Line({"articles": "articles", "knowledge": "facts"}, ("--workers", "1"), ("output",)),
    "facts train": Line(
        {"examples": "examples"},
        ("--model", "classifier", "--size", "tiny", "--steps", "1", "--batch", "2"),
        ("output",),
    ),
    "assertions aggregate": Line({"files": "assertions"}),
    "assertions candidates": Line(
        {"assertions": "assertions"}, ("--argument", "moss", "--relation", "heals", "--type", "plant")
    ),
    "assertions extract": Line({"files": "ngrams"}),
    "assertions ngrams": Line({"files": "text"}),
    "convert": Line({"source": "tab"}, ("--to", "jsonl"), ("target",)),
    "embed neighbours": Line({"vectors": "vectors"}, ("heals",)),
    "embed relations": Line({"assertions": "assertions"}, _SMALL, ("output",)),
    "embed words": Line({"parsed": "ngrams"}, (*_SMALL, "--ngrams"), ("output",)),
    "infer": Line({"pairs": "pairs"}, ("--method", "lemma")),
    "data get": Line({"source": "folder"}, ("carb", "--split", "dev")),
    "data info": Line(words=("carb",)),
    "data path": Line(words=("carb",)),
    "cliques analyze": Line({"cliques": "cliques", "predictions": "clique-predictions", "trees": "trees"}),
    "cliques build": Line(
        {"gold": "carb"}, ("--format", "carb", "--min-sentences", "2", "--paraphraser", "rewrite:passive")
    ),
    "cliques distance": Line({"cliques": "cliques", "trees": "trees"}),
    "cliques filter": Line({"cliques": "cliques"}),
    # Nobody answers at this address.
    "cliques study": Line(
        {"cliques": "cliques"},
        ("--extractor", "llm:m", "--set", "base-url=http://127.0.0.1:9/v1", "--set", "attempts=1", "--pairs", "0"),
    ),
    "annotate init": Line({"items": "judged"}, ("--task", "accuracy"), ("folder",)),
    "annotate serve": Line({"projects": "project"}),
    "annotate invite": Line({"project": "project"}),
    "annotate import": Line({"project": "project", "files": "judged"}),
    "annotate export": Line({"project": "project"}),
    "annotate agreement": Line({"project": "project"}),
    "annotate backup": Line({"project": "project"}, outputs=("output",)),
    "annotate restore": Line({"project": "project", "backup": "text"}),
    "annotate audit": Line({"project": "project"}),
    "annotate person export": Line({"project": "project"}, ("Ann",)),
    "annotate person erase": Line({"project": "project"}, ("Ann",)),
    "annotate token create": Line({"project": "project"}, ("Ann",)),
    "annotate token list": Line({"project": "project"}),
    "annotate token revoke": Line({"project": "project"}, ("1",)),
    "reproduce carb": Line({"data": "folder"}),
    "reproduce combo": Line({"file": "combo"}, ("--method", "surface")),
    "reproduce facts": Line({"judged": "judged"}, ("--format", "pairs", "--method", "none")),
    "reproduce robust": Line({"gold": "cliques", "predictions": "clique-predictions"}),
    "demo": Line(outputs=("output",)),
}
# These go on until somebody ends them, so they are only given what cannot be served.
SERVERS = frozenset({"graph serve", "annotate serve", "serve"})
_UNSERVABLE = ("empty", "random bytes", "half", "NUL bytes", "web page")
# Names with an ending, where the ending says what is written.
_ENDINGS = {"plot": ".png", "curve": ".csv", "table": ".csv", "target": ".jsonl", "errors": ".html", "html": ".html"}
_PROCESSES = frozenset({"processes", "workers", "threads", "jobs", "port"})


def all_commands(group: click.Group = tupelo, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Every command below a group, by its words."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        words = f"{path} {name}".strip()
        if isinstance(command, click.Group):
            yield from all_commands(command, words)
        elif command is not None:
            yield words, command


def write_samples(folder: Path) -> dict[str, Path]:
    """A good file of every kind that commands read."""
    from tupelo.api.annotation import AnnotationProject
    from tupelo.api.graph import Graph
    from tupelo.api.text import load

    sentences = "Ann Watson founded Lindvik Shipping in 1998. She lives in Oslo with Bob Berg.\n"
    trees = "(S (NP (NNP Ann)) (VP (VBD left) (NP (NNP Oslo))) (. .))\n" * 9
    marked = {"marked": "SUBJ{Ann} saw OBJ{Bob}.", "property": "P1"}
    phrase = {"id": "q1", "instance": ["human"], "name": ["ann"], "pos": [0, 1]}
    relation = {"id": None, "label": "birth", "name": ["left"], "pos": [1, 2]}
    triple = {"text": ["ann", "left", "oslo"], "h": phrase, "r": relation, "t": {**phrase, "id": "q2"}}
    texts = {
        "text.txt": sentences,
        "triples.tsv": "Ann Berg\tlives in\tOslo\nann berg\tresides in\tBergen\n",
        "assertions.tsv": "moss\theals\twounds\t3\nmoss\tis good for\twounds\t2\nann\twrote\thamlet\t1\n",
        "vectors.txt": "2 3\nheals 0.1 0.2 0.3\nhurts 0.3 0.2 0.1\n",
        "examples.jsonl": (json.dumps(marked) + "\n") * 2,
        "trees.txt": trees,
        "combo.json": json.dumps([{**triple, "tri_id": number} for number in range(4)]),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for path in EXAMPLES.glob("small-*"):
        shutil.copy(path, folder / path.name.removeprefix("small-"))
    shutil.move(folder / "predictions.tsv", folder / "tab.tsv")
    shutil.move(folder / "gold.tsv", folder / "carb.tsv")
    (folder / "folder").mkdir()
    Graph.build([folder / "text.txt"], folder / "graph.duckdb", nlp=load(extractor="rules")).close()
    with AnnotationProject.create(folder / "project", "accuracy", items=[folder / "judged.jsonl"]) as project:
        project.add(folder / "judged.jsonl")
    for name in FORMATS:
        (folder / f"sample-{name}").write_bytes(FORMATS.get(name).sample_bytes())
    return {path.name.split(".")[0]: path for path in sorted(folder.iterdir()) if not path.name.startswith(".")}


@dataclass(frozen=True, slots=True)
class Case:
    """One command line with one fault. `{folder}` is the folder of the case, `{sample}` a file by its name."""

    command: str
    fault: str
    words: tuple[str, ...]
    # The file that is written before, from a sample and by a fault of the corpus.
    file: tuple[str, str] | None = None
    named: str = ""
    # An output cannot be written; what was finished before may stay.
    late: bool = False

    @property
    def others(self) -> list[str]:
        """Other files of the line, by the beginnings of their names."""
        return [f"/{word.strip('{}')}." for word in self.words if word.startswith("{")]

    def __str__(self) -> str:
        return f"tupelo {self.command}: {self.fault}"


@dataclass(frozen=True, slots=True)
class Outcome:
    status: int
    out: bytes
    err: str


def all_cases() -> Iterator[Case]:
    for name, command in all_commands():
        yield from _cases(name, command)


def _cases(name: str, command: click.Command) -> Iterator[Case]:
    line = WORKING.get(name, Line())
    inputs = [each for each in command.params if isinstance(each.type, InputPath)]
    outputs = [each for each in command.params if isinstance(each.type, OutputPath)]
    for each in inputs:
        good = line.inputs.get(each.name or "", "text")
        for fault in _UNSERVABLE if name in SERVERS else CORPUS:
            words = _words(command, line, {each.name: "{folder}/bad.txt"})
            yield Case(name, f"{each.name} is {fault}", words, (good, fault), "bad.txt")
        for place, fault in (("missing.txt", "missing"), (".", "a folder"), ("loop", "a link to itself")):
            words = _words(command, line, {each.name: "{folder}/" + place})
            yield Case(name, f"{each.name} is {fault}", words, named=place.strip("."))
        if name not in SERVERS:
            yield Case(name, f"{each.name} is /dev/null", _words(command, line, {each.name: os.devnull}))
    if name in SERVERS:
        return
    for each in outputs:
        for place, fault in (
            ("{folder}/no/such/folder/out", "in a missing folder"),
            ("{folder}", "a folder"),
            ("{folder}/old", "a file already"),
            ("/dev/full", "a full device"),
            ("{folder}/loop", "a link to itself"),
        ):
            ending = "" if "folder}" in place[-8:] or place == "/dev/full" else _ENDINGS.get(each.name or "", "")
            words = _words(command, line, {each.name: place + ending})
            yield Case(name, f"{each.name} is {fault}", words, late=True)
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag and option not in (*inputs, *outputs):
            for value in _bad_values(option):
                words = _words(command, line, {option.name: value})
                yield Case(name, f"{option.opts[0]} {value!r}", words)
    yield Case(name, "nothing given", ())
    yield Case(name, "unknown option", (*_words(command, line, {}), "--no-such-option"))


def _bad_values(option: click.Option) -> Iterator[str]:
    if isinstance(option.type, click.types.IntParamType | click.IntRange):
        yield from ("-1", "0", "x", "")
        if option.name not in _PROCESSES and option.name in {"seed", "limit", "top", "worst", "sentences", "count"}:
            yield "99999999999999999999"
    elif isinstance(option.type, click.types.FloatParamType | click.FloatRange):
        yield from ("-1", "7", "nan", "inf", "1e999", "x", "")
    else:
        yield from ("no such", "", "a=b", "\x1b[31m")


def _words(command: click.Command, line: Line, given: Mapping[str | None, str]) -> tuple[str, ...]:
    """The words of a command line: positional arguments in their order, then options."""
    values: dict[str, str] = {name: "{" + sample + "}" for name, sample in line.inputs.items()}
    values |= {name: "{folder}/out" + _ENDINGS.get(name, "") for name in line.outputs}
    values |= {name: value for name, value in given.items() if name is not None}
    options: list[str] = []
    arguments: list[str] = []
    rest = list(line.words)
    for each in command.params:
        value = values.get(each.name or "")
        if isinstance(each, click.Argument):
            if value is not None:
                arguments.append(value)
            elif rest and not rest[-1].startswith("-") and each.required:
                arguments.append(rest.pop())
            if each.nargs == -1 and rest and rest[0].startswith("{"):
                arguments.append(rest.pop(0))
        elif value is not None and isinstance(each, click.Option):
            if each.opts[0] in rest:
                # What is asked for takes the place of what works.
                at = rest.index(each.opts[0])
                del rest[at : at + 2]
            options += [each.opts[0], *([value] * each.nargs)]
    return (*arguments, *rest, *options)


def input_case(name: str, parameter: str, fault: str) -> Case:
    """A command that reads a damaged file, `bad.txt`, in place of a good one."""
    words = _words(dict(all_commands())[name], WORKING[name], {parameter: "{folder}/bad.txt"})
    return Case(name, f"{parameter} is {fault}", words, named="bad.txt")


def run_case(case: Case, samples: Mapping[str, Path], folder: Path, data: bytes | None = None) -> list[str]:
    """Run a case in an empty folder, with `data` as the bad file, and return what is wrong with how it ended."""
    for name in ("old", *{f"old{ending}" for ending in _ENDINGS.values()}):
        (folder / name).write_bytes(b"old\n")
    (folder / "loop").symlink_to("loop")
    if case.file is not None:
        sample, fault = case.file
        (folder / "bad.txt").write_bytes(CORPUS[fault](_content(samples[sample])))
    if data is not None:
        (folder / "bad.txt").write_bytes(data)
    before = _files(folder)
    names = {name: str(path) for name, path in samples.items()} | {"folder": str(folder)}
    words = [_filled(word, names) for word in case.words]
    with _own_places(folder):
        outcome = call([*case.command.split(), *words])
    return complaints(case, outcome, before, _files(folder))


def _content(sample: Path) -> bytes:
    """What a file holds, or the first one of a folder."""
    files = [sample] if sample.is_file() else sorted(sample.iterdir())
    return files[0].read_bytes() if files else b"text\n"


def _filled(word: str, names: Mapping[str, str]) -> str:
    for name, value in names.items():
        word = word.replace("{" + name + "}", value)
    return word


def _files(folder: Path) -> dict[str, bytes | None]:
    """Content by path, and `None` for what is no file."""
    found: dict[str, bytes | None] = {}
    for path in folder.rglob("*"):
        found[str(path.relative_to(folder))] = path.read_bytes() if path.is_file() and not path.is_symlink() else None
    return found


@contextmanager
def _own_places(folder: Path) -> Iterator[None]:
    """A working folder, home and cache that a case may fill."""
    elsewhere = folder.with_name(f"{folder.name}-elsewhere")
    elsewhere.mkdir(exist_ok=True)
    here = os.getcwd()
    os.chdir(elsewhere)
    try:
        with patch.dict(os.environ, {"TUPELO_CACHE": str(elsewhere / "cache")}):
            yield
    finally:
        os.chdir(here)
        shutil.rmtree(elsewhere, ignore_errors=True)


def call(arguments: Sequence[str], stdin: bytes = b"") -> Outcome:
    """Run a command in this process, with streams as a process of its own would have."""
    streams = [
        io.TextIOWrapper(io.BytesIO(given), encoding="utf-8", errors=errors)
        for given, errors in ((stdin, "strict"), (b"", "strict"), (b"", "backslashreplace"))
    ]
    before = set(threading.enumerate())
    with patch.multiple(sys, argv=["tupelo", *arguments], stdin=streams[0], stdout=streams[1], stderr=streams[2]):
        try:
            main()
            status = 0
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 1 if stop.code else 0
            if status > 128:
                raise  # somebody ends the benchmark
        except BaseException:  # whatever it is, it is what the benchmark looks for
            status = 1
            traceback.print_exc()
        # A process of its own would not end before them either.
        for thread in set(threading.enumerate()) - before:
            if not thread.daemon:
                thread.join()
        for stream in streams[1:]:
            stream.flush()
    out, err = (stream.detach().getvalue() for stream in streams[1:])
    return Outcome(status, out, err.decode("utf-8", "replace"))


def complaints(case: Case, outcome: Outcome, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What is wrong with how a command ended; empty when all is well."""
    found = []
    if "Traceback (most recent call last)" in outcome.err:
        *_, last = outcome.err.strip().splitlines()
        found.append(f"traceback: {last[:200]}")
    elif outcome.status not in (0, 1, 2):
        found.append(f"exit status {outcome.status}")
    elif outcome.status == 2:
        lines = outcome.err.strip().splitlines()
        if lines[:1] and lines[0].startswith("Usage: "):
            pass
        elif len(lines) != 1 or not lines[0].startswith("tupelo: "):
            found.append(f"{len(lines)} lines on standard error: {outcome.err.strip()[:300]!r}")
        elif case.named and not any(word in lines[0] for word in (case.named, *case.others, "--", "'")):
            # An error may also be about what the file lacks, or about another file that does not fit to it.
            found.append(f"nothing is named: {lines[0][:200]}")
    if outcome.status == 2:
        changed = [name for name, content in before.items() if after.get(name, b"") != content]
        found += [f"{name} was changed" for name in changed]
        # What is finished of long work is kept for the next run, in a folder of this name.
        new = [name for name in after if name not in before and ".work" not in name]
        found += [f"{name} was left behind" for name in new if not case.late or Path(name).name.startswith(".")]
    else:
        hidden = [name for name in after if name not in before and Path(name).name.startswith(".")]
        found += [f"{name} was left behind" for name in hidden]
    return found
