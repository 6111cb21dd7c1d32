"""ClearNLP dependencies, which spaCy's English models predict, to Universal Dependencies.

The two differ in what heads a phrase. ClearNLP attaches a noun to its preposition and a predicate to its copula, and
chains conjuncts; UD attaches function words to content words and all conjuncts to the first. Equivalent labels also
have different names. The label set: https://github.com/clir/clearnlp-guidelines.

>>> words = [("Ann", "PROPN", "NNP"), ("is", "AUX", "VBZ"), ("in", "ADP", "IN"), ("Oslo", "PROPN", "NNP")]
>>> convert(words, [1, None, 1, 2], ["nsubj", "ROOT", "prep", "pobj"])
([3, 3, 3, None], ['nsubj', 'cop', 'case', 'root'])
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.grammar import PLACE_ADVERBS

CLEARNLP_ONLY = words("dependencies", "clearnlp_only")
_RENAMED = labels("dependencies", "renamed")
_NOMINAL = frozenset(["NOUN", "PROPN", "PRON", "NUM", "DET", "SYM", "X"])
_BE = words("dependencies", "forms_of_be")
_FIXED = frozenset(tuple(phrase.split()) for phrase in words("dependencies", "fixed"))


def convert(
    words: Sequence[tuple[str, str, str]],
    heads: Sequence[int | None],
    labels: Sequence[str],
    persons: Collection[tuple[int, int]] = (),
) -> tuple[list[int | None], list[str]]:
    """Heads and labels of one sentence in UD.

    A word is its form, its universal tag and its Penn Treebank tag. `persons` are runs of words `[start, end)` that
    name people.
    """
    tree = _Conversion(words, heads, labels)
    tree.convert_amounts()
    tree.convert_names(persons)
    tree.convert_prepositions()
    tree.convert_copulas()
    tree.convert_raised_objects()
    tree.convert_coordination()
    tree.rename()
    return tree.heads, tree.labels


class _Conversion:
    def __init__(
        self, words: Sequence[tuple[str, str, str]], heads: Sequence[int | None], labels: Sequence[str]
    ) -> None:
        self.words = [form.lower() for form, _, _ in words]
        self.tags = [tag for _, tag, _ in words]
        self.forms_of_verbs = [fine if fine.startswith("VB") else "" for _, _, fine in words]
        self.heads = list(heads)
        self.labels = list(labels)

    def children(self, index: int, *labels: str) -> list[int]:
        return [i for i, head in enumerate(self.heads) if head == index and (not labels or self.labels[i] in labels)]

    def attach(self, index: int, head: int | None, label: str) -> None:
        self.heads[index], self.labels[index] = head, label

    def promote(self, index: int, label: str, moved: Callable[[int], bool] = lambda child: True) -> None:
        """Swap a word with its head, which keeps only the dependents not in `moved` and gets a new label."""
        above = self.heads[index]
        assert above is not None
        for child in self.children(above):
            if child != index and moved(child):
                self.heads[child] = index
        self.attach(index, self.heads[above], self.labels[above])
        self.attach(above, index, label)

    def depth(self, index: int) -> int:
        steps, head = 0, self.heads[index]
        while head is not None and steps <= len(self.heads):
            steps, head = steps + 1, self.heads[head]
        return steps

    def convert_amounts(self) -> None:
        """*$ 5 million*: the currency sign is the head of the number."""
        for index, word in enumerate(self.words):
            head = self.heads[index]
            if word in ("$", "£", "€", "us$") and head is not None and head > index and self.tags[head] == "NUM":
                self.promote(
                    index, "nummod", lambda child: self.labels[child] not in ("compound", "quantmod", "punct")
                )

    def convert_names(self, persons: Collection[tuple[int, int]]) -> None:
        """*Ann Lee*: the first name is the head, and the rest is flat."""
        for start, end in persons:
            last = end - 1
            names = list(range(start, last))
            if not names or any(self.heads[i] != last or self.labels[i] != "compound" for i in names):
                continue
            if any(self.tags[i] != "PROPN" for i in range(start, end)):
                continue
            self.promote(start, "flat")
            for name in names[1:]:
                self.attach(name, start, "flat")

    def convert_prepositions(self) -> None:
        """*in Oslo*: the noun is the head, also of a clause after the preposition; inner prepositions come first."""
        # Nouns that an inner preposition handed over to the one above it: *out of the house*.
        inner: dict[int, int] = {}
        joined: dict[int, int] = {}
        for index in sorted(range(len(self.words)), key=self.depth, reverse=True):
            label, head = self.labels[index], self.heads[index]
            below_preposition = label == "conj" and head is not None and self.labels[head] in ("prep", "agent")
            if head is None or not (label in ("prep", "agent", "dative") or below_preposition):
                continue
            content = next(iter(self.children(index, "pobj")), None)
            if content is None:
                content = next((i for i in self.children(index, "pcomp") if self.tags[i] != "ADP"), None)
            if content is None:
                content = inner.get(index, joined.get(index))
            if content is not None:
                self._convert_preposition(index, head, content)
                if below_preposition:
                    self.attach(content, head, "conj")
                    joined[head] = content
                elif self.labels[head] in ("prep", "agent", "dative"):
                    inner[head] = content
            elif label == "prep":
                self.labels[index] = "advmod" if self.tags[index] == "ADV" else "prep"

    def _convert_preposition(self, preposition: int, head: int, content: int) -> None:
        first = preposition
        for child in self.children(preposition):
            if child == content:
                continue
            if (self.words[preposition], self.words[child]) in _FIXED:
                self.attach(child, preposition, "fixed")
            elif (self.words[child], self.words[preposition]) in _FIXED:
                first = child
            else:
                self.heads[child] = content
        clause = self.labels[content] == "pcomp" and self.tags[content] in ("VERB", "AUX")
        nominal = self.tags[head] in _NOMINAL
        if clause:
            label = "acl" if nominal else "advcl"
        elif self.labels[preposition] == "agent":
            label = "obl:agent"
        else:
            label = "nmod" if nominal else "obl"
        opening = "mark" if clause else "case"
        for case in self.children(content, "case", "mark"):
            # The second word of *according to* was attached to the noun when it was an inner preposition.
            if (self.words[preposition], self.words[case]) in _FIXED:
                self.attach(case, preposition, "fixed")
        self.attach(content, head, label)
        self.attach(first, content, opening)
        if first != preposition:
            self.attach(preposition, first, "fixed")

    def convert_copulas(self) -> None:
        """*Ann is a nurse*: the predicate is the head of the clause; in *there are cats*, the noun is the subject."""
        for index, word in enumerate(self.words):
            if word not in _BE or self.labels[index] in ("aux", "auxpass"):
                continue
            if any(self.words[child] == "there" for child in self.children(index, "expl")):
                for child in self.children(index, "attr"):
                    self.labels[child] = "nsubj"
                continue
            predicate = self._predicate(index)
            if predicate is not None:
                outer = self.labels[predicate] in ("xcomp", "ccomp")
                self.promote(predicate, "cop")
                for subject in self.children(predicate, "nsubj", "csubj") if outer else ():
                    if subject < index:
                        self.labels[subject] += ":outer"

    def _predicate(self, copula: int) -> int | None:
        for relations in (("attr", "acomp"), ("ccomp", "xcomp"), ("obl",)):
            found = [child for child in self.children(copula, *relations) if child > copula]
            if found:
                return found[0]
        found = self.children(copula, "attr", "acomp")
        adverbs = [i for i in self.children(copula, "advmod") if i > copula and self.words[i] in PLACE_ADVERBS]
        return next(iter([*found, *adverbs]), None)

    def convert_raised_objects(self) -> None:
        """*make her laugh*, *want him to go*: the subject of a non-finite clause is an object above it."""
        for index, label in enumerate(list(self.labels)):
            head = self.heads[index]
            if label != "ccomp" or head is None or self.children(index, "mark", "cop"):
                continue
            subjects = self.children(index, "nsubj", "nsubjpass")
            auxiliaries = [child for child in self.children(index, "aux") if self.words[child] != "to"]
            finite = self.forms_of_verbs[index] in ("VBD", "VBP", "VBZ")
            if len(subjects) == 1 and head < subjects[0] < index and not auxiliaries and not finite:
                self.attach(subjects[0], head, "obj")
                self.labels[index] = "xcomp"

    def convert_coordination(self) -> None:
        """Conjuncts are attached to the first one, conjunctions and commas to the conjunct that follows them."""
        for index, label in enumerate(list(self.labels)):
            head = self.heads[index]
            if head is None or label not in ("cc", "punct"):
                continue
            following = [child for child in self.children(head, "conj") if child > index]
            if not following or index < head:
                continue
            if label == "cc" or (
                self.words[index] in (",", ";") and self._top(index + 1, head) in (following[0], index + 1)
            ):
                self.heads[index] = following[0]
        for index in range(len(self.words)):
            head = self.heads[index]
            seen = {index}
            while head is not None and self.labels[index] == self.labels[head] == "conj" and head not in seen:
                seen.add(head)
                head = self.heads[head]
                self.heads[index] = head

    def _top(self, index: int, head: int) -> int | None:
        """The dependent of `head` that dominates a word; the word itself if it is a conjunction that was moved."""
        if index >= len(self.words):
            return None
        steps = 0
        place: int | None = index
        while place is not None and self.heads[place] != head and steps <= len(self.words):
            place, steps = self.heads[place], steps + 1
        if place is not None and self.labels[place] == "cc":
            return index
        return place if place is not None and self.labels[place] == "conj" else None

    def rename(self) -> None:
        for index, label in enumerate(self.labels):
            head = self.heads[index]
            if head is None:
                self.labels[index] = "root"
            elif label == "aux" and self.words[index] == "to":
                self.labels[index] = "mark"
            elif label == "npadvmod":
                self.labels[index] = "nmod:unmarked" if self.tags[head] in _NOMINAL else "obl:unmarked"
            elif label == "relcl" and self._is_infinitive(index):
                self.labels[index] = "acl"
            elif label == "ROOT":
                self.labels[index] = "parataxis"
            else:
                self.labels[index] = _RENAMED.get(label, label)

    def _is_infinitive(self, index: int) -> bool:
        return any(self.words[child] == "to" for child in self.children(index, "aux", "mark"))
