"""Where the voice of a person is missing: votes, signatures, positions."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.models import Consensus, Consent, Motion, Participant, RosterSeat
from governance.waiting.waiting import Waiting
from portal.accounts.models import User


def votes(user: User, at: datetime) -> Iterator[Waiting]:
    for motion in Motion.objects.awaiting(user, at):
        missing = RosterSeat.objects.filter(motion=motion, user=user, votes__isnull=True).count()
        note = ngettext("%(count)s vote is missing.", "%(count)s votes are missing.", missing)
        yield Waiting.on(
            motion,
            _("Vote"),
            until=motion.deadline,
            note=note % {"count": missing} if missing > 1 else motion.public_summary,
        )


def signatures(user: User, at: datetime) -> Iterator[Waiting]:
    running = Consent.objects.running().filter(deadline__gt=at, motion__roster__user=user)
    for consent in running.select_related("motion__body").distinct():
        signed = consent.signatures.standing(at).values("voter")
        if consent.motion.roster.filter(user=user).exclude(pk__in=signed).exists():
            yield Waiting.on(
                consent.motion,
                _("Read and sign"),
                at="sign/",
                until=consent.deadline,
                note=consent.motion.public_summary,
            )


def positions(user: User, at: datetime) -> Iterator[Waiting]:
    running = Consensus.objects.running().filter(participants__user=user)
    spoke = Participant.objects.filter(user=user, positions__isnull=False)
    silent = running.exclude(participants__in=spoke)
    for consensus in silent.select_related("motion__body"):
        yield Waiting.on(
            consensus.motion,
            _("Say what you think"),
            at="#consensus",
            until=consensus.until,
            note=consensus.motion.public_summary,
        )
