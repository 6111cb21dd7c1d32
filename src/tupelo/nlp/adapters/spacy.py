"""spaCy pipelines (https://spacy.io), by the name of an installed package or a folder.

spaCy's English models predict ClearNLP dependencies, which are converted to Universal Dependencies; models that
already predict these are used as they are, and any other label set is rejected. Constituents and vectors are not
available: `Analysis.constituents` and `Analysis.vectors` are `None`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Unpack

from tupelo.core import Analysis, Entity, InputError, Passage, Word
from tupelo.core.errors import needs_extra
from tupelo.core.protocols import AnalysisWishes
from tupelo.nlp.languages import labels, words
from tupelo.nlp.languages.en.grammar import PLACE_ADVERBS
from tupelo.nlp.model import AnalysisOptions
from tupelo.nlp.prepare import documents, given_tokens

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
    """Heads and labels of one sentence with ClearNLP dependencies, converted to UD.

    The two differ in what heads a phrase. ClearNLP attaches a noun to its preposition and a predicate to its copula,
    and chains conjuncts; UD attaches function words to content words and all conjuncts to the first. Equivalent
    labels also have different names. The label set: https://github.com/clir/clearnlp-guidelines.

    A word is its form, its universal tag and its Penn Treebank tag. `persons` are runs of words `[start, end)` that
    name people.

    >>> words = [("Ann", "PROPN", "NNP"), ("is", "AUX", "VBZ"), ("in", "ADP", "IN"), ("Oslo", "PROPN", "NNP")]
    >>> convert(words, [1, None, 1, 2], ["nsubj", "ROOT", "prep", "pobj"])
    ([3, 3, 3, None], ['nsubj', 'cop', 'case', 'root'])
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
            elif label == "relcl" and "to" in (self.words[child] for child in self.children(index, "aux", "mark")):
                self.labels[index] = "acl"
            elif label == "ROOT":
                self.labels[index] = "parataxis"
            else:
                self.labels[index] = _RENAMED.get(label, label)


DEFAULT = "en_core_web_md"
# OntoNotes types -> ours.
ENTITY_LABELS = labels("dependencies", "entities")
UNIVERSAL = words("dependencies", "universal")


def needs_conversion(labels: Collection[str], model: str, language: str) -> bool:
    """Whether the dependency labels of a model are ClearNLP's; raises for those that are not UD either.

    >>> needs_conversion(["ROOT", "nsubj", "pobj"], "en_core_web_md", "en")
    True
    """
    foreign = sorted({label for label in labels if label.partition(":")[0].lower() not in UNIVERSAL})
    if language == "en" and CLEARNLP_ONLY.intersection(foreign):
        return True
    if foreign:
        raise InputError(
            f"spaCy's model '{model}' labels dependencies as {', '.join(foreign[:5])}, expected Universal "
            "Dependencies or the labels of spaCy's English models"
        )
    return False


class SpacyParser:
    """spacy:MODEL, a pipeline of spaCy by the name of its package or its folder."""

    def __init__(self, argument: str, *, processes: int, batch_size: int, threads: int | None) -> None:
        with needs_extra("the spaCy parser", "spacy"):
            import spacy
        try:
            self._nlp: Any = spacy.load(argument or DEFAULT)
        except OSError as error:
            raise InputError(
                f"spaCy has no model '{argument or DEFAULT}': expected an installed package or a folder"
            ) from error
        labels = self._nlp.get_pipe("parser").labels if self._nlp.has_pipe("parser") else ()
        self._converts = needs_conversion(labels, argument or DEFAULT, self._nlp.lang)
        self._processes, self._batch_size = processes, batch_size
        self.name = f"spacy:{argument or DEFAULT}"

    def analyze(self, text: str | Iterable[str | Passage], **wishes: Unpack[AnalysisWishes]) -> Iterator[Analysis]:
        """Analysed sentences in order; see `tupelo.core.protocols.Parser`."""
        wanted = AnalysisOptions(**wishes)
        if wanted.coreference:
            raise InputError(f"the parser '{self.name}' has no coreference, expected one that has, such as 'en'")
        pretokenized, whole = wanted.pretokenized, wanted.lines or wanted.pretokenized
        pairs = ((self._document(passage, pretokenized), passage) for passage in documents(text, whole=whole))
        results = self._nlp.pipe(pairs, as_tuples=True, batch_size=self._batch_size, n_process=self._processes)
        for document, passage in results:
            if whole:
                yield (
                    self._sentence(document[:], passage, given=pretokenized)
                    if len(document)
                    else Analysis(passage.text, (), passage.start, document_id=passage.document_id)
                )
            else:
                for span in document.sents:
                    if span.text.strip():
                        yield self._sentence(span, passage, given=False)

    def _document(self, passage: Passage, pretokenized: bool) -> Any:
        if not pretokenized:
            return self._nlp.make_doc(passage.text)
        from spacy.tokens import Doc

        return Doc(self._nlp.vocab, words=list(given_tokens(passage).forms))

    def _sentence(self, span: Any, passage: Passage, *, given: bool) -> Analysis:
        kept = [token for token in span if not token.is_space]
        place = {token.i: index for index, token in enumerate(kept)}
        spans = (
            given_tokens(passage).spans
            if given
            else [(passage.start + token.idx, passage.start + token.idx + len(token.text)) for token in kept]
        )
        entities = tuple(
            Entity(ENTITY_LABELS.get(entity.label_, "other"), members[0], members[-1] + 1)
            for entity in span.ents
            if (members := [place[token.i] for token in entity if token.i in place])
        )
        heads = [place.get(token.head.i) if token.head.i != token.i else None for token in kept]
        labels: list[str | None] = [None] * len(kept)
        if span.doc.has_annotation("DEP"):
            heads, labels = self._dependencies(kept, heads, entities)
        words = tuple(
            Word(
                text=token.text,
                start=start,
                end=end,
                lemma=token.lemma_ or None,
                # In UD a copula is an auxiliary, and *be* as the main verb is not.
                upos="AUX" if label == "cop" else token.pos_ or None,
                xpos=token.tag_ or None,
                feats=str(token.morph),
                head=head,
                deprel=label,
            )
            for token, (start, end), head, label in zip(kept, spans, heads, labels, strict=True)
        )
        if given:
            return Analysis(passage.text, words, passage.start, entities=entities, document_id=passage.document_id)
        begin, end = words[0].start, words[-1].end
        text = passage.text[begin - passage.start : end - passage.start]
        return Analysis(text, words, begin, entities=entities, document_id=passage.document_id)

    def _dependencies(
        self, tokens: Sequence[Any], heads: list[int | None], entities: Collection[Entity]
    ) -> tuple[list[int | None], list[str | None]]:
        labels = [token.dep_ for token in tokens]
        if self._converts:
            persons = [(entity.start, entity.end) for entity in entities if entity.label == "person"]
            words = [(token.text, token.pos_, token.tag_) for token in tokens]
            heads, labels = convert(words, heads, labels, persons)
        return heads, [("root" if label == "ROOT" else label) or None for label in labels]
