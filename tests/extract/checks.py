"""What holds for every tuple of ours, whatever the sentence was."""

from __future__ import annotations

from tupelo.core import Analysis, Argument, Extraction
from tupelo.extract.parts import is_true_to


def parts_of(extraction: Extraction) -> list[Argument]:
    return [extraction.rel, *extraction.arguments, *([extraction.context] if extraction.context else [])]


def check(extraction: Extraction, analysis: Analysis) -> None:
    """Spans inside the sentence and equal to the text, tokens that agree with them, a confidence that is one."""
    sentence = extraction.sentence
    assert sentence.text == analysis.text
    assert sentence.tokens == tuple(word.text for word in analysis.words)
    assert extraction.arg1 is not None
    assert extraction.confidence is not None
    assert 0.0 <= extraction.confidence <= 1.0
    for part in parts_of(extraction):
        assert part.text.strip(), extraction
        assert part.text == " ".join(part.text.split())
        assert is_true_to(part, sentence), (part, sentence.text)
        assert part.tokens is not None
        assert part.spans is not None
        for token in part.tokens:
            word = analysis.words[token]
            begin, end = word.start - analysis.start, word.end - analysis.start
            assert any(span.start <= begin and end <= span.end for span in part.spans)
        assert all(position < len(part.text.split()) for position in part.inferred)
