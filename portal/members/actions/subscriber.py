"""Seats of the advisory list: taken or given by an organisation, given up, letters on and off."""

from datetime import datetime

from django.db import IntegrityError, transaction

from portal.accounts.models import User
from portal.lib import audit
from portal.members import advisory_letters as letters
from portal.members.models import Organisation, Subscriber


class NoSeatError(Exception):
    """All seats that the term gives are taken, or it gives none."""


class SeatedAlreadyError(Exception):
    """That address has a seat of the organisation."""


@transaction.atomic
def name_subscriber(
    *, actor: User, organisation: Organisation, name: str, email: str, at: datetime
) -> Subscriber:
    """Give a free seat to a person, who gets a letter. Raises NoSeatError, SeatedAlreadyError."""
    locked = Organisation.objects.select_for_update().get(pk=organisation.pk)
    taken = locked.subscribers.kept(at)
    if taken.filter(email__iexact=email).exists():
        raise SeatedAlreadyError
    if taken.count() >= locked.advisory_seats(at):
        raise NoSeatError
    try:
        with transaction.atomic():
            subscriber = Subscriber.objects.create(
                organisation=locked, name=name, email=email, named_by=actor, since=at
            )
    except IntegrityError as error:
        raise SeatedAlreadyError from error
    audit.record(actor=actor, verb="subscriber.name", subject=subscriber)
    letters.advisory_named(subscriber)
    return subscriber


@transaction.atomic
def end_subscriber(*, actor: User, subscriber: Subscriber, at: datetime) -> None:
    """The seat is free again; one that was given up stays so."""
    ended = Subscriber.objects.filter(pk=subscriber.pk, ended_at__isnull=True)
    if ended.update(ended_at=max(at, subscriber.since)):
        audit.record(actor=actor, verb="subscriber.end", subject=subscriber)


@transaction.atomic
def unsubscribe(*, subscriber: Subscriber, at: datetime) -> None:
    """No more letters, by the link of one; the seat stays."""
    off = Subscriber.objects.filter(pk=subscriber.pk, unsubscribed_at__isnull=True)
    if off.update(unsubscribed_at=at):
        audit.record(actor=None, verb="subscriber.unsubscribe", subject=subscriber)


@transaction.atomic
def resubscribe(*, subscriber: Subscriber) -> None:
    """Letters again."""
    on = Subscriber.objects.filter(pk=subscriber.pk, unsubscribed_at__isnull=False)
    if on.update(unsubscribed_at=None):
        audit.record(actor=None, verb="subscriber.resubscribe", subject=subscriber)
