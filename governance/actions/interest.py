"""Declaring what may pull a person in two directions."""

from datetime import date

from django.db import transaction

from governance.models import Interest
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def declare_interest(
    *,
    actor: User | None,
    user: User,
    what: str,
    kind: Interest.Kind,
    audience: Interest.Audience,
    since: date,
    until: date | None = None,
) -> Interest:
    """Enter an interest into the register. The log names its kind, not what it is."""
    interest = Interest.objects.create(
        user=user,
        what=what,
        kind=kind,
        audience=audience,
        since=since,
        until=until,
        declared_by=actor,
    )
    audit.record(
        actor=actor,
        verb="interest.declared",
        subject=interest,
        kind=kind,
        audience=audience,
        since=since.isoformat(),
    )
    return interest
