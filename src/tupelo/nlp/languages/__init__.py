"""Language data: small modules of constants, by topic."""


def word_set(words: str) -> frozenset[str]:
    """The set of whitespace-separated words of a text."""
    return frozenset(words.split())
