"""The rules of a body, each parameter one line of some bylaw: what a vote is counted by (`Rules`),
and what has to happen around it (`Procedure`).
"""

from governance.tally.rules.affiliation import CAP_SHARES, AffiliationCap, CapShare
from governance.tally.rules.bylaw_change import BylawChange, MemberVote
from governance.tally.rules.consent import Consent, ConsentRule
from governance.tally.rules.counting import Rules, by_threshold, yes_needed
from governance.tally.rules.discussion import Discussion
from governance.tally.rules.majority import SHARES, PassBase, Threshold, ceiling
from governance.tally.rules.meeting import MeetingRule
from governance.tally.rules.membership import Activity, Membership
from governance.tally.rules.procedure import Procedure
from governance.tally.rules.quorum import (
    QUORUM_SHARES,
    Quorum,
    QuorumBase,
    QuorumBy,
    quorum_needed,
)
from governance.tally.rules.tie import Tie
from governance.tally.rules.vacancy import FilledBy, Vacancy, VacancyTerm

__all__ = [
    "CAP_SHARES",
    "QUORUM_SHARES",
    "SHARES",
    "Activity",
    "AffiliationCap",
    "BylawChange",
    "CapShare",
    "Consent",
    "ConsentRule",
    "Discussion",
    "FilledBy",
    "MeetingRule",
    "MemberVote",
    "Membership",
    "PassBase",
    "Procedure",
    "Quorum",
    "QuorumBase",
    "QuorumBy",
    "Rules",
    "Threshold",
    "Tie",
    "Vacancy",
    "VacancyTerm",
    "by_threshold",
    "ceiling",
    "quorum_needed",
    "yes_needed",
]
