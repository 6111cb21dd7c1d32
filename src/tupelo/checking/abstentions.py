"""Sentences of an answer that say only that it does not know: *I don't know*, *The context does not say so*."""

from __future__ import annotations

import re

from tupelo.nlp.subwords import straight

_SOURCE = (
    r"(?:(?:the|this|these|any|my|provided|given|available|supplied|retrieved|above|search) ){1,3}"
    r"(?:context|contexts|text|texts|passage|passages|document|documents|source|sources|article|articles|excerpt|"
    r"excerpts|information|material|materials|snippet|snippets|result|results)(?: (?:provided|given|above))?"
)
_SAYS = r"(?:say|mention|specify|contain|provide|state|include|give|indicate|address|discuss|answer|tell|cover|have)"
_UNABLE = r"(?:cannot|can't|can not|could not|couldn't|am unable to|'m unable to|am not able to|'m not able to)"
_DONT = r"(?:do not|don't|did not|didn't)"
_ABSTAINS = re.compile(
    r"(?:(?:i'm|i am|we are) sorry,? (?:but )?|sorry,? (?:but )?|unfortunately,? |based on [^,]{1,80}, )?"
    r"(?:"
    rf"(?:i|we) {_DONT} (?:know|(?:actually )?have (?:any |enough |sufficient )?(?:information|data|details))"
    rf"|(?:i|we) ?{_UNABLE} (?:answer|determine|find|say|tell|provide|verify|confirm|help)"
    r"|(?:i am|i'm) not (?:sure|certain|aware)"
    rf"|{_SOURCE} (?:(?:does|do|did) not|doesn't|don't|didn't) (?:explicitly |directly |actually )?{_SAYS}"
    r"|there (?:is|was) (?:no|not enough|insufficient|no specific) (?:information|mention|data|details) "
    r"(?:about|on|of|regarding|in|that|to|available|provided|given)"
    r"|(?:not enough|insufficient|no) (?:information|context|answer)\b"
    r"|(?:this|that|it|the (?:question|answer)) (?:cannot|can't|can not|could not) be "
    r"(?:answered|determined|found|verified|inferred)"
    rf"|(?:this|that|it) (?:is|was) not (?:explicitly )?(?:stated|mentioned|specified|given|provided) in {_SOURCE}"
    r"|(?:unanswerable|unknown|n/a|no answer)[.!]?$"
    r")"
)
# After these the sentence says something after all.
_GOES_ON = re.compile(r"\b(?:but|however|although|though|except)\b")
_APOLOGY = re.compile(r"(?:i'm|i am|we are)? ?sorry,? but")


def abstains(sentence: str) -> bool:
    """Whether a sentence only says that the answer is not known.

    >>> abstains("I'm sorry, but I don't know."), abstains("I don't know him, but he is Danish.")
    (True, False)
    """
    plain = " ".join(straight(sentence).lower().split())
    if '"' in plain or _ABSTAINS.match(plain) is None:
        return False
    return _GOES_ON.search(_APOLOGY.sub("", plain, count=1)) is None
