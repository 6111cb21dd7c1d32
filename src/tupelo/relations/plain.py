"""The base form of a relation, which identifies it."""

from __future__ import annotations

from tupelo.core import Analysis, Argument

# Words that change the tense, degree or truth of a relation, but not its identity.
_PASSING = frozenset(["ADV", "PART", "PUNCT", "DET", "INTJ"])
_AUXILIARIES = frozenset(["aux", "mark", "discourse"])


def relation_lemma(rel: Argument, analysis: Analysis) -> str:
    """The lemmas that identify the relation.

    Tense, modal verbs, negation and adverbs are omitted; passive auxiliaries and the copula of a noun are kept, since
    the roles of the arguments depend on them. Implied words keep their positions.
    """
    kept: list[str] = []
    tokens = iter(rel.tokens or ())
    pieces = rel.text.split()
    if len(pieces) != len(rel.tokens or ()) + len(rel.inferred):
        # Tokens can differ from space-separated words (`does n't`); then implied words go first.
        kept += [pieces[index].lower() for index in rel.inferred if index < len(pieces)]
        order: list[int | str] = list(rel.tokens or ())
    else:
        order = [pieces[index].lower() if index in rel.inferred else next(tokens) for index in range(len(pieces))]
    for item in order:
        if isinstance(item, str):
            kept.append({"is": "be", "was": "be", "are": "be", "were": "be", "has": "have"}.get(item, item))
            continue
        word = analysis.words[item]
        base = (word.deprel or "").partition(":")[0]
        if word.deprel == "aux:pass":
            kept.append("be")
        elif base in _AUXILIARIES or (word.upos in _PASSING and base != "compound"):
            continue
        else:
            kept.append((word.lemma or word.text).lower())
    return " ".join(kept) or rel.text.lower()
