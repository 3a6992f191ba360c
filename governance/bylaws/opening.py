"""What stands against the vote on a change of bylaws, besides what stands against any vote."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.bylaws import classes as bylaws_classes
from governance.bylaws import words as bylaws_words
from governance.bylaws.changes import altered, compare
from governance.bylaws.text import UnreadableError, read
from governance.clock import in_words
from governance.models import Motion, Proposal, RuleSet
from governance.refusals import Refusal


def not_to_open(motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    """Why the vote cannot be opened now; None, too, for a motion that changes no bylaws."""
    found = Proposal.objects.filter(motion=motion).select_related("bylaws", "base")
    proposal = found.first()
    if proposal is None:
        return None
    if motion.subject != proposal.bylaws.subject:
        return Refusal(_("A change of the bylaws is decided by the rules for it."))
    return (
        _too_early(motion, rules, at)
        or _unready(proposal, motion.text)
        or _not_alone(proposal)
        or bylaws_classes.without_rules(rules, proposal.bylaws, at)
    )


def _too_early(motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    """Notice and public discussion count from the day the discussion was opened."""
    change = rules.bylaw_change
    days = max(change.notice_days, change.public_discussion_days)
    if not days:
        return None
    if motion.discussed_at is None:
        told = ngettext(
            "Open its public discussion first; it lasts %(days)s day at least.",
            "Open its public discussion first; it lasts %(days)s days at least.",
            days,
        )
        return Refusal(told % {"days": days})
    earliest = change.vote_from(motion.discussed_at, motion.discussed_at)
    if at >= earliest:
        return None
    return Refusal(
        _("It is discussed in public until %(when)s; its vote may open then.")
        % {"when": in_words(earliest)}
    )


def _unready(proposal: Proposal, text: str) -> Refusal | None:
    try:
        items = read(text)
    except UnreadableError as error:
        return Refusal(bylaws_words.fault(error))
    newest = proposal.bylaws.versions.first()
    if newest is not None and newest.pk != proposal.base_id:
        return Refusal(
            _("Version %(number)s was adopted since. Bring the proposal up to it first.")
            % {"number": newest.number}
        )
    if not altered(compare(proposal.base.items(proposal.based_at), items)):
        return Refusal(_("It changes nothing any more. Withdraw it, or amend it."))
    return None


def _not_alone(proposal: Proposal) -> Refusal | None:
    """Two open votes on one text would each undo what the other decides."""
    others = Proposal.objects.filter(bylaws=proposal.bylaws).being_voted_on()
    other = others.exclude(pk=proposal.pk).select_related("motion").first()
    if other is None:
        return None
    return Refusal(
        _("The vote on “%(title)s” is open and changes the same bylaws. Wait for its end.")
        % {"title": other.motion.title}
    )
