"""Commands in the pages work as typed and print what the pages say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, commands_in, fill_folder, page_name, run_in_shell
from tests.docs.shell import run_line
from tests.extras import skip_without_extra

PAGES_WITH_COMMANDS = [path for path in PAGES if "```console" in path.read_text("utf-8")]


# Processors round the sums of eight-bit products differently: the third decimal may differ, or the last one shown.
_FIGURE = re.compile(r"(?<![\d.])([01]\.\d{2,3})(?![\d.])")
_ROUNDING = 0.005


def looks_like(shown: str, printed: str) -> bool:
    """Whether the output is as shown, where `...` stands for anything and scores may be rounded differently."""
    pieces = [_FIGURE.split(part) for part in shown.split("...")]
    # Every second text of a piece is a figure.
    pattern = ".*".join(r"(\d\.\d+)".join(map(re.escape, piece[::2])) for piece in pieces)
    found = re.fullmatch(pattern, printed.rstrip("\n"), re.DOTALL)
    figures = [text for piece in pieces for text in piece[1::2]]
    return found is not None and all(
        len(text) == len(other) and abs(float(text) - float(other)) < max(_ROUNDING, 1.01 * 10 ** (2 - len(text)))
        for text, other in zip(figures, found.groups(), strict=True)
    )


def test_dots_stand_for_anything_and_nothing_else_does():
    assert looks_like("F1 74.7\n...", "F1 74.7\ncarb|…\n")
    assert looks_like("", "")
    assert not looks_like("F1 74.7", "F1 74.7\ncarb|…\n")
    assert not looks_like("F1 74.7", "F1 7407")
    assert not looks_like("", "surprise")


def test_scores_may_be_rounded_differently_and_not_more():
    assert looks_like("score 0.475 ... 0.87", "score 0.478 and then 0.88")
    assert not looks_like("score 0.475", "score 0.481")
    assert not looks_like("score 0.475", "score 0.4750")
    assert not looks_like("0.87", "0.89")
    assert not looks_like("version 1.25.3", "version 1.24.3")


@pytest.mark.model
@pytest.mark.process
@pytest.mark.parametrize("page", PAGES_WITH_COMMANDS, ids=page_name)
def test_every_command_of_a_page_works_and_prints_what_the_page_shows(page: Path, tmp_path: Path):
    fill_folder(tmp_path)
    for command in commands_in(page.read_text("utf-8")):
        done = run_line(command.line, tmp_path)
        skip_without_extra(done.stdout)
        assert done.returncode == 0, f"{command.line}\n{done.stdout}"
        assert looks_like(command.shown, done.stdout), f"{command.line}\nshown:\n{command.shown}\nis:\n{done.stdout}"


@pytest.mark.model
@pytest.mark.process
def test_a_line_gives_the_same_inside_the_process_and_in_a_shell(tmp_path: Path):
    fill_folder(tmp_path)
    for line in (
        "tupelo score carb gold.tsv careful.tsv --json",
        'echo "Ann left Oslo." | tupelo extract',
        "tupelo convert careful.tsv - --to nothing",
        "tupelo score carb gold.tsv missing.tsv",
    ):
        inside, outside = run_line(line, tmp_path), run_in_shell(line, tmp_path)
        assert (inside.returncode, inside.stdout) == (outside.returncode, outside.stdout)


@pytest.mark.slow
def test_the_readme_shows_what_its_commands_print(shared: Path, tmp_path: Path):
    for name in (
        "carb/gold/dev.tsv",
        "carb/system_outputs/dev/openie5_output.txt",
        "oie2016/systems_output/dev/openie4_tabbed.txt.gz",
        "oie2016/systems_output/dev/clausie_tabbed.txt.gz",
    ):
        (tmp_path / Path(name).name).symlink_to(shared / "data" / name)
    commands = [
        command
        for command in commands_in((ROOT / "README.md").read_text("utf-8"))
        if command.line.startswith("tupelo ")
    ]
    assert commands
    for command in commands:
        done = run_line(command.line, tmp_path)
        assert done.returncode == 0, done.stdout
        printed = [line.split() for line in done.stdout.splitlines()]
        for line in command.shown.splitlines():
            # Tables may be narrower in the README; rulers are only looks.
            assert line.split() in printed or set(line) <= {"-", " "}, f"not printed: {line}"
