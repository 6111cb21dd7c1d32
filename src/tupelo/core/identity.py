"""Statements of users about identity: aliases of names, and corrections."""

from __future__ import annotations

from dataclasses import dataclass

from tupelo.core.errors import InputError

VERDICTS = {"same": "two names mean one thing", "different": "two names mean two things"}


@dataclass(frozen=True, slots=True)
class Alias:
    """A name that stands for another one; for things of the type `label` only, where given."""

    canonical: str
    alias: str
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Correction:
    """Two names and a verdict of `VERDICTS`; each means one document only, where a source is given."""

    verdict: str
    first: str
    second: str
    first_source: str | None = None
    second_source: str | None = None

    @classmethod
    def of(cls, verdict: str, first: str, second: str) -> Correction:
        """A correction of names as people write them, perhaps with `@` and a source.

        >>> Correction.of("different", "Paris@travel.txt", "Paris@news.txt").sides
        (('Paris', 'travel.txt'), ('Paris', 'news.txt'))
        """
        (one, one_source), (other, other_source) = _name_and_source(first), _name_and_source(second)
        return cls(verdict, one, other, one_source, other_source)

    @property
    def sides(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The names with their sources, empty for all documents."""
        return (self.first, self.first_source or ""), (self.second, self.second_source or "")

    @property
    def written(self) -> tuple[str, str, str]:
        """Verdict and names as `of` takes them.

        >>> Correction.of("same", "Obama@a.txt", "Barack Obama").written
        ('same', 'Obama@a.txt', 'Barack Obama')
        """
        first, second = (f"{name}@{source}" if source else name for name, source in self.sides)
        return self.verdict, first, second


def _name_and_source(text: str) -> tuple[str, str | None]:
    # The first character belongs to the name: *@tupelo*.
    at = text.find("@", 1)
    name, source = (text, "") if at < 0 else (text[:at], text[at + 1 :])
    if not name.strip() or (at >= 0 and not source):
        raise InputError(f"'{text}', expected a name, or a name and a source: Paris@travel.txt")
    return name.strip(), source or None
