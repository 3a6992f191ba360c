"""Letters to those who keep the books. Each has a key, so that none is sent twice."""

from hashlib import sha256

from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from portal.accounts.models import RoleGrant, User
from portal.accounts.roles import Role
from portal.books.models import Difference, Reconciliation
from portal.books.words import words_of
from portal.lib import outbox

SHOWN = 20  # differences in a letter; the page has all


def treasurers() -> list[User]:
    grants = RoleGrant.objects.active_on(timezone.now()).filter(role=Role.TREASURER)
    return list(User.objects.filter(pk__in=grants.values("user_id"), is_active=True))


def differs(report: Reconciliation) -> None:
    """To every treasurer: what does not agree, and what to do; the same of one day once."""
    found = list(report.differences.select_related("order"))
    context = {
        "report": report,
        "count": len(found),
        # Worded where the letter is rendered: each in the language of its reader.
        "differences": lambda: [(one, words_of(one)) for one in found[:SHOWN]],
        "url": settings.BASE_URL + reverse("books:reconciliation", args=[report.pk]),
    }
    for person in treasurers():
        outbox.enqueue(
            to=person.email,
            template="books/differs",
            context={**context, "person": person.name or person.email},
            key=f"reconciliation:{report.created_at:%Y%m%d}:{_digest(found)}:{person.pk}",
        )


def _digest(found: list[Difference]) -> str:
    """The same for the same differences, whichever report they stand in."""
    rows = sorted((one.fault, one.kind, one.ref, one.theirs_minor, one.ours_minor) for one in found)
    return sha256(repr(rows).encode()).hexdigest()[:16]
