"""docs/tutorials/company.md: from the tiers to the supporters page."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser

from scripts.screenshots.person import Person

LOGO = Path(__file__).resolve().parents[2] / "docs" / "tutorials" / "files" / "bluewater.svg"


def walk(browser: Browser) -> None:
    with Person(browser) as olga:
        olga.open("/join/")
        olga.picture("company-tiers", height=900)
        olga.follow("Choose Silver")
        _organisation(olga)
        _logo_and_agreement(olga)
        olga.picture("company-order", height=900)
        olga.press("Order for")
        olga.page.wait_for_url("**/pay/cs_twin_*")
        olga.page.get_by_role("radio", name="Card").first.check()
        olga.picture("company-payment", height=900)
        olga.press("Pay")
        olga.sees("Bluewater is a supporter")
        olga.picture("company-thanks")
        olga.open("/supporters/")
        silver = olga.page.get_by_role("heading", name="Silver").first
        olga.picture("company-supporters", silver, height=420)


def _organisation(olga: Person) -> None:
    olga.fill("Legal name", "Bluewater Systems GmbH")
    olga.fill("Name to show", "Bluewater")
    olga.fill("Postal address", "Hafenstraße 5\n20457 Hamburg")
    olga.page.get_by_label("Country").select_option("DE")
    olga.fill("Owner, name", "Olga Berg")
    olga.fill("Owner, e-mail", "olga@bluewater.example")
    olga.picture("company-organisation", height=1200)
    olga.press("Save and go on")


def _logo_and_agreement(olga: Person) -> None:
    olga.page.get_by_label("Logo").set_input_files(LOGO)
    olga.press("Upload")
    olga.sees("This is how it will look")
    olga.picture("company-logo")
    olga.press("Save and go on")
    olga.page.get_by_label("I have read the agreement").check()
    olga.press("Accept and go on")
