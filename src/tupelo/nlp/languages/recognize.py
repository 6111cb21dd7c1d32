"""Whether a text is in English: a guard for English-only processing, not a language identifier.

A text counts as another language if most of its letters are not Latin; if function words of one other language
outnumber those of English; if it has no English function words but many letters with diacritics; or if it is long and
has hardly any English function words. Where a vocabulary is given, most of its words in lower case must be there.
In doubt it is English: names, titles and headlines have few function words, and so do quotations within English text.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

_ENGLISH = """
about after all also an and are at be been but by can could did does for from had has have he her his if in into is it
its just more my not of one or our out over said she so some than that the their them then there they this up was we
were what when which who will with would you your
"""
ENGLISH = frozenset(_ENGLISH.split())
# English words that are as common, or mean something else, in other languages, and parts of names: no evidence.
_SHARED = """
a al as au care come con da das de dei del della den der des di do dos du el hon i la le les los met no o on par per
plus pour to un van von war
"""
SHARED = frozenset(_SHARED.split())
# Function words of languages in Latin script.
OTHERS = {
    "German": """der das und ist nicht ein eine einen dem den des mit auf für von zu im auch sich wurde war er sie
        wird bei nach aus dass wie dort""",
    "French": """le les des du une et est dans que qui pour pas sur avec au aux ce cette il elle sont été par plus
        mais ou nous vous""",
    "Spanish": """el los las del una y que es por con para como más pero su sus fue ha este esta al lo muy también
        cuando""",
    "Italian": """il gli della dei delle che è una per con sono nel nella di ed anche più come dal alla questo stato
        ha""",
    "Portuguese": "o os da dos das uma e que não é por com para como mais mas foi ao em seu sua também ele ela são",
    "Dutch": "het een en van dat niet zijn werd voor met op aan ook maar naar bij uit er deze wordt hij zij ze",
    "Swedish, Norwegian, Danish": """och att det som är på för av med inte den ett han hon var og til ikke et af jeg
        er har ble blev""",
    "Polish": "w i na się z nie jest że do to jak był była przez oraz ale po od jego który która są",
    "Czech": "a v na se je že s z do byl byla jako ale po který která jsou také nebo jeho při",
    "Finnish": "ja on ei että se hän oli joka mutta kun niin myös ovat hänen tämä",
    "Turkish": "ve bir bu da de için ile olarak çok ama gibi daha olan kadar sonra",
    "Romanian": "și în de la cu nu este pe din care mai sau dar pentru un o fost au",
    "Hungarian": "a az és hogy nem is egy volt ez de meg mint csak már vagy",
    "Indonesian": "yang dan di dengan untuk dari pada ini itu adalah tidak dalam akan oleh",
}
_SMALL = {language: frozenset(words.split()) - ENGLISH - SHARED for language, words in OTHERS.items()}
# Letters up to here, and the additions for Vietnamese and others, are Latin.
_LATIN = ((0x0041, 0x024F), (0x1E00, 0x1EFF))
# Distinct function words of one language, and their ratio to those of English, some of which it shares (*in*).
_LEAST_FOREIGN, _TIMES = 3, 1.5
_LEAST_MARKED, _MARKED_SHARE = 2, 0.1
_LONG, _LEAST_SHARE = 25, 0.05
# Words in lower case that are enough to tell, the share of them that a vocabulary has, and that of function words.
_ENOUGH, _LEAST_KNOWN, _LEAST_OWN = 4, 0.6, 0.25


def is_english(words: Iterable[str], vocabulary: Container[str] | None = None) -> bool:
    """Whether words may come from an English text; an empty list may. `vocabulary` has words in lower case.

    >>> is_english("Ann was born in Oslo".split()), is_english("Ann wurde in Oslo geboren und ist tot".split())
    (True, False)
    """
    written = list(words)
    lowered = [word.casefold() for word in written]
    letters = [letter for word in lowered for letter in word if letter.isalpha()]
    strange = sum(not any(first <= ord(letter) <= last for first, last in _LATIN) for letter in letters)
    if 2 * strange > len(letters):
        return False
    # Single letters are initials more often than words.
    spoken = [word for word in lowered if word.isalpha() and len(word) > 1]
    own = sum(word in ENGLISH for word in spoken)
    for small in _SMALL.values():
        found = [word for word in spoken if word in small]
        if len(set(found)) >= _LEAST_FOREIGN and len(found) > _TIMES * own:
            return False
    # In lower case: *Antonín Dvořák* is a name.
    marked = sum(word.isalpha() and word[0].islower() and not word.isascii() for word in written)
    if not own and marked >= max(_LEAST_MARKED, _MARKED_SHARE * len(spoken)):
        return False
    if vocabulary is not None:
        plain = [word for word in written if word.isalpha() and word.islower() and len(word) > 1]
        told = sum(word in ENGLISH for word in plain)
        if len(plain) >= _ENOUGH and told < _LEAST_OWN * len(plain):
            return sum(word in vocabulary for word in plain) >= _LEAST_KNOWN * len(plain)
    return len(spoken) < _LONG or own >= _LEAST_SHARE * len(spoken)
