import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core import mail as django_mail
from django.db import IntegrityError, connection, transaction
from django.template import TemplateDoesNotExist
from django.utils import timezone, translation

from portal.lib import outbox
from portal.lib.models import OutboxMail
from portal.lib.tests import smtp
from portal.lib.tests.smtp import MailServer

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[MailServer]:
    with smtp.running() as running:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST = "127.0.0.1"
        settings.EMAIL_PORT = running.port
        settings.EMAIL_TIMEOUT = 5
        yield running


@pytest.fixture
def templates(settings: Any, tmp_path: Any) -> Any:
    folder = tmp_path / "mail"
    folder.mkdir()
    settings.TEMPLATES = [
        {**settings.TEMPLATES[0], "DIRS": [tmp_path, *settings.TEMPLATES[0]["DIRS"]]}
    ]
    return folder


def promised(key: str = "k", to: str = "erin@example.org") -> OutboxMail:
    outbox.promise(to=to, subject="Hello", text="Text", key=key)
    return OutboxMail.objects.get(key=key)


def test_a_letter_reaches_a_real_mail_server(server: MailServer) -> None:
    promised()
    assert outbox.send_due() == 1
    [letter] = server.letters
    assert (letter["Subject"], letter["To"]) == ("Hello", "erin@example.org")
    assert str(letter["Message-ID"]).startswith("<outbox-")
    assert letter["Auto-Submitted"] == "auto-generated"
    assert OutboxMail.objects.get().sent_at is not None
    assert outbox.send_due() == 0
    assert len(server.letters) == 1


def test_text_is_plain_and_html_is_escaped(templates: Any, server: MailServer) -> None:
    (templates / "greeting.txt").write_text("Subject: Hi {{ name }}\nHello {{ name }} & all")
    (templates / "greeting.html").write_text("<p>Hello {{ name }}</p>")
    outbox.enqueue(to="a@example.org", template="greeting", context={"name": "O'Neil"}, key="g")
    assert OutboxMail.objects.get().subject == "Hi O'Neil"
    assert OutboxMail.objects.get().text == "Hello O'Neil & all\n"
    assert "O&#x27;Neil" in OutboxMail.objects.get().html
    outbox.send_due()
    kinds = [part.get_content_type() for part in server.letters[0].walk()]
    assert kinds == ["multipart/alternative", "text/plain", "text/html"]


def test_a_letter_without_html_of_its_own_gets_it_from_its_text(templates: Any) -> None:
    words = "Hello {{ name }},\n\n  A title\n\n\n\nLook:\n{{ base_url }}/x/?a=1&b=2\n\n"
    for name, end in (("old", "{{ foundation_name }}\n"), ("new", "-- \n{{ foundation_name }}\n")):
        (templates / f"{name}.txt").write_text(f"Subject: R&D <b>\n{words}{end}")
        outbox.enqueue(to="a@example.org", template=name, context={"name": "<i>"}, key=name)
        letter = OutboxMail.objects.get(key=name)
        assert "\n\n\n" not in letter.text
        assert "<title>R&amp;D &lt;b&gt;</title>" in letter.html
        assert "<p>Hello &lt;i&gt;,</p>" in letter.html
        assert f'href="{settings.BASE_URL}/x/?a=1&amp;b=2"' in letter.html
        body = letter.html.partition("<footer>")[0]
        assert settings.FOUNDATION_NAME not in body, "the frame has the signature"


def test_a_letter_needs_a_subject_and_a_template(templates: Any) -> None:
    (templates / "plain.txt").write_text("Subject: x\nHello")
    outbox.enqueue(to="a@example.org", template="plain", context={}, key="p")
    (templates / "bare.txt").write_text("Hello")
    with pytest.raises(ValueError, match="Subject"):
        outbox.enqueue(to="a@example.org", template="bare", context={}, key="g")
    with pytest.raises(TemplateDoesNotExist):
        outbox.enqueue(to="a@example.org", template="none", context={}, key="g")


def test_letters_to_many_are_three_statements_and_each_one_promise(
    templates: Any, django_assert_num_queries: Any
) -> None:
    (templates / "note.txt").write_text("Subject: Hi {{ name }}\n\nText")
    letters = [
        outbox.Letter(f"{name}@example.org", "note", {"name": name}, f"note:{name}")
        for name in ("ada", "bea", "ada")
    ]
    for _twice in range(2):
        with django_assert_num_queries(3 if not _twice else 1):
            outbox.enqueue_all(letters)
    assert [mail.subject for mail in OutboxMail.objects.order_by("id")] == ["Hi ada", "Hi bea"]


def test_an_event_goes_with_a_letter(templates: Any) -> None:
    (templates / "note.txt").write_text("Subject: Hi\n\nText")
    event = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
    outbox.enqueue(to="ada@example.org", template="note", context={}, key="k", calendar=event)
    assert outbox.send_due() == 1
    [part] = [
        each
        for each in django_mail.outbox[0].message().walk()
        if "calendar" in each.get_content_type()
    ]
    assert part.get_param("method") == "PUBLISH"
    assert part.get_filename() == "event.ics"
    assert part.get_payload(decode=True) == event.encode()


def test_the_same_key_promises_one_letter() -> None:
    promised("once")
    outbox.promise(to="other@example.org", subject="x", text="x", key="once")
    assert OutboxMail.objects.get().recipient == "erin@example.org"


def test_a_letter_that_is_promised_in_a_transaction_that_fails_is_none() -> None:
    def promise_and_fail() -> None:
        with transaction.atomic():
            promised()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        promise_and_fail()
    assert not OutboxMail.objects.exists()


@pytest.mark.parametrize(
    ("verb", "answer"), [("RCPT", "450 later"), ("DATA", "451 later"), ("MAIL", "421 busy")]
)
def test_a_refusal_for_now_is_tried_again_later(server: MailServer, verb: str, answer: str) -> None:
    server.answers[verb] = answer
    promised()
    assert outbox.send_due() == 0
    mail = OutboxMail.objects.get()
    assert mail.attempts == 1
    assert mail.given_up_at is None
    assert "SMTP" in mail.last_error
    wait = mail.not_before - timezone.now()
    assert timedelta(seconds=50) < wait <= timedelta(minutes=1)
    assert outbox.send_due() == 0


def test_a_server_that_is_not_there_is_tried_again(settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    promised()
    assert outbox.send_due() == 0
    assert "Refused" in OutboxMail.objects.get().last_error


def test_nobody_there_is_given_up_at_once(server: MailServer) -> None:
    server.answers["RCPT"] = "550 no such person"
    promised()
    outbox.send_due()
    assert OutboxMail.objects.get().given_up_at is not None


def test_a_letter_that_cannot_be_written_is_given_up_and_the_next_one_leaves(
    server: MailServer,
) -> None:
    OutboxMail.objects.create(key="bad", recipient="a@example.org\nBcc: x@y.z", subject="x")
    promised("good")
    assert outbox.send_due() == 1
    assert OutboxMail.objects.get(key="bad").given_up_at is not None


def test_the_last_attempt_gives_up_and_staff_may_try_again(server: MailServer) -> None:
    server.answers["DATA"] = "451 later"
    mail = promised()
    for _ in range(outbox.ATTEMPTS):
        OutboxMail.objects.update(not_before=timezone.now())
        outbox.send_due(limit=1)
    assert OutboxMail.objects.get().given_up_at is not None
    del server.answers["DATA"]
    assert outbox.retry(mail) is True
    assert outbox.send_due() == 1
    assert outbox.retry(mail) is False


def test_a_connection_that_breaks_after_the_letter_repeats_it_with_the_same_id(
    server: MailServer, settings: Any
) -> None:
    settings.EMAIL_TIMEOUT = 0.5
    server.dies_after_taking = True
    promised()
    outbox.send_due()
    server.dies_after_taking = False
    OutboxMail.objects.update(not_before=timezone.now())
    assert outbox.send_due() == 1
    first, second = server.letters
    assert first["Message-ID"] == second["Message-ID"]


def test_a_letter_of_a_killed_sender_waits_for_its_lease_and_counts(server: MailServer) -> None:
    promised()
    assert outbox._claim() is not None  # and the process dies
    assert outbox.send_due() == 0
    OutboxMail.objects.update(not_before=timezone.now())
    assert outbox.send_due() == 1
    assert OutboxMail.objects.get().attempts == 2


@pytest.mark.django_db(transaction=True)
def test_two_senders_never_take_the_same_letter() -> None:
    mine, yours = promised("one"), promised("two")
    taken: list[int] = []

    def other() -> None:
        mail = outbox._claim()
        taken.append(mail.pk if mail else 0)
        connection.close()

    with transaction.atomic():
        first = OutboxMail.objects.select_for_update().get(pk=mine.pk)
        thread = threading.Thread(target=other)
        thread.start()
        thread.join(timeout=10)
        assert first.pk == mine.pk
    assert taken == [yours.pk]


def test_a_letter_is_sent_or_given_up_never_both() -> None:
    mail = promised()
    with pytest.raises(IntegrityError):
        OutboxMail.objects.filter(pk=mail.pk).update(
            sent_at=timezone.now(), given_up_at=timezone.now()
        )


def test_no_more_than_the_limit_is_sent_at_once() -> None:
    for number in range(3):
        promised(str(number))
    assert outbox.send_due(limit=2) == 2
    assert len(django_mail.outbox) == 2


def test_a_letter_says_to_whom_and_what() -> None:
    assert str(promised()) == "erin@example.org: Hello"


def test_a_letter_is_in_the_language_of_who_gets_it(settings: Any, templates: Any) -> None:
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    get_user_model().objects.create_user("Ada@example.org", language="de")
    text = "Subject: {% load i18n %}{% get_current_language as code %}{{ code }}\n\n{{ at|date }}"
    (templates / "note.txt").write_text(text)
    context = {"at": datetime(2026, 11, 20, tzinfo=UTC)}
    with translation.override("de"):  # of who acts, which decides nothing
        for name in ("ADA", "bea"):
            outbox.enqueue(
                to=f"{name}@example.org", template="note", context=context, key=f"note:{name}"
            )
    told = dict(OutboxMail.objects.values_list("subject", "text"))
    assert told == {"de": "20. Nov 2026\n", "en": "20 Nov 2026\n"}
