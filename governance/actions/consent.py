"""Deciding in writing: asking for signatures, signing, taking a signature back, taking effect.

The lock of the motion's row orders all of it, and the clock is read under it (0031): a signature
either stands before the consent takes effect and can be taken back until then, or is refused.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.letter_round import write_to_roster
from governance.actions.motion import counted_by, freeze, locked, rules_for
from governance.actions.outcome import write_outcome
from governance.actions.sweep import sweep
from governance.bundle import chain
from governance.consent import consenting
from governance.models import Consent, LetterRound, Motion, RosterSeat, Signature
from governance.reasons import in_words
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit

REMIND_BEFORE = timedelta(hours=24)


@dataclass(frozen=True, slots=True)
class Authentication:
    """How and when who signs proved last who they are."""

    method: str
    at: datetime


@transaction.atomic
def open_consent(
    *, actor: User, motion: Motion, deadline: datetime, at: datetime | None = None
) -> Consent:
    """Ask the body to decide the motion by signatures: text, rules and signers are frozen."""
    motion = locked(motion)
    moment = clock.now(at)
    own = rules_for(motion, moment, lock=True)
    allowed(consenting.not_to_ask(actor, motion, own, moment))
    rules = counted_by(motion, own, moment)
    if deadline <= moment:
        raise Refusal(_("The deadline must be after %(when)s.") % {"when": in_words(moment)})
    voters = freeze(motion, actor=actor, rules=rules, at=moment, way=Motion.Way.CONSENT)
    needed = consenting.needed(motion, rules)
    signers = sum(voter.user_id is not None for voter in voters)
    if needed is None or needed > signers:
        raise Refusal(_("Too few are in office to decide this in writing. Open a vote instead."))
    consent = Consent.objects.create(motion=motion, needed=needed, deadline=deadline)
    write_to_roster(motion, LetterRound.Kind.TO_SIGN, at=moment)
    return consent


@transaction.atomic
def sign_consent(
    *,
    actor: User,
    consent: Consent,
    name: str,
    authenticated: Authentication,
    at: datetime | None = None,
) -> Consent:
    """Sign for every place that the actor holds on the list, with the name they typed."""
    consent, moment = _locked(consent, at)
    allowed(consenting.not_to_sign(actor, consent, moment))
    own = str(actor)
    if _plain(name) != _plain(own):
        raise Refusal(_("Type your name as it stands on the list: %(name)s.") % {"name": own})
    signed = consent.signatures.standing(moment).values("voter")
    for voter in consent.motion.roster.filter(user=actor).exclude(pk__in=signed):
        _write(consent, voter, Signature.Act.SIGN, moment, authenticated)
    audit.record(actor=actor, verb="consent.signed", subject=consent.motion)
    _settle(consent, moment)
    return consent


@transaction.atomic
def revoke_signature(
    *,
    actor: User,
    consent: Consent,
    authenticated: Authentication,
    at: datetime | None = None,
) -> Consent:
    """Take one's signature back, as long as the consent is not effective. That it was given stays
    on record.
    """
    consent, moment = _locked(consent, at)
    allowed(consenting.not_to_revoke(actor, consent, moment))
    for signature in consent.signatures.standing(moment).filter(voter__user=actor):
        _write(consent, signature.voter, Signature.Act.REVOKE, moment, authenticated)
    audit.record(actor=actor, verb="consent.revoked", subject=consent.motion)
    return consent


def settle_due(*, at: datetime | None = None) -> int:
    """Let take effect what is signed and whose day has come; end what was not signed in time."""
    running = list(Consent.objects.running().values_list("pk", flat=True))
    return sweep(running, lambda pk: settle_consent(consent_id=pk, at=at))


@transaction.atomic
def settle_consent(*, consent_id: int, at: datetime | None = None) -> bool:
    """Whether this call ended it, one way or the other."""
    consent, moment = _locked(Consent.objects.get(pk=consent_id), at)
    return consent.motion.state == Motion.State.OPEN and _settle(consent, moment)


def remind_due(*, at: datetime | None = None) -> int:
    """Write to those who have not signed once the last day begins; for how many consents."""
    running = Consent.objects.running().filter(reminded_at__isnull=True)
    return sweep(list(running.values_list("pk", flat=True)), lambda pk: _remind(pk, at=at))


@transaction.atomic
def _remind(consent_id: int, *, at: datetime | None) -> bool:
    consent, moment = _locked(Consent.objects.get(pk=consent_id), at)
    is_due = consent.deadline - REMIND_BEFORE <= moment < consent.deadline
    if consent.reminded_at is not None or not is_due:
        return False
    write_to_roster(consent.motion, LetterRound.Kind.SIGN_REMINDER, at=moment)
    consent.reminded_at = moment
    consent.save(update_fields=["reminded_at"])
    audit.record(actor=None, verb="consent.reminded", subject=consent.motion)
    return True


def _settle(consent: Consent, at: datetime) -> bool:
    """What was ready before the deadline is effective, however late it is looked at."""
    ready = consenting.ready_at(consent, min(at, consent.deadline))
    if ready is not None and ready <= at:
        _end(consent, Motion.State.ADOPTED, ready)
        return True
    if at >= consent.deadline and ready is None:
        _end(consent, Motion.State.FAILED, consent.deadline)
        return True
    return False


def _end(consent: Consent, state: Motion.State, at: datetime) -> None:
    if state == Motion.State.ADOPTED:
        consent.effective_at = at
        consent.save(update_fields=["effective_at"])
    write_outcome(consent.motion, state=state, at=at)
    write_to_roster(consent.motion, LetterRound.Kind.CONSENT_ENDED, at=at)
    audit.record(
        actor=None,
        verb="consent.ended",
        subject=consent.motion,
        outcome=state,
        resolution=consent.motion.resolution,
    )


def _write(
    consent: Consent,
    voter: RosterSeat,
    act: Signature.Act,
    at: datetime,
    authenticated: Authentication,
) -> None:
    """The act, with the digest of the one before it, so that none can be slipped in between."""
    motion, last = consent.motion, consent.signatures.order_by("pk").last()
    statement = chain.canonical(
        {
            "act": act.value,
            "body": motion.body.name,
            "motion": motion.title,
            "text_sha256": motion.text_sha256,
            "place": voter.number,
            "name": voter.name,
            "for": voter.affiliation,
            "at": at.isoformat(),
            "authenticated": {"by": authenticated.method, "at": authenticated.at.isoformat()},
            "previous": last.sha256 if last else "",
        }
    )
    rule = motion.rule_set.consent_rule if motion.rule_set else None
    Signature.objects.create(
        consent=consent,
        voter=voter,
        act=act,
        statement=statement.decode(),
        sha256=chain.digest(statement),
        made_at=at,
        lapses_at=rule.closes_at(at) if rule and act == Signature.Act.SIGN else None,
    )


def _locked(consent: Consent, at: datetime | None) -> tuple[Consent, datetime]:
    """The consent with its motion, whose row is ours from now on, and the moment after that."""
    motion = locked(consent.motion)
    fresh = Consent.objects.get(pk=consent.pk)
    fresh.motion = motion
    return fresh, clock.now(at)


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()
