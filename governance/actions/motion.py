"""Writing a motion, seconding it, opening the vote, withdrawing it."""

import hashlib
import re
from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _

from governance import clock, reasons
from governance.actions import roster
from governance.actions.bylaws import hold_bylaws
from governance.actions.letter_round import write_to_roster
from governance.actions.lot import commit_lot
from governance.bylaws import opening as bylaws_opening
from governance.discussion.amending import lines
from governance.meetings import approval
from governance.models import Amendment, Body, LetterRound, Motion, RosterSeat, RuleSet, Second
from governance.motions.counting import counting_rules
from governance.refusals import Refusal, allowed
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
    electorate: str = Motion.Electorate.BODY,
    takes_effect_on: date | None = None,
    supersedes: Motion | None = None,
    at: datetime | None = None,
) -> Motion:
    """A draft that the body reads and nobody else."""
    moment = clock.now(at)
    allowed(reasons.not_to_propose(actor, body, moment))
    list(Body.objects.select_for_update().order_by("pk"))  # nobody else takes the same address
    motion = Motion.objects.create(
        body=body,
        slug=free_slug(title),
        subject=subject,
        title=title,
        summary=lines(summary),
        text=lines(text),
        papers=lines(papers),
        electorate=electorate,
        takes_effect_on=takes_effect_on,
        supersedes=supersedes,
        proposed_by=actor,
        drafted_at=moment,
    )
    rules_for(motion, moment)
    allowed(reasons.not_to_supersede(motion, moment))
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
    electorate: str = Motion.Electorate.BODY,
    takes_effect_on: date | None = None,
    supersedes: Motion | None = None,
    at: datetime | None = None,
) -> Motion:
    """Change a draft. A second was given to the words before: other words lose it."""
    motion = locked(motion)
    allowed(reasons.not_to_edit(actor, motion))
    summary, text, papers = lines(summary), lines(text), lines(papers)
    loses_second = (motion.text, motion.title) != (text, title)
    motion.subject, motion.title, motion.summary = subject, title, summary
    motion.text, motion.papers = text, papers
    motion.electorate, motion.takes_effect_on = electorate, takes_effect_on
    motion.supersedes = supersedes
    if loses_second:
        motion.seconded_by, motion.seconded_at = None, None
        motion.seconds.all().delete()
    moment = clock.now(at)
    rules_for(motion, moment)
    allowed(reasons.not_to_supersede(motion, moment))
    motion.save()
    audit.record(actor=actor, verb="motion.edited", subject=motion, text_changed=loses_second)
    return motion


@transaction.atomic
def second_motion(*, actor: User, motion: Motion, at: datetime | None = None) -> Motion:
    """Say that the body should decide it. The last second that the rules ask for makes it ready."""
    motion = locked(motion)
    moment = clock.now(at)
    rules = rules_for(motion, moment)
    allowed(reasons.not_to_second(actor, motion, rules, moment))
    Second.objects.create(motion=motion, user=actor, given_at=moment)
    if motion.seconds.count() >= reasons.seconds_needed(rules):
        motion.seconded_by, motion.seconded_at = actor, moment
        motion.save(update_fields=["seconded_by", "seconded_at"])
    audit.record(actor=actor, verb="motion.seconded", subject=motion)
    return motion


@transaction.atomic
def open_motion(
    *, actor: User, motion: Motion, deadline: datetime, at: datetime | None = None
) -> Motion:
    """Put the motion to the vote: text, rules and roster are frozen, the voters get a letter."""
    motion = locked(motion)
    moment = clock.now(at)
    rules = rules_for(motion, moment, lock=True)
    allowed(reasons.not_to_open(actor, motion, rules, moment))
    allowed(reasons.not_to_supersede(motion, moment))
    rules = counted_by(motion, rules, moment)
    return open_locked(actor=actor, motion=motion, rules=rules, deadline=deadline, at=moment)


def open_locked(
    *, actor: User, motion: Motion, rules: RuleSet, deadline: datetime, at: datetime
) -> Motion:
    """Open the vote of a motion whose row the caller has locked, and who may do so."""
    earliest = at + timedelta(hours=rules.minimum_hours)
    if deadline <= at or deadline < earliest:
        raise Refusal(
            _("The deadline must be after %(when)s.") % {"when": reasons.in_words(earliest)}
        )
    motion.deadline = deadline
    freeze(motion, actor=actor, rules=rules, at=at, way=Motion.Way.VOTE)
    write_to_roster(motion, LetterRound.Kind.OPENED, at=at)
    return motion


def freeze(
    motion: Motion, *, actor: User, rules: RuleSet, at: datetime, way: Motion.Way
) -> list[RosterSeat]:
    """Fix text, rules and roster of a motion whose row is locked; who may vote."""
    hold_bylaws(motion)
    allowed(bylaws_opening.not_to_open(motion, rules, at))
    allowed(approval.not_to_open(motion))
    motion.rule_set, motion.way = rules, way
    motion.opened_by, motion.opened_at = actor, at
    motion.record_at = roster.record_date(motion, rules, at)
    motion.text_sha256 = hashlib.sha256(motion.text.encode()).hexdigest()
    motion.state = Motion.State.OPEN
    motion.save()
    voters = roster.freeze_roster(motion, at)
    commit_lot(motion=motion)
    audit.record(
        actor=actor,
        verb="motion.opened",
        subject=motion,
        way=way,
        deadline=motion.deadline.isoformat() if motion.deadline else None,
        rule_set=rules.pk,
        voters=sum(voter.user_id is not None for voter in voters),
    )
    return voters


@transaction.atomic
def withdraw_motion(*, actor: User, motion: Motion, at: datetime | None = None) -> Motion:
    """Take back a draft or an open vote; what was written and voted stays on record."""
    motion = locked(motion)
    moment = clock.now(at)
    allowed(reasons.not_to_withdraw(actor, motion, moment))
    motion.state, motion.withdrawn_at = Motion.State.WITHDRAWN, moment
    motion.save(update_fields=["state", "withdrawn_at"])
    if motion.amendment_id is not None:
        Amendment.objects.filter(pk=motion.amendment_id).update(state=Amendment.State.OPEN)
    write_to_roster(motion, LetterRound.Kind.WITHDRAWN, at=moment)
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


def counted_by(motion: Motion, own: RuleSet, at: datetime) -> RuleSet:
    """The rules to pin, locked: those of the body, or of the class of members that votes."""
    rules = counting_rules(motion, own, at)
    return RuleSet.objects.select_for_update().get(pk=rules.pk)


def free_slug(title: str) -> str:
    """An address for the title that no other motion has and no resolution number looks like."""
    base = slugify(title)[:70].strip("-")
    if base in RESERVED or re.fullmatch(r"[\d-]+", base):
        base = f"motion-{base}".strip("-")
    taken = set(Motion.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    numbered = (f"{base}-{n}" for n in range(2, len(taken) + 3))
    return base if base not in taken else next(slug for slug in numbered if slug not in taken)


def locked(motion: Motion) -> Motion:
    """The row, ours until the transaction ends; the clock is read after it."""
    motions = Motion.objects.select_for_update(of=("self",))
    return motions.select_related("body", "proposed_by", "seconded_by").get(pk=motion.pk)
