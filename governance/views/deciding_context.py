"""What the page of a motion shows of a written consent or a consensus, for one visitor."""

from datetime import datetime
from typing import Any

from governance.consensus import questions as asked
from governance.consent import consenting
from governance.forms.consensus import PositionForm
from governance.meetings.access import access
from governance.models import Consensus, Consent, Filing, Meeting, Motion, Position, RuleSet
from governance.motions import rolls
from governance.reasons import Visitor


def ways(user: Visitor, motion: Motion, rules: RuleSet | None, at: datetime) -> dict[str, Any]:
    """Which other ways of deciding a draft or a discussion the visitor may begin."""
    if motion.opened_at is not None or rules is None:
        return {}
    return {
        "may_ask_consent": consenting.not_to_ask(user, motion, rules, at) is None,
        "may_call_consensus": asked.not_to_call(user, motion, rules, at) is None,
    }


def consent_context(user: Visitor, motion: Motion, at: datetime) -> dict[str, Any]:
    consent: Consent | None = getattr(motion, "consent", None)
    if consent is None:
        return {}
    moment = motion.decided_at or at
    is_long = rolls.is_long(motion)
    return {
        "consent": consent,
        "is_long_list": is_long,
        "consent_lines": [] if is_long else consenting.lines(consent, moment),
        "signed": consent.signatures.standing(moment).count(),
        "signers": motion.roster.exclude(user=None).count(),
        "not_to_sign": consenting.not_to_sign(user, consent, at),
        "may_revoke": consenting.not_to_revoke(user, consent, at) is None,
        "filed_with": _filed_with(user, consent, at),
    }


def _filed_with(user: Visitor, consent: Consent, at: datetime) -> Meeting | None:
    """The meeting with whose minutes it is filed, once the visitor may read them."""
    filing = Filing.objects.filter(consent=consent).select_related("meeting__body").first()
    if filing is None:
        return None
    meeting = filing.meeting
    is_public = meeting.announced_at and meeting.minutes.approved(at).exists()
    return meeting if is_public or access(user, meeting.body, at).reads else None


def consensus_context(
    user: Visitor, motion: Motion, at: datetime, form: PositionForm | None = None
) -> dict[str, Any]:
    """The last round: it is the one that counts."""
    consensus = max(motion.consensuses.all(), key=lambda each: each.round, default=None)
    if consensus is None:
        return {}
    consensus.motion = motion
    return {
        "consensus": consensus,
        "consensus_lines": asked.lines(consensus),
        "stances": asked.stances(consensus),
        "counted": consensus.participants.filter(is_counted=True).count(),
        "not_to_speak": asked.not_to_speak(user, consensus, at),
        **_own_position(user, consensus, form),
    }


def _own_position(user: Visitor, consensus: Consensus, form: PositionForm | None) -> dict[str, Any]:
    """What the visitor said last, and the form to say something else."""
    said = Position.objects.filter(participant__consensus=consensus, participant__user=user.pk)
    last = said.last() if user.pk else None
    given = {"stance": last.stance, "reason": last.reason} if last else {}
    return {"own_position": last, "position_form": form or PositionForm(initial=given)}
