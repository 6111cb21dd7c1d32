"""The site builds, is fresh, and leaves nothing out."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from dataclasses import fields
from importlib import import_module
from pathlib import Path

import click
import pytest

from benchmarks import results
from tests.docs.pages import DOCS, PAGES, ROOT, load_generator, page_name
from tupelo.api.scoring import scorers
from tupelo.cli import tupelo as root_command
from tupelo.core import Argument, Attribution, Extraction, Sentence, Span, Triple
from tupelo.io.formats import FORMATS
from tupelo.scorers import SCORERS, Score
from tupelo.scorers.carb_matchers import MATCHERS as CARB_MATCHERS
from tupelo.scorers.carb_matchers import OFFICIAL_NAMES as CARB_NAMES
from tupelo.scorers.errors import ErrorClass
from tupelo.scorers.oie2016 import MATCHERS as OIE2016_MATCHERS

generator = load_generator()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_LOADED_FROM_ELSEWHERE = re.compile(
    r"<(?:script|img|iframe)[^>]+src=\"?(?:https?:)?//|<link[^>]+href=\"?(?:https?:)?//"
)


@pytest.fixture
def site_source(tmp_path: Path) -> Path:
    """A copy of what the site is built from; the generator keeps a cache beside it."""
    pytest.importorskip("zensical", reason="needs the dependency group docs")
    generator.write_site_pages(tmp_path / "build/docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    return tmp_path


def build_site(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict"],
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.process
def test_the_site_builds_strictly_and_loads_nothing_from_elsewhere(site_source: Path):
    done = build_site(site_source)
    assert (done.returncode, done.stderr.strip()) == (0, "No issues found")
    site = site_source / "site"
    built = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    pages = {path.relative_to(DOCS).with_suffix(".html").as_posix() for path in DOCS.rglob("*.md")}
    assert built == {*pages, "404.html"}
    assert not list(site.rglob("*.py"))
    for name in built:
        assert not _LOADED_FROM_ELSEWHERE.search((site / name).read_text("utf-8")), name


@pytest.mark.process
def test_links_that_lead_nowhere_fail_the_build(site_source: Path):
    with (site_source / "build/docs/index.md").open("a", encoding="utf-8") as page:
        page.write("\n[a page](nowhere.md) and [a heading](tour.md#no-such-heading)\n")
    done = build_site(site_source)
    assert done.returncode != 0
    assert "page does not exist" in done.stderr
    assert "anchor does not exist" in done.stderr


def test_every_page_is_in_the_navigation():
    listed = re.findall(r"^ +- [^:\n]+: (\S+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    assert sorted(listed) == sorted(page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md"))


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=page_name)
def test_generated_parts_are_fresh(page: Path):
    text = page.read_text("utf-8")
    assert generator.fill(text) == text, "stale; run: python docs/generate.py"


@pytest.mark.parametrize("page", sorted((DOCS / "benchmarks").glob("*.md")), ids=page_name)
def test_every_table_of_a_benchmark_page_is_rendered_from_a_result_file(page: Path):
    written = re.sub(r"<!-- begin generated: .*?<!-- end generated -->", "", page.read_text("utf-8"), flags=re.DOTALL)
    assert not re.search(r"^\|", written, re.MULTILINE)


def test_every_result_file_is_complete_and_on_a_page():
    pages = "".join(page.read_text("utf-8") for page in (DOCS / "benchmarks").glob("*.md"))
    for path in results.FOLDER.glob("*.json"):
        found = results.load(path.stem)
        assert f"<!-- begin generated: result {path.stem} -->" in pages
        assert re.fullmatch(r"\d{4}-\d{2}-\d{2}", found.date)
        assert re.fullmatch(r"[0-9a-f]{7,40}(-dirty)?", found.commit)
        assert all(len(row) == len(found.header) == len(found.align) for row in found.rows)


def test_a_saved_table_is_read_and_rendered(monkeypatch, tmp_path):
    monkeypatch.setattr(results, "FOLDER", tmp_path)
    monkeypatch.setattr(results, "_commit", lambda: "0123456789ab")
    results.save("small", ["system", "F1", "note"], [["ours", 51.5, "**new**"], ["theirs", None, ""]])
    found = results.load("small")
    assert found.markdown().splitlines() == [
        "| system | F1 | note |",
        "| --- | ---: | --- |",
        "| ours | 51.5 | **new** |",
        "| theirs | | |",
    ]
    assert found.part(["theirs"], ["note"]).rows == [["theirs", ""]]
    assert "--save" not in found.command


def test_links_between_pages_lead_somewhere():
    for page in [*PAGES, *ROOT.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
            assert target.startswith("https://") or (page.parent / target).exists(), (page.name, target)


def text_of(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


def test_every_format_has_a_section():
    headings = re.findall(r"^### (\S+)$", text_of("formats.md"), re.MULTILINE)
    assert headings == list(FORMATS)
    for name in FORMATS:
        assert all(f"`{alias}`" in text_of("formats.md") for alias in FORMATS.aliases(name))


def test_every_command_and_option_is_documented():
    page = generator.commands_reference()
    assert "<!-- made with the site: commands -->" in text_of("commands.md")
    contexts = list(generator.walk(click.Context(root_command, info_name="tupelo")))
    assert len(contexts) >= len(root_command.list_commands(contexts[0]))
    for context in contexts:
        heading = re.search(
            rf"^##+ {re.escape(context.command_path)}$(.*?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL
        )
        assert heading, context.command_path
        for parameter in context.command.params:
            if isinstance(parameter, click.Option) and not parameter.hidden:
                assert max(parameter.opts, key=len) in heading[1], f"{context.command_path} {parameter.opts}"


@pytest.mark.parametrize("metric", scorers("tuples"))
def test_every_scorer_has_a_page_with_its_quirks(metric: str):
    page = text_of(f"scorers/{metric}.md")
    assert all(f"| `{quirk}` |" in page for quirk in SCORERS.get(metric).quirks)
    for section in ("## How it works", "## By hand", "## Matchers", "## Quirks", "## Reading the signature"):
        assert section in page
    assert f"$ tupelo score {metric} small-" in page


def test_every_matcher_is_documented():
    assert all(f"| `{name}`" in text_of("scorers/carb.md") for name in CARB_MATCHERS)
    flags = [name for name in CARB_NAMES if name != "default"]
    assert all(f"`--{flag}`" in text_of("scorers/carb.md") for flag in flags)
    assert all(f"| `{name}`" in text_of("scorers/oie2016.md") for name in OIE2016_MATCHERS)


def test_every_class_of_error_is_documented():
    assert all(f"| {error} |" in text_of("scorers/errors.md") for error in ErrorClass)


def test_every_part_of_a_signature_is_explained():
    for name in scorers("tuples"):
        page = text_of("scorers/carb.md") + text_of(f"scorers/{name}.md")
        for option in SCORERS.get(name)().options():
            assert f"`{option}:" in page or f"`{option}`" in page, f"{name}: {option}"


def test_every_dependency_and_extra_is_explained():
    page = text_of("dependencies.md")
    for requirement in PROJECT["dependencies"]:
        assert f"| `{package(requirement)}` |" in page
    for extra, requirements in PROJECT["optional-dependencies"].items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{extra}` |"))
        assert all(f"`{package(requirement)}`" in row for requirement in requirements), extra


def package(requirement: str) -> str:
    found = re.match(r"[\w-]+", requirement)
    assert found
    return found[0]


def test_every_field_of_the_vocabulary_is_documented():
    for kind in (Extraction, Argument, Sentence, Attribution, Span, Triple, Score):
        lines = [line for line in text_of("python.md").splitlines() if f"`{kind.__name__}`" in line]
        assert any(all(f"`{field.name}`" in line for field in fields(kind) if field.compare) for line in lines), (
            kind.__name__
        )


def test_every_room_is_in_the_design():
    rooms = [path.name for path in (ROOT / "src/tupelo").iterdir() if (path / "__init__.py").exists()]
    assert rooms
    assert all(f"| `{room}` |" in text_of("design.md") for room in rooms)


def test_changes_to_numbers_have_their_own_heading():
    assert "\n### Changes to numbers\n" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_table_of_parts_names_registries_and_their_entry_points():
    rows = re.findall(
        r"^\| [\w ]+ \| `(tupelo\.\w+)` \| `(tupelo[\w.]+)\.(\w+)` \|", text_of("design.md"), re.MULTILINE
    )
    assert len(rows) == 10
    for group, module, name in rows:
        assert getattr(import_module(module), name).group == group
