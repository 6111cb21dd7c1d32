"""A regular expression engine that counts its steps.

It backtracks as Python's own engine does and finds the same matches (`tests/contract/test_patterns.py` compares
them), but it is slow, and says how much work a match was: every test of a character, every alternative and every
return to an earlier one is a step. So the growth of a pattern can be measured without a clock.

Python's parser reads the pattern; here it becomes a program for a small machine. A thread of the machine is a place
in the program, a place in the text and the registers (group borders and starts of loop rounds); the stack holds the
threads to return to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from re import _constants as names  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Registers = tuple[int, ...]
Test = Callable[[str], bool]


class TooManySteps(Exception):
    """The budget is spent: growth without end, as far as a test can tell."""


class Machine:
    """One pattern. `steps` counts the work of all calls.

    With `most_rounds`, a bounded repetition such as `{0,500}` is cut to so many rounds: its bound is a constant, and
    what a text of ordinary length shows of it would look like growth.
    """

    def __init__(self, pattern: re.Pattern[Any], *, budget: int = 1_000_000, most_rounds: int | None = None) -> None:
        tree = parser.parse(pattern.pattern, pattern.flags)
        self._most_rounds = most_rounds
        self._start(tree, tree.state.flags, 2 * (pattern.groups + 1), budget)

    @classmethod
    def of_tree(cls, tree: Any) -> Machine:
        """A part of a pattern, without groups."""
        machine = cls.__new__(cls)
        machine._most_rounds = None
        machine._start(tree, int(re.UNICODE | re.DOTALL), 2, 1_000)
        return machine

    def _start(self, tree: Any, flags: int, registers: int, budget: int) -> None:
        self.steps = 0
        self._budget = budget
        self._is_bytes = not flags & re.UNICODE
        self._registers = registers
        self._program: list[tuple[Any, ...]] = []
        self._compile(tree, flags, self._program)
        self._program.append(("match",))

    def finditer(self, text: str) -> Iterator[tuple[int, int]]:
        """The matches of `re.finditer`, `sub` and `split`."""
        position, nonempty_at = 0, -1
        while position <= len(text):
            for start in range(position, len(text) + 1):
                end = self._match(text, start, nonempty=start == nonempty_at)
                if end is not None:
                    break
            else:
                return
            yield start, end
            # As `re` does: after an empty match, the next one at this place must not be empty.
            position, nonempty_at = end, end if end == start else -1

    def scan(self, text: str) -> Iterator[tuple[int, int]]:
        """Matches one after the other, each where the last one ended, as tokenizers do."""
        position = 0
        while position < len(text):
            end = self._match(text, position)
            if end is not None and end > position:
                yield position, end
                position = end
            else:
                position += 1

    def match(self, text: str, *, full: bool = False) -> tuple[int, int] | None:
        """The match of `re.match`, or of `re.fullmatch`."""
        end = self._match(text, 0, full=full)
        return None if end is None else (0, end)

    def _match(self, text: str, start: int, *, nonempty: bool = False, full: bool = False) -> int | None:
        found = self._run(self._program, text, start, (-1,) * self._registers, start if nonempty else -1, full)
        return None if found is None else found[0]

    def _run(
        self,
        program: list[tuple[Any, ...]],
        text: str,
        start: int,
        registers: Registers,
        not_at: int = -1,
        full: bool = False,
    ) -> tuple[int, Registers] | None:
        size = len(text)
        stack = [(0, start, registers)]
        while stack:
            place, position, registers = stack.pop()
            while True:
                self.steps += 1
                if self.steps > self._budget:
                    raise TooManySteps
                instruction = program[place]
                kind = instruction[0]
                if kind == "one":
                    if position >= size or not instruction[1](text[position]):
                        break
                    position += 1
                    place += 1
                elif kind == "split":
                    stack.append((instruction[2], position, registers))
                    place = instruction[1]
                elif kind == "jump":
                    place = instruction[1]
                elif kind == "save":
                    registers = _set(registers, instruction[1], position)
                    place += 1
                elif kind == "again":
                    # A round of a loop that consumed nothing is the last one.
                    place = place + 1 if registers[instruction[1]] == position else instruction[2]
                elif kind == "at":
                    if not instruction[1](text, position):
                        break
                    place += 1
                elif kind == "look":
                    _, inner, behind, positive = instruction
                    found = None
                    if position >= behind:
                        found = self._run(inner, text, position - behind, registers)
                    if (found is not None) != positive:
                        break
                    if found is not None:
                        registers = found[1]
                    place += 1
                elif kind == "atomic":
                    found = self._run(instruction[1], text, position, registers)
                    if found is None:
                        break
                    position, registers = found
                    place += 1
                elif kind == "same":
                    begin, end = registers[2 * instruction[1]], registers[2 * instruction[1] + 1]
                    if begin < 0 or end < 0 or not text.startswith(text[begin:end], position):
                        break
                    self.steps += end - begin
                    position += end - begin
                    place += 1
                else:
                    if position == not_at or (full and position != size):
                        break
                    return position, registers
        return None

    def _compile(self, tree: Any, flags: int, program: list[tuple[Any, ...]]) -> None:
        for operation, argument in tree:
            if operation in (names.LITERAL, names.NOT_LITERAL, names.ANY, names.IN):
                program.append(("one", self._test(operation, argument, flags)))
            elif operation is names.BRANCH:
                ends = []
                for branch in argument[1][:-1]:
                    place = len(program)
                    program.append(())
                    self._compile(branch, flags, program)
                    ends.append(len(program))
                    program.append(())
                    program[place] = ("split", place + 1, len(program))
                self._compile(argument[1][-1], flags, program)
                for place in ends:
                    program[place] = ("jump", len(program))
            elif operation is names.SUBPATTERN:
                group, added, removed, inner = argument
                within = (flags | added) & ~removed
                if group is None:
                    self._compile(inner, within, program)
                else:
                    program.append(("save", 2 * group))
                    self._compile(inner, within, program)
                    program.append(("save", 2 * group + 1))
            elif operation in (names.MAX_REPEAT, names.MIN_REPEAT):
                self._repeat(argument, operation is names.MAX_REPEAT, flags, program)
            elif operation is names.POSSESSIVE_REPEAT:
                inner: list[tuple[Any, ...]] = []
                self._repeat(argument, True, flags, inner)
                program.append(("atomic", [*inner, ("match",)]))
            elif operation is names.ATOMIC_GROUP:
                inner = []
                self._compile(argument, flags, inner)
                program.append(("atomic", [*inner, ("match",)]))
            elif operation in (names.ASSERT, names.ASSERT_NOT):
                direction, tree_inside = argument
                inner = []
                self._compile(tree_inside, flags, inner)
                behind = tree_inside.getwidth()[0] if direction < 0 else 0
                program.append(("look", [*inner, ("match",)], behind, operation is names.ASSERT))
            elif operation is names.AT:
                program.append(("at", self._anchor(argument, flags)))
            elif operation is names.GROUPREF:
                program.append(("same", argument))
            else:
                raise NotImplementedError(f"{operation} in a pattern: teach it to {__name__}")

    def _repeat(self, argument: Any, greedy: bool, flags: int, program: list[tuple[Any, ...]]) -> None:
        least, most, inner = argument
        for _ in range(least):
            self._compile(inner, flags, program)
        if most is names.MAXREPEAT:
            register = self._registers
            self._registers += 1
            loop = len(program)
            program.append(())
            program.append(("save", register))
            self._compile(inner, flags, program)
            program.append(("again", register, loop))
            program[loop] = self._prefer(greedy, loop + 1, len(program))
            return
        choices = []
        rounds = most - least if self._most_rounds is None else min(most - least, self._most_rounds)
        for _ in range(rounds):
            choices.append(len(program))
            program.append(())
            self._compile(inner, flags, program)
        for place in choices:
            program[place] = self._prefer(greedy, place + 1, len(program))

    @staticmethod
    def _prefer(greedy: bool, inside: int, outside: int) -> tuple[Any, ...]:
        return ("split", inside, outside) if greedy else ("split", outside, inside)

    def _test(self, operation: Any, argument: Any, flags: int) -> Test:
        plain = self._plain_test(operation, argument, flags)
        if not flags & re.IGNORECASE or operation is names.ANY:
            return plain
        if operation is names.NOT_LITERAL:
            same = _cases(self._plain_test(names.LITERAL, argument, flags))
            return lambda character: not same(character)
        if operation is names.IN and argument[0][0] is names.NEGATE:
            same = _cases(self._plain_test(names.IN, argument[1:], flags))
            return lambda character: not same(character)
        return _cases(plain)

    def _plain_test(self, operation: Any, argument: Any, flags: int) -> Test:
        if operation is names.LITERAL:
            wanted = chr(argument)
            return lambda character: character == wanted
        if operation is names.NOT_LITERAL:
            unwanted = chr(argument)
            return lambda character: character != unwanted
        if operation is names.ANY:
            return (lambda _: True) if flags & re.DOTALL else (lambda character: character != "\n")
        negated = argument[0][0] is names.NEGATE
        tests = [self._item(kind, value, flags) for kind, value in argument[negated:]]
        return lambda character: any(test(character) for test in tests) != negated

    def _item(self, kind: Any, value: Any, flags: int) -> Test:
        if kind is names.LITERAL:
            return lambda character: ord(character) == value
        if kind is names.RANGE:
            return lambda character: value[0] <= ord(character) <= value[1]
        name = str(value)
        test = _CATEGORIES[name.rpartition("_")[2].lower()]
        if self._is_bytes or flags & re.ASCII:
            wide = test
            test = lambda character: character.isascii() and wide(character)  # noqa: E731
        if "_NOT_" in name:
            return lambda character: not test(character)
        return test

    def _anchor(self, argument: Any, flags: int) -> Callable[[str, int], bool]:
        lines = flags & re.MULTILINE
        if argument is names.AT_BEGINNING:
            return lambda text, place: place == 0 or bool(lines and text[place - 1] == "\n")
        if argument is names.AT_BEGINNING_STRING:
            return lambda _, place: place == 0
        if argument is names.AT_END:
            if lines:
                return lambda text, place: place == len(text) or text[place] == "\n"
            return lambda text, place: place == len(text) or (place == len(text) - 1 and text[place] == "\n")
        if argument is names.AT_END_STRING:
            return lambda text, place: place == len(text)
        wanted = argument is names.AT_BOUNDARY

        def boundary(text: str, place: int) -> bool:
            before = place > 0 and _is_word(text[place - 1])
            after = place < len(text) and _is_word(text[place])
            return (before != after) == wanted

        return boundary


def _set(registers: Registers, index: int, value: int) -> Registers:
    if index >= len(registers):
        registers += (-1,) * (index + 1 - len(registers))
    return (*registers[:index], value, *registers[index + 1 :])


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


_CATEGORIES: dict[str, Test] = {"digit": str.isdecimal, "space": str.isspace, "word": _is_word}


def _cases(test: Test) -> Test:
    return lambda character: any(
        test(form) for form in {character, character.lower(), character.upper()} if len(form) == 1
    )
