"""How far a motion is that nobody votes on: signatures, or what was said about it."""

from dataclasses import dataclass

from django.db.models import prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.consensus import questions as asked
from governance.models import Consensus, Consent, Motion
from governance.motions import rolls
from governance.tally import consensus as tally


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
    consensus = _being_sought(motion)
    if consensus is not None:
        return _sought(consensus)
    consent = motion.consent if hasattr(motion, "consent") else None
    return _signed(motion, consent) if consent else None


def _being_sought(motion: Motion) -> Consensus | None:
    if hasattr(motion, "being_sought"):  # read for a whole list
        return next(iter(motion.being_sought), None)
    return asked.sought(motion)


def _signed(motion: Motion, consent: Consent) -> Progress:
    if hasattr(motion, "signed"):  # read for a whole list
        signers, signed = rolls.total(motion.counts).filled, motion.signed
    else:
        signers = motion.roster.exclude(user=None).count()
        signed = consent.signatures.standing(timezone.now()).count()
    told = _("%(signed)s of %(signers)s have signed") % {"signed": signed, "signers": signers}
    note = _("%(needed)s needed") % {"needed": consent.needed}
    return Progress(signed, signers, consent.needed, told, note)


def _sought(consensus: Consensus) -> Progress:
    prefetch_related_objects([consensus], "participants__positions")
    counted = [each for each in consensus.participants.all() if each.is_counted]
    last = [list(each.positions.all())[-1:] for each in counted]
    said = tally.count(tally.Stance(position.stance) for told in last for position in told)
    told = _("%(spoke)s of %(asked)s have spoken") % {
        "spoke": said.taking_part,
        "asked": len(counted),
    }
    against = _("%(count)s object") % {"count": said.object} if said.object else _("nobody objects")
    return Progress(said.taking_part, len(counted), consensus.needed, told, against)
