"""A package with one part of each kind, installed into an environment, works in all commands that list such parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from tests.extras import needs
from tupelo.nlp.folder import find_model

pytestmark = pytest.mark.process

MODULE = Path(__file__).with_name("own_parts") / "own_parts.py"
ENTRY_POINTS = """
[tupelo.parsers]
own-parser = own_parts:Parser
[tupelo.extractors]
own-extractor = own_parts:Extractor
own-client = own_parts:Client
[tupelo.formats]
own-format = own_parts:FORMAT
[tupelo.scorers]
own-scorer = own_parts:Scorer
[tupelo.canonicalizers]
own-method = own_parts:Canonicalizer
[tupelo.inference_methods]
own-inference = own_parts:Inference
[tupelo.paraphrasers]
own-paraphraser = own_parts:Paraphraser
[tupelo.rewriters]
own-rewriter = own_parts:rewriter
[tupelo.annotation_tasks]
own-task = own_parts:TASK
[tupelo.exporters]
own-exporter = own_parts:EXPORTER
[tupelo.models]
own-english = own_models
"""
GOLD = "Ann sold the house\tsold\tAnn\tthe house\nBob left Rome\tleft\tBob\tRome\n"
PREDICTED = "Ann | sold | the house | 0.9 | Ann sold the house\nBob | left | Rome | 0.8 | Bob left Rome\n"
# Commands as lines of JSON, answered with their exit status and what they print.
COMMANDS = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from tupelo.cli import _run
for line in sys.stdin:
    sys.argv = ["tupelo", *json.loads(line)]
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with redirect_stdout(printed), redirect_stderr(printed):
        status = _run()
    print(json.dumps([status, printed.buffer.getvalue().decode()]), flush=True)
"""
TEXT = "Ann Lee founded Acme in Oslo. Bob bought Acme."


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of an environment with this Tupelo, its dependencies and the wheel of the other package."""
    folder = tmp_path_factory.mktemp("environment")
    wheel = folder / "own_parts-1.0-py3-none-any.whl"
    about = "own_parts-1.0.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.write(MODULE, "own_parts.py")
        archive.writestr("own_models/__init__.py", "raise ImportError('a package of weights need not be imported')\n")
        archive.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: own-parts\nVersion: 1.0\n")
        archive.writestr(
            f"{about}/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{about}/entry_points.txt", ENTRY_POINTS)
        archive.writestr(f"{about}/RECORD", "")
    venv.create(folder / "venv", with_pip=False)
    interpreter = folder / "venv" / "bin" / "python"
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(interpreter),
        "install",
        "--no-index",
        "--no-deps",
        str(wheel),
    ]
    subprocess.run(install, check=True, capture_output=True)
    (site,) = (folder / "venv").glob("lib/python*/site-packages")
    # The package's model: the shipped one by another name.
    os.symlink(find_model("en"), site / "own_models" / "own-english")
    # What this environment sees, seen by the other one as well.
    (site / "here.pth").write_text("\n".join(filter(os.path.isdir, sys.path)) + "\n", "utf-8")
    return str(interpreter)


@pytest.fixture(scope="module")
def folder(python, tmp_path_factory):
    """Input files, and a graph built with the parts of the other package."""
    folder = tmp_path_factory.mktemp("work")
    (folder / "gold.tsv").write_text(GOLD, "utf-8")
    (folder / "own.txt").write_text(PREDICTED, "utf-8")
    (folder / "text.txt").write_text(TEXT, "utf-8")
    (folder / "triples.tsv").write_text("Ann\tsold\tthe house\nAnna\tsells\tthe home\n", "utf-8")
    (folder / "rows.jsonl").write_text('{"id": "1", "text": "A sentence."}\n', "utf-8")
    return folder


@pytest.fixture(scope="module")
def tupelo(python, folder):
    """Runs a command in the other environment and returns what it prints; one process imports once for all."""
    with subprocess.Popen(
        [python, "-c", COMMANDS],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:

        def run(*arguments, status=0):
            print(json.dumps(arguments), file=process.stdin, flush=True)
            found, printed = json.loads(process.stdout.readline())
            assert found == status, printed
            return printed

        yield run
        process.stdin.close()


def test_a_format_is_listed_detected_by_name_converted_and_written(tupelo, folder):
    assert "own-format  columns between bars" in tupelo("formats").replace("        ", "  ")
    tupelo("convert", "own.txt", "own.jsonl", "--from", "own-format")
    assert "Ann | sold | the house | 0.9" in tupelo("convert", "own.jsonl", "-", "--to", "own-format")
    assert "Ann | " in tupelo("extract", "text.txt", "--format", "own-format", "--extractor", "own-extractor")


def test_a_scorer_is_a_command_and_takes_part_in_comparisons(tupelo, folder):
    assert "own-scorer" in tupelo("score", "--help")
    scored = tupelo("score", "own-scorer", "gold.tsv", "own.txt", "--format", "own-format", "--weight", "0.5")
    assert "F1 50.0" in scored
    assert "own-scorer|gold:gold.tsv@" in scored
    assert "own" in tupelo("leaderboard", "own-scorer", "gold.tsv", "own-format:own.txt")
    both = ("own-format:own.txt", "own-format:own.txt")
    assert "f1" in tupelo("compare", "own-scorer", "gold.tsv", *both, "--samples", "5")


def test_parsers_and_extractors_are_listed_and_used(tupelo, folder):
    listed = tupelo("extract", "--list")
    assert "the first word and everything after it" in listed
    used = tupelo(
        "extract",
        "text.txt",
        "--extractor",
        "own-extractor",
        "--parser",
        "own-parser",
        "--format",
        "tab",
    )
    assert "starts\tAnn" in used
    assert "starts\tAnn" in tupelo("extract", "text.txt", "--extractor", "own-client", "--format", "tab")
    assert "founded" in tupelo("analyze", "text.txt", "--parser", "own-parser")
    assert "own-extractor" not in tupelo("check", "text.txt", "--source", "text.txt", "--extractor", "own-extractor")
    assert "founded" in tupelo("assertions", "ngrams", "text.txt", "--parser", "own-parser")


def test_a_model_is_found_by_its_name(tupelo, folder):
    assert "founded" in tupelo("analyze", "text.txt", "--parser", "model:own-english")
    unknown = tupelo("analyze", "text.txt", "--parser", "model:own-englisch", status=2)
    assert "no model named 'own-englisch'. Did you mean 'own-english'?" in unknown


def test_a_graph_is_built_and_exported_by_parts_of_others(tupelo, folder):
    build = ("graph", "build", "text.txt", "-o", "kg.duckdb", "--workers", "1", "--parser", "own-parser")
    tupelo(*build, "--extractor", "rules", "--canonicalizer", "own-method")
    refused = tupelo(*build, "--extractor", "own-client", status=2)
    assert "cannot run in several processes" in refused
    assert "names of entities, one a line" in tupelo("graph", "export", "kg.duckdb", "--list")
    assert '"Acme"' in tupelo("graph", "export", "kg.duckdb", "--format", "own-exporter")
    tupelo("graph", "export", "kg.duckdb", "-o", "kg.names")
    assert '"Acme"' in (folder / "kg.names").read_text("utf-8")
    tupelo(
        "graph",
        "query",
        "kg.duckdb",
        "?who founded ?what",
        "--infer",
        "--infer-method",
        "own-inference",
    )


def test_methods_of_canonicalization_and_inference_are_listed_and_used(tupelo, folder):
    assert "own-method" in tupelo("canonicalize", "--help")
    assert '"Ann"' in tupelo("canonicalize", "triples.tsv", "--method", "own-method", "-o", "-")
    assert "own-inference" in tupelo("infer", "--help")
    judged = tupelo("infer", "Ann, sold, it", "Ann, had, it", "--method", "own-inference", "--explain")
    assert "counted letters" in judged


def test_paraphrasers_and_rewrite_rules_make_cliques(tupelo, folder):
    build = (
        "cliques",
        "build",
        "gold.tsv",
        "--format",
        "carb",
        "--min-sentences",
        "2",
        "--all",
        "--check-with",
        "none",
    )
    assert "own-paraphraser" in tupelo("cliques", "build", "--list")
    assert "It is a fact that" in tupelo(*build, "--paraphraser", "own-paraphraser")
    made = tupelo(*build, "--paraphraser", "rewrite:own-rewriter")
    assert "2 paraphrases of 2 sentences" in made


@needs("sqlalchemy", "annotate")
def test_an_annotation_task_makes_a_project(tupelo, folder):
    assert "own-task" in tupelo("annotate", "init", "--help")
    tupelo("annotate", "init", "project", "--task", "own-task", "--items", "rows.jsonl")
    tupelo("annotate", "import", "project", "rows.jsonl")
    assert "own-task" in (folder / "project" / "project.toml").read_text("utf-8")
    tupelo("annotate", "export", "project", "--what", "answers", "-o", "answers.jsonl")
    assert "0" in tupelo("annotate", "agreement", "project")
