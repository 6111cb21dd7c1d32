from tupelo import Argument, Extraction
from tupelo.core import Attribution, Sentence, Span

text = "The spokesman said that the talks would resume on Monday ."
sentence = Sentence(text, id="7", document_id="news-12", tokens=tuple(text.split()))

resume = Extraction(
    sentence,
    rel=Argument("would resume", tokens=(6, 7)),
    arg1=Argument("the talks", tokens=(4, 5), spans=(Span(24, 33),)),
    args=(Argument("Monday", role="time"),),
    confidence=0.81,
    modality="would",
    attribution=Attribution(speaker="The spokesman", verb="said"),
)
print(resume)
print(resume.arg1.spans[0].of(text))
print(resume.triple())

# From plain strings, where nothing else is known:
said = Extraction.of(text, "said", ["The spokesman", "that the talks would resume on Monday"])
print(said.arg1, "|", said.rel, "|", said.args[0])
