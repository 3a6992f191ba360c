"""Who stands on a roll, who may object to it, and why somebody is not on it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.elections.running import Visitor, not_to_judge
from governance.models import Contest, Election, Objection, RollEntry
from governance.motions import franchise
from governance.refusals import NotAllowed, Refusal
from portal.accounts.models import User
from portal.members.electorate import Candidate, electorate, eligible_voters


@dataclass(frozen=True, slots=True)
class Standing:
    """How a vote that a person could cast stands in a contest; `reasons` are rules in words."""

    contest: Contest
    key: str
    name: str
    entry: RollEntry | None
    reasons: list[dict[str, Any]]
    objection: Objection | None = None

    @property
    def is_on_the_roll(self) -> bool:
        return self.entry is not None and self.entry.removed_at is None

    @property
    def would_vote(self) -> bool:
        """Whether every rule of the register is met."""
        return bool(self.reasons) and all(reason["met"] for reason in self.reasons)

    @property
    def why_not(self) -> str:
        """What was found of the first rule that is not met; empty where all are."""
        found = (str(reason["found"]) for reason in self.reasons if reason["met"] is False)
        return next(found, "")


def standings(user: User, election: Election, at: datetime) -> list[Standing]:
    """Every vote that the person casts, or might think they do, with the reasons for and against.

    As it was on the record date; before that day, as it would be now.
    """
    moment = min(at, election.record_at)
    asked = {each.key: each for each in franchise.asked_of(user, moment)}
    found = []
    for contest in election.contests.all():
        entries = {entry.key: entry for entry in contest.roll.filter(voter=user)}
        keys = [
            key
            for key, each in asked.items()
            if each.answer.constituency.value == contest.constituency
        ]
        found += [
            _standing(contest, key, entries.get(key), asked.get(key))
            for key in dict.fromkeys([*entries, *keys])
        ]
    return found


def _standing(
    contest: Contest, key: str, entry: RollEntry | None, asked: Candidate | None
) -> Standing:
    entry = entry or contest.roll.filter(key=key).first()
    objection = contest.objections.filter(key=key).order_by("-pk").first()
    if entry is not None:
        return Standing(contest, key, entry.name, entry, entry.reasons, objection)
    reasons: Any = asked.as_record()["reasons"] if asked else []
    return Standing(contest, key, asked.name if asked else key, None, reasons, objection)


def not_to_object(user: Visitor, election: Election, at: datetime) -> Refusal | None:
    """Whoever has an account may object while the roll is shown."""
    if not isinstance(user, User):
        return NotAllowed(_("Sign in to object to the roll."))
    if election.takes_objections(at):
        return None
    if at < election.record_at or election.roll_drawn_at is None:
        return Refusal(
            _("The roll is drawn on %(when)s; objections can be made from then on.")
            % {"when": in_words(election.record_at)}
        )
    return Refusal(
        _("Objections to the roll ended on %(when)s.")
        % {"when": in_words(election.objections_close_at)}
    )


def not_to_rule(user: Visitor, objection: Objection, at: datetime) -> Refusal | None:
    if objection.answer:
        return Refusal(_("It was ruled on already."))
    election = objection.contest.election
    if election.state != Election.State.ANNOUNCED:
        return Refusal(_("The roll is fixed in the manifest. Take the manifest back first."))
    return not_to_judge(user, election, at)


def may_nominate(election: Election, at: datetime) -> set[int]:
    """The accounts that cast a vote in one of its constituencies now: who may put forward."""
    contests = (each for each in election.contests.all() if not each.is_question)
    held = {contest.constituency for contest in contests}
    voters = (each.answer for each in eligible_voters(at))
    return {
        each.voter for each in voters if each.voter is not None and each.constituency.value in held
    }


def askable(contest: Contest, at: datetime) -> Iterable[Candidate]:
    """Everybody of the constituency about whom the register can say anything."""
    return (
        each for each in electorate(at) if each.answer.constituency.value == contest.constituency
    )
