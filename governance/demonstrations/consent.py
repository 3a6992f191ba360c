"""What the board decided in writing, and what it is asked to sign now."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from governance.actions.consent import Authentication, open_consent, sign_consent
from governance.actions.motion import draft_motion, second_motion
from governance.demonstrations.acts import Act
from governance.demonstrations.texts import BOB, INES
from governance.models import Body, Consent, Motion
from portal.accounts.demonstration import person

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
SIGNED = "Lend two build machines to the port maintainers"
ASKED = "Extend the lease of the office by a year"


def acts(bodies: dict[str, Body], at: datetime) -> Iterator[Act]:
    """One that everybody signed."""
    yield at - 61 * DAY, partial(_signed, bodies["board"], at)


def load(at: datetime) -> None:
    """One that waits for some; loaded again it changes nothing."""
    if not Motion.objects.filter(title=ASKED).exists():
        _waiting(Body.objects.get(slug="board"), at)


def _signed(board: Body, at: datetime) -> None:
    signed = _asked(
        board,
        SIGNED,
        "Two machines that stand idle go to the people who maintain the ARM port, for a year.",
        "The board resolves that\n\n"
        "1. machines 7 and 8 of the build farm are lent to the maintainers of the ARM port;\n"
        "2. the loan ends after one year, and is extended by the treasurer if nobody needs them.\n",
        at - 62 * DAY,
    )
    _sign(signed, at - 61 * DAY, count=signed.needed)


def _waiting(board: Body, at: datetime) -> None:
    asked = _asked(
        board,
        ASKED,
        "The landlord offers another year at the same rent and needs an answer before we meet.",
        "The board resolves that\n\n"
        "1. the lease of the office is extended by twelve months at the present rent;\n"
        "2. the treasurer signs for the foundation.\n",
        at - 2 * DAY,
    )
    _sign(asked, at - DAY, count=3)


def _asked(board: Body, title: str, summary: str, text: str, at: datetime) -> Consent:
    motion = draft_motion(
        actor=person(INES),
        body=board,
        subject="ordinary",
        title=title,
        summary=summary,
        text=text,
        at=at - HOUR,
    )
    second_motion(actor=person(BOB), motion=motion, at=at - HOUR / 2)
    return open_consent(actor=person(INES), motion=motion, deadline=at + 14 * DAY, at=at)


def _sign(consent: Consent, at: datetime, *, count: int) -> None:
    """So many sign, an hour after each other; Bob comes last, so that a visitor can sign as him."""
    signers = list(consent.motion.roster.exclude(user=None).select_related("user"))
    signers.sort(key=lambda row: row.name == BOB)
    for hours, row in enumerate(signers[:count]):
        if row.user is not None:
            moment = at + hours * HOUR
            proof = Authentication("totp", moment - timedelta(minutes=1))
            sign_consent(
                actor=row.user, consent=consent, name=row.name, authenticated=proof, at=moment
            )
