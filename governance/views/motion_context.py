"""What the page of a motion shows before and around its vote, for one visitor."""

from datetime import datetime
from typing import Any

from django.db.models import Prefetch

from governance import reasons
from governance.actions.meeting_vote import not_to_record
from governance.bylaws.classes import would_be_asked
from governance.discussion import amendments, discussing
from governance.discussion import clock as discussion_clock
from governance.discussion.threads import threads
from governance.forms.discussion import CommentForm, ReasonForm
from governance.models import Meeting, Minutes, Motion, RuleSet
from governance.motions.counting import counting_rules
from governance.reasons import Visitor
from portal.accounts.models import User


def text_context(user: Visitor, motion: Motion, at: datetime) -> dict[str, Any]:
    """The text as this visitor reads it: without what was taken out, or for the body whole."""
    inside = isinstance(user, User) and discussing.belongs(user, motion.body, at)
    redactions = list(motion.redactions.all())
    whole = inside or not redactions
    return {
        "text": motion.text if whole else motion.public_text,
        "summary": motion.summary if whole else motion.public_summary,
        "redactions": redactions,
        "reads_all": inside,
        "keeps": discussing.keeps(user, motion.body, at),
    }


def meeting_context(user: Visitor, motion: Motion, at: datetime) -> dict[str, Any]:
    """The meetings that have it on their agenda, each with the minutes that stand."""
    stands = Minutes.objects.approved(at).select_related("meeting")
    approved = Prefetch("minutes", stands, to_attr="approved_minutes")
    visible = Meeting.objects.visible_to(user, at).filter(agenda__motion=motion)
    return {"on_agenda_of": visible.prefetch_related(approved).order_by("begins_at")}


def before_vote(
    user: Visitor, motion: Motion, rules: RuleSet | None, at: datetime
) -> dict[str, Any]:
    """What can be done with a draft or a discussion, and by which rules it would be decided."""
    if motion.opened_at is not None or rules is None:
        return {}
    return {
        "draft_rules": rules,
        "asked_after": [each.label for each in would_be_asked(motion, rules)],
        "counting_rules": counting_rules(motion, rules, at),
        "seconds": [str(second.user) for second in motion.seconds.select_related("user")],
        "seconds_needed": reasons.seconds_needed(rules),
        "not_to_open": reasons.not_to_open(user, motion, rules, at),
        "not_to_second": reasons.not_to_second(user, motion, rules, at),
        "may_discuss": discussing.not_to_discuss(user, motion, rules, at) is None,
        "may_hold": discussing.not_to_hold(user, motion, at) is None,
        "may_resume": discussing.not_to_resume(user, motion, at) is None,
        "may_record": not_to_record(user, motion, at) is None,
        "discussion_days": rules.discussion.days,
        "vote_from": discussion_clock.vote_from(motion, rules),
        "lapses_at": discussion_clock.lapses_at(motion, rules),
        "reason_form": ReasonForm(prefix="hold"),
    }


def discussion_context(
    user: Visitor, motion: Motion, rules: RuleSet | None, at: datetime
) -> dict[str, Any]:
    """Amendments and comments, with what the visitor may do about them."""
    if motion.discussed_at is None and motion.opened_at is None:
        return {"not_to_comment": discussing.not_to_comment(user, motion, at)}
    comments = list(motion.comments.in_order())
    for comment in comments:
        comment.text = motion.as_public(comment.text)
    return {
        "branches": amendments.tree(motion, user, rules, at),
        "threads": threads(comments),
        "comments": len(comments),
        "not_to_comment": discussing.not_to_comment(user, motion, at),
        "may_amend": discussing.not_to_amend(user, motion, at) is None,
        "comment_form": CommentForm(),
    }
