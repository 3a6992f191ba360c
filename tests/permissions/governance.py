from collections.abc import Callable
from datetime import date, timedelta
from typing import NamedTuple

from django.utils import timezone

from governance.actions.amendment import propose_amendment
from governance.actions.body import save_body, save_seat
from governance.actions.discussion import open_discussion
from governance.actions.motion import draft_motion, open_motion
from governance.actions.motion_comment import comment_on_motion
from governance.actions.rule_set import write_rule_set
from governance.actions.seat import seat_person
from governance.models import Amendment, Body, Bundle, Motion, MotionComment, RuleSet, Seat
from releases.models import SigningKey
from tests.permissions import EVERYBODY, NOBODY, SIGNED_IN, Cast, Page, Place

BODY_AND_STAFF = {"bob", "frank", "secretary"}


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
            body=body, subject="ordinary", name="Ordinary", since=since, seconds_needed=0
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


def bundle(path: str) -> Callable[[Cast], str]:
    def sample(cast: Cast) -> str:
        key = SigningKey.objects.create(name="decisions", fingerprint="A" * 40, binary=b"")
        Bundle.objects.create(
            size=1, head="0" * 64, manifest="{}", key=key, signed_at=timezone.now(), packed=b"PK"
        )
        return path

    return sample


def of_board(path: str) -> Page:
    return Page(EVERYBODY, sample=lambda cast: path.format(board(cast).slug))


class Talk(NamedTuple):
    """A motion that is discussed, with an amendment by bob and a comment of his."""

    motion: Motion
    amendment: Amendment
    comment: MotionComment

    def at(self, rest: str) -> str:
        return f"{self.motion.get_absolute_url()}{rest}"


def talk(cast: Cast) -> Talk:
    motion = open_discussion(actor=cast["bob"], motion=draft(cast))
    amendment = propose_amendment(
        actor=cast["bob"], motion=motion, replacement="Resolved anew.", reason="Clearer."
    )
    comment = comment_on_motion(actor=cast["bob"], motion=motion, text="Clear.")
    return Talk(motion, amendment, comment)


def talked(rest: str) -> Place:
    return Place(talk, lambda made: made.at(rest))


def drafted(rest: str) -> Place:
    return Place(draft, lambda made: f"{made.get_absolute_url()}{rest}")


PAGES = {
    "api:open_votes": Page(NOBODY),
    "governance:overview": Page(EVERYBODY),
    "governance:board": Page(EVERYBODY),
    "governance:body": of_board("/governance/bodies/{}/"),
    "governance:body_json": of_board("/governance/bodies/{}.json"),
    "governance:decisions": Page(EVERYBODY),
    "governance:decisions_zip": Page(EVERYBODY, sample=bundle("/governance/decisions.zip")),
    "governance:decisions_json": Page(EVERYBODY, sample=bundle("/governance/decisions.json")),
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
    "governance:motion_discuss": Page(BODY_AND_STAFF, drafted("discuss/"), method="POST"),
    "governance:motion_hold": Page(BODY_AND_STAFF, drafted("hold/"), method="POST"),
    "governance:motion_resume": Page(BODY_AND_STAFF, drafted("resume/"), method="POST"),
    "governance:meeting_vote": Page(BODY_AND_STAFF, drafted("meeting-vote/")),
    # What is discussed is public: whoever is signed in is sent back to it with the reason.
    "governance:motion_comment": Page(
        SIGNED_IN, talked("comments/"), method="POST", data={"text": "Me too."}
    ),
    "governance:comment_hide": Page(
        SIGNED_IN,
        Place(talk, lambda made: made.at(f"comments/{made.comment.pk}/hide/")),
        method="POST",
    ),
    "governance:amendment_new": Page(SIGNED_IN, talked("amendments/new/")),
    "governance:amendment_answer": Page(SIGNED_IN, talked("amendments/1/"), method="POST"),
    "governance:amendment_vote": Page(SIGNED_IN, talked("amendments/1/vote/")),
    "governance:motion_redactions": Page({"frank", "secretary"}, talked("redactions/")),
    "governance:motion_roll": Page(
        EVERYBODY, sample=lambda cast: open_vote(cast).get_absolute_url() + "roll/"
    ),
    "governance:motion_delivery": Page(BODY_AND_STAFF, talked("delivery/")),
    "governance:resolutions": Page(EVERYBODY),
    "governance:resolutions_csv": Page(EVERYBODY),
}
