"""A tuple as a sentence of its own: its parts in reading order, pronouns by what they stand for.

What a tuple leaves out on purpose comes back where the sentence would say something else without it: the clause after
*a kind of thing that …*, the article of a noun, and *some* before *companies*, of which only those that sell X do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from tupelo.core import Argument, Extraction
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.anchors import heads_of
from tupelo.extract.links.arguments import is_copular
from tupelo.extract.links.phrases import LinkReader
from tupelo.extract.links.wording import Pieces, VerbForm, finite, pieces_of, written
from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.grammar import ARTICLES, HOLLOW_NOUNS, MEASURES, POSSESSIVES
from tupelo.nlp.languages.en.inflection import third_person
from tupelo.nlp.parts import make_part

_PLURAL_VERBS = {"am": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_OWN_FORMS = labels("extraction", "forms_of_the_speaker")
_GENERAL, _JOINING = words("extraction", "general_determiners"), words("extraction", "joining_adverbs")
# Links and footnote marks of pages.
_MARKUP = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)|\s?\[\d+\]")
# Words of the longest clause that is taken back.
_LONGEST_CLAUSE = 25


class TupleReading:
    """A tuple and the anchors of its arguments, as they are read."""

    def __init__(
        self,
        reader: LinkReader,
        referents: Sequence[Referent],
        extraction: Extraction,
        parts: Sequence[int | None],
    ) -> None:
        self._reader, self._tree, self._referents = reader, reader.tree, referents
        self._tuple = extraction
        self._anchors = [None if at is None else reader.anchors[at] for at in parts]
        self._rule = (extraction.rule or "").partition("/")[0]
        self._taken = {token for part in (extraction.rel, *extraction.arguments) for token in part.tokens or ()}

    def __str__(self) -> str:
        """The sentence. An argument before the subject stays there: *In 1990 Ann Lee founded Acme*."""
        extraction, subject = self._tuple, self._tuple.arg1
        if subject is None:
            return extraction.rel.text
        own = self._anchors[0]
        others = [
            self._without(part, [subject], self._phrase(part, anchor))
            for part, anchor in zip(extraction.args, self._anchors[1:], strict=True)
        ]
        told = [pair for pair in zip(extraction.args, others, strict=True) if pair[1].lower() not in _JOINING]
        opening = " ".join(f"{text}," for part, text in told if self._is_before(part))
        rest = " ".join(self._lowered(text, part) for part, text in told if not self._is_before(part))
        plural = own is not None and own.end > own.start and self._tree.is_plural(own.head)
        relation = finite(self._tree, pieces_of(extraction.rel), plural=plural)
        verb = " ".join(self._worded(piece) for piece in self._with_article(relation))
        first = self._without(subject, extraction.args, self._phrase(subject, own))
        restricted = self._part_of_all(self._lowered(first, subject))
        if opening or not first.casefold().endswith(restricted.casefold()):
            first = restricted
        if (extraction.rule or "").startswith("existential/"):
            # "daily flights are to Tehran"
            be, _, after = verb.removeprefix("there ").partition(" ")
            first, verb = f"there {be} {first}", after.removeprefix("there ")
        return _MARKUP.sub(r"\1", " ".join(" ".join((opening, first, verb, rest)).split()))

    def _worded(self, piece: int | str | VerbForm) -> str:
        """A word of the relation; in the singular where the subject lost what it was coordinated with."""
        if not isinstance(piece, int):
            return piece if isinstance(piece, str) else piece.text
        text = written(self._tree, piece)
        if not (self._is_alone or self._is_speaker):
            return text
        if text in _PLURAL_VERBS:
            return _PLURAL_VERBS[text]
        is_finite = self._tree.tag(piece) == "VBP" and self._tree.upos(piece) == "VERB"
        return third_person(self._tree.lemmas[piece]) if is_finite else text

    @property
    def _is_speaker(self) -> bool:
        """Whether the subject is an *I* that is told as *the speaker*."""
        subject = self._anchors[0]
        return (
            subject is not None
            and subject.kind == "pronoun"
            and subject.referent is not None
            and self._tree.words[subject.head].feature("Person") == "1"
            and self._tree.words[subject.head].feature("Number") == "Sing"
        )

    @property
    def _is_alone(self) -> bool:
        """Whether the subject is one thing that the sentence coordinates with others."""
        tree, subject = self._tree, self._tuple.arguments[0]
        heads = heads_of(tree, subject)
        if len(heads) != 1 or tree.tag(heads[0]) not in ("NN", "NNP"):
            return False
        head, above = heads[0], tree.heads[heads[0]]
        conjuncts = tree.children(head, "conj")
        if tree.base[head] == "conj" and above is not None:
            conjuncts = [above, *conjuncts]
        return any(one not in (subject.tokens or ()) and tree.upos(one) in ("NOUN", "PROPN") for one in conjuncts)

    def _part_of_all(self, text: str) -> str:
        """*some companies sell X* for *companies that sell X pay more*."""
        tree, tokens = self._tree, self._tuple.arguments[0].tokens or ()
        if self._rule not in ("relative", "participle") or not tokens:
            return text
        head = tree.head_of(tokens)
        clause = next(
            (one for one in (tree.children(head, "acl") if head is not None else ()) if one > tokens[-1]), None
        )
        if head is None or clause is None or not self._restricts(clause, tokens[-1]):
            return text
        determiners = tree.children(head, "det")
        if any(tree.lowered[token] in _GENERAL for token in determiners) and determiners == [tokens[0]]:
            return f"some {text.partition(' ')[2]}"
        counted = tree.children(head, "nmod:poss", "nummod", "det") or any(
            tree.lowered[token] in MEASURES for token in tree.children(head, "amod")
        )
        is_bare = tree.tag(head) == "NNS" and not counted and tree.upos(tokens[0]) not in ("PRON", "ADV")
        return f"some {text}" if is_bare else text

    def _with_article(self, relation: Pieces) -> Pieces:
        """*had a visit to* for *Ann's visit to*, *are a kind of* for *are kind of*."""
        if relation[1:] == ("kind", "of"):
            return (relation[0], "a", *relation[1:])
        noun = relation[1] if self._rule == "path" and len(relation) > 2 and relation[0] in ("has", "had") else None
        if not isinstance(noun, int) or self._tree.tag(noun) != "NN":
            return relation
        return (relation[0], _indefinite(self._tree.text(noun)), *relation[1:])

    def _restricts(self, clause: int, last: int) -> bool:
        """Whether a clause follows a word without a comma."""
        start = min(self._tree.subtree(clause))
        return start == last + 1 and self._tree.upos(start) != "PUNCT"

    def _phrase(self, argument: Argument, anchor: Anchor | None) -> str:
        """The words of an argument, with names for the pronouns in it that mean something else than the subject.

        An adjective alone is a country where a path leads to it: *physicist from the United States*.
        """
        own, is_first = self._anchors[0], argument is self._tuple.arg1
        subject = None if own is None or is_first else own.referent
        if argument.resolved and not self._is_of(argument, anchor, subject):
            return argument.resolved
        reader, replaced = self._reader, False
        phrase: list[int | str] = list(pieces_of(argument))
        for place, word in enumerate(phrase):
            number = reader.at.get(word) if isinstance(word, int) else None
            if number is None or not isinstance(word, int):
                continue
            one = reader.anchors[number]
            alone = (argument.tokens or ()) == (word,)
            if one.kind == "name" and one.referent is not None and alone and self._rule == "path":
                phrase[place] = self._referents[one.referent].name
                replaced = True
            if one.kind == "pronoun" and one.referent is not None and one.referent == subject:
                if own is not None and self._is_speaker and (form := _OWN_FORMS.get(reader.tree.lowered[word])):
                    phrase[place] = form
                    replaced = True
            elif one.kind == "pronoun" and one.referent is not None:
                plural = reader.tree.words[word].feature("Number") == "Plur"
                name = _called(self._referents[one.referent], plural=plural)
                phrase[place] = (
                    _owner(name, plural=plural) if reader.tree.lowered[word] in POSSESSIVES and not alone else name
                )
                replaced = True
        clause = self._clause_of(argument)
        if clause:
            phrase += clause
        elif self._rule == "path" and not replaced:
            phrase = [*self._articles(argument, anchor), *phrase]
        text = (
            make_part(reader.tree.analysis, phrase).text
            if replaced or len(phrase) > len(argument.tokens or ())
            else argument.text
        )
        return text

    def _is_of(self, argument: Argument, anchor: Anchor | None, subject: int | None) -> bool:
        """Whether an argument is the subject, or has a pronoun for it: *Ann sold her house*."""
        inside = (self._reader.at.get(token) for token in argument.tokens or ())
        pronouns = [self._reader.anchors[at] for at in inside if at is not None and self._reader.is_pronoun(at)]
        return subject is not None and subject in (anchor and anchor.referent, *(one.referent for one in pronouns))

    def _clause_of(self, argument: Argument) -> list[int]:
        """The clause that says which one or what kind is meant: *an object that orbits the Earth*."""
        tree, tokens = self._tree, argument.tokens or ()
        heads = heads_of(tree, argument)
        if not tokens or len(heads) != 1 or argument.inferred:
            return []
        is_predicate = (
            argument is not self._tuple.arg1
            and argument is self._tuple.args[0]
            and is_copular(self._reader, self._tuple)
        )
        if not is_predicate and tree.lowered[heads[0]] not in HOLLOW_NOUNS:
            return []
        for clause in tree.children(heads[0], "acl"):
            inside = tree.trim(tree.subtree(clause))
            is_next = inside == list(range(tokens[-1] + 1, tokens[-1] + 1 + len(inside)))
            if inside and is_next and len(inside) <= _LONGEST_CLAUSE and self._taken.isdisjoint(inside):
                return inside if self._restricts(clause, tokens[-1]) else []
        return []

    def _articles(self, argument: Argument, anchor: Anchor | None) -> list[int | str]:
        """The article of a noun that a path leads to; *a* where the sentence says whose it is."""
        tree = self._tree
        if anchor is None or anchor.kind != "concept" or not argument.tokens:
            return []
        determiner = tree.child(anchor.head, "det")
        if determiner is not None and determiner < argument.tokens[0]:
            return [tree.lowered[determiner]]
        owned = argument is not self._tuple.arg1 and tree.child(anchor.head, "nmod:poss") is not None
        if not owned or tree.tag(anchor.head) != "NN":
            return []
        return [_indefinite(tree.text(argument.tokens[0]))]

    def _lowered(self, text: str, argument: Argument) -> str:
        """A phrase from the start of a sentence within another one: *Q1 is the first quartile*."""
        tree, first = self._tree, min(argument.tokens or (-1,))
        if first < 0 or not text.startswith(tree.text(first)) or tree.upos(first) in ("PROPN", "PUNCT"):
            return text
        opens = first == 0 or tree.upos(first - 1) == "PUNCT"
        grammar = tree.upos(first) in ("DET", "ADP", "SCONJ", "PRON", "ADV") and tree.text(first) != "I"
        plain = first + 1 < tree.size and tree.text(first + 1).islower() and self._reader.name_at(first) is None
        return f"{text[0].lower()}{text[1:]}" if opens and not text[1:2].isupper() and (grammar or plain) else text

    def _is_before(self, part: Argument) -> bool:
        """Whether an adverbial stands before subject and relation."""
        subject, relation = self._tuple.arguments[0].tokens, self._tuple.rel.tokens
        if not part.tokens or not subject or not relation:
            return False
        is_adverbial = part.kind == "time" or self._tree.upos(part.tokens[0]) in ("ADP", "SCONJ")
        return is_adverbial and max(part.tokens) < min(*subject, *relation)

    def _without(self, part: Argument, others: Sequence[Argument], text: str) -> str:
        """A part without another one inside it: *shops* in *shops on the island are on the island*."""
        tree = self._tree
        inner = {token for other in others for token in other.tokens or ()}
        if not part.tokens or not inner or not inner < set(part.tokens):
            return text
        kept = list(takewhile(lambda token: token not in inner, part.tokens))
        kept = kept or [token for token in part.tokens if token not in inner and tree.tag(token) != "POS"]
        while kept and tree.upos(kept[-1]) in ("ADP", "DET", "PUNCT"):
            kept.pop()
        return make_part(tree.analysis, kept).text if kept else text


def _indefinite(noun: str) -> str:
    return "an" if noun[:1].lower() in "aeiou" else "a"


def _owner(name: str, *, plural: bool) -> str:
    return f"{name}’" if plural and name.endswith("s") else f"{name}’s"


def _called(referent: Referent, *, plural: bool) -> str:
    """A referent for readers: *the system* for a thing, the wording of the text for a kind."""
    if referent.kind == "entity":
        return referent.name
    wordings = [naming.text for naming in referent.names if naming.text.endswith("s") == plural]
    name = wordings[0] if wordings else referent.name
    is_bare = name[:1].islower() and name.split()[0].lower() not in ARTICLES | POSSESSIVES and "’s " not in name
    return f"the {name}" if referent.kind == "thing" and is_bare and "'s " not in name else name
