"""Other words for verbs, nouns, adjectives, adverbs and phrases of a sentence, in the right form.

A wording fits where the parse has its frame: an object where it needs one, the right preposition, the right kind of
noun. Words in quotations and in names stay as they are, and so does a word whose form is not what its tag says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import STATEMENT_VERBS
from tupelo.nlp.languages.en.inflection import article, be, do, inflect, plural
from tupelo.nlp.paraphrases import FramedPhrase, Lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import FINITE
from tupelo.robustness.rewrite.draft import Item, New, RewriteDraft, item_text

_COMPLEMENTS = ("iobj", "xcomp", "ccomp", "csubj", "compound:prt")
_NO_PURPOSE = words("rewriting", "no_purpose")
_NO_AIM = words("rewriting", "verbs_without_aim")
_LINKS = words("rewriting", "consecutive_adverbs")
_CONNECTIVES = words("rewriting", "wordable_connectives")
_TIED = words("rewriting", "tied_prepositions")
_GLUE = frozenset(["-", "–", "/", "--"])
_QUOTES = {"``": "''", "“": "”", '"': '"'}


@dataclass(frozen=True, slots=True)
class WordChange:
    """Words `[start, stop)` of a sentence, and what takes their place.

    `name` says it in words, `source` where it is from. A tuple must have all of `together` in one part, or none.
    """

    start: int
    stop: int
    new: tuple[Item, ...]
    name: str
    source: str = "table"
    together: frozenset[str] = frozenset()

    @property
    def merges(self) -> list[str]:
        """New words that stand for several old ones."""
        return [item.text for item in self.new if isinstance(item, New) and len(item.of) > 1]


def changes(tree: DependencyTree, lexicon: Lexicon) -> list[list[WordChange]]:
    """The possible changes of words, grouped by their position in the sentence."""
    quoted = _quoted(tree)
    found: dict[int, list[WordChange]] = {}
    for start in range(tree.size):
        added = (change for rule in _ADDED for change in rule(tree, start))
        for change in (*_from(tree, start, lexicon), *added):
            if not quoted.intersection(range(change.start, change.stop)) and not _repeats(tree, change):
                found.setdefault(change.start, []).append(change)
    return list(found.values())


def changed(tree: DependencyTree, chosen: Sequence[WordChange]) -> RewriteDraft:
    """The sentence with some changes, which must not overlap."""
    by_start = {change.start: change for change in chosen}
    items: list[Item] = []
    index = 0
    while index < tree.size:
        change = by_start.get(index)
        items.extend(change.new if change else [index])
        index = change.stop if change else index + 1
    for place, item in enumerate(items[:-1]):
        text, after = item_text(tree, item), items[place + 1]
        if text.lower() in ("a", "an") and isinstance(after, New) and article(after.text) != text.lower():
            fitting = article(after.text)
            sources = (item,) if isinstance(item, int) else item.of
            items[place] = New(fitting.capitalize() if text[0].isupper() else fitting, sources)
    return RewriteDraft(tuple(items), rule="words")


def _from(tree: DependencyTree, start: int, lexicon: Lexicon) -> Iterator[WordChange]:
    """The changes of the table at a word."""
    seen = set()
    for first in {tree.lemmas[start], tree.lowered[start], tree.text(start)}:
        for wording in lexicon.get(first, ()):
            stop = start + len(wording.words)
            place = _Place(tree, start, stop, wording)
            if not _is_here(tree, start, stop, wording) or not _FRAMES[wording.frame](place):
                continue
            form = _FORMS.get(wording.frame[0])
            if form is not None and form(tree, start, wording.words[0]) != tree.lowered[start]:
                continue
            for other in wording.others:
                text = other[0] if form is None else form(tree, start, other[0])
                if text is None:
                    continue
                new = _aligned(tree, start, stop, (text, *other[1:]))
                name = f"{' '.join(wording.words)} > {' '.join(other)}"
                if new is not None and name not in seen:
                    seen.add(name)
                    yield WordChange(start, stop, new, name, wording.source)


def _is_here(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    if stop >= tree.size or (start and tree.text(start - 1) in _GLUE) or tree.text(stop) in _GLUE:
        return False
    first = wording.words[0]
    same = tree.text(start) == first or (start == 0 and tree.lowered[0] == first.lower())
    if not (start == 0 or tree.text(start).islower() if wording.frame[0] in _FORMS else same):
        return False
    return all(tree.text(start + step) == word for step, word in enumerate(wording.words) if step)


def _aligned(tree: DependencyTree, start: int, stop: int, words: tuple[str, ...]) -> tuple[Item, ...] | None:
    """New words for a span; what both end with stays."""
    end = list(words)
    while end and stop > start + 1 and len(end) > 1 and tree.lowered[stop - 1] == end[-1].lower():
        stop -= 1
        end.pop()
    kept = range(stop, stop + len(words) - len(end))
    if not end or stop <= start:
        return None
    sources = tuple(range(start, stop))
    return (*(New(word, sources) for word in end), *kept)


def _repeats(tree: DependencyTree, change: WordChange) -> bool:
    """Whether a new word is already in the sentence, as a word with a meaning of its own."""
    old = set(tree.lowered) - set(tree.lowered[change.start : change.stop])
    new = [
        item.text.lower()
        for item in change.new
        if isinstance(item, New) and len(item.text) > 3 and item.text not in ("that", "with", "from", "than")
    ]
    longer = (sorted((one, word), key=len) for one in new for word in old)
    return not old.isdisjoint(new) or any(len(short) > 4 and long.startswith(short) for short, long in longer)


def _quoted(tree: DependencyTree) -> set[int]:
    inside, closing = set(), None
    for index in range(tree.size):
        text = tree.text(index)
        if closing is not None:
            inside.add(index)
            closing = None if text == closing else closing
        elif text in _QUOTES:
            closing = _QUOTES[text]
    return inside


def _in_order_to(tree: DependencyTree, start: int) -> Iterator[WordChange]:
    """*to* of a purpose becomes *in order to*."""
    head = tree.heads[start]
    if tree.lowered[start] != "to" or tree.base[start] != "mark" or head is None or tree.base[head] != "advcl":
        return
    main = tree.heads[head]
    if main is None or tree.upos(main) != "VERB" or tree.children(main, "cop", "xcomp"):
        return
    has_aim = tree.base[main] != "acl" and tree.lemmas[main] not in _NO_AIM
    degree = tree.has_word(tree.below[main], ("too", "enough", "so"))
    before = tree.lowered[start - 1] if start else ""
    if tree.tag(head) == "VB" and start == head - 1 and has_aim and not degree and before not in _NO_PURPOSE:
        yield WordChange(start, start + 1, (New("in"), New("order"), start), "to > in order to")


def _do_not(tree: DependencyTree, start: int) -> Iterator[WordChange]:
    """*failed to* becomes *did not*."""
    if tree.lemmas[start] != "fail" or tree.upos(start) != "VERB" or tree.children(start, "aux"):
        return
    tag, has_subject = tree.tag(start), tree.child(start, "nsubj") is not None
    if has_subject and tag in ("VBD", "VBZ") and tree.lowered[start + 1] == "to" and _has_mark(tree, start):
        form = do(past=tag == "VBD", plural=False)
        yield WordChange(start, start + 2, (New(form, (start, start + 1)), New("not")), "fail to > do not")


def _help_to(tree: DependencyTree, start: int) -> Iterator[WordChange]:
    """*help build* becomes *help to build*."""
    head = tree.heads[start]
    helps = head is not None and head < start and tree.lemmas[head] == "help" and tree.base[start] == "xcomp"
    if helps and tree.tag(start) == "VB" and tree.subtree(start)[0] == start:
        yield WordChange(start, start + 1, (New("to"), start), "help > help to")


def _say_that(tree: DependencyTree, start: int) -> Iterator[WordChange]:
    """A report without *that* gets it."""
    verb = start - 1
    if verb < 0 or tree.base[start] not in ("nsubj", "det", "nmod", "compound", "amod", "expl"):
        return
    if tree.lemmas[verb] in STATEMENT_VERBS and tree.tag(verb) in FINITE:
        said = next(iter(tree.children(verb, "ccomp")), None)
        if said is not None and tree.subtree(said)[0] == start and tree.has_own_subject(said):
            yield WordChange(start, start + 1, (New("that"), start), "say > say that")


def _period(tree: DependencyTree, start: int) -> Iterator[WordChange]:
    """*from 1970 to 1985* <-> *between 1970 and 1985*."""
    pairs = {("from", "to"): ("between", "and"), ("between", "and"): ("from", "to")}
    if start + 4 >= tree.size or tree.tag(start + 1) != "CD" or tree.tag(start + 3) != "CD":
        return
    years = all(len(tree.text(index)) == 4 and tree.text(index).isdigit() for index in (start + 1, start + 3))
    new = pairs.get((tree.lowered[start], tree.lowered[start + 2]))
    if years and new is not None:
        items = (New(new[0], (start,)), start + 1, New(new[1], (start + 2,)), start + 3)
        both = frozenset(tree.text(index) for index in (start + 1, start + 3))
        yield WordChange(start, start + 4, items, f"{tree.lowered[start]} > {new[0]}", together=both)


# Rules for small words that are added, or exchanged for others of the same meaning.
_ADDED = (_in_order_to, _do_not, _period, _help_to, _say_that)


def _has_mark(tree: DependencyTree, verb: int) -> bool:
    """Whether an infinitive with *to* follows."""
    return any(tree.tag(child) == "VB" and tree.lowered[child - 1] == "to" for child in tree.children(verb, "xcomp"))


def _is_passive(tree: DependencyTree, verb: int) -> bool:
    bare = tree.tag(verb) == "VBN" and not tree.children(verb, "aux")
    return bare or bool(tree.children(verb, "aux:pass", "nsubj:pass"))


def _objects(tree: DependencyTree, verb: int) -> list[int]:
    if _is_passive(tree, verb):
        owner = tree.heads[verb]
        bare = [owner] if tree.base[verb] == "acl" and owner is not None else []
        return tree.children(verb, "nsubj:pass") or bare
    return tree.children(verb, "obj")


@dataclass(frozen=True, slots=True)
class _Place:
    """Words `[start, stop)` of a sentence that spell a wording."""

    tree: DependencyTree
    start: int
    stop: int
    wording: FramedPhrase

    @property
    def head(self) -> int | None:
        return self.tree.heads[self.start]

    def is_verb(self, *complements: str) -> bool:
        """Whether it begins with a verb that has no complements with these labels besides those that it names."""
        tree, verb = self.tree, self.start
        if tree.upos(verb) != "VERB" or tree.base[verb] in ("amod", "compound", "case", "fixed", "aux"):
            return False
        # "have crossed and returned": a past tense or a participle?
        conjunct = tree.base[verb] == "conj" and not tree.has_own_subject(verb) and not tree.children(verb, "aux")
        shares_auxiliary = conjunct and self.head is not None and tree.children(self.head, "aux")
        if tree.tag(verb) in ("VBD", "VBN") and shares_auxiliary:
            return False
        return all(verb < child < self.stop for child in tree.children(verb, *complements))

    def fits(self, nouns: Sequence[int]) -> bool:
        """Whether the wording goes with one of the nouns."""
        return not self.wording.nouns or any(self.tree.lemmas[noun] in self.wording.nouns for noun in nouns)

    def is_transitive(self) -> bool:
        objects = _objects(self.tree, self.start)
        # "The plan he made up" has its object elsewhere.
        elsewhere = objects and objects[0] < self.start and not _is_passive(self.tree, self.start)
        return bool(objects) and not elsewhere and self.is_verb(*_COMPLEMENTS) and self.fits(objects)

    def is_active(self) -> bool:
        tree, verb = self.tree, self.start
        if _is_passive(tree, verb) or any(tree.tag(noun) == "PRP" for noun in _objects(tree, verb)):
            return False
        exchanged = any(tree.has_word(tree.below[noun], ("with",)) for noun in tree.children(verb, "obl"))
        return not exchanged and self.is_transitive()

    def is_intransitive(self) -> bool:
        tree, verb = self.tree, self.start
        if _is_passive(tree, verb) or tree.lowered[self.stop] in _TIED:
            return False
        return self.is_verb("obj", *_COMPLEMENTS) and self.fits(tree.children(verb, "nsubj"))

    def is_reporting(self) -> bool:
        tree, clauses = self.tree, self.tree.children(self.start, "ccomp")
        if tree.lowered[self.stop] != "that" or not self.is_verb("obj", "iobj", "xcomp", "compound:prt", "advmod"):
            return False
        return len(clauses) == 1 and tree.subtree(clauses[0])[0] == self.stop

    def is_infinitive(self) -> bool:
        tree, verb = self.tree, self.start
        if tree.lowered[self.stop] != "to" or not _has_mark(tree, verb) or _is_passive(tree, verb):
            return False
        return self.is_verb("obj", "iobj", "ccomp", "compound:prt")

    def is_with_object(self) -> bool:
        if not _objects(self.tree, self.start) or not _has_mark(self.tree, self.start):
            return False
        return self.is_verb("iobj", "ccomp", "compound:prt")

    def is_prepositional(self) -> bool:
        tree, last = self.tree, self.stop - 1
        noun = tree.heads[last]
        if _is_passive(tree, self.start) or tree.base[last] != "case" or not self.is_verb("obj", *_COMPLEMENTS):
            return False
        if noun is None or noun < self.stop or tree.upos(noun) not in ("NOUN", "PROPN", "NUM", "PRON"):
            return False
        return tree.heads[noun] in range(self.start, self.stop) and self.fits([noun])

    def is_noun(self) -> bool:
        tree, noun = self.tree, self.start
        if tree.tag(noun) not in ("NN", "NNS") or tree.base[noun] in ("compound", "fixed", "flat"):
            return False
        return not tree.children(noun, "compound", "flat", "nummod:entity")

    def is_adjective(self) -> bool:
        tree, start, head = self.tree, self.start, self.head
        if tree.tag(start) != "JJ" or tree.children(start, "advmod", "obl", "xcomp", "ccomp", "conj", "advcl"):
            return False
        # "many many years", "many largely unknown towns", "many more".
        twice = tree.lowered[start] in (tree.lowered[self.stop], tree.lowered[start - 1] if start else "")
        if twice or tree.tag(self.stop) in ("RB", "RBR", "JJR"):
            return False
        if tree.base[start] == "amod":
            if head is None or tree.tag(head) not in ("NN", "NNS"):
                return False
            return self.wording.others[0][0] != "a" or not tree.children(head, "det", "nmod:poss")
        return tree.child(start, "cop") is not None

    def is_adverb(self) -> bool:
        tree, start, stop, word = self.tree, self.start, self.stop, self.wording.words[0]
        if tree.tag(start) != "RB" or tree.base[start] != "advmod" or self.head is None:
            return False
        if (word in _LINKS and tree.tag(stop) == "VBG") or (word in _CONNECTIVES and tree.text(stop) != ","):
            return False
        alone = all(tree.base[child] == "punct" for child in tree.below[start])
        return alone and tree.lowered[stop] not in ("as", "after")

    def is_late_adverb(self) -> bool:
        return self.is_adverb() and self.head is not None and (self.start == 0 or self.start > self.head)

    def is_before_number(self) -> bool:
        tree, start, stop = self.tree, self.start, self.stop
        number = stop + 1 if tree.text(stop) in ("$", "#") and stop + 1 < tree.size else stop
        if tree.tag(number) != "CD" or (start and tree.lowered[start - 1] in ("from", "between", "and", "by", "to")):
            return False
        return len(self.wording.words) > 1 or (self.head in (number, stop) and tree.base[start] == "advmod")

    def is_case(self) -> bool:
        tree, head, first = self.tree, self.head, self.wording.words[0]
        if tree.base[self.start] != "case" or head is None or head < self.stop:
            return False
        if tree.upos(head) not in ("NOUN", "PROPN") or (first == "due" and tree.lemmas[self.start - 1] == "be"):
            return False
        wrong = ("during", "near", "after") if tree.entity[head] == "datetime" else ("before",)
        return first not in wrong and self.fits([head])

    def is_conjunction(self) -> bool:
        tree, start = self.tree, self.start
        above = None if self.head is None else tree.heads[self.head]
        # "a way in order to win" modifies a noun.
        if self.wording.words[0] in ("in", "so") and (above is None or tree.upos(above) != "VERB"):
            return False
        if tree.text(self.stop) == "," or (start and tree.lowered[start - 1] in ("even", "as")):
            return False
        return tree.base[start] == "mark" or tree.labels[start] == "fixed"

    def is_phrase(self) -> bool:
        tree, last, after = self.tree, self.stop - 1, self.tree.tag(self.stop)
        if after == "VBG" or (self.wording.words[-1] == "of" and after in ("DT", "PRP$", "WDT")):
            return False
        inside = tree.base[last] in ("compound", "amod", "flat", "nmod")
        return not (inside and tree.upos(last) in ("NOUN", "PROPN"))


def _verb_form(tree: DependencyTree, index: int, base: str) -> str | None:
    tag, subject = tree.tag(index), tree.child(index, "nsubj")
    if base != "be" or tag not in ("VBD", "VBP", "VBZ", "VB"):
        return inflect(base, tag)
    if subject is None or any(tree.lemmas[child] == "do" for child in tree.children(index, "aux")):
        return None
    if tag == "VB":
        return base
    return None if tree.lowered[subject] in ("i", "you") else be(past=tag == "VBD", plural=tree.is_plural(subject))


_FRAMES: dict[str, Callable[[_Place], bool]] = {
    "vt": _Place.is_transitive,
    "va": _Place.is_active,
    "vi": _Place.is_intransitive,
    "vs": _Place.is_reporting,
    "vx": _Place.is_infinitive,
    "vo": _Place.is_with_object,
    "vp": _Place.is_prepositional,
    "n": _Place.is_noun,
    "a": _Place.is_adjective,
    "r": _Place.is_adverb,
    "rl": _Place.is_late_adverb,
    "m": _Place.is_before_number,
    "c": _Place.is_case,
    "k": _Place.is_conjunction,
    "p": _Place.is_phrase,
}
_FORMS: dict[str, Callable[[DependencyTree, int, str], str | None]] = {
    "v": _verb_form,
    "n": lambda tree, index, base: plural(base) if tree.tag(index) == "NNS" else base,
}
