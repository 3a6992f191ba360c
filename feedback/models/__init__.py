"""Reports on their way: inbox, then facts of a server and week, then counts of all servers.

The server key stands in every primary key of what belongs to one server, so that these tables
can be distributed on it. It is a keyed hash; what a server calls itself is never stored.
"""

from feedback.models.claim import ClaimCode, ClaimedServer
from feedback.models.deletion import Deletion, Tombstone
from feedback.models.imported_part import ImportedPart
from feedback.models.incoming import Incoming, Kind, Quarantined, QuarantinedQuerySet
from feedback.models.intake import Intake, Outcome
from feedback.models.known_key import MOST_KEYS, KnownKey, KnownKeyQuerySet
from feedback.models.period import Count, CrossCount, Period
from feedback.models.report import Dictionary, KeySet, Report
from feedback.models.server_week import FACT_MONTHS, RAW_DAYS, ServerWeek, facts_since

__all__ = [
    "FACT_MONTHS",
    "MOST_KEYS",
    "RAW_DAYS",
    "ClaimCode",
    "ClaimedServer",
    "Count",
    "CrossCount",
    "Deletion",
    "Dictionary",
    "ImportedPart",
    "Incoming",
    "Intake",
    "KeySet",
    "Kind",
    "KnownKey",
    "KnownKeyQuerySet",
    "Outcome",
    "Period",
    "Quarantined",
    "QuarantinedQuerySet",
    "Report",
    "ServerWeek",
    "Tombstone",
    "facts_since",
]
