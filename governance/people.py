"""Who may say what about whom."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from governance.models import Body, SeatTerm
from portal.accounts.models import User


def may_declare_for(actor: User | AnonymousUser, person: User, at: datetime) -> bool:
    """Everybody for themselves; the keeper of a body for those who hold a seat in it."""
    if isinstance(actor, AnonymousUser):
        return False
    if actor.pk == person.pk:
        return True
    seated = SeatTerm.objects.of(person).seated_on(timezone.localdate(at))
    return Body.objects.kept_by(actor, at).filter(seats__terms__in=seated).exists()
