"""The JSON API of the portal: each app gives a router, this file is its table of contents."""

from ninja import NinjaAPI

api = NinjaAPI(
    title="Foundation Portal API",
    version="1",
    urls_namespace="api",
    docs_url=None,
    openapi_url="/openapi.json",
)
