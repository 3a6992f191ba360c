"""Mail leaves through an outbox: written inside the transaction, sent after its commit.

A letter is rendered when it is promised, so that later edits do not change what was said. Its key
makes it unique: an action that runs twice promises the same letter once.
"""

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.utils import timezone

from portal.lib.models import OutboxMail

logger = logging.getLogger(__name__)

ATTEMPTS = 8
FIRST_PAUSE = timedelta(minutes=1)  # doubles with every attempt


def enqueue(*, to: str, template: str, context: dict[str, Any], key: str) -> None:
    """Promise the letter `templates/mail/<template>.txt` (first line "Subject: ...") to `to`.

    An HTML form is added where `templates/mail/<template>.html` exists.
    """
    full = {"foundation_name": settings.FOUNDATION_NAME, "base_url": settings.BASE_URL, **context}
    head, _, text = render_to_string(f"mail/{template}.txt", full).lstrip().partition("\n")
    if not head.startswith("Subject: "):
        raise ValueError(f"mail/{template}.txt must start with a Subject line")
    try:
        html: str = render_to_string(f"mail/{template}.html", full)
    except TemplateDoesNotExist:
        html = ""
    OutboxMail.objects.bulk_create(
        [
            OutboxMail(
                key=key,
                recipient=to,
                subject=head.removeprefix("Subject: ").strip()[:250],
                text=text.strip() + "\n",
                html=html,
            )
        ],
        ignore_conflicts=True,
    )


def send_due(*, limit: int = 200) -> int:
    """Send what is due, one row and one transaction at a time; how many left."""
    sent = 0
    for _ in range(limit):
        outcome = _send_one()
        if outcome is None:
            break
        sent += outcome
    return sent


@transaction.atomic
def _send_one() -> bool | None:
    """Send the next due letter: True sent, False failed, None when nothing is due."""
    now = timezone.now()
    mail = (
        OutboxMail.objects.due(now)
        .select_for_update(skip_locked=True)
        .order_by("not_before")
        .first()
    )
    if mail is None:
        return None
    mail.attempts += 1
    message = EmailMultiAlternatives(mail.subject, mail.text, to=[mail.recipient])
    message.extra_headers["Message-ID"] = f"<outbox-{mail.pk}@{_mail_host()}>"
    if mail.html:
        message.attach_alternative(mail.html, "text/html")
    try:
        message.send()
    except OSError as error:  # smtplib's errors are OSErrors
        mail.last_error = str(error)[:300]
        if mail.attempts >= ATTEMPTS:
            mail.given_up_at = now
        else:
            mail.not_before = now + FIRST_PAUSE * 2 ** (mail.attempts - 1)
        logger.warning("mail %s failed (attempt %s)", mail.pk, mail.attempts)
    else:
        mail.sent_at = now
    mail.save()
    return mail.sent_at is not None


def _mail_host() -> str:
    return settings.DEFAULT_FROM_EMAIL.rpartition("@")[2].rstrip(">") or "localhost"
