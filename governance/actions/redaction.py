"""Taking a passage out of what the public reads of a motion; the original and its hash stay."""

from collections.abc import Iterator
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.motion import locked
from governance.discussion import discussing
from governance.discussion.amending import tidy
from governance.discussion.finding import over_lines
from governance.models import Amendment, Motion, Redaction, Vote
from governance.models.amendment import sha256
from governance.refusals import Refusal, allowed
from portal.accounts.models import User
from portal.lib import audit

SHORTEST = 3


@transaction.atomic
def redact(
    *, actor: User, motion: Motion, passage: str, because: str, at: datetime | None = None
) -> Redaction:
    """From now on the passage reads as taken out wherever the motion, its discussion and its
    reasons are public. The body goes on reading it.
    """
    motion = locked(motion)
    moment = clock.now(at)
    allowed(discussing.not_to_keep(actor, motion, moment))
    passage, because = tidy(passage), because.strip()
    _check(motion, passage, because)
    redaction = Redaction.objects.create(
        motion=motion,
        passage=passage,
        passage_sha256=sha256(passage),
        because=because,
        redacted_by=actor,
        redacted_at=moment,
    )
    audit.record(
        actor=actor,
        verb="motion.redacted",
        subject=motion,
        because=because,
        moment=moment.isoformat(),
        sha256=redaction.passage_sha256,
    )
    return redaction


def _check(motion: Motion, passage: str, because: str) -> None:
    if len(passage) < SHORTEST:
        raise Refusal(_("Name a passage of three characters or more."))
    if not because:
        raise Refusal(_("Say why it is taken out; readers see the reason."))
    if passage in motion.title:
        raise Refusal(_("The title stays as it is, because lists and letters quote it."))
    if motion.redactions.filter(passage=passage).exists():
        raise Refusal(_("This passage is taken out already."))
    if not any(over_lines(passage).search(text) for text in _texts(motion)):
        raise Refusal(
            _("This passage stands nowhere in the motion. Copy it exactly as it is written.")
        )


def _texts(motion: Motion) -> Iterator[str]:
    """Everything that is public about a motion and that somebody wrote."""
    yield from (motion.summary, motion.text)
    yield from motion.comments.values_list("text", flat=True)
    for amendment in Amendment.objects.filter(motion=motion):
        yield from (amendment.passage, amendment.replacement, amendment.reason, amendment.because)
    yield from Vote.objects.filter(voter__motion=motion).values_list("reason", flat=True)
