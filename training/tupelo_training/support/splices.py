"""Sentences as summarizers make them that copy: parts of a text cut out and joined, with or without sense.

    python -m tupelo_training.support.splices --data DATA --output FOLDER
    python -m tupelo_training.support.splices --data DATA --answers FOLDER --output spliced.tsv.gz

A sentence begins like one of the text, is left at some word, and goes on behind the same word, or one of the same
kind, elsewhere. Whether it is true cannot be known from how it was made. So the first command writes files to be
judged: texts (`=== ID`), each with numbered sentences. Answers stand beside each file, with the ending `tsv`: an ID,
a tab and a sign for each sentence, `+`, `-` or `?`, one text a line. The second command puts both together,
with where a sentence was cut from in the place of its words.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import tupelo
from tupelo.nlp.syntax import DependencyTree
from tupelo_training.options import option_parser
from tupelo_training.support.claims import clause, shortened
from tupelo_training.support.cuts import cuts_of
from tupelo_training.support.documents import excerpts, judged_runs, plain, texts_of

# Words behind which copying summarizers lose their way most often.
_HINGES = frozenset(
    (
        "the",
        "a",
        "an",
        "of",
        "to",
        "in",
        "and",
        "was",
        "were",
        "is",
        "are",
        "has",
        "have",
        "had",
        "for",
        "with",
        "by",
        "on",
        "at",
        "that",
        "who",
        "which",
        "from",
        "after",
        "as",
        "be",
        "been",
        "said",
        "will",
        "his",
        "her",
        "their",
        "it",
        "he",
        "she",
        "they",
    )
)
_MARKS = frozenset([".", "?", "!"])
SHORTEST, LONGEST = 5, 34  # words of a sentence
# Words of a text that is judged; sentences of each, and texts of a file.
FEWEST_WORDS, EACH, IN_A_FILE = 90, 8, 150


@dataclass(frozen=True, slots=True)
class Place:
    """A word of a text: sentence and word."""

    sentence: int
    word: int


class Splicer:
    """The sentences of one text, with the places where each word and each kind of word stands."""

    def __init__(self, trees: Sequence[DependencyTree], chance: random.Random) -> None:
        self._trees = trees
        self._chance = chance
        self._forms: dict[str, list[Place]] = {}
        self._kinds: dict[tuple[str, str], list[Place]] = {}
        for number, tree in enumerate(trees):
            for word in range(tree.size - 1):
                place = Place(number, word)
                self._forms.setdefault(tree.lowered[word], []).append(place)
                self._kinds.setdefault((tree.tag(word), tree.tag(word + 1)), []).append(place)

    def splice(self, jumps: int) -> list[str] | None:
        """A sentence with this number of jumps, or `None` where the walk came to nothing."""
        chance = self._chance
        # Summaries tell what a text begins with.
        start = min(int(chance.expovariate(0.25)), len(self._trees) - 1)
        at = Place(start, 0)
        said: list[str] = []
        since = 0
        while len(said) < LONGEST:
            tree = self._trees[at.sentence]
            said.append(tree.words[at.word].text)
            since += 1
            if tree.words[at.word].text in _MARKS or at.word + 1 >= tree.size:
                break
            following = None
            hinge = tree.lowered[at.word] in _HINGES
            if jumps and since >= 2 and chance.random() < (0.3 if hinge else 0.12):
                following = self._elsewhere(at)
            if following is not None:
                jumps, since = jumps - 1, 0
                at = following
            else:
                at = Place(at.sentence, at.word + 1)
            if not jumps and len(said) >= 8 and self._may_end(at) and chance.random() < 0.25:
                break
        return said if not jumps and len(said) >= SHORTEST else None

    def _elsewhere(self, at: Place) -> Place | None:
        """Behind another place with the same word, or with the same kinds of words around."""
        tree = self._trees[at.sentence]
        draw = self._chance.random()
        if draw < 0.45:
            known = self._forms[tree.lowered[at.word]]
        else:
            known = self._kinds[tree.tag(at.word), tree.tag(at.word + 1)]
            if draw < 0.7:
                # Further on in the same sentence: something is left out.
                known = [place for place in known if place.sentence == at.sentence and place.word > at.word]
        known = [place for place in known if place != at and place.word + 1 < self._trees[place.sentence].size]
        if not known:
            return None
        found = self._chance.choice(known)
        following = self._trees[found.sentence].lowered[found.word + 1]
        return None if following == tree.lowered[at.word + 1] else Place(found.sentence, found.word + 1)

    def _may_end(self, at: Place) -> bool:
        tree = self._trees[at.sentence]
        return tree.words[at.word].text in (",", "-", "–", ";") or tree.tag(at.word) in (
            "IN",
            "WDT",
            "WP",
            "CC",
            "WRB",
        )

    def cut(self) -> list[str] | None:
        """A sentence without some modifiers, or a clause of it."""
        tree = self._trees[min(int(self._chance.expovariate(0.2)), len(self._trees) - 1)]
        if tree.analysis.root is None:
            return None
        chosen = shortened(tree, self._chance, 0.6) if self._chance.random() < 0.7 else clause(tree, self._chance)
        return None if chosen is None else [tree.words[place].text for place in chosen]


def splices_of(trees: Sequence[DependencyTree], count: int, chance: random.Random) -> Iterator[str]:
    """So many different sentences: a quarter shortened, half with one jump, a quarter with two."""
    splicer = Splicer(trees, chance)
    texts = {tree.analysis.text for tree in trees}
    seen: set[str] = set()
    for _ in range(40 * count):
        if len(seen) == count:
            return
        draw = chance.random()
        words = splicer.cut() if draw < 0.25 else splicer.splice(1 if draw < 0.75 else 2)
        if words is None or not SHORTEST <= len(words) <= LONGEST + 1:
            continue
        while words and words[-1] in (",", "-", "–", ";", ":", "."):
            words.pop()
        made = plain(" ".join(words)) + "."
        made = made[:1].upper() + made[1:]
        if made not in seen and made not in texts and "\n" not in made:
            seen.add(made)
            yield made


def to_judge(data: Path) -> Iterator[tuple[str, list[DependencyTree]]]:
    """Parts of news and other prose that are long enough to be summarized."""
    nlp = tupelo.load(threads=1)
    for document in texts_of(data, judged_runs(data)):
        if document.id.startswith(("xsum", "wsj", "brown", "gum")):
            trees = [DependencyTree(found) for found in nlp.analyze(document.text, constituents=False) if found.words]
            for name, part in list(excerpts(document.id, trees))[:2]:
                if sum(len(tree.analysis.text.split()) for tree in part) >= FEWEST_WORDS:
                    yield name, part


def write_files(texts: Iterable[tuple[str, Sequence[DependencyTree]]], folder: Path, chance: random.Random) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    chosen = list(texts)
    chance.shuffle(chosen)
    for number in range(0, len(chosen), IN_A_FILE):
        lines = []
        for name, trees in chosen[number : number + IN_A_FILE]:
            lines += [f"=== {name}", " ".join(tree.analysis.text for tree in trees)]
            lines += [f"{place}. {made}" for place, made in enumerate(splices_of(trees, EACH, chance), 1)]
        path = folder / f"{number // IN_A_FILE + 1}.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def judged(folder: Path, texts: Mapping[str, str]) -> Iterator[str]:
    """Answers as lines of `tupelo_training.support.cuts`; what was left open (`?`) is left out."""
    for path in sorted(folder.glob("*.txt")):
        signs = dict(
            line.rstrip("\n").split("\t")
            for line in path.with_suffix(".tsv").read_text(encoding="utf-8").splitlines()
            if line.strip()
        )
        made: dict[str, list[str]] = {}
        name = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.startswith("=== "):
                name = line[4:]
                made[name] = []
            elif match := re.match(r"\d\. ", line):
                made[name].append(line[match.end() :])
        for name, sentences in made.items():
            if len(signs.get(name, "")) != len(sentences):
                raise SystemExit(f"{path.with_suffix('.tsv')}: expected {len(sentences)} signs for {name}")
            text = texts[name.partition("#")[0]]
            answers = zip(signs[name], sentences, strict=True)
            cuts = [(sign, cuts_of(sentence, text)) for sign, sentence in answers if sign in "+-"]
            yield "\t".join([name, *(f"{sign}{parts}" for sign, parts in cuts if parts is not None)])


def main() -> None:
    parser = option_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="where the texts are")
    parser.add_argument("--answers", type=Path, help="folder with sentences and answers: put them together")
    parser.add_argument("--output", type=Path, required=True, help="folder for sentences, or file for answers")
    parser.add_argument("--seed", type=int, default=29)
    options = parser.parse_args()
    if options.answers is None:
        write_files(to_judge(options.data), options.output, random.Random(options.seed))
        return
    texts = {document.id: document.text for document in texts_of(options.data, judged_runs(options.data))}
    lines = "\n".join(judged(options.answers, texts)) + "\n"
    # No time of writing in it: the same answers give the same bytes.
    options.output.write_bytes(gzip.compress(lines.encode(), mtime=0))


if __name__ == "__main__":
    main()
