"""What a rule set means, in words: topics of whole sentences, each with its clause.

Numbers are worked out for an example, the body as it is or one of seven seats, so that "two thirds
rounded up" is a number somebody can picture.
"""

from __future__ import annotations

from collections.abc import Callable

from django.utils.translation import gettext as _

from governance.models import RuleSet
from governance.rules.explained import (
    composition,
    deciding,
    majority,
    meeting,
    quorum,
    recusal,
)
from governance.rules.explained.example import USUAL, Example
from governance.rules.explained.topic import Topic

__all__ = ["USUAL", "Example", "Topic", "topics"]

Explain = Callable[[RuleSet, Example], list[str]]


def topics(rule_set: RuleSet, example: Example = USUAL) -> list[Topic]:
    """Everything this version says; a topic that it leaves open is left out."""
    found = [
        Topic(title, clause, sentences(rule_set, example))
        for title, clause, sentences in _table(rule_set)
    ]
    return [topic for topic in found if topic.sentences]


def _table(rule_set: RuleSet) -> list[tuple[str, str, Explain]]:
    return [
        (_("Quorum"), rule_set.quorum_clause, quorum.sentences),
        (_("Majority"), rule_set.pass_clause, majority.sentences),
        (_("Recusal"), rule_set.recusal_clause, recusal.sentences),
        (_("Tie"), rule_set.tie_clause, majority.tie),
        (_("Seconds and discussion"), rule_set.discussion_clause, deciding.discussion),
        (_("The vote"), rule_set.opening_clause, deciding.opening),
        (_("Written consent"), rule_set.consent_clause, deciding.consent),
        (_("Notice and taking effect"), rule_set.change_clause, deciding.change),
        (_("Limit per employer"), rule_set.cap_clause, composition.cap),
        (_("Vacancies"), rule_set.vacancy_clause, composition.vacancy),
        (_("Meetings"), rule_set.meeting_clause, meeting.sentences),
        (_("Who is on the roll"), rule_set.membership_clause, composition.membership),
    ]
