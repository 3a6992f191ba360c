"""Every night ledger and provider are compared; a letter only when they differ."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from portal.accounts.models import User
from portal.books.actions import event as event_verbs
from portal.books.actions import reconciliation as verbs
from portal.books.actions.reconciliation import reconcile
from portal.books.comparison import Booked, Fault, compare
from portal.books.models import Reconciliation
from portal.books.tests.rows import paid_by_provider
from portal.lib.models import AuditEntry, OutboxMail
from portal.payments.models import LedgerEntry, PaymentAlias
from portal.payments.providers import Movement, ProviderError
from portal.tasks import reconcile_payments

AT = datetime(2026, 3, 10, tzinfo=UTC)
DAY = timedelta(days=1)


def moved(ref: str = "pi_1", kind: str = "payment", minor: int = 500, **given: Any) -> Movement:
    fields = {"names": (ref,), "currency": "EUR", "at": AT}
    return Movement(**{"kind": kind, "ref": ref, "minor": minor, **fields, **given})


def booked(ref: str = "pi_1", kind: str = "payment", minor: int = 500, **given: Any) -> Booked:
    fields = {"currency": "EUR", "at": AT, "order": 1}
    return Booked(**{"kind": kind, "ref": ref, "minor": minor, **fields, **given})


@pytest.mark.parametrize(
    ("movements", "entries", "faults"),
    [
        ([moved()], [booked()], []),
        ([moved("pi_1", names=("pi_1", "ch_1"))], [booked("ch_1")], []),
        ([moved()], [], [Fault.NOT_BOOKED]),
        ([], [booked()], [Fault.NOT_THERE]),
        ([moved(minor=400)], [booked()], [Fault.AMOUNT]),
        ([moved(currency="USD")], [booked()], [Fault.AMOUNT]),
        ([moved("re_1", "refund", -5)], [booked("re_1", "refund", -5)], []),
        ([moved("re_1", "refund", -5)], [booked("re_1")], [Fault.NOT_BOOKED, Fault.NOT_THERE]),
        ([], [booked("re_1", "refund", -5), booked("re_1", "refund_returned", 5)], []),
        ([moved(at=AT - 9 * DAY)], [], []),  # before the time that is compared
        ([], [booked(at=AT + 9 * DAY)], []),  # it may be on its way
        ([moved(at=AT - 9 * DAY)], [booked()], []),  # begun long before its money came
    ],
)
def test_differences(movements: list[Movement], entries: list[Booked], faults: list[Fault]) -> None:
    found = compare(
        movements, entries, since=AT - DAY, until=AT + DAY, names=lambda movement: movement.names
    )
    assert [one.fault for one in found] == faults


class Lists:
    """A provider with these movements, or without an answer."""

    name = "twin"

    def __init__(self, *movements: Movement, error: str = "") -> None:
        self.listed, self.error = movements, error

    def movements(self, since: datetime) -> list[Movement]:
        if self.error:
            raise ProviderError(self.error)
        return list(self.listed)


Speaks = Callable[..., None]


@pytest.fixture
def speaks(monkeypatch: pytest.MonkeyPatch) -> Speaks:
    def use(*movements: Movement, error: str = "") -> None:
        source = Lists(*movements, error=error)
        monkeypatch.setattr(verbs, "provider", lambda: source)

    return use


@pytest.mark.django_db
def test_what_agrees_is_kept_and_writes_to_nobody(erin: User, speaks: Speaks) -> None:
    entry = paid_by_provider(ref="in_1")
    PaymentAlias.objects.create(provider="twin", alias="pi_1", payment_ref="in_1")
    speaks(moved("pi_1", minor=entry.amount_minor, at=entry.occurred_at))
    reconcile_payments()
    report = Reconciliation.objects.get()
    assert (report.movement_count, report.entry_count, report.differences.count()) == (1, 1, 0)
    assert not OutboxMail.objects.filter(key__startswith="reconciliation").exists()
    assert list(Reconciliation.objects.finished()) == [report]


@pytest.mark.django_db
def test_what_differs_is_told_in_words_with_what_to_do(
    erin: User, client_for: Callable[[User], Client], speaks: Speaks
) -> None:
    entry = paid_by_provider(ref="pi_less")
    paid_by_provider(ref="pi_gone")
    day = timezone.now() - DAY
    speaks(
        moved("pi_less", minor=1, at=entry.occurred_at),
        moved("pi_new", currency="XXX", at=day, description="a shop"),
        moved("re_new", "refund", -5, at=day),
    )
    keeper = client_for(erin)
    page = keeper.post("/books/reconciliations/now/", follow=True).content.decode()
    assert "differ in 4 places" in page
    assert "500 XXX" in page
    assert f"/books/orders/{entry.order.reference}/" in page
    assert "differ in 4 places" in keeper.get("/books/reconciliations/").content.decode()
    letter = OutboxMail.objects.get(key__startswith="reconciliation:")
    assert letter.recipient == erin.email
    for body in (letter.text, letter.html):
        assert "pi_gone" in body
        assert "does not list" in body
        assert "that is not in the ledger" in body
        assert f"/books/reconciliations/{Reconciliation.objects.get().pk}/" in body
        assert "{{" not in body
        assert "{%" not in body


@pytest.mark.django_db
def test_a_provider_that_does_not_answer_is_no_difference(
    erin: User, client_for: Callable[[User], Client], speaks: Speaks
) -> None:
    speaks(error="timeout")
    page = client_for(erin).post("/books/reconciliations/now/", follow=True).content.decode()
    assert "could not be asked" in page
    assert not OutboxMail.objects.filter(key__startswith="reconciliation").exists()
    with pytest.raises(CommandError, match="timeout"):
        call_command("reconcile")


@pytest.mark.django_db
def test_the_command_says_what_it_found(speaks: Speaks) -> None:
    speaks(moved("pi_new", at=timezone.now() - DAY))
    said = StringIO()
    first = (timezone.now() - 3 * DAY).date().isoformat()
    call_command("reconcile", "--since", first, stdout=said)
    assert "pi_new" in said.getvalue()
    assert "1 movements, 0 entries, 1 differences" in said.getvalue()
    assert Reconciliation.objects.get().since.date().isoformat() <= first
    for wrong in ("yesterday", "2199-01-01"):
        with pytest.raises(CommandError, match="day"):
            call_command("reconcile", "--since", wrong)


@pytest.mark.django_db
def test_a_comparison_needs_a_time(speaks: Speaks) -> None:
    speaks()
    assert reconcile(at=timezone.now()).differences.count() == 0


@pytest.mark.django_db
def test_a_treasurer_compares_other_days_up_to_this_minute(
    erin: User, client_for: Callable[[User], Client], speaks: Speaks
) -> None:
    now = timezone.now()
    speaks(moved("pi_now", at=now - timedelta(minutes=1)), moved("pi_old", at=now - 60 * DAY))
    keeper = client_for(erin)

    def compared(**days: str) -> str:
        return keeper.post("/books/reconciliations/now/", days, follow=True).content.decode()

    assert "Ledger and provider agree" in compared()
    assert "pi_now" in compared(up_to_now="on")
    assert not OutboxMail.objects.filter(key__startswith="reconciliation").exists()
    old = (now - 61 * DAY).date().isoformat()
    page = compared(first=old, last=(now - 59 * DAY).date().isoformat())
    assert "pi_old" in page
    assert "pi_now" not in page
    reports = Reconciliation.objects.count()
    for wrong in ({"first": "2199-01-01"}, {"first": old, "last": "2020-01-01"}):
        assert "must be in the past" in compared(**wrong)
    assert 'value="soon"' in compared(last="soon")
    assert Reconciliation.objects.count() == reports


@pytest.mark.django_db
@pytest.mark.parametrize(("kind", "minor"), [("payment", 500_00), ("refund", -500_00)])
def test_a_difference_that_was_booked_since_says_so(
    erin: User,
    client_for: Callable[[User], Client],
    speaks: Speaks,
    kind: str,
    minor: int,
) -> None:
    speaks(moved("ch_1", kind, minor, at=timezone.now() - DAY))
    keeper = client_for(erin)
    keeper.post("/books/reconciliations/now/")
    path = f"/books/reconciliations/{Reconciliation.objects.get().pk}/"
    assert "Fetch what was not delivered" in keeper.get(path).content.decode()
    assert "booked meanwhile" not in keeper.get(path).content.decode()
    entry = paid_by_provider(ref="pi_1")
    PaymentAlias.objects.create(provider="twin", alias="ch_1", payment_ref="pi_1")
    if kind == "refund":
        LedgerEntry.objects.create(
            order=entry.order,
            kind=kind,
            amount_minor=minor,
            currency="EUR",
            provider="twin",
            provider_ref="ch_1",
            occurred_at=timezone.now(),
        )
    page = keeper.get(path).content.decode()
    assert "booked meanwhile" in page
    assert f"/books/orders/{entry.order.reference}/" in page


@pytest.mark.django_db
def test_what_was_not_delivered_is_fetched_at_once(
    erin: User, client_for: Callable[[User], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = client_for(erin)

    def fetched(answer: Any) -> str:
        def fetch(*, at: datetime) -> int:
            if isinstance(answer, Exception):
                raise answer
            return int(answer)

        monkeypatch.setattr(event_verbs, "fetch_missed_events", fetch)
        return keeper.post("/books/events/fetch/", follow=True).content.decode()

    assert "2 events had not been delivered" in fetched(2)
    assert "no event that is not here" in fetched(0)
    assert "did not answer" in fetched(ProviderError("down"))
    assert AuditEntry.objects.filter(verb="event.fetch").count() == 2
