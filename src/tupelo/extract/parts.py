"""Parts of tuples aligned with the words of an analysed sentence, and their roles."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tupelo.core import Analysis, Argument, Sentence
from tupelo.nlp.languages import labels
from tupelo.nlp.languages.en import grammar
from tupelo.nlp.languages.en.quantities import TIME_ADVERBS, TIME_NOUNS
from tupelo.nlp.parts import aligned, make_part
from tupelo.nlp.syntax import DependencyTree
from tupelo.nlp.tokens import tokenize


def sentence_of(analysis: Analysis) -> Sentence:
    """The sentence that tuples refer to. Create it once per analysis: all its tuples can share it."""
    return Sentence(analysis.text, analysis.id, analysis.document_id, tuple(word.text for word in analysis.words))


def is_true_to(part: Argument, sentence: Sentence) -> bool:
    """Whether the spans of a part lie within its sentence and match its text, white space aside."""
    if part.spans is None or part.tokens is None or sentence.tokens is None:
        return False
    places = range(len(sentence.tokens))
    if any(token not in places for token in part.tokens) or any(span.end > len(sentence.text) for span in part.spans):
        return False
    implied = set(part.inferred)
    written = "".join(word for position, word in enumerate(part.text.split()) if position not in implied)
    # A word that a line break divides is whole in the tokens alone.
    return written in (
        "".join("".join(span.of(sentence.text).split()) for span in part.spans),
        "".join(sentence.tokens[token] for token in part.tokens),
    )


def align(analysis: Analysis, text: str, role: str | None = None) -> Argument:
    """Align a phrase with the sentence. Words that the sentence does not contain are implied.

    An exact match comes first, then one that differs only in case; otherwise the phrase is assembled from the longest
    runs of words found in the sentence.
    """
    wanted = [text[start:end] for start, end, _ in tokenize(text)]
    exact = [word.text for word in analysis.words]
    folded = [form.casefold() for form in exact]
    for known, phrase in ((exact, wanted), (folded, [form.casefold() for form in wanted])):
        size = len(phrase)
        start = next((at for at in range(len(known) - size + 1) if known[at : at + size] == phrase), None)
        if start is not None and phrase:
            return make_part(analysis, range(start, start + size), role)
    places = aligned(folded, [form.casefold() for form in wanted])
    pieces = (word if place is None else place for word, place in zip(wanted, places, strict=True))
    return make_part(analysis, pieces, role)


def pieces_of(part: Argument) -> tuple[int | str, ...]:
    """The words of a part in reading order, implied ones as strings."""
    tokens = iter(part.tokens or ())
    texts = part.text.split()
    if len(texts) != len(part.tokens or ()) + len(part.inferred):
        # Tokens can differ from space-separated words (`does n't`); then implied words go first.
        return (*(texts[index] for index in part.inferred if index < len(texts)), *tokens)
    return tuple(texts[index] if index in part.inferred else next(tokens) for index in range(len(texts)))


def locate(analysis: Analysis, part: Argument) -> Argument:
    """The part with its spans in the sentence if its words occur there exactly; otherwise unchanged."""
    found = align(analysis, part.text, part.role)
    same = found.text == " ".join(part.text.split()) and not found.inferred
    return found if same and is_true_to(found, sentence_of(analysis)) else part


# Years, decades and times of day.
_TIME = re.compile(r"(1\d|20)\d\d(s|['’]s)?|\d0s|\d{1,2}:\d\d|\d{1,2}(am|pm)")
_CLAUSE_ROLES = labels("extraction", "clause_roles")


def role_of(analysis: Analysis, tokens: Sequence[int], tree: DependencyTree | None = None) -> str | None:
    """`time`, `location`, `purpose`, `result`, `reason`, `means`, or `None` for any other argument."""
    tree = tree or DependencyTree(analysis)
    head = tree.head_of(tokens)
    if head is None:
        return None
    base, word = tree.base[head], tree.lowered[head]
    if base == "advcl":
        asking = (one for one in tree.children(head, "advmod") if tree.tag(one) == "WRB")
        found = [_CLAUSE_ROLES.get(tree.lowered[one]) for one in (min(tokens), *tree.children(head, "mark"), *asking)]
        return "purpose" if "purpose" in found else next(filter(None, found), None)
    if base == "advmod" or tree.upos(head) == "ADV":
        return "time" if word in TIME_ADVERBS else "location" if word in grammar.PLACE_ADVERBS else None
    if base not in ("obl", "nmod", "conj"):
        return None
    label = tree.entity[head]
    timely = label == "datetime" or tree.lemmas[head] in TIME_NOUNS or _TIME.fullmatch(word) is not None
    opening = next((tree.lowered[child] for child in tree.children(head, "case", "mark")), None)
    if opening is None:
        return "time" if timely else None
    # *for age* gives a cause; *for the first time* and *by the end* give a time.
    is_odd = tree.lemmas[head] in ("age", "term", "end", "past", "future")
    is_cause = is_odd and tree.has_word(tree.children(head, "case"), ("for", "to", "with"))
    is_time = timely and opening in grammar.TIME_PREPOSITIONS and not is_cause
    if is_time or opening in grammar.SURE_TIME_PREPOSITIONS:
        return "time"
    return "location" if label == "place" and opening in grammar.PLACE_PREPOSITIONS else None
