"""Processes are killed at each step of the money in turn; in the end all of it is right, once.

The step is a row that is written (`tests/held.py`): whoever writes it waits there, and is killed
with SIGKILL. Then everything is started again, a person looks again and presses again, and the
provider delivers again what was not answered.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
from collections.abc import Callable

import psycopg
import pytest
import requests
from celery import Celery
from psycopg import OperationalError
from redis import Redis

from portal.payments.providers.twin import TwinProvider
from tests.held import Step, held, is_reached, waiting
from tests.payers import Company, Donor, Treasurer
from tests.publisher import wait_for
from tests.stack import Stack

pytestmark = pytest.mark.proof
PATIENCE = 90
PRICE = 500_000
DONE = "NEW.kind = 'checkout.session.completed'"
HANDLED = "NEW.handled_at IS NOT NULL AND NEW.kind = 'checkout.session.completed'"
REFUNDED = "NEW.handled_at IS NOT NULL AND NEW.kind = 'refund.created'"
SENT = "NEW.state = 'payment' AND OLD.state = 'draft'"

ORDER = [
    Step("the place is being taken", "sponsors_application", "UPDATE", SENT),
    Step(
        "the order is placed, the provider not asked", "sponsors_application", "UPDATE", SENT, True
    ),
    Step("the provider opened a page, it is not kept", "payments_checkout", "INSERT"),
    Step("the page is kept, nobody was led there", "payments_checkout", "INSERT", at_commit=True),
]
PAYMENT = [
    Step("the event is being stored", "payments_providerevent", "INSERT", DONE),
    Step("the event is stored, not handled", "payments_providerevent", "INSERT", DONE, True),
    Step("the money is in the ledger", "payments_ledgerentry", "INSERT"),
    Step("the order is paid", "payments_order", "UPDATE", "NEW.state = 'paid'"),
    Step("the event is handled, nobody followed", "payments_providerevent", "UPDATE", HANDLED),
    Step("the term has begun", "members_term", "INSERT"),
    Step(
        "the letter is promised",
        "lib_outboxmail",
        "INSERT",
        "starts_with(NEW.key, 'application.paid:')",
    ),
    Step(
        "all is kept, the provider has no answer", "payments_providerevent", "UPDATE", HANDLED, True
    ),
]
REFUND = [
    Step("the refund is being promised", "books_refundrequest", "INSERT"),
    Step(
        "the refund is promised, the provider not asked",
        "books_refundrequest",
        "INSERT",
        at_commit=True,
    ),
    Step(
        "the provider gave it back, its id is not kept",
        "books_refundrequest",
        "UPDATE",
        "NEW.refund_id <> ''",
    ),
    Step("the refund is in the ledger", "payments_ledgerentry", "INSERT", "NEW.kind = 'refund'"),
    Step("the credit note is issued", "payments_creditnote", "INSERT"),
    Step("the term has ended", "members_term", "UPDATE", "NEW.ended_at IS NOT NULL"),
    Step("the refund's event is handled", "payments_providerevent", "UPDATE", REFUNDED, True),
]
DONATION = [
    Step("the donation is placed", "donations_donation", "INSERT", at_commit=True),
    Step(
        "it is paid for the first time",
        "donations_donation",
        "UPDATE",
        "NEW.first_paid_at IS NOT NULL",
    ),
    Step(
        "the letter to the donor is promised",
        "lib_outboxmail",
        "INSERT",
        "starts_with(NEW.key, 'donation.paid:')",
        True,
    ),
]
RECONCILIATION = [
    Step("the report is being kept", "books_reconciliation", "INSERT"),
    Step(
        "its letter is promised",
        "lib_outboxmail",
        "INSERT",
        "starts_with(NEW.key, 'reconciliation:')",
    ),
    Step("it is kept, nobody knows", "books_reconciliation", "INSERT", at_commit=True),
]
BOOKED = PAYMENT[2]
ANSWERED = PAYMENT[-1]
_numbers = iter(range(1, 1000))


def each(steps: list[Step]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("step", steps, ids=lambda step: step.name)


def company(stack: Stack) -> Company:
    return Company(stack, f"Crash{next(_numbers)}")


def killed_at(stack: Stack, step: Step, act: Callable[[], object], *victims: str) -> None:
    """`act` comes to the step, the victims die there, and everything is started again."""
    acting = threading.Thread(target=_ignoring, args=[act], daemon=True)
    with held(stack, step):
        acting.start()
        wait_for(lambda: is_reached(stack), PATIENCE)
        for victim in victims:
            strike(stack, victim)
    acting.join(PATIENCE)
    stack.start_what_died()
    stack.wait_ready()


def _ignoring(act: Callable[[], object]) -> None:
    """Whoever asked a process that died gets no answer, or not the one that they wanted."""
    with contextlib.suppress(requests.RequestException, KeyError, AssertionError):
        act()


def strike(stack: Stack, victim: str) -> None:
    if victim == "postgres":  # one of its processes dies: it ends all others and recovers
        with psycopg.connect(stack.env["DATABASE_URL"], autocommit=True) as bystander:
            os.kill(waiting(stack)[0], signal.SIGKILL)
            wait_for(lambda: is_cut(bystander), PATIENCE)  # before that it still answers
        wait_for(lambda: is_answering(stack), PATIENCE)
    elif victim == "redis":  # all that it knew is gone, and everybody who listened
        with Redis.from_url(stack.env["REDIS_URL"]) as client:
            client.flushdb()
            client.client_kill_filter(_type="normal", skipme=True)
    else:
        stack.kill(victim)


def is_cut(connection: psycopg.Connection) -> bool:
    try:
        connection.execute("SELECT 1")
    except OperationalError:
        return True
    return False


def is_answering(stack: Stack) -> bool:
    try:
        return stack.sql("SELECT 1") == [(1,)]
    except OperationalError:
        return False


def sweep(stack: Stack, task: str = "repair_payments") -> None:
    """What the beat does every 30 seconds, now."""
    with Celery(broker=stack.env["REDIS_URL"], set_as_current=False) as sender:
        sender.send_task(f"portal.tasks.{task}", queue="default")


def is_supporter(found: Company) -> bool:
    return found.states() == [("active", "paid")]


def assert_right(found: Company) -> None:
    """Paid once, shown, one term, each letter once."""
    wait_for(lambda: is_supporter(found), PATIENCE)
    assert found.is_shown()
    assert found.entries() == [("payment", PRICE)]
    assert found.terms() == [(True,)]
    assert found.letters() == {"draft": 1, "received": 1, "paid": 1}


@each(ORDER)
def test_a_sign_up_survives_the_death_of_web(stack: Stack, step: Step) -> None:
    found = company(stack).draft()
    killed_at(stack, step, found.order, "web")
    found.pay(found.order())
    assert_right(found)


@each(PAYMENT)
def test_a_payment_survives_the_death_of_web(stack: Stack, step: Step) -> None:
    found = company(stack).draft()
    hosted = found.order()
    killed_at(stack, step, lambda: found.pay(hosted), "web")
    assert_right(found)


@pytest.mark.parametrize("victim", ["twin", "redis", "postgres"])
@each([BOOKED, ANSWERED])
def test_a_payment_survives_the_death_of_what_stands_around(
    stack: Stack, step: Step, victim: str
) -> None:
    found = company(stack).draft()
    hosted = found.order()
    killed_at(stack, step, lambda: found.pay(hosted), victim)
    assert_right(found)


@each([BOOKED, ANSWERED])
def test_an_event_that_web_left_survives_the_death_of_the_worker(stack: Stack, step: Step) -> None:
    found = company(stack).draft()
    hosted = found.order()
    stored = PAYMENT[1]
    with held(stack, stored):
        paying = threading.Thread(target=_ignoring, args=[lambda: found.pay(hosted)], daemon=True)
        paying.start()
        wait_for(lambda: is_reached(stack), PATIENCE)
        stack.kill("web")
        stack.kill("twin")  # so that the worker alone can find it
    paying.join(PATIENCE)
    with held(stack, step):
        sweep(stack)
        wait_for(lambda: is_reached(stack), PATIENCE)
        stack.kill("worker")
    stack.start("worker")
    stack.start("web")
    wait_for(lambda: "worker" in stack.children, PATIENCE)
    sweep(stack)
    wait_for(lambda: is_supporter(found), PATIENCE)
    stack.start_what_died()  # the twin delivers all of it once more
    stack.wait_ready()
    assert_right(found)


@pytest.fixture(scope="module")
def erin(_running_stack: Stack) -> Treasurer:
    return Treasurer(_running_stack)


@each(REFUND)
def test_a_refund_survives_the_death_of_web(stack: Stack, erin: Treasurer, step: Step) -> None:
    found = company(stack).signed_up()
    wait_for(lambda: is_supporter(found), PATIENCE)
    killed_at(stack, step, lambda: erin.refund(found), "web")
    if step is REFUND[0]:
        erin.refund(found)  # nothing was kept: she sees so, and asks again
    stack.sql("UPDATE books_refundrequest SET asked_at = asked_at - interval '5 minutes'")
    sweep(stack)
    wait_for(lambda: found.states() == [("refunded", "refunded")], PATIENCE)
    sweep(stack)
    assert found.entries() == [("payment", PRICE), ("refund", -PRICE)]
    assert found.terms() == [(False,)]
    assert found.letters() == {"draft": 1, "received": 1, "paid": 1, "refunded": 1}
    wait_for(lambda: unsent(stack) == [(0,)], PATIENCE)
    assert not found.is_shown()


def unsent(stack: Stack) -> list[tuple[object, ...]]:
    return stack.sql("SELECT count(*) FROM books_refundrequest WHERE refund_id = ''")


@each(DONATION)
def test_a_donation_survives_the_death_of_web(stack: Stack, step: Step) -> None:
    donor = Donor(stack, f"Donor{next(_numbers)}")
    if step is DONATION[0]:
        killed_at(stack, step, donor.give, "web")
        donor.pay(donor.give())
    else:
        hosted = donor.give()
        killed_at(stack, step, lambda: donor.pay(hosted), "web")
    wait_for(lambda: (True, "paid") in donor.donations(), PATIENCE)
    assert donor.entries() == [("payment", 25_00)]
    assert [kind for (kind,) in donor.letters()] == ["donation.paid"]


@each(RECONCILIATION)
def test_a_reconciliation_survives_the_death_of_the_worker(stack: Stack, step: Step) -> None:
    """An entry that the provider knows nothing of is told to the treasurer, once a day."""
    odd = f"pi_odd_{next(_numbers)}"
    stack.sql(
        "INSERT INTO payments_ledgerentry (order_id, kind, amount_minor, currency, provider,"
        " provider_ref, occurred_at, booked_at) SELECT id, 'payment', 100, 'EUR', 'twin', %s,"
        " now() - interval '2 hours', now() FROM payments_order ORDER BY id LIMIT 1",
        (odd,),
    )
    with held(stack, step):
        sweep(stack, "reconcile_payments")
        wait_for(lambda: is_reached(stack), PATIENCE)
        stack.kill("worker")
    stack.start_what_died()
    stack.wait_ready()
    sweep(stack, "reconcile_payments")
    wait_for(lambda: told(stack, odd) == (1, 1), PATIENCE)


def told(stack: Stack, ref: str) -> tuple[int, int]:
    """Whether a report has the difference, and how many letters tell of it."""
    [(reports,)] = stack.sql("SELECT count(*) FROM books_difference WHERE ref = %s", (ref,))
    [(letters,)] = stack.sql(
        "SELECT count(*) FROM lib_outboxmail WHERE strpos(text, %s) > 0", (ref,)
    )
    return min(int(str(reports)), 1), int(str(letters))


def test_in_the_end_every_movement_of_the_provider_is_booked_once(stack: Stack) -> None:
    """After all of the above: the provider's own lists beside the ledger, the letters as sent."""
    source = TwinProvider(stack.env["TWIN_URL"], "")
    since = stack.sql("SELECT now() - interval '1 day'")[0][0]
    theirs = sorted((m.kind, m.names[0], m.minor) for m in source.movements(since))
    ours = stack.sql(
        "SELECT kind, provider_ref, amount_minor FROM payments_ledgerentry WHERE provider = 'twin'"
        " AND NOT starts_with(provider_ref, 'pi_odd_')"
    )
    assert len(theirs) == len(ours) > 20
    assert sum(minor for _, _, minor in theirs) == sum(int(str(minor)) for _, _, minor in ours)
    assert stack.sql("SELECT count(*) FROM payments_providerevent WHERE handled_at IS NULL") == [
        (0,)
    ]
    [(held,)] = stack.sql(END_LEASES)
    wait_for(lambda: stack.sql(UNSENT_LETTERS) == [(0,)], PATIENCE)
    promised = {number for (number,) in stack.sql("SELECT id FROM lib_outboxmail")}
    sent = [int(found) for letter in stack.letters() for found in MESSAGE.findall(letter)]
    assert set(sent) == promised
    assert len(sent) <= len(promised) + int(str(held)), "twice at most what a killed worker held"


# A worker that is killed while it sends holds its letter for five minutes.
END_LEASES = """
    WITH held AS (UPDATE lib_outboxmail SET not_before = now()
                  WHERE sent_at IS NULL AND attempts > 0 RETURNING id)
    SELECT count(*) FROM held
"""
UNSENT_LETTERS = "SELECT count(*) FROM lib_outboxmail WHERE sent_at IS NULL"
MESSAGE = re.compile(r"Message-ID: <outbox-(\d+)@")
