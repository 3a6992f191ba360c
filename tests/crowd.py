"""A crowd of voters in a running installation, who are signed in already. Runs inside it:

stack.manage("shell", "--command", "from tests import crowd; crowd.assemble(50, 'told.json')")
"""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings
from django.utils import timezone

from governance.actions.body import save_body, save_seat
from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.models import Body, Motion, RuleSet, Seat
from portal.accounts.models import User
from tests.cast import make_person, sign_in

SINCE = date(2020, 1, 1)


def assemble(size: int, told: str) -> None:
    """A body of `size` people with a seconded motion; the file says who they are."""
    body = save_body(
        actor=None,
        body=Body(slug="crowd", name="Crowd", kind="committee", purpose="Votes.", since=SINCE),
    )
    write_rule_set(
        actor=None,
        rule_set=RuleSet(body=body, subject="ordinary", name="Ordinary", since=SINCE),
    )
    people = [make_person(f"voter{number}") for number in range(size)]
    for number, person in enumerate(people, start=1):
        seat = save_seat(actor=None, seat=Seat(body=body, number=number, since=SINCE))
        seat_person(actor=None, seat=seat, user=person, since=SINCE)
        TOTP.activate(person, generate_totp_secret())
    motion = draft_motion(
        actor=people[0],
        body=body,
        subject="ordinary",
        title="Now or never",
        summary="All vote at the deadline.",
        text="Resolved.",
    )
    second_motion(actor=people[1], motion=motion)
    cookies = {person.email: _cookies(person) for person in people}
    Path(told).write_text(json.dumps(cookies))


def _cookies(person: User) -> dict[str, str]:
    """What the browser of somebody who is signed in sends."""
    jar = sign_in(person).cookies
    return {settings.SESSION_COOKIE_NAME: jar[settings.SESSION_COOKIE_NAME].value}


def open_for(seconds: float) -> None:
    """Let the vote begin; its deadline is that far away."""
    motion = Motion.objects.get(slug="now-or-never")
    deadline = timezone.now() + timedelta(seconds=seconds)
    open_motion(actor=motion.proposed_by, motion=motion, deadline=deadline)
