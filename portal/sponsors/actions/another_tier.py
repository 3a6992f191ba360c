"""Another tier for an organisation that is known: nobody types its data again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.lib import audit
from portal.members.models import Organisation, Term, Tier
from portal.sponsors.actions.ordering import NotPossibleError
from portal.sponsors.actions.renewal import charging, fill_in
from portal.sponsors.models import Application
from portal.sponsors.models.application import UNDER_WAY, ApplicationState
from portal.sponsors.upgrades import Way, step_to


@transaction.atomic
def begin_another(
    *, actor: User | None, organisation: Organisation, tier: Tier, currency: str, at: datetime
) -> Application:
    """An application for `tier`, filled in; one that is under way stays as it is."""
    locked = Organisation.objects.select_for_update(no_key=True, of=("self",)).get(
        pk=organisation.pk
    )
    step = step_to(locked, tier, at)
    replaced = step.term if step.way == Way.UPGRADE else None
    if step.way in {Way.HELD, Way.LATER}:
        raise NotPossibleError(_("You hold this tier or a larger one: choose it at the renewal."))
    if replaced is not None:
        _check_upgrade(replaced, currency)
    own = Application.objects.filter(organisation=locked, renews=None, replaces=replaced)
    same = own if replaced else own.filter(tier__kind=tier.kind)
    under_way = same.filter(state__in=UNDER_WAY).first()
    if under_way is not None:
        return under_way
    draft = same.filter(state=ApplicationState.DRAFT).first() or Application(
        applicant=actor, replaces=replaced
    )
    fill_in(draft, locked, tier, currency, at)
    draft.save()
    audit.record(actor=actor, verb="application.another", subject=draft, tier=str(tier))
    return draft


def _check_upgrade(term: Term, currency: str) -> None:
    if charging(term) is not None:
        raise NotPossibleError(
            _("It renews by itself: end the automatic renewal first, on your organisation's page.")
        )
    if term.currency != currency:
        raise NotPossibleError(
            _("Choose the currency in which the old tier was paid: what is left of it counts.")
        )
