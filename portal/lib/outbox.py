"""Mail leaves through an outbox: written inside the transaction, sent after its commit.

A letter is rendered when it is promised, so that later edits do not change what was said. Its key
makes it unique: an action that runs twice promises the same letter once.

What is guaranteed: a promised letter is handed to the mail server at least once, or given up and
shown to staff. Twice only if the process dies, or the connection breaks, between the server's
"accepted" and the commit of our row; both copies then carry the same Message-ID, by which mail
programs drop the second. No protocol of mail allows more.
"""

import logging
import re
import smtplib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from email.mime.text import MIMEText
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template import Context, Engine, TemplateDoesNotExist
from django.utils import timezone

from portal.lib import languages
from portal.lib.models import OutboxMail

logger = logging.getLogger(__name__)

ATTEMPTS = 8
FIRST_PAUSE = timedelta(minutes=1)  # doubles with every attempt: the last after about two hours
GAP = re.compile(r"\n(?:[ \t]*\n){2,}")  # what a paragraph leaves that a template leaves out
LEASE = timedelta(minutes=5)  # longer than a mail server may take; then a dead sender's row is free


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that is not rendered yet; what each means says `enqueue`."""

    to: str
    template: str
    context: dict[str, Any]
    key: str
    about: str = ""
    calendar: str = ""
    headers: Mapping[str, str] | None = None


def enqueue(
    *,
    to: str,
    template: str,
    context: dict[str, Any],
    key: str,
    about: str = "",
    calendar: str = "",
    headers: Mapping[str, str] | None = None,
) -> None:
    """Promise the letter `templates/mail/<template>.txt` (first line "Subject: ...") to `to`.

    Its HTML form is `templates/mail/<template>.html`, or is made from the text. `about` names
    whose history the letter belongs to, in the words of the app that asks for it, such as
    "organisation:acme". `calendar` is an event that goes with it as a file of calendar programs.
    """
    enqueue_all([Letter(to, template, context, key, about, calendar, headers)])


def enqueue_all(letters: Iterable[Letter]) -> None:
    """Several promises in three statements, however many they are, each in its reader's language
    as far as it is rendered here.
    """
    wanted = {letter.key: letter for letter in letters}
    known = set(OutboxMail.objects.filter(key__in=wanted).values_list("key", flat=True))
    new = [letter for key, letter in wanted.items() if key not in known]  # rendering is dear
    if not new:
        return
    spoken = languages.of_addresses(letter.to for letter in new)
    mails = [_written(letter, spoken.get(letter.to.lower(), "")) for letter in new]
    OutboxMail.objects.bulk_create(mails, ignore_conflicts=True)


def _written(letter: Letter, language: str) -> OutboxMail:
    with languages.of_reader(language):
        return _rendered_mail(letter)


def _rendered_mail(letter: Letter) -> OutboxMail:
    """The letter as it will be sent, whatever changes later."""
    names = {"foundation_name": settings.FOUNDATION_NAME, "base_url": settings.BASE_URL}
    full = {**names, **letter.context}
    head, _, text = _rendered(f"mail/{letter.template}.txt", full).lstrip().partition("\n")
    if not head.startswith("Subject: "):
        raise ValueError(f"mail/{letter.template}.txt must start with a Subject line")
    try:
        html = _rendered(f"mail/{letter.template}.html", full)
    except TemplateDoesNotExist:
        html = _from_text(head.removeprefix("Subject: "), text, names)
    mail = _mail(letter.to, head.removeprefix("Subject: "), text, letter.key, html=html)
    mail.about, mail.calendar = letter.about, letter.calendar
    mail.headers = dict(letter.headers or {})
    return mail


def _from_text(subject: str, text: str, names: dict[str, str]) -> str:
    """The same words, with links to press; the frame has the signature."""
    said = text.partition("\n-- \n")[0].strip().removesuffix(names["foundation_name"])
    return _rendered("mail/from_text.html", {**names, "subject": subject, "text": said.strip()})


def promise(
    *,
    to: str,
    subject: str,
    text: str,
    key: str,
    html: str = "",
    about: str = "",
    headers: Mapping[str, str] | None = None,
) -> None:
    """Promise a letter that is rendered already. The same key again changes nothing."""
    mail = _mail(to, subject, text, key, html=html)
    mail.about, mail.headers = about, dict(headers or {})
    OutboxMail.objects.bulk_create([mail], ignore_conflicts=True)


def _mail(to: str, subject: str, text: str, key: str, *, html: str) -> OutboxMail:
    return OutboxMail(
        key=key,
        recipient=to,
        subject=" ".join(subject.split())[:250],
        text=GAP.sub("\n\n", text.strip()) + "\n",
        html=html,
    )


def send_due(*, limit: int = 200) -> int:
    """Send what is due, one letter at a time; how many left."""
    sent = 0
    for _ in range(limit):
        mail = _claim()
        if mail is None:
            break
        sent += _deliver(mail)
    return sent


@transaction.atomic
def retry(mail: OutboxMail) -> bool:
    """Let a letter that was given up, or waits for its next attempt, be sent now."""
    return bool(
        OutboxMail.objects.filter(pk=mail.pk, sent_at__isnull=True).update(
            given_up_at=None, attempts=0, not_before=timezone.now()
        )
    )


@transaction.atomic
def _claim() -> OutboxMail | None:
    """The next due letter, ours for the time of the lease; committed before it is sent, so that
    no lock is held while a mail server thinks, and a letter that kills its sender is counted.
    """
    now = timezone.now()
    mail = (
        OutboxMail.objects.due(now)
        .select_for_update(skip_locked=True)
        .order_by("not_before", "id")
        .first()
    )
    if mail is None:
        return None
    mail.attempts += 1
    mail.not_before = now + LEASE
    mail.save(update_fields=["attempts", "not_before"])
    return mail


def _deliver(mail: OutboxMail) -> bool:
    """Hand a claimed letter to the mail server and note what came of it."""
    try:
        _message(mail).send()
    except (OSError, ValueError) as error:  # smtplib's and ssl's are OSErrors; bad headers Values
        _note_failure(mail, error)
        return False
    OutboxMail.objects.filter(pk=mail.pk).update(
        sent_at=timezone.now(), given_up_at=None, last_error=""
    )
    return True


def _note_failure(mail: OutboxMail, error: Exception) -> None:
    now = timezone.now()
    changes: dict[str, Any] = {"last_error": f"{type(error).__name__}: {error}"[:300]}
    if mail.attempts >= ATTEMPTS or _is_final(error):
        changes["given_up_at"] = now
    else:
        changes["not_before"] = now + FIRST_PAUSE * 2 ** (mail.attempts - 1)
    OutboxMail.objects.filter(pk=mail.pk).update(**changes)
    logger.warning("mail %s failed (attempt %s): %s", mail.pk, mail.attempts, type(error).__name__)


def _is_final(error: Exception) -> bool:
    """Whether another attempt cannot help: nobody there, or a letter that cannot be written."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    return isinstance(error, ValueError)


def _message(mail: OutboxMail) -> EmailMultiAlternatives:
    message = EmailMultiAlternatives(mail.subject, mail.text, to=[mail.recipient])
    message.extra_headers["Message-ID"] = f"<outbox-{mail.pk}@{_mail_host()}>"
    message.extra_headers["Auto-Submitted"] = "auto-generated"
    message.extra_headers.update(mail.headers)
    if mail.html:
        message.attach_alternative(mail.html, "text/html")
    if mail.calendar:
        message.attach(_calendar_part(mail.calendar))
    return message


def _calendar_part(text: str) -> MIMEText:
    """What a calendar program takes as an event, and other programs as a file."""
    part = MIMEText(text, "calendar", "utf-8")
    part.set_param("method", "PUBLISH")
    part.add_header("Content-Disposition", "attachment", filename="event.ics")
    return part


def _mail_host() -> str:
    return settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">") or "localhost"


def _rendered(name: str, context: dict[str, Any]) -> str:
    """A template of a letter; plain text is not escaped for HTML."""
    template = Engine.get_default().get_template(name)
    return template.render(Context(context, autoescape=name.endswith(".html")))
