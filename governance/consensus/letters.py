"""The letters of a consensus, promised to the outbox in the transaction of the act."""

from collections.abc import Iterable
from typing import Any

from governance.letters import Copy, promise
from governance.models import Consensus, Participant


def called(consensus: Consensus, participants: Iterable[Participant]) -> None:
    """You are asked whether you object, until when."""
    _tell("consensus_called", consensus, participants)


def objected(consensus: Consensus, objecting: Participant, reason: str) -> None:
    """To the others: somebody objects, and why."""
    others = consensus.participants.exclude(pk=objecting.pk).select_related("user")
    more = f":{objecting.pk}:{objecting.positions.count()}"
    _tell("consensus_objected", consensus, others, more, objecting=objecting, reason=reason)


def resolve(consensus: Consensus, participants: Iterable[Participant]) -> None:
    """Time is over and somebody objects: until when it can be resolved."""
    _tell("consensus_resolve", consensus, participants)


def reached(consensus: Consensus, participants: Iterable[Participant]) -> None:
    _tell("consensus_reached", consensus, participants)


def _tell(
    template: str,
    consensus: Consensus,
    participants: Iterable[Participant],
    more: str = "",
    **context: Any,
) -> None:
    copies = (
        Copy(each.user, f"{consensus.pk}:{each.pk}{more}", {"participant": each})
        for each in participants
    )
    promise(template, consensus.motion, copies, consensus=consensus, **context)
