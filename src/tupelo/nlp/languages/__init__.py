"""Language data: small modules of constants, by topic."""


def word_set(words: str) -> frozenset[str]:
    """The set of words in a text that separates them by white space."""
    return frozenset(words.split())
