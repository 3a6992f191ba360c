"""An amendment put to the vote of the body: a motion of its own, without a resolution number."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock, letters
from governance.actions.amendment import answer, carry_out, locked_amendment
from governance.actions.motion import free_slug, open_locked, rules_for
from governance.discussion import discussing
from governance.models import Amendment, Motion
from governance.models.amendment import sha256
from governance.refusals import allowed
from portal.accounts.models import User
from portal.lib import audit, languages


@transaction.atomic
def put_amendment(
    *, actor: User, amendment: Amendment, deadline: datetime, at: datetime | None = None
) -> Motion:
    """Let the body decide whether its text becomes the motion's; the text rests meanwhile."""
    amendment = locked_amendment(amendment)
    moment = clock.now(at)
    rules = rules_for(amendment.motion, moment)
    allowed(discussing.not_to_put(actor, amendment, rules, moment))
    vote = open_locked(
        actor=actor,
        motion=_question(amendment, actor, moment),
        rules=rules,
        deadline=deadline,
        at=moment,
    )
    amendment.state, amendment.decided_at, amendment.decided_by = Amendment.State.VOTE, None, None
    amendment.because = ""
    amendment.save(update_fields=["state", "decided_at", "decided_by", "because"])
    audit.record(actor=actor, verb="amendment.put_to_vote", subject=amendment, vote=vote.slug)
    return vote


def decide_amendment(motion: Motion, at: datetime) -> None:
    """What follows when the vote on an amendment is over: its text is carried out, or not."""
    if motion.amendment is None:
        return
    amendment = locked_amendment(motion.amendment)
    with languages.of_record():
        carried, lost = (
            _("Carried by the vote of the body."),
            _("The body voted on it and did not carry it."),
        )
    if motion.state == Motion.State.ADOPTED:
        carry_out(amendment, actor=None, at=at, because=carried)
    else:
        answer(amendment, Amendment.State.REJECTED, actor=None, at=at, because=lost)
    letters.amendment_answered(amendment)
    audit.record(actor=None, verb=f"amendment.{amendment.state}", subject=amendment)


@languages.for_the_record
def _question(amendment: Amendment, actor: User, at: datetime) -> Motion:
    """The motion that asks for it, worded so that it can be read alone."""
    words = {"number": amendment.number, "title": amendment.motion.title}
    title = (_("Amendment %(number)s: %(title)s") % words)[:160]
    question = Motion.objects.create(
        body=amendment.motion.body,
        slug=free_slug(title),
        subject=amendment.motion.subject,
        title=title,
        summary=amendment.reason[:300],
        text=_worded(amendment),
        amendment=amendment,
        proposed_by=amendment.proposed_by,
        drafted_at=at,
    )
    audit.record(actor=actor, verb="motion.drafted", subject=question, body=question.body.slug)
    return question


def _worded(amendment: Amendment) -> str:
    """The change as it is voted on, with the hash of the text that it changes."""
    title = {"title": amendment.motion.title}
    if amendment.parent is not None:
        begin = _("In amendment %(number)s to “%(title)s”:") % {
            "number": amendment.parent.number,
            **title,
        }
    else:
        begin = _("In the motion “%(title)s”:") % title
    if amendment.passage:
        parts = [begin, _("the passage"), quoted(amendment.passage)]
        parts += [_("is replaced by"), quoted(amendment.replacement or "—")]
    else:
        parts = [begin, _("the whole text is replaced by"), quoted(amendment.replacement)]
    return "\n\n".join([*parts, f"sha256 {sha256(amendment.base)}"])


def quoted(text: str) -> str:
    return "\n".join(f"> {line}".rstrip() for line in text.splitlines())
