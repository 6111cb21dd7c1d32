"""No regular expression of ours needs more than linear work on any text.

Every pattern of the package is run by an engine that counts steps (`tests/steps.py`) on texts made from the pattern
itself: its own characters and parts, repeated, with beginnings and ends that let a long match fail. What is counted
is what the code does with the pattern: searching a text, matching at its start, or scanning it token by token.
"""

from __future__ import annotations

import ast
import importlib
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tupelo
from tests.steps import Machine, TooManySteps
from tests.strategies import examples
from tupelo.core import MissingExtraError

SOURCE = Path(tupelo.__file__).parent
CALLS = frozenset({"match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split"})
# Functions of `re` outside the module level, where a pattern is made from data, with what keeps it linear.
MADE_FROM_DATA = {
    "annotate/erasure.py": "a person's names between word boundaries, escaped",
    "extract/structure/voices.py": "a name in brackets, escaped",
    "graph/report/conflicts.py": "the noun of an office, escaped",
    "graph/retrieve/ask_passages.py": "words of an answer, escaped",
    "io/documents/boilerplate.py": "patterns of boilerplate.toml, for texts of less than 200 characters",
    "io/documents/lines.py": "a family name, escaped",
    "io/documents/wiki.py": "two brackets of our own, escaped",
    "io/triples.py": "a phrase between word boundaries, escaped",
    "relations/forms.py": "words of the table of families between spaces, escaped",
}
# `json.decoder` has a pattern of its own, which we use.
_USES_RE = re.compile(r"\bre\.|\bimport re\b|\bfrom (?:re|json\.decoder)\b")
_CONSTANT = re.compile(r"^[A-Z]\w+(?=.* = )", re.MULTILINE)
# Where this many characters were doubled, the steps may grow by this factor.
MOST_GROWTH = 2.6
# How many repeated parts are tried for a pattern, at most.
UNITS = 40
# Where nothing is repeated oftener than this, the steps for a character have a bound. That it is not far too large
# shows on a text of this size, with as many steps for a character as the largest text may take.
OFTEN, BOUNDED_SIZE, MOST_STEPS = 20, 32, 600
SIZES, LARGE_SIZES = (30, 60, 120), (400, 800, 1600)
# Only pumps whose steps for a character grow by this factor between these sizes are looked at more closely.
FIRST_SIZES, LEAST_GROWTH = (20, 80), 1.25
ALPHABET = "aAzZé汉0٣ \t\n\r_-.,:;!?'\"`’“”()[]{}<>&@#=*~|/\\$%+^µ…\u0301\u200d\ufe0f🙂\udc80\x00"


@dataclass(frozen=True)
class Found:
    """A pattern of the package and how the code calls it: `search`, `scan`, `match`, `fullmatch`."""

    place: str
    pattern: re.Pattern[Any]
    uses: frozenset[str]


@cache
def found() -> list[Found]:
    """Every compiled pattern in a module, also in its tables and classes; only a test that runs imports them."""
    listed: dict[tuple[Any, int], Found] = {}
    for name in modules_with_patterns():
        try:
            module = importlib.import_module(name)
        except MissingExtraError:
            continue
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("tupelo"):
                raise
            continue  # of an extra that is not installed
        for variable, value in vars(module).items():
            for pattern in within(value, name):
                uses = called(name).get(variable, frozenset()) if isinstance(value, re.Pattern) else {"search"}
                key = pattern.pattern, pattern.flags
                known = listed.get(key, Found(f"{name.removeprefix('tupelo.')}.{variable}", pattern, frozenset()))
                listed[key] = Found(known.place, pattern, known.uses | uses)
    return list(listed.values())


def modules_with_patterns() -> list[str]:
    """Modules that make patterns, and those that name one; to import all others takes seconds in every process."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}
    makers = {path for path, source in sources.items() if _USES_RE.search(source)}
    made = {constant for path in makers for constant in _CONSTANT.findall(sources[path])}
    users = (path for path, source in sources.items() if path in makers or made & set(re.findall(r"\w+", source)))
    return [
        ".".join(["tupelo", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__")
        for path in users
    ]


def within(value: object, module: str, depth: int = 3) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
        return
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        inner = value.values()
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = value
    elif isinstance(value, type) and value.__module__ == module:
        inner = vars(value).values()
    if depth:
        for part in inner:
            yield from within(part, module, depth - 1)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def called(module: str) -> dict[str, frozenset[str]]:
    """How a module calls its patterns, by name; a name that is also passed around is searched with."""
    path = SOURCE.joinpath(*module.split(".")[1:])
    uses: dict[str, set[str]] = {}
    loaded, receivers = [], set()
    for node in ast.walk(tree_of(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            loaded.append(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CALLS:
            receiver = node.func.value
            if isinstance(receiver, ast.Name):
                receivers.add(receiver)
                uses.setdefault(receiver.id, set()).add(_use(node.func.attr, len(node.args)))
    for node in loaded:
        if node not in receivers:
            uses.setdefault(node.id, set()).add("search")
    return {name: frozenset(found) for name, found in uses.items()}


def _use(method: str, arguments: int) -> str:
    if method == "match" and arguments > 1:
        return "scan"
    return method if method in ("match", "fullmatch") else "search"


@cache
def machine_of(pattern: re.Pattern[Any]) -> Machine:
    return Machine(pattern, most_rounds=20)


def steps(item: Found, text: str) -> int:
    machine = machine_of(item.pattern)
    machine.steps = 0
    for use in item.uses:
        if use == "search":
            list(machine.finditer(text))
        elif use == "scan":
            list(machine.scan(text))
        else:
            machine.match(text, full=use == "fullmatch")
    return machine.steps


def samples(tree: Any, source: random.Random) -> str:
    """A text that the tree may match; what looks ahead or behind is left out."""
    text = ""
    for operation, argument in tree:
        if operation is names.LITERAL:
            text += chr(argument)
        elif operation in (names.NOT_LITERAL, names.ANY, names.IN):
            text += source.choice(members(operation, argument) or ["a"])
        elif operation is names.BRANCH:
            text += samples(source.choice(argument[1]), source)
        elif operation is names.SUBPATTERN:
            text += samples(argument[3], source)
        elif operation is names.ATOMIC_GROUP:
            text += samples(argument, source)
        elif operation in (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT):
            least, most, inner = argument
            for _ in range(min(source.randint(int(least), int(min(most, least + 2))), 12)):
                text += samples(inner, source)
    return text


def members(operation: Any, argument: Any) -> list[str]:
    """Some characters of a class."""
    if operation is names.IN:
        literals = [chr(value) for kind, value in argument if kind is names.LITERAL]
        ranges = [chr(value[end]) for kind, value in argument if kind is names.RANGE for end in (0, 1)]
        if argument[0][0] is not names.NEGATE and (literals or ranges):
            categories = [value for kind, value in argument if kind is names.CATEGORY]
            return [*literals, *ranges, *("a0" if categories else "")]
    return _members(operation, tuple(argument) if operation is names.IN else argument)


@cache
def _members(operation: Any, argument: Any) -> list[str]:
    test = Machine.of_tree(parser.SubPattern(parser.State(), [(operation, argument)]))
    return [character for character in ALPHABET if test.match(character) is not None]


def parts(tree: Any) -> Iterator[Any]:
    """The tree and all trees inside it that are repeated, alternatives or groups."""
    yield tree
    for operation, argument in tree:
        if operation is names.BRANCH:
            for branch in argument[1]:
                yield from parts(branch)
        elif operation is names.SUBPATTERN:
            yield from parts(argument[3])
        elif operation is names.ATOMIC_GROUP:
            yield from parts(argument)
        elif operation in (names.ASSERT, names.ASSERT_NOT):
            yield from parts(argument[1])
        elif operation in (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT):
            yield from parts(argument[2])


@cache
def characters(pattern: re.Pattern[Any]) -> list[str]:
    """The characters that a pattern names, and some of each class."""
    found: set[str] = set()
    for part in parts(parser.parse(pattern.pattern, pattern.flags)):
        for operation, argument in part:
            if operation is names.LITERAL:
                found.add(chr(argument))
            elif operation in (names.NOT_LITERAL, names.ANY, names.IN):
                found.update(members(operation, argument)[:6])
    return sorted(found)


@cache
def is_bounded(pattern: re.Pattern[Any]) -> bool:
    """Whether nothing in it is repeated more often than a few times, also where it looks ahead or behind."""
    tree = parser.parse(pattern.pattern, pattern.flags)
    repeats = (names.MAX_REPEAT, names.MIN_REPEAT, names.POSSESSIVE_REPEAT)
    return all(int(argument[1]) <= OFTEN for part in parts(tree) for kind, argument in part if kind in repeats)


def pumps(item: Found) -> list[tuple[str, str, str]]:
    """Beginning, what is repeated, and end."""
    source = random.Random(item.place)
    tree = parser.parse(item.pattern.pattern, item.pattern.flags)
    single = characters(item.pattern)
    units = set(single)
    for part in parts(tree):
        # Also beginnings and ends: what is begun and never finished costs most.
        for split in range(len(part) + 1):
            units.add(samples(part[:split], source))
            units.add(samples(part[split:], source))
    units.update("".join(source.choices(single, k=size)) for size in (2, 2, 2, 3) for _ in range(6) if single)
    whole = [samples(tree, source) for _ in range(4)]
    found: list[tuple[str, str, str]] = []
    for unit in source.sample(sorted(units - {""}), min(UNITS, len(units - {""}))):
        before = source.choice(whole)
        ends = ["", "\x00", "\n", source.choice(single or ["a"])]
        found.append(("", unit, source.choice(ends)))
        found.append((before[: source.randint(0, len(before))], unit, source.choice(ends)))
    return found


def texts(pump: tuple[str, str, str], sizes: tuple[int, ...]) -> Iterator[str]:
    before, unit, after = pump
    yield from (before + unit * (size // len(unit) or 1) + after for size in sizes)


def growth(item: Found, pump: tuple[str, str, str], sizes: tuple[int, ...]) -> float:
    small, middle, large = (steps(item, text) for text in texts(pump, sizes))
    return (large - middle) / max(middle - small, sizes[0])


def is_slow(item: Found, pump: tuple[str, str, str]) -> bool:
    try:
        if is_bounded(item.pattern):
            text = next(texts(pump, (BOUNDED_SIZE,)))
            return steps(item, text) > MOST_STEPS * len(text)
        small, large = (steps(item, text) / len(text) for text in texts(pump, FIRST_SIZES))
        if large <= LEAST_GROWTH * max(small, 1):
            return False
        return growth(item, pump, SIZES) > MOST_GROWTH and growth(item, pump, LARGE_SIZES) > MOST_GROWTH
    except TooManySteps:
        return True


@pytest.mark.slow
def test_the_package_has_patterns() -> None:
    assert len(found()) > 80
    assert {use for item in found() for use in item.uses} == {"search", "scan", "match", "fullmatch"}


@pytest.mark.slow
@pytest.mark.parametrize("room", sorted(path.stem for path in SOURCE.iterdir() if not path.name.startswith("__")))
def test_the_work_of_a_pattern_grows_with_the_text_and_no_faster(room: str) -> None:
    for item in found():
        if item.place.partition(".")[0] == room:
            assert_linear(item)


def assert_linear(item: Found) -> None:
    slow = next((pump for pump in pumps(item) if is_slow(item, pump)), None)
    assert slow is None, f"{item.place} ({', '.join(sorted(item.uses))}): {item.pattern.pattern}"


@pytest.mark.slow
def test_patterns_are_made_where_the_audit_sees_them() -> None:
    """At the top of a module; functions of `re` on a text pattern compile in secret."""
    hidden = []
    for path in sorted(SOURCE.rglob("*.py")):
        if not _USES_RE.search(path.read_text(encoding="utf-8")):
            continue
        tree, place = tree_of(path), path.relative_to(SOURCE).as_posix()
        functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
        inside = {inner for function in functions for inner in ast.walk(function)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and isinstance(node.func.value, ast.Name)
                and node.func.value.id == "re"
                and node.func.attr in CALLS | {"compile"}
                and (node in inside or node.func.attr != "compile")
                and place not in MADE_FROM_DATA
            ):
                hidden.append(f"{place}:{node.lineno}")
    assert hidden == []


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [
        r"(?:a+)+$",
        r"(?:a|a)*b",
        r"(?:(?:a|a){0,12})b",
        r"\s*\n",
        r"\s+$",
        r"<!--.*?-->",
        r"(\w+\.)*\w+@",
        r"[^,]*,[^,]*;",
        r"a.*b.*c",
    ],
)
def test_patterns_that_are_known_to_be_slow_are_found(pattern: str) -> None:
    with pytest.raises(AssertionError):
        assert_linear(Found(pattern, re.compile(pattern, re.DOTALL), frozenset({"search"})))


HAND_MADE = [
    r"(a*)*b",
    r"(?:a?){3}a{2,4}?",
    r"(?i)[a-k]+|ß",
    r"(?m)^.*$",
    r"(?<=a)b|(?<!c)d(?!e)",
    r"(a|b)\1+",
    r"(?>a+)b|a++c",
    r"\b\w+\b",
    r"a*?(?=b)|\Z",
    r"x*",
]


@pytest.mark.slow
@examples(200)
@given(data=st.data())
def test_the_counting_engine_finds_what_python_finds(data: st.DataObject) -> None:
    pattern = data.draw(st.sampled_from([item.pattern for item in found()] + [re.compile(p) for p in HAND_MADE]))
    tree = parser.parse(pattern.pattern, pattern.flags)
    own = characters(pattern) or ["a"]
    source = random.Random(data.draw(st.integers(0, 10**6)))
    matching = samples(tree, source)
    pieces = st.one_of(st.sampled_from(own), st.sampled_from(ALPHABET), st.just(matching))
    text = "".join(data.draw(st.lists(pieces, max_size=12)))
    given_text: Any = text
    if isinstance(pattern.pattern, bytes):
        text = text.encode("latin-1", "ignore").decode("latin-1")
        given_text = text.encode("latin-1")
    machine = Machine(pattern)
    assert list(machine.finditer(text)) == [match.span() for match in pattern.finditer(given_text)]
    for full in (False, True):
        wanted = pattern.fullmatch(given_text) if full else pattern.match(given_text)
        assert machine.match(text, full=full) == (wanted and wanted.span())
