"""Keeping a picture that was checked, and which of them an organisation shows."""

from django.db import transaction
from django.db.models import ProtectedError

from portal.accounts.models import User
from portal.lib import audit
from portal.members import letters
from portal.members.models import Logo, LogoChange, Organisation
from portal.members.pictures import Picture


@transaction.atomic
def keep_logo(*, picture: Picture) -> Logo:
    """The logo with that content; the same picture is kept once."""
    logo, _ = Logo.objects.get_or_create(
        digest=picture.digest,
        defaults={
            "format": picture.format,
            "content": picture.content,
            "width": picture.width,
            "height": picture.height,
        },
    )
    return logo


def forget_logo(*, logo: Logo) -> bool:
    """Delete a picture that nothing refers to any more; whether it was deleted."""
    try:
        with transaction.atomic():
            logo.delete()
    except ProtectedError:
        return False
    return True


@transaction.atomic
def change_logo(*, actor: User | None, organisation: Organisation, logo: Logo) -> None:
    """Show this picture from now on, a new or an older one. The same again changes nothing."""
    locked = Organisation.objects.select_for_update(of=("self",)).get(pk=organisation.pk)
    if locked.logo_id != logo.pk:
        _show(actor, locked, logo)
        audit.record(actor=actor, verb="organisation.logo", subject=locked, digest=logo.digest)


@transaction.atomic
def take_down_logo(*, actor: User, organisation: Organisation, reason: str) -> None:
    """Staff show it no longer, and say why; the name stands in its place until another comes."""
    locked = Organisation.objects.select_for_update(of=("self",)).get(pk=organisation.pk)
    if locked.logo_id is None:
        return
    digest = locked.logo_id
    change = _show(actor, locked, None, reason=reason)
    audit.record(
        actor=actor,
        verb="organisation.logo_down",
        subject=locked,
        digest=digest,
        reason=change.reason,
    )
    letters.logo_taken_down(change)


def _show(
    actor: User | None, organisation: Organisation, logo: Logo | None, *, reason: str = ""
) -> LogoChange:
    organisation.logo = logo
    organisation.save(update_fields=["logo"])
    return LogoChange.objects.create(
        organisation=organisation, logo=logo, changed_by=actor, reason=reason.strip()
    )
