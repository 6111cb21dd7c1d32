"""A syntactically controlled paraphraser without a generating network: target parse + sentence -> paraphrase.

Constructions change by the rewrite rules, without clefts and frames; words change by a table that ships and, if
given, by WordNet and PPDB; a paraphrase has several changes at once. The support network must find that each change
of words, and each whole paraphrase, follows from the original and the other way round. Target parses are drawn as in
the ROBUST paper, from pairs of parses of written rewrites (`templates.txt`) or from a parallel corpus; the nearest
candidates come first, and those are kept that are worded least like the original and each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import repeat
from math import exp, log

from tupelo.core import Analysis, InputError
from tupelo.core.protocols import Parser, SupportReader
from tupelo.core.shipped import shipped_text
from tupelo.core.spec import number, require_known, whole_number
from tupelo.nlp.languages import word_set, words
from tupelo.nlp.paraphrases import Lexicon, Synonyms, shipped_lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording, TextTuple
from tupelo.robustness.paraphrase import Tools
from tupelo.robustness.rewrite.compose import Change, combine, go_together, rule_changes
from tupelo.robustness.rewrite.draft import New
from tupelo.robustness.rewrite.misread import is_misread
from tupelo.robustness.rewrite.wording import changes
from tupelo.robustness.sample import SyntaxSampler, parse_string, weighted_rouge
from tupelo.robustness.trees import tree_of
from tupelo.robustness.verify import SETTINGS as FITTED
from tupelo.robustness.verify import Thresholds, verify
from tupelo.scorers.rouge import ngram_overlap

SETTINGS = ("words", "number", "bleu", "keep", "support", "template", "wordnet", "ppdb")
# The rules that change the syntax, and none that only puts a frame around it.
MOVES = words("rewriting", "moving_rules")
_FITTED = FITTED["syntactic"]
_LIGHT = word_set("be have do")
_FORMS_OF_BE = word_set("is are was were")
# A tuple may have these where the sentence does not.
_FREE = word_set("DET AUX PRON PUNCT SYM")
# At the first turns all changes are tried, then this share of them.
_WHOLE, _SHARE = 4, 0.6
# Shorter words begin too many other words.
_STEM = 3
# Changes that add or drop a function word; other changes come first.
_SMALL = word_set("say help % to")


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntacticOptions:
    """Combine constructions and at most `words` changes of words; keep `keep` of up to `number` paraphrases.

    A paraphrase is changed until its BLEU with the original is at most `bleu`. `support` is the least probability,
    both ways, that paraphrase and original follow from each other. With a `template`, a parse without words such as
    *(S (PP) (NP) (VP))*, only paraphrases that have it are made.
    """

    words: int = _FITTED["words"]
    number: int = _FITTED["number"]
    keep: int = 3
    bleu: float = _FITTED["bleu"]
    support: float = _FITTED["support"]
    template: str | None = None


class SyntacticParaphraser:
    """Changes constructions by rules and words by a lexicon, several at once."""

    name = "syntactic"

    def __init__(
        self,
        parser: Parser,
        options: SyntacticOptions,
        *,
        pretokenized: bool,
        reader: SupportReader | None,
        sampler: SyntaxSampler,
        lexicon: Lexicon,
        synonyms: Synonyms | None = None,
        thresholds: Thresholds | None = None,
    ) -> None:
        self.parser, self.pretokenized = parser, pretokenized
        self.options, self.reader, self.sampler = options, reader, sampler
        self.lexicon, self.synonyms = lexicon, synonyms
        given = thresholds or Thresholds()
        self.thresholds = replace(
            given,
            fluency=max(given.fluency, _FITTED["fluency"]),
            meaning=max(given.meaning, _FITTED["meaning"]),
        )

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """The paraphrases of each sentence, those nearest to the drawn parses first."""
        trees = [DependencyTree(original.analysis) for original in sentences]
        # The table, and what WordNet and PPDB add for the words of these sentences.
        own, added = self.lexicon, {} if self.synonyms is None else self.synonyms.wordings(trees)
        lexicon = {**own, **{word: (*own.get(word, ()), *wordings) for word, wordings in added.items()}}
        allowed = self._allowed(sentences, trees, [self._changes(tree, lexicon) for tree in trees])
        made = [
            (place, candidate)
            for place, (original, tree, found) in enumerate(zip(sentences, trees, allowed, strict=True))
            for candidate in self._combined(original, tree, found)
        ]
        sound: list[list[Rewording]] = [[] for _ in sentences]
        parses = self._parse(candidate.text for _, candidate in made)
        for (place, candidate), analysis in zip(made, parses, strict=True):
            if self._is_sound(sentences[place], candidate, analysis):
                sound[place].append(replace(candidate, analysis=analysis))
        kept = self._supported(sentences, sound)
        return [self._chosen(original, group) for original, group in zip(sentences, kept, strict=True)]

    def _parse(self, texts: Iterable[str]) -> list[Analysis]:
        return list(self.parser.analyze(texts, lines=True, pretokenized=self.pretokenized, constituents=True))

    def _changes(self, tree: DependencyTree, lexicon: Lexicon) -> list[Change]:
        """The changes that a sentence allows, each once, by rules and in words."""
        unchanged = [(index,) for index in range(tree.size)]
        found: dict[tuple[int, int, str], Change] = {}
        for change, rewrite in rule_changes(tree, sorted(MOVES)):
            if not is_misread(tree, rewrite.alignment(unchanged), rewrite.text):
                found.setdefault((change.start, change.stop, rewrite.text), change)
        if self.options.words:
            for change in (change for group in changes(tree, lexicon) for change in group):
                found.setdefault((change.start, change.stop, change.name), change)
        return list(found.values())

    def _allowed(
        self, sentences: Sequence[Original], trees: Sequence[DependencyTree], found: Sequence[Sequence[Change]]
    ) -> list[list[Change]]:
        """For each sentence the changes that carry its tuples and keep its meaning both ways."""
        tried: list[tuple[int, Change, str]] = []
        for place, (original, tree, each) in enumerate(zip(sentences, trees, found, strict=True)):
            for change in each:
                alone = None if _is_split(original.tuples, change) else combine(original, tree, [change])
                if alone is not None:
                    tried.append((place, change, alone.text))
        # The network reads words alone, and later every combined paraphrase: it is no judge of order.
        words = [(sentences[place].analysis.text, text) for place, change, text in tried if change.source != "rule"]
        known = iter(self._scores(words))
        scores = [1.0 if change.source == "rule" else next(known) for _, change, _ in tried]
        allowed: list[list[Change]] = [[] for _ in sentences]
        for (place, change, _), score in zip(tried, scores, strict=True):
            if score >= _FITTED["word_support" if change.source in ("rule", "table") else "looked_up"]:
                allowed[place].append(change)
        return allowed

    def _combined(self, original: Original, tree: DependencyTree, found: Sequence[Change]) -> list[Rewording]:
        """Paraphrases with several changes: others at each turn, so that they differ."""
        made: dict[str, Rewording] = {}
        for turn in range(self.options.number):
            best = None
            chosen: list[Change] = []
            for change in self._ranked(tree, found, turn):
                if not all(go_together(change, other) and not _is_again(change, other) for other in chosen):
                    continue
                if sum(each.source != "rule" for each in (*chosen, change)) > self.options.words:
                    continue
                further = combine(original, tree, [*chosen, change])
                if further is None or further.alignment is None or not says_tuples(original, further):
                    continue
                if chosen and is_misread(tree, further.alignment, further.text):
                    continue
                chosen.append(change)
                best = further
                if _bleu(further.text, original.analysis.text) <= self.options.bleu:
                    break
            if best is not None and not all(map(_is_small, chosen)):
                made.setdefault(best.text, best)
        return list(made.values())

    def _ranked(self, tree: DependencyTree, found: Sequence[Change], turn: int) -> list[Change]:
        """Changes in an order that depends on the sentence and the turn: constructions first, small words last."""

        def rank(change: Change) -> tuple[bool, bool, float]:
            return _is_small(change), turn < _WHOLE and change.source != "rule", _drawn(tree, change, turn)

        # All changes at first, later a part of them, so that few changes make more than one paraphrase.
        kept = [change for change in found if turn < _WHOLE or _drawn(tree, change, -turn) < _SHARE]
        return sorted(kept, key=rank)

    def _is_sound(self, original: Original, candidate: Rewording, analysis: Analysis) -> bool:
        """Whether a paraphrase passes all checks but that of the network."""
        if not verify(original, candidate, analysis, self.thresholds).passed:
            return False
        if self.options.template is not None and not has_template(analysis, self.options.template):
            return False
        return says_tuples(original, candidate, analysis)

    def _supported(self, sentences: Sequence[Original], made: list[list[Rewording]]) -> list[list[Rewording]]:
        """The candidates that follow from the original and that it follows from."""
        pairs = [
            (original.analysis.text, each.text)
            for original, group in zip(sentences, made, strict=True)
            for each in group
        ]
        scores = iter(self._scores(pairs))
        return [[each for each in group if next(scores) >= self.options.support] for group in made]

    def _scores(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """For every pair the lower of the two probabilities that one supports the other; 1 without a network."""
        if self.reader is None:
            return [1.0] * len(pairs)
        there = self.reader.outcomes(pairs)
        back = self.reader.outcomes([(claim, text) for text, claim in pairs])
        return [min(one[0], other[0]) for one, other in zip(there, back, strict=True)]

    def _chosen(self, original: Original, candidates: list[Rewording]) -> list[Rewording]:
        """For each drawn parse the nearest candidate; of these, the ones that are worded most differently."""
        parses = [parse_string(tree_of(each.analysis)) if each.analysis else "" for each in candidates]
        left = list(range(len(candidates)))
        nearest: list[int] = []
        for target in self.sampler.draw(tree_of(original.analysis)):
            if not left:
                break
            best = max(left, key=lambda place: (weighted_rouge(parses[place], target.parse), -place))
            nearest.append(best)
            left.remove(best)
        nearest += left
        if not self.options.keep:
            return [candidates[place] for place in nearest]
        texts = [original.analysis.text, *(candidates[place].text for place in nearest)]
        kept = [0]
        while len(kept) <= self.options.keep:
            # The one that is worded least like the original and those before it.
            left = [place for place in range(len(texts)) if place not in kept]
            alike = {place: max(_bleu(texts[place], texts[other]) for other in kept) for place in left}
            farthest = min(left, key=lambda place: (alike[place], place), default=None)
            if farthest is None or alike[farthest] > _FITTED["alike"]:
                break
            kept.append(farthest)
        return [candidates[nearest[place - 1]] for place in kept[1:]]


def _bleu(text: str, reference: str) -> float:
    """BLEU, 0 to 100, of one sentence; an order of n-grams without a match counts half of one."""
    own, other = text.split(), reference.split()
    logs = [log(max(ngram_overlap(own, other, size).precision, 0.5 / len(own))) for size in (1, 2, 3, 4)]
    return 100 * exp(sum(logs) / 4 + min(0.0, 1 - len(other) / len(own)))


def _drawn(tree: DependencyTree, change: Change, turn: int) -> float:
    """A number between 0 and 1 that depends on the sentence, the change and the turn alone."""
    digest = sha256(f"{turn}\n{tree.analysis.text}\n{change.name}".encode()).digest()
    return int.from_bytes(digest[:6]) / 256**6


def _is_again(one: Change, other: Change) -> bool:
    """Whether both are changes of words that stand side by side, or bring in the same phrase."""
    if "rule" in (one.source, other.source):
        return False
    phrases = [tuple(item.text for item in each.new if isinstance(item, New)) for each in (one, other)]
    return (one.start <= other.stop and other.start <= one.stop) or (phrases[0] == phrases[1] and len(phrases[0]) > 1)


def _is_split(tuples: Sequence[TextTuple], change: Change) -> bool:
    """Whether a part of a tuple has some of the words that belong together, and not all."""
    parts = (change.together.intersection(part.split()) for each in tuples for part in each)
    return any(found and found != change.together for found in parts)


def _is_small(change: Change) -> bool:
    return change.name.split()[0] in _SMALL


def has_template(analysis: Analysis, template: str) -> bool:
    """Whether a parse, truncated at the height of a template, is that template; spaces do not count."""
    depth = height = 0
    for letter in template:
        depth += (letter == "(") - (letter == ")")
        height = max(height, depth)
    return "".join(parse_string(tree_of(analysis), height).split()) == "".join(template.split())


def says_tuples(original: Original, candidate: Rewording, analysis: Analysis | None = None) -> bool:
    """Whether no tuple has a word of the original, in whatever form, that the paraphrase says otherwise."""
    now = {*_pieces(candidate.text), *((word.lemma or "").lower() for word in (analysis.words if analysis else ()))}
    gone = {
        form.lower()
        for word in original.analysis.words
        if word.upos not in _FREE and (word.lemma or word.text).lower() not in (*_LIGHT, *now)
        for form in (word.text, word.lemma or word.text)
        if form.lower() not in now
    }
    stems = tuple(form.removesuffix("e") for form in gone if len(form) > _STEM)
    said = {word for parts in candidate.tuples for part in parts for word in _pieces(part)} - now
    if any(word in gone or (stems and word.startswith(stems)) for word in said):
        return False
    # "Ann , who was a nurse": the tuple (Ann; is; a nurse) was made for what had no tense.
    return "-relative" not in candidate.origin or not said & _FORMS_OF_BE


def _pieces(text: str) -> set[str]:
    """The words of a text in small letters, *'s* and punctuation split off."""
    spaced = text.lower().replace("'s", " 's ")
    return {*spaced.replace(",", " ").replace(".", " ").split(), *spaced.split()}


def shipped_templates() -> Iterator[tuple[str, str]]:
    """Pairs of a source and a target parse, each as often as it was counted."""
    for line in shipped_text("tupelo.robustness", "templates.txt").splitlines():
        if not line.startswith("#"):
            count, source, target = line.split("\t")
            yield from repeat((source, target), int(count))


def syntactic_paraphraser(argument: str, settings: Mapping[str, str], tools: Tools) -> SyntacticParaphraser:
    """Syntactic templates and other words, checked by the support network both ways; no clefts."""
    if argument:
        raise InputError(f"'syntactic' takes no '{argument}' after a colon; its settings are {', '.join(SETTINGS)}")
    require_known(settings, SETTINGS, "syntactic")
    options = SyntacticOptions(
        words=whole_number(settings, "words", _FITTED["words"], 0),
        number=whole_number(settings, "number", _FITTED["number"]),
        keep=whole_number(settings, "keep", 3, 0),
        bleu=number(settings, "bleu", _FITTED["bleu"]),
        support=number(settings, "support", _FITTED["support"]),
        template=settings.get("template"),
    )
    return SyntacticParaphraser(
        tools.parser,
        options,
        pretokenized=tools.pretokenized,
        reader=None if tools.support is None else tools.support(),
        sampler=tools.sampler or tools.sample(shipped_templates()),
        lexicon=shipped_lexicon(),
        synonyms=_synonyms(settings, tools),
        thresholds=tools.thresholds,
    )


def _synonyms(settings: Mapping[str, str], tools: Tools) -> Synonyms | None:
    folder, file = settings.get("wordnet"), settings.get("ppdb")
    wordnet = None if folder is None or tools.wordnet is None else tools.wordnet(folder)
    clusters = None if file is None or tools.clusters is None else tools.clusters(file)
    return None if wordnet is None and clusters is None else Synonyms(wordnet, clusters)
