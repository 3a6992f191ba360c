"""Nominating, seconding, accepting, leaving. The lock of the election's row orders all of it."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from governance import clock
from governance.actions.election import locked
from governance.bodies.affiliations import employer, names_of
from governance.elections import (
    dispute_letters,
    history,
    letters,
    nominating,
    nomination_letters,
    readers,
    rounds_due,
)
from governance.models import Affiliation, Candidacy, Contest, Election, Support
from governance.refusals import Refusal, allowed
from governance.tally.papers import MOST_CANDIDATES
from portal.accounts.models import User
from portal.lib import audit, languages, outbox

Leaving = Candidacy.Leaving


@transaction.atomic
def nominate(
    *,
    actor: User,
    contest: Contest,
    nominee: User,
    affiliation: str = "",
    statement: str = "",
    at: datetime | None = None,
) -> Candidacy:
    """Put somebody forward; oneself counts as accepted. Others are asked by a letter."""
    contest, moment = _locked(contest, at)
    allowed(nominating.not_to_nominate(actor, contest, moment))
    allowed(nominating.not_to_stand(nominee, contest.election))
    candidacy = _free(contest, nominee)
    is_own = nominee.pk == actor.pk
    candidacy.name = str(nominee)
    written = _spelled(contest, nominee, affiliation)
    candidacy.affiliation = written if affiliation.strip() else declared(nominee, moment)
    candidacy.statement = statement if is_own else ""
    candidacy.nominated_by, candidacy.nominated_at = actor, moment
    candidacy.accepted_at = moment if is_own else None
    candidacy.left_at, candidacy.leaving, candidacy.leaving_reason = None, "", ""
    candidacy.save()
    audit.record(actor=actor, verb="candidacy.nominated", subject=candidacy, own=is_own)
    if is_own:
        _tell_of_seconds(candidacy, moment)
    else:
        outbox.enqueue_all([_asked(candidacy)])
    return candidacy


@transaction.atomic
def accept_nomination(
    *,
    actor: User,
    candidacy: Candidacy,
    affiliation: str,
    statement: str,
    at: datetime | None = None,
) -> Candidacy:
    """Stand, or change what stands beside one's name, as long as nominations are open."""
    candidacy, moment = _locked_candidacy(candidacy, at)
    allowed(nominating.not_to_accept(actor, candidacy, moment))
    is_new = candidacy.accepted_at is None
    candidacy.affiliation = _spelled(candidacy.contest, candidacy.user, affiliation)
    candidacy.statement = statement
    candidacy.accepted_at = candidacy.accepted_at or moment
    candidacy.save(update_fields=["affiliation", "statement", "accepted_at"])
    verb = "candidacy.accepted" if is_new else "candidacy.edited"
    audit.record(actor=actor, verb=verb, subject=candidacy)
    if is_new:
        _tell_of_seconds(candidacy, moment)
    return candidacy


@transaction.atomic
def second_nomination(
    *, actor: User, candidacy: Candidacy, at: datetime | None = None
) -> Candidacy:
    candidacy, moment = _locked_candidacy(candidacy, at)
    allowed(nominating.not_to_second(actor, candidacy, moment))
    Support.objects.create(candidacy=candidacy, user=actor, given_at=moment)
    audit.record(actor=actor, verb="candidacy.seconded", subject=candidacy)
    return candidacy


@transaction.atomic
def leave(*, actor: User, candidacy: Candidacy, at: datetime | None = None) -> Candidacy:
    """Decline a nomination or withdraw. A name that is on the ballot stays there."""
    candidacy, moment = _locked_candidacy(candidacy, at)
    allowed(nominating.not_to_leave(actor, candidacy, moment))
    how = Leaving.WITHDREW if candidacy.accepted_at else Leaving.DECLINED
    return _leave(candidacy, actor, how, "", moment)


@transaction.atomic
def disqualify(
    *, actor: User, candidacy: Candidacy, reason: str, at: datetime | None = None
) -> Candidacy:
    """Who may not stand by the rules. A name that is on the ballot stays there."""
    candidacy, moment = _locked_candidacy(candidacy, at)
    allowed(nominating.not_to_disqualify(actor, candidacy, moment))
    if not reason.strip():
        raise Refusal(_("Name the rule that excludes them: everybody reads it."))
    return _leave(candidacy, actor, Leaving.DISQUALIFIED, reason.strip(), moment)


def _leave(candidacy: Candidacy, actor: User, how: Leaving, reason: str, at: datetime) -> Candidacy:
    candidacy.left_at, candidacy.leaving, candidacy.leaving_reason = at, how, reason
    candidacy.save(update_fields=["left_at", "leaving", "leaving_reason"])
    audit.record(actor=actor, verb=f"candidacy.{how}", subject=candidacy, reason=reason)
    is_excluded = how == Leaving.DISQUALIFIED
    told = _told_of_exclusion(candidacy) if is_excluded else _told_of_leaving(candidacy)
    outbox.enqueue_all([told])
    return candidacy


def _tell_of_seconds(candidacy: Candidacy, at: datetime) -> None:
    """Who begins to stand near the end is told at once; the others by the round before it."""
    election = candidacy.contest.election
    missing = candidacy.supports.count() < election.seconds_needed
    if missing and rounds_due.asks_for_seconds(election, at):
        outbox.enqueue_all(nomination_letters.seconds(election, [candidacy]))


def _asked(candidacy: Candidacy) -> outbox.Letter:
    """To who was put forward by somebody else."""
    election = candidacy.contest.election
    return letters.nominated(
        readers.reader(candidacy.user),
        readers.of(election),
        contest=candidacy.contest.title,
        by=str(candidacy.nominated_by),
        until=election.nominations_close_at,
        link=readers.link(election, f"candidates/{candidacy.pk}/"),
    )


def _told_of_leaving(candidacy: Candidacy) -> outbox.Letter:
    """To who prepared the election."""
    election = candidacy.contest.election
    with languages.of_reader(election.created_by.language):
        what = history.left(candidacy)
    return dispute_letters.candidate_left(
        readers.reader(election.created_by),
        readers.of(election),
        reference=f"{candidacy.pk}:{candidacy.left_at}",
        what=what,
        contest=candidacy.contest.title,
        link=readers.link(election, f"candidates/{candidacy.pk}/"),
    )


def _told_of_exclusion(candidacy: Candidacy) -> outbox.Letter:
    """To who may not stand."""
    election = candidacy.contest.election
    return dispute_letters.disqualified(
        readers.reader(candidacy.user),
        readers.of(election),
        reference=str(candidacy.pk),
        contest=candidacy.contest.title,
        reason=candidacy.leaving_reason,
        link=readers.link(election, f"candidates/{candidacy.pk}/"),
    )


def _free(contest: Contest, nominee: User) -> Candidacy:
    """A new candidacy, or that of who declined or withdrew before; refused where one stands."""
    before = Candidacy.objects.filter(contest=contest, user=nominee).first()
    if before is None:
        if contest.candidacies.count() >= MOST_CANDIDATES:
            raise Refusal(_("There are too many nominations; no more can be taken."))
        return Candidacy(contest=contest, user=nominee)
    if before.left_at is None:
        raise Refusal(_("%(name)s is nominated already.") % {"name": before.name})
    if before.leaving == Leaving.DISQUALIFIED:
        raise Refusal(_("%(name)s was disqualified.") % {"name": before.name})
    return before


def _spelled(contest: Contest, nominee: User, affiliation: str) -> str:
    """As another of the contest wrote it: two spellings would be two employers to the limit of
    seats. Who is independent has none, and is not limited with others who are.
    """
    name = employer(affiliation)
    others = contest.candidacies.exclude(user=nominee)
    alike = others.filter(affiliation__iexact=name).order_by("pk")
    known = alike.values_list("affiliation", flat=True).first()
    return known or name


def declared(user: User, at: datetime) -> str:
    """For whom the person says that they work, if they say so."""
    declared = Affiliation.objects.of_each([user.pk], timezone.localdate(at)).get(user.pk)
    return min(names_of(declared, ""), default="")


def _locked(contest: Contest, at: datetime | None) -> tuple[Contest, datetime]:
    fresh = Contest.objects.get(pk=contest.pk)
    fresh.election = locked(Election(pk=contest.election_id))
    return fresh, clock.now(at)


def _locked_candidacy(candidacy: Candidacy, at: datetime | None) -> tuple[Candidacy, datetime]:
    contest, moment = _locked(Contest.objects.get(candidacies=candidacy.pk), at)
    fresh = Candidacy.objects.get(pk=candidacy.pk)
    fresh.contest = contest
    return fresh, moment
