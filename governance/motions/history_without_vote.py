"""What happened to a motion that is signed, or on which consensus is sought: moments and words."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects
from django.utils import timezone
from django.utils.translation import gettext as _

from governance.models import Consensus, Motion, Position, Signature
from governance.motions import rolls
from governance.reasons import in_words

Told = Iterator[tuple[datetime, str]]


def told(motion: Motion) -> Told:
    yield from _signed(motion)
    rounds = Consensus.objects.select_related("called_by")
    prefetch_related_objects([motion], Prefetch("consensuses", rounds))
    for consensus in motion.consensuses.all():
        yield from _sought(consensus)


def _signed(motion: Motion) -> Told:
    if not hasattr(motion, "consent"):
        return
    acts = Signature.objects.filter(consent__motion=motion).select_related("voter")
    if rolls.is_long(motion):
        many = _("%(count)s signatures were given or taken back until then on that day.")
        for at, count in rolls.by_day(acts, "made_at"):
            yield at, many % {"count": count}
        return
    for act in acts:
        words = {"name": act.voter.label}
        if act.act == Signature.Act.SIGN:
            yield act.made_at, _("Signed by %(name)s.") % words
        else:
            yield act.made_at, _("%(name)s took the signature back.") % words
    for act in acts.lapsed(motion.decided_at or timezone.now()):
        if act.lapses_at is not None:
            words = {"name": act.voter.label}
            lapsed = _("The signature of %(name)s lapsed: too few others had signed.") % words
            yield act.lapses_at, lapsed


def _sought(consensus: Consensus) -> Told:
    words = {"name": consensus.called_by, "when": in_words(consensus.ends_at)}
    yield consensus.called_at, _("Consensus called by %(name)s until %(when)s.") % words
    said = Position.objects.filter(participant__consensus=consensus).select_related("participant")
    for position in said:
        words = {"name": position.participant.name, "what": position.get_stance_display().lower()}
        yield position.said_at, _("%(name)s says: %(what)s.") % words
    if consensus.ended_at and consensus.state != Consensus.State.REACHED:
        words = {"why": consensus.ended_because or _("It is put to the vote.")}
        yield consensus.ended_at, _("No consensus. %(why)s") % words
