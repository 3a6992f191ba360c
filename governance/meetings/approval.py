"""The motion by which a body approves minutes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from governance.models import Minutes, Motion
from governance.refusals import Refusal


def not_to_open(motion: Motion) -> Refusal | None:
    """Why its vote cannot be opened: it approves minutes and names their text no longer."""
    minutes = Minutes.objects.filter(motion=motion).first()
    if minutes is None or minutes.text_sha256 in motion.text:
        return None
    return Refusal(
        _(
            "This motion approves minutes, and its text no longer says which. Put their SHA-256"
            " back into it: %(hash)s."
        )
        % {"hash": minutes.text_sha256}
    )
