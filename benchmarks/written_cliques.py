"""The cliques of `benchmarks/cliques`: written by hand, checked, counted and scored.

    python -m benchmarks.written_cliques            # check the sources, count, write cliques.json where it differs
    python -m benchmarks.written_cliques --score    # and measure the shipped extractors on it

A source file holds the cliques of one register, with a blank line between them:

    The ferry leaves the mainland at seven.                  the original
    - The ferry | leaves | the mainland | at seven           its tuples: argument, relation, arguments
    > front lexical: At seven, the ferry sails from …        a rewrite, after the constructions that changed
    - the ferry | sails from | the mainland | At seven
    =2                                                       or: the original's second tuple as it stands

Words of a tuple stand in its sentence, apart from a few that a relation may need to be read alone (`ADDED`): *the ferry,
built in Split* has *(the ferry; was built in; Split)*, and *whose tower leans* has *(the church's tower; leans)*.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("cliques")
FILE = FOLDER / "cliques.json"
EXTRACTORS = ("default", "rules", "neural")
CLEFTS = frozenset({"cleft"})
ADDED = frozenset("is are was were be been being has have had of in on at by to from under through".split())
WORD = re.compile(r"[^\W_]+(?:[-.,’'][^\W_]+)*")


class SourceError(ValueError):
    """A clique that breaks a rule of the format."""


@dataclass(frozen=True, slots=True)
class Wording:
    """A sentence with its tuples, relation first; `constructions` is empty for an original."""

    text: str
    tuples: tuple[tuple[str, ...], ...]
    constructions: tuple[str, ...] = ()

    def words(self) -> list[str]:
        return WORD.findall(self.text.casefold())


@dataclass(frozen=True, slots=True)
class Written:
    """A clique: the original first."""

    register: str
    wordings: tuple[Wording, ...]

    @property
    def original(self) -> Wording:
        return self.wordings[0]

    @property
    def rewrites(self) -> tuple[Wording, ...]:
        return self.wordings[1:]

    def to_dict(self) -> dict[str, object]:
        """The clique in the format `robust`."""
        return {
            "ori_sent": self.original.text,
            "ori_args": self.original.tuples,
            "paraphrases": [{"sent": each.text, "args": each.tuples} for each in self.rewrites],
        }


def read_source(folder: Path = FOLDER / "source") -> list[Written]:
    return [
        _clique(file.stem, block.splitlines())
        for file in sorted(folder.glob("*.txt"))
        for block in file.read_text("utf-8").split("\n\n")
        if block.strip()
    ]


def _clique(register: str, lines: list[str]) -> Written:
    wordings: list[Wording] = []
    text, constructions, tuples = lines[0], "", list[tuple[str, ...]]()
    for line in [*filter(None, lines[1:]), ">"]:
        if line.startswith("- "):
            first, relation, *rest = (part.strip() for part in line[2:].split(" | "))
            tuples.append(_recased((relation, first, *rest), text))
        elif line.startswith("="):
            tuples += [_recased(wordings[0].tuples[int(digit) - 1], text) for digit in line[1:]]
        elif line.startswith(">"):
            wordings.append(Wording(text, tuple(tuples), tuple(constructions.split())))
            constructions, _, text = line[1:].strip().partition(": ")
            tuples = []
        else:
            raise SourceError(f"{register}: {line!r}, expected a line that begins with '- ', '=' or '> '")
    return Written(register, tuple(wordings))


def _recased(parts: tuple[str, ...], text: str) -> tuple[str, ...]:
    """The tuple with the first word of each part as in the sentence: *the ferry* becomes *The ferry* at its beginning."""
    known = WORD.findall(text)
    spelled = {word.casefold(): word for word in reversed(known)}

    def first(word: re.Match[str]) -> str:
        return word[0] if word[0] in known else spelled.get(word[0].casefold(), word[0])

    return tuple(WORD.sub(first, part, count=1) for part in parts)


def faults(cliques: list[Written]) -> Iterator[str]:
    """What is wrong with the cliques, a line each."""
    seen: Counter[str] = Counter(each.text for clique in cliques for each in clique.wordings)
    yield from (f"twice: {text}" for text, times in seen.items() if times > 1)
    for clique in cliques:
        if len(clique.wordings) < 3:
            yield f"fewer than two rewrites: {clique.original.text}"
        for wording in clique.wordings:
            yield from (f"{fault}: {wording.text}" for fault in _faults(wording))
        for rewrite in clique.rewrites:
            if not rewrite.constructions:
                yield f"no construction: {rewrite.text}"


def _faults(wording: Wording) -> Iterator[str]:
    if not wording.tuples:
        yield "no tuple"
    if len(set(wording.tuples)) < len(wording.tuples):
        yield "the same tuple twice"
    if not 8 <= len(wording.words()) <= 36:
        yield f"{len(wording.words())} words"
    if wording.text != " ".join(wording.text.split()) or wording.text[-1] not in ".?":
        yield "spaces, or no full stop"
    words = wording.words()
    known = ADDED.union(words, (word.removesuffix("'s") for word in words))
    for each in wording.tuples:
        if len(each) < 2 or not all(each):
            yield f"an empty part in {each}"
        foreign = [word for word in WORD.findall(" ".join(each).casefold()) if not _stands(word, known)]
        if foreign:
            yield f"{', '.join(foreign)} not in the sentence, in {each}"


def _stands(word: str, known: set[str]) -> bool:
    """Whether a word is in the sentence, if without the 's that stands for *whose*."""
    return word in known or word.removesuffix("'s") in known


@dataclass(frozen=True, slots=True)
class Counts:
    """What the set consists of."""

    cliques: int
    rewrites: int
    tuples: int
    words: float
    new_words: float
    clefts: float
    registers: dict[str, int]
    constructions: dict[str, int]

    @classmethod
    def of(cls, cliques: list[Written]) -> Counts:
        wordings = [each for clique in cliques for each in clique.wordings]
        rewrites = [(clique.original, each) for clique in cliques for each in clique.rewrites]
        new = sum(len(set(rewrite.words()) - set(original.words())) for original, rewrite in rewrites)
        return cls(
            cliques=len(cliques),
            rewrites=len(rewrites),
            tuples=sum(len(each.tuples) for each in wordings),
            words=sum(len(each.words()) for each in wordings) / len(wordings),
            new_words=new / len(rewrites),
            clefts=sum(bool(CLEFTS & set(rewrite.constructions)) for _, rewrite in rewrites) / len(rewrites),
            registers=dict(Counter(clique.register for clique in cliques)),
            constructions=dict(Counter(tag for _, rewrite in rewrites for tag in rewrite.constructions).most_common()),
        )


def to_json(cliques: list[Written]) -> str:
    rows = ",\n".join(json.dumps(clique.to_dict(), ensure_ascii=False) for clique in cliques)
    return f"[\n{rows}\n]\n"


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--score", action="store_true", help="measure the shipped extractors")
    options = arguments.parse_args()
    cliques = read_source()
    found = list(faults(cliques))
    if found:
        raise SystemExit("\n".join(found))
    FILE.write_text(to_json(cliques), "utf-8")
    counts = Counts.of(cliques)
    print(f"{counts.cliques} cliques, {counts.rewrites} rewrites, {counts.tuples} tuples, {counts.words:.1f} words a sentence")
    print(f"{counts.new_words:.1f} new word forms a rewrite, {100 * counts.clefts:.1f} % clefts")
    for table in (counts.registers, counts.constructions):
        print(", ".join(f"{name} {number}" for name, number in table.items()))


if __name__ == "__main__":
    main()
