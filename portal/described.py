"""The one OpenAPI document: what the JSON API says of itself, made whole, and all other JSON.

django-ninja describes functions; what it does not know is added here: which scope of a token opens
which, that refusals are problems, that reads have an ETag, and the addresses beside /api/v1/.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from django.conf import settings
from ninja.operation import Operation
from ninja.security import SessionAuth

from portal.accounts.tokens import TokenAuth, TokenScope
from portal.lib.openapi import ETAG, Paths, Schema, refusal
from portal.lib.problems import CONTENT_TYPE

TEXT: Final = """All JSON of the portal in one document.

**Tokens.** Make one on the page of your account; it is shown once, has scopes, and expires. Send
it as `Authorization: Bearer fp_…`. What needs none is public, and pages of other sites may read it.

**Refusals** are `application/problem+json` (RFC 9457); `detail` says in words what to do next.

**ETags.** Reads have one: ask again with `If-None-Match`, and 304 says that nothing changed.

**Pages.** Long lists come in pages of `limit`; `next` (and the header `Link`) is the address of
the following one, or null.
"""
TAGS: Final = (
    ("search", "Everything public, searched."),
    ("uploads", "Files of a release: announced, sent in chunks, finished, looked at."),
    ("benchmarks", "Runs of benchmarks."),
    ("feedback", "Usage reports of fleets."),
    ("votes", "Where one's own vote is missing."),
    ("downloads", "The REST API of releases and their files."),
    ("releases", "Dates of support, repositories, mirrors, advisories."),
    ("statistics", "What servers with feedback on report, counted."),
    ("supporters", "Supporters and members."),
    ("governance", "Bodies, motions, bylaws, meetings and elections."),
)
REFUSALS: Final = {
    "400": "The request cannot be read",
    "401": "The token is missing, not good, or for something else",
    "403": "A second factor, or a token against forged requests, is missing",
    "404": "There is nothing at this address, or not for you",
    "413": "Too large",
    "415": "The body is said to be something else than JSON",
    "422": "What was sent does not fit; `errors` says where",
    "429": "Too often: wait and go on",
    "5XX": "The mistake is ours, or something is missing for a moment",
}


def completed(schema: Schema, operations: Iterable[tuple[str, Operation]], others: Paths) -> Schema:
    """The description of the API, whole. `operations` are its functions by their ids."""
    guards = {name: operation.auth_callbacks for name, operation in operations}
    for path, entry in schema["paths"].items():
        for method, described in entry.items():
            _complete(path, method, described, guards[described["operationId"]])
    schema["info"] |= {"description": TEXT, "license": {"name": "BSD-3-Clause"}}
    schema["servers"] = [{"url": settings.BASE_URL}]
    schema["tags"] = [{"name": name, "description": text} for name, text in TAGS]
    schema["paths"] |= others
    schema["components"]["securitySchemes"] = _schemes()
    return schema


def _complete(path: str, method: str, described: Schema, guards: Sequence[Any]) -> None:
    described["security"] = security = list(_security(guards))
    answers = described["responses"] = {str(k): v for k, v in described["responses"].items()}
    for status in _refusals(path, method, described, is_open=not security):
        answers.setdefault(status, refusal(REFUSALS[status]))
    for status, answer in answers.items():
        if status[0] in "45":
            content = answer.get("content", {})
            answer["content"] = {CONTENT_TYPE: next(iter(content.values()), {})}
            answer["description"] = REFUSALS.get(status, answer["description"])
    if method == "get":
        answers["200"]["headers"] = {"ETag": ETAG}
        answers["304"] = {"description": "Not changed: the ETag in If-None-Match is this one's"}


def _refusals(path: str, method: str, described: Schema, *, is_open: bool) -> Iterator[str]:
    """The statuses that nobody needs to write beside each function."""
    yield from ("400", "5XX")
    if not is_open:
        yield from ("401", "403")
    if "{" in path:
        yield "404"
    if described.get("parameters") or method == "post":
        yield "422"
    if "requestBody" in described:
        yield "413"
        if list(described["requestBody"]["content"]) == ["application/json"]:
            yield "415"


def _security(guards: Sequence[Any]) -> Iterator[dict[str, list[str]]]:
    for guard in guards:
        if isinstance(guard, TokenAuth):
            yield {"token": [guard.scope.value]}
        elif isinstance(guard, SessionAuth):
            yield {"session": []}
        else:
            yield {}  # or nobody in particular


def _schemes() -> Schema:
    scopes = [f"- `{scope.value}`: {scope.label}" for scope in TokenScope]
    return {
        "token": {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "fp_…",
            "description": "\n".join(["A token of an account, with scopes:", "", *scopes]),
        },
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": settings.SESSION_COOKIE_NAME,
            "description": "Pages of the portal; with the header X-CSRFToken where it changes.",
        },
    }
