"""A syntactically controlled paraphraser without a generating network: target parse + sentence -> paraphrase.

Syntax changes by the rewrite rules, several in a row, without clefts and frames; words change by a table that ships
and, if given, by WordNet and PPDB. The support network must find that each change of words, and each whole
paraphrase, follows from the original and the other way round; and in other words a sentence must still have the
parse that its rules aimed at. Target parses are drawn as in the ROBUST paper, from pairs of parses of written
rewrites (`templates.txt`) or from a parallel corpus; for each the nearest candidate is taken, and the filter by BLEU
keeps those that are worded most differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import repeat

from tupelo.core import Analysis, InputError
from tupelo.core.protocols import Parser, SupportReader
from tupelo.core.shipped import shipped_text
from tupelo.core.spec import number, require_known, whole_number
from tupelo.nlp.languages import word_set, words
from tupelo.nlp.paraphrases import Lexicon, Synonyms, shipped_lexicon
from tupelo.nlp.syntax import DependencyTree
from tupelo.robustness.candidates import Original, Rewording, TextTuple
from tupelo.robustness.diversity import diversify
from tupelo.robustness.paraphrase import Tools
from tupelo.robustness.rewrite.carry import carry
from tupelo.robustness.rewrite.draft import finish
from tupelo.robustness.rewrite.misread import is_misread
from tupelo.robustness.rewrite.paraphraser import RewriteParaphraser
from tupelo.robustness.rewrite.wording import WordChange, changed, changes
from tupelo.robustness.sample import SyntaxSampler, parse_string, weighted_rouge
from tupelo.robustness.trees import tree_of
from tupelo.robustness.verify import SETTINGS as FITTED
from tupelo.robustness.verify import Thresholds, verify

SETTINGS = ("depth", "words", "number", "keep", "support", "template", "wordnet", "ppdb")
# The rules that change the syntax, and none that only puts a frame around it.
MOVES = words("rewriting", "moving_rules")
_FITTED = FITTED["syntactic"]
_LIGHT = word_set("be have do")
# One after the other, they only move the words between.
_UNDONE = frozenset(["although", "although-to-but"])
_FORMS_OF_BE = word_set("is are was were")
# A tuple may have these where the sentence does not.
_FREE = word_set("DET AUX PRON PUNCT SYM")
# Shorter words begin too many other words.
_STEM = 3
# Changes that add or drop a function word; other changes come first.
_SMALL = word_set("say help % to")


@dataclass(frozen=True, slots=True)
class _Base:
    """A sentence whose words may still change: the original, or a rewrite of it with its parse."""

    candidate: Rewording
    analysis: Analysis
    tree: DependencyTree


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntacticOptions:
    """Change at most `depth` rules and `words` words; keep `keep` of up to `number` paraphrases.

    `support` is the least probability, both ways, that paraphrase and original follow from each other. With a
    `template`, a parse without words such as *(S (PP) (NP) (VP))*, only paraphrases that have it are made.
    """

    depth: int = 2
    words: int = _FITTED["words"]
    number: int = 10
    keep: int = 3
    support: float = _FITTED["support"]
    template: str | None = None


class SyntacticParaphraser:
    """Changes syntax by rules and words by a lexicon."""

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
        self.options, self.reader, self.sampler = options, reader, sampler
        self.lexicon, self.synonyms = lexicon, synonyms
        given = thresholds or Thresholds()
        self.thresholds = replace(
            given,
            fluency=max(given.fluency, _FITTED["fluency"]),
            meaning=max(given.meaning, _FITTED["meaning"]),
        )
        self._rewriter = RewriteParaphraser(
            parser, pretokenized=pretokenized, rules=sorted(MOVES), depth=options.depth, thresholds=self.thresholds
        )

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """The paraphrases of each sentence, those nearest to the drawn parses first."""
        bases = self._bases(sentences)
        trees = [each[0].tree for each in bases]
        # The table, and what WordNet and PPDB add for the words of these sentences.
        own, added = self.lexicon, {} if self.synonyms is None else self.synonyms.wordings(trees)
        lexicon = {**own, **{word: (*own.get(word, ()), *wordings) for word, wordings in added.items()}}
        allowed = self._allowed(sentences, trees, lexicon)
        reworded = [
            (place, base, candidate)
            for place, group in enumerate(bases)
            for turn, base in enumerate((group[0], *group))
            if (candidate := self._reworded(base, lexicon, allowed[place], turn)) is not None
        ]
        made: list[dict[str, Rewording]] = [
            {base.candidate.text: base.candidate for base in group[1:]} for group in bases
        ]
        parses = self._parse(candidate.text for _, _, candidate in reworded)
        for (place, base, candidate), analysis in zip(reworded, parses, strict=True):
            # In other words a sentence still has the parse that its rules aimed at.
            one, other = parse_string(tree_of(base.analysis)), parse_string(tree_of(analysis))
            if one != other and weighted_rouge(one, other) < _FITTED["template"]:
                continue
            if self._is_sound(sentences[place], trees[place], candidate, analysis):
                made[place].pop(base.candidate.text, None)
                made[place][candidate.text] = replace(candidate, analysis=analysis)
        kept = self._supported(sentences, [list(each.values()) for each in made])
        return [self._chosen(original, group) for original, group in zip(sentences, kept, strict=True)]

    def _bases(self, sentences: list[Original]) -> list[list[_Base]]:
        """Each sentence itself, and its sound rewrites."""
        rewritten = self._rewriter.paraphrase(sentences)
        missing = [each for group in rewritten for each in group if each.analysis is None]
        parsed = dict(zip((each.text for each in missing), self._parse(each.text for each in missing), strict=True))
        found = []
        for original, group in zip(sentences, rewritten, strict=True):
            tree = DependencyTree(original.analysis)
            bases = [_Base(original.unchanged, original.analysis, tree)]
            for each in group:
                analysis = each.analysis or parsed[each.text]
                if self._is_sound(original, tree, each, analysis):
                    bases.append(_Base(replace(each, analysis=analysis), analysis, DependencyTree(analysis)))
            found.append(bases)
        return found

    def _parse(self, texts: Iterable[str]) -> list[Analysis]:
        return list(self._rewriter.parse(texts))

    def _is_sound(self, original: Original, tree: DependencyTree, candidate: Rewording, analysis: Analysis) -> bool:
        """Whether a paraphrase passes all checks but that of the network; `tree` is that of the original."""
        if not verify(original, candidate, analysis, self.thresholds).passed:
            return False
        if self.options.template is not None and not has_template(analysis, self.options.template):
            return False
        if set(candidate.origin.split("+")) >= _UNDONE:
            return False
        if candidate.alignment is not None and is_misread(tree, candidate.alignment, candidate.text):
            return False
        return says_tuples(original, candidate, analysis)

    def _allowed(
        self, sentences: Sequence[Original], trees: Sequence[DependencyTree], lexicon: Lexicon
    ) -> list[set[str]]:
        """For each sentence the changes of words that keep its meaning both ways, by name."""
        tried = []
        for place, tree in enumerate(trees):
            for change in {change.name: change for group in changes(tree, lexicon) for change in group}.values():
                rewrite = finish(tree, changed(tree, [change]))
                if rewrite is not None:
                    tried.append((place, change, rewrite.text))
        scores = self._scores([(sentences[place].analysis.text, text) for place, _, text in tried])
        allowed: list[set[str]] = [set() for _ in sentences]
        for (place, change, _), score in zip(tried, scores, strict=True):
            if score >= max(self.options.support, 0.0 if change.source == "table" else _FITTED["looked_up"]):
                allowed[place].add(change.name)
        return allowed

    def _reworded(self, base: _Base, lexicon: Lexicon, allowed: set[str], turn: int) -> Rewording | None:
        """A sentence in other words: different changes at each `turn`, so that paraphrases differ."""
        candidate, tree = base.candidate, base.tree
        groups = [
            [change for change in group if change.name in allowed and not _is_split(candidate.tuples, change)]
            for group in changes(tree, lexicon)
        ]
        picked = list(_pick(tree, groups, turn))
        # The first changes, and those that say the same elsewhere in the sentence.
        named = list(dict.fromkeys(change.name for change in picked))[: self.options.words]
        chosen = [change for change in picked if change.name in named]
        if not candidate.origin and all(_is_small(change) for change in chosen):
            return None
        rewrite = finish(tree, changed(tree, chosen)) if chosen else None
        if rewrite is None or candidate.alignment is None:
            return None
        tuples = carry(candidate.tuples, tree, rewrite)
        # A word that stands for several old ones must not be in two parts of a tuple.
        merged = [word for change in chosen for word in change.merges]
        if any(sum(word in part.split() for part in parts) > 1 for word in merged for parts in tuples):
            return None
        names = [candidate.origin, *(f"words:{change.name.replace(' > ', '>')}" for change in chosen)]
        return Rewording(rewrite.text, "+".join(filter(None, names)), tuples, rewrite.alignment(candidate.alignment))

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
        for target in self.sampler.draw(tree_of(original.analysis))[: self.options.number]:
            if not left:
                break
            best = max(left, key=lambda place: (weighted_rouge(parses[place], target.parse), -place))
            nearest.append(best)
            left.remove(best)
        nearest += left[: self.options.number - len(nearest)]
        if not self.options.keep:
            return [candidates[place] for place in nearest]
        texts = [candidates[place].text for place in nearest]
        kept = diversify(original.analysis.text, texts, keep=self.options.keep).kept
        return [candidates[nearest[place]] for place in kept]


def _pick(tree: DependencyTree, groups: Sequence[Sequence[WordChange]], turn: int) -> Iterator[WordChange]:
    """One change for each place, in an order that depends on the sentence and the turn; none overlap."""

    def rank(group: Sequence[WordChange]) -> tuple[bool, str]:
        name = group[0].name
        return _is_small(group[0]), sha256(f"{turn}\n{tree.analysis.text}\n{name}".encode()).hexdigest()

    taken: set[int] = set()
    for group in sorted(filter(None, groups), key=rank):
        change = group[turn % len(group)]
        if not taken.intersection(range(change.start - 1, change.stop + 1)):
            taken.update(range(change.start, change.stop))
            yield change


def _is_split(tuples: Sequence[TextTuple], change: WordChange) -> bool:
    """Whether a part of a tuple has some of the words that belong together, and not all."""
    parts = (change.together.intersection(part.split()) for each in tuples for part in each)
    return any(found and found != change.together for found in parts)


def _is_small(change: WordChange) -> bool:
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
        depth=whole_number(settings, "depth", 2),
        words=whole_number(settings, "words", _FITTED["words"], 0),
        number=whole_number(settings, "number", 10),
        keep=whole_number(settings, "keep", 3, 0),
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
