"""Motions that are talked about, rest, lapsed, were superseded, or were voted on in a meeting."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

from governance.actions.amendment import accept_amendment, propose_amendment, reject_amendment
from governance.actions.discussion import hold_motion, open_discussion
from governance.actions.meeting_vote import record_meeting_vote
from governance.actions.motion import draft_motion, open_motion, second_motion
from governance.actions.motion_comment import comment_on_motion, hide_motion_comment
from governance.actions.redaction import redact
from governance.actions.roster import eligible
from governance.actions.superseding import supersede_due
from governance.demonstrations.acts import Act
from governance.demonstrations.meetings import begins
from governance.demonstrations.texts import BOB, HIRO, INES, JONAS, KEMI, LENA, MIRA
from governance.meetings.room import room
from governance.models import Body, Meeting, Motion, SeatTerm, Vote
from portal.accounts import demonstration as people
from portal.accounts.demonstration import person

DAY, HOUR = timedelta(days=1), timedelta(hours=1)
GRANTS = "Give a tenth of the income to small grants"
THREE_DAYS = "Answer reports of security faults within three days"


def load(at: datetime) -> None:
    """Each in the state that its name says; loaded again it changes nothing."""
    if Motion.objects.filter(title=GRANTS).exists():
        return
    board = Body.objects.get(slug="board")
    _discussed(board, at - 9 * DAY)
    _held(board, at - 20 * DAY)
    _by_contributors(board, at - 3 * DAY)
    supersede_due(at=at)


def acts(bodies: dict[str, Body], at: datetime) -> Iterator[Act]:
    """What was carried in the room of a meeting, when: one takes the place of the other."""
    board = bodies["board"]
    yield at - 138 * DAY, partial(_in_a_meeting, board, at - 141 * DAY)
    next_one = min(moment for moment in begins("board", at) if moment > at - 9 * DAY)
    yield next_one + HOUR, partial(_superseding, board, at - 9 * DAY)


def _written(board: Body, by: str, title: str, summary: str, text: str, at: datetime) -> Motion:
    """A draft with the second it needs."""
    motion = draft_motion(
        actor=person(by),
        body=board,
        subject="ordinary",
        title=title,
        summary=summary,
        text=text,
        at=at,
    )
    second = INES if by != INES else BOB
    return second_motion(actor=person(second), motion=motion, at=at + HOUR)


def _discussed(board: Body, at: datetime) -> None:
    """Comments in two threads, one of them hidden; four amendments, one to another."""
    motion = _written(
        board,
        KEMI,
        GRANTS,
        "Each year a tenth of the income goes to contributors, in grants of at most 5,000.",
        "The board resolves that\n\n"
        "1. a tenth of the income of each year is given away in grants;\n"
        "2. no grant is above 5,000;\n"
        "3. a committee of three chooses among the applications twice a year.\n",
        at,
    )
    motion = open_discussion(actor=person(KEMI), motion=motion, at=at + 2 * HOUR)
    _said(motion, at + 4 * HOUR)
    _amended(motion, at + DAY)


def _said(motion: Motion, at: datetime) -> None:
    first = comment_on_motion(
        actor=person(JONAS),
        motion=motion,
        text="A tenth is **38,000** more than last year. Where does it come from?",
        at=at,
    )
    comment_on_motion(
        actor=person(KEMI),
        motion=motion,
        text="From the reserve, which is above the eight months that we want.",
        reply_to=first,
        at=at + 3 * HOUR,
    )
    beside = comment_on_motion(
        actor=person(LENA), motion=motion, text="The last one was wasted anyway.", at=at + DAY
    )
    hide_motion_comment(
        actor=person(people.FRANK),
        comment=beside,
        because="about a person who does not sit here",
        at=at + DAY + HOUR,
    )


def _amended(motion: Motion, at: datetime) -> None:
    higher = propose_amendment(
        actor=person(HIRO),
        motion=motion,
        passage="no grant is above 5,000",
        replacement="no grant is above 8,000",
        reason="A month of work costs more than 5,000 in most places.",
        at=at,
    )
    propose_amendment(
        actor=person(MIRA),
        motion=motion,
        parent=higher,
        passage="8,000",
        replacement="8,000, and a person gets one a year",
        reason="Otherwise two people could take it all.",
        at=at + 5 * HOUR,
    )
    four = propose_amendment(
        actor=person(LENA),
        motion=motion,
        passage="twice a year",
        replacement="four times a year",
        reason="Half a year is long to wait.",
        at=at + DAY,
    )
    accept_amendment(actor=person(KEMI), amendment=four, at=at + 2 * DAY)
    half = propose_amendment(
        actor=person(JONAS),
        motion=motion,
        passage="a tenth of the income",
        replacement="a twentieth of the income",
        reason="Let us begin with half of it.",
        at=at + 3 * DAY,
    )
    because = "Below a tenth the committee costs more than it gives."
    reject_amendment(actor=person(KEMI), amendment=half, because=because, at=at + 4 * DAY)


def _held(board: Body, at: datetime) -> None:
    motion = _written(
        board,
        MIRA,
        "Move the servers to a second provider",
        "A copy of everything runs at a second provider in another country.",
        "The board leaves the choice of a second provider to the treasurer, up to 900 a month.",
        at,
    )
    motion = open_discussion(actor=person(MIRA), motion=motion, at=at + 2 * HOUR)
    because = "Two of three offers have not come yet."
    hold_motion(actor=person(MIRA), motion=motion, because=because, at=at + 6 * DAY)


def _in_a_meeting(board: Body, at: datetime) -> None:
    """Carried in the room some months ago; a telephone number in it is not public."""
    motion = _written(
        board,
        BOB,
        THREE_DAYS,
        "Whoever reports a fault hears from us within three days.",
        "Every report of a security fault is answered within three days. The officer on duty is"
        " reached under 555 0142.",
        at,
    )
    yes, no = Vote.Choice.YES, Vote.Choice.NO
    voices = {1: yes, 2: yes, 3: yes, 4: Vote.Choice.ABSTAIN, 5: yes, 6: no}
    decided = record_meeting_vote(
        actor=person(people.FRANK),
        motion=motion,
        voices=voices,
        voted_at=at + 3 * DAY,
        at=at + 3 * DAY + HOUR,
    )
    redact(
        actor=person(people.FRANK),
        motion=decided,
        passage="555 0142",
        because="a private telephone number",
        at=at + 5 * DAY,
    )


def _superseding(board: Body, at: datetime) -> None:
    """Voted on in the meeting of the board that followed, by those who were in the room."""
    old = Motion.objects.get(title=THREE_DAYS)
    meeting = Meeting.objects.filter(body=board, begins_at__gt=at).earliest("begins_at")
    voted_at = meeting.begins_at + timedelta(minutes=50)
    motion = draft_motion(
        actor=person(HIRO),
        body=board,
        subject="ordinary",
        title="Answer reports of security faults within one day",
        summary="Three days were too long for two of the last five reports.",
        text="Every report of a security fault is answered within one day.",
        supersedes=old,
        takes_effect_on=meeting.day + DAY,
        at=at,
    )
    motion = second_motion(actor=person(INES), motion=motion, at=at + HOUR)
    there = room(meeting, voted_at).voters
    seats = SeatTerm.objects.seated_on(meeting.day).voting().filter(seat__body=board)
    numbers = seats.filter(user__in=there).values_list("seat__number", flat=True)
    record_meeting_vote(
        actor=person(people.FRANK),
        motion=motion,
        voices=dict.fromkeys(numbers, Vote.Choice.YES),
        voted_at=voted_at,
        meeting=meeting,
        at=meeting.ends_at + HOUR,
    )


def _by_contributors(board: Body, at: datetime) -> None:
    """Put to all contributors, where there are any; still open."""
    motion = draft_motion(
        actor=person(INES),
        body=board,
        subject="ordinary",
        title="Ask contributors to sign their commits",
        summary="From next spring on a commit needs the signature of its author.",
        text="From 1 March on every commit to a release branch carries its author's signature.",
        electorate=Motion.Electorate.CONTRIBUTORS,
        at=at,
    )
    motion = second_motion(actor=person(BOB), motion=motion, at=at + HOUR)
    if eligible(motion.electorate, at + 2 * HOUR):
        deadline = at + 10 * DAY
        open_motion(actor=person(INES), motion=motion, deadline=deadline, at=at + 2 * HOUR)
