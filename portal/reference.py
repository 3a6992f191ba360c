"""The page that explains the JSON API, drawn on the server from its OpenAPI description."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.openapi.docs import DocsBase

Schema = dict[str, Any]
METHODS = ("get", "post", "put", "patch", "delete", "head")


@dataclass(frozen=True, slots=True)
class Field:
    """A parameter, or a part of a body."""

    name: str
    place: str
    kind: str
    required: bool
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A status code and what comes with it."""

    status: str
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One method of one path."""

    key: str
    method: str
    path: str
    summary: str
    text: str
    needs_token: bool
    fields: list[Field]
    answers: list[Answer]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What of the page is the same for every visitor."""

    title: str
    tags: list[str]
    operations: SafeString


class Reference(DocsBase):
    """Swagger's own page needs data: pictures and a megabyte of script; this one needs neither.

    The API is the same as long as the process runs, so it is drawn once in each language.
    """

    def __init__(self) -> None:
        self._drawn: dict[str, Drawn] = {}

    def render_page(self, request: HttpRequest, api: NinjaAPI, **kwargs: Any) -> HttpResponse:
        language = get_language() or ""
        if language not in self._drawn:
            self._drawn[language] = drawn(dict(api.get_openapi_schema(path_params=kwargs)))
        told = self._drawn[language]
        context = {
            "title": told.title,
            "tags": told.tags,
            "operations": told.operations,
            "openapi_url": self.get_openapi_url(api, kwargs),
        }
        return render(request, "api.html", context)


def drawn(schema: Schema) -> Drawn:
    found = groups(schema)
    operations = render_to_string("api_operations.html", {"groups": found})
    return Drawn(schema["info"]["title"], list(found), operations)


def groups(schema: Schema) -> dict[str, list[Operation]]:
    """The operations of an OpenAPI description under their tags, in the order they are declared."""
    found: dict[str, list[Operation]] = {}
    for path, entry in schema["paths"].items():
        for method in METHODS:
            if method in entry:
                tag = next(iter(entry[method].get("tags", [])), "") or _("General")
                found.setdefault(tag.capitalize(), []).append(
                    _operation(path, method, entry[method], schema)
                )
    return found


def _operation(path: str, method: str, entry: Schema, schema: Schema) -> Operation:
    return Operation(
        key=entry.get("operationId", f"{method}-{path}"),
        method=method.upper(),
        path=path,
        summary=entry.get("summary", ""),
        text=entry.get("description", ""),
        needs_token=bool(entry.get("security")),
        fields=[*_parameters(entry), *_body(entry, schema)],
        answers=list(_answers(entry)),
    )


def _parameters(entry: Schema) -> Iterable[Field]:
    places = {"path": _("path"), "query": _("query"), "header": _("header"), "cookie": _("cookie")}
    for parameter in entry.get("parameters", []):
        described = parameter.get("schema", {})
        yield Field(
            name=parameter["name"],
            place=places[parameter["in"]],
            kind=kind(described),
            required=parameter.get("required", False),
            text=parameter.get("description") or described.get("description", ""),
        )


def _body(entry: Schema, schema: Schema) -> Iterable[Field]:
    for media, content in entry.get("requestBody", {}).get("content", {}).items():
        body = _resolved(content.get("schema", {}), schema)
        required = body.get("required", [])
        for name, described in body.get("properties", {}).items():
            text = described.get("description", "")
            yield Field(name, media, kind(described), name in required, text)
        if not body.get("properties"):
            yield Field("", media, kind(body), True, body.get("description", ""))


def _answers(entry: Schema) -> Iterable[Answer]:
    for status, answer in entry.get("responses", {}).items():
        media: Schema = next(iter(answer.get("content", {}).values()), {})
        shape = kind(media["schema"]) if "schema" in media else ""
        yield Answer(str(status), answer.get("description", ""), shape)


def _resolved(described: Schema, schema: Schema) -> Schema:
    """The component that a reference names."""
    if "$ref" not in described:
        return described
    name = described["$ref"].rsplit("/", 1)[-1]
    component: Schema = schema["components"]["schemas"][name]
    return component


def kind(described: Schema) -> str:
    """A JSON schema in a word or two: "integer", "list of Release", "string or null"."""
    if "$ref" in described:
        return str(described["$ref"].rsplit("/", 1)[-1])
    for key in ("anyOf", "oneOf", "allOf"):
        if key in described:
            return _(" or ").join(kind(part) for part in described[key])
    if "enum" in described:
        return " | ".join(str(value) for value in described["enum"])
    if described.get("type") == "array":
        return _("list of %(kind)s") % {"kind": kind(described.get("items", {}))}
    if described.get("format"):
        return f"{described.get('type', '')} ({described['format']})"
    return str(described.get("type", _("any")))
