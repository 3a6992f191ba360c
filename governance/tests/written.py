"""Written consents for tests: a board that decides in writing, and who signs."""

from __future__ import annotations

from datetime import datetime

from governance.actions.consent import (
    Authentication,
    open_consent,
    revoke_signature,
    sign_consent,
)
from governance.actions.motion import second_motion
from governance.models import Body, Consent, RuleSet
from governance.tests.conftest import DAY, HOUR, START, make_draft
from portal.accounts.models import User

PROOF = Authentication("totp", START)


def in_writing(body: Body, consent: str = "unanimous", **rules: object) -> None:
    """Let the body decide in writing."""
    RuleSet.objects.filter(body=body).update(consent=consent, consent_clause="Bylaw 5.9", **rules)


def make_consent(
    body: Body, people: list[User], title: str = "Sign it", at: datetime = START
) -> Consent:
    """A motion of the first person, to be signed within ten days."""
    draft = make_draft(body, people[0], title, at - DAY)
    second_motion(actor=people[1], motion=draft, at=at - HOUR)
    return open_consent(actor=people[0], motion=draft, deadline=at + 10 * DAY, at=at)


def sign(consent: Consent, *people: User, at: datetime = START + HOUR) -> None:
    for person in people:
        sign_consent(actor=person, consent=consent, name=str(person), authenticated=PROOF, at=at)


def revoke(consent: Consent, person: User, at: datetime = START + 2 * HOUR) -> None:
    revoke_signature(actor=person, consent=consent, authenticated=PROOF, at=at)
