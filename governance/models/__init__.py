"""Bodies and who sits in them, the rules they decide by, and their motions."""

from governance.models.action_item import ActionItem
from governance.models.affiliation import Affiliation
from governance.models.affirmation import Affirmation
from governance.models.agenda import AgendaItem
from governance.models.amendment import Amendment
from governance.models.attendance import Attendance
from governance.models.body import Body
from governance.models.bundle import Bundle, Record, RecordMark
from governance.models.bylaws import Bylaws
from governance.models.candidacy import Candidacy, Support
from governance.models.clause_comment import ClauseComment
from governance.models.confidential_ballot import ConfidentialBallot
from governance.models.consensus import Consensus, Participant, Position
from governance.models.consent import Consent, Signature
from governance.models.contest import Contest
from governance.models.election import Election
from governance.models.election_count import ElectionCount
from governance.models.election_round import ElectionRound
from governance.models.filing import Filing
from governance.models.interest import Interest
from governance.models.keyholder import ElectionOfficer, Scrutineer
from governance.models.letter_round import LetterRound
from governance.models.lot import Lot
from governance.models.meeting import Meeting
from governance.models.minutes import Minutes
from governance.models.motion import Motion, ResolutionCount
from governance.models.motion_comment import MotionComment
from governance.models.objection import Complaint, Objection
from governance.models.outing import Outing
from governance.models.proposal import Proposal
from governance.models.ratification import Ratification
from governance.models.redaction import Redaction
from governance.models.roll_entry import Credential, RollEntry
from governance.models.roster import RosterSeat
from governance.models.rule_set import RuleSet
from governance.models.seat import Seat, SeatTerm
from governance.models.second import Second
from governance.models.silence import Silence
from governance.models.typo import Typo
from governance.models.version import Version
from governance.models.vote import Vote

__all__ = [
    "ActionItem",
    "Affiliation",
    "Affirmation",
    "AgendaItem",
    "Amendment",
    "Attendance",
    "Body",
    "Bundle",
    "Bylaws",
    "Candidacy",
    "ClauseComment",
    "Complaint",
    "ConfidentialBallot",
    "Consensus",
    "Consent",
    "Contest",
    "Credential",
    "Election",
    "ElectionCount",
    "ElectionOfficer",
    "ElectionRound",
    "Filing",
    "Interest",
    "LetterRound",
    "Lot",
    "Meeting",
    "Minutes",
    "Motion",
    "MotionComment",
    "Objection",
    "Outing",
    "Participant",
    "Position",
    "Proposal",
    "Ratification",
    "Record",
    "RecordMark",
    "Redaction",
    "ResolutionCount",
    "RollEntry",
    "RosterSeat",
    "RuleSet",
    "Scrutineer",
    "Seat",
    "SeatTerm",
    "Second",
    "Signature",
    "Silence",
    "Support",
    "Typo",
    "Version",
    "Vote",
]
