"""What follows from a decision, in the transaction that writes it: a list to read.

Each function is called with the motion, decided and saved, and the moment of the decision,
whatever the outcome: it looks whether the motion is its business. What it raises takes the
decision back, so it raises only when nothing may be decided. A module that is named here must
not import `outcome`, which calls it.
"""

from collections.abc import Callable
from datetime import datetime

from governance.actions.adoption import adopt_proposal, adopt_ratified
from governance.actions.amendment_vote import decide_amendment
from governance.actions.superseding import supersede
from governance.models import Motion

Consequence = Callable[[Motion, datetime], None]

CONSEQUENCES: tuple[Consequence, ...] = (
    adopt_proposal,  # its text is the next version of the bylaws, or the members are asked
    adopt_ratified,  # the members have agreed to it
    decide_amendment,  # its text becomes the motion's, or is rejected
    supersede,  # the resolution that it names is in force no longer
)


def follow(motion: Motion, at: datetime) -> None:
    """Do all that follows from this decision."""
    for consequence in CONSEQUENCES:
        consequence(motion, at)
