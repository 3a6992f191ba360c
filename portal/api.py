"""The JSON API of the portal: each app gives a router, this file is its table of contents."""

from ninja import NinjaAPI

from benchmarks.api import router as benchmarks
from feedback.api import router as feedback
from portal.reference import Reference
from portal.search.api import router as search
from releases.api import router as releases

api = NinjaAPI(
    title="Foundation Portal API",
    version="1",
    urls_namespace="api",
    docs=Reference(),
    docs_url="/docs",
    openapi_url="/openapi.json",
)

api.add_router("/benchmarks/", benchmarks)
api.add_router("/feedback/", feedback)
api.add_router("/search", search)
api.add_router("/uploads", releases)
