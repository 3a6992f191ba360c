"""What the engineering council agreed on, and what somebody objects to now."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from django.db.models import Max

from governance.actions.body import save_seat
from governance.actions.consensus import call_consensus, take_position
from governance.actions.motion import draft_motion, second_motion
from governance.actions.seat import seat_person
from governance.demonstrations.acts import Act
from governance.demonstrations.texts import HIRO, INES, KEMI
from governance.models import Body, Consensus, Motion, Position, Seat
from portal.accounts.demonstration import DANA, person

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
PAVEL, OLGA = "Pavel Novak", "Olga Marin"
AGREED = "Take patches for the old storage format until the end of the series"
SOUGHT = "Drop 32-bit builds from the next series"


def acts(bodies: dict[str, Body], at: datetime) -> Iterator[Act]:
    """One that was reached, with the adviser who is heard since."""
    yield at - 47 * DAY, partial(_adviser, bodies["council"], at - 200 * DAY)
    yield at - 46 * DAY, partial(_agreed, bodies["council"], at - 48 * DAY)


def load(at: datetime) -> None:
    """One with an objection, and a draft; loaded again it changes nothing."""
    if Motion.objects.filter(title=SOUGHT).exists():
        return
    council = Body.objects.get(slug="council")
    _objected(council, at - 2 * DAY)
    _drafted(council, at - DAY)


def _adviser(council: Body, at: datetime) -> None:
    """The chair of the board is heard, and not counted."""
    last: int = council.seats.aggregate(last=Max("number"))["last"] or 0
    seat = Seat(
        body=council,
        number=last + 1,
        is_voting=False,
        office=Seat.Office.ADVISER,
        title="Adviser, board",
        since=at.date(),
    )
    save_seat(actor=None, seat=seat)
    seat_person(actor=None, seat=seat, user=person(INES), since=at.date())


def _agreed(council: Body, at: datetime) -> None:
    consensus = _sought(
        council,
        AGREED,
        "Fixes for the old format are taken as long as the series is maintained.",
        "The council agrees that patches for the old storage format are reviewed and merged until"
        " the last release of the series; new features are not.\n",
        at,
    )
    for hours, name in enumerate([HIRO, KEMI, DANA, OLGA, PAVEL], start=3):
        stance = Position.Stance.SUPPORT if hours < 6 else Position.Stance.ACCEPT
        _say(consensus, name, stance, "", at + hours * 5 * HOUR)


def _objected(council: Body, at: datetime) -> None:
    consensus = _sought(
        council,
        SOUGHT,
        "The next series is built for 64-bit processors alone.",
        "The council agrees that\n\n"
        "1. the next series is built and tested for 64-bit processors alone;\n"
        "2. the present series keeps its 32-bit builds until it ends.\n",
        at,
    )
    _say(consensus, HIRO, Position.Stance.SUPPORT, "", at + 2 * HOUR)
    _say(consensus, KEMI, Position.Stance.SUPPORT, "", at + 5 * HOUR)
    reason = "Two of our members ship it on 32-bit controllers until spring. Give them a release."
    _say(consensus, PAVEL, Position.Stance.OBJECT, reason, at + 9 * HOUR)
    reason = "The contracts of the board name no processor; from our side nothing stands against."
    _say(consensus, INES, Position.Stance.ACCEPT, reason, at + 20 * HOUR)


def _drafted(council: Body, at: datetime) -> None:
    """Seconded, so that Dana can call for consensus on it."""
    _written(
        council,
        "Test every release candidate against the connectors of members",
        "Faults in connectors came to light after three of the last eight releases.",
        "The council agrees that\n\n"
        "1. the connectors that members name are tested against every release candidate;\n"
        "2. a failure holds the release until somebody has looked at it.\n",
        at,
        by=DANA,
    )


def _sought(council: Body, title: str, summary: str, text: str, at: datetime) -> Consensus:
    motion = _written(council, title, summary, text, at, by=HIRO)
    return call_consensus(actor=person(HIRO), motion=motion, ends_at=at + 5 * DAY, at=at)


def _written(
    council: Body, title: str, summary: str, text: str, at: datetime, *, by: str
) -> Motion:
    motion = draft_motion(
        actor=person(by),
        body=council,
        subject="ordinary",
        title=title,
        summary=summary,
        text=text,
        at=at - HOUR,
    )
    return second_motion(actor=person(KEMI), motion=motion, at=at - HOUR / 2)


def _say(
    consensus: Consensus, name: str, stance: Position.Stance, reason: str, at: datetime
) -> None:
    take_position(actor=person(name), consensus=consensus, stance=stance, reason=reason, at=at)
