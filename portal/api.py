"""The JSON API of the portal: each app gives a router, this file is its table of contents."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from ninja import NinjaAPI
from ninja.errors import HttpError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser

from benchmarks.api import router as benchmarks
from feedback.api import router as feedback
from feedback.described import PATHS as STATISTICS
from governance.api import router as votes
from governance.described import PATHS as GOVERNANCE
from portal.described import completed
from portal.lib.problems import problem
from portal.members.described import PATHS as MEMBERS
from portal.reference import Reference
from portal.search.api import router as search
from portal.sponsors.described import PATHS as SUPPORTERS
from releases.api import router as releases
from releases.described import PATHS as RELEASES
from releases.restapi.described import PATHS as DOWNLOADS


class WrongKindError(Exception):
    """The body is said to be something else than JSON."""


class JsonParser(Parser):
    """A body is JSON, and is said to be."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        if request.content_type not in ("application/json", ""):
            raise WrongKindError
        return super().parse_body(request)


class PortalAPI(NinjaAPI):
    """Describes all JSON of the site, not its own functions alone."""

    def get_openapi_schema(self, **named: Any) -> OpenAPISchema:
        others = DOWNLOADS | RELEASES | STATISTICS | SUPPORTERS | MEMBERS | GOVERNANCE
        schema = super().get_openapi_schema(**named)
        schema.update(completed(dict(schema), self._operations(), others))
        return schema

    def _operations(self) -> Iterator[tuple[str, Operation]]:
        for router in self._get_bound_routers():
            for view in router.path_operations.values():
                for operation in view.operations:
                    name = operation.operation_id or self.get_openapi_operation_id(operation)
                    yield name, operation


api = PortalAPI(
    title="Foundation Portal API",
    version="1",
    urls_namespace="api",
    parser=JsonParser(),
    docs=Reference(),
    docs_url="/docs",
    openapi_url="/openapi.json",
)


@api.exception_handler(HttpError)
def refusal(request: HttpRequest, error: HttpError) -> HttpResponse:
    """As it is; a body of a wrong kind is told apart from one that cannot be read."""
    status, words = error.status_code, str(error)
    if isinstance(error.__cause__, WrongKindError):
        status, words = 415, _("Send JSON, and say so: Content-Type: application/json.")
    return api.create_response(request, problem(status, words), status=status)


@api.exception_handler(RequestDataTooBig)
def too_large(request: HttpRequest, error: Exception) -> HttpResponse:
    """Where a function reads no body itself."""
    words = _("This is too much for one request.")
    return api.create_response(request, problem(413, words), status=413)


api.add_router("/benchmarks/", benchmarks)
api.add_router("/feedback/", feedback)
api.add_router("/search", search)
api.add_router("/uploads", releases)
api.add_router("/votes", votes)
