"""What is said in the discussion of a motion, and what its secretary takes out of sight."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from governance import clock
from governance.actions.comment import hide_comment, write_comment
from governance.actions.discussion import touch
from governance.actions.motion import locked
from governance.discussion import discussing
from governance.discussion import letters as discussion_letters
from governance.models import Motion, MotionComment
from governance.refusals import allowed
from portal.accounts.models import User


@transaction.atomic
def comment_on_motion(
    *,
    actor: User,
    motion: Motion,
    text: str,
    reply_to: MotionComment | None = None,
    at: datetime | None = None,
) -> MotionComment:
    motion = locked(motion)
    moment = clock.now(at)
    allowed(discussing.not_to_comment(actor, motion, moment))
    comment = MotionComment(motion=motion, text=text, reply_to=reply_to)
    write_comment(actor=actor, comment=comment, at=moment)
    touch(motion, moment)
    page = motion.get_absolute_url()
    discussion_letters.answered(comment, motion, page=page, place=_("the discussion"))
    return comment


@transaction.atomic
def hide_motion_comment(
    *, actor: User, comment: MotionComment, because: str, at: datetime | None = None
) -> MotionComment:
    """The reason and the name of who hid it stand in its place."""
    moment = clock.now(at)
    allowed(discussing.not_to_keep(actor, comment.motion, moment))
    return hide_comment(actor=actor, comment=comment, because=because, at=moment)
