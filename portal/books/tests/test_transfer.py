"""Lines of the bank statement: booked once, refused in words, taken back by one more entry."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.books.actions.transfer import (
    BookedAlreadyError,
    TransferError,
    correct_transfer,
    record_transfer,
)
from portal.books.tests.rows import paid_by_bank, paid_by_provider, refunded
from portal.books.views import transfer as transfer_views
from portal.lib.models import AuditEntry
from portal.lib.money import Money
from portal.members.models import Organisation, Term
from portal.payments.arithmetic import EntryKind
from portal.payments.models import LedgerEntry, Order
from portal.payments.tests.factories import PRICE, make_order
from tests.supporters import GOLD, make_application

pytestmark = pytest.mark.django_db


@pytest.fixture
def keeper(erin: User, client_for: Callable[[User], Client]) -> Client:
    return client_for(erin)


def sent(order: Order, step: str = "book", **fields: str) -> tuple[str, dict[str, str]]:
    given = {
        "kind": "payment",
        "amount": "500.00",
        "currency": "EUR",
        "booked_on": timezone.localdate().isoformat(),
        "line": "12 / 3",
    }
    return f"/books/orders/{order.reference}/transfer/", {**given, "step": step, **fields}


def answer(client: Client, order: Order, step: str = "book", **fields: str) -> str:
    path, data = sent(order, step, **fields)
    return client.post(path, data, follow=True).content.decode()


def test_a_line_is_shown_once_more_and_then_booked_once(keeper: Client) -> None:
    order = make_order()
    assert "12 / 3" in answer(keeper, order, "look", line=" 12 /  3 ")
    assert 'value="500.00"' in answer(keeper, order, "edit")
    assert not LedgerEntry.objects.exists()
    assert "Booked: 500" in answer(keeper, order)
    assert "This line is booked, once." in answer(keeper, order)  # pressed twice
    entry = LedgerEntry.objects.get()
    order.refresh_from_db()
    assert (entry.amount, entry.provider_ref, order.state) == (PRICE, "12 / 3", "paid")
    assert entry.occurred_at <= timezone.now()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"currency": "USD"}, "The order is in EUR"),
        ({"amount": "500.01"}, "Only 500"),
        ({"amount": "5.001"}, "no such small part"),
        ({"amount": "five"}, "in digits"),
        ({"amount": "NaN"}, "in digits"),
        ({"amount": "0"}, "more than nothing"),
        ({"amount": "9" * 19}, "more than nothing"),
        ({"booked_on": "2199-01-01"}, "still to come"),
        ({"line": " "}, "is still empty"),
        ({"kind": "refund", "amount": "1"}, "more cannot go back"),
        ({"line": "taken"}, "booked already: 500"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_kept(
    keeper: Client, erin: User, fields: dict[str, str], words: str
) -> None:
    paid_by_bank(erin, line="Taken")
    order = make_order()
    text = answer(keeper, order, **fields)
    assert words in text
    assert not order.entries.exists()
    assert f'value="{fields.get("amount", "500.00")}"' in text


def test_part_payments_add_up_and_a_refund_by_bank_gives_a_credit_note(keeper: Client) -> None:
    order = make_order()
    assert "not paid yet" in answer(keeper, order, "look", amount="200", line="1")
    answer(keeper, order, amount="200", line="1")
    answer(keeper, order, amount="1,000", line="2")
    assert order.entries.count() == 1
    answer(keeper, order, amount="300", line="2")
    assert "stays paid in part" in answer(keeper, order, "look", kind="refund", amount="1")
    answer(keeper, order, kind="refund", amount="500", line="2")
    order.refresh_from_db()
    assert (order.state, order.credit_notes.get().amount) == ("refunded", PRICE)


def test_a_payment_of_a_sign_up_admits_and_a_correction_takes_that_back(
    keeper: Client, erin: User
) -> None:
    application = make_application()
    order = application.order
    assert order is not None
    entry = paid_by_bank(erin, order)
    assert Organisation.objects.supported(timezone.now()).exists()
    path = f"/books/entries/{entry.pk}/correction/"
    assert "is still empty" in keeper.post(path, {"reason": ""}).content.decode()
    assert "Both entries stay" in keeper.post(path, {"reason": "x"}, follow=True).content.decode()
    keeper.post(path, {"reason": "again"})
    order.refresh_from_db()
    application.refresh_from_db()
    assert [(e.kind, e.amount) for e in order.entries.order_by("pk")] == [
        ("payment", GOLD),
        ("correction", -GOLD),
    ]
    assert (order.state, order.paid_at, application.state) == ("open", None, "payment")
    assert not Organisation.objects.supported(timezone.now()).exists()
    assert keeper.get(f"/books/receipts/{order.receipt_number}.pdf").status_code == 404
    assert AuditEntry.objects.filter(verb="entry.correct").count() == 1

    number = order.receipt_number
    paid_by_bank(erin, order, line=entry.provider_ref)  # the same line, where it belongs
    application.refresh_from_db()
    assert order.entries.latest("pk").provider_ref == f"{entry.provider_ref} [2]"
    assert (order.state, order.receipt_number, application.state) == ("paid", number, "active")
    assert Term.objects.get(order=order).ended_at is None


def test_a_refund_that_was_booked_by_mistake_annuls_its_credit_note(erin: User) -> None:
    note = refunded(erin)
    paid = note.order.entries.get(kind=EntryKind.PAYMENT)
    with pytest.raises(TransferError, match="Correct that refund first"):
        correct_transfer(actor=erin, entry=paid, reason="x", at=timezone.now())
    correct_transfer(actor=erin, entry=note.entry, reason="x", at=timezone.now())
    note.refresh_from_db()
    assert note.annulled_at is not None
    assert note.order.entries.latest("pk").kind == EntryKind.REFUND_RETURNED
    assert Order.objects.get(pk=note.order_id).state == "paid"


def test_only_what_was_booked_by_hand_is_corrected_by_hand(keeper: Client, erin: User) -> None:
    entry = paid_by_provider()
    assert keeper.get(f"/books/entries/{entry.pk}/correction/").status_code == 404
    with pytest.raises(TransferError, match="by hand"):
        correct_transfer(actor=erin, entry=entry, reason="x", at=timezone.now())


def test_a_refused_correction_says_why(keeper: Client, erin: User) -> None:
    paid = refunded(erin).order.entries.get(kind=EntryKind.PAYMENT)
    text = keeper.post(f"/books/entries/{paid.pk}/correction/", {"reason": "x"}).content.decode()
    assert "Correct that refund first" in text


def test_a_death_in_the_middle_of_an_entry_leaves_nothing_or_all(
    erin: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = make_order()
    monkeypatch.setattr("portal.books.actions.transfer.follow_all", _die)
    with pytest.raises(SystemExit):
        _record(erin, order)
    order.refresh_from_db()
    assert (order.state, order.receipt_number, order.entries.count()) == ("open", "", 0)
    monkeypatch.undo()
    _record(erin, order)
    with pytest.raises(TransferError):
        _record(erin, order)
    assert order.entries.count() == 1


def _record(erin: User, order: Order) -> None:
    record_transfer(
        actor=erin,
        order=order,
        kind=EntryKind.PAYMENT,
        amount=Money(500_00, "EUR"),
        line="7",
        at=timezone.now(),
    )


def _die(*_given: object) -> None:
    raise SystemExit


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (BookedAlreadyError("line", "twice"), "This line is booked, once."),
        (TransferError("line", "Somebody took this line meanwhile."), "Somebody took this line"),
    ],
)
def test_what_changed_between_look_and_entry_is_told(
    keeper: Client, monkeypatch: pytest.MonkeyPatch, error: TransferError, words: str
) -> None:
    def refuse(**_given: object) -> None:
        raise error

    monkeypatch.setattr(transfer_views, "record_transfer", refuse)
    page = answer(keeper, make_order())
    assert words in page
    if not isinstance(error, BookedAlreadyError):
        assert 'value="500.00"' in page, "what was typed is kept"


def test_the_empty_forms_say_what_is_due_and_what_is_taken_back(keeper: Client, erin: User) -> None:
    order = make_order()
    page = keeper.get(f"/books/orders/{order.reference}/transfer/").content.decode()
    assert 'value="500.00"' in page
    entry = paid_by_bank(erin, order)
    page = keeper.get(f"/books/entries/{entry.pk}/correction/").content.decode()
    assert entry.provider_ref in page
    assert "is still empty" not in page
