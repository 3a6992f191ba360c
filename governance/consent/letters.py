"""The letters of a written consent, promised to the outbox in the transaction of the act."""

from collections.abc import Container, Iterable

from governance.letters import of_voters, promise
from governance.models import Motion, RosterSeat


def to_sign(motion: Motion, voters: Iterable[RosterSeat]) -> None:
    """You are asked to sign, until when, and how many others are."""
    promise("consent_opened", motion, of_voters(motion, voters), consent=motion.consent)


def reminder(motion: Motion, voters: Iterable[RosterSeat]) -> None:
    """You have not signed yet, and it closes soon."""
    promise("consent_reminder", motion, of_voters(motion, voters), consent=motion.consent)


def ended(motion: Motion, voters: Iterable[RosterSeat], *, signed: Container[int]) -> None:
    """What became of it: the notice to those who did not sign too. `signed` are keys of places."""
    known = list(voters)
    for did in (True, False):
        theirs = (voter for voter in known if (voter.pk in signed) is did)
        copies = of_voters(motion, theirs)
        promise("consent_ended", motion, copies, consent=motion.consent, signed=did)
