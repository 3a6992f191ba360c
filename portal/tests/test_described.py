"""The one OpenAPI document: valid, whole, and with an example for what is sent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from portal.accounts.tokens import TokenScope
from portal.api import api

HTTP = ("get", "post", "put", "patch", "delete")
# JSON that follows a standard of others, or that is for one person or one page.
ELSEWHERE = re.compile(
    r"/(?:advisories/csaf/.*|\.well-known/.*|governance/elections/[^/]*/manifest.json"
    r"|benchmarks/[^/]*/definition.json|statistics/servers/.*|api/.*)"
)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return dict(api.get_openapi_schema())


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, entry in document["paths"].items():
        for method in HTTP:
            if method in entry:
                yield path, method, entry[method]


def test_every_operation_has_a_name_of_its_own_a_summary_and_a_tag_that_is_explained(
    document: dict[str, Any],
) -> None:
    found = list(operations(document))
    names = [operation["operationId"] for _, _, operation in found]
    assert len(names) == len(set(names))
    tags = {tag["name"] for tag in document["tags"]}
    for path, _, operation in found:
        assert operation["summary"], path
        assert set(operation["tags"]) <= tags, path


def test_every_refusal_is_a_problem(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        for status, answer in operation["responses"].items():
            if status[0] in "45" and path != "/repositories/":
                [kind] = answer["content"]
                assert kind == "application/problem+json", (path, method, status)


def test_every_scope_that_opens_something_is_named_there(document: dict[str, Any]) -> None:
    asked = {
        scope
        for _, _, operation in operations(document)
        for guard in operation["security"]
        for scope in guard.get("token", [])
    }
    assert asked == set(TokenScope) - {TokenScope.PUBLISH_RELEASES}
    told = document["components"]["securitySchemes"]["token"]["description"]
    assert all(f"`{scope}`" in told for scope in TokenScope)


def test_every_read_says_that_it_has_an_etag(document: dict[str, Any]) -> None:
    without = {
        path
        for path, method, operation in operations(document)
        if method == "get" and "ETag" not in operation["responses"]["200"].get("headers", {})
    }
    assert without == {"/mirrors/status.json"}  # it tells the time


def test_every_example_fits_its_schema(document: dict[str, Any]) -> None:
    seen = 0
    for path, _, operation in operations(document):
        bodies = [*operation["responses"].values(), operation.get("requestBody", {})]
        for body in bodies:
            for content in body.get("content", {}).values():
                if "example" in content:
                    whole = {**content["schema"], "components": document["components"]}
                    jsonschema.Draft202012Validator(whole).validate(content["example"])
                    seen += 1
        for parameter in operation["parameters"]:
            if parameter["in"] == "path" and not path.startswith("/api/"):
                jsonschema.validate(parameter["example"], parameter["schema"])
                seen += 1
    assert seen > 20


def test_every_json_document_of_the_site_is_described(document: dict[str, Any]) -> None:
    described = {re.sub(r"{\w+}", "<>", path) for path in document["paths"]}
    found = {
        re.sub(r"<[^>]*>", "<>", address)
        for address in addresses(get_resolver())
        if address.endswith(".json") and not ELSEWHERE.match(address)
    }
    assert found - described == set()


def addresses(resolver: URLResolver, prefix: str = "/") -> Iterator[str]:
    for entry in resolver.url_patterns:
        address = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses(entry, address)
        elif isinstance(entry, URLPattern):
            yield address
