"""What members say about the clauses of a proposal, and its moderation."""

from datetime import datetime

from django.db import transaction
from django.utils.functional import lazy

from governance import clock
from governance.actions.comment import hide_comment, show_comment, write_comment
from governance.actions.discussion import touch
from governance.bylaws import reasons as bylaws_reasons
from governance.bylaws import words as bylaws_words
from governance.discussion import letters as discussion_letters
from governance.models import ClauseComment, Proposal
from governance.refusals import allowed
from portal.accounts.models import User


@transaction.atomic
def comment_on_clause(
    *,
    actor: User,
    proposal: Proposal,
    clause: str,
    text: str,
    reply_to: ClauseComment | None = None,
    at: datetime | None = None,
) -> ClauseComment:
    """Publish a comment under one's name."""
    moment = clock.now(at)
    allowed(bylaws_reasons.not_to_comment(actor, proposal, moment))
    comment = ClauseComment(proposal=proposal, clause=clause, text=text, reply_to=reply_to)
    written = write_comment(actor=actor, comment=comment, at=moment)
    touch(proposal.motion, written.written_at)
    discussion_letters.answered(
        written,
        proposal.motion,
        page=proposal.get_absolute_url(),
        place=lazy(bylaws_words.place, str)(clause),
    )
    return written


@transaction.atomic
def hide_clause_comment(
    *, actor: User, comment: ClauseComment, because: str, at: datetime | None = None
) -> ClauseComment:
    moment = clock.now(at)
    allowed(bylaws_reasons.not_to_hide(actor, comment, moment))
    return hide_comment(actor=actor, comment=comment, because=because, at=moment)


@transaction.atomic
def show_clause_comment(
    *, actor: User, comment: ClauseComment, at: datetime | None = None
) -> ClauseComment:
    allowed(bylaws_reasons.not_to_show(actor, comment, clock.now(at)))
    return show_comment(actor=actor, comment=comment)
