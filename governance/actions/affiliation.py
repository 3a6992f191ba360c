"""Declaring for whom a person works."""

from datetime import date

from django.db import transaction
from django.utils.translation import gettext as _

from governance.actions.declaration import end_declaration
from governance.models import Affiliation
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit
from portal.members.models import Organisation

Relation = Affiliation.Relation


@transaction.atomic
def declare_affiliation(
    *,
    actor: User | None,
    user: User,
    relation: Affiliation.Relation,
    since: date,
    until: date | None = None,
    name: str = "",
    organisation: Organisation | None = None,
    replaces: bool = False,
) -> Affiliation:
    """Say for whom `user` works, or that they are independent.

    With `replaces` everything that was declared before ends as this begins. Nobody is independent
    and employed in the same time, and the same is said once.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if replaces:
        _end_before(actor, user, since)
    _refuse_contradiction(user, relation, name, since, until)
    affiliation = Affiliation.objects.create(
        user=user,
        relation=relation,
        organisation=organisation,
        name=organisation.name if organisation else name,
        since=since,
        until=until,
        declared_by=actor,
    )
    audit.record(
        actor=actor,
        verb="affiliation.declared",
        subject=affiliation,
        person=str(user),
        relation=relation,
        since=since.isoformat(),
    )
    return affiliation


def _end_before(actor: User | None, user: User, since: date) -> None:
    for before in Affiliation.objects.of(user).on(since).filter(since__lt=since):
        end_declaration(actor=actor, declaration=before, on=since)


def _refuse_contradiction(
    user: User, relation: Affiliation.Relation, name: str, since: date, until: date | None
) -> None:
    others = Affiliation.objects.of(user).standing().exclude(until__lte=since)
    if until is not None:
        others = others.filter(since__lt=until)
    for other in others:
        if _contradict(relation, Relation(other.relation)):
            raise Refusal(
                _("“%(other)s” was declared for that time. End it, or say that this replaces it.")
                % {"other": other}
            )
        if other.relation == relation and other.name.casefold() == name.casefold():
            raise Refusal(_("“%(other)s” was declared for that time already.") % {"other": other})


def _contradict(one: Affiliation.Relation, other: Affiliation.Relation) -> bool:
    """Who is independent works for nobody; a seat elsewhere is no work."""
    return Relation.INDEPENDENT in {one, other} and Relation.BOARD not in {one, other}
