"""The form and the pages of donations, as visitors meet them."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.donations import letters as donor_letters
from portal.donations.amounts import plain
from portal.donations.hosted import NotPossibleError, cancel, card_page, hosted_page, request_for
from portal.donations.models import Donation
from portal.donations.standing import standing_of
from portal.donations.tests.givers import (
    Provider,
    deliver,
    letters,
    make_currency,
    make_donation,
    make_paid,
    opened,
    scene_of,
)
from portal.lib.models import OutboxMail
from portal.payments.actions.checkout import record_checkout
from portal.payments.asking import Heard
from portal.payments.models import Checkout, Order, Subscription
from portal.payments.providers import HostedCheckout, ProviderError
from portal.payments.tests import stories
from portal.payments.tests.scene import DAY, MONTH, Scene

pytestmark = pytest.mark.django_db
GIVEN: dict[str, Any] = {"amount": "50", "own": "", "name": "Ada Byron", "email": "a@d.example"}


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()


def test_another_currency_or_rhythm_keeps_what_was_typed(client: Client) -> None:
    make_currency()
    make_currency("USD")
    typed = {
        "name": "Ada Byron",
        "email": "half",
        "message": "Go on!",
        "is_named": "on",
        "amount": "own",
        "own": "33",
        "dedication": "for Bo",
        "look": "yes",
    }
    page = client.post("/donate/?currency=USD&often=month", typed).content.decode()
    assert "Each month, USD" in page
    for kept in ('value="Ada Byron"', 'value="half"', ">\nGo on!<", 'value="33"', 'value="for Bo"'):
        assert kept in page
    assert re.search(r'name="is_named"[^>]* checked', page)
    assert re.search(r'value="own"[^>]* checked', page)
    assert 'role="alert"' not in page, "nothing was sent yet, so nothing is wrong"
    assert not Donation.objects.exists()


def test_a_suggestion_of_another_currency_is_none_of_this_one(client: Client) -> None:
    make_currency()
    page = client.post("/donate/?often=once", {"amount": "7777", "look": "yes"}).content.decode()
    [chosen] = re.findall(r'name="amount" value="(\w+)"[^>]* checked', page)
    assert chosen not in {"7777", "own"}


@pytest.mark.parametrize(
    "own", ["1", "-500", "0", "10000.01", "", "1,000", "ten", "1e3", "٣", "2.345"]
)
def test_an_amount_out_of_bounds_is_refused_and_nothing_is_lost(client: Client, own: str) -> None:
    """The form of a comparable site accepted 1 and -500."""
    make_currency()
    page = client.post(
        "/donate/?currency=EUR", GIVEN | {"amount": "own", "own": own}
    ).content.decode()
    assert "Ada Byron" in page
    assert 'aria-invalid="true"' in page
    assert not Order.objects.exists()


@pytest.mark.parametrize("amount", ["1", "-500", "26", "50.00", ""])
def test_an_amount_that_is_not_offered_is_refused(client: Client, amount: str) -> None:
    make_currency()
    assert client.post("/donate/", GIVEN | {"amount": amount}).status_code == 200
    assert not Order.objects.exists()


def test_a_name_that_no_receipt_can_print_is_asked_for_in_other_letters(client: Client) -> None:
    make_currency()
    page = client.post("/donate/?currency=EUR", {**GIVEN, "name": "山田 太郎"}).content.decode()
    assert "Papers cannot print 山田太郎" in page
    assert not Donation.objects.exists()


def test_a_typed_amount_beside_a_chosen_one_is_asked_about(client: Client) -> None:
    make_currency()
    assert (
        "Choose “Another amount”" in client.post("/donate/", GIVEN | {"own": "7"}).content.decode()
    )


@pytest.mark.parametrize(
    ("often", "amount", "kind"),
    [("once", "50", ""), ("month", "10", "month"), ("year", "100", "year")],
)
def test_a_valid_form_leads_to_the_hosted_page(
    client: Client, provided: Callable[..., Provider], often: str, amount: str, kind: str
) -> None:
    make_currency()
    source = provided(create_checkout=HostedCheckout("cs_9", "https://pay.example/cs_9", {}))
    answer = client.post(f"/donate/?often={often}", GIVEN | {"amount": amount})
    assert answer["Location"] == "https://pay.example/cs_9"
    donation = Donation.objects.get()
    assert (donation.interval, plain(donation.amount)) == (kind, amount)
    request = source.asked[0][1][0]
    assert (request.recurring is not None) == bool(kind)
    back = donation.get_absolute_url() + "back/"
    assert request.success_url.endswith(back)
    assert client.get(back)["Location"] == donation.get_absolute_url()
    assert client.get(donation.get_absolute_url()).status_code == 200
    assert Client().get(donation.get_absolute_url()).status_code == 404


@pytest.mark.parametrize("interval", ["", "month"])
def test_another_browser_gets_thanks_that_tell_nothing_private(
    client: Client, interval: str
) -> None:
    donation = make_paid(interval)
    page = client.get(f"{donation.get_absolute_url()}back/").content.decode()
    assert "Thank you, the payment has arrived" in page
    for private in ("Ada", "50.00", donation.email, donation.order.receipt_number):
        assert private not in page
    assert client.get("/donate/11111111-1111-4111-8111-111111111111/back/").status_code == 404


def test_another_browser_asks_the_provider_when_the_webhook_is_late(
    client: Client, provided: Callable[..., Provider]
) -> None:
    donation = make_donation()
    scene = scene_of(donation)
    scene.session("completed", 2)
    session = scene.events[0]["data"]["object"]
    record_checkout(
        actor=None, order=donation.order, provider="twin", session_id="cs_1", url="https://p.e/1"
    )
    provided(fetch_checkout=HostedCheckout("cs_1", "", session))
    back = f"{donation.get_absolute_url()}back/"
    asked_now = client.get(back).content.decode()
    assert "Your payment is being confirmed" in asked_now
    assert 'data-await="1"' in asked_now
    assert "Nothing was" not in asked_now
    Checkout.objects.update(asked_at=timezone.now() - timedelta(minutes=1))
    assert "the payment has arrived" in client.get(back).content.decode()


def test_a_provider_that_is_silent_loses_nothing(
    client: Client, provided: Callable[..., Provider]
) -> None:
    make_currency()
    provided(create_checkout=ProviderError("down"))
    page = client.post("/donate/", GIVEN, follow=True).content.decode()
    assert "Nothing is lost" in page
    assert "Pay 50" in page


def test_too_many_donations_from_one_place_are_refused(
    client: Client, provided: Callable[..., Provider], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_currency()
    provided(create_checkout=ProviderError("down"))
    monkeypatch.setattr("portal.donations.views.donate.DONATIONS_AN_HOUR", 1)
    client.post("/donate/", GIVEN)
    assert "Too many donations" in client.post("/donate/", GIVEN).content.decode()
    assert Donation.objects.count() == 1


def test_a_dedication_needs_the_name_beside_it(client: Client) -> None:
    make_currency()
    page = client.post("/donate/", GIVEN | {"dedication": "For Bob"}).content.decode()
    assert "stands beside your name" in page
    assert not Donation.objects.exists()


def test_without_currencies_the_page_says_so(client: Client) -> None:
    assert "not open yet" in client.get("/donate/").content.decode()


def _expired(scene: Scene) -> None:
    scene.session("expired", 1, status="expired", payment_status="unpaid")


def test_the_page_of_thanks_tells_the_true_state(client: Client) -> None:
    told = {
        "paid": stories.paid,
        "waiting": stories.unpaid,
        "failed": stories.async_failed,
        "open": lambda scene: scene.session(
            "expired", 1, status="expired", payment_status="unpaid"
        ),
        "refunded": stories.refunded,
    }
    for number, (key, tell) in enumerate(told.items()):
        donation = make_donation()
        scene = scene_of(donation)
        tell(scene)
        for body in scene.events:
            body["id"] += f"_{number}"
            thing = body["data"]["object"]
            for name in ("id", "payment_intent", "charge"):
                if isinstance(thing.get(name), str):
                    thing[name] += f"_{number}"
        deliver(*scene.events)
        donation = Donation.objects.get(pk=donation.pk)
        standing = standing_of(donation, Heard.NOTHING)
        assert standing.key == key
        page = client.get(opened(client, donation)).content.decode()
        assert str(standing.heading) in page
        assert ("/pay/" in page) == (key in {"failed", "open"})


def test_a_refused_charge_is_told_though_its_period_began_in_the_same_second(
    client: Client, provided: Callable[..., Provider]
) -> None:
    provided(fetch_subscription={"status": "past_due"})
    donation = make_donation("month")
    scene = scene_of(donation)
    scene.begun()
    scene.subscribed("updated", "past_due", MONTH, month=1)
    scene.subscribed("updated", "active", MONTH, month=1)
    deliver(*scene.events)
    page = client.get(opened(client, donation)).content.decode()
    assert "The last payment could not be taken" in page


def test_what_was_ended_at_the_provider_reads_so_and_an_open_charge_can_be_mended(
    client: Client, provided: Callable[..., Provider]
) -> None:
    provided(fetch_subscription={"status": "past_due"})
    donation = make_donation("month")
    scene = scene_of(donation)
    scene.begun()
    deliver(*scene.events)
    Subscription.objects.update(cancel_at_period_end=True)
    page = client.get(opened(client, donation)).content.decode()
    assert "Your recurring donation ends" in page
    assert "Taken next" not in page
    Subscription.objects.update(state="past_due")
    page = client.get(opened(client, donation)).content.decode()
    assert "The last payment could not be taken" in page
    assert "Change the card" in page
    assert "Taken next" not in page


def test_a_donor_ends_a_recurring_donation_at_once(
    client: Client, provided: Callable[..., Provider]
) -> None:
    donation = make_paid("month")
    path = opened(client, donation)
    assert "End it now" in client.get(path).content.decode()
    scene = scene_of(donation)
    scene.subscribed("deleted", "canceled", DAY)
    provided(cancel_subscription=scene.events[0]["data"]["object"])
    page = client.post(f"{path}end/", follow=True).content.decode()
    assert "nothing is taken any more" in page
    assert letters("ended") == 1
    deliver(scene.events[0] | {"id": "evt_later"})  # cancelled here, then the webhook
    assert letters("ended") == 1
    assert "had ended before" in client.post(f"{path}end/", follow=True).content.decode()


def test_a_silent_provider_ends_nothing_and_says_so(
    client: Client, provided: Callable[..., Provider]
) -> None:
    path = opened(client, make_paid("month"))
    provided(cancel_subscription=ProviderError("down"), customer_portal=ProviderError("down"))
    assert "it is not ended" in client.post(f"{path}end/", follow=True).content.decode()
    assert "does not answer" in client.post(f"{path}card/", follow=True).content.decode()


def test_the_card_is_changed_at_the_provider(
    client: Client, provided: Callable[..., Provider]
) -> None:
    path = opened(client, make_paid("month"))
    provided(customer_portal="https://pay.example/portal")
    assert client.post(f"{path}card/")["Location"] == "https://pay.example/portal"
    begun = make_donation("month")
    with pytest.raises(NotPossibleError):
        card_page(begun)
    with pytest.raises(NotPossibleError):
        cancel(actor=None, donation=begun, at=timezone.now())


def test_nobody_pays_twice(provided: Callable[..., Provider]) -> None:
    with pytest.raises(NotPossibleError):
        hosted_page(actor=None, donation=make_paid(), at=timezone.now())


def test_an_open_page_is_used_again(provided: Callable[..., Provider]) -> None:
    donation = make_donation()
    hosted = HostedCheckout("cs_9", "https://pay.example/cs_9", {"id": "cs_9", "status": "open"})
    source = provided(create_checkout=hosted, fetch_checkout=hosted)
    for _ in range(2):
        assert hosted_page(actor=None, donation=donation, at=timezone.now()) == hosted.url
    assert [verb for verb, _ in source.asked] == ["create_checkout", "fetch_checkout"]
    assert request_for(donation).attempt == 0


def test_a_lost_link_is_mailed_and_strangers_learn_nothing(client: Client) -> None:
    donation = make_paid("month")
    before = OutboxMail.objects.count()
    known = client.post("/donate/manage/", {"email": "ADA@donors.example"}, follow=True)
    unknown = client.post("/donate/manage/", {"email": "nobody@donors.example"}, follow=True)
    assert "on its way" in known.content.decode()
    assert "on its way" in unknown.content.decode()
    [mail] = OutboxMail.objects.order_by("pk")[before:]
    assert donor_letters.manage_url(donation).rpartition(":")[0][:60] in mail.text
    assert client.get("/donate/manage/of-somebody/").status_code == 404
    for _ in range(4):
        last = client.post("/donate/manage/", {"email": "a@b.example"})
    assert "Too many letters" in last.content.decode()


def test_an_account_sees_the_donations_of_its_addresses(
    charlie: User, client_for: Callable[[User], Client]
) -> None:
    mine = make_paid(email=charlie.email.upper())
    page = client_for(charlie).get("/donate/own/").content.decode()
    assert mine.get_absolute_url() in page
    assert "ada@donors.example" not in page


def test_names_and_dedications_are_shown_with_consent_and_after_a_look(
    client: Client, frank: User, client_for: Callable[[User], Client]
) -> None:
    donation = make_paid(is_named=True, dedication="For Bob")
    page = client.get("/donate/donors/").content.decode()
    assert "Ada Byron" in page
    assert "For Bob" not in page
    desk = client_for(frank)
    assert "For Bob" in desk.get("/staff/dedications/").content.decode()
    judge = f"/staff/dedications/{donation.pk}/"
    desk.post(judge, {"act": "show"})
    assert "For Bob" in client.get("/donate/donors/").content.decode()
    for act, shown in (("hide", False), ("name", True)):
        desk.post(judge, {"act": act})
        assert ("Ada Byron" in client.get("/donate/donors/").content.decode()) == shown
    desk.post(judge, {"act": "refuse"})
    assert "For Bob" not in client.get("/donate/donors/").content.decode()
    path = opened(client, donation)
    client.post(f"{path}naming/", {})
    assert "Ada Byron" not in client.get("/donate/donors/").content.decode()


def test_a_receipt_is_a_pdf_for_its_donor(client: Client) -> None:
    donation = make_paid()
    path = opened(client, donation)
    number = donation.order.receipt_number
    assert client.get(f"{path}receipts/{number}.pdf").content.startswith(b"%PDF")
    assert Client().get(f"{path}receipts/{number}.pdf").status_code == 404


def test_every_letter_is_whole_in_both_forms() -> None:
    once, monthly = make_paid(name="Åse & <b>"), make_donation("month")
    scene = scene_of(once)
    stories.refunded_in_part(scene)
    deliver(*scene.events)
    told = scene_of(monthly)
    told.begun()
    told.period("payment_failed", 1, MONTH)
    told.subscribed("deleted", "canceled", MONTH + 1)
    deliver(*[body | {"id": f"m{body['id']}"} for body in told.events])
    refused = make_donation()
    story = scene_of(refused)
    story.session("completed", 2, id="cs_f", payment_status="unpaid")
    story.session("async_payment_failed", 3, id="cs_f", payment_status="unpaid")
    deliver(*[body | {"id": f"f{body['id']}"} for body in story.events])
    donor_letters.links_to(email="a@b.example", donations=[once], at=timezone.now())
    kinds = {mail.key.split(":")[0] for mail in OutboxMail.objects.all()}
    names = {"paid", "refunded", "failed", "charge", "ended", "links"}
    assert kinds == {f"donation.{name}" for name in names}
    for mail in OutboxMail.objects.all():
        assert mail.subject
        for form in (mail.text, mail.html):
            assert "/donate/manage/" in form
            assert not re.search(r"\{\{|\{%|%\(", form)
            assert "None" not in form
        assert "<b>" not in mail.html
