"""Path 1: a company signs up. Real processes, Chromium, the hosted page in its own process."""

import re
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from stdnum.iso7064 import mod_11_10

from tests.browser.conftest import browser  # noqa: F401
from tests.browser.visitor import Visitor
from tests.stack import Stack

pytestmark = pytest.mark.proof
LOGO = Path(__file__).resolve().parent.parent / "static" / "img" / "logos" / "tessera.svg"
PATIENCE = 20.0  # seconds


@pytest.fixture
def visitor(stack: Stack, browser: Browser) -> Iterator[Visitor]:  # noqa: F811
    window = Visitor(browser, stack.url)
    window.page.set_default_timeout(20_000)
    yield window
    window.close()


def press(page: Page, name: str) -> None:
    page.locator("main").get_by_role("button", name=re.compile(name)).click()


def vat_number(name: str) -> str:
    """A German one that belongs to the company of this name alone."""
    digits = f"{10_000_000 + zlib.crc32(name.encode()) % 90_000_000}"
    return "DE" + digits + str(mod_11_10.calc_check_digit(digits))


def mistyped(number: str) -> str:
    return number[:-1] + str((int(number[-1]) + 1) % 10)


def signed_up(visitor: Visitor, name: str, tier: str = "Silver") -> None:
    """From the tiers to the hosted page, as a person would: with a mistake on the way."""
    page = visitor.page
    visitor.open("/join/")
    visitor.assert_clean()
    page.get_by_role("link", name=f"Choose {tier}").click()
    page.get_by_label("Legal name").fill(f"{name} GmbH")
    page.get_by_label("Postal address").fill("Musterweg 1\n10115 Berlin")
    page.get_by_label("Name to show").fill(name)
    page.get_by_label("Country").select_option("DE")
    page.get_by_label("VAT number").fill(mistyped(vat_number(name)))
    page.get_by_label("Owner, name").fill("Olga")
    page.get_by_label("Owner, e-mail").fill(f"olga@{name.lower()}.example")
    press(page, "Save and go on")
    expect(page.get_by_role("alert")).to_contain_text("check digits do not fit")
    expect(page.get_by_label("Legal name")).to_have_value(f"{name} GmbH")
    page.get_by_label("VAT number").fill(vat_number(name))
    press(page, "Save and go on")
    visitor.assert_clean()
    page.get_by_label("Logo").set_input_files(LOGO)
    press(page, "Upload")
    expect(page.get_by_role("heading", name="This is how it will look")).to_be_visible()
    bad = {"name": "logo.svg", "mimeType": "image/svg+xml", "buffer": b"<svg>broken"}
    page.get_by_label("Logo").set_input_files(bad)  # type: ignore[arg-type]
    press(page, "Save and go on")
    expect(page.get_by_role("alert")).to_contain_text("cannot be read")
    expect(page.get_by_role("heading", name="This is how it will look")).to_be_visible()
    press(page, "Save and go on")
    page.get_by_label("I have read the agreement").check()
    press(page, "Accept and go on")
    visitor.assert_clean()
    press(page, "Order for")
    page.wait_for_url(re.compile("/pay/cs_twin_"))
    visitor.assert_clean()


def paid_by(visitor: Visitor, way: str) -> None:
    visitor.page.get_by_role("radio", name=re.compile(f"^{way}")).check()
    press(visitor.page, "Pay")


def is_shown(visitor: Visitor, name: str) -> bool:
    visitor.open("/supporters/")
    return name in visitor.page.locator("main").inner_html()


def term_of(stack: Stack, name: str) -> list[tuple[object, ...]]:
    query = """SELECT term.id FROM members_term term JOIN members_organisation organisation
        ON organisation.id = term.organisation_id WHERE organisation.name = %s"""
    return stack.sql(query, (name,))


def entries_of(stack: Stack, name: str) -> list[tuple[object, ...]]:
    query = """SELECT entry.kind, entry.amount_minor FROM payments_ledgerentry entry
        JOIN payments_order o ON o.id = entry.order_id
        JOIN sponsors_application a ON a.order_id = o.id WHERE a.name = %s"""
    return stack.sql(query, (name,))


def receipts_of(stack: Stack, name: str) -> list[tuple[object, ...]]:
    query = """SELECT recipient FROM lib_outboxmail WHERE key LIKE 'application.paid:%%'
        AND recipient = %s"""
    return stack.sql(query, (f"olga@{name.lower()}.example",))


def until(question: object, wanted: object, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while True:
        found = question()  # type: ignore[operator]
        if found == wanted:
            return
        assert time.monotonic() < deadline, f"{found!r} is not {wanted!r}"
        time.sleep(0.2)


def test_a_company_signs_up_pays_and_is_shown_at_once(stack: Stack, visitor: Visitor) -> None:
    signed_up(visitor, "Zephyr")
    hosted = visitor.page.url
    assert not is_shown(visitor, "Zephyr")
    visitor.page.goto(hosted)
    paid_by(visitor, "Card")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Zephyr is a supporter")
    visitor.assert_clean()
    assert is_shown(visitor, "Zephyr")
    visitor.assert_clean()
    assert entries_of(stack, "Zephyr") == [("payment", 500_000)]
    assert len(receipts_of(stack, "Zephyr")) == 1


def test_a_declined_card_and_an_unpaid_transfer_show_nobody(stack: Stack, visitor: Visitor) -> None:
    signed_up(visitor, "Willow")
    hosted = visitor.page.url
    paid_by(visitor, "Bad card")
    expect(visitor.page.get_by_role("heading", name="The card was declined")).to_be_visible()
    assert not is_shown(visitor, "Willow")
    visitor.page.goto(hosted)
    paid_by(visitor, "Bank transfer")
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text(
        "The bank has not answered yet"
    )
    visitor.assert_clean()
    status = visitor.page.url
    assert not is_shown(visitor, "Willow")
    visitor.page.goto(stack.env["TWIN_URL"])
    row = visitor.page.get_by_role("row").filter(has_text="olga@willow.example")
    row.get_by_role("button", name="Money arrives").click()
    visitor.page.goto(status)
    expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Willow is a supporter")
    assert is_shown(visitor, "Willow")
    visitor.page.goto(stack.env["TWIN_URL"])
    row = visitor.page.get_by_role("row").filter(has_text="olga@willow.example")
    row.get_by_role("button", name="Refund").click()
    assert not is_shown(visitor, "Willow")


@pytest.mark.parametrize("victim", ["web", "worker", "twin"])
def test_a_process_killed_between_loses_nothing_and_doubles_nothing(
    stack: Stack, visitor: Visitor, victim: str
) -> None:
    name = f"Quick{victim}"
    signed_up(visitor, name)
    hosted = visitor.page.url
    stack.kill(victim)
    if victim == "web":
        # The money is taken while the portal is down: the twin keeps its events and delivers later.
        visitor.page.get_by_role("radio", name=re.compile("^Card")).check()
        visitor.page.get_by_role("button", name=re.compile("Pay")).click(no_wait_after=True)
        until(lambda: "not yet" if not _closed(visitor, hosted) else "closed", "closed")
        stack.start(victim)
    else:
        stack.start(victim)
        stack.wait_ready()
        visitor.page.goto(hosted)
        paid_by(visitor, "Card")
    stack.wait_ready()
    until(lambda: len(term_of(stack, name)), 1, patience=60)
    assert is_shown(visitor, name)
    session = hosted.rpartition("/")[2]
    visitor.page.request.post(f"{stack.env['TWIN_URL']}/sessions/{session}/redeliver")
    time.sleep(1)
    assert len(term_of(stack, name)) == 1
    assert entries_of(stack, name) == [("payment", 500_000)]
    assert len(receipts_of(stack, name)) == 1


def _closed(visitor: Visitor, hosted: str) -> bool:
    """Whether the hosted page was used: another look says so."""
    answer = visitor.page.request.get(hosted)
    return "page is closed" in answer.text()
