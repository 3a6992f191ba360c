"""A proposal and the version that was adopted since it was written, brought together."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from governance.bylaws import page as bylaws_page
from governance.bylaws import words as bylaws_words
from governance.bylaws.merge import Conflict, Part, conflicts, joined, merge
from governance.bylaws.text import Item, UnreadableError, read
from governance.models import Proposal, Version
from governance.refusals import Refusal
from portal.lib.redline import Piece, redline


@dataclass(frozen=True, slots=True)
class Clash:
    """Clauses that both changed, as a page shows them."""

    place: str
    before: str
    adopted: list[Piece]  # what the version made of them
    proposed: list[Piece]  # what the proposal makes of them
    own: str  # the words of the proposal, to begin with

    @classmethod
    def of(cls, conflict: Conflict) -> Clash:
        before, theirs, ours = map(_source, (conflict.base, conflict.theirs, conflict.ours))
        return cls(
            place=", ".join(bylaws_words.place(anchor) for anchor in conflict.anchors),
            before=before,
            adopted=redline(before, theirs),
            proposed=redline(before, ours),
            own=ours,
        )


def parts(proposal: Proposal, newest: Version) -> list[Part]:
    """What both changed in the version that the proposal was written for."""
    try:
        ours = read(proposal.motion.text)
    except UnreadableError as error:
        raise Refusal(bylaws_words.fault(error)) from error
    return merge(proposal.base.items(proposal.based_at), ours, newest.items())


def clashes(found: list[Part]) -> list[Clash]:
    return [Clash.of(conflict) for conflict in conflicts(found)]


def text_of(found: list[Part], written: list[str]) -> str:
    if len(written) != len(conflicts(found)):
        raise Refusal(_("The texts changed while you wrote. Look at them once more."))
    return joined(found, written)


def preview(newest: Version, text: str) -> bylaws_page.Redline | None:
    """What the proposal changes then; None for a text that cannot be read."""
    try:
        return bylaws_page.redline(newest.items(), read(text))
    except UnreadableError:
        return None


def _source(items: tuple[Item, ...]) -> str:
    return "\n\n".join(item.flowing_source for item in items)
