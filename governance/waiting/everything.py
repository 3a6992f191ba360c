"""Everything that waits for a person, what ends first at the top."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime

from django.contrib.auth.models import AnonymousUser

from governance.waiting import answers, duties, elections, minutes, steps
from governance.waiting.waiting import Waiting
from portal.accounts.models import User

KINDS: Sequence[Callable[[User, datetime], Iterable[Waiting]]] = (
    answers.votes,
    elections.votes,
    elections.nominations,
    elections.keys,
    elections.objections,
    elections.complaints,
    answers.signatures,
    answers.positions,
    steps.amendments,
    steps.outdated,
    steps.ready,
    steps.seconds,
    minutes.unapproved,
    minutes.unwritten,
    duties.action_items,
    duties.typos,
)
NEVER = datetime.max.replace(tzinfo=UTC)


def waiting_for(user: User | AnonymousUser, at: datetime) -> list[Waiting]:
    """Nothing waits for a visitor; without an end comes last, in the order of `KINDS`."""
    if isinstance(user, AnonymousUser):
        return []
    found = [each for kind in KINDS for each in kind(user, at)]
    return sorted(found, key=lambda each: each.until or NEVER)
