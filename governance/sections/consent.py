"""What was decided in writing: the text, the list of signers, every statement that was signed."""

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import Prefetch

from governance.models import Motion, Signature
from governance.sections import rules
from governance.sections.asked import Asked
from governance.sections.motion import about, decided, moment, roster_of

ACTS = Prefetch("consent__signatures", Signature.objects.order_by("pk"))


def documents(asked: Asked) -> Iterator[tuple[str, dict[str, Any]]]:
    """Consents that took effect or were given up until then."""
    found = decided(asked, Motion.Way.CONSENT).select_related("consent")
    for motion in found.prefetch_related(ACTS).iterator(chunk_size=200):
        yield f"motions/{motion.slug}", _document(motion)


def _document(motion: Motion) -> dict[str, Any]:
    consent = motion.consent
    return about(motion) | {
        "kind": "consent",
        "rules": rules.name_of(motion.rule_set) if motion.rule_set else "",
        "deadline": moment(consent.deadline),
        "needed": consent.needed,
        "effective": moment(consent.effective_at),
        "roster": roster_of(motion),
        "acts": [
            {"statement": json.loads(each.statement), "sha256": each.sha256}
            for each in consent.signatures.all()
        ],
    }
