"""Syntactic n-grams of a parsed sentence: all small subtrees, as in Goldberg and Orwant (2013).

The size of an n-gram is the number of arcs between its content words: two in a biarc, three in a triarc, four in a
quadarc. A preposition between two content words, and a conjunction, do not count. The extended form adds the function
words of every content word. Punctuation belongs to no n-gram. Corpora of any size are counted on an engine: passages
of documents in, counted n-grams out.

Labels are those of Google's syntactic n-grams (Stanford's of 2012), converted from Universal Dependencies. The two
disagree about heads, not only about names. In Stanford's scheme a noun depends on its preposition (`prep`, `pobj`),
in UD the preposition on its noun (`case`). Google's *be* is the head of *she is a doctor* (`attr`), in UD the noun
is. The last word of a name is its head there (`nn`), the first one here (`flat`). So three passes move heads and a
table renames the other labels. The result of every pass is a tree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from tupelo.core import Passage, UnknownNameError
from tupelo.core.analysis import Analysis, Word
from tupelo.core.protocols import Engine
from tupelo.core.stages import Step, Table
from tupelo.nlp import worker_parser
from tupelo.nlp.languages import labels, word_set
from tupelo.nlp.languages.en.grammar import COPULAR_VERBS, NEGATING_ADVERBS
from tupelo_training.assertions.lines import Token

if TYPE_CHECKING:
    import pyarrow as pa

LABELS = labels("dependencies", "stanford")
# All other labels of UD (vocative, discourse, list, orphan, ...).
OTHER = "dep"
# Dependents of the clause, not of the noun or adjective after *be*.
_OF_THE_CLAUSE = word_set("nsubj csubj expl aux mark advcl punct parataxis discourse vocative dislocated")
_NOUNS = word_set("NOUN PROPN PRON NUM")
_TAGS = labels("dependencies", "penn_tags")


@dataclass(slots=True)
class _Node:
    """A word with its current head and label. `head` is a position, `None` for the root."""

    word: Word
    head: int | None
    label: str


def to_stanford(analysis: Analysis) -> tuple[Token, ...] | None:
    """The sentence with Stanford's heads and labels; `None` without a parse that is a tree."""
    if not analysis.words or any(word.deprel is None for word in analysis.words):
        return None
    nodes = [_Node(word, word.head, word.deprel or "") for word in analysis.words]
    if not _is_tree(nodes):
        return None
    _turn_names(nodes)
    _raise_copulas(nodes)
    _raise_prepositions(nodes)
    return tuple(
        Token(
            _one_token(node.word, position == 0),
            tag_of(node.word),
            _rename(node, nodes),
            0 if node.head is None else node.head + 1,
        )
        for position, node in enumerate(nodes)
    )


def tag_of(word: Word) -> str:
    """The Penn Treebank tag of a word, or one that stands for its universal part of speech."""
    tag = word.xpos or _TAGS.get(word.upos or "", "XX")
    # A slash separates fields.
    return tag.replace("/", "|").replace(" ", "_")


def _one_token(word: Word, first: bool) -> str:
    """The word as one token; a capital letter at the start of a sentence is kept for names only."""
    text = "_".join(word.text.split())
    return text.lower() if first and not tag_of(word).startswith("NNP") and text != "I" else text


def _is_tree(nodes: Sequence[_Node]) -> bool:
    for start in range(len(nodes)):
        position: int | None = start
        for _ in nodes:
            position = nodes[position].head if position is not None else None
        if position is not None:
            return False
    return True


def _main(label: str) -> str:
    return label.partition(":")[0]


def _children(nodes: Sequence[_Node], head: int) -> list[int]:
    return [position for position, node in enumerate(nodes) if node.head == head]


def _turn_names(nodes: list[_Node]) -> None:
    """The last word of a name becomes its head: Barack <- Obama."""
    for first in range(len(nodes)):
        rest = [child for child in _children(nodes, first) if _main(nodes[child].label) == "flat"]
        if not rest or rest[0] < first:
            continue
        last = rest[-1]
        for child in _children(nodes, first):
            if child != last:
                nodes[child].head = last
        nodes[last].head, nodes[last].label = nodes[first].head, nodes[first].label
        nodes[first].head, nodes[first].label = last, "flat"


def _raise_copulas(nodes: list[_Node]) -> None:
    """*Be* becomes the head of its complement and of the dependents of the clause."""
    for complement in range(len(nodes)):
        copulas = [child for child in _children(nodes, complement) if nodes[child].label == "cop"]
        if not copulas:
            continue
        copula, noun = copulas[0], nodes[complement].word.upos in _NOUNS
        for child in _children(nodes, complement):
            label = _main(nodes[child].label)
            negates = nodes[child].word.text.lower() in NEGATING_ADVERBS
            of_clause = label in _OF_THE_CLAUSE or (label == "advmod" and (noun or negates))
            if child != copula and (of_clause or (label == "conj" and _is_clause(nodes, child))):
                nodes[child].head = copula
        nodes[copula].head, nodes[copula].label = nodes[complement].head, nodes[complement].label
        nodes[complement].head = copula
        nodes[complement].label = "attr" if noun else "acomp"


def _is_clause(nodes: Sequence[_Node], position: int) -> bool:
    labels = {_main(nodes[child].label) for child in _children(nodes, position)}
    return nodes[position].word.upos == "VERB" or bool(labels & {"nsubj", "cop"})


def _raise_prepositions(nodes: list[_Node]) -> None:
    """A preposition takes the place of its noun and becomes its head; several make a chain."""
    for noun in range(len(nodes)):
        chain = [
            child
            for child in _children(nodes, noun)
            if nodes[child].label == "case" and nodes[child].word.xpos != "POS" and child < noun
        ]
        label = nodes[noun].label
        if not chain or label == "nmod:poss":
            continue
        above = nodes[noun].head
        for place, preposition in enumerate(chain):
            nodes[preposition].head = above
            # The label of the noun is that of the phrase unless the phrase is a plain modifier.
            keep = place == 0 and _main(label) in ("root", "conj", "ccomp", "advcl", "acl", "parataxis")
            # No longer `case`: the preposition does not belong to the word above.
            nodes[preposition].label = label if keep else "prep"
            above = preposition
        nodes[noun].head, nodes[noun].label = above, "pobj"


def _rename(node: _Node, nodes: Sequence[_Node]) -> str:
    label, word = node.label, node.word
    if label in ("attr", "acomp", "prep", "pobj"):
        return label
    above = nodes[node.head].word if node.head is not None else None
    if label == "case" and word.xpos == "POS":
        return "possessive"
    if _main(label) == "advmod" and word.text.lower() in NEGATING_ADVERBS:
        return "neg"
    if label == "mark" and word.xpos == "TO":
        return "aux"
    if _main(label) == "xcomp" and word.upos == "ADJ":
        return "acomp"
    if _main(label) == "xcomp" and word.upos in _NOUNS and above is not None and above.lemma in COPULAR_VERBS:
        return "attr"
    return LABELS.get(label) or LABELS.get(_main(label), OTHER)


# Function words of the extended form; conjunctions depend on the second conjunct in our trees.
MARKERS = frozenset({"det", "poss", "possessive", "neg", "aux", "auxpass", "mark", "complm", "prt", "cc", "mwe"})
LINKS = frozenset({"prep"})
LEFT_OUT = frozenset({"punct"})
# Number of arcs between content words, by kind of n-gram.
KINDS = {"biarcs": 2, "triarcs": 3, "quadarcs": 4}
ARCS = tuple(KINDS.values())
# Maximum number of distinct n-grams that are counted before they are passed on.
HELD = 500_000


def arcs_of(kinds: Sequence[str]) -> tuple[int, ...]:
    """The sizes of n-grams by name; all sizes if no name is given."""
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise UnknownNameError.among("kind of n-grams", unknown[0], KINDS)
    return tuple(KINDS[kind] for kind in kinds) or ARCS


def fragments(tokens: Sequence[Token], arcs: Sequence[int] = ARCS, *, verbs_only: bool = False) -> Iterator[str]:
    """The n-grams of a sentence in Stanford's labels, as the second field of a line."""
    tree = _ContentTree(tokens)
    for root in tree.content:
        if verbs_only and not tokens[root].pos.startswith("V"):
            continue
        for size in arcs:
            for chosen in tree.subtrees(root, size + 1):
                yield _written(tokens, tree.tokens_of(chosen), root)


def sentence_fragments(
    analyses: Iterable[Analysis], arcs: Sequence[int] = ARCS, *, verbs_only: bool = False
) -> Iterator[Iterator[str]]:
    """The n-grams of every sentence that has a tree."""
    for analysis in analyses:
        tokens = to_stanford(analysis)
        if tokens is not None:
            yield fragments(tokens, arcs, verbs_only=verbs_only)


class _ContentTree:
    """Content words with their content children, and with the function words of each."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self.content = [position for position in range(len(tokens)) if self._is_content(position)]
        self._below: dict[int, list[int]] = {position: [] for position in self.content}
        # The links between a content word and the one above it, and its function words.
        self._between: dict[int, list[int]] = {position: [] for position in self.content}
        self._markers: dict[int, list[int]] = {position: [] for position in self.content}
        self._subtrees: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        for position in self.content:
            links, above = self._way_up(position)
            if above is not None:
                self._below[above].append(position)
                self._between[position] = links
        for position, token in enumerate(tokens):
            if token.label in MARKERS:
                self._join(position)

    def _join(self, marker: int) -> None:
        """Assign a function word to its content word, or to those below its preposition."""
        host = self._tokens[marker].head - 1
        while host >= 0 and self._tokens[host].label in MARKERS:
            host = self._tokens[host].head - 1
        if host in self._markers:
            self._markers[host].append(marker)
        elif host >= 0 and self._tokens[host].label in LINKS:
            for links in self._between.values():
                if host in links:
                    links.append(marker)

    def tokens_of(self, chosen: tuple[int, ...]) -> list[int]:
        """All positions of a subtree, in order. The first content word is its root."""
        found = set(chosen)
        for place, position in enumerate(chosen):
            found.update(self._markers[position])
            if place:
                found.update(self._between[position])
        return sorted(found)

    def _is_content(self, position: int) -> bool:
        return self._tokens[position].label not in MARKERS | LINKS | LEFT_OUT

    def _way_up(self, position: int) -> tuple[list[int], int | None]:
        links: list[int] = []
        head = self._tokens[position].head - 1
        while head >= 0 and not self._is_content(head):
            if self._tokens[head].label not in LINKS:
                # Below a function word or punctuation: a subtree of its own.
                return [], None
            links.append(head)
            head = self._tokens[head].head - 1
        return links, head if head >= 0 else None

    def subtrees(self, root: int, size: int) -> list[tuple[int, ...]]:
        """All connected sets of `size` content words with this one at the top."""
        key = (root, size)
        found = self._subtrees.get(key)
        if found is None:
            found = self._subtrees[key] = [(root, *rest) for rest in self._below_of(self._below[root], size - 1)]
        return found

    def _below_of(self, children: Sequence[int], size: int) -> list[tuple[int, ...]]:
        """All choices of `size` words from the subtrees of these children, each connected to the top."""
        if size == 0:
            return [()]
        if not children:
            return []
        first, rest = children[0], children[1:]
        found = self._below_of(rest, size)
        for taken in range(1, size + 1):
            found = found + [
                one + other for one, other in product(self.subtrees(first, taken), self._below_of(rest, size - taken))
            ]
        return found


def _written(tokens: Sequence[Token], positions: Sequence[int], root: int) -> str:
    number = {position: place for place, position in enumerate(positions, start=1)}
    written = []
    for position in positions:
        token = tokens[position]
        head = 0 if position == root else number[token.head - 1]
        written.append(f"{token.word}/{token.pos}/{token.label}/{head}")
    return " ".join(written)


def count_fragments(
    analyses: Iterable[Analysis], arcs: Sequence[int] = ARCS, *, verbs_only: bool = False, held: int = HELD
) -> Iterator[str]:
    """The n-grams of a corpus with their counts, as lines of a file.

    Memory is bounded: after `held` distinct n-grams all are passed on, so an n-gram can occur more than once.
    `assertions extract` sums its counts.
    """
    counts: Counter[str] = Counter()
    for found in sentence_fragments(analyses, arcs, verbs_only=verbs_only):
        counts.update(found)
        if len(counts) >= held:
            yield from _counted(counts)
            counts.clear()
    yield from _counted(counts)


def _counted(counts: Counter[str]) -> Iterator[str]:
    for text, count in sorted(counts.items()):
        yield f"{root_word(text)}\t{text}\t{count}\n"


def root_word(text: str) -> str:
    """The word at the root of an n-gram, which is the first field of its line."""
    root = next(token for token in text.split(" ") if token.endswith("/0"))
    return root.rsplit("/", 3)[0]


@dataclass(frozen=True, slots=True)
class CountNgrams:
    """A stage over passages; equal n-grams of a batch are counted together."""

    parser: str = "en"
    arcs: tuple[int, ...] = ARCS
    verbs_only: bool = False

    name = "ngrams"
    version = "1"
    key = "source"

    @property
    def options(self) -> Mapping[str, Any]:
        from tupelo.core.version import __version__

        return {
            "tupelo": __version__,
            "parser": self.parser,
            "arcs": list(self.arcs),
            "verbs_only": self.verbs_only,
        }

    @property
    def input(self) -> pa.Schema:
        from tupelo.core.document import passage_schema

        return passage_schema()

    @property
    def output(self) -> pa.Schema:
        return ngram_schema()

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        for batch in batches:
            counts: Counter[str] = Counter()
            passages = [Passage(row["text"], row["start_at"]) for row in batch.to_pylist()]
            analyses = worker_parser(self.parser).analyze(passages, constituents=False)
            for found in sentence_fragments(analyses, self.arcs, verbs_only=self.verbs_only):
                counts.update(found)
            heads = [root_word(text) for text in counts]
            yield pa.record_batch([heads, list(counts), list(counts.values())], schema=ngram_schema())


def ngram_schema() -> pa.Schema:
    """Head word, tokens as in the second field of a line, and count."""
    import pyarrow as pa

    words = [pa.field(name, pa.string(), nullable=False) for name in ("head", "tokens")]
    return pa.schema([*words, pa.field("count", pa.int64(), nullable=False)])


def sum_ngrams(engine: Engine, ngrams: Table) -> Table:
    """The n-grams of all batches together, every one once, in order."""
    summed = Step(
        "summed",
        """select head, tokens, cast(sum(count) as bigint) as count
           from ngrams group by head, tokens order by head, tokens""",
    )
    return engine.query([summed], {"ngrams": ngrams}, keep=["summed"])["summed"]
