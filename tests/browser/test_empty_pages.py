"""What an empty page shows stands apart from the words above it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]
PAGES = ["rules", "meetings", "motions", "resolutions", "bodies", "interests", "actions"]
GAP = """
(box) => {
  const before = box.previousElementSibling ?? box.parentElement.previousElementSibling;
  return box.getBoundingClientRect().top - before.getBoundingClientRect().bottom;
}
"""


@pytest.mark.parametrize("width", [360, 1280])
def test_an_empty_page_of_governance_does_not_stick_to_its_lede(visit: Visit, width: int) -> None:
    visitor = visit(width=width)
    for name in PAGES:
        visitor.open(f"/governance/{name}/")
        box = visitor.page.locator(".empty").first
        expect(box).to_be_visible()
        assert box.evaluate(GAP) >= 16, name
        assert visitor.overflow() == []
