"""Money back through the provider: asked for once, booked once, whoever dies in between."""

import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.books.actions import refund as verbs
from portal.books.actions.refund import RefundError, ask_refund, refundable, send_waiting
from portal.books.models import RefundRequest
from portal.books.tests.rows import paid_by_bank, paid_by_provider
from portal.inbox import process_event
from portal.lib.money import Money
from portal.payments.actions.checkout import record_checkout
from portal.payments.actions.payment import book
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, ProviderEvent
from portal.payments.providers import CheckoutRequest, ProviderError, ProviderRefusedError, provider
from portal.payments.tests.factories import PRICE, make_order
from tests.supporters import SECRET, running_twin

pytestmark = pytest.mark.django_db
HALF = Money(250_00, "EUR")


@pytest.fixture
def keeper(erin: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(erin)


@pytest.fixture
def twin(tmp_path: Path, settings: Any) -> Iterator[Any]:
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    with running_twin(tmp_path, Client()) as running:
        settings.TWIN_URL = running.url
        yield running


def paid(twin: Any) -> LedgerEntry:
    """An order that was paid on the twin's page."""
    order = make_order()
    hosted = provider().create_checkout(
        CheckoutRequest(
            reference=str(order.reference),
            description=order.description,
            amount=order.amount,
            email=order.billing_email,
            success_url="http://localhost/",
            cancel_url="http://localhost/",
            attempt=0,
        )
    )
    record_checkout(
        actor=None, order=order, provider="twin", session_id=hosted.session_id, url=hosted.url
    )
    twin.sessions.pay(hosted.session_id)
    twin.courier.deliver_due()
    return order.entries.get()


def asked(keeper: Client, payment: LedgerEntry, step: str = "refund", **fields: Any) -> str:
    given = {"amount": "250", "reason": "sold out", "key": str(uuid.uuid4()), "step": step}
    path = f"/books/entries/{payment.pk}/refund/"
    return keeper.post(path, {**given, **fields}, follow=True).content.decode()


def refunds(payment: LedgerEntry) -> list[Money]:
    return [entry.amount for entry in payment.order.entries.filter(kind=EntryKind.REFUND)]


def state(payment: LedgerEntry) -> list[str]:
    found = RefundRequest.objects.with_booking().filter(payment=payment).order_by("pk")
    return [request.state.value for request in found]


def test_a_refund_is_looked_at_asked_for_and_booked_when_its_event_comes(
    twin: Any, keeper: Client
) -> None:
    payment = paid(twin)
    key = str(uuid.uuid4())
    assert "Give 250" in asked(keeper, payment, "look", key=key)
    assert 'value="sold out"' in asked(keeper, payment, "edit", key=key)
    assert not RefundRequest.objects.exists()
    assert "The provider took it" in asked(keeper, payment, key=key)
    assert state(payment) == ["sent"]
    assert (
        "its event is awaited"
        in keeper.get(f"/books/orders/{payment.order.reference}/").content.decode()
    )
    assert "asked for, once" in asked(keeper, payment, key=key)  # pressed twice

    twin.courier.deliver_due()
    page = keeper.get(f"/books/orders/{payment.order.reference}/").content.decode()
    assert (state(payment), refunds(payment)) == (["booked"], [-HALF])
    note = payment.order.credit_notes.get()
    assert note.number in page
    assert "refund.created" in page
    assert refundable(payment) == HALF
    assert "At most 250" in asked(keeper, payment, amount="300")
    asked(keeper, payment)
    twin.courier.deliver_due()
    payment.order.refresh_from_db()
    assert payment.order.state == "refunded"
    nothing = keeper.get(f"/books/entries/{payment.pk}/refund/").content.decode()
    assert "Nothing of this payment can go back" in nothing


@pytest.mark.parametrize("step", ["before the provider", "after the provider", "at its event"])
def test_a_death_between_two_steps_loses_nothing_and_gives_nothing_twice(
    step: str, twin: Any, erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = paid(twin)
    request = ask_refund(
        actor=erin, payment=payment, amount=HALF, reason="sold out", key=uuid.uuid4()
    )
    dying = {
        "before the provider": ("portal.books.actions.refund._at_provider", _die),
        "after the provider": ("portal.books.actions.refund._note", _die),
        "at its event": ("portal.inbox.follow_all", _die),
    }
    with monkeypatch.context() as patched:
        patched.setattr(*dying[step])
        with pytest.raises(SystemExit):
            _go_on(twin, request)
    assert refundable(payment) == HALF  # what is promised is not promised again
    now = timezone.now()
    for _ in range(2):
        send_waiting(asked_before=now, at=now)
        twin.courier.deliver_due()
        for event in ProviderEvent.objects.unhandled():
            assert process_event(event.pk, at=now)
    assert (state(payment), refunds(payment)) == (["booked"], [-HALF])
    assert payment.order.credit_notes.count() == 1
    listed = provider().movements(now - timedelta(days=1))
    assert [row.minor for row in listed if row.kind == EntryKind.REFUND] == [-HALF.minor]


def _go_on(twin: Any, request: RefundRequest) -> None:
    verbs.send_refund(request=request, at=timezone.now())
    twin.courier.deliver_due()


def _die(*_given: object, **_named: object) -> None:
    raise SystemExit


class Mute:
    """A provider that is asked and gives the next of its answers."""

    name = "twin"
    simulated = True

    def __init__(self, *answers: str | Exception, known: str = "") -> None:
        self.answers, self.known, self.keys = list(answers), known, list[str]()

    def refund(self, payment_ref: str, amount: Money, *, key: str) -> str:
        self.keys.append(key)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def find_refund(self, payment_ref: str, *, key: str) -> str:
        return self.known


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Callable[[Mute], Mute]:
    def use(source: Mute) -> Mute:
        monkeypatch.setattr(verbs, "provider", lambda: source)
        return source

    return use


def test_without_an_answer_the_sweep_sends_it_again_with_the_same_key(
    keeper: Client, speaks: Callable[[Mute], Mute]
) -> None:
    source = speaks(Mute(ProviderError("down"), ProviderError("still"), "re_1"))
    payment = paid_by_provider()
    assert "do not ask for it a second time" in " ".join(asked(keeper, payment).split())
    now = timezone.now()
    assert [send_waiting(asked_before=now, at=now) for _ in range(3)] == [0, 1, 0]
    assert len(source.keys) == 3
    assert len(set(source.keys)) == 1
    assert state(payment) == ["sent"]


def test_what_the_provider_refuses_is_said_and_free_again(
    keeper: Client, speaks: Callable[[Mute], Mute]
) -> None:
    speaks(Mute(ProviderRefusedError("charge is disputed")))
    payment = paid_by_provider()
    assert "charge is disputed" in asked(keeper, payment)
    assert state(payment) == ["refused"]
    assert refundable(payment) == PRICE


def test_after_the_key_was_forgotten_the_refund_is_looked_for_first(
    erin: User, speaks: Callable[[Mute], Mute]
) -> None:
    source = speaks(Mute("re_2", known="re_1"))
    payment = paid_by_provider()
    for _ in range(2):
        ask_refund(actor=erin, payment=payment, amount=HALF, reason="x", key=uuid.uuid4())
        later = timezone.now() + timedelta(days=3)
        send_waiting(asked_before=later, at=later)
        source.known = ""
    found = RefundRequest.objects.order_by("pk").values_list("refund_id", flat=True)
    assert (list(found), len(source.keys)) == (["re_1", "re_2"], 1)


def test_a_refund_that_came_back_may_be_asked_for_again(erin: User) -> None:
    payment = paid_by_provider()
    ask_refund(actor=erin, payment=payment, amount=PRICE, reason="x", key=uuid.uuid4())
    RefundRequest.objects.update(refund_id="re_1")
    now = timezone.now()
    book(payment.order, EntryKind.REFUND, -PRICE, "twin", "re_1", now)
    assert refundable(payment).minor == 0
    book(payment.order, EntryKind.REFUND_RETURNED, PRICE, "twin", "re_1", now)
    assert (state(payment), refundable(payment)) == (["returned"], PRICE)


def test_only_so_much_as_is_left_of_what_came_through_the_provider(
    erin: User, keeper: Client
) -> None:
    payment = paid_by_provider()
    too_much = Money(PRICE.minor + 1, "EUR")
    with pytest.raises(RefundError, match="At most"):
        ask_refund(actor=erin, payment=payment, amount=too_much, reason="x", key=uuid.uuid4())
    transfer = paid_by_bank(erin)
    with pytest.raises(RefundError, match="did not come through"):
        ask_refund(actor=erin, payment=transfer, amount=HALF, reason="x", key=uuid.uuid4())
    assert (
        "Nothing of this payment"
        in keeper.get(f"/books/entries/{transfer.pk}/refund/").content.decode()
    )
    asked(keeper, transfer)
    assert not state(transfer)


def test_a_form_that_is_wrong_asks_for_nothing(keeper: Client) -> None:
    payment = paid_by_provider()
    assert "is still empty" in asked(keeper, payment, reason="")
    asked(keeper, payment, key="nonsense")
    assert not RefundRequest.objects.exists()


def test_a_refund_asks_for_the_second_factor_again(keeper: Client) -> None:
    payment = paid_by_provider()
    session = keeper.session
    session["account_authentication_methods"] = [{"method": "mfa", "at": 1.0}]
    session.save()
    path = f"/books/entries/{payment.pk}/refund/"
    assert "reauthenticate" in keeper.get(path).headers["Location"]
    given = {"amount": "250", "reason": "x", "key": str(uuid.uuid4()), "step": "refund"}
    assert "reauthenticate" in keeper.post(path, given).headers["Location"]
    assert not RefundRequest.objects.exists()
