"""Words that carry grammar rather than content, in lower case."""

_WORDS = """
a an the this that these those some any each every either neither no all both another other such
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
herself it its itself they them their theirs themselves one ones who whom whose which what
am is are was were be been being have has had having do does did doing done
will would shall should can could may might must ought
and or but nor so yet if because as until while although though since unless than whether
of at by for with about against between among into through during before after above below to from up down in out on
off over under upon within without toward towards onto across along around near
not n't n’t never 's ’s ' here there when where why how then again once too very just also only own same more most
"""

STOP_WORDS = frozenset(_WORDS.split())

# Only the most frequent: a word search ignores these, while `when` or `more` may distinguish two sentences.
_FREQUENT = """
a an and are as at be been but by for from had has have he her his i if in is it its not of on or she that the their
them they this to was we were which who will with would you
"""

FREQUENT_WORDS = frozenset(_FREQUENT.split())
