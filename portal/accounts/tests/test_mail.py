import pytest
from django.utils import timezone

from portal.accounts.models import User
from portal.lib import outbox
from portal.lib.models import AuditEntry, OutboxMail
from tests.cast import sign_in

pytestmark = pytest.mark.django_db


def letter(key: str, **changes: object) -> OutboxMail:
    outbox.promise(to=f"{key}@example.org", subject=key, text="https://secret.example", key=key)
    OutboxMail.objects.filter(key=key).update(**changes)
    return OutboxMail.objects.get(key=key)


def test_staff_see_what_waits_left_and_was_given_up(frank: User) -> None:
    now = timezone.now()
    letter("waits")
    letter("left", sent_at=now)
    letter("lost", given_up_at=now, last_error="SMTPDataError: full")
    client = sign_in(frank)

    def listed(state: str) -> set[str]:
        answer = client.get(f"/staff/mail/?state={state}")
        assert "secret.example" not in answer.content.decode()
        return {mail.key for mail in answer.context["page"]}

    assert listed("waiting") == listed("") == listed("nonsense") == {"waits"}
    assert listed("sent") == {"left"}
    assert listed("given_up") == {"lost"}
    page = client.get("/staff/mail/?state=given_up").content.decode()
    assert "1 letter did not get through" in page
    assert "SMTPDataError: full" in page


def test_staff_send_a_letter_again(frank: User) -> None:
    mail = letter("lost", given_up_at=timezone.now(), attempts=8)
    client = sign_in(frank)
    client.post(f"/staff/mail/{mail.pk}/retry/")
    assert outbox.send_due() == 1
    assert AuditEntry.objects.filter(verb="mail.retry", actor=frank).count() == 1
    client.post(f"/staff/mail/{mail.pk}/retry/")
    assert AuditEntry.objects.filter(verb="mail.retry").count() == 1


def test_an_empty_outbox_says_so(frank: User) -> None:
    assert "No letter here" in sign_in(frank).get("/staff/mail/").content.decode()
