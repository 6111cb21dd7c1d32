"""The wording of a link for people, and the base form that identifies its relation."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import NEGATIONS
from tupelo.nlp.languages.en.inflection import be, participle, past, third_person
from tupelo.nlp.syntax import DependencyTree


@dataclass(frozen=True, slots=True)
class VerbForm:
    """A form of a verb that is not in the sentence: *wrote* for *was written by*."""

    text: str
    lemma: str


# Word indexes, implied words and forms of verbs, in reading order.
Piece = int | str | VerbForm
Pieces = tuple[Piece, ...]

# Words that change the tense, degree or truth of a relation, but not its identity.
_PASSING = frozenset(["ADV", "PART", "PUNCT", "DET", "INTJ", "CCONJ"])
_BASE = dict.fromkeys(("is", "are", "was", "were"), "be") | dict.fromkeys(("has", "had"), "have")
_BASE |= {"includes": "include", "died": "die", "born": "bear"}
# Contracted words by their lemmas.
_IN_FULL = {"be": "is", "have": "has", "will": "will", "would": "would", "not": "not", "can": "can"}
_IN_FULL_PLURAL = {"be": "are", "have": "have"}
_HELPERS = ("aux", "cop")
_FINITE = frozenset(["VBD", "VBZ", "VBP", "MD", "TO"])
_DEPENDENT = ("acl", "advcl", "xcomp", "ccomp")
_HAD_OR_WOULD = frozenset(["'d", "’d"])
# Of *won't* and *can't*.
_BEFORE_NOT = frozenset(["wo", "ca", "Wo", "Ca"])
_PRESENT = words("extraction", "present_be")


def wording(tree: DependencyTree, pieces: Iterable[Piece], *, asserted: bool) -> str:
    """A relation for people: without adverbs and articles, and where it is asserted, without modal verbs."""
    kept: list[str] = []
    for piece in pieces:
        if not isinstance(piece, int):
            kept.append(piece if isinstance(piece, str) else piece.text)
            continue
        qualifies = tree.lowered[piece] in NEGATIONS or (tree.base[piece] == "aux" and tree.tag(piece) == "MD")
        if not asserted if qualifies else not _is_passing(tree, piece):
            kept.append(written(tree, piece))
    return " ".join(kept[1:] if kept[:1] == ["to"] else kept)


def written(tree: DependencyTree, index: int) -> str:
    """A word in lower case, unless its capitals mean something (*CEO*), and in full where it is contracted."""
    text = tree.text(index)
    if tree.lowered[index] in _HAD_OR_WOULD:
        verb = tree.heads[index]
        return (
            "had"
            if verb is not None and tree.tag(verb) == "VBN" and tree.child(verb, "aux:pass") is None
            else "would"
        )
    if tree.lowered[index] in ("'s", "’s") and _is_perfect(tree, index):
        return "has"
    if text[:1] in "'’" or text in ("n't", "n’t", *_BEFORE_NOT):
        forms = _IN_FULL_PLURAL if tree.tag(index) == "VBP" else _IN_FULL
        return forms.get(tree.lemmas[index], text.lower())
    return text if tree.upos(index) == "PROPN" or any(map(str.isupper, text[1:])) else text.lower()


def _is_perfect(tree: DependencyTree, index: int) -> bool:
    """Whether *'s* is *has*: *she's been*, *she's gone*."""
    verb = tree.heads[index]
    own = [] if verb is None else [verb, *tree.children(verb, "cop", "aux:pass")]
    is_participle = any(tree.tag(one) == "VBN" for one in own[:1]) and tree.labels[index] == "aux"
    return is_participle or any(tree.lowered[one] == "been" for one in own)


def key(tree: DependencyTree, pieces: Iterable[Piece]) -> str:
    """The base forms that identify the relation: no tense, no modal verbs, no negation, no adverbs.

    Passive auxiliaries and the copula are kept, since the roles of the ends depend on them.
    """
    kept: list[str] = []
    for piece in pieces:
        if isinstance(piece, VerbForm):
            kept.append(piece.lemma)
        elif isinstance(piece, str):
            kept += [_BASE.get(word, word) for word in piece.lower().split()]
        elif tree.labels[piece] in ("aux:pass", "cop"):
            kept.append("be")
        elif tree.base[piece] not in ("aux", "mark", "discourse") and not _is_passing(tree, piece):
            kept.append(tree.lemmas[piece])
    return " ".join(kept)


def claimed(tree: DependencyTree, pieces: Pieces) -> Pieces:
    """The content of a relation that is not asserted: *plant* in *wants to plant*, *pay* in *refused to pay*."""
    verb = main_verb(tree, pieces)
    if verb is None or tree.base[verb] != "xcomp" or verb not in pieces:
        return pieces
    return pieces[pieces.index(verb) :]


def _is_passing(tree: DependencyTree, index: int) -> bool:
    if tree.lowered[index] == "to" and tree.base[index] == "mark":
        return False
    head = tree.heads[index]
    if tree.upos(index) == "ADV" and head is not None and tree.upos(head) == "ADJ" and tree.base[head] == "amod":
        # *third largest*, *formerly independent*: without it the adjective says something else.
        return False
    return tree.upos(index) in _PASSING and tree.base[index] not in ("compound", "case", "fixed")


def main_verb(tree: DependencyTree, pieces: Sequence[Piece]) -> int | None:
    """The last verb of a relation that is neither an auxiliary nor a copula."""
    for piece in reversed(pieces):
        if isinstance(piece, int) and tree.upos(piece) == "VERB" and tree.base[piece] not in ("aux", "cop", "case"):
            return piece
    return None


def is_passive(tree: DependencyTree, pieces: Sequence[Piece], verb: int) -> bool:
    """*was built*, *had been built*, and *built* with an implied form of *be*."""
    if tree.tag(verb) not in ("VBN", "VBD"):
        return False
    return any(_is_be(tree, piece) for piece in pieces)


def active(tree: DependencyTree, pieces: Sequence[Piece], verb: int) -> Pieces:
    """A passive turned round: *wrote* for *was written by*, *owns* for *is owned by*."""
    be = next((piece for piece in pieces if _is_be(tree, piece)), "was")
    form = tree.lowered[be] if isinstance(be, int) else be
    auxiliaries = [piece for piece in pieces if isinstance(piece, int) and tree.base[piece] == "aux"]
    modal = [piece for piece in auxiliaries if tree.tag(piece) == "MD"]
    base = tree.lemmas[verb]
    if modal:
        text = f"{tree.lowered[modal[0]]} {base}"
    elif form in _PRESENT and isinstance(be, int):
        text = third_person(base)
    else:
        # The participle of a regular verb is its past tense, whatever the lemma.
        text = tree.lowered[verb] if tree.lowered[verb].endswith("ed") else past(base)
    particles = [piece for piece in pieces if isinstance(piece, int) and tree.labels[piece] == "compound:prt"]
    return (VerbForm(text, base), *particles)


def passive(tree: DependencyTree, verb: int) -> VerbForm:
    """*was published* for *published*: what is said of the object."""
    return VerbForm(f"was {participle(tree.lemmas[verb])}", f"be {tree.lemmas[verb]}")


def _is_be(tree: DependencyTree, piece: Piece) -> bool:
    return tree.labels[piece] == "aux:pass" if isinstance(piece, int) else piece in ("is", "are", "was", "were")


def finite(tree: DependencyTree, pieces: Pieces, *, plural: bool) -> Pieces:
    """A participle as a verb of its clause: *sank* for *sinking*, *bought* for *having bought*.

    `plural`: whether its subject is.
    """
    verb = main_verb(tree, pieces)
    if verb is None or any(isinstance(piece, str) or tree.tag(piece) in _FINITE for piece in _words(pieces)):
        return pieces
    tag, base, past_tense = tree.tag(verb), tree.lemmas[verb], _is_past(tree, verb)
    own = [piece for piece in _words(pieces) if not isinstance(piece, str) and tree.base[piece] in _HELPERS]
    if tag == "VBN" and all(tree.lemmas[piece] != "have" for piece in own):
        # *with the rooms (being) reserved for guests*
        is_bare = pieces[0] in (verb, *own) and _top(tree, verb) in _DEPENDENT
        kept = (piece for piece in pieces if piece not in own)
        return (be(past=past_tense, plural=plural), *kept) if is_bare else pieces
    # *helped him leave*, *saw them leaving*; not *kept leaving*
    is_controlled = _top(tree, verb) in ("xcomp", "ccomp") and pieces[0] == verb
    if not (is_controlled if tag == "VB" or tree.base[verb] == "xcomp" else tag in ("VBG", "VBN")):
        return pieces
    present = base if plural else third_person(base)
    form = VerbForm(past(base) if tag == "VBN" or past_tense else present, base)
    return tuple(form if piece == verb else piece for piece in pieces if piece not in own)


def _words(pieces: Pieces) -> list[int | str]:
    return [piece for piece in pieces if not isinstance(piece, VerbForm)]


def _top(tree: DependencyTree, verb: int) -> str:
    """The label of a verb, or of the one that it is coordinated with."""
    while tree.base[verb] == "conj" and (above := tree.heads[verb]) is not None:
        verb = above
    return tree.base[verb]


def _is_past(tree: DependencyTree, verb: int) -> bool:
    """The tense of the nearest clause above."""
    for index in tree.path(verb):
        for carrier in (index, *tree.children(index, "aux", "cop")):
            if tree.tag(carrier) in ("VBD", "VBZ", "VBP"):
                return tree.tag(carrier) == "VBD"
    return False


def singular(tree: DependencyTree, noun: int, words: Pieces) -> Pieces:
    """*is sitcom for* of each of *the sitcoms for the BBC, May to December and So Haunt Me*."""
    if not tree.is_plural(noun):
        return words
    return tuple(VerbForm(tree.lemmas[noun], tree.lemmas[noun]) if word == noun else word for word in words)


_CONFIDENCE = json.loads(files("tupelo.extract.links").joinpath("links.json").read_text("utf-8"))
ORDER = float(_CONFIDENCE["order"])
# By what is between the two: a noun that says what one of them is, or only a preposition.
DESCRIPTION, DIRECT, PER_NOUN = (float(_CONFIDENCE["path"][name]) for name in ("description", "direct", "per_noun"))
# Relative to the tuple of a link: for each noun on the path to a name, for a later argument, from a name inside the
# subject, and between two other arguments.
PER_INNER_NOUN, LATER_ARGUMENT, IN_SUBJECT, AMONG = (
    float(_CONFIDENCE["tuple"][name]) for name in ("per_noun", "later_argument", "in_subject", "among")
)


@dataclass(frozen=True, slots=True)
class Path:
    """Two anchors and the words from the first to the second.

    `shape` has the labels of the path, upwards before `^`, with prepositions in brackets.
    """

    subject: int
    object: int
    pieces: Pieces
    shape: str
    confidence: float
