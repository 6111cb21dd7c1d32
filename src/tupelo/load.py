"""What `tupelo.load()` returns: a parser by name, ready to use."""

from __future__ import annotations

from tupelo.core.protocols import Parser
from tupelo.nlp import PARSERS


def load(parser: str = "en", *, processes: int = 1, batch_size: int = 32, threads: int | None = None) -> Parser:
    """The shipped English model, or another parser.

    `parser` is a registered name, with an argument after a colon where the
    parser takes one: `model:FOLDER` for weights that you trained,
    `spacy:en_core_web_md`, `stanza:en`, or `conllu` for text that somebody
    else's parser has analysed.

    >>> nlp = load()  # doctest: +SKIP
    >>> for sentence in nlp.analyze("Dogs bark. Cats sleep."):  # doctest: +SKIP
    ...     print([(word.text, word.upos, word.deprel) for word in sentence.words])
    """
    name, _, argument = parser.partition(":")
    return PARSERS.get(name)(argument, processes=processes, batch_size=batch_size, threads=threads)
