"""Other words for verbs, nouns, adjectives, adverbs and phrases of a sentence, in the right form.

A wording fits where the parse has its frame: an object where it needs one, the right preposition, the right kind of
noun. Words in quotations and in names stay as they are, and so does a word whose form is not what its tag says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import STATEMENT_VERBS
from tupelo.nlp.languages.en.inflection import be, do, inflect, plural
from tupelo.nlp.languages.en.quantities import CARDINALS, MONTHS_AND_ABBREVIATIONS
from tupelo.nlp.paraphrases import FramedPhrase, Lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.clause import FINITE, relative_pronoun
from tupelo.robustness.rewrite.compose import Change
from tupelo.robustness.rewrite.draft import Item, New

_COMPLEMENTS = ("iobj", "xcomp", "ccomp", "csubj", "compound:prt")
_NO_PURPOSE = words("rewriting", "no_purpose")
_NO_AIM = words("rewriting", "verbs_without_aim")
_LINKS = words("rewriting", "consecutive_adverbs")
_CONNECTIVES = words("rewriting", "wordable_connectives")
_TIED = words("rewriting", "tied_prepositions")
_CIRCUMSTANCES = words("rewriting", "nouns_of_circumstance")
_TELLING = words("rewriting", "telling_verbs")
_UNITS = words("rewriting", "units")
_NUMBERS = {word: str(int(number)) for word, number in CARDINALS.items() if 1 < number < 13 and word != "dozen"}
_PEOPLE, _PEOPLE_ENDINGS = words("rewriting", "people"), tuple(words("rewriting", "endings_of_persons"))
_DIGITS = _NUMBERS | {digits: word for word, digits in _NUMBERS.items()}
_BEGINNINGS = ("nsubj", "det", "nmod", "compound", "amod", "expl", "nummod")
# With rules of this group, *that* would be at the wrong place.
_REPORT, _RELATIVE = frozenset(["report"]), frozenset(["relative"])
_GLUE = frozenset(["-", "–", "/", "--"])
_QUOTES = {"``": "''", "“": "”", '"': '"'}


def changes(tree: DependencyTree, lexicon: Lexicon) -> list[list[Change]]:
    """The possible changes of words, grouped by their position in the sentence."""
    quoted = _quoted(tree)
    found: dict[int, list[Change]] = {}
    for start in range(tree.size):
        added = (change for rule in _ADDED for change in rule(tree, start))
        for change in (*_from(tree, start, lexicon), *added):
            if not quoted.intersection(range(change.start, change.stop)) and not _repeats(tree, change):
                found.setdefault(change.start, []).append(change)
    return list(found.values())


def _from(tree: DependencyTree, start: int, lexicon: Lexicon) -> Iterator[Change]:
    """The changes of the table at a word."""
    seen = set()
    for first in {tree.lemmas[start], tree.lowered[start], tree.text(start)}:
        for wording in lexicon.get(first, ()):
            stop = start + len(wording.words)
            place = _Place(tree, start, stop, wording)
            # "the company ... the firm" would be two of them.
            again = wording.frame in ("n", "p") and tree.lowered.count(wording.words[-1]) > 1
            if again or not _is_here(tree, start, stop, wording) or not _FRAMES[wording.frame](place):
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
                    yield Change(start, stop, new, name, wording.source)


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


def _repeats(tree: DependencyTree, change: Change) -> bool:
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


def _in_order_to(tree: DependencyTree, start: int) -> Iterator[Change]:
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
        yield Change(start, start + 1, (New("in"), New("order"), start), "to > in order to")


def _do_not(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*failed to* becomes *did not*."""
    if tree.lemmas[start] != "fail" or tree.upos(start) != "VERB" or tree.children(start, "aux"):
        return
    tag, has_subject = tree.tag(start), tree.child(start, "nsubj") is not None
    if has_subject and tag in ("VBD", "VBZ") and tree.lowered[start + 1] == "to" and _has_mark(tree, start):
        form = do(past=tag == "VBD", plural=False)
        yield Change(start, start + 2, (New(form, (start, start + 1)), New("not")), "fail to > do not")


def _help_to(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*help build* becomes *help to build*."""
    head = tree.heads[start]
    helps = head is not None and head < start and tree.lemmas[head] == "help" and tree.base[start] == "xcomp"
    if helps and tree.tag(start) == "VB" and tree.subtree(start)[0] == start:
        yield Change(start, start + 1, (New("to"), start), "help > help to")


def _say_that(tree: DependencyTree, start: int) -> Iterator[Change]:
    """A report without *that* gets it."""
    verb = start - 1
    if verb < 0 or tree.base[start] not in ("nsubj", "det", "nmod", "compound", "amod", "expl"):
        return
    if tree.lemmas[verb] in STATEMENT_VERBS and tree.tag(verb) in FINITE:
        said = next(iter(tree.children(verb, "ccomp")), None)
        if said is not None and tree.subtree(said)[0] == start and tree.has_own_subject(said):
            yield Change(start, start + 1, (New("that"), start), "say > say that", groups=_REPORT)


def _period(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*from 1970 to 1985* <-> *between 1970 and 1985*."""
    pairs = {("from", "to"): ("between", "and"), ("between", "and"): ("from", "to")}
    if start + 4 >= tree.size or tree.tag(start + 1) != "CD" or tree.tag(start + 3) != "CD":
        return
    years = all(len(tree.text(index)) == 4 and tree.text(index).isdigit() for index in (start + 1, start + 3))
    new = pairs.get((tree.lowered[start], tree.lowered[start + 2]))
    if years and new is not None:
        items = (New(new[0], (start,)), start + 1, New(new[1], (start + 2,)), start + 3)
        both = frozenset(tree.text(index) for index in (start + 1, start + 3))
        yield Change(start, start + 4, items, f"{tree.lowered[start]} > {new[0]}", together=both)


def _relative(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*the book that sold* <-> *the book which sold*, *the book Ann wrote* becomes *the book that Ann wrote*."""
    word, before = tree.lowered[start], start - 1
    if before < 0 or tree.upos(before) not in ("NOUN", "PROPN"):
        return
    if tree.tag(start) == "WDT" and word in ("which", "that") and _is_thing(tree, before):
        other = "that" if word == "which" else "which"
        yield Change(start, start + 1, (New(other, (start,)),), f"relative {word} > {other}", groups=_RELATIVE)
    for verb in tree.children(before, "acl:relcl"):
        subject, words = tree.child(verb, "nsubj"), tree.subtree(verb)
        if subject is None or words[0] != start or tree.tag(start) in ("WDT", "WP", "WRB", "IN", "WP$"):
            continue
        missing = tree.child(verb, "obj", "xcomp", "ccomp") is None and tree.lemmas[before] not in _CIRCUMSTANCES
        if missing and tree.subtree(subject)[0] == start and relative_pronoun(tree, before) == "that":
            yield Change(start, start + 1, (New("that"), start), "relative > that", groups=_RELATIVE)


def _is_thing(tree: DependencyTree, noun: int) -> bool:
    lemma = tree.lemmas[noun]
    return relative_pronoun(tree, noun) == "that" and lemma not in _PEOPLE and not lemma.endswith(_PEOPLE_ENDINGS)


def _without_that(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*said that it rained* becomes *said it rained*."""
    verb, head = start - 1, tree.heads[start]
    if start and tree.lowered[start] == "that" and tree.base[start] == "mark" and head is not None:
        plain = (
            tree.heads[head] == verb
            and tree.upos(verb) == "VERB"
            and tree.lemmas[verb] in _TELLING
            and tree.base[start + 1] in _BEGINNINGS
        )
        if plain and tree.has_own_subject(head) and not tree.children(verb, "conj"):
            yield Change(start, start + 2, (New(tree.text(start + 1), (start + 1,)),), "that >", groups=_REPORT)


def _number_word(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*three ships* <-> *3 ships*."""
    word, head = tree.lowered[start], tree.heads[start]
    if head is None or tree.base[start] != "nummod" or not start < head <= start + 3 or tree.below[start]:
        return
    alone = sum(tree.tag(index) == "CD" and not _is_year(tree.text(index)) for index in range(tree.size)) == 1
    if alone and tree.tag(head) == "NNS" and tree.upos(start + 1) in ("NOUN", "ADJ"):
        before = tree.upos(start - 1) if start else ""
        if word in _DIGITS and before not in ("NUM", "SYM", "PROPN") and tree.text(start + 1) not in _GLUE:
            yield Change(start, start + 1, (New(_DIGITS[word], (start,)),), f"{word} > {_DIGITS[word]}")


def _measure(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*$ 5 million* becomes *5 million dollars*, *5 %* *5 percent* and *5 dollars a share* *5 dollars per share*."""
    after = start + 2
    if tree.text(start) == "$" and after < tree.size and tree.lowered[after] in ("million", "billion", "trillion"):
        group = (start, start + 1, after)
        if tree.upos(after + 1) not in ("NOUN", "PROPN", "ADJ", "NUM") and tree.text(after + 1) not in _GLUE:
            new = (start + 1, after, New("dollars", (start,)))
            yield Change(start, after + 1, new, "$ > dollars", regrouped=((group, new),))
    if start and tree.text(start) == "%" and tree.tag(start - 1) == "CD" and tree.upos(start + 1) != "NOUN":
        yield Change(start, start + 1, (New("percent", (start,)),), "% > percent")
    rate = start > 0 and (tree.tag(start - 1) == "CD" or tree.lowered[start - 1] in ("%", "dollars", "times"))
    if rate and tree.lowered[start] in ("a", "an") and tree.lowered[start + 1] in _UNITS:
        yield Change(start, start + 1, (New("per", (start,)),), "a > per")


def _date(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*12 July 2006* <-> *July 12 , 2006*."""
    texts = [tree.text(index) for index in range(start, min(start + 4, tree.size))]
    if len(texts) < 4:
        return
    if sum(text.rstrip(".") in MONTHS_AND_ABBREVIATIONS for text in tree.lowered) > 1:
        # One way to write dates in a sentence.
        return
    day, month = (text.lower().rstrip(".") in MONTHS_AND_ABBREVIATIONS for text in (texts[1], texts[0]))
    if day and texts[0].isdigit() and len(texts[0]) < 3 and _is_year(texts[2]):
        closing = [] if texts[3] in (",", ".", ";", ")", "-RRB-") else [New(",")]
        group: tuple[int, ...] = (start, start + 1, start + 2)
        new: tuple[Item, ...] = (start + 1, start, New(","), start + 2)
        yield Change(start, start + 3, (*new, *closing), "day month", regrouped=((group, new),))
    elif month and texts[1].isdigit() and texts[2] == "," and _is_year(texts[3]):
        group, new, stop = tuple(range(start, start + 4)), (start + 1, start, start + 3), start + 4
        yield Change(start, stop, new, "month day", regrouped=((group, new),))


def _small_words(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*U.S. firms* becomes *American firms*, *X , but Y won* *X , yet Y won*."""
    head, after = tree.heads[start], start + 1
    if head is None or not start or tree.text(start - 1) in _GLUE:
        return
    if tree.text(start) == "U.S." and head == after and tree.upos(head) == "NOUN":
        yield Change(start, after, (New("American", (start,)),), "U.S. > American")
    statement = tree.base[start] == "cc" and tree.has_own_subject(head) and tree.text(start - 1) == ","
    if statement and tree.lowered[start] == "but" and tree.text(after) != ",":
        yield Change(start, after, (New("yet", (start,)),), "but > yet")


def _in_time(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*in 1990* becomes *in the year 1990*, *in the 1990s* *during the 1990s*, *over the past year* *during* it."""
    head, word = tree.heads[start], tree.lowered[start]
    if tree.base[start] != "case" or head is None or head < start or tree.entity[head] != "datetime":
        return
    if word in ("in", "since") and head == start + 1 and _is_year(tree.text(head)):
        yield Change(start, head + 1, (start, New("the"), New("year"), head), "in > in the year")
    other = {"in": "during", "during": "in"}.get(word) if tree.lowered[head].endswith("0s") else None
    if word == "over" and tree.has_word(range(start, head), ("past", "last", "next")):
        other = "during"
    if other is not None and not tree.has_word(range(start + 1, head), ("early", "late", "mid")):
        yield Change(start, start + 1, (New(other, (start,)),), f"{word} > {other}")


def _is_year(text: str) -> bool:
    return len(text) == 4 and text.isdigit()


# Rules for small words that are added, or exchanged for others of the same meaning.
_ADDED = (
    _in_order_to,
    _do_not,
    _period,
    _help_to,
    _say_that,
    _relative,
    _without_that,
    _number_word,
    _measure,
    _date,
    _in_time,
    _small_words,
)


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

    def is_determiner(self) -> bool:
        tree, start, head = self.tree, self.start, self.head
        if tree.base[start] not in ("det", "amod") or head is None or tree.below[start] or self.stop != start + 1:
            return False
        plural_only = self.wording.words[0] not in ("each", "every")
        if tree.tag(head) != ("NNS" if plural_only else "NN") or tree.lowered[self.stop] in ("of", "more", "other"):
            return False
        return start == 0 or tree.upos(start - 1) not in ("ADV", "DET", "ADJ", "NUM", "PRON")

    def is_adverb(self) -> bool:
        tree, start, stop, word = self.tree, self.start, self.stop, self.wording.words[0]
        if tree.tag(start) != "RB" or tree.base[start] != "advmod" or self.head is None:
            return False
        if word == "also" and (tree.upos(self.head) != "VERB" or stop > self.head):
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
    "d": _Place.is_determiner,
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
