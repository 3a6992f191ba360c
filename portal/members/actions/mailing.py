"""Letters to the advisory list: written, tried, sent once to each seat."""

import uuid
from datetime import datetime

from django.db import transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.lib.models import OutboxMail
from portal.members import advisory_letters as letters
from portal.members.models import Delivery, Mailing, Subscriber


class SentAlreadyError(Exception):
    """It has left; nothing about it changes any more."""


class RecipientsChangedError(Exception):
    """Others would get it than those who were confirmed; `count` says how many now."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.count = count


@transaction.atomic
def write_mailing(*, actor: User, subject: str, text: str) -> Mailing:
    mailing = Mailing.objects.create(subject=subject, text=text, written_by=actor)
    audit.record(actor=actor, verb="mailing.write", subject=mailing)
    return mailing


@transaction.atomic
def change_mailing(*, actor: User, mailing: Mailing, subject: str, text: str) -> None:
    """Raises SentAlreadyError."""
    locked = _draft(mailing)
    locked.subject, locked.text = subject, text
    locked.save(update_fields=["subject", "text"])
    audit.record(actor=actor, verb="mailing.change", subject=locked)


@transaction.atomic
def drop_mailing(*, actor: User, mailing: Mailing) -> None:
    """Throw a draft away. Raises SentAlreadyError."""
    locked = _draft(mailing)
    audit.record(actor=actor, verb="mailing.drop", subject=locked)
    locked.delete()


@transaction.atomic
def try_mailing(*, actor: User, mailing: Mailing) -> None:
    """A copy to the one who asks, marked as a test."""
    letters.mailing_test(mailing, person=actor, key=f"mailing.test:{mailing.pk}:{uuid.uuid4()}")
    audit.record(actor=actor, verb="mailing.test", subject=mailing)


@transaction.atomic
def send_mailing(*, actor: User, mailing: Mailing, expected: int, at: datetime) -> int:
    """Promise it to every seat that gets letters; how many. Raises SentAlreadyError and,
    when there are not as many as were confirmed, RecipientsChangedError.
    """
    locked = _draft(mailing)
    recipients = list(Subscriber.objects.receiving(at).select_related("organisation"))
    if not recipients or len(recipients) != expected:
        raise RecipientsChangedError(len(recipients))
    locked.sent_at, locked.sent_by = at, actor
    locked.save(update_fields=["sent_at", "sent_by"])
    keys = {subscriber.pk: letters.mailing(locked, subscriber) for subscriber in recipients}
    promised = OutboxMail.objects.filter(key__in=keys.values()).values_list("key", "pk")
    by_key = dict(promised)
    Delivery.objects.bulk_create(
        Delivery(mailing=locked, subscriber_id=pk, letter_id=by_key[key])
        for pk, key in keys.items()
    )
    audit.record(actor=actor, verb="mailing.send", subject=locked, recipients=len(recipients))
    return len(recipients)


def _draft(mailing: Mailing) -> Mailing:
    found = Mailing.objects.drafts().select_for_update().filter(pk=mailing.pk).first()
    if found is None:
        raise SentAlreadyError
    return found
