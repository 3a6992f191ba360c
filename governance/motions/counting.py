"""By which rules votes are counted: a body by its own, members by those of their class."""

from datetime import datetime

from django.utils import timezone

from governance.models import Body, Motion, RuleSet


def of_class(electorate: str, subject: str, at: datetime) -> RuleSet | None:
    """The rules of a class of members for a subject."""
    in_force = RuleSet.objects.in_force(timezone.localdate(at)).select_related("body")
    own = in_force.filter(subject=subject, body__kind=Body.Kind.MEMBERSHIP)
    return own.filter(body__constituency=electorate).first()


def counting_rules(motion: Motion, own: RuleSet, at: datetime) -> RuleSet:
    """Of a motion that the rules `own` of its body bring to a vote.

    A class without rules for the subject is counted by those of the body that asks it.
    """
    if motion.electorate == Motion.Electorate.BODY:
        return own
    return of_class(motion.electorate, motion.subject, at) or own
