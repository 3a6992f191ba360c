from typing import Any
from unittest import mock

import pytest
from django.http import HttpRequest
from django.test import Client, RequestFactory
from django.utils import translation
from ninja import NinjaAPI, Schema
from ninja.security import HttpBearer

from portal.api import api
from portal.reference import Field, groups, kind


class Token(HttpBearer):
    def authenticate(self, request: HttpRequest, token: str) -> str:
        return token


class Release(Schema):
    version: str
    size: int | None = None


def described() -> NinjaAPI:
    api = NinjaAPI(urls_namespace="described")

    @api.get("/releases/{version}", response=Release, tags=["releases"], summary="One release")
    def release(request: HttpRequest, version: str, mirror: str = "") -> None:
        """What a release is."""

    @api.post("/releases", response={201: Release}, tags=["releases"], auth=Token())
    def publish(request: HttpRequest, release: Release) -> None: ...

    @api.get("/ping")
    def ping(request: HttpRequest) -> None: ...

    return api


def schema_of(api: NinjaAPI) -> dict[str, Any]:
    """The description of an API that no table of contents holds."""
    return dict(api.get_openapi_schema(path_prefix="/api"))


def test_operations_stand_under_their_tag_with_what_they_take_and_answer() -> None:
    found = groups(schema_of(described()))
    assert list(found) == ["Releases", "General"]
    one, publish = found["Releases"]
    assert (one.method, one.path, one.summary) == ("GET", "/api/releases/{version}", "One release")
    assert one.text == "What a release is."
    assert one.fields == [
        Field("version", "path", "string", True, ""),
        Field("mirror", "query", "string", False, ""),
    ]
    assert not one.needs_token
    assert publish.needs_token
    assert [(f.name, f.kind, f.required) for f in publish.fields] == [
        ("version", "string", True),
        ("size", "integer or null", False),
    ]
    assert [(a.status, a.kind) for a in publish.answers] == [("201", "Release")]


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "integer"}, "integer"),
        ({"type": "string", "format": "date"}, "string (date)"),
        ({"type": "array", "items": {"$ref": "#/components/schemas/File"}}, "list of File"),
        ({"enum": ["deb", "rpm"]}, "deb | rpm"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({}, "any"),
    ],
)
def test_a_schema_is_a_word_or_two(schema: dict[str, object], words: str) -> None:
    assert kind(schema) == words


def test_a_parameter_is_described_in_the_words_of_its_author() -> None:
    parameter = {"name": "at", "in": "query", "schema": {"type": "string"}, "description": "When"}
    [operation] = groups({"paths": {"/x": {"get": {"parameters": [parameter]}}}})["General"]
    assert operation.fields == [Field("at", "query", "string", False, "When")]


def test_a_body_that_is_no_object_is_one_field() -> None:
    upload = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}
    entry = {"responses": {}, "requestBody": {"content": upload}}
    [operation] = groups({"paths": {"/chunk": {"put": entry}}})["General"]
    assert operation.fields == [Field("", "application/octet-stream", "string (binary)", True, "")]


def test_the_page_is_drawn_once_in_each_language(client: Client) -> None:
    page = "/api/v1/docs"
    english = client.get(page).content
    with mock.patch("portal.reference.groups", side_effect=AssertionError):
        assert client.get(page).content == english
    with translation.override("de"):
        german = api.docs.render_page(RequestFactory().get(page), api)
    assert "erforderlich" in german.content.decode()
    assert "erforderlich" not in english.decode()


def test_the_page_of_the_api_is_drawn_on_the_server(client: Client) -> None:
    text = client.get("/api/v1/docs").content.decode()
    assert "/api/v1/openapi.json" in text
    assert "<script>" not in text
