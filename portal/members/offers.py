"""What others ask of a person and is not answered yet: be a contact, an owner, a contributor."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from portal.accounts.models import User
from portal.members.models import Contact, Contributor, Transfer


@dataclass(frozen=True)
class Offer:
    """One of them, with the page where it is answered."""

    words: str
    path: str


def offers_to(user: User, at: datetime) -> list[Offer]:
    """Everything that waits for the answer of this person."""
    organisations = reverse("members:organisations")
    contacts = Contact.objects.offered_to(user).select_related("organisation")
    transfers = Transfer.objects.offered_to(user, at).select_related("organisation")
    named = _("%(name)s named you: %(role)s")
    return [
        *(
            Offer(
                named % {"name": contact.organisation.name, "role": contact.get_role_display()},
                organisations,
            )
            for contact in contacts
        ),
        *(
            Offer(_("%(name)s is offered to you") % {"name": transfer.organisation}, organisations)
            for transfer in transfers
        ),
        *(
            Offer(_("You are invited to be a contributor"), reverse("members:contributor_own"))
            for _found in Contributor.objects.offered_to(user).active_on(at)
        ),
    ]
