"""How a motion looks in lists: its state, and its numbers."""

from django import template
from django.utils.translation import gettext as _

from governance import results, words
from governance.models import Motion

register = template.Library()


@register.inclusion_tag("components/badge.html")
def motion_badge(motion: Motion) -> dict[str, object]:
    """The state of a motion, in the tone that belongs to it."""
    return {"text": motion.get_state_display(), "tone": words.TONES[motion.state]}


@register.inclusion_tag("governance/motion_numbers.html")
def motion_numbers(motion: Motion) -> dict[str, object]:
    """The result in a sentence, or how many have voted with the quorum marked."""
    if motion.opened_at is None:
        return {}
    report = results.report(motion)
    if motion.is_decided:
        return {"report": report, "answer": words.answer(report)}
    count = report.count
    return {
        "voted": count.voted + count.recused,
        "voters": count.filled,
        "quorum": report.quorum_needed,
    }


@register.simple_tag
def motion_score(motion: Motion) -> str:
    """4 yes, 1 no, 1 recused; only what there is."""
    if not motion.is_decided:
        return "—"
    count = results.count(motion)
    told = [
        (count.yes, _("%(count)s yes")),
        (count.no, _("%(count)s no")),
        (count.abstain, _("%(count)s abstained")),
        (count.recused, _("%(count)s recused")),
        (count.absent, _("%(count)s absent")),
    ]
    return ", ".join(words % {"count": number} for number, words in told if number) or "—"
