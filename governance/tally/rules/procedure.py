"""What one version of a rule set says about everything around the counting of a vote."""

from __future__ import annotations

from dataclasses import dataclass, field

from governance.tally.rules.affiliation import AffiliationCap
from governance.tally.rules.bylaw_change import BylawChange
from governance.tally.rules.consent import ConsentRule
from governance.tally.rules.discussion import Discussion
from governance.tally.rules.meeting import MeetingRule
from governance.tally.rules.membership import Membership
from governance.tally.rules.vacancy import Vacancy


@dataclass(frozen=True, slots=True)
class Procedure:
    discussion: Discussion = field(default_factory=Discussion)
    consent: ConsentRule = field(default_factory=ConsentRule)
    bylaw_change: BylawChange = field(default_factory=BylawChange)
    affiliation_cap: AffiliationCap = field(default_factory=AffiliationCap)
    vacancy: Vacancy = field(default_factory=Vacancy)
    membership: Membership = field(default_factory=Membership)
    meeting: MeetingRule = field(default_factory=MeetingRule)
