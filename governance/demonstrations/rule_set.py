"""Rules that are not yet in force: what a board does when it changes how it decides."""

from datetime import date, datetime, timedelta

from governance.actions.rule_set import write_rule_set
from governance.models import Body, RuleSet
from governance.rules.changes import copied
from portal.accounts.models import User


def load(*, actor: User | None, board: Body, at: datetime) -> RuleSet:
    """The next version of the ordinary rules of the board, from the first of a coming month on."""
    rule_set = copied(RuleSet.objects.versions(board, "ordinary")[0])
    rule_set.since = first_of_month(at.date() + timedelta(days=60))
    rule_set.note = (
        "A motion that touches the interest of a director is valid only with a majority of the "
        "others; five days of discussion before each vote."
    )
    rule_set.disinterested_majority = True
    rule_set.discussion_days = 5
    rule_set.discussion_clause = "Bylaw 5.8"
    return write_rule_set(actor=actor, rule_set=rule_set)


def first_of_month(day: date) -> date:
    """The next first of a month after `day`."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)
