"""How long a motion is discussed, when it lapses, and what its text waits for."""

from datetime import datetime

from django.utils.translation import gettext as _

from governance.clock import in_words
from governance.models import Amendment, Motion, RuleSet
from governance.refusals import Refusal


def stale(amendment: Amendment) -> Refusal | None:
    if not amendment.is_stale:
        return None
    return Refusal(
        _("The text has changed since it was written. Its author has to propose it anew.")
    )


def voted_on(motion: Motion) -> Refusal | None:
    """While a vote on an amendment runs, the text stays as the voters read it."""
    running = motion.amendments.filter(state=Amendment.State.VOTE).first()
    if running is None:
        return None
    return Refusal(
        _("The vote on amendment %(number)s runs; the text waits for its result.")
        % {"number": running.number}
    )


def lapses_at(motion: Motion, rules: RuleSet | None) -> datetime | None:
    """When it lapses if nobody touches it again."""
    if rules is None or motion.active_at is None or motion.state != Motion.State.DISCUSSION:
        return None
    return rules.discussion.lapses_at(motion.active_at)


def vote_from(motion: Motion, rules: RuleSet) -> datetime | None:
    """From when its vote may be opened; None before its discussion began."""
    if motion.clock_from is None:
        return None
    return rules.discussion.vote_from(motion.clock_from)


def too_early(motion: Motion, rules: RuleSet, at: datetime) -> Refusal | None:
    """Why the vote cannot be opened yet: it was not discussed, or not long enough."""
    if not rules.discussion.days:
        return None
    earliest = vote_from(motion, rules)
    if earliest is None:
        return Refusal(_("It is discussed first. Open its discussion."))
    if at < earliest:
        words = {"when": in_words(earliest)}
        return Refusal(_("It is discussed until %(when)s; then its vote can be opened.") % words)
    return None
