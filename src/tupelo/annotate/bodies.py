"""What requests may carry. Anything else is refused before it reaches the code behind."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

# Numbers that every database and every browser can hold.
_MOST = 2**31 - 1
Number = Annotated[int, Path(ge=1, le=_MOST)]
Token = Annotated[str, Path(min_length=1, max_length=100)]
ItemName = Annotated[str, Path(min_length=1, max_length=200)]
After = Annotated[int | None, Query(ge=0, le=_MOST)]
ClientId = Annotated[str, Field(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Version = Annotated[int, Field(ge=0, le=_MOST)]
Comment = Annotated[str, Field(max_length=4000)]
Answer = dict[str, Any]
Role = Literal["annotator", "reviewer", "admin"]


class Body(BaseModel):
    """Unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid")


class Empty(Body):
    """Nothing, but as JSON."""


class Login(Body):
    name: Annotated[str, Field(min_length=1, max_length=100)]
    password: Annotated[str, Field(min_length=1, max_length=200)]


class Join(Login):
    participant: Annotated[str | None, Field(max_length=200)] = None


class NewPassword(Body):
    old: Annotated[str, Field(min_length=1, max_length=200)]
    new: Annotated[str, Field(min_length=1, max_length=200)]


class Practice(Body):
    answer: Answer


class Done(Body):
    done: Literal[True]


class Test(Body):
    client_id: ClientId
    answers: Annotated[dict[str, Answer], Field(max_length=1000)]


class Draft(Body):
    client_id: ClientId
    number: Annotated[int, Field(ge=1, le=_MOST)]
    answer: Answer


class HandIn(Body):
    client_id: ClientId
    version: Version
    answer: Answer
    seconds: Annotated[float | None, Field(ge=0, le=1e7)] = None


class Skip(Body):
    client_id: ClientId
    version: Version
    reason: Comment


class Undo(Body):
    client_id: ClientId
    version: Version


class Verdict(Body):
    client_id: ClientId
    right: bool
    comment: Comment = ""
    answer: Answer | None = None


class Decision(Body):
    client_id: ClientId
    version: Version
    answer: Answer
    comment: Comment = ""


class PersonChange(Body):
    role: Role | None = None
    active: bool | None = None
    state: Literal["training", "qualification", "working", "failed"] | None = None


class Invitation(Body):
    role: Role = "annotator"
    label: Annotated[str | None, Field(max_length=200)] = None
    days: Annotated[float, Field(gt=0, le=365)] = 14
