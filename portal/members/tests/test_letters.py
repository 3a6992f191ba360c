"""Every letter of members, as the outbox keeps it: text and HTML, and nothing left to fill in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone

from portal.accounts.models import User
from portal.accounts.roles import Role
from portal.lib.models import OutboxMail
from portal.members.actions.cancellation import (
    cancel_support,
    take_cancellation_back,
    tell_of_ends,
)
from portal.members.actions.contact import invite_contact, remove_contact
from portal.members.actions.contributor import end_standing, remind_of_ends, renew_standing
from portal.members.actions.data_export import ask_for_export, make_export
from portal.members.actions.logo import change_logo, keep_logo, take_down_logo
from portal.members.actions.mailing import send_mailing, write_mailing
from portal.members.actions.nomination import reject_nomination
from portal.members.actions.organisation import change_details
from portal.members.actions.renewal_stop import note_resumed, stop_renewal
from portal.members.actions.subscriber import name_subscriber
from portal.members.actions.transfer import (
    accept_transfer,
    decline_transfer,
    expire_transfers,
    offer_transfer,
    withdraw_transfer,
)
from portal.members.details import stamp
from portal.members.models import Organisation, Term
from portal.members.pictures import check
from portal.members.tests.people import (
    DAY,
    YEAR,
    make_contributor,
    make_nomination,
    make_organisation,
    make_secured,
    make_term,
    make_tier,
)
from portal.payments.tests.factories import make_subscription
from tests.supporters import LOGO

pytestmark = pytest.mark.django_db
FOLDER = Path(settings.BASE_DIR) / "templates" / "mail" / "members"
LEFT_OVER = re.compile(r"{{|}}|{%|\bNone\b|TODO|lorem|%\(", re.IGNORECASE)


def test_each_letter_is_whole_in_text_and_html(alice: User, charlie: User, frank: User) -> None:
    contributors(charlie, frank)
    acme = make_organisation("Acme & Söhne", owner=alice)
    make_term(acme, make_tier(), timezone.now())
    advisory_list(acme, alice, frank)
    owners(acme, alice)
    endings(make_organisation("Bolt", owner=charlie), charlie, frank)
    told = list(OutboxMail.objects.all())
    kinds = {mail.key.rpartition(":")[0].partition(":")[0] for mail in told}
    assert len(kinds) >= len(list(FOLDER.glob("*.txt")))
    for mail in told:
        assert mail.text.startswith("Hello "), mail.key
        assert mail.html.lstrip().startswith("<!doctype html>"), mail.key
        assert "&amp;" not in mail.text + mail.subject, "plain text is not escaped"
        assert "\n\n\n" not in mail.text, mail.key
        assert not LEFT_OVER.search(mail.subject + mail.text + mail.html), mail.key


def test_each_letter_has_both_forms() -> None:
    texts = {path.stem for path in FOLDER.glob("*.txt")}
    assert texts == {path.stem for path in FOLDER.glob("*.html")}


def contributors(charlie: User, frank: User) -> None:
    now = timezone.now()
    contributor = make_contributor(charlie, frank, now - YEAR + DAY)
    remind_of_ends(at=now)
    renew_standing(
        actor=frank, contributor=contributor, until=now + YEAR, at=now, reason="Still here."
    )
    end_standing(actor=frank, contributor=contributor, at=now, reason="Asked for it.")
    other = make_nomination(charlie, email="other@example.org")
    reject_nomination(actor=frank, nomination=other, reason="Too early.", at=now)


def advisory_list(acme: Organisation, alice: User, frank: User) -> None:
    now = timezone.now()
    name_subscriber(actor=alice, organisation=acme, name="Nina", email="nina@example.org", at=now)
    mailing = write_mailing(actor=frank, subject="Plans & dates", text="We **plan**.")
    send_mailing(actor=frank, mailing=mailing, expected=1, at=now)


def owners(acme: Organisation, alice: User) -> None:
    now, tom = timezone.now(), make_secured("tom")
    contact = invite_contact(
        actor=alice, organisation=acme, role=Role.BILLING, name="Tom", email=tom.email
    )
    change_details(
        actor=tom,
        organisation=acme,
        values={"address": "", "invoice_email": "in@example.org", "country": "FR"},
        seen=stamp(acme, ["address", "invoice_email", "country"]),
        at=now,
    )
    remove_contact(actor=alice, contact=contact)
    for answer in ("withdraw", "decline", "accept"):
        transfer = offer_transfer(
            actor=alice, organisation=acme, name="Tom", email=tom.email, stays_as="", at=now
        )
        if answer == "withdraw":
            withdraw_transfer(actor=alice, transfer=transfer, at=now)
        elif answer == "decline":
            decline_transfer(user=tom, transfer=transfer, at=now)
        else:
            accept_transfer(user=tom, transfer=transfer, at=now)


def endings(bolt: Organisation, charlie: User, frank: User) -> None:
    """What becomes late, is cancelled, taken back, over, or taken down."""
    now = timezone.now()
    term = make_term(bolt, make_tier("silver"), now)
    offer_transfer(
        actor=charlie, organisation=bolt, name="A", email="a@example.org", stays_as="", at=now
    )
    assert expire_transfers(at=now + YEAR) == 1
    renewals(bolt, term, charlie)
    cancel_support(actor=charlie, organisation=bolt, reason="Budget.", at=now)
    take_cancellation_back(actor=charlie, organisation=bolt, at=now)
    cancel_support(actor=charlie, organisation=bolt, reason="", at=now)
    assert tell_of_ends(at=term.ends_at) == 1
    change_logo(actor=charlie, organisation=bolt, logo=keep_logo(picture=check(LOGO)))
    take_down_logo(actor=frank, organisation=bolt, reason="It is somebody else's.")


def renewals(bolt: Organisation, term: Term, charlie: User) -> None:
    """The automatic renewal is stopped and taken up again; the data are taken along."""
    now = timezone.now()
    subscription = make_subscription(current_period_end=now + YEAR)
    term.order.subscription = subscription
    term.order.save()
    stop_renewal(actor=charlie, organisation=bolt, subscription=subscription, at=now)
    note_resumed(actor=charlie, organisation=bolt, subscription=subscription, at=now)
    asked = ask_for_export(actor=charlie, organisation=bolt, at=now)
    assert make_export(export_pk=asked.pk, at=now)
