"""Which gold sentence a prediction is about: by id where both sides have one, else by the exact text."""

from __future__ import annotations

from tupelo.core import Sentence


class SentenceIndex:
    """The gold sentences in order of appearance, each a unit with a number."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._by_id: dict[str, int] = {}
        self._by_text: dict[str, int] = {}

    def add(self, sentence: Sentence) -> int:
        """The unit of a gold sentence, a new one if it was not seen before."""
        unit = self._by_text.get(sentence.text) if sentence.id is None else self._by_id.get(sentence.id)
        if unit is None:
            unit = len(self.names)
            self.names.append(sentence.text if sentence.id is None else sentence.id)
            if sentence.id is not None:
                self._by_id[sentence.id] = unit
            # Of two gold sentences with one text, predictions without id go to the first.
            self._by_text.setdefault(sentence.text, unit)
        return unit

    def find(self, sentence: Sentence) -> int | None:
        """The unit that a predicted sentence belongs to, if gold has it."""
        if sentence.id is not None and sentence.id in self._by_id:
            return self._by_id[sentence.id]
        # Formats that know ids only leave the text empty, which means nothing here.
        return self._by_text.get(sentence.text) if sentence.text else None
