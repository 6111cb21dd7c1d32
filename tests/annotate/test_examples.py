"""The worked example of every task: it can be served, its keys pass its own test, and its files are small."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotate.rows import task_of
from tupelo.annotate.exchange import items_of_rows, read_rows
from tupelo.annotate.project import load_project, make_project
from tupelo.annotate.tasks import TASKS
from tupelo.annotate.tasks.base import Item
from tupelo.io.folders import packaged_files

EVERY_TASK = sorted(TASKS)


def test_every_task_has_one() -> None:
    found = packaged_files("tupelo.annotate", "examples")
    assert sorted({name.partition("/")[0] for name in found}) == EVERY_TASK


@pytest.mark.parametrize("name", EVERY_TASK)
def test_keys_are_right_by_their_own_grade(name: str, tmp_path: Path) -> None:
    make_project(tmp_path / "p", name, (), {})
    project, task = load_project(tmp_path / "p"), task_of(name)
    items: list[Item] = []
    for number, step in enumerate(project.tutorial()):
        if "row" in step:
            items += items_of_rows(task, [{**step["row"], "answer": step["answer"]}], project.settings, str(number))
    assert items, "a tutorial without practice teaches nothing"
    assert project.qualification.file is not None
    rows = read_rows(task.reads, str(project.path(project.qualification.file)))
    items += items_of_rows(task, rows, project.settings, "test")
    for item in items:
        assert item.gold is not None
        gold = task.validate(item, item.gold, "")
        assert gold == item.gold, "golds come in their normal form"
        assert task.grade(item, gold, gold) == pytest.approx(1.0)


@pytest.mark.parametrize("name", EVERY_TASK)
def test_its_items_can_be_read(name: str, tmp_path: Path) -> None:
    make_project(tmp_path / "p", name, (), {})
    project, task = load_project(tmp_path / "p"), task_of(name)
    rows = [row for file in project.items for row in read_rows(task.reads, str(project.path(file)))]
    items = items_of_rows(task, rows, project.settings, "items")
    assert len({item.id for item in items}) == len(items) >= 3


def test_the_tutorial_of_tuples_teaches_the_four_rules(tmp_path: Path) -> None:
    make_project(tmp_path / "p", "tuples", (), {})
    titles = [step["title"] for step in load_project(tmp_path / "p").tutorial()]
    assert titles[1:5] == ["Completeness", "Assertedness", "Informativeness", "Atomicity"]
