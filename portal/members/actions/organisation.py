"""Keeping organisations."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.text import slugify

from portal.accounts.models import User
from portal.lib import audit
from portal.members import letters
from portal.members.details import stamp
from portal.members.models import Logo, Organisation


class ChangedMeanwhileError(Exception):
    """Somebody else changed it since the page was opened."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What an organisation says about itself."""

    name: str
    legal_name: str
    country: str
    address: str = ""
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
        address=profile.address,
        country=profile.country,
        vat_number=profile.vat_number,
        website=profile.website,
        is_listed=profile.is_listed,
        logo=profile.logo,
    )
    organisation.full_clean()
    organisation.save()
    if profile.logo is not None:
        organisation.logo_changes.create(logo=profile.logo, changed_by=actor)
    audit.record(actor=actor, verb="organisation.register", subject=organisation)
    return organisation


@transaction.atomic
def change_details(
    *,
    actor: User,
    organisation: Organisation,
    values: Mapping[str, str],
    seen: str,
    at: datetime,
) -> list[str]:
    """Keep `values` of the fields; the names of those that changed. Papers that were issued stay.

    `seen` is the stamp of what stood there when they were typed. Raises ChangedMeanwhileError.
    """
    locked = Organisation.objects.select_for_update(of=("self",)).get(pk=organisation.pk)
    if stamp(locked, values) != seen:
        raise ChangedMeanwhileError
    before = {name: getattr(locked, name) for name in values}
    changed = [name for name, value in values.items() if value != before[name]]
    if not changed:
        return []
    for name in changed:
        setattr(locked, name, values[name])
    locked.save(update_fields=changed)
    audit.record(
        actor=actor,
        verb="organisation.details",
        subject=locked,
        before={name: before[name] for name in changed},
        after={name: values[name] for name in changed},
    )
    letters.details_changed(locked, fields=changed, actor=actor, at=at)
    return changed


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
