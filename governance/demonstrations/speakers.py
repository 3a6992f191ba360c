"""Who speaks for the members of the demonstration, so that they nominate and vote."""

from datetime import datetime, timedelta

from portal.accounts.actions.role import grant_role
from portal.accounts.demonstration import ALICE, person
from portal.accounts.models import User
from portal.accounts.roles import Role, Scope
from portal.members.actions.contact import add_contact
from portal.members.models import Organisation

SINCE = timedelta(days=100)  # all of them were members before
SPEAKERS = {
    "northwind-data": ALICE,
    "cobalt-hosting": "Ruth Calder",
    "halyard-cloud": "Sjoerd Bakker",
    "tessera-systems": "Vito Moretti",
    "redstart-payments": "Wendy Clarke",
    "polder-storage": "Xander Smit",
}


def load(*, actor: User, at: datetime) -> None:
    """An owner with an account for each member that is there."""
    for organisation in Organisation.objects.filter(slug__in=SPEAKERS):
        user = person(SPEAKERS[organisation.slug])
        contact = add_contact(
            actor=actor,
            organisation=organisation,
            role=Role.OWNER,
            name=user.name,
            email=user.email,
        )
        if contact.user is None:
            contact.user = user
            contact.save(update_fields=["user"])
        grant_role(
            actor=actor,
            user=user,
            role=Role.OWNER,
            scope_kind=Scope.ORGANISATION,
            scope_slug=organisation.slug,
            since=at - SINCE,
            reason="contact",
        )
