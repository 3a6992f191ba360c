"""What a person can move on: drafts to second, own motions that are ready, amendments to answer."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import reasons
from governance.bylaws import reasons as bylaws_reasons
from governance.discussion import discussing
from governance.models import Amendment, Body, Motion, Proposal, RuleSet
from governance.models.motion_queryset import MotionQuerySet
from governance.waiting.waiting import Waiting
from portal.accounts.models import User


def seconds(user: User, at: datetime) -> Iterator[Waiting]:
    """Drafts of others that lack a second."""
    drafts = Motion.objects.filter(
        state=Motion.State.DRAFT,
        body__in=Body.objects.of_voter(user, at),
        seconded_by__isnull=True,
    )
    for motion, rules in _with_rules(drafts.exclude(proposed_by=user), at):
        needed = reasons.seconds_needed(rules)
        if needed and reasons.not_to_second(user, motion, rules, at) is None:
            note = _("Proposed by %(name)s.") % {"name": motion.proposed_by}
            yield Waiting.on(motion, _("Second it?"), at="#draft", note=note)


def ready(user: User, at: datetime) -> Iterator[Waiting]:
    """Own motions whose next step is the person's: nothing stands against it any more."""
    own = Motion.objects.filter(
        proposed_by=user, state__in=[Motion.State.DRAFT, Motion.State.DISCUSSION]
    )
    for motion, rules in _with_rules(own, at):
        if reasons.not_to_open(user, motion, rules, at) is None:
            note = _("Everything that its vote needs is there.")
            yield Waiting.on(motion, _("Open the vote"), at="#draft", note=note)
        elif discussing.not_to_discuss(user, motion, rules, at) is None:
            note = _("It is seconded and can be discussed in public.")
            yield Waiting.on(motion, _("Open the discussion"), at="#draft", note=note)


def outdated(user: User, at: datetime) -> Iterator[Waiting]:
    """Own proposals for bylaws of which a newer version was adopted."""
    own = Proposal.objects.filter(motion__proposed_by=user).select_related("motion__body", "bylaws")
    for proposal in own.filter(motion__state__in=bylaws_reasons.CHANGEABLE):
        if bylaws_reasons.not_to_rebase(user, proposal, at) is None:
            yield Waiting(
                act=_("Bring it up to date"),
                title=proposal.motion.title,
                url=reverse("governance:proposal_rebase", args=[proposal.motion.slug]),
                place=proposal.motion.body.name,
                note=_("Another version was adopted since it was written."),
            )


def amendments(user: User, at: datetime) -> Iterator[Waiting]:
    """Amendments to one's own text that have no answer."""
    own = Q(parent=None, motion__proposed_by=user) | Q(parent__proposed_by=user)
    waiting = Amendment.objects.filter(
        own, state=Amendment.State.OPEN, motion__state=Motion.State.DISCUSSION
    )
    named = waiting.exclude(proposed_by=user).select_related("motion__body", "proposed_by")
    for amendment in named.order_by("proposed_at"):
        words = {"number": amendment.number, "name": amendment.proposed_by}
        yield Waiting.on(
            amendment.motion,
            _("Accept or reject"),
            at=f"#amendment-{amendment.number}",
            note=_("Amendment %(number)s by %(name)s.") % words,
        )


def _with_rules(motions: MotionQuerySet, at: datetime) -> Iterator[tuple[Motion, RuleSet]]:
    """Each with the rules that would decide it now; one without rules waits for staff."""
    known = {
        (rules.body_id, rules.subject): rules
        for rules in RuleSet.objects.in_force(timezone.localdate(at))
    }
    for motion in motions.select_related("body", "proposed_by").order_by("drafted_at"):
        rules = known.get((motion.body_id, motion.subject))
        if rules is not None:
            yield motion, rules
