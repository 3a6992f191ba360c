"""Writing a motion, seconding it, opening the vote, withdrawing it."""

import hashlib
import re
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from governance import clock, letters, reasons
from governance.models import Body, Motion, RosterSeat, RuleSet, Seat, SeatTerm
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit

RESERVED = {"", "new"}


@transaction.atomic
def draft_motion(
    *,
    actor: User,
    body: Body,
    subject: str,
    title: str,
    summary: str,
    text: str,
    papers: str = "",
    at: datetime | None = None,
) -> Motion:
    """A draft that the body reads and nobody else."""
    moment = clock.now(at)
    _allowed(reasons.not_to_propose(actor, body, moment))
    list(Body.objects.select_for_update().order_by("pk"))  # nobody else takes the same address
    motion = Motion.objects.create(
        body=body,
        slug=free_slug(title),
        subject=subject,
        title=title,
        summary=summary,
        text=text,
        papers=papers,
        proposed_by=actor,
        drafted_at=moment,
    )
    rules_for(motion, moment)
    audit.record(actor=actor, verb="motion.drafted", subject=motion, body=body.slug)
    return motion


@transaction.atomic
def edit_motion(
    *,
    actor: User,
    motion: Motion,
    subject: str,
    title: str,
    summary: str,
    text: str,
    papers: str = "",
    at: datetime | None = None,
) -> Motion:
    """Change a draft. A second was given to the words before: other words lose it."""
    motion = _locked(motion)
    _allowed(reasons.not_to_edit(actor, motion))
    loses_second = (motion.text, motion.title) != (text, title)
    motion.subject, motion.title, motion.summary = subject, title, summary
    motion.text, motion.papers = text, papers
    if loses_second:
        motion.seconded_by, motion.seconded_at = None, None
    rules_for(motion, clock.now(at))
    motion.save()
    audit.record(actor=actor, verb="motion.edited", subject=motion, text_changed=loses_second)
    return motion


@transaction.atomic
def second_motion(*, actor: User, motion: Motion, at: datetime | None = None) -> Motion:
    motion = _locked(motion)
    moment = clock.now(at)
    _allowed(reasons.not_to_second(actor, motion, rules_for(motion, moment), moment))
    motion.seconded_by, motion.seconded_at = actor, moment
    motion.save(update_fields=["seconded_by", "seconded_at"])
    audit.record(actor=actor, verb="motion.seconded", subject=motion)
    return motion


@transaction.atomic
def open_motion(
    *, actor: User, motion: Motion, deadline: datetime, at: datetime | None = None
) -> Motion:
    """Put the motion to the vote: text, rules and roster are frozen, the voters get a letter."""
    motion = _locked(motion)
    moment = clock.now(at)
    rule_set = rules_for(motion, moment, lock=True)
    _allowed(reasons.not_to_open(actor, motion, rule_set, moment))
    earliest = moment + timedelta(hours=rule_set.minimum_hours)
    if deadline <= moment or deadline < earliest:
        raise Refusal(
            _("The deadline must be after %(when)s.") % {"when": reasons.in_words(earliest)}
        )
    motion.rule_set = rule_set
    motion.opened_by, motion.opened_at, motion.deadline = actor, moment, deadline
    motion.text_sha256 = hashlib.sha256(motion.text.encode()).hexdigest()
    motion.state = Motion.State.OPEN
    motion.save()
    roster = _freeze_roster(motion, moment)
    for voter in roster:
        letters.opened(motion, voter)
    audit.record(
        actor=actor,
        verb="motion.opened",
        subject=motion,
        deadline=deadline.isoformat(),
        rule_set=rule_set.pk,
        voters=sum(voter.user_id is not None for voter in roster),
    )
    return motion


@transaction.atomic
def withdraw_motion(*, actor: User, motion: Motion, at: datetime | None = None) -> Motion:
    """Take back a draft or an open vote; what was written and voted stays on record."""
    motion = _locked(motion)
    moment = clock.now(at)
    _allowed(reasons.not_to_withdraw(actor, motion, moment))
    motion.state, motion.withdrawn_at = Motion.State.WITHDRAWN, moment
    motion.save(update_fields=["state", "withdrawn_at"])
    for voter in motion.roster.select_related("user"):
        letters.withdrawn(motion, voter)
    audit.record(actor=actor, verb="motion.withdrawn", subject=motion)
    return motion


def rules_for(motion: Motion, at: datetime, *, lock: bool = False) -> RuleSet:
    """The rules that decide a draft if its vote opens now."""
    day = timezone.localdate(at)
    rule_set = (
        RuleSet.objects.in_force(day).filter(body=motion.body_id, subject=motion.subject).first()
    )
    if rule_set is None:
        raise Refusal(_("The body has no rules in force for this. Ask staff to write them."))
    return RuleSet.objects.select_for_update().get(pk=rule_set.pk) if lock else rule_set


def free_slug(title: str) -> str:
    """An address for the title that no other motion has and no resolution number looks like."""
    base = slugify(title)[:70].strip("-")
    if base in RESERVED or re.fullmatch(r"[\d-]+", base):
        base = f"motion-{base}".strip("-")
    taken = set(Motion.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{n}" for n in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


def _freeze_roster(motion: Motion, moment: datetime) -> list[RosterSeat]:
    """Write who may vote; vacant seats are written too, because quorums count them."""
    day = timezone.localdate(moment)
    places = Seat.objects.filter(body=motion.body).voting().places(day)
    chairs = SeatTerm.objects.seated_on(day).filter(
        seat__body=motion.body, seat__office=Seat.Office.CHAIR
    )
    casting = set(chairs.values_list("user_id", flat=True))
    if not any(place.term for place in places):
        raise Refusal(_("Nobody holds a voting seat, so nobody could vote."))
    return RosterSeat.objects.bulk_create(
        RosterSeat(
            motion=motion,
            seat=place.seat,
            number=place.seat.number,
            user=place.term.user if place.term else None,
            name=str(place.term.user) if place.term else "",
            affiliation=place.term.affiliation if place.term else "",
            has_casting_vote=place.term is not None and place.term.user_id in casting,
        )
        for place in places
    )


def _locked(motion: Motion) -> Motion:
    motions = Motion.objects.select_for_update(of=("self",))
    return motions.select_related("body", "proposed_by", "seconded_by").get(pk=motion.pk)


def _allowed(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise refusal
