"""Bodies and who sits in them, the rules they decide by, and their motions."""

from governance.models.body import Body
from governance.models.motion import Motion, ResolutionCount
from governance.models.roster import RosterSeat
from governance.models.rule_set import RuleSet
from governance.models.seat import Seat, SeatTerm
from governance.models.vote import Vote

__all__ = [
    "Body",
    "Motion",
    "ResolutionCount",
    "RosterSeat",
    "RuleSet",
    "Seat",
    "SeatTerm",
    "Vote",
]
