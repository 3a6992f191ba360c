"""What the page of an election's keys shows: who holds which, what is done, what comes next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _

from governance.elections import keeping_keys
from governance.elections.running import Visitor
from governance.models import Election, ElectionOfficer, Scrutineer

State = Election.State
SCRUTINEER, OFFICER = "scrutineer", "officer"


@dataclass(frozen=True, slots=True)
class Card:
    """What one holder of a key has to do now; `act` is empty where there is nothing."""

    role: str
    holder: Scrutineer | ElectionOfficer
    act: str  # make, confirm, sign, tell

    @property
    def action(self) -> str:
        """Where the act is sent to."""
        name, place = self.holder.election.name, self.holder.place
        return reverse("governance:key_act", args=[name, self.role, place, self.act])


def own_cards(election: Election, user: Visitor) -> list[Card]:
    """The keys that the person holds."""
    mine = user.pk or 0
    return [
        *(
            Card(SCRUTINEER, one, _act(election, one))
            for one in election.scrutineers.filter(user=mine)
        ),
        *(Card(OFFICER, one, _act(election, one)) for one in election.officers.filter(user=mine)),
    ]


def holder_of(election: Election, role: str, place: int) -> Scrutineer | ElectionOfficer | None:
    """Who holds the key of this place."""
    if role == SCRUTINEER:
        return election.scrutineers.filter(place=place).first()
    return election.officers.filter(place=place).first()


def _act(election: Election, holder: Scrutineer | ElectionOfficer) -> str:
    if election.state == State.ANNOUNCED:
        return _before(holder)
    if election.state == State.PREPARED:
        unsigned = isinstance(holder, ElectionOfficer) and not holder.signature
        return "sign" if unsigned else ""
    if election.state == State.CLOSED:
        told = holder.opened_at if isinstance(holder, Scrutineer) else holder.told_at
        return "" if told else "tell"
    return ""


def _before(holder: Scrutineer | ElectionOfficer) -> str:
    if not holder.key:
        return "make"
    if isinstance(holder, Scrutineer) and holder.sealed_share and holder.confirmed_at is None:
        return "confirm"
    return ""


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of the whole, and whether it is done."""

    text: str
    is_done: bool


def stages(election: Election, at: datetime) -> Iterator[Stage]:
    """From the naming of key holders to the count, in order."""
    todo = keeping_keys.missing(election, at) if election.state == State.ANNOUNCED else []
    past = election.state not in {State.DRAFT, State.ANNOUNCED}
    scrutineers = list(election.scrutineers.all())
    officers = list(election.officers.all())
    if election.is_sealed:
        yield Stage(_("Scrutineers make their keys"), _all(bool(one.key) for one in scrutineers))
        yield Stage(_("The election key is made and split"), bool(election.election_key))
        yield Stage(
            _("Scrutineers check their shares"),
            bool(election.election_key) and _all(one.confirmed_at for one in scrutineers),
        )
    yield Stage(_("Officers make their keys"), _all(bool(one.key) for one in officers))
    yield Stage(_("The manifest is written"), past or (not todo and bool(election.manifest)))
    yield Stage(_("Two officers sign it"), election.frozen_at is not None)
    yield Stage(_("Voting is closed"), election.closed_at is not None)
    if election.is_sealed:
        opened = sum(one.opened_at is not None for one in scrutineers)
        yield Stage(_("Scrutineers tell their shares"), opened >= election.shares_needed)
    yield Stage(_("Officers tell their numbers"), _all(one.told_at for one in officers))
    yield Stage(_("The votes are counted"), election.counted_at is not None)


def _all(found: object) -> bool:
    """Whether there is one, and every one is."""
    known = list(found)  # type: ignore[call-overload]
    return bool(known) and all(known)
