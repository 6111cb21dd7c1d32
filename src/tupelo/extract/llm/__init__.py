"""A language model as an extractor: one prompt per sentence, several requests in parallel, answers in order."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Protocol

from tupelo.core import Analysis, Extraction, InputError, Record
from tupelo.core.protocols import Chat, ChatOptions, Likeness, Services
from tupelo.core.spec import one_of, require_known, whole_number
from tupelo.core.version import __version__
from tupelo.extract import extractor_part
from tupelo.extract.llm.answers import Answer, ReplyError, read_answer
from tupelo.extract.llm.prompt import (
    FIGURE_8,
    Demonstration,
    DemonstrationChoice,
    Siblings,
    build_prompt,
    gather,
    outline_likeness,
)
from tupelo.extract.parts import align, sentence_of

_CHAT_SETTINGS = tuple(one.name.replace("_", "-") for one in fields(ChatOptions) if one.name != "model")
_CHOICE_SETTINGS = ("shots", "demonstrations", "demonstrations-format", "choose", "exclude", "cliques", "seed")
SETTINGS = (*_CHOICE_SETTINGS, "concurrency", "on-error", "ask-again", *_CHAT_SETTINGS)
# Besides random choice: similarity of dependency trees, or of constituency trees by a measure from services.
BY_CONSTITUENTS = ("hws", "kernel")
CHOICES = ("random", "similar", *BY_CONSTITUENTS)
# Demonstrations that are not shown for a sentence: all that say the same, or the sentence alone.
EXCLUDED = ("clique", "sentence")
_NEEDS = frozenset({"tags", "heads", "entities"})
ON_ERROR = ("raise", "skip")
# Models return no confidence, so all tuples of an answer get the same one.
_CONFIDENCE = 1.0
_ROLES = (None, "time", "location")


class Choice(Protocol):
    """Chooses examples for a sentence."""

    def choose(self, analysis: Analysis) -> Sequence[Demonstration]: ...


@dataclass(eq=False)
class LlmExtractor:
    """Prompts a model for every sentence.

    An unreadable answer is requested again up to `ask_again` times; then it is an error, or with `skip` a sentence
    without tuples, which is passed to `note`.
    """

    chat: Chat
    choice: Choice
    name: str = "llm"
    concurrency: int = 4
    ask_again: int = 1
    skip: bool = False
    note: Callable[[str], None] | None = None
    needs: frozenset[str] = _NEEDS
    version: str = __version__

    def extract(self, analyses: Iterable[Analysis]) -> Iterator[list[Extraction]]:
        under_way: deque[Future[tuple[list[Extraction], Counter[str]]]] = deque()
        repairs: Counter[str] = Counter()
        pool = ThreadPoolExecutor(self.concurrency, thread_name_prefix="llm")
        try:
            for analysis in analyses:
                under_way.append(pool.submit(self._ask, analysis))
                # Prompts are submitted ahead of the oldest pending answer, but only a bounded number of them.
                if len(under_way) >= 2 * self.concurrency:
                    yield _collected(under_way.popleft(), repairs)
            while under_way:
                yield _collected(under_way.popleft(), repairs)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
            if self.note is not None:
                for what, times in sorted(repairs.items()):
                    self.note(f"{self.name}: {what} in {times:,} answer(s)")

    def _ask(self, analysis: Analysis) -> tuple[list[Extraction], Counter[str]]:
        if not analysis.words:
            return [], Counter()
        prompt = build_prompt(analysis.text, self.choice.choose(analysis))
        try:
            answer = self._answer(prompt, analysis)
        except InputError as error:
            if not self.skip:
                raise
            return [], Counter([f"skipped ({error})"])
        sentence = sentence_of(analysis)
        tuples = [
            Extraction(
                sentence,
                rel=align(analysis, parts[0] or ""),
                arg1=align(analysis, parts[1] or ""),
                args=tuple(
                    align(analysis, part, _role(position, parts, analysis))
                    for position, part in enumerate(parts[2:])
                    if part
                ),
                confidence=_CONFIDENCE,
                extractor=self.name,
                extractor_version=self.version,
            )
            for parts in answer.tuples
        ]
        return tuples, Counter(answer.repairs)

    def _answer(self, prompt: str, analysis: Analysis) -> Answer:
        for attempt in range(self.ask_again + 1):
            reply = self.chat.complete(prompt, fresh=attempt > 0)
            try:
                return read_answer(reply.text, analysis.text, finished=reply.finished)
            except ReplyError as error:
                if attempt == self.ask_again:
                    shown = " ".join(analysis.text.split())[:60]
                    raise ReplyError(f"{self.name} answered about {shown!r} with {error}") from error
        raise AssertionError("unreachable")


@extractor_part("llm:MODEL, a language model behind any OpenAI-compatible endpoint", needs_client=True)
def llm_extractor(argument: str, settings: Mapping[str, str], services: Services | None) -> LlmExtractor:
    """`llm:MODEL`. The key comes from the environment, the address from there or from `base-url`."""
    require_known(settings, SETTINGS, "llm")
    if not argument:
        raise InputError("'llm' names no model, expected llm:MODEL")
    if services is None:
        raise InputError("the extractor 'llm' needs a network: load(…, services=tupelo.io.services.LocalServices(…))")
    on_error = one_of(settings, "on-error", ON_ERROR)
    chat = services.chat(ChatOptions.of(argument, settings))
    return LlmExtractor(
        chat,
        _choice(settings, services),
        name=argument,
        concurrency=whole_number(settings, "concurrency", 4, 1),
        ask_again=whole_number(settings, "ask-again", 1, 0),
        skip=on_error == "skip",
        note=services.note,
        needs=_NEEDS | {"constituents"} if settings.get("choose") in BY_CONSTITUENTS else _NEEDS,
    )


def _choice(settings: Mapping[str, str], services: Services) -> Choice:
    file, shots = settings.get("demonstrations"), whole_number(settings, "shots", 1, 0)
    how = one_of(settings, "choose", CHOICES)
    alone = one_of(settings, "exclude", EXCLUDED) == "sentence"
    pool: Sequence[Demonstration] = (FIGURE_8,)
    records: Sequence[Record] = ()
    if file is not None:
        records = list(services.read_file(file, settings.get("demonstrations-format", "auto")))
        pool = gather(records)
    # The file of cliques may be another one than that of the demonstrations, which are often originals only.
    known = services.read_file(settings["cliques"], "auto") if "cliques" in settings else records
    siblings = Siblings(alone=True) if alone else Siblings.of(known)
    if shots > len(pool):
        hint = "" if file else "; name a file of tuples with demonstrations=FILE"
        raise InputError(f"{shots} demonstration(s) asked for, {len(pool)} at hand{hint}")
    if how == "random" or shots == 0:
        return DemonstrationChoice(pool, shots, whole_number(settings, "seed", 0, 0), siblings)
    analyses = list(services.analyze([item.sentence for item in pool]))
    return most_similar(how, pool, analyses, shots, siblings, services.likeness)


def most_similar(
    how: str,
    pool: Sequence[Demonstration],
    analyses: Sequence[Analysis],
    shots: int,
    siblings: Siblings,
    likeness: Callable[[str], Likeness],
) -> Choice:
    """The choice by `similar`, `hws` or `kernel` from a pool with its analyses."""
    compare = likeness(how).to(analyses) if how in BY_CONSTITUENTS else outline_likeness(analyses)
    return DemonstrationChoice(pool, shots, siblings=siblings, compare=compare)


def _role(position: int, parts: Sequence[str | None], analysis: Analysis) -> str | None:
    """The prompt puts time before place; if one is missing, the entities decide which one is present."""
    if position == 0:
        return None
    if len(parts) == 5:
        return _ROLES[position]
    found = align(analysis, parts[position + 2] or "").tokens or ()
    labels = {
        entity.label
        for entity in analysis.entities or ()
        if any(entity.start <= token < entity.end for token in found)
    }
    if labels & {"date", "datetime"}:
        return "time"
    return "location" if "place" in labels else None


def _collected(future: Future[tuple[list[Extraction], Counter[str]]], repairs: Counter[str]) -> list[Extraction]:
    tuples, mended = future.result()
    repairs.update(mended)
    return tuples
