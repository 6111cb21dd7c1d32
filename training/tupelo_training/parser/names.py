"""Names in sentences that no treebank marks them in: what to ask an annotator, and what was answered.

    python -m tupelo_training.parser.names --data DATA --parsed raw.conllu --output sheets/
    python -m tupelo_training.parser.names --data DATA --parsed raw.conllu --answers answers/ --output names.tsv.gz

The first writes sentences with numbered candidates, the second what annotators answered. A candidate is what GUM's
rules for the extent of names (`tupelo_training.parser.entities`) make of a proper noun and its dependents in a tree,
so an annotator only has to say what it stands for: a letter of `LETTERS`, one for each candidate of a sentence. The
file of answers holds no text: sentences are known by a digest of their words.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from tupelo_training.options import option_parser
from tupelo_training.parser.entities import Entity, is_proper, stretch, without_overlaps
from tupelo_training.parser.treebanks import Example, lines_of, read_conllu

FILE = Path(__file__).with_name("names.tsv.gz")
UNSURE = "?"  # not cut as a name, or doubtful: left out of the loss
NO_NAME = "none"
LETTERS = {"p": "person", "o": "organization", "l": "place", "e": "event", "w": "work", "x": "other"}
LETTERS |= {"n": NO_NAME, "-": UNSURE}
LONGEST = 90
SHEET = 200

_INSIDE = frozenset(("flat", "compound", "nummod", "amod", "goeswith", "dep"))
_DATES = re.compile(
    r"((jan|febr)uary|march|april|may|june|july|august|(septem|octo|novem|decem)ber|(mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|mon|tues?|wed|thurs?|fri|sat|sun|am|pm|\d.*)\.?",
    re.IGNORECASE,
)


def key_of(words: Sequence[str]) -> str:
    return hashlib.sha256(" ".join(words).encode()).hexdigest()[:12]


def candidates(example: Example) -> tuple[Entity, ...]:
    """What may be names in a parsed sentence; months and weekdays are not."""
    upos, words, heads = example.upos or (), example.words, example.heads or ()
    proper = [is_proper(*tags) for tags in zip(upos, example.xpos or (), strict=True)]
    relations = example.deprels or ()
    children: list[list[int]] = [[] for _ in words]
    for child, head in enumerate(heads):
        if head:
            children[head - 1].append(child)

    def belongs(child: int) -> bool:
        relation = relations[child]
        if relation.split(":")[0] in _INSIDE or relation == "nmod:desc":
            return proper[child] and (words[child][0].isupper() or not words[child][0].isalpha())
        marks = {words[mark].lower() for mark in children[child] if relations[mark].startswith("case")}
        return relation == "nmod" and upos[child] == "PROPN" and "of" in marks

    def core(word: int) -> set[int]:
        found = {word}
        for child in children[word]:
            if belongs(child):
                found |= core(child)
            elif relations[child].split(":")[0] in ("case", "det", "punct"):
                found.add(child)
        return found

    found = []
    for top, tag in enumerate(upos):
        inner = heads[top] and upos[heads[top] - 1] == "PROPN"
        if tag != "PROPN" or (inner and relations[top].startswith(("flat", "compound", "nmod:desc"))):
            continue
        first, last = stretch(core(top), top, words, proper)
        if not all(map(_DATES.fullmatch, words[first : last + 1])):
            found.append(Entity(first, last, UNSURE))
    return without_overlaps(found)


def read_names(path: Path = FILE) -> dict[str, tuple[Entity, ...]]:
    """Answers by the key of the sentence."""
    names = {}
    for line in lines_of(path):
        key, marks = line.split("\t")
        parts = (mark.replace(":", "-").split("-", 2) for mark in marks.split())
        names[key] = tuple(Entity(int(first), int(last), kind) for first, last, kind in parts)
    return names


def sentences(data: Path, parsed: Path) -> Iterator[tuple[Example, tuple[Entity, ...]]]:
    """EWT's training and development parts, then other parsed sentences; each once, if it has candidates."""
    seen: set[str] = set()
    files = [(data / f"ud_ewt/en_ewt-{part}.conllu.gz", f"ewt-{part}") for part in ("train", "dev")]
    for path, source in [*files, (parsed, "names")]:
        for example in read_conllu(path, source):
            key, found = key_of(example.words), candidates(example)
            if found and key not in seen and len(example.words) <= LONGEST:
                seen.add(key)
                yield example, found


def sheet_line(example: Example, found: Sequence[Entity]) -> str:
    words = [*example.words]
    for number, candidate in enumerate(found, start=1):
        words[candidate.first] = f"[{number} {words[candidate.first]}"
        words[candidate.last] += "]"
    return f"{key_of(example.words)}\t{' '.join(words)}"


def read_answers(folder: Path) -> dict[str, str]:
    """`KEY LETTERS` lines of all files."""
    answers = {}
    for path in sorted(folder.glob("*.txt")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            key, _, letters = line.partition(" ")
            if set(letters) - LETTERS.keys():
                raise SystemExit(f"{path}:{number}: expected a key and letters of {''.join(LETTERS)}")
            answers[key] = letters
    return answers


def main() -> None:
    parser = option_parser(__doc__, "data", "output")
    parser.add_argument("--parsed", type=Path, required=True, help="other sentences, as CoNLL-U")
    parser.add_argument("--answers", type=Path, help="folder of answered sheets; without it sheets are written")
    options = parser.parse_args()
    asked = list(sentences(options.data, options.parsed))
    if options.answers is None:
        options.output.mkdir(parents=True, exist_ok=True)
        for start in range(0, len(asked), SHEET):
            lines = [sheet_line(*item) for item in asked[start : start + SHEET]]
            (options.output / f"{start // SHEET:03}.txt").write_text("\n".join(lines) + "\n", "utf-8")
        return
    answers = read_answers(options.answers)
    with options.output.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", filename="", mtime=0) as file:
        for example, found in asked:
            letters = answers.get(key_of(example.words), "")
            if len(letters) == len(found):
                marks = (f"{c.first}-{c.last}:{LETTERS[k]}" for c, k in zip(found, letters, strict=True))
                file.write(f"{key_of(example.words)}\t{' '.join(marks)}\n".encode())


if __name__ == "__main__":
    main()
