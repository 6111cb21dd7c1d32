"""Other words for verbs, nouns, adjectives, adverbs and phrases of a sentence, in the right form.

A wording fits where the parse has its frame: an object where it needs one, the right preposition, the right kind of
noun. Words in quotations and in names stay as they are, and so does a word whose form is not what its tag says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tupelo.nlp.languages import word_set
from tupelo.nlp.languages.en.grammar import STATEMENT_VERBS
from tupelo.nlp.languages.en.inflection import article, be, do, inflect, plural
from tupelo.nlp.paraphrases import FramedPhrase, Lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.rewrite.draft import Draft, Item, New, item_text

_COMPLEMENTS = ("iobj", "xcomp", "ccomp", "csubj", "compound:prt")
_NO_PURPOSE = word_set("order as , so only")
_NO_AIM = word_set("wait take live need require have be come go happen seem use learn grow fail")
_LINKS = word_set("therefore thus consequently")
_CONNECTIVES = word_set("however nevertheless nonetheless moreover furthermore additionally")
# After these, a verb of happening needs the preposition.
_TIED = word_set("to upon into by")
_GLUE = frozenset(["-", "–", "/", "--"])
_QUOTES = {"``": "''", "“": "”", '"': '"'}


@dataclass(frozen=True, slots=True)
class Change:
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


def changes(tree: DependencyTree, lexicon: Lexicon) -> list[list[Change]]:
    """What can be said in other words: for each place in the sentence all changes there."""
    quoted = _quoted(tree)
    found: dict[int, list[Change]] = {}
    for start in range(tree.size):
        for change in (*_from(tree, start, lexicon), *_added(tree, start)):
            if not quoted.intersection(range(change.start, change.stop)) and not _repeats(tree, change):
                found.setdefault(change.start, []).append(change)
    return list(found.values())


def changed(tree: DependencyTree, chosen: Sequence[Change]) -> Draft:
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
            items[place] = New(fitting.capitalize() if text[0].isupper() else fitting, _sources(item))
    return Draft(tuple(items), rule="words")


def _sources(item: Item) -> tuple[int, ...]:
    return (item,) if isinstance(item, int) else item.of


def _from(tree: DependencyTree, start: int, lexicon: Lexicon) -> Iterator[Change]:
    """The changes of the table at a word."""
    seen = set()
    for first in {tree.lemmas[start], tree.lowered[start], tree.text(start)}:
        for wording in lexicon.get(first, ()):
            stop = start + len(wording.words)
            if not _is_here(tree, start, stop, wording) or not _FRAMES[wording.frame](tree, start, stop, wording):
                continue
            form = _FORMS.get(wording.frame[0], _as_it_is)
            if form(tree, start, wording.words[0]) != tree.lowered[start] and wording.frame[0] in _FORMS:
                continue
            for other in wording.others:
                text = form(tree, start, other[0])
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
    inflected = wording.frame[0] in _FORMS
    if (
        not inflected
        and tree.text(start) != wording.words[0]
        and (start or tree.lowered[0] != wording.words[0].lower())
    ):
        return False
    if inflected and not (tree.text(start).islower() or start == 0):
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
    old = set(tree.lowered) - {tree.lowered[index] for index in range(change.start, change.stop)}
    return any(
        _is_like(item.text.lower(), word)
        for item in change.new
        if isinstance(item, New) and len(item.text) > 3 and item.text not in ("that", "with", "from", "than")
        for word in old
    )


def _is_like(one: str, other: str) -> bool:
    """Whether two words are the same, or one is a longer form of the other."""
    return one == other or (min(len(one), len(other)) > 4 and (one.startswith(other) or other.startswith(one)))


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


def _added(tree: DependencyTree, start: int) -> Iterator[Change]:
    """Small words that are added, or exchanged for others of the same meaning."""
    for rule in (_in_order_to, _do_not, _period, _help_to, _say_that):
        yield from rule(tree, start)


def _in_order_to(tree: DependencyTree, start: int) -> Iterator[Change]:
    """*to* of a purpose becomes *in order to*."""
    head = tree.heads[start]
    if tree.lowered[start] != "to" or tree.base[start] != "mark" or head is None or tree.base[head] != "advcl":
        return
    main = tree.heads[head]
    if main is None or tree.upos(main) != "VERB" or tree.children(main, "cop", "xcomp"):
        return
    has_aim = tree.base[main] != "acl" and tree.lemmas[main] not in _NO_AIM
    degree = any(tree.lowered[i] in ("too", "enough", "so") for i in tree.below[main])
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
    if tree.lemmas[verb] in STATEMENT_VERBS and tree.tag(verb) in ("VBD", "VBZ", "VBP"):
        said = next(iter(tree.children(verb, "ccomp")), None)
        if said is not None and tree.subtree(said)[0] == start and tree.has_own_subject(said):
            yield Change(start, start + 1, (New("that"), start), "say > say that")


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


def _has_mark(tree: DependencyTree, verb: int) -> bool:
    """Whether an infinitive with *to* follows."""
    return any(tree.tag(child) == "VB" and tree.lowered[child - 1] == "to" for child in tree.children(verb, "xcomp"))


def _is_verb(tree: DependencyTree, start: int) -> bool:
    if tree.upos(start) != "VERB" or tree.base[start] in ("amod", "compound", "case", "fixed", "aux"):
        return False
    # "have crossed and returned": a past tense or a participle?
    return not (tree.tag(start) in ("VBD", "VBN") and _shares_auxiliary(tree, start))


def _shares_auxiliary(tree: DependencyTree, verb: int) -> bool:
    first = tree.heads[verb]
    if tree.base[verb] != "conj" or first is None or tree.has_own_subject(verb) or tree.children(verb, "aux"):
        return False
    return bool(tree.children(first, "aux"))


def _is_passive(tree: DependencyTree, verb: int) -> bool:
    bare = tree.tag(verb) == "VBN" and not tree.children(verb, "aux")
    return bare or bool(tree.children(verb, "aux:pass", "nsubj:pass"))


def _particles(tree: DependencyTree, start: int, stop: int, *labels: str) -> bool:
    """Whether a verb has complements that its wording does not name."""
    return any(not start < child < stop for child in tree.children(start, *labels))


def _objects(tree: DependencyTree, verb: int) -> list[int]:
    if _is_passive(tree, verb):
        owner = tree.heads[verb]
        bare = [owner] if tree.base[verb] == "acl" and owner is not None else []
        return tree.children(verb, "nsubj:pass") or bare
    return tree.children(verb, "obj")


def _fits_nouns(tree: DependencyTree, nouns: Sequence[int], wording: FramedPhrase) -> bool:
    return not wording.nouns or any(tree.lemmas[noun] in wording.nouns for noun in nouns)


def _transitive(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    objects = _objects(tree, start)
    if not _is_verb(tree, start) or not objects or _particles(tree, start, stop, *_COMPLEMENTS):
        return False
    # "The plan he made up" has its object elsewhere.
    if not _is_passive(tree, start) and objects[0] < start:
        return False
    return _fits_nouns(tree, objects, wording)


def _active(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    if _is_passive(tree, start) or any(tree.tag(noun) == "PRP" for noun in _objects(tree, start)):
        return False
    replaced = any(tree.lowered[case] == "with" for i in tree.children(start, "obl") for case in tree.below[i])
    return not replaced and _transitive(tree, start, stop, wording)


def _intransitive(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    if not _is_verb(tree, start) or _is_passive(tree, start) or _particles(tree, start, stop, "obj", *_COMPLEMENTS):
        return False
    return tree.lowered[stop] not in _TIED and _fits_nouns(tree, tree.children(start, "nsubj"), wording)


def _reporting(tree: DependencyTree, start: int, stop: int, _: FramedPhrase) -> bool:
    if not _is_verb(tree, start) or _particles(tree, start, stop, "obj", "iobj", "xcomp", "compound:prt", "advmod"):
        return False
    clauses = tree.children(start, "ccomp")
    return tree.lowered[stop] == "that" and len(clauses) == 1 and tree.subtree(clauses[0])[0] == stop


def _infinitive(tree: DependencyTree, start: int, stop: int, _: FramedPhrase) -> bool:
    return (
        _is_verb(tree, start)
        and tree.lowered[stop] == "to"
        and _has_mark(tree, start)
        and not _particles(tree, start, stop, "obj", "iobj", "ccomp", "compound:prt")
        and not _is_passive(tree, start)
    )


def _with_object(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    del wording
    return (
        _is_verb(tree, start)
        and bool(_objects(tree, start))
        and _has_mark(tree, start)
        and not _particles(tree, start, stop, "iobj", "ccomp", "compound:prt")
    )


def _prepositional(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    if not _is_verb(tree, start) or _is_passive(tree, start) or tree.base[stop - 1] != "case":
        return False
    if _particles(tree, start, stop, "obj", *_COMPLEMENTS):
        return False
    noun = tree.heads[stop - 1]
    if noun is None or noun < stop or tree.upos(noun) not in ("NOUN", "PROPN", "NUM", "PRON"):
        return False
    return (tree.heads[noun] in range(start, stop)) and _fits_nouns(tree, [noun], wording)


def _noun(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    del stop, wording
    if tree.tag(start) not in ("NN", "NNS") or tree.base[start] in ("compound", "fixed", "flat"):
        return False
    return not tree.children(start, "compound", "flat", "nummod:entity")


def _adjective(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    head = tree.heads[start]
    if tree.tag(start) != "JJ" or tree.children(start, "advmod", "obl", "xcomp", "ccomp", "conj", "advcl"):
        return False
    # "many many years", "many largely unknown towns", "many more".
    twice = tree.lowered[start] in (tree.lowered[stop], tree.lowered[start - 1] if start else "")
    if twice or tree.tag(stop) in ("RB", "RBR", "JJR"):
        return False
    if tree.base[start] == "amod":
        if head is None or tree.tag(head) not in ("NN", "NNS"):
            return False
        return wording.others[0][0] != "a" or not tree.children(head, "det", "nmod:poss")
    return tree.child(start, "cop") is not None


def _adverb(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    head = tree.heads[start]
    if tree.tag(start) != "RB" or tree.base[start] != "advmod" or head is None:
        return False
    if wording.words[0] in _LINKS and tree.tag(stop) == "VBG":
        return False
    if wording.words[0] in _CONNECTIVES and tree.text(stop) != ",":
        return False
    return all(tree.base[child] == "punct" for child in tree.below[start]) and tree.lowered[stop] not in (
        "as",
        "after",
    )


def _late_adverb(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    head = tree.heads[start]
    return _adverb(tree, start, stop, wording) and head is not None and (start == 0 or start > head)


def _early_adverb(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    """Right before its verb, or between a form of *be* and what is said: *was once the capital*."""
    del wording
    head = tree.heads[start]
    if head is None or tree.base[start] != "advmod" or tree.tag(start) not in ("RB", "RBR") or tree.below[start]:
        return False
    after_be = tree.base[start - 1] in ("cop", "aux") and start > 0
    return start < head and (stop == head or after_be) and (after_be or tree.tag(stop) in ("VBD", "VBZ", "VBP"))


def _before_number(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    number = stop + 1 if tree.text(stop) in ("$", "#") and stop + 1 < tree.size else stop
    if tree.tag(number) != "CD" or (start and tree.lowered[start - 1] in ("from", "between", "and", "by", "to")):
        return False
    counted = tree.heads[number]
    if any(word in ("fewer", "many") for other in wording.others for word in other):
        return counted is not None and tree.tag(counted) == "NNS" and tree.entity[counted] != "datetime"
    return len(wording.words) > 1 or (tree.heads[start] in (number, stop) and tree.base[start] == "advmod")


def _case(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    head = tree.heads[start]
    if tree.base[start] != "case" or head is None or head < stop or tree.upos(head) not in ("NOUN", "PROPN"):
        return False
    dated, first = tree.entity[head] == "datetime", wording.words[0]
    if (first == "before" and not dated) or (first in ("during", "near", "after") and dated):
        return False
    if first == "due" and tree.lemmas[start - 1] == "be":
        return False
    return _fits_nouns(tree, [head], wording)


def _conjunction(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    head = tree.heads[start]
    above = None if head is None else tree.heads[head]
    # "a way in order to win" modifies a noun.
    if wording.words[0] in ("in", "so") and (above is None or tree.upos(above) != "VERB"):
        return False
    if tree.text(stop) == "," or (start and tree.lowered[start - 1] in ("even", "as")):
        return False
    return tree.base[start] == "mark" or tree.labels[start] == "fixed"


def _phrase(tree: DependencyTree, start: int, stop: int, wording: FramedPhrase) -> bool:
    del start
    last = stop - 1
    if tree.tag(stop) == "VBG" or (wording.words[-1] == "of" and tree.tag(stop) in ("DT", "PRP$", "WDT")):
        return False
    return not (tree.upos(last) in ("NOUN", "PROPN") and tree.base[last] in ("compound", "amod", "flat", "nmod"))


def _verb_form(tree: DependencyTree, index: int, base: str) -> str | None:
    tag, subject = tree.tag(index), tree.child(index, "nsubj")
    if base != "be" or tag not in ("VBD", "VBP", "VBZ", "VB"):
        return inflect(base, tag)
    if subject is None or any(tree.lemmas[child] == "do" for child in tree.children(index, "aux")):
        return None
    if tag == "VB":
        return base
    return None if tree.lowered[subject] in ("i", "you") else be(past=tag == "VBD", plural=tree.is_plural(subject))


def _noun_form(tree: DependencyTree, index: int, base: str) -> str | None:
    return plural(base) if tree.tag(index) == "NNS" else base


def _as_it_is(tree: DependencyTree, index: int, base: str) -> str | None:
    del tree, index
    return base


_Fits = Callable[[DependencyTree, int, int, FramedPhrase], bool]
_FRAMES: dict[str, _Fits] = {
    "vt": _transitive,
    "va": _active,
    "vi": _intransitive,
    "vs": _reporting,
    "vx": _infinitive,
    "vo": _with_object,
    "vp": _prepositional,
    "n": _noun,
    "a": _adjective,
    "r": _adverb,
    "rl": _late_adverb,
    "rb": _early_adverb,
    "m": _before_number,
    "c": _case,
    "k": _conjunction,
    "p": _phrase,
}
_FORMS: dict[str, Callable[[DependencyTree, int, str], str | None]] = {"v": _verb_form, "n": _noun_form}
