"""How far a motion is that nobody votes on: signatures, or what was said about it."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from governance.consensus import questions as asked
from governance.models import Consensus, Consent, Motion


@dataclass(frozen=True, slots=True)
class Progress:
    """`got` of `of`, where `needed` are needed."""

    got: int
    of: int
    needed: int
    words: str
    note: str


def progress(motion: Motion) -> Progress | None:
    """None where nothing is signed or sought now."""
    consensus = asked.sought(motion)
    if consensus is not None:
        return _sought(consensus)
    consent = motion.consent if hasattr(motion, "consent") else None
    return _signed(consent) if consent else None


def _signed(consent: Consent) -> Progress:
    signers = consent.motion.roster.exclude(user=None).count()
    signed = consent.signatures.standing(timezone.now()).count()
    told = _("%(signed)s of %(signers)s have signed") % {"signed": signed, "signers": signers}
    note = _("%(needed)s needed") % {"needed": consent.needed}
    return Progress(signed, signers, consent.needed, told, note)


def _sought(consensus: Consensus) -> Progress:
    call, said = asked.call(consensus), asked.stances(consensus)
    told = _("%(spoke)s of %(asked)s have spoken") % {
        "spoke": said.taking_part,
        "asked": call.counted,
    }
    against = _("%(count)s object") % {"count": said.object} if said.object else _("nobody objects")
    return Progress(said.taking_part, call.counted, call.needed, told, against)
