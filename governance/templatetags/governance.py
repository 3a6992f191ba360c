"""How a motion looks in lists: its state, and its numbers."""

from datetime import date

from django import template
from django.utils.translation import gettext as _

from governance import words
from governance.models import Motion
from governance.motions import results
from governance.motions.progress import progress
from governance.rules import what_if

register = template.Library()


@register.inclusion_tag("components/badge.html")
def motion_badge(motion: Motion, is_sought: bool = False) -> dict[str, object]:
    """The state of a motion in its tone; of those in lists `until` says what is sought."""
    is_signed = motion.state == Motion.State.OPEN and motion.way == Motion.Way.CONSENT
    if is_sought or (getattr(motion, "until", None) and motion.deadline is None and not is_signed):
        return {"text": _("Consensus sought"), "tone": "solid"}
    text = _("Being signed") if is_signed else motion.get_state_display()
    return {"text": text, "tone": words.TONES[motion.state]}


@register.inclusion_tag("components/badge.html")
def force_badge(motion: Motion, on: date) -> dict[str, object]:
    """Whether a resolution is in force on that day."""
    word, tone = {
        "in_force": (_("in force"), "good"),
        "later": (_("later"), "info"),
        "superseded": (_("superseded"), ""),
    }[motion.force(on)]
    return {"text": word, "tone": tone}


@register.inclusion_tag("governance/motion_numbers.html")
def motion_numbers(motion: Motion) -> dict[str, object]:
    """The result in a sentence, or how many have taken part, with the number needed marked."""
    if motion.opened_at is None or (not motion.is_counted and not motion.is_decided):
        return {"progress": progress(motion)}
    if not motion.is_counted:
        return {"report": motion, "answer": words.without_a_vote(motion)}
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
    if not motion.is_counted:
        return str(motion.get_way_display())
    count = results.count(motion)
    told = [
        (count.yes, _("%(count)s yes")),
        (count.no, _("%(count)s no")),
        (count.abstain, _("%(count)s abstained")),
        (count.recused, _("%(count)s recused")),
        (count.absent, _("%(count)s absent")),
    ]
    return ", ".join(words % {"count": number} for number, words in told if number) or "—"


@register.inclusion_tag("governance/motion_rules.html")
def motion_rules(motion: Motion) -> dict[str, object]:
    """The rules that count it; when it is over the page to try them on, and how a lot was drawn."""
    rule_set = motion.rule_set
    if rule_set is None:
        return {}
    told: dict[str, object] = {"rule_set": rule_set, "lot": getattr(motion, "lot", None)}
    if not motion.is_decided:
        return told
    count = results.count(motion)
    counts = results.classes(motion) or {"": count}
    side = results.lot(motion) or count.casting
    told["what_if"] = what_if.address(rule_set, counts, side)
    return told | {"seed": results.lot_seed(motion), "drawn": results.lot(motion)}
