"""A vote of many contributors in a running installation. Runs inside it:

stack.manage("shell", "--command", "from tests import electors; electors.open_vote('Ask them')")
"""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.models import Body, Motion
from governance.tests.rolls import contributors
from portal.accounts.models import User


def enrol(size: int) -> None:
    contributors(size, timezone.now())


def open_vote(title: str) -> None:
    """Of the board, asked of all contributors; its letters are still to be promised."""
    bob, hiro = (User.objects.get(email=f"{name}@example.org") for name in ("bob", "hiro"))
    motion = draft_motion(
        actor=bob,
        body=Body.objects.get(slug="board"),
        subject="ordinary",
        title=title,
        summary="All contributors are asked.",
        text="Resolved.",
        electorate=Motion.Electorate.CONTRIBUTORS,
    )
    second_motion(actor=hiro, motion=motion)
    open_motion(actor=bob, motion=motion, deadline=timezone.now() + timedelta(days=8))
