"""Commands with faulty files, outputs and options: one line, the right status, nothing half-written.

The corpus, the commands and what must hold are those of `benchmarks.hostile`; here every command meets every
parameter of its own, with a few faults each. All of it is run by hand: `python -m benchmarks.hostile`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from zlib import crc32

import click
import pytest

from benchmarks.hostile.commands import (
    SERVERS,
    WORKING,
    Case,
    all_cases,
    all_commands,
    call,
    complaints,
    run_case,
    write_samples,
)
from benchmarks.hostile.faults import CORPUS

COMMANDS = dict(all_commands())
# Commands that open a model for any text; they meet what is refused before that.
MODELS = {"extract", "analyze", "show", "check", "facts extract", "graph build", "assertions ngrams", "cliques build"}
MODELS |= {"cliques analyze", "cliques study", "reproduce facts", "facts train", "facts dataset", "demo", "infer"}
REFUSED = ("missing", "half a gzip file", "'x'", "'nan'", "unknown option")
NAMES_OF_FILES = {"FILE", "DIR", "FOLDER", "CSV", "TSV", "PNG", "HTML", "PAGE"}
# Inputs of the others meet one in this many faults of the corpus, other parameters every second fault of their own.
EVERY = 37
ALWAYS = ("nothing given", "unknown option")


def chosen() -> dict[str, list[Case]]:
    cases: dict[str, list[Case]] = defaultdict(list)
    number = 0
    others: Counter[str] = Counter()
    for case in all_cases():
        if case.command in MODELS:
            # Torch takes seconds to be imported.
            wanted = case.fault.endswith(REFUSED[-1:] if case.command == "facts train" else REFUSED)
            wanted &= not case.fault.startswith(("encoder", "model"))
        elif case.file is not None:
            number += 1
            wanted = number % EVERY == 0 and not case.fault.startswith("encoder")
        else:
            # By name, so that a new parameter changes nothing for the others.
            own = f"{case.command} {case.fault.split()[0]}"
            others[own] += 1
            wanted = (others[own] + crc32(own.encode())) % 2 == 0 or case.fault in ALWAYS
            wanted &= not case.fault.endswith("x'") and not case.fault.startswith(("encoder", "--encoder"))
        if wanted:
            cases[case.command].append(case)
    return cases


CASES = chosen()


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return write_samples(tmp_path_factory.mktemp("samples"))


def test_every_command_meets_faults() -> None:
    assert set(CASES) == set(COMMANDS)
    assert set(WORKING) <= set(COMMANDS)
    assert set(COMMANDS) >= SERVERS


def test_every_fault_is_met() -> None:
    assert {case.file[1] for cases in CASES.values() for case in cases if case.file is not None} == set(CORPUS)


def test_parameters_that_name_files_say_so() -> None:
    """Otherwise the sweep would not know of them, and a shell would not complete them."""
    for name, command in COMMANDS.items():
        for each in command.params:
            if each.type is click.STRING:
                assert "--output" not in each.opts, name
                assert (each.metavar or "").strip("[].") not in NAMES_OF_FILES, name


# Nothing is downloaded, WordNet may not be there, and nobody has signed in to the project.
LACKING = {"data get", "data path", "reproduce carb", "annotate restore", "annotate person export"}
LACKING |= {"assertions candidates", "annotate person erase", "annotate token create", "annotate token revoke"}


@pytest.mark.model
@pytest.mark.parametrize("name", sorted(set(WORKING) - SERVERS - MODELS - LACKING))
def test_what_the_sweep_damages_works_when_whole(name: str, samples: dict[str, Path], tmp_path: Path) -> None:
    (case,) = (case for case in all_cases() if case.command == name and case.fault == "unknown option")
    words = [*name.split(), *case.words[:-1]]
    for sample, path in {**samples, "folder": tmp_path}.items():
        words = [word.replace("{" + sample + "}", str(path)) for word in words]
    outcome = call(words)
    assert outcome.status == 0, outcome.err


@pytest.mark.model
@pytest.mark.parametrize("name", COMMANDS)
def test_a_fault_is_one_line_and_leaves_nothing_behind(name: str, samples: dict[str, Path], tmp_path: Path) -> None:
    found = {}
    for number, case in enumerate(CASES[name]):
        folder = tmp_path / str(number)
        folder.mkdir()
        if wrong := run_case(case, samples, folder):
            found[case.fault] = wrong
    assert found == {}


def test_the_sweep_sees_what_is_wrong() -> None:
    from benchmarks.hostile.commands import Outcome

    case = Case("extract", "files is empty", ("{folder}/bad.txt",), ("text", "empty"), "bad.txt")
    before: dict[str, bytes | None] = {"old": b"old\n"}
    fine = Outcome(2, b"", "tupelo: bad.txt: empty, expected text\n")
    assert complaints(case, fine, before, before) == []
    assert complaints(case, Outcome(0, b"", ""), before, before | {"out": b"new"}) == []
    broken = Outcome(1, b"", "Traceback (most recent call last):\nKeyError: 1\n")
    assert complaints(case, broken, before, before) == ["traceback: KeyError: 1"]
    assert complaints(case, Outcome(120, b"", ""), before, before) == ["exit status 120"]
    assert complaints(case, Outcome(2, b"", "tupelo: bad.txt: a\nb\n"), before, before)
    assert complaints(case, Outcome(2, b"", "tupelo: wrong\n"), before, before)
    assert complaints(case, fine, before, {"old": b"new\n"}) == ["old was changed"]
    assert complaints(case, fine, before, before | {".out.x7": b"half"}) == [".out.x7 was left behind"]
    assert complaints(case, fine, before, before | {"out": b"half"}) == ["out was left behind"]
    assert complaints(case, Outcome(0, b"", ""), before, before | {".out.x7": b""}) == [".out.x7 was left behind"]
