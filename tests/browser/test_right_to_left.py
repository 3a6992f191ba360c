"""A language that runs from right to left: the pages turn around, and nothing sticks out.

Django knows how Arabic is written; the words of the portal stay English, which is enough to see
whether boxes, tables and forms follow `dir`.
"""

from typing import Any

import pytest

from tests.browser.conftest import Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
PATHS = (
    *("/", "/styleguide/", "/join/", "/releases/", "/repositories/", "/news/", "/supporters/"),
    *("/governance/", "/governance/motions/", "/governance/elections/", "/statistics/"),
    *("/benchmarks/", "/donate/", "/search/?q=release", "/accounts/login/", "/accounts/signup/"),
)


@pytest.mark.parametrize("width", [360, 1280])
def test_pages_turn_around_and_nothing_sticks_out(settings: Any, visit: Visit, width: int) -> None:
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربية")]
    visitor = visit(width=width)
    visitor.open("/styleguide/")
    visitor.page.get_by_role("button", name="العربية").click()
    for path in PATHS:
        visitor.open(path)
        root = visitor.page.locator("html")
        assert (root.get_attribute("lang"), root.get_attribute("dir")) == ("ar", "rtl"), path
        assert visitor.overflow() == [], path
        visitor.assert_clean()
    mark = visitor.page.locator(".brand").bounding_box()
    assert mark is not None
    assert mark["x"] > width / 2 - mark["width"], "the mark stands at the right"
