"""Seats by tier, letters once to each, one click to leave, a page to come back."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest
from django.core import mail
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from portal.accounts.models import User
from portal.lib import outbox
from portal.lib.models import OutboxMail
from portal.lib.tests import smtp
from portal.members.actions.mailing import (
    RecipientsChangedError,
    SentAlreadyError,
    change_mailing,
    drop_mailing,
    send_mailing,
    write_mailing,
)
from portal.members.actions.subscriber import (
    NoSeatError,
    SeatedAlreadyError,
    end_subscriber,
    name_subscriber,
    unsubscribe,
)
from portal.members.actions.term import end_term
from portal.members.advisory_letters import unsubscribe_url
from portal.members.models import Delivery, Mailing, Organisation, Subscriber
from portal.members.tests.people import (
    DAY,
    letters,
    make_organisation,
    make_secured,
    make_term,
    make_tier,
)
from tests.cast import make_person, sign_in
from tests.shared import shared

pytestmark = pytest.mark.django_db


@shared
def acme() -> Organisation:
    """Two seats since yesterday; its slug is that of the cast's contacts."""
    organisation = make_organisation()
    make_term(organisation, make_tier("platinum", seats=2), timezone.now() - DAY)
    return organisation


def give(organisation: Organisation, actor: User, email: str) -> Subscriber:
    return name_subscriber(
        actor=actor,
        organisation=organisation,
        name=email.partition("@")[0].title(),
        email=email,
        at=timezone.now(),
    )


def letter(actor: User) -> Mailing:
    return write_mailing(actor=actor, subject="Plans", text="We **plan** a lot.")


def send(mailing: Mailing, actor: User, expected: int) -> int:
    return send_mailing(actor=actor, mailing=mailing, expected=expected, at=timezone.now())


# --- seats ---


def test_a_tier_gives_as_many_seats_as_it_says(acme: Organisation, alice: User) -> None:
    give(acme, alice, "one@example.org")
    with pytest.raises(SeatedAlreadyError):
        give(acme, alice, "ONE@example.org")
    give(acme, alice, "two@example.org")
    with pytest.raises(NoSeatError):
        give(acme, alice, "three@example.org")
    assert letters("one@example.org") == ["You have a seat of Acme on the advisory list"]


def test_a_freed_seat_is_given_to_another(acme: Organisation, alice: User) -> None:
    first = give(acme, alice, "one@example.org")
    give(acme, alice, "two@example.org")
    end_subscriber(actor=alice, subscriber=first, at=timezone.now())
    end_subscriber(actor=alice, subscriber=first, at=timezone.now())
    give(acme, alice, "three@example.org")
    emails = Subscriber.objects.seated(timezone.now()).values_list("email", flat=True)
    assert set(emails) == {"two@example.org", "three@example.org"}


def test_seats_come_and_go_with_the_term(acme: Organisation, alice: User) -> None:
    one = give(acme, alice, "one@example.org")
    now = timezone.now()
    assert list(Subscriber.objects.receiving(now)) == [one]
    end_term(term=acme.terms.get(), at=now, reason="refunded")
    assert not Subscriber.objects.receiving(now).exists()
    with pytest.raises(NoSeatError):
        give(acme, alice, "two@example.org")
    make_term(acme, make_tier("gold", seats=1), now)
    assert list(Subscriber.objects.receiving(now)) == [one]


def test_a_smaller_tier_keeps_who_came_first_and_moves_nobody_up(
    acme: Organisation, alice: User
) -> None:
    one, two = give(acme, alice, "one@example.org"), give(acme, alice, "two@example.org")
    now = timezone.now()
    end_term(term=acme.terms.get(), at=now, reason="changed")
    make_term(acme, make_tier("gold", seats=1), now)
    assert list(Subscriber.objects.seated(now)) == [one]
    unsubscribe(subscriber=one, at=now)
    assert not Subscriber.objects.receiving(now).exists(), "two has no seat"
    end_subscriber(actor=alice, subscriber=one, at=now)
    assert list(Subscriber.objects.receiving(now)) == [two]


# --- letters ---


def test_a_letter_goes_once_to_each_who_gets_letters(
    acme: Organisation, alice: User, frank: User
) -> None:
    one, two = give(acme, alice, "one@example.org"), give(acme, alice, "two@example.org")
    unsubscribe(subscriber=two, at=timezone.now())
    mailing = letter(frank)
    assert send(mailing, frank, expected=1) == 1
    with pytest.raises(SentAlreadyError):
        send(mailing, frank, expected=1)
    assert letters("one@example.org").count("Plans") == 1
    assert "Plans" not in letters("two@example.org")
    assert Delivery.objects.get().subscriber == one


def test_nothing_is_sent_when_the_recipients_are_not_those_confirmed(
    acme: Organisation, alice: User, frank: User
) -> None:
    mailing = letter(frank)
    with pytest.raises(RecipientsChangedError):
        send(mailing, frank, expected=0)
    give(acme, alice, "one@example.org")
    with pytest.raises(RecipientsChangedError) as raised:
        send(mailing, frank, expected=2)
    assert raised.value.count == 1
    assert not Delivery.objects.exists()


def test_what_was_sent_stays_as_it_is(acme: Organisation, alice: User, frank: User) -> None:
    give(acme, alice, "one@example.org")
    mailing = letter(frank)
    send(mailing, frank, expected=1)
    with pytest.raises(SentAlreadyError):
        change_mailing(actor=frank, mailing=mailing, subject="Other", text="Other")
    with pytest.raises(SentAlreadyError):
        drop_mailing(actor=frank, mailing=mailing)


def test_the_letter_tells_mail_programs_how_to_leave_with_one_click(
    acme: Organisation, alice: User, frank: User, settings: Settings
) -> None:
    one = give(acme, alice, "one@example.org")
    OutboxMail.objects.all().delete()
    send(letter(frank), frank, expected=1)
    with smtp.running() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        assert outbox.send_due() == 1
    [arrived] = server.letters
    url = arrived["List-Unsubscribe"].strip()[1:-1]  # the header may be folded
    assert url.startswith(f"{settings.BASE_URL}/advisory-list/unsubscribe/{one.pk}:")
    assert arrived["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert arrived["List-Id"].startswith("<advisory-list.")
    text, html = (
        str(part.get_payload(decode=True), "utf-8")  # type: ignore[arg-type]
        for part in arrived.walk()
        if not part.is_multipart()
    )
    assert "We **plan** a lot." in text
    assert url in text
    assert "<strong>plan</strong>" in html
    # as the mail program does: no cookie, no page before, and the server checks tokens
    robot = Client(enforce_csrf_checks=True)
    answer = robot.post(urlsplit(url).path, {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert not Subscriber.objects.receiving(timezone.now()).exists()


def test_looking_at_the_link_changes_nothing_and_one_may_come_back(
    acme: Organisation, alice: User
) -> None:
    one = give(acme, alice, "one@example.org")
    path = urlsplit(unsubscribe_url(one)).path
    visitor = Client()
    assert "You get the letters" in visitor.get(path).content.decode()
    assert Subscriber.objects.receiving(timezone.now()).exists()
    gone = visitor.post(path, {"act": "off"}, follow=True)
    assert "You get no more letters" in gone.content.decode()
    back = visitor.post(path, {"act": "back"}, follow=True)
    assert "You get the letters" in back.content.decode()
    assert Subscriber.objects.receiving(timezone.now()).exists()
    end_subscriber(actor=alice, subscriber=one, at=timezone.now())
    assert "not on the list any more" in visitor.get(path).content.decode()


def test_a_forged_link_is_nobodys(acme: Organisation, alice: User) -> None:
    one = give(acme, alice, "one@example.org")
    path = urlsplit(unsubscribe_url(one)).path
    assert Client().post(f"{path[:-2]}x/").status_code == 404
    assert Client().get("/advisory-list/unsubscribe/1:x:y/").status_code == 404


# --- pages ---


def text(client: Client, path: str, data: Mapping[str, str] | None = None) -> str:
    answer = client.post(path, data, follow=True) if data else client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


SEATS = "/organisation/acme/advisory-list/"


def test_the_owner_names_and_frees_seats(acme: Organisation, alice: User) -> None:
    client = sign_in(alice)
    assert "Acme has 2 seats on the advisory list" in text(client, SEATS)
    given = {"act": "name", "name": "Nina", "email": "nina@example.org"}
    assert "nina@example.org" in text(client, SEATS, given)
    assert "has a seat of yours already" in text(client, SEATS, given)
    assert "valid email" in text(client, SEATS, {**given, "email": "x"})
    assert "A letter is on its way" in text(client, SEATS, {"act": "take"})
    assert "Every seat is taken" in text(client, SEATS, {**given, "email": "z@example.org"})
    nina = Subscriber.objects.get(name="Nina")
    assert "The seat is free" in text(client, f"{SEATS}{nina.pk}/end/", {"x": "y"})


def test_another_contact_takes_and_frees_only_their_own_seat(
    acme: Organisation, alice: User
) -> None:
    other = give(acme, alice, "one@example.org")
    person = make_secured("tom")
    person.role_grants.create(role="technical", scope_kind="organisation", scope_slug="acme")
    client = sign_in(person)
    named = {"act": "name", "name": "Nina", "email": "nina@example.org"}
    assert client.post(SEATS, named).status_code == 403
    assert client.post(f"{SEATS}{other.pk}/end/").status_code == 404
    assert "tom@example.org" in text(client, SEATS, {"act": "take"})
    own = Subscriber.objects.get(email="tom@example.org")
    assert "The seat is free" in text(client, f"{SEATS}{own.pk}/end/", {"x": "y"})


def test_an_organisation_without_seats_is_told_how_to_get_some(alice: User) -> None:
    make_organisation()
    assert "No seat in the present term" in text(sign_in(alice), SEATS)


def test_from_a_draft_to_the_archive(acme: Organisation, alice: User, frank: User) -> None:
    staff, nina = sign_in(frank), make_person("nina")
    assert "Nothing was written yet" in text(staff, "/staff/mailings/")
    give(acme, alice, nina.email)
    assert "is still empty" in text(staff, "/staff/mailings/new/", {"subject": "", "text": "x"})
    written = {"subject": "Plans", "text": "We **plan** a lot."}
    assert "<strong>plan</strong>" in text(staff, "/staff/mailings/new/", written)
    page = f"/staff/mailings/{Mailing.objects.get().pk}/"
    assert "Saved" in text(staff, page, {**written, "text": "We plan *more*."})
    assert "<em>more</em>" in text(staff, page)
    assert frank.email in text(staff, f"{page}try/", {"x": "y"})
    assert letters(frank.email) == ["Test: Plans"]
    assert "List-Unsubscribe" not in OutboxMail.objects.get(recipient=frank.email).headers
    assert "Send it to 1 person?" in text(staff, f"{page}send/")
    for wrong in ("2", "", "-1", "9" * 30):
        refused = text(staff, f"{page}send/", {"recipients": wrong})
        assert "the recipients have changed" in refused
    assert "Sent to 1 person." in text(staff, f"{page}send/", {"recipients": "1"})
    assert staff.get(f"{page}send/").status_code == 302
    assert letters(nina.email).count("Plans") == 1
    reader = sign_in(nina)
    assert "Plans" in text(reader, "/advisory-list/")
    assert "<em>more</em>" in text(reader, Mailing.objects.get().get_absolute_url())
    assert "Nina" in text(reader, "/advisory-list/")


def test_letters_that_were_given_up_are_shown_to_staff_and_owner(
    acme: Organisation, alice: User, frank: User
) -> None:
    give(acme, alice, "gone@example.org")
    mailing = letter(frank)
    send(mailing, frank, expected=1)
    OutboxMail.objects.filter(subject="Plans").update(
        given_up_at=timezone.now(), last_error="550 no such person"
    )
    staff = sign_in(frank)
    report = text(staff, f"/staff/mailings/{mailing.pk}/")
    assert "1 copy did not get through" in report
    assert "550 no such person" in report
    assert "do not get through" in text(staff, "/staff/mailings/")
    assert "do not get through" in text(sign_in(alice), SEATS)


def test_a_draft_is_thrown_away(frank: User) -> None:
    staff = sign_in(frank)
    page = f"/staff/mailings/{letter(frank).pk}/"
    assert "The draft is gone" in text(staff, f"{page}drop/", {"x": "y"})
    assert not Mailing.objects.exists()


def test_the_archive_is_for_those_on_the_list(
    acme: Organisation, alice: User, charlie: User, bob: User
) -> None:
    assert sign_in(charlie).get("/advisory-list/").status_code == 403
    assert sign_in(bob).get("/advisory-list/").status_code == 403
    assert sign_in(alice).get("/advisory-list/").status_code == 200
    assert mail.outbox == []
