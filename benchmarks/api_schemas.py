"""What the upload API takes and answers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final
from uuid import UUID

from ninja import Field, Schema

from portal.lib.problems import Problem

EXAMPLE: Final = {
    "results": [{"command": "select 1", "mean": 0.0021, "times": [0.0021, 0.002, 0.0022]}]
}
FILE: Final = {"schema": {"type": "object"}, "example": EXAMPLE}  # each tool has a form of its own
PART: Final = {"type": "string", "contentMediaType": "application/octet-stream"}
FIELDS: Final = ("run_id", "suite", "title", "environment", "map", "contact", "signature", "key_id")
FORM: Final = {
    "type": "object",
    "properties": {"file": PART, **{name: {"type": "string"} for name in (*FIELDS, "identity")}},
    "required": ["file"],
}
BODY: Final[dict[str, Any]] = {
    "requestBody": {
        "required": True,
        "description": "The file as the tool wrote it (gzip is fine), or a form with `file`,"
        " `run_id`, `suite`, `title`, `environment` (JSON), `map` (what the parts of names are,"
        " such as `connector case _ transport`), `contact` (where to answer, without a token),"
        " `signature` and `key_id` (Ed25519 over the bytes of the file), or `identity` (a token of"
        " a CI). With the bare file, the same names may stand in the query.",
        "content": {
            "application/json": FILE,
            "text/plain": {"schema": {"type": "string"}},
            "multipart/form-data": {"schema": FORM},
        },
    }
}


class RunOut(Schema):
    """A kept run. ``compare`` leads to its first two subjects against each other.

    ``claim`` and ``delete`` are for a new run without an account: the first, once, makes it the
    run of an account; the second takes it away. Nobody can read them again.
    """

    id: str
    state: str
    trust: int
    suite: str
    results: int
    address: str
    compare: str
    remarks: list[str]
    claim: str = ""
    delete: str = ""


class ReadOut(Schema):
    """A result as it was read; ``place`` is where it stands in the file."""

    place: str
    subject: str
    version: str
    case: str
    params: dict[str, Any]
    metric: str
    unit: str
    processes: int
    samples: int
    error: str


class PreviewOut(Schema):
    """What a file would become. ``environment`` is all that would be public of the machine.

    ``results`` counts them all, ``read`` holds the first; ``unmapped`` says what is kept but cannot
    be placed, ``trust`` on which rung the run would stand, ``signed_as`` whose signature counts.
    """

    format: str
    suite: str
    title: str
    state: str
    trust: int
    signed_as: str
    machine: str
    environment: dict[str, Any]
    results: int
    read: list[ReadOut]
    remarks: list[str]
    unmapped: list[str]
    advice: list[str]


class Asked(Schema):
    """What a list of runs is narrowed to."""

    suite: str = Field(
        "", max_length=50, pattern="^[a-z0-9_-]*$", description="only this suite", examples=[""]
    )
    limit: int = Field(50, ge=1, le=200, description="runs of a page")
    before: int = Field(0, ge=0, le=2**62, description="as `next` says it")


class RunEntry(Schema):
    """A run in a list."""

    id: UUID
    suite: str = Field(examples=["protocol"])
    title: str
    trust: int = Field(description="the rung of the ladder, 0 to 5")
    uploaded_at: datetime
    address: str = Field(description="the page of the run")
    data: str = Field(description="the run with everything measured")


class RunPage(Schema):
    """Newest first. ``next`` is the address of the following page, or null."""

    runs: list[RunEntry]
    next: str | None


class RunData(Schema):
    """A run as its page shows it, with a row for each result."""

    id: UUID
    suite: str
    state: str
    trust: int
    title: str
    format: str
    tool: Any
    source: str
    environment: Any
    order: str
    uploaded_at: datetime
    computed: bool = Field(description="whether its statistics are there already")
    remarks: list[Any]
    tags: list[Any]
    reason: str
    signed_as: str
    superseded_by: UUID | None
    results: list[dict[str, Any]]


class RefusedOut(Problem):
    """``place`` is a JSON pointer into the file, or a line."""

    place: str
    reason: str
