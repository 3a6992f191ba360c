"""Words for describing addresses that are not functions of the JSON API, in OpenAPI 3.1."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

Schema = dict[str, Any]
Paths = dict[str, Schema]

IN_PATH: Final = re.compile(r"{(\w+)}")
TEXT: Final[Schema] = {"type": "string"}
FLAG: Final[Schema] = {"type": "boolean"}
NUMBER: Final[Schema] = {"type": "integer"}
SHARE: Final[Schema] = {"type": "number"}
URL: Final[Schema] = {"type": "string", "format": "uri"}
DATE: Final[Schema] = {"type": "string", "format": "date"}
MOMENT: Final[Schema] = {"type": "string", "format": "date-time"}
ANYTHING: Final[Schema] = {"type": "object"}  # described elsewhere, or by its own standard
ETAG: Final[Schema] = {"description": "changes with the body", "schema": TEXT}
PROBLEM: Final[Schema] = {"$ref": "#/components/schemas/Problem"}


def a(**members: Schema) -> Schema:
    """An object of exactly these members."""
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def many(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def maybe(schema: Schema) -> Schema:
    """The same, or null."""
    return {"anyOf": [schema, {"type": "null"}]}


def by_name(value: Schema) -> Schema:
    """An object whose names are those of things."""
    return {"type": "object", "additionalProperties": value}


def one_of(*words: str | None) -> Schema:
    return {"enum": list(words)}


def query(name: str, text: str, *, example: str = "") -> Schema:
    """A parameter of the address that may be left out; what makes no sense is as if left out."""
    found: Schema = {"name": name, "in": "query", "description": text, "schema": TEXT}
    return found | ({"example": example} if example else {})


def read(
    path: str,
    summary: str,
    *,
    tag: str,
    answer: Schema,
    names: Mapping[str, str] | None = None,
    queries: Sequence[Schema] = (),
    example: object = None,
    has_etag: bool = True,
    text: str = "",
) -> Paths:
    """The description of an address that anybody may read; `names` gives a value for each name in
    its path. With names there may be nothing: then 404.
    """
    values = names or {}
    in_path = [_in_path(name, values[name]) for name in IN_PATH.findall(path)]
    body: Schema = {"schema": answer} | ({"example": example} if example is not None else {})
    told: Schema = {"description": "OK", "content": {"application/json": body}}
    answers: Schema = {"200": told}
    if has_etag:
        told["headers"] = {"ETag": ETAG}
        answers["304"] = {"description": "Not changed: the ETag in If-None-Match is this one's"}
    answers["400"] = refusal("The address cannot be read")
    if in_path:
        answers["404"] = refusal("There is nothing by this name")
    return {
        path: {
            "get": {
                "operationId": operation_id(path),
                "summary": summary,
                "description": text,
                "tags": [tag],
                "parameters": [*in_path, *queries],
                "responses": answers,
                "security": [],
            }
        }
    }


def refusal(words: str) -> Schema:
    """An answer that is a problem."""
    return {"description": words, "content": {"application/problem+json": {"schema": PROBLEM}}}


def operation_id(path: str) -> str:
    """
    >>> operation_id("/rest-api/{product}/latest/")
    'rest_api_product_latest'
    """
    return re.sub(r"\W+", "_", path).strip("_")


def _in_path(name: str, example: str) -> Schema:
    schema = {"type": "string", "pattern": r"^[A-Za-z0-9._-]+$"}
    return {"name": name, "in": "path", "required": True, "schema": schema, "example": example}
