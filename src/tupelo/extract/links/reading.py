"""A tuple as a sentence of its own: its parts in reading order, pronouns by what they stand for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from tupelo.core import Argument, Extraction
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.links.phrases import LinkReader
from tupelo.extract.links.wording import finite, pieces_of, written
from tupelo.nlp.languages.en.grammar import ARTICLES, POSSESSIVES
from tupelo.nlp.parts import make_part
from tupelo.nlp.syntax import DependencyTree


def reading(
    reader: LinkReader, referents: Sequence[Referent], extraction: Extraction, parts: Sequence[int | None]
) -> str:
    """The sentence; `parts` are the anchors of the arguments.

    An argument before the subject stays there: *In 1990 Ann Lee founded Acme*.
    """
    tree = reader.tree
    subject = extraction.arg1
    if subject is None:
        return extraction.rel.text
    own = None if parts[0] is None else reader.anchors[parts[0]]
    is_path = (extraction.rule or "").startswith("path/")
    first = _phrase(reader, referents, subject, own, None, is_path=is_path)
    anchors = [None if at is None else reader.anchors[at] for at in parts[1:]]
    same = None if own is None else own.referent
    others = [
        _phrase(reader, referents, part, anchor, same, is_path=is_path)
        for part, anchor in zip(extraction.args, anchors, strict=True)
    ]
    front = [number for number, part in enumerate(extraction.args) if _is_before(tree, part, extraction)]
    opening = " ".join(f"{others[number]}," for number in front)
    others = [_without(tree, part, [subject], text) for part, text in zip(extraction.args, others, strict=True)]
    rest = " ".join(text for number, text in enumerate(others) if number not in front)
    plural = own is not None and own.end > own.start and tree.is_plural(own.head)
    relation = finite(tree, pieces_of(extraction.rel), plural=plural)
    words = " ".join(
        written(tree, piece) if isinstance(piece, int) else piece if isinstance(piece, str) else piece.text
        for piece in relation
    )
    first = _without(tree, subject, extraction.args, first)
    if (extraction.rule or "").startswith("existential/"):
        # "daily flights are to Tehran"
        be, _, after = words.partition(" ")
        first, words = f"there {be} {first}", after
    return " ".join(" ".join((opening, first, words, rest)).split())


def _phrase(
    reader: LinkReader,
    referents: Sequence[Referent],
    argument: Argument,
    anchor: Anchor | None,
    subject: int | None,
    *,
    is_path: bool,
) -> str:
    """The words of an argument, with names for the pronouns in it that mean something else than the subject.

    An adjective alone is a country where a path leads to it: *physicist from the United States*.
    """
    if argument.resolved and not (anchor is not None and anchor.referent is not None and anchor.referent == subject):
        return argument.resolved
    words: list[int | str] = list(pieces_of(argument))
    replaced = False
    for place, word in enumerate(words):
        number = reader.at.get(word) if isinstance(word, int) else None
        if number is None or not isinstance(word, int):
            continue
        one = reader.anchors[number]
        if one.kind == "name" and one.referent is not None and (argument.tokens or ()) == (word,) and is_path:
            words[place] = referents[one.referent].name
            replaced = True
        if one.kind == "pronoun" and one.referent is not None and one.referent != subject:
            name = _called(referents[one.referent], plural=reader.tree.words[word].feature("Number") == "Plur")
            words[place] = f"{name}’s" if reader.tree.lowered[word] in POSSESSIVES else name
            replaced = True
    return make_part(reader.tree.analysis, words).text if replaced else argument.text


def _called(referent: Referent, *, plural: bool) -> str:
    """A referent for readers: *the system* for a thing, the wording of the text for a kind."""
    if referent.kind == "entity":
        return referent.name
    wordings = [naming.text for naming in referent.names if naming.text.endswith("s") == plural]
    name = wordings[0] if wordings else referent.name
    is_bare = name[:1].islower() and name.split()[0].lower() not in ARTICLES | POSSESSIVES and "’s " not in name
    return f"the {name}" if referent.kind == "thing" and is_bare and "'s " not in name else name


def _is_before(tree: DependencyTree, part: Argument, extraction: Extraction) -> bool:
    """Whether an adverbial stands before subject and relation."""
    subject = extraction.arg1.tokens if extraction.arg1 is not None else None
    if not part.tokens or not subject or not extraction.rel.tokens:
        return False
    is_adverbial = part.kind == "time" or tree.upos(part.tokens[0]) in ("ADP", "SCONJ")
    return is_adverbial and max(part.tokens) < min(*subject, *extraction.rel.tokens)


def _without(tree: DependencyTree, part: Argument, others: Sequence[Argument], text: str) -> str:
    """A part without another one inside it: *shops* in *shops on the island are on the island*."""
    inner = {token for other in others for token in other.tokens or ()}
    if not part.tokens or not inner or not inner < set(part.tokens):
        return text
    kept = list(takewhile(lambda token: token not in inner, part.tokens))
    kept = kept or [token for token in part.tokens if token not in inner and tree.tag(token) != "POS"]
    while kept and tree.upos(kept[-1]) in ("ADP", "DET", "PUNCT"):
        kept.pop()
    return make_part(tree.analysis, kept).text if kept else text
