"""A refusal in the form of RFC 9457, the same wherever a program asks."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from ninja import Field, Schema, Status

CONTENT_TYPE: Final = "application/problem+json"


class Fault(Schema):
    """One thing that is wrong with what was sent."""

    detail: str
    pointer: str = Field("", description="where in the body, as a JSON pointer")
    parameter: str = Field("", description="or which parameter of the address")


class Problem(Schema):
    """Why nothing was done. `detail` is for people and says what to do next."""

    type: str = Field("about:blank", description="the status says what kind it is")
    title: str = Field(examples=["Not Found"])
    status: int = Field(examples=[404])
    detail: str = Field(examples=["There is nothing at this address."])
    errors: list[Fault] | None = Field(None, description="with 422, each thing that is wrong")


def problem(status: int, detail: str, **more: object) -> dict[str, Any]:
    """The body of a refusal; `more` are members of its own."""
    title = HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}


def refused(status: int, detail: str, **more: object) -> Status[dict[str, Any]]:
    """What a function of the API returns to refuse."""
    return Status(status, problem(status, detail, **more))
