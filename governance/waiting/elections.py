"""What elections wait for: answers of nominees, votes, keys and rulings."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from governance.elections.steps import page
from governance.models import (
    Candidacy,
    Complaint,
    Election,
    ElectionOfficer,
    Objection,
    RollEntry,
    Scrutineer,
)
from governance.models.election import run_by
from governance.waiting.waiting import Waiting
from portal.accounts.models import User

State = Election.State
SETTLED = (State.DECLARED, State.CANCELLED)


def votes(user: User, at: datetime) -> Iterator[Waiting]:
    """Open ballots, until the person has the credential for each of them."""
    for election in Election.objects.voting(at).select_related("body"):
        own = RollEntry.objects.of(user).filter(contest__election=election, credential=None)
        missing, url = own.count(), page("vote", election)
        if missing and url:
            words = ngettext("%(count)s vote is missing.", "%(count)s votes are missing.", missing)
            yield _in(
                election, _("Vote"), url, words % {"count": missing}, until=election.closes_at
            )


def nominations(user: User, at: datetime) -> Iterator[Waiting]:
    """Nominations by others that have no answer yet."""
    asked = Candidacy.objects.filter(user=user, accepted_at__isnull=True, left_at__isnull=True)
    for each in asked.select_related("contest__election__body", "nominated_by"):
        election = each.contest.election
        if election.takes_nominations(at):
            words = {"name": each.nominated_by, "contest": each.contest}
            yield _in(
                election,
                _("Accept or decline"),
                reverse("governance:candidacy", args=[election.name, each.pk]),
                _("%(name)s nominated you in “%(contest)s”.") % words,
                until=election.nominations_close_at,
            )


def keys(user: User, at: datetime) -> Iterator[Waiting]:
    """What scrutineers and officers still have to do with their keys."""
    for holder in Scrutineer.objects.filter(user=user).select_related("election__body"):
        if act := _of_scrutineer(holder):
            yield from _with_keys(holder.election, act)
    for officer in ElectionOfficer.objects.filter(user=user).select_related("election__body"):
        if act := _of_officer(officer):
            yield from _with_keys(officer.election, act)


def _with_keys(election: Election, act: str) -> Iterator[Waiting]:
    if url := page("election_keys", election):
        until = election.opens_at if election.closed_at is None else None
        yield _in(election, act, url, _("Nobody else can do this."), until=until)


def _of_scrutineer(holder: Scrutineer) -> str:
    state = holder.election.state
    if state == State.ANNOUNCED and not holder.key:
        return _("Make your key as scrutineer")
    if state == State.ANNOUNCED and holder.sealed_share and holder.confirmed_at is None:
        return _("Check your share of the key")
    if state == State.CLOSED and holder.commitment and not holder.share:
        return _("Tell your share, so that ballots can be opened")
    return ""


def _of_officer(officer: ElectionOfficer) -> str:
    state = officer.election.state
    if state == State.ANNOUNCED and not officer.key:
        return _("Make your key as officer")
    if state == State.PREPARED and not officer.signature:
        return _("Read and sign the manifest")
    if state == State.CLOSED and officer.nonce_sha256 and not officer.nonce:
        return _("Tell your hidden number")
    return ""


def objections(user: User, at: datetime) -> Iterator[Waiting]:
    """Objections to rolls that who runs the election has to rule on."""
    waiting = Objection.objects.filter(
        answer="",
        contest__election__state=State.ANNOUNCED,
        contest__election__body__in=run_by(user, at),
    )
    waiting = waiting.exclude(contest__election__in=_stands_in(user))
    for each in waiting.select_related("contest__election__body"):
        election = each.contest.election
        yield _in(
            election,
            _("Rule on an objection"),
            reverse("governance:objection", args=[election.name, each.pk]),
            str(each),
            until=election.opens_at,
        )


def complaints(user: User, at: datetime) -> Iterator[Waiting]:
    waiting = Complaint.objects.filter(answer="", election__body__in=run_by(user, at))
    waiting = waiting.exclude(election__state__in=SETTLED).exclude(made_by=user)
    waiting = waiting.exclude(election__in=_stands_in(user))
    for each in waiting.select_related("election__body"):
        election = each.election
        yield _in(
            election,
            _("Rule on a complaint"),
            reverse("governance:complaint", args=[election.name, each.pk]),
            each.text[:120],
        )


def _stands_in(user: User) -> QuerySet[Election]:
    """Elections in which the person rules on nobody."""
    own = Candidacy.objects.filter(user=user).accepted()
    return Election.objects.filter(contests__candidacies__in=own)


def _in(
    election: Election, act: str, url: str, note: str, *, until: datetime | None = None
) -> Waiting:
    return Waiting(act, election.title, url, until, election.body.name, note)
