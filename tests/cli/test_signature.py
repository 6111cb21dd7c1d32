"""Commands from signatures: what a typed function becomes, and papers only in a clone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import click
import pytest
from click.testing import CliRunner

from tests.cli.runner import run as run_tupelo
from tupelo.cli import groups
from tupelo.cli.signature import Run, command
from tupelo.core.parameters import Among, At, Between, Count, Spelled


@dataclass(frozen=True, slots=True)
class Options:
    depth: Annotated[int, Between(1, 5), "How deep."] = 2
    hidden: int = 7


def call(
    source: Annotated[str | list[int], At.INPUT],
    words: Annotated[Sequence[str], Spelled.of("[WORD]...")] = (),
    options: Options | None = None,
    *,
    kinds: Annotated[Sequence[str], Spelled.of("--kind"), Among(("a", "b")), "Which."] = (),
    pairs: Annotated[Sequence[tuple[str, str]], "Two names."] = (),
    settings: Annotated[Mapping[str, str] | None, Spelled.of("--set", "NAME=VALUE"), "A setting."] = None,
    numbers: Annotated[tuple[int, ...], Spelled.of("K,K"), "Numbers."] = (3, 1),
    form: Annotated[Literal["long", "short"], "The form."] = "long",
    coreference: Annotated[bool, "Leave names unresolved."] = True,
    progress: Any = None,
) -> dict[str, Any]:
    return dict(locals())


@command(call)
def made(run: Run[dict[str, Any]], size: Annotated[Count, "Of its own."] = 4, form: str = "") -> None:
    """Do it.

    \b
    Example:
      made x
    """
    found = run()
    found.pop("progress")
    click.echo(repr((found, size, form)))


def outcome(*arguments: str) -> Any:
    return CliRunner().invoke(made, arguments)


def test_values_reach_the_call_and_the_function():
    given = ["x", "u", "v", "--depth", "3", "--kind", "a", "--kind", "b", "--pairs", "p", "q", "--set", "k=v=w"]
    more = ["--numbers", "2,1,2", "--form", "short", "--no-coreference", "--size", "9"]
    found, size, form = eval(outcome(*given, *more).output, {"Options": Options})  # noqa: S307, our own output
    assert found["source"], found["words"] == ("x", ("u", "v"))
    assert found["options"] == Options(3, 7)
    assert (found["kinds"], found["pairs"]) == (("a", "b"), (("p", "q"),))
    assert (found["settings"], found["numbers"]) == ({"k": "v=w"}, (1, 2))
    assert (found["coreference"], size, form) == (False, 9, "short")


def test_defaults_are_those_of_the_signature():
    found, size, form = eval(outcome("x").output, {"Options": Options})  # noqa: S307, our own output
    assert (found["options"], found["kinds"], found["form"], found["coreference"]) == (Options(), (), "long", True)
    assert (found["numbers"], size, form) == ((1, 3), 4, "long")


def test_the_help_has_names_ranges_choices_and_defaults():
    text = " ".join(outcome("--help").output.split())
    assert "Usage: made [OPTIONS] SOURCE [WORD]..." in text
    for part in (
        "--depth INTEGER RANGE How deep. [default: 2; 1<=x<=5]",
        "--kind [a|b] Which.",
        "--set NAME=VALUE A setting.",
        "--numbers K,K Numbers. [default: 3,1]",
        "--form [long|short] The form. [default: long]",
        "--no-coreference Leave names unresolved.",
        "--size INTEGER RANGE Of its own. [default: 4; x>=1]",
    ):
        assert part in text
    assert "--hidden" not in text
    assert "--progress" not in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'SOURCE'"),
        (("x", "--depth", "9"), "'--depth': 9 is not in the range 1<=x<=5"),
        (("x", "--kind", "c"), "'--kind': 'c' is not one of 'a', 'b'"),
        (("x", "--size", "0"), "'--size': 0 is not in the range x>=1"),
        (("x", "--numbers", "one"), "'--numbers': 'one' is not a valid integer"),
    ],
)
def test_a_wrong_value_is_refused_by_the_name_of_its_option(arguments, message):
    found = outcome(*arguments)
    assert found.exit_code == 2
    assert message in found.output


@pytest.mark.model
def test_papers_are_found_in_a_clone_only(capsys, monkeypatch, tmp_path):
    assert run_tupelo(capsys, "reproduce", "robust").status == 0
    monkeypatch.setattr(groups, "__file__", str(tmp_path / "lib/tupelo/cli/groups.py"))
    for words in (("reproduce", "robust"), ("cliques", "study", "--help")):
        found = run_tupelo(capsys, *words)
        assert (found.status, found.out) == (2, "")
        expected = "tupelo: the papers are not installed: this command runs from a clone of Tupelo's repository\n"
        assert found.err == expected
