"""Letters of votes and seats, promised to the outbox in the transaction of what they tell of."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.urls import reverse

from governance.models import Amendment, Motion, RosterSeat, SeatTerm
from portal.accounts.models import User
from portal.lib import outbox


def opened(motion: Motion, voters: Iterable[RosterSeat]) -> None:
    """You may vote, until when, by which rules."""
    promise("motion_opened", motion, of_voters(motion, voters))


def reminder(motion: Motion, voters: Iterable[RosterSeat]) -> None:
    """You have not voted yet, and it closes soon."""
    promise("motion_reminder", motion, of_voters(motion, voters))


def result(motion: Motion, voters: Iterable[RosterSeat], **context: Any) -> None:
    """What was decided, with the numbers."""
    promise("motion_result", motion, of_voters(motion, voters), **context)


def withdrawn(motion: Motion, voters: Iterable[RosterSeat]) -> None:
    promise("motion_withdrawn", motion, of_voters(motion, voters))


def seated(term: SeatTerm) -> None:
    """You hold a seat, from when to when, and what to declare."""
    _tell_holder("seat_taken", term)


def unseated(term: SeatTerm) -> None:
    """Your term ends."""
    _tell_holder("seat_left", term)


def term_ends(term: SeatTerm, following: SeatTerm | None, *, days: int) -> None:
    """To the holder: until when, and who follows."""
    outbox.enqueue(
        to=term.user.email,
        template="governance/term_ends",
        context={
            "term": term,
            "following": following,
            "own": settings.BASE_URL + reverse("governance:own"),
        },
        key=f"term_ends:{term.pk}:{term.until}:{days}",
        about=f"body:{term.seat.body.slug}",
    )


def terms_end(terms: Sequence[SeatTerm], day: date, keeper: User, *, days: int) -> None:
    """To who keeps the seats of a body: those that fall vacant on that day."""
    body = terms[0].seat.body
    outbox.enqueue(
        to=keeper.email,
        template="governance/terms_end",
        context={
            "terms": terms,
            "body": body,
            "day": day,
            "person": keeper,
            "link": settings.BASE_URL + reverse("governance:seats", args=[body.slug]),
        },
        key=f"terms_end:{body.pk}:{day}:{days}:{keeper.pk}",
        about=f"body:{body.slug}",
    )


def _tell_holder(template: str, term: SeatTerm) -> None:
    outbox.enqueue(
        to=term.user.email,
        template=template,
        context={
            "term": term,
            "body": term.seat.body,
            "link": settings.BASE_URL + term.seat.body.get_absolute_url(),
            "own": settings.BASE_URL + reverse("governance:own"),
        },
        key=f"{template}:{term.pk}:{term.until or ''}",
        about=f"body:{term.seat.body.slug}",
    )


def discussion(motion: Motion, user: User) -> None:
    """The discussion is open: read it, say what you think."""
    _tell("motion_discussion", motion, user)


def lapsed(motion: Motion) -> None:
    """Nobody touched it for so long that the rules close it."""
    _tell("motion_lapsed", motion, motion.proposed_by)


def amendment_proposed(amendment: Amendment) -> None:
    """To whom the text belongs that it would change."""
    author = amendment.parent.proposed_by if amendment.parent else amendment.motion.proposed_by
    if author.pk != amendment.proposed_by_id:
        _about_amendment("amendment_proposed", amendment, author)


def amendment_answered(amendment: Amendment) -> None:
    """To who proposed it: what became of it, and why."""
    if amendment.decided_by_id != amendment.proposed_by_id:
        _about_amendment("amendment_answered", amendment, amendment.proposed_by)


def _about_amendment(template: str, amendment: Amendment, user: User) -> None:
    moment = amendment.decided_at or amendment.proposed_at
    more = f"{amendment.pk}:{int(moment.timestamp())}"
    _tell(template, amendment.motion, user, more, amendment)


def _tell(
    template: str,
    motion: Motion,
    user: User,
    more: str = "",
    amendment: Amendment | None = None,
) -> None:
    """One letter of each kind to a person about a motion."""
    key = f"{motion.pk}:{user.pk}:{more}".rstrip(":")
    promise(template, motion, [Copy(user, key, {"user": user})], amendment=amendment)


def about(motion: Motion) -> str:
    """What the letters of a motion are about, in the words of the outbox."""
    return f"motion:{motion.pk}"


@dataclass(frozen=True, slots=True)
class Copy:
    """A letter for one reader: what stands in it for them alone, and what tells it apart."""

    to: User
    key: str
    context: Mapping[str, Any]


def of_voters(motion: Motion, voters: Iterable[RosterSeat]) -> Iterator[Copy]:
    """A copy for everybody on the roster who can read one."""
    for voter in voters:
        if voter.user is not None:
            yield Copy(voter.user, f"{motion.pk}:{voter.number}", {"voter": voter})


def promise(template: str, motion: Motion, copies: Iterable[Copy], **context: Any) -> None:
    """One letter of each kind to each reader, however often it is promised."""
    shared = {"motion": motion, "link": settings.BASE_URL + motion.get_absolute_url(), **context}
    outbox.enqueue_all(
        outbox.Letter(
            to=copy.to.email,
            template=template,
            context={**shared, **copy.context},
            key=f"{template}:{copy.key}",
            about=about(motion),
        )
        for copy in copies
    )
