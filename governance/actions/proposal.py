"""Proposing a change of bylaws: a motion with the whole new text, and what it is compared with."""

from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.bylaws import check_text
from governance.actions.motion import draft_motion, edit_motion
from governance.bylaws.changes import altered, compare
from governance.bylaws.text import read
from governance.models import Bylaws, Proposal, Version
from governance.refusals import Refusal
from portal.accounts.models import User
from portal.lib import audit


@transaction.atomic
def draft_proposal(
    *,
    actor: User,
    bylaws: Bylaws,
    title: str,
    summary: str,
    text: str,
    effective_on: date | None = None,
    at: datetime | None = None,
) -> Proposal:
    """A draft that changes the newest version, whether it is in force already or not."""
    moment = clock.now(at)
    base = newest(bylaws)
    check_change(base, text, moment)
    motion = draft_motion(
        actor=actor,
        body=bylaws.body,
        subject=bylaws.subject,
        title=title,
        summary=summary,
        text=text,
        takes_effect_on=effective_on,
        at=moment,
    )
    proposal = Proposal.objects.create(motion=motion, bylaws=bylaws, base=base, based_at=moment)
    audit.record(actor=actor, verb="proposal.drafted", subject=proposal, base=base.number)
    return proposal


@transaction.atomic
def edit_proposal(
    *,
    actor: User,
    proposal: Proposal,
    title: str,
    summary: str,
    text: str,
    effective_on: date | None = None,
    at: datetime | None = None,
) -> Proposal:
    """Change a draft; from then on it changes the newest version."""
    moment = clock.now(at)
    base = newest(proposal.bylaws)
    check_change(base, text, moment)
    motion = edit_motion(
        actor=actor,
        motion=proposal.motion,
        subject=proposal.bylaws.subject,
        title=title,
        summary=summary,
        text=text,
        takes_effect_on=effective_on,
        at=moment,
    )
    proposal.motion, proposal.base, proposal.based_at = motion, base, moment
    proposal.save(update_fields=["base", "based_at"])
    return proposal


def newest(bylaws: Bylaws) -> Version:
    """The last version that was adopted, in force or not."""
    version = bylaws.versions.prefetch_related("typos").first()
    if version is None:
        raise Refusal(_("There is no version to change yet. Ask staff to record the first one."))
    return version


def check_change(base: Version, text: str, moment: datetime) -> None:
    """Refuse a text that cannot be read, or changes nothing."""
    check_text(text)
    if not altered(compare(base.items(moment), read(text))):
        raise Refusal(
            _("Nothing differs from version %(number)s. Change the text first.")
            % {"number": base.number}
        )
