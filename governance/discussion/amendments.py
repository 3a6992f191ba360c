"""Amendments as a page shows them: a tree, each with its change drawn word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext as _

from governance.discussion import discussing
from governance.discussion.amending import NotFoundOnceError, amended
from governance.models import Amendment, Motion, RuleSet
from governance.reasons import Visitor
from portal.lib.redline import Piece, redline

AROUND = 160  # characters that a reader sees before and after a change
TONES = {
    Amendment.State.OPEN: "open",
    Amendment.State.VOTE: "solid",
    Amendment.State.ACCEPTED: "good",
    Amendment.State.REJECTED: "bad",
    Amendment.State.WITHDRAWN: "",
}


@dataclass(frozen=True, slots=True)
class Change:
    """What would change, in reading order; `pieces` as `redline` gives them."""

    pieces: list[Piece]

    @classmethod
    def of(cls, amendment: Amendment, public: Callable[[str], str]) -> Change:
        """Raises `NotFoundOnceError` for a passage that is not in the text."""
        if amendment.text_after:
            before, after = amendment.text_before, amendment.text_after
        else:
            before = amendment.base
            after = amended(before, passage=amendment.passage, replacement=amendment.replacement)
        return cls(shortened(redline(public(before), public(after))))

    @classmethod
    def lost(cls, amendment: Amendment, public: Callable[[str], str]) -> Change:
        """Of an amendment whose place in the text is gone: its own words."""
        return cls(redline(public(amendment.passage), public(amendment.replacement)))


@dataclass(slots=True)
class Branch:
    """An amendment with what the visitor can do about it, and the amendments to it."""

    amendment: Amendment
    change: Change
    is_stale: bool
    can_accept: bool
    can_reject: bool
    can_withdraw: bool
    can_put: bool
    can_amend: bool
    vote: Motion | None
    tone: str
    word: str
    was_left: bool
    reason: str
    because: str
    children: list[Branch] = field(default_factory=list)

    @property
    def dialog(self) -> str:
        """The id of the question before it is rejected."""
        return f"reject-{self.amendment.number}"


def of(motion: Motion) -> list[Amendment]:
    """In the order of their numbers; of one motion they are read once."""
    known = Amendment.objects.in_order().prefetch_related("votes")
    prefetch_related_objects([motion], Prefetch("amendments", known))
    return list(motion.amendments.all())


def tree(motion: Motion, user: Visitor, rules: RuleSet | None, at: datetime) -> list[Branch]:
    """In the order of their numbers, amendments to amendments below theirs."""
    known = of(motion)
    branches = {each.pk: _branch(each, motion, user, rules, at) for each in known}
    for each in known:
        if each.parent_id is not None:
            branches[each.parent_id].children.append(branches[each.pk])
    return [branches[each.pk] for each in known if each.parent_id is None]


def _branch(
    amendment: Amendment, motion: Motion, user: Visitor, rules: RuleSet | None, at: datetime
) -> Branch:
    amendment.motion = motion
    was_left = amendment.state == Amendment.State.OPEN and discussing.is_past(motion)
    is_open = amendment.state == Amendment.State.OPEN and not was_left
    return Branch(
        amendment=amendment,
        change=_change(amendment, motion.as_public),
        is_stale=is_open and amendment.is_stale,
        can_accept=discussing.not_to_accept(user, amendment) is None,
        can_reject=discussing.not_to_answer(user, amendment) is None,
        can_withdraw=is_open and user.pk == amendment.proposed_by_id,
        can_put=rules is not None and discussing.not_to_put(user, amendment, rules, at) is None,
        can_amend=is_open
        and amendment.parent_id is None
        and discussing.not_to_amend(user, motion, at) is None,
        vote=_last(amendment.votes.all()),
        tone="" if was_left else TONES[Amendment.State(amendment.state)],
        word=_("Not answered") if was_left else amendment.get_state_display(),
        was_left=was_left,
        reason=motion.as_public(amendment.reason),
        because=motion.as_public(amendment.because),
    )


def _last(votes: Iterable[Motion]) -> Motion | None:
    return max(votes, key=lambda vote: vote.pk, default=None)


def _change(amendment: Amendment, public: Callable[[str], str]) -> Change:
    try:
        return Change.of(amendment, public)
    except NotFoundOnceError:
        return Change.lost(amendment, public)


def shortened(pieces: list[Piece]) -> list[Piece]:
    """With long stretches that stay the same cut down to what stands beside a change."""
    last = len(pieces) - 1
    return [
        Piece("same", _cut(piece.text, first=number == 0, last=number == last))
        if piece.change == "same"
        else piece
        for number, piece in enumerate(pieces)
    ]


def _cut(text: str, *, first: bool, last: bool) -> str:
    if first:
        return text if len(text) <= AROUND else f"… {text[-AROUND:]}"
    if last:
        return text if len(text) <= AROUND else f"{text[:AROUND]} …"
    return text if len(text) <= 2 * AROUND else f"{text[:AROUND]} … {text[-AROUND:]}"
