"""Writing a comment of any kind, hiding it with a reason, showing it again.

Who may do so is the business of whoever owns the text: a caller asks that first.
"""

from datetime import datetime
from typing import TypeVar

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.models.comment import Comment
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit

C = TypeVar("C", bound=Comment)
LONGEST = 5000


@transaction.atomic
def write_comment(*, actor: User, comment: C, at: datetime | None = None) -> C:
    """Keep a new comment, which says what it is about and what it answers."""
    comment.author, comment.written_at = actor, clock.now(at)
    comment.text = comment.text.replace("\r\n", "\n").strip()
    _check(comment)
    comment.save(force_insert=True)
    audit.record(actor=actor, verb=f"{comment._meta.model_name}.written", subject=comment)
    return comment


@transaction.atomic
def hide_comment(*, actor: User, comment: C, because: str, at: datetime | None = None) -> C:
    """Readers see who hid it, when and why, instead of its words, which stay on record."""
    comment = _locked(comment)
    if comment.is_hidden:
        raise Refusal(_("It is hidden already."))
    if not because.strip():
        raise Refusal(_("Say why it is hidden; readers see the reason."))
    comment.hidden_at, comment.hidden_by = clock.now(at), actor
    comment.hidden_because = because.strip()
    comment.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    _record(actor, comment, "hidden", because=comment.hidden_because)
    return comment


@transaction.atomic
def show_comment(*, actor: User, comment: C) -> C:
    """Show a hidden comment again; that it was hidden stays in the audit log."""
    comment = _locked(comment)
    if not comment.is_hidden:
        raise Refusal(_("It is not hidden."))
    comment.hidden_at, comment.hidden_by, comment.hidden_because = None, None, ""
    comment.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    _record(actor, comment, "shown")
    return comment


def _check(comment: Comment) -> None:
    if not comment.text:
        raise Refusal(_("Write something first."))
    if len(comment.text) > LONGEST:
        raise Refusal(_("A comment has %(most)s characters at most.") % {"most": LONGEST})
    answered = comment.reply_to
    if answered is None:
        return
    if answered.place != comment.place:
        raise Refusal(_("What you answer belongs to another text."))
    if answered.is_hidden:
        raise Refusal(_("What you answer was hidden meanwhile."))


def _locked(comment: C) -> C:
    found: C = type(comment)._default_manager.select_for_update(of=("self",)).get(pk=comment.pk)
    return found


def _record(actor: User, comment: Comment, act: str, **detail: str) -> None:
    verb = f"{comment._meta.model_name}.{act}"
    audit.record(actor=actor, verb=verb, subject=comment, **detail)
