"""Treebank files in their original formats, as plain sentences to learn from.

CoNLL-U gives words, tags, features and dependencies; GUM's column 10 also gives entity mentions; a bracket file
beside it gives one constituency tree per sentence, in the same order.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tupelo_training.parser.entities import Entity, Mention, mentions_of


@dataclass(frozen=True, slots=True)
class Tree:
    """A constituent: label, inclusive word range, and the constituents inside. A bare word is no constituent."""

    label: str
    first: int
    last: int
    children: tuple[Tree, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence with whatever its source knows; `None` means that the source does not say."""

    source: str
    words: tuple[str, ...]
    upos: tuple[str, ...] | None = None
    xpos: tuple[str, ...] | None = None
    feats: tuple[str, ...] | None = None
    heads: tuple[int, ...] | None = None
    deprels: tuple[str, ...] | None = None
    mentions: tuple[Mention, ...] | None = None
    tree: Tree | None = None
    document: str = ""
    names: tuple[Entity, ...] | None = None
    unsure: frozenset[int] = frozenset()  # words that may or may not be in a name


NEW_DOCUMENT = "# newdoc id = "


def lines_of(path: Path) -> Iterator[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n")


def read_conllu(path: Path, source: str) -> Iterator[Example]:
    """Words only: multiword-token ranges and empty nodes carry no tree of their own."""
    rows: list[list[str]] = []
    document = ""
    for line in [*lines_of(path), ""]:
        if line.startswith("#"):
            if line.startswith(NEW_DOCUMENT):
                document = line.removeprefix(NEW_DOCUMENT)
            continue
        if line:
            fields = line.split("\t")
            if fields[0].isdigit():
                rows.append(fields)
        elif rows:
            yield Example(
                source=source,
                words=tuple(row[1] for row in rows),
                upos=tuple(row[3] for row in rows),
                xpos=tuple(row[4] for row in rows),
                feats=tuple(row[5] for row in rows),
                heads=tuple(int(row[6]) for row in rows),
                deprels=tuple(row[7] for row in rows),
                mentions=mentions_of([row[9] for row in rows]) if any("Entity=" in row[9] for row in rows) else None,
                document=document,
            )
            rows = []


# Genres of GUM whose texts may not be used commercially or not be changed.
_CLOSED = frozenset(("conversation", "essay", "fiction", "letter", "podcast", "reddit", "whow"))


def is_open(example: Example) -> bool:
    """Whether the licence of the text allows commercial use and changes."""
    return is_open_document(example.document)


def is_open_document(identifier: str) -> bool:
    """The same by the id of a document."""
    corpus, _, rest = identifier.partition("_")
    return corpus != "GUM" or rest.partition("_")[0] not in _CLOSED


def with_trees(examples: list[Example], trees: list[Tree]) -> list[Example]:
    if len(examples) != len(trees):
        raise ValueError(f"{len(examples)} sentences but {len(trees)} trees; both files must go in step")
    joined = []
    for number, (example, tree) in enumerate(zip(examples, trees, strict=True), start=1):
        if tree.last + 1 != len(example.words):
            raise ValueError(f"tree {number} has {tree.last + 1} words, its sentence {len(example.words)}")
        joined.append(replace(example, tree=tree))
    return joined


_TOKEN = re.compile(r"[()]|[^\s()]+")


def read_brackets(text: str) -> Iterator[tuple[Tree, tuple[tuple[str, str], ...]]]:
    """Trees and their (tag, word) leaves. Traces, function tags and the empty or ROOT top are dropped."""
    stack: list[tuple[str, int, list[Tree]]] = []
    leaves: list[tuple[str, str]] = []
    tokens = _TOKEN.findall(text)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        if token == "(":
            label = tokens[position + 1] if tokens[position + 1] not in "()" else ""
            position += 2 if label else 1
            if label and tokens[position] not in "()":
                if label != "-NONE-":
                    leaves.append((label, tokens[position]))
                position += 2  # the word and its closing bracket
                continue
            stack.append((label, len(leaves), []))
        else:
            label, first, children = stack.pop()
            position += 1
            if stack:
                if len(leaves) > first:  # a constituent of traces alone disappears
                    stack[-1][2].append(Tree(plain_label(label), first, len(leaves) - 1, tuple(children)))
            elif leaves:
                yield _top(children, len(leaves), label), tuple(leaves)
                leaves = []


def _top(children: list[Tree], words: int, label: str) -> Tree:
    whole = [child for child in children if (child.first, child.last) == (0, words - 1)]
    if len(children) == 1 and whole:
        return whole[0]
    return Tree(plain_label(label) if label not in ("", "ROOT", "TOP") else "FRAG", 0, words - 1, tuple(children))


def plain_label(label: str) -> str:
    """`NP-SBJ-1` and `NP=2` are both `NP`."""
    return re.split(r"[-=|]", label, maxsplit=1)[0] or label


def read_tree_file(path: Path) -> list[Tree]:
    return [tree for tree, _ in read_brackets("\n".join(lines_of(path)))]


def spans_of(tree: Tree) -> list[tuple[int, int, str]]:
    """The spans of the left-binarised tree with unary chains joined: `S+VP`; `""` where nothing is labelled.

    Every one-word span is in the list, so that a label (or none) is learned for each word.
    """
    spans: list[tuple[int, int, str]] = []
    _collect(tree, [], spans)
    return spans


def _collect(tree: Tree, chain: list[str], spans: list[tuple[int, int, str]]) -> None:
    # X over X says nothing more than X.
    chain = chain if chain and chain[-1] == tree.label else [*chain, tree.label]
    if len(tree.children) == 1 and (tree.children[0].first, tree.children[0].last) == (tree.first, tree.last):
        _collect(tree.children[0], chain, spans)
        return
    spans.append((tree.first, tree.last, "+".join(chain)))
    if tree.first == tree.last:
        return
    inner = {child.first: child for child in tree.children}
    starts = []
    position = tree.first
    while position <= tree.last:
        starts.append(position)
        child = inner.get(position)
        if child is None:
            spans.append((position, position, ""))
            position += 1
        else:
            _collect(child, [], spans)
            position = child.last + 1
    for start in starts[2:]:  # left-binarised: the first two parts, the first three, …
        spans.append((tree.first, start - 1, ""))
