from datetime import date, timedelta

from django.utils import timezone

from governance.actions.body import save_body, save_seat
from governance.actions.motion import draft_motion, open_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.models import Body, Motion, RuleSet, Seat
from tests.permissions import EVERYBODY, Cast, Page

BODY_AND_STAFF = {"bob", "frank"}


def board(cast: Cast) -> Body:
    """The board, with bob on its one seat."""
    since = date(2020, 1, 1)
    body = save_body(
        actor=None,
        body=Body(slug="board", name="Board", kind="board", purpose="Decides.", since=since),
    )
    seat = save_seat(actor=None, seat=Seat(body=body, number=1, since=since))
    seat_person(actor=None, seat=seat, user=cast["bob"], since=since)
    write_rule_set(
        actor=None,
        rule_set=RuleSet(
            body=body, subject="ordinary", name="Ordinary", since=since, needs_second=False
        ),
    )
    return body


def draft(cast: Cast) -> Motion:
    return draft_motion(
        actor=cast["bob"],
        body=board(cast),
        subject="ordinary",
        title="A draft",
        summary="Only the body reads it.",
        text="Resolved.",
    )


def open_vote(cast: Cast) -> Motion:
    deadline = timezone.now() + timedelta(days=1)
    return open_motion(actor=cast["bob"], motion=draft(cast), deadline=deadline)


def new_motion(cast: Cast) -> str:
    board(cast)
    return "/governance/motions/new/"


def of_board(path: str) -> Page:
    return Page(EVERYBODY, sample=lambda cast: path.format(board(cast).slug))


PAGES = {
    "governance:overview": Page(EVERYBODY),
    "governance:board": Page(EVERYBODY),
    "governance:body": of_board("/governance/bodies/{}/"),
    "governance:body_json": of_board("/governance/bodies/{}.json"),
    "governance:motions": Page(EVERYBODY),
    "governance:motions_csv": Page(EVERYBODY),
    "governance:feed": Page(EVERYBODY),
    "governance:motion": Page(BODY_AND_STAFF, sample=lambda cast: draft(cast).get_absolute_url()),
    "governance:motion_json": Page(
        EVERYBODY, sample=lambda cast: f"/governance/motions/{open_vote(cast).slug}.json"
    ),
    "governance:motion_new": Page({"bob"}, sample=new_motion),
    "governance:motion_edit": Page(
        BODY_AND_STAFF, sample=lambda cast: draft(cast).get_absolute_url() + "edit/"
    ),
    "governance:motion_second": Page(
        BODY_AND_STAFF,
        sample=lambda cast: draft(cast).get_absolute_url() + "second/",
        method="POST",
    ),
    "governance:motion_open": Page(
        BODY_AND_STAFF, sample=lambda cast: draft(cast).get_absolute_url() + "open/"
    ),
    "governance:motion_withdraw": Page(
        BODY_AND_STAFF,
        sample=lambda cast: draft(cast).get_absolute_url() + "withdraw/",
        method="POST",
    ),
    "governance:motion_vote": Page(
        {"bob"},
        sample=lambda cast: open_vote(cast).get_absolute_url() + "vote/",
        method="POST",
        data={"choice": "yes"},
    ),
}
