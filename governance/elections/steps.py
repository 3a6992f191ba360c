"""What a visitor can do in an election now, or what waits for them there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from governance.elections.lineup import Lineup
from governance.elections.running import Visitor
from governance.models import Candidacy, Election, RollEntry
from portal.accounts.models import User


@dataclass(frozen=True, slots=True)
class Step:
    """A button; `is_asked` is what the election waits for from this person."""

    text: str
    url: str
    is_asked: bool = False


def for_visitor(
    election: Election, lineups: Sequence[Lineup], user: Visitor, at: datetime
) -> Iterator[Step]:
    if not isinstance(user, User):
        return
    yield from _votes(election, user, at)
    yield from _answers(election, user, at)
    yield from _keys(election, user)
    for each in lineups:
        if each.not_to_nominate is None:
            text = _("Nominate somebody or yourself: %(contest)s") % {"contest": each.contest}
            url = reverse("governance:nominate", args=[election.name, each.contest.constituency])
            yield Step(text, url)


def _votes(election: Election, user: User, at: datetime) -> Iterator[Step]:
    url = page("vote", election)
    entries = RollEntry.objects.of(user).filter(contest__election=election)
    if url and election.takes_votes(at) and entries.exists():
        missing = entries.filter(credential=None).exists()
        yield Step(_("Vote") if missing else _("Look at your vote or change it"), url, missing)


def _answers(election: Election, user: User, at: datetime) -> Iterator[Step]:
    if not election.takes_nominations(at):
        return
    own = Candidacy.objects.filter(contest__election=election, user=user, left_at__isnull=True)
    for each in own.filter(accepted_at__isnull=True).select_related("contest"):
        text = _("Answer your nomination: %(contest)s") % {"contest": each.contest}
        url = reverse("governance:candidacy_answer", args=[election.name, each.pk])
        yield Step(text, url, is_asked=True)


def _keys(election: Election, user: User) -> Iterator[Step]:
    """For who holds a key: what of it waits stands among what waits for the person."""
    url = page("election_keys", election)
    holders = (election.scrutineers, election.officers)
    if url and any(each.filter(user=user).exists() for each in holders):
        yield Step(_("Your key"), url)


def page(name: str, election: Election) -> str:
    """The address of a page of an election; empty where this portal has none of that name."""
    try:
        return reverse(f"governance:{name}", args=[election.name])
    except NoReverseMatch:
        return ""
