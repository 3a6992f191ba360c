"""What happened to an election, from its rows: nothing is removed from it."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections import whole
from governance.models import Candidacy, Complaint, Election, Objection
from governance.motions.history import Event
from portal.lib.models import AuditEntry

Leaving = Candidacy.Leaving


def events(election: Election) -> list[Event]:
    """Newest first. Who got a credential is no event: no time of it is kept anywhere."""
    whole.read_people(election)
    whole.read_rulings(election)
    told = [*_acts(election), *_nominations(election), *_roll(election), *_complaints(election)]
    told.sort(key=lambda event: event.at)
    told.reverse()
    return told


def _acts(election: Election) -> Iterator[Event]:
    yield from _edits(election)  # first: of the same moment, what was written comes before signed
    said: list[tuple[datetime | None, str]] = [
        (election.announced_at, _("Announced.")),
        (election.frozen_at, _("Frozen: two officers have signed the manifest.")),
        (election.closed_at, _("Voting closed.")),
        (election.counted_at, _("Counted; the result was published.")),
        (election.declared_at, _("Declared.")),
    ]
    yield from (Event(at, text) for at, text in said if at is not None)
    if election.cancelled_at:
        words = {"reason": election.cancelled_because}
        yield Event(election.cancelled_at, _("Called off: %(reason)s") % words)


def _edits(election: Election) -> Iterator[Event]:
    """What was changed after everybody could read it, and what officers did to its manifest."""
    if election.announced_at is None:
        return
    entries = AuditEntry.objects.filter(
        subject_kind=election._meta.label_lower,
        subject_id=str(election.pk),
        verb__in=_SAID,
        at__gte=election.announced_at,
    )
    for entry in entries.order_by("pk"):
        names = ", ".join(_field(name) for name in entry.detail.get("fields", []))
        if names or entry.verb != "election.edited":
            yield Event(_when(entry), _SAID[entry.verb]() % {"fields": names})


def _when(entry: AuditEntry) -> datetime:
    """What was done at another time than it was written down, as in a demonstration, says so."""
    told = entry.detail.get("at")
    return datetime.fromisoformat(told) if told else entry.at


_SAID = {
    "election.edited": lambda: _("Changed: %(fields)s."),
    "election.manifest_written": lambda: _("The manifest was written for the officers to sign."),
    "election.manifest_taken_back": lambda: _("The manifest was taken back to mend something."),
    "election.shares_dealt": lambda: _("The election key was made and its shares given out."),
}


def _field(name: str) -> str:
    return str(getattr(Election._meta.get_field(name), "verbose_name", name))


def _nominations(election: Election) -> Iterator[Event]:
    contests = election.contests.all()
    candidacies = [each for contest in contests for each in contest.candidacies.all()]
    for each in candidacies:
        words = {"name": each.name, "by": each.nominated_by, "contest": each.contest}
        if each.is_self_nominated:
            yield Event(each.nominated_at, _("%(name)s stands in “%(contest)s”.") % words)
        else:
            text = _("%(name)s was nominated in “%(contest)s” by %(by)s.")
            yield Event(each.nominated_at, text % words)
            if each.accepted_at:
                yield Event(each.accepted_at, _("%(name)s accepted the nomination.") % words)
        if each.left_at:
            yield Event(each.left_at, left(each))
    supports = [support for each in candidacies for support in each.supports.all()]
    for support in sorted(supports, key=lambda support: (support.given_at, support.pk)):
        words = {"name": support.candidacy.name, "by": support.user}
        yield Event(support.given_at, _("%(by)s seconded %(name)s.") % words)


def left(candidacy: Candidacy) -> str:
    """How and why somebody left, in a sentence."""
    sentences = {
        Leaving.DECLINED: _("%(name)s declined the nomination."),
        Leaving.WITHDREW: _("%(name)s withdrew."),
        Leaving.DISQUALIFIED: _("%(name)s was disqualified: %(reason)s"),
    }
    words = {"name": candidacy.name, "reason": candidacy.leaving_reason}
    return sentences[Leaving(candidacy.leaving)] % words


def _roll(election: Election) -> Iterator[Event]:
    if election.roll_drawn_at:
        count = sum(contest.drawn for contest in election.contests.all())
        text = ngettext(
            "The roll was drawn: %(count)s vote.", "The roll was drawn: %(count)s votes.", count
        )
        yield Event(election.roll_drawn_at, text % {"count": count})
    objections = [o for contest in election.contests.all() for o in contest.objections.all()]
    for each in sorted(objections, key=lambda objection: (objection.made_at, objection.pk)):
        words = {"what": each, "contest": each.contest}
        yield Event(each.made_at, _("Objection to the roll of “%(contest)s”: %(what)s.") % words)
        if each.answered_at:
            ruled = {"what": each, **_ruling(each)}
            text = _("Objection %(answer)s by %(by)s (%(what)s): %(reason)s")
            yield Event(each.answered_at, text % ruled)


def _complaints(election: Election) -> Iterator[Event]:
    for number, each in enumerate(election.complaints.all(), start=1):
        yield Event(each.made_at, _("Complaint %(number)s was made.") % {"number": number})
        if each.answered_at:
            ruled = {"number": number, **_ruling(each)}
            text = _("Complaint %(number)s %(answer)s by %(by)s: %(reason)s")
            yield Event(each.answered_at, text % ruled)


def _ruling(ruled: Objection | Complaint) -> dict[str, object]:
    return {
        "answer": ruled.get_answer_display(),
        "by": ruled.answered_by,
        "reason": ruled.answer_reason,
    }
