"""Keeping organisations."""

from dataclasses import dataclass

from django.db import transaction
from django.utils.text import slugify

from portal.accounts.models import User
from portal.lib import audit
from portal.members.models import Logo, Organisation


@dataclass(frozen=True, slots=True)
class Profile:
    """What an organisation says about itself."""

    name: str
    legal_name: str
    country: str
    vat_number: str = ""
    website: str = ""
    is_listed: bool = False
    logo: Logo | None = None


@transaction.atomic
def register_organisation(*, actor: User | None, profile: Profile) -> Organisation:
    """A new organisation under an address made of its name."""
    organisation = Organisation(
        slug=_free_slug(profile.name),
        name=profile.name,
        legal_name=profile.legal_name,
        country=profile.country,
        vat_number=profile.vat_number,
        website=profile.website,
        is_listed=profile.is_listed,
        logo=profile.logo,
    )
    organisation.full_clean()
    organisation.save()
    audit.record(actor=actor, verb="organisation.register", subject=organisation)
    return organisation


@transaction.atomic
def change_logo(*, actor: User, organisation: Organisation, logo: Logo) -> None:
    """Show another picture from now on."""
    Organisation.objects.filter(pk=organisation.pk).update(logo=logo)
    audit.record(actor=actor, verb="organisation.logo", subject=organisation, digest=logo.digest)


@transaction.atomic
def change_listing(*, actor: User, organisation: Organisation, is_listed: bool) -> None:
    """Agree to be named as a supporter, or not any more."""
    Organisation.objects.filter(pk=organisation.pk).update(is_listed=is_listed)
    audit.record(
        actor=actor, verb="organisation.listing", subject=organisation, is_listed=is_listed
    )


def _free_slug(name: str) -> str:
    """The name as an address; a number is added where it is taken (the index decides a race)."""
    base = slugify(name)[:70] or "organisation"
    taken = set(Organisation.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in [base, *numbered] if slug not in taken)
