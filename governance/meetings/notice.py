"""How long before a meeting it is made known, and how long the rules of its body ask."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.utils import timezone
from django.utils.translation import ngettext

from governance.models import Body, Meeting, RuleSet


@dataclass(frozen=True, slots=True)
class Notice:
    """Whole days from the announcement to the day of the meeting."""

    days: int
    needed: int
    clause: str

    @property
    def is_short(self) -> bool:
        return self.days < self.needed


def notice(meeting: Meeting, at: datetime) -> Notice:
    """What it has, or would have if it were announced at that moment."""
    announced = timezone.localdate(meeting.announced_at or at)
    rules = RuleSet.objects.of_body(meeting.body, announced)
    needed, clause = (rules.meeting_notice_days, rules.meeting_clause) if rules else (0, "")
    return Notice((meeting.day - announced).days, needed, clause)


def shown(meeting: Meeting, at: datetime) -> Notice | None:
    """Of a meeting that was made known before it began."""
    if meeting.announced_at is None or meeting.announced_at > meeting.begins_at:
        return None
    return notice(meeting, at)


def earliest(body: Body, today: date) -> date:
    """The first day for which a meeting that is announced today has its notice."""
    rules = RuleSet.objects.of_body(body, today)
    return rules.meeting_rule.earliest(today) if rules else today


def asked(bodies: list[Body], today: date) -> list[tuple[Body, int, str, date]]:
    """Of each body whose rules ask for notice: how many days, by which clause, from which day."""
    found = [(body, RuleSet.objects.of_body(body, today)) for body in bodies]
    return [
        (body, rules.meeting_notice_days, _clause(rules), rules.meeting_rule.earliest(today))
        for body, rules in found
        if rules is not None and rules.meeting_notice_days
    ]


def _clause(rules: RuleSet) -> str:
    return f" ({rules.meeting_clause})" if rules.meeting_clause else ""


def days_in_words(days: int) -> str:
    return ngettext("%(count)s day", "%(count)s days", days) % {"count": days}
