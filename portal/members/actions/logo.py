"""Keeping a picture that was checked."""

from django.db import transaction
from django.db.models import ProtectedError

from portal.members.models import Logo
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
