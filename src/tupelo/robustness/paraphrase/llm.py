"""A language model behind an endpoint, asked for a list of paraphrases; with a parallel corpus, for given parses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tupelo.core import InputError
from tupelo.core.protocols import Chat, ChatOptions
from tupelo.core.shipped import shipped_text
from tupelo.core.spec import require_known, whole_number
from tupelo.robustness.candidates import Original, Rewording
from tupelo.robustness.paraphrase import Tools, plain_candidates
from tupelo.robustness.sample import SyntaxSampler
from tupelo.robustness.trees import tree_of

SETTINGS = ("number", "base-url", "temperature", "max-tokens", "timeout", "attempts", "cache")
DEFAULT_NUMBER = 10
_LISTED = re.compile(r"(?:\d+[.):]|[-*•])\s++(.+)")
_PROMPT = shipped_text("tupelo.robustness.paraphrase", "prompt.txt")
_WISH = "Give rewrite {number} this constituency structure: {parse}\n"


class LlmParaphraser:
    """Asks a chat model for a numbered list."""

    name = "llm"

    def __init__(self, chat: Chat, *, number: int = DEFAULT_NUMBER, sampler: SyntaxSampler | None = None) -> None:
        self._chat = chat
        self.number, self.sampler = number, sampler

    def paraphrase(self, sentences: list[Original]) -> list[list[Rewording]]:
        """Up to `number` paraphrases of each sentence."""
        return [self._one(original) for original in sentences]

    def _one(self, original: Original) -> list[Rewording]:
        reply = self._chat.complete(self.prompt(original))
        listed = list(read_list(reply.text))
        if not reply.finished and listed:
            # The last line is incomplete.
            listed.pop()
        items = dict(map(read_replaced, listed[: self.number]))
        return plain_candidates(original, ((text, "llm") for text in items), items)

    def prompt(self, original: Original) -> str:
        targets = self.sampler.draw(tree_of(original.analysis))[: self.number] if self.sampler else []
        wishes = "".join(_WISH.format(number=place, parse=target.parse) for place, target in enumerate(targets, 1))
        return _PROMPT.format(number=self.number, wishes=wishes, sentence=original.analysis.text)


def read_list(text: str) -> Iterator[str]:
    """The items of a list, without quotation marks around a whole item.

    >>> list(read_list('Sure:\\n1. Ann sang.\\n2) "Songs were sung by Ann."'))
    ['Ann sang.', 'Songs were sung by Ann.']
    """
    for line in text.splitlines():
        match = _LISTED.fullmatch(line.strip())
        if match:
            item = match.group(1)
            if len(item) > 1 and item[0] == item[-1] == '"':
                item = item[1:-1]
            yield item


def read_replaced(item: str) -> tuple[str, dict[str, str]]:
    """The sentence of an item, and the words that it has in place of the original's.

    >>> read_replaced("A gap was discovered. {found = discovered; an opening = a gap}")
    ('A gap was discovered.', {'found': 'discovered', 'an opening': 'a gap'})
    """
    text, _, braces = item.partition("{")
    pairs = (pair.partition("=") for pair in braces.partition("}")[0].split(";"))
    return text.strip(), {old.strip(): new.strip() for old, equals, new in pairs if equals and old.strip()}


def llm_paraphraser(argument: str, settings: Mapping[str, str], tools: Tools) -> LlmParaphraser:
    """llm:MODEL, a language model behind any OpenAI-compatible endpoint.

    The key comes from the environment, the address from there or from `base-url`.
    """
    require_known(settings, SETTINGS, "llm")
    if not argument:
        raise InputError("'llm' names no model, expected llm:MODEL")
    if tools.services is None:
        raise InputError("the paraphraser 'llm' needs a network, and none was given")
    chat = tools.services.chat(ChatOptions.of(argument, settings))
    return LlmParaphraser(chat, number=whole_number(settings, "number", DEFAULT_NUMBER), sampler=tools.sampler)
