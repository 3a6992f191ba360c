"""What happens when as many say yes as no."""

from enum import StrEnum


class Tie(StrEnum):
    STATUS_QUO = "status_quo"  # a tie changes nothing: the motion fails
    CASTING_VOTE = "casting_vote"  # the chair's side gets one vote more
    LOT = "lot"  # drawn from a seed that was fixed before the vote and is shown after it
