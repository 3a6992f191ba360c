"""Questions about a written consent: who has signed, what is missing, why somebody cannot."""

from dataclasses import dataclass
from datetime import UTC, datetime, time

from django.utils.translation import gettext as _

from governance import reasons
from governance.models import Consent, Motion, RosterSeat, RuleSet, Signature
from governance.motions.counting import counting_rules
from governance.reasons import Visitor
from governance.refusals import NotAllowed, Refusal
from governance.tally.rules import Consent as Rule
from portal.accounts.models import User


@dataclass(frozen=True, slots=True)
class Line:
    """A signer of the frozen list, and the signature that stands, or when the last one lapsed."""

    voter: RosterSeat
    signature: Signature | None
    lapsed_at: datetime | None = None


def lines(consent: Consent, at: datetime) -> list[Line]:
    standing = {each.voter_id: each for each in consent.signatures.standing(at)}
    lapsed = {each.voter_id: each.lapses_at for each in consent.signatures.lapsed(at)}
    signers = consent.motion.roster.exclude(user=None)
    return [Line(voter, standing.get(voter.pk), lapsed.get(voter.pk)) for voter in signers]


def needed(motion: Motion, rule_set: RuleSet) -> int | None:
    """How many signatures decide it; None if the body does not decide in writing."""
    roster = list(motion.roster.all())
    filled = sum(row.user_id is not None for row in roster)
    rule = rule_set.consent_rule
    return rule.signatures_needed(rule_set.rules, seats=len(roster), filled=filled)


def ready_at(consent: Consent, at: datetime) -> datetime | None:
    """When it is effective with the signatures that stand; None as long as some are missing.

    That is with the last one that was needed, or when the day comes that the motion names.
    """
    standing = list(consent.signatures.standing(at))
    if len(standing) < consent.needed:
        return None
    day = consent.motion.takes_effect_on
    begins = datetime.combine(day, time.min, tzinfo=UTC) if day else standing[0].made_at
    return max(standing[consent.needed - 1].made_at, begins)


def not_to_ask(user: Visitor, motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    """Why `user` cannot ask for signatures; `rules` are those of the body."""
    if counting_rules(motion, rules, at).consent_rule.consent is Rule.NONE:
        return Refusal(_("By these rules it is not decided in writing. Open a vote instead."))
    return reasons.not_to_open(user, motion, rules, at)


def not_to_sign(user: Visitor, consent: Consent, at: datetime) -> Refusal | None:
    refusal = _ended(consent)
    if refusal is not None:
        return refusal
    if at >= consent.deadline:
        return Refusal(
            _("It could be signed until %(when)s.") % {"when": reasons.in_words(consent.deadline)}
        )
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to sign, if you are on the list of signers."))
    mine = consent.motion.roster.filter(user_id=user.pk)
    if not mine.exists():
        return NotAllowed(_not_on_list(consent.motion))
    if not mine.exclude(pk__in=consent.signatures.standing(at).values("voter")).exists():
        return Refusal(_("You have signed already."))
    return None


def not_to_revoke(user: Visitor, consent: Consent, at: datetime) -> Refusal | None:
    refusal = _ended(consent)
    if refusal is not None:
        return refusal
    if user.pk is None or not consent.signatures.standing(at).filter(voter__user=user.pk).exists():
        return NotAllowed(_("There is no signature of yours to take back."))
    return None


def _not_on_list(motion: Motion) -> str:
    words = {"who": motion.deciders, "when": reasons.in_words(motion.opened_at)}
    if motion.electorate == Motion.Electorate.BODY:
        return (
            _("Only those who were in office on %(when)s sign; the list was frozen then.") % words
        )
    return _("Only %(who)s who were on the roll on %(when)s sign; it was frozen then.") % words


def _ended(consent: Consent) -> Refusal | None:
    if consent.effective_at is not None:
        return Refusal(
            _("It is effective since %(when)s; no signature can be given or taken back any more.")
            % {"when": reasons.in_words(consent.effective_at)}
        )
    if consent.motion.state == Motion.State.WITHDRAWN:
        return Refusal(_("The motion was withdrawn; there is nothing left to sign."))
    if consent.motion.state != Motion.State.OPEN:
        return Refusal(_("Too few had signed when its time was over; nothing was decided."))
    return None
