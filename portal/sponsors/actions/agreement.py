"""Publishing the text that supporters accept."""

import hashlib
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from portal.accounts.models import User
from portal.lib import audit
from portal.sponsors.models import Agreement


def digest(text: str) -> str:
    """SHA-256 of the text in UTF-8: what an acceptance is bound to."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def publish_agreement(
    *, actor: User | None, title: str, text: str, in_force_from: datetime
) -> Agreement:
    """The next version. Earlier ones stay for those who accepted them."""
    latest = Agreement.objects.aggregate(Max("version"))["version__max"] or 0
    agreement = Agreement.objects.create(
        version=latest + 1,
        title=title,
        text=text,
        sha256=digest(text),
        in_force_from=in_force_from,
    )
    audit.record(actor=actor, verb="agreement.publish", subject=agreement, sha256=agreement.sha256)
    return agreement
