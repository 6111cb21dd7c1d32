"""The forms of requests. Their fields are the arguments of the same names in `tupelo.api`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, model_validator

from tupelo.serve.still import LONGEST_DRAWN

MOST_TEXTS = 1000
Text = Annotated[str, Field(examples=["Ann Lee founded Acme in Oslo. She sold it in May."])]
Confidence = Annotated[float, Field(ge=0, le=1)]


def _one_of(*names: str) -> Any:
    """The same for readers of the description: exactly one of these fields is there, and not null."""
    return {"oneOf": [{"required": [name], "properties": {name: {"not": {"type": "null"}}}} for name in names]}


class Form(BaseModel):
    model_config = ConfigDict(extra="forbid")


class TextForm(Form):
    """One `text`, or several `texts`, each of them a document of its own."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_one_of("text", "texts"))

    text: Text | None = None
    texts: Annotated[list[Text], Field(max_length=MOST_TEXTS)] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        if (self.text is None) == (self.texts is None):
            raise ValueError("expected either text or texts")
        return self

    @property
    def items(self) -> Sequence[str]:
        return [self.text] if self.text is not None else self.texts or []

    @property
    def is_batch(self) -> bool:
        return self.texts is not None

    @property
    def options(self) -> dict[str, Any]:
        """Everything but the texts: the options of the call."""
        return self.model_dump(exclude={"text", "texts"})

    def size(self, text: str) -> int:
        return len(text)


class AnalyzeForm(TextForm):
    lines: bool = Field(default=False, description="Every line is a sentence.")
    constituents: bool = Field(default=True, description="With trees of phrases.")
    coreference: bool = Field(default=False, description="With mentions, and chains of what they are about.")


class ExtractForm(TextForm):
    lines: bool = Field(default=False, description="Every line is a sentence.")
    width: Literal["minimal", "standard", "maximal"] = "standard"
    prepositions: Literal["relation", "argument"] = "relation"
    coreference: bool = Field(default=True, description="Pronouns and short names are resolved.")
    min_confidence: Confidence | None = Field(
        default=None, description="Tuples below it are left out; by default those more likely wrong than right."
    )
    all: bool = Field(default=False, description="With shorter forms, and tuples that say little.")


Source: TypeAlias = str | Annotated[list[str], Field(max_length=MOST_TEXTS)]


class Pair(Form):
    """A text and the source that it should agree with: one passage, or several. It may answer a question."""

    text: str = Field(examples=["Ann Lee founded Acme in Bergen."])
    source: Source = Field(examples=["Ann Lee founded Acme in Oslo."])
    question: str = ""

    @property
    def passages(self) -> list[str]:
        return [self.source] if isinstance(self.source, str) else self.source


class CheckForm(Form):
    """A `text` with its `source`, or several such `pairs`."""

    model_config = ConfigDict(extra="forbid", json_schema_extra=_one_of("text", "pairs"))

    text: str | None = Field(default=None, examples=["Ann Lee founded Acme in Bergen."])
    source: Source | None = Field(default=None, examples=["Ann Lee founded Acme in Oslo."])
    question: str = Field(default="", description="What the text answers.")
    pairs: Annotated[list[Pair], Field(max_length=MOST_TEXTS)] | None = None

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        given = [self.text is not None, self.source is not None, self.pairs is not None]
        if given not in ([True, True, False], [False, False, True]):
            raise ValueError("expected either text and source, or pairs")
        return self

    @property
    def items(self) -> Sequence[Pair]:
        if self.pairs is not None:
            return self.pairs
        return [Pair(text=self.text or "", source=self.source or "", question=self.question)]

    @property
    def is_batch(self) -> bool:
        return self.pairs is not None

    def size(self, pair: Pair) -> int:
        return len(pair.text) + len(pair.question) + sum(map(len, pair.passages))


class DrawForm(Form):
    """One sentence to draw."""

    text: str = Field(min_length=1, max_length=LONGEST_DRAWN, examples=["Dogs chase cats."])
    dependencies: bool = True
    constituents: bool = True


class FilesForm(Form):
    """The common fields of scores of files. A file is given as its whole content."""

    scorer: str = Field(default="carb", description="A scorer of tuples: carb, oie2016, wire57, benchie, robust.")
    gold: str
    format: str = Field(default="auto", description="The format of the predictions.")
    gold_format: str | None = Field(default=None, description="The format of the gold; by default the scorer's own.")
    options: dict[str, bool | str] = Field(default={}, description="Options of the scorer, such as matcher.")
    fixes: list[str] = Field(default=[], description="Quirks of the original program to fix, or all.")


class ScoreForm(FilesForm):
    """Gold tuples and those of a system, each the whole content of a file."""

    predicted: str
    curve: bool = Field(default=False, description="With precision, recall and threshold of up to 200 points.")
    error_page: bool = Field(default=False, description="With a page (HTML) of the worst sentences and their errors.")


class CompareForm(FilesForm):
    """Gold tuples and those of several systems by name, the baseline first, each the whole content of a file."""

    predicted: dict[str, str] = Field(min_length=2, max_length=8)
    samples: int = Field(default=1000, ge=1, le=2000)
    seed: int = Field(default=12345, ge=0, lt=1 << 32)
