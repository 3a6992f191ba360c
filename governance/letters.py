"""The letters of a vote, promised to the outbox in the transaction of the act they tell of."""

from typing import Any

from django.conf import settings

from governance.models import Motion, RosterSeat
from portal.lib import outbox


def opened(motion: Motion, voter: RosterSeat) -> None:
    """You may vote, until when, by which rules."""
    _promise("motion_opened", motion, voter)


def reminder(motion: Motion, voter: RosterSeat) -> None:
    """You have not voted yet, and it closes soon."""
    _promise("motion_reminder", motion, voter)


def result(motion: Motion, voter: RosterSeat, **context: Any) -> None:
    """What was decided, with the numbers."""
    _promise("motion_result", motion, voter, **context)


def withdrawn(motion: Motion, voter: RosterSeat) -> None:
    _promise("motion_withdrawn", motion, voter)


def _promise(template: str, motion: Motion, voter: RosterSeat, **context: Any) -> None:
    """One letter of each kind to each voter of a motion, however often it is promised."""
    if voter.user is None:
        return
    outbox.enqueue(
        to=voter.user.email,
        template=template,
        context={
            "motion": motion,
            "voter": voter,
            "link": settings.BASE_URL + motion.get_absolute_url(),
            **context,
        },
        key=f"{template}:{motion.pk}:{voter.number}",
    )
