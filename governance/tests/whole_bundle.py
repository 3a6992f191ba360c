"""A foundation that decided something in every way there is, for a bundle that holds every kind of
record.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from governance.actions.body import save_body
from governance.actions.bundle import sign_bundle
from governance.actions.consensus import call_consensus, settle_due, take_position
from governance.actions.minutes import keep_record
from governance.actions.motion import second_motion
from governance.actions.records import write_records
from governance.actions.redaction import redact
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.actions.typo import decide_typo, report_typo
from governance.models import Body, Bundle, Meeting, Minutes, Position, RuleSet, Version
from governance.tests.bylaws import make_bylaws, make_proposal, make_version
from governance.tests.conftest import (
    DAY,
    FOUNDED,
    HOUR,
    SEATED,
    START,
    make_decided,
    make_draft,
    make_seat,
)
from governance.tests.meeting_cast import approve, hold, make_meeting, submit
from governance.tests.test_bylaws import carry
from governance.tests.written import in_writing, make_consent, sign
from portal.accounts.models import User
from releases.signer.local import LocalSigner

LATER = START + 30 * DAY
VOTES = {0: "yes", 1: "yes", 2: "yes", 3: "no", 4: "recuse"}


def whole_bundle(
    signer: LocalSigner, board: Body, people: list[User], frank: User, charlie: User
) -> bytes:
    """Signed twice: what was taken out of sight after the first time is in no bundle any more."""
    in_writing(board)
    carried = make_decided(board, people, "Buy it", VOTES, 50)
    make_decided(board, people, "Sell it", {0: "yes", 1: "no", 2: "no", 3: "no"}, 49)
    written(board, people)
    agreed(people)
    minuted(board, people)
    corrected(board, people, charlie, frank)
    seal(signer, START)
    redact(actor=frank, motion=carried, passage="**two** modules", because="A price.", at=LATER)
    return bytes(seal(signer, START + timedelta(seconds=30)).packed or b"")


def seal(signer: LocalSigner, at: datetime) -> Bundle:
    """What was decided until `LATER`, in a list of that date: the signer dates none ahead."""
    write_records(at=LATER)
    bundle = sign_bundle(signer=signer, at=at)
    assert bundle is not None
    return bundle


def written(board: Body, people: list[User]) -> None:
    """Two written consents: one before the meeting, one after it."""
    for title, days in (("Sign it", 40), ("Sign another", 5)):
        consent = make_consent(board, people, title, at=START - days * DAY)
        sign(consent, *people, at=START - days * DAY + HOUR)


def agreed(people: list[User]) -> None:
    """A council of three carries something by consensus."""
    council = save_body(
        actor=None,
        body=Body(
            slug="council",
            name="Council",
            kind=Body.Kind.COUNCIL,
            purpose="Builds.",
            since=FOUNDED,
        ),
    )
    write_rule_set(
        actor=None,
        rule_set=RuleSet(body=council, subject="ordinary", name="Ordinary", since=FOUNDED),
    )
    for number, person in enumerate(people[:3], start=1):
        seat = make_seat(council, number)
        seat_person(actor=None, seat=seat, user=person, since=SEATED)
    called = START - 30 * DAY
    draft = make_draft(council, people[0], "Drop it", called - DAY)
    second_motion(actor=people[1], motion=draft, at=called - HOUR)
    consensus = call_consensus(actor=people[0], motion=draft, ends_at=called + 5 * DAY, at=called)
    for person in people[:3]:
        take_position(
            actor=person, consensus=consensus, stance=Position.Stance.SUPPORT, at=called + HOUR
        )
    settle_due(at=called + 6 * DAY)


def minuted(board: Body, people: list[User]) -> Minutes:
    """A meeting with a closed session, its minutes approved, corrected, and approved again."""
    meeting = make_meeting(people[0], board, days=-20)
    meeting.agenda.create(position=9, title="Staff", is_closed=True, record="Salaries rise.")
    hold(meeting, people)
    approve(submit(meeting, people[0]), people)
    return approve(_corrected(meeting, people[0]), people)


def _corrected(meeting: Meeting, chair: User) -> Minutes:
    meeting.refresh_from_db()
    item = meeting.agenda.earliest("position")
    keep_record(
        actor=chair,
        meeting=meeting,
        opened_at=meeting.opened_at,
        closed_at=meeting.closed_at,
        records={item.pk: "Nearly all was well."},
        seen=meeting.record_version,
        at=meeting.ends_at + 6 * DAY,
    )
    later = Meeting.objects.get(pk=meeting.pk)
    later.ends_at += timedelta(days=6)  # the helper submits two hours after the end
    return submit(later, chair, "Not all was well.")


def corrected(board: Body, people: list[User], charlie: User, frank: User) -> Version:
    """Bylaws that were founded and changed by a vote, with two slips of spelling corrected."""
    bylaws = make_bylaws(board)
    make_version(bylaws)
    carry(make_proposal(bylaws, people[0]), people)
    version = bylaws.versions.latest("number")
    for days, wrong, right in ((5, "come form", "come from"), (6, "They serve", "The serve")):
        clause = "c4.2" if days == 5 else "c4.3"
        at = START + days * DAY
        typo = report_typo(
            actor=charlie, version=version, clause=clause, wrong=wrong, right=right, at=at
        )
        decide_typo(actor=frank, typo=typo, accept=True, at=at + HOUR)
    return version
