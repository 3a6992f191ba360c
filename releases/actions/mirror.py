"""Mirrors from proposal to retirement. Who operates one may propose; managers decide."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit, links, outbox
from releases.errors import RefusedError
from releases.models import Mirror

CONFIRM: Final = "releases.mirror.confirm"
MOST_OPEN: Final = 2  # proposals that wait for one contact, who may be a stranger to them
LOCK: Final = 7_302  # with the contact's hash: proposals for one contact come one after the other
CONFIRMED_WITHIN: Final = dt.timedelta(days=7)
PROBED: Final = {"base_url", "parts", "products"}  # what a probe's result depends on
State = Mirror.State
STEPS: Final = {  # what may become of a mirror, by the state it is in
    State.PROPOSED: (State.ACTIVE, State.RETIRED),
    State.ACTIVE: (State.PAUSED, State.RETIRED),
    State.PAUSED: (State.ACTIVE, State.RETIRED),
    State.RETIRED: (State.ACTIVE,),
}


@transaction.atomic
def propose_mirror(*, actor: User | None, values: dict[str, Any], at: dt.datetime) -> Mirror:
    """Note a mirror. Its operator confirms the address by a letter; a manager's word is enough."""
    products = values.pop("products", ())
    if actor is None:
        _refuse_many_letters(values["contact_email"])
    mirror = Mirror(slug=_free_slug(values["base_url"]), **values)
    mirror.confirmed_at = at if actor is not None else None
    _save(mirror)
    mirror.products.set(products)
    if actor is None:
        _ask_for_confirmation(mirror)
    audit.record(actor=actor, verb="mirror.propose", subject=mirror, address=mirror.base_url)
    return mirror


def _refuse_many_letters(contact: str) -> None:
    """Whoever is named as contact did not ask for letters: a few, until one is answered."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [LOCK, contact.lower()])
    waiting = Mirror.objects.filter(
        state=State.PROPOSED, confirmed_at=None, contact_email__iexact=contact
    )
    if waiting.count() >= MOST_OPEN:
        raise RefusedError(
            _("Follow the links in our letters to this contact first: %(count)d proposals wait.")
            % {"count": MOST_OPEN}
        )


def _free_slug(base_url: str) -> str:
    """The host with hyphens, and a number where that is taken."""
    base = slugify((urlsplit(base_url).hostname or "mirror").replace(".", "-"))[:50]
    taken = set(Mirror.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    names = [base, *(f"{base}-{number}" for number in range(2, len(taken) + 3))]
    return next(name for name in names if name not in taken)


def _ask_for_confirmation(mirror: Mirror) -> None:
    token = links.sign(str(mirror.pk), purpose=CONFIRM)
    context = {"mirror": mirror, "url": f"{settings.BASE_URL}/mirrors/confirm/{token}/"}
    key = f"mirror.confirm:{mirror.pk}"
    outbox.enqueue(to=mirror.contact_email, template="mirror_confirm", context=context, key=key)


@transaction.atomic
def confirm_mirror(*, token: str, at: dt.datetime) -> Mirror | None:
    """The operator followed the link of the letter. None for a link that is not good any more."""
    number = links.unsign(token, purpose=CONFIRM, max_age=CONFIRMED_WITHIN)
    mirror = Mirror.objects.select_for_update().filter(pk=number).first() if number else None
    if mirror is not None and mirror.confirmed_at is None:
        mirror.confirmed_at = at
        mirror.save(update_fields=["confirmed_at"])
        audit.record(actor=None, verb="mirror.confirm", subject=mirror)
    return mirror


@transaction.atomic
def edit_mirror(*, actor: User, mirror: Mirror, values: dict[str, Any], at: dt.datetime) -> Mirror:
    """Change what is known of a mirror. With another address or content all is probed again."""
    values = dict(values)
    products = values.pop("products", ())
    locked = Mirror.objects.select_for_update().get(pk=mirror.pk)
    changed = sorted(name for name, value in values.items() if getattr(locked, name) != value)
    if set(locked.products.all()) != set(products):
        locked.products.set(products)
        changed.append("products")
    for name, value in values.items():
        setattr(locked, name, value)
    if not PROBED.isdisjoint(changed):
        _forget_health(locked, at)
    _save(locked)
    if changed:
        audit.record(actor=actor, verb="mirror.edit", subject=locked, changed=changed)
    return locked


@transaction.atomic
def change_state(*, actor: User, mirror: Mirror, to: str, at: dt.datetime) -> Mirror:
    """Approve, pause, resume, retire. Nobody is sent to a mirror before a probe found it healthy.

    Raises RefusedError for a step that does not exist, and for a contact nobody has confirmed.
    """
    locked = Mirror.objects.select_for_update().get(pk=mirror.pk)
    before = State(locked.state)
    if to not in STEPS[before]:
        raise RefusedError(
            _("A mirror that is %(state)s cannot do that.") % {"state": before.label}
        )
    if to == State.ACTIVE and locked.confirmed_at is None:
        raise RefusedError(_("Its operator has not followed the link in our letter yet."))
    locked.state, locked.state_since = to, at
    if to == State.ACTIVE:
        locked.active_since = at
        _forget_health(locked, at)
    locked.save()
    audit.record(actor=actor, verb=f"mirror.{to}", subject=locked, before=before)
    return locked


def _forget_health(mirror: Mirror, at: dt.datetime) -> None:
    """What probes said does not count any more; the next one is due at once."""
    mirror.sightings.all().delete()
    mirror.health, mirror.health_since, mirror.reason = Mirror.Health.UNKNOWN, at, ""
    mirror.behind, mirror.behind_since, mirror.files_until = 0, None, None
    mirror.failures, mirror.told_at, mirror.next_probe_at = 0, None, at


def _save(mirror: Mirror) -> None:
    try:
        mirror.full_clean(exclude=["products"])
    except ValidationError as error:
        raise RefusedError(" ".join(error.messages)) from error
    mirror.save()


def forget_unconfirmed(*, at: dt.datetime) -> int:
    """Delete proposals whose operator did not follow the link; how many."""
    old = Mirror.objects.filter(
        state=State.PROPOSED, confirmed_at=None, proposed_at__lte=at - CONFIRMED_WITHIN
    )
    return old.delete()[1].get("releases.Mirror", 0)
