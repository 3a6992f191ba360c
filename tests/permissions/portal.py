from portal.cards.tests.test_cards import CARD
from tests.permissions import EVERYBODY, STAFF, Page

PAGES = {
    "home": Page(EVERYBODY),
    "theme": Page(EVERYBODY, method="POST"),
    "language": Page(EVERYBODY, method="POST"),
    "styleguide": Page(EVERYBODY),
    "csp_report": Page(EVERYBODY, method="POST"),
    "robots": Page(EVERYBODY),
    "favicon": Page(EVERYBODY),
    "sitemap": Page(EVERYBODY),
    "search:page": Page(EVERYBODY),
    "cards:picture": Page(EVERYBODY, sample=lambda cast: CARD.get_absolute_url()),
    "api:search_everything": Page(EVERYBODY),
    "health_live": Page(EVERYBODY),
    "health_ready": Page(EVERYBODY),
    "metrics": Page(STAFF),
    "api:openapi-json": Page(EVERYBODY),
    "api:openapi-view": Page(EVERYBODY),
}

SKIPPED = {
    "api:api-root": "the root of the JSON API has no page of its own: 404 for everybody",
}
