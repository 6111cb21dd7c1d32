"""Roles, who did what to whom: whether an answer has the role in a tuple that the question asks for."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.nlp.languages import words
from tupelo.nlp.languages.en.grammar import FORMS_OF_DO
from tupelo.nlp.syntax import DependencyTree
from tupelo.relations.forms import families, plain_form

_GIVING, _TAKING = words("questions", "giving"), words("questions", "taking")


@dataclass(frozen=True, slots=True)
class Role:
    """A place in a relation: its subject, or not; `preposition` is the one before it, if it is known."""

    relation: str
    is_subject: bool
    preposition: str = ""

    @property
    def side(self) -> str | None:
        """Of an exchange, the one who gives or the one who takes."""
        form = plain_form(self.relation)
        verb, *_ = form.key.split() or [""]
        if verb not in _GIVING | _TAKING:
            return None
        acts = self.is_subject != form.turned
        after = self.preposition or form.key.rpartition(" ")[2]
        if not acts and after not in ("from", "to"):
            return None
        gives = (verb in _GIVING) if acts else after == "from"
        return "giver" if gives else "taker"

    @property
    def families(self) -> dict[int | str, bool]:
        """The families of the relation, each with whether this is the first of the two; not those that are mutual."""
        form = plain_form(self.relation)
        known = dict(families().of.get(form.key, ()))
        first = self.is_subject != form.turned
        found: dict[int | str, bool] = {
            family: first != exchanged for family, exchanged in known.items() if family not in families().symmetric
        }
        return found if len(found) < len(known) else {form.key: first, **found}

    def agrees(self, other: Role) -> bool | None:
        """Whether two roles are the same; `None` where the relations have nothing in common.

        >>> Role("sold", True).agrees(Role("has bought", True)), Role("sold", True).agrees(Role("was sold by", False))
        (False, True)
        """
        if self.side and other.side:
            return self.side == other.side
        mine, theirs = self.families, other.families
        shared = [mine[family] == theirs[family] for family in mine.keys() & theirs.keys()]
        return any(shared) if shared else None


def asked_role(tree: DependencyTree, asking: int, head: int) -> Role | None:
    """The role that a question asks for, given its question word and the head of the question phrase."""
    if tree.tag(asking) == "WRB" or any(tree.lowered[i] in ("many", "much") for i in tree.below[head]):
        return None
    place = next((one for one in (head, asking) if tree.heads[one] is not None), None)
    root = tree.heads[place] if place is not None else asking
    if place is None or (root is not None and tree.upos(root) == "NOUN"):
        # *Who is the successor of Ann?*
        noun = tree.child(asking, "nsubj") if place is None else root
        of = noun is not None and tree.upos(noun) == "NOUN" and tree.child(noun, "nmod") is not None
        asks_owner = tree.tag(asking) == "WP$"
        return (
            Role(f"is the {tree.lowered[noun]} of", not asks_owner)
            if noun is not None and (of or asks_owner)
            else None
        )
    if root is None or tree.upos(root) != "VERB":
        return None
    passive = tree.child(root, "aux:pass") is not None
    verbs = [i for i in (*tree.children(root, "aux:pass"), root) if tree.lowered[i] not in FORMS_OF_DO]
    relation = " ".join(tree.lowered[i] for i in sorted(verbs))
    case = tree.child(place, "case")
    stranded = next(
        (i for i in tree.below[root] if tree.tag(i) == "IN" and i > root and tree.base[i] != "mark"), None
    )
    preposition = tree.lowered[case] if case is not None else tree.lowered[stranded] if stranded is not None else ""
    subject = tree.base[place] == "nsubj"
    return Role(f"{relation} by" if passive else relation, subject, "" if subject else preposition)
