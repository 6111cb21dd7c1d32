"""A tuple as a sentence of its own: its words in the order of its sentence, pronouns by what they stand for.

Words change only where they must: a pronoun becomes a name, a participle a finite verb, a verb agrees with its new
subject. What a tuple leaves out on purpose comes back where the sentence would say something else without it: the
clause after *a kind of thing that …*, a condition, and *some* before *companies*, of which only those that sell X do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from tupelo.core import Argument, Extraction
from tupelo.core.statement import Anchor, Referent
from tupelo.extract.anchors import heads_of
from tupelo.extract.links.arguments import is_copular
from tupelo.extract.links.context import DEMONSTRATIVES, LONGEST, is_told, points_out
from tupelo.extract.links.phrases import LinkReader
from tupelo.extract.links.wording import VerbForm, finite, main_verb, written
from tupelo.extract.parts import pieces_of, sentence_of
from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.grammar import HOLLOW_NOUNS, MEASURES, POSSESSIVES, PREPOSITIONS
from tupelo.nlp.languages.en.inflection import article, third_person
from tupelo.nlp.syntax import NOUNS, SUBJECTS, is_run

_SINGULAR = {"am": "is", "m": "is", "'m": "is", "’m": "is", "are": "is", "were": "was", "have": "has", "do": "does"}
_PLURAL = {"am": "are", "'m": "are", "’m": "are", "was": "were"}
_OWN_FORMS = labels("extraction", "forms_of_the_speaker")
_GROUP_FORMS = labels("extraction", "forms_of_the_group")
_GENERAL, _JOINING = words("extraction", "general_determiners"), words("extraction", "joining_adverbs")
_CONDITIONS = words("extraction", "conditions")
# Words before a clause that is true at some times only.
_RECURRING = frozenset(["when", "whenever", "once"])
_FINITE = frozenset(["VBD", "VBZ", "VBP", "MD"])
# Marks that are copied between words; brackets and quotation marks could stay open.
_MARKS = frozenset([",", ";", ":", "-", "--", "–", "—", "/"])
_ENDS = ",;:-–— "
_STOPS = frozenset('.!?:…”"’')
# Links and footnote marks of pages.
_MARKUP = re.compile(r"\[([^\[\]]+)\]\([^()\s]*\)|\s?\[\d+\]|(?<!\w)_(?=\w)|(?<=\w)_(?!\w)")
_DAY = re.compile(r"\d{4}-")
# Words of the longest clause that is taken back.
_LONGEST = 25
_RELATION = -1
# Least probability with which a description is told by its name.
_SURE = 0.8
# Dependents and conjuncts that have the subject of their head.
_SHARING = ("aux", "cop", "conj")
# Rules of tuples without a verb.
_NOMINAL = ("path", "apposition")
_LISTED = (*NOUNS, "NUM")
# Dependents of a predicate noun that are of its clause.
_APART = ("nsubj", "csubj", "cop", "aux", "mark", "advcl", "obl", "parataxis", "expl")


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of a reading: its part, its place in the sentence, and its text where it is not as written.

    An implied word has no place, `end` is 0; a name may stand for several words.
    """

    part: int
    start: int = 0
    end: int = 0
    text: str | None = None


class TupleReading:
    """A tuple and the anchors of its arguments, as they are read."""

    def __init__(
        self, reader: LinkReader, referents: Sequence[Referent], extraction: Extraction, parts: Sequence[int | None]
    ) -> None:
        self._reader, self._tree, self._referents = reader, reader.tree, referents
        self._tuple = extraction
        self._anchors = [None if at is None else reader.anchors[at] for at in parts]
        self._rule, _, self._shape = (extraction.rule or "").partition("/")
        self._taken = {token for part in (extraction.rel, *extraction.arguments) for token in part.tokens or ()}
        own = self._anchors[0] if self._anchors else None
        # Referents that have been named: a later pronoun stands for them; places of *I*, and whether it is named.
        self._own = None if own is None else own.referent
        self._named: set[int | None] = {self._own}
        self._speaker: dict[int, bool] = {}
        # Places of pronouns told by name, after which *'re* and *'s* are written in full.
        self._told = set[int]()
        # Places of the words said, and of those among them that nobody resolved.
        self._said, self._open = list[int](), list[int]()
        self._begun = self._has_group = self._is_quoted = False

    def __str__(self) -> str:
        """The sentence. An argument before the subject stays there: *In 1990 Ann Lee founded Acme*."""
        if self._tuple.arg1 is None:
            return self._tuple.rel.text
        if self._rule == "path" and " nmod(such) " in self._shape:
            relation = [_Word(_RELATION, text="include" if self._is_plural(1) else "includes")]
            parts = [self._argument(1), relation, self._argument(0)]
        else:
            relation = self._relation()
            parts = [self._argument(number) for number in range(len(self._anchors))]
            parts = [parts[0], relation, *parts[1:], self._condition()]
        joined = self._joined(list(self._ordered(parts)))
        return _MARKUP.sub(r"\1", " ".join(joined.split())).strip(_ENDS)

    def in_context(self, text: str, before: LinkReader | None) -> str:
        """The text that was read, told with its sentence or the one before where a word of it points there."""
        tree = self._tree
        loose = [token for token in self._open if not is_told(tree, self._said, token)]
        if self._is_supposed() or (loose and all(is_told(tree, range(tree.size), token) for token in loose)):
            return whole(self._reader, self._referents).rstrip(".") if tree.size <= LONGEST else text
        if not before or before.tree.size > LONGEST or not any(is_told(tree, (), at, before.tree) for at in loose):
            return text
        earlier = whole(before, self._referents)
        return f"{earlier}{'' if earlier[-1:] in _STOPS else ':'} {text[:1].upper()}{text[1:]}"

    def _is_supposed(self) -> bool:
        """Whether a tuple is a clause such as *once a storm moves over land*, which says when something happens."""
        tree, verb = self._tree, self._tree.head_of(self._tuple.rel.tokens or ())
        while verb is not None and tree.base[verb] == "conj":
            verb = tree.heads[verb]
        if verb is None or tree.base[verb] != "advcl" or not tree.has_word(tree.below[verb], _RECURRING):
            return False
        return any(tree.tag(one) in ("VBZ", "VBP") for one in (verb, *tree.children(verb, "aux", "cop")))

    def _argument(self, number: int) -> list[_Word]:
        """The words of an argument."""
        argument, anchor = self._tuple.arguments[number], self._anchors[number]
        tokens = argument.tokens or ()
        if listed := self._listed(argument):
            return _words(number, listed)
        phrase: list[int | str] = [
            *self._articles(argument, anchor),
            *pieces_of(argument),
            *self._clause_of(argument),
        ]
        if argument.resolved and _DAY.match(argument.resolved):
            return _words(number, [*phrase, f"({argument.resolved})"])
        is_pronoun = anchor is not None and anchor.kind == "pronoun" and anchor.referent is not None
        if (
            argument.resolved
            and not any(_is_long(owner) for owner in argument.resolved.split("'s ")[:-1])
            and len(tokens) > is_pronoun
            and (number == 0 or not self._is_of_subject(argument, anchor))
        ):
            return [_Word(number, min(tokens), max(tokens) + 1, argument.resolved)]
        is_name = anchor is not None and anchor.kind == "name" and anchor.referent is not None
        if self._rule == "path" and is_name and anchor and len(tokens) == 1:
            return [_Word(number, tokens[0], tokens[0] + 1, self._referents[anchor.referent or 0].name)]
        if anchor is not None and (name := self._described(anchor, tokens)):
            return [_Word(number, min(tokens), max(tokens) + 1, name)]
        if number == 1 and self._rule == "apposition" and self._is_title(tokens):
            # *the journal Nature* is a journal.
            phrase = [article(self._tree.text(tokens[1])), *phrase[1:]]
        if number == 0 and (named := self._apposed(tokens)):
            return _words(number, named)
        if number == 0 and self._is_some_of(tokens):
            phrase = ["some", *(phrase[1:] if self._tree.lowered[tokens[0]] in _GENERAL else phrase)]
        return _words(number, phrase)

    def _described(self, anchor: Anchor, tokens: Sequence[int]) -> str | None:
        """The name for *the company* or *the Seller*, where that is sure, unless the tuple has it, too."""
        one = None if anchor.referent is None else self._referents[anchor.referent]
        is_party = anchor.text[:1].isupper()
        if one is None or one.kind != "entity" or not (is_party or one.label == "organization") or not tokens:
            return None
        is_whole = max(tokens) == anchor.end - 1 and self._tree.lowered[min(tokens)] == "the"
        is_told = any(
            other is not None and other.referent == anchor.referent for other in self._anchors if other is not anchor
        )
        sure = any(
            naming.text == anchor.text and naming.reason == "coreference" and naming.probability >= _SURE
            for naming in one.names
        )
        return one.name if is_whole and sure and not is_told else None

    def _is_title(self, tokens: Sequence[int]) -> bool:
        """Whether a phrase of *the* and a noun stands right before the name that is the subject."""
        is_next = len(tokens) > 1 and (tokens[-1] + 1,) == (self._tuple.arguments[0].tokens or ())[:1]
        return is_next and self._tree.lowered[tokens[0]] == "the" and self._tree.tag(tokens[-1]) == "NN"

    def _apposed(self, tokens: Sequence[int]) -> list[int]:
        """The words before *a condition* in *cretinism, a condition that shows early*."""
        tree, head = self._tree, self._tree.head_of(tokens) if tokens else None
        noun = tree.heads[head] if head is not None and tree.base[head] == "appos" else None
        if noun is None or tree.lowered[tokens[0]] not in ("a", "an") or self._rule not in ("relative", "participle"):
            return []
        # Of several it is the last one.
        noun = max((one for one in (noun, *tree.children(noun, "conj")) if one < tokens[0]), default=noun)
        apart = tree.children(noun, "appos", "conj", "case", "cc", "punct", "acl")
        return tree.trim(sorted({*tree.subtree(noun)}.difference(*(tree.subtree(one) for one in apart))))

    def _relation(self) -> list[_Word]:
        """The words of the relation, a finite verb."""
        tree, stated = self._tree, pieces_of(self._tuple.rel)
        first = next((piece for piece in stated if isinstance(piece, int)), 0)
        # *that* of a clause that comes before: *“It is late,” he said*
        stated = tuple(one for one in stated if isinstance(one, str) or one >= first or tree.base[one] != "mark")
        verb = main_verb(tree, stated)
        found: list[_Word] = []
        for piece in finite(tree, stated, plural=self._is_plural(0)):
            if isinstance(piece, VerbForm) and verb is not None:
                found.append(_Word(_RELATION, verb, verb + 1, piece.text))
            else:
                found += _words(_RELATION, [piece if isinstance(piece, int) else str(piece)])
        return found

    def _is_plural(self, number: int) -> bool:
        anchor = self._anchors[number] if number < len(self._anchors) else None
        return anchor is not None and anchor.end > anchor.start and self._tree.is_plural(anchor.head)

    def _condition(self) -> list[_Word]:
        """The clause after *if* or *when* that the verb depends on, or after *in*: *plays a role in feeding Rome*."""
        tree = self._tree
        verb = tree.head_of(self._taken - {*(self._tuple.arguments[0].tokens or ())})
        clauses = tree.children(verb, "advcl") if verb is not None and self._rule != "path" else []
        while verb is not None and not clauses and tree.base[verb] == "conj":
            # *Once it rains, roads flood and trains stop*: the first verb has the clause.
            first, verb = verb, tree.heads[verb]
            clauses = [one for one in tree.children(verb, "advcl") if one < verb < first] if verb is not None else []
        for clause in clauses:
            inside = tree.trim(tree.subtree(clause))
            opens = tree.has_word(inside[:1], _CONDITIONS) or (
                tree.has_word(inside[:1], ("in",)) and tree.tag(clause) == "VBG" and inside[0] - 1 in self._taken
            )
            if opens and len(inside) <= _LONGEST and self._taken.isdisjoint(inside):
                return _words(len(self._anchors), inside)
        return []

    def _ordered(self, parts: Sequence[Sequence[_Word]]) -> Iterator[_Word]:
        """The words in the order of the sentence, unless the verb was not finite there or an object came first."""
        tree, (subject, relation, *others) = self._tree, parts
        said = [part for part in others if part and not self._only_joins(part)]
        verb = next((one.start for one in relation if one.end and tree.upos(one.start) not in ("ADV", "PART")), None)
        first = max((word.start for word in subject if word.end), default=None)
        if verb is None or first is None or self._rule == "path":
            before = [
                part
                for part in said
                if self._is_adverbial(part)
                and first is not None
                and part[-1].end <= min(w.start for w in subject if w.end)
            ]
            for part in (*before, subject, relation, *(part for part in said if part not in before)):
                yield from part
            return
        dummy = self._dummy(subject) if first > verb else []
        is_inverted = bool(dummy) or (first > verb and self._is_clause_of(subject))
        units = [*_units(relation), *_units(dummy)]
        after = max(place for place, _ in units)
        for part in said:
            # *the book that Ann wrote*: its place is that of an object.
            head = tree.head_of([word.start for word in part if word.end])
            is_object = head is not None and head in tree.path(verb) and part[-1].end <= verb
            units += [(after + 0.5, list(part))] if is_object else _units(part)
        own = _units(subject) if first < verb or is_inverted else [(verb - 0.5, list(subject))]
        for _, unit in sorted((*own, *units), key=lambda pair: pair[0]):
            yield from unit

    def _dummy(self, subject: Sequence[_Word]) -> list[_Word]:
        """The *there* or *it* that holds the place of a subject after its verb, and the *that* before a clause."""
        tree = self._tree
        head = tree.head_of([word.start for word in subject if word.end])
        if head is None or tree.base[head] not in SUBJECTS:
            return []
        clauses = list(takewhile(lambda one: one == tree.heads[head] or tree.base[one] == "xcomp", tree.path(head)))
        dummy = next((found for one in clauses if (found := tree.child(one, "expl")) is not None), None)
        if dummy is None or dummy > head:
            return []
        return _words(_RELATION, [one for one in (dummy, *tree.children(head, "mark")) if one not in self._taken])

    def _is_clause_of(self, subject: Sequence[_Word]) -> bool:
        """Whether a subject after its verb is that of a finite verb: *said Ann*."""
        tree, relation = self._tree, self._tuple.rel.tokens or ()
        head = tree.head_of([word.start for word in subject if word.end])
        is_subject = head is not None and tree.base[head] in SUBJECTS and tree.heads[head] in self._taken
        return is_subject and any(tree.tag(token) in _FINITE for token in relation)

    def _is_adverbial(self, part: Sequence[_Word]) -> bool:
        argument = self._tuple.arguments[part[0].part] if part[0].part < len(self._anchors) else None
        first = next((self._tree.upos(word.start) for word in part if word.end), "")
        return argument is None or argument.kind == "time" or first in ("ADP", "SCONJ")

    def _only_joins(self, part: Sequence[_Word]) -> bool:
        return len(part) == 1 and part[0].end > 0 and self._tree.lowered[part[0].start] in _JOINING

    def _joined(self, found: Sequence[_Word]) -> str:
        """The text of words, with the spaces and marks that are between them in the sentence."""
        tree = self._tree
        text, is_changed = "", False
        last: _Word | None = None
        for word in found:
            if last is not None and last.end:
                text += self._marks(last, word)
            self._begun |= word.part == _RELATION
            self._is_quoted = text.count('"') % 2 == 1 or text.count("“") > text.count("”")
            new = self._text(word, last)
            written_out = word.end and new != tree.text(word.start) and tree.text(word.start)[:1] in "'’n"
            is_next = last is not None and word.end and last.end == word.start
            is_tight = is_next and tree.words[word.start - 1].end == tree.words[word.start].start
            glued = is_tight and not written_out and not (is_changed and new[:1].isalpha())
            text += new if glued or not text else f" {new}"
            is_changed = bool(word.end) and new != tree.text(word.start)
            last = word
        return text

    def _marks(self, last: _Word, word: _Word) -> str:
        between = range(last.end, word.start) if word.end else range(0)
        marks = [self._tree.text(index) for index in between if self._tree.text(index) in _MARKS]
        if marks and len(between) == len(marks):
            is_tight = all(
                self._tree.words[index].end == self._tree.words[index + 1].start
                for index in range(last.end - 1, word.start)
            )
            return "".join(marks) if is_tight or marks[0] in ",;:" else f" {' '.join(marks)}"
        if not word.end:
            return ""
        # *In 1990 (…) Ann founded Acme*
        is_opening = word.part == 0 and last.part > 0 and last.end < word.start
        is_condition = word.part == 0 and last.part == len(self._anchors)
        return "," if (is_opening or is_condition) and not self._begun else ""

    def _text(self, word: _Word, last: _Word | None) -> str:
        tree = self._tree
        if not word.end:
            return word.text or ""
        self._said += range(word.start, word.end)
        if word.text is not None:
            self._note(word.start, is_named=True)
            return word.text
        at = self._reader.at.get(word.start)
        if points_out(tree, word.start) and (at is None or self._reader.anchors[at].referent is None):
            self._open.append(word.start)
        if word.part == _RELATION or (tree.text(word.start)[:1] in "'’" and word.start - 1 in self._told):
            text = tree.text(word.start) if last is None else written(tree, word.start)
        else:
            in_place = last is None or last.end == word.start > 0
            name = self._pronoun(word)
            if name is not None or word.start in self._speaker:
                self._told.add(word.start)
            text = (
                name or self._determiner(word) or (tree.text(word.start) if in_place else self._lowered(word.start))
            )
        return self._agreeing(word.start, text)

    def _note(self, token: int, *, is_named: bool) -> None:
        """Remember what a word names, and whether it is an *I*, or a *we* of an organization, told by name."""
        number = self._reader.at.get(token)
        referent = None if number is None else self._reader.anchors[number].referent
        self._named |= {referent} - {None}
        word = self._tree.words[token]
        is_group = referent is not None and self._referents[referent].label == "organization"
        if (is_group or word.feature("Number") == "Sing") and (word.feature("Person"), self._tree.upos(token)) == (
            "1",
            "PRON",
        ):
            self._speaker[token] = is_named

    def _pronoun(self, word: _Word) -> str | None:
        """The name for a pronoun, or for an *I* that has been named; `None` for any other word."""
        token = word.start
        number = self._reader.at.get(token)
        one = None if number is None else self._reader.anchors[number]
        if (one is None or one.referent is None) and self._tree.upos(token) == "PRON":
            return self._group(self._tree.lowered[token])
        if one is None or one.referent is None or self._tree.words[token].feature("Reflex") == "Yes":
            return None
        if self._tuple.arguments[0].tokens == (token,) and self._is_told_later(one.referent):
            self._open.append(token)
            return None
        is_known = one.referent in self._named and (word.part != 0 or one is not self._anchors[0])
        self._note(token, is_named=not is_known or not self._is_own(token))
        if one.kind != "pronoun":
            return None
        if is_known and (token not in self._speaker or self._is_own(token)):
            return _OWN_FORMS.get(self._tree.lowered[token]) if token in self._speaker else None
        plural = self._tree.words[token].feature("Number") == "Plur"
        name = _called(self._referents[one.referent], plural=plural)
        if name[:1].islower() and not plural and self._is_counted(one.referent):
            name = f"the {name}"
        is_alone = word.part < len(self._anchors) and self._tuple.arguments[word.part].tokens == (token,)
        is_owner = self._tree.lowered[token] in POSSESSIVES and not is_alone
        if is_owner and _is_long(name):
            self._open.append(token)
            return None
        return f"{name}{'’' if plural and name.endswith('s') else '’s'}" if is_owner else name

    def _is_counted(self, referent: int) -> bool:
        """Whether the sentence has a kind as *a storm*, so that *it* is *the storm*."""
        told = (one.head for one in self._reader.anchors if one.referent == referent and one.kind == "concept")
        is_kind = self._referents[referent].kind == "concept"
        return is_kind and any(self._tree.child(head, "det") is not None for head in told)

    def _is_told_later(self, referent: int) -> bool:
        """Whether a subject stands for what the tuple says that it is: *it was a galleon*."""
        later = [other for other in self._anchors[1:] if other is not None and other.kind != "pronoun"]
        return any(other.referent == referent for other in later) and is_copular(self._reader, self._tuple)

    def _group(self, pronoun: str) -> str | None:
        """The words for a *we* that nobody resolved, outside of quotations."""
        if self._is_quoted:
            return None
        if self._has_group:
            return _GROUP_FORMS.get(pronoun)
        self._has_group = pronoun in ("we", "us")
        return "the speaker and others" if self._has_group else None

    def _determiner(self, word: _Word) -> str | None:
        """*the* for a *this* that points out of the statement; not in *this year*, *this way* or a quotation."""
        tree, token = self._tree, word.start
        noun = tree.heads[token]
        if tree.lowered[token] not in DEMONSTRATIVES or tree.base[token] != "det" or noun is None:
            return None
        at, part = self._reader.at.get(noun), self._tuple.arguments[word.part : word.part + 1]
        is_value = at is not None and self._reader.anchors[at].kind == "value"
        is_time = any(one.kind == "time" for one in part) or tree.lemmas[noun] in HOLLOW_NOUNS
        is_quoted = any(tree.tag(one) == "``" for argument in part for one in argument.tokens or ())
        return None if is_value or is_time or is_quoted else "The" if tree.text(token)[0].isupper() else "the"

    def _is_own(self, token: int) -> bool:
        """Whether the clause of an *I* or *my* has an *I* as its subject, which has been told by name."""
        subjects = [self._tree.child(clause, *SUBJECTS) for clause in self._tree.path(token)]
        return any(subject in self._speaker and subject != token for subject in subjects)

    def _agreeing(self, token: int, text: str) -> str:
        """A verb that agrees with *the speaker* for *I*, or with one of several coordinated subjects."""
        tree = self._tree
        helpers = {tree.tag(child) for child in tree.children(token, "aux", "mark")}
        if tree.upos(token) not in ("VERB", "AUX") or tree.tag(token) not in ("VBP", "VBD") or helpers & {"MD", "TO"}:
            return text
        clause: int | None = token
        while clause is not None and tree.child(clause, *SUBJECTS) is None and tree.base[clause] in _SHARING:
            clause = tree.heads[clause]
        subject = None if clause is None else tree.child(clause, *SUBJECTS)
        is_named = None if subject is None else self._speaker.get(subject)
        is_one = is_named or (subject is not None and tree.words[subject].feature("Number") == "Plur")
        if is_named is None or not is_one or text in _SINGULAR:
            return text if is_named is None else (_SINGULAR if is_one else _PLURAL).get(text, text)
        is_main = tree.tag(token) == "VBP" and tree.upos(token) == "VERB" and "VBP" not in helpers
        return third_person(tree.lemmas[token]) if is_main else text

    def _is_some_of(self, tokens: Sequence[int]) -> bool:
        """Whether *companies that sell X pay more* is said: some companies sell X."""
        tree = self._tree
        head = tree.head_of(tokens) if tokens and self._rule in ("relative", "participle") else None
        clauses = tree.children(head, "acl") if head is not None else []
        clause = next((one for one in clauses if one > tokens[-1]), None)
        if head is None or clause is None or not self._restricts(clause, tokens[-1]):
            return False
        determiners = tree.children(head, "det")
        if any(tree.lowered[token] in _GENERAL for token in determiners) and determiners == [tokens[0]]:
            return True
        counted = tree.children(head, "nmod:poss", "nummod", "det") or any(
            tree.lowered[token] in MEASURES for token in tree.children(head, "amod")
        )
        return tree.tag(head) == "NNS" and not counted and tree.upos(tokens[0]) not in ("PRON", "ADV")

    def _restricts(self, clause: int, last: int) -> bool:
        """Whether a clause follows a word without a comma."""
        start = min(self._tree.subtree(clause))
        return start == last + 1 and self._tree.upos(start) != "PUNCT"

    def _is_of_subject(self, argument: Argument, anchor: Anchor | None) -> bool:
        """Whether an argument is the subject, or has a pronoun for it: *Ann sold her house*."""
        own = self._anchors[0]
        inside = (self._reader.at.get(token) for token in argument.tokens or ())
        pronouns = [self._reader.anchors[at] for at in inside if at is not None and self._reader.is_pronoun(at)]
        subjects = {None if own is None else own.referent}
        # *Cacti and other succulents open their pores*
        listed = (self._reader.at.get(token) for token in self._listed(self._tuple.arguments[0]))
        subjects |= {self._reader.anchors[at].referent for at in listed if at is not None}
        return not (subjects - {None}).isdisjoint((anchor and anchor.referent, *(one.referent for one in pronouns)))

    def _clause_of(self, argument: Argument) -> list[int]:
        """The clause that says which one or what kind is meant: *an object that orbits the Earth*."""
        tree, tokens = self._tree, argument.tokens or ()
        heads = heads_of(tree, argument)
        if not tokens or len(heads) != 1 or argument.inferred:
            return []
        # *Countries that are poor export more*: not all do.
        is_kind = tree.tag(heads[0]) == "NNS" and tree.child(heads[0], "det", "nmod:poss", "nummod") is None
        needs_any = argument is not self._tuple.arg1 or is_kind or tree.lowered[heads[0]] in HOLLOW_NOUNS
        for clause in tree.children(heads[0], "acl") if needs_any else ():
            inside = tree.trim(tree.subtree(clause))
            is_next = inside == list(range(tokens[-1] + 1, tokens[-1] + 1 + len(inside)))
            if inside and is_next and len(inside) <= _LONGEST and self._taken.isdisjoint(inside):
                return inside if self._restricts(clause, tokens[-1]) else []
        return []

    def _articles(self, argument: Argument, anchor: Anchor | None) -> list[str]:
        """The article of a noun that a path leads to; *a* where the sentence says whose it is."""
        tree = self._tree
        if self._rule != "path" or anchor is None or anchor.kind != "concept" or not argument.tokens:
            return []
        determiner = tree.child(anchor.head, "det")
        if determiner is not None and determiner < argument.tokens[0]:
            return [tree.lowered[determiner]]
        owned = argument is not self._tuple.arg1 and tree.child(anchor.head, "nmod:poss") is not None
        return [article(tree.text(argument.tokens[0]))] if owned and tree.tag(anchor.head) == "NN" else []

    def _lowered(self, token: int) -> str:
        """A word from the start of a sentence within another one: *Q1 is the first quartile*."""
        tree, text = self._tree, self._tree.text(token)
        opens = token == 0 or (tree.upos(token - 1) == "PUNCT" and tree.tag(token - 1) not in ("``", "''"))
        if not opens or tree.upos(token) in ("PROPN", "PUNCT") or text == "I" or text[1:2].isupper():
            return text
        grammar = tree.upos(token) in ("DET", "ADP", "SCONJ", "PRON", "ADV")
        plain = token + 1 < tree.size and tree.text(token + 1).islower() and self._reader.name_at(token) is None
        return f"{text[0].lower()}{text[1:]}" if grammar or plain else text

    def _listed(self, argument: Argument) -> list[int]:
        """The whole list of which an argument is one: *a lever and a hose*; nothing where it is long."""
        tree, tokens = self._tree, {*(argument.tokens or ())}
        heads = heads_of(tree, argument) if not argument.inferred else []
        top = heads[0] if heads else None
        while top is not None and tree.base[top] == "conj":
            top = tree.heads[top]
        is_listing = self._rule not in ("path", "title") or " nmod(such) " in self._shape
        below = tree.subtree(top) if top is not None and len(heads) == 1 and is_listing else []
        members = [] if top is None or not below else [top, *tree.children(top, "conj")]
        is_apart = not {*(self._tuple.rel.tokens or ())}.isdisjoint(below) and argument is self._tuple.arg1
        # Not *Ann and her friend* for the friend in *Ann and her friend Bob*.
        alike = () if self._rule == "apposition" else _LISTED
        kinds = {"NOUN" if tree.upos(one) in alike else tree.upos(one) for one in members}
        if top is None or len(members) < 2 or is_apart or kinds not in ({"NOUN"}, {"PROPN"}, {"ADJ"}):
            return []
        is_first = argument is self._tuple.arg1 or self._rule in _NOMINAL
        others = [one for one in tree.children(top, *_APART, *(["case"] if is_first else [])) if one not in tokens]
        apart = (self._taken - tokens).union(*(tree.subtree(one) for one in others))
        found = tree.trim([one for one in below if one not in apart])
        return found if tokens < {*found} and len(found) <= _LONGEST and is_run(found) else []


def whole(reader: LinkReader, referents: Sequence[Referent]) -> str:
    """A whole sentence with the names for its pronouns."""
    nothing = Extraction(sentence_of(reader.tree.analysis), Argument(""), Argument(""))
    text = TupleReading(reader, referents, nothing, [])._joined(_words(1, range(reader.tree.size)))
    text = _MARKUP.sub(r"\1", text).strip()
    return f"{text[:1].upper()}{text[1:]}"


def _words(part: int, pieces: Sequence[int | str]) -> list[_Word]:
    return [_Word(part, text=one) if isinstance(one, str) else _Word(part, one, one + 1) for one in pieces]


def _units(part: Sequence[_Word]) -> list[tuple[float, list[_Word]]]:
    """The words of a part by their places, each with the implied words before it; one unit where it was reordered."""
    places = [word.start for word in part if word.end]
    if any(left > right for left, right in pairwise(places)):
        return [(places[0], list(part))]
    units: list[tuple[float, list[_Word]]] = []
    waiting: list[_Word] = []
    for word in part:
        waiting.append(word)
        if word.end:
            units.append((word.start, waiting))
            waiting = []
    if waiting and units:
        units[-1][1].extend(waiting)
    return units


def _is_long(name: str) -> bool:
    """Whether words are a description that cannot be an owner: *the company with 1,750 employees*."""
    return name[:1].islower() and not PREPOSITIONS.isdisjoint(name.split())


def _called(referent: Referent, *, plural: bool) -> str:
    """A referent for readers: *the system* for a thing, the wording of the text for a kind."""
    if referent.kind == "entity":
        return referent.name
    wordings = [naming.text for naming in referent.names if naming.text.endswith("s") == plural]
    name = wordings[0] if wordings else referent.name
    return f"the {name}" if referent.kind == "thing" and name[:1].islower() else name
